//! What people give for a trace that is none that is read: what it looks like, and what turns it into one.
//!
//! A kind of files is a line in the table of its file here; what a format knows of files that are nearly its own is in the same form in
//! the format.

mod documents;
mod packed;
mod traces;

use super::FORMATS;
use super::source::{Place, Sample, Source};
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
    let nothing = || match source.place {
        Place::Archive => format!("{name} is an archive without files, no trace"),
        _ if source.folders.is_empty() => format!("{name} is an empty folder, no trace"),
        _ => format!(
            "{name} holds no trace of its own but folders ({}); give one of them",
            source
                .folders
                .iter()
                .take(SHOWN)
                .map(|folder| folder.escape_debug().to_string())
                .collect::<Vec<_>>()
                .join(", ")
        ),
    };
    let told = |sample: &Sample| kinds().enumerate().find(|(_, kind)| (kind.recognises)(sample));
    // Of several files the one that most is known of: kinds are in this order.
    let best =
        source.samples.iter().filter_map(|sample| Some((told(sample)?, sample))).min_by_key(|((place, _), _)| *place);
    if source.place == Place::Alone {
        let Some(((_, Foreign { about, advice, .. }), _)) = best else { return format!("{name} is no trace") };
        return format!("{name} is {about}, no trace that is read; {advice}");
    }
    let of_its_own = source.samples.iter().find_map(|sample| {
        let alone = sample.alone();
        let format = FORMATS.iter().find(|format| (format.recognises)(&alone))?;
        Some((sample, format))
    });
    if let Some((sample, format)) = of_its_own {
        let how = if source.place == Place::Archive { "unpack it and give" } else { "give" };
        return format!("{name} holds {}, {}; {how} that file", shown(sample), format.about);
    }
    match best {
        Some(((_, Foreign { about, advice, .. }), sample)) => {
            format!("{name} holds no logs or texts of ranks but {}, {about}; {advice}", shown(sample))
        }
        None => nothing(),
    }
}

fn shown(sample: &Sample) -> String {
    sample.name().escape_debug().to_string()
}
