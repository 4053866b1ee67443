//! Writes a program as GOAL text.

use super::parse::{ANY, MAX_BYTES, MAX_TAG};
use crate::format::fields::{MAX_GAP_NS, MAX_RANKS};
use crate::format::paged::PagedFile;
use crate::format::temporary::{self, TemporaryFile};
use anyhow::{Context, Result, anyhow, ensure};
use std::fmt::Write as _;
use std::io::{BufWriter, Write};

/// Text in memory that makes all of it go to the temporary file, bytes.
const IN_MEMORY: usize = 8 << 20;

/// An operation that has been written, to name what waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    rank: u32,
    /// Number among those of the rank, counted from 1: its label.
    number: u64,
}

/// What an operation waits for: operations of its own rank that were written before.
#[derive(Clone, Copy, Debug, Default)]
pub struct After<'a> {
    /// Those that must have finished (`requires`).
    pub finished: &'a [Operation],
    /// Those that must have started (`irequires`).
    pub started: &'a [Operation],
}

/// A processor of a rank. A rank alone stands for its processor 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu {
    pub rank: u32,
    pub number: u8,
}

impl From<u32> for Cpu {
    fn from(rank: u32) -> Cpu {
        Cpu { rank, number: 0 }
    }
}

/// Writes operations in any order of ranks; within a rank they stand in the order in which they were given.
///
/// Blocks of ranks are contiguous in the text, so it is put together at the end: until then it is in a temporary file. Memory is
/// some 8 MiB and 100 bytes for each rank.
pub struct Writer {
    ranks: Vec<Rank>,
    /// Bytes of text in memory.
    in_memory: usize,
    /// Parts of the blocks, in the order in which they were flushed.
    body: TemporaryFile,
    body_length: u64,
    /// Where each part is: offset, length, number of the next part of its rank plus 1.
    parts: PagedFile,
    part_count: u64,
}

#[derive(Default)]
struct Rank {
    /// What is not in the file.
    text: String,
    operations: u64,
    /// First and last part in the file.
    parts: Option<(u64, u64)>,
}

/// What has been written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    pub ranks: u32,
    pub operations: u64,
}

impl Writer {
    /// A trace of so many ranks.
    ///
    /// # Errors
    /// More than 65 536 ranks, or none, and no room for temporary files.
    pub fn begin(ranks: u32) -> Result<Writer> {
        ensure!((1..=MAX_RANKS).contains(&ranks), "ranks is `{ranks}`, expected 1 to {MAX_RANKS}");
        Ok(Writer {
            ranks: (0..ranks).map(|_| Rank::default()).collect(),
            in_memory: 0,
            body: TemporaryFile::new()?,
            body_length: 0,
            parts: PagedFile::temporary()?,
            part_count: 0,
        })
    }

    /// `rank` computes for so many ns.
    ///
    /// # Errors
    /// Of this and the other operations: values that the format can't hold, what waits for another rank's
    /// operations, and a full disk.
    pub fn calc(&mut self, cpu: impl Into<Cpu>, nanoseconds: u64, after: After) -> Result<Operation> {
        ensure!(nanoseconds <= MAX_GAP_NS, "calc is `{nanoseconds}`, expected 0 to {MAX_GAP_NS} ns");
        self.add(cpu.into(), format_args!("calc {nanoseconds}"), after)
    }

    /// `rank` sends a message.
    ///
    /// # Errors
    /// As of [`Writer::calc`].
    pub fn send(&mut self, cpu: impl Into<Cpu>, to: u32, bytes: u64, tag: u32, after: After) -> Result<Operation> {
        let cpu = cpu.into();
        self.check_message("to", to, bytes, tag)?;
        self.add(cpu, format_args!("send {bytes}b to {to} tag {tag}"), after)
    }

    /// `rank` receives a message; `None` is any source and any tag.
    ///
    /// # Errors
    /// As of [`Writer::calc`].
    pub fn receive(
        &mut self,
        cpu: impl Into<Cpu>,
        from: Option<u32>,
        bytes: u64,
        tag: Option<u32>,
        after: After,
    ) -> Result<Operation> {
        let cpu = cpu.into();
        self.check_message("from", from.unwrap_or(0), bytes, tag.unwrap_or(0))?;
        let text = |value: Option<u32>| value.map_or(ANY.to_owned(), |value| value.to_string());
        self.add(cpu, format_args!("recv {bytes}b from {} tag {}", text(from), text(tag)), after)
    }

    /// Writes the whole text to `out`.
    ///
    /// # Errors
    /// Those of `out`, and of the temporary files.
    pub fn finish(mut self, out: &mut dyn Write) -> Result<Written> {
        let cannot_write = |error| anyhow!("cannot write the GOAL trace: {error}");
        let mut out = BufWriter::new(out);
        writeln!(out, "num_ranks {}", self.ranks.len()).map_err(cannot_write)?;
        let mut operations = 0;
        for (number, rank) in self.ranks.iter().enumerate() {
            writeln!(out, "\nrank {number} {{").map_err(cannot_write)?;
            let mut next = rank.parts.map(|(first, _)| first);
            while let Some(part) = next {
                let [offset, length, following, _]: [u64; 4] = self.parts.read(part)?;
                let mut part = self.body.section(offset..offset + length);
                let copied = std::io::copy(&mut part, &mut out).map_err(cannot_write)?;
                ensure!(copied == length, "cannot read a temporary file: it has become shorter");
                next = following.checked_sub(1);
            }
            writeln!(out, "{}}}", rank.text).map_err(cannot_write)?;
            operations += rank.operations;
        }
        out.flush().map_err(cannot_write)?;
        Ok(Written { ranks: self.ranks.len() as u32, operations })
    }

