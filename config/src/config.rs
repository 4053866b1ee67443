//! The configuration of a power controller and of the switch around it, as users write it in TOML.

use crate::document;
use crate::group::Group;
use crate::mechanism::{self, Chosen, Mechanism};
use crate::routing::{Routing, RoutingSees};
use crate::setting::Setting;
use crate::shape::{Deterministic, Shape};
use crate::switch::SwitchConfig;
use crate::topology::{self, Topology};
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

/// Largest duration or flit count that the 24-bit registers hold.
pub const MAX_COUNT: u64 = (1 << 24) - 1;
/// Ports a switch may have.
pub const PORTS: std::ops::RangeInclusive<usize> = 2..=64;
/// Requesters a controller may have.
pub const REQUESTERS: std::ops::RangeInclusive<usize> = 1..=64;

/// A switch, or a power controller alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name for reports and file headers.
    pub name: String,
    /// Output ports of the switch, 2..=64.
    pub ports: usize,
    /// Requesters (one selector each), 1..=64; as many as ports unless given.
    #[serde(default)]
    pub requesters: Option<usize>,
    /// What the routing unit's deterministic set may hold.
    pub deterministic: Deterministic,
    /// Groups of ports whose selectability is managed; ports outside every group are always selectable.
    #[serde(default)]
    pub groups: Vec<Group>,
    /// Nanoseconds a switch cycle takes; POWAR section 4.1: 1.6.
    #[serde(default = "default_cycle_ns")]
    pub cycle_ns: f64,
    /// U_max, the highest utilisation of the network's links under uniform traffic, if it isn't what was measured
    /// ([`crate::u_max`]). Thresholds of mechanisms should lie below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u_max: Option<f64>,
    /// The power mechanism and its parameters.
    #[serde(default)]
    pub mechanism: Chosen,
    /// The buffers and flits of the whole switch; a power controller alone needs none.
    #[serde(default)]
    pub switch: SwitchConfig,
    /// How the switch routes packets; the topology's usual routing unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub routing: Option<&'static Routing>,
    /// The network that the switch is part of: where it routes packets to, and traffic seen from one switch. None: any.
    #[serde(default)]
    pub topology: Option<Box<dyn Topology>>,
}

fn default_cycle_ns() -> f64 {
    1.6
}

/// Says what to write instead of parameters of a mechanism that stand at the top level: in the table of the mechanism that most are of.
fn refuse_moved(text: &str) -> Result<()> {
    let Ok(table) = text.parse::<toml::Table>() else { return Ok(()) };
    let policy = table.get("policy");
    let of_policy = policy.and_then(toml::Value::as_str).and_then(|name| Mechanism::of_policy(name).ok());
    let moved = |mechanism: &'static Mechanism| -> Vec<(&'static str, &toml::Value)> {
        let policy = policy.filter(|_| of_policy.is_none_or(|of_policy| of_policy.name == mechanism.name));
        let names = mechanism.options.iter().map(|option| option.name);
        let parameters = names.filter_map(|name| Some((name, table.get(name)?)));
        policy.map(|policy| ("policy", policy)).into_iter().chain(parameters).collect()
    };
    // The first of those with as many: the last of `max_by_key` the other way round.
    let mechanism = mechanism::ALL.into_iter().rev().max_by_key(|mechanism| moved(mechanism).len());
    let mechanism = mechanism.expect("there are mechanisms");
    let moved = moved(mechanism);
    let Some((first, _)) = moved.first() else { return Ok(()) };
    let line: String = moved.iter().map(|(name, value)| format!(", {name} = {value}")).collect();
    bail!(
        "{first}: is not at the top level but in the table of the power mechanism; write mechanism = {{ kind = \"{}\"{line} }}",
        mechanism.name
    );
}

impl Config {
    /// Reads and checks a configuration.
    ///
    /// # Errors
    /// Text that is not TOML, an unknown or a missing key, and every value out of range, by name.
    pub fn from_toml(text: &str) -> Result<Config> {
        refuse_moved(text)?;
        let config: Config = document::read(text)?;
        config.check()?;
        Ok(config)
    }

    /// Reads and checks a configuration file; errors name the file.
    pub fn from_file(path: &std::path::Path) -> Result<Config> {
        let text = document::text_of(path)?;
        Config::from_toml(&text).with_context(|| path.display().to_string())
    }

