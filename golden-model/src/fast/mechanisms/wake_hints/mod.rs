//! Wake hints, event-driven: Ahead's model, or another's, lanes that are looked at when a bit changes and where words
//! begin and end, and a choice that is clocked while a hint is under way in it.

mod receivers;
mod senders;

use super::ahead::Ahead;
use super::{Entry, EventMechanism};
use crate::bits::{is_set, low_bits};
use crate::fast::frame::Frame;
use crate::fast::power::{Planes, Seen, Shown};
use crate::reference::mechanisms::wake_hints::hint_choice::ChoiceInputs;
use crate::reference::mechanisms::wake_hints::hint_registers::HintEvents;
use crate::reference::mechanisms::wake_hints::{HintChoice, HintRegisters};
use crate::reference::power::mechanism::Write;
use powar_config::mechanism::wake_hints::HintValues;
use powar_config::{Config, Mechanism, Phase, Sees};
use receivers::Receivers;
use senders::Senders;

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("wake_hints", |config| {
    let reset = HintValues::of(config);
    Box::new(WakeHints::around(Ahead::with(config, reset.ahead), config, reset))
});

/// A mechanism that lets ports sleep, inside of one with hints.
pub(super) trait Woken: EventMechanism + Clone + 'static {
    /// In the cycle that is clocked next hints wake these ports, and no others.
    fn wake(&mut self, ports: u64);
}

impl Woken for Ahead {
    fn wake(&mut self, ports: u64) {
        self.powar.woken = ports;
    }
}

/// The mechanism, around another; vectors have one bit a port.
#[derive(Clone, Debug)]
pub(super) struct WakeHints<M> {
    ports: usize,
    entry: &'static Mechanism,
    inner: M,
    registers: HintRegisters,
    receivers: Receivers,
    choice: HintChoice,
    senders: Senders,
    /// Ports that a hint has woken and no packet has been given since.
    foreseen: u64,
    /// Ports that are `On`, in the cycle under way and in the one before.
    on: u64,
    awake: u64,
    /// What the inner mechanism prefers.
    preferred: u64,
}

/// Ports in a phase.
#[inline]
fn within(phases: &Planes, phase: Phase, every: u64) -> u64 {
    let code = phase as u64;
    let is = |place: usize| if is_set(code, place) { phases.0[place] } else { !phases.0[place] };
    is(0) & is(1) & is(2) & every
}

impl<M: Woken> WakeHints<M> {
    /// That of a configuration around this one, with these values of its control registers after reset.
    pub fn around(inner: M, config: &Config, reset: HintValues) -> Self {
        let ports = config.ports;
        WakeHints {
            ports,
            entry: config.mechanism(),
            inner,
            registers: HintRegisters::new(ports, config.mechanism(), reset),
            receivers: Receivers::new(ports, 0),
            choice: HintChoice::new(config),
            senders: Senders::new(ports, 0, 0),
            foreseen: 0,
            on: low_bits(ports),
            awake: low_bits(ports),
            preferred: 0,
        }
    }

    /// What is on the lanes, and which of them count.
    #[inline]
    fn lanes(&self, seen: &Seen) -> (u64, u64) {
        let (every, neighbours) = (low_bits(self.ports), &seen.around.neighbours);
        let HintRegisters { hints, sideband, .. } = self.registers;
        let sending = || {
            let is = |phase| within(&neighbours.phase, phase, every);
            is(Phase::On) | is(Phase::Draining)
        };
        let listens = match (hints, sideband) {
            (false, _) => 0,
            (true, true) => every,
            (true, false) => sending(),
        };
        (neighbours.hint & every, listens)
    }

    /// Ports with a lane to send on in the cycle under way.
    #[inline]
    fn sends(&self) -> u64 {
        let HintRegisters { hints, sideband, .. } = self.registers;
        match (hints, sideband) {
            (false, _) => 0,
            (true, true) => low_bits(self.ports),
            (true, false) => self.on,
        }
    }

    /// What follows from what the inner mechanism has shown: it is in `shown`.
    #[inline]
    fn show(&mut self, next: u64, pushed: u64, shown: &mut Shown) {
        self.preferred = shown.preferred;
        shown.preferred |= self.foreseen;
        self.on = within(&shown.sideband.phase, Phase::On, shown.every());
        let sends = self.sends();
        self.senders.show(next, pushed, sends, shown);
    }
}

