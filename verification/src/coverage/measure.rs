//! A block run under all its stimuli, beside its golden model, while its lines and toggles are counted.

use super::counts::{Counts, add};
use super::item::Items;
use super::selection::CoverageOf;
use crate::parallel::with_each;
use anyhow::{Context, Result};
use powar_config::{Config, Layout};
use powar_hdl::verilog::Design;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::hunt::{CYCLES, DEMONSTRATOR_CYCLES, PATIENCE, stimuli};
use powar_testbenches::lockstep::{Outcome, run};
use powar_testbenches::stimulus::{Patient, Stimulus};
use powar_testbenches::twins::{self, DEMONSTRATOR, SWITCH};
use powar_tools::{Progress, Tools};
use std::collections::BTreeSet;
use std::fs;

/// How long a block runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Cycles under each stimulus; of a demonstrator, which is told what to do bit by bit, as many times more as in the search for faults.
    pub cycles: u64,
    /// Values of signals that are compared under long waits and high counts, which whole switches and demonstrators are not put under.
    pub patience: u64,
}

impl Effort {
    /// That of the search for faults.
    pub const FULL: Effort = Effort { cycles: CYCLES, patience: PATIENCE };
}

/// What came of a block.
#[derive(Clone, Debug)]
pub struct Covered {
    pub block: String,
    /// Names of the configurations.
    pub configurations: Vec<String>,
    pub cycles: u64,
    pub(super) items: Items,
    /// The models differed: in which configuration and how.
    pub difference: Option<String>,
}

/// Measures blocks, so many at once.
///
/// # Errors
/// A model that can't be built; a tool that is missing.
pub fn measure_coverage(
    selected: &[CoverageOf],
    effort: Effort,
    tools: &Tools,
    jobs: usize,
    progress: &Progress,
) -> Result<Vec<Covered>> {
    let tools = tools.clone().for_short_runs();
    with_each(
        "Measuring coverage",
        selected,
        jobs,
        progress,
        |of| of.block.clone(),
        |of| measure(of, effort, &tools).with_context(|| of.block.clone()),
    )
}

fn measure(of: &CoverageOf, effort: Effort, tools: &Tools) -> Result<Covered> {
    let mut covered = Covered {
        block: of.block.clone(),
        configurations: vec![],
        cycles: 0,
        items: Items::default(),
        difference: None,
    };
    for (config, module) in &of.designs {
        let design = twins::design(config, module)?;
        let counts = covered.run(config, module, &design, effort, tools)?;
        let top = format!("{}.v", design.description.top);
        let files = design.files();
        let (_, text) =
            files.iter().find(|(name, _)| *name == top).context("a design has the file of its top module")?;
        let inputs = design.description.ports.iter().filter(|port| port.input).map(|port| port.name.as_str());
        covered.items.merge(Items::new(&counts, text, &inputs.collect::<BTreeSet<_>>()));
        if !covered.configurations.contains(&config.name) {
            covered.configurations.push(config.name.clone());
        }
    }
    Ok(covered)
}

impl Covered {
    /// The counts of all runs of a module.
    fn run(&mut self, config: &Config, module: &str, design: &Design, effort: Effort, tools: &Tools) -> Result<Counts> {
        let layout = twins::golden(config, module)?.layout().clone();
        let library = Verilator::covered_library(design, &layout)?.build(tools, &Progress::silent())?;
        let folder = tempfile::tempdir().context("can't make a temporary folder")?;
        let file = folder.path().join("coverage.dat");
        let mut counts = Counts::new();
        for (mut stimulus, cycles) in runs(config, module, &layout, effort)? {
            let mut golden = twins::golden(config, module)?;
            let mut dut = Verilator::load(&library, layout.clone(), None)?;
            let outcome = run(&mut *golden, &mut dut, &mut *stimulus, cycles, &mut |_| ())?;
            self.cycles += cycles;
            if let Outcome::Different(difference) = outcome {
                self.difference.get_or_insert(format!("{module} of {}: {difference}", config.name));
            }
            dut.write_coverage(&file)?;
            add(&mut counts, &fs::read_to_string(&file).context("Verilator wrote no coverage")?)?;
        }
        Ok(counts)
    }
}

/// A stimulus and its cycles.
type Timed = (Box<dyn Stimulus + Send>, u64);

/// The stimuli of the lock-step suite.
fn runs(config: &Config, module: &str, layout: &Layout, effort: Effort) -> Result<Vec<Timed>> {
    let cycles = if module == DEMONSTRATOR { effort.cycles * (DEMONSTRATOR_CYCLES / CYCLES) } else { effort.cycles };
    let mut runs: Vec<Timed> = stimuli(config, module, layout)?.into_iter().map(|one| (one, cycles)).collect();
    let slots = (layout.input_slots() + layout.observed_slots()) as u64;
    let patience = effort.patience / slots;
    if patience > 0 && ![DEMONSTRATOR, SWITCH].contains(&module) {
        let patient = Patient::new(config, layout, 1).map(|one| Box::new(one) as Box<dyn Stimulus + Send>);
        runs.extend(patient.map(|one| (one, patience)));
    }
    Ok(runs)
}
