//! The iCE40 through the whole flow. Needs Yosys and nextpnr for iCE40.

use powar_synth::{Design, Options, Target, synthesise};
use powar_tools::{Progress, tools_or_skip};

fn options() -> Options {
    Options { seeds: vec![1], ..Options::new(Target::named("ice40-hx8k").unwrap()) }
}

#[test]
fn a_counter_is_placed_and_routed() {
    let Some(tools) = tools_or_skip("a_counter_is_placed_and_routed") else { return };
    let verilog = "module counter(input clk, input rst, input up, output reg [11:0] count);\n\
                   always @(posedge clk) if (rst) count <= 0; else if (up) count <= count + 1;\nendmodule\n";
    let design = Design::new("counter").source("counter.v", verilog);
    let report = synthesise(&design, &options(), &tools, &Progress::silent()).unwrap();
    assert_eq!(report.core.ff, 12);
    assert!(report.core.carry >= 10 && report.core.area >= 12 && report.core.area < 30, "{:?}", report.core);
    assert_eq!(report.with_harness.ff - report.core.ff, 2 + 12 + 12 + 3 + 1);
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
    let verilog = "module wide(input clk, input [7:0] d, output [7:0] q);\nreg [7999:0] s;\n\
                   always @(posedge clk) s <= {s[7991:0], s[7999:7992] ^ d};\nassign q = s[7999:7992];\nendmodule\n";
    let design = Design::new("wide").source("wide.v", verilog);
    let error = synthesise(&design, &options(), &tools, &Progress::silent()).unwrap_err().to_string();
    assert!(error.starts_with("wide does not fit into iCE40HX8K: 8000 logic cells of 7680"), "{error}");
}
