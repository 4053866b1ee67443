//! Sampling windows: what has happened in the one under way, and what follows from it at its end.
//!
//! Sums are what there has been at all less what there had been at the last check. The ends of windows in which nothing happens, and behind which
//! nothing would be another, are made up for when the next cycle is stepped.

use crate::bits::low_bits;
use crate::fast::frame::Frame;
use crate::fast::power::Seen;
use crate::reference::mechanisms::soteriou_peh::age_monitor::AgeInputs;
use crate::reference::mechanisms::soteriou_peh::load_predictor::PredictorInputs;
use crate::reference::mechanisms::soteriou_peh::{AgeMonitor, LoadPredictor};
use powar_config::mechanism::soteriou_peh::SoteriouPehValues;

/// Cycles behind a check until all of it has been decided.
const STAGES: u64 = 3;
/// Largest sums of 24 and 36 bits.
const MAX_24: u32 = (1 << 24) - 1;
const MAX_36: u64 = (1 << 36) - 1;

/// How many links are on, as far as a check looks at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    /// Active input and output ports.
    pub ins: u8,
    pub outs: u8,
    /// Links that are to be on, and that are not.
    pub on: u8,
    pub off: u8,
}

/// The number of a threshold for so many links.
pub(super) fn index(links: u8) -> u8 {
    links.clamp(1, 4) - 1
}

#[derive(Clone, Debug)]
pub(super) struct Windows {
    links: usize,
    /// The cycle in which the count of the timer was 0, whether it was behind a check, and the cycle of the next check.
    since: u64,
    checked: bool,
    next_check: u64,
    period: u64,
    before: Totals,
    predictor: LoadPredictor,
    age: AgeMonitor,
    /// What the end of a window without anything in it comes to, if it changes none of the registers here.
    still: Option<Still>,
}

/// What there had been before a cycle, at all links: flits in buffers, added up over cycles; flits that had set out; flits that had left buffers.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    filled: u64,
    flits: u32,
    departures: u64,
}

impl Totals {
    fn of(seen: &Seen, links: usize, now: u64) -> Totals {
        Totals {
            filled: seen.buffers.sum_of_fill(0..links, now),
            flits: seen.flits.sum(0..links, now),
            departures: seen.buffers.left(0..links, now),
        }
    }
}

/// The numbers of links with which it changes nothing, and the decision: below, above.
#[derive(Clone, Copy, Debug)]
struct Still {
    counts: Counts,
    decision: (bool, bool),
}

impl Windows {
    /// The state after reset, in cycle `now`.
    pub fn new(links: usize, buffer_flits: usize, window: u16, now: u64) -> Self {
        let mut windows = Windows {
            links,
            since: now,
            checked: false,
            next_check: 0,
            period: 0,
            before: Totals::default(),
            predictor: LoadPredictor::new(buffer_flits),
            age: AgeMonitor::new(),
            still: None,
        };
        windows.plan(now, window);
        windows
    }

    fn plan(&mut self, now: u64, window: u16) {
        self.period = u64::from(window.max(4));
        self.next_check = now.max(self.since + self.period - 1);
    }

    /// Control registers, or the place, are others from cycle `now` on.
    pub fn plan_anew(&mut self, now: u64, window: u16) {
        self.catch_up(now);
        self.plan(now, window);
        self.still = None;
    }

    /// The cycle in which the count of the timer was 0, as of cycle `now`.
    fn since_at(&self, now: u64) -> u64 {
        match now.checked_sub(self.next_check + 1) {
            None => self.since,
            Some(beyond) => now - beyond % self.period,
        }
    }

    /// The cycle of the next check from cycle `now` on.
    fn check_from(&self, now: u64) -> u64 {
        if now > self.next_check { self.since_at(now) + self.period - 1 } else { self.next_check }
    }

    /// The register `stage` in cycle `now`.
    fn stage_at(&self, now: u64) -> u8 {
        let (since, checked) = (self.since_at(now), self.checked || now > self.next_check);
        if checked && now - since < STAGES { 1 << (now - since) } else { 0 }
    }

    /// Makes up for checks before cycle `now` that have changed nothing.
    #[inline]
    pub fn catch_up(&mut self, now: u64) {
        if now > self.next_check {
            self.predictor.stage = self.stage_at(now);
            self.since = self.since_at(now);
            (self.checked, self.next_check) = (true, self.since + self.period - 1);
        }
    }

    /// Flits were late.
    pub fn late(&self) -> bool {
        self.age.late
    }

