//! Whole networks of the golden switch, exact to the cycle.
//!
//! ```text
//! Workload (config/src/workload.rs)   messages                     delivered, sent
//!     |                                                                 ^
//! NodeModel, one a node               packets, flits   credits          |
//!     |                                  |                ^             |
//! Region, some 32 switches            what is on its way over the links to them
//!     |                                  |                |             |
//! SwitchModel                         crate::fast::switch::Switch, the one that the RTL is checked against: a bundle of equal ones in one
//! ```
//!
//! Nodes are [`Interface`]s, or [`StreamNode`]s with a `network_interface` each.
//!
//! What the parts do and when is in `docs/networks.md`, how switches go through time in `docs/windows.md`. Only those switches and interfaces are visited that have something to do, and
//! cycles in which nobody has are skipped: [`Network::run`] costs what happens, not what time passes. A test compares it, flit
//! by flit, with a plain stepping of every part in every cycle.

mod agenda;
mod arrivals;
mod bundles;
mod deadlock;
mod flows;
mod hint_lane;
mod idle_gaps;
mod interface;
mod latencies;
mod model;
mod net_packet;
mod node;
mod nodes;
mod parameters;
mod region;
mod statistics;
pub mod stream;
mod under_way;
mod window;

pub use flows::{Flow, FlowLatencies, Flows};
pub use idle_gaps::{Gaps, IdleGaps, IdleTime};
pub use interface::Interface;
pub use latencies::Latencies;
pub use model::SwitchModel;
pub use net_packet::NetPacket;
pub use node::{NodeModel, NodeSide, Received};
pub use parameters::{MOST_DELAY, NetworkParameters, SWITCH_CYCLES};
pub use statistics::{Counts, Measurement};
pub use stream::StreamNode;

use crate::fast::switch::{LONGEST_TRAIN, Switch, Train};
use crate::port_counts::PortCounts;
use agenda::{Agenda, Calendar};
use anyhow::{Result, bail, ensure};
use arrivals::AtNode;
use bundles::Bundles;
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Config, Message, Workload};
use region::Regions;
use std::ops::Range;
use under_way::Tables;
use window::Workers;

/// Who wants to see every flit that a switch puts on a link.
pub trait Observer {
    /// There is something to be told. Where there isn't, nothing is kept for it.
    #[inline]
    fn looks(&self) -> bool {
        true
    }

    /// A train on the link of a switch's port, from cycle `now` on.
    fn train(&mut self, now: u64, switch: u32, train: &Train<NetPacket>);
}

/// Nobody.
impl Observer for () {
    #[inline]
    fn looks(&self) -> bool {
        false
    }

    #[inline]
    fn train(&mut self, _: u64, _: u32, _: &Train<NetPacket>) {}
}

/// Somebody, or nobody.
impl<O: Observer> Observer for Option<O> {
    #[inline]
    fn looks(&self) -> bool {
        self.as_ref().is_some_and(O::looks)
    }

    #[inline]
    fn train(&mut self, now: u64, switch: u32, train: &Train<NetPacket>) {
        if let Some(observer) = self {
            observer.train(now, switch, train);
        }
    }
}

/// Why a run has come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The workload is over and everything has been delivered.
    Over,
    /// The last cycle has come.
    Time,
}

/// The longest time in which flits may all stand still without a deadlock: that of a port that becomes ready, and that of flits and
/// credits on the longest link; four times.
fn patience(parameters: &NetworkParameters, longest_wait: u64) -> u64 {
    let delays = parameters.link_delay + parameters.node_link_delay;
    4 * (longest_wait + 2 * delays + 100)
}

/// A network under simulation.
#[derive(Clone, Debug)]
pub struct Network<S = Switch<NetPacket>, N = Interface> {
    parameters: NetworkParameters,
    wiring: Wiring,
    bundles: Bundles,
    /// What is at the other end of every port ([`Bundles::ends`]).
    ends: Box<[End]>,
    vcs: usize,
    /// By bundle, its switches in one.
    switches: Vec<S>,
    /// What is on its way to switches and when they have something to do.
    regions: Regions,
    /// Most cycles that switches are simulated for without looking at each other.
    window: u64,
    /// Who simulates the regions.
    workers: Workers<S>,
    /// The last flits of packets, and whether they were in order. A node's credits for flits go back without it.
    to_nodes: Calendar<AtNode<(u32, Received)>>,
    /// Flits that come in at nodes from a cycle on, one in each, as far as they have not been counted yet.
    coming: Vec<(u64, u64)>,
    credits_to_nodes: Calendar<AtNode<u16>>,
    nodes: Vec<N>,
    /// Nodes that may have something to start or to tell.
    senders: Agenda,
    /// The hint that each node showed last, if the power mechanism sees its neighbours.
    hints: Option<Box<[bool]>>,
    /// The power mechanism has a control ring, through all switches in the order of their numbers; a word is on the way as long as a flit is.
    has_ring: bool,
    /// The cycle under way.
    now: u64,
    tables: Tables,
    counts: Counts,
    measurement: Measurement,
    given: Vec<Message>,
    /// The last cycle in which a flit was put on a link or a message was given to an empty network.
    last_move: u64,
    /// Cycles in which no flit moves though there are some: as many are a deadlock.
    patience: u64,
    /// The cycle in which to look for a deadlock even though something moves; none with a routing that may show packets another way while
    /// they wait.
    next_look: u64,
}

