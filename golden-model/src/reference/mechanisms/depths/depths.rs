//! `depths`: the mechanism, composed of POWAR's and a depth for each port.

use super::{DepthRegisters, SleepDepth};
use crate::reference::mechanisms::powar::Powar;
use crate::reference::power::PowerMechanism;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::depths::DepthsValues;
use powar_config::{Config, Mechanism, Owner, mechanism};

/// The mechanism; the fields are its children.
#[derive(Clone, Debug)]
pub struct Depths {
    pub powar: Powar,
    pub registers: DepthRegisters,
    pub depths: Vec<SleepDepth>,
}

impl Depths {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let reset = DepthsValues::of(config);
        Depths {
            powar: Powar::with(config, reset.powar),
            registers: DepthRegisters::new(reset),
            depths: vec![SleepDepth::new(); config.ports],
        }
    }

    /// What POWAR sees: a port that is deep is in use, which its FSM looks at once it has woken it.
    fn seen<'a>(&self, inputs: &MechanismInputs<'a>) -> MechanismInputs<'a> {
        MechanismInputs { held: inputs.held | SleepDepth::deep(&self.depths), ..*inputs }
    }
}

impl PowerMechanism for Depths {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::depths::MECHANISM
    }

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        SleepDepth::shown(&self.depths, self.powar.outputs(&self.seen(inputs)))
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
        self.depths.iter_mut().for_each(SleepDepth::reset);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let seen = self.seen(inputs);
        let DepthsValues { deep_after, t_wake_deep, .. } = self.registers.values;
        SleepDepth::clock_all(&mut self.depths, &self.powar.outputs(&seen), |_| deep_after, t_wake_deep);
        self.powar.clock(&seen);
        self.registers.clock(inputs.write);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

/// The registers that the depths of all ports have in common.
pub(crate) const DEPTH: Owner = Owner::Part("depth");

impl Registers for Depths {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "powar", [&self.powar]);
        rows.owners(DEPTH, "registers", [&self.registers]);
        rows.child_of(Owner::Port, "depth", &self.depths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::Chosen;
    use powar_config::mechanism::depths::{DepthsParameters, MECHANISM};
    use powar_config::units::Nanoseconds;
    use powar_config::{Phase, presets};

    /// Two groups of two ports that sleep after two idle cycles, take 3 cycles to fall asleep, and 4 and 9 to wake.
    fn depths(deep_after: f64) -> Depths {
        let mut config = presets::by_name("fat-tree-2").expect("a preset");
        let cycles = |count: f64| Nanoseconds(count * config.cycle_ns);
        let (deep_after, t_wake_deep) = (cycles(deep_after), cycles(9.0));
        let mut parameters = DepthsParameters { deep_after, t_wake_deep, ..DepthsParameters::default() };
        (parameters.powar.pdt, parameters.powar.t_sleep, parameters.powar.t_wake) =
            (cycles(2.0), cycles(3.0), cycles(4.0));
        config.mechanism = Chosen(Box::new(parameters));
        config.check().expect("in range");
        Depths::new(&config)
    }

    /// A cycle in which these ports are held and given; returned are phase and level of port 0.
    fn step(depths: &mut Depths, held: u64, given: u64) -> (Phase, u8) {
        let inputs = MechanismInputs { held, given, ..Default::default() };
        let shown = depths.outputs(&inputs);
        depths.clock(&inputs);
        (Phase::by_code(shown.phase[0]).expect("a phase"), shown.level[0])
    }

    /// The cycles from one in which port 0 is given away until it may send.
    fn wait(depths: &mut Depths) -> usize {
        step(depths, 0, 1);
        let mut waited = 0;
        while depths.outputs(&MechanismInputs { held: 1, ..Default::default() }).ready & 1 == 0 {
            assert_eq!(step(depths, 1, 0), (Phase::ComingOn, 0));
            waited += 1;
        }
        waited
    }

    #[test]
    fn what_a_packet_waits_depends_on_how_long_the_port_has_slept() {
        // 2 idle cycles and 3 to fall asleep: `Off` begins with the sixth cycle. The one in which the port is given
        // away counts.
        for (idle, level, waited) in [(6, 0, 4), (10, 0, 4), (11, 0, 9), (13, 1, 9)] {
            let mut depths = depths(7.0);
            let last = (0..idle).map(|_| step(&mut depths, 0, 0)).last();
            assert_eq!(last, Some((Phase::Off, level)), "{idle}");
            assert_eq!(wait(&mut depths), waited, "{idle}");
        }
    }

    #[test]
    fn a_port_that_is_held_back_does_not_fall_asleep_and_its_threshold_begins_behind() {
        let mut depths = depths(7.0);
        for _ in 0..20 {
            step(&mut depths, 0, 0);
        }
        // Nobody holds it: a policy that forbids sleep wakes it, and is gone before it is awake.
        depths.powar.registers.values.policy = 0;
        step(&mut depths, 0, 0);
        depths.powar.registers.values.policy = 3;
        let phases: Vec<Phase> = (0..12).map(|_| step(&mut depths, 0, 0).0).collect();
        assert_eq!(phases[..9], [Phase::ComingOn; 9]);
        assert_eq!(phases[9..], [Phase::On, Phase::On, Phase::GoingOff]);
    }

    #[test]
    fn without_a_second_threshold_it_is_powar() {
        let mut depths = depths(0.0);
        let mut powar = depths.powar.clone();
        let mut random = fastrand::Rng::with_seed(1);
        let (mut held, mut slept) = (0u64, 0);
        for _ in 0..20_000 {
            let shown = powar.outputs(&MechanismInputs { held, ..Default::default() });
            assert_eq!(depths.outputs(&MechanismInputs { held, ..Default::default() }), shown);
            // Seldom given, and held until a flit sets out.
            let given = random.u64(..) & random.u64(..) & random.u64(..) & random.u64(..) & !held & 0b1111;
            let departing = held & shown.ready & random.u64(..);
            let inputs = MechanismInputs { held, given, departing, ..Default::default() };
            assert_eq!(depths.waking(&inputs), powar.waking(&inputs));
            slept += shown.ready.count_zeros();
            depths.clock(&inputs);
            powar.clock(&inputs);
            held = given | held & !departing;
        }
        assert!(slept > 10_000, "{slept}");
    }

    #[test]
    fn words_of_both_are_read() {
        let depths = depths(7.0);
        let read: Vec<u32> = MECHANISM.words.iter().map(|word| depths.read(word.offset / 4)).collect();
        assert_eq!((read[0], &read[5..7], &read[10..]), (3, &[3, 4][..], &[7, 9][..]));
    }
}
