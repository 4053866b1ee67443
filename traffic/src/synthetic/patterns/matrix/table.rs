//! Lines of values, whatever is between the values.

use anyhow::{Result, anyhow};
use csv::{ReaderBuilder, StringRecord, StringRecordsIntoIter, Trim};

/// A line with values: its number, and they.
#[derive(Clone, Debug)]
pub struct Line {
    pub number: usize,
    /// One at least.
    pub values: Vec<String>,
}

/// The lines of a text. Those with a comment or nothing are passed over.
pub struct Table<'a> {
    text: &'a str,
    records: StringRecordsIntoIter<&'a [u8]>,
    /// Up to which byte lines were counted, and how many.
    counted: (usize, usize),
    /// Any number of blanks is between two values.
    by_blanks: bool,
}

impl<'a> Table<'a> {
    pub fn new(text: &'a str) -> Table<'a> {
        let is_said = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let first = text.lines().find(is_said).unwrap_or_default().trim();
        let delimiter = [b',', b';', b'\t'].into_iter().find(|&byte| first.contains(char::from(byte)));
        let mut builder = ReaderBuilder::new();
        builder.has_headers(false).flexible(true).comment(Some(b'#')).trim(Trim::All);
        let records = builder.delimiter(delimiter.unwrap_or(b' ')).from_reader(text.as_bytes()).into_records();
        Table { text, records, counted: (0, 0), by_blanks: delimiter.is_none() }
    }

    fn line(&mut self, record: &StringRecord) -> Line {
        let number = self.number(record.position().map_or(0, |position| position.byte() as usize));
        let values = record.iter().filter(|value| !self.by_blanks || !value.is_empty()).map(str::to_owned);
        Line { number, values: values.collect() }
    }
}

impl Table<'_> {
    /// The number of the line that is read from this byte on. Those that are passed over there are not counted by the records' own positions.
    fn number(&mut self, mut byte: usize) -> usize {
        while let Some((line, _)) = self.text[byte..].split_once('\n') {
            if !line.trim_end_matches('\r').is_empty() && !line.starts_with('#') {
                break;
            }
            byte += line.len() + 1;
        }
        let (from, lines) = self.counted;
        self.counted = (byte, lines + self.text[from..byte].bytes().filter(|&byte| byte == b'\n').count());
        self.counted.1 + 1
    }
}

impl Iterator for Table<'_> {
    type Item = Result<Line>;

    fn next(&mut self) -> Option<Result<Line>> {
        loop {
            let line = match self.records.next()? {
                Ok(record) => self.line(&record),
                Err(error) => return Some(Err(anyhow!("{}", error.to_string().replace('\n', " ")))),
            };
            let is_blank = line.values.iter().all(String::is_empty);
            if !is_blank {
                return Some(Ok(line));
            }
        }
    }
}