/// Cycles between two looks for a deadlock of some packets while others move.
const LOOK: u64 = 1 << 20;

impl Network {
    /// A network of golden switches after reset, in bundles as large as may be (`docs/bundles.md`).
    ///
    /// # Errors
    /// Those of [`NetworkParameters::wiring`].
    pub fn new(parameters: &NetworkParameters) -> Result<Network> {
        Network::of_bundles(parameters, |_, lanes, _| Ok(Interface::new(&parameters.config, lanes)))
    }
}

impl<S: SwitchModel> Network<S> {
    /// A network of switches that are made of golden ones, each told its number.
    ///
    /// # Errors
    /// Those of [`NetworkParameters::wiring`] and of `make`.
    pub fn with_switches(
        parameters: &NetworkParameters,
        make: impl FnMut(u32, Switch<NetPacket>) -> Result<S>,
    ) -> Result<Network<S>> {
        Network::with_parts(parameters, make, |_, lanes, _| Ok(Interface::new(&parameters.config, lanes)))
    }
}

impl<N: NodeModel> Network<Switch<NetPacket>, N> {
    /// A network of golden switches, in bundles as large as may be, and of nodes, each told its number, how many links it has and its packed address.
    ///
    /// # Errors
    /// Those of [`NetworkParameters::wiring`] and of `make_node`.
    fn of_bundles(parameters: &NetworkParameters, make_node: impl FnMut(u32, usize, u16) -> Result<N>) -> Result<Self> {
        let most = Switch::<NetPacket>::most_in_a_bundle;
        Network::with_bundles(parameters, most, |_, bundle| Ok(bundle), make_node)
    }
}

impl<S: SwitchModel, N: NodeModel> Network<S, N> {
    /// A network of switches that are made of golden ones, each told its number, and of nodes, each told its number, how many links it has
    /// and its packed address. Every switch is stepped by itself.
    ///
    /// # Errors
    /// Those of [`NetworkParameters::wiring`], of `make` and of `make_node`.
    pub fn with_parts(
        parameters: &NetworkParameters,
        make: impl FnMut(u32, Switch<NetPacket>) -> Result<S>,
        make_node: impl FnMut(u32, usize, u16) -> Result<N>,
    ) -> Result<Network<S, N>> {
        Network::with_bundles(parameters, |_| 1, make, make_node)
    }

