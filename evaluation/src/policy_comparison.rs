//! The power policies side by side on the same traffic, at one switch.
//!
//! Every run replays the same packet arrivals (an open loop: the senders do not wait for the switch) through the event-driven
//! golden controller, which the lock-step checks tie to the RTL.

use crate::GoldenSwitch;
use crate::network::note_of_nothing_saved;
use anyhow::{Result, ensure};
use powar_config::mechanism::PolicyEntry;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Mechanism, Residency};
use powar_golden::port_counts::PortCounts;
use powar_golden::power_model::{Accounting, PowerParameters, u_port};
use powar_golden::twins::check_models;
use powar_traffic::PacketArrival;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::atomic::{AtomicU64, Ordering};

/// The power-down thresholds of POWAR, section 4.1: 0, 1, 10, 100 us and 1 ms.
pub const PAPER_PDTS: [Nanoseconds; 5] =
    [Nanoseconds(0.0), Nanoseconds(1e3), Nanoseconds(10e3), Nanoseconds(100e3), Nanoseconds(1e6)];

/// Longest traffic: the counters of ports have 32 bits.
const MAX_CYCLES: u64 = u32::MAX as u64 / 2;

/// The parameter that rows differ by, where the mechanism has it.
const PDT: &str = "pdt";

/// Whether a mechanism has a power-down threshold.
pub fn has_pdt(mechanism: &Mechanism) -> bool {
    mechanism.options.iter().any(|option| option.name == PDT)
}

/// What a policy did at one power-down threshold.
#[derive(Clone, Debug, Serialize)]
pub struct PolicyRow {
    pub policy: &'static str,
    /// Power-down threshold, ns; none for a policy that takes no notice of it.
    pub pdt_ns: Option<f64>,
    /// RunTime: cycles until the last packet had left.
    pub cycles: u64,
    pub packets: u64,
    /// Mean over the ports of U_port: the share of the time with full power.
    pub awake_share: f64,
    pub wake_ups: u64,
    /// Packets that held a port which had to wake first.
    pub delayed: u64,
    /// Mean wait of a delayed packet for its port, ns.
    pub mean_delay_ns: f64,
    /// Longest such wait, ns.
    pub max_delay_ns: f64,
    /// Mean time from a packet's arrival to its departure, ns.
    pub mean_latency_ns: f64,
    /// By equation 1.
    #[serde(flatten)]
    pub power: NetworkPower,
    /// By the worked example.
    pub worked: NetworkPower,
}

/// What a switch draws, by one of POWAR's accountings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NetworkPower {
    /// W_net: the switch's power as a fraction of its largest (POWAR equation 3 for one switch).
    pub w_net: f64,
    /// E_net: its energy as a fraction of Reference's (POWAR equation 6).
    pub e_net: f64,
}

/// Ports that are awake only while they send, and wake in no time.
#[derive(Clone, Debug, Serialize)]
pub struct IdealRow {
    pub awake_share: f64,
    /// By equation 1.
    #[serde(flatten)]
    pub power: NetworkPower,
    /// By the worked example.
    pub worked: NetworkPower,
}

/// All policies on one trace.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    pub configuration: String,
    pub ports: usize,
    pub packets: u64,
    pub flits: u64,
    /// Nanoseconds that Reference took.
    pub reference_ns: f64,
    pub ideal: IdealRow,
    pub rows: Vec<PolicyRow>,
    /// What is to be known beside the figures, a line each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Compares `policies`, those of the configuration's mechanism, at each of `pdts` on the same arrivals. Runs are spread over the cores; `progress` is told (done, all) runs.
