//! The words of a line, whoever wrote it.

use anyhow::{Result, bail};

/// A word of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    pub text: &'a str,
    /// It is a name, whatever it says.
    pub quoted: bool,
}

/// A line in words.
pub(super) struct Line<'a> {
    pub words: Vec<Word<'a>>,
    /// Commas or semicolons are between the words, as in CSV.
    pub is_csv: bool,
}

/// Splits a line at blanks, or at commas or semicolons if it has some: then a word may be empty. What is in quotes or in brackets is not split: networkx writes a switch of a grid as
/// `(0, 1)`, and a cable's data as `{'weight': 10}`. From `#` on a line is a comment, and so is one that begins with `%`.
///
/// # Errors
/// Commas and blanks between words.
pub(super) fn split(line: &str) -> Result<Line<'_>> {
    if line.trim_start().starts_with('%') {
        return Ok(Line { words: vec![], is_csv: false });
    }
    let (mut words, mut gaps) = (vec![], vec![]);
    let mut rest = line;
    loop {
        let begin = rest.find(|letter: char| !is_between(letter)).unwrap_or(rest.len());
        let (gap, behind) = rest.split_at(begin);
        gaps.push(gap);
        if behind.is_empty() || behind.starts_with('#') {
            break;
        }
        let (word, behind) = first_word(behind);
        words.push(word);
        rest = behind;
    }
    let marks = |gap: &str| gap.matches([',', ';']).count();
    let is_csv = gaps.iter().any(|gap| marks(gap) > 0);
    Ok(Line { words: if is_csv { fields(words, &gaps, marks)? } else { words }, is_csv })
}

/// The words between commas, of words and the gaps around them; the last gap is behind the last word.
fn fields<'a>(words: Vec<Word<'a>>, gaps: &[&str], marks: impl Fn(&str) -> usize) -> Result<Vec<Word<'a>>> {
    let (mut fields, mut before) = (vec![], None);
    for (word, gap) in words.into_iter().zip(gaps) {
        if let Some(before) = before.filter(|_| marks(gap) == 0) {
            bail!("{before:?} {:?}: a name with blanks or commas in it must be in quotes", word.text);
        }
        // A comma in front of the first word has an empty one in front of it.
        let empty = marks(gap).saturating_sub(usize::from(before.is_some()));
        fields.extend((0..empty).map(|_| Word { text: "", quoted: false }));
        before = Some(word.text);
        fields.push(word);
    }
    Ok(fields)
}

fn is_between(letter: char) -> bool {
    letter.is_whitespace() || letter == ',' || letter == ';'
}

/// The word at the beginning of a text, and what is behind it. A quote or a bracket that is not closed is a letter like others.
fn first_word(text: &str) -> (Word<'_>, &str) {
    if let Some(quote) = text.chars().next().filter(|&letter| letter == '"' || letter == '\'') {
        let within = &text[1..];
        let ends = |&(at, _): &(usize, &str)| {
            let behind = &within[at + 1..];
            behind.is_empty() || behind.starts_with(|letter| is_between(letter) || letter == '#')
        };
        if let Some((at, _)) = within.match_indices(quote).find(ends) {
            return (Word { text: &within[..at], quoted: true }, &within[at + 1..]);
        }
    }
    let is_end = |letter| is_between(letter) || letter == '#';
    let end = end_of(text, true, is_end).or_else(|| end_of(text, false, is_end)).unwrap_or(text.len());
    (Word { text: &text[..end], quoted: false }, &text[end..])
}

/// Where what begins without a quote ends; `None` if a bracket in it is not closed.
fn end_of(text: &str, with_brackets: bool, is_end: impl Fn(char) -> bool) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) if depth > 0 => quote = Some(letter),
            ('(' | '[' | '{', None) if with_brackets => depth += 1,
            (')' | ']' | '}', None) if depth > 0 => depth -= 1,
            (_, None) if depth == 0 && is_end(letter) => return Some(at),
            _ => {}
        }
    }
    (depth == 0).then_some(text.len())
}

/// What a Python dictionary whose keys are text, as networkx writes it, says of a key.
pub(super) fn entry<'a>(dictionary: &'a str, key: &str) -> Option<&'a str> {
    let mut rest = dictionary.strip_prefix('{')?.strip_suffix('}')?;
    loop {
        let (name, behind) = quoted(rest.trim_start_matches([' ', ',']))?;
        let behind = behind.trim_start().strip_prefix(':')?.trim_start();
        let (value, behind) = match quoted(behind) {
            Some(text) => text,
            None => behind.split_at(end_of(behind, true, |letter| letter == ',')?),
        };
        if name == key {
            return Some(value.trim());
        }
        rest = behind;
    }
}

/// Text in quotes at the beginning, and what is behind it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|&letter| letter == '"' || letter == '\'')?;
    text[1..].split_once(quote)
}
