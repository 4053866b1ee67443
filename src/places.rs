//! Files by where they are, however their paths are spelled.

use std::path::{Path, PathBuf};

/// Where a file is, or would be if it were written: without links, `..` and the like.
pub fn place(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(new).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_by_any_path() {
        let folder = tempfile::tempdir().unwrap();
        let of = |path: &str| folder.path().join(path);
        std::fs::create_dir(of("logs")).unwrap();
        std::fs::write(of("logs/a"), "").unwrap();
        std::os::unix::fs::symlink(of("logs/a"), of("link")).unwrap();
        assert_eq!(place(&of("logs/../link")), place(&of("logs/a")));
        assert_eq!(place(&of("logs/../new")), place(&of("new")));
        assert_ne!(place(&of("new")), place(&of("other")));
    }
}
