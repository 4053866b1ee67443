//! `powar verify`: proofs of properties, and the wave of one that fails.

use crate::{Scratch, text};
use powar_tools::tools_or_skip;
use serde_json::{Value, json};

const PROPERTIES: &str = "\
module vc_arbiter_properties #(parameter BITS_request = 4) (
    input wire clk, input wire rst, input wire [BITS_request-1:0] request, input wire [BITS_request-1:0] accept,
    input wire [BITS_request-1:0] pick, input wire [BITS_request-1:0] pointer_q
);
    reg began = 1'b0;
    always @(posedge clk) began <= 1'b1;
    always @* if (!began) assume (rst);
    always @* assume ((accept & (accept - 1'b1)) == 0);
    always @* if (began) begin
        pointer_is_one_hot: assert (pointer_q != 0 && (pointer_q & (pointer_q - 1'b1)) == 0);
        picks_a_request: assert ((pick & ~request) == 0 && (pick != 0) == (request != 0));
        picks: cover (pick == 2);
    end
endmodule
";

const MANIFEST: &str = "\
page = \"arbiters.md\"
engine = \"pdr\"
cover_depth = 5
designs = [\"fat-tree-2\"]
[promises]
\"one-hot\" = [\"pointer_is_one_hot\"]
\"a pick is a request\" = [\"picks_a_request\"]
";

/// A scratch folder with `p/vc_arbiter.sv` and its TOML, a piece of each changed.
fn with_properties(sv: (&str, &str), toml: (&str, &str)) -> Scratch {
    let scratch = Scratch::new();
    for (name, text, (from, to)) in [("p/vc_arbiter.sv", PROPERTIES, sv), ("p/vc_arbiter.toml", MANIFEST, toml)] {
        assert!(text.contains(from), "{from}");
        scratch.write(name, text.replacen(from, to, 1));
    }
    scratch
}

const VERIFY: [&str; 5] = ["verify", "--properties", "p", "--out", "o"];

#[test]
fn properties_are_proved_and_reported_twice_in_a_row() {
    if tools_or_skip("verify").is_none() {
        return;
    }
    let scratch = with_properties(("", ""), ("", ""));
    for _ in 0..2 {
        let said = scratch.succeed(&VERIFY);
        assert!(said.starts_with("vc_arbiter of fat-tree-2: 2 properties, unbounded; covers: 1 reached ("), "{said}");
        assert!(said.contains("2 properties in 1 proofs of 1 blocks: all hold"), "{said}");
        for file in ["verify.json", "verify.md", "verify.html"] {
            assert!(said.contains(&format!("  o/{file}\n")) && scratch.path().join("o").join(file).is_file(), "{said}");
        }
    }
    let said = scratch.succeed(&[&VERIFY[..], &["--preset", "fat-tree-4", "--json", "--jobs", "1"]].concat());
    let report: Value = serde_json::from_str(&said).unwrap();
    let outcome = &report["blocks"][0]["outcomes"][0];
    assert_eq!((&report["holds"], &outcome["configuration"]), (&json!(true), &json!("fat-tree-4")));
    assert_eq!(outcome["properties"][0], json!({"name": "pointer_is_one_hot", "verdict": "proved"}));
    assert!(report["left_out"].as_array().unwrap().iter().any(|left| left["block"] == "powar_switch"), "{report}");
}

#[test]
fn a_property_that_fails_leaves_a_wave_which_goes_with_the_next_run() {
    if tools_or_skip("verify").is_none() {
        return;
    }
    let scratch = with_properties(("(pick & ~request) == 0 &&", "!(pick[1] && pointer_q[1]) &&"), ("", ""));
    let output = scratch.run(&VERIFY);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(
        said.starts_with("vc_arbiter of fat-tree-2: 2 properties, FAILS: picks_a_request; covers: 1 reach"),
        "{said}"
    );
    let stem = "o/waves/vc_arbiter-fat-tree-2-picks_a_request";
    assert!(said.contains(&format!("  {stem}.vcd\n")), "{said}");
    let read = |name: String| std::fs::read_to_string(scratch.path().join(name)).unwrap();
    let save = read(format!("{stem}.gtkw"));
    assert!(save.contains("[markername] Apicks_a_request fails\n"), "{save}");
    assert!(save.contains("-vc_arbiter.sv:11 fails: picks_a_request in step "), "{save}");
    assert!(read(format!("{stem}.vcd")).contains(" picks_a_request_holds $end"));
    let report: Value = serde_json::from_str(&read("o/verify.json".into())).unwrap();
    let properties = &report["blocks"][0]["outcomes"][0]["properties"];
    assert_eq!((&properties[0]["verdict"], &properties[1]["verdict"]), (&json!("proved"), &json!("failed")));
    assert!(read("o/verify.html".into()).contains("picks_a_request fails in step "));
    scratch.write("p/vc_arbiter.sv", PROPERTIES);
    scratch.succeed(&VERIFY);
    assert!(!scratch.path().join("o/waves").exists(), "waves of a property that holds now");
}

#[test]
fn faults_beside_the_properties_are_tried_and_must_be_found() {
    if tools_or_skip("verify").is_none() {
        return;
    }
    let broken = |wrong: &str| {
        let fault = format!(
            "designs = [\"fat-tree-2\"]\n[[broken]]\nright = \"accepted ? {{accept[2:0], accept[3]}} : pointer_q\"\n\
             wrong = \"{wrong}\"\nproperty = \"pointer_is_one_hot\""
        );
        with_properties(("", ""), ("designs = [\"fat-tree-2\"]", &fault))
    };
    let command = [&VERIFY[..], &["--broken", "--equality"]].concat();
    let scratch = broken("4'd3");
    let said = scratch.succeed(&command);
    assert!(said.contains("1 faults: each makes the property fail that is to find it.\n"), "{said}");
    assert!(scratch.path().join("o/broken/vc_arbiter-0-pointer_is_one_hot.gtkw").is_file(), "{said}");
    // With or without a reset, 16 requests, none or one of four accepted; four places of the pointer.
    let line = said.lines().find(|line| line.starts_with("vc_arbiter  fat-tree-2")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!((words[2..5].join(" ").as_str(), *words.last().unwrap()), ("all 160 4", "equal"), "{said}");
    let output = broken("pointer_q").run(&command);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("HOLDS ALL THE SAME"), "{}", text(&output.stdout));
}

#[test]
fn a_cover_that_is_not_reached_is_no_success() {
    if tools_or_skip("verify").is_none() {
        return;
    }
    let scratch = with_properties(("cover (pick == 2)", "cover (pick == 3)"), ("", ""));
    let output = scratch.run(&VERIFY);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("covers: NOT REACHED in 5 cycles: picks"), "{}", text(&output.stdout));
}

#[test]
fn what_can_not_be_proved_is_said_in_a_line() {
    let sound = with_properties(("", ""), ("", ""));
    let fail = |more: &[&str], named: &[&str]| sound.fail(&[&VERIFY[..], more].concat(), named);
    fail(&["--block", "vc_arbitr"], &["block", "vc_arbitr", "vc_arbiter"]);
    fail(&["--preset", "fat-tree-3"], &["preset", "fat-tree-3", "fat-tree-2"]);
    fail(&["--config", "none.toml"], &["none.toml"]);
    fail(&["--jobs", "0"], &["--jobs", "1..=1024"]);
    fail(&["--quick", "--long"], &["--quick", "--long"]);
    sound.fail(&["verify", "--properties", "nowhere"], &["--properties", "nowhere"]);
    sound.fail(&["verify", "--properties", "."], &["--properties", "BLOCK.toml"]);
    let manifest = |from: &str, to: &str, named: &[&str]| {
        with_properties(("", ""), (from, to)).fail(&VERIFY, &[&["vc_arbiter.toml"], named].concat());
    };
    manifest("engine = \"pdr\"", "engine = \"magic\"", &["magic", "pdr", "bounded"]);
    manifest("engine = \"pdr\"", "engine = \"bounded\"\ndepth = 9", &["reason"]);
    manifest("engine = \"pdr\"", "engine = \"induction\"", &["depth", "1 or more"]);
    manifest("cover_depth = 5", "cover_depth = 0", &["cover_depth", "0"]);
    manifest("cover_depth = 5", "cover_dept = 5", &["cover_dept", "cover_depth"]);
    manifest("cover_depth = 5", "cover_depth = \"5\"", &["cover_depth"]);
    manifest("[\"pointer_is_one_hot\"]", "[\"pointer\"]", &["one-hot", "pointer", "pointer_is_one_hot"]);
    manifest("[\"pointer_is_one_hot\"]", "\"\"", &["one-hot", "[missing]"]);
    manifest("[\"fat-tree-2\"]", "[]", &["designs"]);
    with_properties(("", ""), ("fat-tree-2", "fat-tree-3")).fail(&VERIFY, &["designs", "fat-tree-3", "preset"]);
    let source = |from: &str, to: &str, named: &[&str]| {
        with_properties((from, to), ("", "")).fail(&VERIFY, &[&["vc_arbiter.sv"], named].concat());
    };
    source("module vc_arbiter_properties", "module arbiter", &["arbiter", "vc_arbiter_properties"]);
    source("picks: cover", "cover", &["line 12", "label"]);
    source("picks: cover", "picks_a_request: cover", &["line 12", "picks_a_request", "twice"]);
    source("input wire rst", "output wire rst", &["line 2", "rst", "output"]);
}

#[test]
fn a_number_without_a_mutant_is_told_before_the_proofs() {
    if tools_or_skip("verify").is_none() {
        return;
    }
    let sound = with_properties(("", ""), ("", ""));
    let arguments = [&VERIFY[..], &["--block", "vc_arbiter", "--mutant", "3,9999"]].concat();
    sound.fail(&arguments, &["vc_arbiter", "mutant: 9999 must be 1 to "]);
    let said = text(&sound.run(&arguments).stderr);
    assert!(said.contains("Making mutants") && !said.contains("Proving"), "{said}");
}

#[test]
fn properties_that_do_not_fit_the_block_are_refused() {
    if tools_or_skip("verify").is_none() {
        return;
    }
    let source = |from: &str, to: &str, named: &[&str]| {
        with_properties((from, to), ("", "")).fail(&VERIFY, &[&["vc_arbiter"], named].concat());
    };
    source("pointer_q\n)", "pointer_q, input wire pointre\n)", &["pointre", "pointer_q", "no signal"]);
    source(
        "parameter BITS_request = 4",
        "parameter BITS_request = 4, parameter WAITS = 2",
        &["parameter WAITS", "[parameters]"],
    );
    source("parameter BITS_request = 4", "parameter BITS_request = 4, parameter BITS_x = 2", &["BITS_x", "no signal"]);
    source("pick == 2", "pick = = 2", &["vc_arbiter.sv:12"]);
}
