//! One trial: a block of a configuration under several stimuli. All of it follows from the campaign's seed and the trial's number.

use super::draw::configuration;
use super::drive::Drive;
use anyhow::Result;
use powar_config::{Config, Layout};
use powar_testbenches::random::Random;
use powar_testbenches::twins;

/// Cycles of a trial, over all of its stimuli: about as long as its compilation, whatever the block, since both grow with the number of its signals.
const LEAST_CYCLES: u64 = 1_200_000;
const MORE_CYCLES: u64 = 1_800_000;

/// A trial.
#[derive(Clone, Debug)]
pub struct Trial {
    pub number: u64,
    pub config: Config,
    /// The block's name in the registry.
    pub block: String,
    pub runs: Vec<Run>,
}

/// A run of a trial, from reset on.
#[derive(Clone, Debug)]
pub struct Run {
    pub drive: Drive,
    pub cycles: u64,
}

impl Trial {
    /// The trial of this number.
    ///
    /// # Errors
    /// There is no golden model of the block: an error of the program.
    pub fn draw(seed: u64, number: u64) -> Result<Trial> {
        let mut random = Random::new(Random::new(seed).bits().wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let (config, block) = configuration(&mut random);
        let layout = twins::golden(&config, &block)?.layout().clone();
        let runs = runs(&config, &block, &layout, &mut random);
        Ok(Trial { number, config, block, runs })
    }

    /// Cycles of all runs.
    pub fn cycles(&self) -> u64 {
        self.runs.iter().map(|run| run.cycles).sum()
    }
}

fn runs(config: &Config, block: &str, layout: &Layout, random: &mut Random) -> Vec<Run> {
    let drives = Drive::draw(config, block, layout, random);
    let cycles = (LEAST_CYCLES + random.below(MORE_CYCLES)) / drives.len() as u64;
    drives.into_iter().map(|drive| Run { drive, cycles }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trial_follows_from_seed_and_number_alone() {
        let text = |seed, number| {
            let trial = Trial::draw(seed, number).unwrap();
            format!("{} {} {:?}", trial.config.to_toml(), trial.block, trial.runs)
        };
        for number in 0..20 {
            assert_eq!(text(3, number), text(3, number));
            assert_ne!(text(3, number), text(4, number));
        }
    }
}
