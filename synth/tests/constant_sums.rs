//! Sums of short words with a constant in look-up tables of an ECP5: exact, and smaller. Needs Yosys and nextpnr.

use crate::support;
use powar_synth::Design;
use powar_tools::tools_or_skip;
use support::{assert_equal_without_carries, assert_wrong_rules_are_not_proved, mapped};

/// A module with a word and a constant added and taken from each other, both ways, to a result as wide, wider and narrower.
fn sums(name: &str, bits: usize, constant: u32) -> String {
    let last = bits - 1;
    format!(
        "module {name}(input [{last}:0] a, output [{last}:0] plus, minus, rest, output [{bits}:0] wide, output narrow);\n\
         assign plus = a + {bits}'d{constant}, minus = a - {bits}'d{constant}, rest = {bits}'d{constant} - a;\n\
         assign wide = a + {bits}'d{constant}, narrow = a - {bits}'d{constant};\nendmodule\n"
    )
}

#[test]
fn mapped_sums_are_proved_equal_to_their_source() {
    let Some(tools) = tools_or_skip("mapped_sums_are_proved_equal_to_their_source") else { return };
    let (mut text, mut ports, mut instances) = (String::new(), vec![], String::new());
    for (bits, constant) in [(1, 1), (2, 3), (3, 1), (5, 31), (6, 1), (7, 100)] {
        text += &sums(&format!("of_{bits}"), bits, constant);
        ports.push(format!("input [{0}:0] a{bits}, output [{0}:0] p{bits}, m{bits}, r{bits}", bits - 1));
        ports.push(format!("output [{bits}:0] w{bits}, output n{bits}"));
        instances += &format!(
            "of_{bits} with_{bits}(.a(a{bits}), .plus(p{bits}), .minus(m{bits}), .rest(r{bits}), .wide(w{bits}), .narrow(n{bits}));\n"
        );
    }
    text += &format!("module m({});\n{instances}endmodule\n", ports.join(", "));
    let design = Design::new("m").source("m.v", text);
    assert_equal_without_carries(&design, "m", &tools);
}

/// One of two words, a signed one and a long one stay on carry chains.
#[test]
fn other_sums_are_left_to_yosys() {
    let Some(tools) = tools_or_skip("other_sums_are_left_to_yosys") else { return };
    for (ports, sum) in [("[7:0] a, b", "a + b"), ("signed [7:0] a, b", "a + 8'sd100"), ("[12:0] a, b", "a - 13'd1")] {
        let text = format!("module m(input {ports}, output [12:0] y); assign y = {sum}; endmodule\n");
        let design = Design::new("m").source("m.v", text);
        let report = mapped(&design, &tools);
        assert!(report.whole.carry > 0, "{sum}: {:?}", report.whole);
    }
}

#[test]
fn a_wrong_rule_is_not_proved() {
    let Some(tools) = tools_or_skip("a_wrong_rule_is_not_proved") else { return };
    let design = Design::new("m").source("m.v", sums("m", 7, 100));
    let faults = [("MINUS ? ~b : b", "b"), ("(a ^ added) & carry", "(a & added) & carry"), (", MINUS};", ", 1'b0};")];
    assert_wrong_rules_are_not_proved(&design, "m", "constant_sums.v", &faults, &tools);
}
