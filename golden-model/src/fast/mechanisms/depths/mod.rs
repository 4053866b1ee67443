//! Depths, event-driven: POWAR's model, which shows its phases to this one alone, and depths that are not counted but
//! worked out.

pub(super) mod port_depths;
pub(super) mod two_depths;

use super::{Entry, EventMechanism};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::depths::DepthRegisters;
use crate::reference::power::mechanism::Write;
use port_depths::Depth;
use powar_config::mechanism::depths::{DepthsValues, MECHANISM};
use powar_config::{Config, Mechanism};
use two_depths::TwoDepths;

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("depths", |config| Box::new(Depths::new(config)));

/// The mechanism.
#[derive(Clone, Debug)]
struct Depths {
    ports: TwoDepths,
    registers: DepthRegisters,
}

impl Depths {
    fn new(config: &Config) -> Depths {
        let reset = DepthsValues::of(config);
        Depths { ports: TwoDepths::new(config, reset.powar), registers: DepthRegisters::new(reset) }
    }

    #[inline]
    fn depth(&self) -> Depth {
        let DepthsValues { deep_after, t_wake_deep, .. } = self.registers.values;
        Depth { deep_after, t_wake_deep, allowed: u64::MAX }
    }
}

impl EventMechanism for Depths {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.ports.reset(now, shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let next = self.ports.clock(now, seen, &self.depth(), shown);
        // A port that is deep is in use to POWAR.
        self.ports.powar.kept_awake = self.ports.deep();
        next
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        self.ports.next_event(now, seen)
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        self.registers.clock(Some(write));
        self.ports.write(next, write, &self.depth(), shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.ports.powar.read(address) | self.registers.read(address)
    }

    fn longest_wait(&self) -> u64 {
        self.ports.longest_wait(self.registers.values.t_wake_deep)
    }

    fn keeps_ready(&self) -> bool {
        self.ports.powar.keeps_ready()
    }

    fn regards_ports_alone(&self) -> bool {
        self.ports.powar.regards_ports_alone()
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.ports.powar.observe(now, seen, frame);
        frame.put([self.registers.values.deep_after.into(), self.registers.values.t_wake_deep.into()]);
        self.ports.observe_depths(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
