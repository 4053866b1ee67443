//! `powar host`: the FPGA demonstrator at the end of a serial port.

use super::{lines_of, print, warn};
use crate::layout::{width, wrapped};
use crate::selection::{Selection, whole};
use anyhow::{Context, Result};
use clap::{Subcommand, ValueEnum};
use powar_config::{Config, Prefix, document};
use powar_host::files::files;
use powar_host::live::Screen;
use powar_host::names::number;
use powar_host::routing_table;
use powar_host::script::{self, Answer, seconds};
use powar_host::traffic::{self, Traffic};
use powar_host::watch::{Sample, Snapshot};
use powar_host::{Device, Names, Value, table};
use powar_testbenches::demonstrator::{self, Library, Machine, Terminal};
use powar_tools::shell_word;
use powar_tools::{Progress, Tools, write_owned};
use serde::Serialize;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Talk to the FPGA demonstrator over its serial port
///
/// Registers go by name: switch.policy, port3.flits, demo.control, node0.load; with a part of the word behind, port3.status.phase; with * for
/// all ports or nodes, port*.flits. `powar host list` has them all. The device must be of the configuration given.
#[derive(clap::Args)]
#[command(
    after_help = EXAMPLES,
    mut_arg("preset", |preset| preset.help(PRESET).global(true)),
    mut_arg("config", |config| config.global(true)),
)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Serial port, pseudo-terminal, or tcp:HOST:PORT of a simulated serial port
    #[arg(long, value_name = "PORT", default_value = "/dev/ttyUSB0", global = true)]
    port: String,
    /// Bits a second
    #[arg(long, value_name = "N", default_value_t = 115_200, value_parser = whole::<u32>(1..=12_000_000), global = true)]
    baud: u32,
    /// Longest wait for an answer
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time, global = true)]
    timeout: Duration,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    action: Action,
}

/// The demonstrator that `powar bitstream` makes without options.
const DEFAULT: &str = "demonstrator-4";
const PRESET: &str =
    "Configuration of the device; `powar presets` lists them [default: demonstrator-4, that of `powar bitstream`]";

const EXAMPLES: &str = "\
Examples:
  powar host get switch.policy 'port*.status.phase'
  powar host set switch.pdt 2000
  powar host traffic --pattern uniform --load 0.2 --start
  powar host watch --every 500ms
  powar host --config network.toml load-table
  powar host --json script measure.txt
  powar host simulate
  powar host --port /dev/pts/5 watch";

