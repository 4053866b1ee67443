//! `--config` files that are not as they should be.

use crate::{HPL, Scratch};

const GOOD: &str = "name = \"mine\"\nports = 4\ndeterministic = \"single\"\ngroups = [{ first = 2, size = 2 }]\n";

/// The configuration with a key added or, if it is there already, changed.
fn with(key: &str, value: &str) -> String {
    let kept = GOOD.lines().filter(|line| !line.starts_with(&format!("{key} ")));
    format!("{key} = {value}\n{}\n", kept.collect::<Vec<_>>().join("\n"))
}

/// The configuration with a parameter of the power mechanism.
fn mechanism(key: &str, value: &str) -> String {
    format!("{GOOD}[mechanism]\nkind = \"powar\"\n{key} = {value}\n")
}

#[test]
fn a_good_one_is_taken() {
    let scratch = Scratch::new();
    scratch.write("mine.toml", GOOD);
    let written = scratch.succeed(&["emit", "--config", "mine.toml", "--out", "design", "--top", "selector"]);
    assert!(written.contains("design/config.toml"), "{written}");
}

#[test]
fn the_one_in_the_documentation_is_taken() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/configuration.md")).unwrap();
    let example = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let scratch = Scratch::new();
    scratch.write("mine.toml", example);
    scratch.succeed(&["emit", "--config", "mine.toml", "--out", "design", "--top", "selector"]);
    let written = std::fs::read_to_string(scratch.path().join("design/config.toml")).unwrap();
    assert!(example.lines().filter(|line| line.contains(['_', '"'])).all(|line| written.contains(line)), "{written}");
}

#[test]
fn files_that_are_none() {
    let scratch = Scratch::new();
    scratch.write("folder/x", "");
    scratch.write("binary.toml", [0xff, 0xfe, 0]);
    let emit = |file, named: &[&str]| scratch.fail(&["emit", "--out", "design", "--config", file], named);
    emit("missing.toml", &["missing.toml", "No such file"]);
    emit("folder", &["folder", "Is a directory"]);
    emit("binary.toml", &["binary.toml", "UTF-8"]);
    scratch.fail(&["emit", "--out", "d", "--config", "c.toml", "--preset", "torus-28"], &["--preset", "--config"]);
}

#[test]
fn every_command_that_takes_one_refuses_a_bad_one() {
    let scratch = Scratch::new();
    scratch.write("bad.toml", with("ports", "65"));
    let named = ["bad.toml", "ports", "65", "2..=64"];
    scratch.fail(&["emit", "--out", "design", "--config", "bad.toml"], &named);
    scratch.fail(&["check", "--config", "bad.toml"], &named);
    scratch.fail(&["trace", "--input", HPL, "--config", "bad.toml"], &named);
    scratch.fail(&["synth", "--config", "bad.toml"], &named);
}

#[test]
fn field_value_and_range_are_named() {
    let cases: [(String, &[&str]); 28] = [
        ("ports = [".into(), &["line 1"]),
        (GOOD.replace("ports = 4\n", ""), &["ports", "missing"]),
        (with("colour", "\"red\""), &["line 1", "colour", "unknown field"]),
        (with("groups", "[{ first = 2, length = 2 }]"), &["groups[0]", "length", "unknown field"]),
        (with("ports", "\"four\""), &["ports", "four"]),
        (with("ports", "1"), &["ports", "1", "2..=64"]),
        (with("ports", "-4"), &["ports", "-4"]),
        (with("requesters", "0"), &["requesters", "0", "1..=64"]),
        (with("name", "\"\""), &["name", "empty"]),
        (with("deterministic", "\"many\""), &["deterministic", "many", "single", "set"]),
        (mechanism("policy", "\"nope\""), &["policy", "`nope`", "reference", "powar"]),
        (with("cycle_ns", "0.0"), &["cycle_ns", "0", "0.1..=1000"]),
        (with("cycle_ns", "nan"), &["cycle_ns", "NaN", "0.1..=1000"]),
        (mechanism("pdt", "\"10 parsecs\""), &["pdt", "10 parsecs", "us"]),
        (mechanism("pdt", "\"1s\""), &["pdt", "625000000 cycles", "0..=16777215"]),
        (mechanism("t_wake", "0"), &["t_wake", "0", "1..=16777215"]),
        (mechanism("t_quiet", "\"20us\""), &["t_quiet", "20us", "t_refresh"]),
        (mechanism("check_period", "\"1s\""), &["check_period", "2..=65535"]),
        (mechanism("t_on", "0.3"), &["t_on", "0.3", "0.5"]),
        (mechanism("t_on", "1.1"), &["t_on", "1.1", "<= 1"]),
        (mechanism("pdt", "\"-5us\""), &["pdt", "`-5us` is out of range", "0 or more"]),
        (mechanism("t_sleep", "-1.5"), &["t_sleep", "`-1.5` is out of range", "0 or more"]),
        (mechanism("dpt", "\"5us\""), &["mechanism", "unknown field `dpt`", "`pdt`"]),
        (mechanism("kind", "\"snooze\"").replace("kind = \"powar\"\n", ""), &["kind", "`snooze`", "powar"]),
        (with("u_max", "1.5"), &["u_max", "1.5", "1"]),
        (with("groups", "[{ first = 3, size = 2 }]"), &["groups[0]", "2 ports from port 3", "0..=3"]),
        (with("groups", "[{ first = 0, size = 2 }, { first = 1, size = 1 }]"), &["groups[1]", "port 1", "groups[0]"]),
        (format!("{GOOD}[topology]\nkind = \"fat-tree\"\nk = 3\nn = 2\n"), &["topology", "6", "4"]),
    ];
    let scratch = Scratch::new();
    for (content, named) in cases {
        scratch.write("bad.toml", content);
        let named: Vec<&str> = named.iter().copied().chain(["bad.toml"]).collect();
        scratch.fail(&["emit", "--out", "design", "--config", "bad.toml"], &named);
    }
}

/// Parameters of the power mechanism once stood at the top level: what is said is what to write.
#[test]
fn parameters_at_the_top_level_are_refused_with_the_line_to_write() {
    let scratch = Scratch::new();
    let emit = ["emit", "--top", "selector", "--out", "design", "--config"];
    for (old, new) in [
        ("pdt = \"10us\"", "mechanism = { kind = \"powar\", pdt = \"10us\" }"),
        (
            "t_off = 0.1\nt_on = 0.2\npolicy = \"first-on\"",
            "mechanism = { kind = \"powar\", policy = \"first-on\", t_on = 0.2, t_off = 0.1 }",
        ),
    ] {
        scratch.write("old.toml", format!("{old}\n{GOOD}"));
        let first = new.split(", ").nth(1).unwrap().split(' ').next().unwrap();
        let said =
            format!("old.toml: {first}: is not at the top level but in the table of the power mechanism; write {new}");
        scratch.fail(&[&emit[..], &["old.toml"]].concat(), &[&said]);
        scratch.fail(&["check", "--config", "old.toml"], &[&said]);
        scratch.fail(&["trace", "--input", HPL, "--config", "old.toml"], &[&said]);
        scratch.fail(&["synth", "--config", "old.toml"], &[&said]);
    }
    scratch.write("new.toml", format!("mechanism = {{ kind = \"powar\", pdt = \"10us\" }}\n{GOOD}"));
    scratch.succeed(&[&emit[..], &["new.toml"]].concat());
    let written = std::fs::read_to_string(scratch.path().join("design/config.toml")).unwrap();
    assert!(written.contains("[mechanism]\nkind = \"powar\"\npolicy = \"powar\"\npdt = \"10us\"\n"), "{written}");
}
