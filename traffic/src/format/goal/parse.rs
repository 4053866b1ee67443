//! The statements of GOAL text, line by line.

use super::lexer::{Lexer, Token};
use crate::format::fields::{MAX_GAP_NS, MAX_RANKS, shown};
use anyhow::{Result, anyhow, bail, ensure};

/// Largest payload of a message, bytes: more than any program has memory for, and far from what clocks can't count.
pub(super) const MAX_BYTES: u64 = 1 << 40;
/// Longest label, bytes.
pub(super) const MAX_LABEL: usize = 255;
/// Largest tag; one more is how the binary form of GOAL writes "any".
pub(super) const MAX_TAG: u32 = u32::MAX - 1;
/// What stands for any source and any tag.
pub(super) const ANY: &str = "-1";

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Calculate {
        nanoseconds: u64,
    },
    Send {
        to: u32,
        bytes: u64,
        tag: u32,
    },
    /// `None` is any. The bytes count for nothing: a message is as long as its sender says.
    Receive {
        from: Option<u32>,
        bytes: u64,
        tag: Option<u32>,
    },
}

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub action: Action,
    pub cpu: u8,
}

/// What a dependency waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// `requires`
    Finished,
    /// `irequires`
    Started,
}

/// What a trace says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement<'a> {
    Ranks(u32),
    /// A block begins.
    Rank(u32),
    Operation {
        label: Option<&'a str>,
        operation: Operation,
    },
    Dependency {
        dependent: &'a str,
        until: Until,
        required: &'a str,
    },
    /// The block ends.
    End,
}

/// Where in the text a line is.
#[derive(Clone, Copy, Debug)]
enum Section {
    /// Before `num_ranks`.
    Beginning,
    Between,
    /// Behind `rank` and its number, in this line.
    Named(u32, u64),
    /// In the block of a rank that begins in this line.
    Inside(u32, u64),
}

/// Reads lines.
pub(super) struct Parser {
    place: Section,
    ranks: u32,
    /// Blocks that have ended.
    blocks: u32,
    /// The line in which the comment begins that the next line is in.
    comment: Option<u64>,
    /// The highest `nic` so far.
    last_nic: u8,
}

impl Parser {
    pub fn new() -> Parser {
        Parser { place: Section::Beginning, ranks: 0, blocks: 0, comment: None, last_nic: 0 }
    }

    /// The highest interface that an operation names.
    pub fn last_nic(&self) -> u8 {
        self.last_nic
    }

    /// Reads line `number` and hands on what it says.
    pub fn line<'a>(
        &mut self,
        line: &'a str,
        number: u64,
        mut take: impl FnMut(Statement<'a>) -> Result<()>,
    ) -> Result<()> {
        let mut words = Words(Lexer::new(line, self.comment.is_some()));
        while let Some(token) = words.0.next() {
            let statement = match self.place {
                Section::Beginning => {
                    ensure!(token.text() == "num_ranks", "found {}, expected `num_ranks`", name(token));
                    self.ranks = words.number("num_ranks", 1, MAX_RANKS)?;
                    self.place = Section::Between;
                    Statement::Ranks(self.ranks)
                }
                Section::Between => {
                    let end = self.blocks == self.ranks;
                    ensure!(!end, "found {} behind the block of the last rank, expected nothing", name(token));
                    ensure!(token.text() == "rank", "found {} outside of a block, expected `rank`", name(token));
                    let rank = words.number("rank", 0, self.ranks - 1)?;
                    self.place = Section::Named(rank, number);
                    Statement::Rank(rank)
                }
                Section::Named(rank, _) => {
                    ensure!(token == Token::Open, "found {} behind rank {rank}, expected `{{`", name(token));
                    self.place = Section::Inside(rank, number);
                    continue;
                }
                Section::Inside(..) if token == Token::Close => {
                    self.place = Section::Between;
                    self.blocks += 1;
                    Statement::End
                }
                Section::Inside(rank, begin) => {
                    let statement = self.inside(rank, begin, token, &mut words)?;
                    words.end()?;
                    statement
                }
            };
            take(statement)?;
        }
        self.comment = words.0.in_comment().then(|| self.comment.unwrap_or(number));
        Ok(())
    }

