//! What tests of mapping rules have in common.

use powar_synth::{AreaReport, Design, Target, measure_area};
use powar_tools::{Progress, Tools, run};
use std::path::Path;

/// The cells as the data sheet has them, for the proof.
const CELLS: &str = "\
module LUT4 #(parameter [15:0] INIT = 0)(input A, B, C, D, output Z); assign Z = INIT[{D, C, B, A}]; endmodule
module PFUMX(input ALUT, BLUT, C0, output Z); assign Z = C0 ? ALUT : BLUT; endmodule
module L6MUX21(input D0, D1, SD, output Z); assign Z = SD ? D1 : D0; endmodule
";

/// Proves that what `synthesis.ys` in a report's folder makes of m.v equals m.v wherever that is defined.
pub fn is_proved(tools: &Tools, folder: &Path, top: &str) -> bool {
    let script = format!(
        "read_verilog -sv m.v; hierarchy -top {top}; proc; flatten; opt_clean; rename {top} gold; design -stash gold\n\
         script synthesis.ys\n\
         rename {top} gate; design -stash gate; design -reset\n\
         read_verilog -sv cells.v; design -copy-from gate -as gate gate; hierarchy -top gate; proc; flatten; opt_clean\n\
         design -copy-from gold -as gold gold; miter -equiv -flatten -make_outputs -ignore_gold_x gold gate both\n\
         hierarchy -top both; proc; opt\n\
         sat -verify -prove trigger 0 -enable_undef -set-def-inputs both\n"
    );
    std::fs::write(folder.join("prove.ys"), script).unwrap();
    std::fs::write(folder.join("cells.v"), CELLS).unwrap();
    let proved = run(tools.yosys().unwrap().current_dir(folder).args(["-q", "-l", "log", "prove.ys"]), "proof").is_ok();
    let log = std::fs::read_to_string(folder.join("log")).unwrap();
    // Whatever else may go wrong is no verdict.
    assert!(proved || log.contains("Called with -verify and proof did fail!"), "{log}");
    proved
}

/// A design as it is mapped on an ECP5.
pub fn mapped(design: &Design, tools: &Tools) -> AreaReport {
    measure_area(design, &Target::named("ecp5-85f").unwrap(), tools, &Progress::silent()).unwrap()
}

/// None of a design's blocks has a carry chain, and what is mapped is proved equal to its source.
pub fn assert_equal_without_carries(design: &Design, top: &str, tools: &Tools) {
    let report = mapped(design, tools);
    assert!(report.blocks.iter().all(|row| row.own.carry == 0), "{:?}", report.blocks);
    let folder = tempfile::tempdir().unwrap();
    report.write(folder.path()).unwrap();
    assert!(is_proved(tools, folder.path(), top));
}

/// With a part of the rules replaced by a wrong one, what is mapped is not proved equal to its source.
pub fn assert_wrong_rules_are_not_proved(
    design: &Design,
    top: &str,
    rules: &str,
    faults: &[(&str, &str)],
    tools: &Tools,
) {
    let folder = tempfile::tempdir().unwrap();
    mapped(design, tools).write(folder.path()).unwrap();
    let rules = folder.path().join(rules);
    let text = std::fs::read_to_string(&rules).unwrap();
    for (right, wrong) in faults {
        assert!(text.contains(right), "{right}");
        std::fs::write(&rules, text.replace(right, wrong)).unwrap();
        assert!(!is_proved(tools, folder.path(), top), "{wrong}");
    }
}
