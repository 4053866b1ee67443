//! What is seen of the switches of a network while it runs.

use powar_config::topology::wiring::{End, Wiring};
use powar_golden::fast::power::{Sideband, Signal};
use powar_golden::fast::switch::{Credits, Inputs, Outputs, Switch, Train};
use powar_golden::network::{NetPacket, SwitchModel};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// From which side of a port's link something is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The port shows or sends it.
    Port,
    /// It comes in from the node at the other end.
    Node,
}

/// What is seen from a cycle on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A phase, by its code.
    Phase(u8),
    Hint(bool),
    /// Flits of a packet for the node of a packed address, one a cycle.
    Flits {
        address: u16,
        flits: u16,
    },
}

/// Something that is seen at a port.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub cycle: u64,
    pub port: u8,
    pub side: Side,
    pub what: What,
}

/// What is seen of a switch.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// What ports show in the first cycle.
    pub at_first: Sideband,
    /// What changes and comes in from then on, in the order of cycles but for what trains from nodes and ports do in one.
    pub events: Vec<Event>,
}

/// What is seen of each switch in some cycles.
pub(super) struct Record {
    pub cycles: Range<u64>,
    pub switches: Vec<Arc<Mutex<Seen>>>,
    /// Of each switch: its ports that lead to nodes, one bit each.
    to_nodes: Vec<u64>,
}

impl Record {
    /// Of a network of which nothing has been seen.
    pub fn new(wiring: &Wiring, cycles: Range<u64>) -> Record {
        let to_nodes = |ends: &Vec<End>| {
            let bit = |(port, end): (usize, &End)| u64::from(matches!(end, End::Node { .. })) << port;
            ends.iter().enumerate().map(bit).sum()
        };
        Record {
            cycles,
            switches: wiring.ends.iter().map(|_| Arc::default()).collect(),
            to_nodes: wiring.ends.iter().map(to_nodes).collect(),
        }
    }
}

/// A golden switch that is looked at.
pub(super) struct WatchedSwitch {
    golden: Switch<NetPacket>,
    cycles: Range<u64>,
    to_nodes: u64,
    shown: Sideband,
    seen: Arc<Mutex<Seen>>,
}

impl WatchedSwitch {
    pub fn new(golden: Switch<NetPacket>, record: &Record, number: u32) -> WatchedSwitch {
        let number = number as usize;
        let (seen, to_nodes) = (Arc::clone(&record.switches[number]), record.to_nodes[number]);
        WatchedSwitch { golden, cycles: record.cycles.clone(), to_nodes, shown: Sideband::default(), seen }
    }
}

/// Cycles before the first in which words on lanes are listened to, so that it is known where they begin; and behind the last, so that the
/// last one is read to its end.
const LISTENED: u64 = 1 << 10;

impl WatchedSwitch {
    /// It lasts into the cycles that are shown, or says how what does is to be read.
    fn is_kept(&self, event: &Event) -> bool {
        let Range { start, end } = self.cycles;
        let (lasts, behind) = match event.what {
            What::Phase(_) => (0, 0),
            What::Hint(_) => (LISTENED, LISTENED),
            What::Flits { flits, .. } => (flits.into(), 0),
        };
        event.cycle + lasts > start && event.cycle < end + behind
    }
}

fn flits(cycle: u64, side: Side, train: &Train<NetPacket>) -> Event {
    let what = What::Flits { address: train.payload.header as u16, flits: train.flits };
    Event { cycle, port: train.port, side, what }
}

impl SwitchModel for WatchedSwitch {
    fn step(&mut self, now: u64, inputs: &Inputs<NetPacket>) -> &Outputs<NetPacket> {
        SwitchModel::step(&mut self.golden, now, inputs);
        let outputs = self.golden.outputs();
        let mut seen = self.seen.lock().expect("no other thread has panicked");
        // What has come in is on the links in this cycle, what was stepped shows from the next one on.
        let is_node = |port: u8| self.to_nodes >> port & 1 == 1;
        let trains = inputs.trains.iter().filter(|train| is_node(train.port));
        let come = trains.map(|train| flits(now, Side::Node, train));
        let signals = inputs.neighbours.iter().filter(|signal| is_node(signal.port));
        let hints = signals.map(|&Signal { port, hint, .. }| Event {
            cycle: now,
            port,
            side: Side::Node,
            what: What::Hint(hint),
        });
        let cycle = now + 1;
        let begun = outputs.trains.iter().map(|train| flits(cycle, Side::Port, train));
        seen.events.extend(come.chain(hints).chain(begun).filter(|event| self.is_kept(event)));
        if cycle <= self.cycles.start {
            seen.at_first = outputs.sideband;
        }
        let changed = outputs.sideband.differences(&self.shown);
        for port in (0..64).filter(|port| changed >> port & 1 == 1) {
            let (signal, before) = (outputs.sideband.of(port), self.shown.of(port));
            let of = |what| Event { cycle, port: signal.port, side: Side::Port, what };
            let phase = (signal.phase != before.phase).then(|| of(What::Phase(signal.phase)));
            let hint = (signal.hint != before.hint).then(|| of(What::Hint(signal.hint)));
            seen.events.extend(phase.into_iter().chain(hint).filter(|event| self.is_kept(event)));
        }
        self.shown = outputs.sideband;
        drop(seen);
        outputs
    }

    fn credits_come(&mut self, now: u64, credits: &[Credits]) -> bool {
        SwitchModel::credits_come(&mut self.golden, now, credits)
    }

    fn next_event(&self) -> u64 {
        SwitchModel::next_event(&self.golden)
    }

    fn golden(&self) -> &Switch<NetPacket> {
        &self.golden
    }

    fn golden_mut(&mut self) -> &mut Switch<NetPacket> {
        &mut self.golden
    }
}
