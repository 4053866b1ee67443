//! The golden model's own tests, compiled with all mutants.

use crate::rewrite::Mutant;
use crate::verdict::Verdict;
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often it is looked whether the tests have ended.
const LOOK: Duration = Duration::from_millis(5);

/// Where their program is.
#[derive(Clone, Debug)]
pub struct UnitTests {
    pub program: PathBuf,
}

impl UnitTests {
    /// Runs the tests of the mutant's folder with the mutant on, and says so if they fail; they do if they do not end
    /// within the limit.
    ///
    /// # Errors
    /// The program does not begin.
    pub fn judge(&self, mutant: &Mutant, limit: Duration) -> Result<Option<Verdict>> {
        let tests = module(&mutant.file);
        let mut command = Command::new(&self.program);
        command.args([&tests, "--quiet", "--test-threads=1"]).env(powar_mutant::VARIABLE, mutant.number.to_string());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let begun = Instant::now();
        let mut run = command.spawn().context("starting the golden model's tests")?;
        let passed = loop {
            match run.try_wait()? {
                Some(status) => break status.success(),
                None if begun.elapsed() > limit => {
                    run.kill()?;
                    run.wait()?;
                    break false;
                }
                None => std::thread::sleep(LOOK),
            }
        };
        Ok((!passed).then_some(Verdict::Failed { tests }))
    }
}

/// The module of a file's folder, as names of tests begin with it.
fn module(file: &str) -> String {
    let folder = file.trim_start_matches("golden-model/src/").rsplit_once('/').map_or("", |(folder, _)| folder);
    folder.replace('/', "::")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_those_of_the_folder() {
        assert_eq!(module("golden-model/src/power_model/watts.rs"), "power_model");
        assert_eq!(module("golden-model/src/reference/routing/mod.rs"), "reference::routing");
    }
}
