//! `wake_hints`: the mechanism, composed of Ahead's and of what sends, routes and minds the words on the lanes.

use super::hint_choice::ChoiceInputs;
use super::hint_monitor::MonitorInputs;
use super::hint_registers::HintEvents;
use super::{HintChoice, HintMonitor, HintReceiver, HintRegisters, HintSender};
use crate::bits::{is_set, vector};
use crate::reference::mechanisms::ahead::Ahead;
use crate::reference::power::PowerMechanism;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::wake_hints::HintValues;
use powar_config::{Config, Mechanism, Owner, Phase, Sees, mechanism};

/// The mechanism; the fields are its children.
#[derive(Clone, Debug)]
pub struct WakeHints {
    pub ahead: Ahead,
    pub registers: HintRegisters,
    pub receivers: Vec<HintReceiver>,
    pub choice: HintChoice,
    pub senders: Vec<HintSender>,
    pub monitors: Vec<HintMonitor>,
}

impl WakeHints {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let reset = HintValues::of(config);
        WakeHints {
            ahead: Ahead::with(config, reset.ahead),
            registers: HintRegisters::new(config.ports, reset),
            receivers: vec![HintReceiver::new(); config.ports],
            choice: HintChoice::new(config),
            senders: vec![HintSender::new(); config.ports],
            monitors: vec![HintMonitor::new(); config.ports],
        }
    }

    /// What Ahead sees: a port that a hint has chosen is given.
    fn seen<'a>(&self, inputs: &MechanismInputs<'a>) -> MechanismInputs<'a> {
        MechanismInputs { given: inputs.given | self.choice.wake, ..*inputs }
    }

    /// Ports whose lanes count.
    fn listens(&self, neighbour_phase: &[u64]) -> u64 {
        let sends = |phase: u64| phase == Phase::On as u64 || phase == Phase::Draining as u64;
        let HintRegisters { hints, sideband, .. } = self.registers;
        vector(neighbour_phase, |_, &phase| hints && (sideband || sends(phase)))
    }

    /// Ports with a lane to send on, when ports are in these phases.
    fn sends(&self, phases: &[u8]) -> u64 {
        let HintRegisters { hints, sideband, .. } = self.registers;
        vector(phases, |_, &phase| hints && (sideband || phase == Phase::On as u8))
    }

    /// Ports at which a hint waits, and row p: the packed address of that at port p.
    fn received(&self) -> (u64, Vec<u64>) {
        let destinations = self.receivers.iter().map(|receiver| receiver.destination.into());
        (vector(&self.receivers, |_, receiver| receiver.waiting), destinations.collect())
    }

    /// Ports that hints have woken and nobody has used since.
    fn foreseen(&self) -> u64 {
        vector(&self.monitors, |_, monitor| monitor.foreseen)
    }
}

impl PowerMechanism for WakeHints {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::wake_hints::MECHANISM
    }

    fn sees(&self) -> Sees {
        self.choice.sees()
    }

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        let of_ahead = self.ahead.outputs(&self.seen(inputs));
        let sends = self.sends(&of_ahead.phase);
        let (waiting, destination) = self.received();
        MechanismOutputs {
            preferred: of_ahead.preferred | self.foreseen(),
            hint: vector(&self.senders, |port, sender| sender.hint(is_set(sends, port))),
            lookup: self.choice.lookup(waiting, &destination),
            ..of_ahead
        }
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        self.ahead.waking(&self.seen(inputs))
    }

    fn read(&self, address: u16) -> u32 {
        self.ahead.read(address) | self.registers.read(address)
    }

    fn reset(&mut self) {
        self.ahead.reset();
        self.registers.reset();
        self.receivers.iter_mut().for_each(HintReceiver::reset);
        self.choice.reset();
        self.senders.iter_mut().for_each(HintSender::reset);
        self.monitors.iter_mut().for_each(HintMonitor::reset);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let (seen, around) = (self.seen(inputs), &inputs.around);
        let of_ahead = self.ahead.outputs(&seen);
        let (wake, address) = (self.choice.wake, self.choice.address);
        let (listens, sends) = (self.listens(around.neighbour_phase), self.sends(&of_ahead.phase));
        let (waiting, destination) = self.received();
        let take = self.choice.take(waiting);
        let preferred = of_ahead.preferred | self.foreseen();
        let of_lane = |port| (is_set(around.hint_in, port), is_set(listens, port), is_set(take, port));
        let monitored = |port| MonitorInputs {
            wake: is_set(wake, port),
            given: is_set(inputs.given, port),
            phase: of_ahead.phase[port],
        };
        let events = HintEvents {
            broken: vector(&self.receivers, |port, receiver| {
                let (hint_in, listens, take) = of_lane(port);
                receiver.dropped(hint_in, listens, take)
            }),
            refused: vector(&self.senders, |port, sender| sender.dropped(is_set(wake, port), is_set(sends, port))),
            woke: vector(&self.monitors, |port, monitor| monitor.woke(&monitored(port))),
            unused: vector(&self.monitors, |port, monitor| monitor.unused(&monitored(port))),
        };
        self.choice.clock(&ChoiceInputs {
            position: around.position,
            stage: around.stage,
            waiting,
            destination: &destination,
            grantable: of_ahead.grantable,
            preferred,
            serves: of_ahead.serves,
            lookup_row: around.lookup_row,
        });

        for (port, receiver) in self.receivers.iter_mut().enumerate() {
            let (hint_in, listens, take) = of_lane(port);
            receiver.clock(hint_in, listens, take);
        }
        for (port, sender) in self.senders.iter_mut().enumerate() {
            sender.clock(is_set(wake, port), address, is_set(sends, port));
        }
        for (port, monitor) in self.monitors.iter_mut().enumerate() {
            monitor.clock(&monitored(port));
        }
        self.registers.clock(inputs.write, &events);
        self.ahead.clock(&seen);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

/// The registers that all lanes have in common.
const HINTS: Owner = Owner::Part("hints");

impl Registers for WakeHints {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "ahead", [&self.ahead]);
        rows.owners(HINTS, "registers", [&self.registers]);
        rows.child_of(Owner::Port, "receiver", &self.receivers);
        rows.child_of(HINTS, "choice", [&self.choice]);
        rows.child_of(Owner::Port, "sender", &self.senders);
        rows.child_of(Owner::Port, "monitor", &self.monitors);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::power::Surroundings;
    use crate::reference::power::mechanism::Write;
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
            assert_eq!(mechanism.foreseen(), port);
            assert_eq!(mechanism.outputs(&inputs(0, &ON)).preferred & port, port);
            assert_eq!([0x74, 0x78, 0x7C].map(|word| mechanism.read(word / 4)), [0, 1, 0]);
            // Nobody comes.
            rest(&mut mechanism);
            assert_eq!((mechanism.foreseen(), mechanism.read(0x7C / 4)), (0, 1));
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
