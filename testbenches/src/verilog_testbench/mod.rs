//! A self-checking Verilog test bench beside an emitted design: for whoever has a simulator and no Rust.
//!
//! The golden model is run once under a stimulus; what it was given and what it showed in every cycle goes into a vector file. The
//! bench drives the design with the one and compares every output with the other, in every cycle, in any simulator that reads
//! Verilog-2005:
//!
//! ```text
//! <top>_tb.v     the bench
//! <top>_tb.hex   vectors for $readmemh, one line a cycle
//! <top>_tb.f     the design's files and the bench, in the order of reading
//! <top>_tb.sh    runs it: sh <top>_tb.sh icarus|verilator
//! <top>_tb.md    the commands by hand, and what the files hold
//! ```

mod bench;
mod guide;
mod vectors;

use crate::dut::lockstep_top::edge_input;
use crate::expected_routing::ExpectedRouting;
use crate::stimulus::{
    CrossingClocks, CrossingLoad, CrossingTraffic, LinkOptions, LinkTraffic, Scenario, Stimulus, TrafficKind,
};
use crate::twins;
use anyhow::{Result, ensure};
use bench::ClockPort;
use powar_config::{Config, CycleModel, Layout, Meaning, Role, SignalDecl};
use powar_hdl::verilog::Design;
use vectors::{Fields, Vectors};

/// Flits a cycle that each source makes.
const LOAD: f64 = 0.5;

/// The files of a test bench for a block, as (name, text): `cycles` cycles on random inputs from `seed`, the switch on traffic at its
/// links. `design` is the block's.
///
/// # Errors
/// An unknown block; as of [`files`].
pub fn of_block(
    config: &Config,
    block: &str,
    design: &Design,
    cycles: u64,
    seed: u64,
) -> Result<Vec<(String, String)>> {
    let mut golden = twins::golden(config, block)?;
    let layout = golden.layout().clone();
    let (mut stimulus, what): (Box<dyn Stimulus>, &str) = if block == twins::SWITCH {
        let routing = ExpectedRouting::new(config, 0, 0)?;
        let mut options = LinkOptions::rough(TrafficKind::Uniform, LOAD, seed);
        // Short runs: ports should sleep in them.
        options.disturbances.register_write = 40;
        let traffic = LinkTraffic::new(config, &routing, &layout, options)?;
        (Box::new(traffic), "Uniform traffic on all links, with everything that can go wrong there,")
    } else if layout.inputs.iter().any(|signal| signal.meaning == Meaning::ClockEdge) {
        let clocks = CrossingClocks::new([5, 5], seed % 5).with_jitter(1).with_stops(400, 40);
        let load = CrossingLoad { reset_every: 4000, ..CrossingLoad::LIVELY };
        let traffic = CrossingTraffic::new(config, &layout, clocks, load, seed);
        (Box::new(traffic), "Flits and credits between two clocks that come close to each other and go apart,")
    } else {
        (Box::new(Scenario::lively(seed).stimulus(config, &layout)), "Random inputs")
    };
    let about = format!("{what} of seed {seed}, {}", config.name);
    files(design, &mut *golden, &mut *stimulus, cycles, &about)
}

/// The files of a test bench, as (name, text): of `cycles` cycles of the golden twin of `design` under `stimulus`.
///
/// `about` says in a few words what drives it, for the comments.
///
/// # Errors
/// A design without clock and reset, or with other ports than its golden twin shows.
pub fn files(
    design: &Design,
    golden: &mut dyn CycleModel,
    stimulus: &mut dyn Stimulus,
    cycles: u64,
    about: &str,
) -> Result<Vec<(String, String)>> {
    let top = &design.description.top;
    let layout = golden.layout().clone();
    let clocks = clocks(design, &layout)?;
    same_ports(design, &layout, &clocks)?;
    let fields = Fields::new(&layout);
    let vectors = Vectors::record(golden, stimulus, &fields, cycles, about);
    let list: String = design.modules.iter().map(|module| format!("{}.v\n", module.name)).collect();
    Ok(vec![
        (format!("{top}_tb.v"), bench::verilog(top, &fields, &clocks, cycles, about)),
        (format!("{top}_tb.hex"), vectors.text),
        (format!("{top}_tb.f"), format!("{list}{top}_tb.v\n")),
        (format!("{top}_tb.sh"), guide::script(top)),
        (format!("{top}_tb.md"), guide::page(top, cycles, about)),
    ])
}

/// The clocks of a design: `clk`, or several whose edges its golden twin is told.
fn clocks(design: &Design, layout: &Layout) -> Result<Vec<ClockPort>> {
    let top = &design.description.top;
    let clock = |name: &String| {
        let edge = edge_input(name).filter(|edge| layout.input(edge).is_some());
        ensure!(name == "clk" || edge.is_some(), "{top}: its golden model is not told of the clock `{name}`");
        Ok(ClockPort { name: name.clone(), edge })
    };
    let clocks: Vec<ClockPort> = design
        .description
        .ports
        .iter()
        .filter(|port| port.clock)
        .map(|port| clock(&port.name))
        .collect::<Result<_>>()?;
    ensure!(!clocks.is_empty(), "{top} has no clock");
    Ok(clocks)
}

/// The bench connects ports by the names of the golden model's signals; both must mean the same.
fn same_ports(design: &Design, layout: &Layout, clocks: &[ClockPort]) -> Result<()> {
    let top = &design.description.top;
    let is_port = |signal: &&SignalDecl| clocks.iter().all(|clock| clock.edge.as_ref() != Some(&signal.name));
    let outputs = layout.observed.iter().filter(|signal| signal.role == Role::Output);
    let signals = || layout.inputs.iter().chain(outputs.clone()).filter(is_port);
    let ports = || design.description.ports.iter().filter(|port| !port.clock);
    ensure!(layout.inputs.iter().any(|signal| signal.meaning == Meaning::Reset), "{top} has no reset");
    for signal in signals() {
        let bits = signal.rows * signal.width;
        let input = signal.role == Role::Input;
        let twin = ports().any(|port| port.name == signal.name && port.width == bits && port.input == input);
        ensure!(twin, "{top} has no port `{}` of {bits} bits, which its golden model has", signal.name);
    }
    ensure!(ports().count() == signals().count(), "{top} has ports that its golden model does not have");
    Ok(())
}
