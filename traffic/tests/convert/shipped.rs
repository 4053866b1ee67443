//! The shipped traces, and skeletons of their programs.

use super::{check_text, converted, goal_text, ideal};
use powar_traffic::{ReplayOptions, Trace, TrafficOptions};
use std::path::Path;

fn shipped(name: &str) -> Trace {
    Trace::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbenches/traces").join(name)).unwrap()
}

/// Converts, replays, compares the messages; returns the cycles of the program and of its GOAL form.
#[track_caller]
fn check(trace: &Trace) -> (u64, u64) {
    let (replay, options) = (ReplayOptions::default(), TrafficOptions::default());
    let goal = converted(trace, "x.goal", &replay);
    let (of_calls, of_goal) = (ideal(trace, &options), ideal(&goal, &options));
    assert!(of_calls.pairs == of_goal.pairs, "other messages");
    eprintln!("{}: {} cycles, as GOAL {}", trace.name(), of_calls.cycles, of_goal.cycles);
    (of_calls.cycles, of_goal.cycles)
}

/// GOAL does not wait until messages have left, so it is never slower; `share`: at least so much of the cycles are left.
#[track_caller]
fn check_bounds(trace: &Trace, share: f64) {
    let (calls, goal) = check(trace);
    assert!(goal <= calls && goal as f64 >= share * calls as f64, "{calls} {goal}");
}

#[test]
fn hpl() {
    check_bounds(&shipped("hpl-64.tar.xz"), 0.9);
}

#[test]
fn gromacs() {
    check_bounds(&shipped("gromacs-64.tar.xz"), 0.9);
}

/// Its receives take what comes first in the logs, and by name in GOAL.
#[test]
fn random_access() {
    let (calls, goal) = check(&shipped("random-access-64.tar.xz"));
    assert!(goal.abs_diff(calls) as f64 <= 0.1 * calls as f64, "{calls} {goal}");
}

#[test]
fn skeletons() {
    check_bounds(&Trace::skeleton("hpl:n=1024,nb=64,p=4,q=4").unwrap(), 0.5);
    let trace = Trace::skeleton("random-access").unwrap();
    check(&trace);
    let text = goal_text(&trace, &ReplayOptions::default());
    check_text(&text);
    assert!(text.contains("from -1 tag 2147483648\n"));
}
