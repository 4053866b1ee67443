//! Traces as a single `.tar.xz` file, which any system can unpack.

use anyhow::{Context, Result};
use lzma_rust2::{XzOptions, XzWriter};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// Name of the log of `rank`.
pub fn log_name(rank: u32) -> String {
    format!("r{rank:05}.txt")
}

/// The digits of the rank whose log has this name; `None` when it is no log's name.
pub(super) fn rank_of_log(name: &str) -> Option<&str> {
    let digits = name.strip_prefix('r')?.strip_suffix(".txt")?;
    let plain = digits.len() >= 5 && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then_some(digits)
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
    let xz = write_tar(logs.iter().map(|log| in_file(log)), top, xz, &cannot_write)?;
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

/// A log as a member of an archive.
pub(super) struct LogMember<R> {
    pub name: String,
    /// Bytes.
    pub length: u64,
    pub content: R,
}

/// Writes logs as a tar archive under a top folder; the same logs always give the same bytes.
pub(super) fn write_tar<W: Write, R: Read>(
    logs: impl Iterator<Item = Result<LogMember<R>>>,
    top: &str,
    out: W,
    cannot_write: &dyn Fn() -> String,
) -> Result<W> {
    let mut tar = tar::Builder::new(out);
    for log in logs {
        let LogMember { name, length, content } = log?;
        let mut header = tar::Header::new_ustar();
        header.set_size(length);
        header.set_mode(0o644);
        tar.append_data(&mut header, Path::new(top).join(name), content).with_context(cannot_write)?;
    }
    tar.into_inner().with_context(cannot_write)
}

/// A log in a file.
fn in_file(log: &Path) -> Result<LogMember<BufReader<File>>> {
    let cannot_read = || format!("cannot read {}", log.display());
    let content = File::open(log).with_context(cannot_read)?;
    let length = content.metadata().with_context(cannot_read)?.len();
    let name = log.file_name().unwrap_or(log.as_os_str()).to_string_lossy().into_owned();
    Ok(LogMember { name, length, content: BufReader::new(content) })
}
