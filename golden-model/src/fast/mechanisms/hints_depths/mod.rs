//! Hints and depths, event-driven: Wake hints' model around ports with two depths of sleep and a budget for each.

use super::ahead::budgets::Budgets;
use super::depths::port_depths::Depth;
use super::depths::two_depths::TwoDepths;
use super::wake_hints::{WakeHints, Woken};
use super::{Entry, EventMechanism};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::ahead::BudgetRegisters;
use crate::reference::mechanisms::hints_depths::deep_reserve::ReserveInputs;
use crate::reference::mechanisms::hints_depths::{DeepRegisters, DeepReserve};
use crate::reference::power::mechanism::Write;
use powar_config::mechanism::hints_depths::{HintsDepthsValues, MECHANISM};
use powar_config::{Config, Mechanism};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("hints_depths", |config| {
    let reset = HintsDepthsValues::of(config);
    Box::new(WakeHints::around(BudgetedDepths::new(config, reset), config, reset.hints))
});

/// Which of the budgets' thresholds says whether a port may go deep.
const DEEP: usize = 1;

/// What there is of the mechanism beside the lanes.
#[derive(Clone, Debug)]
struct BudgetedDepths {
    ports: TwoDepths,
    budgets: Budgets<2>,
    registers: DeepRegisters,
}

impl BudgetedDepths {
    fn new(config: &Config, reset: HintsDepthsValues) -> BudgetedDepths {
        let ahead = reset.hints.ahead;
        let reserves = [BudgetRegisters::new(ahead).reserve, DeepReserve::new(&reset).reserve];
        BudgetedDepths {
            ports: TwoDepths::new(config, ahead.powar),
            budgets: Budgets::new(config.ports, ahead, reserves),
            registers: DeepRegisters::new(reset),
        }
    }

    /// What holds of depth behind the cycle of the last [`Budgets::decide`].
    #[inline]
    fn depth(&self) -> Depth {
        let HintsDepthsValues { deep_after, t_wake_deep, .. } = self.registers.values;
        Depth { deep_after, t_wake_deep, allowed: self.budgets.enough(DEEP) }
    }

    /// What must be had in the next cycle, by threshold.
    #[inline]
    fn next_reserves(&self) -> [u32; 2] {
        let (registers, t_wake_deep) = (self.budgets.registers(), self.registers.values.t_wake_deep);
        [registers.next_reserve(), ReserveInputs { t_wake: registers.t_wake, t_wake_deep }.reserve()]
    }

    /// Ports at which a packet waits for nothing but the port.
    #[inline]
    fn lost(&self, seen: &Seen) -> u64 {
        seen.held & !self.ports.ready()
    }

    /// Ports that POWAR is to take for used.
    #[inline]
    fn kept_awake(&self) -> u64 {
        self.budgets.kept_awake() | self.ports.deep()
    }
}

impl Woken for BudgetedDepths {
    fn wake(&mut self, ports: u64) {
        self.ports.powar.woken = ports;
    }
}

impl EventMechanism for BudgetedDepths {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.budgets.reset(now);
        self.ports.reset(now, shown);
    }

    /// The lanes around it have each cycle clocked in which something happens at all, so it names none.
    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        let changed = self.budgets.note(now, self.lost(seen));
        self.ports.powar.kept_awake = self.kept_awake();
        self.budgets.decide(now, changed, self.next_reserves());
        self.ports.clock(now, seen, &self.depth(), shown);
        0
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        // What a port that loses has left is worked out when the next cycle is clocked: one that is on its way into
        // depth may have to leave it before.
        let (lost, spends) = (self.lost(seen), self.budgets.lost() & self.ports.light());
        if lost != self.budgets.lost() || spends != 0 || self.kept_awake() != self.ports.powar.kept_awake {
            return now;
        }
        self.ports.next_event(now, seen).min(self.budgets.next_event(now))
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        self.budgets.write(next, write);
        self.registers.clock(Some(write));
        self.ports.write(next, write, &self.depth(), shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.ports.powar.read(address) | self.budgets.registers().read(address) | self.registers.read(address)
    }

    fn longest_wait(&self) -> u64 {
        self.ports.longest_wait(self.registers.values.t_wake_deep)
    }

    fn keeps_ready(&self) -> bool {
        self.ports.powar.keeps_ready()
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.ports.powar.observe(now, seen, frame);
        self.budgets.observe(now, frame);
        frame.put([self.registers.values.deep_after.into(), self.registers.values.t_wake_deep.into()]);
        self.budgets.observe_threshold(DEEP, frame);
        self.ports.observe_depths(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
