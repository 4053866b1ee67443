//! `powar demo`: everything once, on the shipped traffic.

use super::{as_json, check, grouped, print, print_json, trace};
use crate::selection::{cycles, input_file};
use anyhow::{Context, Result};
use powar_config::presets;
use powar_config::registers::{WORD_BYTES, mechanism_address};
use powar_config::units::Nanoseconds;
use powar_evaluation::{Comparison, compare, packets_of_trace};
use powar_testbenches::check::{Backend, Drive, Plan, Report};
use powar_testbenches::stimulus::RegisterWrite;
use powar_testbenches::twins;
use powar_tools::{Progress, Tools, write_files};
use powar_traffic::PacketArrival;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Run everything once on the shipped traffic
///
/// Takes the Linpack traffic that one leaf switch of the POWAR paper's fat-tree sees, writes the switch's power controller as Verilog,
/// drives it and its golden model with that traffic side by side and compares them in every cycle, writes the waves, and prints what
/// each power policy saves. Without network, Python or a C++ compiler it leaves Verilator out and says so.
#[derive(clap::Args)]
pub struct Args {
    /// Folder to write to
    #[arg(long, value_name = "DIR", default_value = "build/demo")]
    out: PathBuf,
    /// MPI trace to take
    #[arg(long, value_name = "FILE", default_value = "testbenches/traces/hpl-64.tar.xz", value_parser = input_file())]
    input: PathBuf,
    /// Preset of the switch
    #[arg(long, value_name = "NAME", default_value = "fat-tree-8")]
    preset: String,
    /// Cycles of the lock-step check in Verilator
    #[arg(long, value_name = "N", default_value_t = VERILATOR_CYCLES, value_parser = cycles)]
    verilator_cycles: u64,
    /// Cycles of the lock-step check in rust-hdl's simulation, which is slower
    #[arg(long, value_name = "N", default_value_t = RUST_HDL_CYCLES, value_parser = cycles)]
    rust_cycles: u64,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Lock-step cycles in Verilator.
const VERILATOR_CYCLES: u64 = 1_000_000;
/// Lock-step cycles in rust-hdl's simulation.
const RUST_HDL_CYCLES: u64 = 50_000;
/// Cycles of the waves.
const WAVE_CYCLES: u64 = 40_000;

#[derive(Serialize)]
struct Summary {
    checks: Vec<Report>,
    comparison: Comparison,
}

pub fn run(args: Args) -> Result<ExitCode> {
    as_json(args.json, "out", &args.out)?;
    let progress = Progress::stderr();
    let say = |text: String| if args.json { Ok(()) } else { print(text) };
    let config = presets::by_name(&args.preset)?;
    let packets = packets_of_trace(&config, &args.input, 0, u64::MAX)?;
    std::fs::create_dir_all(&args.out).with_context(|| format!("can't create {}", args.out.display()))?;
    // Verilator's models are C++.
    let tools = match Tools::ensure(&progress).and_then(|tools| tools.cxx().map(|_| tools)) {
        Ok(tools) => Some(tools),
        Err(error) => {
            eprintln!("powar: going on with rust-hdl's simulation alone: {error}");
            None
        }
    };

    say(format!(
        "Traffic   {} packets that switch 0 of {} sees of {}\n",
        grouped(packets.len() as u64),
        config.name,
        args.input.display()
    ))?;

    let verilog = args.out.join("verilog");
    let design = twins::design(&config, twins::CONTROLLER)?;
    write_files(&verilog, &design.files())?;
    say(format!("Verilog   {} modules in {}/\n", design.modules.len(), verilog.display()))?;

    let busy = busiest_stretch(&packets, args.verilator_cycles);
    let mut checks = vec![];
    let mut check = |plan: Plan| -> Result<bool> {
        let report = powar_testbenches::check::check(&config, &plan, tools.as_ref(), &progress)?;
        say(format!("Lock-step {}", check::text(&report)))?;
        let equal = report.equal;
        checks.push(report);
        Ok(equal)
    };
    let plan = |backend, cycles, name: &str, writes: Vec<RegisterWrite>| Plan {
        block: twins::CONTROLLER.into(),
        backend,
        cycles,
        drive: Drive::Packets { arrivals: busy.clone(), writes },
        vcd: None,
        difference_vcd: args.out.join(format!("{name}.difference.vcd")),
    };
    let mut equal = true;
    if tools.is_some() {
        equal &= check(plan(Backend::Verilator, args.verilator_cycles, "verilator", vec![]))?;
    }
    equal &= check(plan(Backend::RustHdl, args.rust_cycles, "rust-hdl", vec![]))?;
    // A short power-down threshold, written to its register, so that ports fall asleep and wake within the picture.
    let address = mechanism_address(config.mechanism(), "pdt") / WORD_BYTES;
    let pdt = vec![(address, Nanoseconds(1e3).cycles(config.cycle_ns) as u32)];
    let backend = if tools.is_some() { Backend::Verilator } else { Backend::RustHdl };
    let cycles = if tools.is_some() { WAVE_CYCLES } else { WAVE_CYCLES / 8 };
    let waves = Plan { vcd: Some(args.out.join("waves.vcd")), ..plan(backend, cycles, "waves", pdt) };
    equal &= check(waves)?;

    let bar = progress.counted("Policies", 1);
    let pdts = powar_evaluation::policy_comparison::PAPER_PDTS;
    let policies: Vec<_> = config.mechanism().policies.iter().collect();
    let comparison = compare(&config, &policies, &pdts, &packets, &|done, all| bar.set_of(done, all))?;
    bar.finish();
    say(format!("\n{}", trace::table(&comparison)))?;
    if args.json {
        print_json(&Summary { checks, comparison })?;
    }
    Ok(if equal { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// The packets of the stretch of so many cycles in which most arrive, its first cycle counted as 0.
fn busiest_stretch(packets: &[PacketArrival], cycles: u64) -> Vec<PacketArrival> {
    let mut end = 0;
    let (mut best, mut most) = (0..0, 0);
    for start in 0..packets.len() {
        while end < packets.len() && packets[end].cycle < packets[start].cycle + cycles {
            end += 1;
        }
        if end - start > most {
            (best, most) = (start..end, end - start);
        }
    }
    let first = packets.get(best.start).map_or(0, |packet| packet.cycle);
    packets[best].iter().map(|packet| PacketArrival { cycle: packet.cycle - first, ..*packet }).collect()
}
