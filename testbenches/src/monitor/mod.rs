//! What must hold on the links of a switch in every cycle, whatever model it is: judged from the frames alone.
//!
//! ```text
//! intake     what the switch takes in: which flits are stored, which packets they form, which of those are to be dropped
//! delivery   every stored flit comes out once, unaltered, in order, on a legal port and virtual channel; packets do not mix
//! buffers    no virtual channel holds more than D flits, and the queues' counts are right
//! credits    the credit registers are what the receivers at the other end make of it
//! errors     the error counters count what went wrong, the dropped packets are the malformed ones
//! counters   the other counters count phases, wake-ups and flits
//! power      the mechanism keeps its contract; no flit on a link in a phase that doesn't send
//! watchdog   something moves while packets wait
//! ```
//!
//! A violation is one line with the cycle and the port.

mod buffers;
mod counters;
mod credits;
mod delivery;
mod errors;
mod intake;
mod power;
mod reads;
mod signals;
mod watchdog;

use crate::expected_routing::ExpectedRouting;
use crate::stimulus::Stimulus;
use anyhow::Result;
use intake::Intake;
use powar_config::{Config, Layout, Phase};
use serde::Serialize;
use signals::Signals;
use std::sync::{Arc, Mutex};

pub use watchdog::PATIENCE;

/// Violations that are kept; the first ones tell what is wrong.
const MOST_VIOLATIONS: usize = 20;

/// One cycle of a switch.
pub(crate) struct ObservedCycle<'a> {
    pub(crate) cycle: u64,
    pub(crate) inputs: &'a [u64],
    pub(crate) observed: &'a [u64],
    pub(crate) signals: &'a Signals,
}

/// One invariant.
trait Monitor: Send {
    /// Judges a cycle. `intake` holds what left the input buffers up to this cycle and arrived before it.
    fn cycle(&mut self, frame: &ObservedCycle, intake: &Intake, violations: &mut Violations);

    /// The cycle that has just been judged was one of reset.
    fn reset(&mut self);
}

/// What was found wrong.
#[derive(Clone, Debug, Default)]
pub(crate) struct Violations {
    pub(crate) lines: Vec<String>,
}

impl Violations {
    pub(crate) fn add(&mut self, frame: &ObservedCycle, what: impl std::fmt::Display) {
        if self.lines.len() < MOST_VIOLATIONS {
            self.lines.push(format!("cycle {}: {what}", frame.cycle));
        }
    }
}

/// What a run has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    pub cycles: u64,
    pub resets: u64,
    /// Flits stored, and flits that left on a link.
    pub flits_in: u64,
    pub flits_out: u64,
    /// Packets that left whole, and packets to be dropped whose first flit was read.
    pub packets_out: u64,
    pub packets_dropped: u64,
    pub framing_errors: u64,
    pub overflow_errors: u64,
    /// Port cycles in which an output link was in a phase that doesn't send.
    pub not_sending: u64,
}

/// All invariants of one switch.
pub struct SwitchMonitor {
    signals: Signals,
    intake: Intake,
    monitors: Vec<Box<dyn Monitor>>,
    violations: Violations,
    totals: Totals,
}

impl SwitchMonitor {
    /// For a switch of this configuration whose routing this is, in its state after reset.
    ///
    /// # Errors
    /// A layout that is not that of a switch: the signal is named.
    pub fn new(config: &Config, routing: &ExpectedRouting, layout: &Layout) -> Result<Self> {
        let signals = Signals::new(config, layout)?;
        Ok(SwitchMonitor {
            intake: Intake::new(config, routing),
            monitors: vec![
                Box::new(delivery::Delivery::new(config)),
                Box::new(buffers::Buffers::new(config)),
                Box::new(credits::Credits::new(config, &signals)?),
                Box::new(errors::Errors::new(&signals)?),
                Box::new(counters::Counters::new(&signals)?),
                Box::new(reads::Reads::new(config)),
                Box::new(power::Power::new(config)),
                Box::new(watchdog::Watchdog::new(config, routing)),
            ],
            signals,
            violations: Violations::default(),
            totals: Totals::default(),
        })
    }

    /// Judges the next cycle.
    pub fn cycle(&mut self, inputs: &[u64], observed: &[u64]) {
        let frame = ObservedCycle { cycle: self.totals.cycles, inputs, observed, signals: &self.signals };
        self.intake.take_credits(&frame, &mut self.violations);
        for monitor in &mut self.monitors {
            monitor.cycle(&frame, &self.intake, &mut self.violations);
        }
        self.count(inputs, observed);
        let frame = ObservedCycle { cycle: self.totals.cycles, inputs, observed, signals: &self.signals };
        self.intake.take_flits(&frame);
        if inputs[self.signals.links.rst] == 1 {
            self.totals.resets += 1;
            self.intake.reset();
            self.monitors.iter_mut().for_each(|monitor| monitor.reset());
        }
        self.totals.cycles += 1;
    }

    fn count(&mut self, inputs: &[u64], observed: &[u64]) {
        let signals = &self.signals;
        let totals = &mut self.totals;
        totals.flits_out += u64::from(observed[signals.links.out_valid].count_ones());
        for port in 0..signals.ports {
            let phase = Phase::by_code(observed[signals.links.out_phase + port] as u8);
            totals.not_sending += u64::from(!phase.is_some_and(Phase::sends));
        }
        for leaving in self.intake.leaving() {
            totals.packets_out += u64::from(leaving.last && !leaving.dropped);
            totals.packets_dropped += u64::from(leaving.first && leaving.dropped);
        }
        let errors = self.intake.errors(&ObservedCycle { cycle: totals.cycles, inputs, observed, signals });
        totals.flits_in += u64::from(errors.stored.count_ones());
        totals.framing_errors += u64::from(errors.framing.count_ones());
        totals.overflow_errors += u64::from(errors.overflow.count_ones());
    }

    /// What has been seen so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Flits that are in the input buffers.
    pub fn buffered(&self) -> u64 {
        self.intake.buffered()
    }

    /// The violations so far, at most the first 20.
    pub fn violations(&self) -> &[String] {
        &self.violations.lines
    }
}

/// A stimulus whose every cycle is judged when the next one is driven; the last cycle of a run is not.
pub struct Monitored<S> {
    pub stimulus: S,
    monitor: Arc<Mutex<SwitchMonitor>>,
    /// The input frame of the cycle before.
    before: Vec<u64>,
}

impl<S> Monitored<S> {
    /// Lets `monitor` watch what `stimulus` does to the model that leads.
    pub fn new(stimulus: S, monitor: SwitchMonitor) -> Self {
        Monitored { stimulus, monitor: Arc::new(Mutex::new(monitor)), before: vec![] }
    }

    /// The monitor, to be read after the run.
    pub fn monitor(&self) -> Arc<Mutex<SwitchMonitor>> {
        Arc::clone(&self.monitor)
    }
}

impl<S: Stimulus> Stimulus for Monitored<S> {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        if cycle != 0 {
            self.monitor.lock().expect("no monitor panics").cycle(&self.before, last);
        }
        self.stimulus.drive(cycle, last, inputs);
        self.before.clear();
        self.before.extend_from_slice(inputs);
    }
}