    /// The configuration as TOML that [`Config::from_toml`] reads back to the same.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration has only types that TOML knows")
    }

    /// Number of requesters.
    pub fn requesters(&self) -> usize {
        self.requesters.unwrap_or(self.ports)
    }

    /// Checks every value; the error names the field, its value and the allowed range.
    pub fn check(&self) -> Result<()> {
        let within = |field: &str, value: usize, range: std::ops::RangeInclusive<usize>| {
            ensure!(range.contains(&value), "{field}: {value} is out of range {}..={}", range.start(), range.end());
            Ok(())
        };
        ensure!(!self.name.trim().is_empty(), "name: must not be empty");
        ensure!(!self.name.contains(char::is_control), "name: must be one line of text");
        within("ports", self.ports, PORTS)?;
        within("requesters", self.requesters(), REQUESTERS)?;
        ensure!(
            self.cycle_ns.is_finite() && (0.1..=1000.0).contains(&self.cycle_ns),
            "cycle_ns: {} is out of range 0.1..=1000",
            self.cycle_ns
        );
        self.check_groups()?;
        if let Some(u_max) = self.u_max {
            ensure!(u_max > 0.0 && u_max <= 1.0, "u_max: {u_max} is out of range, 0 < u_max <= 1");
        }
        self.switch.check()?;
        self.check_topology()?;
        self.mechanism.0.check(&self.setting()).map_err(|error| anyhow::anyhow!("mechanism.{error:#}"))
    }

    /// Checks that the mechanism is for a network whose links between switches take so many cycles; for a configuration that has been checked.
    ///
    /// # Errors
    /// It is not; the field, its value and the range are named.
    pub fn check_links(&self, link_delay: u64) -> Result<()> {
        self.mechanism
            .0
            .check_links(&self.setting(), link_delay)
            .map_err(|error| anyhow::anyhow!("mechanism.{error:#}"))
    }

    fn check_groups(&self) -> Result<()> {
        let mut owner = vec![None; self.ports];
        for (index, group) in self.groups.iter().enumerate() {
            ensure!(group.size >= 1, "groups[{index}].size: 0 is out of range 1..={}", self.ports);
            ensure!(
                group.first < self.ports && group.size <= self.ports - group.first,
                "groups[{index}]: {} ports from port {} on do not fit into ports 0..={}",
                group.size,
                group.first,
                self.ports - 1
            );
            for port in group.ports() {
                if let Some(other) = owner[port].replace(index) {
                    bail!("groups[{index}]: port {port} is already in groups[{other}]");
                }
            }
        }
        Ok(())
    }

    fn check_topology(&self) -> Result<()> {
        let Some(topology) = self.topology.as_deref() else {
            ensure!(self.routing.is_none(), "routing: needs a topology; it must be one of {}", topology::kinds());
            return Ok(());
        };
        topology.check()?;
        if let Some(routing) = self.routing.filter(|routing| !(routing.is_for)(topology)) {
            let known: Vec<&str> = Routing::of(topology).map(|routing| routing.name).collect();
            let (name, kind) = (routing.name, topology.kind().name);
            bail!("routing: `{name}` is not for this {kind}; it must be one of {}", known.join(", "));
        }
        if let Some(ports) = topology.ports() {
            ensure!(ports == self.ports, "topology: its switches have {ports} ports, but ports = {}", self.ports);
        }
        Ok(())
    }

    /// The topology and what else the whole switch needs beyond [`Config::check`].
    ///
    /// # Errors
    /// No topology (the switch would not know how to route), addresses that do not fit into a header, VCs that the routing needs.
    pub fn check_switch(&self) -> Result<&dyn Topology> {
        self.setting().check_switch()
    }

    /// What its routing is told of it.
    pub fn shape(&self) -> Shape<'_> {
        Shape {
            ports: self.ports,
            deterministic: self.deterministic,
            groups: &self.groups,
            switch: &self.switch,
            topology: self.topology.as_deref(),
        }
    }

    /// What its mechanism is told of it.
    pub fn setting(&self) -> Setting<'_> {
        let Config { name, cycle_ns, u_max, .. } = self;
        Setting { name, cycle_ns: *cycle_ns, u_max: *u_max, shape: self.shape(), routing: self.routing() }
    }

    /// How the switch routes packets; `None` without a topology.
    pub fn routing(&self) -> Option<&'static Routing> {
        self.routing.or_else(|| Routing::of(self.topology.as_deref()?).next())
    }

    /// The lowest port that may ever be in a packet's candidate set P: of the routing, 0 without a topology.
    pub fn lowest_adaptive(&self) -> usize {
        self.routing().map_or(0, |routing| (routing.lowest_adaptive)(&self.shape()))
    }

    /// So many ports, the lowest, are near: no packet turns from one of the others to one of the others. Those of the routing; all without a topology, or if
    /// the switch has every turn.
    pub fn near_ports(&self) -> usize {
        let routing = self.routing().filter(|_| !self.switch.every_turn);
        routing.map_or(self.ports, |routing| (routing.near_ports)(&self.shape()))
    }

    /// The turns from an input port: the output ports, one bit each, that a packet which comes in there may be given.
    pub fn turns(&self, input: usize) -> u64 {
        let near = self.near_ports();
        let lowest = |ports: usize| u64::MAX >> (64 - ports);
        lowest(if input < near { self.ports } else { near })
    }

    /// Route registers have a place for the route of the packet behind the one that waits: of a switch for short packets whose routing has the same answer for a
    /// packet at any time.
    pub fn next_routes(&self) -> bool {
        let answers_once = |sees: RoutingSees| !sees.changes() && !sees.table;
        self.switch.short_packets() && self.routing().is_some_and(|routing| answers_once(routing.sees))
    }

    /// What the routing unit sees; nothing without a topology.
    pub fn routing_sees(&self) -> RoutingSees {
        self.setting().routing_sees()
    }

    /// Names the routing, with the kind of deterministic set that goes with it; without groups if it is one by tables, which may rely on any single port.
    pub fn route_by(&mut self, routing: &'static Routing) {
        (self.routing, self.deterministic) = (Some(routing), routing.deterministic);
        if routing.sees.table {
            self.groups.clear();
        }
    }

    /// What is to be warned about, a line each: how a network was read from its file, parameters of the mechanism.
    pub fn warnings(&self) -> Vec<String> {
        let remarks = self.topology.as_deref().map(Topology::remarks).unwrap_or_default();
        remarks.iter().cloned().chain(self.mechanism.0.warnings(&self.setting())).collect()
    }

    /// The power mechanism.
    pub fn mechanism(&self) -> &'static Mechanism {
        self.mechanism.0.mechanism()
    }
}

impl<'a> From<&'a Config> for Shape<'a> {
    fn from(config: &'a Config) -> Self {
        config.shape()
    }
}
