//! The Verilog of the repository is what stands in the lists of checksums beside it, to the byte and to the file.

use super::root;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const LIST: &str = "files.sha256";

/// Folders below this one that have a list.
fn listed_folders(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            listed_folders(&entry.path(), found);
        } else if entry.file_name() == LIST {
            found.push(folder.to_owned());
        }
    }
}

/// Lines of a folder's list that are not true, and files that it does not name.
fn wrong_of(folder: &Path) -> Vec<String> {
    let list = std::fs::read_to_string(folder.join(LIST)).unwrap();
    let lines: Vec<(&str, &str)> = list.lines().map(|line| line.split_once("  ").expect("checksum and name")).collect();
    let sum = |name: &str| {
        let bytes = std::fs::read(folder.join(name)).unwrap_or_default();
        Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a String takes everything");
            text
        })
    };
    let named: BTreeSet<&str> = lines.iter().map(|(_, name)| *name).collect();
    let changed = lines.iter().filter(|(expected, name)| sum(name) != *expected).map(|(_, name)| (*name).to_owned());
    let there = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let files = there.filter(|entry| entry.file_type().unwrap().is_file());
    let names = files.map(|entry| entry.file_name().into_string().unwrap());
    let unnamed = names.filter(|name| name != LIST && !named.contains(name.as_str()));
    changed.chain(unnamed).map(|name| folder.join(name).display().to_string()).collect()
}

#[test]
fn every_list_is_right() {
    let mut folders = vec![];
    listed_folders(&root().join("hdl/verilog"), &mut folders);
    assert!(folders.len() >= 4, "{folders:?}");
    let wrong: Vec<String> = folders.iter().flat_map(|folder| wrong_of(folder)).collect();
    assert!(wrong.is_empty(), "not as in {LIST}:\n{}", wrong.join("\n"));
}

#[test]
fn one_that_is_wrong_is_found() {
    let folder = tempfile::TempDir::with_prefix("powar-checksums-").unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    write("a.v", "");
    write(LIST, &format!("{of_nothing}  a.v\n"));
    assert!(wrong_of(folder.path()).is_empty());
    write("a.v", "module a; endmodule");
    write("b.v", "");
    assert_eq!(wrong_of(folder.path()).len(), 2);
}
