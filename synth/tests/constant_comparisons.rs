//! Comparisons with constants in look-up tables of an ECP5: exact, and smaller. Needs Yosys and nextpnr.

use crate::support;
use powar_synth::Design;
use powar_tools::tools_or_skip;
use support::{assert_equal_without_carries, assert_wrong_rules_are_not_proved, mapped};

/// A module with all four comparisons of a word with a constant, on either side, and with a narrower one.
fn comparisons(name: &str, bits: usize, constant: u32) -> String {
    let all = ["<", "<=", ">", ">="]
        .map(|sign| format!("a {sign} {bits}'d{constant}, {bits}'d{constant} {sign} a, a {sign} 2'd{}", constant & 3));
    format!("module {name}(input [{}:0] a, output [11:0] y); assign y = {{{}}}; endmodule\n", bits - 1, all.join(", "))
}

#[test]
fn mapped_comparisons_are_proved_equal_to_their_source() {
    let Some(tools) = tools_or_skip("mapped_comparisons_are_proved_equal_to_their_source") else { return };
    let (mut text, mut ports, mut instances) = (String::new(), vec![], String::new());
    for (bits, constant) in [(1, 1), (2, 0), (3, 5), (5, 31), (8, 100), (13, 4097), (14, 12_000)] {
        text += &comparisons(&format!("of_{bits}"), bits, constant);
        ports.push(format!("input [{}:0] a{bits}, output [11:0] y{bits}", bits - 1));
        instances += &format!("of_{bits} with_{bits}(.a(a{bits}), .y(y{bits}));\n");
    }
    text += &format!("module m({});\n{instances}endmodule\n", ports.join(", "));
    let design = Design::new("m").source("m.v", text);
    assert_equal_without_carries(&design, "m", &tools);
}

/// One of two words, a signed one and a long one stay on carry chains.
#[test]
fn other_comparisons_are_left_to_yosys() {
    let Some(tools) = tools_or_skip("other_comparisons_are_left_to_yosys") else { return };
    for (ports, comparison) in
        [("[12:0] a, b", "a < b"), ("signed [12:0] a, b", "a < 13'sd100"), ("[23:0] a, b", "a >= 24'd1000000")]
    {
        let text = format!("module m(input {ports}, output y); assign y = {comparison}; endmodule\n");
        let design = Design::new("m").source("m.v", text);
        let report = mapped(&design, &tools);
        assert!(report.whole.carry > 0, "{comparison}: {:?}", report.whole);
    }
}

#[test]
fn a_wrong_rule_is_not_proved() {
    let Some(tools) = tools_or_skip("a_wrong_rule_is_not_proved") else { return };
    let design = Design::new("m").source("m.v", comparisons("m", 8, 100));
    let faults = [("\"$lt\" ||", "\"$le\" ||"), ("left & ~right", "left | ~right"), ("^ NEGATED", "")];
    assert_wrong_rules_are_not_proved(&design, "m", "constant_comparisons.v", &faults, &tools);
}
