//! A block in a network: what is put in lock-step.

use anyhow::{Context, Result, ensure};
use powar_config::{Config, CycleModel, Layout, presets};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::controller::StepwiseController;
use powar_golden::reference::switch::StepwiseSwitch;
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::hunt::{self, Caught, DEMONSTRATOR_CYCLES};
use powar_testbenches::test_switches::TestSwitch;
use powar_testbenches::trials::{self, config_of, switches_of};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::path::PathBuf;

type Model = Box<dyn CycleModel + Send>;
/// Builds a model for a configuration.
type Build = fn(&Config) -> Model;

/// Blocks whose twin is the fast model; what is mutated is the stepwise one.
const STEPWISE: [(&str, Build); 2] = [
    (twins::CONTROLLER, |config| Box::new(LockStep::new(StepwiseController::new(config)))),
    (twins::SWITCH, |config| Box::new(LockStep::new(StepwiseSwitch::new(config)))),
];

/// Configurations that properties are proved in: small, and of other sizes than the switches that blocks are tried at.
const DESIGNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../hdl/properties/designs");

/// A block at the sizes of a switch.
#[derive(Serialize)]
pub struct Pair {
    pub block: String,
    /// Of the switches that blocks are tried at, or the name of a preset or a design.
    pub network: String,
    /// Whether it is a preset or a design.
    is_other: bool,
    /// Values in a cycle's frames.
    slots: usize,
    #[serde(skip)]
    config: Config,
}

/// Mutants whose places were reached.
#[derive(Serialize)]
pub struct Reach {
    /// While the twin was built; that of one block is built among all.
    built: Vec<usize>,
    /// In the cycles that it ran.
    run: Vec<usize>,
}

impl Pair {
    /// Every block at each switch that it is tried at; then every block of each design and preset.
    ///
    /// # Errors
    /// A block without a twin, a design that can't be read.
    pub fn all() -> Result<Vec<Pair>> {
        let mut pairs = vec![];
        for block in trials::blocks() {
            for switch in switches_of(&block) {
                pairs.push(Pair::of_switch(&block, switch)?);
            }
        }
        for config in others()? {
            let twins = powar_golden::twins::blocks(&config);
            pairs
                .extend(twins.iter().map(|(block, twin)| Pair::new(block, &config.name, true, twin.layout(), &config)));
        }
        Ok(pairs)
    }

    /// The one of these names.
    ///
    /// # Errors
    /// There is none.
    pub fn of(block: &str, network: &str) -> Result<Pair> {
        if let Some(switch) = switches_of(block).into_iter().find(|known| format!("{known:?}") == network) {
            return Pair::of_switch(block, switch);
        }
        let config = others()?.into_iter().find(|config| config.name == network);
        let config = config.with_context(|| {
            format!("NETWORK: `{network}` must be a switch that {block} is tried at, a preset or a design")
        })?;
        let twin = twins::golden(&config, block)?;
        Ok(Pair::new(block, network, true, twin.layout(), &config))
    }

    fn of_switch(block: &str, switch: TestSwitch) -> Result<Pair> {
        let config = config_of(switch, block);
        let layout = twins::golden(&config, block)?.layout().clone();
        Ok(Pair::new(block, &format!("{switch:?}"), false, &layout, &config))
    }

    fn new(block: &str, network: &str, is_other: bool, layout: &Layout, config: &Config) -> Pair {
        let slots = layout.input_slots() + layout.observed_slots();
        Pair { block: block.to_owned(), network: network.to_owned(), is_other, slots, config: config.clone() }
    }

    fn golden(&self) -> Result<Model> {
        match STEPWISE.iter().find(|(block, _)| *block == self.block) {
            Some((_, build)) => Ok(build(&self.config)),
            None => twins::golden(&self.config, &self.block),
        }
    }

    /// The sound Verilog, compiled, to hunt in.
    ///
    /// # Errors
    /// A missing tool.
    pub fn hunter(&self) -> Result<Hunter<'_>> {
        let tools = Tools::ensure(&Progress::silent())?.for_short_runs();
        let layout = self.golden()?.layout().clone();
        let library = twins::verilated(&self.config, &self.block, &layout, &tools, &Progress::silent())?;
        Ok(Hunter { pair: self, layout, library })
    }

    /// What a sound run reaches.
    ///
    /// # Errors
    /// A missing tool; golden model and Verilog differ without a mutant.
    pub fn reach(&self, cycles: u64) -> Result<Reach> {
        let hunter = self.hunter()?;
        powar_mutant::record();
        self.golden()?;
        let built = powar_mutant::take_reached();
        powar_mutant::choose(0);
        let caught = hunter.hunt_with((cycles, 0), || {
            powar_mutant::choose(0);
            let golden = self.golden();
            powar_mutant::record();
            golden
        })?;
        ensure!(caught.is_none(), "{} in {}: differs without a mutant: {caught:?}", self.block, self.network);
        powar_mutant::choose(0);
        let run = powar_mutant::take_reached();
        Ok(Reach { built, run })
    }
}

/// A pair with its Verilog.
pub struct Hunter<'a> {
    pair: &'a Pair,
    /// That of the sound model: a mutant must not decide how long the design's frames are.
    layout: Layout,
    library: PathBuf,
}

impl Hunter<'_> {
    /// Looks for the mutant that is on. The demonstrator is run for longer, as it is told what to do bit by bit.
    ///
    /// # Errors
    /// The mutant can't be built or shows other signals.
    pub fn hunt(&self, effort: (u64, u64)) -> Result<Option<Caught>> {
        self.hunt_with(effort, || self.pair.golden())
    }

    /// That without a mutant nothing comes to light for as long as it took with one, in which patience has a part.
    ///
    /// # Errors
    /// Golden model and Verilog differ.
    pub fn check_sound(&self, caught: &Caught) -> Result<()> {
        let sound = self.hunt((1, caught.patience(&self.layout)))?;
        let Pair { block, network, .. } = self.pair;
        ensure!(sound.is_none(), "{block} in {network}: differs without a mutant: {sound:?}");
        Ok(())
    }

    fn hunt_with(&self, (cycles, patience): (u64, u64), golden: impl Fn() -> Result<Model>) -> Result<Option<Caught>> {
        let Pair { config, block, .. } = self.pair;
        let cycles = if block == twins::DEMONSTRATOR { cycles * (DEMONSTRATOR_CYCLES / hunt::CYCLES) } else { cycles };
        let dut =
            || -> Result<Box<dyn Dut>> { Ok(Box::new(Verilator::load(&self.library, self.layout.clone(), None)?)) };
        hunt::hunt(config, block, (cycles, patience), golden, dut)
    }
}

/// The presets and the designs, in the order of their names.
fn others() -> Result<Vec<Config>> {
    let mut configs: Vec<Config> = presets::ALL.iter().map(|preset| preset.config()).collect();
    for file in std::fs::read_dir(DESIGNS).with_context(|| format!("reading {DESIGNS}"))? {
        configs.push(Config::from_file(&file?.path())?);
    }
    configs.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(configs)
}