#[derive(Subcommand)]
enum Action {
    /// Print the registers and their addresses; needs no device
    List {
        /// Write the demonstrator's registers as a C header, a page, JSON and SystemRDL instead, and all of them as csr.csv of LiteX
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// Replace what was written there for another configuration
        #[arg(long, requires = "out")]
        force: bool,
    },
    /// Print registers
    Get {
        /// Names of registers
        #[arg(required = true, value_name = "NAME")]
        names: Vec<String>,
    },
    /// Set a register, or a part of it
    Set {
        #[arg(value_name = "NAME")]
        name: String,
        /// Decimal, or hexadecimal behind 0x
        #[arg(value_name = "VALUE", value_parser = value)]
        value: u32,
    },
    /// Show what ports and nodes do: power states, energy, loads, errors; a live table on a terminal
    Watch {
        /// From a look to the next
        #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time)]
        every: Duration,
        /// Looks; without a limit unless given
        #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX))]
        count: Option<u64>,
    },
    /// Set the generators, start or stop them
    Traffic(TrafficArgs),
    /// Load the routing table of the switch, if it is routed by one: without it all packets are dropped
    LoadTable {
        /// Register writes such as emit's tables/switch-K.txt; that of the switch's place in its network unless given
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Set all counters to 0
    ResetCounters,
    /// Simulate the device until it is interrupted, and print the pseudo-terminal that it is at
    Simulate {
        /// What is simulated
        #[arg(long, value_enum, default_value_t = Model::Verilog)]
        model: Model,
    },
    /// Run commands from a file: get NAME.., set NAME VALUE, traffic start|stop, load-table, load-table FILE, reset-counters, sleep TIME, watch TIME
    Script {
        /// The file; - for standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

#[derive(clap::Args)]
struct TrafficArgs {
    /// A node to be set; again for more [default: all]
    #[arg(long, value_name = "N")]
    node: Vec<usize>,
    /// Where packets go
    #[arg(long, value_enum)]
    pattern: Option<Pattern>,
    /// Node that packets go to, pattern fixed
    #[arg(long, value_name = "N")]
    destination: Option<u32>,
    /// Flits a cycle in a burst, 0..=1
    #[arg(long, value_name = "X")]
    load: Option<f64>,
    /// Cycles of a burst, and of the pause behind it
    #[arg(long, value_name = "ON/OFF", value_parser = burst)]
    burst: Option<(u32, u32)>,
    /// Beats of a packet; on the links it has a flit more
    #[arg(long, value_name = "N")]
    length: Option<u32>,
    /// Start of the random numbers
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Whether these generators take part
    #[arg(long, value_name = "BOOL")]
    enable: Option<bool>,
    /// Start all generators that take part
    #[arg(long, conflicts_with = "stop")]
    start: bool,
    /// Stop all generators
    #[arg(long)]
    stop: bool,
}

/// Models of the demonstrator.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Model {
    /// The emitted Verilog, compiled by Verilator
    Verilog,
    /// The golden model
    Golden,
    /// Both: ends with exit code 1 at the first cycle in which they differ
    Both,
}

#[derive(Clone, Copy, ValueEnum)]
enum Pattern {
    Uniform,
    Fixed,
    Complement,
    Neighbour,
}

fn time(text: &str) -> Result<Duration, String> {
    seconds(text).map_err(|error| error.to_string())
}

fn value(text: &str) -> Result<u32, String> {
    number(text).map_err(|error| error.to_string())
}

fn burst(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('/').and_then(|(on, off)| Some((on.parse().ok()?, off.parse().ok()?)));
    parts.ok_or_else(|| "expected cycles of the burst / cycles of the pause, each 0..=65535, such as 100/300".into())
}

/// A register of the list.
#[derive(Serialize)]
struct Listed {
    name: String,
    address: u32,
    access: &'static str,
    description: &'static str,
}

/// Where a simulated device is.
#[derive(Serialize)]
struct Port<'a> {
    port: &'a str,
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let config = args.selection.config_or(DEFAULT)?;
    powar_config::registers::demonstrator::check(&config)?;
    // What is wrong with names and scripts is said before the device is looked for.
    let names = Names::new(&config);
    let (mut commands, mut writes) = (vec![], vec![]);
    match &args.action {
        Action::List { out: Some(folder), force } => {
            let written = write_owned(folder, &files(&config, &Prefix::NONE), *force)?;
            print(lines_of(&written, ""))?;
            return Ok(ExitCode::SUCCESS);
        }
        Action::List { out: None, .. } => return list(&names, args.json),
        Action::Get { names: wanted } => wanted.iter().try_for_each(|name| names.find_all(name).map(drop))?,
        Action::Set { name, value } => drop(names.find_to_set(name, *value)?),
        Action::Traffic(args) => drop(settings(args).words(&config)?),
        Action::Script { file } => commands = script::parse(&text_of(file)?, &config)?,
        Action::LoadTable { file } => writes = routing_table::table(&config, file.as_deref())?,
        Action::Simulate { model } => return simulate(&config, *model, args),
        _ => (),
    }
    let mut device = Device::open(&config, &args.port, args.baud, args.timeout)?;
    match &args.action {
        Action::List { .. } | Action::Simulate { .. } => unreachable!("needs no device"),
        Action::Get { names } => {
            for name in names {
                show(&device.get_all(name)?, args.json)?;
            }
        }
        Action::Set { name, value } => show(&device.set(name, *value)?, args.json)?,
        Action::Watch { every, count } => watch(&mut device, *every, count.unwrap_or(u64::MAX), args.json)?,
        Action::Traffic(settings) => set_traffic(&mut device, settings)?,
        Action::LoadTable { .. } => {
            let words = device.write_all(&writes)?;
            print(if args.json { answer(&Answer::LoadTable(words))? } else { format!("{words} words written\n") })?;
        }
        Action::ResetCounters => device.reset_counters()?,
        Action::Script { .. } => {
            for command in &commands {
                print(answer(&command.run(&mut device)?)?)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A line of JSON.
fn answer(answer: &Answer) -> Result<String> {
    Ok(serde_json::to_string(answer)? + "\n")
}

/// Runs a simulated device.
fn simulate(config: &Config, model: Model, args: &Args) -> Result<ExitCode> {
    let model = match model {
        Model::Golden => demonstrator::Model::Golden,
        _ => {
            let progress = Progress::stderr();
            let library = Library::build(config, &Tools::ensure(&progress)?, &progress)?;
            if model == Model::Both {
                demonstrator::Model::Both(library)
            } else {
                demonstrator::Model::Verilog(library)
            }
        }
    };
    let (mut machine, mut terminal) = (Machine::new(config, &model)?, Terminal::open()?);
    let path = &terminal.path;
    if args.json {
        print(serde_json::to_string(&Port { port: path })? + "\n")?;
    } else {
        print(format!(
            "{path}\n\nIn another terminal:\n  powar host{} --port {path} watch\n",
            words_of(&args.selection)
        ))?;
    }
    match terminal.serve(&mut machine, &AtomicBool::new(false))? {
        Some(difference) => {
            warn([difference.to_string()]);
            Ok(ExitCode::from(1))
        }
        None => Ok(ExitCode::SUCCESS),
    }
}

/// The options that choose the same configuration, as a shell reads them.
fn words_of(selection: &Selection) -> String {
    let config = selection.config.as_ref().map(|path| format!(" --config {}", shell_word(&path.display().to_string())));
    let preset = selection.preset.as_ref().map(|name| format!(" --preset {name}"));
    config.or(preset).unwrap_or_default()
}

fn text_of(file: &Path) -> Result<String> {
    if file != Path::new("-") {
        return document::text_of(file);
    }
    let mut bytes = vec![];
    std::io::stdin().read_to_end(&mut bytes).context("can't read standard input")?;
    Ok(document::text(&bytes).context("standard input")?.to_owned())
}

fn list(names: &Names, json: bool) -> Result<ExitCode> {
    let width = width();
    let mut text = String::new();
    for register in names.all() {
        let (access, description) = (register.word.access.name(), register.word.doc);
        text += &match json {
            true => {
                let name = register.name;
                serde_json::to_string(&Listed { name, address: register.address, access, description })? + "\n"
            }
            false => {
                wrapped(&format!("{:#07x}  {:<24} {access:<12} ", register.address, register.name), description, width)
            }
        };
    }
    print(text)?;
    Ok(ExitCode::SUCCESS)
}

fn show(values: &[Value], json: bool) -> Result<()> {
    for one in values {
        let line = if json {
            serde_json::to_string(one)?
        } else {
            format!("{:<24} {:>10}  {:#010x}", one.name, one.value, one.value)
        };
        print(line + "\n")?;
    }
    Ok(())
}

/// Samples: on a terminal in place, else one after the other.
fn watch(device: &mut Device, every: Duration, count: u64, json: bool) -> Result<()> {
    // Over a slow line, or of a slow simulation, that takes a while.
    eprintln!("Reading the counters of all ports; the first look comes {every:?} behind that");
    let mut before = Snapshot::read(device)?;
    let mut screen = None;
    if !json && std::io::stdout().is_terminal() {
        // At once: what happened in the time of a look.
        let after = Snapshot::read(device)?;
        let mut opened = Screen::open()?;
        opened.draw(&Sample::between(device.config(), &before, &after))?;
        screen = Some(opened);
    }
    for _ in 0..count {
        match &screen {
            Some(screen) if screen.wait(every)? => return Ok(()),
            Some(_) => (),
            None => std::thread::sleep(every),
        }
        let after = Snapshot::read(device)?;
        let sample = Sample::between(device.config(), &before, &after);
        match &mut screen {
            Some(screen) => screen.draw(&sample)?,
            None if json => print(serde_json::to_string(&sample)? + "\n")?,
            None => print(table::text(&sample) + "\n")?,
        }
        before = after;
    }
    Ok(())
}

fn settings(args: &TrafficArgs) -> Traffic {
    let pattern = args.pattern.and_then(|pattern| Some(pattern.to_possible_value()?.get_name().to_owned()));
    let TrafficArgs { destination, load, burst, length, seed, enable, .. } = *args;
    Traffic { nodes: args.node.clone(), pattern, destination, load, burst, length, seed, enable }
}

fn set_traffic(device: &mut Device, args: &TrafficArgs) -> Result<()> {
    let settings = settings(args);
    if settings == Traffic::default() && !args.start && !args.stop {
        warn(["nothing was set: see powar host traffic --help".to_owned()]);
    }
    settings.apply(device)?;
    if args.start || args.stop {
        traffic::run(device, args.start)?;
    }
    Ok(())
}
