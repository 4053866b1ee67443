//! What is around a `link_crossing` when all is well: a sender that has credits for what it sends, and a receiver with buffers, each in step
//! with its own clock. It also watches that what the sender sends is what the receiver gets.

use super::Stimulus;
use super::crossing_clocks::CrossingClocks;
use crate::random::Random;
use powar_config::{Config, Layout, Phase, Role};
use std::collections::VecDeque;
use std::sync::Arc;

/// A flit on the link.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flit {
    head: u64,
    vc: u64,
    words: Vec<u64>,
    /// What the link shows with it.
    told: Told,
}

/// Phase and hint.
type Told = (u64, u64);

/// How long sender and receiver are busy, and idle, on average.
#[derive(Clone, Copy, Debug)]
pub struct CrossingLoad {
    /// Cycles of the sender with a flit in each as far as there are credits, then cycles without. 0: bursts without end, or no pauses.
    pub burst: u32,
    pub pause: u32,
    /// The same of the receiver, which takes a flit out of its buffers in each cycle, then none.
    pub reads: u32,
    pub stall: u32,
    /// A reset of both halves about every so many steps; 0: only that at the start.
    pub reset_every: u32,
}

impl CrossingLoad {
    /// Bursts and stalls of all lengths.
    pub const LIVELY: CrossingLoad = CrossingLoad { burst: 40, pause: 30, reads: 60, stall: 60, reset_every: 0 };
}

/// See the [module](self).
#[derive(Debug)]
pub struct CrossingTraffic {
    random: Random,
    clocks: CrossingClocks,
    load: CrossingLoad,
    layout: Arc<Layout>,
    depth: u64,
    words: usize,
    /// From this step on the sender sends nothing and the receiver reads all.
    quiet_from: u64,
    /// Edges of either clock in the step before.
    rose: [bool; 2],
    /// Edges of either clock since both halves are in reset; `None` for a half that is out of it.
    in_reset: [Option<u32>; 2],
    sending: bool,
    reading: bool,
    credits: Vec<u64>,
    told: Told,
    /// What the sender has shown since the receiver last showed something new.
    untold: VecDeque<Told>,
    /// Flits on their way.
    sent: VecDeque<Flit>,
    /// Flits in the buffers of the receiver, by virtual channel.
    buffers: Vec<u64>,
    seen: Told,
    /// Flits that have been sent, and that have arrived.
    pub flits: u64,
    pub delivered: u64,
    /// What was wrong, a line each.
    pub violations: Vec<String>,
}

/// Edges of either clock for which both halves are in reset at once.
const RESET_EDGES: u32 = 2;

