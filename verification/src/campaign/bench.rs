//! The Verilog of a block, compiled for one trial and run beside the golden model.

use super::trial::Run;
use anyhow::{Context, Result};
use powar_config::{Config, Layout};
use powar_hdl::verilog::Design;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::lockstep::{self, Difference, Outcome};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Puts a deliberate fault into a design.
pub type Spoil = fn(&mut Design);

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The models showed different things.
    Difference,
    /// They agree on what must not be on the links of a switch.
    Violation,
    /// A model was not built: Verilog that Verilator refuses, signals that only one of them has.
    Error,
    /// The program stopped in the middle.
    Panic,
}

/// What went wrong in a run, or before it.
#[derive(Debug)]
pub struct Failure {
    pub kind: FailureKind,
    /// In words.
    pub text: String,
    /// Cycle of a first difference.
    pub cycle: Option<u64>,
    pub difference: Option<Box<Difference>>,
}

impl Failure {
    /// Whether it may be the same as another, of the same block: of errors and panics the words must be the same but for numbers.
    pub fn is_like(&self, other: &Failure) -> bool {
        let words = |failure: &Failure| failure.text.replace(|c: char| c.is_ascii_digit(), "");
        let is_shown = matches!(self.kind, FailureKind::Difference | FailureKind::Violation);
        self.kind == other.kind && (is_shown || words(self) == words(other))
    }

    fn of_error(error: &anyhow::Error) -> Failure {
        let text = format!("{error:#}");
        Failure { kind: FailureKind::Error, text, cycle: None, difference: None }
    }
}

/// Where trials are compiled.
pub struct Bench {
    tools: Tools,
    spoil: Option<Spoil>,
    /// Held as long as something is compiled there.
    _lock: Arc<File>,
}

/// Libraries that are compiled so far by this process: no two have the same name.
static COMPILED: AtomicU64 = AtomicU64::new(0);

impl Bench {
    /// A folder of its own below that of the tools, so that what an interrupted campaign left can be told from all else, and goes.
    ///
    /// # Errors
    /// The folder can't be made.
    pub fn new(tools: &Tools, spoil: Option<Spoil>) -> Result<Bench> {
        let folder = tools.folder().join("campaign");
        let libraries = folder.join("verilated");
        fs::create_dir_all(&libraries).with_context(|| format!("can't create {}", libraries.display()))?;
        let lock = File::create(folder.join("lock")).context("campaign: can't create a lock")?;
        if lock.try_lock().is_ok() {
            remove_left(&libraries)?;
            lock.unlock()?;
        }
        lock.lock_shared()?;
        Ok(Bench { tools: tools.clone().with_folder(folder), spoil, _lock: Arc::new(lock) })
    }

    /// The same for blocks that run for a moment only.
    pub fn for_short_runs(&self) -> Bench {
        Bench { tools: self.tools.clone().for_short_runs(), spoil: self.spoil, _lock: self._lock.clone() }
    }

    /// Compiles a block.
    ///
    /// # Errors
    /// Verilog that can't be written or compiled; models that don't show the same signals.
    pub fn build(&self, config: &Config, block: &str) -> Result<Built> {
        let layout = twins::golden(config, block)?.layout().clone();
        let mut design = twins::design(config, block)?;
        if let Some(spoil) = self.spoil {
            spoil(&mut design);
        }
        let number = COMPILED.fetch_add(1, Ordering::Relaxed);
        let name = format!("+define+CAMPAIGN_{}_{number}", std::process::id());
        let library = Verilator::library(&design, &layout, false)?.argument(name);
        let library = library.build(&self.tools, &Progress::silent())?;
        Ok(Built { library, layout, config: config.clone(), block: block.to_owned() })
    }

    /// The first of some runs of a block that fails, or what keeps it from running; none if all is well. `hear` is told the cycles of each
    /// run as they are done.
    pub fn try_runs(
        &self,
        config: &Config,
        block: &str,
        runs: &[Run],
        hear: &mut dyn FnMut(u64),
    ) -> Option<(Run, Failure)> {
        let first = runs.first()?.clone();
        let mut last = first;
        let tried = catch_unwind(AssertUnwindSafe(|| {
            let built = self.build(config, block)?;
            for run in runs {
                last = run.clone();
                if let Some(failure) = built.run(run, hear)? {
                    return anyhow::Ok(Some(failure));
                }
            }
            Ok(None)
        }));
        let failure = match tried {
            Ok(Ok(found)) => found?,
            Ok(Err(error)) => Failure::of_error(&error),
            Err(panic) => {
                let said = panic.downcast_ref::<String>().cloned();
                let said = said.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                let text = said.unwrap_or_else(|| "no message".into());
                Failure { kind: FailureKind::Panic, text, cycle: None, difference: None }
            }
        };
        Some((last, failure))
    }
}

/// What an interrupted campaign left: its libraries, their logs and locks.
fn remove_left(libraries: &Path) -> Result<()> {
    let is_left = |name: &str| !name.starts_with("runtime-") && name != "locks";
    for entry in fs::read_dir(libraries)? {
        let path = entry?.path();
        if !path.file_name().and_then(|name| name.to_str()).is_some_and(is_left) {
            continue;
        }
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.with_context(|| format!("can't remove {}", path.display()))?;
    }
    Ok(())
}

/// A compiled block; the library goes with it.
pub struct Built {
    library: PathBuf,
    pub layout: Layout,
    config: Config,
    block: String,
}

impl Built {
    /// Runs both models from reset on.
    ///
    /// # Errors
    /// The stimulus is not for this block; the library can't be loaded.
    pub fn run(&self, run: &Run, hear: &mut dyn FnMut(u64)) -> Result<Option<Failure>> {
        let (mut stimulus, monitor) = run.drive.stimulus(&self.config, &self.block, &self.layout)?;
        let mut golden = twins::golden(&self.config, &self.block)?;
        let mut dut = Verilator::load(&self.library, self.layout.clone(), None)?;
        let mut done = 0;
        let mut progress = |now: u64| {
            hear(now - done);
            done = now;
        };
        let outcome = lockstep::run(&mut *golden, &mut dut, &mut *stimulus, run.cycles, &mut progress)?;
        if let Outcome::Different(difference) = outcome {
            return Ok(Some(Failure {
                kind: FailureKind::Difference,
                text: difference.to_string(),
                cycle: Some(difference.cycle),
                difference: Some(difference),
            }));
        }
        let monitor = monitor.as_ref().map(|monitor| monitor.lock().expect("no monitor panics"));
        let violation = monitor.and_then(|monitor| monitor.violations().first().cloned());
        Ok(violation.map(|text| Failure { kind: FailureKind::Violation, text, cycle: None, difference: None }))
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        // Whatever stays is gone when the next campaign begins.
        let Some(folder) = self.library.parent() else { return };
        let _ = fs::remove_dir_all(folder);
        let _ = fs::remove_file(folder.with_extension("log"));
        if let (Some(all), Some(name)) = (folder.parent(), folder.file_name()) {
            let _ = fs::remove_file(all.join("locks").join(name));
        }
    }
}
