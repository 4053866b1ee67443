//! Output that can't be written to its end.

use crate::{POWAR, Scratch, error_of};
use std::process::{Command, Output, Stdio};

/// Runs with files limited to 4 KiB; without the trap the system would kill the program instead of refusing to write.
fn with_small_files(scratch: &Scratch, arguments: &[&str]) -> Output {
    let mut bash = Command::new("bash");
    bash.args(["-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\"", POWAR]).args(arguments);
    bash.current_dir(scratch.path()).output().expect("bash")
}

#[test]
fn a_design_is_written_whole_or_not_at_all() {
    let scratch = Scratch::new();
    let error = error_of(&with_small_files(&scratch, &["emit", "--preset", "fat-tree-8", "--out", "new"]));
    assert!(error.contains("new/") && error.contains("File too large"), "{error}");
    assert!(scratch.files().is_empty(), "{:?}", scratch.files().keys());

    scratch.succeed(&["emit", "--preset", "fat-tree-2", "--out", "design"]);
    let before = scratch.files();
    let over = ["emit", "--force", "--preset", "fat-tree-8", "--out", "design"];
    let error = error_of(&with_small_files(&scratch, &over));
    assert!(error.contains("File too large"), "{error}");
    assert!(scratch.files() == before, "the old design was changed");
}

#[test]
fn waves_are_written_whole_or_not_at_all() {
    let scratch = Scratch::new();
    let check = ["check", "--preset", "fat-tree-2", "--backend", "rust", "--cycles", "2000", "--vcd", "waves.vcd"];
    let error = error_of(&with_small_files(&scratch, &check));
    assert!(error.contains("waves.vcd") && error.contains("File too large"), "{error}");
    assert!(scratch.files().is_empty(), "{:?}", scratch.files().keys());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_an_error() {
    let scratch = Scratch::new();
    let emit = ["emit", "--json", "--preset", "fat-tree-2", "--out", "design"];
    for arguments in [&["presets"][..], &["presets", "--show", "torus-28"], &["presets", "--json"], &emit] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = scratch.command(arguments).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = error_of(&output);
        assert!(error.contains("standard output") && error.contains("No space left"), "{error}");
    }
}

#[test]
fn a_reader_that_has_gone_is_no_error() {
    let scratch = Scratch::new();
    for arguments in [&["presets"][..], &["presets", "--json"], &["--help"], &["emit", "--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = scratch.command(arguments).stdout(writer).stderr(Stdio::piped()).output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
    }
}
