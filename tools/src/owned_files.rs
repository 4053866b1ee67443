//! Result files in a folder that holds one result: a list beside them says what was written there, so that the next result neither mixes
//! with it nor takes the place of what is somebody else's.

use crate::lock::Lock;
use crate::{ToolError, write_files};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Name of the list, in the form that `sha256sum -c` reads.
pub const FILE_LIST: &str = "files.sha256";

/// Writes files (name, content) and their list into a folder, as [`write_files`] does. What the last result wrote there must be the same, or
/// with `replace` goes; nothing else is touched. Of two at once into one folder the second looks at what the first has written.
///
/// # Errors
/// Before anything is written: another result in the folder, without `replace`; a file that would be lost and that the list doesn't have, or
/// that was changed since; a list that is none. As of [`write_files`].
pub fn write_owned(
    folder: &Path,
    files: &[(String, impl AsRef<[u8]>)],
    replace: bool,
) -> Result<Vec<PathBuf>, ToolError> {
    let is_new = !folder.exists();
    fs::create_dir_all(folder).map_err(ToolError::io("create", folder))?;
    let written = Lock::of_folder(folder).and_then(|_alone| write_alone(folder, files, replace));
    if written.is_err() && is_new {
        // Only a tidy-up: what is in it is somebody else's.
        drop(fs::remove_dir(folder));
    }
    written
}

/// Says before long work whether [`write_owned`] would refuse to replace what is there under some of the names that it writes.
///
/// # Errors
/// A file that the list of the folder doesn't have, or that was changed since; a list that is none.
pub fn check_owned(folder: &Path, names: &[&str]) -> Result<(), ToolError> {
    let listed = read_list(folder)?;
    for &name in names {
        check_ours(folder, name, &listed)?;
    }
    Ok(())
}

/// What is there under a name, by its hash, if that is what the list has; `None` if nothing is there.
fn check_ours(folder: &Path, name: &str, listed: &BTreeMap<String, String>) -> Result<Option<String>, ToolError> {
    let there = hash_of(&folder.join(name))?;
    match (&there, listed.get(name)) {
        (None, _) => Ok(there),
        (Some(now), Some(written)) if now == written => Ok(there),
        (_, Some(_)) => Err(in_the_way(folder, name, "was changed since it was written", "move or delete it")),
        (_, None) => Err(in_the_way(folder, name, "was not written by this command", "move it")),
    }
}

fn write_alone(folder: &Path, files: &[(String, impl AsRef<[u8]>)], replace: bool) -> Result<Vec<PathBuf>, ToolError> {
    let listed = read_list(folder)?;
    let mut stale = vec![];
    for (name, content) in files {
        // What is the same already is lost to nobody, whoever wrote it.
        let is_same = hash_of(&folder.join(name))? == Some(hash(content.as_ref()));
        if !is_same && check_ours(folder, name, &listed)?.is_some() {
            stale.push(name);
        }
    }
    let is_new = |name: &String| files.iter().any(|(other, _)| other == name);
    let mut left = vec![];
    for name in listed.keys().filter(|name| !is_new(name)) {
        if check_ours(folder, name, &listed)?.is_some() {
            left.push(name);
        }
    }
    if let (Some(name), false) = (left.first().or(stale.first()), replace) {
        return Err(in_the_way(folder, name, "is of another design", "replace what was written there with --force"));
    }
    let all = files.iter().map(|(name, content)| (name.clone(), content.as_ref()));
    let list: String = files.iter().map(|(name, content)| format!("{}  {name}\n", hash(content.as_ref()))).collect();
    let all: Vec<(String, &[u8])> = all.chain([(FILE_LIST.to_string(), list.as_bytes())]).collect();
    let written = write_files(folder, &all)?;
    left.into_iter().try_for_each(|name| remove(folder, name))?;
    Ok(written)
}

fn in_the_way(folder: &Path, name: &str, reason: &'static str, remedy: &'static str) -> ToolError {
    ToolError::InTheWay { path: folder.join(name), reason, remedy }
}

/// The files of the list and their hashes; none without a list.
fn read_list(folder: &Path) -> Result<BTreeMap<String, String>, ToolError> {
    let path = folder.join(FILE_LIST);
    let text = match fs::read(&path) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) if is_absent(&error) => return Ok(BTreeMap::new()),
        Err(error) => return Err(ToolError::io("read", &path)(error)),
    };
    let entry = |line: &str| {
        let (hash, name) = line.split_once("  ")?;
        // What is removed by this list lies in its folder.
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let is_hash = hash.len() == 64 && hash.bytes().all(|digit| digit.is_ascii_hexdigit());
        (inside && is_hash && !name.is_empty()).then(|| (name.to_string(), hash.to_string()))
    };
    let entries: Option<BTreeMap<String, String>> = text.lines().map(entry).collect();
    entries.ok_or_else(|| in_the_way(folder, FILE_LIST, "is no list of written files", "move it"))
}

fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The hash of a file; `None` if there is none. What is there and no file is left to [`write_files`] to refuse.
fn hash_of(path: &Path) -> Result<Option<String>, ToolError> {
    match fs::read(path) {
        Ok(content) => Ok(Some(hash(&content))),
        Err(error) if is_absent(&error) || error.kind() == io::ErrorKind::IsADirectory => Ok(None),
        Err(error) => Err(ToolError::io("read", path)(error)),
    }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Removes a file, and the folders below `folder` that are empty then.
fn remove(folder: &Path, name: &str) -> Result<(), ToolError> {
    let path = folder.join(name);
    fs::remove_file(&path).map_err(ToolError::io("remove", &path))?;
    let parents = Path::new(name).ancestors().skip(1).filter(|parent| !parent.as_os_str().is_empty());
    // One that is not empty stays, and those around it.
    parents.map(|parent| fs::remove_dir(folder.join(parent))).take_while(Result::is_ok).for_each(drop);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    type Files = [(&'static str, &'static str)];

    fn write(folder: &Path, files: &Files, replace: bool) -> Result<Vec<PathBuf>, String> {
        let files: Vec<(String, &str)> = files.iter().map(|&(name, text)| (name.to_string(), text)).collect();
        write_owned(folder, &files, replace).map_err(|error| error.to_string())
    }

    /// What is there but the list, and that it is as it was after a refusal that names `reason`.
    fn refused(folder: &Path, files: &Files, replace: bool, reason: &str) {
        let before = all(folder);
        let error = write(folder, files, replace).unwrap_err();
        assert!(error.contains(reason) && !error.contains('\n'), "{error}");
        assert_eq!(all(folder), before);
    }

    fn all(folder: &Path) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => found.extend(all(&entry)),
                false => drop(found.insert(entry.clone(), fs::read_to_string(entry).unwrap())),
            }
        }
        found
    }

    const FIRST: &Files = &[("a.v", "1"), ("tables/b", "2"), ("same", "s")];
    const SECOND: &Files = &[("a.v", "3"), ("same", "s")];

    #[test]
    fn a_folder_holds_one_result() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().join("new");
        assert_eq!(write(&folder, FIRST, false).unwrap().len(), 4);
        let first = all(&folder);
        write(&folder, FIRST, false).unwrap();
        assert_eq!(all(&folder), first);
        refused(&folder, SECOND, false, "--force");
        fs::write(folder.join("mine"), "kept").unwrap();
        write(&folder, SECOND, true).unwrap();
        assert_eq!(fs::read_to_string(folder.join("a.v")).unwrap(), "3");
        assert!(!folder.join("tables").exists());
        assert_eq!(fs::read_to_string(folder.join("mine")).unwrap(), "kept");
        // A file that is gone is written again.
        fs::remove_file(folder.join("same")).unwrap();
        write(&folder, SECOND, false).unwrap();
    }

    #[test]
    fn of_two_at_once_one_is_written() {
        for _ in 0..20 {
            let scratch = tempfile::tempdir().unwrap();
            let folder = scratch.path().join("new");
            let (first, second) = std::thread::scope(|scope| {
                let [first, second] = [FIRST, SECOND].map(|files| scope.spawn(|| write(&folder, files, false)));
                (first.join().unwrap(), second.join().unwrap())
            });
            assert!(first.is_ok() != second.is_ok(), "{first:?}, {second:?}");
            let there = fs::read_to_string(folder.join("a.v")).unwrap();
            assert_eq!((there == "1", folder.join("tables").exists()), (first.is_ok(), first.is_ok()));
        }
    }

    #[test]
    fn what_is_somebody_elses_stays() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        fs::write(folder.join("a.v"), "mine").unwrap();
        for replace in [false, true] {
            refused(folder, FIRST, replace, "a.v was not written by this command");
        }
        fs::write(folder.join("a.v"), "1").unwrap();
        write(folder, FIRST, false).unwrap();
        // Written and then changed: as what is written once more, and as what would go.
        for (name, files) in [("a.v", FIRST), ("a.v", SECOND), ("tables/b", SECOND)] {
            let written = fs::read(folder.join(name)).unwrap();
            fs::write(folder.join(name), "edited").unwrap();
            for replace in [false, true] {
                refused(folder, files, replace, &format!("{name} was changed"));
            }
            fs::write(folder.join(name), written).unwrap();
        }
        write(folder, SECOND, true).unwrap();
    }

    #[test]
    fn a_list_that_is_none_or_leads_outside_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let (folder, outside) = (scratch.path().join("in"), scratch.path().join("out"));
        fs::create_dir(&folder).unwrap();
        fs::write(&outside, "kept").unwrap();
        let kept = hash(b"kept");
        for list in ["text\n".into(), format!("{kept}  ../out\n"), format!("{kept}  {}\n", outside.display())] {
            fs::write(folder.join(FILE_LIST), list).unwrap();
            refused(&folder, FIRST, true, "files.sha256 is no list");
        }
        assert_eq!(fs::read_to_string(outside).unwrap(), "kept");
    }
}
