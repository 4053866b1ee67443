//! Result files that are either complete or absent.

use crate::ToolError;
use crate::unfinished::Incomplete;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// A file that appears under its name only with [`AtomicFile::commit`]: it is written beside its destination
/// and renamed. Dropped without that (an error, a panic), or interrupted, it leaves nothing, and a file that was there before
/// stays as it was.
///
/// A destination that is no regular file, like `/dev/stdout` or a named pipe, is written in place on commit.
pub struct AtomicFile {
    destination: PathBuf,
    content: Content,
}

enum Content {
    Beside(NamedTempFile, Incomplete),
    /// Written, and not open any more.
    Closed(TempPath, Incomplete),
    Memory(Vec<u8>),
}

impl AtomicFile {
    /// Opens a file to be. Fails at once if the folder does not exist or may not be written.
    pub fn create(path: impl AsRef<Path>) -> Result<AtomicFile, ToolError> {
        let path = path.as_ref();
        // Renaming onto a link would replace the link instead of the file it points to.
        let destination = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let content = match fs::metadata(&destination) {
            Ok(found) if found.is_dir() => {
                return Err(ToolError::io("write", path)(io::ErrorKind::IsADirectory.into()));
            }
            Ok(found) if !found.is_file() => Content::Memory(Vec::new()),
            _ => {
                let folder = match destination.parent() {
                    Some(folder) if !folder.as_os_str().is_empty() => folder,
                    _ => Path::new("."),
                };
                // Asked first, because tempfile's own error would name a file the reader has never heard of.
                fs::metadata(folder).map_err(ToolError::io("write", path))?;
                let mut builder = tempfile::Builder::new();
                builder.prefix(".powar-").suffix(".tmp");
                #[cfg(unix)]
                {
                    // Temporary files are private by default; a result gets the rights any new file would.
                    use std::os::unix::fs::PermissionsExt;
                    builder.permissions(fs::Permissions::from_mode(0o666));
                }
                let file = builder.tempfile_in(folder).map_err(|e| ToolError::io("write", path)(bare(e)))?;
                let incomplete = Incomplete::new(file.path());
                Content::Beside(file, incomplete)
            }
        };
        Ok(AtomicFile { destination, content })
    }

    /// Where the file will appear.
    pub fn path(&self) -> &Path {
        &self.destination
    }

    /// The file with all that it will hold: it takes no descriptor of the process any more.
    pub fn closed(self) -> Result<AtomicFile, ToolError> {
        let AtomicFile { destination, content } = self;
        let content = match content {
            Content::Beside(file, incomplete) => {
                // Some file systems report a full disk only here.
                file.as_file().sync_all().map_err(ToolError::io("write", &destination))?;
                Content::Closed(file.into_temp_path(), incomplete)
            }
            content => content,
        };
        Ok(AtomicFile { destination, content })
    }

    /// Puts the file in its place, all of it or nothing.
    pub fn commit(self) -> Result<(), ToolError> {
        let AtomicFile { destination, content } = self.closed()?;
        let result = match content {
            Content::Memory(bytes) => fs::write(&destination, bytes),
            Content::Closed(path, _incomplete) => path.persist(&destination).map_err(|e| e.error),
            Content::Beside(file, _incomplete) => file.persist(&destination).map(drop).map_err(|e| e.error),
        };
        result.map_err(ToolError::io("write", &destination))
    }
}

/// The system's own error; the temporary file's name, which `tempfile` adds, would only confuse.
fn bare(error: io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| io::Error::from(error.kind()), io::Error::from_raw_os_error)
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.content {
            Content::Beside(file, _) => file.as_file_mut().write(bytes),
            Content::Memory(memory) => memory.write(bytes),
            Content::Closed(..) => Err(io::ErrorKind::Unsupported.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.content {
            Content::Beside(file, _) => file.as_file_mut().flush(),
            Content::Memory(_) | Content::Closed(..) => Ok(()),
        }
    }
}

/// Writes a whole file, or leaves everything as it was. The error names the file.
pub fn write_atomic(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<(), ToolError> {
    let path = path.as_ref();
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref()).map_err(|e| ToolError::io("write", path)(bare(e)))?;
    file.commit()
}
