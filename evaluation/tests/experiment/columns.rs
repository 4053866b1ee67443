//! What the columns are: the page of them, those that are shown if nobody asks for others, and what repeats a row.

use crate::experiment::support::{SMALL, plan, refusal, run_counted};
use powar_evaluation::experiment::{RunOptions, columns_json, columns_page, read_point, write};
use std::fs;
use std::path::Path;

/// Two loads and two policies, and nothing about what to show.
const BARE: &str = r#"
title = "Bare"
[simulation]
topology = "2-ary-2-tree"
traffic = { kind = "synthetic", cycles = 3000, seed = 5 }
[[sweep]]
name = "load"
key = "traffic.load"
values = [0.05, 0.1]
[[sweep]]
name = "policy"
values = ["reference", "first-on"]
labels = ["1", "FirstOn"]
"#;

#[test]
fn the_page_of_columns_is_current() {
    // The Python package has them too, for their units.
    for (file, expected) in [("docs/columns.md", columns_page()), ("python/powar/columns.json", columns_json())] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
        if std::env::var_os("POWAR_WRITE").is_some() {
            fs::write(&path, &expected).unwrap();
        }
        let how = "POWAR_WRITE=1 cargo test -p powar-evaluation --test all the_page_of_columns";
        let there = fs::read_to_string(&path).unwrap_or_default();
        assert!(there == expected, "{file} is not current; write it with: {how}");
    }
}

#[test]
fn rows_have_what_repeats_them() {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(BARE), folder.path(), &RunOptions::default());
    write(&results, folder.path()).unwrap();
    let rows: Vec<serde_json::Value> = serde_json::from_str(&results.json().unwrap()).unwrap();
    let page = fs::read_to_string(folder.path().join("results.md")).unwrap();
    for (row, json) in results.rows.iter().zip(&rows) {
        assert_eq!(json["seed"], 5);
        let command = json["command"].as_str().unwrap();
        assert!(page.contains(command) && results.csv().contains(command), "{command}");
        let file = command.strip_prefix("powar sim --point ").unwrap();
        assert_eq!(read_point(Path::new(file)).unwrap().policy, row.outcome.policy);
        let kept: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        assert_eq!(kept["version"], powar_evaluation::version());
    }
}

#[test]
fn several_runs_have_several_commands() {
    let folder = tempfile::tempdir().unwrap();
    let repeated = BARE.replace(
        "[[sweep]]\nname = \"load\"",
        "[repeat]\nkey = \"traffic.seed\"\nvalues = [7, 9]\n[[sweep]]\nname = \"load\"",
    );
    let (results, _) = run_counted(&plan(&repeated), folder.path(), &RunOptions::default());
    let rows: Vec<serde_json::Value> = serde_json::from_str(&results.json().unwrap()).unwrap();
    assert_eq!(rows[0]["seed"], "7 9");
    let command = rows[0]["command"].as_str().unwrap();
    assert_eq!(command.matches("powar sim --point ").count(), 2);
    assert!(command.contains(".json && powar sim"), "{command}");
}

#[test]
fn numbers_are_numbers_and_empty_columns_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(BARE), folder.path(), &RunOptions::default());
    let rows: Vec<serde_json::Value> = serde_json::from_str(&results.json().unwrap()).unwrap();
    assert_eq!((&rows[0]["load"], &rows[3]["load"]), (&0.05.into(), &0.1.into()));
    // A label is what the file calls a value, whatever it looks like.
    assert_eq!((&rows[0]["policy"], &rows[1]["policy"]), (&"1".into(), &"FirstOn".into()));
    let csv = results.csv();
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let of_programs = |name: &&str| name.starts_with("replay.") || name.ends_with("cluster") || *name == "u_cpu";
    assert_eq!(names.iter().copied().find(of_programs), None);
    assert_eq!(rows[0].as_object().unwrap().len(), names.len());
    assert!(results.columns.len() > names.len() && names.contains(&"wake_ups"));
}

#[test]
fn what_is_shown_unasked_fits_the_traffic() {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(BARE), folder.path(), &RunOptions::default());
    let head = "| load | policy  | accepted, flits/node/cycle | packet_latency.p50, cycles | packet_latency.p99, cycles | u_port | wake_ups | watts.e_net, J |";
    assert!(results.table().starts_with(head), "{}", results.table());
    write(&results, folder.path()).unwrap();
    let svg = fs::read_to_string(folder.path().join("overview.svg")).unwrap();
    assert!(svg.contains(">load</text>") && svg.contains(">FirstOn</text>") && svg.contains("packet latency, p99"));
    let asked = BARE.replace("[simulation]", "columns = [\"flits\", \"u_cpu\"]\n[simulation]");
    let (results, _) = run_counted(&plan(&asked), folder.path(), &RunOptions::default());
    assert!(results.table().starts_with("| load | policy  | flits |\n"), "{}", results.table());
}

#[test]
fn names_that_no_column_has_are_guessed() {
    let said = |column: &str| refusal(&SMALL.replace("packet_latency.mean", column));
    let latency = said("latency.p99");
    assert!(
        latency.contains("`latency.p99` is unknown") && latency.contains("did you mean `packet_latency.p99`"),
        "{latency}"
    );
    assert!(latency.len() < 250, "a hundred names: {latency}");
    assert!(said("wakeups").contains("did you mean `wake_ups`?"));
    assert!(said("nothing").contains("docs/columns.md lists them"));
    let columns = refusal(&BARE.replace("[simulation]", "columns = [\"flit\"]\n[simulation]"));
    assert!(
        columns.contains("columns: column of the results: `flit` is unknown") && columns.contains("`flits`"),
        "{columns}"
    );
}