    /// The same, of as many switches in one as `most` says of a configuration, each bundle told its number.
    fn with_bundles(
        parameters: &NetworkParameters,
        most: impl Fn(&Config) -> usize,
        make: impl FnMut(u32, Switch<NetPacket>) -> Result<S>,
        mut make_node: impl FnMut(u32, usize, u16) -> Result<N>,
    ) -> Result<Network<S, N>> {
        let wiring = parameters.wiring()?;
        let config = &parameters.config;
        let bundles = Bundles::new(wiring.places.len(), config.ports, most(config));
        let switches = bundles.make(config, &wiring, make)?;
        let nodes = (wiring.nodes.iter().zip(&wiring.addresses).enumerate())
            .map(|(number, (lanes, &address))| make_node(number as u32, lanes.len(), address))
            .collect::<Result<Vec<N>>>()?;
        let (link, node_link) = (parameters.link_delay, parameters.node_link_delay);
        let look_ahead =
            u64::from(parameters.packet_flits).max(LONGEST_TRAIN.into()).max(node_link).max(hint_lane::WORD);
        let goldens = || switches.iter().map(S::golden);
        let sees_neighbours = goldens().any(|switch| switch.mechanism().sees.neighbours);
        let has_ring = goldens().any(|switch| switch.mechanism().sees.ring.is_some());
        let of_switches = goldens().map(Switch::longest_wait).max().unwrap_or(0);
        let longest_wait = of_switches + N::longest_wait(parameters.packet_flits);
        let routes_change = config.routing().is_some_and(|routing| routing.sees.changes());
        let hints = || vec![false; wiring.nodes.len()].into();
        let mut senders = Agenda::new(nodes.len(), look_ahead);
        (0..).zip(&nodes).filter(|(_, node)| node.is_clocked()).for_each(|(number, _)| senders.add(0, number));
        Ok(Network {
            bundles,
            ends: bundles.ends(&wiring),
            vcs: config.switch.vcs,
            regions: Regions::new(&bundles),
            // What switches put on links in a window comes in behind it.
            window: 1 + link.min(node_link),
            workers: Workers::default(),
            hints: sees_neighbours.then(hints),
            has_ring,
            patience: patience(parameters, longest_wait),
            switches,
            to_nodes: Calendar::new(1 + node_link + u64::from(LONGEST_TRAIN)),
            coming: Vec::new(),
            credits_to_nodes: Calendar::new(1 + node_link),
            nodes,
            senders,
            now: 0,
            tables: Tables { packet_flits: parameters.packet_flits, ..Tables::default() },
            counts: Counts::default(),
            measurement: Measurement::new(0..u64::MAX),
            given: Vec::new(),
            last_move: 0,
            next_look: if routes_change { u64::MAX } else { LOOK },
            wiring,
            parameters: parameters.clone(),
        })
    }

    /// Measures from now on what happens within a window of cycles. Without this the window is the whole run.
    pub fn measure(&mut self, window: Range<u64>) {
        let Measurement { node_flits, flows, .. } = &self.measurement;
        let (node_links, flows) = (node_flits.is_some(), flows.is_some());
        self.measurement = Measurement::new(window);
        self.measure_details(node_links, flows);
    }

    /// Measures, from the beginning, what takes time or memory too: flits on the links of nodes into the network, and all flows by source and destination.
    pub fn measure_details(&mut self, node_links: bool, flows: bool) {
        let lanes = || self.wiring.nodes.iter().map(|lanes| vec![0; lanes.len()].into()).collect();
        self.measurement.node_flits = node_links.then(lanes);
        self.measurement.flows = flows.then(Flows::default);
    }

    /// Runs until the workload is over and everything is delivered, or up to the cycle `until`, which is then the one under way.
    /// Can be called again, for the cycles that follow.
    ///
    /// # Errors
    /// Those of the workload; a deadlock; a workload that waits for something that will never come; a flit that came in where
    /// it should not have.
    pub fn run(&mut self, workload: &mut impl Workload, until: u64, observer: &mut impl Observer) -> Result<Ended> {
        let ended = self.run_until(workload, until, observer);
        self.count_flits(self.now);
        ended
    }

    fn run_until(&mut self, workload: &mut impl Workload, until: u64, observer: &mut impl Observer) -> Result<Ended> {
        loop {
            if self.is_over(workload)? {
                return Ok(Ended::Over);
            }
            let next = self.next_event(workload);
            if !self.is_empty() && (self.now >= self.next_look || self.is_still(next.min(until))) {
                self.look_for_deadlock(next.min(until))?;
            }
            if next >= until {
                self.now = self.now.max(until);
                return Ok(Ended::Time);
            }
            // In a window nodes and switches don't see what the others do in it.
            let end = until.min(next.saturating_add(self.window));
            self.now = next;
            let nodes = self.run_nodes(workload, end);
            self.now = *nodes.as_ref().unwrap_or(&self.now);
            self.advance_switches(self.now, observer);
            nodes?;
        }
    }

    /// The workload is over and everything is delivered.
    fn is_over(&self, workload: &impl Workload) -> Result<bool> {
        if self.is_empty() && !workload.is_over() && workload.next_event() == u64::MAX {
            bail!("cycle {}: the nodes wait for ever: {}", self.now, workload.waits().join("; "));
        }
        Ok(self.is_empty() && workload.is_over())
    }

    /// Nothing moves until the cycle `next`, and has not for so long that nothing will.
    fn is_still(&self, next: u64) -> bool {
        next.saturating_sub(self.last_move) > self.patience
    }