    /// The sums of the window under way in cycle `now`: filled, flits, departures.
    fn sums(&self, seen: &Seen, now: u64) -> (u64, u32, u32) {
        let (all, before) = (Totals::of(seen, self.links, now), &self.before);
        let departures = all.departures.wrapping_sub(before.departures) as u32;
        (
            all.filled.wrapping_sub(before.filled) & MAX_36,
            all.flits.wrapping_sub(before.flits) & MAX_24,
            departures & MAX_24,
        )
    }

    /// The clock edge that ends cycle `now`. The decision that this is the cycle of: below, above.
    #[inline]
    pub fn clock(&mut self, now: u64, seen: &Seen, counts: Counts, values: &SoteriouPehValues) -> (bool, bool) {
        let check = now >= self.next_check;
        let decision = (self.predictor.below(), self.predictor.above());
        if check | (self.predictor.stage != 0) {
            self.look(now, check, seen, counts, values);
        }
        if check {
            self.before = Totals::of(seen, self.links, now);
            (self.since, self.checked) = (now + 1, true);
            self.plan(now + 1, values.window);
        }
        decision
    }

    /// A check, or what follows from one.
    #[cold]
    fn look(&mut self, now: u64, check: bool, seen: &Seen, counts: Counts, values: &SoteriouPehValues) {
        let sums = self.sums(seen, now);
        follow(&mut self.predictor, &mut self.age, check, sums, counts, values);
        if self.predictor.stage == 0 {
            let (mut predictor, mut age) = (self.predictor.clone(), self.age.clone());
            let mut decision = (false, false);
            for stage in 0..=STAGES {
                decision = (predictor.below(), predictor.above());
                follow(&mut predictor, &mut age, stage == 0, (0, 0, 0), counts, values);
            }
            let is_still = predictor == self.predictor && age == self.age;
            self.still = is_still.then_some(Still { counts, decision });
        }
    }

    /// The first cycle from `now` on at whose end something changes but for times and sums, if nothing else happens until then; `decides` says
    /// whether a decision, below and above, changes links.
    pub fn next_event(&self, now: u64, seen: &Seen, counts: Counts, decides: impl Fn((bool, bool)) -> bool) -> u64 {
        if now <= self.next_check && self.predictor.stage != 0 {
            return now;
        }
        // A flit that sets out was in a buffer, and may do so in the cycle in which the buffer is empty.
        let is_quiet = || {
            seen.buffers.are_empty(0..self.links, now)
                && seen.departing & low_bits(self.links) == 0
                && self.sums(seen, now) == (0, 0, 0)
        };
        let is_still = |still: Still| still.counts == counts && !decides(still.decision);
        if self.still.is_some_and(is_still) && is_quiet() { u64::MAX } else { self.check_from(now) }
    }

    /// The registers of the timer, the sums, the predictor and the age monitor in cycle `now`, to which they have been brought.
    pub fn observe(&self, now: u64, seen: &Seen, frame: &mut Frame) {
        let LoadPredictor { past_filled, past_flits, ins, outs, .. } = self.predictor;
        let LoadPredictor { buffer_load, link_load, sleep_threshold, wake_threshold, places, .. } = self.predictor;
        let LoadPredictor { sleep_gap, wake_gap, over, .. } = self.predictor;
        frame.put([now - self.since]);
        let (filled, flits, departures) = self.sums(seen, now);
        frame.put([filled, flits.into(), departures.into()]);
        frame.put([self.predictor.stage.into(), past_filled, past_flits.into(), ins.into(), outs.into()]);
        frame.put([buffer_load, link_load, sleep_threshold.into(), wake_threshold.into(), places.into()]);
        frame.put([sleep_gap, wake_gap, over.into()]);
        frame.put([self.age.past_departures.into(), self.age.allowed, self.age.late.into()]);
    }
}

/// An edge of the predictor and the age monitor, behind which the sums of a window were these.
fn follow(
    predictor: &mut LoadPredictor,
    age: &mut AgeMonitor,
    check: bool,
    (filled, flits, departures): (u64, u32, u32),
    counts: Counts,
    values: &SoteriouPehValues,
) {
    let &SoteriouPehValues { sleep_load, sleep_step, wake_load, wake_step, age_limit, .. } = values;
    age.clock(&AgeInputs { check, departures, stage: predictor.stage, past_filled: predictor.past_filled, age_limit });
    predictor.clock(&PredictorInputs {
        check,
        filled,
        flits,
        in_ports: counts.ins,
        out_ports: counts.outs,
        sleep_index: index(counts.on),
        wake_index: index(counts.off),
        sleep_load,
        sleep_step,
        wake_load,
        wake_step,
    });
}
