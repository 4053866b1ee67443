//! Runs a simulation.

use super::backlog::{Alone, Backlog, less_came_in};
use super::channels::{self, Reading, counted_since};
use super::connected_ports::{of_connected, u_ports};
use super::energy::{measured_bits, per_bit};
use super::idle::IdleLinks;
use super::lasting::Lasting;
use super::latency::{LatencySummary, flows, histogram};
use super::link_utilisation::link_utilisation;
use super::links::links;
use super::notes::{PERHAPS_SATURATED, note_of_lead, note_of_no_packets, note_of_power};
use super::outcome::{Outcome, Power, Progress, Worked};
use super::series::{Drawn, Recorder, Series};
use super::simulation::{Interfaces, Simulation};
use super::traffic::{JobsOptions, TraceOptions, Traffic};
use super::warm_up::find_warm_up;
use super::warm_up_cycles::AUTO_WARM_UP;
use super::workloads::{jobs_workload, synthetic_workload, trace_workload};
use anyhow::{Context, Result, ensure};
use powar_config::Workload;
use powar_golden::network::{Ended, IdleGaps, Network, NodeModel, SwitchModel};
use powar_golden::port_counts::PortCounts;
use powar_golden::power_model::links::links_power;
use powar_golden::power_model::{Accounting, Asleep};
use powar_traffic::ProgramReplay;
use powar_traffic::jobs::Jobs;
use powar_traffic::synthetic::SyntheticOptions;
use std::ops::Range;

/// Cycles between two calls of the observer of the progress.
const STRIDE: u64 = 100_000;
/// Every number up to here is exact in a double, which JSON's readers and the power models have; 167 days of 1.6 ns.
pub(super) const MOST_CYCLES: u64 = 1 << 53;
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
    network.measure_details(simulation.details.links, simulation.details.flows);
    if simulation.warm_up == AUTO_WARM_UP {
        let found = find_warm_up(simulation, progress)?;
        let mut outcome = simulate_on(&Simulation { warm_up: found.cycle, ..simulation.clone() }, network, progress)?;
        outcome.notes.push(found.note());
        return Ok(outcome);
    }
    let outcome = match &simulation.traffic {
        Traffic::Synthetic(options) => synthetic(simulation, options, network, progress),
        Traffic::Trace(options) => trace(simulation, options, network, progress),
        Traffic::Jobs(options) => jobs(simulation, options, network, progress),
    }?;
    (0..network.nodes()).try_for_each(|node| network.node(node).check())?;
    Ok(outcome)
}

