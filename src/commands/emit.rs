//! `powar emit`: Verilog, file list, core description, configuration.

use super::{as_json, lines_of, print, print_json, warn};
use crate::network::NetworkArgs;
use crate::selection::{Selection, seed, whole};
use anyhow::{Result, ensure};
use clap::ValueEnum;
use powar_config::{Config, Prefix, registers};
use powar_evaluation::network_files;
use powar_golden::deadlock_freedom;
use powar_hdl::verilog::Design;
use powar_synth::{Clocked, Crossing, crossing_constraints, vivado_scripts, vivado_target};
use powar_testbenches::{twins, verilog_testbench};
use powar_tools::write_owned;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a design as Verilog-2005
///
/// Writes one file per module, their list in the order of reading (TOP.f), a FuseSoC core (TOP.core) with that list, the
/// top module and a target lint, an IP-XACT component (TOP.xml) with ports and bus interfaces, and the configuration used
/// (config.toml). With --testbench a bench in Verilog-2005 comes too (TOP_tb.v), with the inputs and the outputs expected in
/// every cycle, a script that runs it and a page about it, and the core has a target sim. With --network the switch is one of
/// the network in the file, and its tables, a description and drawings come with it. The same configuration always gives the
/// same files, byte for byte.
///
/// Every name begins with that of the configuration, and those of inner modules with that of the top module behind it, such as
/// fat_tree_8_power_controller_selector: designs of several configurations, and several of one, can live in one project. --prefix gives
/// another beginning. A folder holds one design; what was written there is in files.sha256.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    network: NetworkArgs,
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// What all names begin with: letters, digits and _, first a letter; with "" they are bare, for a design that is alone [default: the
    /// configuration's name]
    #[arg(long, value_name = "NAME", value_parser = prefix)]
    prefix: Option<Prefix>,
    /// Replace the design that an earlier run wrote there; never a file that it did not write, or that was changed since
    #[arg(long)]
    force: bool,
    /// What to write; the power controller unless given, with --network the switch
    #[arg(long, value_enum)]
    top: Option<Top>,
    /// Write the network of the configuration as well: its routing tables as register writes (tables/switch-K.txt), what is connected where (network.json),
    /// drawings of it (network.svg, network.dot); so does --network
    #[arg(long)]
    tables: bool,
    /// Write a self-checking Verilog test bench as well, which drives the design for CYCLES cycles and needs no Rust
    #[arg(long, value_name = "CYCLES", num_args = 0..=1, default_missing_value = "2000", value_parser = whole::<u64>(3..=MOST_BENCH_CYCLES))]
    testbench: Option<u64>,
    /// Seed of what the test bench drives it with
    #[arg(long, value_name = "N", default_value_t = 1, requires = "testbench", value_parser = seed)]
    seed: u64,
    /// Write a script and constraints for Vivado as well, which place and route the design for this chip of Xilinx's, without pins
    #[arg(long, value_name = "CHIP", num_args = 0..=1, default_missing_value = "xc7a100t")]
    vivado: Option<String>,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  powar emit --preset torus-28 --out build/torus
  powar emit --top switch --preset star-16 --testbench --out build/star
  powar emit --top network-interface --preset star-16 --out build/node
  powar emit --top switch --preset star-16 --prefix left --out build/left
  powar emit --network experiments/networks/random-40.edges --out build/random
  powar emit --preset fat-tree-8 --testbench 5000 --out build/tree
  sh build/tree/fat_tree_8_power_controller_tb.sh icarus
  fusesoc --cores-root build/tree run --target=lint power_controller
  powar emit --top switch --preset fat-tree-2 --vivado --out build/vivado
  cd build/vivado && vivado -mode batch -source build.tcl";

/// Most cycles of a test bench: its vectors are one file, which a simulator holds in its memory.
const MOST_BENCH_CYCLES: u64 = 1_000_000;

/// A design that can be written.
#[derive(Clone, Copy, ValueEnum)]
enum Top {
    /// The whole switch, with its register map as a C header, a page and JSON
    Switch,
    /// The switch with a node at each port, which stands for all behind it, and a serial port: what the FPGA demonstrator is made of
    Demonstrator,
    /// The power controller of a switch
    Controller,
    /// The selector of one requester (Algorithm 1) alone
    Selector,
    /// What makes packets of an AXI4-Stream and streams of packets, at a port of a switch
    NetworkInterface,
    /// Registers on a link between chips
    LinkStage,
    /// What goes on a link whose ends have different clocks, with timing constraints for Vivado (.xdc) and Quartus (.sdc)
    LinkCrossing,
}

impl Top {
    fn block(self) -> &'static str {
        match self {
            Top::Switch => twins::SWITCH,
            Top::Demonstrator => twins::DEMONSTRATOR,
            Top::Controller => twins::CONTROLLER,
            Top::Selector => "selector",
            Top::NetworkInterface => twins::NETWORK_INTERFACE,
            Top::LinkStage => "link_stage",
            Top::LinkCrossing => "link_crossing",
        }
    }

    /// Has a switch in it.
    fn has_switch(self) -> bool {
        matches!(self, Top::Switch | Top::Demonstrator)
    }
}

