//! `ahead`: the mechanism, composed of POWAR's and a budget for each port.

use super::{BudgetRegisters, WaitBudget};
use crate::reference::mechanisms::powar::Powar;
use crate::reference::power::PowerMechanism;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::ahead::AheadValues;
use powar_config::{Config, Mechanism, Owner, mechanism};

/// The mechanism; the fields are its children.
#[derive(Clone, Debug)]
pub struct Ahead {
    pub powar: Powar,
    pub registers: BudgetRegisters,
    pub budgets: Vec<WaitBudget>,
}

impl Ahead {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        Ahead::with(config, AheadValues::of(config))
    }

    /// Of the ports of a configuration, with these values of the control registers after reset.
    pub fn with(config: &Config, reset: AheadValues) -> Self {
        Ahead {
            powar: Powar::with(config, reset.powar),
            registers: BudgetRegisters::new(reset),
            budgets: vec![WaitBudget::new(reset.cap); config.ports],
        }
    }

    /// What POWAR sees: a port without enough is in use.
    fn seen<'a>(&self, inputs: &MechanismInputs<'a>) -> MechanismInputs<'a> {
        MechanismInputs { held: inputs.held | WaitBudget::kept_awake(&self.budgets), ..*inputs }
    }
}

impl PowerMechanism for Ahead {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::ahead::MECHANISM
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
        self.budgets.iter_mut().for_each(WaitBudget::reset);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let seen = self.seen(inputs);
        let ready = self.powar.outputs(&seen).ready;
        WaitBudget::clock_all(&mut self.budgets, inputs.held, ready, &self.registers);
        self.powar.clock(&seen);
        self.registers.clock(inputs.write);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

/// The registers that all budgets have in common.
pub(crate) const BUDGET: Owner = Owner::Part("budget");

impl Registers for Ahead {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "powar", [&self.powar]);
        rows.owners(BUDGET, "registers", [&self.registers]);
        rows.child_of(Owner::Port, "budget", &self.budgets);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::Chosen;
    use powar_config::mechanism::ahead::{AheadParameters, MECHANISM};
    use powar_config::units::Nanoseconds;
    use powar_config::{Phase, presets};

    /// Two groups of two ports that sleep after two idle cycles, take 3 cycles to fall asleep and 4 to wake.
    fn ahead(bound: f64, cap: f64) -> Ahead {
        let mut config = presets::by_name("fat-tree-2").expect("a preset");
        let cycles = |count: f64| Nanoseconds(count * config.cycle_ns);
        let mut parameters = AheadParameters { bound, cap, ..AheadParameters::default() };
        (parameters.powar.pdt, parameters.powar.t_sleep, parameters.powar.t_wake) =
            (cycles(2.0), cycles(3.0), cycles(4.0));
        config.mechanism = Chosen(Box::new(parameters));
        config.check().expect("in range");
        Ahead::new(&config)
    }

    /// Gives port 0 to a packet as soon as it sleeps or is on its way, keeps it until a flit has set out, and so on; returned are the cycles lost in so many.
    fn tease(ahead: &mut Ahead, cycles: usize) -> u32 {
        let (mut held, mut lost) = (0, 0);
        for _ in 0..cycles {
            let ready = ahead.outputs(&MechanismInputs { held, ..Default::default() }).ready & 1;
            let (given, departing) = (1 & !held & !ready, held & ready);
            ahead.clock(&MechanismInputs { held, given, departing, ..Default::default() });
            lost += u32::from(held & !ready == 1);
            held = given | held & !departing;
        }
        lost
    }

    #[test]
    fn a_port_that_has_no_budget_left_stays_awake() {
        let mut ahead = ahead(0.01, 4.0);
        // Four times as long as T_s + T_w = 7: a port may sleep with 9 or more.
        assert_eq!((ahead.budgets[0].left, ahead.registers.reserve), (28, 9));
        let lost = tease(&mut ahead, 300);
        assert!((28 - 9..=28 + 3).contains(&lost), "{lost}");
        let later = tease(&mut ahead, 10_000);
        assert!((93..=107).contains(&later), "{later}: what it earns, give or take one sleep");
        assert_eq!(ahead.powar.fsms[1].phase(), Phase::Off, "other ports have lost nothing");
    }

    #[test]
    fn with_a_bound_of_1_it_is_powar() {
        let mut ahead = ahead(1.0, 2.0);
        let mut powar = ahead.powar.clone();
        let mut random = fastrand::Rng::with_seed(1);
        let (mut held, mut slept) = (0u64, 0);
        for _ in 0..20_000 {
            let shown = powar.outputs(&MechanismInputs { held, ..Default::default() });
            assert_eq!(ahead.outputs(&MechanismInputs { held, ..Default::default() }), shown);
            // Seldom given, and held until a flit sets out.
            let given = random.u64(..) & random.u64(..) & random.u64(..) & random.u64(..) & !held & 0b1111;
            let departing = held & shown.ready & random.u64(..);
            let inputs = MechanismInputs { held, given, departing, ..Default::default() };
            slept += shown.ready.count_zeros();
            ahead.clock(&inputs);
            powar.clock(&inputs);
            held = given | held & !departing;
        }
        assert!(slept > 10_000, "{slept}");
    }

    #[test]
    fn words_of_both_are_read() {
        let ahead = ahead(0.5, 4.0);
        let read: Vec<u32> = MECHANISM.words.iter().map(|word| ahead.read(word.offset / 4)).collect();
        assert_eq!((read[0], &read[5..7], &read[10..]), (3, &[3, 4][..], &[1 << 15, 28][..]));
    }
}
