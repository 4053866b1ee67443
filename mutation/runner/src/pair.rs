//! A block in a network: what is put in lock-step.

use anyhow::{Context, Result, ensure};
use powar_config::{Config, CycleModel, Layout};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::controller::StepwiseController;
use powar_golden::reference::switch::StepwiseSwitch;
use powar_testbenches::dut::Dut;
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::faults::{self, Caught, DEMONSTRATOR_CYCLES, Network, config_of, summary};
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::path::PathBuf;

type Model = Box<dyn CycleModel + Send>;

/// Blocks whose twin is the fast model; what is mutated is the stepwise one.
const STEPWISE: [(&str, fn(&Config) -> Model); 2] = [
    (twins::CONTROLLER, |config| Box::new(LockStep::new(StepwiseController::new(config)))),
    (twins::SWITCH, |config| Box::new(LockStep::new(StepwiseSwitch::new(config)))),
];

/// A block at the sizes of a network's switch.
#[derive(Serialize)]
pub struct Pair {
    pub block: String,
    pub network: String,
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
    /// Every block that has deliberate faults, in each network that they are tried in.
    ///
    /// # Errors
    /// A block without a twin.
    pub fn all() -> Result<Vec<Pair>> {
        let pairs =
            summary().into_keys().flat_map(|block| Network::of(block).into_iter().map(move |network| (block, network)));
        pairs.map(|(block, network)| Pair::new(block, network)).collect()
    }

    /// The one of these names.
    ///
    /// # Errors
    /// There is none.
    pub fn of(block: &str, network: &str) -> Result<Pair> {
        let networks = Network::of(block);
        let found = networks.iter().find(|known| format!("{known:?}") == network);
        let network = found.with_context(|| format!("NETWORK: `{network}` must be one of {networks:?}"))?;
        Pair::new(block, *network)
    }

    fn new(block: &str, network: Network) -> Result<Pair> {
        let config = config_of(network, block);
        let layout = twins::golden(&config, block)?.layout().clone();
        let slots = layout.input_slots() + layout.observed_slots();
        Ok(Pair { block: block.to_owned(), network: format!("{network:?}"), slots, config })
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

    fn hunt_with(&self, (cycles, patience): (u64, u64), golden: impl Fn() -> Result<Model>) -> Result<Option<Caught>> {
        let Pair { config, block, .. } = self.pair;
        let cycles =
            if block == twins::DEMONSTRATOR { cycles * (DEMONSTRATOR_CYCLES / faults::CYCLES) } else { cycles };
        let dut =
            || -> Result<Box<dyn Dut>> { Ok(Box::new(Verilator::load(&self.library, self.layout.clone(), None)?)) };
        faults::hunt(config, block, (cycles, patience), golden, dut)
    }
}
