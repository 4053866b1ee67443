//! Modules through the whole flow. Needs Yosys and nextpnr for ECP5.

use powar_synth::{Design, Harness, Options, Report, Target, clock_rates, synthesise};
use powar_tools::{Progress, Tools, tools_or_skip};

const COUNTER: &str = "module counter #(parameter W = 8)(input clk, input rst, input up, output reg [W-1:0] count);\n\
                       always @(posedge clk) if (rst) count <= 0; else if (up) count <= count + 1;\nendmodule\n";

fn one_seed() -> Options {
    Options { seeds: vec![1], ..Options::new(Target::named("ecp5-85f").unwrap()) }
}

fn measure(tools: &Tools, design: Design, options: &Options) -> Report {
    synthesise(&design, options, tools, &Progress::silent()).unwrap()
}

/// Runs it and returns the error, which must be one line.
fn refused(tools: &Tools, design: Design, options: &Options) -> String {
    let error = format!("{:#}", synthesise(&design, options, tools, &Progress::silent()).unwrap_err());
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn a_counter_is_measured_and_reported() {
    let Some(tools) = tools_or_skip("a_counter_is_measured_and_reported") else { return };
    let design = Design::new("counter").source("counter.v", COUNTER).parameter("W", 12);
    let options = Options::new(Target::named("ecp5-85f").unwrap());
    let report = measure(&tools, design.clone(), &options);
    assert_eq!((report.core.ff, report.core.carry), (12, 6));
    assert_eq!((report.clock.as_deref(), report.reset.as_deref()), (Some("clk"), Some("rst")));
    // Two registers before the one input, two after each of twelve outputs, and 3 + 1 in the fold: none may have
    // been optimised away, or the module wouldn't be measured between registers.
    assert_eq!(report.with_harness.ff - report.core.ff, 2 + 12 + 12 + 3 + 1);
    assert!(report.with_harness.area > report.core.area && report.core.area >= 12);
    assert_eq!(report.seeds.iter().map(|seed| seed.seed).collect::<Vec<_>>(), [1, 2, 3]);
    let mut rates: Vec<f64> = report.seeds.iter().map(|seed| seed.fmax_mhz).collect();
    rates.sort_by(f64::total_cmp);
    assert_eq!(report.median_fmax_mhz, rates[1]);
    assert!(report.meets_target && report.median_fmax_mhz > 150.0, "{rates:?}");
    let path = &report.critical_path;
    assert!((1000.0 / path.total_ns - report.median_fmax_mhz).abs() < 1.0, "{path:?}");
    assert!(path.steps.len() >= 3 && path.steps.last().unwrap().arrival_ns == path.total_ns);

    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("deep/er");
    let paths = report.write(&out).unwrap();
    let (json, markdown) = (&paths[0], &paths[1]);
    let parsed: serde_json::Value = serde_json::from_slice(&std::fs::read(json).unwrap()).unwrap();
    assert_eq!(parsed["core"]["ff"], 12);
    assert_eq!(parsed["target"]["device"], "LFE5U-85F");
    assert!(parsed["tools"][0]["version"].is_string());
    let markdown = std::fs::read_to_string(markdown).unwrap();
    for part in ["# counter on LFE5U-85F", "| flip-flops | 12 |", "| parameter W | 12 |", "## Critical path"] {
        assert!(markdown.contains(part), "{part} is missing in\n{markdown}");
    }
    assert_eq!(measure(&tools, design, &options), report, "the same input gives the same report");

    let table = clock_rates(std::slice::from_ref(&report));
    let rates = report.seeds.iter().map(|seed| format!("{:.1}", seed.fmax_mhz)).collect::<Vec<_>>().join(", ");
    let (median, area) = (report.median_fmax_mhz, report.core.area);
    let last = table.lines().last().unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(last, format!("| `counter` | {median:.1} | {rates} | {area} | 12 |"), "{table}");
}

#[test]
fn more_ports_than_pins_go_through_the_serial_harness() {
    let Some(tools) = tools_or_skip("more_ports_than_pins_go_through_the_serial_harness") else { return };
    let wide = "module wide(input [299:0] a, input [299:0] b, output [299:0] y);\nassign y = a ^ b;\nendmodule\n";
    let design = Design::new("wide").source("wide.v", wide);
    let report = measure(&tools, design.clone(), &one_seed());
    assert_eq!((report.core.lut, report.core.ff, report.clock), (300, 0, None));
    assert_eq!(report.with_harness.ff, 600 + 600 + 300 + 300 + 75 + 19 + 5 + 2 + 1);
    let pins = Options { harness: Harness::Pins, ..one_seed() };
    let error = refused(&tools, design, &pins);
    assert_eq!(
        error,
        "harness: 900 input and output bits are more than LFE5U-85F in CABGA381 has pins; use the serial harness"
    );
}

#[test]
fn the_pins_harness_has_two_registers_on_either_side() {
    let Some(tools) = tools_or_skip("the_pins_harness_has_two_registers_on_either_side") else { return };
    let options = Options { seeds: vec![1], ..Options::arbiter_comparison() };
    let report = measure(&tools, Design::new("counter").source("counter.v", COUNTER), &options);
    assert_eq!(report.with_harness.ff - report.core.ff, 2 + 2 * 8);
    assert_eq!(report.with_harness.area, report.core.area);
    assert_eq!((report.target.package.as_str(), report.target.speed), ("CABGA756", Some(8)));
}

#[test]
fn wrong_designs_are_refused_in_one_line() {
    let Some(tools) = tools_or_skip("wrong_designs_are_refused_in_one_line") else { return };
    let counter = || Design::new("counter").source("counter.v", COUNTER);
    let absent = Design::new("absent").source("counter.v", COUNTER);
    let error = refused(&tools, absent, &one_seed());
    assert!(error.contains("synthesis of absent failed") && error.contains("Module `absent' not found"), "{error}");
    let error = refused(&tools, counter().source("bad.v", "module bad(input a;\n"), &one_seed());
    assert!(error.contains("bad.v:1: ERROR: syntax error"), "{error}");
    let error = refused(&tools, counter().parameter("DEPTH", 3), &one_seed());
    assert!(error.contains("DEPTH"), "{error}");
    let bus = "module bus(input clk, inout [3:0] wires);\nassign wires = clk ? 4'd1 : 4'dz;\nendmodule\n";
    let error = refused(&tools, Design::new("bus").source("bus.v", bus), &one_seed());
    assert!(error.starts_with("port wires of bus: \"inout\" ports can't be measured"), "{error}");
    let error = refused(&tools, counter(), &Options { clock: Some("clck".into()), ..one_seed() });
    assert_eq!(error, "clock: \"clck\" is not a one-bit input; one of clk, rst, up");
}
