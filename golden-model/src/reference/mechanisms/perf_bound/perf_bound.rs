//! `perf_bound`: the mechanism, composed of POWAR's and a threshold of its own for each port.

use super::gap_histogram::GapInputs;
use super::idle_threshold::ThresholdInputs;
use super::{BoundRegisters, GapHistogram, IdleThreshold, WindowSearch};
use crate::bits::{is_set, vector};
use crate::reference::mechanisms::powar::Powar;
use crate::reference::power::PowerMechanism;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::perf_bound::PerfBoundValues;
use powar_config::{Config, Mechanism, Owner, mechanism};

/// The mechanism; the fields are its children.
#[derive(Clone, Debug)]
pub struct PerfBound {
    pub powar: Powar,
    pub registers: BoundRegisters,
    pub timer: WindowSearch,
    pub gaps: Vec<GapHistogram>,
    pub thresholds: Vec<IdleThreshold>,
}

impl PerfBound {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let reset = PerfBoundValues::of(config);
        PerfBound {
            powar: Powar::with(config, reset.powar),
            registers: BoundRegisters::new(reset),
            timer: WindowSearch::new(),
            gaps: vec![GapHistogram::new(); config.ports],
            thresholds: vec![IdleThreshold::new(); config.ports],
        }
    }

    /// What POWAR sees: a port whose gap is shorter than its threshold is in use.
    fn seen<'a>(&self, inputs: &MechanismInputs<'a>) -> MechanismInputs<'a> {
        let stays_awake = vector(&self.thresholds, |port, threshold| !threshold.may_sleep(self.gaps[port].idle()));
        MechanismInputs { held: inputs.held | stays_awake, ..*inputs }
    }
}

