//! The rules of AXI4-Lite, proved without bound of the block that is the switch's slave (`hdl/properties/`), and seen to fail on faults.

use powar_config::{Config, presets};
use powar_testbenches::twins;
use powar_tools::{Tools, run, tools_or_skip};
use std::fs;
use std::path::Path;

const PROPERTIES: [(&str, &str); 2] = [
    ("axi4_lite_slave.sv", include_str!("../../hdl/properties/axi4_lite_slave.sv")),
    ("register_bus_proof.sv", include_str!("../../hdl/properties/register_bus.sv")),
];

/// Both that the rules hold, by induction over as many cycles, and that what they speak of happens.
const JOB: &str = "\
[tasks]
prove
cover
[options]
prove: mode prove
cover: mode cover
depth 8
[engines]
smtbmc z3
[script]
read_verilog -sv -formal register_bus.v axi4_lite_slave.sv register_bus_proof.sv
prep -flatten -top register_bus_proof
connect -set reading dut.reading_q
check -assert
[files]
register_bus.v
axi4_lite_slave.sv
register_bus_proof.sv
";

/// What breaks a rule: an expression of the Verilog, what stands in its place, and the property that must fail.
const FAULTS: [(&str, &str, &str); 7] = [
    ("answer | (s_axi_rvalid_q & ~s_axi_rready);", "answer;", "read_answer_stays"),
    ("write_now | (s_axi_bvalid_q & ~s_axi_bready);", "write_now;", "write_answer_stays"),
    ("ar_there & ~reading_q & (~s_axi_rvalid_q | s_axi_rready);", "ar_there & ~reading_q;", "one_read_at_a_time"),
    ("assign s_axi_awready = ~aw_waits_q;", "assign s_axi_awready = 1'b1;", "one_write_beside_an_answer"),
    ("localparam [1:0] SLVERR = 2'd2;", "localparam [1:0] SLVERR = 2'd1;", "answers_are_of_axi4_lite"),
    ("s_axi_rvalid_q <= 1'b0;", "s_axi_rvalid_q <= s_axi_rvalid_d;", "no_answer_after_reset"),
    (
        "reading_q & (~exists_q | (|constant_q) | read_done);",
        "reading_q & (~exists_q | (|constant_q));",
        "reads_are_answered",
    ),
];

fn verilog(config: &Config) -> String {
    let design = twins::design(config, "register_bus").expect("a block of every switch");
    design.modules.into_iter().find(|module| module.name == "register_bus").expect("its module").text
}

/// What SymbiYosys says of the rules for this Verilog: its log of the tasks of [`JOB`]. An error if one of them fails.
fn proof(tools: &Tools, folder: &Path, text: &str, tasks: &[&str]) -> Result<String, String> {
    fs::write(folder.join("register_bus.v"), text).expect("a file");
    fs::write(folder.join("rules.sby"), JOB).expect("a file");
    for (name, text) in PROPERTIES {
        fs::write(folder.join(name), text).expect("a file");
    }
    let log = |task: &str| fs::read_to_string(folder.join(format!("rules_{task}/logfile.txt"))).unwrap_or_default();
    let done =
        run(tools.sby().expect("pinned").current_dir(folder).args(["-f", "rules.sby"]).args(tasks), "proof with sby");
    let said: String = tasks.iter().map(|task| log(task)).collect();
    if done.is_ok() { Ok(said) } else { Err(said) }
}

#[test]
fn the_slave_keeps_to_the_rules() {
    let Some(tools) = tools_or_skip("the_slave_keeps_to_the_rules") else { return };
    for name in ["fat-tree-2", "fat-tree-8", "torus-28"] {
        let folder = tempfile::tempdir().unwrap();
        let said = proof(&tools, folder.path(), &verilog(&presets::by_name(name).unwrap()), &["prove", "cover"]);
        let said = said.unwrap_or_else(|said| panic!("{name}: {said}"));
        assert_eq!(said.matches("DONE (PASS, rc=0)").count(), 2, "{name}: {said}");
        assert!(said.contains("successful proof by k-induction"), "{name}: {said}");
        assert_eq!(said.matches("reached cover statement").count(), 4, "{name}: {said}");
    }
}

#[test]
fn what_breaks_a_rule_is_found() {
    let Some(tools) = tools_or_skip("what_breaks_a_rule_is_found") else { return };
    let sound = verilog(&presets::by_name("fat-tree-2").unwrap());
    for (right, wrong, property) in FAULTS {
        assert_eq!(sound.matches(right).count(), 1, "{right}");
        let folder = tempfile::tempdir().unwrap();
        let said = proof(&tools, folder.path(), &sound.replacen(right, wrong, 1), &["prove"])
            .err()
            .unwrap_or_else(|| panic!("{right} -> {wrong} was proved"));
        // In a run from reset on, not in an induction that begins anywhere.
        let found =
            said.lines().any(|line| line.contains("basecase") && line.contains(&format!("properties.{property}")));
        assert!(found, "{right} -> {wrong}: {said}");
    }
}
