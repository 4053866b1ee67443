//! The switch of a configuration, as traffic sees it.

use anyhow::{Context, Result};
use powar_config::Config;
use powar_config::topology::view::{SwitchView, check_ranks};
use powar_traffic::{Arrivals, PacketArrival, Trace, TrafficOptions};
use std::path::Path;

/// What the switch of this configuration sees of a network with so many ranks.
///
/// # Errors
/// A configuration without a topology, a switch that the network does not have, more ranks than nodes.
pub fn switch_view(config: &Config, switch: u32, ranks: u32) -> Result<Box<dyn SwitchView>> {
    let topology = config.topology.as_ref().with_context(|| {
        format!("topology: {} has none; traffic can be seen from a switch of a network only", config.name)
    })?;
    topology.check()?;
    let view = topology.view(config.ports, switch)?;
    check_ranks(view.as_ref(), ranks)?;
    Ok(view)
}

/// How recorded time becomes cycles of the switch of this configuration.
pub fn trace_options(config: &Config) -> TrafficOptions {
    TrafficOptions { cycle_ps: (config.cycle_ns * 1e3).round() as u64, ..TrafficOptions::default() }
}

/// The packets that one switch sees of an MPI trace in its first `cycles` cycles. Cycle 0 is the first of the trace.
///
/// # Errors
/// As of [`switch_view`], and of a trace that can't be read or replayed; the error names file and line.
pub fn packets_of_trace(config: &Config, trace: &Path, switch: u32, cycles: u64) -> Result<Vec<PacketArrival>> {
    let trace = Trace::open(trace)?;
    let view = switch_view(config, switch, trace.ranks())?;
    let arrivals = Arrivals::new(&trace, view, &trace_options(config))?;
    arrivals.take_while(|packet| packet.as_ref().map_or(true, |packet| packet.cycle < cycles)).collect()
}
