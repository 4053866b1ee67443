//! Which output ports are held by a packet.
//!
//! Use:      `given` holds a port from the next cycle on; `released` with a flit frees it from the next cycle on, whether or not more
//!           flits follow.
//! Latency:  one cycle.
//! Range:    2 to 64 ports. A port that is given in the cycle in which it is released stays held.
//! Reset:    no port is held.
//! Source:   docs/microarchitecture/power.md.

use crate::block;
use crate::power::if_seen;
use rust_hdl::prelude::*;

block! {
    pub struct HeldPorts("held_ports", include_str!("held_ports.rs"), clocked)
    /// For `n` ports, 2..=64, of a switch for short packets or another.
    pub fn new(n: usize, short_packets: bool) -> Self {}
    inputs {
        /// The port is given to a packet in this cycle.
        given[n]: Bit,
        /// A flit of the packet sets out for the port in this cycle.
        departing[n]: Bit,
        /// With that flit the port is released.
        released[n]: Bit,
        /// The port is released in this cycle, in which its packet's first flit is read: in a switch for short packets.
        freed[if_seen(short_packets, n)]: Bit,
    }
    outputs {
        /// The port is held by a packet.
        held[n]: Bit,
        /// It is not in the next cycle, if there is no reset.
        free_next[n]: Bit,
    }
    registers { held_r = vec![false; n] }
    sizes {
        n = n,
        /// Ports in a switch for short packets, else 0.
        sees_freed = if_seen(short_packets, n),
    }
}

impl Logic for HeldPorts {
    #[hdl_gen]
    fn update(&mut self) {
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
