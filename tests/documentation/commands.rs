//! Commands that pages show are commands that there are, with options that they have.

use super::{POWAR, Page, pages_below};
use std::collections::BTreeMap;
use std::process::Command;

/// What `powar --help`, or `powar NAME --help`, prints.
fn help(subcommand: &[&str]) -> String {
    let output = Command::new(POWAR).args(subcommand).arg("--help").output().unwrap();
    assert!(output.status.success(), "powar {subcommand:?} --help");
    String::from_utf8(output.stdout).unwrap()
}

/// The names below `Commands:`.
fn subcommands(help: &str) -> Vec<String> {
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    listed
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .filter(|name| name != "help")
        .collect()
}

/// The lines of a page's shell blocks that run `powar`, each without what stands behind a `#`.
fn lines(page: &Page) -> Vec<String> {
    let shell = page.blocks().into_iter().filter(|(kind, _)| kind.split(' ').next() == Some("sh"));
    let joined = shell.flat_map(|(_, text)| {
        let whole = text.replace("\\\n", " ");
        whole.lines().map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned()).collect::<Vec<_>>()
    });
    joined.filter(|line| line.starts_with("powar ")).collect()
}

#[test]
fn pages_show_no_other_commands_and_options() {
    let known = subcommands(&help(&[]));
    assert!(known.len() > 10, "{known:?}");
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut wrong = vec![];
    let mut seen = 0;
    for page in pages_below("") {
        for line in lines(&page) {
            seen += 1;
            let name = line.split_whitespace().nth(1).unwrap().to_owned();
            if !known.contains(&name) {
                wrong.push(format!("{}: {line}: no command {name}", page.path.display()));
                continue;
            }
            let text = helps.entry(name.clone()).or_insert_with(|| {
                let own = help(&[&name]);
                let below: String = subcommands(&own).iter().map(|below| help(&[&name, below])).collect();
                own + &below
            });
            let options = line.split_whitespace().filter(|word| word.starts_with("--"));
            for option in options.map(|word| word.split('=').next().unwrap()) {
                if !text.split(|sign: char| !(sign.is_alphanumeric() || sign == '-')).any(|word| word == option) {
                    wrong.push(format!("{}: {line}: no option {option}", page.path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 100, "{seen} commands are too few to be all");
}

#[test]
fn the_page_of_commands_has_all_of_them() {
    let page = Page::read("docs/commands.md");
    for name in subcommands(&help(&[])) {
        assert!(page.text.contains(&format!("powar {name}")), "docs/commands.md says nothing of powar {name}");
    }
}
