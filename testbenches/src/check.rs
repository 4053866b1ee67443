//! One lock-step check of a block, from the choice of stimuli to the report: what `powar check` and `powar demo` run.

use crate::expected_routing::ExpectedRouting;
use crate::lockstep::{self, Difference, Outcome};
use crate::monitor::{Monitored, SwitchMonitor, Totals};
use crate::stimulus::{LinkOptions, LinkTraffic, RegisterWrite, Scenario, Stimulus, SwitchTraffic};
use crate::twins;
use crate::waves::{WaveOptions, WaveWriter, save_window};
use anyhow::{Result, ensure};
use powar_config::{Config, Layout};
use powar_tools::{Progress, Tools};
use powar_traffic::PacketArrival;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// What simulates the RTL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// The emitted Verilog, compiled by Verilator.
    Verilator,
    /// rust-hdl's own simulation.
    RustHdl,
}

/// What drives both models.
pub enum Drive {
    /// Random inputs from this seed.
    Random { seed: u64 },
    /// Packets that arrive at the switch, cycle 0 being the first after reset, and register writes made from then on
    /// (`power_controller` only).
    Packets { arrivals: Vec<PacketArrival>, writes: Vec<RegisterWrite> },
    /// Neighbours at all links of a switch at a place in its network (`powar_switch` only). The monitors judge what the golden model
    /// shows, and with it the RTL as long as the two are equal.
    Links { node: usize, stage: usize, options: LinkOptions },
}

/// A check to run.
pub struct Plan {
    pub block: String,
    pub backend: Backend,
    pub cycles: u64,
    pub drive: Drive,
    /// Where to write the waves of the whole run, if wanted.
    pub vcd: Option<PathBuf>,
    /// Where to write the waves around a first difference.
    pub difference_vcd: PathBuf,
}

/// What came of it.
#[derive(Debug, Serialize)]
pub struct Report {
    pub configuration: String,
    pub block: String,
    pub backend: Backend,
    pub equal: bool,
    /// Cycles that were equal.
    pub cycles: u64,
    /// Outputs and registers compared in every cycle (rows, bits).
    pub signals: usize,
    pub bits: usize,
    /// Cycles a second, both models, without the compilation.
    pub cycles_per_second: f64,
    /// The first difference, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    /// Waves that were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vcd: Option<PathBuf>,
    /// What the monitors saw on the links, and what they object to; one line each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub links: Option<Totals>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub violations: Vec<String>,
}

/// Runs a check. A difference is not an error: it is in the report, and its waves are in `difference_vcd`.
///
/// # Errors
/// An unknown block, missing tools, files that can't be written.
pub fn check(config: &Config, plan: &Plan, tools: Option<&Tools>, progress: &Progress) -> Result<Report> {
    let mut golden = twins::golden(config, &plan.block)?;
    let layout = golden.layout().clone();
    let (mut stimulus, monitor) = stimulus(config, &layout, plan)?;
    let mut dut = match (plan.backend, tools) {
        (Backend::Verilator, Some(tools)) => twins::verilator(config, &plan.block, &layout, tools, progress)?,
        (Backend::Verilator, None) => {
            twins::verilator(config, &plan.block, &layout, &Tools::ensure(progress)?, progress)?
        }
        (Backend::RustHdl, _) => twins::rust_hdl(config, &plan.block, &layout)?,
    };
    let bar = progress.counted(format!("{} in {}", plan.block, dut.name()), plan.cycles);
    let start = Instant::now();
    let outcome = match &plan.vcd {
        None => lockstep::run(&mut *golden, &mut *dut, &mut *stimulus, plan.cycles, &mut |done| bar.set(done))?,
        Some(path) => {
            let options = WaveOptions { counters: plan.cycles <= 20_000, ..WaveOptions::default() };
            let mut waves = WaveWriter::create(path, &layout, &plan.block, config, &options)?;
            let outcome = lockstep::run_recorded(
                &mut *golden,
                &mut *dut,
                &mut *stimulus,
                plan.cycles,
                &mut |cycle, inputs, golden, dut| {
                    if cycle % 1024 == 0 {
                        bar.set(cycle);
                    }
                    waves.cycle(cycle, inputs, golden, dut)
                },
            )?;
            waves.finish()?;
            outcome
        }
    };
    bar.finish();
    let seconds = start.elapsed().as_secs_f64();
    let mut report = Report {
        configuration: config.name.clone(),
        block: plan.block.clone(),
        backend: plan.backend,
        equal: true,
        cycles: plan.cycles,
        signals: layout.observed_slots(),
        bits: layout.observed.iter().map(|signal| signal.rows * signal.width).sum(),
        cycles_per_second: plan.cycles as f64 / seconds,
        difference: None,
        vcd: plan.vcd.clone(),
        links: None,
        violations: vec![],
    };
    if let Some(monitor) = monitor {
        let monitor = monitor.lock().expect("no monitor panics");
        report.links = Some(monitor.totals().clone());
        report.violations = monitor.violations().to_vec();
    }
    if let Outcome::Different(difference) = outcome {
        let Difference { cycle, window, .. } = &*difference;
        save_window(&plan.difference_vcd, &plan.block, config, &layout, window)?;
        report.equal = false;
        report.cycles = *cycle;
        report.difference = Some(difference.to_string());
        report.vcd = Some(plan.difference_vcd.clone());
    }
    Ok(report)
}

type Watched = (Box<dyn Stimulus + Send>, Option<Arc<Mutex<SwitchMonitor>>>);

fn stimulus(config: &Config, layout: &Layout, plan: &Plan) -> Result<Watched> {
    let only = |block: &str, what: &str| {
        ensure!(plan.block == block, "block: {what} drive `{block}` only, not `{}`", plan.block);
        Ok(())
    };
    Ok(match &plan.drive {
        Drive::Random { seed } => (Box::new(Scenario::lively(*seed).stimulus(config, layout)), None),
        Drive::Packets { arrivals, writes } => {
            only(twins::CONTROLLER, "packets")?;
            (Box::new(SwitchTraffic::new(layout, arrivals.clone().into_iter(), writes)), None)
        }
        Drive::Links { node, stage, options } => {
            only(twins::SWITCH, "links")?;
            let routing = ExpectedRouting::new(config, *node, *stage)?;
            let traffic = LinkTraffic::new(config, &routing, layout, options.clone())?;
            let watched = Monitored::new(traffic, SwitchMonitor::new(config, &routing, layout)?);
            let monitor = watched.monitor();
            (Box::new(watched), Some(monitor))
        }
    })
}
