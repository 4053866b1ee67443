//! Whatever bytes the files hold, opening and reading them ends with entries or with one line.
//!
//! Mutations are made from a seed, which is printed. `POWAR_LONG=1` tries 100 000 inputs instead of 2000. One of them
//! again: `POWAR_SEED=SEED cargo test -p powar-traffic --test dumpi mutated`.

use super::text::{DOUBLE, INT, Text, WORLD, comm_name, folder, read, status};
use powar_traffic::format::dumpi::DumpiTrace;
use powar_traffic::program::call::CallSource;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use std::time::{Duration, Instant};

/// Two ranks that make calls of all kinds.
fn sample(rank: i32) -> String {
    let other = 1 - rank;
    let list = "int count=2\nMPI_Request requests[2]=[2, 3]";
    let user = |number: i32, what: &str| format!("{number} (user-defined-{what})");
    let make = |old: i32, arguments: &str, new: i32| {
        format!("MPI_Comm oldcomm={}\n{arguments}MPI_Comm newcomm={}", comm_name(old), comm_name(new))
    };
    let statuses = format!("{}, {}", status(9, 9).replace(']', ""), status(other, 7).replace('[', ""));
    let vector = format!(
        "int count=5\nint blocklength=2\nint stride=7\nMPI_Datatype oldtype={DOUBLE}\nMPI_Datatype newtype={}",
        user(28, "datatype")
    );
    let ranges = format!(
        "MPI_Group group={}\nint count=1\nint ranges[1][3]=[[0, 1, 1]\n]MPI_Group newgroup={}",
        user(3, "group"),
        user(4, "group")
    );
    let bcast = format!(
        "int count=2\nMPI_Datatype datatype={}\nint root=1\nMPI_Comm comm={}",
        user(28, "datatype"),
        comm_name(7)
    );
    let alltoallv = format!(
        "int commsize=2\nint sendcounts[2]=[1, 2]\nint senddispls[2]=[0, 1]\nMPI_Datatype sendtype={INT}\n\
         int recvcounts[2]=[1, 2]\nint recvdispls[2]=[0, 1]\nMPI_Datatype recvtype={INT}\nMPI_Comm comm={WORLD}"
    );
    let cart = "int ndim=2\nint dims[2]=[1, 2]\nint periods[2]=[0, 0]\nint reorder=0\n";
    let text = Text::new()
        .call(1, "MPI_Comm_rank", &format!("MPI_Comm comm={WORLD}\nint rank={rank}"))
        .call(1, "MPI_Comm_size", &format!("MPI_Comm comm={WORLD}\nint size=2"))
        .isend(5, "MPI_Isend", 3, other, 7, 2)
        .irecv(5, -1, -1, 3)
        .call(1, "MPI_Testall", &format!("{list}\nint flag=0\nMPI_Status statuses[2]=<IGNORED>"))
        .call(1, "MPI_Waitall", &format!("{list}\nMPI_Status statuses[2]={statuses}"))
        .send(5, "MPI_Ssend", 3, INT, other, 8)
        .recv(5, other, 8, &status(other, 8))
        .call(1, "MPI_Type_vector", &vector)
        .split(2, 0, -rank, 4)
        .barrier(3, 4)
        .call(1, "MPI_Comm_group", &format!("MPI_Comm comm={}\nMPI_Group group={}", comm_name(4), user(3, "group")))
        .call(1, "MPI_Group_range_incl", &ranges)
        .call(1, "MPI_Comm_create", &make(4, &format!("MPI_Group group={}\n", user(4, "group")), 5))
        .call(1, "MPI_Cart_create", &make(5, cart, 6))
        .call(1, "MPI_Cart_sub", &make(6, "int ndim=2\nint remain_dims[2]=[0, 1]\n", 7))
        .call(1, "MPI_Bcast", &bcast)
        .call(1, "MPI_Alltoallv", &alltoallv)
        .call(1, "MPI_Comm_free", &format!("MPI_Comm comm={}", comm_name(5)));
    text.end() + "Datatype 9 (MPI_INT) has size 4\n"
}