impl<M: Woken> EventMechanism for WakeHints<M> {
    fn entry(&self) -> &'static Mechanism {
        self.entry
    }

    fn sees(&self) -> Sees {
        self.choice.sees()
    }

    fn lookup(&self) -> Option<u16> {
        self.choice.lookup(self.receivers.waiting(), self.receivers.destinations())
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.receivers = Receivers::new(self.ports, now);
        self.choice.reset();
        self.senders = Senders::new(self.ports, now, 0);
        (self.foreseen, self.awake) = (0, low_bits(self.ports));
        self.inner.reset(now, shown);
        self.show(now, 0, shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let (hint_in, listens) = self.lanes(seen);
        let (wake, address) = (self.choice.wake, self.choice.address);
        let phase = |phase| within(&shown.sideband.phase, phase, shown.every());
        let going_off = phase(Phase::GoingOff);
        let unused = self.foreseen & self.awake & going_off;
        let asleep = going_off | phase(Phase::Off) | phase(Phase::Refreshing);
        let woke = wake & asleep & (!self.foreseen | unused);
        let waiting = self.receivers.waiting();
        let take = self.choice.take(waiting);
        if waiting != 0 || !self.choice.is_idle() {
            self.choice.clock(&ChoiceInputs {
                position: seen.around.position,
                stage: seen.around.stage,
                waiting,
                destination: self.receivers.destinations(),
                grantable: shown.grantable,
                preferred: shown.preferred,
                serves: shown.serves,
                lookup_row: &seen.around.lookup_row,
            });
        }
        let broken = self.receivers.clock(now, hint_in, listens, take);
        let refused = self.senders.clock(now, wake, address);
        self.registers.clock(None, &HintEvents { broken, refused, woke, unused });
        self.awake = self.on;
        self.foreseen = !seen.given & (woke | self.foreseen & !unused);

        // The inner mechanism is not to see what was added to what it shows.
        shown.preferred = self.preferred;
        self.inner.wake(wake);
        self.inner.clock(now, seen, shown);
        self.show(now + 1, wake, shown);
        // It looks at lanes, too.
        0
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let HintRegisters { lost, begun, idle, .. } = self.registers;
        if !self.choice.is_idle() || (lost, begun, idle) != (0, 0, 0) || self.awake != self.on {
            return now;
        }
        let (hint_in, listens) = self.lanes(seen);
        let lanes = self.receivers.next_event(now, hint_in, listens).min(self.senders.next_event(now));
        lanes.min(self.inner.next_event(now, seen))
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        shown.preferred = self.preferred;
        self.inner.write(next, write, shown);
        self.registers.write(write);
        self.show(next, 0, shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.inner.read(address) | self.registers.read(address)
    }

    fn events(&self) -> Vec<(&'static str, u64)> {
        let HintRegisters { hints_dropped, hints_woke, hints_unused, .. } = self.registers;
        let counted = [("hints_dropped", hints_dropped), ("hints_woke", hints_woke), ("hints_unused", hints_unused)];
        counted.map(|(name, count)| (name, count.into())).to_vec()
    }

    fn longest_wait(&self) -> u64 {
        self.inner.longest_wait()
    }

    fn keeps_ready(&self) -> bool {
        self.inner.keeps_ready()
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.inner.observe(now, seen, frame);
        let HintRegisters { hints, sideband, hints_dropped, hints_woke, hints_unused, lost, begun, idle, .. } =
            self.registers;
        frame.put([hints.into(), sideband.into(), hints_dropped.into(), hints_woke.into(), hints_unused.into()]);
        frame.put([lost, begun, idle].map(u64::from));
        self.receivers.observe(now, frame);
        let choice = &self.choice;
        frame.put([choice.wake, choice.address.into(), choice.taken_address.into(), choice.taken_port.into()]);
        frame.put([choice.taken.into(), choice.adaptive, choice.deterministic, choice.routed_address.into()]);
        frame.put([choice.turn.pointer]);
        self.senders.observe(now, frame);
        frame.fill(self.ports, |port| is_set(self.foreseen, port).into());
        frame.fill(self.ports, |port| is_set(self.awake, port).into());
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
