//! Output that can't be written to its end.

use crate::{POWAR, Scratch, error_of};
use std::process::{Command, Output, Stdio};

/// Runs with files limited to 4 KiB, as clusters limit them: the system would kill a program that does not listen to what it says.
fn with_small_files(scratch: &Scratch, arguments: &[&str]) -> Output {
    let mut bash = Command::new("bash");
    bash.args(["-c", "ulimit -f 4; exec \"$0\" \"$@\"", POWAR]).args(arguments);
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

#[test]
fn a_disk_without_room_for_temporary_files_is_called_one() {
    let scratch = Scratch::new();
    scratch.write("x.goal", format!("num_ranks 1\nrank 0 {{\n{}}}\n", "calc 1\n".repeat(100_000)));
    for input in [crate::HPL, "x.goal"] {
        let error = error_of(&with_small_files(&scratch, &["sim", "--topology", "8-ary-2-tree", "--input", input]));
        let folder = std::env::temp_dir().display().to_string();
        let named = ["no room for a temporary file in", folder.as_str(), "File too large", "TMPDIR"];
        assert!(named.iter().all(|named| error.contains(named)), "{error}");
    }
    // A folder that is not there.
    let sim = ["sim", "--topology", "8-ary-2-tree", "--input", "x.goal"];
    let output = scratch.command(&sim).env("TMPDIR", "/nowhere").output().unwrap();
    let error = error_of(&output);
    assert!(error.contains("cannot write a temporary file in /nowhere") && error.contains("TMPDIR"), "{error}");
}

/// Whatever ends the program: temporary files have no names.
#[cfg(unix)]
#[test]
fn a_run_that_is_ended_leaves_no_temporary_files() {
    let scratch = Scratch::new();
    std::fs::create_dir(scratch.path().join("temporary")).unwrap();
    let temporary = || scratch.path().join("temporary").read_dir().unwrap().count();
    // One that runs for longer than is waited for.
    let long = crate::HPL.replace("hpl-64", "hpl-4096-64");
    for signal in ["-INT", "-TERM", "-KILL"] {
        let sim = ["sim", "--topology", "8-ary-2-tree", "--input", &long];
        let mut run = scratch.command(&sim);
        run.env("TMPDIR", scratch.path().join("temporary")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = run.spawn().unwrap();
        for _ in 0..20 {
            std::thread::sleep(std::time::Duration::from_millis(50));
            assert_eq!(temporary(), 0, "while it runs");
        }
        let id = run.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert!(!run.wait().unwrap().success());
        assert_eq!(temporary(), 0, "{signal}");
    }
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
