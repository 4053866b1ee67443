//! What each link did: every direction of every cable.

use super::connected_ports::u_ports;
use super::simulation::{IDEAL, Simulation};
use anyhow::{Context, Result};
use powar_config::topology::graph::Names;
use powar_config::topology::wiring::{End, Wiring};
use powar_config::{Phase, Residency};
use powar_golden::network::{Network, NodeModel, SwitchModel};
use powar_golden::port_counts::PortCounts;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A direction of a cable, in the measured cycles: it is the port that sends over it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    pub from: LinkEnd,
    pub to: LinkEnd,
    pub flits: u64,
    /// Utilisation, 0..=1.
    pub flits_per_cycle: f64,
    /// Share of the time that the sending port was in each phase, by the phases' names; with the level behind it where the power mechanism has several of
    /// a phase (`On5`). A node's port is always on.
    pub phases: BTreeMap<String, f64>,
    /// Times that the port began to wake.
    pub wake_ups: u64,
    /// Mean power of the port, its share of its switch's logic included, by [`Outcome::watts`](super::Outcome::watts), and its energy: those of all links are
    /// the network's. None of a node's port, which is not the network's.
    pub power_w: Option<f64>,
    pub energy_j: Option<f64>,
}

/// What a link leaves or enters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LinkEnd {
    pub kind: EndKind,
    /// As the network's file names it; its number if it has no name.
    pub name: String,
    /// Of the switch; of a node which of its links.
    pub port: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndKind {
    #[default]
    Switch,
    Node,
}

impl LinkEnd {
    fn switch(names: &Names, switch: u32, port: u8) -> LinkEnd {
        LinkEnd { kind: EndKind::Switch, name: names.switch(switch as usize), port }
    }

    fn node(names: &Names, node: u32, link: u8) -> LinkEnd {
        LinkEnd { kind: EndKind::Node, name: names.node(node as usize), port: link }
    }
}

/// All links that leave switches, by switch and port, then those that leave nodes; `counts` are of so many measured cycles.
///
/// # Errors
/// The network's file can't be read; the network was not asked to count on the links of nodes.
pub(super) fn links<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    counts: &[Vec<PortCounts>],
    cycles: u64,
) -> Result<Vec<Link>> {
    let names = Names::of(&simulation.topology)?;
    let phases = Phases { residency: network.parameters().config.mechanism().residency };
    let u_port = u_ports(simulation, network, counts, cycles, simulation.watts.asleep())?;
    let wiring = network.wiring();
    let mut links = vec![];
    for (switch, ports) in counts.iter().enumerate() {
        let connected = wiring.ends[switch].iter().enumerate().filter(|(_, end)| **end != End::Open);
        for ((port, &end), &powered) in connected.zip(&u_port[switch]) {
            // A switch of this port alone: its power is that of all of its ports.
            let power = simulation.watts.switch_power(&[powered])?;
            let of_port = &ports[port];
            links.push(Link {
                from: LinkEnd::switch(&names, switch as u32, port as u8),
                to: match end {
                    End::Switch { switch, port } => LinkEnd::switch(&names, switch, port),
                    End::Node { node, link } => LinkEnd::node(&names, node, link),
                    End::Open => continue,
                },
                flits: of_port.flits,
                flits_per_cycle: of_port.flits as f64 / cycles as f64,
                phases: if simulation.policy == IDEAL { phases.ideal(powered) } else { phases.shares(of_port) },
                wake_ups: of_port.wake_ups,
                power_w: Some(power),
                energy_j: Some(power * cycles as f64 * simulation.cycle_ns * 1e-9),
            });
        }
    }
    links.extend(of_nodes(network, wiring, &names, &phases, cycles)?);
    Ok(links)
}

fn of_nodes<S: SwitchModel, N: NodeModel>(
    network: &Network<S, N>,
    wiring: &Wiring,
    names: &Names,
    phases: &Phases,
    cycles: u64,
) -> Result<Vec<Link>> {
    let flits = network.measurement().node_flits.as_ref().context("flits on the links of nodes are not counted")?;
    let mut links = vec![];
    for (node, (ends, flits)) in wiring.nodes.iter().zip(flits).enumerate() {
        for (lane, (&(switch, port), &flits)) in ends.iter().zip(flits).enumerate() {
            links.push(Link {
                from: LinkEnd::node(names, node as u32, lane as u8),
                to: LinkEnd::switch(names, switch, port),
                flits,
                flits_per_cycle: flits as f64 / cycles as f64,
                phases: phases.always_on(),
                wake_ups: 0,
                power_w: None,
                energy_j: None,
            });
        }
    }
    Ok(links)
}

/// The pairs of phase and level of a mechanism.
struct Phases {
    residency: &'static [Residency],
}

impl Phases {
    fn name(&self, pair: &Residency) -> String {
        let levels = self.residency.iter().filter(|other| other.phase == pair.phase).count();
        let level = if levels > 1 { pair.level.to_string() } else { String::new() };
        format!("{}{level}", pair.phase.name())
    }

    /// By name, what each of the pairs has.
    fn map(&self, share: impl Fn(usize, &Residency) -> f64) -> BTreeMap<String, f64> {
        self.residency.iter().enumerate().map(|(place, pair)| (self.name(pair), share(place, pair))).collect()
    }

    fn shares(&self, counts: &PortCounts) -> BTreeMap<String, f64> {
        let all: f64 = counts.cycles.iter().map(|&cycles| cycles as f64).sum();
        self.map(|place, _| counts.cycles[place] as f64 / all)
    }

    /// On with the highest level, 1; all others 0.
    fn always_on(&self) -> BTreeMap<String, f64> {
        self.ideal(1.0)
    }

    /// A port that is on for a share of the time and off for the rest.
    fn ideal(&self, on: f64) -> BTreeMap<String, f64> {
        let highest =
            |phase: Phase| self.residency.iter().filter(|pair| pair.phase == phase).map(|pair| pair.level).max();
        self.map(|_, pair| match pair.phase {
            phase if Some(pair.level) != highest(phase) => 0.0,
            Phase::On => on,
            Phase::Off => 1.0 - on,
            _ => 0.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism;

    #[test]
    fn every_pair_has_a_name_and_shares_are_one() {
        for mechanism in mechanism::ALL {
            let phases = Phases { residency: mechanism.residency };
            let cycles = (1..).take(mechanism.residency.len()).collect();
            for shares in
                [phases.shares(&PortCounts { cycles, ..Default::default() }), phases.always_on(), phases.ideal(0.3)]
            {
                assert_eq!(shares.len(), mechanism.residency.len(), "{}: {shares:?}", mechanism.name);
                assert!((shares.values().sum::<f64>() - 1.0).abs() < 1e-12, "{}: {shares:?}", mechanism.name);
            }
        }
        let names =
            |name: &str| Phases { residency: mechanism::Mechanism::by_name(name).unwrap().residency }.always_on();
        assert_eq!(names("powar").keys().collect::<Vec<_>>(), ["ComingOn", "GoingOff", "Off", "On", "Refreshing"]);
        assert_eq!(names("e_rapid")["On5"], 1.0);
    }
}
