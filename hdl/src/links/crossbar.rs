//! Takes one flit a cycle from every input port to the output port that the input port selects.
//!
//! Use:      `select` in the cycle after the one in which the input port's memory is read; the words come one cycle later in `data` and
//!           leave in that cycle in `flit`.
//! Latency:  none for `departing` and `released`, which go with `select`; one cycle for `valid`, `head` and `flit`, which go with `data`.
//! Turns:    from a far input port, those from `near` on, none leads to a far output port; what is selected there is not looked at.
//! Promise:  an output port is selected by one input port only, since the allocation gives it to one.
//! Range:    2 to 64 ports, flits of 1 to 16 words of 32 bits.
//! Reset:    nothing is selected.
//! Source:   docs/microarchitecture/links.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct Crossbar("crossbar", include_str!("crossbar.rs"), clocked)
    /// For `n` ports, 2..=64, of which the lowest `near`, 1..=n, are near, and flits of `words` words, 1..=16.
    pub fn new(n: usize, near: usize, words: usize) -> Self {}
    inputs {
        /// Bit i*N + p: input port i has read a flit for output port p in the cycle before.
        select[n * n] / n: Bit,
        /// It is a head flit.
        select_head[n]: Bit,
        /// With it the output port is released.
        select_release[n]: Bit,
        /// W words for each input port: the flits that were selected in the cycle before.
        data[n * words]: Bits<32>,
    }
    outputs {
        /// A flit sets out for the output port.
        departing[n]: Bit,
        /// The output port is released with it.
        released[n]: Bit,
        /// One cycle later: the flit is there; it is a head flit; its W words for each output port.
        valid[n]: Bit,
        head[n]: Bit,
        flit[n * words]: Bits<32>,
    }
    registers {
        valid_r = vec![false; n],
        head_r = vec![false; n],
        /// Of each output port: the number of the input port whose flit it takes.
        source_r[n]: Bits<6>,
    }
    locals {
        /// `select`, where there is a turn.
        crossing[n * n]: Bit,
        /// A head flit sets out for the output port.
        departing_head[n]: Bit,
        /// The number of the input port from which it does.
        number[n]: Bits<6>,
    }
    sizes {
        /// Ports.
        n = n,
        /// Near ports, the lowest; all others are far.
        near = near,
        far = n - near,
        /// Words of a flit.
        words = words,
    }
}

impl Logic for Crossbar {
    #[hdl_gen]
    fn update(&mut self) {
        // Where there is a turn.
        for i in 0..self.near.get() {
            for p in 0..self.n.get() {
                self.crossing[i * self.n + p].next = self.select[i * self.n + p].val();
            }
        }
        for f in 0..self.far.get() {
            for p in 0..self.near.get() {
                self.crossing[(f + self.near) * self.n + p].next = self.select[(f + self.near) * self.n + p].val();
            }
            for p in 0..self.far.get() {
                self.crossing[(f + self.near) * self.n + p + self.near].next = false;
            }
        }
        // What sets out in this cycle.
        for p in 0..self.n.get() {
            self.departing[p].next = false;
            self.departing_head[p].next = false;
            self.released[p].next = false;
            self.number[p].next = 0.into();
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.departing[p].next = self.departing[p].val() | self.crossing[i * self.n + p].val();
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.departing_head[p].next =
                    self.departing_head[p].val() | (self.crossing[i * self.n + p].val() & self.select_head[i].val());
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.released[p].next =
                    self.released[p].val() | (self.crossing[i * self.n + p].val() & self.select_release[i].val());
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                if self.crossing[i * self.n + p].val() {
                    self.number[p].next = self.number[p].val() | i.to_bits();
                }
            }
        }
        for p in 0..self.n.get() {
            self.valid_r.d[p].next = self.departing[p].val();
            self.head_r.d[p].next = self.departing_head[p].val();
            self.source_r[p].d.next = self.number[p].val();
            self.valid[p].next = self.valid_r.q[p].val();
            self.head[p].next = self.head_r.q[p].val();
        }
        // The flits that set out in the cycle before.
        for p in 0..self.n.get() {
            for w in 0..self.words.get() {
                self.flit[p * self.words + w].next = 0.into();
            }
        }
        for p in 0..self.near.get() {
            for i in 0..self.n.get() {
                for w in 0..self.words.get() {
                    if self.source_r[p].q.val() == i.to_bits() {
                        self.flit[p * self.words + w].next = self.data[i * self.words + w].val();
                    }
                }
            }
        }
        for f in 0..self.far.get() {
            for i in 0..self.near.get() {
                for w in 0..self.words.get() {
                    if self.source_r[f + self.near].q.val() == i.to_bits() {
                        self.flit[(f + self.near) * self.words + w].next = self.data[i * self.words + w].val();
                    }
                }
            }
        }
    }
}