/// What is looked at beside the network while it runs.
#[derive(Default)]
struct Watch {
    gaps: Option<IdleGaps>,
    backlog: Backlog,
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
    simulation.check_interval(stop)?;
    let mut workload = synthetic_workload(simulation, options, network)?;
    // A closed loop of so many requests takes as long as it takes.
    let takes_its_time = options.closed_loop.as_ref().is_some_and(|closed| closed.requests.is_some());
    let mut workload = Lasting::new(&mut workload, if takes_its_time { 0 } else { stop });
    let mut workload = Recorder::new(&mut workload, simulation.interval > 0);
    let mut window = simulation.warm_up..stop;
    network.measure(window.clone());
    let gaps = idle_gaps(simulation, network, window.clone());
    let mut series = Series::new(simulation.interval);
    let mut watch = Watch { gaps, backlog: Backlog::over(options.start..stop) };
    let mut run_to = |until, network: &mut _, workload: &mut _, watch: &mut _| {
        run_in_intervals(simulation, network, (workload, watch), (until, Some(stop)), &mut series, progress)
    };
    run_to(window.start, network, &mut workload, &mut watch)?;
    let before = network.port_counts();
    let ended = run_to(window.end, network, &mut workload, &mut watch)?;
    if ended == Ended::Over && takes_its_time {
        window.end = network.now().max(window.start + 1);
    }
    let after = network.port_counts();
    let measured = window.end - window.start;
    let idle = idle_links(watch.gaps, window.end);
    let alone = Alone::in_network(network, &after);
    let oldest = network.oldest().map_or(0, |given| window.end - given);
    let grows = watch.backlog.grows(&alone, oldest);
    let most = window.end.saturating_add(DRAIN * measured);
    run(network, (&mut workload, &mut Watch::default()), most, Some(stop), progress)?;
    let counts = counted_since(&after, &before);
    let counted = network.counts();
    let unfinished = counted.messages_given - counted.messages_delivered;
    let drained = network.now() - window.end;
    let series = series.intervals(network.nodes());
    let all_cycles = window.end;
    let mut outcome = outcome(simulation, network, window, &counts, None)?;
    let (accepted, offered) = (outcome.accepted, outcome.offered);
    // Nothing is given any more, and still they don't come in: it has collapsed, if it had not kept up until then.
    let is_left = unfinished > 0 && alone.is_over_in(drained) && less_came_in(accepted, offered);
    let saturated = grows || is_left;
    if !saturated && alone.is_doubtful((accepted, offered), oldest, all_cycles) {
        outcome.notes.push(PERHAPS_SATURATED.into());
    }
    Ok(Outcome { warm_up: simulation.warm_up, series, idle, saturated, oldest, unfinished, ..outcome })
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

/// Runs up to the cycle `until`, for the progress one of `last`, and notes what happened in each interval, if the simulation has any.
fn run_in_intervals<S: SwitchModel, N: NodeModel, W: Workload>(
    simulation: &Simulation,
    network: &mut Network<S, N>,
    (workload, watch): (&mut Recorder<W>, &mut Watch),
    (until, last): (u64, Option<u64>),
    series: &mut Series,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Ended> {
    if series.length() == 0 {
        return run(network, (workload, watch), until, last, progress);
    }
    let mut before = Reading::of(network);
    loop {
        let start = network.now();
        let end = until.min(start.saturating_add(series.length()));
        let ended = run(network, (workload, watch), end, last, progress)?;
        let (now, after) = (network.now(), Reading::of(network));
        if now > start {
            let drawn = drawn(simulation, network, &after.since(&before), now - start)?;
            series.push(workload.interval(now, now - start, drawn));
        }
        if ended == Ended::Over || end == until {
            return Ok(ended);
        }
        before = after;
    }
}

/// What ports drew in an interval of so many cycles, in which they have counted this.
fn drawn<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    reading: &Reading,
    cycles: u64,
) -> Result<Drawn> {
    let (counts, wiring) = (&reading.counts, network.wiring());
    let links = u_ports(simulation, network, counts, cycles, Asleep::default())?;
    let awake = u_ports(simulation, network, counts, cycles, Asleep::without_lane(simulation.power.sleeping_port))?;
    Ok(Drawn {
        links_power: links_power(&links, node_links(network))?,
        channels_power: channels::power(wiring, &links),
        u_port: awake.iter().flatten().sum::<f64>() / awake.iter().flatten().count() as f64,
        buffer_utilisation: channels::buffer_utilisation(wiring, reading, cycles),
        bit_rate: channels::bit_rate(wiring, network.parameters().config.mechanism(), counts),
    })
}

fn trace<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    options: &TraceOptions,
    network: &mut Network<S, N>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    simulation.check_untimed()?;
    let mut workload = trace_workload(simulation, options, network.parameters(), network.nodes())?;
    let mut outcome = to_its_end(simulation, network, (&mut workload, &options.name()), progress)?;
    outcome.notes.extend_from_slice(workload.remarks());
    Ok(outcome)
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
    let remarks: Vec<String> = programs.iter().flat_map(|program| program.trace.remarks()).collect();
    let mut workload = jobs_workload(simulation, options, programs, network.parameters(), network.nodes())
        .with_context(|| name.clone())?;
    let mut outcome = to_its_end(simulation, network, (&mut workload, &name), progress)?;
    outcome.notes.extend(remarks);
    Ok(Outcome { jobs: workload.records(), ..outcome })
}

/// What runs to an end of its own.
trait Programs: Workload {
    /// Cycles until then.
    fn run_time(&self) -> Option<u64>;

    /// Payload of all messages that entered the network, bytes.
    fn network_bytes(&self) -> u64;
}

impl Programs for ProgramReplay {
    fn run_time(&self) -> Option<u64> {
        self.run_time()
    }

    fn network_bytes(&self) -> u64 {
        self.traffic().bytes
    }
}

impl Programs for Jobs {
    fn run_time(&self) -> Option<u64> {
        self.run_time()
    }

    fn network_bytes(&self) -> u64 {
        self.records().iter().map(|job| job.network_bytes).sum()
    }
}

/// Runs programs to their end.
fn to_its_end<S: SwitchModel, N: NodeModel, W: Programs>(
    simulation: &Simulation,
    network: &mut Network<S, N>,
    (workload, name): (&mut W, &str),
    progress: &mut dyn FnMut(&Progress),
) -> Result<Outcome> {
    let mut watch = Watch { gaps: idle_gaps(simulation, network, 0..MOST_CYCLES), ..Watch::default() };
    let mut series = Series::without_end(simulation.interval);
    let mut recorder = Recorder::new(&mut *workload, simulation.interval > 0);
    let whole = (MOST_CYCLES, None);
    let ended = run_in_intervals(simulation, network, (&mut recorder, &mut watch), whole, &mut series, progress)?;
    ensure!(ended == Ended::Over, "{name}: the program takes more than {MOST_CYCLES} cycles");
    // Nothing has ended where nothing was to be done.
    let ended = workload.run_time();
    let ended = ended.with_context(|| format!("{name}: the program has no operation, expected one or more"))?;
    let cycles = ended.max(network.now()).max(1);
    let u_cpu: Vec<f64> = workload.computing(cycles).iter().map(|busy| busy / cycles as f64).collect();
    let counts = network.port_counts();
    let outcome = outcome(simulation, network, 0..cycles, &counts, Some(&u_cpu))?;
    // The program says what of its packets is payload; the network only sees whole ones.
    let payload_bits = Some(8 * workload.network_bytes());
    let j_per_bit = per_bit(payload_bits, outcome.watts.e_net);
    let outcome = Outcome { payload_bits, j_per_bit, ..outcome };
    Ok(Outcome { idle: idle_links(watch.gaps, cycles), series: series.intervals(network.nodes()), ..outcome })
}

