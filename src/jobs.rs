//! Jobs that share a network: the options, and what came of them as a table.

use crate::commands::grouped;
use crate::selection::{input_file, whole};
use powar_config::units::Nanoseconds;
use powar_evaluation::network::JobsOptions;
use powar_traffic::JobRecord;
use std::path::PathBuf;

const JOBS: &str = "Jobs";

/// Options of what else can be simulated. What needs `--mix` excludes them too: clap doesn't ask for an option that
/// something given excludes, so that `--load 0.1 --tasks-per-node 2` would pass and the second do nothing.
const OTHER_LOADS: [&str; 11] = [
    "program",
    "traffic",
    "tasks",
    "hot_spot",
    "incast",
    "traffic_matrix",
    "packet_lengths",
    "arrivals",
    "load",
    "cycles",
    "warm_up",
];

/// A mix of jobs and the machine it runs on.
#[derive(clap::Args)]
pub struct JobsArgs {
    /// Mix of jobs, several MPI programs that share the network: a TOML file such as experiments/jobs/low.toml; --seed is its scheduler's
    #[arg(long, help_heading = JOBS, value_name = "FILE", group = "computing", value_parser = input_file(),
          conflicts_with_all = OTHER_LOADS)]
    mix: Option<PathBuf>,
    /// Cores of a node, each for one task of a job [default: 8]
    #[arg(long, help_heading = JOBS, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX.into()),
          requires = "mix", conflicts_with_all = OTHER_LOADS)]
    tasks_per_node: Option<u32>,
}

impl JobsArgs {
    /// The jobs; none if there is no mix.
    pub fn options(&self, seed: Option<u64>, gap_scale: Option<f64>, lead: Nanoseconds) -> Option<JobsOptions> {
        let default = JobsOptions::default();
        self.mix.as_ref().map(|mix| JobsOptions {
            mix: mix.clone(),
            seed: seed.unwrap_or(default.seed),
            tasks_per_node: self.tasks_per_node.unwrap_or(default.tasks_per_node),
            gap_scale: gap_scale.unwrap_or(default.gap_scale),
            lead,
        })
    }
}

/// Where and when each job ran, in cycles, and what it sent; nothing if there are none.
pub fn table(jobs: &[JobRecord]) -> String {
    if jobs.is_empty() {
        return String::new();
    }
    let megabytes = |bytes: u64| format!("{:.2}", bytes as f64 / 1e6);
    let all: u64 = jobs.iter().map(|job| job.bytes).sum();
    let share = |bytes: u64| if all == 0 { "-".into() } else { format!("{:.2}", 100.0 * bytes as f64 / all as f64) };
    let names = ["job", "tasks", "nodes", "first", "start", "end", "MB sent", "% of all", "MB in the network"];
    let mut lines = vec![names.map(str::to_owned)];
    lines.extend(jobs.iter().map(|job| {
        [
            job.name.clone(),
            job.tasks.to_string(),
            job.nodes.to_string(),
            job.first_node.to_string(),
            grouped(job.start),
            grouped(job.end),
            megabytes(job.bytes),
            share(job.bytes),
            megabytes(job.network_bytes),
        ]
    }));
    let network = jobs.iter().map(|job| job.network_bytes).sum();
    let mut sum = ["all", "", "", "", "", "", "", "", ""].map(str::to_owned);
    (sum[6], sum[7], sum[8]) = (megabytes(all), share(all), megabytes(network));
    lines.push(sum);
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let mut text = String::from("\n");
    for line in &lines {
        text += &format!("{:<1$}", line[0], widths[0]);
        for (cell, width) in line.iter().zip(&widths).skip(1) {
            text += &format!("  {cell:>width$}");
        }
        text += "\n";
    }
    text
}