    /// Checks that the text may end here.
    pub fn end(&self) -> Result<()> {
        if let Some(line) = self.comment {
            bail!("the trace ends inside the comment that begins in line {line}, expected `*/`");
        }
        match self.place {
            Section::Beginning => bail!("the trace is empty, expected `num_ranks`"),
            Section::Named(rank, line) => {
                bail!("the trace ends behind rank {rank} in line {line}, expected `{{`")
            }
            Section::Inside(rank, line) => {
                bail!("the trace ends inside the block of rank {rank} that begins in line {line}, expected `}}`")
            }
            Section::Between => Ok(()),
        }
    }

    /// A statement in a block.
    fn inside<'a>(&mut self, rank: u32, begin: u64, first: Token<'a>, words: &mut Words<'a>) -> Result<Statement<'a>> {
        let first = match first {
            Token::Word(word) => word,
            other => bail!("found {}, expected a label, `calc`, `send`, `recv` or `}}`", name(other)),
        };
        match first {
            "calc" | "send" | "recv" => {
                let operation = self.operation(first, words)?;
                return Ok(Statement::Operation { label: None, operation });
            }
            "rank" | "num_ranks" => {
                bail!(
                    "found `{first}` in the block of rank {rank} that begins in line {begin}, expected `}}` before it"
                )
            }
            _ => {}
        }
        let label = label("label", first)?;
        let until = match words.0.next() {
            Some(Token::Colon) => {
                let word = words.next("operation")?;
                let operation = self.operation(word, words)?;
                return Ok(Statement::Operation { label: Some(label), operation });
            }
            Some(Token::Word("requires")) => Until::Finished,
            Some(Token::Word("irequires")) => Until::Started,
            Some(other) => {
                bail!("found {} behind label {}, expected `:`, `requires` or `irequires`", name(other), shown(first))
            }
            None => bail!("nothing behind label {}, expected `:`, `requires` or `irequires`", shown(first)),
        };
        let field = if until == Until::Finished { "requires" } else { "irequires" };
        let required = self::label(field, words.next(field)?)?;
        ensure!(required != label, "field `{field}` is `{label}`, the operation itself, expected another one");
        Ok(Statement::Dependency { dependent: label, until, required })
    }

    fn operation(&mut self, word: &str, words: &mut Words) -> Result<Operation> {
        match word {
            "calc" => {
                let nanoseconds = words.number("calc", 0, MAX_GAP_NS)?;
                let action = Action::Calculate { nanoseconds };
                Ok(Operation { action, cpu: words.options(&["cpu"])?.cpu })
            }
            "send" => {
                let bytes = words.bytes()?;
                words.literal("to")?;
                let to = words.number("to", 0, self.ranks - 1)?;
                let options = words.options(&["tag", "cpu", "nic"])?;
                self.last_nic = self.last_nic.max(options.nic);
                let tag = match options.tag {
                    Some(text) => number("tag", text, 0, MAX_TAG)?,
                    None => 0,
                };
                Ok(Operation { action: Action::Send { to, bytes, tag }, cpu: options.cpu })
            }
            "recv" => {
                let bytes = words.bytes()?;
                words.literal("from")?;
                let from = match words.next("from")? {
                    ANY => None,
                    text => Some(number_or_any("from", text, self.ranks - 1)?),
                };
                let options = words.options(&["tag", "cpu", "nic"])?;
                self.last_nic = self.last_nic.max(options.nic);
                let tag = match options.tag {
                    Some(ANY) => None,
                    Some(text) => Some(number_or_any("tag", text, MAX_TAG)?),
                    None => Some(0),
                };
                Ok(Operation { action: Action::Receive { from, bytes, tag }, cpu: options.cpu })
            }
            _ => bail!("field `operation` is {}, expected `calc`, `send` or `recv`", shown(word)),
        }
    }
}

/// What may stand behind an operation.
struct Options<'a> {
    tag: Option<&'a str>,
    cpu: u8,
    nic: u8,
}

