//! The options of `powar sim`, and the simulation that they describe.

use super::sim_help;
use crate::details::DetailArgs;
use crate::jobs::JobsArgs;
use crate::mechanism::MechanismArgs;
use crate::network::NetworkArgs;
use crate::program::ProgramArgs;
use crate::selection::{DEFAULT_PRESET, DEFAULT_TOPOLOGY, duration, seed, whole};
use crate::synthetic::SyntheticArgs;
use crate::under_way;
use anyhow::{Result, bail, ensure};
use clap::Parser;
use powar_config::{topology, units::Nanoseconds};
use powar_evaluation::experiment::read_point;
use powar_evaluation::network::{AUTO_WARM_UP, Interfaces, Simulation, Traffic};
use powar_traffic::synthetic::timeline::LAST_CYCLE;
use powar_traffic::synthetic::{SyntheticOptions, models};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

const SYNTHETIC: &str = "Synthetic traffic";
const RUN: &str = "Run and output";

/// Simulate a whole network, exact to the cycle
///
/// Builds the network of golden switches (those that the RTL is checked against), runs synthetic traffic, an MPI program or a mix of several on it, and
/// prints run time, latency, throughput, how long ports were awake, and power and energy by POWAR's model. docs/networks.md says what
/// the parts of a network do. A threshold at or above what the network's links can carry (U_max, measured) is said on stderr.
#[derive(clap::Args)]
#[command(next_help_heading = "Network", after_help = sim_help::AFTER_SHORT, after_long_help = sim_help::after_long(), mut_args(sim_help::first))]
pub struct Args {
    #[arg(long, value_name = "NAME", default_value = DEFAULT_TOPOLOGY, conflicts_with_all = ["network", "nodes_per_switch"],
          help = format!("Network: {}; the default is that of preset {DEFAULT_PRESET}", topology::forms()))]
    topology: String,
    #[command(flatten)]
    network: NetworkArgs,
    /// How switches route packets, one of the routings for the network (listed below) [default: the first of them]
    #[arg(long, value_name = "NAME")]
    routing: Option<String>,
    /// A policy of one of the power mechanisms (listed below), or ideal: reference with ports awake only while they send. Several as A,B,.. or all
    /// that the network can have: a table of them, relative to reference
    #[arg(long, value_name = "NAME", default_value_t = Simulation::default().policy)]
    pub(super) policy: String,
    /// Virtual channels of an input port: 1 to 8 [default: 4]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=8))]
    vcs: Option<usize>,
    /// Buffer of an input port, flits [default: 1024]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=4096))]
    buffer_flits: Option<usize>,
    /// Most flits of a packet [default: 8, of the model tasks 5]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1023))]
    packet_flits: Option<u16>,
    /// Longest packet that the switches are made for, flits: a virtual channel takes a packet when it has room for so many and six more
    /// [default: the longest one of this run]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1023))]
    max_packet_flits: Option<u16>,
    /// Time of a head flit through an empty switch and its link [default: 49.6ns, 31 cycles]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    hop: Option<Nanoseconds>,
    /// Let a hop take ceil(log2 N) - 4 cycles more in switches of N ports than --hop says: allocators grow
    #[arg(long)]
    hop_by_ports: bool,
    /// Delay of the links between nodes and switches [default: that of the others]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    node_link: Option<Nanoseconds>,
    /// What nodes have at their links: queues of messages without an end, or a network interface that packets go through over AXI4-Stream
    /// [default: messages; axi-stream with --rtl-nodes]
    #[arg(long, value_name = "KIND", value_parser = ["messages", "axi-stream"])]
    interfaces: Option<String>,

    /// Where nodes send to, or a model of the whole traffic (both listed below) [default: uniform]
    #[arg(long, value_name = "NAME", conflicts_with = "program", help_heading = SYNTHETIC)]
    traffic: Option<String>,
    /// When nodes send [default: bernoulli]
    #[arg(long, value_name = "NAME", conflicts_with = "program", help_heading = SYNTHETIC)]
    arrivals: Option<String>,
    /// Flits that each node sends a cycle, above 0 up to its links [default: 0.1]
    #[arg(long, value_name = "X", conflicts_with = "program", help_heading = SYNTHETIC)]
    load: Option<f64>,
    /// Cycles that are measured, behind the warm-up; in an experiment's file traffic.cycles counts the warm-up too [default: 100000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=LAST_CYCLE), conflicts_with = "program",
          help_heading = SYNTHETIC)]
    cycles: Option<u64>,
    /// Cycles with traffic before that, which are not measured; auto: as many as MSER-5 finds to be needed, in a run of its own in front of this one
    /// [default: 10000]
    #[arg(long, value_name = "N|auto", value_parser = under_way::warm_up, conflicts_with = "program", help_heading = SYNTHETIC)]
    pub(super) warm_up: Option<u64>,
    /// Seed of the traffic, or of the jobs' scheduler [default: 1]
    #[arg(long, value_name = "N", value_parser = seed, conflicts_with = "program", help_heading = SYNTHETIC)]
    seed: Option<u64>,

    /// Count the idle gaps of the links between switches, and what an oracle could switch off of them that knows them beforehand, with these
    /// transition times in cycles [default of the list: 1,10,100,1000,10000]
    #[arg(long, help_heading = RUN, value_name = "T,..", value_delimiter = ',', num_args = 0..=1, require_equals = true, default_missing_value = "1,10,100,1000,10000",
          value_parser = whole::<u64>(0..))]
    oracle: Option<Vec<u64>>,

    #[command(flatten)]
    synthetic: SyntheticArgs,
    #[command(flatten)]
    pub(super) details: DetailArgs,
    #[command(flatten)]
    pub(super) mechanism: MechanismArgs,
    #[command(flatten)]
    program: ProgramArgs,
    #[command(flatten)]
    jobs: JobsArgs,

    /// Repeat a point of an experiment, DIR/points/KEY.json of its results, from the folder that the experiment was run in, or what sim --json has printed;
    /// with no other option of the simulation
    #[arg(long, help_heading = RUN, value_name = "FILE", conflicts_with = "rtl_nodes")]
    pub(super) point: Option<PathBuf>,
    /// Replace the first N switches, or all, by the emitted Verilog in Verilator, and compare every output and register of each with its
    /// golden switch in every cycle
    #[arg(long, help_heading = RUN, value_name = "N|all", value_parser = rtl_parts)]
    pub(super) rtl: Option<usize>,
    /// Replace the network interfaces of the first N nodes, or of all, likewise
    #[arg(long, help_heading = RUN, value_name = "N|all", value_parser = rtl_parts)]
    pub(super) rtl_nodes: Option<usize>,
    /// Write waves here (.vcd), with files for GTKWave and Surfer beside them: phases of all ports, packets and hints on their links
    #[arg(long, help_heading = RUN, value_name = "FILE", conflicts_with_all = ["rtl", "rtl_nodes"])]
    pub(super) vcd: Option<PathBuf>,
    /// Cycles that the waves show [default: 0..100000]
    #[arg(long, help_heading = RUN, value_name = "FROM..TO", requires = "vcd", value_parser = vcd_cycles)]
    pub(super) vcd_cycles: Option<Range<u64>>,
    /// Threads that simulate switches where there is enough to do; the outcome is the same for any number [default: one for each core]
    #[arg(long, help_heading = RUN, value_name = "N", value_parser = whole::<usize>(1..=256), conflicts_with_all = ["rtl", "rtl_nodes"])]
    pub(super) threads: Option<usize>,
    /// Print as JSON
    #[arg(long, help_heading = RUN)]
    pub(super) json: bool,
}

