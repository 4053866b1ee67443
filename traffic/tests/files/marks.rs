//! Byte-order marks and line ends of Windows are read in every format, in archives and packed files too.

use super::packed::{all, tar};
use super::{GOAL, VEF, dumpi, log, run};
use tempfile::TempDir;

/// The same text as an editor of Windows may leave it.
fn marked(text: &str) -> [String; 3] {
    let crlf = text.replace('\n', "\r\n");
    [format!("\u{feff}{text}"), format!("\u{feff}{crlf}"), crlf]
}

#[test]
fn in_single_files() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x");
    for (name, text) in [("x.goal", GOAL), ("x.vef", VEF), ("x", GOAL), ("x", VEF)] {
        for text in marked(text) {
            for (ending, packed) in all(text.as_bytes()) {
                let path = path.with_file_name(format!("{name}{ending}"));
                std::fs::write(&path, packed).unwrap();
                assert_eq!(run(&path).unwrap(), 1, "{name}{ending}: {text:?}");
            }
        }
    }
}

#[test]
fn in_folders_and_archives() {
    for (kind, texts) in [("r0000", [log(0), log(1)]), ("dumpi-000", [dumpi(0), dumpi(1)])] {
        let names = [0, 1].map(|rank| format!("{kind}{rank}.txt"));
        for (first, second) in marked(&texts[0]).into_iter().zip(marked(&texts[1])) {
            let folder = TempDir::new().unwrap();
            for (name, text) in names.iter().zip([&first, &second]) {
                std::fs::write(folder.path().join(name), text).unwrap();
            }
            assert_eq!(run(folder.path()).unwrap(), 1, "{first:?}");
            let archive = tar(&[(&names[0], first.as_bytes()), (&names[1], second.as_bytes())]);
            for (ending, packed) in all(&archive) {
                let path = folder.path().join(format!("x.tar{ending}"));
                std::fs::write(&path, packed).unwrap();
                assert_eq!(run(&path).unwrap(), 1, "{ending}: {first:?}");
            }
        }
    }
}
