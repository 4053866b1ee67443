use powar_evaluation::experiment::{File, Plan, Results, RunOptions, Status, run};
use std::path::Path;
use std::sync::Mutex;

/// Two policies of which one has thresholds of its own, two power-down thresholds, and what is beside them; milliseconds each.
pub const SMALL: &str = r#"
title = "Small"

[simulation]
topology = "2-ary-2-tree"
traffic = { kind = "synthetic", load = 0.05, cycles = 20000, seed = 3 }
warm_up = 1000

[[sweep]]
name = "policy"
values = ["first-on", "powar"]
labels = ["FirstOn", "POWAR"]

[[sweep]]
name = "PDT"
key = "mechanism.powar.pdt"
values = ["0", "1us"]

[[extra]]
label = "Ideal"
set = { policy = "ideal" }

[baseline]
policy = "reference"

[[figure]]
name = "energy"
title = "Energy <of> bars"
kind = "bars"
groups = ["policy"]
bars = "PDT"
panels = [{ y = "relative.e_net", label = "E_net, %", percent = true, max = 40 }]

[[figure]]
name = "latency"
title = "Latency"
kind = "lines"
x = "PDT"
series = ["policy"]
panels = [{ y = "packet_latency.mean", label = "Latency, cycles" }]
"#;

pub fn plan(text: &str) -> Plan {
    Plan::new("small".into(), File::parse(text).unwrap(), Path::new("")).unwrap()
}

/// Why a text is no experiment, in one line.
pub fn refusal(text: &str) -> String {
    let file = File::parse(text).and_then(|file| Plan::new("small".into(), file, Path::new("")));
    let text = format!("{:#}", file.unwrap_err());
    assert!(!text.contains('\n'), "{text}");
    text
}

/// Runs a plan; also how many simulations were run for it.
pub fn run_counted(plan: &Plan, folder: &Path, options: &RunOptions) -> (Results, usize) {
    let last = Mutex::new(Status { done: 0, all: 0, kept: 0 });
    let observe = |status: Status| {
        let mut last = last.lock().unwrap();
        if status.done >= last.done {
            *last = status;
        }
        Ok(())
    };
    let results = run(plan, folder, options, &observe).unwrap();
    let last = *last.lock().unwrap();
    assert_eq!(last.done, last.all);
    (results, last.all - last.kept)
}

/// An experiment of the repository, shorter and with fewer points: texts of its file and what stands there instead.
pub fn shortened(name: &str, changes: &[(&str, &str)]) -> Results {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../experiments/{name}.toml"));
    let mut text = std::fs::read_to_string(path).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{name}: {from}");
        text = text.replace(from, to);
    }
    // Published values are of points that a shortened experiment may not have.
    while let Some(begin) = text.find("\npublished = [\n") {
        let end = text[begin..].find("\n]\n").expect("the end of a list");
        text.replace_range(begin..begin + end + 2, "");
    }
    let folder = tempfile::tempdir().unwrap();
    run_counted(&plan(&text), folder.path(), &RunOptions::default()).0
}
