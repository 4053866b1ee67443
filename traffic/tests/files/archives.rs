//! Archives of all kinds give what their folder gives, and leave nothing behind.

use super::packed::{all, tar, xz};
use super::{GOAL, VEF, dumpi, error_of, log, run};
use std::path::Path;
use tempfile::TempDir;

fn write(folder: &TempDir, name: &str, content: impl AsRef<[u8]>) -> std::path::PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

#[test]
fn logs_and_texts_are_read_out_of_every_archive() {
    let folder = TempDir::new().unwrap();
    let (logs, texts) = ([log(0), log(1)], [dumpi(0), dumpi(1)]);
    // In whatever folders and in any order, beside other files and links.
    let of_logs = tar(&[
        ("run/notes.txt", b"a run"),
        ("run/plot7.txt", b"1 2 3\n"),
        ("run/logs/r00001.txt", logs[1].as_bytes()),
        ("r00000.txt", logs[0].as_bytes()),
    ]);
    let of_texts = tar(&[("a/dumpi-0001.txt", texts[1].as_bytes()), ("b/dumpi-0000.txt", texts[0].as_bytes())]);
    for (what, archive) in [("logs", of_logs), ("texts", of_texts)] {
        for (ending, packed) in all(&archive) {
            let path = write(&folder, &format!("{what}.tar{ending}"), packed);
            assert_eq!(run(&path).unwrap(), 1, "{what}, {ending}");
            // The name tells nothing.
            let path = write(&folder, "x", std::fs::read(path).unwrap());
            assert_eq!(run(&path).unwrap(), 1, "{what}, {ending}");
        }
    }
}

#[test]
fn single_files_may_be_packed_in_every_way() {
    let folder = TempDir::new().unwrap();
    for (name, text) in [("x.goal", GOAL), ("x.vef", VEF), ("x", GOAL), ("y", VEF)] {
        for (ending, packed) in all(text.as_bytes()) {
            let path = write(&folder, &format!("{name}{ending}"), packed);
            assert_eq!(run(&path).unwrap(), 1, "{name}{ending}");
        }
    }
    // Two packed files one behind the other are one.
    let (first, second) = GOAL.split_at(30);
    for (a, b) in all(first.as_bytes()).into_iter().zip(all(second.as_bytes())) {
        let path = write(&folder, "two", [a.1, b.1].concat());
        assert_eq!(run(&path).unwrap(), 1, "{}", a.0);
    }
}

#[test]
fn the_first_line_that_is_no_log_is_named() {
    let folder = TempDir::new().unwrap();
    let archive = |logs: [&str; 2]| {
        let [a, b] = logs.map(str::as_bytes);
        write(&folder, "x.tar.xz", xz(&tar(&[("x/r00000.txt", a), ("x/r00001.txt", b)])[..]))
    };
    let [good, other] = [log(0), log(1)];
    let bad = other.replace("Recv", "Receive");
    assert!(
        error_of(&archive([&good, &bad])).starts_with("TRACE: r00001.txt, line 3: field `OP` is `Receive`, expected ")
    );
    assert_eq!(
        error_of(&archive([&(good.clone() + "more\n"), &other])),
        "TRACE: r00000.txt, line 5: found more text, expected the end of the file after FIN"
    );
    assert_eq!(
        error_of(&archive([&other, &good])),
        "TRACE: r00000.txt, line 1: field `rank` is `1`, expected 0 as in the file's name"
    );
    let twice = tar(&[("a/r00000.txt", good.as_bytes()), ("b/r00000.txt", good.as_bytes())]);
    assert_eq!(error_of(&write(&folder, "twice.tar", twice)), "TRACE holds r00000.txt twice");
    let one = tar(&[("r00001.txt", other.as_bytes())]);
    assert_eq!(
        error_of(&write(&folder, "one.tar", one)),
        "TRACE: r00000.txt is missing, expected the logs of ranks 0 to 1"
    );
    let high = tar(&[("r99999.txt", other.as_bytes())]);
    assert_eq!(
        error_of(&write(&folder, "high.tar", high)),
        "TRACE: r99999.txt: the rank is `99999`, expected one from 0 to 65535"
    );
}

