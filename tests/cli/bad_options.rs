//! Options with wrong values.

use crate::{HPL, Scratch};

#[test]
fn unknown_words() {
    let scratch = Scratch::new();
    scratch.fail(&["emmit"], &["emmit", "emit", "--help"]);
    scratch.fail(&["emit", "--outt", "x"], &["--outt", "--out"]);
    scratch.fail(&["emit"], &["--out", "not provided"]);
    scratch.fail(&["check", "--seed", "1", "--input", HPL], &["--seed", "--input"]);
    scratch.fail(&["check", "--switch", "3"], &["--input", "not provided"]);
}

/// What needs an option is refused also where something that is given excludes that option.
#[test]
fn options_that_would_do_nothing() {
    let scratch = Scratch::new();
    let nodes = ["--nodes-per-switch", "cannot be used with", "--topology"];
    scratch.fail(&["sim", "--topology", "file:lab.edges", "--nodes-per-switch", "4"], &nodes);
    scratch.fail(&["check", "routing", "--topology", "star-4", "--nodes-per-switch", "4"], &nodes);
    scratch.fail(&["sim", "--input", HPL, "--matrix-of", "nodes"], &["--matrix-of", "cannot be used with"]);
    scratch.fail(&["sim", "--mix", "low.toml", "--matrix-of", "nodes"], &["--matrix-of", "cannot be used with"]);
    scratch.fail(&["sim", "--load", "0.1", "--tasks-per-node", "2"], &["--tasks-per-node", "cannot be used with"]);
    scratch.fail(&["check", "--seed", "3", "--switch", "2"], &["--switch", "cannot be used with", "--seed"]);
    scratch.fail(&["verify", "--block", "selector", "--hours", "1"], &["--hours", "cannot be used with"]);
    scratch.fail(&["verify", "--quick", "--trials", "9"], &["--trials", "cannot be used with"]);
    scratch.fail(&["verify", "--long", "--trial", "9"], &["--trial", "cannot be used with"]);
    scratch.fail(&["experiment", "a.toml", "--out", "there", "--task", "1/4"], &["--task", "cannot be used with"]);
    scratch.fail(&["experiment", "a.toml", "--jobs", "2", "--per-task", "4"], &["--per-task", "cannot be used with"]);
    scratch.fail(&["bitstream", "--ports", "4", "--module", "top"], &["--module", "cannot be used with", "--ports"]);
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let scratch = Scratch::without_tools();
    let presets = ["preset", "`nope`", "fat-tree-2", "torus-28"];
    scratch.fail(&["presets", "--show", "nope"], &presets);
    scratch.fail(&["emit", "--out", "design", "--preset", "nope"], &presets);
    scratch.fail(&["check", "--preset", "nope"], &presets);
    scratch.fail(&["trace", "--input", HPL, "--preset", "nope"], &presets);
    scratch.fail(&["synth", "--preset", "nope"], &presets);
    scratch.fail(&["bench", "--preset", "nope"], &presets);
    scratch.fail(&["demo", "--preset", "nope"], &presets);
    scratch
        .fail(&["trace", "--input", HPL, "--policy", "nope"], &["policy", "`nope`", "reference", "first-on", "powar"]);
    let blocks = ["block", "`nope`", "selector", "port_power_fsm", "power_controller"];
    scratch.fail(&["check", "--block", "nope"], &blocks);
    scratch.fail(&["synth", "--block", "nope"], &blocks);
    scratch.fail(&["synth", "--target", "nope"], &["target", "nope", "ecp5-12f", "ecp5-85f", "ice40-hx8k", "xc7a100t"]);
    scratch.fail(&["synth", "--target", "xc7a100t"], &["target", "xc7a100t", "--area", "--vivado", "build.tcl"]);
    scratch.fail(&["synth", "--target", "lifcl-40"], &["target", "lifcl-40", "--area", "nextpnr-nexus"]);
    scratch.fail(&["synth", "--target", "ecp5-85f,ice40-hx8k"], &["target", "without --area", "one chip, not 2"]);
    scratch.fail(&["synth", "--area", "--target", "ecp5-85f,gw2a-18,ecp5-85f"], &["target", "ecp5-85f is there twice"]);
    let twice = |arguments: &[&str], said: &str| scratch.fail(arguments, &[&format!("{said} is there twice")]);
    twice(&["synth", "--block", "selector,selector"], "block: selector");
    twice(&["trace", "--input", HPL, "--pdt", "1us,10us,1000ns"], "pdt: 1us");
    twice(&["check", "routing", "--topology", "star-4,star-4"], "topology: star-4");
    twice(&["check", "ring", "--topology", "boards-4x2,boards-4x2"], "topology: boards-4x2");
    twice(&["bench", "--preset", "torus-28,torus-28"], "preset: torus-28");
    twice(&["verify", "--block", "selector,selector"], "block: selector");
    scratch.fail(&["synth", "--area", "--target", "gw2a-18,"], &["target", "`` is unknown", "gw2a-18"]);
    scratch.fail(&["synth", "--area", "--arbiter-comparison"], &["--area", "--arbiter-comparison"]);
    scratch.write("top.v", "module top(input clk_25mhz); endmodule");
    scratch.fail(&["bitstream", "--board", "nope", "top.v"], &["board", "nope", "ulx3s-85f", "arty-a7-100t"]);
    scratch.fail(&["bitstream", "--board", "arty-a7-100t"], &["board", "no demonstrator for arty-a7-100t"]);
    scratch.fail(&["bitstream", "--ports", "5"], &["ports", "5", "4 or 8"]);
    scratch.fail(&["bitstream", "--ports", "4", "--preset", "fat-tree-2"], &["ports: beside --preset"]);
    scratch.fail(&["bitstream", "--preset", "fat-tree-2", "top.v"], &["files: beside --preset"]);
    scratch.fail(&["bitstream", "--preset", "fat-tree-32"], &["ports: 64 is out of range 2..=60"]);
    scratch.fail(&["bitstream", "--clock", "500"], &["500 MHz", "3.125..=400"]);
    scratch.fail(&["bitstream", "--ports", "4", "top.v"], &["--ports", "cannot be used with"]);
    scratch.fail(&["bitstream", "--module", "top"], &["FILE", "not provided"]);
    let demonstrator = ["emit", "--top", "demonstrator", "--preset", "fat-tree-32", "--out", "design"];
    scratch.fail(&demonstrator, &["ports: 64 is out of range 2..=60 for a demonstrator"]);
    scratch.fail(&["bitstream", "--module", "top", "absent.v"], &["cannot read absent.v"]);
    scratch.fail(&["bitstream", "--module", "a;b", "top.v"], &["top module", "a;b"]);
    scratch.fail(&["emit", "--out", "design", "--vivado", "ecp5-85f"], &["target", "ecp5-85f", "xc7a100t"]);
    scratch.fail(&["emit", "--out", "design", "--vivado", "gw2a-18"], &["target", "gw2a-18", "xc7a100t"]);
    scratch.fail(&["emit", "--out", "design", "--top", "nope"], &["--top", "nope", "controller", "selector"]);
    scratch.fail(&["check", "--backend", "nope"], &["--backend", "nope", "verilator", "rust"]);
}

