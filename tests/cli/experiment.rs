//! `powar experiment`: results appear completely or not at all, and are not made twice.

use crate::{Scratch, text};

const SMALL: &str = r#"
title = "Small"
[simulation]
topology = "2-ary-2-tree"
traffic = { kind = "synthetic", cycles = 5000 }
[[sweep]]
name = "load"
key = "traffic.load"
values = [0.1, 0.5]
[[figure]]
name = "latency"
title = "Latency"
kind = "lines"
x = "load"
panels = [{ y = "packet_latency.mean", label = "Latency, cycles" }]
"#;

#[test]
fn results_are_in_a_folder_of_the_experiments_name() {
    let scratch = Scratch::new();
    scratch.write("of/small.toml", SMALL);
    let printed = scratch.succeed(&["experiment", "of/small.toml"]);
    assert!(printed.starts_with("Small\n\n| load | packet_latency.mean, cycles |"), "{printed}");
    for name in ["results.csv", "results.json", "results.md", "latency.svg", "latency.png"] {
        assert!(printed.contains(&format!("build/experiments/small/{name}")), "{printed}");
        assert!(scratch.path().join("build/experiments/small").join(name).is_file(), "{name}");
    }
    let json = scratch.succeed(&["experiment", "of/small.toml", "--out", "there", "--jobs", "1", "--fresh", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["simulations"].as_u64(), json["results"][1]["load"].as_f64()), (Some(2), Some(0.5)));
    assert_eq!(json["version"], env!("POWAR_VERSION"));
    assert!(scratch.path().join("there/latency.png").is_file());
}

