//! Which file holds which rank: a folder of them, or a `.tar.xz` archive.

use super::stamp;
use crate::format::fields::{MAX_RANKS, shown};
use anyhow::{Context, Result, bail, ensure};
use lzma_rust2::XzReader;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How much of a file tells whether it is the text of `dumpi2ascii`, bytes.
const BEGINNING: u64 = 64 * 1024;
/// What an `.xz` file begins with (the format's section 2.1.1.1).
const XZ_MAGIC: &[u8] = b"\xfd7zXZ\0";

/// One rank's file.
#[derive(Debug)]
pub(crate) struct RankFile {
    pub path: PathBuf,
    /// What error messages call it.
    pub shown: String,
}

/// The files of all ranks, and what keeps them there if they come from an archive.
pub(crate) fn open(path: &Path) -> Result<(Vec<RankFile>, Option<TempDir>)> {
    let name = path.display();
    if path.is_dir() {
        return Ok((of_folder(&name.to_string(), path)?, None));
    }
    ensure!(
        path.is_file(),
        "trace `{name}` not found, expected a folder of the texts of dumpi2ascii or a .tar.xz archive"
    );
    let folder =
        TempDir::with_prefix("powar-dumpi-").context("cannot create a temporary folder to unpack the trace into")?;
    unpack(path, folder.path())?;
    Ok((of_folder(&name.to_string(), folder.path())?, Some(folder)))
}

fn of_folder(name: &str, folder: &Path) -> Result<Vec<RankFile>> {
    let mut found: BTreeMap<u32, (String, PathBuf)> = BTreeMap::new();
    let mut binary = None;
    let cannot_list = || format!("cannot list {name}");
    for entry in folder.read_dir().with_context(cannot_list)? {
        let path = entry.with_context(cannot_list)?.path();
        let Some(file) = path.file_name().and_then(|file| file.to_str()).map(str::to_owned) else { continue };
        if file.ends_with(".bin") {
            binary = Some(file.clone());
        }
        let Some(digits) = rank_digits(&file).filter(|_| path.is_file()) else { continue };
        let rank = digits.parse().ok().filter(|&rank| rank < MAX_RANKS).with_context(|| {
            format!("{name}: {file}: the rank is {}, expected one from 0 to {}", shown(digits), MAX_RANKS - 1)
        })?;
        if let Some((other, _)) = found.insert(rank, (file.clone(), path)) {
            let (first, second) = if other < file { (other, file) } else { (file, other) };
            bail!("{name} holds rank {rank} twice: {first} and {second}");
        }
    }
    let Some((&highest, _)) = found.last_key_value() else {
        if let Some(binary) = binary {
            bail!(
                "{name} holds no texts of dumpi2ascii, but {binary}: make a text of each .bin file with `dumpi2ascii -a`"
            );
        }
        bail!("{name} holds no texts of dumpi2ascii, expected such as dumpi-2013.09.26.10.55.53-0000.txt");
    };
    if let Some(missing) = (0..=highest).find(|rank| !found.contains_key(rank)) {
        bail!("{name} holds no file of rank {missing}, expected the ranks 0 to {highest}");
    }
    Ok(found.into_values().map(|(file, path)| RankFile { path, shown: format!("{name}: {file}") }).collect())
}

/// The digits of the rank in a file's name; `None` when it can't be a rank's text.
fn rank_digits(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(".txt").or_else(|| name.strip_suffix(".ascii"))?;
    let start = stem.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    (start < stem.len()).then(|| &stem[start..])
}

/// Unpacks the texts in `archive` into `folder`, whatever folder they are in inside the archive.
///
/// Of a member's own path only the last part is used, so that an archive can't write anywhere else.
fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let name = archive.display();
    let not_an_archive = || format!("{name}: cannot unpack it, expected a .tar.xz archive of the texts of dumpi2ascii");
    let mut members = members(archive)?;
    for member in members.entries().with_context(not_an_archive)? {
        let mut member = member.with_context(not_an_archive)?;
        let path = member.path().with_context(not_an_archive)?.into_owned();
        let Some(file) = path.file_name().and_then(|file| file.to_str()) else { continue };
        if rank_digits(file).is_none() || !member.header().entry_type().is_file() {
            continue;
        }
        let target = folder.join(file);
        ensure!(!target.exists(), "{name} holds {file} twice");
        let mut out = File::create(&target).with_context(|| format!("cannot create {}", target.display()))?;
        std::io::copy(&mut member, &mut out).with_context(not_an_archive)?;
    }
    Ok(())
}

fn members(archive: &Path) -> Result<tar::Archive<XzReader<BufReader<File>>>> {
    let file = File::open(archive).with_context(|| format!("cannot open {}", archive.display()))?;
    Ok(tar::Archive::new(XzReader::new(BufReader::new(file), true)))
}

/// Whether `path` is a folder or a `.tar.xz` archive of the texts of `dumpi2ascii`, as the first of them says.
pub(crate) fn recognises(path: &Path) -> Result<bool> {
    let cannot_read = || format!("cannot read {}", path.display());
    if path.is_dir() {
        let mut files = Vec::new();
        for entry in path.read_dir().with_context(cannot_read)? {
            let file = entry.with_context(cannot_read)?.path();
            if file.is_file() && file.file_name().and_then(|file| rank_digits(file.to_str()?)).is_some() {
                files.push(file);
            }
        }
        let Some(first) = files.iter().min() else { return Ok(false) };
        return is_text(File::open(first).with_context(cannot_read)?).with_context(cannot_read);
    }
    if !path.is_file() {
        return Ok(false);
    }
    let mut magic = Vec::new();
    let file = File::open(path).with_context(cannot_read)?;
    file.take(XZ_MAGIC.len() as u64).read_to_end(&mut magic).with_context(cannot_read)?;
    if magic != XZ_MAGIC {
        return Ok(false);
    }
    // Whatever else is packed with xz is none, and neither is a broken archive: who opens it says what is wrong.
    let mut members = members(path)?;
    let Ok(entries) = members.entries() else { return Ok(false) };
    for member in entries {
        let Ok(member) = member else { return Ok(false) };
        let file = member.path().ok().and_then(|path| Some(path.file_name()?.to_str()?.to_owned()));
        if file.is_some_and(|file| rank_digits(&file).is_some()) {
            return Ok(is_text(member).unwrap_or(false));
        }
    }
    Ok(false)
}

/// Whether a file begins as `dumpi2ascii` does: with a call, or with the header and then a call.
fn is_text(input: impl Read) -> std::io::Result<bool> {
    let mut beginning = Vec::new();
    input.take(BEGINNING).read_to_end(&mut beginning)?;
    let text = String::from_utf8_lossy(&beginning);
    let begins = |line: &str| stamp::parse(line.trim_end(), "entering").is_some();
    let first = text.lines().find(|line| begins(line) || !line.contains('='));
    Ok(first.is_some_and(begins))
}