/// The words of a statement.
struct Words<'a>(Lexer<'a>);

impl<'a> Words<'a> {
    fn next(&mut self, field: &str) -> Result<&'a str> {
        match self.0.next() {
            Some(Token::Word(word)) => Ok(word),
            Some(other) => bail!("field `{field}` is missing: found {} in its place", name(other)),
            None => bail!("field `{field}` is missing: the line ends before it"),
        }
    }

    fn literal(&mut self, expected: &str) -> Result<()> {
        let word = self.next(expected)?;
        ensure!(word == expected, "found {}, expected `{expected}`", shown(word));
        Ok(())
    }

    fn number<T: Number>(&mut self, field: &str, low: T, high: T) -> Result<T> {
        number(field, self.next(field)?, low, high)
    }

    /// A number of bytes with its `b`.
    fn bytes(&mut self) -> Result<u64> {
        let word = self.next("bytes")?;
        let text = match word.strip_suffix('b') {
            Some(text) => text,
            None => {
                let unit = digits(word) && self.0.next() == Some(Token::Word("b"));
                ensure!(unit, "field `bytes` is {}, expected a number and `b`", shown(word));
                word
            }
        };
        number("bytes", text, 0, MAX_BYTES)
    }

    /// The fields up to the end of the statement, each at most once.
    fn options(&mut self, allowed: &[&str]) -> Result<Options<'a>> {
        let mut options = Options { tag: None, cpu: 0, nic: 0 };
        let mut seen = Vec::new();
        loop {
            let before = self.0.clone();
            let field = match self.0.next() {
                Some(Token::Word(word)) => word,
                // Whoever has called says what may follow.
                Some(_) => {
                    self.0 = before;
                    return Ok(options);
                }
                None => return Ok(options),
            };
            ensure!(allowed.contains(&field), "found {}, expected {}", shown(field), one_of(allowed));
            ensure!(!seen.contains(&field), "field `{field}` stands there twice, expected it once");
            match field {
                "tag" => options.tag = Some(self.next(field)?),
                "cpu" => options.cpu = self.number(field, 0, u8::MAX)?,
                _ => options.nic = self.number(field, 0, u8::MAX)?,
            }
            seen.push(field);
        }
    }

    /// Checks that the statement ends here: with the line, or before the bracket that ends the block.
    fn end(&mut self) -> Result<()> {
        let before = self.0.clone();
        match self.0.next() {
            None => Ok(()),
            Some(Token::Close) => {
                self.0 = before;
                Ok(())
            }
            Some(other) => bail!("found {} after the last field", name(other)),
        }
    }
}

/// What numbers are read as.
trait Number: std::str::FromStr + PartialOrd + std::fmt::Display {}
impl Number for u8 {}
impl Number for u32 {}
impl Number for u64 {}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn number<T: Number>(field: &str, text: &str, low: T, high: T) -> Result<T> {
    match text.parse::<T>() {
        Ok(value) if digits(text) && value >= low && value <= high => Ok(value),
        _ => bail!("field `{field}` is {}, expected an integer from {low} to {high}", shown(text)),
    }
}

/// A number that is not "any", where that could have stood.
fn number_or_any(field: &str, text: &str, high: u32) -> Result<u32> {
    number(field, text, 0, high).map_err(|error| anyhow!("{error}, or {ANY} for any"))
}

fn label<'a>(field: &str, text: &'a str) -> Result<&'a str> {
    let letters = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    ensure!(letters, "field `{field}` is {}, expected a letter, then letters, digits and `_`", shown(text));
    ensure!(
        text.len() <= MAX_LABEL,
        "field `{field}` is {}, {} bytes long, expected at most {MAX_LABEL}",
        shown(text),
        text.len()
    );
    Ok(text)
}

/// A choice of words.
fn one_of(words: &[&str]) -> String {
    match words {
        [] => "nothing".into(),
        [word] => format!("`{word}`"),
        [words @ .., last] => format!("`{}` or `{last}`", words.join("`, `")),
    }
}

fn name(token: Token) -> String {
    shown(token.text())
}
