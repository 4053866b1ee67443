//! `--json`: what programs read.

use crate::bad_traces::write_small_trace;
use crate::{HPL, Scratch};
use serde_json::Value;

#[track_caller]
fn json(scratch: &Scratch, arguments: &[&str]) -> Value {
    let output = scratch.succeed(&[arguments, &["--json"]].concat());
    serde_json::from_str(&output).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {output}"))
}

#[track_caller]
fn has(value: &Value, fields: &[&str]) {
    for field in fields {
        assert!(value.get(field).is_some_and(|found| !found.is_null()), "{field} is not in {value}");
    }
}

#[test]
fn presets() {
    let scratch = Scratch::new();
    let all = json(&scratch, &["presets"]);
    let all = all.as_array().unwrap();
    assert!(all.len() >= 7);
    for preset in all {
        has(preset, &["name", "ports", "requesters", "groups", "summary"]);
        let one = json(&scratch, &["presets", "--show", preset["name"].as_str().unwrap()]);
        assert_eq!((&one["name"], &one["ports"]), (&preset["name"], &preset["ports"]));
        has(&one, &["mechanism", "topology"]);
        assert_eq!(one["mechanism"]["kind"], "powar");
        has(&one["mechanism"], &["pdt", "t_sleep", "t_wake", "check_period", "t_on", "t_off", "policy"]);
    }
}

#[test]
fn emit() {
    let scratch = Scratch::new();
    let written = json(&scratch, &["emit", "--preset", "fat-tree-2", "--out", "design"]);
    assert_eq!(written["top"], "fat_tree_2_power_controller");
    assert!(written["modules"].as_array().unwrap().contains(&"fat_tree_2_power_controller_selector".into()));
    let files = written["files"].as_array().unwrap();
    assert!(files.len() >= 3);
    assert!(files.iter().all(|file| scratch.path().join(file.as_str().unwrap()).is_file()));
    let switch = json(&scratch, &["emit", "--preset", "fat-tree-2", "--out", "switch", "--top", "switch"]);
    assert_eq!(switch["top"], "fat_tree_2_powar_switch");
    let content =
        |name: &str| std::fs::read_to_string(scratch.path().join("switch").join(format!("fat_tree_2_{name}"))).unwrap();
    let map: Value = serde_json::from_str(&content("powar_registers.json")).unwrap();
    assert!(map.is_object() && content("powar_registers.h").contains("#define FAT_TREE_2_POWAR_PORTS 4u"));
    assert!(content("powar_registers.md").contains("`wake_ups`"));
    let selector = json(&scratch, &["emit", "--preset", "fat-tree-2", "--out", "selector", "--top", "selector"]);
    assert_eq!(selector["top"], "fat_tree_2_selector");
}

#[test]
fn check() {
    let scratch = Scratch::new();
    let report = json(&scratch, &["check", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "300"]);
    has(&report, &["configuration", "block", "backend", "equal", "cycles", "signals", "bits", "cycles_per_second"]);
    assert_eq!((&report["configuration"], &report["backend"]), (&"fat-tree-2".into(), &"rust-hdl".into()));
    assert_eq!((&report["equal"], &report["cycles"]), (&true.into(), &300.into()));
    assert!(report.get("difference").is_none() && report.get("vcd").is_none());
    let blocks = ["check", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "300", "--block", "selector"];
    assert_eq!(json(&scratch, &[&blocks[..], &["--vcd", "s.vcd"]].concat())["vcd"], "s.vcd");
}

#[test]
fn check_of_the_switch() {
    let scratch = Scratch::new();
    let check = ["check", "--top", "switch", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "400"];
    let report = json(&scratch, &[&check[..], &["--vcd", "s.vcd"]].concat());
    assert_eq!((&report["block"], &report["equal"]), (&"powar_switch".into(), &true.into()));
    has(&report["links"], &["cycles", "flits_in", "flits_out", "packets_out", "packets_dropped", "overflow_errors"]);
    assert!(report["links"]["packets_out"].as_u64().unwrap() > 10, "{report}");
    let waves = std::fs::read_to_string(scratch.path().join("s.gtkw")).unwrap();
    assert!(waves.contains("port0.vc0.state_name"), "{waves}");
}

