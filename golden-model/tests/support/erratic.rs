//! A power mechanism that sees everything and does all that the interface allows, at random: it drains, freezes and wakes ports,
//! changes levels, hints, looks rows up. Its registers take in every input, so that none can be wrong for long without being noticed.

use powar_config::routing::tables::TableRow;
use powar_config::signal::{flag, number};
use powar_config::{Config, Draw, Mechanism, NodeHint, Phase, Residency, Routes, Sees};
use powar_golden::bits::is_set;
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::mechanism::{MechanismInputs, MechanismOutputs, Write};
use powar_golden::register_rows::{RegisterRows, Registers};

const fn pair(phase: Phase, level: u8) -> Residency {
    Residency { phase, level, draw: Draw::Share(1.0), counter: "", doc: "" }
}

static ENTRY: Mechanism = Mechanism {
    name: "erratic",
    source: "",
    sees: Sees {
        place: true,
        wanted: true,
        buffers: true,
        neighbours: true,
        ring: Some(&powar_config::mechanism::e_rapid::RING),
        routes: Routes::AsPackets,
    },
    residency: &[
        pair(Phase::On, 0),
        pair(Phase::On, 5),
        pair(Phase::Draining, 0),
        pair(Phase::GoingOff, 0),
        pair(Phase::Off, 0),
        pair(Phase::Refreshing, 3),
        pair(Phase::ComingOn, 0),
    ],
    node_hint: NodeHint::Waiting,
    level_gbps: &[],
    measures_queues: false,
    words: &[],
    policies: &[],
    options: &[],
    parse: |_| anyhow::bail!("no configuration names it"),
};

/// What a port does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Calm = 0,
    /// At another level.
    Fast = 1,
    /// Still ready, but not steady: it will not be ready soon.
    Nervous = 2,
    /// Not ready for a moment, held or not.
    Frozen = 3,
    Draining = 4,
    GoingOff = 5,
    Off = 6,
    Refreshing = 7,
    ComingOn = 8,
}

use Mode::*;

/// A port's registers.
#[derive(Clone, Copy, Debug)]
struct Port {
    mode: Mode,
    /// Cycles in this mode.
    count: u8,
    /// Where randomness comes from, and every input goes to.
    hash: u64,
}

#[derive(Clone, Debug)]
pub struct Erratic {
    seed: u64,
    sees: Sees,
    vcs: usize,
    word: u32,
    /// A row was asked for in the cycle before.
    asked: bool,
    ports: Vec<Port>,
}

/// The next number of a sequence that depends on all of `with`.
fn mixed(hash: u64, with: u64) -> u64 {
    let x = (hash ^ with).wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ x >> 27
}

impl Erratic {
    pub fn new(config: &Config, seed: u64) -> Self {
        let ports = vec![Port { mode: Calm, count: 0, hash: 0 }; config.ports];
        let mut erratic =
            Erratic { seed, sees: config.seen_by(&ENTRY), vcs: config.switch.vcs, word: 0, asked: false, ports };
        erratic.reset();
        erratic
    }

    /// The mode of a port in the next cycle.
    fn next(&self, p: usize, inputs: &MechanismInputs) -> Mode {
        let Port { mode, count, hash } = self.ports[p];
        // A port is released up to four flits before the last one of its packet.
        let free = !is_set(inputs.held | inputs.given | inputs.departing, p);
        let chance = |shift: u32| hash >> shift & 31 == 0;
        match mode {
            Calm | Fast | Nervous if free && chance(5) => Draining,
            Calm if chance(10) => Fast,
            Fast if chance(10) => Calm,
            Calm if chance(15) => Nervous,
            // A port that is ready when it is given is so in the next cycle, too.
            Nervous if count >= 3 && !is_set(inputs.given, p) => Frozen,
            Frozen if count >= (hash >> 20 & 7) as u8 => Calm,
            // A packet may be given the port in its third cycle of this.
            Draining if free && count >= 2 => GoingOff,
            GoingOff if count >= 2 => Off,
            Off if !free || chance(5) => ComingOn,
            Off if chance(10) => Refreshing,
            Refreshing if !free => ComingOn,
            Refreshing if count >= 3 => Off,
            ComingOn if count >= (hash >> 20 & 7) as u8 => Calm,
            same => same,
        }
    }

    /// The address whose row is asked for: one of few, most of which exist.
    fn lookup(&self) -> Option<u16> {
        let hash = self.ports[0].hash;
        let asks = self.sees.routes.looks_up() && hash >> 33 & 3 != 0;
        asks.then_some(if hash >> 35 & 15 == 0 { hash as u16 } else { hash as u16 & 7 })
    }

