//! A simulation of a whole network, as an experiment's file or the command line describes it.

use super::details::Details;
use super::idle;
use super::series::MOST_INTERVALS;
use super::traffic::Traffic;
use super::warm_up_cycles::{self, AUTO_WARM_UP};
use crate::schema;
use anyhow::{Context, Result, anyhow, ensure};
use powar_config::topology::digit_bits;
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config, Mechanism, Routing, mechanism};
use powar_golden::deadlock_freedom;
use powar_golden::network::{MOST_DELAY, NetworkParameters, SWITCH_CYCLES, stream};
use powar_golden::power_model::{PowerParameters, WattsParameters};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The policy whose energy is that of the reference network if ports were awake only while they send (POWAR, section 4.2).
pub const IDEAL: &str = "ideal";

/// Everything that decides what comes out of a simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Simulation {
    /// The network: `8-ary-2-tree`, `torus-4x4x4-trunk4` and so on (`docs/networks.md`).
    pub topology: String,
    /// How switches route packets: `least-occupied` and so on (`powar_config::routing`); the topology's usual routing unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::routing")]
    pub routing: Option<String>,
    /// A policy of some power mechanism (`powar_config::mechanism`), or `ideal`.
    #[schemars(schema_with = "schema::policy")]
    pub policy: String,
    /// Parameters of mechanisms, by the mechanisms' names; those of the policy's mechanism count.
    #[schemars(schema_with = "schema::mechanisms")]
    pub mechanism: BTreeMap<String, toml::Table>,
    /// A switch cycle.
    pub cycle_ns: f64,
    /// Virtual channels an input port, and its buffer in flits.
    pub vcs: usize,
    pub buffer_flits: usize,
    /// Most flits of a packet.
    pub packet_flits: u16,
    /// Longest packet that the switches are made for: a VC takes the next one when it has room for as many flits and six more. The longest
    /// that there is in this simulation unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_packet_flits: Option<u16>,
    /// Time of a head flit from a switch's input to the next one's: through the empty switch and its link.
    pub hop: Nanoseconds,
    /// `hop` is that of a switch of 16 ports; the allocator of one of N takes ceil(log2 N) - 4 cycles more, or less (Andújar et al. 2023).
    #[serde(skip_serializing_if = "is_false")]
    pub hop_by_ports: bool,
    /// Delay of the links between nodes and switches; that of the others unless given.
    pub node_link: Option<Nanoseconds>,
    /// What nodes have at their links.
    #[serde(skip_serializing_if = "Interfaces::is_default")]
    pub interfaces: Interfaces,
    pub traffic: Traffic,
    /// Cycles at the beginning, with traffic, of which nothing is measured: of the traffic's `cycles` those behind them are. `"auto"`,
    /// [`AUTO_WARM_UP`](super::AUTO_WARM_UP): as many as are found to be needed. Synthetic traffic only.
    #[serde(with = "warm_up_cycles")]
    #[schemars(schema_with = "schema::warm_up")]
    pub warm_up: u64,
    /// Cycles of the intervals by which the outcome shows what happens over time, from the beginning on; 0: it doesn't. Those of programs double when
    /// there would be more than ten thousand.
    #[serde(skip_serializing_if = "is_zero")]
    pub interval: u64,
    /// Transition times, cycles, for which the outcome shows what an oracle could switch off, and with it the idle gaps of links
    /// ([`IdleLinks`](super::IdleLinks)); empty: it doesn't.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub oracle: Vec<u64>,
    /// Power relative to the most (POWAR, section 2.3), and in watts (Andújar et al. 2023, section 2).
    #[schemars(schema_with = "schema::power")]
    pub power: PowerParameters,
    #[schemars(schema_with = "schema::watts")]
    pub watts: WattsParameters,
    /// What the outcome says beside its figures. Whoever runs a simulation asks for it: it is in no file, and kept results are the same with and without.
    #[serde(skip)]
    pub details: Details,
}

impl Default for Simulation {
    /// POWAR's fat-tree (section 4.1) with its policy, under a tenth of uniform traffic.
    fn default() -> Self {
        let config = powar_config::presets::by_name("fat-tree-8").expect("a preset");
        Simulation {
            topology: "8-ary-2-tree".into(),
            routing: None,
            policy: config.mechanism.0.policy().into(),
            mechanism: BTreeMap::new(),
            cycle_ns: config.cycle_ns,
            vcs: config.switch.vcs,
            buffer_flits: config.switch.buffer_flits,
            packet_flits: 8,
            max_packet_flits: None,
            hop: Nanoseconds(49.6),
            hop_by_ports: false,
            node_link: None,
            interfaces: Interfaces::default(),
            traffic: Traffic::default(),
            warm_up: 0,
            interval: 0,
            oracle: vec![],
            power: PowerParameters::default(),
            watts: WattsParameters::default(),
            details: Details::default(),
        }
    }
}

