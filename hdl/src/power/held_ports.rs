//! Which output ports are held by a packet.
//!
//! Use:      `given` holds a port from the next cycle on; `released` with a flit frees it from the next cycle on, whether or not more
//!           flits follow.
//! Latency:  one cycle.
//! Range:    2 to 64 ports. A port that is given in the cycle in which it is released stays held.
//! Reset:    no port is held.
//! Source:   docs/microarchitecture/power.md.

use crate::dff_setup;
use crate::power::if_seen;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct HeldPorts {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// The port is given to a packet in this cycle.
    pub given: Vec<Signal<In, Bit>>,
    /// A flit of the packet sets out for the port in this cycle.
    pub departing: Vec<Signal<In, Bit>>,
    /// With that flit the port is released.
    pub released: Vec<Signal<In, Bit>>,
    /// The port is released in this cycle, in which its packet's first flit is read: in a switch for short packets.
    pub freed: Vec<Signal<In, Bit>>,
    /// The port is held by a packet.
    pub held: Vec<Signal<Out, Bit>>,
    /// It is not in the next cycle, if there is no reset.
    pub free_next: Vec<Signal<Out, Bit>>,
    held_r: BitRegister,
    n: Size,
    /// Ports in a switch for short packets, else 0.
    sees_freed: Size,
    info: BlockInfo,
}

impl HeldPorts {
    /// For `n` ports, 2..=64, of a switch for short packets or another.
    pub fn new(n: usize, short_packets: bool) -> Self {
        build!(HeldPorts {
            (clk, rst)
            [n => given, departing, released, held, free_next]
            [if_seen(short_packets, n) => freed]
            held_r: BitRegister::new(vec![false; n]),
            n: n.into(),
            sees_freed: if_seen(short_packets, n).into(),
            info: BlockInfo::new("held_ports", include_str!("held_ports.rs")),
        })
    }
}

impl Logic for HeldPorts {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, held_r);
        for p in 0..self.n.get() {
            self.held_r.d[p].next =
                self.given[p].val() | (self.held_r.q[p].val() & !(self.departing[p].val() & self.released[p].val()));
            self.held[p].next = self.held_r.q[p].val();
            self.free_next[p].next =
                !(self.given[p].val() | (self.held_r.q[p].val() & !(self.departing[p].val() & self.released[p].val())));
        }
        for p in 0..self.sees_freed.get() {
            self.held_r.d[p].next = self.given[p].val()
                | (self.held_r.q[p].val() & !self.freed[p].val() & !(self.departing[p].val() & self.released[p].val()));
            self.free_next[p].next = !(self.given[p].val()
                | (self.held_r.q[p].val()
                    & !self.freed[p].val()
                    & !(self.departing[p].val() & self.released[p].val())));
        }
    }
}

rtl_signals!(
    HeldPorts,
    clocked,
    inputs(given, departing, released, freed),
    outputs(held, free_next),
    registers(held_r as "held"),
    children(),
);
