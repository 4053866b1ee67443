//! Archives and packed files with a few changes: opening and running them ends with messages, or with one line.
//!
//! `POWAR_LONG=1` tries 100 000 inputs of each test instead of 2000. One of them again:
//! `POWAR_SEED=SEED cargo test -p powar-traffic archives_end`.

use super::mutation::{Mutator, little_memory, try_many};
use super::packed::{all, tar};
use super::{GOAL, VEF, dumpi, log, run};
use tempfile::TempDir;

const WORDS: &[&str] = &[
    "\u{0}",
    "\u{feff}",
    "ustar  ",
    "r00000.txt",
    "r00001.txt",
    "dumpi-0000.txt",
    "../",
    "0000644",
    "00000000777",
    "\n",
    "\r\n",
    "H pmpilog",
    "MPI_Init entering at walltime 1.0",
    "num_ranks",
    "VEF",
    "L",
    "x",
    "g",
    "5",
    "99999999999",
];

fn is_good(content: &[u8], name: &str, seed: u64) -> bool {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    match run(&path) {
        Ok(_) => true,
        Err(error) => {
            let message = format!("{error:#}").replace(&path.display().to_string(), "TRACE");
            assert!(
                message.contains("TRACE") && !message.contains('\n') && message.len() < 1000,
                "seed {seed}: {message}"
            );
            false
        }
    }
}

#[test]
fn mutated_archives_end_in_messages_or_in_one_line() {
    let logs = [log(0), log(1)];
    let texts = [dumpi(0), dumpi(1)];
    let archives = [
        tar(&[("x/r00000.txt", logs[0].as_bytes()), ("x/r00001.txt", logs[1].as_bytes())]),
        tar(&[("dumpi-0000.txt", texts[0].as_bytes()), ("dumpi-0001.txt", texts[1].as_bytes()), ("x.meta", b"a=1\n")]),
        tar(&[(&("a/".repeat(80) + "r00000.txt"), logs[0].as_bytes()), ("r00001.txt", logs[1].as_bytes())]),
    ];
    try_many("archives_end", |seed| {
        let mut mutator = Mutator::new(seed, WORDS);
        let mut archive = archives[mutator.below(archives.len())].clone();
        for _ in 0..=mutator.below(3) {
            mutator.mutate(&mut archive);
        }
        let packed = all(&archive);
        let (_, packed) = &packed[mutator.below(packed.len())];
        is_good(packed, "x", seed)
    });
    little_memory();
}

#[test]
fn mutated_packed_files_end_in_messages_or_in_one_line() {
    let logs = [log(0), log(1)];
    let archive = tar(&[("x/r00000.txt", logs[0].as_bytes()), ("x/r00001.txt", logs[1].as_bytes())]);
    let files: Vec<_> =
        [("x.goal", GOAL.as_bytes()), ("x.vef", VEF.as_bytes()), ("x", GOAL.as_bytes()), ("x", &archive)]
            .into_iter()
            .flat_map(|(name, content)| all(content).map(|(_, packed)| (name, packed)))
            .collect();
    try_many("packed_files_end", |seed| {
        let mut mutator = Mutator::new(seed, WORDS);
        let (name, mut packed) = files[mutator.below(files.len())].clone();
        mutator.mutate(&mut packed);
        is_good(&packed, name, seed)
    });
    little_memory();
}
