//! Options of what is on the links of a whole switch.

use crate::selection::whole;
use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use powar_config::Config;
use powar_config::topology::Wiring;
use powar_testbenches::check::Drive;
use powar_testbenches::expected_routing::ExpectedRouting;
use powar_testbenches::stimulus::{LinkOptions, TrafficKind};
use powar_traffic::PacketArrival;
use std::sync::Arc;

/// What neighbours put on the links of a switch. Without a default in the options themselves, so that it can be told whether they were
/// given for a block that has no links.
#[derive(clap::Args)]
pub struct LinkArgs {
    /// Where packets go [default: uniform; trace with --input]
    #[arg(long, value_enum, help_heading = "Links of the switch (--top switch)")]
    traffic: Option<TrafficName>,
    /// Flits a cycle that the source of each port makes, 0..=1 [default: 0.4]
    #[arg(long, value_name = "X", value_parser = load, help_heading = "Links of the switch (--top switch)")]
    load: Option<f64>,
    /// What goes wrong on the links [default: legal]
    #[arg(long, value_enum, help_heading = "Links of the switch (--top switch)")]
    disturbances: Option<DisturbancesName>,
    /// Node of the network at whose address the switch stands (fat tree: any below it) [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..), help_heading = "Links of the switch (--top switch)")]
    node: Option<usize>,
    /// Its stage in a fat tree, 0 = leaf [default: 0]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..), help_heading = "Links of the switch (--top switch)")]
    stage: Option<usize>,
}

/// The kinds of traffic.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum TrafficName {
    /// Every destination as likely as any other
    Uniform,
    /// Every second packet to one port
    HotSpot,
    /// One destination for each input, as far as possible none shared
    Permutation,
    /// Uniform, in bursts of some 200 cycles
    Bursty,
    /// The packets of the MPI trace of --input, as this switch sees them
    Trace,
}

/// What goes wrong.
#[derive(Clone, Copy, ValueEnum)]
enum DisturbancesName {
    /// Nothing: steady traffic, receivers as fast as the link
    None,
    /// Nothing against the rules: gaps, slow receivers, software that changes registers, so that ports sleep
    Legal,
    /// Everything: besides, wrong headers and head marks, flits and credits that should not be there, resets
    All,
}

/// Cycles of a burst.
const BURST: u32 = 200;
const DEFAULT_LOAD: f64 = 0.4;

impl LinkArgs {
    /// Refuses these options for a block without links.
    pub fn refuse(&self, block: &str) -> Result<()> {
        let given = [
            ("--traffic", self.traffic.is_some()),
            ("--load", self.load.is_some()),
            ("--disturbances", self.disturbances.is_some()),
            ("--node", self.node.is_some()),
            ("--stage", self.stage.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!("{option}: {block} has no links; it is for --top switch"),
            None => Ok(()),
        }
    }
}

/// What drives a switch; with the packets of a trace seen from `switch`, if there are any.
pub fn drive(
    config: &Config,
    args: &LinkArgs,
    trace: Option<Vec<PacketArrival>>,
    switch: u32,
    seed: u64,
) -> Result<Drive> {
    let traffic = args.traffic.unwrap_or(if trace.is_some() { TrafficName::Trace } else { TrafficName::Uniform });
    let (mut node, stage) = (args.node.unwrap_or(0), args.stage.unwrap_or(0));
    let kind = match (traffic, trace) {
        (TrafficName::Trace, Some(packets)) => {
            ensure!(
                args.node.is_none() && args.stage.is_none(),
                "--node, --stage: a trace is seen from the switch that --switch names"
            );
            node = Wiring::new(config)?.first_node(switch)?;
            TrafficKind::Trace { packets: Arc::new(packets) }
        }
        (TrafficName::Trace, None) => bail!("--traffic trace: needs a trace, --input FILE"),
        (_, Some(_)) => bail!("--input: a trace is for --traffic trace"),
        (TrafficName::Uniform, None) => TrafficKind::Uniform,
        (TrafficName::HotSpot, None) => TrafficKind::HotSpot,
        (TrafficName::Permutation, None) => TrafficKind::Permutation,
        (TrafficName::Bursty, None) => TrafficKind::Bursty { cycles: BURST },
    };
    let options: fn(TrafficKind, f64, u64) -> LinkOptions = match args.disturbances.unwrap_or(DisturbancesName::Legal) {
        DisturbancesName::None => LinkOptions::steady,
        DisturbancesName::Legal => LinkOptions::lively,
        DisturbancesName::All => LinkOptions::rough,
    };
    ExpectedRouting::new(config, node, stage).context("--node, --stage")?;
    Ok(Drive::Links { node, stage, options: options(kind, args.load.unwrap_or(DEFAULT_LOAD), seed) })
}

fn load(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(load) if (0.0..=1.0).contains(&load) => Ok(load),
        _ => Err("expected a number in 0..=1".into()),
    }
}