#[test]
fn trace() {
    let scratch = Scratch::new();
    let arguments = ["trace", "--input", HPL, "--cycles", "200000", "--pdt", "1us,10us"];
    let comparison = json(&scratch, &arguments);
    has(&comparison, &["configuration", "ports", "packets", "flits", "reference_ns", "ideal", "rows"]);
    has(&comparison["ideal"], &["awake_share", "w_net", "e_net", "worked"]);
    let rows = comparison["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1 + 3 * 2, "Reference, and three policies at two thresholds");
    for row in rows {
        has(
            row,
            &["policy", "cycles", "packets", "awake_share", "wake_ups", "delayed", "mean_delay_ns", "max_delay_ns"],
        );
        has(row, &["mean_latency_ns", "w_net", "e_net"]);
        has(&row["worked"], &["w_net", "e_net"]);
        assert_eq!(row["packets"], comparison["packets"]);
        assert_eq!(row["pdt_ns"].is_null(), row["policy"] == "Reference");
    }
    assert_eq!(json(&scratch, &[&arguments[..], &["--policy", "powar"]].concat())["rows"].as_array().unwrap().len(), 2);
}

/// A threshold that no port waits for leaves rows that are all the same: why is said.
#[test]
fn a_trace_in_which_no_port_sleeps() {
    let scratch = Scratch::new();
    let arguments = ["trace", "--input", HPL, "--cycles", "20000", "--pdt", "1ms,10ms"];
    let note = |policy: &str| {
        let comparison = json(&scratch, &[&arguments[..], &["--policy", policy]].concat());
        assert!(comparison["rows"].as_array().unwrap().iter().all(|row| row["awake_share"] == 1.0), "{comparison}");
        comparison["notes"][0].as_str().unwrap_or_default().to_owned()
    };
    assert!(note("powar").starts_with("powar saved nothing: no port drew less than full power in these "));
    assert!(note("all").starts_with("round-robin, first-on, powar saved nothing: "), "{}", note("all"));
    assert!(note("all").ends_with("a port goes to sleep when it has been idle for pdt = 1ms"), "{}", note("all"));
    assert_eq!(note("reference"), "");
    let printed = scratch.succeed(&arguments);
    assert!(printed.contains("\nnote: round-robin, first-on, powar saved nothing: "), "{printed}");
}

#[test]
fn a_trace_of_ones_own() {
    let scratch = Scratch::new();
    write_small_trace(&scratch, "trace");
    let comparison = json(&scratch, &["trace", "--preset", "fat-tree-2", "--input", "trace", "--pdt", "0"]);
    let flits = comparison["flits"].as_u64().unwrap();
    assert!((4096 / 16..2 * 4096 / 16).contains(&flits), "4 KiB in flits of 16 bytes and heads: {flits}");
}

#[test]
fn tools() {
    if !powar_tools::Tools::locate().is_ok_and(|tools| tools.is_pinned()) {
        eprintln!("skipped: the pinned tools are not installed, and a test of the command line should not load them");
        return;
    }
    let tools = json(&Scratch::new(), &["tools"]);
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(["verilator", "yosys", "nextpnr-ecp5"].iter().all(|name| names.contains(name)), "{names:?}");
}

#[test]
fn area() {
    if powar_tools::tools_or_skip("area").is_none() {
        return;
    }
    let scratch = Scratch::new();
    let reports =
        json(&scratch, &["synth", "--area", "--preset", "fat-tree-2", "--block", "check_timer", "--out", "out"]);
    let [report] = &reports.as_array().unwrap()[..] else { panic!("{reports}") };
    has(report, &["module", "target", "area_unit", "whole", "capacity", "blocks", "tools", "commands"]);
    assert_eq!((&report["module"], &report["blocks"][0]["instances"]), (&"check_timer".into(), &1.into()));
    for name in ["report.json", "report.md", "area.svg", "area.png", "synthesis.ys", "by-block.ys", "check_timer.v"] {
        assert!(scratch.path().join("out/fat-tree-2/check_timer").join(name).is_file(), "{name}");
    }
}

#[test]
fn area_of_several_blocks() {
    if powar_tools::tools_or_skip("area_of_several_blocks").is_none() {
        return;
    }
    let scratch = Scratch::new();
    let said = scratch.succeed(&["synth", "--area", "--preset", "fat-tree-2", "--block", "vc_arbiter,check_timer"]);
    let rows: Vec<&str> = said.lines().filter(|line| line.starts_with("| ")).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(names[..1], ["block"], "{said}");
    assert_eq!(names[2..], ["`vc_arbiter`", "`check_timer`"], "{said}");
}

#[test]
fn area_on_several_chips() {
    if powar_tools::tools_or_skip("area_on_several_chips").is_none() {
        return;
    }
    let scratch = Scratch::new();
    let command = ["synth", "--area", "--preset", "fat-tree-2", "--block", "check_timer", "--out", "out"];
    let command = [&command[..], &["--target", "gw2a-18,ccgm1a1,lifcl-40"]].concat();
    let reports = json(&scratch, &command);
    let targets: Vec<&Value> = reports.as_array().unwrap().iter().map(|report| &report["target"]["name"]).collect();
    assert_eq!(targets, ["gw2a-18", "ccgm1a1", "lifcl-40"]);
    for (target, report) in ["gw2a-18", "ccgm1a1", "lifcl-40"].iter().zip(reports.as_array().unwrap()) {
        assert!(report["whole"]["area"].as_u64() > Some(10), "{report}");
        assert!(scratch.path().join("out/fat-tree-2/check_timer").join(target).join("report.md").is_file(), "{target}");
    }
    let said = scratch.succeed(&command);
    let rows: Vec<&str> = said.lines().filter(|line| line.starts_with("| `check_timer`")).collect();
    assert_eq!(rows.len(), 2, "{said}");
}

#[test]
fn bitstream() {
    if powar_tools::tools_or_skip("bitstream").is_none() {
        return;
    }
    let scratch = Scratch::new();
    let blink = |clock: &str| {
        format!(
            "module top(input {clock}, output [3:0] led); reg [27:0] count; assign led = count[27:24];\n\
             always @(posedge {clock}) count <= count + 1;\nendmodule\n"
        )
    };
    scratch.write("ulx3s.v", blink("clk_25mhz"));
    scratch.write("arty.v", blink("clk_100mhz"));
    scratch.fail(&["bitstream", "--module", "top", "--out", "out", "arty.v"], &["pin", "clk_100mhz", "ulx3s-85f.lpf"]);
    scratch.fail(&["bitstream", "--module", "none", "--out", "out", "arty.v"], &["synthesis of none failed", "none"]);
    let made = json(&scratch, &["bitstream", "--module", "top", "--out", "out", "ulx3s.v"]);
    has(&made, &["module", "board", "target", "resources", "clocks", "seed", "file", "load"]);
    assert_eq!((&made["meets_clocks"], &made["load"]), (&true.into(), &"openFPGALoader -b ulx3s top.bit".into()));
    for name in ["top.bit", "report.json", "report.md", "ulx3s.v", "ulx3s-85f.lpf", "synthesis.ys"] {
        assert!(scratch.path().join("out").join(name).is_file(), "{name}");
    }
    let project = ["bitstream", "--board", "arty-a7-100t", "--module", "top", "--out", "arty", "arty.v"];
    let project = json(&scratch, &project);
    assert_eq!(project["commands"][1], "vivado -mode batch -source build.tcl");
    // With the list of what was written.
    assert_eq!(project["files"].as_array().unwrap().len(), 4);
}

#[test]
fn scripts_for_vivado() {
    let scratch = Scratch::new();
    json(&scratch, &["emit", "--preset", "fat-tree-2", "--top", "selector", "--vivado", "--out", "design"]);
    let read = |name: &str| std::fs::read_to_string(scratch.path().join("design").join(name)).unwrap();
    let script = read("build.tcl");
    // The files in the order of their list.
    assert!(
        script.contains(&read("fat_tree_2_selector.f").lines().map(|name| format!("    {name}\n")).collect::<String>()),
        "{script}"
    );
    assert!(read("clock.xdc").contains("create_clock -name clk -period 10.00 [get_ports clk]"));
}