#[test]
fn a_page_comes_with_the_results_or_of_those_there_are() {
    let scratch = Scratch::new();
    scratch.write("small.toml", SMALL);
    let printed = scratch.succeed(&["experiment", "small.toml", "--out", "there", "--page"]);
    assert!(printed.contains("there/index.html\n"), "{printed}");
    let page = || std::fs::read_to_string(scratch.path().join("there/index.html")).unwrap();
    let first = page();
    std::fs::remove_file(scratch.path().join("there/index.html")).unwrap();
    assert_eq!(scratch.succeed(&["experiment", "there", "--page"]), "there/index.html\n");
    assert_eq!(page(), first);
    let json = scratch.succeed(&["experiment", "there", "--page", "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap()["page"], "there/index.html");
    scratch.fail(&["experiment", "there"], &["there is a folder", "powar experiment there --page"]);
    scratch.fail(&["experiment", "there", "--page", "--fresh"], &["page: there is a folder"]);
    scratch.fail(&["experiment", "small.toml", "--page", "--slurm", "x"], &["--page", "--slurm"]);
}

#[test]
fn a_folder_with_other_results() {
    let scratch = Scratch::new();
    scratch.write("small.toml", SMALL);
    scratch.write("mine/results.csv", "mine");
    let not_ours = "out: mine/results.csv was not written by this command; choose another folder, or move it";
    scratch.fail(&["experiment", "small.toml", "--out", "mine"], &[not_ours]);
    scratch.write("other.toml", SMALL.replace("\"Small\"", "\"Other\"").replace("\"latency\"", "\"later\""));
    let said = |file: &str| {
        let output = scratch.run(&["experiment", file, "--out", "there"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stderr)
            .lines()
            .filter(|line| line.starts_with("powar: warning: out: "))
            .collect::<Vec<_>>()
            .join("")
    };
    let replaced = "powar: warning: out: the tables and figures of `Small` in there are replaced by those of `Other`";
    assert_eq!([said("small.toml"), said("small.toml"), said("other.toml")], ["", "", replaced]);
    let there = |name: &str| scratch.path().join("there").join(name).exists();
    assert_eq!([there("latency.svg"), there("later.svg")], [false, true]);
}

#[test]
fn a_t_on_from_u_max_on_is_warned_about() {
    let scratch = Scratch::new();
    let at = |t_on: &str| {
        SMALL
            .replace("2-ary-2-tree", "torus-4x4-trunk2")
            .replace("[[sweep]]", &format!("mechanism.powar.t_on = {t_on}\n[[sweep]]"))
    };
    scratch.write("high.toml", at("0.9"));
    scratch.write("low.toml", at("0.5\nmechanism.powar.t_off = 0.1"));
    let warned = |file: &str| {
        let output = scratch.run(&["experiment", file]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stderr).lines().filter(|line| line.starts_with("powar: warning: t_on: 0.9 ")).count()
    };
    assert_eq!((warned("high.toml"), warned("low.toml")), (1, 0));
}

#[test]
fn bad_ones_are_refused_before_anything_is_written() {
    let scratch = Scratch::new();
    let refused = |text: &str, named: &[&str]| {
        scratch.write("bad.toml", text);
        scratch.fail(&["experiment", "bad.toml"], &[&["bad.toml"], named].concat());
        assert!(!scratch.path().join("build").exists());
    };
    refused("title = 1", &["title", "string"]);
    refused(&SMALL.replace("0.5]", "7]"), &["load = 7", "load is `7`", "up to 1"]);
    refused(
        &SMALL.replace("packet_latency.mean", "latency"),
        &["figure `latency`", "`latency` is unknown", "packet_latency.p50"],
    );
    let trace = SMALL.replace("kind = \"synthetic\", cycles = 5000", "kind = \"trace\", input = \"no.tar.xz\"");
    refused(
        &trace.replace("traffic.load", "traffic.replay.gap_scale"),
        &["traffic.input", "no.tar.xz", "No such file"],
    );
    refused(
        &SMALL.replace("[[sweep]]", "pdt = \"10us\"\n[[sweep]]"),
        &["pdt: is a parameter of a power mechanism; write mechanism.powar.pdt"],
    );
    refused(&SMALL.replace("traffic.load", "t_on"), &["load = 0.1", "write mechanism.powar.t_on"]);
    refused(
        &SMALL.replace("[[sweep]]", "mechanism.powar.pdt = \"-5us\"\n[[sweep]]"),
        &["mechanism.powar.pdt", "`-5us`", "0 or more"],
    );
    scratch.fail(&["experiment", "missing.toml"], &["missing.toml", "No such file"]);
    scratch.write("good.toml", SMALL);
    scratch.fail(&["experiment", "good.toml", "--jobs", "0"], &["--jobs", "1..=1024"]);
    scratch.write("file", "");
    scratch.fail(&["experiment", "good.toml", "--out", "file"], &["file"]);
}

#[test]
fn a_job_array_is_written_for_what_is_left() {
    let scratch = Scratch::new();
    scratch.write("of/small.toml", SMALL);
    let printed = scratch.succeed(&["experiment", "of/small.toml", "--slurm", "a b", "--per-task", "1"]);
    assert!(printed.starts_with("2 of 2 simulations are left, in 2 tasks:\n\nsbatch "), "{printed}");
    let script = || std::fs::read_to_string(scratch.path().join("a b/small.sbatch")).unwrap();
    assert!(script().contains("#SBATCH --array=0-1\n") && script().contains("--task \"$SLURM_ARRAY_TASK_ID/2\""));
    scratch.fail(&["experiment", "of/small.toml", "--collect", "a b"], &["collect: 2 of 2 simulations have no result"]);
    // Task by task, as the script does it.
    let task = |share: &str| scratch.succeed(&["experiment", "of/small.toml", "--slurm", "a b", "--task", share]);
    assert_eq!(task("1/2").lines().filter(|line| line.starts_with("simulated ")).count(), 1);
    scratch.fail(&["experiment", "of/small.toml", "--collect", "a b"], &["collect: 1 of 2 simulations have no result"]);
    scratch.succeed(&["experiment", "of/small.toml", "--slurm", "a b", "--per-task", "1"]);
    assert!(script().contains("#SBATCH --array=0\n"));
    assert_eq!((task("0/2").lines().count(), task("0/2").lines().count()), (1, 0));
    let json = scratch.succeed(&["experiment", "of/small.toml", "--slurm", "a b", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((json["tasks"].as_u64(), json["missing"].as_u64(), json["script"].is_null()), (Some(0), Some(0), true));
    let collected = scratch.succeed(&["experiment", "of/small.toml", "--collect", "a b", "--json"]);
    let here = scratch.succeed(&["experiment", "of/small.toml", "--out", "a b", "--json"]);
    assert_eq!(collected, here);
}

#[test]
fn options_of_job_arrays_that_make_no_sense_are_refused() {
    let scratch = Scratch::new();
    scratch.write("small.toml", SMALL);
    let refused = |options: &[&str], named: &[&str]| {
        scratch.fail(&[&["experiment", "small.toml"], options].concat(), named);
        assert!(!scratch.path().join("there").exists());
    };
    refused(&["--slurm", "there", "--jobs", "2"], &["--slurm", "--jobs"]);
    refused(&["--collect", "there"], &["2 of 2 simulations have no result in there"]);
    refused(&["--collect", "there", "--fresh"], &["--collect", "--fresh"]);
    refused(&["--task", "0/1"], &["--slurm"]);
    refused(&["--slurm", "there", "--task", "2/2"], &["--task", "2/2", "N/T"]);
    refused(&["--slurm", "there", "--per-task", "0"], &["--per-task", "0", "1"]);
}
