//! `held_ports`: which output ports are held by a packet.

use crate::bits::low_bits;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Owner;
use powar_config::signal::flags;

/// The held ports; the vector is the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldPorts {
    ports: usize,
    /// Of a switch for short packets, which sees `freed`.
    short_packets: bool,
    /// Bit p: a packet holds port p.
    pub held: u64,
}

inputs! {
    /// What is seen of the ports in a cycle, one bit each.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct HeldInputs of block: &HeldPorts {
        /// The port is given to a packet.
        pub given: u64 = flags("given", Owner::Port, block.ports),
        /// A flit of the packet sets out for it; with that flit it is released.
        pub departing: u64 = flags("departing", Owner::Port, block.ports),
        pub released: u64 = flags("released", Owner::Port, block.ports),
        /// It is released in this cycle; 0 but in a switch for short packets.
        pub freed: u64 = flags("freed", Owner::Port, block.ports).only_if(block.short_packets),
    }
}

impl HeldPorts {
    /// None of `ports` ports is held, the state after reset.
    pub fn new(ports: usize, short_packets: bool) -> Self {
        HeldPorts { ports, short_packets, held: 0 }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.held = 0;
    }

    fn next(&self, inputs: &HeldInputs) -> u64 {
        let &HeldInputs { given, departing, released, freed } = inputs;
        given | self.held & !(departing & released | freed)
    }

    /// The ports that are not held in the next cycle, if there is no reset.
    pub fn free_next(&self, inputs: &HeldInputs) -> u64 {
        low_bits(self.ports) & !self.next(inputs)
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &HeldInputs) {
        self.held = self.next(inputs);
    }
}

impl Registers for HeldPorts {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flags("held", Owner::Port, self.ports), self.held);
    }
}

impl Block for HeldPorts {
    type Inputs<'a> = HeldInputs;

    fn outputs(&self, seen: &HeldInputs, rows: &mut RegisterRows) {
        rows.one(flags("held", Owner::Port, self.ports), self.held);
        rows.one(flags("free_next", Owner::Port, self.ports), self.free_next(seen));
    }

    fn edge(&mut self, rst: bool, seen: &HeldInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(given: u64, departing: u64, released: u64) -> HeldInputs {
        HeldInputs { given, departing, released, freed: 0 }
    }

    #[test]
    fn a_port_is_held_from_the_cycle_after_it_is_given_to_the_flit_that_releases_it() {
        let mut ports = HeldPorts::new(4, false);
        assert_eq!(ports.free_next(&seen(0b0101, 0, 0b1111)), 0b1010);
        ports.clock(&seen(0b0101, 0, 0b1111));
        assert_eq!((ports.held, ports.free_next(&seen(0, 0b0001, 0b0101))), (0b0101, 0b1011));
        ports.clock(&seen(0, 0b0001, 0b0100));
        assert_eq!(ports.held, 0b0101, "a flit that releases nothing, and a release without a flit");
        ports.clock(&seen(0, 0b0101, 0b1111));
        assert_eq!(ports.held, 0);
        ports.clock(&seen(0b1000, 0b1000, 0b1111));
        assert_eq!(ports.held, 0b1000, "the last flit of a packet in the cycle in which the port is given again");
        ports.reset();
        assert_eq!(ports, HeldPorts::new(4, false));
    }

    #[test]
    fn a_port_that_is_freed_is_held_no_longer_unless_it_is_given() {
        let mut ports = HeldPorts::new(4, true);
        ports.clock(&seen(0b0111, 0, 0));
        let freed = HeldInputs { given: 0b0010, freed: 0b1011, ..HeldInputs::default() };
        assert_eq!(ports.free_next(&freed), 0b1001);
        ports.clock(&freed);
        assert_eq!(ports.held, 0b0110);
    }
}
