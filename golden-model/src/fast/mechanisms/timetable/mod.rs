//! Timetable, event-driven: it counts nothing, but knows since when the time that is under way runs.

use super::{Entry, EventMechanism};
use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::timetable::ControlRegisters;
use crate::reference::power::mechanism::Write;
use powar_config::mechanism::timetable::{MECHANISM, TimetableValues};
use powar_config::{Config, Mechanism, Phase};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("timetable", |config| Box::new(Timetable::new(config)));

/// The mechanism; vectors have one bit a port.
#[derive(Clone, Debug)]
struct Timetable {
    every: u64,
    registers: ControlRegisters,
    on: bool,
    /// The cycle in which `count` was 0.
    since: u64,
    /// The register `opened` as it was in a cycle since which ports have been open or closed as they are now.
    opened: (u64, u8),
    asleep: u64,
}

impl Timetable {
    fn new(config: &Config) -> Timetable {
        let registers = ControlRegisters::new(TimetableValues::of(config));
        Timetable { every: low_bits(config.ports), registers, on: true, since: 0, opened: (0, 0b11), asleep: 0 }
    }

    fn open(&self) -> bool {
        self.on || self.registers.values.policy == 0
    }

    /// The last cycle of the time that is under way; an earlier one if the time has just been set shorter.
    fn last(&self) -> u64 {
        let values = &self.registers.values;
        self.since + u64::from(if self.on { values.on_time } else { values.off_time }.max(1)) - 1
    }

    /// The register `opened` in cycle `now`: whether ports were open in the two cycles before.
    fn opened(&self, now: u64) -> u8 {
        let (since, then) = self.opened;
        (since..now).take(2).fold(then, |opened, _| opened << 1 & 0b10 | u8::from(self.open()))
    }

    fn next_asleep(&self, now: u64, seen: &Seen) -> u64 {
        let in_use = seen.held | seen.given | seen.departing;
        match (self.open(), self.opened(now)) {
            (true, _) => 0,
            (false, 0) => self.every & (self.asleep | !in_use),
            (false, _) => self.asleep,
        }
    }

    /// Whether ports have been open or closed for so long that `opened` says the same.
    fn is_steady(&self, now: u64) -> bool {
        self.opened(now) == if self.open() { 0b11 } else { 0 }
    }

    /// What follows from the registers, from cycle `from` on.
    fn show(&self, from: u64, shown: &mut Shown) {
        let (open, every) = (self.open(), self.every);
        shown.grantable = if open { every } else { 0 };
        shown.serves = shown.grantable;
        shown.ready = if open { every } else { every & !self.asleep };
        shown.steady = shown.ready;
        for port in ones(every) {
            let phase = match is_set(shown.ready, port) {
                true if open => Phase::On,
                true => Phase::Draining,
                false => Phase::Off,
            };
            if shown.phase(port) != phase {
                let pair = MECHANISM.residency.iter().position(|pair| pair.phase == phase);
                shown.enter(port, pair.expect("a phase of the mechanism"), from);
            }
        }
    }
}

impl EventMechanism for Timetable {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        (self.on, self.since, self.opened, self.asleep) = (true, now, (now, 0b11), 0);
        shown.preferred = self.every;
        self.show(now, shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let (asleep, is_last) = (self.next_asleep(now, seen), now >= self.last());
        if asleep != self.asleep || is_last {
            self.asleep = asleep;
            if is_last {
                self.opened = (now + 1, self.opened(now + 1));
                (self.on, self.since) = (!self.on, now + 1);
            }
            self.show(now + 1, shown);
            return 0;
        }
        if self.is_steady(now) { self.last() } else { 0 }
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let is_settled = self.is_steady(now) && self.next_asleep(now, seen) == self.asleep;
        if is_settled { self.last().max(now) } else { now }
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        self.opened = (next, self.opened(next));
        self.registers.clock(Some(write));
        self.show(next, shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    /// No port that is held is ever not ready, but a packet may wait for a port that is closed.
    fn longest_wait(&self) -> u64 {
        self.registers.values.off_time.into()
    }

    fn keeps_ready(&self) -> bool {
        true
    }

    fn regards_ports_alone(&self) -> bool {
        true
    }

    fn observe(&mut self, now: u64, _: &Seen, frame: &mut Frame) {
        frame.put_words(&self.registers.values);
        frame.put([now - self.since, self.on.into(), self.opened(now).into(), self.asleep]);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
