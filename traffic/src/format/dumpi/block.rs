//! One call after the other, as `dumpi2ascii` prints them: a line that enters, its arguments, a line that returns.

use super::stamp::{self, Stamp};
use crate::format::fields::shown;
use crate::format::lines::Lines;
use anyhow::{Error, Result, anyhow, bail, ensure};
use std::io::BufRead;
use std::ops::Range;

/// Most lines of arguments in one call; the longest known one has 13.
const MAX_ARGUMENTS: usize = 64;
/// Longest arguments of one call taken together, bytes: four arrays of as many members as a program may have ranks.
const MAX_TEXT: usize = 8 << 20;
/// Arguments that no replay needs, some of them long.
const NOT_NEEDED: &[&str] = &["displs", "senddispls", "recvdispls", "periods", "edges", "coords", "displacements"];
/// What stands in front of an argument's name.
const TYPES: &[&str] = &["int", "int64_t", "string"];

/// One call with its arguments, as text.
#[derive(Default)]
pub(crate) struct Block {
    pub call: String,
    /// Of the line that enters.
    pub line: u64,
    pub entering: Stamp,
    pub returning: Stamp,
    text: String,
    arguments: Vec<Argument>,
}

struct Argument {
    name: Range<usize>,
    value: Range<usize>,
    line: u64,
    /// What may follow on further lines.
    follows: Follows,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Nothing,
    /// Further rows of a table.
    Rows,
    /// Whatever the string holds.
    Anything,
}

impl Block {
    /// The value of an argument and its line; `None` where it is not printed.
    pub fn find(&self, name: &str) -> Option<(&str, u64)> {
        let argument = self.arguments.iter().find(|argument| &self.text[argument.name.clone()] == name)?;
        Some((&self.text[argument.value.clone()], argument.line))
    }

    fn begin(&mut self, call: &str, line: u64, entering: Stamp) {
        self.call.clear();
        self.call.push_str(call);
        self.line = line;
        self.entering = entering;
        self.text.clear();
        self.arguments.clear();
    }

    /// Takes `TYPE NAME=VALUE` or `TYPE NAME[N]=VALUE`; false when it is no such line.
    fn take(&mut self, text: &str, line: u64) -> Result<bool> {
        let Some((left, value)) = text.split_once('=') else { return Ok(false) };
        let Some((kind, name)) = left.split_once(' ') else { return Ok(false) };
        if !(TYPES.contains(&kind) || kind.starts_with("MPI")) {
            return Ok(false);
        }
        let name = name.split('[').next().unwrap_or(name);
        let follows = match (kind, name) {
            ("string", _) => Follows::Anything,
            (_, "ranges") => Follows::Rows,
            _ => Follows::Nothing,
        };
        let value = if kind == "string" || NOT_NEEDED.contains(&name) { "" } else { value };
        ensure!(self.arguments.len() < MAX_ARGUMENTS, "more than {MAX_ARGUMENTS} arguments in one call");
        let name = self.push(name)?;
        let value = self.push(value)?;
        self.arguments.push(Argument { name, value, line, follows });
        Ok(true)
    }

