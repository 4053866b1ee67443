//! The files that show what came out: tables and figures.

use super::column::Cell;
use super::figure;
use super::former::Former;
use super::index::Index;
use super::meaning::{COMMAND, SEED};
use super::page::write_page;
use super::readable::Readable;
use super::results::Results;
use crate::version;
use anyhow::{Context, Result};
use powar_tools::write_atomic;
use std::fs;
use std::path::{Path, PathBuf};

/// Of each row the seed and the command that repeats it, as a part of a page.
fn runs(results: &Results) -> String {
    let places = |name: &&str| results.column(name).ok();
    let sweeps = 0..results.file.sweeps.len();
    let places: Vec<usize> = sweeps.chain([SEED, COMMAND].iter().filter_map(places)).collect();
    let is_filled = |place: &usize| results.rows.iter().any(|row| row.cells[*place] != Cell::None);
    let places: Vec<usize> = places.into_iter().filter(is_filled).collect();
    let rows = results.rows.iter();
    let runs = Readable {
        head: places.iter().map(|&place| results.columns[place].clone()).collect(),
        rows: rows.map(|row| places.iter().map(|&place| row.cells[place].to_string()).collect()).collect(),
        is_number: vec![false; places.len()],
        keys: results.file.sweeps.len(),
    };
    format!(
        "\n## Each row again\n\nFrom the folder that the experiment was run in. Written by powar {}.\n\n{}",
        version(),
        runs.markdown()
    )
}

/// Writes tables (`results.csv`, `results.json`, `results.md`; `series.csv` of simulations with intervals), figures (`NAME.svg`, `NAME.png`) and what a
/// page of them needs (`index.json`) into a folder; each is there completely or not at all. What an
/// earlier run wrote there is replaced: figures that there are no longer are deleted, a page is written anew. Returns
/// the paths of the files.
///
/// # Errors
/// One can't be written, by name.
pub fn write(results: &Results, folder: &Path) -> Result<Vec<PathBuf>> {
    let title = &results.file.title;
    let mut files = vec![
        ("results.csv".to_string(), results.csv().into_bytes()),
        ("results.json".to_string(), results.json()?.into_bytes()),
        ("results.md".to_string(), format!("# {title}\n\n{}{}", results.text(), runs(results)).into_bytes()),
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
    let former = Former::of(folder);
    let write = |(name, bytes): (String, Vec<u8>)| {
        let path = folder.join(name);
        write_atomic(&path, bytes)?;
        Ok(path)
    };
    let mut written = files.into_iter().map(write).collect::<Result<Vec<_>>>()?;
    former.delete_what_is_left(folder, &written);
    if former.has_page() {
        written.push(write_page(folder)?);
    }
    Ok(written)
}
