//! RTL in the loop: a network in which some switches or nodes, or all, are the emitted Verilog in Verilator.
//!
//! What the other parts get is what the Verilog's links show. Beside each of these switches and network interfaces runs the golden
//! one, on the same inputs; every output and every register of the two is compared in every cycle, from reset on. A golden part that
//! is equal all the time would have done the same in its place, and so, by induction over the cycles, the whole network does what the
//! golden one does.

mod frames;
mod interface;
mod looped;
mod ring;
mod switch;

pub use ring::{RingOptions, RingReport, RingWaves, check_ring, ring_of, run_ring};

use crate::lockstep::Difference;
use crate::twins;
use crate::waves::save_window;
use anyhow::{Result, ensure};
use frames::UpperWords;
use interface::LoopInterface;
use powar_config::routing::table;
use powar_config::routing::tables::RoutingTables;
use powar_evaluation::network::{Interfaces, Outcome, Progress as Cycles, Simulation, simulate_on};
use powar_golden::network::{Network, NodeModel};
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;
use switch::LoopSwitch;

/// How many switches and nodes of a network are to be the emitted Verilog: the first ones, `usize::MAX` for all.
#[derive(Clone, Copy, Debug, Default)]
pub struct RtlParts {
    pub switches: usize,
    pub nodes: usize,
}

/// Parts of one kind as compiled Verilog ([`twins::looped`]).
#[derive(Clone, Copy, Debug)]
pub struct Compiled<'a> {
    /// How many of them, as of [`RtlParts`]: 1 or more.
    pub count: usize,
    pub library: &'a Path,
    /// A deliberate fault to switch on in all of them, if the library holds some (0 = none).
    pub fault: Option<u64>,
}

/// What of a network is the emitted Verilog.
#[derive(Clone, Copy, Debug, Default)]
pub struct Verilog<'a> {
    pub switches: Option<Compiled<'a>>,
    /// For networks whose nodes have network interfaces ([`Interfaces::AxiStream`]).
    pub nodes: Option<Compiled<'a>>,
}

/// What came of a simulation with RTL in the loop.
#[derive(Debug, Serialize)]
pub struct LoopReport {
    /// What the network did; nothing if it came to no end after a difference.
    pub outcome: Outcome,
    /// Switches and nodes that were the emitted Verilog.
    pub rtl_switches: usize,
    pub rtl_nodes: usize,
    pub equal: bool,
    /// Cycles of the whole network, all compared if equal.
    pub cycles: u64,
    /// Outputs and registers compared in every cycle of every such switch, and of every such node (rows).
    pub signals: usize,
    pub node_signals: usize,
    /// Simulated cycles of the network a second, without the compilation.
    pub cycles_per_second: f64,
    /// The first difference, in words, and its waves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vcd: Option<PathBuf>,
}

