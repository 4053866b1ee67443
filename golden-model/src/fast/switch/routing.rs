//! Routing as the event-driven switch needs it: [`RoutingUnit`]s, asked once for each destination that a switch sees if that is all that
//! their answers depend on and the network is small, else once a packet, and again whenever what they see of the output ports has changed.

use super::link::VC_BITS;
use super::output_ports::OutputPorts;
use super::parts::Parts;
use super::table::Table;
use crate::bits::{low_bits, ones};
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

/// The routing units of a switch's parts, each at its place in the network, with a memory of their answers.
#[derive(Clone, Debug)]
pub(super) struct Router {
    unit: Arc<dyn RoutingUnit>,
    sees: RoutingSees,
    parts: Parts,
    /// The routing table, if the unit sees one.
    pub table: Option<Box<Table>>,
    /// What it sees of the output ports, as of the last time that a packet waited.
    serves: u64,
    occupancy: Box<[u64]>,
    /// Likewise, part by part: the ports that lead to nodes, if it sees them.
    to_node: Box<[u64]>,
    /// The row that was read for the packet in each head register, by input port and VC, if answers for it may change; else none.
    rows: Box<[TableRow]>,
    /// The answers for so many destinations, part by part, if they are remembered; else for none.
    answers: Box<[Route]>,
    remembered: usize,
    /// Far ports, of all parts: no packet turns from one of them to one of them.
    far: u64,
    /// The sets of output VCs that have been in an answer, but for the empty one.
    vcs_used: Vec<u8>,
}

impl Router {
    /// # Errors
    /// A configuration without a topology, or with one that does not fit ([`Config::check_switch`]).
    pub fn new(config: &Config, parts: Parts) -> Result<Router> {
        let topology = config.check_switch()?;
        let bits: usize = topology.bases(config.ports).into_iter().map(digit_bits).sum();
        check(config)?;
        let unit = routing_unit(config).context("topology: has no routing unit")?;
        let sees = config.routing_sees();
        let remembered = if sees.destination_alone() && bits <= MOST_BITS { 1 << bits } else { 0 };
        let switches = parts.places.len();
        let keeps_rows = if sees.table && sees.changes() { (switches * config.ports) << VC_BITS } else { 0 };
        let far = low_bits(config.ports) & !low_bits(config.near_ports());
        Ok(Router {
            unit,
            sees,
            parts,
            table: Table::new(config),
            serves: 0,
            occupancy: vec![0; switches * config.ports].into(),
            to_node: vec![0; switches].into(),
            rows: vec![TableRow::default(); keeps_rows].into(),
            answers: vec![Route::NONE; switches * remembered].into(),
            remembered,
            far: ones(low_bits(switches)).fold(0, |ports, part| ports | far << (part * config.ports)),
            vcs_used: Vec::new(),
        })
    }

    /// The switch is at another place.
    pub fn move_to(&mut self, position: u16, stage: u8) {
        assert_eq!(self.parts.places.len(), 1, "of several switches each has its place");
        self.parts.places[0] = (position, stage);
        self.answers.fill(Route::NONE);
    }

    /// Switches in one.
    pub fn parts(&self) -> usize {
        self.parts.places.len()
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

    /// The header of a packet to `destination` has come to the head register of an input port's VC, given by both
    /// numbers: its row is read.
    #[inline]
    pub fn read_row(&mut self, destination: u16, (port, vc): (usize, usize)) {
        if let Some(row) = self.rows.get_mut(port << VC_BITS | vc) {
            let table = self.table.as_ref().expect("rows are those of a table");
            *row = table.row(self.parts.of(port), destination);
        }
    }

    /// Where the packet with this header, in the head register of an input port's VC, given by both numbers, may go.
    #[inline]
    pub fn route(&mut self, header: u32, at: (usize, usize)) -> Route {
        let answer = self.answer(header, at);
        if self.far >> at.0 & 1 == 1 { self.to_near_ports(answer) } else { answer }
    }

    /// What is left of an answer for a packet that has come in at a far port; it is dropped if that is nothing.
    fn to_near_ports(&self, answer: Route) -> Route {
        let (adaptive, deterministic) = (answer.adaptive & !self.far, answer.deterministic & !self.far);
        let (asked, left) = (answer.adaptive | answer.deterministic, adaptive | deterministic);
        Route { adaptive, deterministic, routable: answer.routable & ((left != 0) | (asked == 0)), ..answer }
    }

    #[inline]
    fn answer(&mut self, header: u32, at: (usize, usize)) -> Route {
        let (part, destination) = (self.parts.of(at.0), usize::from(header as u16));
        if destination >= self.remembered {
            // Also if there is no such node.
            return self.ask(part, header, at);
        }
        let answer = self.answers[part * self.remembered + destination];
        if answer.known { answer } else { self.remember(part, header as u16) }
    }

    #[cold]
    fn remember(&mut self, part: usize, destination: u16) -> Route {
        let answer = self.ask(part, destination.into(), (self.parts.first(part), 0));
        self.answers[part * self.remembered + usize::from(destination)] = answer;
        answer
    }

    /// All ports of those switches of which output ports show the routing something else in cycle `now` than when they were last looked at; it sees that
    /// from now on.
    pub fn sees_more_than_before(&mut self, now: u64, serves: u64, outputs: &mut OutputPorts) -> u64 {
        let mut differ = if self.sees.serves { std::mem::replace(&mut self.serves, serves) ^ serves } else { 0 };
        if self.sees.occupancy {
            for port in ones(outputs.stirred(now)) {
                let now = outputs.occupancy(port, now).into();
                let before = std::mem::replace(&mut self.occupancy[port], now);
                let differs = before != now && self.unit.distinguishes(before) != self.unit.distinguishes(now);
                differ |= u64::from(differs) << port;
            }
        }
        if self.sees.to_node {
            for (part, before) in self.to_node.iter_mut().enumerate() {
                let now = self.table.as_ref().map_or(0, |table| table.node_ports(part));
                let differs = std::mem::replace(before, now) != now;
                differ |= u64::from(differs) << self.parts.first(part);
            }
        }
        ones(differ).fold(0, |ports, port| ports | self.parts.mask(self.parts.of(port)))
    }

    /// The answer of a part's routing unit for a packet with this header in the head register of an input port's VC, given by both numbers. It sees its part,
    /// as if there was no other.
    fn ask(&mut self, part: usize, header: u32, (input_port, input_vc): (usize, usize)) -> Route {
        let (ports, first) = (self.parts.ports, self.parts.first(part));
        let (position, stage) = self.parts.places[part];
        let destination = header as u16;
        let seen = RoutingInputs {
            position,
            stage,
            destination,
            header,
            input_port: (input_port - first) as u8,
            input_vc: input_vc as u8,
            serves: self.serves >> first & low_bits(ports),
            occupancy: &self.occupancy[first..first + ports],
            row: match self.rows.get(input_port << VC_BITS | input_vc) {
                Some(&row) => row,
                None => self.table.as_ref().map_or_else(TableRow::default, |table| table.row(part, destination)),
            },
            to_node: self.to_node[part],
        };
        let route = self.unit.route(&seen.seen_by(self.sees));
        let answer = Route {
            adaptive: route.adaptive << first,
            deterministic: route.deterministic << first,
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