    #[cold]
    fn look_for_deadlock(&mut self, next: u64) -> Result<()> {
        self.next_look = self.now + LOOK;
        if let Some(deadlock) = self.deadlock() {
            bail!("cycle {}: {deadlock}", self.now);
        }
        let messages = self.counts.messages_given - self.counts.messages_delivered;
        ensure!(
            !self.is_still(next),
            "cycle {}: no flit has moved for {} cycles, {messages} messages are under way, and no packet waits for another: flits or credits are lost",
            self.now,
            self.patience
        );
        Ok(())
    }

    /// The first cycle from the one under way on in which something happens.
    pub fn next_event(&self, workload: &impl Workload) -> u64 {
        self.regions.next().min(self.next_of_nodes(workload)).max(self.now)
    }

    /// No message is under way.
    pub fn is_empty(&self) -> bool {
        self.counts.messages_given == self.counts.messages_delivered
    }

    /// The cycle under way.
    pub fn now(&self) -> u64 {
        self.now
    }

    pub fn parameters(&self) -> &NetworkParameters {
        &self.parameters
    }

    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// A node by its number.
    pub fn node(&self, number: usize) -> &N {
        &self.nodes[number]
    }

    /// The switches, as they are stepped: of a network that bundles them each is all of a bundle.
    pub fn switches(&self) -> &[S] {
        &self.switches
    }

    pub fn counts(&self) -> Counts {
        let to_send: u64 = self.nodes.iter().map(|node| node.to_send(self.now)).sum();
        let to_hop: u64 = self.switches.iter().map(|switch| switch.to_send(self.now + 1)).sum();
        let Counts { flits_sent, flit_hops, .. } = self.counts;
        Counts { flits_sent: flits_sent - to_send, flit_hops: flit_hops - to_hop, ..self.counts }
    }

    /// The cycle in which the oldest message was given that has not come in completely; none if none is under way. It looks at all messages.
    pub fn oldest(&self) -> Option<u64> {
        // A place that is free keeps its last message, of which all has come in.
        self.tables.messages.iter().filter(|entry| entry.to_come > 0).map(|entry| entry.given).min()
    }

    /// The longest time for which a port that a packet has may keep it waiting, cycles ([`longest_wait`](crate::fast::mechanisms::EventMechanism::longest_wait)).
    pub fn longest_wait(&self) -> u64 {
        self.switches.iter().map(|switch| switch.golden().longest_wait()).max().unwrap_or(0)
    }

    pub fn measurement(&self) -> &Measurement {
        &self.measurement
    }

    /// Credits that a node has for the VCs of its switch.
    pub fn node_credits(&self, node: usize, lane: usize, vc: usize) -> u16 {
        self.nodes[node].credits(self.now, lane, vc)
    }

    /// Messages that wait at a node.
    pub fn queued(&self, node: usize) -> usize {
        self.nodes[node].queued()
    }

    /// The counters of every port of every switch, up to the cycle under way.
    pub fn port_counts(&mut self) -> Vec<Vec<PortCounts>> {
        self.of_ports(|switch, port| switch.counts(port))
    }

    /// By switch and port, the cycles before the one under way in which packets waited for it, as mechanisms measure them
    /// ([`waited`](crate::fast::mechanisms::EventMechanism::waited)).
    pub fn waited(&mut self) -> Vec<Vec<u64>> {
        self.of_ports(|switch, port| switch.waited(port))
    }

    /// Events that the mechanisms of all switches have counted in words of their own, by the words' names ([`events`](crate::fast::mechanisms::EventMechanism::events)).
    /// They are as old as the last look at the counters of the ports. Behind them `node_hints_dropped`, words of nodes that found no room on
    /// the nodes' own lanes, where these have words.
    pub fn events(&self) -> Vec<(&'static str, u64)> {
        let mut sums: Vec<(&'static str, u64)> = vec![];
        for (name, count) in self.switches.iter().flat_map(|switch| switch.golden().events()) {
            match sums.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => sums.push((name, count)),
            }
        }
        let of_nodes = self.nodes.iter().filter_map(NodeModel::hints_dropped).reduce(|sum, dropped| sum + dropped);
        sums.extend(of_nodes.map(|dropped| ("node_hints_dropped", dropped)));
        sums
    }

    /// Something of every port of every switch in the cycle under way.
    fn of_ports<T>(&mut self, of_port: impl Fn(&mut Switch<NetPacket>, usize) -> T) -> Vec<Vec<T>> {
        let of_switch = |(bundle, ports): (usize, Range<usize>)| {
            let golden = self.switches[bundle].golden_mut();
            if golden.now() < self.now {
                golden.skip(self.now - golden.now());
            }
            ports.map(|port| of_port(golden, port)).collect()
        };
        self.bundles.switches().map(of_switch).collect()
    }
}
