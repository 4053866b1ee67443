//! RTL in the loop: a network in which some switches, or all, are the emitted Verilog in Verilator.
//!
//! What the other switches and the nodes get is what the Verilog's links show. Beside each of these switches runs the golden one, on
//! the same inputs; every output and every register of the two is compared in every cycle, from reset on. A golden switch that
//! is equal all the time would have done the same in its place, and so, by induction over the cycles, the whole network does what the
//! golden one does.

mod frames;

use crate::dut::verilator::LoopedVerilator;
use crate::lockstep::{Difference, WINDOW_AFTER, WINDOW_BEFORE, Window};
use crate::twins;
use crate::waves::save_window;
use anyhow::{Context, Result, ensure};
use frames::Frames;
use powar_config::topology::wiring::Place;
use powar_config::{Config, CycleModel};
use powar_evaluation::network::{Outcome, Progress as Cycles, Simulation, simulate_on};
use powar_golden::fast::switch::{Inputs, Outputs, Switch};
use powar_golden::network::{NetFlit, Network, SwitchModel};
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// A switch of a network: golden, or Verilog with the golden one beside it.
pub struct LoopSwitch {
    golden: Switch<NetFlit>,
    rtl: Option<Box<Rtl>>,
}

/// A switch as Verilog.
struct Rtl {
    number: u32,
    verilog: LoopedVerilator,
    /// The golden switch with flits as wide as the Verilog's, as named signals.
    twin: Box<dyn CycleModel + Send>,
    frames: Frames,
    inputs: Vec<u64>,
    golden: Vec<u64>,
    seen: Vec<u64>,
    /// What the Verilog's links show in the cycle that follows.
    outputs: Outputs<NetFlit>,
    /// The cycles before, for a report: inputs, and what both showed.
    recent: VecDeque<[Vec<u64>; 2]>,
    difference: Option<Box<Difference>>,
    /// It has shown a difference and what came of it: it runs no more.
    retired: bool,
    found: Found,
}

/// The first difference of all switches, and the number of the switch.
type Found = Arc<Mutex<Option<(u32, Box<Difference>)>>>;

/// What came of a simulation with RTL in the loop.
#[derive(Debug, Serialize)]
pub struct LoopReport {
    /// What the network did.
    pub outcome: Outcome,
    /// Switches that were the emitted Verilog.
    pub rtl_switches: usize,
    pub equal: bool,
    /// Cycles of the whole network, all compared if equal.
    pub cycles: u64,
    /// Outputs and registers compared in every cycle of every such switch (rows).
    pub signals: usize,
    /// Simulated cycles of the network a second, without the compilation.
    pub cycles_per_second: f64,
    /// The first difference, in words, and its waves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vcd: Option<PathBuf>,
}

/// Runs a simulation in which the first `rtl` switches are the emitted Verilog (`usize::MAX`: all), and the same once more on golden
/// switches alone: both must come to the same. A difference is not an error: it is in the report, its waves at
/// `difference_vcd`.
///
/// # Errors
/// As of [`powar_evaluation::network::simulate`]; missing tools; files that can't be written.
pub fn simulate(
    simulation: &Simulation,
    rtl: usize,
    difference_vcd: &Path,
    tools: &Tools,
    progress: &Progress,
    watch: &mut dyn FnMut(&Cycles),
) -> Result<LoopReport> {
    let config = simulation.network()?.config;
    let layout = twins::golden(&config, twins::SWITCH)?.layout().clone();
    let library = twins::looped(&config, twins::SWITCH, &layout, tools, progress)?;
    simulate_with(simulation, rtl, &Compiled { library: &library, fault: None }, difference_vcd, watch)
}

/// The switch of a simulation's network, compiled ([`twins::looped`]).
#[derive(Clone, Copy, Debug)]
pub struct Compiled<'a> {
    pub library: &'a Path,
    /// A deliberate fault to switch on in all of them, if the library holds some (0 = none).
    pub fault: Option<u64>,
}

