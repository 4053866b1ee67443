//! Routing as the event-driven switch needs it: [`RoutingUnit`]s, asked once for each destination that a switch sees if that is all that
//! their answers depend on and the network is small, else once a packet, and again whenever what they see of the output ports has changed.

use super::input_ports::Vc;
use super::output_ports::OutputPorts;
use super::table::Table;
use crate::reference::routing::{RoutingInputs, RoutingUnit, check, routing_unit};
use anyhow::{Context, Result};
use powar_config::routing::tables::TableRow;
use powar_config::topology::digit_bits;
use powar_config::{Config, RoutingSees};
use std::sync::Arc;

/// Bits of the addresses of a network up to which answers are remembered. In a larger one it takes longer to get one from memory than to ask.
const MOST_BITS: usize = 8;

/// Where a packet may go: the outputs of a routing unit for its destination.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route {
    /// P and D.
    pub adaptive: u64,
    pub deterministic: u64,
    pub adaptive_vcs: u8,
    pub deterministic_vcs: u8,
    /// The destination exists.
    pub routable: bool,
    /// This is an answer of the routing unit, not an empty place.
    known: bool,
}

impl Route {
    /// No answer.
    pub const NONE: Route =
        Route { adaptive: 0, deterministic: 0, adaptive_vcs: 0, deterministic_vcs: 0, routable: false, known: false };
}

/// A routing unit at its place in the network, with a memory of its answers.
#[derive(Clone, Debug)]
pub(super) struct Router {
    unit: Arc<dyn RoutingUnit>,
    sees: RoutingSees,
    position: u16,
    stage: u8,
    /// The routing table, if the unit sees one.
    pub table: Option<Box<Table>>,
    /// What it sees of the output ports, as of the last time that a packet waited.
    serves: u64,
    occupancy: Box<[u64]>,
    /// The answers for all destinations, if they are remembered.
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
        check(config)?;
        let unit = routing_unit(config).context("topology: has no routing unit")?;
        let sees = config.routing_sees();
        let remembers = sees.destination_alone() && bits <= MOST_BITS;
        Ok(Router {
            unit,
            sees,
            position,
            stage,
            table: Table::new(config),
            serves: 0,
            occupancy: vec![0; config.ports].into(),
            answers: vec![Route::NONE; if remembers { 1 << bits } else { 0 }].into(),
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

    /// What the routing sees beyond the destination.
    #[inline]
    pub fn sees(&self) -> RoutingSees {
        self.sees
    }

    /// Whether there is an answer for what is in a head register at any time. A row of a table is read when a header comes there, and at no other time.
    pub fn may_be_asked_again(&self) -> bool {
        self.table.is_none()
    }

    /// Where the packet in the head register of an input port's VC, given by both numbers, may go.
    #[inline]
    pub fn route(&mut self, vc: &Vc, at: (usize, usize)) -> Route {
        match self.answers.get(usize::from(vc.destination)) {
            Some(answer) if answer.known => *answer,
            Some(_) => self.remember(vc.destination),
            // Also if there is no such node.
            None => self.ask(vc.header(), at),
        }
    }

    #[cold]
    fn remember(&mut self, destination: u16) -> Route {
        let answer = self.ask(destination.into(), (0, 0));
        self.answers[usize::from(destination)] = answer;
        answer
    }

    /// Whether output ports show the routing something else in cycle `now` than when they were last looked at; it sees that from now on.
    pub fn sees_more_than_before(&mut self, now: u64, serves: u64, outputs: &OutputPorts) -> bool {
        let mut differs = self.sees.serves && std::mem::replace(&mut self.serves, serves) != serves;
        if self.sees.occupancy {
            for (port, before) in self.occupancy.iter_mut().enumerate() {
                let now = outputs.occupancy(port, now).into();
                let before = std::mem::replace(before, now);
                differs |= before != now && self.unit.distinguishes(before) != self.unit.distinguishes(now);
            }
        }
        differs
    }

    /// The routing unit's answer for a packet with this header in the head register of an input port's VC, given by both numbers.
    fn ask(&mut self, header: u32, (input_port, input_vc): (usize, usize)) -> Route {
        let destination = header as u16;
        let seen = RoutingInputs {
            position: self.position,
            stage: self.stage,
            destination,
            header,
            input_port: input_port as u8,
            input_vc: input_vc as u8,
            serves: self.serves,
            occupancy: &self.occupancy,
            row: self.table.as_ref().map_or_else(TableRow::default, |table| table.row(destination)),
        };
        let route = self.unit.route(&seen.seen_by(self.sees));
        let answer = Route {
            adaptive: route.adaptive,
            deterministic: route.deterministic,
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
        answer
    }
}