/// The options alone.
#[derive(clap::Parser)]
struct Options {
    #[command(flatten)]
    args: Args,
}

impl Args {
    /// Their simulation, or that of `--point`.
    pub(super) fn simulation(&self) -> Result<Simulation> {
        let Some(point) = &self.point else { return self.described() };
        let usual = Options::try_parse_from(["sim"])?.args.described()?;
        ensure!(self.described()? == usual, "point: beside other options of the simulation, expected none of them");
        read_point(point)
    }

    /// The simulation that the options describe.
    fn described(&self) -> Result<Simulation> {
        self.described_under(&self.policy, self.mechanism_table()?)
    }

    /// The same under a policy, with these parameters of mechanisms.
    pub(super) fn described_under(&self, policy: &str, mechanism: BTreeMap<String, toml::Table>) -> Result<Simulation> {
        let default = Simulation::default();
        let synthetic = SyntheticOptions::default();
        let programs = self.programs();
        let warm_up = if programs.is_some() { 0 } else { self.warm_up.unwrap_or(10_000) };
        let most = LAST_CYCLE - self.measured();
        ensure!(
            warm_up == AUTO_WARM_UP || warm_up <= most,
            "warm_up: {warm_up} is out of range 0..={most}, in front of cycles = {}",
            self.measured()
        );
        let model = self.traffic.as_deref().and_then(models::by_name);
        let usual = model.map_or(default.packet_flits, |model| model.packet_flits);
        let packet_flits = self.packet_flits.or(self.synthetic.longest()).unwrap_or(usual);
        let traffic = match programs {
            Some(programs) => programs,
            None => Traffic::Synthetic(self.synthetic.lay(SyntheticOptions {
                pattern: self.traffic.clone().or(self.synthetic.pattern()).unwrap_or(synthetic.pattern),
                arrivals: self.arrivals.clone().unwrap_or(synthetic.arrivals),
                load: self.load.unwrap_or(synthetic.load),
                packet_flits: packet_flits.into(),
                seed: self.seed.unwrap_or(synthetic.seed),
                // A warm-up that is to be found comes in front of them later.
                cycles: self.measured() + if warm_up == AUTO_WARM_UP { 0 } else { warm_up },
                ..SyntheticOptions::default()
            })),
        };
        Ok(Simulation {
            topology: self.network.name()?.unwrap_or_else(|| self.topology.clone()),
            routing: self.routing.clone(),
            policy: policy.to_owned(),
            mechanism,
            vcs: self.vcs.unwrap_or(default.vcs),
            buffer_flits: self.buffer_flits.unwrap_or(default.buffer_flits),
            packet_flits,
            max_packet_flits: self.max_packet_flits,
            hop: self.hop.unwrap_or(default.hop),
            hop_by_ports: self.hop_by_ports,
            node_link: self.node_link,
            interfaces: self.interfaces()?,
            traffic,
            warm_up,
            oracle: self.oracle.clone().unwrap_or_default(),
            ..default
        })
    }