/// [`simulate`] with Verilog that has been compiled.
///
/// # Errors
/// As of [`simulate`].
pub fn simulate_with(
    simulation: &Simulation,
    rtl: usize,
    verilog: &Compiled,
    difference_vcd: &Path,
    watch: &mut dyn FnMut(&Cycles),
) -> Result<LoopReport> {
    let parameters = simulation.network()?;
    let config = &parameters.config;
    let wiring = parameters.wiring()?;
    ensure!(rtl > 0, "rtl: 0 is out of range 1..={}, the switches of {}", wiring.places.len(), simulation.topology);
    let found = Found::default();
    let mut network = Network::with_switches(&parameters, |number, golden| {
        let place = wiring.places[number as usize];
        let in_verilog = || Rtl::new(config, number, place, verilog, found.clone());
        let rtl = if (number as usize) < rtl { Some(Box::new(in_verilog()?)) } else { None };
        Ok(LoopSwitch { golden, rtl })
    })?;
    let layout = twins::golden(config, twins::SWITCH)?.layout().clone();
    let start = std::time::Instant::now();
    let outcome = simulate_on(simulation, &mut network, watch)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut report = LoopReport {
        rtl_switches: rtl.min(wiring.places.len()),
        equal: true,
        cycles: network.now(),
        signals: layout.observed_slots(),
        cycles_per_second: network.now() as f64 / seconds,
        difference: None,
        vcd: None,
        outcome,
    };
    let difference = found.lock().expect("nobody panics with it").take();
    if let Some((switch, difference)) = difference {
        save_window(difference_vcd, twins::SWITCH, config, &layout, &difference.window)?;
        report.equal = false;
        report.difference = Some(format!("switch {switch}: {difference}"));
        report.vcd = Some(difference_vcd.to_owned());
        return Ok(report);
    }
    let golden = powar_evaluation::network::simulate(simulation, &mut |_| ())?;
    ensure!(
        golden == report.outcome,
        "the network of golden switches came to something else than the one with Verilog in it"
    );
    Ok(report)
}

impl Rtl {
    fn new(config: &Config, number: u32, place: Place, compiled: &Compiled, found: Found) -> Result<Rtl> {
        let twin = twins::golden(config, twins::SWITCH)?;
        let layout = twin.layout().clone();
        let frames = Frames::new(&layout, config, place).context("the signals of the switch")?;
        Ok(Rtl {
            number,
            inputs: vec![0; layout.input_slots()],
            golden: vec![0; layout.observed_slots()],
            seen: vec![0; layout.observed_slots()],
            verilog: LoopedVerilator::load(compiled.library, layout, compiled.fault)?,
            twin,
            frames,
            outputs: Outputs::default(),
            recent: VecDeque::new(),
            difference: None,
            retired: false,
            found,
        })
    }

    /// A cycle of both.
    fn step(&mut self, now: u64, inputs: &Inputs<NetFlit>) {
        self.frames.fill(inputs, &mut self.inputs);
        self.twin.cycle(&self.inputs, &mut self.golden);
        self.verilog.cycle(&self.inputs, &mut self.seen);
        if let Some(difference) = &mut self.difference {
            difference.window.push_cycle([self.inputs.clone(), self.golden.clone(), self.seen.clone()]);
            if now < difference.cycle + WINDOW_AFTER as u64 {
                return;
            }
            let mut first = self.found.lock().expect("nobody panics with it");
            let found = self.difference.take().expect("there is one");
            if first.as_ref().is_none_or(|(_, first)| found.cycle < first.cycle) {
                *first = Some((self.number, found));
            }
            self.retired = true;
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
        self.frames.read(&self.seen, &mut self.outputs);
    }
}

impl SwitchModel for LoopSwitch {
    fn step(&mut self, now: u64, inputs: &Inputs<NetFlit>) -> &Outputs<NetFlit> {
        SwitchModel::step(&mut self.golden, now, inputs);
        match &mut self.rtl {
            Some(rtl) if !rtl.retired => {
                rtl.step(now, inputs);
                // After a difference the network goes on as the golden one does, so that the report shows what the Verilog does with it.
                if rtl.retired || rtl.difference.is_some() { self.golden.outputs() } else { &rtl.outputs }
            }
            _ => self.golden.outputs(),
        }
    }

    fn next_event(&self) -> u64 {
        // The Verilog has to be clocked in every cycle.
        match &self.rtl {
            Some(rtl) if !rtl.retired => self.golden.now(),
            _ => self.golden.next_event(),
        }
    }

    fn golden(&self) -> &Switch<NetFlit> {
        &self.golden
    }

    fn golden_mut(&mut self) -> &mut Switch<NetFlit> {
        &mut self.golden
    }
}
