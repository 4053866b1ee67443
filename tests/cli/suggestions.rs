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
        (&["verify", "--block", "selectr"], "did you mean `selector`?"),
        (&["verify", "--coverage", "--block", "selectr"], "did you mean `selector`?"),
        (&["bitstream", "--board", "ulx3s-85"], "did you mean `ulx3s-85f`?"),
        (&["synth", "--target", "ecp5-85"], "did you mean `ecp5-85f`"),
        (&["host", "get", "switch.polciy"], "did you mean `switch.policy`?"),
        (&["host", "get", "port0.status.phas"], "did you mean `phase`?"),
        (&["host", "set", "nod0.load", "1"], "did you mean `node0.load`"),
        (&["check", "--block", "selectr", "--backend", "rust"], "did you mean `selector`?"),
        (&["trace", "--input", HPL, "--policy", "firston"], "did you mean `first-on`?"),
    ] {
        refused(arguments, meant);
    }
}

#[test]
fn errors_name_the_option_and_come_first() {
    refused(&["sim", "--input", "nofile"], "trace `nofile` not found");
    refused(&["sim", "--mix", "nofile"], "can't read nofile");
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
    refused(&["sim", "--policy", "powar,powar"], "policy: powar is there twice");
}

/// Fields and columns of files.
#[test]
fn what_was_meant_in_a_file_is_named() {
    let experiment = "title = 't'\n[simulation]\ntopology = 'k4-n2'\nwarm_up = 5\ntraffic = { kind = 'synthetic' }\n[[sweep]]\nname = 'load'\n\
                      key = 'traffic.load'\nvalues = [0.1]\n[[figure]]\nname = 'f'\ntitle = 'f'\nkind = 'lines'\n\
                      x = 'load'\npanels = [{ y = 'u_port', label = 'share' }]\n";
    let config = Scratch::new().succeed(&["presets", "--show", "fat-tree-2"]);
    for (command, text, right, slip, meant) in [
        ("experiment", experiment, "warm_up", "warmup", "did you mean `warm_up`?"),
        ("experiment", experiment, "panels", "panel", "did you mean `panels`?"),
        ("experiment", experiment, "'lines'", "'line'", "did you mean `lines`"),
        ("experiment", experiment, "'u_port'", "'uport'", "did you mean `u_port`?"),
        ("check", &config, "deterministic", "determinstic", "did you mean `deterministic`?"),
    ] {
        let scratch = Scratch::new();
        assert!(text.contains(right), "{right}");
        scratch.write("f.toml", text.replacen(right, slip, 1));
        let file: &[&str] = if command == "check" { &["--config", "f.toml"] } else { &["f.toml"] };
        scratch.fail(&[&[command], file].concat(), &[meant]);
    }
}
