//! `hints_depths`: the mechanism, composed of POWAR's, a budget and a depth for each port, what a budget has to be for
//! depth, and lanes.

use super::deep_reserve::ReserveInputs;
use super::{DeepBudget, DeepRegisters, DeepReserve};
use crate::reference::mechanisms::ahead::ahead::BUDGET;
use crate::reference::mechanisms::ahead::{BudgetRegisters, WaitBudget};
use crate::reference::mechanisms::depths::SleepDepth;
use crate::reference::mechanisms::depths::depths::DEPTH;
use crate::reference::mechanisms::powar::Powar;
use crate::reference::mechanisms::wake_hints::Lanes;
use crate::reference::power::PowerMechanism;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::hints_depths::HintsDepthsValues;
use powar_config::{Config, Mechanism, Owner, Sees, mechanism};

/// The mechanism; the fields are its children.
#[derive(Clone, Debug)]
pub struct HintsDepths {
    pub powar: Powar,
    pub budget_registers: BudgetRegisters,
    pub budgets: Vec<WaitBudget>,
    pub deep_registers: DeepRegisters,
    pub deep_reserve: DeepReserve,
    pub deep_budgets: Vec<DeepBudget>,
    pub depths: Vec<SleepDepth>,
    pub lanes: Lanes,
}

impl HintsDepths {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let reset = HintsDepthsValues::of(config);
        let ahead = reset.hints.ahead;
        HintsDepths {
            powar: Powar::with(config, ahead.powar),
            budget_registers: BudgetRegisters::new(ahead),
            budgets: vec![WaitBudget::new(ahead.cap); config.ports],
            deep_registers: DeepRegisters::new(reset),
            deep_reserve: DeepReserve::new(&reset),
            deep_budgets: vec![DeepBudget::new(); config.ports],
            depths: vec![SleepDepth::new(); config.ports],
            lanes: Lanes::new(config, reset.hints),
        }
    }

    /// What POWAR sees: a port that a hint has chosen is given, and one without enough, or deep, is in use.
    fn seen<'a>(&self, inputs: &MechanismInputs<'a>) -> MechanismInputs<'a> {
        let in_use = WaitBudget::kept_awake(&self.budgets) | SleepDepth::deep(&self.depths);
        MechanismInputs { held: inputs.held | in_use, ..self.lanes.seen(inputs) }
    }
}

