//! A GOAL trace: every line read and checked, its index in temporary files.

use super::index::Id;
use super::lexer::{Lexer, Token};
use super::maker::{Maker, Span};
use super::matching::Kinds;
use super::parse::Parser;
use super::program::GoalProgram;
use crate::format::lines::Lines;
use crate::format::paged::PagedFile;
use crate::format::text::content;
use crate::options::{Timing, TrafficOptions};
use crate::program::driven::Local;
use crate::program::{Placement, ProgramReplay};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::io::{BufRead, Read};
use std::path::Path;
use std::sync::Arc;
use tempfile::NamedTempFile;

/// What lines should be, as error messages say it.
const KIND: &str = "a line of a GOAL trace";
/// How far into a file its first word may be, bytes.
const LOOK: u64 = 1 << 20;

/// A GOAL trace: every line read and checked, its index in temporary files, which go away with it.
#[derive(Debug)]
pub struct GoalTrace {
    name: String,
    /// Rank by rank.
    spans: Vec<Span>,
    operations: u32,
    kinds: Kinds,
    operation_file: NamedTempFile,
    dependency_file: NamedTempFile,
}

impl GoalTrace {
    /// Whether the file at `path`, plain or packed with xz, is a GOAL trace: its first word behind comments, within the
    /// first MiB, is `num_ranks`, or it is called `.goal` or `.goal.xz`.
    ///
    /// # Errors
    /// A file that can't be opened.
    pub fn recognises(path: &Path) -> Result<bool> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if name.ends_with(".goal") || name.ends_with(".goal.xz") {
            return Ok(true);
        }
        let mut input = content(path)?.take(LOOK);
        let (mut bytes, mut in_comment) = (Vec::new(), false);
        loop {
            bytes.clear();
            // A damaged archive is for its own reader to complain about.
            if input.read_until(b'\n', &mut bytes).unwrap_or(0) == 0 {
                return Ok(false);
            }
            let Ok(line) = std::str::from_utf8(&bytes) else {
                return Ok(false);
            };
            let mut words = Lexer::new(line, in_comment);
            if let Some(token) = words.next() {
                return Ok(token == Token::Word("num_ranks"));
            }
            in_comment = words.in_comment();
        }
    }

    /// Opens a trace, plain or packed with xz, and checks every line and label. Memory is for the labels of one rank.
    ///
    /// Whether the trace can finish is known only when it is replayed.
    ///
    /// # Errors
    /// One line that names file, line, field, value and what is allowed.
    pub fn open(path: &Path) -> Result<GoalTrace> {
        let name = path.display().to_string();
        let mut text = Lines::new(content(path)?, &name, KIND);
        let file = || NamedTempFile::with_prefix("powar-goal-").context("cannot create a temporary file");
        let (operation_file, dependency_file) = (file()?, file()?);
        let mut maker = Maker::new(paged(&operation_file)?, paged(&dependency_file)?)?;
        let mut parser = Parser::new();
        while text.advance()? {
            let number = text.number();
            let read = match std::str::from_utf8(text.text()) {
                Ok(line) => parser.line(line, number, |statement| maker.add(statement, number)),
                Err(_) => Err(anyhow!("found bytes that are not text, expected {KIND}")),
            };
            if let Err(error) = read {
                bail!("{name}, line {}: {error}", maker.blamed.unwrap_or(number));
            }
        }
        if let Err(error) = parser.end().and_then(|()| maker.finish()) {
            let place = if text.number() == 0 { name } else { text.place() };
            bail!("{place}: {error}");
        }
        let Maker { spans, kinds, count: operations, .. } = maker;
        Ok(GoalTrace { name, spans, operations, kinds, operation_file, dependency_file })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.spans.len() as u32
    }

    /// Number of operations.
    pub fn operations(&self) -> u32 {
        self.operations
    }

    /// The trace from its beginning as the load of a network, rank by rank on the nodes that `placement` says.
    ///
    /// # Errors
    /// A placement for another number of ranks, and options out of range.
    pub fn workload(self: Arc<Self>, options: &TrafficOptions, placement: Placement) -> Result<ProgramReplay> {
        let (ranks, name) = (self.ranks(), &self.name);
        ensure!(
            placement.ranks() == ranks,
            "the placement is for {} ranks, expected the {ranks} of {name}",
            placement.ranks()
        );
        let timing = Timing::new(options)?;
        let program = self.program(timing, Local::new(placement.node_of().to_vec(), timing))?;
        Ok(ProgramReplay::of(Box::new(program), timing, placement))
    }

    /// The program from its beginning.
    pub(crate) fn program(self: Arc<Self>, timing: Timing, local: Local) -> Result<GoalProgram> {
        GoalProgram::new(self, timing, local)
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
    pub(super) fn index(&self) -> Result<(PagedFile, PagedFile)> {
        Ok((paged(&self.operation_file)?, paged(&self.dependency_file)?))
    }
}

fn paged(file: &NamedTempFile) -> Result<PagedFile> {
    file.reopen().map(PagedFile::new).context("cannot open a temporary file")
}