    fn check_message(&self, field: &str, other: u32, bytes: u64, tag: u32) -> Result<()> {
        let last = self.ranks.len() as u32 - 1;
        ensure!(other <= last, "{field} is `{other}`, expected a rank from 0 to {last}");
        ensure!(bytes <= MAX_BYTES, "bytes is `{bytes}`, expected 0 to {MAX_BYTES}");
        ensure!(tag <= MAX_TAG, "tag is `{tag}`, expected 0 to {MAX_TAG}");
        Ok(())
    }

    fn add(&mut self, cpu: Cpu, what: std::fmt::Arguments, after: After) -> Result<Operation> {
        let Cpu { rank, number: cpu } = cpu;
        let last = self.ranks.len() - 1;
        let block = self.ranks.get_mut(rank as usize);
        let block = block.with_context(|| format!("rank is `{rank}`, expected 0 to {last}"))?;
        let number = block.operations + 1;
        for required in after.finished.iter().chain(after.started) {
            ensure!(
                required.rank == rank && required.number < number,
                "an operation of rank {rank} waits for one of rank {}, expected one of its own before",
                required.rank
            );
        }
        block.operations = number;
        let before = block.text.len();
        // Writing to a string can't fail.
        let _ = match cpu {
            0 => writeln!(block.text, "l{number}: {what}"),
            cpu => writeln!(block.text, "l{number}: {what} cpu {cpu}"),
        };
        for (word, required) in [("requires", after.finished), ("irequires", after.started)] {
            for Operation { number: required, .. } in required {
                let _ = writeln!(block.text, "l{number} {word} l{required}");
            }
        }
        self.in_memory += block.text.len() - before;
        if self.in_memory >= IN_MEMORY {
            self.flush()?;
        }
        Ok(Operation { rank, number })
    }

    /// Puts all text that is in memory behind that in the file.
    fn flush(&mut self) -> Result<()> {
        let mut body = BufWriter::new(self.body.appender(self.body_length));
        for rank in &mut self.ranks {
            if rank.text.is_empty() {
                continue;
            }
            body.write_all(rank.text.as_bytes()).map_err(temporary::cannot_write)?;
            let (part, length) = (self.part_count, rank.text.len() as u64);
            self.part_count += 1;
            self.parts.write(part, &[self.body_length, length, 0, 0])?;
            self.body_length += length;
            rank.parts = Some(match rank.parts {
                None => (part, part),
                Some((first, last)) => {
                    let [offset, length, ..]: [u64; 4] = self.parts.read(last)?;
                    self.parts.write(last, &[offset, length, part + 1, 0])?;
                    (first, part)
                }
            });
            rank.text = String::new();
        }
        self.in_memory = 0;
        body.flush().map_err(temporary::cannot_write)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_put_together_from_their_parts() {
        let mut writer = Writer::begin(3).unwrap();
        let mut expected = [const { String::new() }; 3];
        let mut last = [None; 3];
        for step in 0..40u32 {
            let rank = step * 7 % 3;
            let after = last[rank as usize].as_slice();
            let operation = writer.calc(rank, u64::from(step), After { started: after, ..After::default() }).unwrap();
            let Operation { number, .. } = operation;
            let text = &mut expected[rank as usize];
            *text += &format!("l{number}: calc {step}\n");
            if number > 1 {
                *text += &format!("l{number} irequires l{}\n", number - 1);
            }
            last[rank as usize] = Some(operation);
            if step % 5 == 4 {
                writer.flush().unwrap();
            }
        }
        let mut text = Vec::new();
        assert_eq!(writer.finish(&mut text).unwrap(), Written { ranks: 3, operations: 40 });
        let [a, b, c] = expected;
        let whole = format!("num_ranks 3\n\nrank 0 {{\n{a}}}\n\nrank 1 {{\n{b}}}\n\nrank 2 {{\n{c}}}\n");
        assert_eq!(String::from_utf8(text).unwrap(), whole);
    }

    #[test]
    fn what_the_format_cannot_say_is_refused() {
        let error = |result: Result<Operation>| result.unwrap_err().to_string();
        let mut writer = Writer::begin(2).unwrap();
        let none = After::default();
        let other = writer.calc(1, 0, none).unwrap();
        let after = After { finished: &[other], ..none };
        assert_eq!(
            [
                error(writer.calc(2, 0, none)),
                error(writer.calc(0, MAX_GAP_NS + 1, none)),
                error(writer.calc(0, 0, after)),
                error(writer.send(0, 2, 0, 0, none)),
                error(writer.send(0, 1, MAX_BYTES + 1, 0, none)),
                error(writer.send(0, 1, 0, u32::MAX, none)),
                error(writer.receive(1, Some(2), 0, None, none)),
                Writer::begin(0).map(|_| ()).unwrap_err().to_string(),
            ],
            [
                "rank is `2`, expected 0 to 1",
                "calc is `1000000000000001`, expected 0 to 1000000000000000 ns",
                "an operation of rank 0 waits for one of rank 1, expected one of its own before",
                "to is `2`, expected a rank from 0 to 1",
                "bytes is `1099511627777`, expected 0 to 1099511627776",
                "tag is `4294967295`, expected 0 to 4294967294",
                "from is `2`, expected a rank from 0 to 1",
                "ranks is `0`, expected 1 to 65536",
            ]
        );
    }
}
