//! Files that say where ranks run: what is read, what is refused and how, and that no text makes the reader panic.

use crate::common;
use common::mutation::{Mutator, little_memory, try_many};
use powar_traffic::RankPlacement;
use powar_traffic::program::Placement;
use std::path::Path;

const NAMES: [&str; 4] = ["a", "b", "host 3", "0"];

/// Of three ranks on four nodes with [`NAMES`], or on eight without names.
fn place(file: &Path, bytes: &[u8], per_node: u32, named: bool) -> Result<Placement, String> {
    std::fs::write(file, bytes).unwrap();
    let names = if named { NAMES.map(String::from).to_vec() } else { vec![] };
    let placement = RankPlacement::from(file);
    let placed = placement.place(3, per_node, if named { 4 } else { 8 }, &names);
    let prefix = format!("placement: {}: ", file.display());
    placed.map_err(|error| {
        let line = format!("{error:#}");
        line.strip_prefix(&prefix).unwrap_or_else(|| panic!("{line}")).to_owned()
    })
}

#[test]
fn a_line_is_the_node_of_a_rank() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ranks");
    let nodes =
        |text: &str, per_node, named| place(&file, text.as_bytes(), per_node, named).unwrap().node_of().to_vec();
    for text in ["7\n0\n3\n", "\u{feff}7\r\n0\r\n3", "# three\n\n 7\n0\n\t3  \n", "7\n0\n3\n3\n3\n3\n"] {
        assert_eq!(nodes(text, 1, false), [7, 0, 3], "{text:?}");
    }
    assert_eq!(nodes("5\n5\n2\n", 2, false), [5, 5, 2]);
    // A name counts before a number.
    assert_eq!(nodes("host 3\n0\n1\n", 1, true), [2, 3, 1]);
    for (text, per_node, named, says) in [
        ("7\n0\n8\n", 1, false, "line 3: node is `8`, expected 0 to 7"),
        ("7\n0\n1\n9\n", 1, false, "line 4: node is `9`, expected 0 to 7"),
        ("7\n-1\n8\n", 1, false, "line 2: node is `-1`, expected 0 to 7"),
        ("# a\n7 0 1\n", 1, false, "line 2: node is `7 0 1`, expected 0 to 7"),
        ("7\nc\n0\n", 1, true, "line 1: node is `7`, expected 0 to 3, or a name of the network's file"),
        ("7\n0\n", 1, false, "the file has 2 nodes, expected 3, one for each rank"),
        ("", 1, false, "the file has 0 nodes, expected 3, one for each rank"),
        ("7\n\n7\n0\n", 1, false, "line 3: node `7` has 2 ranks, expected 1, the ranks per node"),
        ("7\n7\n7\n0\n", 2, false, "line 3: node `7` has 3 ranks, expected 2, the ranks per node"),
    ] {
        assert_eq!(place(&file, text.as_bytes(), per_node, named).unwrap_err(), says, "{text:?}");
    }
    assert_eq!(place(&file, b"7\n\xff\n", 1, false).unwrap_err(), "line 2: the text is not UTF-8");
}

#[test]
fn mutated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ranks");
    let words =
        ["0", "1", "2", "3", "4", "-1", "99999999999", "a", "b", "host 3", "#", "\n", "\r\n", "\u{feff}", " ", "\u{0}"];
    try_many("rank_file::mutated", |seed| {
        let mut mutator = Mutator::new(seed, &words);
        let [bytes] = mutator.mutated(["# ranks\na\nb\nhost 3\n".to_owned()]);
        match place(&file, &bytes, 1, true) {
            Ok(placed) => {
                assert!(placed.ranks() == 3 && placed.ranks_on().iter().all(|&ranks| ranks <= 1));
                true
            }
            Err(line) => {
                assert!(!line.contains('\n') && line.len() < 300, "{line:?}");
                false
            }
        }
    });
    little_memory();
}
