//! What is no trace: one line that says what it looks like, and what turns it into one.

use super::packed::{gz, tar, xz};
use super::{GOAL, VEF, dumpi, error_of, log};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// What all these lines end with.
const KNOWN: &str = "; expected a VEF trace (.vef), a GOAL trace (.goal), a folder or archive of what dumpi2ascii prints for each rank, \
                     a folder or archive of rNNNNN.txt logs (archives are .tar, and all may be packed (.xz, .gz, .bz2, .zst))";

fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

#[track_caller]
fn says(path: &Path, expected: &str) {
    assert_eq!(error_of(path), format!("{expected}{KNOWN}"));
}

const DUMPI_BINARY: &str = "a binary trace of DUMPI";
const PRINT: &str =
    "print each rank's as text with `dumpi2ascii -a FILE.bin > FILE.txt` and give the folder of the texts";
const OTF2: &str =
    "turn the archive into logs with `python3 capture/otf2-to-logs.py traces.otf2 LOGS` and give the folder LOGS";

#[test]
fn traces_of_other_tools() {
    let folder = TempDir::new().unwrap();
    let says = |name: &str, content: &[u8], expected: &str, advice: &str| {
        let alone = write(folder.path(), name, content);
        says(&alone, &format!("TRACE is {expected}, no trace that is read; {advice}"));
        // In a folder and in an archive as well.
        let within = write(folder.path(), &format!("folder/{name}"), content);
        let within = within.parent().unwrap();
        says_within(within, name, expected, advice);
        std::fs::remove_dir_all(within).unwrap();
        let archive = write(folder.path(), "x.tar.gz", gz(&tar(&[(&format!("x/{name}"), content)])[..]));
        says_within(&archive, name, expected, advice);
    };
    fn says_within(path: &Path, name: &str, expected: &str, advice: &str) {
        super::foreign::says(path, &format!("TRACE holds no logs or texts of ranks but {name}, {expected}; {advice}"));
    }
    // As libdumpi names it, whatever is in it, and as it begins.
    says("dumpi-2026.01.01.00.00.00-0000.bin", &[0; 64], DUMPI_BINARY, PRINT);
    says("renamed", b"\xff\xaa\xddDUMPI\x01\0\0\0", DUMPI_BINARY, PRINT);
    let meta = "print each rank's .bin file as text with `dumpi2ascii -a FILE.bin > FILE.txt` and give the folder of the texts";
    says("dumpi-2026.01.01.00.00.00.meta", b"numprocs=2\n", "the list of a DUMPI run's files", meta);
    says("traces.otf2", b"OTF2 and so on\0", "a part of an OTF2 archive", OTF2);
    says("0.evt", b"\0\x01\0\0", "a part of an OTF2 archive", OTF2);
    let mut goal = 4223u64.to_le_bytes().to_vec();
    goal.extend([2, 0, 0, 0, 1, 1]);
    let text = "give the text it was made of (`txt2bin -i TEXT.goal`)";
    says("x.bin", &goal, "a binary GOAL file of LogGOPSim's txt2bin", text);
    let schedgen = "turn those of all ranks into GOAL with `schedgen -p trace --traces FIRST-FILE -o FILE.goal`";
    for begin in ["# htor's PMPI Tracer 0.1 Output File\n# time: Mon\n", "# allprof\n", "MPI_Init:1234.5:-:1235.5\n"] {
        says(
            "pmpi-trace-rank-0.txt",
            begin.as_bytes(),
            "a trace of liballprof, which LogGOPSim's Schedgen reads",
            schedgen,
        );
    }
    let record = "it holds no MPI calls that could be replayed: record the program (docs/capture.md)";
    says("x.pcap", b"\xd4\xc3\xb2\xa1\x02\0\x04\0", "a packet capture", record);
    says("x.json", b"{\"traceEvents\": [{\"ph\": \"X\"}]}", "a Chrome trace (JSON)", record);
    says("x.prv", b"#Paraver (01/01/2026 at 00:00):1_ns:1(2):1:1(2:1)\n", "a Paraver trace", record);
    let nsys = "the tools of ATLAHS turn exports of Nsight Systems into GOAL traces";
    says("x.sqlite", b"SQLite format 3\0\x10", "a database of SQLite, such as Nsight Systems exports", nsys);
    let unknown = "if it is of DUMPI, print each rank's as text with `dumpi2ascii -a`; if of LogGOPSim's txt2bin, give the text it was made of";
    says("some.bin", &[7, 0, 1, 2], "a binary file of unknown kind", unknown);
}

