//! What an earlier run has left in a folder of results.

use super::index::Index;
use anyhow::{Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// The tables that every experiment writes.
const TABLES: [&str; 3] = ["results.csv", "results.json", "results.md"];

/// What the run before has left, if there was one.
pub(super) struct Former {
    index: Option<Index>,
    has_page: bool,
}

impl Former {
    pub(super) fn of(folder: &Path) -> Former {
        let index = fs::read(folder.join("index.json")).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        Former { index, has_page: folder.join("index.html").is_file() }
    }

    /// There is a page of its results, which are no longer there.
    pub(super) fn has_page(&self) -> bool {
        self.index.is_some() && self.has_page
    }

    /// Deletes what it wrote and this run has not written anew: figures that the experiment no longer has would be taken
    /// for those of the tables beside them.
    pub(super) fn delete_what_is_left(&self, folder: &Path, written: &[PathBuf]) {
        let Some(index) = &self.index else { return };
        let figures =
            index.figures.iter().flat_map(|figure| ["svg", "png"].map(|kind| format!("{}.{kind}", figure.name)));
        let names = figures.chain(["series.csv".to_owned()]);
        let left = names.map(|name| folder.join(name)).filter(|path| !written.contains(path));
        for path in left {
            // One that is not there was deleted by somebody else.
            let _ = fs::remove_file(path);
        }
    }
}

/// The title of the experiment whose results are in a folder; none if there are none.
pub fn title_in(folder: &Path) -> Option<String> {
    Former::of(folder).index.map(|index| index.title)
}

/// Nothing in a folder would be replaced that is no result of an experiment.
///
/// # Errors
/// A file of a table's name that no experiment has written.
pub fn check_folder(folder: &Path) -> Result<()> {
    if folder.join("index.json").exists() || folder.join("points").is_dir() {
        return Ok(());
    }
    match TABLES.into_iter().map(|name| folder.join(name)).find(|path| path.exists()) {
        Some(path) => {
            bail!("out: {} was not written by this command; choose another folder, or move it", path.display())
        }
        None => Ok(()),
    }
}
