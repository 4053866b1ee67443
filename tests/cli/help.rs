//! `--help` and `--version`.

use crate::{HPL, Scratch, text};
use std::collections::BTreeSet;

/// Every command with its options, besides --help and --version.
const COMMANDS: [(&str, &[&str]); 19] = [
    ("demo", &["out", "input", "preset", "verilator-cycles", "rust-cycles", "json"]),
    ("presets", &["show", "json"]),
    (
        "emit",
        &[
            "preset",
            "config",
            "network",
            "nodes-per-switch",
            "out",
            "prefix",
            "force",
            "top",
            "tables",
            "testbench",
            "seed",
            "vivado",
            "json",
        ],
    ),
    (
        "check",
        &[
            "preset",
            "config",
            "top",
            "block",
            "cycles",
            "seed",
            "input",
            "switch",
            "backend",
            "vcd",
            "json",
            "traffic",
            "load",
            "disturbances",
            "node",
            "stage",
        ],
    ),
    ("check routing", &["preset", "config", "topology", "network", "nodes-per-switch", "routing", "vcs", "json"]),
    (
        "check ring",
        &["preset", "config", "topology", "cycles", "seed", "lost", "changed", "delay", "vcd", "board", "json"],
    ),
    (
        "verify",
        &[
            "preset",
            "config",
            "block",
            "quick",
            "long",
            "limit",
            "broken",
            "equality",
            "mutants",
            "mutant",
            "yosys-mutants",
            "seed",
            "coverage",
            "campaign",
            "hours",
            "trials",
            "trial",
            "properties",
            "out",
            "jobs",
            "json",
        ],
    ),
    ("trace", &["preset", "config", "input", "policy", "pdt", "switch", "cycles", "json"]),
    (
        "sim",
        &[
            "threads",
            "point",
            "hop-by-ports",
            "topology",
            "network",
            "nodes-per-switch",
            "routing",
            "policy",
            "vcs",
            "buffer-flits",
            "packet-flits",
            "hop",
            "node-link",
            "interfaces",
            "rtl",
            "rtl-nodes",
            "vcd",
            "vcd-cycles",
            "json",
            "traffic",
            "hot-spot",
            "incast",
            "traffic-matrix",
            "matrix-of",
            "max-packet-flits",
            "packet-lengths",
            "placement",
            "tasks",
            "oracle",
            "links",
            "histogram",
            "flows",
            "series",
            "interval",
            "arrivals",
            "load",
            "cycles",
            "warm-up",
            "seed",
            "input",
            "skeleton",
            "gap-scale",
            "gap-floor",
            "flop-factor",
            "flop-limit",
            "polls",
            "collectives",
            "reduce-byte",
            "o-send",
            "o-recv",
            "o-byte",
            "eager-limit",
            "local",
            "local-byte",
            "ranks-per-node",
            "lead",
            "foresight",
            "mix",
            "tasks-per-node",
        ],
    ),
    ("experiment", &["page", "out", "jobs", "fresh", "slurm", "per-task", "task", "collect", "json"]),
    (
        "trace-convert",
        &[
            "preset",
            "config",
            "out",
            "to",
            "input",
            "skeleton",
            "gap-scale",
            "gap-floor",
            "flop-factor",
            "flop-limit",
            "polls",
            "collectives",
            "reduce-byte",
            "o-send",
            "o-recv",
            "o-byte",
            "eager-limit",
            "local",
            "local-byte",
            "json",
        ],
    ),
    ("synth", &["preset", "config", "target", "block", "area", "arbiter-comparison", "out", "json"]),
    ("bitstream", &["board", "ports", "preset", "config", "clock", "module", "out", "json"]),
    ("bench", &["preset", "input", "seconds", "networks", "against", "json"]),
    ("host", &["preset", "config", "port", "baud", "timeout", "json"]),
    ("tools", &["json"]),
    ("schema", &[]),
    ("completions", &[]),
    ("man", &["json"]),
];

