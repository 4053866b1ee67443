//! What changes around the packets of the input ports, and what a mechanism sees of them if it asks for it.

use super::allocation::Allocation;
use super::input_port::NO_PORT;
use super::input_ports::InputPorts;
use super::link::{Payload, VC_BITS};
use super::output_ports::OutputPorts;
use crate::bits::{is_set, ones};
use crate::fast::power::Around;
use powar_config::Sees;

impl<P: Payload> InputPorts<P> {
    /// Other output ports than before were ready in cycle `now`. What is read of a port that keeps ready goes on.
    #[cold]
    pub fn ready_changed(&mut self, now: u64, ready: u64) {
        for (i, port) in self.ports.iter_mut().enumerate() {
            (port.sends, port.able) = (0, 0);
            for v in ones(port.holding.into()) {
                let lane = &self.lanes[i << VC_BITS | v];
                let sends = lane.port == NO_PORT || is_set(ready, (lane.port & 63).into());
                port.sends |= u8::from(sends) << v;
                port.able |= u8::from(sends && lane.flits.count(now + 1) != 0) << v;
            }
            self.able = self.able & !(1 << i) | u64::from(port.able != 0) << i;
            self.contended = self.contended & !(1 << i) | u64::from(port.able & !port.reading != 0) << i;
            let flows = port.able & port.reading != 0 && !is_set(self.running, i);
            self.flowing = self.flowing & !(1 << i) | u64::from(flows) << i;
        }
    }

    /// Notes whether what the routing sees of the output ports has changed, in cycle `now`. While nobody waits nobody asks.
    fn follow_outputs(&mut self, now: u64, serves: u64, outputs: &mut OutputPorts) {
        if self.present != 0 {
            self.ask_again |= self.router.sees_more_than_before(now, serves, outputs);
        }
    }

    /// The output ports that some packet whose route is shown may go to and that had room for it in the cycle before `now`.
    fn wanted(&self, now: u64, allocation: &Allocation, outputs: &mut OutputPorts) -> u64 {
        if self.routed != 0 {
            outputs.look_for_room(now);
        }
        let room = outputs.room_by_vcs(self.router.vcs_used());
        let mut wanted = 0;
        for i in ones(self.routed) {
            let port = &self.ports[i];
            // The route of the packet behind one that is accepted is shown in its place.
            let (next, shown) = match self.behind.get(i) {
                None => (0, port.valid & !port.drop),
                Some(behind) => {
                    let accepted = allocation.accepts(i, port);
                    let next = accepted & behind.valid & !behind.drop;
                    (next, port.valid & !port.drop & !accepted | next)
                }
            };
            for v in ones(shown.into()) {
                let route = match next >> v & 1 {
                    0 => &self.channels[i << VC_BITS | v].route,
                    _ => &self.behind[i].next[v].route,
                };
                wanted |= route.adaptive & room[usize::from(route.adaptive_vcs)];
                wanted |= route.deterministic & room[usize::from(route.deterministic_vcs)];
            }
        }
        wanted
    }

    /// Brings up to date what a routing and a mechanism see of packets and output ports in cycle `now`, which begins. `serves`: the ports to be
    /// counted on in it.
    #[cold]
    pub(super) fn look_around(
        &mut self,
        now: u64,
        sees: Sees,
        serves: u64,
        allocation: &Allocation,
        outputs: &mut OutputPorts,
        around: &mut Around,
    ) {
        self.follow_outputs(now, serves, outputs);
        if sees.wanted {
            around.wanted = self.wanted(now, allocation, outputs);
        }
    }
}
