//! Small files that unpack to GiB: they end at the first line that is none of a trace, soon and in little memory.

use super::error_of;
use super::packed::{gz, tar, xz};
use super::{GOAL, dumpi, log};
use std::io::{Cursor, Read, repeat};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How much a bomb unpacks to, bytes.
const HUGE: u64 = 6 << 30;
/// Longest that one may take on a busy machine; they take far less than a second on an idle one.
const SOON: Duration = Duration::from_secs(10);

/// A bomb is made of the parts of its packed form, as 6 GiB would take long to pack: members of gzip follow each other.
fn gzipped(parts: &[(&[u8], u64)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (part, times) in parts {
        // So many times in one member, and the member so many times.
        let in_one = (1 << 20) / part.len().max(1) as u64 + 1;
        let one = gz(&part.repeat(in_one.min(*times) as usize)[..]);
        for _ in 0..times.div_ceil(in_one) {
            bytes.extend_from_slice(&one);
        }
    }
    bytes
}

/// The header of a member that is so long.
fn header(name: &str, size: u64, kind: tar::EntryType) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path(name).unwrap();
    header.set_size(size);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    header.set_cksum();
    header.as_bytes().to_vec()
}

struct Bombs(TempDir);

impl Bombs {
    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The error of a file of these parts, which comes soon.
    fn ends(&self, name: &str, parts: &[(&[u8], u64)]) -> String {
        let path = self.write(name, &gzipped(parts));
        let begun = Instant::now();
        let error = error_of(&path);
        println!("{name}: {:?}: {error}", begun.elapsed());
        assert!(begun.elapsed() < SOON, "{name}: {:?}", begun.elapsed());
        error
    }
}

#[test]
fn gib_of_line_ends_are_no_trace() {
    let bombs = Bombs(TempDir::new().unwrap());
    let file = header("x/r00000.txt", HUGE, tar::EntryType::Regular);
    let found = "expected the lines";
    let error = bombs.ends("a.tar.gz", &[(&file, 1), (b"\n", HUGE)]);
    assert!(error.starts_with("TRACE: r00000.txt, line 1: field `record` is missing"), "{error} {found}");
    // Behind a good beginning.
    for (rank, begin) in [("x/r00000.txt", log(0).replace("FIN 0 0 polls 0\n", "")), ("x/r00000.txt", log(0))] {
        let file = header(rank, HUGE, tar::EntryType::Regular);
        let error = bombs.ends("b.tar.gz", &[(&file, 1), (begin.as_bytes(), 1), (b"\n", HUGE)]);
        assert!(error.starts_with("TRACE: r00000.txt, line "), "{error}");
    }
    let idle = "say nothing, expected a line of a GOAL trace within 1048576 lines or 64 MiB";
    let begin = GOAL.split_inclusive('\n').take(3).collect::<String>();
    for (name, begin) in [("c.goal.gz", ""), ("c.goal.gz", "num_ranks 2\n"), ("c.gz", &begin), ("c.gz", GOAL)] {
        let error = bombs.ends(name, &[(begin.as_bytes(), 1), (b"\n", HUGE)]);
        assert!(error.contains(idle), "{error}");
    }
    let error = bombs.ends("d.vef.gz", &[(b"VEF 2 1 1 0 0 0\n", 1), (b"\n", HUGE)]);
    assert!(error.starts_with("TRACE, line 2: field `ID` is missing"), "{error}");
    let file = header("dumpi-0000.txt", HUGE, tar::EntryType::Regular);
    for begin in [dumpi(0), dumpi(0).split_inclusive('\n').take(3).collect()] {
        let error = bombs.ends("e.tar.gz", &[(&file, 1), (begin.as_bytes(), 1), (b"\n", HUGE)]);
        assert!(error.contains("say nothing, expected the text of dumpi2ascii within"), "{error}");
    }
    super::mutation::little_memory();
}

