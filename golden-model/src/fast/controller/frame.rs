//! The event-driven controller under the lock-step harness.

use super::flits::Flits;
use super::power::Power;
use super::{Inputs, PowerController};
use crate::bits::is_set;
use crate::reference::mechanisms::powar::control_registers::write_of;
use crate::reference::power::PortStatistics;
use powar_config::{CycleModel, Deterministic, Layout};

impl CycleModel for PowerController {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        self.observe(observed);
        let rows = self.config.requesters();
        let (sets, rest) = inputs[1..].split_at(2 * rows);
        let (adaptive, deterministic) = sets.split_at(rows);
        self.step(&Inputs {
            rst: inputs[0] == 1,
            adaptive,
            deterministic,
            requesting: None,
            flit_valid: rest[0],
            flit_tail: rest[1],
            write: write_of(rest[2], rest[3], rest[4]),
        });
        // The grants are the only outputs that the arbiters decide within the cycle, and the first in the frame.
        let grant = &mut observed[..rows];
        grant.fill(0);
        for granted in &self.allocation.grants {
            grant[usize::from(granted.requester)] |= 1 << granted.port;
        }
    }
}

impl PowerController {
    /// Fills in everything but the grants, in the order of [`crate::reference::controller::signals`].
    ///
    /// Straight copies of arrays, because this is most of what a lock-step cycle costs.
    fn observe(&self, observed: &mut [u64]) {
        let (n, r) = (self.config.ports, self.config.requesters());
        let outputs = self.outputs();
        let mut frame = Frame::new(observed);
        frame.next(r);
        frame.put([outputs.transmit, outputs.busy, outputs.awake]);
        frame.put([outputs.refreshing, outputs.full_power, outputs.selectable]);
        frame.next(n).copy_from_slice(&self.power.states[..n]);
        frame.put([u64::from(outputs.check)]);
        let statistics = frame.next(PortStatistics::NAMES.len() * n);
        observe_statistics(&self.power, &self.flits, self.now, statistics);

        frame.put(self.registers.contents().map(u64::from));
        observe_power(&mut frame, self.busy, &self.power, &self.flits, self.now);
        frame.next(statistics.len()).copy_from_slice(statistics);

        let allocation = &self.allocation;
        frame.next(r).copy_from_slice(&allocation.choice[..r]);
        frame.fill(r, |requester| u64::from(allocation.is_adaptive(requester)));
        frame.next(r).copy_from_slice(&allocation.rrp[..r]);
        if self.config.deterministic == Deterministic::Set {
            frame.next(r).copy_from_slice(&allocation.drp[..r]);
        }
        frame.next(n).copy_from_slice(&allocation.pointer[..n]);
        frame.end();
    }
}

/// The registers of `power_manager` up to its statistics.
pub(crate) fn observe_power(frame: &mut Frame, busy: u64, power: &Power, flits: &Flits, now: u64) {
    let n = power.ports();
    frame.put([busy, flits.timer_count(now)]);
    let groups = &flits.groups;
    let g = groups.len();
    frame.fill(g, |group| flits.count(&groups[group]).into());
    frame.fill(g, |group| groups[group].on_limit.into());
    frame.fill(g, |group| groups[group].off_limit.into());
    frame.fill(g, |group| groups[group].selectable());
    frame.fill(g, |group| groups[group].n_selectable.into());

    frame.next(n).copy_from_slice(&power.states[..n]);
    let refreshing = power.refreshing();
    frame.fill(n, |port| u64::from(is_set(refreshing, port)));
    frame.fill(n, |port| u64::from(is_set(power.wake_pending, port)));
    frame.fill(n, |port| power.count(port, now));
}

/// The statistics, a row of all ports each.
pub(crate) fn observe_statistics(power: &Power, flits: &Flits, now: u64, slots: &mut [u64]) {
    let n = power.ports();
    let (of_states, of_flits) = slots.split_at_mut(power.statistics.len());
    of_states.copy_from_slice(&power.statistics);
    // Of the cycles, only those of the present phase have grown since they were last written down.
    for port in 0..n {
        let present = &mut of_states[power.phase[port] as usize * n + port];
        *present = u64::from((*present + now - power.entered[port]) as u32);
    }
    for (port, slot) in of_flits.iter_mut().enumerate() {
        *slot = flits.of_port(port).into();
    }
}

/// What is left of an observed frame that is filled in order.
pub(crate) struct Frame<'a> {
    rest: &'a mut [u64],
}

impl<'a> Frame<'a> {
    pub fn new(observed: &'a mut [u64]) -> Self {
        Frame { rest: observed }
    }

    /// All slots have been filled.
    pub fn end(self) {
        debug_assert!(self.rest.is_empty(), "a declared signal was not observed");
    }

    /// The next `slots` slots.
    pub fn next(&mut self, slots: usize) -> &'a mut [u64] {
        let (next, rest) = std::mem::take(&mut self.rest).split_at_mut(slots);
        self.rest = rest;
        next
    }

    pub fn put<const SLOTS: usize>(&mut self, values: [u64; SLOTS]) {
        self.next(SLOTS).copy_from_slice(&values);
    }

    pub fn fill(&mut self, slots: usize, value: impl Fn(usize) -> u64) {
        for (place, slot) in self.next(slots).iter_mut().enumerate() {
            *slot = value(place);
        }
    }
}
