//! The property files are well formed, every block has some or a reason, and the page says what there is.

use powar_config::mechanism::{self, Chosen};
use powar_config::{Config, presets, routing};
use powar_hdl::registry;
use powar_verification::{LIMIT, Library, Plan, Scope, Selected, WITHOUT, block_of, not_proved, promises, proved};
use std::collections::BTreeSet;
use std::path::Path;

/// All blocks of the presets with every mechanism, and of the configurations that properties are proved in, with every routing that is for
/// them.
fn all_blocks(library: &Library) -> BTreeSet<String> {
    let presets = presets::ALL.iter().map(|preset| preset.config()).filter(|config| config.ports <= 28);
    let with_mechanisms = presets.flat_map(|config| {
        mechanism::ALL.map(|mechanism| Config { mechanism: Chosen(mechanism.defaults()), ..config.clone() })
    });
    let configs = with_mechanisms.filter(|config| config.check().is_ok()).chain(library.designs().cloned());
    let routed = configs.flat_map(|config| {
        let with = routing::ALL.map(|routing| {
            let mut config = config.clone();
            config.route_by(routing);
            config
        });
        [config].into_iter().chain(with.into_iter().filter(|config| config.check_switch().is_ok()))
    });
    routed.flat_map(|config| registry::names(&config)).map(|name| block_of(&name).to_owned()).collect()
}

#[test]
fn every_block_has_properties_or_a_reason() {
    let library = Library::built_in().unwrap();
    let blocks = all_blocks(&library);
    let with: BTreeSet<&str> = library.blocks.iter().map(|properties| properties.block.as_str()).collect();
    let without: BTreeSet<&str> = WITHOUT.iter().map(|(block, _)| *block).collect();
    let bare: Vec<&String> =
        blocks.iter().filter(|block| !with.contains(block.as_str()) && !without.contains(block.as_str())).collect();
    assert!(bare.is_empty(), "neither in hdl/properties/ nor in verification/src/without.rs: {bare:?}");
    let both: Vec<_> = with.intersection(&without).collect();
    assert!(both.is_empty(), "have properties, so they leave verification/src/without.rs: {both:?}");
    let unknown: Vec<_> = with.union(&without).filter(|block| !blocks.contains(**block)).collect();
    assert!(unknown.is_empty(), "no block of any configuration: {unknown:?}");
}

#[test]
fn every_block_stands_on_its_page_and_has_two_faults() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/microarchitecture");
    for properties in Library::built_in().unwrap().blocks {
        let page = std::fs::read_to_string(pages.join(&properties.manifest.page));
        let page = page.unwrap_or_else(|error| panic!("{}: {}: {error}", properties.block, properties.manifest.page));
        assert!(page.contains(&format!("`{}`", properties.block)), "{} is not on its page", properties.block);
        assert!(properties.manifest.broken.len() >= 2, "{}: fewer than two faults", properties.block);
        assert!(properties.covers().next().is_some(), "{}: no cover", properties.block);
    }
}

/// The page with other text between the marks of `name`.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let from = page.find(&begin).unwrap_or_else(|| panic!("no {begin}")) + begin.len();
    let to = page.find(&end).unwrap_or_else(|| panic!("no {end}"));
    format!("{}{table}{}", &page[..from], &page[to..])
}

/// Fails if a page is not as it should be; with `POWAR_WRITE` it is written before.
fn is_current(path: &Path, should: impl Fn(&str) -> String) {
    let there = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let text = should(&there);
    if std::env::var_os("POWAR_WRITE").is_some() {
        return std::fs::write(path, text).unwrap();
    }
    let how = "POWAR_WRITE=1 cargo test -p powar-verification --test all library";
    assert!(there == text, "{} is not current; write it with: {how}", path.display());
}

#[test]
fn the_page_says_what_is_proved_and_what_not() {
    let library = Library::built_in().unwrap();
    is_current(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/verification.md"), |page| {
        with_table(&with_table(page, "not proved", &not_proved(&library)), "proved", &proved(&library))
    });
}

#[test]
fn pages_of_the_microarchitecture_say_what_their_blocks_promise() {
    let library = Library::built_in().unwrap();
    let pages: BTreeSet<&str> = library.blocks.iter().map(|properties| properties.manifest.page.as_str()).collect();
    for page in pages {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/microarchitecture").join(page);
        is_current(&path, |text| with_table(text, "promises", &promises(&library, page)));
    }
}

/// The configuration that a report's command names.
fn configuration(report: &str) -> Config {
    let (_, command) = report.split_once("Made by `powar verify ").expect("a report says what makes it");
    let words: Vec<&str> = command.split_once('`').unwrap().0.split_whitespace().collect();
    let after = |option: &str| Some(words[words.iter().position(|word| *word == option)? + 1]);
    match (after("--preset"), after("--config")) {
        (Some(preset), _) => presets::by_name(preset).unwrap(),
        (None, Some(path)) => {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
            Config::from_toml(&std::fs::read_to_string(path).unwrap()).unwrap()
        }
        (None, None) => panic!("a report is of a configuration: {command}"),
    }
}

#[test]
fn reports_are_of_the_properties_that_there_are() {
    let library = Library::built_in().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/proofs");
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let reports: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    assert!(!reports.is_empty(), "no report in {}", folder.display());
    for path in reports {
        let report = std::fs::read_to_string(&path).unwrap();
        let config = configuration(&report);
        let (scope, name) = (Scope::Of(Box::new(config.clone())), config.name);
        let plan =
            Plan::new(&library, &Selected { scope, blocks: vec![], long: true, limit: LIMIT, mutants: false }).unwrap();
        // Whether properties fit a block shows only when they are bound to it.
        let misfits: Vec<&str> = report.lines().filter(|line| line.starts_with("Left out, its properties")).collect();
        let is_proved = |module: &str| !misfits.iter().any(|line| line.contains(&format!("`{module}`")));
        let proofs: Vec<_> = plan.proofs.iter().filter(|proof| is_proved(&proof.module)).collect();
        for proof in &proofs {
            let row = format!("| `{}` | {name} | {} |", proof.module, proof.properties.names().count());
            assert!(report.contains(&row), "{}: no row `{row}`: make it again", path.display());
        }
        let rows = report.lines().filter(|line| line.starts_with("| `") && line.contains(&format!("` | {name} | ")));
        assert_eq!(rows.count(), proofs.len(), "{}: make it again", path.display());
        assert!(!report.contains("FAILS"), "{}", path.display());
    }
}
