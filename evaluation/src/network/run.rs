//! Runs a simulation.

use super::idle::IdleLinks;
use super::link_utilisation::link_utilisation;
use super::outcome::{LatencySummary, Outcome, Power, Progress, Worked};
use super::series::{Interval, Recorder};
use super::simulation::{IDEAL, Interfaces, JobsOptions, Simulation, TraceOptions, Traffic};
use anyhow::{Context, Result, ensure};
use powar_config::Workload;
use powar_config::topology::graph;
use powar_config::topology::wiring::{End, Wiring};
use powar_golden::network::{Ended, IdleGaps, Network, NetworkParameters, NodeModel, SwitchModel};
use powar_golden::port_counts::PortCounts;
use powar_golden::power_model::links::links_power;
use powar_golden::power_model::{Accounting, u_port};
use powar_traffic::jobs::{Cluster, Jobs, Program};
use powar_traffic::synthetic::{Surroundings, Synthetic, SyntheticOptions};
use powar_traffic::{ProgramReplay, ReplayOptions, TrafficOptions};
use std::ops::Range;

/// Cycles between two calls of the observer of the progress.
const STRIDE: u64 = 100_000;
/// The counters of ports have 32 bits.
const MOST_CYCLES: u64 = u32::MAX as u64;
/// How many times as long as it is measured a simulation waits for the last packets of synthetic traffic.
const DRAIN: u64 = 4;

/// Runs a simulation on golden switches and nodes; `progress` is told now and then how far it is.
///
/// # Errors
/// A value out of its range, by name; a trace that can't be read or replayed to its end; a deadlock.
pub fn simulate(simulation: &Simulation, progress: &mut dyn FnMut(&Progress)) -> Result<Outcome> {
    simulate_on_threads(simulation, 1, progress)
}

/// The same on up to so many threads, where that pays; the outcome is the same.
///
/// # Errors
/// As of [`simulate`]; threads that can't be started.
pub fn simulate_on_threads(
    simulation: &Simulation,
    threads: usize,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    let parameters = simulation.network()?;
    match simulation.interfaces {
        Interfaces::Messages => simulate_on(simulation, &mut Network::new(&parameters)?.on_threads(threads)?, progress),
        Interfaces::AxiStream => {
            simulate_on(simulation, &mut Network::with_interfaces(&parameters)?.on_threads(threads)?, progress)
        }
    }
}

/// The same on a network that has just been built of [`Simulation::network`], whatever its switches are, with nodes of the kind that
/// [`Simulation::interfaces`] says.
///
/// # Errors
/// As of [`simulate`]; a node has counted something else than was seen of it.
pub fn simulate_on<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &mut Network<S, N>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    let outcome = match &simulation.traffic {
        Traffic::Synthetic(options) => synthetic(simulation, options, network, progress),
        Traffic::Trace(options) => trace(simulation, options, network, progress),
        Traffic::Jobs(options) => jobs(simulation, options, network, progress),
    }?;
    (0..network.nodes()).try_for_each(|node| network.node(node).check())?;
    Ok(outcome)
}

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
    let names = options.matrix.as_ref().map(|_| graph::names_of(&simulation.topology)).transpose()?;
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

fn synthetic<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    options: &SyntheticOptions,
    network: &mut Network<S, N>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    let stop = options.stop();
    ensure!(stop <= MOST_CYCLES, "cycles: {stop} in all are out of range 1..={MOST_CYCLES}");
    ensure!(
        simulation.warm_up < stop,
        "warm_up: {} is out of range 0..={}; nothing would be left to measure",
        simulation.warm_up,
        stop - 1
    );
    simulation.check_interval(Some(stop))?;
    let mut workload = synthetic_workload(simulation, options, network)?;
    let mut workload = Recorder::new(&mut workload, simulation.interval > 0);
    let mut window = simulation.warm_up..stop;
    network.measure(window.clone());
    let (mut series, mut gaps) = (vec![], idle_gaps(simulation, network, window.clone()));
    let mut run_to = |until, network: &mut _, workload: &mut _, gaps: &mut _| {
        run_in_intervals(simulation, network, (workload, gaps), (until, stop), &mut series, progress)
    };
    run_to(window.start, network, &mut workload, &mut gaps)?;
    let before = network.port_counts();
    let ended = run_to(window.end, network, &mut workload, &mut gaps)?;
    // A closed loop of so many requests takes as long as it takes.
    if ended == Ended::Over && options.closed_loop.as_ref().is_some_and(|closed| closed.requests.is_some()) {
        window.end = network.now().max(window.start + 1);
    }
    let after = network.port_counts();
    let measured = window.end - window.start;
    let idle = idle_links(gaps, window.end);
    let drained = run(network, (&mut workload, &mut None), window.end + DRAIN * measured, Some(stop), progress)?;
    let counts = since(&after, &before);
    Ok(Outcome { series, idle, ..outcome(simulation, network, window, &counts, None, drained == Ended::Time)? })
}