    /// What a row says: nothing of a set without virtual channels, whatever its bits.
    fn says(&self, words: &[u64]) -> [u64; 4] {
        let words: Vec<u32> = words.iter().map(|&word| word as u32).collect();
        if words.is_empty() {
            return [0; 4];
        }
        let row = TableRow::of_words(&words, self.ports.len(), self.vcs);
        [row.adaptive, row.deterministic, row.adaptive_vcs.into(), row.deterministic_vcs.into()]
    }

    fn vector(&self, property: impl Fn(&Port) -> bool) -> u64 {
        self.ports.iter().enumerate().fold(0, |vector, (p, port)| vector | u64::from(property(port)) << p)
    }
}

impl PowerMechanism for Erratic {
    fn entry(&self) -> &'static Mechanism {
        &ENTRY
    }

    fn sees(&self) -> Sees {
        self.sees
    }

    fn outputs(&self, _: &MechanismInputs) -> MechanismOutputs {
        let pairs = self.ports.iter().map(|port| match port.mode {
            Calm | Nervous | Frozen => (Phase::On, 0),
            Fast => (Phase::On, 5),
            Draining => (Phase::Draining, 0),
            GoingOff => (Phase::GoingOff, 0),
            Off => (Phase::Off, 0),
            Refreshing => (Phase::Refreshing, 3),
            ComingOn => (Phase::ComingOn, 0),
        });
        MechanismOutputs {
            grantable: self.vector(|port| port.mode != Draining && port.hash >> 40 & 7 != 0),
            preferred: self.vector(|port| is_set(port.hash, 50)),
            ready: self.vector(|port| matches!(port.mode, Calm | Fast | Nervous | Draining)),
            steady: self.vector(|port| matches!(port.mode, Calm | Fast | Draining)),
            phase: pairs.clone().map(|(phase, _)| phase as u8).collect(),
            level: pairs.map(|(_, level)| level).collect(),
            hint: self.vector(|port| is_set(port.hash, 55)),
            serves: self.vector(|port| is_set(port.hash, 60)),
            ring: self.ports[0].hash >> 22,
            lookup: self.lookup(),
        }
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        let begins = |p: usize| self.ports[p].mode != ComingOn && self.next(p, inputs) == ComingOn;
        (0..self.ports.len()).fold(0, |vector, p| vector | u64::from(begins(p)) << p)
    }

    /// One word, where POWAR has its power-down threshold: the register map is that of the configuration.
    fn read(&self, address: u16) -> u32 {
        if address == 0x11 { self.word } else { 0 }
    }

    fn reset(&mut self) {
        (self.word, self.asked) = (0, false);
        for (p, port) in (0..).zip(&mut self.ports) {
            *port = Port { mode: Calm, count: 0, hash: mixed(self.seed, p) };
        }
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        let around = &inputs.around;
        let row = self.says(if self.asked { around.lookup_row } else { &[] });
        self.asked = self.lookup().is_some();
        let next: Vec<Mode> = (0..self.ports.len()).map(|p| self.next(p, inputs)).collect();
        for (p, (port, mode)) in self.ports.iter_mut().zip(next).enumerate() {
            port.count = if mode == port.mode { port.count.saturating_add(1) } else { 0 };
            port.mode = mode;
            let vectors = [inputs.held, inputs.given, inputs.departing, around.wanted, around.arriving, around.leaving];
            let vectors = vectors.into_iter().chain([around.hint_in, self.word.into()]);
            let bits = vectors.fold(0, |bits, vector| bits << 1 | vector >> p & 1);
            let numbers = [around.fill[p], around.occupancy[p], around.neighbour_phase[p], around.ring_in];
            let place = u64::from(around.position) << 4 | u64::from(around.stage);
            port.hash = numbers.into_iter().chain([place, bits]).chain(row).fold(port.hash, mixed);
        }
        if let Some(Write { address: 0x11, data }) = inputs.write {
            self.word = data;
        }
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for Erratic {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(number("word", 32), self.word);
        rows.one(flag("asked"), self.asked);
        rows.many(number("mode", 4), self.ports.iter().map(|port| port.mode as u64));
        rows.many(number("count", 8), self.ports.iter().map(|port| port.count));
        rows.many(number("hash", 64), self.ports.iter().map(|port| port.hash));
    }
}
