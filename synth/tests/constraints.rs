//! The constraint files are what nextpnr takes.

use powar_tools::{run, tools_or_skip};
use std::fs;

const BOARD: &str = include_str!("../../constraints/ulx3s-85f.lpf");
const CLOCK: &str = include_str!("../../constraints/powar.sdc");

/// Uses every port of the board's constraints.
const PROTOTYPE: &str = "module prototype(input clk_25mhz, input btn_power_n, btn_fire1, btn_fire2, btn_up, btn_down,
    btn_left, btn_right, input [3:0] sw, input ftdi_txd, output reg [7:0] led, output reg ftdi_rxd);
always @(posedge clk_25mhz) begin
    led <= {btn_power_n, btn_fire1, btn_fire2, btn_up, btn_down, btn_left, btn_right, ^sw};
    ftdi_rxd <= ftdi_txd;
end
endmodule\n";

#[test]
fn the_boards_pins_exist() {
    let Some(tools) = tools_or_skip("the_boards_pins_exist") else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("prototype.v"), PROTOTYPE).unwrap();
    fs::write(folder.path().join("board.lpf"), BOARD).unwrap();
    let script = "read_verilog prototype.v; synth_ecp5 -top prototype -json prototype.json";
    run(tools.yosys().unwrap().current_dir(&folder).args(["-q", "-p", script]), "synthesis").unwrap();
    let mut place = tools.nextpnr_ecp5().unwrap();
    place.current_dir(&folder).args(["--85k", "--package", "CABGA381", "--speed", "6", "--lpf", "board.lpf"]);
    // Without --lpf-allow-unconstrained every port must have its pin.
    let said = run(place.args(["--json", "prototype.json", "--textcfg", "prototype.config"]), "placing").unwrap();
    assert!(said.stderr.contains("constraining clock net 'clk_25mhz' to 25.00 MHz"), "{}", said.stderr);
    let config = fs::read_to_string(folder.path().join("prototype.config")).unwrap();
    assert!(config.contains("LVCMOS33"));
    let located = BOARD.lines().filter(|line| line.starts_with("LOCATE")).count();
    assert_eq!(located, 1 + 8 + 7 + 4 + 2);
    let constrained = said.stderr.lines().filter(|line| line.contains("constrained to Bel")).count();
    assert_eq!(constrained, located, "{}", said.stderr);
}

#[test]
fn the_prototype_clock_is_understood() {
    let Some(tools) = tools_or_skip("the_prototype_clock_is_understood") else { return };
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("powar.sdc"), CLOCK).unwrap();
    let verilog = "module m(input clk, input d, output reg q); always @(posedge clk) q <= d; endmodule\n";
    fs::write(folder.path().join("m.v"), verilog).unwrap();
    let script = "read_verilog m.v; synth_ecp5 -top m -json m.json";
    run(tools.yosys().unwrap().current_dir(&folder).args(["-q", "-p", script]), "synthesis").unwrap();
    let mut place = tools.nextpnr_ecp5().unwrap();
    place.current_dir(&folder).args(["--85k", "--lpf-allow-unconstrained", "--sdc", "powar.sdc", "--json", "m.json"]);
    let said = run(&mut place, "placing").unwrap();
    assert!(said.stderr.contains("constraining clock net 'clk' to 100.00 MHz"), "{}", said.stderr);
}
