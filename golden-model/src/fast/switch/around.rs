//! What changes around the packets of the input ports, and what a mechanism sees of them if it asks for it.

use super::input_ports::{InputPorts, NO_PORT, VC_BITS};
use super::link::Payload;
use super::output_ports::OutputPorts;
use crate::bits::{is_set, ones};
use crate::fast::power::Around;
use powar_config::Sees;

/// Ports that may not be released, and input ports that may not end: masks over output and input ports.
pub(super) struct Unsure {
    pub released: u64,
    pub ending: u64,
}

impl<P: Payload> InputPorts<P> {
    /// Of the ports that are released and end if all ports are steady those that do not: flits that have been read, other than the
    /// packet's last, for an output port that was not steady in the cycle before.
    #[cold]
    pub(super) fn unsure(&self, steady: u64) -> Unsure {
        let mut unsure = Unsure { released: 0, ending: 0 };
        for i in ones(self.flowing & !self.discarding) {
            let lane = &self.lanes[usize::from(self.current[i])];
            if lane.flits.remaining != 0 && lane.output() & steady == 0 {
                (unsure.released, unsure.ending) = (unsure.released | lane.output(), unsure.ending | 1 << i);
            }
        }
        unsure
    }

    /// Other output ports than before were ready in the cycle before.
    #[cold]
    pub fn ready_changed(&mut self, ready: u64) {
        self.sending = 0;
        for (i, port) in self.ports.iter_mut().enumerate() {
            (port.sends, port.able) = (0, 0);
            for v in ones(port.holding.into()) {
                let lane = &self.lanes[i << VC_BITS | v];
                let sends = lane.link.port == NO_PORT || is_set(ready, (lane.link.port & 63).into());
                port.sends |= u8::from(sends) << v;
                port.able |= u8::from(sends && lane.flits.count() != 0) << v;
            }
            self.able = self.able & !(1 << i) | u64::from(port.able != 0) << i;
            self.contended = self.contended & !(1 << i) | u64::from(port.able & !port.reading != 0) << i;
            let flows = port.able & port.reading != 0;
            self.flowing = self.flowing & !(1 << i) | u64::from(flows) << i;
            if flows {
                self.sending |= self.lanes[usize::from(self.current[i])].output();
            }
        }
    }

    /// Notes whether what the routing sees of the output ports has changed, in the cycle that begins. While nobody waits nobody asks.
    fn follow_outputs(&mut self, serves: u64, outputs: &OutputPorts) {
        if self.present != 0 && self.router.sees_more_than_before(serves, outputs) {
            self.ask_again = true;
        }
    }

    /// The output ports that some packet whose route is shown may go to and that had room for it in the cycle before.
    fn wanted(&self, outputs: &mut OutputPorts) -> u64 {
        let room = outputs.room_by_vcs(self.router.vcs_used());
        let mut wanted = 0;
        for i in ones(self.routed) {
            let port = &self.ports[i];
            for v in ones((port.valid & !port.drop).into()) {
                let route = &self.channels[i << VC_BITS | v].route;
                wanted |= route.adaptive & room[usize::from(route.adaptive_vcs)];
                wanted |= route.deterministic & room[usize::from(route.deterministic_vcs)];
            }
        }
        wanted
    }

    /// Flits in the buffer of a port.
    fn fill(&self, port: usize) -> u16 {
        (0..self.vcs).map(|vc| self.lanes[port << VC_BITS | vc].flits.count()).sum()
    }

    /// Brings up to date what a routing and a mechanism see of packets and buffers in the cycle that begins. `serves`: the ports to be
    /// counted on in it.
    #[cold]
    pub(super) fn look_around(&mut self, sees: Sees, serves: u64, outputs: &mut OutputPorts, around: &mut Around) {
        (around.arriving, around.leaving) = (0, 0);
        self.follow_outputs(serves, outputs);
        if sees.wanted {
            around.wanted = self.wanted(outputs);
        }
        if sees.buffers {
            for port in 0..self.ports.len() {
                (around.fill[port], around.occupancy[port]) = (self.fill(port), outputs.occupancy(port));
            }
        }
    }
}
