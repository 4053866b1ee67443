//! `powar check routing`: whether packets can block each other for ever.

use super::{grouped, print, print_json};
use crate::network::NetworkArgs;
use crate::selection::{Selection, once_each, whole};
use anyhow::{Result, ensure};
use powar_config::{Config, Routing, topology};
use powar_golden::deadlock_freedom::{self, Finding};
use powar_tools::Progress;
use serde::Serialize;
use std::process::ExitCode;

/// Check that packets can't block each other for ever
///
/// Looks at the network of the configuration or at others (--topology, --network): follows packets to every destination over all ports and virtual
/// channels that the routing units of all switches offer them. If packets can block each other, it prints a circle of them and exits with 1.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    selection: Selection,
    /// Networks instead of that of the configuration, such as 8-ary-2-tree or torus-4x4x4, with commas between them
    #[arg(long, value_name = "NAME", value_delimiter = ',',
          conflicts_with_all = ["preset", "config", "network", "nodes_per_switch"])]
    topology: Vec<String>,
    #[command(flatten)]
    network: NetworkArgs,
    /// How switches route packets [default: the usual routing of each network]
    #[arg(long, value_name = "NAME")]
    routing: Option<String>,
    /// Virtual channels of their input ports, 1..=8 [default: those of the configuration, else 4]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=8))]
    vcs: Option<usize>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  powar check routing
  powar check routing --topology torus-4x4x4,k4-n3
  powar check routing --topology 4-ary-2-tree --routing least-occupied
  powar check routing --network experiments/networks/random-40.edges --vcs 2";

/// The names in a list: `,nodes=C` is behind a comma as well, and part of the name of a network in a file.
fn with_nodes(list: &[String]) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for name in list {
        match names.last_mut().filter(|last| name.starts_with("nodes=") && topology::file_of(last).is_some()) {
            Some(last) => *last += &format!(",{name}"),
            None => names.push(name.clone()),
        }
    }
    names
}

impl Args {
    /// The networks to check.
    fn networks(&self) -> Result<Vec<Config>> {
        let named = with_nodes(&self.topology);
        once_each("topology", &named)?;
        let mut networks = match self.network.config()? {
            Some((config, _)) => {
                ensure!(!self.selection.is_given(), "network: beside --preset or --config, expected one of them");
                vec![config]
            }
            None if named.is_empty() => vec![self.selection.config()?],
            None => named.iter().map(|name| Config::of_network(name)).collect::<Result<Vec<_>>>()?,
        };
        for config in &mut networks {
            if let Some(routing) = &self.routing {
                config.route_by(Routing::by_name(routing)?);
            }
            if let Some(vcs) = self.vcs {
                // How long the queues are does not matter here.
                (config.switch.vcs, config.switch.buffer_flits) = (vcs, config.switch.buffer_flits / vcs * vcs);
            }
            config.check()?;
            config.check_switch()?;
        }
        Ok(networks)
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

pub fn run(args: &Args) -> Result<ExitCode> {
    let networks = args.networks()?;
    let progress = Progress::stderr();
    let mut all = vec![];
    for config in &networks {
        let mut step = None;
        let finding = deadlock_freedom::check(config, deadlock_freedom::THOROUGH, &mut |done, of| {
            let step = step.get_or_insert_with(|| progress.counted(format!("Routing of {}", config.name), of as u64));
            step.set(done as u64);
        })?;
        let routing = config.routing().map_or("none", |routing| routing.name);
        all.push(Checked { network: config.name.clone(), routing, vcs: config.switch.vcs, finding });
    }
    if args.json {
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
