//! Traces as a single `.tar.xz` file, which any system can unpack.

use anyhow::{Context, Result, ensure};
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Name of the log of `rank`.
pub fn log_name(rank: u32) -> String {
    format!("r{rank:05}.txt")
}

/// The rank whose log has this name; `None` when it is no log's name.
pub fn rank_of_log(name: &str) -> Option<u32> {
    let digits = name.strip_prefix('r')?.strip_suffix(".txt")?;
    let plain = digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

/// Unpacks the logs in `archive` into `folder`, whatever folder they are in inside the archive.
///
/// A member's own path is never used, so that an archive can't write anywhere else.
pub fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    let name = archive.display();
    let file = File::open(archive).with_context(|| format!("cannot open {name}"))?;
    let mut members = tar::Archive::new(XzReader::new(BufReader::new(file), true));
    let not_an_archive = || format!("{name}: cannot unpack it, expected a .tar.xz archive of logs");
    for member in members.entries().with_context(not_an_archive)? {
        let mut member = member.with_context(not_an_archive)?;
        let path = member.path().with_context(not_an_archive)?.into_owned();
        let rank = path.file_name().and_then(|n| rank_of_log(n.to_str()?));
        if let (Some(rank), true) = (rank, member.header().entry_type().is_file()) {
            let target = folder.join(log_name(rank));
            ensure!(!target.exists(), "{name}: holds the log of rank {rank} twice");
            let mut out = File::create(&target).with_context(|| format!("cannot create {}", target.display()))?;
            std::io::copy(&mut member, &mut out).with_context(not_an_archive)?;
        }
    }
    Ok(())
}

/// Packs log files into a `.tar.xz` archive under a top folder named like the archive.
///
/// The same logs always give the same bytes: no owners, times or permissions of this machine
/// go in. The archive appears at `target` only when it is complete.
pub fn pack(logs: &[PathBuf], target: &Path) -> Result<()> {
    let folder = target.parent().filter(|path| !path.as_os_str().is_empty());
    let top = target
        .file_name()
        .and_then(|name| name.to_str()?.strip_suffix(".tar.xz"))
        .with_context(|| format!("archive is `{}`, expected a name ending in .tar.xz", target.display()))?;
    let cannot_write = || format!("cannot write {}", target.display());
    let file = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).with_context(cannot_write)?;
    let xz = XzWriter::new(BufWriter::new(file), XzOptions::with_preset(9)).with_context(cannot_write)?;
    let xz = append(logs, top, xz, &cannot_write)?;
    let mut buffered = xz.finish().with_context(cannot_write)?;
    buffered.flush().with_context(cannot_write)?;
    let file = buffered.into_inner().with_context(cannot_write)?;
    // A temporary file is private to its owner; an archive is there to be read.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let readable = std::fs::Permissions::from_mode(0o644);
        file.as_file().set_permissions(readable).with_context(cannot_write)?;
    }
    file.persist(target).with_context(cannot_write)?;
    Ok(())
}

/// Writes log files as a tar archive under a top folder; the same logs always give the same bytes.
pub(super) fn write_tar(logs: &[PathBuf], top: &str, out: &mut dyn Write) -> Result<()> {
    append(logs, top, out, &|| "cannot write the archive of logs".to_owned()).map(|_| ())
}

fn append<W: Write>(logs: &[PathBuf], top: &str, out: W, cannot_write: &dyn Fn() -> String) -> Result<W> {
    let mut tar = tar::Builder::new(out);
    for log in logs {
        let cannot_read = || format!("cannot read {}", log.display());
        let content = File::open(log).with_context(cannot_read)?;
        let mut header = tar::Header::new_ustar();
        header.set_size(content.metadata().with_context(cannot_read)?.len());
        header.set_mode(0o644);
        let name = log.file_name().unwrap_or(log.as_os_str());
        let member = Path::new(top).join(name);
        tar.append_data(&mut header, member, BufReader::new(content)).with_context(cannot_write)?;
    }
    tar.into_inner().with_context(cannot_write)
}
