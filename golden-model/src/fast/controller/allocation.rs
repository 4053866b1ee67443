//! Selectors (POWAR Algorithm 1) and port arbiters of the event-driven controller.

use super::Inputs;
use crate::bits::{is_set, ones, rotated_up};
use crate::reference::arbiters::{preferred_first, round_robin};
use powar_config::{Config, Deterministic};

/// A port given to a requester.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grant {
    pub requester: u8,
    pub port: u8,
}

/// The registers of all selectors and arbiters, as arrays over the requesters and over the ports.
#[derive(Clone, Debug)]
pub(super) struct Allocation {
    ports: usize,
    requesters: usize,
    /// D is a set with a pointer of its own, not at most one port.
    set: bool,
    pub choice: [u64; 64],
    /// Bit r: requester r's choice came from P.
    pub choice_adaptive: u64,
    pub rrp: [u64; 64],
    pub drp: [u64; 64],
    /// One-hot pointer of each port's arbiter.
    pub pointer: [u64; 64],
    /// Bit r: requester r shows a choice.
    choosing: u64,
    /// The requesters of each port while arbiters decide, all zeros otherwise.
    requests: [u64; 64],
    /// The grants of the cycle stepped last.
    pub grants: Vec<Grant>,
}

impl Allocation {
    pub fn new(config: &Config) -> Self {
        Allocation {
            ports: config.ports,
            requesters: config.requesters(),
            set: config.deterministic == Deterministic::Set,
            choice: [0; 64],
            choice_adaptive: 0,
            rrp: [1; 64],
            drp: [1; 64],
            pointer: [1; 64],
            choosing: 0,
            requests: [0; 64],
            grants: Vec::with_capacity(config.ports),
        }
    }

    /// Reset values for all registers. The grants stay: they are those of the cycle that the reset ends.
    pub fn reset(&mut self) {
        self.choice = [0; 64];
        (self.rrp, self.drp, self.pointer) = ([1; 64], [1; 64], [1; 64]);
        (self.choice_adaptive, self.choosing) = (0, 0);
    }

    /// No choice is on its way to an arbiter.
    pub fn is_settled(&self) -> bool {
        self.choosing == 0
    }

    /// The arbiters' cycle: which ports are given, and to which requesters.
    #[inline]
    pub fn grant(&mut self, held: u64) -> (u64, u64) {
        self.grants.clear();
        let mut wanted = 0;
        for requester in ones(self.choosing) {
            // Branch-free in whether the port is free: unpredictable.
            let choice = self.choice[requester] & !held;
            self.requests[choice.trailing_zeros() as usize & 63] |= u64::from(choice != 0) << requester;
            // More than one port only if the routing unit breaks its promise for D; the arbiters see them all.
            for port in ones(choice & choice.wrapping_sub(1)) {
                self.requests[port] |= 1 << requester;
            }
            wanted |= choice;
        }
        let mut accepted = 0;
        for port in ones(wanted) {
            let winner = round_robin(self.requests[port], self.pointer[port], self.requesters);
            self.requests[port] = 0;
            self.pointer[port] = rotated_up(winner, self.requesters);
            accepted |= winner;
            self.grants.push(Grant { requester: winner.trailing_zeros() as u8, port: port as u8 });
        }
        (wanted, accepted)
    }

    /// The selectors' clock edge.
    #[inline]
    pub fn choose(&mut self, inputs: &Inputs, accepted: u64, grantable: u64, preferred: u64) {
        let requesting = inputs.requesting.unwrap_or_else(|| self.requesting(inputs));
        if self.set {
            self.choose_by::<true>(inputs, requesting, accepted, grantable, preferred);
        } else {
            self.choose_by::<false>(inputs, requesting, accepted, grantable, preferred);
        }
    }

    /// [`Allocation::choose`] with `SET` for D being a set. What differs from requester to requester is computed
    /// branch-free: it is unpredictable.
    #[inline]
    fn choose_by<const SET: bool>(
        &mut self,
        inputs: &Inputs,
        requesting: u64,
        accepted: u64,
        grantable: u64,
        preferred: u64,
    ) {
        let (mut choosing, mut adaptively) = (0, 0);
        // A requester that neither asks nor has asked chooses nothing, as before.
        for requester in ones(requesting | self.choosing) {
            let served = is_set(accepted, requester);
            let was_adaptive = is_set(self.choice_adaptive, requester);
            // A served requester has a choice, and an adaptive one is one-hot; what is rotated for the others is not used.
            let past = rotated_up(self.choice[requester], self.ports);
            let (rrp, drp) = (&mut self.rrp[requester], &mut self.drp[requester]);
            *rrp = if served & was_adaptive { past } else { *rrp };
            if SET {
                *drp = if served & !was_adaptive { past } else { *drp };
            }

            let (mut adaptive, mut deterministic) = (0, 0);
            if is_set(requesting, requester) {
                let asks = if served { 0 } else { grantable };
                (adaptive, deterministic) = (inputs.adaptive[requester] & asks, inputs.deterministic[requester] & asks);
            }
            let is_adaptive = adaptive != 0;
            let (candidates, pointer) = if is_adaptive { (adaptive, *rrp) } else { (deterministic, *drp) };
            let first = preferred_first(candidates, preferred, pointer, self.ports);
            let choice = if !SET & !is_adaptive { deterministic } else { first };
            self.choice[requester] = choice;
            adaptively |= u64::from(is_adaptive) << requester;
            choosing |= u64::from(choice != 0) << requester;
        }
        (self.choosing, self.choice_adaptive) = (choosing, adaptively);
    }

    /// The requesters with a port in one of their sets.
    fn requesting(&self, inputs: &Inputs) -> u64 {
        let sets = inputs.adaptive[..self.requesters].iter().zip(&inputs.deterministic[..self.requesters]);
        sets.enumerate()
            .fold(0, |mask, (r, (adaptive, deterministic))| mask | u64::from(adaptive | deterministic != 0) << r)
    }

    /// Whether requester r's choice came from P.
    pub fn is_adaptive(&self, requester: usize) -> bool {
        is_set(self.choice_adaptive, requester)
    }
}