impl PowerMechanism for HintsDepths {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::hints_depths::MECHANISM
    }

    fn sees(&self) -> Sees {
        self.lanes.sees()
    }

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        self.lanes.shown(SleepDepth::shown(&self.depths, self.powar.outputs(&self.seen(inputs))))
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        self.powar.waking(&self.seen(inputs))
    }

    fn read(&self, address: u16) -> u32 {
        let of_lanes = self.lanes.registers.read(address);
        self.powar.read(address) | self.budget_registers.read(address) | self.deep_registers.read(address) | of_lanes
    }

    fn reset(&mut self) {
        self.powar.reset();
        self.budget_registers.reset();
        self.budgets.iter_mut().for_each(WaitBudget::reset);
        self.deep_registers.reset();
        self.deep_reserve.reset();
        self.deep_budgets.iter_mut().for_each(DeepBudget::reset);
        self.depths.iter_mut().for_each(SleepDepth::reset);
        self.lanes.reset();
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge: whoever is looked at is clocked behind those that
        // look.
        let seen = self.seen(inputs);
        let of_powar = self.powar.outputs(&seen);
        let of_ports = SleepDepth::shown(&self.depths, of_powar.clone());
        self.lanes.clock(inputs, &of_ports);

        let HintsDepthsValues { deep_after, t_wake_deep, .. } = self.deep_registers.values;
        let allowed = |port: usize| self.deep_budgets[port].allowed_after(deep_after);
        SleepDepth::clock_all(&mut self.depths, &of_powar, allowed, t_wake_deep);
        for (deep_budget, budget) in self.deep_budgets.iter_mut().zip(&self.budgets) {
            deep_budget.clock(budget.left, self.deep_reserve.reserve);
        }
        self.deep_reserve.clock(&ReserveInputs { t_wake: self.budget_registers.t_wake, t_wake_deep });
        WaitBudget::clock_all(&mut self.budgets, inputs.held, of_ports.ready, &self.budget_registers);
        self.budget_registers.clock(inputs.write);
        self.deep_registers.clock(inputs.write);
        self.powar.clock(&seen);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for HintsDepths {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "powar", [&self.powar]);
        rows.owners(BUDGET, "budget_registers", [&self.budget_registers]);
        rows.child_of(Owner::Port, "budget", &self.budgets);
        rows.owners(DEPTH, "deep_registers", [&self.deep_registers]);
        rows.owners(DEPTH, "deep_reserve", [&self.deep_reserve]);
        rows.child_of(Owner::Port, "deep_budget", &self.deep_budgets);
        rows.child_of(Owner::Port, "depth", &self.depths);
        self.lanes.list("hint_registers", rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::is_set;
    use crate::reference::mechanisms::depths::Depths;
    use crate::reference::mechanisms::wake_hints::WakeHints;
    use crate::reference::power::Surroundings;
    use crate::reference::power::mechanism::Write;
    use powar_config::mechanism::Chosen;
    use powar_config::mechanism::depths::DepthsParameters;
    use powar_config::mechanism::hints_depths::{HintsDepthsParameters, MECHANISM};
    use powar_config::mechanism::wake_hints::WakeHintsParameters;
    use powar_config::units::Nanoseconds;
    use powar_config::{Parameters, Phase};

    const ON: [u64; 8] = [Phase::On as u64; 8];

    /// Ports that sleep after two idle cycles, take 3 cycles to fall asleep and 4 to wake, or 20 once they have slept for
    /// 7, which they must have 9 for, or 21; they can have 35.
    fn parameters(change: impl Fn(&mut HintsDepthsParameters, &dyn Fn(u32) -> Nanoseconds)) -> HintsDepthsParameters {
        let cycle_ns = leaf(WakeHintsParameters::default()).cycle_ns;
        let cycles = |count: u32| Nanoseconds(f64::from(count) * cycle_ns);
        let mut parameters = HintsDepthsParameters::default();
        (parameters.deep_after, parameters.t_wake_deep) = (cycles(7), cycles(20));
        let ahead = &mut parameters.hints.ahead;
        (ahead.powar.pdt, ahead.powar.t_sleep, ahead.powar.t_wake) = (cycles(2), cycles(3), cycles(4));
        ahead.cap = 5.0;
        change(&mut parameters, &cycles);
        parameters
    }

    /// A leaf switch of a 4-ary 2-tree.
    fn leaf(parameters: impl Parameters) -> Config {
        let mut config = Config::of_network("4-ary-2-tree").expect("a network");
        config.mechanism = Chosen(Box::new(parameters));
        config.check().expect("in range");
        config
    }

    fn inputs(held: u64, given: u64) -> MechanismInputs<'static> {
        let around = Surroundings { neighbour_phase: &ON, ..Surroundings::default() };
        MechanismInputs { around, held, given, ..MechanismInputs::default() }
    }

    /// A cycle in which these ports are held and given; returned are phase and level of port 0.
    fn step(mechanism: &mut HintsDepths, held: u64, given: u64) -> (Phase, u8) {
        let inputs = inputs(held, given);
        let shown = mechanism.outputs(&inputs);
        mechanism.clock(&inputs);
        (Phase::by_code(shown.phase[0]).expect("a phase"), shown.level[0])
    }

    /// The cycles from one in which port 0 is given away until it may send.
    fn wait(mechanism: &mut HintsDepths) -> usize {
        step(mechanism, 0, 1);
        let ready = |mechanism: &HintsDepths| is_set(mechanism.outputs(&inputs(1, 0)).ready, 0);
        let waited = (0..100).take_while(|_| !ready(mechanism) && step(mechanism, 1, 0) == (Phase::ComingOn, 0));
        waited.count()
    }

    #[test]
    fn a_port_goes_deep_once_it_has_slept_with_a_budget_for_a_deep_wake_up() {
        let mut mechanism = HintsDepths::new(&leaf(parameters(|_, _| ())));
        assert_eq!((mechanism.budgets[0].left, mechanism.deep_reserve.reserve), (35, 21));
        for _ in 0..50 {
            step(&mut mechanism, 0, 0);
        }
        assert!(mechanism.depths.iter().all(|depth| depth.deep));
        assert_eq!(wait(&mut mechanism), 20);
        let left = mechanism.budgets[0].left;
        assert!((15..18).contains(&left), "{left}: all that it was held back for is lost");
        let mut enough = None;
        for cycle in 0.. {
            let left = mechanism.budgets[0].left;
            enough = enough.or((left >= 21).then_some(cycle));
            // Asleep from the sixth cycle on, and deep when it has been enough in the cycle before for as long as the
            // second threshold.
            let (phase, level) = step(&mut mechanism, 0, 0);
            assert!(cycle < 5 || phase == Phase::Off, "cycle {cycle}: {phase:?}");
            assert_eq!(level == 1, enough.is_some_and(|enough| cycle >= enough + 8), "cycle {cycle}, {left} left");
            if level == 1 {
                assert!(cycle > 300, "{cycle}");
                break;
            }
        }
    }

    #[test]
    fn a_port_that_wakes_deeply_too_often_sleeps_lightly_and_one_that_wakes_lightly_too_often_not_at_all() {
        let mut mechanism = HintsDepths::new(&leaf(parameters(|_, _| ())));
        // A packet every 50 cycles: 20 of them lost once, then 4 of each, which it does not earn.
        let mut waited = vec![];
        for _ in 0..5 {
            (0..50).for_each(|_| _ = step(&mut mechanism, 0, 0));
            waited.push(wait(&mut mechanism));
        }
        assert_eq!(waited, [20, 4, 4, 4, 0]);
        assert_eq!(step(&mut mechanism, 0, 0), (Phase::On, 0));
        assert!(mechanism.depths[1].deep, "other ports have lost nothing");
    }

    /// Steps both with random inputs and holds what they show against each other; how often ports were not ready.
    fn hold_equal(one: &mut dyn PowerMechanism, other: &mut dyn PowerMechanism) -> u32 {
        let mut random = fastrand::Rng::with_seed(1);
        let (mut held, mut slept) = (0u64, 0);
        for cycle in 0..20_000 {
            let around = Surroundings { hint_in: random.u64(..) & random.u64(..) & 0xff, ..inputs(0, 0).around };
            // A write of the policy, T_s or T_w now and then.
            let write = (random.u32(..) & 0xff == 0).then(|| {
                let (offset, values) = random.choice(WRITES).expect("some");
                Write { address: offset / 4, data: *random.choice(*values).expect("some") }
            });
            let seen = MechanismInputs { around, held, ..MechanismInputs::default() };
            let shown = one.outputs(&seen);
            assert_eq!(other.outputs(&seen), shown, "cycle {cycle}");
            // Seldom given, and held until a flit sets out.
            let given = (0..7).fold(!held & 0xff, |given, _| given & random.u64(..));
            let departing = held & shown.ready & random.u64(..);
            let seen = MechanismInputs { given, departing, write, ..seen };
            assert_eq!(one.waking(&seen), other.waking(&seen));
            slept += (!shown.ready & 0xff).count_ones();
            one.clock(&seen);
            other.clock(&seen);
            held = given | held & !departing;
        }
        slept
    }

    /// Byte addresses that are those of POWAR in all, and values.
    const WRITES: &[(u16, &[u32])] = &[(0x40, &[1, 2, 3]), (0x54, &[1, 3, 9]), (0x58, &[1, 4, 9])];

    #[test]
    fn without_a_second_threshold_it_is_wake_hints() {
        let parameters = parameters(|parameters, cycles| {
            parameters.deep_after = cycles(0);
            parameters.hints.ahead.bound = 0.05;
        });
        let hints = parameters.hints.clone();
        let slept = hold_equal(&mut HintsDepths::new(&leaf(parameters)), &mut WakeHints::new(&leaf(hints)));
        assert!(slept > 10_000, "{slept}");
    }

    #[test]
    fn without_hints_and_with_all_that_a_port_may_lose_it_is_depths() {
        let parameters = parameters(|parameters, _| {
            parameters.hints.hints = false;
            (parameters.hints.ahead.bound, parameters.hints.ahead.cap) = (1.0, 1000.0);
        });
        let HintsDepthsParameters { deep_after, t_wake_deep, .. } = parameters;
        let powar = parameters.hints.ahead.powar.clone();
        let depths = DepthsParameters { powar, deep_after, t_wake_deep, ..DepthsParameters::default() };
        let slept = hold_equal(&mut HintsDepths::new(&leaf(parameters)), &mut Depths::new(&leaf(depths)));
        assert!(slept > 10_000, "{slept}");
    }

    #[test]
    fn words_of_all_are_read_and_written() {
        let mut mechanism = HintsDepths::new(&leaf(parameters(|_, _| ())));
        let read = |mechanism: &HintsDepths| -> Vec<u32> {
            MECHANISM.words.iter().map(|word| mechanism.read(word.offset / 4)).collect()
        };
        let before = read(&mechanism);
        assert_eq!((before[0], &before[5..7], &before[10..]), (3, &[3, 4][..], &[655, 35, 3, 7, 20, 0, 0, 0][..]));
        for (place, word) in MECHANISM.words.iter().enumerate() {
            let mut expected = read(&mechanism);
            expected[place] = word.mask();
            let write = Some(Write { address: word.offset / 4, data: u32::MAX });
            mechanism.clock(&MechanismInputs { write, ..inputs(0, 0) });
            assert_eq!(read(&mechanism), expected, "{}", word.name);
        }
        mechanism.reset();
        assert_eq!(read(&mechanism), before);
    }
}
