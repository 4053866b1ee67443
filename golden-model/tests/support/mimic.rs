//! A power mechanism that does as its neighbours do: a port goes off when it has rested for a while and the other end of its link
//! gives no hint, and comes on with it. Once block by block, once event-driven.

use powar_config::signal::{elapsed, flags, number};
use powar_config::{Draw, Mechanism, NodeHint, Owner, Phase, Residency, Routes, Sees};
use powar_golden::bits::is_set;
use powar_golden::fast::frame::Frame;
use powar_golden::fast::mechanisms::EventMechanism;
use powar_golden::fast::power::{Seen, Shown};
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::mechanism::{MechanismInputs, MechanismOutputs, Write};
use powar_golden::register_rows::{RegisterRows, Registers};

const fn pair(phase: Phase, draw: Draw) -> Residency {
    Residency { phase, level: 0, draw, counter: "", doc: "" }
}

static ENTRY: Mechanism = Mechanism {
    name: "mimic",
    source: "",
    sees: Sees { place: false, wanted: false, buffers: false, neighbours: true, ring: None, routes: Routes::None },
    residency: &[
        pair(Phase::On, Draw::Share(1.0)),
        pair(Phase::Draining, Draw::Share(1.0)),
        pair(Phase::Off, Draw::SleepFraction),
        pair(Phase::ComingOn, Draw::Share(1.0)),
    ],
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &[],
    policies: &[],
    options: &[],
    parse: |_| anyhow::bail!("no configuration names it"),
};

/// Pairs of the residency.
const ON: usize = 0;
const DRAINING: usize = 1;
const OFF: usize = 2;
const COMING_ON: usize = 3;

/// Cycles of draining before the one in which a packet may be given the port at the latest.
const LAST_GIVEN: u64 = 2;

/// How long a port rests before it drains, and how long it takes to come on; 1 or more.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub rest: u64,
    pub wake: u64,
}

/// What concerns one port.
#[derive(Clone, Copy)]
struct View {
    held: bool,
    given: bool,
    departing: bool,
    /// Of the other end of its link.
    phase: u8,
    hint: bool,
}

/// The pair of a port in the next cycle, and whether it has counted in this one; `count` is that of the cycles before.
fn next(times: &Times, pair: usize, count: u64, port: View) -> (usize, bool) {
    let rests = !(port.held | port.given | port.departing | port.hint);
    match pair {
        ON if rests && count + 1 >= times.rest => (DRAINING, false),
        ON => (ON, rests),
        // A packet may be given the port in its third cycle of this, and it is released up to four flits before the last one.
        DRAINING if count >= LAST_GIVEN && !(port.held | port.given | port.departing) => (OFF, false),
        DRAINING => (DRAINING, true),
        OFF if port.given || port.phase == Phase::ComingOn as u8 => (COMING_ON, false),
        COMING_ON if count + 1 >= times.wake => (ON, false),
        COMING_ON => (COMING_ON, true),
        same => (same, false),
    }
}

/// Block by block.
#[derive(Clone, Debug)]
pub struct Mimic {
    times: Times,
    pair: Vec<usize>,
    count: Vec<u64>,
    /// Ports that were held in the cycle before: their hints.
    hint: u64,
}

impl Mimic {
    pub fn new(ports: usize, times: Times) -> Self {
        Mimic { times, pair: vec![ON; ports], count: vec![0; ports], hint: 0 }
    }

    fn next(&self, p: usize, inputs: &MechanismInputs) -> (usize, bool) {
        let port = View {
            held: is_set(inputs.held, p),
            given: is_set(inputs.given, p),
            departing: is_set(inputs.departing, p),
            phase: inputs.around.neighbour_phase[p] as u8,
            hint: is_set(inputs.around.hint_in, p),
        };
        next(&self.times, self.pair[p], self.count[p], port)
    }

    fn vector(&self, property: impl Fn(usize) -> bool) -> u64 {
        self.pair.iter().enumerate().fold(0, |vector, (p, &pair)| vector | u64::from(property(pair)) << p)
    }
}