#[test]
fn parts_of_traces_that_are_read() {
    let folder = TempDir::new().unwrap();
    let text = write(folder.path(), "dumpi-0000.txt", dumpi(0));
    says(
        &text,
        "TRACE is the text of dumpi2ascii for one rank, no trace that is read; \
         give the folder that holds those of all ranks, named by rank such as dumpi-0000.txt, or an archive of it",
    );
    let log = write(folder.path(), "r00000.txt.xz", xz(log(0).as_bytes()));
    says(
        &log,
        "TRACE is the log of one rank, no trace that is read; \
         give the folder that holds those of all ranks, r00000.txt and on, or an archive of it",
    );
    let other = TempDir::new().unwrap();
    write(other.path(), "x.goal", GOAL);
    says(other.path(), "TRACE holds x.goal, a GOAL trace (.goal); give that file");
    let archive = write(folder.path(), "x.tar", tar(&[("a/b", VEF.as_bytes())]));
    says(&archive, "TRACE holds b, a VEF trace (.vef); unpack it and give that file");
    let outer = TempDir::new().unwrap();
    for name in ["c", "b", "a", "d"] {
        write(outer.path(), &format!("{name}/r00000.txt"), super::log(0));
    }
    says(outer.path(), "TRACE holds no trace of its own but folders (a, b, c); give one of them");
}

#[test]
fn other_files() {
    let folder = TempDir::new().unwrap();
    let unpack = "unpack it and give what is in it, or pack that as .tar.xz, .tar.gz, .tar.bz2 or .tar.zst";
    let another = "give the trace itself";
    let run = "run it with the recorder (docs/capture.md) and give what that writes";
    let cases: &[(&[u8], &str, &str)] = &[
        (b"PK\x03\x04\x14\0", "a zip archive", unpack),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "a 7z archive", unpack),
        (b"\x04\x22\x4d\x18\x64", "a file packed with lz4", unpack),
        (b"", "empty", another),
        (b"\x7fELF\x02\x01\x01", "a program (ELF)", run),
        (b"%PDF-1.7\n", "a PDF", another),
        (b"\x89PNG\r\n\x1a\n", "a picture", another),
        (b"\xff\xfen\0u\0m\0", "text in UTF-16", "turn it into UTF-8 with `iconv -f UTF-16 -t UTF-8 FILE`"),
        (
            b"\n<!DOCTYPE html>\n<html>",
            "a web page",
            "what a link leads to has been saved in its place: fetch the file itself",
        ),
        (
            b"version https://git-lfs.github.com/spec/v1\noid",
            "a pointer of Git LFS",
            "fetch the file itself with `git lfs pull`",
        ),
        (b"<?xml version='1.0'?><graphml>", "a network (GraphML)", "--network reads it"),
        (b"[1, 2]", "JSON", another),
        ("Dear Müller\n".as_bytes(), "text of another kind", "see the formats for how a trace begins"),
        (b"\0\x01\x02\x03", "a binary file of unknown kind", "traces that are read are text, packed or not"),
        (&[0; 1024], "a binary file of unknown kind", "traces that are read are text, packed or not"),
    ];
    for (content, expected, advice) in cases {
        let expected = format!("TRACE is {expected}, no trace that is read; {advice}");
        says(&write(folder.path(), "x.tar.xz", content), &expected);
        if !content.is_empty() {
            says(&write(folder.path(), "y", xz(*content)), &expected);
        }
    }
    // Something that is packed twice.
    let twice = xz(&gz(GOAL.as_bytes())[..]);
    says(
        &write(folder.path(), "x.gz.xz", twice),
        &format!("TRACE is a file packed with gzip, no trace that is read; {unpack}"),
    );
    let empty = TempDir::new().unwrap();
    says(empty.path(), "TRACE is an empty folder, no trace");
    says(
        &write(folder.path(), "x.tar", [&tar(&[])[..], &tar(&[])[..]].concat()),
        "TRACE is a binary file of unknown kind, no trace that is read; traces that are read are text, packed or not",
    );
}

/// A pipe can be read once only.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused() {
    let error = error_of("/dev/null".as_ref());
    assert_eq!(error, "TRACE is neither a file nor a folder, expected one, since a trace is read more than once");
}
