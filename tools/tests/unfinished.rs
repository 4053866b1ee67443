//! What a program that is stopped leaves. A file of its own: it ends all tools that its process runs.

use powar_tools::{AtomicFile, WorkFolder, end_unfinished, run};
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn tools_and_what_is_not_complete_end_with_the_program() {
    let all = tempfile::tempdir().unwrap();
    let [gone, kept] = ["gone-", "kept-"].map(|prefix| WorkFolder::new(prefix, all.path()).unwrap());
    fs::write(gone.path().join("half"), "").unwrap();
    let kept = kept.keep();
    let [_half, whole] = ["gone", "kept"].map(|name| AtomicFile::create(all.path().join(name)).unwrap());
    whole.commit().unwrap();
    let begun = Instant::now();
    let sign = kept.join("begun");
    let tool = {
        let script = format!("touch '{}' && exec sleep 60", sign.display());
        std::thread::spawn(move || run(Command::new("sh").args(["-c", &script]), "a long wait"))
    };
    while !sign.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    end_unfinished();
    assert!(tool.join().unwrap().is_err());
    assert!(begun.elapsed() < Duration::from_secs(30));
    assert!(!gone.path().exists());
    let mut left: Vec<_> = fs::read_dir(all.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    left.sort();
    assert_eq!(left, [all.path().join("kept"), kept]);
}
