//! `powar check --routing`: whether packets can block each other for ever.

use super::{grouped, print, print_json};
use crate::network::NetworkArgs;
use crate::selection::{Selection, whole};
use anyhow::{Result, ensure};
use powar_config::{Config, Routing};
use powar_golden::deadlock_freedom::{self, Finding};
use powar_tools::Progress;
use serde::Serialize;
use std::process::ExitCode;

const HEADING: &str = "Routing of whole networks (--routing)";

/// Which networks are checked, with which routing.
#[derive(clap::Args)]
pub struct RoutingArgs {
    /// Check that packets can't block each other for ever, with the network's usual routing or with this one
    #[arg(
        long,
        value_name = "NAME",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        group = "networks",
        conflicts_with_all = ["top", "block", "cycles", "seed", "input", "vcd", "traffic", "load", "disturbances", "node", "stage", "backend"],
        help_heading = HEADING
    )]
    routing: Option<String>,
    #[command(flatten)]
    network: NetworkArgs,
    /// Virtual channels of their input ports, 1..=8 [default: those of the configuration, else 4]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=8), requires = "routing", help_heading = HEADING)]
    vcs: Option<usize>,
}

impl RoutingArgs {
    /// The networks to check, of which some may be named; `None` unless `--routing` was given.
    pub fn networks(&self, selection: &Selection, named: &[String]) -> Result<Option<Vec<Config>>> {
        let of_file = self.network.config()?.map(|(config, _)| config);
        let Some(routing) = &self.routing else {
            ensure!(of_file.is_none(), "network: is for --routing alone");
            return Ok(None);
        };
        let mut networks = if let Some(config) = of_file {
            ensure!(!selection.is_given(), "network: beside --preset or --config, expected one of them");
            vec![config]
        } else if named.is_empty() {
            vec![selection.config()?]
        } else {
            named.iter().map(|name| Config::of_network(name)).collect::<Result<Vec<_>>>()?
        };
        for config in &mut networks {
            if !routing.is_empty() {
                config.route_by(Routing::by_name(routing)?);
            }
            if let Some(vcs) = self.vcs {
                // How long the queues are does not matter here.
                (config.switch.vcs, config.switch.buffer_flits) = (vcs, config.switch.buffer_flits / vcs * vcs);
            }
            config.check()?;
            config.check_switch()?;
        }
        Ok(Some(networks))
    }
}

#[derive(Serialize)]
struct Checked {
    network: String,
    routing: &'static str,
    vcs: usize,
    #[serde(flatten)]
    finding: Finding,
}

pub fn run(networks: &[Config], json: bool) -> Result<ExitCode> {
    let progress = Progress::stderr();
    let mut all = vec![];
    for config in networks {
        let mut step = None;
        let finding = deadlock_freedom::check(config, deadlock_freedom::THOROUGH, &mut |done, of| {
            let step = step.get_or_insert_with(|| progress.counted(format!("Routing of {}", config.name), of as u64));
            step.set(done as u64);
        })?;
        let routing = config.routing().map_or("none", |routing| routing.name);
        all.push(Checked { network: config.name.clone(), routing, vcs: config.switch.vcs, finding });
    }
    if json {
        print_json(&all)?;
    } else {
        print(all.iter().map(text).collect::<String>())?;
    }
    let free = all.iter().all(|checked| checked.finding.flaw.is_none());
    Ok(if free { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// A finding in words.
fn text(Checked { network, routing, vcs, finding }: &Checked) -> String {
    let name = format!("{network}, {routing} routing, {vcs} VCs");
    match &finding.flaw {
        Some(flaw) => format!("{name}: WRONG\n  {flaw}\n"),
        None => {
            let hops = match finding.most_hops {
                Some(hops) => format!("a packet crosses {hops} switches at most"),
                None => "a packet may go in circles".into(),
            };
            let [switches, nodes, destinations, channels] =
                [finding.switches, finding.nodes, finding.destinations, finding.channels]
                    .map(|count| grouped(count as u64));
            let looked_at = if finding.destinations == finding.nodes {
                format!("all {nodes} nodes")
            } else {
                format!("{destinations} of {nodes} nodes")
            };
            format!(
                "{name}: free of deadlock\n  {switches} switches, {channels} virtual channels, packets from all nodes to {looked_at}; {hops}\n"
            )
        }
    }
}