#[test]
fn cut_archives_are_damaged() {
    let folder = TempDir::new().unwrap();
    let long = log(0).replace("FIN", &("Barrier 5 5 00000001 -1 0 0 0\n".repeat(20_000) + "FIN"));
    let archive = tar(&[("r00000.txt", long.as_bytes()), ("r00001.txt", log(1).as_bytes())]);
    for (ending, packed) in all(&archive) {
        for part in [3, 2] {
            let path = write(&folder, "cut", &packed[..packed.len() / part]);
            let error = error_of(&path);
            let named = ["cannot unpack it", "cannot read behind line", "cut short", "field", "longer than"];
            let raw = ["Error {", "whole buffer", "EOF"];
            assert!(!raw.iter().any(|raw| error.contains(raw)), "{ending}: {error}");
            assert!(error.starts_with("TRACE") && named.iter().any(|named| error.contains(named)), "{ending}: {error}");
        }
    }
}

/// Nothing but its end tells that a plain file is cut.
#[test]
fn a_plain_archive_that_is_cut_anywhere_is_cut_short() {
    let folder = TempDir::new().unwrap();
    let logs = tar(&[("r00000.txt", log(0).as_bytes()), ("r00001.txt", log(1).as_bytes())]);
    let texts = tar(&[("dumpi-0000.txt", dumpi(0).as_bytes()), ("dumpi-0001.txt", dumpi(1).as_bytes())]);
    let members = |archive: &[u8]| archive.len() - 1024;
    for archive in [logs, texts] {
        // What is in front of one block of zeros is all there.
        let path = write(&folder, "whole.tar", &archive[..members(&archive) + 512]);
        assert_eq!(run(&path).unwrap(), 1);
        for blocks in 2..=members(&archive) / 512 {
            for length in [512 * blocks, 512 * blocks - 100] {
                let error = error_of(&write(&folder, "cut.tar", &archive[..length]));
                assert!(error.starts_with("TRACE: ") && error.contains("cut short"), "{length}: {error}");
            }
        }
        let error = error_of(&write(&folder, "cut.tar", &archive[..members(&archive)]));
        let end =
            "TRACE: the archive is cut short: it ends without the blocks of zeros that stand behind the last file";
        assert_eq!(error, end);
        // Its header is there, and nothing of the file.
        let error = error_of(&write(&folder, "cut.tar", &archive[..512]));
        assert!(error.starts_with("TRACE: the archive is cut short: it ends within "), "{error}");
    }
}

/// Many ranks in a folder: more than a process may have files open.
#[test]
fn thousands_of_ranks_need_few_open_files() {
    let folder = TempDir::new().unwrap();
    let ranks = 3_000;
    let members: Vec<String> = (0..ranks).map(|rank: u32| rank.to_string()).collect();
    let world = format!("C 00000001 {ranks} {}", members.join(" "));
    let text = |rank| format!("H pmpilog 1 {rank} {ranks}\n{world}\nBarrier 5 5 00000001 -1 0 0 0\nFIN 0 0 polls 0\n");
    for rank in 0..ranks {
        write(&folder, &format!("r{rank:05}.txt"), text(rank));
    }
    let of_folder = run(folder.path()).unwrap();
    let files: Vec<(String, String)> = (0..ranks).map(|rank| (format!("r{rank:05}.txt"), text(rank))).collect();
    let members: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    let other = TempDir::new().unwrap();
    let archive = write(&other, "x.tar.gz", super::packed::gz(&tar(&members)[..]));
    assert_eq!(run(&archive).unwrap(), of_folder);
    assert!(open_files() < 200, "{} files are open", open_files());
}

/// How many files the process has open.
fn open_files() -> usize {
    Path::new("/proc/self/fd").read_dir().map_or(0, Iterator::count)
}
