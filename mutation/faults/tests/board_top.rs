//! The file that joins the demonstrator to its board: Yosys proves that every pin goes where it should, through models of what is around it,
//! and finds every deliberate fault. The example of a switch in somebody's own design has no warning.

use powar_config::{Prefix, presets};
use powar_faults::board::FAULTS;
use powar_hdl::demonstrator::{Pll, board};
use powar_testbenches::twins;
use powar_tools::{run, tools_or_skip};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// What is around the top: each model shows on its outputs what comes in, or asserts it. Clocks are levels like any other.
const AROUND: &str = "\
module EHXPLLL #(
    parameter PLLRST_ENA = \"\", INTFB_WAKE = \"\", STDBY_ENABLE = \"\", DPHASE_SOURCE = \"\", OUTDIVIDER_MUXA = \"\",
    parameter CLKI_DIV = 0, CLKFB_DIV = 0, CLKOP_ENABLE = \"\", CLKOP_DIV = 0, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0, FEEDBK_PATH = \"\"
) (
    input CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC, ENCLKOP,
    output CLKOP, LOCK
);
    assign CLKOP = ~CLKI;
    assign LOCK = CLKI;
    always @* begin
        assert (CLKFB == CLKOP && !RST && !STDBY);
        // 25 MHz out of 25 MHz; the oscillator runs at 400 to 800 MHz.
        assert (CLKI_DIV > 0 && CLKFB_DIV == CLKI_DIV);
        assert (25 * CLKFB_DIV * CLKOP_DIV >= 400 * CLKI_DIV && 25 * CLKFB_DIV * CLKOP_DIV <= 800 * CLKI_DIV);
    end
endmodule

module reset_synchroniser (input clk, rst, ready, output reset);
    assign reset = ~ready;
    always @* assert (!rst);
endmodule

module powar_demonstrator (input clk, rst, rx, input [15:0] divider, input [23:0] timeout, output tx, output [3:0] links_on);
    assign tx = ~rx;
    assign links_on = {rx, rst, clk, 1'b1};
    // 115200 bits a second, and a tenth of a second.
    always @* assert (divider == 217 && timeout == 2500000);
endmodule

module check (input clk_25mhz, btn_power_n, ftdi_txd);
    wire ftdi_rxd;
    wire [7:0] led;
    ulx3s_top top (
        .clk_25mhz(clk_25mhz), .btn_power_n(btn_power_n), .ftdi_txd(ftdi_txd), .ftdi_rxd(ftdi_rxd), .led(led)
    );
    always @* begin
        assert (ftdi_rxd == ~ftdi_txd);
        assert (led == {4'd0, ftdi_txd, ~(clk_25mhz & btn_power_n), ~clk_25mhz, 1'b1});
    end
endmodule
";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

#[test]
fn the_top_of_the_board_is_proved_and_every_fault_of_it_is_found() {
    let Some(tools) = tools_or_skip("the_top_of_the_board_is_proved") else { return };
    let folder = folder("board-top");
    let sound = board::ulx3s(&Pll::new(25.0, 25.0).expect("in range"), 4, board::BAUD).expect("in range");
    fs::write(folder.join("around.v"), AROUND).expect("written");
    let mut script = String::new();
    let faulty = FAULTS.iter().map(|fault| {
        assert_eq!(sound.matches(fault.right).count(), 1, "{}: the file has changed", fault.name);
        (sound.replace(fault.right, fault.wrong), "falsify")
    });
    // Yosys ends with an error where a proof fails that is to be verified, and where one succeeds that is to be falsified.
    for (number, (text, proof)) in [(sound.clone(), "verify")].into_iter().chain(faulty).enumerate() {
        fs::write(folder.join(format!("top{number}.v")), text).expect("written");
        writeln!(
            script,
            "design -reset; log top {number}; read_verilog -formal top{number}.v around.v; prep -top check; \
             flatten; async2sync; chformal -lower; sat -prove-asserts -{proof} check"
        )
        .expect("a String takes everything");
    }
    fs::write(folder.join("prove.ys"), script).expect("written");
    let mut yosys = tools.yosys().expect("found");
    let said = run(yosys.current_dir(&folder).args(["-l", "prove.log", "prove.ys"]), "yosys").unwrap_or_else(|error| {
        let names: Vec<&str> = FAULTS.iter().map(|fault| fault.name).collect();
        panic!("{error}\n0 is sound, then {names:?}")
    });
    let last = format!("top {}", FAULTS.len());
    assert!(said.stdout.lines().any(|line| line == last), "{}", said.stdout);
}

#[test]
fn the_example_of_a_switch_with_streams_has_no_warning() {
    let Some(tools) = tools_or_skip("the_example_of_a_switch_with_streams") else { return };
    let folder = folder("stream-example");
    let config = presets::by_name("demonstrator-4").expect("a preset");
    let prefix = Prefix::of(&config).expect("a prefix");
    for block in [twins::SWITCH, twins::NETWORK_INTERFACE] {
        for (name, text) in twins::prefixed_design(&config, block, prefix.clone()).expect("a sound design").files() {
            fs::write(folder.join(name), text).expect("written");
        }
    }
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cocotb/axi_stream_switch.v");
    let example = example.to_str().expect("a path");
    let mut verilator = tools.verilator().expect("found");
    verilator.current_dir(&folder).args(["--lint-only", "-Wall", "--top-module", "axi_stream_switch", "-y", "."]);
    let lint = run(verilator.arg(example), "verilator --lint-only").unwrap_or_else(|error| panic!("{error}"));
    assert!(!lint.stderr.contains("%Warning"), "{}", lint.stderr);
}