/// Who counts the idle gaps of links in a window, if they are asked for.
fn idle_gaps<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    window: Range<u64>,
) -> Option<IdleGaps> {
    let t_trans = &simulation.oracle;
    (!t_trans.is_empty()).then(|| IdleGaps::new(network.wiring(), window, t_trans))
}

/// What came of them in a window that ends here.
fn idle_links(gaps: Option<IdleGaps>, end: u64) -> Option<IdleLinks> {
    gaps.map(|gaps| IdleLinks::from(&gaps.finish(end)))
}

/// What the counters of ports have counted between two looks at them.
fn since(after: &[Vec<PortCounts>], before: &[Vec<PortCounts>]) -> Vec<Vec<PortCounts>> {
    let of_switch = |(after, before): (&Vec<PortCounts>, &Vec<PortCounts>)| {
        after.iter().zip(before).map(|(after, before)| after.since(before)).collect()
    };
    after.iter().zip(before).map(of_switch).collect()
}

/// Runs up to the cycle `until`, for the progress one of `last`, and notes what happened in each interval, if the simulation has any.
fn run_in_intervals<S: SwitchModel, N: NodeModel, W: Workload>(
    simulation: &Simulation,
    network: &mut Network<S, N>,
    (workload, gaps): (&mut Recorder<W>, &mut Option<IdleGaps>),
    (until, last): (u64, u64),
    series: &mut Vec<Interval>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Ended> {
    if simulation.interval == 0 {
        return run(network, (workload, gaps), until, Some(last), progress);
    }
    let mut counts = network.port_counts();
    loop {
        let start = network.now();
        let end = until.min(start + simulation.interval);
        let ended = run(network, (workload, gaps), end, Some(last), progress)?;
        let (now, after) = (network.now(), network.port_counts());
        if now > start {
            let u_port = u_ports(simulation, network, &since(&after, &counts), now - start, 0.0)?;
            let power = (links_power(&u_port, node_links(network))?, channels_power(network.wiring(), &u_port));
            series.push(workload.interval(now, now - start, network.nodes(), power));
        }
        if ended == Ended::Over || end == until {
            return Ok(ended);
        }
        counts = after;
    }
}

fn trace<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    options: &TraceOptions,
    network: &mut Network<S, N>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    simulation.check_untimed()?;
    let mut workload = trace_workload(simulation, options, network.parameters(), network.nodes())?;
    to_its_end(simulation, network, (&mut workload, &options.name()), ProgramReplay::run_time, progress)
}

fn jobs<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    options: &JobsOptions,
    network: &mut Network<S, N>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    simulation.check_untimed()?;
    let name = options.mix.display().to_string();
    let programs = options.open()?;
    let mut workload = jobs_workload(simulation, options, programs, network.parameters(), network.nodes())
        .with_context(|| name.clone())?;
    let outcome = to_its_end(simulation, network, (&mut workload, &name), Jobs::run_time, progress)?;
    Ok(Outcome { jobs: workload.records(), ..outcome })
}

/// Runs programs to their end, which `run_time` says.
fn to_its_end<S: SwitchModel, N: NodeModel, W: Workload>(
    simulation: &Simulation,
    network: &mut Network<S, N>,
    (workload, name): (&mut W, &str),
    run_time: impl Fn(&W) -> Option<u64>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    let mut gaps = idle_gaps(simulation, network, 0..MOST_CYCLES);
    let ended = run(network, (workload, &mut gaps), MOST_CYCLES, None, progress)?;
    ensure!(ended == Ended::Over, "{name}: the program takes more than {MOST_CYCLES} cycles");
    let cycles = run_time(workload).context("the program has ended")?.max(network.now()).max(1);
    let u_cpu: Vec<f64> = workload.computing(cycles).iter().map(|busy| busy / cycles as f64).collect();
    let counts = network.port_counts();
    let outcome = outcome(simulation, network, 0..cycles, &counts, Some(&u_cpu), false)?;
    Ok(Outcome { idle: idle_links(gaps, cycles), ..outcome })
}

fn run<S: SwitchModel, N: NodeModel>(
    network: &mut Network<S, N>,
    (workload, gaps): (&mut impl Workload, &mut Option<IdleGaps>),
    until: u64,
    last: Option<u64>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Ended> {
    loop {
        let stop = until.min(network.now() + STRIDE);
        let ended = network.run(workload, stop, gaps)?;
        progress(&Progress { cycle: network.now(), last, counts: network.counts() });
        if ended == Ended::Over || stop == until {
            return Ok(ended);
        }
    }
}

/// Parameters as a column of results has them.
fn described(parameters: &[(&str, toml::Value)]) -> String {
    let text = |value: &toml::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    parameters.iter().map(|(name, value)| format!("{name}={}", text(value))).collect::<Vec<_>>().join(" ")
}

/// Links of nodes into the network.
fn node_links<S: SwitchModel, N: NodeModel>(network: &Network<S, N>) -> usize {
    network.wiring().nodes.iter().map(Vec::len).sum()
}

/// By switch, what its ports with a cable have counted.
fn of_connected<'a, S: SwitchModel, N: NodeModel, T>(
    network: &'a Network<S, N>,
    counts: &'a [Vec<PortCounts>],
    mut value: impl FnMut(&PortCounts) -> Result<T>,
) -> Result<Vec<Vec<T>>> {
    let mut of_switch = |(switch, ports): (usize, &Vec<PortCounts>)| {
        let connected = network.wiring().connected(switch);
        let ports = ports.iter().enumerate().filter(|(port, _)| connected >> port & 1 == 1);
        ports.map(|(_, port)| value(port)).collect()
    };
    counts.iter().enumerate().map(&mut of_switch).collect()
}

