//! Files that have nothing to do with traces.

use super::Foreign;
use crate::format::source::Sample;

const ANOTHER: &str = "give the trace itself";

macro_rules! begins {
    ($about:literal, $advice:expr, $($magic:literal),+) => {
        Foreign {
            about: $about,
            recognises: |sample| [$(&$magic[..]),+].iter().any(|magic| sample.head().starts_with(magic)),
            advice: $advice,
        }
    };
}

pub(super) const KINDS: &[Foreign] = &[
    Foreign { about: "empty", recognises: |sample| sample.head().is_empty(), advice: ANOTHER },
    begins!("a program (ELF)", "run it with the recorder (docs/capture.md) and give what that writes", b"\x7fELF"),
    begins!(
        "a program",
        "run it with the recorder (docs/capture.md) and give what that writes",
        b"MZ",
        b"\xcf\xfa\xed\xfe"
    ),
    begins!("a PDF", ANOTHER, b"%PDF-"),
    begins!("a picture", ANOTHER, b"\x89PNG", b"\xff\xd8\xff", b"GIF8"),
    begins!("an HDF5 file", ANOTHER, b"\x89HDF\r\n"),
    begins!("text in UTF-16", "turn it into UTF-8 with `iconv -f UTF-16 -t UTF-8 FILE`", b"\xff\xfe", b"\xfe\xff"),
    Foreign {
        about: "a web page",
        recognises: |sample| {
            let begin = begin_of(sample).to_ascii_lowercase();
            ["<!doctype html", "<html", "<head"].iter().any(|tag| begin.starts_with(tag)) || begin.contains("<html")
        },
        advice: "what a link leads to has been saved in its place: fetch the file itself",
    },
    Foreign {
        about: "a pointer of Git LFS",
        recognises: |sample| sample.text().starts_with(b"version https://git-lfs"),
        advice: "fetch the file itself with `git lfs pull`",
    },
    Foreign {
        about: "a network (GraphML)",
        recognises: |sample| begin_of(sample).contains("<graphml"),
        advice: "--network reads it",
    },
    Foreign { about: "XML", recognises: |sample| begin_of(sample).starts_with("<?xml"), advice: ANOTHER },
    Foreign {
        about: "JSON",
        recognises: |sample| begin_of(sample).starts_with(['{', '[']) && is_text(sample),
        advice: ANOTHER,
    },
];

/// What is left.
pub(super) const UNKNOWN: &[Foreign] = &[
    Foreign { about: "text of another kind", recognises: is_text, advice: "see the formats for how a trace begins" },
    Foreign {
        about: "a binary file of unknown kind",
        recognises: |sample| sample.bare_name().ends_with(".bin"),
        advice: "if it is of DUMPI, print each rank's as text with `dumpi2ascii -a`; if of LogGOPSim's txt2bin, give the text it was made of",
    },
    Foreign {
        about: "a binary file of unknown kind",
        recognises: |_| true,
        advice: "traces that are read are text, packed or not",
    },
];

/// The beginning of a text, without blanks in front.
fn begin_of(sample: &Sample) -> String {
    let text = sample.text();
    String::from_utf8_lossy(&text[..text.len().min(1024)]).trim_start().to_owned()
}

pub(super) fn is_text(sample: &Sample) -> bool {
    let head = sample.head();
    let whole = match std::str::from_utf8(head) {
        Ok(_) => true,
        // The last letter may be cut.
        Err(error) => error.error_len().is_none(),
    };
    whole && !head.contains(&0)
}
