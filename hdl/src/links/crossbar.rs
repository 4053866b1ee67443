//! Takes one flit a cycle from every input port to the output port that the input port selects.
//!
//! Use:      `select` with the cycle in which the input port's memory is read; the words come one cycle later in `data`, when the memory
//!           shows them, and leave in that cycle in `flit`.
//! Latency:  none for `departing`, `departing_vc` and `released`, which go with `select`; one cycle for `valid`, `head`, `vc` and `flit`,
//!           which go with `data`.
//! Promise:  an output port that several inputs select gets the OR of what they send; the allocation gives it to one only.
//! Range:    2 to 64 ports, 1 to 8 VCs, flits of 1 to 16 words of 32 bits.
//! Reset:    nothing is selected.
//! Source:   docs/microarchitecture/links.md.

use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Crossbar {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Bit i*N + p: input port i reads a flit for output port p in this cycle.
    pub select: Vec<Signal<In, Bit>>,
    /// Its output VC: V bits for each input port, one-hot.
    pub select_vc: Vec<Signal<In, Bit>>,
    /// It is a head flit.
    pub select_head: Vec<Signal<In, Bit>>,
    /// With it the output port is released.
    pub select_release: Vec<Signal<In, Bit>>,
    /// W words for each input port: the flits that were selected in the cycle before.
    pub data: Vec<Signal<In, Bits<32>>>,
    /// A flit sets out for the output port.
    pub departing: Vec<Signal<Out, Bit>>,
    /// Its output VC: V bits for each output port.
    pub departing_vc: Vec<Signal<Out, Bit>>,
    /// The output port is released with it.
    pub released: Vec<Signal<Out, Bit>>,
    /// One cycle later: the flit is there; it is a head flit; its VC and its W words for each output port.
    pub valid: Vec<Signal<Out, Bit>>,
    pub head: Vec<Signal<Out, Bit>>,
    pub vc: Vec<Signal<Out, Bit>>,
    pub flit: Vec<Signal<Out, Bits<32>>>,
    /// The input of the cycle before, by input port.
    select_r: Vec<BitRegister>,
    select_vc_r: Vec<BitRegister>,
    select_head_r: BitRegister,
    /// `departing_vc` and `vc` by VC: bit v*N + p is output port p.
    departing_by_vc: Vec<Signal<Local, Bit>>,
    by_vc: Vec<Signal<Local, Bit>>,
    /// Ports.
    n: Size,
    /// VCs.
    vcs: Size,
    /// Words of a flit.
    words: Size,
    info: BlockInfo,
}

impl Crossbar {
    /// For `n` ports, 2..=64, `vcs` VCs, 1..=8, and flits of `words` words, 1..=16.
    pub fn new(n: usize, vcs: usize, words: usize) -> Self {
        let register = |bits| BitRegister::new(vec![false; bits]);
        Crossbar {
            clk: Default::default(),
            rst: Default::default(),
            select: vector(n * n),
            select_vc: vector(n * vcs),
            select_head: vector(n),
            select_release: vector(n),
            data: vector(n * words),
            departing: vector(n),
            departing_vc: vector(n * vcs),
            released: vector(n),
            valid: vector(n),
            head: vector(n),
            vc: vector(n * vcs),
            flit: vector(n * words),
            select_r: (0..n).map(|_| register(n)).collect(),
            select_vc_r: (0..n).map(|_| register(vcs)).collect(),
            select_head_r: register(n),
            departing_by_vc: vector(vcs * n),
            by_vc: vector(vcs * n),
            n: n.into(),
            vcs: vcs.into(),
            words: words.into(),
            info: BlockInfo::new("crossbar", include_str!("crossbar.rs")),
        }
    }
}

impl Logic for Crossbar {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, select_head_r);
        for i in 0..self.n.get() {
            dff_setup!(self, clk, select_r[i], select_vc_r[i]);
            self.select_head_r.d[i].next = self.select_head[i].val();
            for p in 0..self.n.get() {
                self.select_r[i].d[p].next = self.select[i * self.n + p].val();
            }
            for v in 0..self.vcs.get() {
                self.select_vc_r[i].d[v].next = self.select_vc[i * self.vcs + v].val();
            }
        }
        // What sets out in this cycle.
        for p in 0..self.n.get() {
            self.departing[p].next = false;
            self.released[p].next = false;
            self.valid[p].next = false;
            self.head[p].next = false;
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.departing[p].next = self.departing[p].val() | self.select[i * self.n + p].val();
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.released[p].next =
                    self.released[p].val() | (self.select[i * self.n + p].val() & self.select_release[i].val());
            }
        }
        for k in 0..(self.n * self.vcs) {
            self.departing_by_vc[k].next = false;
            self.by_vc[k].next = false;
        }
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.departing_by_vc[v * self.n + p].next = self.departing_by_vc[v * self.n + p].val()
                        | (self.select[i * self.n + p].val() & self.select_vc[i * self.vcs + v].val());
                }
            }
        }
        for p in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.departing_vc[p * self.vcs + v].next = self.departing_by_vc[v * self.n + p].val();
            }
        }
        // What set out in the cycle before.
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.valid[p].next = self.valid[p].val() | self.select_r[i].q[p].val();
            }
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                self.head[p].next = self.head[p].val() | (self.select_r[i].q[p].val() & self.select_head_r.q[i].val());
            }
        }
        for i in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                for p in 0..self.n.get() {
                    self.by_vc[v * self.n + p].next = self.by_vc[v * self.n + p].val()
                        | (self.select_r[i].q[p].val() & self.select_vc_r[i].q[v].val());
                }
            }
        }
        for p in 0..self.n.get() {
            for v in 0..self.vcs.get() {
                self.vc[p * self.vcs + v].next = self.by_vc[v * self.n + p].val();
            }
        }
        for k in 0..(self.n * self.words) {
            self.flit[k].next = 0.into();
        }
        for i in 0..self.n.get() {
            for p in 0..self.n.get() {
                if self.select_r[i].q[p].val() {
                    for w in 0..self.words.get() {
                        self.flit[p * self.words + w].next =
                            self.flit[p * self.words + w].val() | self.data[i * self.words + w].val();
                    }
                }
            }
        }
    }
}

rtl_signals!(
    Crossbar,
    clocked,
    inputs(select / n, select_vc / vcs, select_head, select_release, data),
    outputs(departing, departing_vc / vcs, released, valid, head, vc / vcs, flit),
    registers(select_r as "select", select_vc_r as "select_vc", select_head_r as "select_head"),
    children(),
);
