//! Rates of the models, measured one after the other on the same traffic.

use crate::dut::Dut;
use crate::expected_routing::ExpectedRouting;
use crate::lockstep;
use crate::stimulus::{LinkOptions, LinkTraffic, Scenario, Stimulus, SwitchTraffic, TrafficKind};
use crate::twins;
use anyhow::Result;
use powar_config::Config;
use powar_evaluation::GoldenSwitch;
use powar_tools::{Progress, Tools};
use powar_traffic::PacketArrival;
use serde::Serialize;
use std::time::Instant;

/// How fast something ran: the fastest of [`ROUNDS`] runs, since whatever else a machine does only ever slows a run.
#[derive(Clone, Debug, Serialize)]
pub struct Rate {
    pub configuration: String,
    pub what: String,
    pub cycles_per_second: f64,
}

/// Runs of everything that is measured.
pub const ROUNDS: u32 = 5;

/// Measures the golden model alone (every cycle stepped), and the lock-step check in Verilator and in rust-hdl's simulation, on
/// packets and on random inputs.
///
/// # Errors
/// Missing tools; a difference between the models.
pub fn measure(
    config: &Config,
    packets: &[PacketArrival],
    seconds: f64,
    tools: &Tools,
    progress: &Progress,
) -> Result<Vec<Rate>> {
    let mut rates = vec![];
    let mut rate = |what: &str, cycles_per_second: f64| {
        rates.push(Rate { configuration: config.name.clone(), what: what.into(), cycles_per_second });
    };
    let layout = twins::golden(config, twins::CONTROLLER)?.layout().clone();
    // Dense traffic: idle stretches would flatter the golden model.
    let first = packets.first().map_or(0, |packet| packet.cycle);
    let shifted = || packets.iter().map(move |packet| PacketArrival { cycle: packet.cycle - first, ..*packet });
    let packets: Vec<_> = shifted().collect();
    rate("golden alone, packets", fastest(|| Ok(golden_alone(config, &packets, seconds / f64::from(ROUNDS))))?);
    // Built before the clock runs.
    twins::verilator(config, twins::CONTROLLER, &layout, tools, progress)?;
    type FreshDut<'a> = &'a dyn Fn() -> Result<Box<dyn Dut>>;
    type FreshStimulus<'a> = &'a dyn Fn() -> Box<dyn Stimulus + Send>;
    let verilator = || twins::verilator(config, twins::CONTROLLER, &layout, tools, progress);
    let rust_hdl = || twins::rust_hdl(config, twins::CONTROLLER, &layout);
    let duts: [(FreshDut, u64); 2] = [(&verilator, 50_000), (&rust_hdl, 200)];
    for (dut, trial) in duts {
        let packets = || -> Box<dyn Stimulus + Send> {
            Box::new(SwitchTraffic::new(&layout, shifted().collect::<Vec<_>>().into_iter(), &[]))
        };
        let random = || -> Box<dyn Stimulus + Send> { Box::new(Scenario::lively(1).stimulus(config, &layout)) };
        let stimuli: [(&str, FreshStimulus); 2] = [("packets", &packets), ("random", &random)];
        for (name, stimulus) in stimuli {
            let run = |cycles| locked(config, twins::CONTROLLER, &mut *dut()?, &mut *stimulus(), cycles);
            rate(&format!("lock-step {}, {name}", dut()?.name()), fastest_for(seconds, trial, run)?);
        }
    }
    Ok(rates)
}

/// Flits a cycle and port that the switch is measured at.
const LOAD: f64 = 0.4;
/// Cycles of traffic that are recorded for the golden switch alone.
const RECORDED: u64 = 20_000;

/// Measures the whole switch on uniform traffic at its links: the golden model alone, on inputs recorded before, and the lock-step check
/// in Verilator. Nothing for a configuration that is not one of a switch.
///
/// # Errors
/// As of [`measure`].
pub fn measure_switch(config: &Config, seconds: f64, tools: &Tools, progress: &Progress) -> Result<Vec<Rate>> {
    if config.check_switch().is_err() {
        return Ok(vec![]);
    }
    let layout = twins::golden(config, twins::SWITCH)?.layout().clone();
    let routing = ExpectedRouting::new(config, 0, 0)?;
    let traffic = || LinkTraffic::new(config, &routing, &layout, LinkOptions::steady(TrafficKind::Uniform, LOAD, 1));
    let rate = |what: &str, cycles_per_second| Rate {
        configuration: config.name.clone(),
        what: format!("switch: {what}, load {LOAD}"),
        cycles_per_second,
    };
    let alone = fastest(|| switch_alone(config, &mut traffic()?, seconds / f64::from(ROUNDS)))?;
    // Built before the clock runs.
    let dut = || twins::verilator(config, twins::SWITCH, &layout, tools, progress);
    let run = |cycles| locked(config, twins::SWITCH, &mut *dut()?, &mut traffic()?, cycles);
    let name = dut()?.name();
    Ok(vec![rate("golden alone", alone), rate(&format!("lock-step {name}"), fastest_for(seconds, 2_000, run)?)])
}

/// The highest rate of all rounds.
fn fastest(mut run: impl FnMut() -> Result<f64>) -> Result<f64> {
    (0..ROUNDS).try_fold(0.0, |fastest: f64, _| Ok(fastest.max(run()?)))
}

/// The highest rate of runs that take `seconds` together, as long as a run of `trial` cycles says.
fn fastest_for(seconds: f64, trial: u64, run: impl Fn(u64) -> Result<f64>) -> Result<f64> {
    let cycles = (run(trial)? * seconds / f64::from(ROUNDS)) as u64;
    fastest(|| run(cycles.max(trial)))
}

/// Cycles a second of the golden switch, every cycle with its whole frame.
fn switch_alone(config: &Config, traffic: &mut LinkTraffic, seconds: f64) -> Result<f64> {
    let mut golden = twins::golden(config, twins::SWITCH)?;
    let slots = golden.layout().input_slots();
    let mut observed = vec![0; golden.layout().observed_slots()];
    let mut inputs = vec![0; slots * RECORDED as usize];
    for (cycle, frame) in (0..).zip(inputs.chunks_mut(slots)) {
        traffic.drive(cycle, &observed, frame);
        golden.cycle(frame, &mut observed);
    }
    let (start, mut cycles) = (Instant::now(), 0);
    // The recording begins with a reset, so that it can be repeated.
    while start.elapsed().as_secs_f64() < seconds {
        inputs.chunks(slots).for_each(|frame| golden.cycle(frame, &mut observed));
        cycles += RECORDED;
    }
    Ok(cycles as f64 / start.elapsed().as_secs_f64())
}

fn golden_alone(config: &Config, packets: &[PacketArrival], seconds: f64) -> f64 {
    let mut switch = GoldenSwitch::new(config, packets.iter().copied());
    let start = Instant::now();
    while start.elapsed().as_secs_f64() < seconds {
        for _ in 0..100_000 {
            switch.step();
            switch.queues.departures();
        }
    }
    switch.controller.now() as f64 / start.elapsed().as_secs_f64()
}

/// Cycles a second of a lock-step run.
fn locked(
    config: &Config,
    block: &str,
    dut: &mut dyn Dut,
    stimulus: &mut (dyn Stimulus + Send),
    cycles: u64,
) -> Result<f64> {
    let mut golden = twins::golden(config, block)?;
    let start = Instant::now();
    lockstep::run(&mut *golden, dut, stimulus, cycles, &mut |_| ())?.equal()?;
    Ok(cycles as f64 / start.elapsed().as_secs_f64())
}