/// The options a help text explains: a line with the name, a line with the explanation.
fn explained(help: &str) -> Vec<String> {
    let lines: Vec<&str> = help.lines().map(str::trim).collect();
    let option = |pair: &[&str]| {
        let name = pair[0].strip_prefix("--")?.split([' ', '[']).next()?;
        assert!(pair[1].len() > 8, "--{name} is not explained: {help}");
        Some(name.to_string())
    };
    lines.windows(2).filter_map(option).collect()
}

/// The parameters of all power mechanisms, each once, as options.
fn parameters() -> BTreeSet<String> {
    let options = powar_config::mechanism::ALL.iter().flat_map(|mechanism| mechanism.options);
    options.map(|option| option.name.replace('_', "-")).collect()
}

#[test]
fn the_policies_of_all_mechanisms_are_explained() {
    let help = Scratch::new().succeed(&["sim", "--help"]);
    let listed = help.split("\nPolicies:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    for policy in powar_config::mechanism::ALL.iter().flat_map(|mechanism| mechanism.policies) {
        let explained = |line: &&str| line.trim().split_once(' ').is_some_and(|(name, _)| name == policy.name);
        assert_eq!(listed.lines().filter(explained).count(), 1, "{}: {listed}", policy.name);
    }
}

#[test]
fn every_command_explains_itself_and_its_options() {
    let scratch = Scratch::new();
    let all = scratch.succeed(&["--help"]);
    for (command, options) in COMMANDS {
        let words: Vec<&str> = command.split(' ').collect();
        let (name, above) = words.split_last().unwrap();
        let listed = scratch.succeed(&[above, &["--help"]].concat());
        assert!(listed.lines().any(|line| line.trim().starts_with(&format!("{name} "))), "{name} is not in {listed}");
        let help = scratch.succeed(&[&words[..], &["--help"]].concat());
        let mut options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
        if command == "sim" {
            options.extend(parameters());
        }
        let mut seen = explained(&help);
        seen.sort_unstable();
        options.sort_unstable();
        assert_eq!(seen, options, "{command}");
        assert!(help.contains(&format!("Usage: powar {command}")), "{help}");
        assert!(!scratch.succeed(&[&words[..], &["-h"]].concat()).is_empty());
    }
    assert!(all.contains("Examples:") && all.contains("Exit code 0"), "{all}");
}

#[test]
fn the_examples_of_the_help_are_commands_that_parse() {
    let scratch = Scratch::new();
    let help = scratch.succeed(&["--help"]);
    let examples: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  powar ")).collect();
    assert!(examples.len() >= 4, "{help}");
    for example in examples {
        // --help last: the options before it are parsed, nothing is run.
        let arguments: Vec<&str> = example.split_whitespace().chain(["--help"]).collect();
        scratch.succeed(&arguments);
        assert!(example.len() < 80, "does not fit into a terminal: {example}");
    }
}

#[test]
fn the_version_is_the_packages() {
    let scratch = Scratch::new();
    assert_eq!(scratch.succeed(&["--version"]), concat!("powar ", env!("POWAR_VERSION"), "\n"));
    assert_eq!(scratch.succeed(&["sim", "--version"]), concat!("powar-sim ", env!("POWAR_VERSION"), "\n"));
    let root = env!("CARGO_MANIFEST_DIR");
    let git = |arguments: &[&str]| std::process::Command::new("git").current_dir(root).args(arguments).output();
    let is_repository = git(&["rev-parse", "--show-prefix"]).is_ok_and(|output| output.stdout == b"\n");
    let number = env!("CARGO_PKG_VERSION");
    let commit = env!("POWAR_VERSION").strip_prefix(number).and_then(|rest| rest.strip_prefix(" (")?.strip_suffix(')'));
    match commit {
        Some(commit) => assert!(commit.len() >= 8 && commit.chars().all(|c| c.is_ascii_hexdigit()), "{commit}"),
        None => assert!(!is_repository && env!("POWAR_VERSION") == number, "{}", env!("POWAR_VERSION")),
    }
}

