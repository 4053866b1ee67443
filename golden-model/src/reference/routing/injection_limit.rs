//! `injection_limit`: the output ports that a packet may ask for where it comes in from a node.

use crate::bits::{low_bits, ones};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::mechanisms::{Twin, twin};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{fill, port_number, set};
use powar_config::{Config, Owner};

/// The block: nothing comes in where more flits are under way to a port than fill half a VC.
#[derive(Clone, Copy, Debug)]
pub struct InjectionLimit {
    /// Ports to other switches: 0 up to this number.
    ports: usize,
    /// Flits that fill half a VC of a buffer.
    limit: u64,
}

impl InjectionLimit {
    /// That of the configuration's switch, whose ports below this one lead to other switches.
    pub fn new(config: &Config, ports: usize) -> InjectionLimit {
        InjectionLimit { ports, limit: config.switch.vc_depth() as u64 / 2 }
    }

    /// All that the limit sees of an output port's occupancy: whether it is over it.
    pub(super) fn distinguishes(&self, occupancy: u64) -> u64 {
        (occupancy > self.limit).into()
    }

    /// The ports to switches that are open to what came in at this port; row p of `occupancy` is that of output port p.
    pub(super) fn admits(&self, input_port: u8, occupancy: &[u64]) -> u64 {
        let all = low_bits(self.ports);
        if usize::from(input_port) < self.ports {
            return all;
        }
        ones(all).filter(|&port| occupancy[port] <= self.limit).fold(0, |open, port| open | 1 << port)
    }
}

/// The block as a child of the configuration's routing unit.
pub(super) fn twins(config: &Config, ports: usize) -> Vec<(String, Twin)> {
    vec![("injection_limit".into(), twin(InjectionLimit::new(config, ports)))]
}

impl Registers for InjectionLimit {}

inputs! {
    /// What the block sees; row p is of port p.
    #[derive(Clone, Copy, Debug)]
    pub struct LimitInputs<'a> of block: &InjectionLimit {
        pub input_port: u8 = port_number("input_port"),
        pub occupancy: &'a [u64] = fill("occupancy").rows(Owner::Block, block.ports),
    }
}

impl Block for InjectionLimit {
    type Inputs<'a> = LimitInputs<'a>;
    const HAS_RST: bool = false;

    fn outputs(&self, seen: &LimitInputs, rows: &mut RegisterRows) {
        rows.one(set("admits", self.ports), self.admits(seen.input_port, seen.occupancy));
    }

    fn edge(&mut self, _: bool, _: &LimitInputs) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_wait_for_room_of_half_a_channel() {
        let limit = InjectionLimit { ports: 4, limit: 27 };
        assert_eq!(limit.admits(4, &[0, 27, 28, 81]), 0b0011);
        assert_eq!(limit.admits(5, &[28, 28, 28, 28]), 0);
        assert_eq!(limit.admits(3, &[0, 27, 28, 81]), 0b1111);
    }
}
