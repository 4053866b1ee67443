//! Paths that are not UTF-8: used where they need not stand in a text, else refused in a line; and byte-order marks in front of text.

use crate::{HPL, Scratch, error_of};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::Output;

/// A name with a byte that is in no UTF-8.
fn odd(ending: &str) -> OsString {
    OsString::from_vec([b"odd-\xff", ending.as_bytes()].concat())
}

fn run(scratch: &Scratch, arguments: &[&OsStr]) -> Output {
    scratch.command(&[]).args(arguments).output().unwrap()
}

fn options<'a>(words: &[&'a str]) -> Vec<&'a OsStr> {
    words.iter().map(|word| OsStr::new(*word)).collect()
}

const RING: &str = "a b\nb c\nc a\n";

fn experiment(topology: &str) -> String {
    format!(
        "title = \"t\"\n[simulation]\ntopology = \"{topology}\"\ntraffic = {{ kind = \"synthetic\", cycles = 5000 }}\n[[sweep]]\nname = \"load\"\nkey = \"traffic.load\"\nvalues = [0.1]\n"
    )
}

#[test]
fn where_a_path_need_not_be_text_it_is_used() {
    let scratch = Scratch::new();
    let folder = scratch.path().to_owned();
    std::fs::write(folder.join(odd(".edges")), RING).unwrap();
    std::fs::write(folder.join(odd(".toml")), scratch.succeed(&["presets", "--show", "fat-tree-2"])).unwrap();
    std::fs::write(folder.join(odd(".exp.toml")), experiment("2-ary-2-tree")).unwrap();
    std::fs::copy(HPL, folder.join("hpl.tar.xz")).unwrap();
    let (edges, config, exp, out) = (odd(".edges"), odd(".toml"), odd(".exp.toml"), odd(".d"));
    for (words, path, rest) in [
        (&["check", "routing", "--network"][..], &edges, &[][..]),
        (&["check", "routing", "--config"], &config, &[]),
        (&["emit", "--network"], &edges, &["--out", "network"]),
        (&["emit", "--config"], &config, &["--out", "design"]),
        (&["emit", "--preset", "fat-tree-2", "--out"], &out, &[]),
        (&["experiment"], &exp, &["--out", "results"]),
        (&["experiment", "--out"], &out, &["plain.toml"]),
        (&["experiment", "--page"], &out, &[]),
    ] {
        std::fs::write(folder.join("plain.toml"), experiment("2-ary-2-tree")).unwrap();
        let output = run(&scratch, &[options(words), vec![path], options(rest)].concat());
        assert_eq!(output.status.code(), Some(0), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(folder.join(&out).join("fat_tree_2_power_controller.core").exists());
}

#[test]
fn where_it_must_be_text_it_is_refused() {
    let scratch = Scratch::new();
    let folder = scratch.path().join(odd(""));
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("ring.edges"), RING).unwrap();
    std::fs::write(folder.join("e.toml"), experiment("file:ring.edges")).unwrap();
    let of = |name: &str| OsString::from_vec([odd("").as_bytes(), b"/", name.as_bytes()].concat());
    let (edges, exp, vcd, out) = (of("ring.edges"), of("e.toml"), of("w.vcd"), odd(".d"));
    for (words, path, rest, named) in [
        (&["sim", "--load", "0.1", "--cycles", "500", "--network"][..], &edges, &[][..], "network: "),
        (&["experiment"], &exp, &[], "topology: "),
        (&["check", "--backend", "rust", "--cycles", "10", "--vcd"], &vcd, &[], "--vcd: "),
        (&["emit", "--json", "--out"], &out, &[], "out: "),
        (&["bitstream", "--out"], &out, &[], "out: "),
    ] {
        let before = scratch.files();
        let output = run(&scratch, &[options(words), vec![path], options(rest)].concat());
        let error = error_of(&output);
        assert!(error.contains(named) && error.contains("is not UTF-8"), "{words:?}: {error}");
        assert!(scratch.files() == before, "{words:?} changed a file");
    }
}

/// Editors of another system put a mark of the byte order in front, and ends of lines of their own.
#[test]
fn configurations_and_experiments_with_a_mark_of_the_byte_order() {
    let scratch = Scratch::new();
    let marked = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
    scratch.write("c.toml", marked(&scratch.succeed(&["presets", "--show", "fat-tree-2"])));
    scratch.write("ring.edges", marked(RING));
    scratch.write("e.toml", marked(&experiment("file:ring.edges")));
    scratch.succeed(&["check", "routing", "--config", "c.toml"]);
    scratch.succeed(&["experiment", "e.toml"]);
    scratch.write("utf16.toml", b"\xff\xfea\0=\x001\0");
    scratch
        .fail(&["check", "routing", "--config", "utf16.toml"], &["utf16.toml", "line 1", "UTF-16", "expected UTF-8"]);
    scratch.fail(&["experiment", "utf16.toml"], &["utf16.toml", "UTF-16"]);
}
