//! How fast networks are simulated.

use super::instructions::Instructions;
use super::simulation::Simulation;
use super::traffic::{TraceOptions, Traffic};
use super::workloads::{synthetic_workload, trace_workload};
use anyhow::{Result, ensure};
use cpu_time::ThreadTime;
use powar_config::mechanism;
use powar_golden::network::{Ended, Network};
use powar_traffic::synthetic::SyntheticOptions;
use serde::Serialize;
use std::time::{Duration, Instant};

/// A network under uniform Bernoulli traffic, hops of 31 cycles.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub topology: &'a str,
    pub policy: &'a str,
    pub packet_flits: u16,
    /// Flits per node and cycle.
    pub load: f64,
    /// Cycles before it is measured: until queues are as long as they will be.
    pub warm_up: u64,
    pub threads: usize,
}

/// How fast a network was simulated.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkRate {
    pub topology: String,
    pub policy: String,
    pub nodes: usize,
    pub load: f64,
    pub threads: usize,
    /// Windows of cycles in which threads took part: 0 where it would not have paid.
    pub shared_windows: u64,
    /// Simulated cycles of the whole network a second: of the processor on one thread, so that other work on the machine matters little, and of the clock on
    /// several.
    pub cycles_per_second: f64,
    /// Flits times the switches they crossed, a second.
    pub flit_hops_per_second: f64,
    /// Packets that came in, a second.
    pub packets_per_second: f64,
    /// On one thread, where the system counts them.
    pub instructions_per_flit_hop: Option<f64>,
    /// Most memory that the process held while it was measured, bytes; none where the system doesn't tell.
    pub peak_bytes: Option<u64>,
}

/// Networks of two kinds with 64, 512, 4096 and 32768 nodes, all at [`SIZES_LOAD`] with packets of 8 flits.
pub const SIZES: [&str; 8] =
    ["k8-n2", "torus-4x4x4", "k8-n3", "torus-8x8x8", "k16-n3", "torus-16x16x16", "k32-n3", "torus-32x32x32"];
pub const SIZES_LOAD: f64 = 0.2;
/// Cycles until queues are as long as they will be at that load.
pub const SIZES_WARM_UP: u64 = 1_000;

/// The network on which policies are compared, and the loads. It has two dimensions, as some mechanisms need.
pub const POLICIES_ON: &str = "mesh-8x8";
pub const POLICIES_LOADS: [f64; 3] = [0.01, 0.1, 0.3];

/// All ports awake.
pub fn reference() -> &'static str {
    mechanism::ALL[0].policies[0].name
}

/// All ports awake, and the last policy of each mechanism that can be in this network.
pub fn policies(topology: &str) -> Vec<&'static str> {
    let fits = |policy: &&str| {
        let simulation = Simulation { topology: topology.into(), policy: (*policy).into(), ..Simulation::default() };
        simulation.network().is_ok()
    };
    let last = mechanism::ALL.iter().filter_map(|mechanism| Some(mechanism.policies.last()?.name));
    std::iter::once(reference()).chain(last.filter(fits)).collect()
}

/// The largest of the skeletons in `experiments/skeletons.toml`: 512 ranks, eight a node.
pub fn largest_skeleton() -> TraceOptions {
    let skeleton = "hpl:n=8192,nb=64,p=16,q=32,rate=5g".to_owned();
    TraceOptions { skeleton: Some(skeleton), ranks_per_node: 8, ..TraceOptions::default() }
}

/// Measures a network for about so many seconds.
///
/// # Errors
/// As of [`Simulation::network`]; threads that can't be started.
pub fn measure(case: &Case, seconds: f64) -> Result<NetworkRate> {
    let options = SyntheticOptions {
        load: case.load,
        packet_flits: case.packet_flits.into(),
        cycles: u32::MAX.into(),
        ..SyntheticOptions::default()
    };
    let simulation = Simulation {
        topology: case.topology.into(),
        policy: case.policy.into(),
        packet_flits: case.packet_flits,
        traffic: Traffic::Synthetic(options.clone()),
        ..Simulation::default()
    };
    reset_peak();
    let mut network = Network::new(&simulation.network()?)?.on_threads(case.threads)?;
    let mut workload = synthetic_workload(&simulation, &options, &network)?;
    network.run(&mut workload, case.warm_up, &mut ())?;
    let (first, before, shared) = (network.now(), network.counts(), network.shared_windows());
    let watch = Watch::start(case.threads);
    let mut stride = 100;
    while watch.elapsed() < Duration::from_secs_f64(seconds) && network.now() < u64::from(u32::MAX) / 2 {
        network.run(&mut workload, network.now() + stride, &mut ())?;
        // Looking at the clock should cost nothing, however little happens.
        stride = (stride * 2).min(1 + (network.now() - first) / 8).max(100);
    }
    let (seconds, instructions) = (watch.elapsed().as_secs_f64(), watch.instructions());
    let after = network.counts();
    let flit_hops = (after.flit_hops - before.flit_hops) as f64;
    Ok(NetworkRate {
        topology: case.topology.into(),
        policy: case.policy.into(),
        nodes: network.nodes(),
        load: case.load,
        threads: case.threads,
        shared_windows: network.shared_windows() - shared,
        cycles_per_second: (network.now() - first) as f64 / seconds,
        flit_hops_per_second: flit_hops / seconds,
        packets_per_second: (after.packets_delivered - before.packets_delivered) as f64 / seconds,
        instructions_per_flit_hop: instructions.map(|instructions| instructions as f64 / flit_hops),
        peak_bytes: peak_bytes(),
    })
}