impl PowerMechanism for PerfBound {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::perf_bound::MECHANISM
    }

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        self.powar.outputs(&self.seen(inputs))
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        self.powar.waking(&self.seen(inputs))
    }

    fn read(&self, address: u16) -> u32 {
        self.powar.read(address) | self.registers.read(address)
    }

    fn reset(&mut self) {
        self.powar.reset();
        self.registers.reset();
        self.timer.reset();
        self.gaps.iter_mut().for_each(GapHistogram::reset);
        self.thresholds.iter_mut().for_each(IdleThreshold::reset);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let seen = self.seen(inputs);
        let PerfBoundValues { allowed, period, .. } = self.registers.values;
        let (look, in_use) = (self.timer.look, inputs.held | inputs.given | inputs.departing);
        for (port, (gaps, threshold)) in self.gaps.iter_mut().zip(&mut self.thresholds).enumerate() {
            threshold.clock(&ThresholdInputs { look, count: gaps.looked(look), idle: gaps.idle(), allowed });
            gaps.clock(&GapInputs { in_use: is_set(in_use, port), look });
        }
        self.timer.clock(period);
        self.powar.clock(&seen);
        self.registers.clock(inputs.write);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

/// The registers that all ports have in common.
const BOUND: Owner = Owner::Part("bound");

/// What belongs to the windows of all ports.
const WINDOWS: Owner = Owner::Part("windows");

impl Registers for PerfBound {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "powar", [&self.powar]);
        rows.owners(BOUND, "registers", [&self.registers]);
        rows.owners(WINDOWS, "timer", [&self.timer]);
        rows.child_of(Owner::Port, "gaps", &self.gaps);
        rows.child_of(Owner::Port, "threshold", &self.thresholds);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::Chosen;
    use powar_config::mechanism::perf_bound::{MECHANISM, PerfBoundParameters};
    use powar_config::units::Nanoseconds;
    use powar_config::{Phase, presets};

    /// Two groups of two ports that take 3 cycles to fall asleep and 4 to wake, with windows of 100 cycles.
    fn perf_bound(pdt: f64, bound: f64) -> PerfBound {
        let mut config = presets::by_name("fat-tree-2").expect("a preset");
        let cycles = |count: f64| Nanoseconds(count * config.cycle_ns);
        let period = cycles(100.0);
        let mut parameters = PerfBoundParameters { bound, period, ..PerfBoundParameters::default() };
        (parameters.powar.pdt, parameters.powar.t_sleep, parameters.powar.t_wake) =
            (cycles(pdt), cycles(3.0), cycles(4.0));
        config.mechanism = Chosen(Box::new(parameters));
        config.check().expect("in range");
        PerfBound::new(&config)
    }

    /// A packet at port 0 whenever it has been left alone for these cycles in turn, for as long as the port takes to
    /// wake; the cycles in which the port was not ready by windows of 100 cycles.
    fn waits(mechanism: &mut PerfBound, gaps: &[u32], windows: usize) -> Vec<u32> {
        let (mut held, mut gap, mut turn) = (0, 0, 0);
        let mut wait = |mechanism: &mut PerfBound| {
            let ready = mechanism.outputs(&MechanismInputs { held, ..Default::default() }).ready & 1;
            let given = u64::from(held == 0 && gap == gaps[turn % gaps.len()]);
            let departing = held & ready;
            mechanism.clock(&MechanismInputs { held, given, departing, ..Default::default() });
            (gap, turn) = if given == 1 { (0, turn + 1) } else { (gap + u32::from(held == 0), turn) };
            let waits = u32::from(held & !ready == 1);
            held = given | held & !departing;
            waits
        };
        (0..windows).map(|_| (0..100).map(|_| wait(mechanism)).sum()).collect()
    }

    #[test]
    fn gaps_that_stay_as_they_were_cost_no_more_than_the_bound() {
        let mut mechanism = perf_bound(0.0, 0.0);
        assert_eq!(mechanism.registers.values.allowed, 0);
        assert_eq!(waits(&mut mechanism, &[10], 6), [0; 6], "not one");
        assert_eq!(mechanism.thresholds[0].threshold, 16);
        let mut mechanism = perf_bound(0.0, 0.15);
        assert_eq!(mechanism.registers.values.allowed, 2);
        assert_eq!(waits(&mut mechanism, &[5, 5, 5, 5, 5, 5, 5, 5, 40], 1), [0], "the first window is awake");
        assert!(
            waits(&mut mechanism, &[5, 5, 5, 5, 5, 5, 5, 5, 40], 9)[1..].iter().all(|&lost| (1..=14).contains(&lost))
        );
        assert_eq!(mechanism.thresholds[0].threshold, 8);
    }

    #[test]
    fn gaps_that_become_longer_cost_more_for_a_window() {
        let mut mechanism = perf_bound(0.0, 0.0);
        waits(&mut mechanism, &[3], 5);
        assert_eq!(mechanism.thresholds[0].threshold, 4);
        let lost = waits(&mut mechanism, &[12], 4);
        assert!(lost[0] > 10 && lost[2..] == [0, 0], "{lost:?}");
    }

    #[test]
    fn a_port_that_is_left_alone_sleeps_at_last() {
        let mut mechanism = perf_bound(5.0, 0.0);
        let quiet = MechanismInputs::default();
        for _ in 0..300 {
            mechanism.clock(&quiet);
        }
        // In the first window the gap got to 64 cycles; no gap began in those behind it.
        assert_eq!(mechanism.thresholds[1].threshold, 128);
        assert_eq!(mechanism.powar.fsms[1].phase(), Phase::Off);
    }

    #[test]
    fn powars_threshold_comes_on_top() {
        for (pdt, threshold, asleep) in [(0.0, 1, 1), (1.0, 1, 1), (5.0, 1, 5), (0.0, 8, 8), (5.0, 8, 12)] {
            let mut mechanism = perf_bound(pdt, 1.0);
            mechanism.thresholds.iter_mut().for_each(|of| of.threshold = threshold);
            // POWAR takes a short duration for one from the second cycle behind a reset on.
            let used = MechanismInputs { held: 0b1111, ..Default::default() };
            (0..3).for_each(|_| mechanism.clock(&used));
            let quiet = MechanismInputs::default();
            let mut on = 0;
            while mechanism.powar.fsms[0].awake() {
                mechanism.clock(&quiet);
                on += 1;
            }
            assert_eq!(on, asleep, "{pdt} and {threshold}");
        }
    }

    #[test]
    fn with_thresholds_of_a_cycle_it_is_powar() {
        let mut mechanism = perf_bound(2.0, 1.0);
        mechanism.thresholds.iter_mut().for_each(|of| of.threshold = 1);
        mechanism.registers.values.allowed = 255;
        let mut powar = mechanism.powar.clone();
        let mut random = fastrand::Rng::with_seed(1);
        let (mut held, mut slept) = (0u64, 0);
        for _ in 0..20_000 {
            let shown = powar.outputs(&MechanismInputs { held, ..Default::default() });
            assert_eq!(mechanism.outputs(&MechanismInputs { held, ..Default::default() }), shown);
            // Seldom given, and held until a flit sets out.
            let given = random.u64(..) & random.u64(..) & random.u64(..) & random.u64(..) & !held & 0b1111;
            let departing = held & shown.ready & random.u64(..);
            let inputs = MechanismInputs { held, given, departing, ..Default::default() };
            slept += shown.ready.count_zeros();
            mechanism.clock(&inputs);
            powar.clock(&inputs);
            held = given | held & !departing;
        }
        assert!(slept > 10_000, "{slept}");
    }

    #[test]
    fn words_of_both_are_read() {
        let mechanism = perf_bound(2.0, 0.15);
        let read: Vec<u32> = MECHANISM.words.iter().map(|word| mechanism.read(word.offset / 4)).collect();
        assert_eq!((read[0], &read[5..7], &read[10..]), (3, &[3, 4][..], &[2, 100][..]));
    }
}