#[test]
fn xz_is_streamed_as_well() {
    let bombs = Bombs(TempDir::new().unwrap());
    // Packing more takes too long.
    let huge = 64 << 20;
    let file = header("x/r00000.txt", huge, tar::EntryType::Regular);
    let archive = bombs.write("a.tar.xz", &xz(Cursor::new(file).chain(repeat(b'\n').take(huge))));
    let text = bombs.write("a.goal.xz", &xz(repeat(b'\n').take(huge)));
    let begun = Instant::now();
    let error = error_of(&archive);
    assert!(error.starts_with("TRACE: r00000.txt, line 1: "), "{error}");
    let error = error_of(&text);
    assert!(error.contains("say nothing"), "{error}");
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    super::mutation::little_memory();
}

#[test]
fn an_endless_line_is_none() {
    let bombs = Bombs(TempDir::new().unwrap());
    let file = header("r00000.txt", HUGE, tar::EntryType::Regular);
    let error = bombs.ends("a.tar.gz", &[(&file, 1), (b"x", HUGE)]);
    assert_eq!(error, "TRACE: r00000.txt, line 1: longer than 1048576 bytes, expected a log line");
    for (name, begin) in [("a.goal.gz", "num_ranks 1\n"), ("a.vef.gz", "VEF 2 1 1 0 0 0\n")] {
        let error = bombs.ends(name, &[(begin.as_bytes(), 1), (b"x", HUGE)]);
        assert!(error.starts_with("TRACE, line 2: longer than 1048576 bytes, expected a line of a "), "{error}");
    }
    super::mutation::little_memory();
}

#[test]
fn what_is_none_of_the_trace_is_not_unpacked_to_its_end() {
    let bombs = Bombs(TempDir::new().unwrap());
    let others = "more than 100000 files or 256 MiB in it are none of the";
    let file = header("data.bin", HUGE, tar::EntryType::Regular);
    assert!(bombs.ends("a.tar.gz", &[(&file, 1), (b"\0", HUGE)]).contains(others));
    let file = header("some/where/empty", 0, tar::EntryType::Regular);
    assert!(bombs.ends("b.tar.gz", &[(&file, 1_000_000)]).contains(others));
    let folder = header("some/where/", 0, tar::EntryType::Directory);
    assert!(bombs.ends("c.tar.gz", &[(&folder, 1_000_000)]).contains(others));
    // A million logs of one rank.
    let file = header("r00000.txt", 0, tar::EntryType::Regular);
    assert!(bombs.ends("d.tar.gz", &[(&file, 1_000_000)]).contains("the log is empty"));
    // Names, and what else says of a member what it is, are in memory at once.
    for kind in [tar::EntryType::GNULongName, tar::EntryType::GNULongLink, tar::EntryType::XHeader] {
        let name = header("name", HUGE, kind);
        let error = bombs.ends("e.tar.gz", &[(&name, 1), (b"a/", HUGE / 2)]);
        assert!(error.contains("the name of a member is longer than 1048576 bytes"), "{error}");
    }
    super::mutation::little_memory();
}

#[test]
fn names_can_lead_nowhere() {
    let bombs = Bombs(TempDir::new().unwrap());
    let deep = "a/".repeat(20_000) + "r00000.txt";
    let (first, second) = (log(0), log(1));
    let mut archive = tar(&[(&deep, first.as_bytes())]);
    // Without the two blocks that end it.
    archive.truncate(archive.len() - 1024);
    for name in ["../../../../../../../../tmp/r00001.txt", "/r00001.txt"] {
        let mut header = tar::Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(second.len() as u64);
        header.set_cksum();
        let mut member = header.as_bytes().to_vec();
        member.extend(second.as_bytes());
        member.resize(member.len().next_multiple_of(512), 0);
        let whole = [archive.clone(), member, vec![0; 1024]].concat();
        assert_eq!(super::run(&bombs.write("a.tar", &whole)).unwrap(), 1, "{name}");
        assert!(!std::path::Path::new("/tmp/r00001.txt").exists() && !std::path::Path::new("/r00001.txt").exists());
    }
}
