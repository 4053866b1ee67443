//! Files with networks: a format is a part behind one interface, a file beside this one and a line in [`FORMATS`]. Which it is, the content says.

mod anynet;
mod directions;
mod edge_list;
mod foreign;
mod graphml;
mod ibnetdiscover;

use super::{Draft, Graph, Names};
use crate::document;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;

/// Longest file that is read, in bytes.
pub const MOST_BYTES: u64 = 128 << 20;

/// A format of files with networks.
pub struct Format {
    /// What people call it.
    pub name: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Whether a text is meant to be one.
    is_this: fn(&str) -> bool,
    /// What a text says; the error is one line, with the number of the line where there is one.
    read: fn(&str, &mut Draft) -> Result<()>,
}

/// Every format; the first that a text is of counts.
pub static FORMATS: [&Format; 4] = [&graphml::FORMAT, &ibnetdiscover::FORMAT, &anynet::FORMAT, &edge_list::FORMAT];

/// The network that a text says, and its names; with so many nodes at every switch if the text says nothing of nodes, one unless given.
///
/// # Errors
/// One line; with the number of the line that is wrong, where there is one.
pub fn read(bytes: &[u8], nodes: Option<usize>) -> Result<(Graph, Names)> {
    if let Some(line) = foreign::looks_like(bytes) {
        bail!("{line}; formats that are read: {}", names());
    }
    let text = document::text(bytes)?;
    ensure!(!text.trim().is_empty(), "the file is empty");
    let format = FORMATS.into_iter().find(|format| (format.is_this)(text)).context("the file is of no known format")?;
    let mut draft = Draft::default();
    (format.read)(text, &mut draft)?;
    draft.finish(nodes)
}

/// What people call the formats.
pub fn names() -> String {
    FORMATS.map(|format| format.name).join(", ")
}

/// The same of a file.
pub(super) fn read_file(path: &Path, nodes: Option<usize>) -> Result<(Graph, Names)> {
    read(&document::bytes_of(path, MOST_BYTES)?, nodes)
}
