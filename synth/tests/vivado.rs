//! The scripts for Vivado, as far as they can be tested without it: a Tcl interpreter in which Vivado's commands write down how they
//! are called. Needs tclsh; the project for a board needs Yosys too.

use powar_synth::{Clocked, Crossing, Design, Target, board, crossing_constraints, vivado_project, vivado_scripts};
use powar_tools::{Progress, tools_or_skip};
use std::path::Path;
use std::process::Command;

/// Vivado's commands: each prints its name and its words; files must exist, as they must for Vivado. Words that begin with `-` and
/// are no option of the command are an error.
const STUBS: &str = r#"
proc known {command words options} {
    foreach word $words {
        if {[string match -* $word] && $word ni $options} { error "$command has no option $word" }
    }
    puts "$command $words"
}
proc read_file {command words options} {
    known $command $words $options
    if {![file exists [lindex $words end]]} { error "$command: [lindex $words end] does not exist" }
}
proc read_verilog {args} { read_file read_verilog $args {-sv -library} }
proc read_xdc {args} { read_file read_xdc $args {-mode -cells -ref -unmanaged}; source [lindex $args end] }
proc synth_design {args} { known synth_design $args {-top -part -mode -flatten_hierarchy} }
foreach command {opt_design place_design phys_opt_design route_design} { proc $command {} "puts $command" }
proc report_utilization {args} { known report_utilization $args {-hierarchical -file} }
proc report_timing_summary {args} { known report_timing_summary $args {-file} }
proc write_checkpoint {args} { known write_checkpoint $args {-force} }
proc write_bitstream {args} { known write_bitstream $args {-force} }
proc get_timing_paths {args} { known get_timing_paths $args {-max_paths -setup -hold}; return path }
proc get_property {args} { puts "get_property $args"; return 1.25 }
proc get_ports {name} { return "port:$name" }
proc get_cells {args} { return "cells:[lindex $args end]" }
proc get_clocks {args} { return "clock:[lindex $args end]" }
proc set_max_delay {args} { known set_max_delay $args {-quiet -datapath_only -from -to} }
proc set_bus_skew {args} { known set_bus_skew $args {-from -to} }
proc current_design {} { return design }
proc create_clock {args} { known create_clock $args {-name -period -waveform -add} }
proc set_property {args} { known set_property $args {-dict} }
source build.tcl
"#;

/// Writes the files and runs the script with the stubs from another folder; returns what was called. None without tclsh.
fn run(files: &[(String, String)]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    // A blank in the path is usual where Vivado runs.
    let inside = folder.path().join("a project");
    std::fs::create_dir(&inside).unwrap();
    for (name, text) in files {
        assert_eq!(Path::new(name).file_name().unwrap(), name.as_str(), "names are relative");
        std::fs::write(inside.join(name), text).unwrap();
    }
    std::fs::write(folder.path().join("stubs.tcl"), STUBS.replace("source build.tcl", "source {a project/build.tcl}"))
        .unwrap();
    let output = match Command::new("tclsh").arg("stubs.tcl").current_dir(&folder).output() {
        Ok(output) => output,
        Err(error) => {
            powar_tools::skip("a script for Vivado in tclsh", &error.to_string());
            return None;
        }
    };
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(inside.join("vivado").is_dir(), "reports have a folder");
    Some(said)
}

const ONE_CLOCK: Clocked = Clocked { clocks: &["clk"], scoped: None };

#[test]
fn a_crossing_is_constrained_between_its_clocks() {
    let sources = ["top.v".to_string()];
    let both = Clocked { clocks: &["send_clk", "receive_clk"], scoped: Some("top.xdc") };
    let mut files = vivado_scripts("top", &sources, &both, &Target::named("xc7a100t").unwrap()).unwrap().to_vec();
    let registers = [
        "sender.g_given[1].given.gray_q",
        "sender.g_returned[1].returned.first_q",
        "sender.g_returned[1].returned.second_q",
        "receiver.written.first_q",
        "receiver.written.second_q",
    ];
    let crossing = Crossing::new("top", registers, ["flit_memory[0]", "flit_memory[1]", "entry_memory"]);
    files.extend(crossing_constraints(&crossing));
    files.push(("top.v".into(), String::new()));
    let Some(said) = run(&files) else { return };
    for part in [
        "create_clock -name send_clk -period 10.00 port:send_clk",
        "create_clock -name receive_clk -period 10.00 port:receive_clk",
        "read_xdc -ref top",
        "set_max_delay -datapath_only -from {cells:sender/written/gray_q_reg[*]} -to {cells:receiver/written/first_q_reg[*]} 1.25",
        "set_bus_skew -from {cells:receiver/g_returned[1].returned/gray_q_reg[*]} -to {cells:sender/g_returned[1].returned/first_q_reg[*]} 1.25",
        "set_max_delay -quiet -datapath_only -from clock:port:send_clk -to {cells:flit_memory_q_reg[*]} 1.25",
        "set_property ASYNC_REG TRUE {cells:receiver/written/second_q_reg[*]}",
    ] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
    assert_eq!(said.matches("set_max_delay").count(), 2 + 2);
    let [_, (name, quartus)] = crossing_constraints(&crossing);
    assert_eq!(name, "top.sdc");
    let called = in_tcl(&format!("{QUARTUS}{quartus}constrain_top {{a|b}} fast slow\n")).expect("there is a tclsh");
    for part in [
        "set_false_path -from {registers:a|b|sender|written|gray_q[*]} -to {registers:a|b|receiver|written|first_q[*]}",
        "set_max_skew -from {registers:a|b|receiver|g_returned[1].returned|gray_q[*]} -to {registers:a|b|sender|g_returned[1].returned|first_q[*]} 8",
        "set_net_delay -max -from {registers:a|b|sender|written|gray_q[*]} -to {registers:a|b|receiver|written|first_q[*]} 4",
        "set_false_path -from clock:fast -to {registers:a|b|entry_memory_q[*]}",
    ] {
        assert!(called.contains(part), "{part} is missing in\n{called}");
    }
}

