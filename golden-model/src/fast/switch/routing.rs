//! Routing as the event-driven switch needs it: [`RoutingUnit`]s, asked once for each destination that a switch sees.

use crate::reference::routing::{RoutingUnit, routing_unit};
use anyhow::{Context, Result};
use powar_config::Config;
use powar_config::topology::digit_bits;
use std::sync::Arc;

/// The most destinations that are remembered, as a power of two; those beyond take the places of others.
const MOST_BITS: usize = 10;

/// Where a packet may go: the outputs of a routing unit for its destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    /// P and D.
    pub adaptive: u64,
    pub deterministic: u64,
    pub destination: u16,
    pub adaptive_vcs: u8,
    pub deterministic_vcs: u8,
    /// The destination exists.
    pub routable: bool,
    /// This is an answer of the routing unit, not an empty place.
    known: bool,
}

impl Route {
    /// No answer.
    pub const NONE: Route = Route {
        adaptive: 0,
        deterministic: 0,
        destination: 0,
        adaptive_vcs: 0,
        deterministic_vcs: 0,
        routable: false,
        known: false,
    };
}

/// A routing unit at its place in the network, with a memory of its answers.
#[derive(Clone, Debug)]
pub(super) struct Router {
    unit: Arc<dyn RoutingUnit>,
    position: u16,
    stage: u8,
    /// The answer for a destination is at its low bits, if at all.
    answers: Box<[Route]>,
    /// The sets of output VCs that have been in an answer, but for the empty one.
    vcs_used: Vec<u8>,
}

impl Router {
    /// # Errors
    /// A configuration without a topology, or with one that does not fit ([`Config::check_switch`]).
    pub fn new(config: &Config, position: u16, stage: u8) -> Result<Router> {
        let topology = config.check_switch()?;
        let bits: usize = topology.bases(config.ports).into_iter().map(digit_bits).sum();
        let unit = routing_unit(config).context("topology: has no routing unit")?;
        Ok(Router {
            unit,
            position,
            stage,
            answers: vec![Route::NONE; 1 << bits.min(MOST_BITS)].into(),
            vcs_used: Vec::new(),
        })
    }

    /// The switch is at another place.
    pub fn move_to(&mut self, position: u16, stage: u8) {
        (self.position, self.stage) = (position, stage);
        self.answers.fill(Route::NONE);
    }

    /// The sets of output VCs that routes have, but for the empty one.
    #[inline]
    pub fn vcs_used(&self) -> &[u8] {
        &self.vcs_used
    }

    /// Where a packet to `destination` may go.
    #[inline]
    pub fn route(&mut self, destination: u16) -> &Route {
        let place = usize::from(destination) & (self.answers.len() - 1);
        let answer = &self.answers[place];
        if !answer.known | (answer.destination != destination) {
            self.ask(place, destination);
        }
        &self.answers[place]
    }

    #[cold]
    fn ask(&mut self, place: usize, destination: u16) {
        let route = self.unit.route(self.position, self.stage, destination);
        let answer = Route {
            adaptive: route.adaptive,
            deterministic: route.deterministic,
            destination,
            adaptive_vcs: route.adaptive_vcs as u8,
            deterministic_vcs: route.deterministic_vcs as u8,
            routable: route.routable,
            known: true,
        };
        for vcs in [answer.adaptive_vcs, answer.deterministic_vcs] {
            if vcs != 0 && !self.vcs_used.contains(&vcs) {
                self.vcs_used.push(vcs);
            }
        }
        self.answers[place] = answer;
    }
}