///
/// # Errors
/// A power-down threshold or another value that the configuration's checks refuse; no packets; a mechanism that there is no golden
/// model of.
pub fn compare(
    config: &Config,
    policies: &[&'static PolicyEntry],
    pdts: &[Nanoseconds],
    arrivals: &[PacketArrival],
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Result<Comparison> {
    ensure!(!arrivals.is_empty(), "the switch sees no packet of this traffic");
    let last = arrivals[arrivals.len() - 1].cycle;
    ensure!(last < MAX_CYCLES, "the traffic lasts {last} cycles; the counters of ports hold {MAX_CYCLES}");
    check_models(config)?;
    let mechanism = config.mechanism();
    let reference_policy = &mechanism.policies[0];
    let mut plans = vec![(reference_policy, None)];
    for &policy in policies.iter().filter(|policy| **policy != reference_policy) {
        match has_pdt(mechanism) && !policy.ignores.contains(&PDT) {
            true => plans.extend(pdts.iter().map(|&pdt| (policy, Some(pdt)))),
            false => plans.push((policy, None)),
        }
    }
    let configs = plans.iter().map(|&(policy, pdt)| planned(config, policy, pdt)).collect::<Result<Vec<_>>>()?;
    let done = AtomicU64::new(0);
    let runs: Vec<Run> = (configs.par_iter())
        .map(|config| {
            let run = replay(config, arrivals, true);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1, plans.len() as u64);
            run
        })
        .collect();

    let reference = &runs[0];
    let rows = (plans.iter().zip(&runs)).filter(|((policy, _), _)| policies.iter().any(|wanted| wanted == policy));
    let rows = rows.map(|(&(policy, pdt), run)| row(config, policy, pdt, run, reference));
    let rows = rows.collect::<Result<Vec<_>>>()?;
    let notes = note_of_rows(&configs, &rows).into_iter().collect();
    let sending: Vec<f64> = reference.counts.iter().map(|port| port.flits as f64 / reference.cycles as f64).collect();
    let residency = config.mechanism.residency();
    let ideal = |accounting| {
        let of_reference = reference.u_ports(&residency, accounting)?;
        network_power(accounting, [&sending, &of_reference], [reference.cycles; 2])
    };
    Ok(Comparison {
        configuration: config.name.clone(),
        ports: config.ports,
        packets: reference.packets,
        flits: arrivals.iter().map(|packet| u64::from(packet.flits)).sum(),
        reference_ns: reference.cycles as f64 * config.cycle_ns,
        ideal: IdealRow {
            awake_share: mean(&sending),
            power: ideal(Accounting::Equation1)?,
            worked: ideal(Accounting::WorkedExample)?,
        },
        rows,
        notes,
    })
}

/// No port drew less than all in any row, though some policies save power: which, and what would have had to happen at
/// the least threshold, at which a port was the nearest to it.
fn note_of_rows(configs: &[Config], rows: &[PolicyRow]) -> Option<String> {
    if rows.iter().any(|row| row.awake_share < 1.0) {
        return None;
    }
    let could: Vec<&Config> = configs.iter().filter(|config| config.mechanism.0.saves_when().is_some()).collect();
    let mut policies: Vec<&str> = could.iter().map(|config| config.mechanism.0.policy()).collect();
    policies.dedup();
    let pdt = |config: &Config| config.mechanism.0.table().get(PDT)?.as_str()?.parse::<Nanoseconds>().ok();
    let least = could
        .into_iter()
        .min_by(|one, other| pdt(one).map_or(0.0, |pdt| pdt.0).total_cmp(&pdt(other).map_or(0.0, |pdt| pdt.0)));
    note_of_nothing_saved(least?, &policies.join(", "), rows.iter().map(|row| row.cycles).max()?)
}

/// Equations 1 to 3 and 6 for one switch whose ports had these U_port in so many cycles: of a run and of the reference run.
fn network_power(accounting: Accounting, u_port: [&[f64]; 2], cycles: [u64; 2]) -> Result<NetworkPower> {
    let model = PowerParameters::default();
    let w_net = |u_port: &[f64]| model.network_power(&[model.ports_power(accounting, u_port)?]);
    let (power, of_reference) = (w_net(u_port[0])?, w_net(u_port[1])?);
    let energy = power * cycles[0] as f64;
    Ok(NetworkPower { w_net: power, e_net: energy / (of_reference * cycles[1] as f64) })
}

fn planned(config: &Config, policy: &PolicyEntry, pdt: Option<Nanoseconds>) -> Result<Config> {
    let mut changed = toml::Table::new();
    changed.insert("policy".into(), policy.name.into());
    changed.extend(pdt.map(|pdt| (PDT.into(), pdt.to_string().into())));
    let config = Config { mechanism: config.mechanism.with(changed)?, ..config.clone() };
    config.check()?;
    Ok(config)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn row(
    config: &Config,
    policy: &'static PolicyEntry,
    pdt: Option<Nanoseconds>,
    run: &Run,
    reference: &Run,
) -> Result<PolicyRow> {
    let residency = config.mechanism.residency();
    let shares = run.u_ports(&residency, Accounting::Equation1)?;
    let power = |accounting| {
        let u_ports = [run.u_ports(&residency, accounting)?, reference.u_ports(&residency, accounting)?];
        network_power(accounting, [&u_ports[0], &u_ports[1]], [run.cycles, reference.cycles])
    };
    let ns = |cycles: f64| cycles * config.cycle_ns;
    let per = |total: u64, count: u64| if count == 0 { 0.0 } else { total as f64 / count as f64 };
    Ok(PolicyRow {
        policy: policy.title,
        pdt_ns: pdt.map(|pdt| pdt.0),
        cycles: run.cycles,
        packets: run.packets,
        awake_share: mean(&shares),
        wake_ups: run.counts.iter().map(|port| port.wake_ups).sum(),
        delayed: run.delayed,
        mean_delay_ns: ns(per(run.delay, run.delayed)),
        max_delay_ns: ns(run.max_delay as f64),
        mean_latency_ns: ns(per(run.latency, run.packets)),
        power: power(Accounting::Equation1)?,
        worked: power(Accounting::WorkedExample)?,
    })
}

/// What came of one run; times in cycles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Run {
    cycles: u64,
    packets: u64,
    delayed: u64,
    delay: u64,
    max_delay: u64,
    latency: u64,
    counts: Vec<PortCounts>,
}

impl Run {
    /// U_port of each port by an accounting.
    fn u_ports(&self, residency: &[Residency], accounting: Accounting) -> Result<Vec<f64>> {
        let asleep = PowerParameters::default().asleep(accounting);
        self.counts.iter().map(|port| u_port(residency, &port.cycles, asleep)).collect()
    }
}

/// Replays the arrivals; with `skip`, cycles in which nothing happens are passed at once.
fn replay(config: &Config, arrivals: &[PacketArrival], skip: bool) -> Run {
    let mut switch = GoldenSwitch::new(config, arrivals.iter().copied());
    let mut run = Run::default();
    while !switch.is_done() {
        if skip {
            switch.skip_dead_cycles();
        }
        switch.step();
        for packet in switch.queues.departures() {
            let delay = packet.wake_delay();
            run.packets += 1;
            run.delayed += u64::from(delay > 0);
            run.delay += delay;
            run.max_delay = run.max_delay.max(delay);
            run.latency += packet.left + 1 - packet.arrived;
        }
    }
    run.cycles = switch.controller.now();
    run.counts = (0..config.ports).map(|port| switch.controller.counts(port)).collect();
    run
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    /// Bursts with gaps short and long against PDT, T_s and T_w, on every input, to up- and down-ports.
    fn bursts() -> Vec<PacketArrival> {
        let mut cycle = 0;
        let mut arrivals = vec![];
        for burst in 0..60u64 {
            cycle += [3, 40, 900, 5000, 20_000][(burst * 7 % 5) as usize];
            for packet in 0..=burst % 6 {
                let input = ((burst * 5 + packet * 3) % 16) as u16;
                let (adaptive, deterministic) = if input < 8 { (0xff00, 0) } else { (0, 1 << (burst % 8)) };
                let message = burst as u32;
                arrivals.push(PacketArrival {
                    cycle: cycle + packet / 3,
                    input,
                    adaptive,
                    deterministic,
                    flits: 8,
                    source: 0,
                    destination: 1,
                    message,
                });
            }
        }
        arrivals.sort();
        arrivals
    }

    #[test]
    fn skipping_dead_cycles_changes_nothing() {
        let config = presets::by_name("fat-tree-8").unwrap();
        for policy in config.mechanism().policies {
            for pdt in PAPER_PDTS {
                let config = planned(&config, policy, Some(pdt)).unwrap();
                let fast = replay(&config, &bursts(), true);
                assert_eq!(fast, replay(&config, &bursts(), false), "{} at {pdt}", policy.name);
                assert_eq!(fast.packets, bursts().len() as u64);
            }
        }
    }

    #[test]
    fn reference_never_sleeps_and_the_others_do() {
        let config = presets::by_name("fat-tree-8").unwrap();
        let all: Vec<_> = config.mechanism().policies.iter().collect();
        let comparison = compare(&config, &all, &[Nanoseconds(1e3)], &bursts(), &|_, _| ()).unwrap();
        assert_eq!(comparison.rows.len(), 4);
        let reference = &comparison.rows[0];
        assert_eq!((reference.awake_share, reference.wake_ups, reference.delayed), (1.0, 0, 0));
        let all = NetworkPower { w_net: 1.0, e_net: 1.0 };
        assert_eq!((reference.power, reference.worked), (all, all));
        for row in &comparison.rows[1..] {
            assert!(row.awake_share < 1.0 && row.wake_ups > 0 && row.power.e_net < 1.0, "{row:?}");
            // Equation 1 adds 0.65 x 0.1 of what sleeps: W_net by it is the worked example's and a tenth of what is missing to 1.
            let by_equation_1 = row.worked.w_net + 0.1 * (1.0 - row.worked.w_net);
            assert!((row.power.w_net - by_equation_1).abs() < 1e-12, "{row:?}");
            assert!(row.max_delay_ns <= 4160.0 + 2880.0 + 1.6 && row.awake_share > comparison.ideal.awake_share);
        }
    }

    #[test]
    fn no_traffic_is_an_error() {
        let config = presets::by_name("fat-tree-8").unwrap();
        assert!(compare(&config, &[], &[], &[], &|_, _| ()).is_err());
    }
}
