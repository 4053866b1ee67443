//! What comes out of a simulation.

use super::idle::IdleLinks;
use super::latency::{FlowSummary, HistogramBin, LatencySummary};
use super::links::Link;
use super::series::Interval;
use crate::schema;
use powar_golden::network::Counts;
use powar_golden::power_model::{Consumption, Watts};
use powar_traffic::{JobRecord, ReplayOptions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What came out of a simulation of a network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    pub topology: String,
    /// As in [`Simulation::policy`](super::Simulation::policy), and `ideal`.
    pub policy: String,
    /// The power mechanism that the policy is of.
    pub mechanism: String,
    /// Its parameters, those that make a difference with the policy, as `pdt=10us t_on=0.5`.
    pub parameters: String,
    pub nodes: usize,
    pub switches: usize,
    /// Ports of all switches that have a cable: those that the power figures are about.
    pub ports: usize,
    /// RunTime: cycles until the program, or the fixed number of requests of a closed loop, had ended and all messages had come in; with
    /// other synthetic traffic, those measured.
    pub cycles: u64,
    /// Cycles with traffic before those that were measured, given or found.
    #[serde(default)]
    pub warm_up: u64,
    /// The same in nanoseconds.
    pub run_time_ns: f64,
    /// Of the whole simulation, from its beginning to its end.
    pub messages: u64,
    pub packets: u64,
    pub flits: u64,
    /// Flits times the switches that they crossed.
    pub flit_hops: u64,
    /// Flits that nodes gave, and flits that came in, per node and cycle of those measured.
    pub offered: f64,
    pub accepted: f64,
    /// Nodes give more than the network takes: what waits grows as long as traffic goes on, and latencies with it (`docs/networks.md`).
    pub saturated: bool,
    /// Age of the oldest message under way at the end of the measured cycles, since it was given; 0 if there was none.
    #[serde(default)]
    pub oldest: u64,
    /// Messages that had not come in when the simulation gave up, four times the measured cycles later: latencies are of the others.
    #[serde(default)]
    pub unfinished: u64,
    /// From the cycle in which its message is given to its last flit at the destination, of packets given while it was measured.
    pub packet_latency: LatencySummary,
    /// The same from the packet's first flit on the link of its node.
    pub network_latency: LatencySummary,
    /// Of whole messages.
    pub message_latency: LatencySummary,
    /// Mean over the ports of U_port: the share of the time with full power.
    pub u_port: f64,
    /// Mean over the ports of the share of the time in which they send.
    pub sending: f64,
    /// Mean power of all links, those from nodes to their switches included, over that of links that are always on; one that is off
    /// draws nothing (Alonso et al. 2015).
    pub links_power: f64,
    /// The same of the channels between switches alone, links of nodes left out (Soteriou and Peh 2004, section V-A); none with one switch.
    #[serde(default)]
    pub channels_power: Option<f64>,
    pub wake_ups: u64,
    /// Events that the mechanisms of all switches have counted in words of their own, by the words' names, over the whole simulation; none of a mechanism without.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<String, u64>,
    /// Mean over the nodes of U_cpu: the share of the time in which they compute. None of synthetic traffic.
    pub u_cpu: Option<f64>,
    /// How an MPI program was replayed.
    pub replay: Option<ReplayOptions>,
    /// Powers are fractions of the maximum, energies such fractions times ns of run time (POWAR, section 2.3), W_ports by equation 1.
    pub power: Power,
    /// Powers in W, energies in J (Andújar et al. 2023, section 2).
    #[schemars(schema_with = "schema::numbers_of::<Watts>")]
    pub watts: Watts,
    /// Bits of payload that came in in the measured cycles ([`payload_bits`](super::energy::payload_bits)), of programs those of all messages that entered the network by their trace, and the network's energy by `watts` for each,
    /// J; none if none came in, and in what is kept from before there was this field.
    #[serde(default)]
    pub payload_bits: Option<u64>,
    #[serde(default)]
    pub j_per_bit: Option<f64>,
    /// The same as `power`, W_ports as in POWAR's worked example (equation 9): sleeping ports draw nothing.
    pub worked: Worked,
    /// Flits per link and cycle, of the links between switches.
    pub link_utilisation: LinkUtilisation,
    /// Idle gaps of the links between switches, if [`Simulation::oracle`](super::Simulation::oracle) asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<IdleLinks>,
    /// What happened over time, if [`Simulation::interval`](super::Simulation::interval) asks for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Interval>,
    /// What should be known of this run beside its figures, a line each: such as a policy that could not act in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Every link, all latencies and all flows, if [`Simulation::details`](super::Simulation::details) asks for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<Link>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub histogram: Option<Vec<HistogramBin>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flows: Option<Vec<FlowSummary>>,
    /// Of a mix of jobs, in the order of their start; `cycles` counts to the end of the last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<JobRecord>,
}

/// Power and energy by POWAR's model. Without a U_cpu nodes and cluster have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Power {
    pub w_net: f64,
    pub e_net: f64,
    pub w_nodes: Option<f64>,
    pub w_cluster: Option<f64>,
    pub e_cluster: Option<f64>,
}

impl Power {
    pub(super) fn new(consumption: &Consumption, has_nodes: bool) -> Power {
        let of_nodes = |value: f64| has_nodes.then_some(value);
        Power {
            w_net: consumption.w_net,
            e_net: consumption.e_net,
            w_nodes: of_nodes(consumption.w_nodes),
            w_cluster: of_nodes(consumption.w_cluster),
            e_cluster: of_nodes(consumption.e_cluster),
        }
    }
}

/// Power and energy by the accounting of POWAR's worked example. W_nodes is that of [`Power`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Worked {
    pub w_net: f64,
    pub e_net: f64,
    pub w_cluster: Option<f64>,
    pub e_cluster: Option<f64>,
}

impl Worked {
    pub(super) fn new(consumption: &Consumption, has_nodes: bool) -> Worked {
        let Power { w_net, e_net, w_cluster, e_cluster, .. } = Power::new(consumption, has_nodes);
        Worked { w_net, e_net, w_cluster, e_cluster }
    }
}

/// How much the links between switches carry, flits per link and cycle; none where there are no such links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LinkUtilisation {
    /// Mean over all of them. Of uniform traffic without end it is POWAR's U_max (section 3).
    pub mean: Option<f64>,
    /// Mean over those of the kind that carries most: a direction of a torus, the up-links of a tree's stage.
    pub highest: Option<f64>,
}

/// How a simulation is going.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The cycle under way, and the last one if it is known.
    pub cycle: u64,
    pub last: Option<u64>,
    pub counts: Counts,
}