/// How fast an MPI program was replayed on one core of the machine, all ports awake.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayRate {
    pub program: String,
    pub topology: String,
    /// Messages between nodes.
    pub messages: u64,
    /// Of the processor; the first without reading the program and building the network.
    pub seconds: f64,
    pub preparation_seconds: f64,
    pub microseconds_per_message: f64,
    /// Flits times the switches they crossed, a second.
    pub flit_hops_per_second: f64,
    pub peak_bytes: Option<u64>,
}

/// Replays a program to its end on a network.
///
/// # Errors
/// As of [`super::simulate`].
pub fn measure_replay(topology: &str, options: &TraceOptions) -> Result<ReplayRate> {
    let simulation = Simulation {
        topology: topology.into(),
        policy: reference().into(),
        traffic: Traffic::Trace(options.clone()),
        ..Simulation::default()
    };
    reset_peak();
    let watch = Watch::start(1);
    let mut network = Network::new(&simulation.network()?)?;
    let mut workload = trace_workload(&simulation, options, network.parameters(), network.nodes())?;
    let preparation = watch.elapsed().as_secs_f64();
    let ended = network.run(&mut workload, u64::MAX, &mut ())?;
    ensure!(ended == Ended::Over, "{}: the program does not end", options.name());
    let seconds = watch.elapsed().as_secs_f64() - preparation;
    let counts = network.counts();
    Ok(ReplayRate {
        program: options.name(),
        topology: topology.into(),
        messages: counts.messages_delivered,
        seconds,
        preparation_seconds: preparation,
        microseconds_per_message: seconds * 1e6 / counts.messages_delivered.max(1) as f64,
        flit_hops_per_second: counts.flit_hops as f64 / seconds,
        peak_bytes: peak_bytes(),
    })
}

/// Time from its start on: of this thread on the processor, with the instructions if the system counts them; if there are several threads that of the clock.
struct Watch {
    thread: Option<(ThreadTime, Option<Instructions>)>,
    clock: Instant,
}

impl Watch {
    fn start(threads: usize) -> Watch {
        let thread = (threads == 1).then(|| (ThreadTime::now(), Instructions::start()));
        Watch { thread, clock: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        self.thread.as_ref().map_or_else(|| self.clock.elapsed(), |(time, _)| time.elapsed())
    }

    fn instructions(self) -> Option<u64> {
        self.thread?.1?.count()
    }
}

/// Linux: the peak begins anew.
pub(super) fn reset_peak() {
    // Where that is not possible the peak is that of the process so far: too high, never too low.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Linux: `VmHWM`, the peak of the resident set.
pub(super) fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::topology::wiring::Wiring;

    fn case(topology: &str, threads: usize) -> Case<'_> {
        Case { topology, policy: reference(), packet_flits: 8, load: 0.2, warm_up: 1_000, threads }
    }

    #[test]
    fn what_is_measured_is_what_was_asked_for() {
        let rate = measure(&case("2-ary-2-tree", 1), 0.1).unwrap();
        // 4 nodes at 0.2 flits a cycle, each flit through 1 to 3 switches.
        let hops = rate.flit_hops_per_second / rate.cycles_per_second;
        assert!((0.8..2.4).contains(&hops), "{rate:?}");
        assert!(rate.packets_per_second > 0.0 && rate.peak_bytes.is_none_or(|bytes| bytes > 1 << 20), "{rate:?}");
        assert!(rate.instructions_per_flit_hop.is_none_or(|instructions| instructions > 10.0), "{rate:?}");
        assert_eq!((rate.nodes, rate.shared_windows), (4, 0));
        assert!(measure(&case("no-tree", 1), 0.1).is_err());
        // A network of one region has nothing to share.
        assert_eq!(measure(&case("2-ary-2-tree", 2), 0.1).unwrap().shared_windows, 0);
        assert!(measure(&case("4-ary-4-tree", 2), 0.1).unwrap().shared_windows > 0);
    }

    #[test]
    fn networks_have_the_sizes_that_are_said() {
        let nodes = SIZES.map(|name| {
            let simulation = Simulation { topology: name.into(), ..Simulation::default() };
            Wiring::new(&simulation.network().unwrap().config).unwrap().nodes.len()
        });
        assert_eq!(nodes, [64, 64, 512, 512, 4096, 4096, 32768, 32768]);
    }

    #[test]
    fn policies_are_compared_where_they_can_be() {
        let (on_a_mesh, on_a_tree) = (policies(POLICIES_ON), policies("4-ary-2-tree"));
        assert_eq!((on_a_mesh[0], on_a_tree[0]), (reference(), reference()));
        // What needs a grid, what needs a tree, and what is for any network.
        let has = |list: &[&str], name| list.contains(&name);
        assert!(
            has(&on_a_mesh, "on-off-on-demand") && has(&on_a_tree, "alonso-dynamic"),
            "{on_a_mesh:?} {on_a_tree:?}"
        );
        assert!(!has(&on_a_mesh, "alonso-dynamic") && has(&on_a_mesh, "timetable") && has(&on_a_tree, "timetable"));
        let rate = measure(&Case { policy: on_a_mesh[1], ..case("mesh-4x4", 1) }, 0.1).unwrap();
        assert_eq!(rate.policy, on_a_mesh[1]);
    }

    #[test]
    fn a_replay_says_what_a_message_costs() {
        let skeleton = "all-reduce:ranks=16,steps=2,parameters=1k".to_owned();
        let options = TraceOptions { skeleton: Some(skeleton), ..TraceOptions::default() };
        let rate = measure_replay("4-ary-2-tree", &options).unwrap();
        assert!(rate.messages > 16 && rate.microseconds_per_message > 0.0, "{rate:?}");
    }
}
