//! `powar trace`: the power policies on the traffic of an MPI application.

use super::{grouped, print, print_json};
use crate::layout::{folded, time, width, wrapped};
use crate::selection::{Selection, cycles, duration, input_file, once_each, packets, whole};
use anyhow::{Result, ensure};
use powar_config::units::Nanoseconds;
use powar_evaluation::experiment::Readable;
use powar_evaluation::policy_comparison::{PAPER_PDTS, has_pdt};
use powar_evaluation::{Comparison, NetworkPower, PolicyRow, compare};
use powar_tools::Progress;
use std::path::PathBuf;
use std::process::ExitCode;

/// Compare power policies on one switch, on recorded traffic; whole networks: sim
///
/// Replays the trace as one switch of the network sees it, without the network around it, and prints, for each policy and power-down threshold (PDT), the share of the
/// time that ports draw full power, wake-ups, packets that waited for a port to wake and how long, and the network's power and energy
/// by the power model of the POWAR paper, beside Ideal: ports awake only while they send.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// MPI trace: a folder or archive of logs such as testbenches/traces/hpl-64.tar.xz or of DUMPI text, a VEF or a GOAL trace; packed or not
    #[arg(long, value_name = "FILE", value_parser = input_file())]
    input: PathBuf,
    /// Policy to run: all, or one of the configuration's power mechanism; a wrong name lists them
    #[arg(long, value_name = "NAME", default_value = "all")]
    policy: String,
    /// Power-down thresholds with ns, us, ms or s, such as 10us or 0,1us,1ms [default: 0,1us,10us,100us,1ms]
    #[arg(long, value_name = "TIME", value_delimiter = ',', value_parser = duration)]
    pdt: Vec<Nanoseconds>,
    /// Which switch of the network to look at
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<u32>(0..))]
    switch: u32,
    /// Take only the packets of the trace's first N switch cycles [default: all]
    #[arg(long, value_name = "N", value_parser = cycles)]
    cycles: Option<u64>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<ExitCode> {
    let config = args.selection.config()?;
    let mechanism = config.mechanism();
    let policies = match args.policy.as_str() {
        "all" => mechanism.policies.iter().collect(),
        name => vec![mechanism.policy(name)?],
    };
    ensure!(
        args.pdt.is_empty() || has_pdt(mechanism),
        "--pdt: the mechanism of {}, {}, has no power-down threshold",
        config.name,
        mechanism.name
    );
    once_each("pdt", &args.pdt)?;
    let pdts = if args.pdt.is_empty() { PAPER_PDTS.to_vec() } else { args.pdt };
    let packets = packets(&config, &args.input, args.switch, args.cycles)?;
    let bar = Progress::stderr().counted("Policies", 1);
    let comparison = compare(&config, &policies, &pdts, &packets, &|done, all| bar.set_of(done, all))?;
    bar.finish();
    if args.json {
        print_json(&comparison)?;
    } else {
        print(table(&comparison))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The comparison as a table, which folds where the terminal is narrower.
pub fn table(comparison: &Comparison) -> String {
    let head = format!(
        "One switch of {}, without its network (that is powar sim):\n{} packets, {} flits in {}\n\n",
        comparison.configuration,
        grouped(comparison.packets),
        grouped(comparison.flits),
        time(comparison.reference_ns)
    );
    let table = readable(comparison);
    let plain = side_by_side(&table);
    let widest = plain.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let table = width().filter(|width| widest > *width).map_or(plain, |width| folded(&table, width));
    let notes: String = comparison.notes.iter().map(|note| wrapped("note: ", note, width())).collect();
    let notes = if notes.is_empty() { notes } else { format!("\n{notes}") };
    head + &table
        + &notes
        + "\nawake: mean share of the time that a port draws full power (U_port). delayed:\n\
           packets whose port had to wake, and their wait. latency: mean time from arrival\n\
           to departure. W_net, E_net: power and energy of the switch, Reference = 1, by\n\
           POWAR's equation 1; *: by its worked example (equation 9), where sleeping ports\n\
           draw nothing.\n"
}

const COLUMNS: [&str; 12] = [
    "policy",
    "PDT",
    "awake %",
    "wake-ups",
    "delayed",
    "mean us",
    "max us",
    "latency us",
    "W_net",
    "E_net",
    "W_net *",
    "E_net *",
];

/// Its cells.
fn readable(comparison: &Comparison) -> Readable {
    let powers = |power: &NetworkPower, worked: &NetworkPower| {
        [power.w_net, power.e_net, worked.w_net, worked.e_net].map(|value| format!("{value:.4}"))
    };
    let row = |row: &PolicyRow| {
        let us = |ns: f64, digits: usize| format!("{:.digits$}", ns / 1e3);
        let measured = [
            row.policy.to_owned(),
            row.pdt_ns.map_or("-".to_owned(), |ns| Nanoseconds(ns).to_string()),
            format!("{:.2}", 100.0 * row.awake_share),
            row.wake_ups.to_string(),
            row.delayed.to_string(),
            us(row.mean_delay_ns, 2),
            us(row.max_delay_ns, 2),
            us(row.mean_latency_ns, 3),
        ];
        measured.into_iter().chain(powers(&row.power, &row.worked)).collect()
    };
    let mut rows: Vec<Vec<String>> = comparison.rows.iter().map(row).collect();
    let ideal = &comparison.ideal;
    let mut last = ["Ideal", "-", "", "-", "-", "-", "-", "-"].map(str::to_owned);
    last[2] = format!("{:.2}", 100.0 * ideal.awake_share);
    rows.push(last.into_iter().chain(powers(&ideal.power, &ideal.worked)).collect());
    let is_number = COLUMNS.iter().enumerate().map(|(place, _)| place > 0).collect();
    Readable { head: COLUMNS.map(str::to_owned).to_vec(), rows, is_number, keys: 2 }
}

/// All columns beside each other.
fn side_by_side(table: &Readable) -> String {
    let widths = [11, 6, 8, 9, 9, 10, 10, 11, 7, 7, 7, 7];
    let line = |cells: &Vec<String>| {
        let cells = cells.iter().zip(widths).enumerate();
        let cells = cells.map(|(place, (cell, width))| match place {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        cells.collect::<Vec<_>>().join(" ") + "\n"
    };
    std::iter::once(&table.head).chain(&table.rows).map(line).collect()
}
