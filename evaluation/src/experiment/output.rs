//! The files that show what came out: tables and figures.

use super::figure;
use super::index::Index;
use super::results::Results;
use anyhow::{Context, Result};
use powar_tools::write_atomic;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes tables (`results.csv`, `results.json`, `results.md`; `series.csv` of simulations with intervals), figures (`NAME.svg`, `NAME.png`) and what a
/// page of them needs (`index.json`) into a folder; each is there completely or not at all. Returns their paths.
///
/// # Errors
/// One can't be written, by name.
pub fn write(results: &Results, folder: &Path) -> Result<Vec<PathBuf>> {
    let title = &results.file.title;
    let mut files = vec![
        ("results.csv".to_string(), results.csv().into_bytes()),
        ("results.json".to_string(), results.json()?.into_bytes()),
        ("results.md".to_string(), format!("# {title}\n\n{}", results.text()).into_bytes()),
    ];
    if let Some(series) = results.series_csv()? {
        files.push(("series.csv".to_string(), series.into_bytes()));
    }
    for figure in &results.file.figures {
        let drawing = figure::draw(figure, results).with_context(|| format!("figure `{}`", figure.name))?;
        files.push((format!("{}.svg", figure.name), drawing.svg().into_bytes()));
        files.push((format!("{}.png", figure.name), drawing.png()?));
    }
    files.push(("index.json".to_string(), serde_json::to_vec_pretty(&Index::of(results))?));
    fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
    let write = |(name, bytes): (String, Vec<u8>)| {
        let path = folder.join(name);
        write_atomic(&path, bytes)?;
        Ok(path)
    };
    files.into_iter().map(write).collect()
}
