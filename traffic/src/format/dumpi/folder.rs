//! Which file holds which rank, and what tells the text of `dumpi2ascii`.

use super::stamp;
use crate::format::rank_files::{Found, Kind, RankFile};
use anyhow::{Result, bail};

/// The texts of a trace.
pub(super) const KIND: Kind = Kind { what: "texts of dumpi2ascii", rank: rank_digits };

/// The digits of the rank in a file's name; `None` when it can't be a rank's text.
pub(super) fn rank_digits(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".txt").or_else(|| name.strip_suffix(".ascii"))?;
    let start = stem.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    (start < stem.len()).then(|| &stem[start..])
}

/// The files of all ranks, up to the highest one, none of which may be missing.
pub(super) fn complete(found: Found, name: &str) -> Result<Vec<RankFile>> {
    let Some((&highest, _)) = found.last_key_value() else {
        bail!("{name} holds no texts of dumpi2ascii, expected such as dumpi-2013.09.26.10.55.53-0000.txt");
    };
    if let Some(missing) = (0..=highest).find(|rank| !found.contains_key(rank)) {
        bail!("{name} holds no file of rank {missing}, expected the ranks 0 to {highest}");
    }
    Ok(found.into_values().collect())
}

/// Whether a text begins as `dumpi2ascii` does: with a call, or with the header and then a call.
pub(super) fn is_text(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head);
    let begins = |line: &str| stamp::parse(line.trim_end(), "entering").is_some();
    let first = text.trim_start_matches('\u{feff}').lines().find(|line| begins(line) || !line.contains('='));
    first.is_some_and(begins)
}