/// U_port of the ports with a cable, by switch, from what they have counted in so many cycles; of `ideal` the share in which they send.
fn u_ports<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    counts: &[Vec<PortCounts>],
    cycles: u64,
    sleeping_port: f64,
) -> Result<Vec<Vec<f64>>> {
    let residency = network.parameters().config.mechanism().residency;
    of_connected(network, counts, |port| match simulation.policy == IDEAL {
        true => Ok(f64::from(port.flits) / cycles as f64),
        false => u_port(residency, &port.cycles, sleeping_port),
    })
}

/// Mean over the channels between switches of what they draw, from that of the ports with a cable; none in a network of one switch.
fn channels_power(wiring: &Wiring, u_port: &[Vec<f64>]) -> Option<f64> {
    let of_switch = |(switch, u_port): (usize, &Vec<f64>)| {
        let ends = wiring.ends[switch].iter().filter(|end| !matches!(end, End::Open));
        let channels = ends.zip(u_port).filter(|(end, _)| matches!(end, End::Switch { .. }));
        channels.map(|(_, &power)| power).collect::<Vec<f64>>()
    };
    let channels: Vec<f64> = u_port.iter().enumerate().flat_map(of_switch).collect();
    (!channels.is_empty()).then(|| channels.iter().sum::<f64>() / channels.len() as f64)
}

fn outcome<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    window: Range<u64>,
    port_counts: &[Vec<PortCounts>],
    u_cpu: Option<&[f64]>,
    saturated: bool,
) -> Result<Outcome> {
    let cycles = window.end - window.start;
    let sending = of_connected(network, port_counts, |port| Ok(f64::from(port.flits) / cycles as f64))?;
    let u_ports = |sleeping_port| u_ports(simulation, network, port_counts, cycles, sleeping_port);
    let awake = u_ports(simulation.power.sleeping_port)?;
    let ports: usize = awake.iter().map(Vec::len).sum();
    let mean = |rows: &[Vec<f64>]| rows.iter().flatten().sum::<f64>() / ports as f64;
    let run_time_ns = cycles as f64 * simulation.cycle_ns;
    let consumption = |accounting| {
        let u_port = u_ports(simulation.power.sleeping_port(accounting))?;
        simulation.power.consumption(accounting, &u_port, u_cpu.unwrap_or(&[0.0]), run_time_ns)
    };
    let watts = simulation.watts.consumption(&u_ports(simulation.watts.sleeping_port)?, u_cpu, run_time_ns)?;
    let wake_ups = of_connected(network, port_counts, |port| Ok(u64::from(port.wake_ups)))?;
    let counts = network.counts();
    let measurement = network.measurement();
    let nodes = network.nodes();
    let per_node = |flits: u64| flits as f64 / nodes as f64 / cycles as f64;
    let links = u_ports(0.0)?;
    Ok(Outcome {
        topology: simulation.topology.clone(),
        policy: simulation.policy.clone(),
        mechanism: network.parameters().config.mechanism().name.into(),
        parameters: described(&simulation.parameters()?),
        nodes,
        switches: port_counts.len(),
        ports,
        cycles,
        run_time_ns,
        messages: counts.messages_delivered,
        packets: counts.packets_delivered,
        flits: counts.flits_delivered,
        flit_hops: counts.flit_hops,
        offered: per_node(measurement.flits_given),
        accepted: per_node(measurement.flits_delivered),
        saturated,
        packet_latency: LatencySummary::from(&measurement.packet_latency),
        network_latency: LatencySummary::from(&measurement.network_latency),
        message_latency: LatencySummary::from(&measurement.message_latency),
        u_port: mean(&awake),
        sending: mean(&sending),
        links_power: links_power(&links, node_links(network))?,
        channels_power: channels_power(network.wiring(), &links),
        wake_ups: wake_ups.iter().flatten().sum(),
        u_cpu: u_cpu.map(|shares| shares.iter().sum::<f64>() / shares.len() as f64),
        replay: match &simulation.traffic {
            Traffic::Trace(options) => Some(options.replay.clone()),
            Traffic::Synthetic(_) | Traffic::Jobs(_) => None,
        },
        power: Power::new(&consumption(Accounting::Equation1)?, u_cpu.is_some()),
        watts,
        worked: Worked::new(&consumption(Accounting::WorkedExample)?, u_cpu.is_some()),
        link_utilisation: link_utilisation(&network.parameters().config.groups, network.wiring(), port_counts, cycles),
        idle: None,
        series: vec![],
        jobs: vec![],
    })
}
