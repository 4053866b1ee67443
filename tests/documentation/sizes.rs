//! The page of sizes: each table is what the commands above it print. A block of commands `sh long` is run again with `POWAR_LONG` set, one
//! `sh by hand`, which takes hours, is not; `POWAR_SIZES=TEXT` runs those of either in which the text stands, of `MHz` those with clock rates.
//! With `POWAR_WRITE=1` what comes out is written.

use super::{POWAR, Page, file_name, root};
use powar_config::{Config, mechanism, presets};
use powar_synth::aligned;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const PAGE: &str = "docs/sizes.md";

/// Commands, and the lines of the page that hold their table.
struct Measured {
    kind: String,
    commands: Vec<String>,
    rows: std::ops::Range<usize>,
}

impl Measured {
    /// The blocks of a command, and the name of the configuration that they are of.
    fn of(command: &str) -> Option<(String, Vec<String>)> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let after = |option: &str| Some(words[words.iter().position(|word| *word == option)? + 1]);
        let path = after("--preset").or(after("--config"))?;
        let name = path.strip_suffix("/config.toml").unwrap_or(path).trim_end_matches(".toml");
        let blocks = after("--block")?.split(',').map(str::to_owned).collect();
        Some((name.rsplit('/').next()?.to_owned(), blocks))
    }

    fn places(&self) -> bool {
        self.commands.iter().all(|command| !command.contains("--area"))
    }

    fn header(&self) -> &'static [&'static str] {
        match self.places() {
            true => &["block", "of", "MHz", "of each seed", "half-slices", "flip-flops"],
            false => &["block", "of", "half-slices", "flip-flops", "block RAMs", "carry cells", "hops"],
        }
    }

    fn is_asked_for(&self) -> bool {
        match std::env::var("POWAR_SIZES") {
            Ok(text) if text == "MHz" => self.places(),
            Ok(text) => self.commands.iter().any(|command| command.contains(&text)),
            Err(_) => self.kind == "sh long" && std::env::var_os("POWAR_LONG").is_some(),
        }
    }

    /// The table, by running the commands in a folder.
    fn table(&self, folder: &Path) -> Vec<String> {
        let header: Vec<String> = self.header().iter().map(|cell| cell.to_string()).collect();
        let mut rows = vec![header];
        for command in &self.commands {
            let Some((configuration, _)) = Measured::of(command) else {
                reports(command, folder);
                continue;
            };
            for report in reports(&format!("{command} --json"), folder) {
                rows.push(row(&report, &configuration));
            }
        }
        aligned(&rows, 2).lines().map(str::to_owned).collect()
    }
}

/// What a command prints as JSON, or nothing if it prints something else.
fn reports(command: &str, folder: &Path) -> Vec<Value> {
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let output = Command::new(POWAR).args(&words).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

fn row(report: &Value, configuration: &str) -> Vec<String> {
    let named = [format!("`{}`", report["module"].as_str().unwrap()), configuration.to_owned()];
    let cells = match report["seeds"].as_array() {
        Some(seeds) => {
            let rate = |value: &Value| format!("{:.1}", value.as_f64().unwrap());
            let each: Vec<String> = seeds.iter().map(|seed| rate(&seed["fmax_mhz"])).collect();
            let core = &report["core"];
            vec![rate(&report["median_fmax_mhz"]), each.join(", "), core["area"].to_string(), core["ff"].to_string()]
        }
        None => {
            let (whole, wiring) = (&report["whole"], &report["wiring"]);
            let counts = [&whole["area"], &whole["ff"], &whole["block_ram"], &wiring["carry_cells"], &wiring["hops"]];
            counts.map(|count| count.to_string()).to_vec()
        }
    };
    named.into_iter().chain(cells).collect()
}

/// The page's blocks of commands that measure; the table of each is what stands behind it, if there is one.
fn measured(text: &str) -> Vec<Measured> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = vec![];
    let mut at = 0;
    while at < lines.len() {
        let kind = lines[at].strip_prefix("```").unwrap_or_default().to_owned();
        at += 1;
        if kind.is_empty() {
            continue;
        }
        let first = at;
        at += lines[at..].iter().position(|line| *line == "```").expect("a fence is closed");
        let commands: Vec<String> = lines[first..at].iter().map(|line| line.to_string()).collect();
        at += 1;
        if ["sh long", "sh by hand"].contains(&kind.as_str()) {
            let table = at + usize::from(lines.get(at).is_some_and(|line| line.is_empty()));
            let length = lines.get(table..).into_iter().flatten().take_while(|line| line.starts_with('|')).count();
            found.push(Measured { kind, commands, rows: table..table + length });
        }
    }
    found
}

