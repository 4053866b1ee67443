//! The lines that begin at a time of their own (`Dep` 0), in order of time, from a temporary file.

use crate::format::paged::PagedFile;
use crate::format::temporary::{Appender, TemporaryFile, cannot_write};
use anyhow::Result;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io::{BufWriter, Write};
use std::ops::Range;

/// Lines sorted in memory at a time.
const RUN: usize = 1 << 16;

/// A line that begins `time_ns` after the beginning of the trace; ordered by time, task and line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimedLine {
    pub time_ns: u64,
    pub task: u32,
    pub line: u64,
    /// Code of its node in the index.
    pub node: u64,
}

/// Writes lines of any order as sorted runs.
pub struct StartsWriter {
    out: BufWriter<Appender>,
    run: Vec<TimedLine>,
    runs: Vec<Range<u64>>,
    written: u64,
}

impl StartsWriter {
    pub fn new(file: &TemporaryFile) -> StartsWriter {
        StartsWriter { out: BufWriter::new(file.appender(0)), run: Vec::new(), runs: Vec::new(), written: 0 }
    }

    pub fn push(&mut self, line: TimedLine) -> Result<()> {
        self.run.push(line);
        if self.run.len() == RUN {
            self.end_run()?;
        }
        Ok(())
    }

    /// The runs in the file, as ranges of entries.
    pub fn finish(mut self) -> Result<Vec<Range<u64>>> {
        self.end_run()?;
        self.out.flush().map_err(cannot_write)?;
        Ok(self.runs)
    }

    fn end_run(&mut self) -> Result<()> {
        self.run.sort_unstable();
        let first = self.written;
        for TimedLine { time_ns, task, line, node } in self.run.drain(..) {
            for word in [time_ns, u64::from(task), line, node] {
                self.out.write_all(&word.to_le_bytes()).map_err(cannot_write)?;
            }
            self.written += 1;
        }
        if self.written > first {
            self.runs.push(first..self.written);
        }
        Ok(())
    }
}

/// Merges the runs: yields the lines of the whole file in their order.
pub struct Starts {
    file: PagedFile,
    /// The next line of each run, and where the rest of the run is.
    heads: BinaryHeap<Reverse<(TimedLine, u64, u64)>>,
}

impl Starts {
    pub fn new(file: TemporaryFile, runs: &[Range<u64>]) -> Result<Starts> {
        let mut starts = Starts { file: PagedFile::new(file), heads: BinaryHeap::new() };
        for run in runs {
            starts.refill(run.start, run.end)?;
        }
        Ok(starts)
    }

    /// The earliest line left.
    pub fn peek(&self) -> Option<TimedLine> {
        self.heads.peek().map(|Reverse((line, ..))| *line)
    }

    /// Drops the earliest line.
    pub fn advance(&mut self) -> Result<()> {
        match self.heads.pop() {
            Some(Reverse((_, next, end))) => self.refill(next, end),
            None => Ok(()),
        }
    }

    fn refill(&mut self, next: u64, end: u64) -> Result<()> {
        if next < end {
            let [time_ns, task, line, node] = self.file.read(next)?;
            let line = TimedLine { time_ns, task: task as u32, line, node };
            self.heads.push(Reverse((line, next + 1, end)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_several_runs_come_in_order() {
        let file = TemporaryFile::new().unwrap();
        let mut writer = StartsWriter::new(&file);
        let count = 2 * RUN as u64 + 10;
        for i in 0..count {
            let time_ns = i * 7919 % count;
            writer.push(TimedLine { time_ns, task: 3, line: i, node: 2 * i }).unwrap();
        }
        let runs = writer.finish().unwrap();
        assert_eq!(runs.len(), 3);
        let mut starts = Starts::new(file.clone(), &runs).unwrap();
        for time_ns in 0..count {
            let line = starts.peek().unwrap();
            assert_eq!((line.time_ns, line.line * 7919 % count, line.node), (time_ns, time_ns, 2 * line.line));
            starts.advance().unwrap();
        }
        assert_eq!(starts.peek(), None);
        starts.advance().unwrap();
    }
}
