//! `powar emit`: Verilog, file list, core description, configuration.

use super::{as_json, lines_of, print, print_json, warn};
use crate::network::NetworkArgs;
use crate::selection::{Selection, seed, whole};
use anyhow::{Result, ensure};
use clap::ValueEnum;
use powar_config::{Config, registers};
use powar_evaluation::network_files;
use powar_golden::deadlock_freedom;
use powar_hdl::verilog::Design;
use powar_synth::{Target, vivado_scripts};
use powar_testbenches::{twins, verilog_testbench};
use powar_tools::write_files;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write a design as Verilog-2005
///
/// Writes one file per module, their list in the order of reading (power_controller.f), a FuseSoC core (powar.core) with that list, the
/// top module and a target lint, and the configuration used (config.toml). With --testbench, a bench in Verilog-2005 comes with it
/// (power_controller_tb.v), with the inputs and the outputs expected in every cycle, a script that runs it and a page about it, and the
/// core has a target sim. With --network the switch is one of the network in the file, and
/// its tables, a description and drawings come with it. The same configuration always gives the same files, byte for byte.
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
  powar emit --preset torus-28 --out build/
  powar emit --top switch --preset star-16 --testbench --out build/
  powar emit --top demonstrator --preset demonstrator-4 --out build/
  powar emit --preset fat-tree-8 --testbench 5000 --out build/
  powar emit --network experiments/networks/random-40.edges --out build/
  sh build/power_controller_tb.sh icarus
  fusesoc --cores-root build/ run --target=lint power_controller
  fusesoc --cores-root build/ run --target=sim power_controller
  powar emit --top switch --preset fat-tree-2 --vivado --out build/
  cd build && vivado -mode batch -source build.tcl";

/// Most cycles of a test bench: its vectors are one file, which a simulator holds in its memory.
const MOST_BENCH_CYCLES: u64 = 1_000_000;

/// A design that can be written.
#[derive(Clone, Copy, ValueEnum)]
enum Top {
    /// The whole switch, with its register map as a C header, a page and JSON
    Switch,
    /// The switch with a node at each port and a serial port, for a star: what the FPGA demonstrator is made of
    Demonstrator,
    /// The power controller of a switch
    Controller,
    /// The selector of one requester (Algorithm 1) alone
    Selector,
    /// What goes on a link whose ends have different clocks
    LinkCrossing,
}

impl Top {
    fn block(self) -> &'static str {
        match self {
            Top::Switch => twins::SWITCH,
            Top::Demonstrator => twins::DEMONSTRATOR,
            Top::Controller => twins::CONTROLLER,
            Top::Selector => "selector",
            Top::LinkCrossing => "link_crossing",
        }
    }
}

#[derive(Serialize)]
struct Written {
    top: String,
    modules: Vec<String>,
    files: Vec<PathBuf>,
}

/// The FuseSoC core, with the bench if there is one among the files of `bench`.
fn core(config: &Config, design: &Design, bench: &[(String, String)]) -> (String, String) {
    let core = design.core(&config.name);
    let ending = |ending: &str| bench.iter().map(|(name, _)| name).find(|name| name.ends_with(ending));
    match (ending(".v"), ending(".hex")) {
        (Some(source), Some(vectors)) => core.with_bench(source.trim_end_matches(".v"), source, vectors).file(),
        _ => core.file(),
    }
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
    match top {
        Top::Switch => _ = config.check_switch()?,
        Top::Demonstrator => _ = registers::demonstrator::check(&config)?,
        Top::LinkCrossing => ensure!(
            args.vivado.is_none() && args.testbench.is_none(),
            "top: link-crossing has two clocks; --vivado and --testbench are for designs with one"
        ),
        Top::Controller | Top::Selector => (),
    }
    if matches!(top, Top::Switch | Top::Demonstrator) {
        deadlock_freedom::assure(&config)?;
    }
    let design = twins::design(&config, top.block())?;
    let bench = match args.testbench {
        Some(cycles) => verilog_testbench::of_block(&config, top.block(), &design, cycles, args.seed)?,
        None => vec![],
    };
    let mut files = design.files();
    files.push(core(&config, &design, &bench));
    files.push(("config.toml".into(), config.to_toml()));
    if matches!(top, Top::Switch | Top::Demonstrator) {
        files.extend(registers::files(&config));
    }
    if matches!(top, Top::Demonstrator) {
        files.extend(registers::demonstrator::files(&config));
    }
    if let Some(chip) = &args.vivado {
        let sources: Vec<String> = design.modules.iter().map(|module| format!("{}.v", module.name)).collect();
        files.extend(vivado_scripts(&design.description.top, &sources, &Target::named(chip)?)?);
    }
    files.extend(bench);
    if args.tables || names.is_some() {
        let tables = args.tables || network_files::tables_fit(&config);
        warn((!tables).then(|| "tables: are too long as text and left out; --tables says how long".into()));
        files.extend(network_files::network_files(&config, &names.unwrap_or_default(), tables)?);
    }
    let written = write_files(&args.out, &files)?;
    if args.json {
        let modules = design.modules.iter().map(|module| module.name.clone()).collect();
        print_json(&Written { top: design.description.top, modules, files: written })?;
    } else {
        print(lines_of(&written, ""))?;
    }
    Ok(ExitCode::SUCCESS)
}
