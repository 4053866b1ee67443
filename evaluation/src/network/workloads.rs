//! What loads the network of a simulation.

use super::simulation::Simulation;
use super::traffic::{JobsOptions, TraceOptions};
use anyhow::Result;
use powar_config::topology::graph::Names;
use powar_config::topology::wiring::Wiring;
use powar_golden::network::{Network, NetworkParameters, NodeModel, SwitchModel};
use powar_traffic::jobs::{Cluster, Jobs, Program};
use powar_traffic::synthetic::{Surroundings, Synthetic, SyntheticOptions};
use powar_traffic::{ProgramReplay, ReplayOptions, TrafficOptions};

/// The workload of a simulation's synthetic traffic.
///
/// # Errors
/// Options that make no sense on this network.
pub fn synthetic_workload<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    options: &SyntheticOptions,
    network: &Network<S, N>,
) -> Result<Synthetic> {
    synthetic_on(simulation, options, network.wiring())
}

/// The same on a network of which only the wiring is there.
///
/// # Errors
/// As of [`synthetic_workload`].
pub fn synthetic_on(simulation: &Simulation, options: &SyntheticOptions, wiring: &Wiring) -> Result<Synthetic> {
    let lanes = wiring.nodes.iter().map(Vec::len).min().unwrap_or(1);
    options.check_links(lanes as u32)?;
    let (nodes, dimensions) = (wiring.nodes.len() as u32, simulation.dimensions()?);
    let cycle_ns = simulation.cycle_ns;
    // Only files that a user wrote call nodes by their names.
    let names = options.matrix.as_ref().map(|_| Names::of(&simulation.topology)).transpose()?;
    let (wiring, names) = (Some(wiring), names.as_ref());
    Synthetic::in_network(options, &Surroundings { nodes, dimensions: &dimensions, cycle_ns, wiring, names })
}

/// The workload of a simulation's MPI program.
///
/// # Errors
/// A trace that can't be read, or with more ranks than the network has room for.
pub fn trace_workload(
    simulation: &Simulation,
    options: &TraceOptions,
    parameters: &NetworkParameters,
    nodes: usize,
) -> Result<ProgramReplay> {
    let trace = options.open()?;
    let packets = packets(simulation, options.replay.clone(), parameters);
    let placement = options.placed(trace.ranks(), &simulation.topology, nodes as u32)?;
    ProgramReplay::new(&trace, &packets, placement)
}

/// The workload of a simulation's jobs.
///
/// # Errors
/// A job that would not fit the network if it had it for itself.
pub fn jobs_workload(
    simulation: &Simulation,
    options: &JobsOptions,
    programs: Vec<Program>,
    parameters: &NetworkParameters,
    nodes: usize,
) -> Result<Jobs> {
    let JobsOptions { seed, tasks_per_node, .. } = *options;
    let packets = packets(simulation, ReplayOptions::default(), parameters);
    Jobs::new(programs, Cluster { nodes: nodes as u32, tasks_per_node, seed }, &packets)
}

/// How messages of programs become packets of this network.
fn packets(simulation: &Simulation, replay: ReplayOptions, parameters: &NetworkParameters) -> TrafficOptions {
    TrafficOptions {
        replay,
        cycle_ps: (simulation.cycle_ns * 1e3).round() as u64,
        packet_bytes: u64::from(parameters.packet_flits) * powar_config::units::FLIT_BYTES,
        ..TrafficOptions::default()
    }
}
