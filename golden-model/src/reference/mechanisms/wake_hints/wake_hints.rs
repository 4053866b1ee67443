//! `wake_hints`: the mechanism, composed of Ahead's and of what sends, routes and minds the words on the lanes.

use super::Lanes;
use crate::reference::mechanisms::ahead::Ahead;
use crate::reference::power::PowerMechanism;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::wake_hints::HintValues;
use powar_config::{Config, Mechanism, Owner, Sees, mechanism};

/// The mechanism; the fields are its children.
#[derive(Clone, Debug)]
pub struct WakeHints {
    pub ahead: Ahead,
    pub lanes: Lanes,
}

impl WakeHints {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let reset = HintValues::of(config);
        WakeHints { ahead: Ahead::with(config, reset.ahead), lanes: Lanes::new(config, reset) }
    }
}

impl PowerMechanism for WakeHints {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::wake_hints::MECHANISM
    }

    fn sees(&self) -> Sees {
        self.lanes.sees()
    }

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        self.lanes.shown(self.ahead.outputs(&self.lanes.seen(inputs)))
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        self.ahead.waking(&self.lanes.seen(inputs))
    }

    fn read(&self, address: u16) -> u32 {
        self.ahead.read(address) | self.lanes.registers.read(address)
    }

    fn reset(&mut self) {
        self.ahead.reset();
        self.lanes.reset();
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // Both see what the other shows before the edge.
        let seen = self.lanes.seen(inputs);
        self.lanes.clock(inputs, &self.ahead.outputs(&seen));
        self.ahead.clock(&seen);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for WakeHints {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "ahead", [&self.ahead]);
        self.lanes.list("registers", rows);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::vector;
    use crate::reference::power::Surroundings;
    use crate::reference::power::mechanism::Write;
    use powar_config::Phase;
    use powar_config::mechanism::Chosen;
    use powar_config::mechanism::wake_hints::{MECHANISM, WakeHintsParameters};
    use powar_config::units::Nanoseconds;

    const PORTS: usize = 8;
    const ON: [u64; PORTS] = [Phase::On as u64; PORTS];
    const OFF: [u64; PORTS] = [Phase::Off as u64; PORTS];

    /// A leaf switch of a 4-ary 2-tree, whose ports sleep after 60 idle cycles, take 3 to fall asleep and 4 to wake.
    fn wake_hints(change: impl Fn(&mut WakeHintsParameters)) -> WakeHints {
        let mut config = Config::of_network("4-ary-2-tree").expect("a network");
        let cycles = |count: f64| Nanoseconds(count * config.cycle_ns);
        let mut parameters = WakeHintsParameters::default();
        let powar = &mut parameters.ahead.powar;
        (powar.pdt, powar.t_sleep, powar.t_wake) = (cycles(60.0), cycles(3.0), cycles(4.0));
        parameters.ahead.bound = 1.0;
        change(&mut parameters);
        config.mechanism = Chosen(Box::new(parameters));
        config.check().expect("in range");
        WakeHints::new(&config)
    }

    fn inputs(hint_in: u64, neighbour_phase: &[u64]) -> MechanismInputs<'_> {
        let around = Surroundings { hint_in, neighbour_phase, ..Surroundings::default() };
        MechanismInputs { around, ..MechanismInputs::default() }
    }

    /// Lets all ports fall asleep.
    fn rest(mechanism: &mut WakeHints) {
        (0..600).for_each(|_| mechanism.clock(&inputs(0, &ON)));
        assert!(mechanism.outputs(&inputs(0, &ON)).phase.iter().all(|&phase| phase == Phase::Off as u8));
    }

    /// A cycle, and ports in it.
    type At = (u64, u64);

    /// A word comes in at port 0, its start bit in cycle 0: when which ports come on, and when the first start bit is on the lane of which port.
    fn send(mechanism: &mut WakeHints, address: u16, phases: &[u64]) -> (Vec<At>, Option<At>) {
        let word = 1 | u64::from(address) << 1 | u64::from(address.count_ones() & 1) << 17;
        let (mut coming, mut sent, mut before) = (vec![], None, 0);
        for cycle in 0..60 {
            let seen = inputs(if cycle < 18 { word >> cycle & 1 } else { 0 }, phases);
            let shown = mechanism.outputs(&seen);
            let on = vector(&shown.phase, |_, &phase| phase == Phase::ComingOn as u8);
            coming.extend((on & !before != 0).then_some((cycle, on & !before)));
            before = on;
            sent = sent.or((shown.hint != 0).then_some((cycle, shown.hint)));
            mechanism.clock(&seen);
        }
        (coming, sent)
    }

    #[test]
    fn a_hint_wakes_the_port_of_its_packet_in_the_cycles_of_the_page() {
        // Down to node 2 of this switch, and up.
        for (address, port) in [(0b0010, 1 << 2), (0b0110, 1 << 4)] {
            let mut mechanism = wake_hints(|_| ());
            rest(&mut mechanism);
            let (coming, sent) = send(&mut mechanism, address, &OFF);
            assert_eq!((coming, sent), (vec![(22, port)], Some((22, port))));
            assert_eq!(mechanism.lanes.foreseen(), port);
            assert_eq!(mechanism.outputs(&inputs(0, &ON)).preferred & port, port);
            assert_eq!([0x74, 0x78, 0x7C].map(|word| mechanism.read(word / 4)), [0, 1, 0]);
            // Nobody comes.
            rest(&mut mechanism);
            assert_eq!((mechanism.lanes.foreseen(), mechanism.read(0x7C / 4)), (0, 1));
        }
    }

    #[test]
    fn without_a_sideband_words_go_over_links_that_are_awake() {
        let mut mechanism = wake_hints(|parameters| parameters.sideband = false);
        rest(&mut mechanism);
        assert_eq!(send(&mut mechanism, 0b0010, &OFF), (vec![], None));
        // The port that it wakes is not awake yet.
        assert_eq!(send(&mut mechanism, 0b0010, &ON), (vec![(22, 1 << 2)], None));
        assert_eq!(mechanism.read(0x74 / 4), 1);
        mechanism.clock(&MechanismInputs { given: 1 << 2, ..inputs(0, &ON) });
        assert_eq!(send(&mut mechanism, 0b0010, &ON).1, Some((22, 1 << 2)));
    }

    #[test]
    fn without_hints_it_is_ahead() {
        let mut mechanism = wake_hints(|parameters| {
            parameters.hints = false;
            parameters.ahead.bound = 0.05;
        });
        let mut ahead = mechanism.ahead.clone();
        let mut random = fastrand::Rng::with_seed(1);
        let (mut held, mut slept) = (0u64, 0);
        for _ in 0..20_000 {
            let seen = MechanismInputs { held, ..inputs(random.u64(..) & 0xff, &ON) };
            let shown = ahead.outputs(&seen);
            assert_eq!(mechanism.outputs(&seen), shown);
            // Seldom given, and held until a flit sets out.
            let given = (0..7).fold(!held & 0xff, |given, _| given & random.u64(..));
            let departing = held & shown.ready & random.u64(..);
            let seen = MechanismInputs { given, departing, ..seen };
            assert_eq!(mechanism.waking(&seen), ahead.waking(&seen));
            slept += (!shown.ready & 0xff).count_ones();
            mechanism.clock(&seen);
            ahead.clock(&seen);
            held = given | held & !departing;
        }
        assert!(slept > 10_000, "{slept}");
        mechanism.clock(&MechanismInputs { write: Some(Write { address: 0x70 / 4, data: 3 }), ..inputs(0, &ON) });
        rest(&mut mechanism);
        assert_eq!(send(&mut mechanism, 1, &ON).0, [(22, 1 << 1)], "software has allowed it");
    }

    #[test]
    fn words_of_both_are_read() {
        let mechanism = wake_hints(|_| ());
        let read: Vec<u32> = MECHANISM.words.iter().map(|word| mechanism.read(word.offset / 4)).collect();
        assert_eq!((read[0], &read[5..7], &read[10..]), (3, &[3, 4][..], &[1 << 16, 28, 3, 0, 0, 0][..]));
    }
}
