//! `powar sim`: a whole network.

use super::sim_args::Args;
use super::waves::{check_vcd, waves_line};
use super::{grouped, print, print_json, sim_policies, sim_report, warn};
use anyhow::{Context, Result, ensure};
use powar_evaluation::network::{AUTO_WARM_UP, Progress as Cycles, Simulation, Traffic};
use powar_evaluation::network::{settled, simulate_on_threads, synthetic_on};
use powar_evaluation::version;
use powar_testbenches::network::{self, LoopReport, RtlParts};
use powar_testbenches::waves::network::simulate_with_waves;
use powar_tools::{Progress, Step, Tools};
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::OnceCell;
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(vcd) = &args.vcd {
        check_vcd(vcd)?;
    }
    if let Some(policies) = sim_policies::named(&args.policy) {
        ensure!(args.vcd.is_none(), "vcd: waves are of one policy, and policy is {}", args.policy);
        return sim_policies::run(args, policies);
    }
    let mut simulation = args.simulation()?;
    args.details.ask(&mut simulation, args.point.as_deref(), args.json)?;
    // What is wrong with the network or its synthetic traffic should be said before anything is begun.
    let network = simulation.network()?;
    let warning = network.config.warnings();
    let described = match &simulation.traffic {
        Traffic::Synthetic(options) => {
            simulation.check_interval(options.stop())?;
            synthetic_on(&simulation, options, &network.wiring()?)?.described().map(str::to_owned)
        }
        _ => None,
    };
    let progress = Progress::stderr();
    let (simulation, found) = match args.warm_up {
        Some(AUTO_WARM_UP) => {
            let bar = progress.counted("Looking for the end of the warm-up", 1);
            let (simulation, found) = settled(&simulation, args.measured(), &mut |now| {
                bar.set_of(now.cycle, now.last.unwrap_or(now.cycle));
            })?;
            bar.finish();
            (simulation, Some(found.note()))
        }
        _ => (simulation, None),
    };
    if args.rtl.is_some() || args.rtl_nodes.is_some() {
        let rtl = RtlParts { switches: args.rtl.unwrap_or(0), nodes: args.rtl_nodes.unwrap_or(0) };
        return with_rtl(&simulation, rtl, &progress, args, (warning, found));
    }
    // What is wrong with a program is found when it is opened: nothing is said to be simulated before.
    let bar = OnceCell::new();
    let threads = args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let mut watch = |now: &Cycles| {
        let bar = bar.get_or_init(|| started(&progress, &simulation));
        match now.last {
            Some(last) => bar.set_of(now.cycle.min(last), last),
            None => {
                bar.detail(format!("cycle {}, {} packets", grouped(now.cycle), grouped(now.counts.packets_delivered)))
            }
        };
    };
    let (mut outcome, waves) = match &args.vcd {
        None => (simulate_on_threads(&simulation, threads, &mut watch)?, String::new()),
        Some(vcd) => {
            let cycles = args.vcd_cycles.clone().unwrap_or(VCD_CYCLES);
            let (outcome, waves) = simulate_with_waves(&simulation, threads, cycles.clone(), vcd, &mut watch)?;
            let waves = waves.map(|waves| {
                let Range { start, end } = waves.cycles;
                waves_line(&waves.vcd, &format!(", cycles {} to {}", grouped(start), grouped(end - 1)))
            });
            let none = || format!("  no waves: it was over before cycle {}\n", grouped(cycles.start));
            (outcome, waves.unwrap_or_else(none))
        }
    };
    bar.into_inner().into_iter().for_each(Step::finish);
    outcome.notes.extend(found);
    warn(warning);
    let written = args.details.write(&outcome)?;
    if args.json {
        print_json(&Described { traffic: described, ..Described::new(&simulation, &outcome)? })?
    } else {
        let line = described.map(|traffic| format!("traffic {traffic}\n")).unwrap_or_default();
        print(line + &sim_report::report(&simulation, &outcome) + &written + &waves)?
    }
    Ok(ExitCode::SUCCESS)
}

/// The cycles that waves show unless it is said.
const VCD_CYCLES: Range<u64> = 0..100_000;

/// The step of a simulation.
fn started(progress: &Progress, simulation: &Simulation) -> Step {
    let what = format!("Simulating {}", simulation.topology);
    let is_synthetic = matches!(simulation.traffic, Traffic::Synthetic(_));
    if is_synthetic { progress.counted(what, 1) } else { progress.step(what) }
}

/// An outcome, what it is of, and what the pattern of its traffic is in particular.
#[derive(Serialize, JsonSchema)]
#[schemars(extend("additionalProperties" = false))]
pub(super) struct Described<'a, T> {
    version: &'static str,
    simulation: Simulation,
    #[serde(skip_serializing_if = "Option::is_none")]
    traffic: Option<String>,
    #[serde(flatten)]
    outcome: &'a T,
}

impl<'a, T> Described<'a, T> {
    /// Of a simulation; its routing has its name, whether or not it is the usual one.
    fn new(simulation: &Simulation, outcome: &'a T) -> Result<Self> {
        let routing = simulation.network()?.config.routing().map(|routing| routing.name.to_owned());
        let simulation = Simulation { routing, ..simulation.clone() };
        Ok(Described { version: version(), simulation, traffic: None, outcome })
    }
}

/// The simulation with RTL in the loop.
fn with_rtl(
    simulation: &Simulation,
    rtl: RtlParts,
    progress: &Progress,
    args: &Args,
    (warning, note): (Vec<String>, Option<String>),
) -> Result<ExitCode> {
    let tools = Tools::ensure(progress)?;
    let bar = progress.counted(format!("Simulating {} with RTL in it", simulation.topology), 1);
    let vcd = Path::new("build").join("network-difference.vcd");
    std::fs::create_dir_all("build").context("build: can't be made")?;
    let mut report = network::simulate(simulation, rtl, &vcd, &tools, progress, &mut |now| {
        bar.set_of(now.cycle, now.last.unwrap_or(0).max(now.cycle));
    })?;
    bar.finish();
    report.outcome.notes.extend(note);
    warn(warning);
    let written = if report.equal { args.details.write(&report.outcome)? } else { String::new() };
    if args.json {
        print_json(&Described::new(simulation, &report)?)?;
    } else {
        let text = match &report.difference {
            None => format!(
                "equal: {} in {} cycles ({} cycles/s)\n\n{}{written}",
                parts_as_verilog(&report),
                grouped(report.cycles),
                grouped(report.cycles_per_second as u64),
                sim_report::report(simulation, &report.outcome)
            ),
            Some(difference) => format!("{difference}\nwaves: {}\n", vcd.display()),
        };
        print(text)?;
    }
    Ok(if report.equal { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// What was Verilog, and how much of it was compared.
fn parts_as_verilog(report: &LoopReport) -> String {
    let LoopReport { outcome, rtl_switches, rtl_nodes, signals, node_signals, .. } = report;
    let kinds =
        [("switches", *rtl_switches, outcome.switches, *signals), ("nodes", *rtl_nodes, outcome.nodes, *node_signals)];
    let some = kinds.into_iter().filter(|(_, rtl, ..)| *rtl > 0).map(|(what, rtl, all, signals)| {
        format!("{rtl} of {all} {what} as Verilog, {} signals each,", grouped(signals as u64))
    });
    some.collect::<Vec<_>>().join(" ")
}
