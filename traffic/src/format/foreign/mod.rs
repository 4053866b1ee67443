//! What people give for a trace that is none that is read: what it looks like, and what turns it into one.
//!
//! A kind of files is a line in the table of its file here; what a format knows of files that are nearly its own is in the same form in
//! the format.

mod documents;
mod packed;
mod traces;

use super::source::{Place, Sample, Source};
use super::{FORMATS, Format};
use std::path::Path;

/// A kind of files that are no traces that are read.
pub(crate) struct Foreign {
    /// What it is, such as `a zip archive`.
    pub about: &'static str,
    pub recognises: fn(&Sample) -> bool,
    /// What to do.
    pub advice: &'static str,
}

/// All kinds that are known; the first one that recognises a file says what it is.
fn kinds() -> impl Iterator<Item = &'static Foreign> {
    let nearly = FORMATS.iter().map(|format| format.nearly);
    let known = [traces::KINDS, packed::KINDS, documents::KINDS].into_iter();
    known.chain(nearly).chain([documents::UNKNOWN]).flatten()
}

/// Names that are shown of many.
const SHOWN: usize = 3;

/// One line for what no format reads.
pub(crate) fn explain(path: &Path, source: &Source) -> String {
    let name = path.display();
    let told = |sample| kinds().enumerate().find(|(_, kind)| (kind.recognises)(sample));
    // Of several files the one that most is known of: kinds are in this order.
    let samples = source.samples.iter();
    let best = samples.filter_map(|sample| Some((told(sample)?, sample))).min_by_key(|((place, _), _)| *place);
    let Some(((place, Foreign { about, advice, .. }), sample)) = best else {
        return format!("{name} {}", without_files(source));
    };
    if source.place == Place::Alone {
        return format!("{name} is {about}, no trace that is read; {advice}");
    }
    if let Some((sample, format)) = readable_alone(source) {
        let how = if source.place == Place::Archive { "unpack it and give" } else { "give" };
        return format!("{name} holds {}, {}; {how} that file", shown(sample), format.about);
    }
    if place >= traces::KINDS.len() && !source.folders.is_empty() {
        return format!("{name} {}", without_files(source));
    }
    format!("{name} holds no logs or texts of ranks but {}, {about}; {advice}", shown(sample))
}

/// What is said of a folder or an archive in which there is nothing to tell of.
fn without_files(source: &Source) -> String {
    let folders: Vec<_> = source.folders.iter().take(SHOWN).map(|folder| folder.escape_debug().to_string()).collect();
    match source.place {
        Place::Archive => "is an archive without files, no trace".into(),
        _ if folders.is_empty() => "is an empty folder, no trace".into(),
        _ => format!("holds no trace of its own but folders ({}); give one of them", folders.join(", ")),
    }
}

/// A file in a folder or an archive that would be read if it were given itself.
fn readable_alone(source: &Source) -> Option<(&Sample, &'static Format)> {
    source.samples.iter().find_map(|sample| {
        let alone = sample.alone();
        Some((sample, FORMATS.iter().find(|format| (format.recognises)(&alone))?))
    })
}

fn shown(sample: &Sample) -> String {
    sample.name().escape_debug().to_string()
}
