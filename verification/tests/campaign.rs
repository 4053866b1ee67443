//! The campaign: a deliberate fault is found and made small; sound blocks are equal, and what is done is kept.

use powar_config::Config;
use powar_hdl::verilog::Design;
use powar_testbenches::twins::SWITCH;
use powar_tools::{Progress, Tools, tools_or_skip};
use powar_verification::campaign::{Campaign, FailureKind, MARKDOWN, REPORT, Trial, Until};

const SEED: u64 = 5;

/// In the round-robin choice among virtual channels the pointer is lost where nothing is accepted: it shows in any switch, of one channel too.
fn lose_pointer(design: &mut Design) {
    for module in design.modules.iter_mut().filter(|module| module.name == "vc_arbiter") {
        assert!(module.text.contains("assign pointer_d = accepted ?"), "the emitted Verilog has changed");
        module.text = module.text.replace("assign pointer_d = accepted ?", "assign pointer_d = 1'b1 ?");
    }
}

/// The first trial of a block that a fault among virtual channels shows in, of a size that is compiled in seconds but can become smaller.
fn trial_of(block: &str) -> u64 {
    let fits = |number: &u64| {
        let Trial { config: Config { ports, switch, .. }, block: drawn, .. } = Trial::draw(SEED, *number).unwrap();
        drawn == block && (5..=8).contains(&ports) && switch.vcs >= 3
    };
    (0..).find(fits).unwrap()
}

/// The fault in that trial must be found, and shown in the smallest switch.
fn is_found_and_made_small(block: &str, tools: &Tools) {
    let folder = tempfile::tempdir().unwrap();
    let number = trial_of(block);
    let campaign = Campaign {
        seed: SEED,
        until: Until::Trial(number),
        jobs: 1,
        folder: folder.path().to_owned(),
        spoil: Some(lose_pointer),
    };
    let state = campaign.run(tools, &Progress::silent()).unwrap();
    let [finding] = &state.findings[..] else { panic!("{block}: {} findings", state.findings.len()) };
    assert_eq!((finding.kind, finding.trial), (FailureKind::Difference, number), "{}", finding.text());
    assert!(finding.ports <= 2 && finding.vcs == 1 && finding.cycles < 2000, "{}", finding.text());
    for file in &finding.files {
        assert!(folder.path().join(file).is_file(), "{file}");
    }
    let smallest = Config::from_file(&folder.path().join(&finding.files[0])).unwrap();
    assert_eq!(smallest.ports, finding.ports);
    assert!(finding.command.starts_with("powar check --config "), "{}", finding.command);
    assert_eq!(finding.replay, format!("powar verify --campaign --seed {SEED} --trial {number}"));
    // One trial alone is looked at, not counted.
    assert!(!folder.path().join(REPORT).exists());
}

#[test]
fn a_fault_of_a_block_is_found_and_made_small() {
    let Some(tools) = tools_or_skip("a_fault_of_a_block_is_found_and_made_small") else { return };
    is_found_and_made_small("vc_arbiter", &tools);
}

#[test]
fn a_fault_of_a_whole_switch_is_found_and_made_small() {
    let Some(tools) = tools_or_skip("a_fault_of_a_whole_switch_is_found_and_made_small") else { return };
    if std::env::var_os("POWAR_LONG").is_some() {
        is_found_and_made_small(SWITCH, &tools);
    }
}

/// The first seed whose first two trials are of small blocks, which run for seconds.
fn seed_of_small_blocks() -> u64 {
    let is_small = |trial: &Trial| trial.block.ends_with("_arbiter") || trial.block.ends_with("_counter");
    (0..).find(|&seed| (0..2).all(|number| is_small(&Trial::draw(seed, number).unwrap()))).unwrap()
}

#[test]
fn a_campaign_goes_on_where_it_was_and_leaves_nothing_compiled() {
    let Some(tools) = tools_or_skip("a_campaign_goes_on_where_it_was_and_leaves_nothing_compiled") else { return };
    let folder = tempfile::tempdir().unwrap();
    let own = tempfile::tempdir().unwrap();
    let tools = tools.with_folder(own.path());
    let seed = seed_of_small_blocks();
    let campaign = |seed, until| Campaign { seed, until, jobs: 2, folder: folder.path().to_owned(), spoil: None };
    let run = |seed, until| campaign(seed, until).run(&tools, &Progress::silent());
    let first = run(seed, Until::Trials(1)).unwrap();
    assert_eq!((first.all.trials, first.all.cycles), (1, Trial::draw(seed, 0).unwrap().cycles()));
    let both = run(seed, Until::Trials(2)).unwrap();
    assert_eq!((both.all.trials, both.done_below), (2, 2));
    assert_eq!(both.all.cycles, first.all.cycles + Trial::draw(seed, 1).unwrap().cycles());
    assert!(both.findings.is_empty());
    let error = run(seed + 1, Until::Trials(1)).unwrap_err().to_string();
    assert!(error.starts_with(&format!("--seed: {} is not that of the campaign in", seed + 1)), "{error}");
    let text = std::fs::read_to_string(folder.path().join(MARKDOWN)).unwrap();
    assert!(text.contains("2 trials") && text.contains("| mechanism |"), "{text}");
    // The libraries went with their trials; what all share stays.
    let verilated = own.path().join("campaign/verilated");
    let names = std::fs::read_dir(verilated).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> = names.filter(|name| !name.starts_with("runtime-") && name != "locks").collect();
    assert!(left.is_empty(), "{left:?}");
}
