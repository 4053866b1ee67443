//! Options of synthetic traffic beyond its pattern's name.

use crate::parameters::parse;
use powar_traffic::synthetic::{HotSpotOptions, IncastOptions, Level, MatrixOptions, SyntheticOptions, TasksOptions};
use std::path::PathBuf;

const SYNTHETIC: &str = "Synthetic traffic";

/// What patterns and models have parameters for, and how long packets are.
#[derive(clap::Args)]
pub struct SyntheticArgs {
    /// Parameters of the model tasks: concurrent=N, duration=TIME, durations=pareto|exponential, alpha=X, locality=P, radius=LINKS, sources=N,
    /// alpha_on=X, alpha_off=X, mean_on=CYCLES, burst_load=X, packets_per_cycle=X instead of --load
    /// [default: concurrent=100,duration=1us,locality=0.8,radius=2,..]
    #[arg(long, value_name = "NAME=VALUE,..", value_parser = tasks, conflicts_with = "program", help_heading = SYNTHETIC)]
    tasks: Option<TasksOptions>,
    /// Parameters of the pattern hot-spot: nodes=N,M,.. or ranges N-M, share=X of the packets to them [default: nodes=0,share=0.1]
    #[arg(long, value_name = "NAME=VALUE,..", value_parser = hot_spot, conflicts_with = "program", help_heading = SYNTHETIC)]
    hot_spot: Option<HotSpotOptions>,
    /// Parameters of the pattern incast: nodes=N,M,.. that receive, senders=N,M,.. or fan_in=N for so many at random [default: nodes=0, all others
    /// send]
    #[arg(long, value_name = "NAME=VALUE,..", value_parser = incast, conflicts_with = "program", help_heading = SYNTHETIC)]
    incast: Option<IncastOptions>,
    /// Who sends how much to whom, CSV: a square of rates between nodes or switches, or lines source,destination,rate (docs/networks.md); --load is
    /// the mean of the nodes that send. The same as --traffic matrix with a file
    #[arg(long, value_name = "FILE", conflicts_with = "program", help_heading = SYNTHETIC)]
    traffic_matrix: Option<PathBuf>,
    /// What the matrix is of, nodes or switches [default: what its size says]
    #[arg(long, value_name = "WHAT", value_parser = level, requires = "traffic_matrix",
          conflicts_with_all = ["program", "mix"], help_heading = SYNTHETIC)]
    matrix_of: Option<Level>,
    /// Several lengths of packets in flits, each with its share of the packets: 1:0.5,8:0.3,16:0.2. --load stays flits, and --packet-flits is the
    /// longest unless given
    #[arg(long, value_name = "FLITS:SHARE,..", value_delimiter = ',', value_parser = length, conflicts_with = "program", help_heading = SYNTHETIC)]
    packet_lengths: Vec<(u64, f64)>,
}

impl SyntheticArgs {
    /// The pattern that these options are of, where nobody names one.
    pub fn pattern(&self) -> Option<String> {
        self.traffic_matrix.as_ref().map(|_| "matrix".to_owned())
    }

    /// The longest packet, flits, if there are several lengths; for more than a switch takes, the most that there can be.
    pub fn longest(&self) -> Option<u16> {
        self.packet_lengths.iter().map(|&(flits, _)| u16::try_from(flits).unwrap_or(u16::MAX)).max()
    }

    /// Puts what is given among the options of traffic.
    pub fn lay(&self, options: SyntheticOptions) -> SyntheticOptions {
        let matrix = |file: &PathBuf| MatrixOptions { file: file.clone(), of: self.matrix_of };
        SyntheticOptions {
            tasks: self.tasks.clone(),
            hot_spot: self.hot_spot.clone(),
            incast: self.incast.clone(),
            matrix: self.traffic_matrix.as_ref().map(matrix),
            packet_lengths: self.packet_lengths.clone(),
            ..options
        }
    }
}

fn tasks(text: &str) -> Result<TasksOptions, String> {
    parse(text, &[])
}

fn hot_spot(text: &str) -> Result<HotSpotOptions, String> {
    parse(text, &["nodes"])
}

fn incast(text: &str) -> Result<IncastOptions, String> {
    parse(text, &["nodes", "senders"])
}

fn level(text: &str) -> Result<Level, String> {
    match text {
        "nodes" => Ok(Level::Nodes),
        "switches" => Ok(Level::Switches),
        _ => Err("expected nodes or switches".into()),
    }
}

/// Flits, and a share of the packets.
fn length(text: &str) -> Result<(u64, f64), String> {
    let parts = text.split_once(':').and_then(|(flits, share)| {
        Some((
            flits.trim().parse().ok().filter(|flits| *flits > 0)?,
            share.trim().parse().ok().filter(|share: &f64| share.is_finite())?,
        ))
    });
    parts.ok_or_else(|| "expected FLITS:SHARE, such as 8:0.3".into())
}
