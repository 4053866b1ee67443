//! A part of a network as the emitted Verilog, with its golden twin beside it.

use crate::dut::verilator::LoopedVerilator;
use crate::lockstep::{Difference, WINDOW_AFTER, WINDOW_BEFORE, Window};
use anyhow::Result;
use powar_config::CycleModel;
use std::collections::VecDeque;
use std::path::Path;

/// A block as Verilog and its twin, on the same inputs.
pub(super) struct Looped<G: ?Sized> {
    verilog: LoopedVerilator,
    twin: Box<G>,
    /// The input frame of the cycle under way, to be filled before [`Looped::cycle`].
    pub inputs: Vec<u64>,
    golden: Vec<u64>,
    seen: Vec<u64>,
    /// The cycles before, for a report: inputs, and what both showed.
    recent: VecDeque<[Vec<u64>; 2]>,
    difference: Option<Box<Difference>>,
    /// It has shown a difference and what came of it: it runs no more.
    retired: bool,
}

impl<G: CycleModel + ?Sized> Looped<G> {
    /// Both after a reset; with a deliberate fault on if the library holds some (0 = none).
    ///
    /// # Errors
    /// The file is not a library of [`LoopedVerilator::library`].
    pub fn new(twin: Box<G>, library: &Path, fault: Option<u64>) -> Result<Self> {
        let layout = twin.layout().clone();
        let [inputs, observed] = [layout.input_slots(), layout.observed_slots()].map(|slots| vec![0; slots]);
        let mut looped = Looped {
            verilog: LoopedVerilator::load(library, layout, fault)?,
            twin,
            inputs,
            golden: observed.clone(),
            seen: observed,
            recent: VecDeque::new(),
            difference: None,
            retired: false,
        };
        looped.verilog.observe(&mut looped.seen);
        Ok(looped)
    }

    /// The cycle `now` of both on the inputs, compared.
    pub fn cycle(&mut self, now: u64) {
        self.twin.cycle(&self.inputs, &mut self.golden);
        self.verilog.cycle(&self.inputs, &mut self.seen);
        if let Some(difference) = &mut self.difference {
            difference.window.push_cycle([self.inputs.clone(), self.golden.clone(), self.seen.clone()]);
            self.retired = now >= difference.cycle + WINDOW_AFTER as u64;
            return;
        }
        if self.seen != self.golden {
            let slot = self.seen.iter().zip(&self.golden).position(|(rtl, golden)| rtl != golden).expect("they differ");
            let mut window = Window { first_cycle: now - self.recent.len() as u64, ..Window::default() };
            self.recent.drain(..).for_each(|[inputs, both]| window.push_cycle([inputs, both.clone(), both]));
            window.push_cycle([self.inputs.clone(), self.golden.clone(), self.seen.clone()]);
            let (golden, rtl) = (self.golden[slot], self.seen[slot]);
            self.difference = Some(Box::new(Difference::at(self.twin.layout(), now, slot, golden, rtl, window)));
            return;
        }
        let [mut inputs, mut both] = match self.recent.len() {
            WINDOW_BEFORE => self.recent.pop_front().expect("it is full"),
            _ => [self.inputs.clone(), self.golden.clone()],
        };
        inputs.copy_from_slice(&self.inputs);
        both.copy_from_slice(&self.golden);
        self.recent.push_back([inputs, both]);
        self.verilog.observe(&mut self.seen);
    }

    /// Forgets the cycles that have passed, for reports: those that follow are counted from 0.
    pub fn begin_anew(&mut self) {
        self.recent.clear();
    }

    /// What the Verilog shows in the cycle that follows, as far as it doesn't hang on the inputs; none after a difference.
    pub fn shown(&self) -> Option<&[u64]> {
        self.difference.is_none().then_some(&self.seen)
    }

    /// The same, after a difference too.
    pub fn next_shown(&self) -> Vec<u64> {
        let mut shown = self.seen.clone();
        if self.difference.is_some() {
            self.verilog.observe(&mut shown);
        }
        shown
    }

    /// The cycle that has passed: the inputs, and what the golden model and the Verilog have shown in it.
    pub fn last_cycle(&self) -> [&[u64]; 3] {
        // Without a difference `seen` shows the next one already.
        let seen = if self.difference.is_some() { &self.seen } else { &self.golden };
        [&self.inputs, &self.golden, seen]
    }

    /// The first difference.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_deref()
    }

    /// It runs no more.
    pub fn is_retired(&self) -> bool {
        self.retired
    }

    /// The golden twin.
    pub fn twin(&self) -> &G {
        &self.twin
    }

    /// The same, to go on without the Verilog.
    pub fn twin_mut(&mut self) -> &mut G {
        &mut self.twin
    }
}
