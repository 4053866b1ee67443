//! Programs of MPI calls in other formats: the same messages, the same waits.

use crate::common;

mod goal;
mod logs;
mod random;
mod refused;
mod shipped;

use powar_traffic::format::convert::{Conversion, Counts, Destination};
use powar_traffic::program::run_ideal;
use powar_traffic::replay::Hops;
use powar_traffic::workload::{Message, Workload};
use powar_traffic::{Placement, PlacementOptions, ProgramReplay, ReplayOptions, Trace, TrafficOptions};
use std::collections::{BTreeMap, BTreeSet};
use tempfile::TempDir;

/// Flits of a byte: messages show their bytes.
fn by_byte(replay: ReplayOptions) -> TrafficOptions {
    TrafficOptions { replay, packet_bytes: 1, flit_bytes: 1, ..TrafficOptions::default() }
}

/// Writes a program under a file name whose ending tells the format.
fn write(trace: &Trace, name: &str, replay: &ReplayOptions) -> anyhow::Result<(TempDir, Counts)> {
    let folder = TempDir::new()?;
    let hops = || -> anyhow::Result<Hops> { Ok(Box::new(|_, _| 3)) };
    let destination = Destination::of(name, None)?;
    let conversion = Conversion { options: by_byte(replay.clone()), hops: &hops, name: destination.bare_name(name) };
    let mut file = std::fs::File::create(folder.path().join(name))?;
    let counts = destination.write(trace, &conversion, &mut file)?;
    Ok((folder, counts))
}

/// The same program in another format.
#[track_caller]
fn converted(trace: &Trace, name: &str, replay: &ReplayOptions) -> Trace {
    let (folder, _) = write(trace, name, replay).unwrap();
    Trace::open(&folder.path().join(name)).unwrap()
}

/// The text of a program as GOAL.
#[track_caller]
fn goal_text(trace: &Trace, replay: &ReplayOptions) -> String {
    let (folder, _) = write(trace, "x.goal", replay).unwrap();
    std::fs::read_to_string(folder.path().join("x.goal")).unwrap()
}

/// Messages and flits of each pair of nodes.
type Pairs = BTreeMap<(u32, u32), (u64, u64)>;

/// What came of a program, one rank a node.
#[derive(Debug, PartialEq)]
struct Run {
    pairs: Pairs,
    cycles: u64,
}

fn replay_of(trace: &Trace, options: &TrafficOptions) -> ProgramReplay {
    let placement = Placement::new(trace.ranks(), trace.ranks(), &PlacementOptions::default()).unwrap();
    ProgramReplay::new(trace, options, placement).unwrap()
}

/// Over a network without contention.
#[track_caller]
fn ideal(trace: &Trace, options: &TrafficOptions) -> Run {
    let pairs = std::cell::RefCell::new(Pairs::new());
    let latency = |message: &Message| {
        count(&mut pairs.borrow_mut(), message);
        90
    };
    let run = run_ideal(&mut replay_of(trace, options), trace.ranks(), latency).unwrap();
    Run { pairs: pairs.into_inner(), cycles: run.cycles }
}

fn count(pairs: &mut Pairs, message: &Message) {
    let (messages, flits) = pairs.entry((message.source, message.destination)).or_default();
    (*messages, *flits) = (*messages + 1, *flits + message.flits);
}

/// Over a network whose interfaces take no time: a message has left when it is given and comes in so many cycles later. The first message
/// must not be given in cycle 0.
#[track_caller]
fn instant(trace: &Trace, options: &TrafficOptions, latency: impl Fn(&Message) -> u64) -> Run {
    let mut replay = replay_of(trace, options);
    let mut pairs = Pairs::new();
    let mut arriving: BTreeMap<u64, Vec<Message>> = BTreeMap::new();
    let mut given = Vec::new();
    // The last message of a pair: those between two ranks stay in order.
    let mut last: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut now = 0;
    while !replay.is_over() {
        let next = replay.next_event().min(arriving.first_key_value().map_or(u64::MAX, |(cycle, _)| *cycle));
        assert!(next < u64::MAX, "{:?}", replay.waits());
        now = next.max(now);
        arriving.remove(&now).unwrap_or_default().iter().for_each(|message| replay.delivered(now, message));
        if replay.next_event() <= now {
            replay.act(now, &mut given).unwrap();
        }
        for message in given.drain(..) {
            count(&mut pairs, &message);
            let last = last.entry((message.source, message.destination)).or_default();
            *last = (now + latency(&message)).max(*last);
            arriving.entry(*last).or_default().push(message);
            replay.sent(now - 1, &message);
        }
    }
    Run { pairs, cycles: now }
}

/// All labels are of this trace: what every `requires` names.
fn check_text(text: &str) {
    let mut labels = BTreeSet::new();
    for line in text.lines() {
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["rank", ..] => labels.clear(),
            [label, "requires", required] => assert!(labels.contains(label) && labels.contains(required), "{line}"),
            [label, ..] if label.ends_with(':') => assert!(labels.insert(label.trim_end_matches(':')), "{line}"),
            _ => {}
        }
    }
}