#[test]
fn numbers_and_durations_out_of_range() {
    let scratch = Scratch::new();
    for pdt in ["10xs", "us", "1.2.3us", "", "10us,ten", "1e3"] {
        scratch.fail(&["trace", "--input", HPL, "--pdt", pdt], &["--pdt", "ns, us, ms or s"]);
    }
    for pdt in [&["--pdt=-5us"][..], &["--pdt", "-5us"], &["--pdt", "10us,-5us"]] {
        let named = ["--pdt", "`-5us` is out of range; a duration is 0 or more, in ns, us, ms or s"];
        scratch.fail(&[&["trace", "--input", HPL], pdt].concat(), &named);
    }
    scratch.fail(&["trace", "--input", HPL, "--switch", "-1"], &["--switch", "-1", "0 or more"]);
    let long = ["trace", "--input", HPL, "--cycles", "200000", "--pdt", "1s"];
    scratch.fail(&long, &["pdt", "625000000 cycles", "0..=16777215"]);
    for cycles in ["0", "-1", "ten", "1.5", "18446744073709551616"] {
        let cycles = format!("--cycles={cycles}");
        scratch.fail(&["check", &cycles], &["--cycles", "whole number in 1..="]);
        scratch.fail(&["trace", "--input", HPL, &cycles], &["--cycles", "whole number in 1..="]);
    }
    for seconds in ["0", "-1", "inf", "nan", "1e9", "two"] {
        scratch.fail(&["bench", &format!("--seconds={seconds}")], &["--seconds", seconds, "0.1..=600"]);
    }
    let against = |of: &str| format!("--against={of}");
    scratch.fail(&["bench", &against("caminos=/bin/sh")], &["--networks"]);
    for (of, expected) in [
        ("caminos", "expected NAME=FILE, NAME one of booksim2, caminos"),
        ("simics=/bin/sh", "unknown simulator `simics`; known: booksim2, caminos"),
        ("booksim2=/no/where", "can't find the program /no/where"),
    ] {
        scratch.fail(&["bench", "--networks", &against(of)], &["--against", expected]);
    }
    for seed in ["-1", "x"] {
        scratch.fail(&["check", "--seed", seed], &["--seed", seed, "whole number in 0..="]);
    }
    for cycles in ["0", "2", "-1", "many", "1000001"] {
        let bench = format!("--testbench={cycles}");
        scratch.fail(&["emit", "--out", "design", &bench], &["--testbench", cycles, "whole number in 3..=1000000"]);
    }
    scratch.fail(&["emit", "--out", "design", "--seed", "3"], &["--testbench", "not provided"]);
    for cycles in ["--rust-cycles=0", "--verilator-cycles=x", "--verilator-cycles=-1"] {
        scratch.fail(&["demo", cycles], &[cycles.split('=').next().unwrap(), "whole number in 1..="]);
    }
}

