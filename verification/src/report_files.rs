//! The report as files, in all its forms.

use crate::page::page;
use crate::report::Report;
use crate::report_markdown::markdown;
use anyhow::Result;
use powar_tools::write_owned;
use std::path::{Path, PathBuf};

impl Report {
    /// Writes `verify.json`, `verify.md`, `verify.html` and the waves of what fails into a folder, in place of what an
    /// earlier run wrote there; returns their paths.
    ///
    /// # Errors
    /// What can't be written; a file in the way that was not written by an earlier run, or was changed since.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let json = serde_json::to_string_pretty(self)? + "\n";
        let own = [("verify.json", json), ("verify.md", markdown(self)), ("verify.html", page(self))];
        let own = own.map(|(name, text)| (name.to_owned(), text));
        let files: Vec<(String, String)> = own.into_iter().chain(self.wave_files.iter().cloned()).collect();
        Ok(write_owned(folder, &files, true)?)
    }
}