/// Quartus's commands: each prints how it is called.
const QUARTUS: &str = r#"
foreach command {set_false_path set_max_skew set_net_delay} { proc $command {args} "puts \"$command \$args\"" }
proc get_registers {pattern} { return "registers:[string map {\\ {}} $pattern]" }
proc get_clocks {name} { return "clock:$name" }
proc get_clock_info {option clock} { return [expr {$clock eq "clock:fast" ? 4 : 8}] }
"#;

/// What a script prints; none without tclsh.
fn in_tcl(script: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("script.tcl"), script).unwrap();
    let output = Command::new("tclsh").arg("script.tcl").current_dir(&folder).output().ok()?;
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    Some(said)
}

#[test]
fn a_module_is_measured_without_pins() {
    let sources = ["leaf.v", "top.v"].map(String::from);
    let target = Target::named("xc7a100t").unwrap();
    let mut files = vivado_scripts("top", &sources, &ONE_CLOCK, &target).unwrap().to_vec();
    assert_eq!(files, vivado_scripts("top", &sources, &ONE_CLOCK, &target).unwrap());
    files.extend(sources.map(|name| (name, String::new())));
    let Some(said) = run(&files) else { return };
    let mut rest = said.as_str();
    // In this order.
    for part in [
        "leaf.v",
        "top.v",
        "read_xdc -mode out_of_context",
        "create_clock -name clk -period 10.00 port:clk",
        "synth_design -top top -part xc7a100tcsg324-1 -mode out_of_context",
        "opt_design\nplace_design\nphys_opt_design\nroute_design",
        "report_timing_summary",
        "write_checkpoint",
        "slack 1.25 ns",
    ] {
        let at = rest.find(part).unwrap_or_else(|| panic!("{part} is missing in\n{said}"));
        rest = &rest[at + part.len()..];
    }
    assert!(!said.contains("write_bitstream"));
    let error = vivado_scripts("top", &[], &ONE_CLOCK, &Target::named("ecp5-85f").unwrap()).unwrap_err().to_string();
    assert_eq!(error, "target: ecp5-85f is no chip that Vivado knows; one of xc7a100t");
}

#[test]
fn a_project_for_the_arty_has_the_pins_of_its_design() {
    let Some(tools) = tools_or_skip("a_project_for_the_arty_has_the_pins_of_its_design") else { return };
    let verilog = "module blink(input clk_100mhz, input reset_n, output [3:0] led);\nreg [27:0] count;\n\
                   always @(posedge clk_100mhz) count <= reset_n ? count + 1 : 0;\nassign led = count[27:24];\nendmodule\n";
    let design = Design::new("blink").source("blink.v", verilog);
    let arty = board("arty-a7-100t").unwrap();
    let files = vivado_project(&design, arty, &tools, &Progress::silent()).unwrap();
    let Some(said) = run(&files) else { return };
    let pins: Vec<&str> = said.lines().filter(|line| line.contains("PACKAGE_PIN")).collect();
    assert_eq!(pins.len(), 1 + 1 + 4, "{said}");
    for part in [
        "set_property -dict {PACKAGE_PIN E3 IOSTANDARD LVCMOS33} port:clk_100mhz",
        "{PACKAGE_PIN T10 IOSTANDARD LVCMOS33} {port:led[3]}",
        "create_clock -name clk_100mhz -period 10.00 port:clk_100mhz",
        "synth_design -top blink -part xc7a100tcsg324-1\n",
        "write_bitstream -force",
    ] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
    // Bitstreams come after routing.
    assert!(said.find("route_design").unwrap() < said.find("write_bitstream").unwrap());
}

#[test]
fn every_pin_of_the_artys_constraints_is_there_once() {
    let (_, text) = board("arty-a7-100t").unwrap().constraints();
    let word = |line: &str, before: &str| {
        let rest = line.split(before).nth(1)?;
        Some(rest.trim_start().split([' ', '}', ']']).next()?.to_string())
    };
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("PACKAGE_PIN")).collect();
    let mut pins: Vec<String> = lines.iter().map(|line| word(line, "PACKAGE_PIN").unwrap()).collect();
    assert_eq!(pins.len(), 1 + 1 + 4 + 4 + 4 + 2);
    pins.sort();
    pins.dedup();
    assert_eq!(pins.len(), lines.len(), "no pin has two ports");
    assert!(lines.iter().all(|line| line.contains("IOSTANDARD LVCMOS33")));
}
