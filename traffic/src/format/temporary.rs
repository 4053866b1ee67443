//! Temporary files that nobody has to clean up: they have no name, and are gone with their last handle, whatever ends the program.

use anyhow::{Error, anyhow};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::ops::Range;
use std::sync::Arc;

/// A temporary file without a name. Its clones are the same file; each read and write says where.
#[derive(Clone, Debug)]
pub(crate) struct TemporaryFile(Arc<File>);

impl TemporaryFile {
    pub fn new() -> anyhow::Result<TemporaryFile> {
        let file = tempfile::tempfile().map_err(cannot_write)?;
        Ok(TemporaryFile(Arc::new(file)))
    }

    /// Reads from `offset` on, as much as is there at once; 0 at the end.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        read_at(&self.0, buffer, offset)
    }

    /// Writes what begins at `offset`.
    pub fn write_all_at(&self, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
        while !bytes.is_empty() {
            match write_at(&self.0, bytes, offset) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => {
                    bytes = &bytes[written..];
                    offset += written as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Writes one thing after the other, from `offset` on.
    pub fn appender(&self, offset: u64) -> Appender {
        Appender { file: self.clone(), offset }
    }

    /// Reads a part of it.
    pub fn section(&self, range: Range<u64>) -> Section {
        Section { file: self.clone(), range }
    }
}

/// Writes a temporary file from one place on.
pub(crate) struct Appender {
    file: TemporaryFile,
    offset: u64,
}

impl Write for Appender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all_at(bytes, self.offset)?;
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a part of a temporary file.
pub(crate) struct Section {
    file: TemporaryFile,
    /// What is left.
    range: Range<u64>,
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.range.end - self.range.start;
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = self.file.read_at(&mut buffer[..most], self.range.start)?;
        self.range.start += read as u64;
        Ok(read)
    }
}

/// What is wrong with writing a temporary file: one line that names their folder, and what to do about it.
pub(crate) fn cannot_write(error: io::Error) -> Error {
    let folder = std::env::temp_dir();
    let folder = folder.display();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            anyhow!("no room for a temporary file in {folder}: {error}; set TMPDIR to a folder on a disk with more")
        }
        _ => {
            anyhow!("cannot write a temporary file in {folder}: {error}; set TMPDIR to a folder that can be written to")
        }
    }
}

#[cfg(unix)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset)
}

#[cfg(windows)]
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(windows)]
fn write_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_read_side_by_side() {
        let file = TemporaryFile::new().unwrap();
        let mut out = file.appender(0);
        out.write_all(b"one two three").unwrap();
        let mut sections = [0..3, 4..7, 8..13, 13..13].map(|range| file.section(range));
        let mut texts = [const { String::new() }; 4];
        for _ in 0..2 {
            for (section, text) in sections.iter_mut().zip(&mut texts) {
                let mut letters = [0; 3];
                let read = section.read(&mut letters).unwrap();
                text.push_str(std::str::from_utf8(&letters[..read]).unwrap());
            }
        }
        assert_eq!(texts, ["one", "two", "three", ""]);
    }

    #[test]
    fn a_full_disk_is_called_one() {
        let folder = std::env::temp_dir().display().to_string();
        let full = cannot_write(ErrorKind::StorageFull.into()).to_string();
        assert_eq!(
            full,
            format!(
                "no room for a temporary file in {folder}: no storage space; set TMPDIR to a folder on a disk with more"
            )
        );
        let other = cannot_write(ErrorKind::PermissionDenied.into()).to_string();
        assert!(
            other.starts_with(&format!("cannot write a temporary file in {folder}: permission denied; ")),
            "{other}"
        );
    }
}