impl PowerMechanism for Mimic {
    fn entry(&self) -> &'static Mechanism {
        &ENTRY
    }

    fn outputs(&self, _: &MechanismInputs) -> MechanismOutputs {
        let ready = self.vector(|pair| pair == ON || pair == DRAINING);
        MechanismOutputs {
            grantable: self.vector(|pair| pair != DRAINING),
            preferred: ready,
            ready,
            steady: ready,
            phase: self.pair.iter().map(|&pair| ENTRY.residency[pair].phase as u8).collect(),
            level: vec![0; self.pair.len()],
            hint: self.hint,
            serves: self.vector(|_| true),
            ring: 0,
            lookup: None,
        }
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        let begins = |p: usize| self.pair[p] != COMING_ON && self.next(p, inputs).0 == COMING_ON;
        (0..self.pair.len()).fold(0, |vector, p| vector | u64::from(begins(p)) << p)
    }

    fn read(&self, _: u16) -> u32 {
        0
    }

    fn reset(&mut self) {
        *self = Mimic::new(self.pair.len(), self.times);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        for p in 0..self.pair.len() {
            let (pair, counts) = self.next(p, inputs);
            self.pair[p] = pair;
            self.count[p] = if counts { self.count[p] + 1 } else { 0 };
        }
        self.hint = inputs.held;
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for Mimic {
    fn list(&self, rows: &mut RegisterRows) {
        rows.many(number("pair", 2), self.pair.iter().map(|&pair| pair as u64));
        rows.many(elapsed("count", 24), self.count.iter().copied());
        rows.one(flags("hint", Owner::Port, self.pair.len()), self.hint);
    }
}

/// Event-driven: a count is the time since a cycle in which it was 0.
#[derive(Clone, Debug)]
pub struct EventMimic {
    times: Times,
    pair: Vec<usize>,
    /// The cycle in which a count that runs was 0.
    since: Vec<Option<u64>>,
    hint: u64,
}

impl EventMimic {
    pub fn new(ports: usize, times: Times) -> Self {
        EventMimic { times, pair: vec![ON; ports], since: vec![None; ports], hint: 0 }
    }

    fn count(&self, p: usize, now: u64) -> u64 {
        self.since[p].map_or(0, |since| now - since)
    }

    fn view(p: usize, seen: &Seen) -> View {
        View {
            held: is_set(seen.held, p),
            given: is_set(seen.given, p),
            departing: is_set(seen.departing, p),
            phase: seen.around.neighbours.phase.get(p),
            hint: is_set(seen.around.neighbours.hint, p),
        }
    }

    fn show(&self, shown: &mut Shown) {
        let within = |pairs: &[usize]| {
            let bit = |(p, pair): (usize, &usize)| u64::from(pairs.contains(pair)) << p;
            self.pair.iter().enumerate().map(bit).fold(0, |vector, bit| vector | bit)
        };
        let ready = within(&[ON, DRAINING]);
        (shown.grantable, shown.preferred) = (within(&[ON, OFF, COMING_ON]), ready);
        (shown.ready, shown.steady, shown.serves) = (ready, ready, shown.every());
        (0..self.pair.len()).for_each(|p| shown.set_hint(p, is_set(self.hint, p)));
    }
}

impl EventMechanism for EventMimic {
    fn entry(&self) -> &'static Mechanism {
        &ENTRY
    }

    fn reset(&mut self, _: u64, shown: &mut Shown) {
        *self = EventMimic::new(self.pair.len(), self.times);
        self.show(shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        for p in 0..self.pair.len() {
            let (pair, counts) = next(&self.times, self.pair[p], self.count(p, now), EventMimic::view(p, seen));
            if pair != self.pair[p] {
                shown.enter(p, pair, now + 1);
                // Coming on counts from its first cycle on.
                self.since[p] = (pair == COMING_ON).then_some(now + 1);
            } else {
                self.since[p] = if counts { self.since[p].or(Some(now)) } else { None };
            }
            self.pair[p] = pair;
        }
        self.hint = seen.held;
        self.show(shown);
        0
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let of_port = |p: usize| {
            let port = EventMimic::view(p, seen);
            let count = self.count(p, now);
            let (pair, counts) = next(&self.times, self.pair[p], count, port);
            let due = |time: u64| self.since[p].map_or(now, |since| since + time - 1);
            match pair {
                _ if pair != self.pair[p] || counts != self.since[p].is_some() => now,
                ON if counts => due(self.times.rest),
                COMING_ON => due(self.times.wake),
                DRAINING if !(port.held | port.given | port.departing) => due(LAST_GIVEN + 1),
                _ => u64::MAX,
            }
        };
        if self.hint != seen.held {
            return now;
        }
        (0..self.pair.len()).map(of_port).min().unwrap_or(u64::MAX)
    }

    fn write(&mut self, _: u64, _: Write, _: &mut Shown) {}

    fn read(&self, _: u16) -> u32 {
        0
    }

    fn longest_wait(&self) -> u64 {
        self.times.wake
    }

    fn keeps_ready(&self) -> bool {
        true
    }

    fn observe(&mut self, now: u64, _: &Seen, frame: &mut Frame) {
        frame.fill(self.pair.len(), |p| self.pair[p] as u64);
        frame.fill(self.pair.len(), |p| self.count(p, now));
        frame.put([self.hint]);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
