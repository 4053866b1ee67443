//! What a campaign has done: kept in its folder after every trial, so that it can go on.

use super::finding::Finding;
use super::trial::Trial;
use anyhow::{Context, Result, ensure};
use powar_config::Config;
use powar_tools::write_atomic;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The file of results from which a campaign goes on.
pub const REPORT: &str = "campaign.json";

/// Trials, and cycles in which both models were equal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    pub trials: u64,
    pub cycles: u64,
    /// Time of all trials, side by side ones added up, with compilation.
    pub seconds: f64,
}

impl Tally {
    fn add(&mut self, cycles: u64, seconds: f64) {
        self.trials += 1;
        self.cycles += cycles;
        self.seconds += seconds;
    }
}

/// What has been done so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub seed: u64,
    /// Every trial below this number is done.
    pub done_below: u64,
    /// So are these.
    pub done_above: BTreeSet<u64>,
    pub all: Tally,
    /// Time by the clock, over all runs of the campaign.
    pub seconds: f64,
    pub mechanisms: BTreeMap<String, Tally>,
    pub topologies: BTreeMap<String, Tally>,
    pub routings: BTreeMap<String, Tally>,
    pub blocks: BTreeMap<String, Tally>,
    pub ports: BTreeMap<usize, Tally>,
    pub findings: Vec<Finding>,
}

impl State {
    /// The state in a folder; a fresh one if there is none.
    ///
    /// # Errors
    /// A file that is none of a campaign, or of one with another seed.
    pub fn load(folder: &Path, seed: u64) -> Result<State> {
        let path = folder.join(REPORT);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(State { seed, ..State::default() }),
            Err(error) => return Err(error).with_context(|| format!("can't read {}", path.display())),
        };
        let state: State =
            serde_json::from_str(&text).with_context(|| format!("{} is no campaign's", path.display()))?;
        let has = state.seed;
        ensure!(has == seed, "--seed: {seed} is not that of the campaign in {}, which is {has}", folder.display());
        Ok(state)
    }

    /// Keeps it in a folder.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        Ok(write_atomic(folder.join(REPORT), serde_json::to_string_pretty(self)? + "\n")?)
    }

    /// A trial is done.
    pub fn has(&self, number: u64) -> bool {
        number < self.done_below || self.done_above.contains(&number)
    }

    /// The lowest trial that is neither done nor among these.
    pub fn next(&self, under_way: &BTreeSet<u64>) -> u64 {
        let is_free = |number: &u64| !self.has(*number) && !under_way.contains(number);
        (self.done_below..).find(is_free).expect("numbers do not end")
    }

    /// A trial is done: so many cycles were equal.
    pub fn add(&mut self, trial: &Trial, cycles: u64, seconds: f64) {
        self.done_above.insert(trial.number);
        while self.done_above.remove(&self.done_below) {
            self.done_below += 1;
        }
        let Config { ports, topology, .. } = &trial.config;
        let routing = trial.config.routing().map_or("none", |routing| routing.name);
        let topology = topology.as_deref().map_or("none", |topology| topology.kind().name);
        let of = |tallies: &mut BTreeMap<String, Tally>, name: &str| {
            tallies.entry(name.to_owned()).or_default().add(cycles, seconds);
        };
        of(&mut self.mechanisms, trial.config.mechanism().name);
        of(&mut self.topologies, topology);
        of(&mut self.routings, routing);
        of(&mut self.blocks, crate::plan::block_of(&trial.block));
        self.ports.entry(*ports).or_default().add(cycles, seconds);
        self.all.add(cycles, seconds);
    }

    /// Cycles a second by the clock, compilation and all.
    pub fn rate(&self) -> f64 {
        if self.seconds > 0.0 { self.all.cycles as f64 / self.seconds } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_where_it_was_and_with_its_seed_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut state = State::load(folder.path(), 7).unwrap();
        for number in [0, 2, 3] {
            state.add(&Trial::draw(7, number).unwrap(), 1000, 1.0);
        }
        state.save(folder.path()).unwrap();
        let state = State::load(folder.path(), 7).unwrap();
        assert_eq!((state.done_below, state.all.cycles), (1, 3000));
        assert_eq!(state.next(&BTreeSet::new()), 1);
        assert_eq!(state.next(&BTreeSet::from([1, 4])), 5);
        let sums = [&state.mechanisms, &state.topologies, &state.routings, &state.blocks];
        assert!(sums.iter().all(|tallies| tallies.values().map(|tally| tally.cycles).sum::<u64>() == 3000));
        let error = State::load(folder.path(), 8).unwrap_err().to_string();
        assert!(
            error.starts_with("--seed: 8 is not that of the campaign in") && error.ends_with("which is 7"),
            "{error}"
        );
    }
}