#[derive(Serialize)]
struct Written {
    top: String,
    modules: Vec<String>,
    files: Vec<PathBuf>,
}

fn prefix(text: &str) -> Result<Prefix, String> {
    Prefix::given(text).map_err(|error| error.to_string())
}

/// The FuseSoC core in this library, with the bench if there is one among the files of `bench`.
fn core(library: &str, design: &Design, bench: &[(String, String)]) -> (String, String) {
    let core = design.core(library);
    let ending = |ending: &str| bench.iter().map(|(name, _)| name).find(|name| name.ends_with(ending));
    match (ending(".v"), ending(".hex")) {
        (Some(source), Some(vectors)) => core.with_bench(source.trim_end_matches(".v"), source, vectors).file(),
        _ => core.file(),
    }
}

/// The timing constraints of a crossing, for Vivado and Quartus; none of another top.
fn crossing(top: Top, design: &Design) -> Vec<(String, String)> {
    if !matches!(top, Top::LinkCrossing) {
        return vec![];
    }
    let description = &design.description;
    let registers = description.registers.iter().map(|register| register.path.as_str());
    let memories = description.memories.iter().map(|memory| memory.name.as_str());
    crossing_constraints(&Crossing::new(&description.top, registers, memories)).into()
}

/// The script and the clocks for Vivado; the first of the other constraints is Vivado's.
fn vivado(design: &Design, chip: &str, constraints: &[(String, String)]) -> Result<[(String, String); 2]> {
    let sources: Vec<String> = design.modules.iter().map(|module| format!("{}.v", module.name)).collect();
    let ports = design.description.ports.iter().filter(|port| port.clock);
    let clocks: Vec<&str> = ports.map(|port| port.name.as_str()).collect();
    let of = Clocked { clocks: &clocks, scoped: constraints.first().map(|(name, _)| name.as_str()) };
    vivado_scripts(&design.description.top, &sources, &of, &vivado_target(chip)?)
}

/// What this top needs of a configuration.
fn check(top: Top, config: &Config) -> Result<()> {
    match top {
        Top::Switch => _ = config.check_switch()?,
        Top::Demonstrator => _ = registers::demonstrator::check(config)?,
        Top::NetworkInterface => config.switch.check_network_interface()?,
        Top::Controller | Top::Selector | Top::LinkStage | Top::LinkCrossing => (),
    }
    if top.has_switch() {
        deadlock_freedom::assure(config)?;
    }
    Ok(())
}

pub fn run(args: Args) -> Result<ExitCode> {
    as_json(args.json, "out", &args.out)?;
    let (config, names) = match args.network.config()? {
        Some((config, names)) => {
            ensure!(!args.selection.is_given(), "network: beside --preset or --config, expected one of them");
            (config, Some(names))
        }
        None => (args.selection.config()?, None),
    };
    let top = args.top.unwrap_or(if names.is_some() { Top::Switch } else { Top::Controller });
    check(top, &config)?;
    let ports = config.ports;
    let unused = config.requesters.filter(|&requesters| top.has_switch() && requesters != ports);
    warn(unused.map(|requesters| {
        format!("requesters: {requesters} is for a controller alone; a switch has one a port, {ports}")
    }));
    let prefix = args.prefix.clone().map_or_else(|| Prefix::of(&config), Ok)?;
    let design = twins::prefixed_design(&config, top.block(), prefix.clone())?;
    let bench = match args.testbench {
        Some(cycles) => verilog_testbench::of_block(&config, top.block(), &design, cycles, args.seed)?,
        None => vec![],
    };
    let mut files = design.files();
    // Cores are told apart by their library: the name of the configuration, or what was given for it.
    let given = args.prefix.as_ref().map(Prefix::stem).filter(|stem| !stem.is_empty());
    let library = given.unwrap_or(&config.name);
    files.push(core(library, &design, &bench));
    files.push(design.ip_xact(library));
    files.push(("config.toml".into(), config.to_toml()));
    if top.has_switch() {
        files.extend(registers::files(&config, &prefix));
    }
    if matches!(top, Top::Demonstrator) {
        files.extend(registers::demonstrator::files(&config, &prefix));
        files.push(registers::demonstrator::Site::new(&config)?.file());
    }
    let constraints = crossing(top, &design);
    if let Some(chip) = &args.vivado {
        files.extend(vivado(&design, chip, &constraints)?);
    }
    files.extend(constraints);
    files.extend(bench);
    if args.tables || names.is_some() {
        let tables = args.tables || network_files::tables_fit(&config);
        warn((!tables).then(|| "tables: are too long as text and left out; --tables says how long".into()));
        files.extend(network_files::network_files(&config, &names.unwrap_or_default(), tables)?);
    }
    let written = write_owned(&args.out, &files, args.force)?;
    if args.json {
        let modules = design.modules.iter().map(|module| module.name.clone()).collect();
        print_json(&Written { top: design.description.top, modules, files: written })?;
    } else {
        print(lines_of(&written, ""))?;
    }
    Ok(ExitCode::SUCCESS)
}
