//! Chooses an output port for one requester: POWAR's Algorithm 1 (stage 1 of allocation).
//!
//! Policy:   among the ports of the adaptive set: preferred ones first, round robin from `rrp`. If there is none,
//!           among those of the deterministic set (likewise, from `drp`, where it may hold several ports).
//! Use:      present only the ports that may be given to the packet. P has no port below `lowest`: what `adaptive` says
//!           of those is not looked at.
//! Latency:  one cycle, registered. A choice is made afresh in every cycle until it is accepted; with `next_routes` also in that one,
//!           for the next packet.
//! Pointer:  moves past the granted port when an adaptive choice is accepted (`drp`: when a deterministic one is).
//! Range:    2 to 64 ports. `granted` may be a choice of some cycles before.
//! Reset:    no choice, pointers at port 0.
//! Source:   POWAR Algorithm 1; docs/microarchitecture/allocation.md.

use crate::arbiters::PreferredFirstArbiter;
use crate::block;
use crate::primitives::*;
use powar_config::Deterministic;
use rust_hdl::prelude::*;

block! {
    pub struct Selector("selector", include_str!("selector.rs"), clocked)
    /// For `n` ports, 2..=64, of which P holds none below `lowest`, which is less than `n`; in a switch with next routes or another.
    pub fn new(
        n: usize,
        lowest: usize,
        deterministic: Deterministic,
        next_routes: bool,
    ) -> Self {
        let sets = usize::from(deterministic == Deterministic::Set);
    }
    inputs {
        /// Those of candidate set P that may be given to the packet; empty = no packet, or none but the deterministic set.
        adaptive[n]: Bit,
        /// Those of the deterministic set D, likewise.
        deterministic[n]: Bit,
        /// The port is taken before those that are not preferred.
        preferred[n]: Bit,
        /// The packet is granted a port, or dropped.
        accept: Bit,
        /// The port it is granted, one-hot; 0 if it is dropped.
        granted[n]: Bit,
        /// The choice of that port came from the adaptive set.
        granted_adaptive: Bit,
    }
    outputs {
        /// One-hot choice, 0 = none.
        choice[n]: Bit,
        /// The choice came from the adaptive set.
        choice_adaptive: Bit,
    }
    registers {
        choice_r = vec![false; n],
        choice_adaptive_r: Bit,
        /// One-hot round-robin pointer of adaptive choices.
        rrp_r = first_of(n),
        /// One-hot round-robin pointer of deterministic choices; only where the deterministic set may hold several ports.
        drp_r[sets] = first_of(n),
    }
    children {
        /// Among the ports that P may hold.
        adaptive_arbiter: PreferredFirstArbiter = PreferredFirstArbiter::new(n - lowest),
        deterministic_arbiter[sets]: PreferredFirstArbiter = PreferredFirstArbiter::new(n),
    }
    locals {
        /// The deterministic choice.
        fallback[n]: Bit,
        /// The adaptive set has a port to offer.
        any_adaptive: Bit,
        /// The packet is granted a port that P may hold.
        any_granted: Bit,
        /// It is granted any port.
        any_granted_of_set[sets]: Bit,
    }
    sizes {
        n = n,
        /// P holds no port below this one; from it on there are so many.
        lowest = lowest,
        upper = n - lowest,
        /// 1 where the deterministic set is arbitrated, 0 where it holds at most one port.
        sets = sets,
        /// 1 if in a cycle with `accept` the sets are those of the next packet already, else 0.
        next_routes = usize::from(next_routes),
    }
}

impl Logic for Selector {
    #[allow(unused_variables, reason = "a loop of one turn or none is how a part is there or not")]
    #[hdl_gen]
    fn update(&mut self) {
        self.any_adaptive.next = false;
        self.any_granted.next = false;
        for i in 0..self.upper.get() {
            self.adaptive_arbiter.request[i].next = self.adaptive[i + self.lowest].val();
            self.adaptive_arbiter.preferred[i].next = self.preferred[i + self.lowest].val();
            self.any_adaptive.next = self.any_adaptive.val() | self.adaptive[i + self.lowest].val();
            self.any_granted.next = self.any_granted.val() | self.granted[i + self.lowest].val();
        }
        // Behind the last port the pointer is at port 0, from where the lowest of P is the first.
        self.adaptive_arbiter.pointer[0].next = self.rrp_r.q[0].val();
        for i in 1..self.upper.get() {
            self.adaptive_arbiter.pointer[i].next = self.rrp_r.q[i + self.lowest].val();
        }
        for i in 0..self.n.get() {
            self.fallback[i].next = self.deterministic[i].val();
        }
        for s in 0..self.sets.get() {
            for i in 0..self.n.get() {
                self.deterministic_arbiter[s].request[i].next = self.deterministic[i].val();
                self.deterministic_arbiter[s].preferred[i].next = self.preferred[i].val();
                self.deterministic_arbiter[s].pointer[i].next = self.drp_r[s].q[i].val();
                self.fallback[i].next = self.deterministic_arbiter[s].grant[i].val();
            }
        }
        // Once accepted, a fresh choice would be for a packet that is gone.
        for i in 0..self.lowest.get() {
            self.choice_r.d[i].next = !self.accept.val() & self.fallback[i].val() & !self.any_adaptive.val();
        }
        for i in 0..self.upper.get() {
            self.choice_r.d[i + self.lowest].next = !self.accept.val()
                & (self.adaptive_arbiter.grant[i].val()
                    | (self.fallback[i + self.lowest].val() & !self.any_adaptive.val()));
        }
        self.choice_adaptive_r.d.next = self.any_adaptive.val() & !self.accept.val();
        // Unless it is for the next packet.
        for k in 0..self.next_routes.get() {
            for i in 0..self.lowest.get() {
                self.choice_r.d[i].next = self.fallback[i].val() & !self.any_adaptive.val();
            }
            for i in 0..self.upper.get() {
                self.choice_r.d[i + self.lowest].next = self.adaptive_arbiter.grant[i].val()
                    | (self.fallback[i + self.lowest].val() & !self.any_adaptive.val());
            }
            self.choice_adaptive_r.d.next = self.any_adaptive.val();
        }
        // The pointer moves past the granted port: rotated up by one place.
        if self.accept.val() & self.granted_adaptive.val() & self.any_granted.val() {
            self.rrp_r.d[0].next = self.granted[self.n - 1].val();
            for i in 0..self.lowest.get() {
                self.rrp_r.d[i + 1].next = false;
            }
            for i in 1..self.upper.get() {
                self.rrp_r.d[i + self.lowest].next = self.granted[i + self.lowest - 1].val();
            }
        }
        for s in 0..self.sets.get() {
            self.any_granted_of_set[s].next = false;
            for i in 0..self.n.get() {
                self.any_granted_of_set[s].next = self.any_granted_of_set[s].val() | self.granted[i].val();
            }
            if self.accept.val() & !self.granted_adaptive.val() & self.any_granted_of_set[s].val() {
                self.drp_r[s].d[0].next = self.granted[self.n - 1].val();
                for i in 1..self.n.get() {
                    self.drp_r[s].d[i].next = self.granted[i - 1].val();
                }
            }
        }
        for i in 0..self.n.get() {
            self.choice[i].next = self.choice_r.q[i].val();
        }
        self.choice_adaptive.next = self.choice_adaptive_r.q.val();
    }
}
