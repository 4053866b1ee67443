//! `powar sim --policy A,B,..`: the same network and traffic under several policies, as a table relative to the first.

use super::sim_args::Args;
use super::{print, print_json, warn};
use crate::layout::{folded, width, wrapped};
use crate::selection::once_each;
use anyhow::{Result, anyhow};
use powar_config::mechanism::ALL;
use powar_evaluation::experiment::{File, Plan, Results, RunOptions, Status, Sweep, run_in_memory};
use powar_evaluation::network::{AUTO_WARM_UP, IDEAL, Simulation};
use powar_evaluation::schema::Row;
use powar_evaluation::version;
use powar_tools::Progress;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;

/// What `--policy` says for every one that there is.
const EVERY: &str = "all";
/// What the others are compared with.
const REFERENCE: &str = "reference";
/// Columns of a table that is written to a file.
const USUAL_WIDTH: usize = 80;

/// Policies that are to be compared; none if one is named.
pub enum Policies {
    Every,
    Named(Vec<String>),
}

/// Reads `--policy`.
pub fn named(text: &str) -> Option<Policies> {
    match text {
        EVERY => Some(Policies::Every),
        _ if text.contains(',') => Some(Policies::Named(text.split(',').map(|name| name.trim().to_owned()).collect())),
        _ => None,
    }
}

/// What `--json` prints.
#[derive(Serialize, JsonSchema)]
pub struct Report<'a> {
    version: &'static str,
    simulation: &'a Simulation,
    #[schemars(with = "Vec<Row>")]
    policies: serde_json::Value,
}

pub fn run(args: &Args, policies: Policies) -> Result<ExitCode> {
    refuse(args)?;
    let policies = chosen(args, policies)?;
    refuse_ignored(args, &policies)?;
    let mechanism = parameters(args, &policies)?;
    let simulation = args.described_under(REFERENCE, mechanism)?;
    let plan = plan(&simulation, policies)?;
    let bar = Progress::stderr().counted(format!("Simulating {}", simulation.topology), plan.simulations() as u64);
    let observe = |status: Status| {
        bar.set(status.done as u64);
        Ok(())
    };
    let results = run_in_memory(&plan, &RunOptions::default(), &observe)?;
    bar.finish();
    warn(plan.warnings());
    if args.json {
        let policies = serde_json::from_str(&results.json()?)?;
        print_json(&Report { version: version(), simulation: &simulation, policies })?;
    } else {
        print(text(&plan, &results))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Options that are of one simulation.
fn refuse(args: &Args) -> Result<()> {
    let of_one = [
        ("point", args.point.is_some()),
        ("rtl", args.rtl.is_some()),
        ("rtl-nodes", args.rtl_nodes.is_some()),
        ("threads", args.threads.is_some()),
        ("warm-up auto", args.warm_up == Some(AUTO_WARM_UP)),
    ];
    let given = of_one.into_iter().find_map(|(name, is_given)| is_given.then_some(name));
    let given = given.map(str::to_owned).or(args.details.first());
    given
        .map_or(Ok(()), |name| Err(anyhow!("--{name}: is for one policy; with --policy {}, leave it out", args.policy)))
}

/// Names of the policies; of every one those that the network can have.
fn chosen(args: &Args, policies: Policies) -> Result<Vec<String>> {
    match policies {
        Policies::Named(names) => {
            for name in &names {
                Simulation { policy: name.clone(), ..Simulation::default() }.power_mechanism()?;
            }
            once_each("policy", &names)?;
            Ok(names)
        }
        Policies::Every => {
            // What is wrong whatever the policy is said as usual.
            args.described_under(REFERENCE, BTreeMap::new())?.network()?;
            let mut names: Vec<String> = vec![];
            let all = ALL.iter().flat_map(|mechanism| mechanism.policies).map(|policy| policy.name);
            for name in all.chain([IDEAL]).map(str::to_owned) {
                let simulation = args.described_under(&name, BTreeMap::new())?;
                if !names.contains(&name) && simulation.network().is_ok() {
                    names.push(name);
                }
            }
            Ok(names)
        }
    }
}

/// The parameters given, each for the mechanisms that have it.
fn parameters(args: &Args, policies: &[String]) -> Result<BTreeMap<String, toml::Table>> {
    let mut tables: BTreeMap<String, toml::Table> = BTreeMap::new();
    for policy in policies.iter().filter(|policy| *policy != IDEAL) {
        let mechanism = Simulation { policy: policy.clone(), ..Simulation::default() }.power_mechanism()?;
        let table = args.mechanism.of(mechanism, policy).table(mechanism, policy)?;
        tables.entry(mechanism.name.to_owned()).or_default().extend(table);
    }
    Ok(tables)
}

/// A parameter that makes a difference to none of the policies.
fn refuse_ignored(args: &Args, policies: &[String]) -> Result<()> {
    let mut used = BTreeSet::new();
    for policy in policies.iter().filter(|policy| *policy != IDEAL) {
        let mechanism = Simulation { policy: policy.clone(), ..Simulation::default() }.power_mechanism()?;
        used.extend(args.mechanism.of(mechanism, policy).given());
    }
    match args.mechanism.given().find(|name| !used.contains(name)) {
        Some(name) => {
            Err(anyhow!("--{name}: makes no difference to any of the policies {}; leave it out", policies.join(", ")))
        }
        None => Ok(()),
    }
}

/// An experiment with one sweep.
fn plan(simulation: &Simulation, policies: Vec<String>) -> Result<Plan> {
    let file = File {
        title: format!("{} under {} policies, relative to {REFERENCE}", simulation.topology, policies.len()),
        simulation: serde_json::to_value(simulation)?,
        sweeps: vec![Sweep::of("policy", policies.into_iter().map(Into::into).collect())],
        extras: vec![],
        repeat: None,
        baseline: Some(serde_json::json!({ "policy": REFERENCE })),
        columns: vec![],
        figures: vec![],
    };
    Plan::new("policies".into(), file, Path::new(""))
}

fn text(plan: &Plan, results: &Results) -> String {
    let table = folded(&results.readable(), width().unwrap_or(USUAL_WIDTH));
    let notes: String = results.notes().lines().map(|note| wrapped("", note, width())).collect();
    let notes = if notes.is_empty() { notes } else { format!("\n{notes}") };
    format!(
        "{}\n\n{table}{notes}\nu_port: share of the time in which ports were awake; relative: {REFERENCE} = 1.\n\
         --json has all columns; docs/columns.md says what each is.\n",
        plan.file.title
    )
}
