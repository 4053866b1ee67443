//! `powar bench`: rates, measured side by side.

use super::{grouped, print, print_json};
use crate::selection::{input_file, once_each, packets};
use anyhow::Result;
use powar_config::presets;
use powar_evaluation::network::TraceOptions;
use powar_evaluation::network::check_rate::{CheckRate, measure_check};
use powar_evaluation::network::peers::{self, Against};
use powar_evaluation::network::rate::{self, Case, NetworkRate, ReplayRate};
use powar_evaluation::network::side_by_side::{ROUNDS, SideBySide, compare, middle};
use powar_testbenches::bench::{Rate, measure, measure_switch};
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure simulation rates
///
/// Runs the golden model alone, the lock-step check in Verilator and the one in rust-hdl's simulation on the same traffic, one after
/// the other, and prints cycles per second, those of the fastest of five runs: of the power controller, and of the whole switch where
/// the configuration is one of a switch.
///
/// With --networks it runs whole networks of golden switches instead: those that simulators are compared on at four loads; a policy of
/// each mechanism beside a network without one; networks of 64 to 32768 nodes on one thread and on all; MPI programs; a check of the
/// routing of 4856 switches (powar check routing) on all threads. Rates of one thread are per second of the processor.
///
/// With --against it compares the first of these with another simulator whose program is here, in turn, three times each, and prints
/// how many times as fast ours is; nothing else is measured.
#[derive(clap::Args)]
pub struct Args {
    /// Presets to measure
    #[arg(long, value_name = "NAME", value_delimiter = ',', default_value = "fat-tree-8,torus-28")]
    preset: Vec<String>,
    /// MPI trace that drives the switch, or is replayed with --networks
    #[arg(long, value_name = "FILE", default_value = "testbenches/traces/hpl-64.tar.xz", value_parser = input_file())]
    input: PathBuf,
    /// Seconds a measurement lasts, about: its five runs together
    #[arg(long, value_name = "N", default_value_t = 2.0, value_parser = seconds)]
    seconds: f64,
    /// Measure whole networks instead
    #[arg(long, conflicts_with = "preset")]
    networks: bool,
    /// Compare with another simulator: booksim2=FILE or caminos=FILE, its program; may be repeated
    #[arg(long, value_name = "NAME=FILE", requires = "networks", value_parser = Against::parse)]
    against: Vec<Against>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let progress = Progress::stderr();
    if !args.against.is_empty() {
        return side_by_side(&args, &progress);
    }
    if args.networks {
        return networks(&args, &progress);
    }
    let traffic = |name: &String| {
        let config = presets::by_name(name)?;
        let packets = packets(&config, &args.input, 0, None)?;
        Ok((config, packets))
    };
    // A wrong name should be said before the tools are installed.
    once_each("preset", &args.preset)?;
    let traffic = args.preset.iter().map(traffic).collect::<Result<Vec<_>>>()?;
    let tools = Tools::ensure(&progress)?;
    let mut rates: Vec<Rate> = vec![];
    for (config, packets) in traffic {
        rates.extend(measure(&config, &packets, args.seconds, &tools, &progress)?);
        rates.extend(measure_switch(&config, args.seconds, &tools, &progress)?);
    }
    if args.json {
        print_json(&rates)?;
    } else {
        let line = |rate: &Rate| {
            let per_second = grouped(rate.cycles_per_second as u64);
            format!("{:<12} {:<42} {per_second:>14} cycles/s\n", rate.configuration, rate.what)
        };
        print(rates.iter().map(line).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All that is measured of networks.
#[derive(Serialize)]
struct NetworkRates {
    loads: Vec<NetworkRate>,
    policies: Vec<NetworkRate>,
    replays: Vec<ReplayRate>,
    check: CheckRate,
    sizes: Vec<NetworkRate>,
}

/// What is measured: the networks that simulators are compared on, at each load; every policy; networks of all sizes, on one thread and on all.
fn cases() -> [Vec<Case<'static>>; 3] {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let on_one = |topology, policy, packet_flits, load| Case {
        topology,
        policy,
        packet_flits,
        load,
        warm_up: 5_000,
        threads: 1,
    };
    let loads = peers::NETWORKS.iter().flat_map(|network| {
        peers::LOADS.map(|load| on_one(network.topology, rate::reference(), network.packet_flits, load))
    });
    let policies = rate::policies(rate::POLICIES_ON)
        .into_iter()
        .flat_map(|policy| rate::POLICIES_LOADS.map(|load| on_one(rate::POLICIES_ON, policy, 8, load)));
    let sizes = rate::SIZES.iter().flat_map(|&topology| [1, cores].map(|threads| (topology, threads)));
    let sizes = sizes.map(|(topology, threads)| Case {
        warm_up: rate::SIZES_WARM_UP,
        threads,
        ..on_one(topology, rate::reference(), 8, rate::SIZES_LOAD)
    });
    [loads.collect(), policies.collect(), sizes.collect()]
}

/// The networks that simulators are compared on, at each load; networks of all sizes on one thread and on all; programs.
fn networks(args: &Args, progress: &Progress) -> Result<ExitCode> {
    let [loads, policies, sizes] = cases();
    let trace = TraceOptions { input: args.input.clone(), ..TraceOptions::default() };
    // A trace that isn't there should be said before anything is measured.
    trace.open()?;
    let programs = [trace, rate::largest_skeleton()];
    let bar = progress.counted("Networks", (loads.len() + policies.len() + sizes.len() + programs.len() + 1) as u64);
    let measure = |cases: &[Case]| {
        let one = |case: &Case| {
            bar.detail(format!("{} at {}, {}, {} threads", case.topology, case.load, case.policy, case.threads));
            let rate = rate::measure(case, args.seconds);
            bar.advance();
            rate
        };
        cases.iter().map(one).collect::<Result<Vec<_>>>()
    };
    // The largest networks last: memory that was needed once may stay with the process.
    let (loads, policies) = (measure(&loads)?, measure(&policies)?);
    let replay = |program: &TraceOptions| {
        bar.detail(program.name());
        let rate = rate::measure_replay(REPLAYED_ON, program);
        bar.advance();
        rate
    };
    let replays = programs.iter().map(replay).collect::<Result<Vec<_>>>()?;
    bar.detail("the check of routings");
    let check = measure_check()?;
    bar.advance();
    let sizes = measure(&sizes)?;
    bar.finish();
    let rates = NetworkRates { loads, policies, replays, check, sizes };
    if args.json {
        print_json(&rates)?;
    } else {
        print(network_report(&rates))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Networks at each load, by ours and by other simulators in turn.
fn side_by_side(args: &Args, progress: &Progress) -> Result<ExitCode> {
    let runs = args.against.len() * peers::NETWORKS.len() * peers::LOADS.len() * ROUNDS;
    let bar = progress.counted("Side by side", runs as u64);
    let mut compared: Vec<SideBySide> = vec![];
    for against in &args.against {
        for network in &peers::NETWORKS {
            for load in peers::LOADS {
                bar.detail(format!("{}: {} at {load}", against.peer.title, network.topology));
                compared.push(compare(network, load, against, args.seconds, &mut || bar.advance())?);
            }
        }
    }
    bar.finish();
    if args.json {
        print_json(&compared)?;
    } else {
        print(side_by_side_table(&compared))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn side_by_side_table(compared: &[SideBySide]) -> String {
    let times = format!("times as fast (of {ROUNDS} rounds)");
    let mut text = format!(
        "{:<10} {:<14} {:>7} {:>14} {:>14} {:>28} {:>8}\n",
        "simulator", "network", "load", "its cycles/s", "ours", times, "memory"
    );
    for row in compared {
        let [least, ratio, most] = row.ratio.map(|ratio| format!("{ratio:.1}"));
        text += &format!(
            "{:<10} {:<14} {:>7} {:>14} {:>14} {:>28} {:>8}\n",
            row.simulator,
            row.topology,
            row.load,
            whole(middle(&row.other)),
            whole(middle(&row.ours)),
            format!("{ratio} ({least} to {most})"),
            memory(Some(row.other_peak_bytes)),
        );
    }
    for row in compared.iter().filter(|row| row.other_falls_short) {
        let accepted = row.other_accepted.unwrap_or_default();
        let (simulator, topology, load) = (row.simulator, row.topology, row.load);
        text += &format!(
            "note: in {simulator}, {topology} at {load}, only {accepted:.3} came in: the two did not do the same\n"
        );
    }
    text
}

/// The network that programs are replayed on.
const REPLAYED_ON: &str = "8-ary-2-tree";

fn network_report(rates: &NetworkRates) -> String {
    let CheckRate { network, destinations, seconds, peak_bytes, .. } = &rates.check;
    let check =
        format!("\ncheck of routings: {network}, to {destinations} nodes: {seconds:.1} s, {}\n", memory(*peak_bytes));
    [loads_table(rates), policies_table(rates), sizes_table(rates), programs_table(rates), check].concat()
}

fn whole(value: f64) -> String {
    grouped(value as u64)
}

fn memory(bytes: Option<u64>) -> String {
    bytes.map_or("-".into(), |bytes| format!("{} MB", bytes >> 20))
}

fn instructions(rate: &NetworkRate) -> String {
    rate.instructions_per_flit_hop.map_or("-".into(), |count| format!("{count:.0}"))
}

fn loads_table(rates: &NetworkRates) -> String {
    let mut text = format!(
        "{:<14} {:>7} {:>14} {:>13} {:>12} {:>9} {:>9}\n",
        "network", "load", "cycles/s", "flit hops/s", "instr./hop", "memory", "packets/s",
    );
    for rate in &rates.loads {
        text += &format!(
            "{:<14} {:>7} {:>14} {:>13} {:>12} {:>9} {:>9}\n",
            rate.topology,
            rate.load,
            whole(rate.cycles_per_second),
            whole(rate.flit_hops_per_second),
            instructions(rate),
            memory(rate.peak_bytes),
            whole(rate.packets_per_second),
        );
    }
    text
}

fn policies_table(rates: &NetworkRates) -> String {
    let mut text = format!(
        "\n{:<22} {:>7} {:>14} {:>13} {:>12} {:>15}\n",
        format!("policy on {}", rate::POLICIES_ON),
        "load",
        "cycles/s",
        "flit hops/s",
        "instr./hop",
        format!("{} = 1", rate::reference())
    );
    for rate in &rates.policies {
        let reference = rates.policies.iter().find(|of| of.load == rate.load).expect("it is measured itself");
        text += &format!(
            "{:<22} {:>7} {:>14} {:>13} {:>12} {:>15.2}\n",
            rate.policy,
            rate.load,
            whole(rate.cycles_per_second),
            whole(rate.flit_hops_per_second),
            instructions(rate),
            reference.cycles_per_second / rate.cycles_per_second,
        );
    }
    text
}

fn sizes_table(rates: &NetworkRates) -> String {
    let mut text = format!(
        "\n{:<14} {:>6} {:>8} {:>10} {:>13} {:>9} {:>9}\n",
        "network", "nodes", "threads", "cycles/s", "flit hops/s", "speed-up", "memory"
    );
    for rates in rates.sizes.chunks(2) {
        for rate in rates {
            let speed_up = match rate.threads {
                1 => "1.00".into(),
                _ if rate.shared_windows == 0 => "not used".into(),
                _ => format!("{:.2}", rate.cycles_per_second / rates[0].cycles_per_second),
            };
            text += &format!(
                "{:<14} {:>6} {:>8} {:>10} {:>13} {speed_up:>9} {:>9}\n",
                rate.topology,
                grouped(rate.nodes as u64),
                rate.threads,
                whole(rate.cycles_per_second),
                whole(rate.flit_hops_per_second),
                memory(rate.peak_bytes),
            );
        }
    }
    text
}

fn programs_table(rates: &NetworkRates) -> String {
    let mut text = format!(
        "\n{:<38} {:>10} {:>8} {:>11} {:>13} {:>9}\n",
        format!("program on {REPLAYED_ON}"),
        "messages",
        "seconds",
        "us/message",
        "flit hops/s",
        "memory"
    );
    for rate in &rates.replays {
        text += &format!(
            "{:<38} {:>10} {:>8.2} {:>11.2} {:>13} {:>9}\n",
            rate.program,
            grouped(rate.messages),
            rate.seconds,
            rate.microseconds_per_message,
            whole(rate.flit_hops_per_second),
            memory(rate.peak_bytes),
        );
    }
    text
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.1..=600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number in 0.1..=600".into()),
    }
}
