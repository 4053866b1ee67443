//! A proof's folder, and the tools in it.

use crate::abc::{Reachability, run_script};
use crate::binding::Bound;
use crate::solver::{self, Met, SMT_MODEL};
use anyhow::{Context, Result};
use powar_tools::{Tools, WorkFolder, run_logged};
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

/// A folder with a block's sources, and the tools to be run there: they see no other.
pub(crate) struct Job<'a> {
    folder: WorkFolder,
    bound: &'a Bound,
    tools: &'a Tools,
    what: String,
    /// Seconds after which a search is given up.
    limit: u32,
}

/// What the solver looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// Assertions that fail, in so many cycles from reset on.
    Failures(u32),
    /// A cycle that covers are reached in, of so many.
    Covers(u32),
    /// Assertions that hold because they held in as many cycles before.
    Induction(u32),
}

/// What it found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) met: Vec<Met>,
    /// The solver came to an end, and all is as it should be.
    pub(crate) passed: bool,
    /// It gave up.
    pub(crate) gave_up: bool,
    /// The cycles from reset on that it went through before it gave up.
    pub(crate) gone_through: u32,
}

impl<'a> Job<'a> {
    pub(crate) fn new(bound: &'a Bound, tools: &'a Tools, limit: u32) -> Result<Job<'a>> {
        let folder = WorkFolder::new("powar-verify-", &std::env::temp_dir())?;
        let job = Job { folder, bound, tools, what: format!("proof of {}", bound.top), limit };
        for (name, text) in &bound.sources {
            job.write(name, text)?;
        }
        Ok(job)
    }

    /// Seconds after which a search is given up.
    pub(crate) fn limit(&self) -> u32 {
        self.limit
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        Ok(powar_tools::write_atomic(self.folder.path().join(name), text)?)
    }

    /// The text of a file that a tool wrote.
    pub(crate) fn read(&self, name: &str) -> Result<String> {
        let path = self.folder.path().join(name);
        fs::read_to_string(&path).with_context(|| format!("{}: can't read {}", self.what, path.display()))
    }

    /// Makes the model without some properties; with ABC's proof of it, if wanted.
    ///
    /// # Errors
    /// What Yosys does not take.
    pub(crate) fn model(&self, without: &BTreeSet<String>, with_abc: bool) -> Result<Reachability> {
        let script = solver::script(self.bound, without, with_abc);
        run_script(self.folder.path(), &script, self.limit, self.tools, &self.what)
    }

    /// Searches the model that was made last.
    pub(crate) fn search(&self, search: Search) -> Result<Found> {
        let (steps, options): (u32, &[&str]) = match search {
            Search::Failures(steps) => (steps, &["--keep-going", "--dump-vcd", "failure%.vcd"]),
            Search::Covers(steps) => (steps, &["-c"]),
            Search::Induction(steps) => (steps, &["-i"]),
        };
        let log = self.folder.path().join("smtbmc.log");
        let mut command = self.tools.smtbmc()?;
        command.args(["-s", "z3", "--timeout", &self.limit.to_string(), "-t", &steps.to_string()]);
        let done = run_logged(self.in_folder(command).args(options).arg(SMT_MODEL), &self.what, &log);
        let said = fs::read_to_string(&log).unwrap_or_default();
        let passed = said.contains("Status: PASSED");
        let gave_up = solver::gave_up(&said);
        // It fails where what it looked for is not so as well.
        if !passed && !gave_up && !said.contains("Status: FAILED") {
            done?;
        }
        Ok(Found { met: solver::met(&said), passed, gave_up, gone_through: solver::gone_through(&said) })
    }

    fn in_folder(&self, mut command: Command) -> Command {
        command.current_dir(self.folder.path());
        command
    }
}
