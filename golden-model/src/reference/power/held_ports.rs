//! `held_ports`: which output ports are held by a packet.

use crate::bits::low_bits;
use crate::lock_step::{Block, Observed, declare, output, register};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, flags};
use powar_config::{Owner, Role, SignalDecl};

/// The held ports; the vector is the register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldPorts {
    ports: usize,
    /// Bit p: a packet holds port p.
    pub held: u64,
}

impl HeldPorts {
    /// None of `ports` ports is held, the state after reset.
    pub fn new(ports: usize) -> Self {
        HeldPorts { ports, held: 0 }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.held = 0;
    }

    fn next(&self, given: u64, departing: u64, released: u64) -> u64 {
        given | self.held & !(departing & released)
    }

    /// The ports that are not held in the next cycle, if there is no reset. Bits of the vectors: the port is given to a packet; a flit
    /// sets out for it; with that flit it is released.
    pub fn free_next(&self, given: u64, departing: u64, released: u64) -> u64 {
        low_bits(self.ports) & !self.next(given, departing, released)
    }

    /// The clock edge; vectors as of [`HeldPorts::free_next`].
    pub fn clock(&mut self, given: u64, departing: u64, released: u64) {
        self.held = self.next(given, departing, released);
    }
}

impl Registers for HeldPorts {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flags("held", Owner::Port, self.ports), self.held);
    }
}

impl Block for HeldPorts {
    fn signals(&self) -> Vec<SignalDecl> {
        let ports = |name| flags(name, Owner::Port, self.ports);
        let mut signals = declare(Role::Input, [RST, ports("given"), ports("departing"), ports("released")]);
        signals.extend([output(ports("held")), output(ports("free_next")), register(ports("held"))]);
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        observed.rows([self.held, self.free_next(inputs[1], inputs[2], inputs[3]), self.held]);
        if inputs[0] == 1 { self.reset() } else { self.clock(inputs[1], inputs[2], inputs[3]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_held_from_the_cycle_after_it_is_given_to_the_flit_that_releases_it() {
        let mut ports = HeldPorts::new(4);
        assert_eq!(ports.free_next(0b0101, 0, 0b1111), 0b1010);
        ports.clock(0b0101, 0, 0b1111);
        assert_eq!((ports.held, ports.free_next(0, 0b0001, 0b0101)), (0b0101, 0b1011));
        ports.clock(0, 0b0001, 0b0100);
        assert_eq!(ports.held, 0b0101, "a flit that releases nothing, and a release without a flit");
        ports.clock(0, 0b0101, 0b1111);
        assert_eq!(ports.held, 0);
        ports.clock(0b1000, 0b1000, 0b1111);
        assert_eq!(ports.held, 0b1000, "the last flit of a packet in the cycle in which the port is given again");
        ports.reset();
        assert_eq!(ports, HeldPorts::new(4));
    }
}
