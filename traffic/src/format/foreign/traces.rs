//! Traces of other tools.

use super::Foreign;
use crate::format::source::Sample;

/// What makes a trace of a program whose calls a file does not hold.
const RECORD: &str = "it holds no MPI calls that could be replayed: record the program (docs/capture.md)";

pub(super) const KINDS: &[Foreign] = &[
    Foreign {
        about: "a binary trace of DUMPI",
        // Its lead-in; traces are also told by the names that libdumpi gives.
        recognises: |sample| {
            sample.head().starts_with(b"\xff\xaa\xddDUMPI")
                || sample.name().starts_with("dumpi-") && sample.name().ends_with(".bin")
        },
        advice: "print each rank's as text with `dumpi2ascii -a FILE.bin > FILE.txt` and give the folder of the texts",
    },
    Foreign {
        about: "the list of a DUMPI run's files",
        recognises: |sample| sample.name().starts_with("dumpi-") && sample.name().ends_with(".meta"),
        advice: "print each rank's .bin file as text with `dumpi2ascii -a FILE.bin > FILE.txt` and give the folder of the texts",
    },
    Foreign {
        about: "a part of an OTF2 archive",
        recognises: |sample| {
            let name = sample.bare_name();
            let part = [".def", ".evt", ".snap"].iter().any(|ending| name.ends_with(ending));
            name.ends_with(".otf2") || name == "scorep.cfg" || part && !is_text(sample)
        },
        advice: "turn the archive into logs with `python3 capture/otf2-to-logs.py traces.otf2 LOGS` and give the folder LOGS",
    },
    Foreign {
        about: "a binary GOAL file of LogGOPSim's txt2bin",
        // Its magic cookies, of a whole file and of one that was not finished.
        recognises: |sample| {
            let cookie = sample.head().first_chunk().map(|cookie| u64::from_le_bytes(*cookie));
            matches!(cookie, Some(4223 | 2342))
        },
        advice: "give the text it was made of (`txt2bin -i TEXT.goal`)",
    },
    Foreign {
        about: "a trace of liballprof, which LogGOPSim's Schedgen reads",
        recognises: |sample| {
            let begin = &sample.text()[..sample.text().len().min(64)];
            let begins =
                [&b"# htor's PMPI Tracer"[..], b"# allprof", b"# liballprof", b"MPI_Init:", b"MPI_Init_thread:"];
            begins.iter().any(|word| begin.starts_with(word))
        },
        advice: "turn those of all ranks into GOAL with `schedgen -p trace --traces FIRST-FILE -o FILE.goal`",
    },
    Foreign {
        about: "a packet capture",
        recognises: |sample| {
            let magics: [&[u8]; 6] = [
                b"\xd4\xc3\xb2\xa1",
                b"\xa1\xb2\xc3\xd4",
                b"\x4d\x3c\xb2\xa1",
                b"\xa1\xb2\x3c\x4d",
                b"\x0a\x0d\x0d\x0a\x1a\x2b\x3c\x4d",
                b"\x0a\x0d\x0d\x0a",
            ];
            magics.iter().any(|magic| sample.head().starts_with(magic))
        },
        advice: RECORD,
    },
    Foreign {
        about: "a Chrome trace (JSON)",
        recognises: |sample| {
            let head = String::from_utf8_lossy(sample.text());
            let events = head.contains("\"traceEvents\"") || head.contains("\"ph\"");
            head.trim_start().starts_with(['{', '[']) && events
        },
        advice: RECORD,
    },
    Foreign { about: "a Paraver trace", recognises: |sample| sample.text().starts_with(b"#Paraver"), advice: RECORD },
    Foreign {
        about: "a part of a CTF trace",
        recognises: |sample| sample.text().starts_with(b"/* CTF ") || sample.head().starts_with(b"\xc1\x1f\xfc\xc1"),
        advice: RECORD,
    },
    Foreign {
        about: "a database of SQLite, such as Nsight Systems exports",
        recognises: |sample| sample.head().starts_with(b"SQLite format 3\0"),
        advice: "the tools of ATLAHS turn exports of Nsight Systems into GOAL traces",
    },
    Foreign {
        about: "a log of MPE (CLOG, SLOG)",
        recognises: |sample| [&b"CLOG-"[..], b"SLOG "].iter().any(|magic| sample.head().starts_with(magic)),
        advice: RECORD,
    },
];

fn is_text(sample: &Sample) -> bool {
    super::documents::is_text(sample)
}
