//! Inputs that are nearly right: changes to good text, made from a seed, in numbers that a long run multiplies.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Longest time that one small input may take on a busy machine.
const SOON: Duration = Duration::from_secs(20);

/// Makes changes to text.
pub struct Mutator<'a> {
    random: Xoshiro256PlusPlus,
    /// What changes put in: words of the format, most of them in the wrong place.
    words: &'a [&'a str],
}

impl<'a> Mutator<'a> {
    pub fn new(seed: u64, words: &'a [&'a str]) -> Mutator<'a> {
        Mutator { random: Xoshiro256PlusPlus::seed_from_u64(seed), words }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.random.next_u64() % bound.max(1) as u64) as usize
    }

    fn word(&mut self) -> &'a str {
        self.words[self.below(self.words.len())]
    }

    /// Changes a byte, a word or a line of a text, or cuts it.
    pub fn mutate(&mut self, text: &mut Vec<u8>) {
        if text.is_empty() {
            return;
        }
        let at = self.below(text.len());
        let end_of =
            |text: &[u8], stop: fn(&u8) -> bool| text[at..].iter().position(stop).map_or(text.len(), |n| at + n);
        let word_end = end_of(text, |byte| !byte.is_ascii_alphanumeric());
        let line_start = text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let line_end = end_of(text, |&byte| byte == b'\n');
        match self.below(9) {
            0 => text[at] = self.random.next_u64() as u8,
            1 => text[at] ^= 1 << self.below(8),
            2 => drop(text.splice(at..word_end, self.word().bytes())),
            3 => drop(text.splice(at..at, self.word().bytes())),
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
            _ => drop(text.splice(at..word_end, format!("{}", self.random.next_u64() as i32).into_bytes())),
        }
    }

    /// The same texts with one to four changes.
    pub fn mutated<const N: usize>(&mut self, texts: [String; N]) -> [Vec<u8>; N] {
        let mut texts = texts.map(String::into_bytes);
        for _ in 0..=self.below(4) {
            let text = self.below(N);
            self.mutate(&mut texts[text]);
        }
        texts
    }
}

/// Tries inputs made from one seed each: 2000, 100 000 if `POWAR_LONG` is set, or the one of `POWAR_SEED`. `try_one`
/// says whether its input is still good; a panic of it, or long thought, fails with the command that tries it again.
pub fn try_many(test: &str, try_one: impl Fn(u64) -> bool) {
    if let Ok(seed) = std::env::var("POWAR_SEED") {
        try_one(seed.parse().expect("POWAR_SEED is a number"));
        return;
    }
    let first = 0x0d07_2026;
    let count = if std::env::var_os("POWAR_LONG").is_some() { 100_000 } else { 2000 };
    let mut good = 0;
    for seed in first..first + count {
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| try_one(seed)));
        let package = env!("CARGO_PKG_NAME");
        let again = format!("POWAR_SEED={seed} cargo test -p {package} {test}");
        let still_good = outcome.unwrap_or_else(|_| panic!("seed {seed}; again: {again}"));
        assert!(started.elapsed() < SOON, "seed {seed} takes {:?}; again: {again}", started.elapsed());
        good += u64::from(still_good);
    }
    println!("seeds {first} to {}: {good} of {count} inputs are still good", first + count - 1);
    // A reader that refuses everything, or nothing, would not be tested.
    assert!(good > count / 100 && good < count / 2, "{good} of {count} inputs are still good");
}

/// Fails if the process has had more than 512 MiB in memory at a time, all its tests together.
pub fn little_memory() {
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(peak < 512 * 1024, "{peak} KiB in memory at a time, other tests included");
    }
}