#[test]
fn the_short_help_of_sim_is_short() {
    let scratch = Scratch::new();
    let (short, long) = (scratch.succeed(&["sim", "-h"]), scratch.succeed(&["sim", "--help"]));
    assert!(short.lines().count() < 70, "{short}");
    assert!(["--topology", "--policy", "--load", "--seed", "--input"].iter().all(|option| short.contains(option)));
    for heading in ["Network:", "Synthetic traffic:", "Power mechanism:", "MPI program:", "Run and output:"] {
        assert!(long.lines().any(|line| line.starts_with(heading)), "{heading} is not in {long}");
    }
}

#[test]
fn shells_get_completions_and_manual_pages_are_written() {
    let scratch = Scratch::new();
    for (shell, part) in [("bash", "complete -F _powar"), ("zsh", "#compdef powar"), ("fish", "complete -c powar")] {
        let script = scratch.succeed(&["completions", shell]);
        assert!(script.contains(part) && script.contains("topology") && script.contains("trace-convert"), "{shell}");
    }
    scratch.fail(&["completions", "csh"], &["'csh'", "bash"]);
    let written = scratch.succeed(&["man", "pages/man1", "--json"]);
    let written: serde_json::Value = serde_json::from_str(&written).unwrap();
    let page = |name: &str| std::fs::read_to_string(scratch.path().join("pages/man1").join(name)).unwrap();
    assert!(written["files"].as_array().unwrap().len() > COMMANDS.len());
    assert!(page("powar.1").contains(".TH") && page("powar-sim.1").contains("\\-\\-topology"));
    assert!(page("powar-host-watch.1").contains("powar-host-watch"));
}

#[test]
fn without_a_command_the_help_comes_as_an_error() {
    let output = Scratch::new().run(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && text(&output.stderr).contains("Usage: powar <COMMAND>"));
}

/// What was written in another way once is refused with the line to write, and that line is one.
#[test]
fn old_spellings_are_answered_with_the_line_to_write() {
    let scratch = Scratch::new();
    for (old, new) in [
        (&["results", "a b"][..], "powar experiment 'a b' --page"),
        (&["check", "--routing", "--topology", "k4-n3"], "powar check routing --topology k4-n3"),
        (&["check", "--routing=left"], "powar check routing --routing left"),
        (&["check", "--ring", "--lost", "5"], "powar check ring --lost 5"),
        (&["sim", "--jobs", "low.toml", "--seed", "7"], "powar sim --mix low.toml --seed 7"),
        (&["bitstream", "--top", "blink", "blink.v"], "powar bitstream --module blink blink.v"),
    ] {
        scratch.fail(old, &["is written in another way now: ", new]);
        let words = new.replace("'a b'", "folder");
        scratch.succeed(&words.split(' ').skip(1).chain(["--help"]).collect::<Vec<_>>());
    }
}

#[test]
fn trace_says_what_it_is_for_beside_sim() {
    let scratch = Scratch::new();
    let first = |text: String| text.lines().next().unwrap().to_owned();
    let help = first(scratch.succeed(&["trace", "-h"]));
    assert!(help.contains("on one switch") && help.contains("whole networks: sim"), "{help}");
    let printed = first(scratch.succeed(&["trace", "--input", HPL, "--cycles", "100000", "--pdt", "1us"]));
    assert!(printed.starts_with("One switch of fat-tree-8, without its network (that is powar sim):"), "{printed}");
}

/// Commands of one switch and those of networks mean one network; those of a device mean the demonstrator.
#[test]
fn defaults_say_which_network_they_are_of() {
    let scratch = Scratch::new();
    let help = |words: &[&str]| {
        let text = scratch.succeed(&[words, &["--help"]].concat());
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for words in [&["emit"][..], &["check"], &["check", "routing"], &["trace"], &["synth"]] {
        assert!(
            help(words).contains("[default: fat-tree-8, whose network, 8-ary-2-tree, is sim's default]"),
            "{words:?}"
        );
    }
    let sim = help(&["sim"]);
    assert!(sim.contains("the default is that of preset fat-tree-8 [default: 8-ary-2-tree]"), "{sim}");
    assert!(help(&["host"]).contains("[default: demonstrator-4, that of `powar bitstream`]"));
    assert!(scratch.succeed(&["host", "list"]) == scratch.succeed(&["host", "--preset", "demonstrator-4", "list"]));
}
