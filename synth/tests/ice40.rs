//! The iCE40 through the whole flow. Needs Yosys and nextpnr for iCE40.

use powar_synth::{Design, Options, Target, synthesise};
use powar_tools::{Progress, tools_or_skip};

fn options() -> Options {
    Options { seeds: vec![1], ..Options::new(Target::named("ice40-hx8k").unwrap()) }
}

#[test]
fn a_counter_is_placed_and_routed() {
    let Some(tools) = tools_or_skip("a_counter_is_placed_and_routed") else { return };
    let verilog = "module counter(input clk, input rst, output reg [23:0] count);\n\
                   always @(posedge clk) if (rst) count <= 0; else count <= count + 1;\nendmodule\n";
    let design = Design::new("counter").source("counter.v", verilog);
    let report = synthesise(&design, &options(), &tools, &Progress::silent()).unwrap();
    assert_eq!(report.core.ff, 24);
    assert!(report.core.carry >= 22 && report.core.area >= 24 && report.core.area < 50, "{:?}", report.core);
    assert_eq!(report.with_harness.ff - report.core.ff, 24 + 24 + 6 + 2 + 1);
    assert!(report.median_fmax_mhz > 100.0, "{}", report.median_fmax_mhz);
    assert!(report.critical_path.steps.iter().any(|step| step.kind == "carry"), "{:?}", report.critical_path);
    let markdown = report.markdown();
    for part in ["# counter on iCE40HX8K", "logic cells", "| chip | iCE40HX8K ct256 |", "nextpnr-ice40 --hx8k"] {
        assert!(markdown.contains(part), "{part} is missing in\n{markdown}");
    }
}

#[test]
fn what_does_not_fit_is_said_before_it_is_placed() {
    let Some(tools) = tools_or_skip("what_does_not_fit_is_said_before_it_is_placed") else { return };
    let verilog = "module large(input clk, input [14:0] place, input write, input [7:0] d, output reg [7:0] q);\n\
                   reg [7:0] memory [0:32767];\n\
                   always @(posedge clk) begin q <= memory[place]; if (write) memory[place] <= d; end\nendmodule\n";
    let design = Design::new("large").source("large.v", verilog);
    let error = synthesise(&design, &options(), &tools, &Progress::silent()).unwrap_err().to_string();
    assert_eq!(error, "large does not fit into iCE40HX8K: 64 block RAMs (SB_RAM40) of 32");
}
