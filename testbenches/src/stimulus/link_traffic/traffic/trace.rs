//! The packets of a recorded MPI trace, each in its cycle or as soon after it as the link allows.

use super::Traffic;
use crate::expected_routing::ExpectedRouting;
use crate::random::Random;
use powar_traffic::PacketArrival;
use std::collections::VecDeque;

pub(super) struct Trace {
    /// By input port: cycle, destination, flits.
    packets: Vec<VecDeque<(u64, u16, u16)>>,
}

impl Trace {
    /// Cycle 0 of the packets is the first after reset; rank r runs on node r.
    pub(super) fn new(routing: &ExpectedRouting, packets: &[PacketArrival]) -> Self {
        let mut by_input = vec![VecDeque::new(); routing.ports()];
        for packet in packets {
            let destination = routing.address(packet.destination as usize);
            by_input[usize::from(packet.input)].push_back((packet.cycle, destination, packet.flits));
        }
        Trace { packets: by_input }
    }
}

impl Traffic for Trace {
    fn destination(&mut self, _input: usize, _random: &mut Random) -> Option<u16> {
        None
    }

    fn scheduled(&mut self, input: usize, cycle: u64) -> Option<(u16, u16)> {
        let next = self.packets[input].pop_front_if(|next| next.0 <= cycle)?;
        Some((next.1, next.2))
    }
}