/// What is kept of simulations without intervals has no such field.
fn is_zero(cycles: &u64) -> bool {
    *cycles == 0
}

/// What is kept of simulations whose switches take the same time whatever their ports has no such field.
fn is_false(by_ports: &bool) -> bool {
    !*by_ports
}

/// What nodes have at their links (`docs/networks.md`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Interfaces {
    /// Queues of messages without an end, whose packets are on the link as soon as there is room for them.
    #[default]
    Messages,
    /// The block `network_interface`, which packets go through beat by beat over AXI4-Stream.
    AxiStream,
}

impl Interfaces {
    /// What is kept of simulations without the choice has no such field.
    fn is_default(&self) -> bool {
        *self == Interfaces::default()
    }
}

impl Simulation {
    /// The mechanism that the policy is of; `ideal` is computed from the reference network of the first mechanism.
    ///
    /// # Errors
    /// An unknown policy.
    pub fn power_mechanism(&self) -> Result<&'static Mechanism> {
        if self.policy == IDEAL {
            return Ok(mechanism::ALL[0]);
        }
        Mechanism::of_policy(&self.policy).map_err(|_| {
            let known = mechanism::policy_names(&mechanism::ALL).into_iter().chain([IDEAL]);
            anyhow!("{}", mechanism::unknown_policy(&self.policy, known))
        })
    }

    /// The mechanism with its parameters and its policy.
    fn chosen(&self) -> Result<Chosen> {
        // A mistake should be found whether or not the policy would notice it.
        for (name, table) in &self.mechanism {
            let mechanism = Mechanism::by_name(name).context("mechanism")?;
            ensure!(!table.contains_key("policy"), "mechanism.{name}.policy: is set by policy alone");
            (mechanism.parse)(table.clone()).map_err(|error| anyhow!("mechanism.{name}.{error:#}"))?;
        }
        let mechanism = self.power_mechanism()?;
        let table = self.mechanism.get(mechanism.name).cloned().unwrap_or_default();
        let mut parameters = (mechanism.parse)(table)?;
        let policy = if self.policy == IDEAL { mechanism.policies[0].name } else { &self.policy };
        parameters.set_policy(policy)?;
        Ok(Chosen(parameters))
    }

    /// All parameters that make a difference, those with default values too: of the policy's mechanism, in its order, without those
    /// that the policy takes no notice of; none of `ideal`.
    ///
    /// # Errors
    /// An unknown policy, mechanism or parameter, or a value that is not of its kind.
    pub fn parameters(&self) -> Result<Vec<(&'static str, toml::Value)>> {
        if self.policy == IDEAL {
            return Ok(vec![]);
        }
        let mechanism = self.power_mechanism()?;
        let ignored = mechanism.policy(&self.policy)?.ignores;
        let mut table = self.chosen()?.0.table();
        let names = mechanism.options.iter().map(|option| option.name).filter(|name| !ignored.contains(name));
        Ok(names.filter_map(|name| Some((name, table.remove(name)?))).collect())
    }

    /// Checks the interval of synthetic traffic that ends before the cycle `stop`.
    ///
    /// # Errors
    /// It is so short that there would be too many.
    pub fn check_interval(&self, stop: u64) -> Result<()> {
        let (interval, least) = (self.interval, stop / MOST_INTERVALS + 1);
        ensure!(
            interval == 0 || interval >= least,
            "interval: {interval} is out of range {least}..; there would be more than {MOST_INTERVALS} of them"
        );
        Ok(())
    }

    /// Checks that nothing is asked of programs that only synthetic traffic has: a beginning that is not measured.
    pub(crate) fn check_untimed(&self) -> Result<()> {
        ensure!(self.warm_up != AUTO_WARM_UP, "warm_up: auto is for synthetic traffic only");
        ensure!(self.warm_up == 0, "warm_up: {} is for synthetic traffic only", self.warm_up);
        Ok(())
    }

    /// What makes no difference here of how a program is replayed is as if it was not given: without a mechanism that reads words about messages
    /// it doesn't matter when they go out.
    ///
    /// # Errors
    /// An unknown policy.
    pub(crate) fn drop_lead(&mut self) -> Result<()> {
        if !self.hears_words()? {
            match &mut self.traffic {
                Traffic::Trace(options) => (options.replay.lead, options.replay.foresight) = (Nanoseconds(0.0), 0),
                Traffic::Jobs(options) => options.lead = Nanoseconds(0.0),
                Traffic::Synthetic(_) => {}
            }
        }
        Ok(())
    }

    /// Whether the power mechanism reads words about messages.
    ///
    /// # Errors
    /// An unknown policy.
    pub(crate) fn hears_words(&self) -> Result<bool> {
        Ok(self.policy != IDEAL && self.chosen()?.0.hears_hints())
    }

    /// Flits of the longest packet: synthetic traffic may have none as long as packets may be.
    fn longest_packet(&self) -> u16 {
        let longest = match &self.traffic {
            Traffic::Synthetic(options) => options.longest(),
            Traffic::Trace(_) | Traffic::Jobs(_) => u64::MAX,
        };
        u64::from(self.packet_flits).min(longest.max(self.shortest_packet().into())) as u16
    }

    /// Flits of the shortest packet that there can be: a network interface makes none of a single flit.
    fn shortest_packet(&self) -> u16 {
        if self.interfaces == Interfaces::AxiStream { 2 } else { 1 }
    }

    /// The network that is simulated.
    ///
    /// # Errors
    /// A value out of its range, by name.
    pub fn network(&self) -> Result<NetworkParameters> {
        let mut config = Config::of_network(&self.topology)?;
        config.cycle_ns = self.cycle_ns;
        config.mechanism = self.chosen()?;
        if let Some(name) = &self.routing {
            let routing = Routing::by_name(name)?;
            config.route_by(routing);
        }
        (config.switch.vcs, config.switch.buffer_flits) = (self.vcs, self.buffer_flits);
        let longest = self.longest_packet();
        config.switch.max_packet_flits = self.max_packet_flits.unwrap_or(longest.max(self.shortest_packet())).into();
        config.check()?;
        config.check_switch()?;
        // Both sides with the four that a switch of 16 ports would have.
        let (extra, usual) = if self.hop_by_ports { (digit_bits(config.ports) as u64, 4) } else { (0, 0) };
        let time = |cycles: u64| Nanoseconds(cycles as f64 * self.cycle_ns);
        let (hop, least) = (self.hop.cycles(self.cycle_ns) + extra, SWITCH_CYCLES + usual);
        ensure!(
            hop >= least,
            "hop: {} is out of range; it must be {} or more, the {SWITCH_CYCLES} cycles of the switch",
            self.hop,
            time(least - extra)
        );
        let most = least + MOST_DELAY;
        ensure!(hop <= most, "hop: {} is out of range; it must be {} or less", self.hop, time(most - extra));
        let link_delay = hop - least;
        let node_link_delay = self.node_link.map_or(link_delay, |delay| delay.cycles(self.cycle_ns));
        if let Some(delay) = self.node_link {
            let most = time(MOST_DELAY);
            ensure!(node_link_delay <= MOST_DELAY, "node_link: {delay} is out of range; it must be {most} or less");
        }
        idle::check(&self.oracle)?;
        self.power.check().context("power")?;
        self.watts.check().context("watts")?;
        let parameters = NetworkParameters { config, link_delay, node_link_delay, packet_flits: longest };
        parameters.wiring()?;
        deadlock_freedom::assure(&parameters.config)?;
        if self.interfaces == Interfaces::AxiStream {
            stream::check(&parameters)?;
        }
        Ok(parameters)
    }

    /// Nodes along each dimension of the network, the one in which neighbours have consecutive numbers first.
    ///
    /// # Errors
    /// A topology of an unknown name.
    pub fn dimensions(&self) -> Result<Vec<u32>> {
        let config = Config::of_network(&self.topology)?;
        let topology = config.topology.as_ref().context("topology: none")?;
        Ok(topology.dimensions(config.ports).into_iter().map(|size| size as u32).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hop_takes_a_cycle_more_for_twice_the_ports() {
        // Ports of a switch, and cycles a hop.
        for (topology, hop) in
            [("star-2", 28), ("torus-4x4x4", 30), ("k8-n2", 31), ("torus-4x4-trunk4-nodes4", 32), ("k18-n2", 33)]
        {
            let simulation = Simulation { topology: topology.into(), hop_by_ports: true, ..Simulation::default() };
            assert_eq!(simulation.network().unwrap().link_delay + SWITCH_CYCLES, hop, "{topology}");
        }
    }

    #[test]
    fn a_hop_is_no_shorter_than_the_switch() {
        let of = |hop: f64, hop_by_ports| {
            let topology = "star-4".to_owned();
            Simulation { topology, hop: Nanoseconds(hop), hop_by_ports, ..Simulation::default() }.network()
        };
        assert_eq!(of(12.8, false).unwrap().link_delay, 0);
        assert_eq!(of(16.0, true).unwrap().link_delay, 0);
        let error = of(14.4, true).unwrap_err().to_string();
        assert!(error.starts_with("hop: 14.4ns is out of range; it must be 16ns or more"), "{error}");
    }
}
