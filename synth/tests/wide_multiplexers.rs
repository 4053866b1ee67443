//! Wide multiplexers on the slices of an ECP5: exact, and smaller. Needs Yosys and nextpnr.

use crate::support;
use powar_synth::{Design, Target, measure_area};
use powar_tools::{Progress, run, tools_or_skip};
use std::fmt::Write;
use support::{assert_wrong_rules_are_not_proved, is_proved};

/// Ways to write a multiplexer of `words` words: an indexed part, a `case` of all values, and one with a default.
fn multiplexers(words: usize, bits: usize) -> [(String, String); 3] {
    let select = words.next_power_of_two().ilog2();
    let ports = format!("input [{}:0] d, input [{}:0] s", words * bits - 1, select - 1);
    let word = |place: usize| format!("d[{} +: {bits}]", place * bits);
    let case = |last: &str| {
        let mut text = String::from("always @* case (s)\n");
        for place in 0..words - 1 {
            writeln!(text, "{select}'d{place}: y = {};", word(place)).unwrap();
        }
        writeln!(text, "{last}: y = {};\nendcase", word(words - 1)).unwrap();
        text
    };
    let all =
        case(&format!("{select}'d{}", words - 1)).replace("case (s)", "begin y = {100{1'bx}}; case (s)") + "end\n";
    [
        (
            format!("index_{words}_{bits}"),
            format!("({ports}, output [{0}:0] y);\nassign y = d[s*{bits} +: {bits}];", bits - 1),
        ),
        (format!("case_{words}_{bits}"), format!("({ports}, output reg [{}:0] y);\n{all}", bits - 1)),
        (format!("default_{words}_{bits}"), format!("({ports}, output reg [{}:0] y);\n{}", bits - 1, case("default"))),
    ]
}

/// All of them in a design `all`, each with inputs and outputs of its own.
fn side_by_side(forms: &[(String, String)], words: usize, bits: usize) -> Design {
    let (data, select) = (words * bits - 1, words.next_power_of_two().ilog2() - 1);
    let (mut text, mut ports, mut instances) = (String::new(), vec![], String::new());
    for (i, (name, body)) in forms.iter().enumerate() {
        writeln!(text, "module {name}{body}\nendmodule").unwrap();
        ports.push(format!("input [{data}:0] d{i}, input [{select}:0] s{i}, output [{}:0] y{i}", bits - 1));
        writeln!(instances, "{name} form{i}(.d(d{i}), .s(s{i}), .y(y{i}));").unwrap();
    }
    Design::new("all").source("m.v", format!("{text}module all({});\n{instances}endmodule\n", ports.join(", ")))
}

#[test]
fn mapped_multiplexers_are_proved_equal_to_their_source() {
    let Some(tools) = tools_or_skip("mapped_multiplexers_are_proved_equal_to_their_source") else { return };
    let target = Target::named("ecp5-85f").unwrap();
    for (words, bits) in [(4, 64), (5, 8), (8, 8), (12, 9), (16, 8), (20, 8), (64, 8)] {
        let forms = multiplexers(words, bits);
        let report = measure_area(&side_by_side(&forms, words, bits), &target, &tools, &Progress::silent()).unwrap();
        for (name, _) in &forms {
            let own = report.blocks.iter().find(|row| row.block == *name).unwrap().own;
            assert!(own.wide_mux > 0, "{name}: {own:?}");
            let power = words.next_power_of_two() as u64;
            // Of four words in a `case` of two bits Yosys sees three and what is left, which are too few: only an index is
            // taken. The crossbar's select has more bits, and all four count there.
            let taken = words > 4 || name.starts_with("index");
            if power <= 16 && words.is_power_of_two() && taken {
                let (luts, slices) = (power / 2 * bits as u64, (power / 2 - 1) * bits as u64);
                assert_eq!((own.lut, own.wide_mux), (luts, slices), "{name}");
                // Packing adds the look-up table that makes constants.
                assert!((luts..=luts + 1).contains(&own.area), "{name}: {own:?}");
            }
        }
        let folder = tempfile::tempdir().unwrap();
        report.write(folder.path()).unwrap();
        assert!(is_proved(&tools, folder.path(), "all"), "{words} words of {bits} bits");
    }
}

#[test]
fn a_wrong_rule_is_not_proved() {
    let Some(tools) = tools_or_skip("a_wrong_rule_is_not_proved") else { return };
    let [(top, text), ..] = multiplexers(8, 8);
    let design = Design::new(&top).source("m.v", format!("module {top}{text}\nendmodule\n"));
    let faults = [("16'hCACA", "16'hACAC"), (".SD(S[2])", ".SD(S[1])")];
    assert_wrong_rules_are_not_proved(&design, &top, "wide_multiplexers.v", &faults, &tools);
}

#[test]
fn multiplexers_of_single_bits_are_left_to_yosys() {
    let Some(tools) = tools_or_skip("multiplexers_of_single_bits_are_left_to_yosys") else { return };
    let verilog = "module bit_of(input [7:0] d, input [2:0] s, input e, output y); assign y = d[s] & e; endmodule\n";
    let design = Design::new("bit_of").source("m.v", verilog);
    let target = Target::named("ecp5-85f").unwrap();
    let report = measure_area(&design, &target, &tools, &Progress::silent()).unwrap();

    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.v"), verilog).unwrap();
    let script = "read_verilog m.v; synth_ecp5 -abc9 -top bit_of; tee -q -o stat.json stat -json";
    run(tools.yosys().unwrap().current_dir(&folder).args(["-q", "-p", script]), "synthesis").unwrap();
    let text = std::fs::read(folder.path().join("stat.json")).unwrap();
    let statistics: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let cells = &statistics["design"]["num_cells_by_type"];
    let wide = ["PFUMX", "L6MUX21"].map(|cell| cells[cell].as_u64().unwrap_or(0)).iter().sum::<u64>();
    assert_eq!((report.whole.lut, report.whole.wide_mux), (cells["LUT4"].as_u64().unwrap(), wide));
}

#[test]
fn a_crossbar_of_encoded_multiplexers_takes_half_a_look_up_table_an_input_bit() {
    let name = "a_crossbar_of_encoded_multiplexers_takes_half_a_look_up_table_an_input_bit";
    let Some(tools) = tools_or_skip(name) else { return };
    let verilog = "\
module crossbar #(parameter N = 8, W = 16, S = 3)(input clk, input [N*W-1:0] d, input [N*S-1:0] s, output reg [N*W-1:0] q);
integer i;
always @(posedge clk) for (i = 0; i < N; i = i + 1) q[i*W +: W] <= d[s[i*S +: S]*W +: W];
endmodule
";
    let design = Design::new("crossbar").source("crossbar.v", verilog);
    let target = Target::named("ecp5-85f").unwrap();
    let report = measure_area(&design, &target, &tools, &Progress::silent()).unwrap();
    assert_eq!((report.whole.lut, report.whole.ff), (8 * 16 * 4, 8 * 16));
}