#[test]
fn links_of_a_switch() {
    let scratch = Scratch::new();
    let switch = ["check", "--top", "switch", "--preset", "fat-tree-2"];
    let fail = |options: &[&str], named: &[&str]| scratch.fail(&[&switch[..], options].concat(), named);
    for load in ["-0.1", "1.01", "nan", "much"] {
        fail(&[&format!("--load={load}")], &["--load", load, "0..=1"]);
    }
    fail(&["--traffic", "nope"], &["--traffic", "nope", "uniform", "hot-spot", "permutation", "bursty", "trace"]);
    fail(&["--disturbances", "nope"], &["--disturbances", "nope", "none", "legal", "all"]);
    fail(&["--traffic", "trace"], &["--traffic trace", "--input"]);
    let other_traffic = ["check", "--top", "switch", "--cycles", "1000000", "--traffic", "uniform", "--input", HPL];
    scratch.fail(&other_traffic, &["--input", "--traffic trace"]);
    for option in ["--node", "--stage"] {
        fail(&[option, "-1"], &[option, "'-1'", "0 or more"]);
    }
    fail(&["--node", "4"], &["--node", "4", "0..=3"]);
    fail(&["--stage", "2"], &["--stage", "2", "0..=1"]);
    fail(&["--block", "selector"], &["--top", "--block"]);
    for option in
        [["--load", "0.5"], ["--traffic", "bursty"], ["--disturbances", "all"], ["--node", "0"], ["--stage", "0"]]
    {
        let named = [option[0], "power_controller", "--top switch"];
        scratch.fail(&[&["check", "--preset", "fat-tree-2"][..], &option].concat(), &named);
    }
    let config = scratch.succeed(&["presets", "--show", "fat-tree-2"]);
    scratch.write("controller.toml", config.split("[topology]").next().unwrap());
    for command in [&["check"][..], &["emit", "--out", "design"]] {
        let arguments = [command, &["--top", "switch", "--config", "controller.toml"]].concat();
        scratch.fail(&arguments, &["topology", "star, fat-tree, mesh, torus"]);
    }
}

#[test]
fn packets_drive_the_controller_only() {
    let arguments = ["check", "--input", HPL, "--block", "selector"];
    Scratch::new().fail(&arguments, &["--input", "power_controller", "selector"]);
}
