//! The idle timers of all ports, and which ports may be granted.
//!
//! A port may be granted if it is requested, awake and not masked. The mask is loaded with `load`.

use super::sleep_timer::SleepTimer;
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Register, Size, dff_setup};
use rust_hdl::prelude::*;

/// One timer per port, and the mask.
#[derive(LogicBlock)]
pub struct PortBank {
    pub info: BlockInfo,
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Ports that are wanted in this cycle.
    pub request: Vec<Signal<In, Bit>>,
    /// The new mask.
    pub mask_in: Vec<Signal<In, Bit>>,
    pub load: Signal<In, Bit>,
    /// Ports that may be granted.
    pub eligible: Vec<Signal<Out, Bit>>,
    /// The lowest port that may be granted, one-hot.
    pub first: Vec<Signal<Out, Bit>>,
    /// Cycles in which each port was granted.
    pub grants: Vec<Signal<Out, Bits<16>>>,
    /// Ports asleep at present.
    pub asleep: Vec<Signal<Out, Bit>>,
    n: Size,
    timer: Vec<SleepTimer>,
    /// Ports that may be granted at all.
    mask: BitRegister,
    granted: Vec<Register<Bits<16>>>,
    taken: Vec<Signal<Local, Bit>>,
}

fn vector<T: Default>(n: usize) -> Vec<T> {
    (0..n).map(|_| T::default()).collect()
}

impl PortBank {
    pub fn new(ports: usize) -> Self {
        Self {
            info: BlockInfo::new("port_bank", include_str!("port_bank.rs")),
            clk: Default::default(),
            rst: Default::default(),
            request: vector(ports),
            mask_in: vector(ports),
            load: Default::default(),
            eligible: vector(ports),
            first: vector(ports),
            grants: vector(ports),
            asleep: vector(ports),
            n: ports.into(),
            timer: (0..ports).map(|_| SleepTimer::new(3)).collect(),
            mask: BitRegister::new(vec![true; ports]),
            granted: vector(ports),
            taken: vector(ports + 1),
        }
    }
}

impl Logic for PortBank {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, mask);
        self.taken[0].next = false;
        for i in 0..self.n.get() {
            dff_setup!(self, clk, granted[i]);
            self.timer[i].clk.next = self.clk.val();
            self.timer[i].rst.next = self.rst.val();
            self.timer[i].wake.next = self.request[i].val();
            self.asleep[i].next = self.timer[i].asleep.val();
            self.eligible[i].next = self.request[i].val() & self.mask.q[i].val() & !self.timer[i].asleep.val();
            self.first[i].next = self.eligible[i].val() && !self.taken[i].val();
            self.taken[i + 1].next = self.taken[i].val() | self.eligible[i].val();
            self.timer[i].busy.next = self.first[i].val();
            if self.first[i].val() {
                self.granted[i].d.next = self.granted[i].q.val() + 1;
            }
            self.grants[i].next = self.granted[i].q.val();
            if self.load.val() {
                self.mask.d[i].next = self.mask_in[i].val();
            }
        }
    }
}