/// The configurations that stand in the page.
fn configurations(page: &Page) -> impl Iterator<Item = String> {
    page.blocks().into_iter().filter(|(kind, _)| kind == "toml").map(|(_, text)| text)
}

/// The names in the first column.
fn names(page: &Page, rows: &std::ops::Range<usize>) -> Vec<String> {
    let lines = page.text.lines().skip(rows.start).take(rows.len()).skip(2);
    lines.map(|line| line.split('`').nth(1).expect("a block's name").to_owned()).collect()
}

#[test]
fn every_block_has_a_row() {
    let page = Page::read(PAGE);
    let mut configurations: Vec<Config> = configurations(&page)
        .map(|text| Config::from_toml(&text).unwrap_or_else(|error| panic!("{error:#}: {text}")))
        .collect();
    let mut rows = BTreeSet::new();
    for measured in measured(&page.text) {
        let of_commands: Vec<(String, Vec<String>)> =
            measured.commands.iter().filter_map(|line| Measured::of(line)).collect();
        let blocks: Vec<String> = of_commands.iter().flat_map(|(_, blocks)| blocks.clone()).collect();
        assert_eq!(names(&page, &measured.rows), blocks, "{:?}", measured.commands);
        if !measured.places() {
            configurations.extend(of_commands.iter().filter_map(|(name, _)| presets::by_name(name).ok()));
            rows.extend(blocks);
        }
    }
    // The blocks of the network from a file, whose configuration a command makes, are in others too.
    let there: BTreeSet<String> = configurations.iter().flat_map(powar_hdl::registry::names).collect();
    let of_mechanisms = mechanism::ALL.into_iter().map(|mechanism| mechanism.name.to_owned());
    let missing: Vec<String> = there.into_iter().chain(of_mechanisms).filter(|name| !rows.contains(name)).collect();
    assert_eq!(missing, [""; 0], "blocks without a row in {PAGE}");
}

#[test]
fn the_tables_are_what_commands_print() {
    let page = Page::read(PAGE);
    let mut lines: Vec<String> = page.text.lines().map(str::to_owned).collect();
    // From the last on, for a table moves the lines behind it.
    for section in measured(&page.text).into_iter().filter(Measured::is_asked_for).rev() {
        let folder = TempDir::with_prefix("powar-sizes-").unwrap();
        for text in configurations(&page) {
            std::fs::write(folder.path().join(file_name(&text)), &text).unwrap();
        }
        std::os::unix::fs::symlink(root().join("experiments"), folder.path().join("experiments")).unwrap();
        let mut table = section.table(folder.path());
        table.extend(section.rows.is_empty().then(String::new));
        lines.splice(section.rows, table);
    }
    let now = lines.join("\n") + "\n";
    let is_written = std::env::var_os("POWAR_WRITE").is_some();
    if is_written {
        std::fs::write(root().join(PAGE), &now).unwrap();
    }
    let new: Vec<&str> = now.lines().filter(|line| !page.text.lines().any(|before| before == *line)).collect();
    assert!(is_written || page.text == now, "{PAGE} is not what its commands print, which is {new:#?}");
}

#[test]
fn tables_belong_to_the_commands_before_them() {
    let text = "```sh long\npowar synth --area --preset star-16 --block a,b\n```\n\n| x |\n| - |\n| `a` |\n\n```toml\n# a.toml\n```\n```sh by hand\npowar synth --config build/n/config.toml --block c\n```\nno table\n";
    let found = measured(text);
    assert_eq!(found.iter().map(|one| one.rows.clone()).collect::<Vec<_>>(), [4..7, 14..14]);
    assert_eq!(found.iter().map(Measured::places).collect::<Vec<_>>(), [false, true]);
    let of = |one: &Measured| Measured::of(&one.commands[0]).unwrap();
    assert_eq!(of(&found[0]), ("star-16".into(), vec!["a".into(), "b".into()]));
    assert_eq!(of(&found[1]), ("n".into(), vec!["c".into()]));
}
