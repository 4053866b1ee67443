//! PerfBound, event-driven: POWAR's model, and thresholds of ports whose gaps are not counted but worked out.

mod gaps;
mod thresholds;
mod windows;

use super::powar::Powar;
use super::{Entry, EventMechanism};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::perf_bound::BoundRegisters;
use crate::reference::power::mechanism::Write;
use powar_config::mechanism::perf_bound::{MECHANISM, PerfBoundValues};
use powar_config::{Config, Mechanism};
use thresholds::Thresholds;
use windows::Windows;

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("perf_bound", |config| Box::new(PerfBound::new(config)));

/// The mechanism.
#[derive(Clone, Debug)]
struct PerfBound {
    ports: usize,
    powar: Powar,
    registers: BoundRegisters,
    windows: Windows,
    thresholds: Thresholds,
}

impl PerfBound {
    fn new(config: &Config) -> PerfBound {
        let (ports, reset) = (config.ports, PerfBoundValues::of(config));
        PerfBound {
            ports,
            powar: Powar::with(config, reset.powar),
            registers: BoundRegisters::new(reset),
            windows: Windows::new(0, reset.period),
            thresholds: Thresholds::new(ports, 0),
        }
    }
}

impl EventMechanism for PerfBound {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.powar.reset(now, shown);
        self.registers.reset();
        self.windows = Windows::new(now, self.registers.values.period);
        self.thresholds = Thresholds::new(self.ports, now);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        self.thresholds.note(now, seen.held | seen.departing | seen.given);
        self.powar.kept_awake = self.thresholds.kept_awake();
        let next = self.powar.clock(now, seen, shown);
        let is_quiet = self.windows.is_quiet(now);
        if let Some(place) = self.windows.looked_at(now) {
            self.thresholds.look(now, place, self.registers.values.allowed);
        }
        self.windows.clock(now, self.registers.values.period);
        // A port that is given is in use in this cycle whether or not a packet holds it in the next.
        if !is_quiet || seen.given & !(seen.held | seen.departing) != 0 {
            return 0;
        }
        next.min(self.thresholds.next_event()).min(self.windows.next_event(now + 1))
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        if !self.thresholds.are_used_by(seen.held | seen.departing) {
            return now;
        }
        let own = self.thresholds.next_event().min(self.windows.next_event(now));
        self.powar.next_event(now, seen).min(own.max(now))
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        self.powar.write(next, write, shown);
        self.registers.clock(Some(write));
        self.windows.plan_anew(next, self.registers.values.period);
    }

    fn read(&self, address: u16) -> u32 {
        self.powar.read(address) | self.registers.read(address)
    }

    fn longest_wait(&self) -> u64 {
        self.powar.longest_wait()
    }

    fn keeps_ready(&self) -> bool {
        self.powar.keeps_ready()
    }

    /// Windows of all ports end together.
    fn regards_ports_alone(&self) -> bool {
        self.powar.regards_ports_alone()
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.powar.observe(now, seen, frame);
        frame.put([self.registers.values.allowed.into(), self.registers.values.period.into()]);
        self.windows.observe(now, frame);
        self.thresholds.observe(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
