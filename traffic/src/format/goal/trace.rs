//! A GOAL trace: every line read and checked, its index in temporary files.

use super::index::Id;
use super::lexer::{Lexer, Token};
use super::maker::{Maker, Span};
use super::matching::Kinds;
use super::parse::Parser;
use crate::format::lines::Lines;
use crate::format::packing::content;
use crate::format::paged::PagedFile;
use crate::format::source::{self, Sample};
use crate::format::temporary::TemporaryFile;
use anyhow::{Result, anyhow, bail};
use std::path::Path;

/// What lines should be, as error messages say it.
const KIND: &str = "a line of a GOAL trace";

/// A GOAL trace: every line read and checked, its index in temporary files, which go away with it.
#[derive(Debug)]
pub struct GoalTrace {
    name: String,
    /// Rank by rank.
    spans: Vec<Span>,
    operations: u32,
    kinds: Kinds,
    /// The highest interface that an operation names.
    last_nic: u8,
    operation_file: TemporaryFile,
    dependency_file: TemporaryFile,
}

impl GoalTrace {
    /// Whether the file at `path`, packed or not, is a GOAL trace: its first word behind comments, within the first 64 KiB, is
    /// `num_ranks`, or it is called `.goal`.
    ///
    /// # Errors
    /// It isn't there, or can't be opened.
    pub fn recognises(path: &Path) -> Result<bool> {
        source::is_of(path, &super::FORMAT)
    }

    /// Opens a trace, packed or not, and checks every line and label. Memory is for the labels of one rank.
    ///
    /// Whether the trace can finish is known only when it is replayed.
    ///
    /// # Errors
    /// One line that names file, line, field, value and what is allowed.
    pub fn open(path: &Path) -> Result<GoalTrace> {
        let name = path.display().to_string();
        let mut text = Lines::new(content(path)?, &name, KIND);
        let (operation_file, dependency_file) = (TemporaryFile::new()?, TemporaryFile::new()?);
        let mut maker = Maker::new(PagedFile::new(operation_file.clone()), PagedFile::new(dependency_file.clone()))?;
        let mut parser = Parser::new();
        while text.advance()? {
            let number = text.number();
            let mut says = false;
            let read = match std::str::from_utf8(text.text()) {
                Ok(line) => parser.line(line, number, |statement| {
                    says = true;
                    maker.add(statement, number)
                }),
                Err(_) => Err(anyhow!("found bytes that are not text, expected {KIND}")),
            };
            if let Err(error) = read {
                bail!("{name}, line {}: {error}", maker.blamed.unwrap_or(number));
            }
            text.says(says)?;
        }
        if let Err(error) = parser.end().and_then(|()| maker.finish()) {
            let place = if text.number() == 0 { name } else { text.place() };
            bail!("{place}: {error}");
        }
        let Maker { spans, kinds, count: operations, .. } = maker;
        Ok(GoalTrace { name, spans, operations, kinds, last_nic: parser.last_nic(), operation_file, dependency_file })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.spans.len() as u32
    }

    /// What is read and makes no difference, a line each.
    pub fn remarks(&self) -> Vec<String> {
        let interfaces = u32::from(self.last_nic) + 1;
        let shared = format!(
            "nic: {} sends over {interfaces} interfaces of a rank, which share the one link of its node here",
            self.name
        );
        if interfaces > 1 { vec![shared] } else { vec![] }
    }

    /// Number of operations.
    pub fn operations(&self) -> u32 {
        self.operations
    }

    /// The path, as error messages name it.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub(super) fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// All operations, in the order of the file.
    pub(super) fn ids(&self) -> std::ops::Range<Id> {
        0..self.operations
    }

    /// Operations and dependencies.
    pub(super) fn index(&self) -> (PagedFile, PagedFile) {
        (PagedFile::new(self.operation_file.clone()), PagedFile::new(self.dependency_file.clone()))
    }
}

/// Whether the first word of a text, behind comments, is that of a trace.
pub(super) fn recognises(sample: &Sample) -> bool {
    if !sample.is_one_file() {
        return false;
    }
    if sample.bare_name().ends_with(".goal") {
        return true;
    }
    let mut in_comment = false;
    for line in sample.text().split(|&byte| byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else { return false };
        let mut words = Lexer::new(line, in_comment);
        if let Some(token) = words.next() {
            return token == Token::Word("num_ranks");
        }
        in_comment = words.in_comment();
    }
    false
}
