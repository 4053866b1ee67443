//! `powar sim --mix`: several programs on one network.

use crate::{HPL, Scratch};
use serde_json::Value;

/// Of the repository: six jobs on 16 to 64 tasks.
const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/experiments/jobs/small.toml");

#[test]
fn a_mix_prints_where_and_when_each_job_ran() {
    let scratch = Scratch::new();
    let sim = |policy: &str, seed: &str, json: bool| {
        let arguments = ["sim", "--topology", "2-ary-3-tree", "--mix", SMALL, "--policy", policy, "--seed", seed];
        scratch.succeed(&[&arguments[..], if json { &["--json"] } else { &[] }].concat())
    };
    let outcome: Value = serde_json::from_str(&sim("powar", "1", true)).unwrap();
    let jobs = outcome["jobs"].as_array().unwrap();
    assert_eq!(jobs.len(), 6);
    let last = jobs.iter().map(|job| job["end"].as_u64().unwrap()).max();
    assert!(last < outcome["cycles"].as_u64(), "{outcome}");
    assert!(
        jobs[0]["start"] == 0 && jobs[0]["first_node"] == 0 && outcome["u_cpu"].is_f64() && outcome["replay"].is_null()
    );
    let again: Value = serde_json::from_str(&sim("powar", "1", true)).unwrap();
    assert_eq!(outcome, again, "one seed, one outcome");
    let slower = ["sim", "--topology", "2-ary-3-tree", "--mix", SMALL, "--gap-scale", "4", "--json"];
    let slower: Value = serde_json::from_str(&scratch.succeed(&slower)).unwrap();
    let u_cpu = |outcome: &Value| outcome["u_cpu"].as_f64().unwrap();
    assert!(slower["cycles"].as_u64() > outcome["cycles"].as_u64() && u_cpu(&slower) > u_cpu(&outcome), "{slower}");
    let names = |outcome: &Value| -> Vec<String> {
        outcome["jobs"].as_array().unwrap().iter().map(|job| job["name"].to_string()).collect()
    };
    let other = |seed| names(&serde_json::from_str(&sim("first-on", seed, true)).unwrap());
    assert!(["2", "3", "4"].into_iter().any(|seed| other(seed) != names(&outcome)));
    let printed = sim("powar", "1", false);
    let head = printed.lines().find(|line| line.starts_with("job ")).expect("a table");
    let columns: Vec<&str> = head.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let all = ["job", "tasks", "nodes", "first", "start", "end", "MB sent", "% of all", "MB in the network"];
    assert_eq!(columns, all);
    for job in jobs {
        let name = job["name"].as_str().unwrap();
        assert!(printed.lines().any(|line| line.starts_with(name)), "{name} is not in {printed}");
    }
    // What is no mix has no list, and no table.
    let plain = scratch.succeed(&["sim", "--topology", "star-4", "--cycles", "1000", "--json"]);
    assert!(!plain.contains("\"jobs\""));
}

#[test]
fn what_is_wrong_with_a_mix_is_said_in_a_line() {
    let scratch = Scratch::new();
    scratch.write("here/hpl.tar.xz", std::fs::read(HPL).unwrap());
    let mix = "title = 'two'\n[[job]]\nname = 'a'\ninput = 'hpl.tar.xz'\nranks = 64\n\
               [[job]]\nname = 'b'\nskeleton = 'all-reduce:ranks=8'\n";
    let fail = |text: &str, options: &[&str], named: &[&str]| {
        scratch.write("here/mix.toml", text);
        let arguments = ["sim", "--topology", "4-ary-2-tree", "--mix", "here/mix.toml"];
        scratch.fail(&[&arguments[..], options].concat(), &[&["mix.toml"], named].concat());
    };
    // Traces are relative to the mix: this one is found, and is too large for 16 nodes with 2 cores.
    fail(mix, &["--tasks-per-node", "2"], &["job `a`", "tasks is `64`", "expected 1 to 32: 2 on each of 16 nodes"]);
    fail(&mix.replace("ranks = 64", "ranks = 32"), &[], &["job `a`", "ranks: `32`, expected 64"]);
    fail(&mix.replace("hpl.tar.xz", "no.tar.xz"), &[], &["job `a`", "no.tar.xz", "not found"]);
    fail(&mix.replace("ranks=8", "ranks=0"), &[], &["job `b`", "ranks", "0"]);
    fail(&mix.replace("title", "titel"), &[], &["titel", "line 1"]);
    fail(&mix.replace("ranks = 64", "count = 0"), &[], &["job `a`", "count", "`0`", "1 to 65536"]);
    fail(&mix.replace("ranks = 64", "replay.o_send = '1 parsec'"), &[], &["job[0].replay.o_send", "1 parsec"]);
    let refused = |options: &[&str], named: &[&str]| scratch.fail(&[&["sim"], options].concat(), named);
    refused(&["--mix", "nowhere.toml"], &["nowhere.toml", "can't read"]);
    refused(&["--mix", SMALL, "--load", "0.1"], &["--mix", "--load"]);
    refused(&["--mix", SMALL, "--input", HPL], &["--mix", "--input"]);
    refused(&["--mix", SMALL, "--gap-scale", "0"], &["gap_scale is `0`", "0.000001"]);
    refused(&["--gap-scale", "2"], &["--input", "--skeleton", "--mix", "not provided"]);
    refused(&["--tasks-per-node", "4"], &["--mix", "not provided"]);
    refused(&["--mix", SMALL, "--tasks-per-node", "0"], &["--tasks-per-node", "1..="]);
    refused(&["--mix", SMALL, "--seed", "-1"], &["--seed", "0..="]);
}
