//! Faults of the file that joins the demonstrator to the pins and the PLL of its board.

/// A text of the sound file, which is there once, and what it is replaced by.
#[derive(Clone, Copy, Debug)]
pub struct BoardFault {
    pub name: &'static str,
    pub right: &'static str,
    pub wrong: &'static str,
}

const fn fault(name: &'static str, right: &'static str, wrong: &'static str) -> BoardFault {
    BoardFault { name, right, wrong }
}

/// Those of `ulx3s_top` at 4 ports and 25 MHz.
pub const FAULTS: &[BoardFault] = &[
    fault("nothing is received", ".rx(ftdi_txd)", ".rx(1'b1)"),
    fault("nothing is sent", ".tx(ftdi_rxd)", ".tx()"),
    fault("bits of another length", ".divider(16'd217)", ".divider(16'd216)"),
    fault("no time-out", ".timeout(24'd2500000)", ".timeout(24'd0)"),
    fault("the button does nothing", "locked & btn_power_n", "locked"),
    fault("the lock of the PLL does nothing", "locked & btn_power_n", "btn_power_n"),
    fault("the button resets while it is not pressed", "locked & btn_power_n", "locked & ~btn_power_n"),
    fault("the other four LEDs", "{4'd0, links_on[3:0]}", "{links_on[3:0], 4'd0}"),
    fault("the reset's own reset is on", ".rst(1'b0),\n        .ready", ".rst(1'b1),\n        .ready"),
    fault("no reset", ".rst(rst)", ".rst(1'b0)"),
    fault(
        "the clock of the pin instead of the PLL's",
        "powar_demonstrator demonstrator (\n        .clk(clk)",
        "powar_demonstrator demonstrator (\n        .clk(clk_25mhz)",
    ),
    fault("twice the clock rate", ".CLKFB_DIV(1)", ".CLKFB_DIV(2)"),
    fault("the oscillator of the PLL too slow", ".CLKOP_DIV(24)", ".CLKOP_DIV(12)"),
    fault("no feedback to the PLL", ".CLKFB(clk)", ".CLKFB(1'b0)"),
    fault("the PLL sleeps", ".STDBY(1'b0)", ".STDBY(1'b1)"),
];
