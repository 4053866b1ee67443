//! How fast networks are simulated.

use super::run::synthetic_workload;
use super::simulation::{Simulation, Traffic};
use anyhow::Result;
use cpu_time::ThreadTime;
use powar_config::mechanism;
use powar_golden::network::Network;
use powar_traffic::synthetic::SyntheticOptions;
use serde::Serialize;
use std::time::Duration;

/// How fast a network was simulated on one core; seconds are those of the processor, so that other work on the machine matters little.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkRate {
    pub topology: String,
    /// Flits per node and cycle, uniform Bernoulli traffic.
    pub load: f64,
    /// Simulated cycles of the whole network a second.
    pub cycles_per_second: f64,
    /// Flits times the switches they crossed, a second.
    pub flit_hops_per_second: f64,
    /// Packets that came in, a second.
    pub packets_per_second: f64,
    /// Most memory that the process held while it was measured, bytes; none where the system doesn't tell.
    pub peak_bytes: Option<u64>,
}

/// The networks and packets of the table that simulators are compared on: (network, flits of a packet).
pub const NETWORKS: [(&str, u16); 3] = [("8-ary-2-tree", 8), ("torus-4x4x4", 8), ("4-ary-4-tree", 16)];
/// Its loads.
pub const LOADS: [f64; 4] = [0.0001, 0.05, 0.2, 0.4];

/// Measures one network for about so many seconds under uniform traffic, hops of 31 cycles, all ports awake.
///
/// # Errors
/// As of [`Simulation::network`].
pub fn measure(topology: &str, packet_flits: u16, load: f64, seconds: f64) -> Result<NetworkRate> {
    let options = SyntheticOptions {
        load,
        packet_flits: packet_flits.into(),
        cycles: u32::MAX.into(),
        ..SyntheticOptions::default()
    };
    let simulation = Simulation {
        topology: topology.into(),
        policy: mechanism::ALL[0].policies[0].name.into(),
        packet_flits,
        traffic: Traffic::Synthetic(options.clone()),
        ..Simulation::default()
    };
    reset_peak();
    let mut network = Network::new(&simulation.network()?)?;
    let mut workload = synthetic_workload(&simulation, &options, &network)?;
    // Until queues are as long as they will be.
    network.run(&mut workload, 5_000, &mut ())?;
    let (first, before, start) = (network.now(), network.counts(), ThreadTime::now());
    let mut stride = 500;
    while start.elapsed() < Duration::from_secs_f64(seconds) && network.now() < u64::from(u32::MAX) / 2 {
        network.run(&mut workload, network.now() + stride, &mut ())?;
        // Looking at the clock should cost nothing, however little happens.
        stride = (stride * 2).min(1 + (network.now() - first) / 8).max(500);
    }
    let seconds = start.elapsed().as_secs_f64();
    let after = network.counts();
    Ok(NetworkRate {
        topology: topology.into(),
        load,
        cycles_per_second: (network.now() - first) as f64 / seconds,
        flit_hops_per_second: (after.flit_hops - before.flit_hops) as f64 / seconds,
        packets_per_second: (after.packets_delivered - before.packets_delivered) as f64 / seconds,
        peak_bytes: peak_bytes(),
    })
}

/// Linux: the peak begins anew.
fn reset_peak() {
    // Where that is not possible the peak is that of the process so far: too high, never too low.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Linux: `VmHWM`, the peak of the resident set.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_measured_is_what_was_asked_for() {
        let rate = measure("2-ary-2-tree", 8, 0.2, 0.1).unwrap();
        // 4 nodes at 0.2 flits a cycle, each flit through 1 to 3 switches.
        let hops = rate.flit_hops_per_second / rate.cycles_per_second;
        assert!((0.8..2.4).contains(&hops), "{rate:?}");
        assert!(rate.packets_per_second > 0.0 && rate.peak_bytes.is_none_or(|bytes| bytes > 1 << 20), "{rate:?}");
        assert!(measure("no-tree", 8, 0.2, 0.1).is_err());
    }
}
