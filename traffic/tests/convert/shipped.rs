//! The shipped traces, and skeletons of their programs.

use super::{check_text, converted, goal_text, ideal};
use powar_traffic::{Polls, ReplayOptions, Trace, TrafficOptions};
use std::collections::BTreeSet;
use std::path::Path;

fn shipped(name: &str) -> Trace {
    Trace::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbenches/traces").join(name)).unwrap()
}

/// Converts, replays, compares the messages; returns the cycles of the program and of its GOAL form.
#[track_caller]
fn check(trace: &Trace, polls: Polls) -> (u64, u64) {
    let replay = ReplayOptions { polls, ..ReplayOptions::default() };
    let options = TrafficOptions { replay: replay.clone(), ..TrafficOptions::default() };
    let goal = converted(trace, "x.goal", &replay);
    let (of_calls, of_goal) = (ideal(trace, &options), ideal(&goal, &options));
    assert!(of_calls.pairs == of_goal.pairs, "other messages");
    eprintln!("{}, {polls:?}: {} cycles, as GOAL {}", trace.name(), of_calls.cycles, of_goal.cycles);
    (of_calls.cycles, of_goal.cycles)
}

/// The cycles of the GOAL form over those of the program are within `range`.
#[track_caller]
fn check_cycles(trace: &Trace, polls: Polls, range: std::ops::RangeInclusive<f64>) {
    let (calls, goal) = check(trace, polls);
    assert!(range.contains(&(goal as f64 / calls as f64)), "{calls} {goal}");
}

/// Where polls wait GOAL is never slower: it does not wait until messages have left. Where they go on, a replay of calls gives a receive that is
/// waited for the message of an older one that was polled for in vain; GOAL gives each its own.
#[test]
fn hpl() {
    let trace = shipped("hpl-64.tar.xz");
    check_cycles(&trace, Polls::Wait, 0.95..=1.0);
    check_cycles(&trace, Polls::GoOn, 0.95..=1.05);
}

#[test]
fn gromacs() {
    check_cycles(&shipped("gromacs-64.tar.xz"), Polls::GoOn, 0.95..=1.0);
}

/// Its receives take what comes first in the logs, and by name in GOAL.
#[test]
fn random_access() {
    let trace = shipped("random-access-64.tar.xz");
    check_cycles(&trace, Polls::GoOn, 1.0..=1.3);
    check_cycles(&trace, Polls::Wait, 1.0..=1.5);
}

#[test]
fn skeletons() {
    check_cycles(&Trace::skeleton("hpl:n=1024,nb=64,p=4,q=4").unwrap(), Polls::GoOn, 0.95..=1.0);
    let trace = Trace::skeleton("random-access").unwrap();
    check_cycles(&trace, Polls::GoOn, 0.95..=1.0);
    let text = goal_text(&trace, &ReplayOptions::default());
    check_text(&text);
    // All tags of the world are one, since all receives leave it open.
    let tags = |word: &str| -> BTreeSet<&str> {
        let lines = text.lines().filter(|line| line.contains(word));
        lines.map(|line| line.rsplit(' ').next().unwrap()).collect()
    };
    let open = tags(" from -1 ");
    assert!(open.len() == 1 && open.is_subset(&tags(": send ")), "{open:?}");
}
