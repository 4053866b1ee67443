//! Names that there are not are answered with those that were meant, before anything begins.

use crate::{HPL, Scratch, text};

/// The error of a command alone: it has not said that it had begun.
#[track_caller]
fn refused(arguments: &[&str], said: &str) {
    let output = Scratch::new().run(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(error.starts_with("powar: ") && error.lines().count() == 1, "{arguments:?}: {error}");
    assert!(error.contains(said), "{arguments:?}: {error} does not say {said}");
}

#[test]
fn what_was_meant_is_named() {
    for (arguments, meant) in [
        (&["sim", "--policy", "pwar"][..], "did you mean `powar`?"),
        (&["sim", "--topology", "toros-4x4"], "did you mean torus-AxBx..[-trunkL][-nodesC]?"),
        (&["sim", "--topology", "8-ary-tree"], "did you mean K-ary-N-tree"),
        (&["sim", "--routing", "fattree"], "did you mean `fat-tree`?"),
        (&["sim", "--traffic", "unifrom"], "did you mean `uniform`?"),
        (&["sim", "--arrivals", "bernouli"], "did you mean `bernoulli`?"),
        (&["sim", "--skeleton", "hpll"], "did you mean `hpl`?"),
        (&["sim", "--skeleton", "hpl:nn=4"], "did you mean `n`"),
        (&["sim", "--input", HPL, "--placement", "linaer"], "did you mean `linear`?"),
        (&["sim", "--input", HPL, "--collectives", "textbok"], "did you mean `textbook`?"),
        (&["presets", "--show", "fat-tree8"], "did you mean `fat-tree-8`"),
        (&["check", "--block", "selectr", "--backend", "rust"], "did you mean `selector`?"),
        (&["trace", "--input", HPL, "--policy", "firston"], "did you mean `first-on`?"),
    ] {
        refused(arguments, meant);
    }
}

#[test]
fn errors_name_the_option_and_come_first() {
    refused(&["sim", "--input", "nofile"], "trace `nofile` not found");
    refused(&["sim", "--jobs", "nofile"], "can't read nofile");
    refused(&["sim", "--load", "1e308"], "load is `1e308`, expected a number above 0 up to 1");
    refused(&["bitstream", "--clock", "-3"], "invalid value '-3' for '--clock <MHZ>': expected a number above 0");
    refused(&["bitstream", "--clock", "5000"], "clock: pll output: 5000 MHz is out of range");
}

#[test]
fn options_that_make_no_difference_are_refused_alike() {
    for policy in ["reference", "ideal"] {
        let said = format!("--pdt: makes no difference to policy {policy}; leave it out");
        refused(&["sim", "--policy", policy, "--pdt", "10us"], &said);
    }
    refused(&["sim", "--policy", "first-on", "--t-on", "0.4"], "--t-on: makes no difference to policy first-on");
    refused(&["sim", "--policy", "timetable", "--pdt", "10us"], "--pdt: is no parameter of timetable");
    refused(
        &["sim", "--policy", "reference,ideal", "--pdt", "1us"],
        "--pdt: makes no difference to any of the policies",
    );
    refused(&["sim", "--policy", "reference,powar", "--rtl", "all"], "--rtl: is for one policy");
    refused(&["sim", "--policy", "reference,powar", "--links", "l.csv"], "--links: is for one policy");
    refused(&["sim", "--policy", "powar,pwar"], "did you mean `powar`?");
    refused(&["sim", "--policy", "powar,powar"], "policy: `powar` is there twice");
}
