//! Every construct simulated in rust-hdl and replayed against the generated Verilog.

use crate::cases;
use crate::common::replay::Replay;
use crate::common::toolbox::{icarus_is_missing, tools, work_folder, yosys};
use powar_tools::run;

fn all() -> Replay {
    Replay::new(cases::recordings())
}

#[test]
fn verilator_agrees_with_rust_hdl() {
    all().verilator();
}

#[test]
fn icarus_agrees_with_rust_hdl() {
    all().icarus("icarus-replay");
}

/// A replay that cannot fail proves nothing.
#[test]
#[should_panic(expected = "Verilator differs from rust-hdl in step")]
fn verilator_notices_a_wrong_reset_value() {
    let recordings = cases::registers::recordings();
    Replay::new(recordings).with_error("byte_q <= 8'd165;", "byte_q <= 8'd164;").verilator();
}

#[test]
#[should_panic(expected = "Icarus differs from rust-hdl in step")]
fn icarus_notices_a_wrong_operator() {
    if icarus_is_missing() {
        panic!("Icarus differs from rust-hdl in step 0: it is not installed");
    }
    Replay::new(cases::operators::recordings())
        .with_error("a - (b - c)", "a - (b + c)")
        .icarus("icarus-wrong-operator");
}

/// One file per module, so that not even the rule "one module per file of that name" needs an exception.
#[test]
fn verilator_has_no_complaint_of_any_kind() {
    let mut complaints = vec![];
    for recording in cases::recordings() {
        let top = &recording.design.description.top;
        let folder = work_folder(&format!("lint-{top}"));
        let files = recording.design.files();
        for (name, text) in &files {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let mut verilator = tools().verilator().unwrap();
        verilator.current_dir(&folder).args(["--lint-only", "-Wall", "--default-language", "1364-2005"]);
        verilator.args(["--top-module", top, "-f", &format!("{top}.f")]);
        if let Err(error) = run(&mut verilator, top) {
            complaints.push(error.to_string());
        }
    }
    assert!(complaints.is_empty(), "{complaints:#?}");
}

#[test]
fn yosys_reads_it_as_verilog_2005_without_latches() {
    let folder = work_folder("yosys-check");
    let mut script = String::new();
    for recording in cases::recordings() {
        let top = &recording.design.description.top;
        std::fs::write(folder.join(format!("{top}.v")), recording.design.to_single_file()).unwrap();
        script.push_str(&format!(
            "design -reset\nread_verilog {top}.v\nhierarchy -check -top {top}\nproc\ncheck -assert\nselect -assert-none t:$dlatch\n"
        ));
    }
    yosys(&folder, &script);
}

#[test]
fn the_same_design_gives_the_same_text() {
    let text = || cases::recordings().iter().map(|recording| recording.design.to_single_file()).collect::<Vec<_>>();
    assert_eq!(text(), text());
}
