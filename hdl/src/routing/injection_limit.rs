//! Tells the ports to other switches of a mesh or torus to which a packet may go where it comes in from a node.
//!
//! Rule:     `admits` are all of them for a packet from a switch; for one from a node, those to which no more flits are under way than fill
//!           half a virtual channel. So nodes do not fill the network to the brim, which would leave packets no way but the escape.
//! Latency:  none (combinational).
//! Range:    the ports to switches come first: four in a grid whose links may be off, any number in a torus.
//! Source:   docs/microarchitecture/routing.md; Baydal, López and Duato 2005 (limits on injection).

use crate::block;
use crate::power::mechanism::Builder;
use crate::rtl_block::RtlBlock;
use powar_config::Config;
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "injection_limit";

/// The block alone, for the routings that have it in their units.
pub(super) fn blocks(config: &Config, ports: usize) -> Vec<(String, Builder<'_>)> {
    let build = move || Box::new(InjectionLimit::new(config, ports)) as Box<dyn RtlBlock>;
    vec![(NAME.into(), Box::new(build))]
}

block! {
    pub struct InjectionLimit(NAME, include_str!("injection_limit.rs"), combinational)
    /// Of a switch whose ports below `ports` lead to other switches.
    pub fn new(config: &Config, ports: usize) -> Self {}
    inputs {
        /// The port at which the packet came in.
        input_port: Bits<6>,
        /// By port to a switch: flits in the next buffer and on the way there and back.
        occupancy[ports]: Bits<13>,
    }
    outputs {
        /// Of these ports, those to which the packet may go.
        admits[ports]: Bit,
    }
    locals {
        /// It came in from a switch.
        from_switch: Bit,
    }
    constants {
        /// Flits that fill half a virtual channel.
        limit: Bits<13> = (config.switch.vc_depth() / 2).to_bits(),
    }
    sizes { switch_ports = ports }
}

impl Logic for InjectionLimit {
    #[hdl_gen]
    fn update(&mut self) {
        self.from_switch.next = self.input_port.val() < self.switch_ports.val().to_bits();
        for p in 0..self.switch_ports.get() {
            self.admits[p].next = self.from_switch.val() | (self.occupancy[p].val() <= self.limit.val());
        }
    }
}
