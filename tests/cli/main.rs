//! The `powar` command as its users meet it: help, errors, exit codes, files and JSON. Every run is a process of its own, in a scratch
//! folder of its own.

mod bad_configurations;
mod bad_options;
mod bad_traces;
mod campaign;
mod check_ring;
mod check_routing;
mod details;
mod experiment;
mod files;
mod full_disk;
mod fusesoc;
mod help;
mod host;
mod host_simulated;
mod ipxact;
mod jobs;
mod json;
mod missing_tools;
mod networks;
mod paths;
mod schema;
mod side_by_side;
mod sim;
mod suggestions;
mod terminal;
mod trace_convert;
mod traffic;
mod vef;
mod verify;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// The command under test.
const POWAR: &str = env!("CARGO_BIN_EXE_powar");
/// Shipped traffic of 64 ranks.
const HPL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testbenches/traces/hpl-64.tar.xz");
/// What may stand on stderr before an error: the steps begun.
const STEPS: [&str; 12] = [
    "Simulations",
    "Policies",
    "power_controller in rust-hdl",
    "powar_switch in rust-hdl",
    "Simulating 8-ary-2-tree",
    "Simulating 4-ary-2-tree",
    "Simulating torus-3x3",
    "Simulating star-4",
    "Bitstream of top for ulx3s-85f",
    "Bitstream of none for ulx3s-85f",
    "Proving properties",
    "Making mutants",
];

/// A folder to run in, removed at the end of the test.
struct Scratch {
    folder: TempDir,
    has_tools: bool,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch { folder: TempDir::with_prefix("powar-cli-").unwrap(), has_tools: true }
    }

    /// One from which no tool can be installed: what is wrong with the command is to be said before.
    fn without_tools() -> Scratch {
        Scratch { has_tools: false, ..Scratch::new() }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, and the folders it is in.
    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(POWAR);
        command.args(arguments).current_dir(self.path());
        if !self.has_tools {
            // A file is no folder for tools.
            command.env("POWAR_TOOLS_DIR", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs what must succeed and returns its standard output.
    #[track_caller]
    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Runs what must fail for a reason that names all of `named`, and leave the scratch folder as it is.
    #[track_caller]
    fn fail(&self, arguments: &[&str], named: &[&str]) {
        let before = self.files();
        let error = error_of(&self.run(arguments));
        for name in named {
            assert!(error.contains(name), "{arguments:?}: `{name}` is not named in: {error}");
        }
        assert_eq!(self.files().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>(), "{arguments:?}");
        assert!(self.files() == before, "{arguments:?} changed a file");
    }

    /// Everything in the folder: files with their content, folders with none.
    fn files(&self) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in folder.read_dir().unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(self.path()).unwrap().to_path_buf();
                if path.is_dir() {
                    found.insert(name, None);
                    folders.push(path);
                } else {
                    found.insert(name, Some(std::fs::read(&path).unwrap()));
                }
            }
        }
        found
    }
}

/// The one line that says what was wrong.
#[track_caller]
fn error_of(output: &Output) -> String {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(text(&output.stdout), "", "{said}");
    assert!(!said.contains("panicked"), "{said}");
    let mut lines: Vec<&str> = said.lines().filter(|line| !STEPS.contains(line)).collect();
    let error = lines.pop().expect("an error");
    assert!(lines.is_empty(), "more than one line: {said}");
    error.strip_prefix("powar: ").unwrap_or_else(|| panic!("whose error? {error}")).to_string()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
