//! Streams the log of one rank.

use super::parse::{Header, parse_header, parse_record};
use super::record::Record;
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Longest line accepted, bytes. The longest real ones list a communicator's members.
const MAX_LINE: u64 = 1 << 20;

/// Reads one rank's log line by line; only the current line is ever in memory.
///
/// Iterates over the [`Record`]s behind the `H` line and ends behind the `FIN` line, which it
/// yields. The first error ends the iteration.
pub struct LogReader<R> {
    input: R,
    name: String,
    header: Header,
    line: u64,
    text: Vec<u8>,
    done: bool,
}

impl LogReader<BufReader<File>> {
    /// Opens a log file and reads its `H` line.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        // Small, because a replay holds one open reader for every rank.
        let input = BufReader::with_capacity(16 * 1024, file);
        let name = path.file_name().unwrap_or(path.as_os_str());
        LogReader::new(input, &name.to_string_lossy())
    }
}

impl<R: BufRead> LogReader<R> {
    /// Reads the `H` line of `input`; `name` is what error messages call it.
    pub fn new(input: R, name: &str) -> Result<Self> {
        let mut reader = LogReader {
            input,
            name: name.to_owned(),
            header: Header { rank: 0, ranks: 1 },
            line: 0,
            text: Vec::new(),
            done: false,
        };
        ensure!(reader.next_line()?, "{name}: the log is empty, expected `H pmpilog 1 RANK NRANKS`");
        reader.header = reader.at_this_line(parse_header)?;
        Ok(reader)
    }

    /// The rank whose log this is.
    pub fn rank(&self) -> u32 {
        self.header.rank
    }

    /// Number of ranks of the recorded program.
    pub fn ranks(&self) -> u32 {
        self.header.ranks
    }

    /// Number of the line last read, counted from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The line last read, without its line end.
    pub fn text(&self) -> &[u8] {
        self.text.trim_ascii_end()
    }

    /// File and line last read, to put in front of an error message.
    pub fn place(&self) -> String {
        format!("{}, line {}", self.name, self.line)
    }

    /// Fetches the next line; false at the end of the input.
    fn next_line(&mut self) -> Result<bool> {
        self.text.clear();
        let read = (&mut self.input)
            .take(MAX_LINE)
            .read_until(b'\n', &mut self.text)
            .with_context(|| format!("{}: cannot read behind line {}", self.name, self.line))?;
        if read == 0 {
            return Ok(false);
        }
        self.line += 1;
        ensure!((read as u64) < MAX_LINE, "{}: longer than {MAX_LINE} bytes, expected a log line", self.place());
        Ok(true)
    }

    fn at_this_line<T>(&self, parse: impl FnOnce(&str) -> Result<T>) -> Result<T> {
        std::str::from_utf8(&self.text)
            .map_err(|_| anyhow!("found bytes that are not text, expected a log line"))
            .and_then(parse)
            .map_err(|error| anyhow!("{}: {error}", self.place()))
    }

    fn read(&mut self) -> Result<Record> {
        if !self.next_line()? {
            bail!("{}: the log is cut short: it ends at line {} without its FIN line", self.name, self.line);
        }
        let record = self.at_this_line(|line| parse_record(line, self.header.ranks))?;
        if record == Record::Finish {
            self.done = true;
            // Look behind FIN, but keep its text and line number as the current ones.
            let finish = std::mem::take(&mut self.text);
            ensure!(!self.next_line()?, "{}: found more text, expected the end of the file after FIN", self.place());
            self.text = finish;
        }
        Ok(record)
    }
}

impl<R: BufRead> Iterator for LogReader<R> {
    type Item = Result<Record>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let record = self.read();
        self.done |= record.is_err();
        Some(record)
    }
}
