//! How signals get through the cells of an ECP5.

use crate::ways::{Carry, Ways};

pub(super) static WAYS: Ways = Ways {
    follows,
    is_inside,
    is_clock: |pin| matches!(pin, "CLK" | "WCK" | "CLKA" | "CLKB" | "CLKR" | "CLKW"),
    carry: Carry { kind: "CCU2C", out: "COUT", from: "CIN" },
};

fn follows(kind: &str, input: &str, output: &str) -> bool {
    match kind {
        // The lower of a carry cell's two bits knows nothing of the upper one.
        "CCU2C" => output != "S0" || !input.ends_with('1'),
        "LUT4" | "PFUMX" | "L6MUX21" => true,
        // Written at the clock edge, read at any time.
        "TRELLIS_DPR16X4" => input == "RAD",
        // Yosys puts registers behind multipliers, not into them.
        "MULT18X18D" | "ALU54B" => true,
        _ => false,
    }
}

fn is_inside((from, output): (&str, &str), (to, input): (&str, &str)) -> bool {
    match (from, to) {
        ("CCU2C", "CCU2C") => output == "COUT" && input == "CIN",
        ("LUT4", "PFUMX") => input == "ALUT" || input == "BLUT",
        ("PFUMX" | "L6MUX21", "L6MUX21") => input == "D0" || input == "D1",
        _ => false,
    }
}
