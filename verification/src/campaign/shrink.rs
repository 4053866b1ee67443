//! A failure, made as small as it gets: its configuration, its cycles, its stimulus.

use super::bench::{Bench, Failure, FailureKind};
use super::smaller::smaller;
use super::trial::{Run, Trial};
use anyhow::Result;
use powar_config::Config;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Configurations that are compiled at most, and for how long new ones are begun.
const MOST_BUILDS: usize = 100;
const LONGEST: Duration = Duration::from_secs(1200);
/// A smaller configuration is tried for so many times the cycles that the failure took so far, and for so many at least.
const MORE: u64 = 4;
const LEAST_CYCLES: u64 = 20_000;
/// Seeds of each simple stimulus: in each configuration, and in the last.
const FEW_SEEDS: u64 = 2;
const SEEDS: u64 = 32;

/// A failure in a configuration.
pub struct Shrunk {
    pub config: Config,
    pub run: Run,
    pub failure: Failure,
    /// Configurations that were tried.
    pub tried: usize,
}

/// Makes a failure smaller. `hear` is told what is tried.
pub fn shrink(campaigns: &Bench, trial: &Trial, (run, failure): (Run, Failure), hear: &dyn Fn(String)) -> Shrunk {
    let begun = Instant::now();
    let bench = &campaigns.for_short_runs();
    let mut best = Shrunk { config: trial.config.clone(), run, failure, tried: 0 };
    let mut seen = BTreeSet::from([best.config.to_toml()]);
    // Where the last one was found: what was refused before is refused again more often than not.
    let mut place = 0;
    'smaller: loop {
        let mut all: Vec<(usize, Config)> = smaller(&best.config, &trial.block).into_iter().enumerate().collect();
        place %= all.len().max(1);
        all.rotate_left(place);
        for (at, config) in all {
            if !seen.insert(config.to_toml()) {
                continue;
            }
            if best.tried == MOST_BUILDS || begun.elapsed() > LONGEST {
                break 'smaller;
            }
            best.tried += 1;
            let (ports, vcs, tried) = (config.ports, config.switch.vcs, best.tried);
            hear(format!("trial {}: attempt {tried} to make it smaller, {ports} ports, {vcs} VCs", trial.number));
            let runs = runs(&best, &config);
            let found = bench.try_runs(&config, &trial.block, &runs, &mut |_| ());
            if let Some((run, failure)) = found.filter(|(_, failure)| failure.is_like(&best.failure)) {
                best = Shrunk { config, run, failure, tried };
                place = at;
                continue 'smaller;
            }
        }
        break;
    }
    hear(format!("trial {}: simpler stimuli", trial.number));
    if best.failure.kind == FailureKind::Difference {
        // What can't be built again stays as it is.
        if let Ok(Some((run, failure))) = simplest(bench, trial, &best) {
            (best.run, best.failure) = (run, failure);
        }
    }
    best
}

/// What a smaller configuration is tried with: simple stimuli, then that under which it failed.
fn runs(best: &Shrunk, config: &Config) -> Vec<Run> {
    let cycles = cycles(best);
    let drives = best.run.drive.simpler(FEW_SEEDS).into_iter().chain([best.run.drive.clone()]);
    drives.map(|drive| Run { drive: drive.fitted(config), cycles }).collect()
}

fn cycles(best: &Shrunk) -> u64 {
    best.failure
        .cycle
        .map_or(best.run.cycles, |cycle| (MORE * cycle).max(LEAST_CYCLES).min(best.run.cycles.max(LEAST_CYCLES)))
}

/// The stimulus under which a difference shows first, one that `powar check` has before others.
fn simplest(bench: &Bench, trial: &Trial, best: &Shrunk) -> Result<Option<(Run, Failure)>> {
    let built = bench.build(&best.config, &trial.block)?;
    let mut found: Option<(Run, Failure)> = None;
    let drives = best.run.drive.simpler(SEEDS).into_iter().chain([best.run.drive.clone()]);
    for drive in drives.map(|drive| drive.fitted(&best.config)) {
        let shortest = found.as_ref().and_then(|(_, failure)| failure.cycle);
        let is_known = found.as_ref().is_some_and(|(run, _)| run.drive.check_arguments().is_some());
        if is_known && drive.check_arguments().is_none() {
            continue;
        }
        let run = Run { drive, cycles: shortest.unwrap_or_else(|| cycles(best)) };
        if run.cycles == 0 {
            break;
        }
        if let Some(failure) = built.run(&run, &mut |_| ())?.filter(|failure| failure.is_like(&best.failure)) {
            found = Some((run, failure));
        }
    }
    // The run ends with the difference.
    Ok(found
        .map(|(run, failure)| (Run { cycles: failure.cycle.map_or(run.cycles, |cycle| cycle + 1), ..run }, failure)))
}
