//! What can be asked of a switch in the cycle under way.

use super::software::errors;
use super::{BusRegisters, Outputs, Payload, Switch};
use crate::fast::power::Buffers;
use crate::port_counts::PortCounts;
use powar_config::{Mechanism, Phase};

impl<P: Payload> Switch<P> {
    /// The number of the cycle under way; 0 at the construction. A reset does not turn it back.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// What begins on the links in the cycle under way.
    pub fn outputs(&self) -> &Outputs<P> {
        &self.outputs
    }

    /// What the register bus shows in the cycle under way.
    pub fn bus(&self) -> &BusRegisters {
        &self.bus
    }

    /// What its power mechanism is.
    pub fn mechanism(&self) -> &'static Mechanism {
        self.power.entry()
    }

    /// The longest time for which a port that is held may not be ready, cycles.
    pub fn longest_wait(&self) -> u64 {
        self.power.longest_wait()
    }

    /// Output ports held by a packet in the cycle under way.
    pub fn held(&self) -> u64 {
        self.power.held()
    }

    /// Output ports that may be given to a packet, once they are not held.
    pub fn grantable(&self) -> u64 {
        self.power.shown.grantable
    }

    /// Output ports that are taken before those that are not preferred.
    pub fn preferred(&self) -> u64 {
        self.power.shown.preferred
    }

    /// Output ports that may send.
    pub fn ready(&self) -> u64 {
        self.power.shown.ready
    }

    /// An output port's phase.
    pub fn phase(&self, port: usize) -> Phase {
        self.power.shown.phase(port)
    }

    /// An output port's counters but for errors, as its registers hold them in the cycle under way.
    pub fn counts(&self, port: usize) -> PortCounts {
        self.power.counts(port, self.now)
    }

    /// Cycles before the one under way in which packets waited for an output port, as its mechanism measures them ([`waited`](crate::fast::mechanisms::EventMechanism::waited)).
    pub fn waited(&mut self, port: usize) -> u64 {
        self.power.waited(port, self.now)
    }

    /// Events that its mechanism has counted in words of its own ([`events`](crate::fast::mechanisms::EventMechanism::events)).
    pub fn events(&self) -> Vec<(&'static str, u64)> {
        self.power.events()
    }

    /// A port's counters of errors, in the order of [`ERRORS`](powar_config::registers::ERRORS).
    pub fn errors(&self, port: usize) -> [u32; 5] {
        errors(&self.input, &self.output, port)
    }

    /// What its mechanism sees of buffers, if it sees them.
    pub fn buffers(&self) -> Option<&Buffers> {
        self.power.sees.buffers.then_some(&self.power.seen.buffers)
    }

    /// Flits in the buffer of an input port's VC.
    pub fn occupancy(&self, port: usize, vc: usize) -> usize {
        self.input.lanes[self.input.channel(port, vc)].flits.count(self.now).into()
    }

    /// Credits that an output port has for a VC.
    pub fn credits(&self, port: usize, vc: usize) -> usize {
        self.output.credits(port, vc, self.now)
    }
}
