//! The documentation: its links lead somewhere, its index is complete, its commands are commands that there are, and its tutorials do what
//! they say. So it is with the pages that commands write; and the Verilog beside it is what its checksums say.

mod checksums;
mod commands;
mod emitted;
mod links;
mod readme;
mod sizes;
mod slow_tests;
mod tutorials;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::path::{Path, PathBuf};

/// The command that the documentation is about.
const POWAR: &str = env!("CARGO_BIN_EXE_powar");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page, by its path below the root.
struct Page {
    path: PathBuf,
    text: String,
}

impl Page {
    fn read(path: impl Into<PathBuf>) -> Page {
        let path = path.into();
        let text = std::fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        Page { path, text }
    }

    fn events(&self) -> impl Iterator<Item = Event<'_>> {
        Parser::new_ext(&self.text, Options::ENABLE_TABLES)
    }

    /// Its fenced blocks, in order: what stands behind the fence, such as `sh`, and the text.
    fn blocks(&self) -> Vec<(String, String)> {
        let mut blocks: Vec<(String, String)> = vec![];
        let mut inside = false;
        for event in self.events() {
            match event {
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(kind))) => {
                    blocks.push((kind.to_string(), String::new()));
                    inside = true;
                }
                Event::End(TagEnd::CodeBlock) => inside = false,
                Event::Text(text) if inside => blocks.last_mut().expect("a block was begun").1 += &text,
                _ => {}
            }
        }
        blocks
    }
}

/// The file that a `toml` block is: its first line is a comment with the name.
fn file_name(text: &str) -> &str {
    let name = text.lines().next().and_then(|line| line.strip_prefix("# "));
    name.filter(|name| name.ends_with(".toml")).expect("the file's name in its first line")
}

/// Every Markdown file below a folder of the repository, but for what is built.
fn pages_below(folder: &str) -> Vec<Page> {
    pages_in(root(), folder)
}

/// The same below any root, by their paths below that.
fn pages_in(root: &Path, folder: &str) -> Vec<Page> {
    let pages = files_in(root, folder, ".md");
    assert!(!pages.is_empty(), "{folder} has no pages");
    pages
}

/// All files whose names end so, by their paths below the root.
fn files_in(root: &Path, folder: &str, ending: &str) -> Vec<Page> {
    let mut pages = vec![];
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = folder.join(&name);
            if entry.file_type().unwrap().is_dir() {
                if !name.starts_with('.') && !["target", "build"].contains(&name.as_str()) {
                    folders.push(path);
                }
            } else if name.ends_with(ending) {
                let text =
                    std::fs::read_to_string(root.join(&path)).unwrap_or_else(|error| panic!("{path:?}: {error}"));
                pages.push(Page { path, text });
            }
        }
    }
    pages.sort_by(|one, other| one.path.cmp(&other.path));
    pages
}
