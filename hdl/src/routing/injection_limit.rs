//! Tells the ports to other switches of a mesh or torus to which a packet may go where it comes in from a node.
//!
//! Rule:     `admits` are all of them for a packet from a switch; for one from a node, those to which no more flits are under way than fill
//!           half a virtual channel. So nodes do not fill the network to the brim, which would leave packets no way but the escape.
//! Latency:  none (combinational).
//! Range:    the ports to switches come first: four in a grid whose links may be off, any number in a torus.
//! Source:   docs/microarchitecture/routing.md; Baydal, López and Duato 2005 (limits on injection).

use crate::power::mechanism::Builder;
use crate::primitives::*;
use crate::rtl_block::RtlBlock;
use crate::rtl_signals;
use powar_config::Config;
use rust_hdl::prelude::*;

/// Name of its Verilog module.
pub(super) const NAME: &str = "injection_limit";

#[derive(LogicBlock)]
pub struct InjectionLimit {
    /// The port at which the packet came in.
    pub input_port: Signal<In, Bits<6>>,
    /// By port to a switch: flits in the next buffer and on the way there and back.
    pub occupancy: Vec<Signal<In, Bits<13>>>,
    /// Of these ports, those to which the packet may go.
    pub admits: Vec<Signal<Out, Bit>>,
    /// It came in from a switch.
    from_switch: Signal<Local, Bit>,
    /// Flits that fill half a virtual channel.
    limit: Constant<Bits<13>>,
    switch_ports: Size,
    info: BlockInfo,
}

/// The block alone, for the routings that have it in their units.
pub(super) fn blocks(config: &Config, ports: usize) -> Vec<(String, Builder<'_>)> {
    let build = move || Box::new(InjectionLimit::new(config, ports)) as Box<dyn RtlBlock>;
    vec![(NAME.into(), Box::new(build))]
}

impl InjectionLimit {
    /// Of a switch whose ports below `ports` lead to other switches.
    pub fn new(config: &Config, ports: usize) -> Self {
        build!(InjectionLimit {
            (input_port, from_switch)
            [ports => occupancy, admits]
            limit: Constant::new((config.switch.vc_depth() / 2).to_bits()),
            switch_ports: ports.into(),
            info: BlockInfo::new(NAME, include_str!("injection_limit.rs")),
        })
    }
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

rtl_signals!(InjectionLimit, combinational, inputs(input_port, occupancy), outputs(admits), registers(), children(),);
