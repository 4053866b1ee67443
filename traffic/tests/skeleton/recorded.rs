//! The recorded programs of `testbenches/traces`.

use super::calls::Sent;
use std::io::Read;
use std::path::Path;

/// A line of a log: `operation gap gap communicator peer bytes tag request`.
#[derive(Clone, Debug)]
pub struct Line {
    pub operation: String,
    pub peer: i64,
    pub bytes: u64,
    pub tag: i32,
}

/// The calls of all ranks, without completions.
pub fn read(name: &str) -> Vec<Vec<Line>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testbenches/traces").join(name);
    let file = std::fs::File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut archive = tar::Archive::new(lzma_rust2::XzReader::new(file, true));
    let mut ranks = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut text = String::new();
        entry.unwrap().read_to_string(&mut text).unwrap();
        let Some(rank) = text.strip_prefix("H pmpilog 1 ").and_then(|rest| rest.split(' ').next()) else {
            continue;
        };
        ranks.push((rank.parse::<u32>().unwrap(), text.lines().filter_map(line).collect::<Vec<_>>()));
    }
    ranks.sort_by_key(|rank| rank.0);
    ranks.into_iter().map(|rank| rank.1).collect()
}

fn line(text: &str) -> Option<Line> {
    let fields: Vec<_> = text.split(' ').collect();
    if matches!(fields[0], "H" | "C" | "T" | "FIN") {
        return None;
    }
    Some(Line {
        operation: fields[0].into(),
        peer: fields[4].parse().unwrap(),
        bytes: fields[5].parse().unwrap(),
        tag: fields[6].parse().unwrap(),
    })
}

/// What a rank sends, in order.
pub fn sends(rank: &[Line]) -> Vec<Sent> {
    let sends = rank.iter().filter(|line| matches!(&*line.operation, "Send" | "Isend" | "SendrecvS"));
    sends.map(|line| Sent { to: line.peer as u32, bytes: line.bytes, tag: line.tag }).collect()
}