/// Words that mean something, most of them in the wrong place.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "65536",
    "2147483647",
    "-2147483648",
    "4294967296",
    "99999999999999999999",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\n",
    " ",
    "<IGNORED>",
    "entering",
    "returning",
    "walltime",
    "cputime",
    "MPI_Wait",
    "MPI_Waitsome",
    "MPI_Comm_dup",
    "MPI_Finalize",
    "MPI_Start",
    "int",
    "requests",
    "status",
    "\u{0}",
    "\u{fffd}",
];

struct Mutator(Xoshiro256PlusPlus);

impl Mutator {
    fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound.max(1) as u64) as usize
    }

    /// Where something begins that a mutation may replace: a byte, a word or a line.
    fn mutate(&mut self, text: &mut Vec<u8>) {
        let at = self.below(text.len());
        let end_of =
            |text: &[u8], stop: fn(&u8) -> bool| text[at..].iter().position(stop).map_or(text.len(), |n| at + n);
        let word_end = end_of(text, |byte| !byte.is_ascii_alphanumeric()).max(at);
        let line_start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line_end = end_of(text, |&byte| byte == b'\n');
        match self.below(9) {
            0 => text[at] = self.0.next_u64() as u8,
            1 => text[at] ^= 1 << self.below(8),
            2 => drop(text.splice(at..word_end, WORDS[self.below(WORDS.len())].bytes())),
            3 => drop(text.splice(at..at, WORDS[self.below(WORDS.len())].bytes())),
            4 => drop(text.drain(line_start..(line_end + 1).min(text.len()))),
            5 => {
                let line = text[line_start..line_end].to_vec();
                text.splice(line_start..line_start, [line, b"\n".to_vec()].concat());
            }
            6 => text.truncate(at),
            // Another line takes its place.
            7 => {
                let lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
                let line = lines[self.below(lines.len())].clone();
                text.splice(line_start..line_end, line);
            }
            _ => drop(text.splice(at..word_end, format!("{}", self.0.next_u64() as i32).into_bytes())),
        }
    }
}

fn try_one(seed: u64) -> bool {
    let mut mutator = Mutator(Xoshiro256PlusPlus::seed_from_u64(seed));
    let mut texts = [sample(0).into_bytes(), sample(1).into_bytes()];
    for _ in 0..=mutator.below(4) {
        let rank = mutator.below(2);
        if !texts[rank].is_empty() {
            mutator.mutate(&mut texts[rank]);
        }
    }
    let directory = folder(&[]);
    for (rank, text) in texts.iter().enumerate() {
        std::fs::write(directory.path().join(format!("d-{rank}.txt")), text).unwrap();
    }
    let started = Instant::now();
    let outcome = DumpiTrace::open(directory.path())
        .and_then(|trace| (0..trace.ranks()).try_for_each(|rank| read(&trace, rank).map(drop)));
    assert!(started.elapsed() < Duration::from_secs(20), "seed {seed} takes {:?}", started.elapsed());
    if let Err(error) = &outcome {
        let message = format!("{error:#}");
        let place = message.contains(": d-0.txt") || message.contains(": d-1.txt");
        assert!(!message.contains('\n') && message.len() < 600 && place, "seed {seed}: {message}");
    }
    outcome.is_ok()
}

#[test]
fn the_sample_is_good() {
    let directory = folder(&[sample(0), sample(1)]);
    let trace = DumpiTrace::open(directory.path()).unwrap();
    assert_eq!([read(&trace, 0).unwrap().len(), read(&trace, 1).unwrap().len()], [27, 27]);
}

#[test]
fn mutated_inputs_end_in_entries_or_in_one_line() {
    let set = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    if let Some(seed) = set("POWAR_SEED") {
        try_one(seed);
        return;
    }
    let first = 0x0d07_2026;
    let count = if set("POWAR_LONG") == Some(1) { 100_000 } else { 2000 };
    let mut good = 0;
    for seed in first..first + count {
        let outcome = std::panic::catch_unwind(|| try_one(seed));
        let Ok(read) = outcome else {
            panic!("seed {seed}; again: POWAR_SEED={seed} cargo test -p powar-traffic --test dumpi mutated");
        };
        good += u64::from(read);
    }
    println!("seeds {first} to {}: {good} of {count} inputs are still good", first + count - 1);
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 512 * 1024, "{peak} KiB in memory at a time, other tests included");
    }
    // A reader that refuses everything, or nothing, would not be tested.
    assert!(good > count / 50 && good < count / 2, "{good} of {count} inputs are still good");
}