fn run<S: SwitchModel, N: NodeModel>(
    network: &mut Network<S, N>,
    (workload, watch): (&mut impl Workload, &mut Watch),
    until: u64,
    last: Option<u64>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Ended> {
    loop {
        // Nothing happens before the next event, however far it is.
        let stop = until.min(network.next_event(workload).saturating_add(STRIDE)).min(watch.backlog.next());
        let ended = network.run(workload, stop, &mut watch.gaps)?;
        watch.backlog.look(network);
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

fn outcome<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    window: Range<u64>,
    port_counts: &[Vec<PortCounts>],
    u_cpu: Option<&[f64]>,
) -> Result<Outcome> {
    let cycles = window.end - window.start;
    let sending = of_connected(network, port_counts, |port| Ok(port.flits as f64 / cycles as f64))?;
    let u_ports = |asleep| u_ports(simulation, network, port_counts, cycles, asleep);
    let awake = u_ports(Asleep::without_lane(simulation.power.sleeping_port))?;
    let ports: usize = awake.iter().map(Vec::len).sum();
    let mean = |rows: &[Vec<f64>]| rows.iter().flatten().sum::<f64>() / ports as f64;
    let run_time_ns = cycles as f64 * simulation.cycle_ns;
    let consumption = |accounting| {
        let u_port = u_ports(simulation.power.asleep(accounting))?;
        simulation.power.consumption(accounting, &u_port, u_cpu.unwrap_or(&[0.0]), run_time_ns)
    };
    let watts = simulation.watts.consumption(&u_ports(simulation.watts.asleep())?, u_cpu, run_time_ns)?;
    let wake_ups = of_connected(network, port_counts, |port| Ok(port.wake_ups))?;
    let counts = network.counts();
    let measurement = network.measurement();
    let nodes = network.nodes();
    let all = (counts.flits_delivered, counts.packets_delivered);
    let payload_bits = Some(measured_bits(simulation.interfaces, measurement.flits_delivered, all));
    let details = simulation.details;
    let per_node = |flits: u64| flits as f64 / nodes as f64 / cycles as f64;
    let of_links = u_ports(Asleep::default())?;
    let wake_ups = wake_ups.iter().flatten().sum();
    let note = note_of_power(simulation, network.parameters(), &of_links, wake_ups, cycles);
    Ok(Outcome {
        topology: simulation.topology.clone(),
        policy: simulation.policy.clone(),
        mechanism: network.parameters().config.mechanism().name.into(),
        parameters: described(&simulation.parameters()?),
        nodes,
        switches: port_counts.len(),
        ports,
        cycles,
        warm_up: 0,
        run_time_ns,
        messages: counts.messages_delivered,
        packets: counts.packets_delivered,
        flits: counts.flits_delivered,
        flit_hops: counts.flit_hops,
        offered: per_node(measurement.flits_given),
        accepted: per_node(measurement.flits_delivered),
        saturated: false,
        oldest: 0,
        unfinished: 0,
        packet_latency: LatencySummary::from(&measurement.packet_latency),
        network_latency: LatencySummary::from(&measurement.network_latency),
        message_latency: LatencySummary::from(&measurement.message_latency),
        u_port: mean(&awake),
        sending: mean(&sending),
        links_power: links_power(&of_links, node_links(network))?,
        channels_power: channels::power(network.wiring(), &of_links),
        wake_ups,
        events: network.events().into_iter().map(|(name, count)| (name.into(), count)).collect(),
        u_cpu: u_cpu.map(|shares| shares.iter().sum::<f64>() / shares.len() as f64),
        replay: match &simulation.traffic {
            Traffic::Trace(options) => Some(options.replay.clone()),
            Traffic::Synthetic(_) | Traffic::Jobs(_) => None,
        },
        power: Power::new(&consumption(Accounting::Equation1)?, u_cpu.is_some()),
        payload_bits,
        j_per_bit: per_bit(payload_bits, watts.e_net),
        watts,
        worked: Worked::new(&consumption(Accounting::WorkedExample)?, u_cpu.is_some()),
        link_utilisation: link_utilisation(&network.parameters().config.groups, network.wiring(), port_counts, cycles),
        notes: note
            .into_iter()
            .chain(note_of_no_packets(counts.messages_given, measurement.flits_delivered, cycles))
            .chain(note_of_lead(simulation)?)
            .collect(),
        idle: None,
        series: vec![],
        links: details.links.then(|| links(simulation, network, port_counts, cycles)).transpose()?,
        histogram: details.histogram.then(|| histogram(measurement)),
        flows: measurement.flows.as_ref().map(|all| flows(all, &simulation.topology)).transpose()?,
        jobs: vec![],
    })
}
