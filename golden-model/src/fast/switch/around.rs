//! What changes around the packets of the input ports, and what a mechanism sees of them if it asks for it.

use super::input_ports::{InputPorts, NO_PORT, VC_BITS};
use super::link::Payload;
use super::output_ports::OutputPorts;
use crate::bits::{is_set, ones};
use crate::fast::power::Around;
use powar_config::Sees;

impl<P: Payload> InputPorts<P> {
    /// The output ports whose flit that has been read in this cycle is its packet's last.
    #[cold]
    pub(super) fn tails(&self) -> u64 {
        let lanes = ones(self.flowing & !self.discarding).map(|i| &self.lanes[usize::from(self.current[i])]);
        lanes.filter(|lane| lane.flits.remaining == 0).fold(0, |ports, lane| ports | lane.output())
    }

    /// The output ports that may send have changed.
    #[cold]
    pub fn ready_changed(&mut self, ready: u64) {
        self.sending = 0;
        for (i, port) in self.ports.iter_mut().enumerate() {
            (port.sends, port.able, port.choice_unready) = (0, 0, port.choices_outside(ready));
            for v in ones(port.holding.into()) {
                let lane = &self.lanes[i << VC_BITS | v];
                let sends = lane.link.port == NO_PORT || is_set(ready, (lane.link.port & 63).into());
                port.sends |= u8::from(sends) << v;
                port.able |= u8::from(sends && lane.flits.count() != 0) << v;
            }
            self.able = self.able & !(1 << i) | u64::from(port.able != 0) << i;
            let flows = port.able & port.reading != 0;
            self.flowing = self.flowing & !(1 << i) | u64::from(flows) << i;
            if flows {
                self.sending |= self.lanes[usize::from(self.current[i])].output();
            }
        }
    }

    /// The switch is at another place: every packet in a head register is routed anew.
    pub fn reroute(&mut self, position: u16, stage: u8) {
        self.router.move_to(position, stage);
        self.ask_again();
        (self.fresh, self.asking) = (self.present, self.present);
    }

    /// Routes every packet in a head register anew.
    fn ask_again(&mut self) {
        for i in ones(self.present) {
            let port = &mut self.ports[i];
            for v in ones(port.head_valid.into()) {
                let vc = &mut self.channels[i << VC_BITS | v];
                let destination = vc.route.destination;
                vc.route = if self.router.is_by_destination() {
                    *self.router.route(destination)
                } else {
                    self.router.ask(vc.header(destination), (i, v))
                };
                port.unroutable = port.unroutable & !(1 << v) | u8::from(!vc.route.routable) << v;
            }
        }
    }

    /// Brings up to date where packets may go in the cycle that begins, if that depends on what their routing sees of the output
    /// ports. While nobody waits nobody asks.
    fn follow_outputs(&mut self, serves: u64, outputs: &OutputPorts) {
        if self.present != 0 && self.router.sees_more_than_before(serves, outputs) {
            self.ask_again();
            self.fresh |= self.present;
        }
    }

    /// The output ports that some packet in a head register may go to and that have room for it.
    fn wanted(&self, outputs: &mut OutputPorts) -> u64 {
        let room = outputs.room_by_vcs(self.router.vcs_used());
        let mut wanted = 0;
        for i in ones(self.present) {
            let port = &self.ports[i];
            for v in ones((port.head_valid & !port.drop()).into()) {
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
