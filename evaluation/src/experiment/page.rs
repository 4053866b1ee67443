//! An experiment's results as one web page that needs no server: a table that sorts and filters, the figures, and of each point the command that
//! repeats it.

use super::index::Index;
use anyhow::{Context, Result, ensure};
use powar_tools::write_atomic;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The page without its data.
const PAGE: &str = include_str!("page.html");
/// Where the data goes.
const PLACE: &str = "@DATA@";

/// Writes `index.html` into a folder of results and returns its path. The figures beside it stay where they are.
///
/// # Errors
/// A folder that has no results, or some that do not fit each other; a file that can't be written.
pub fn write_page(folder: &Path) -> Result<PathBuf> {
    let index: Index = read(folder, "index.json")?;
    let rows: Vec<Value> = read(folder, "results.json")?;
    ensure!(
        rows.len() == index.points.len(),
        "{}: results.json has {} points and index.json {}, expected as many; run the experiment again",
        folder.display(),
        rows.len(),
        index.points.len()
    );
    let data = json!({ "index": index, "rows": rows, "folder": folder.to_string_lossy() });
    // Nothing in the data may end the element that it stands in.
    let page = PAGE.replace(PLACE, &data.to_string().replace('<', "\\u003c"));
    let path = folder.join("index.html");
    write_atomic(&path, page)?;
    Ok(path)
}

fn read<T: serde::de::DeserializeOwned>(folder: &Path, name: &str) -> Result<T> {
    let path = folder.join(name);
    let text = fs::read(&path).with_context(|| {
        format!("{} can't be read; expected a folder that `powar experiment` wrote", path.display())
    })?;
    serde_json::from_slice(&text).with_context(|| path.display().to_string())
}
