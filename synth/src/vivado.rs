//! Scripts for Vivado, which places and routes Xilinx chips.

use crate::board::{Board, Maker, pins};
use crate::flow::read_ports;
use crate::pins::check;
use crate::workspace::Workspace;
use crate::{Design, Options, Target};
use anyhow::{Result, ensure};
use powar_tools::{Progress, Tools};

/// The script's name.
pub const BUILD: &str = "build.tcl";
/// The constraints of a module without pins.
const CLOCK: &str = "clock.xdc";

/// What Vivado is to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// Area and clock rate of a module whose ports have no pins.
    OutOfContext,
    /// A bitstream.
    Bitstream,
}

/// What a module without pins needs beside its sources.
pub struct Clocked<'a> {
    /// Its clocks, of no rate or phase to each other.
    pub clocks: &'a [&'a str],
    /// Constraints that hold for its instances, in the folder of the script.
    pub scoped: Option<&'a str>,
}

/// A script and constraints with which Vivado measures a module on `target`: place and route without pins, at the clock rate of
/// `constraints/powar.sdc`. `sources` are Verilog files in the order of reading, in the folder of the script, to which all its paths are
/// relative. Returns names and texts.
///
/// # Errors
/// If the target is no chip that Vivado knows.
pub fn vivado_scripts(top: &str, sources: &[String], of: &Clocked, target: &Target) -> Result<[(String, String); 2]> {
    let part = part(target)?;
    let many = if of.clocks.len() == 1 { "Clock" } else { "Clocks" };
    let mut clock = format!("# {many} of {top}, which is measured without pins.\n");
    for name in of.clocks {
        let period = 1000.0 / Options::PROTOTYPE_MHZ;
        clock += &format!("create_clock -name {name} -period {period:.2} [get_ports {name}]\n");
    }
    let script = build(top, sources, &part, CLOCK, of.scoped, Goal::OutOfContext);
    Ok([(BUILD.into(), script), (CLOCK.into(), clock)])
}

/// A folder from which Vivado makes a bitstream of a design for a board: sources, the constraints of the pins that the design has, and
/// `build.tcl`. Returns names and texts.
///
/// # Errors
/// One line: a pin without a place on the board, by name; a design that Yosys can't read; a board that is not Vivado's.
pub fn vivado_project(
    design: &Design,
    board: &dyn Board,
    tools: &Tools,
    progress: &Progress,
) -> Result<Vec<(String, String)>> {
    design.check()?;
    ensure!(board.maker() == Maker::Vivado, "board: bitstreams for {} are made here, without Vivado", board.name());
    ensure!(design.parameters.is_empty(), "parameter: a project for Vivado takes none; set them in the top module");
    let target = board.target();
    let step = progress.step(format!("Vivado project of {} for {}", design.top, board.name()));
    let ports = read_ports(&Workspace::new(design, &target, tools)?)?;
    let (xdc, text) = board.constraints();
    check(&ports, &pins(board), xdc)?;
    // Vivado complains of pins that the design has not.
    let used = |line: &&str| {
        let here = crate::pins::of_xdc(line);
        here.iter().all(|pin| ports.iter().any(|port| pin.split('[').next() == Some(&port.name)))
    };
    let constraints = text.lines().filter(used).map(|line| format!("{line}\n")).collect();
    let names: Vec<String> = design.sources.iter().map(|(name, _)| name.clone()).collect();
    let mut files = design.sources.clone();
    files.push((xdc.into(), constraints));
    files.push((BUILD.into(), build(&design.top, &names, &part(&target)?, xdc, None, Goal::Bitstream)));
    step.finish();
    Ok(files)
}

/// Vivado's name of a chip: `xc7a100tcsg324-1`.
fn part(target: &Target) -> Result<String> {
    vivado_target(target.name)?;
    Ok(format!("{}{}-{}", target.name, target.package.to_lowercase(), target.speed.unwrap_or(1)))
}

/// The chip of this name, if it is one that Vivado knows.
///
/// # Errors
/// It is none of those; they are listed.
pub fn vivado_target(name: &str) -> Result<Target> {
    let known: Vec<&str> = Target::names().filter(|name| is_vivados(name)).collect();
    ensure!(known.contains(&name), "target: {name} is no chip that Vivado knows; one of {}", known.join(", "));
    Target::named(name)
}

fn is_vivados(name: &str) -> bool {
    name.starts_with("xc7")
}

/// The script.
fn build(top: &str, sources: &[String], part: &str, constraints: &str, scoped: Option<&str>, goal: Goal) -> String {
    let out_of_context = goal == Goal::OutOfContext;
    let (what, mode) = match goal {
        Goal::OutOfContext => ("area and clock rate, without pins", " -mode out_of_context"),
        Goal::Bitstream => ("a bitstream", ""),
    };
    let list: String = sources.iter().map(|name| format!("    {name}\n")).collect();
    let last = match goal {
        Goal::OutOfContext => String::new(),
        Goal::Bitstream => "write_bitstream -force [file join $results $top.bit]\n".into(),
    };
    let sv = if sources.iter().any(|name| name.ends_with("sv")) { " -sv" } else { "" };
    let scoped = scoped.map_or(String::new(), |file| format!("read_xdc -ref {top} [file join $folder {file}]\n"));
    let xdc_mode = if out_of_context { " -mode out_of_context" } else { "" };
    format!(
        "# Builds {top} with Vivado: {what}.\n\
         #   vivado -mode batch -source {BUILD}\n\
         # Reports go to the folder vivado/ beside this file.\n\n\
         set top {top}\n\
         set part {part}\n\
         set folder [file dirname [file normalize [info script]]]\n\
         set results [file join $folder vivado]\n\
         file mkdir $results\n\n\
         set sources {{\n{list}}}\n\
         foreach source $sources {{\n    read_verilog{sv} [file join $folder $source]\n}}\n\
         read_xdc{xdc_mode} [file join $folder {constraints}]\n{scoped}\n\
         synth_design -top $top -part $part{mode}\n\
         report_utilization -hierarchical -file [file join $results utilization-synthesis.txt]\n\
         opt_design\n\
         place_design\n\
         phys_opt_design\n\
         route_design\n\n\
         report_utilization -file [file join $results utilization.txt]\n\
         report_timing_summary -file [file join $results timing.txt]\n\
         write_checkpoint -force [file join $results $top.dcp]\n\
         {last}\
         # The longest path's spare time: negative if the clock is too fast.\n\
         set slack [get_property SLACK [get_timing_paths -max_paths 1 -setup]]\n\
         puts \"$top on $part: slack $slack ns\"\n"
    )
}