    /// Cycles of synthetic traffic that are to be measured.
    pub(super) fn measured(&self) -> u64 {
        self.cycles.unwrap_or(SyntheticOptions::default().cycles)
    }

    /// What runs until it ends by itself: a program or jobs.
    fn programs(&self) -> Option<Traffic> {
        let program = &self.program;
        let jobs = || self.jobs.options(self.seed, program.gap_scale(), program.lead()).map(Traffic::Jobs);
        program.options().map(Traffic::Trace).or_else(jobs)
    }

    /// Nodes of which some are Verilog have network interfaces.
    fn interfaces(&self) -> Result<Interfaces> {
        match (self.interfaces.as_deref(), self.rtl_nodes) {
            (Some("messages"), Some(_)) => bail!("interfaces: messages; with --rtl-nodes expected axi-stream"),
            (Some("messages"), None) | (None, None) => Ok(Interfaces::Messages),
            _ => Ok(Interfaces::AxiStream),
        }
    }

    /// The parameters given, below the name of the policy's mechanism.
    fn mechanism_table(&self) -> Result<BTreeMap<String, toml::Table>> {
        let named = Simulation { policy: self.policy.clone(), ..Simulation::default() };
        let mechanism = named.power_mechanism()?;
        Ok([(mechanism.name.to_owned(), self.mechanism.table(mechanism, &self.policy)?)].into())
    }
}

/// Cycles that waves show, the last one not included.
fn vcd_cycles(text: &str) -> Result<Range<u64>, String> {
    let range = text.split_once("..").and_then(|(from, to)| Some(from.parse().ok()?..to.parse().ok()?));
    let range = range.filter(|range: &Range<u64>| !range.is_empty() && range.end <= LAST_CYCLE);
    range.ok_or_else(|| format!("expected FROM..TO, two whole numbers with 0 <= FROM < TO <= {LAST_CYCLE}"))
}

/// A number of switches or nodes, or all of them.
fn rtl_parts(text: &str) -> Result<usize, String> {
    match (text, text.parse()) {
        ("all", _) => Ok(usize::MAX),
        (_, Ok(parts)) if parts > 0 => Ok(parts),
        _ => Err("expected a number from 1 on, or all".into()),
    }
}
