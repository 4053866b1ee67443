//! Tutorials are run: each `powar` line of a page's `sh` blocks, in order, in an empty folder. A `toml` block whose first line is a comment with a
//! file's name is that file. A `text` block has lines of what the commands before it print. Blocks `sh long` are run with `POWAR_LONG` set, blocks
//! `sh by hand` are not.

use super::{POWAR, Page, file_name, pages_below};
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// How a block of shell commands is run.
#[derive(Clone, Copy, PartialEq)]
enum When {
    Always,
    Long,
    ByHand,
}

impl When {
    fn of(kind: &str) -> Option<When> {
        match kind {
            "sh" => Some(When::Always),
            "sh long" => Some(When::Long),
            "sh by hand" => Some(When::ByHand),
            _ => None,
        }
    }

    fn is_now(self) -> bool {
        match self {
            When::Always => true,
            When::Long => std::env::var_os("POWAR_LONG").is_some(),
            When::ByHand => false,
        }
    }
}

/// Runs a line in a folder; what it prints.
fn printed(line: &str, folder: &Path) -> String {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let with_powar = std::iter::once(Path::new(POWAR).parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", line])
        .env("PATH", std::env::join_paths(with_powar).unwrap())
        .current_dir(folder)
        .output()
        .unwrap();
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{line}: {}\n{stdout}{stderr}", output.status);
    stdout
}

/// Goes through a page as a reader does; how many commands were run, and how many lines of output compared.
fn follow(page: &Page) -> (usize, usize) {
    let folder = TempDir::with_prefix("powar-tutorial-").unwrap();
    let (mut commands, mut compared) = (0, 0);
    // What the last block of commands printed; none if it was not run.
    let mut shown: Option<String> = None;
    for (kind, text) in page.blocks() {
        if let Some(when) = When::of(&kind) {
            let run = || text.lines().map(|line| printed(line, folder.path())).collect::<String>();
            if when != When::ByHand {
                let other = text.lines().find(|line| !line.starts_with("powar "));
                assert_eq!(other, None, "{:?}: only `powar` is run", page.path);
            }
            shown = when.is_now().then(run);
            commands += if when.is_now() { text.lines().count() } else { 0 };
        } else if kind == "toml" {
            std::fs::write(folder.path().join(file_name(&text)), &text).unwrap();
        } else if kind == "text" {
            let Some(shown) = &shown else { continue };
            for line in text.lines() {
                assert!(shown.contains(line), "{:?}: no line with {line:?} in\n{shown}", page.path);
                compared += 1;
            }
        } else {
            panic!("{:?}: a block {kind:?}, which a tutorial has no use for", page.path);
        }
    }
    (commands, compared)
}

#[test]
fn each_does_what_it_says() {
    for page in pages_below("docs/tutorials") {
        let (commands, compared) = follow(&page);
        assert!(commands >= 3 && compared >= 2, "{:?}: {commands} commands, {compared} lines", page.path);
    }
}

#[test]
fn one_that_says_something_else_is_found() {
    let page = |text: &str| Page { path: "docs/tutorials/none.md".into(), text: text.to_owned() };
    let follows = |text: &str| std::panic::catch_unwind(|| follow(&page(text))).is_ok();
    assert!(follows("```sh\npowar presets\n```\n```text\nfat-tree-2\n```\n"));
    assert!(!follows("```sh\npowar presets\n```\n```text\nfat-tree-9\n```\n"));
    assert!(!follows("```sh\npowar presets --show fat-tree-9\n```\n"));
    assert!(!follows("```sh\nls\n```\n"));
    assert!(follows("```sh by hand\nfalse\n```\n```text\nnothing\n```\n"));
}