impl CrossingTraffic {
    /// For a `link_crossing` of this configuration, with this layout.
    pub fn new(config: &Config, layout: &Layout, clocks: CrossingClocks, load: CrossingLoad, seed: u64) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth() as u64);
        CrossingTraffic {
            random: Random::new(seed),
            clocks,
            load,
            layout: Arc::new(layout.clone()),
            depth,
            words: config.switch.flit_words(),
            quiet_from: u64::MAX,
            rose: [true; 2],
            in_reset: [Some(0); 2],
            sending: load.pause == 0,
            reading: load.stall == 0,
            credits: vec![depth; vcs],
            told: (0, 0),
            untold: VecDeque::new(),
            sent: VecDeque::new(),
            buffers: vec![0; vcs],
            seen: (0, 0),
            flits: 0,
            delivered: 0,
            violations: vec![],
        }
    }

    /// The same, quiet from a step on, so that everything has arrived in the end.
    pub fn quiet_from(self, step: u64) -> Self {
        CrossingTraffic { quiet_from: step, ..self }
    }

    /// Everything has arrived and all credits are back; the receiver knows phase and hint.
    pub fn is_settled(&self) -> bool {
        self.sent.is_empty() && self.credits.iter().all(|&credits| credits == self.depth) && self.seen == self.told
    }

    fn object(&mut self, step: u64, what: String) {
        if self.violations.len() < 20 {
            self.violations.push(format!("step {step}: {what}"));
        }
    }

    fn output(&self, last: &[u64], name: &str) -> u64 {
        last[self.layout.observed(Role::Output, name).expect("an output of a link_crossing")]
    }

    fn is_quiet(&self, step: u64) -> bool {
        step >= self.quiet_from
    }

    /// The sender after an edge of its clock: takes the credit that it saw and says what it drives until the next.
    fn drive_sender(&mut self, step: u64, last: &[u64], set: &mut dyn FnMut(&str, &[u64])) {
        if self.output(last, "in_credit_valid") == 1 {
            let vc = self.output(last, "in_credit_vc") as usize;
            match self.credits.get_mut(vc) {
                Some(credits) if *credits < self.depth => *credits += 1,
                _ => self.object(step, format!("a credit too many of virtual channel {vc}")),
            }
        }
        let mean = if self.sending { self.load.burst } else { self.load.pause };
        self.sending ^= self.random.one_in(mean);
        let able: Vec<u64> = (0..self.credits.len() as u64).filter(|&vc| self.credits[vc as usize] > 0).collect();
        let sends = self.sending && !able.is_empty() && !self.is_quiet(step);
        if sends {
            // Flits come in `On` and `Draining` only.
            let phase = if self.random.one_in(8) { Phase::Draining } else { Phase::On };
            self.told = (phase as u64, self.random.below(2));
        } else if self.random.one_in(6) && !self.is_quiet(step) {
            self.told = (self.random.below(8), self.random.below(2));
        }
        if self.untold.back() != Some(&self.told) {
            self.untold.push_back(self.told);
        }
        let random = &mut self.random;
        let mut word = || random.bits() & 0xffff_ffff;
        let flit = Flit {
            head: word() & 1,
            vc: if sends { able[word() as usize % able.len()] } else { word() & 7 },
            words: (0..self.words).map(|_| word()).collect(),
            told: self.told,
        };
        set("in_valid", &[u64::from(sends)]);
        set("in_head", &[flit.head]);
        set("in_vc", &[flit.vc]);
        set("in_flit", &flit.words);
        set("in_phase", &[flit.told.0]);
        set("in_hint", &[flit.told.1]);
        if sends {
            self.credits[flit.vc as usize] -= 1;
            self.flits += 1;
            self.sent.push_back(flit);
        }
    }

    /// The receiver after an edge of its clock.
    fn drive_receiver(&mut self, step: u64, last: &[u64], set: &mut dyn FnMut(&str, &[u64])) {
        let told = (self.output(last, "out_phase"), self.output(last, "out_hint"));
        if told != self.seen {
            // What was told in between may have been left out, but nothing else may be seen.
            match self.untold.iter().position(|&untold| untold == told) {
                Some(place) => drop(self.untold.drain(..place)),
                None => self.object(step, format!("phase and hint {told:?}, which nobody has told")),
            }
            self.seen = told;
        }
        if self.output(last, "out_valid") == 1 {
            let first = self.layout.observed(Role::Output, "out_flit").expect("an output of a link_crossing");
            let (head, vc) = (self.output(last, "out_head"), self.output(last, "out_vc"));
            let flit = Flit { head, vc, words: last[first..first + self.words].to_vec(), told };
            match self.sent.pop_front() {
                Some(sent) if sent == flit => self.delivered += 1,
                Some(sent) => self.object(step, format!("{flit:x?} has arrived in place of {sent:x?}")),
                None => self.object(step, format!("{flit:x?} has arrived, which nobody has sent")),
            }
            match self.buffers.get_mut(vc as usize) {
                Some(buffer) if *buffer < self.depth => *buffer += 1,
                _ => self.object(step, format!("no room for a flit of virtual channel {vc}")),
            }
        }
        let mean = if self.reading { self.load.reads } else { self.load.stall };
        self.reading ^= self.random.one_in(mean);
        let full: Vec<usize> = (0..self.buffers.len()).filter(|&vc| self.buffers[vc] > 0).collect();
        let reads = (self.reading || self.is_quiet(step)) && !full.is_empty();
        let vc =
            if reads { full[self.random.below(full.len() as u64) as usize] } else { self.random.below(8) as usize };
        if reads {
            self.buffers[vc] -= 1;
        }
        set("out_credit_valid", &[u64::from(reads)]);
        set("out_credit_vc", &[vc as u64]);
    }

    /// Nothing is on its way any more, and everybody knows it.
    fn forget(&mut self) {
        let depth = self.depth;
        self.credits.iter_mut().for_each(|credits| *credits = depth);
        self.buffers.iter_mut().for_each(|buffer| *buffer = 0);
        self.sent.clear();
        self.untold.clear();
        (self.told, self.seen) = ((0, 0), (0, 0));
        self.untold.push_back(self.told);
    }

    /// Whether the halves are in reset. Each begins and ends in step with its clock, and both are in it at once for some edges of either.
    fn resets(&mut self) -> [u64; 2] {
        let both = self.in_reset.iter().all(Option::is_some);
        if !both && self.in_reset == [None; 2] && self.random.one_in(self.load.reset_every) {
            self.in_reset = [Some(0); 2];
        } else if both {
            for half in 0..2 {
                let edges = self.in_reset[half].as_mut().expect("both are in reset");
                *edges += u32::from(self.rose[half]);
            }
            if self.in_reset.iter().all(|edges| edges.is_some_and(|edges| edges > RESET_EDGES)) {
                self.forget();
                let first = self.random.below(2) as usize;
                self.in_reset[first] = None;
            }
        } else if let Some(last) = (0..2).find(|&half| self.in_reset[half].is_some() && self.rose[half]) {
            self.in_reset[last] = None;
        }
        self.in_reset.map(|edges| u64::from(edges.is_some()))
    }
}

impl Stimulus for CrossingTraffic {
    fn drive(&mut self, step: u64, last: &[u64], inputs: &mut [u64]) {
        let layout = self.layout.clone();
        let mut set = |name: &str, values: &[u64]| {
            let first = layout.input(name).expect("an input of a link_crossing");
            inputs[first..first + values.len()].copy_from_slice(values);
        };
        let [send_rst, receive_rst] = self.resets();
        set("send_rst", &[send_rst]);
        set("receive_rst", &[receive_rst]);
        if send_rst == 1 {
            for (name, rows) in [("in_valid", 1), ("in_phase", 1), ("in_hint", 1), ("in_flit", self.words)] {
                set(name, &vec![0; rows]);
            }
        } else if self.rose[0] {
            self.drive_sender(step, last, &mut set);
        }
        if receive_rst == 1 {
            set("out_credit_valid", &[0]);
        } else if self.rose[1] {
            self.drive_receiver(step, last, &mut set);
        }
        self.rose = self.clocks.step();
        set("send_edge", &[u64::from(self.rose[0])]);
        set("receive_edge", &[u64::from(self.rose[1])]);
    }
}
