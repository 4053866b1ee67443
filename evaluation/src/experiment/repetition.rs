//! What repeats a row: its seed and its command.

use super::column::Cell;
use super::meaning::{COMMAND, SEED};
use super::plan::{Plan, Point};
use crate::network::Traffic;
use powar_tools::shell_word;
use std::path::{Path, PathBuf};

/// Makes them of a plan's points.
pub struct Repetition<'a> {
    plan: &'a Plan,
    folder: Option<PathBuf>,
    /// A sweep of the same name says as much.
    has_seed: bool,
    has_command: bool,
}

impl<'a> Repetition<'a> {
    /// Of a plan whose results are kept in a folder.
    pub fn new(plan: &'a Plan, folder: Option<&Path>) -> Self {
        let is_free = |name: &str| plan.file.sweeps.iter().all(|sweep| sweep.name != name);
        let has_command = is_free(COMMAND) && folder.is_some();
        Repetition { plan, folder: folder.map(Path::to_path_buf), has_seed: is_free(SEED), has_command }
    }

    /// Names of its columns.
    pub fn columns(&self) -> impl Iterator<Item = String> {
        let all = [self.has_seed.then_some(SEED), self.has_command.then_some(COMMAND)];
        all.into_iter().flatten().map(str::to_owned)
    }

    /// The columns of a point.
    pub fn cells(&self, point: &Point) -> impl Iterator<Item = Cell> {
        [self.has_seed.then(|| self.seed(point)), self.has_command.then(|| self.command(point))].into_iter().flatten()
    }

    /// The seed of the traffic, of several runs one after the other; none of a recorded program, which has none.
    fn seed(&self, point: &Point) -> Cell {
        let seed = |simulation: usize| match &self.plan.simulations[simulation].1.traffic {
            Traffic::Synthetic(options) => Some(options.seed),
            Traffic::Jobs(options) => Some(options.seed),
            Traffic::Trace(_) => None,
        };
        let mut seeds: Vec<u64> = point.runs.iter().filter_map(|run| seed(run.simulation)).collect();
        seeds.dedup();
        match seeds[..] {
            [] => Cell::None,
            [seed] => Cell::Whole(seed),
            _ => Cell::Text(seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")),
        }
    }

    /// The command that repeats it, from the folder that the experiment was run in; of several runs one behind the other.
    fn command(&self, point: &Point) -> Cell {
        let Some(folder) = &self.folder else { return Cell::None };
        let command = |simulation: usize| {
            let path = folder.join("points").join(format!("{}.json", self.plan.simulations[simulation].0));
            format!("powar sim --point {}", shell_word(&path.to_string_lossy()))
        };
        let mut commands: Vec<String> = point.runs.iter().map(|run| command(run.simulation)).collect();
        commands.dedup();
        Cell::Text(commands.join(" && "))
    }
}