    /// Takes the further lines of a string or of a table; false when none can be there.
    fn go_on(&mut self, text: &str) -> Result<bool> {
        match self.arguments.last().map(|last| last.follows) {
            Some(Follows::Anything) => Ok(true),
            Some(Follows::Rows) if text.starts_with(", [") || text == "]" => {
                let end = self.push(text)?.end;
                let last = self.arguments.last_mut().expect("there is one");
                last.value.end = end;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn push(&mut self, text: &str) -> Result<Range<usize>> {
        ensure!(self.text.len() + text.len() <= MAX_TEXT, "more than {MAX_TEXT} bytes of arguments in one call");
        let start = self.text.len();
        self.text.push_str(text);
        Ok(start..self.text.len())
    }
}

/// The calls of one rank's file, one at a time; only the current one is in memory.
pub(crate) struct Blocks<R> {
    lines: Lines<R>,
    block: Block,
    begun: bool,
    finalized: bool,
}

impl<R: BufRead> Blocks<R> {
    /// The calls in `input`, which error messages call `name`.
    pub fn new(input: R, name: &str) -> Self {
        let lines = Lines::new(input, name, "the text of dumpi2ascii");
        Blocks { lines, block: Block::default(), begun: false, finalized: false }
    }

    /// Fetches the next call; false at the end. Sizes of datatypes, printed behind the calls, go to `sizes`.
    pub fn advance(&mut self, sizes: &mut dyn FnMut(i32, u64) -> Result<()>) -> Result<bool> {
        loop {
            if !self.lines.advance()? {
                ensure!(
                    self.lines.number() > 0,
                    "{}: the file is empty, expected the trace of a rank",
                    self.lines.name()
                );
                ensure!(
                    self.finalized,
                    "{}: the trace is cut short: it ends at line {} without MPI_Finalize",
                    self.lines.name(),
                    self.lines.number()
                );
                return Ok(false);
            }
            let text = String::from_utf8_lossy(self.lines.text());
            let line = self.lines.number();
            if let Some((call, stamp)) = stamp::parse(&text, "entering") {
                let begun = stamp.and_then(|(thread, stamp)| {
                    ensure!(
                        thread == 0,
                        "{call}: field `thread` is `{thread}`, expected 0: calls of several threads can't be replayed"
                    );
                    Ok(stamp)
                });
                let begun = begun.map_err(|error| self.at(line, &error))?;
                self.block.begin(call, line, begun);
                self.begun = true;
                self.arguments()?;
                self.lines.says(true)?;
                self.finalized |= self.block.call == "MPI_Finalize";
                return Ok(true);
            }
            if self.finalized {
                if let Some(size) = datatype_size(&text) {
                    size.and_then(|(number, size)| sizes(number, size)).map_err(|error| self.at(line, &error))?;
                }
                self.lines.says(false)?;
                continue;
            }
            let counters = text.starts_with("Perfcounters: [");
            let header = !self.begun && text.contains('=');
            ensure!(
                text.is_empty() || counters || header,
                "{}: found {}, expected `MPI_... entering at walltime ...`",
                self.lines.place(),
                shown(&text)
            );
            self.lines.says(false)?;
        }
    }

    fn arguments(&mut self) -> Result<()> {
        loop {
            ensure!(
                self.lines.advance()?,
                "{}: the trace is cut short: it ends at line {} in {} of line {}",
                self.lines.name(),
                self.lines.number(),
                self.block.call,
                self.block.line
            );
            let text = String::from_utf8_lossy(self.lines.text());
            let line = self.lines.number();
            if let Some((call, stamp)) = stamp::parse(&text, "returning") {
                ensure!(
                    call == self.block.call,
                    "{}: found the return of {}, expected that of {}, which line {} enters",
                    self.lines.place(),
                    shown(call),
                    self.block.call,
                    self.block.line
                );
                self.block.returning = stamp.map_err(|error| self.at(line, &error))?.1;
                return Ok(());
            }
            if let Some((call, _)) = stamp::parse(&text, "entering") {
                bail!(
                    "{}: {} is entered, expected the return of {}, which line {} enters",
                    self.lines.place(),
                    shown(call),
                    self.block.call,
                    self.block.line
                );
            }
            // A table's last bracket has no line end behind it.
            let argument = text.strip_prefix(']').filter(|rest| !rest.is_empty()).unwrap_or(&text);
            let block = &mut self.block;
            let taken = block.take(argument, line).and_then(|taken| Ok(taken || block.go_on(&text)?));
            let taken = taken.map_err(|error| anyhow!("{}, line {line}: {error}", self.lines.name()))?;
            ensure!(
                taken || text.is_empty() || text.starts_with("Perfcounters: ["),
                "{}: {}: found {}, expected an argument such as `int count=1` or `{} returning at walltime ...`",
                self.lines.place(),
                self.block.call,
                shown(&text),
                self.block.call
            );
            self.lines.says(false)?;
        }
    }

    /// The call fetched last.
    pub fn block(&self) -> &Block {
        &self.block
    }

    /// Whether [`Blocks::advance`] has passed `MPI_Finalize`.
    pub fn finalized(&self) -> bool {
        self.finalized
    }

    /// What error messages call the file.
    pub fn name(&self) -> &str {
        self.lines.name()
    }

    /// Number of the line read last, counted from 1.
    pub fn line(&self) -> u64 {
        self.lines.number()
    }

    /// File and line of the call fetched last, to put in front of an error message.
    pub fn place(&self) -> String {
        format!("{}, line {}", self.name(), self.block.line)
    }

    fn at(&self, line: u64, error: &Error) -> Error {
        anyhow!("{}, line {line}: {error}", self.name())
    }
}

/// Number and size in `Datatype 9 (MPI_INT) has size 4`; `None` when it is no such line.
fn datatype_size(text: &str) -> Option<Result<(i32, u64)>> {
    let (number, rest) = text.strip_prefix("Datatype ")?.split_once(' ')?;
    let (_, size) = rest.rsplit_once(" has size ")?;
    let parsed = || -> Option<(i32, u64)> { Some((number.parse().ok()?, size.parse().ok()?)) };
    let wrong = || anyhow!("found {}, expected such as `Datatype 9 (MPI_INT) has size 4`", shown(text));
    Some(parsed().ok_or_else(wrong))
}
