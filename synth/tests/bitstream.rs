//! Bitstreams for boards. Needs Yosys, nextpnr and ecppack.

use powar_synth::{Design, bitstream, board, vivado_project};
use powar_tools::{Progress, tools_or_skip};

const BLINK: &str = "\
module blink(input clk_25mhz, input btn_fire1, output [7:0] led);
reg [31:0] count = 0;
always @(posedge clk_25mhz) count <= btn_fire1 ? 0 : count + 1;
assign led = count[31:24];
endmodule
";

fn blink() -> Design {
    Design::new("blink").source("blink.v", BLINK)
}

#[test]
fn a_blinking_top_becomes_a_bitstream() {
    let Some(tools) = tools_or_skip("a_blinking_top_becomes_a_bitstream") else { return };
    let ulx3s = board("ulx3s-85f").unwrap();
    let made = bitstream(&blink(), ulx3s, &tools, &Progress::silent()).unwrap();
    let [clock] = &made.clocks[..] else { panic!("{:?}", made.clocks) };
    assert_eq!((clock.name.as_str(), clock.asked_mhz, clock.is_met), ("clk_25mhz", 25.0, true));
    assert!(made.meets_clocks && clock.fmax_mhz > 100.0 && made.seed == 1, "{:?}", made.clocks);
    assert_eq!((made.resources.ff, made.load.as_str()), (32, "openFPGALoader -b ulx3s blink.bit"));

    let folder = tempfile::tempdir().unwrap();
    let written = made.write(&folder.path().join("deep/er"), &[]).unwrap();
    let bits = std::fs::read(&written[0]).unwrap();
    // The comment at the beginning names the chip; it is followed by the preamble of the ECP5.
    let preamble = bits.windows(4).position(|four| four == [0xff, 0xff, 0xbd, 0xb3]).expect("a preamble");
    assert!(String::from_utf8_lossy(&bits[..preamble]).contains("LFE5U-85F"));
    let read = |name: &str| std::fs::read_to_string(folder.path().join("deep/er").join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("report.json")).unwrap();
    assert_eq!((&json["board"], &json["meets_clocks"]), (&"ulx3s-85f".into(), &true.into()));
    let markdown = read("report.md");
    for part in ["clock clk_25mhz meets 25.0 MHz", "openFPGALoader -b ulx3s blink.bit", "ecppack --compress"] {
        assert!(markdown.contains(part), "{part} is missing in\n{markdown}");
    }
    assert!(read("synthesis.ys").contains("synth_ecp5") && read("ulx3s-85f.lpf").contains("clk_25mhz"));
    assert_eq!(
        bitstream(&blink(), ulx3s, &tools, &Progress::silent()).unwrap(),
        made,
        "the same input gives the same bits"
    );
}

#[test]
fn pins_that_the_board_has_not_are_named() {
    let Some(tools) = tools_or_skip("pins_that_the_board_has_not_are_named") else { return };
    let verilog = "module top(input clk_25mhz, input [3:0] sw, output [8:0] led, output uart);\n\
                   assign led = {9{sw[0]}}; assign uart = clk_25mhz; endmodule\n";
    let design = Design::new("top").source("top.v", verilog);
    let refused = |name| bitstream(&design, board(name).unwrap(), &tools, &Progress::silent()).unwrap_err().to_string();
    assert_eq!(refused("ulx3s-85f"), "pin: led[8], uart has no place in ulx3s-85f.lpf");
    assert_eq!(refused("arty-a7-100t"), "board: bitstreams for arty-a7-100t are made with Vivado");
    let arty = board("arty-a7-100t").unwrap();
    let error = vivado_project(&design, arty, &tools, &Progress::silent()).unwrap_err().to_string();
    assert_eq!(error, "pin: clk_25mhz, led[4], led[5], led[6], led[7], led[8], uart has no place in arty-a7-100t.xdc");
}

#[test]
fn a_clock_that_is_missed_is_said_with_by_how_much() {
    let Some(tools) = tools_or_skip("a_clock_that_is_missed_is_said_with_by_how_much") else { return };
    // A chain of eight multiplications in one cycle.
    let verilog = "\
module slow(input clk_25mhz, input [3:0] sw, output reg [7:0] led);
reg [15:0] x;
reg [15:0] y;
integer i;
always @* begin y = x; for (i = 0; i < 8; i = i + 1) y = y * (y + 3); end
always @(posedge clk_25mhz) begin x <= {x[11:0], sw} ^ y; led <= y[15:8]; end
endmodule
";
    let design = Design::new("slow").source("slow.v", verilog);
    let made = bitstream(&design, board("ulx3s-85f").unwrap(), &tools, &Progress::silent()).unwrap();
    assert!(!made.meets_clocks && made.clocks[0].fmax_mhz < 25.0, "{:?}", made.clocks);
    let missing = 25.0 - made.clocks[0].fmax_mhz;
    let verdict = &made.verdicts()[0];
    assert!(verdict.starts_with(&format!("clock clk_25mhz misses 25.0 MHz by {missing:.1} MHz")), "{verdict}");
    assert!(made.markdown().contains(verdict.as_str()));
}

#[test]
fn a_design_that_does_not_fit_is_said_before_it_is_placed() {
    let Some(tools) = tools_or_skip("a_design_that_does_not_fit_is_said_before_it_is_placed") else { return };
    let verilog = "\
module large(input clk_25mhz, input [3:0] sw, output reg [7:0] led);
reg [7:0] memory [0:524287];
reg [18:0] place;
always @(posedge clk_25mhz) begin place <= place + 1; led <= memory[place]; if (sw[0]) memory[place] <= {sw, sw}; end
endmodule
";
    let design = Design::new("large").source("large.v", verilog);
    let error = bitstream(&design, board("ulx3s-85f").unwrap(), &tools, &Progress::silent()).unwrap_err().to_string();
    assert!(error.starts_with("large does not fit into LFE5U-85F: 256 block RAMs (DP16KD) of 208"), "{error}");
}
