//! One process at a time.

use crate::ToolError;
use std::fs::{self, File, TryLockError};
use std::path::Path;

/// Holds an advisory lock on a file until dropped; the operating system frees it if the process dies.
pub(crate) struct Lock(#[allow(dead_code, reason = "closing the file frees the lock")] File);

impl Lock {
    /// Waits for the lock at `path` (created if need be); calls `on_wait` once if somebody else holds it.
    pub(crate) fn acquire(path: &Path, on_wait: impl FnOnce()) -> Result<Lock, ToolError> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(ToolError::io("create", folder))?;
        }
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(ToolError::io("create", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                on_wait();
                file.lock().map_err(ToolError::io("lock", path))?;
            }
            Err(TryLockError::Error(source)) => return Err(ToolError::io("lock", path)(source)),
        }
        Ok(Lock(file))
    }

    /// Waits for the lock on a folder that exists. Where a folder can't be opened as a file (Windows), nothing is locked.
    pub(crate) fn of_folder(folder: &Path) -> Result<Option<Lock>, ToolError> {
        let Ok(file) = File::open(folder) else { return Ok(None) };
        file.lock().map_err(ToolError::io("lock", folder))?;
        Ok(Some(Lock(file)))
    }
}

#[cfg(test)]
mod tests {
    use super::Lock;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn two_holders_never_overlap() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sub/lock");
        let (inside, waits) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let count = || {
                        waits.fetch_add(1, Ordering::SeqCst);
                    };
                    let _lock = Lock::acquire(&path, count).unwrap();
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    std::thread::sleep(std::time::Duration::from_millis(20));
                    inside.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert!(waits.load(Ordering::SeqCst) >= 1, "nobody had to wait, so nothing was tested");
    }
}
