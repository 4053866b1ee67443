//! A result file is complete or absent, whatever happens on the way.

use powar_tools::{AtomicFile, write_atomic};
use std::fs;
use std::io::Write;
use std::path::Path;

/// Names of everything in `folder`.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn the_file_appears_on_commit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    fs::write(&path, "old").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    file.commit().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(folder.path()), ["report.json"]);
}

#[test]
fn dropped_it_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = AtomicFile::create(folder.path().join("report.json")).unwrap();
    file.write_all(b"half").unwrap();
    drop(file);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("absent/report.json");
    let error = write_atomic(&path, "x").unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot write {}: No such file", path.display())), "{error}");
    let error = write_atomic(folder.path(), "x").unwrap_err().to_string();
    assert!(error.contains("is a directory"), "{error}");
}

#[test]
#[cfg(unix)]
fn results_have_the_rights_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    write_atomic(folder.path().join("ours"), "x").unwrap();
    fs::write(folder.path().join("usual"), "x").unwrap();
    let mode = |name| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("ours"), mode("usual"));
}

#[test]
#[cfg(unix)]
fn a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "old").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    write_atomic(&link, "new").unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
}

#[test]
#[cfg(target_os = "linux")]
fn devices_are_written_in_place() {
    use std::os::unix::fs::FileTypeExt;
    write_atomic("/dev/null", "x").unwrap();
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    let error = write_atomic("/dev/full", "x").unwrap_err().to_string();
    assert!(error.starts_with("cannot write /dev/full: No space left"), "{error}");
}

/// A disk that fills up, simulated by a limit on file sizes in a child process: the same code path, and it
/// needs no rights. The child is this test again, told so by a variable.
#[test]
#[cfg(unix)]
fn a_full_disk_leaves_the_old_file() {
    const CHILD: &str = "POWAR_TEST_WRITE_TO";
    if let Some(path) = std::env::var_os(CHILD) {
        let error = write_atomic(Path::new(&path), vec![b'x'; 1 << 20]).unwrap_err();
        println!("error: {error}");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    fs::write(&path, "old").unwrap();
    // Without the trap the kernel kills the process instead of refusing the write.
    let child = std::process::Command::new("sh")
        .args([
            "-c",
            "trap '' XFSZ; ulimit -f 16; exec \"$0\" --exact atomic_file::a_full_disk_leaves_the_old_file --nocapture",
        ])
        .arg(std::env::current_exe().unwrap())
        .env(CHILD, &path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stdout);
    assert!(child.status.success(), "{said}");
    assert!(said.contains(&format!("error: cannot write {}: File too large", path.display())), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(names(folder.path()), ["report.json"]);
}
