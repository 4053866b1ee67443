//! Chooses an output port for one requester: POWAR's Algorithm 1 (stage 1 of allocation).
//!
//! Policy:   among the ports of the adaptive set that are grantable: preferred ones first, round robin from `rrp`. If there is none,
//!           among those of the deterministic set (likewise, from `drp`, where it may hold several ports).
//! Latency:  one cycle, registered. A choice is made afresh in every cycle until it is accepted.
//! Pointer:  moves past the chosen port when an adaptive choice is accepted (`drp`: when a deterministic one is).
//! Range:    2 to 64 ports. `accept` only while `choice` is not 0.
//! Reset:    no choice, pointers at port 0.
//! Source:   POWAR Algorithm 1; docs/microarchitecture/allocation.md.

use crate::arbiters::PreferredFirstArbiter;
use crate::dff_setup;
use crate::primitives::*;
use crate::rtl_signals;
use powar_config::Deterministic;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct Selector {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Candidate set P of the routing function; empty = no packet, or none but the deterministic set.
    pub adaptive: Vec<Signal<In, Bit>>,
    /// Deterministic set D.
    pub deterministic: Vec<Signal<In, Bit>>,
    /// The port may be given to a packet.
    pub grantable: Vec<Signal<In, Bit>>,
    /// The port is taken before those that are not preferred.
    pub preferred: Vec<Signal<In, Bit>>,
    /// The choice shown in this cycle is granted in this cycle.
    pub accept: Signal<In, Bit>,
    /// One-hot choice, 0 = none.
    pub choice: Vec<Signal<Out, Bit>>,
    /// The choice came from the adaptive set.
    pub choice_adaptive: Signal<Out, Bit>,
    choice_r: BitRegister,
    choice_adaptive_r: Register<Bit>,
    /// One-hot round-robin pointer of adaptive choices.
    rrp_r: BitRegister,
    /// One-hot round-robin pointer of deterministic choices; only where the deterministic set may hold several ports.
    drp_r: Vec<BitRegister>,
    adaptive_arbiter: Settled<PreferredFirstArbiter>,
    deterministic_arbiter: Vec<Settled<PreferredFirstArbiter>>,
    /// The deterministic choice.
    fallback: Vec<Signal<Local, Bit>>,
    /// The adaptive set has a port to offer.
    any_adaptive: Signal<Local, Bit>,
    /// A choice is shown.
    any_choice: Vec<Signal<Local, Bit>>,
    n: Size,
    /// 1 where the deterministic set is arbitrated, 0 where it holds at most one port.
    sets: Size,
    info: BlockInfo,
}

impl Selector {
    /// For `n` ports, 2..=64.
    pub fn new(n: usize, deterministic: Deterministic) -> Self {
        let sets = usize::from(deterministic == Deterministic::Set);
        build!(Selector {
            (clk, rst, accept, choice_adaptive, choice_adaptive_r, any_adaptive)
            [n => adaptive, deterministic, grantable, preferred, choice, fallback]
            [sets => any_choice]
            choice_r: BitRegister::new(vec![false; n]),
            rrp_r: one_hot_register(n),
            drp_r: (0..sets).map(|_| one_hot_register(n)).collect(),
            adaptive_arbiter: PreferredFirstArbiter::new(n).into(),
            deterministic_arbiter: (0..sets).map(|_| PreferredFirstArbiter::new(n).into()).collect(),
            n: n.into(),
            sets: sets.into(),
            info: BlockInfo::new("selector", include_str!("selector.rs")),
        })
    }
}

impl Logic for Selector {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, choice_r, choice_adaptive_r, rrp_r);
        for s in 0..self.sets.get() {
            dff_setup!(self, clk, drp_r[s]);
        }
        self.any_adaptive.next = false;
        for i in 0..self.n.get() {
            self.adaptive_arbiter.request[i].next = self.adaptive[i].val() & self.grantable[i].val();
            self.adaptive_arbiter.preferred[i].next = self.preferred[i].val();
            self.adaptive_arbiter.pointer[i].next = self.rrp_r.q[i].val();
            self.any_adaptive.next = self.any_adaptive.val() | (self.adaptive[i].val() & self.grantable[i].val());
        }
        for i in 0..self.n.get() {
            self.fallback[i].next = self.deterministic[i].val() & self.grantable[i].val();
        }
        for s in 0..self.sets.get() {
            for i in 0..self.n.get() {
                self.deterministic_arbiter[s].request[i].next = self.deterministic[i].val() & self.grantable[i].val();
                self.deterministic_arbiter[s].preferred[i].next = self.preferred[i].val();
                self.deterministic_arbiter[s].pointer[i].next = self.drp_r[s].q[i].val();
                self.fallback[i].next = self.deterministic_arbiter[s].grant[i].val();
            }
        }
        // Once accepted, a fresh choice would be for a packet that is gone.
        for i in 0..self.n.get() {
            self.choice_r.d[i].next = !self.accept.val()
                & (self.adaptive_arbiter.grant[i].val() | (self.fallback[i].val() & !self.any_adaptive.val()));
        }
        self.choice_adaptive_r.d.next = self.any_adaptive.val() & !self.accept.val();
        // The pointer moves past the choice: rotated up by one place.
        if self.accept.val() & self.choice_adaptive_r.q.val() {
            self.rrp_r.d[0].next = self.choice_r.q[self.n - 1].val();
            for i in 1..self.n.get() {
                self.rrp_r.d[i].next = self.choice_r.q[i - 1].val();
            }
        }
        for s in 0..self.sets.get() {
            self.any_choice[s].next = false;
            for i in 0..self.n.get() {
                self.any_choice[s].next = self.any_choice[s].val() | self.choice_r.q[i].val();
            }
            if self.accept.val() & !self.choice_adaptive_r.q.val() & self.any_choice[s].val() {
                self.drp_r[s].d[0].next = self.choice_r.q[self.n - 1].val();
                for i in 1..self.n.get() {
                    self.drp_r[s].d[i].next = self.choice_r.q[i - 1].val();
                }
            }
        }
        for i in 0..self.n.get() {
            self.choice[i].next = self.choice_r.q[i].val();
        }
        self.choice_adaptive.next = self.choice_adaptive_r.q.val();
    }
}

rtl_signals!(
    Selector,
    clocked,
    inputs(adaptive, deterministic, grantable, preferred, accept),
    outputs(choice, choice_adaptive),
    registers(
        choice_r as "choice",
        choice_adaptive_r as "choice_adaptive",
        rrp_r as "rrp",
        drp_r as "drp",
    ),
    children(),
);
