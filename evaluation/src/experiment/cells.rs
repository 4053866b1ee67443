//! The columns of a point: what its sweeps are at it, what is relative to the baseline, and every figure of its outcome.

use super::column::{Cell, columns};
use super::file::File;
use super::meaning::{COMMAND, SEED};
use super::repeat::summary;
use super::sweep::Sweep;
use crate::network::{IdleLinks, Interval, Outcome};
use anyhow::{Context, Result};
use powar_golden::power_model::links::relative_energy;
use serde::Deserialize;

/// Names of the columns that an experiment's results have.
///
/// # Errors
/// None that could happen to an outcome.
pub fn names(file: &File) -> Result<Vec<String>> {
    let idle = oracle(file)?.map(|t_trans| IdleLinks::of_none(&t_trans));
    let outcome = Outcome { idle, ..Outcome::default() };
    let baseline = file.baseline.as_ref().map(|_| &outcome);
    let runs = vec![(&outcome, baseline); file.repeat.as_ref().map_or(1, |repeat| repeat.values.len())];
    let cells = cells(file, &vec![None; file.sweeps.len()], &runs)?;
    Ok(cells.into_iter().map(|(name, _)| name).collect())
}

/// The first sweep, or group of its values, that has the name of a column which it does not set and would hide; its name.
///
/// # Errors
/// None that could happen to an outcome.
pub fn hiding(file: &File) -> Result<Option<&str>> {
    let outcome = Outcome::default();
    let measured = figures(&outcome)?.into_iter().chain(relative(&outcome, &outcome)).map(|(name, _)| name);
    let measured: Vec<String> = measured.chain([SEED, COMMAND].map(str::to_owned)).collect();
    let sets = |sweep: &Sweep| {
        let name = sweep.name.as_str();
        sweep.keys().iter().any(|key| *key == name || (name == SEED && key.ends_with(".seed")))
    };
    let names = file.sweeps.iter().flat_map(|sweep| {
        let group = sweep.group.as_ref().map(|group| &group.name);
        (!sets(sweep)).then_some(&sweep.name).into_iter().chain(group)
    });
    Ok(names.map(String::as_str).find(|name| measured.iter().any(|column| column == name)))
}

/// The transition times of the oracle's columns: the same of all points, so the file has them in `[simulation]` alone.
fn oracle(file: &File) -> Result<Option<Vec<u64>>> {
    let t_trans = file.simulation.get("oracle").map(Vec::<u64>::deserialize).transpose();
    Ok(t_trans.context("simulation: oracle")?.filter(|t_trans| !t_trans.is_empty()))
}

/// The columns of an interval.
///
/// # Errors
/// None that could happen to an interval.
pub fn interval_cells(interval: &Interval) -> Result<Vec<(String, Cell)>> {
    columns(interval)
}

/// A point's columns, of its runs with the baseline of each; `labels` are those of the sweeps, none where one makes no difference.
///
/// # Errors
/// None that could happen to an outcome.
pub fn cells(
    file: &File,
    labels: &[Option<String>],
    runs: &[(&Outcome, Option<&Outcome>)],
) -> Result<Vec<(String, Cell)>> {
    let of_run = |&(outcome, baseline): &(&Outcome, Option<&Outcome>)| of_run(file, labels, outcome, baseline);
    let mut runs = runs.iter().map(of_run).collect::<Result<Vec<_>>>()?;
    match &file.repeat {
        Some(repeat) => Ok(summary(&runs, file.sweeps.len(), repeat.spread())),
        None => Ok(runs.pop().unwrap_or_default()),
    }
}

/// The columns of a point's run.
fn of_run(
    file: &File,
    labels: &[Option<String>],
    outcome: &Outcome,
    baseline: Option<&Outcome>,
) -> Result<Vec<(String, Cell)>> {
    let text = |label: &Option<String>| label.clone().map_or(Cell::None, Cell::Text);
    let mut cells: Vec<(String, Cell)> =
        file.sweeps.iter().map(|sweep| sweep.name.clone()).zip(labels.iter().map(text)).collect();
    cells.extend(baseline.into_iter().flat_map(|baseline| relative(outcome, baseline)));
    // A sweep of the same name says more: its labels are those of the file.
    let is_sweep = |name: &String| file.sweeps.iter().any(|sweep| sweep.name == *name);
    cells.extend(figures(outcome)?.into_iter().filter(|(name, _)| !is_sweep(name)));
    Ok(cells)
}

/// The figures of an outcome: the same columns of every traffic, those about the replay of programs empty of others.
fn figures(outcome: &Outcome) -> Result<Vec<(String, Cell)>> {
    let is_program = outcome.replay.is_some();
    let replay = Some(outcome.replay.clone().unwrap_or_default());
    // What happens over time has a file of its own; lists of jobs are as long as they are, and mechanisms count different events.
    let events: Vec<String> = outcome.events.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let mut outcome = Outcome { replay, series: vec![], notes: vec![], jobs: vec![], ..outcome.clone() };
    outcome.events.clear();
    let mut figures = columns(&outcome)?;
    figures.push(("events".into(), if events.is_empty() { Cell::None } else { Cell::Text(events.join(", ")) }));
    if !is_program {
        let of_replay = figures.iter_mut().filter(|(name, _)| name.starts_with("replay."));
        of_replay.for_each(|(_, cell)| *cell = Cell::None);
    }
    Ok(figures)
}

/// Run time, latency and energies, by both accountings, in watts and of the links, over those of the baseline; no energy of the cluster where there are
/// no nodes, no latency where there are no packets.
fn relative(outcome: &Outcome, baseline: &Outcome) -> Vec<(String, Cell)> {
    let over = |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(one, other)| one / other);
    let cell = |name: &str, value: Option<f64>| (format!("relative.{name}"), value.map_or(Cell::None, Cell::Number));
    let run_time = outcome.run_time_ns / baseline.run_time_ns;
    let packets = |outcome: &Outcome| outcome.packet_latency.mean.filter(|latency| *latency > 0.0);
    let network = |outcome: &Outcome| outcome.network_latency.mean.filter(|latency| *latency > 0.0);
    let latency = over(packets(outcome), packets(baseline));
    // Of the links, with their switches: each run's power over that of links that are always on.
    let links = |outcome: &Outcome| relative_energy(outcome.links_power, outcome.run_time_ns);
    vec![
        cell("run_time", Some(run_time)),
        cell("e_net", Some(outcome.power.e_net / baseline.power.e_net)),
        cell("e_cluster", over(outcome.power.e_cluster, baseline.power.e_cluster)),
        cell("worked.e_net", Some(outcome.worked.e_net / baseline.worked.e_net)),
        cell("worked.e_cluster", over(outcome.worked.e_cluster, baseline.worked.e_cluster)),
        cell("watts.e_net", over(Some(outcome.watts.e_net), Some(baseline.watts.e_net).filter(|energy| *energy > 0.0))),
        cell("watts.e_cluster", over(outcome.watts.e_cluster, baseline.watts.e_cluster)),
        cell("latency", latency),
        cell("latency_power", latency.map(|latency| latency * outcome.links_power / baseline.links_power)),
        cell("network_latency", over(network(outcome), network(baseline))),
        cell("e_links", Some(links(outcome) / links(baseline))),
    ]
}