/// Runs a simulation in which some parts are the emitted Verilog, and the same once more on golden ones alone: both must come to the same.
/// A difference is not an error: it is in the report, its waves at `difference_vcd`.
///
/// # Errors
/// As of [`powar_evaluation::network::simulate`]; no part is to be Verilog, or nodes without network interfaces; missing tools; files that
/// can't be written.
pub fn simulate(
    simulation: &Simulation,
    rtl: RtlParts,
    difference_vcd: &Path,
    tools: &Tools,
    progress: &Progress,
    watch: &mut dyn FnMut(&Cycles),
) -> Result<LoopReport> {
    let config = simulation.network()?.config;
    let library = |count: usize, block: &str| -> Result<Option<PathBuf>> {
        let build = || twins::looped(&config, block, twins::golden(&config, block)?.layout(), tools, progress);
        if count > 0 { build().map(Some) } else { Ok(None) }
    };
    let (switch, node) = (library(rtl.switches, twins::SWITCH)?, library(rtl.nodes, twins::NETWORK_INTERFACE)?);
    let compiled =
        |count: usize, library| Option::map(library, |library: &'_ PathBuf| Compiled { count, library, fault: None });
    let verilog =
        Verilog { switches: compiled(rtl.switches, switch.as_ref()), nodes: compiled(rtl.nodes, node.as_ref()) };
    simulate_with(simulation, &verilog, difference_vcd, watch)
}

/// [`simulate`] with Verilog that has been compiled.
///
/// # Errors
/// As of [`simulate`].
pub fn simulate_with(
    simulation: &Simulation,
    verilog: &Verilog,
    difference_vcd: &Path,
    watch: &mut dyn FnMut(&Cycles),
) -> Result<LoopReport> {
    let parameters = simulation.network()?;
    let config = &parameters.config;
    let places = parameters.wiring()?.places;
    ensure!(verilog.switches.is_some() || verilog.nodes.is_some(), "rtl: neither switches nor nodes are to be Verilog");
    let has_interfaces = simulation.interfaces == Interfaces::AxiStream;
    let upper = if has_interfaces { UpperWords::OfStream } else { UpperWords::ByPlaceInTime };
    let tables = config.routing_sees().table.then(|| RoutingTables::of(config)).transpose()?;
    let make = |number: u32, golden| match verilog.switches.filter(|rtl| (number as usize) < rtl.count) {
        Some(rtl) => {
            let number = number as usize;
            let table = tables.as_ref().map_or_else(Vec::new, |tables| table::writes(config, tables, number));
            LoopSwitch::rtl(golden, config, places[number], upper, &table, (rtl.library, rtl.fault))
        }
        None => Ok(LoopSwitch::golden(golden)),
    };
    let run = Run { simulation, verilog, difference_vcd };
    if has_interfaces {
        let make_interface = |number: u32, _| match verilog.nodes.filter(|rtl| (number as usize) < rtl.count) {
            Some(rtl) => LoopInterface::rtl(config, (rtl.library, rtl.fault)),
            None => Ok(LoopInterface::golden(config)),
        };
        let network = Network::with_streams(&parameters, make, make_interface)?;
        run.report(network, |node| node.interface().difference(), watch)
    } else {
        ensure!(verilog.nodes.is_none(), "interfaces: of messages; nodes as Verilog need those of axi-stream");
        run.report(Network::with_switches(&parameters, make)?, |_| None, watch)
    }
}

/// A simulation with RTL in the loop.
struct Run<'a> {
    simulation: &'a Simulation,
    verilog: &'a Verilog<'a>,
    difference_vcd: &'a Path,
}

impl Run<'_> {
    /// Runs it; `of_node`: the first difference of a node.
    fn report<N: NodeModel>(
        &self,
        mut network: Network<LoopSwitch, N>,
        of_node: impl Fn(&N) -> Option<&Difference>,
        watch: &mut dyn FnMut(&Cycles),
    ) -> Result<LoopReport> {
        let start = Instant::now();
        let outcome = simulate_on(self.simulation, &mut network, watch);
        let seconds = start.elapsed().as_secs_f64();
        let config = network.parameters().config.clone();
        let signals = |rtl: Option<Compiled>, block: &str| match rtl {
            Some(_) => Ok(twins::golden(&config, block)?.layout().observed_slots()),
            None => anyhow::Ok(0),
        };
        let count = |rtl: Option<Compiled>, of: usize| rtl.map_or(0, |rtl| rtl.count.min(of));
        let Verilog { switches, nodes } = *self.verilog;
        let mut report = LoopReport {
            rtl_switches: count(switches, network.switches().len()),
            rtl_nodes: count(nodes, network.nodes()),
            equal: true,
            cycles: network.now(),
            signals: signals(switches, twins::SWITCH)?,
            node_signals: signals(nodes, twins::NETWORK_INTERFACE)?,
            cycles_per_second: network.now() as f64 / seconds,
            difference: None,
            vcd: None,
            outcome: Outcome::default(),
        };
        let of_switches = network.switches().iter().map(LoopSwitch::difference).enumerate();
        let of_switches = of_switches.map(|(number, difference)| ("switch", twins::SWITCH, number, difference));
        let of_nodes = (0..network.nodes()).map(|number| (number, of_node(network.node(number))));
        let of_nodes = of_nodes.map(|(number, difference)| ("node", twins::NETWORK_INTERFACE, number, difference));
        let differences = of_switches.chain(of_nodes);
        let differences = differences.filter_map(|(what, block, number, of)| Some((what, block, number, of?)));
        // What goes wrong after a difference comes of it.
        if let Some((what, block, number, difference)) = differences.min_by_key(|(.., difference)| difference.cycle) {
            let layout = twins::golden(&config, block)?.layout().clone();
            save_window(self.difference_vcd, block, &config, &layout, &difference.window)?;
            report.outcome = outcome.unwrap_or_default();
            report.equal = false;
            report.difference = Some(format!("{what} {number}: {difference}"));
            report.vcd = Some(self.difference_vcd.to_owned());
            return Ok(report);
        }
        report.outcome = outcome?;
        let golden = powar_evaluation::network::simulate(self.simulation, &mut |_| ())?;
        ensure!(
            golden == report.outcome,
            "the network of golden parts came to something else than the one with Verilog in it"
        );
        Ok(report)
    }
}
