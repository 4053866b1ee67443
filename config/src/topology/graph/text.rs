//! Nodes and cables as a configuration has them: short, and a person can read them.
//!
//! * Nodes, in their order: `SWITCH`, or `FIRST..LAST` for one at each of several, with `*C` for C nodes there, and `:L` for nodes with L links. So `0..39*2`
//!   are two nodes at each of 40 switches.
//! * Cables, in their order: `SWITCH: OTHER OTHER ..` for a cable to each of the others, `OTHER*C` for C of them. A line is as good as several.

use super::Draft;
use anyhow::{Context, Result, ensure};
use std::fmt::Write;

/// Columns after which a line ends.
const WIDTH: usize = 110;

/// A number as in a configuration.
fn number(text: &str, word: &str) -> Result<usize> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| text.parse().ok()).flatten();
    number.with_context(|| format!("`{}`: expected a whole number for `{}`", shown(word), shown(text)))
}

/// As much of a word as an error has room for.
fn shown(word: &str) -> String {
    let short: String = word.chars().take(40).collect();
    short.escape_debug().to_string()
}

/// What is before a mark, and the number behind it; 1 without one.
fn with_count<'a>(text: &'a str, mark: char, word: &str) -> Result<(&'a str, usize)> {
    match text.split_once(mark) {
        Some((rest, count)) => Ok((rest, number(count, word)?)),
        None => Ok((text, 1)),
    }
}

pub(super) fn read_nodes(text: &str, draft: &mut Draft) -> Result<()> {
    for word in text.split_whitespace() {
        let (rest, links) = with_count(word, ':', word)?;
        let (rest, count) = with_count(rest, '*', word)?;
        let (first, last) = rest.split_once("..").unwrap_or((rest, rest));
        let (first, last) = (number(first, word)?, number(last, word)?);
        ensure!(first <= last, "`{}`: {first} is above {last}", shown(word));
        let links =
            u8::try_from(links).ok().with_context(|| format!("`{}`: {links} links are too many", shown(word)))?;
        draft.switch_number(last)?;
        ensure!(count > 0, "`{}`: 0 is out of range 1..", shown(word));
        for switch in first..=last {
            draft.nodes_at(switch as u32, count, links)?;
        }
    }
    Ok(())
}

pub(super) fn read_cables(text: &str, draft: &mut Draft) -> Result<()> {
    let mut from = None;
    for word in text.split_whitespace() {
        if let Some(switch) = word.strip_suffix(':') {
            from = Some(draft.switch_number(number(switch, word)?)?);
            continue;
        }
        let (other, count) = with_count(word, '*', word)?;
        let other = draft.switch_number(number(other, word)?)?;
        let from = from.with_context(|| format!("`{}`: expected `SWITCH:` before it", shown(word)))?;
        draft.cables(from, other, count)?;
    }
    Ok(())
}

/// How many items from the beginning on are equal.
fn run<T: PartialEq>(items: &[T]) -> usize {
    items.iter().take_while(|item| **item == items[0]).count()
}

/// Words in lines.
fn lines(words: impl Iterator<Item = String>) -> String {
    let (mut text, mut column) = (String::new(), 0);
    for word in words {
        let is_start = word.ends_with(':');
        if column > 0 {
            let new_line = is_start || column + 1 + word.len() > WIDTH;
            text.push(if new_line { '\n' } else { ' ' });
            column = if new_line { 0 } else { column + 1 };
        }
        text += &word;
        column += word.len();
    }
    text
}

/// The nodes as text.
pub(super) fn nodes(nodes: &[(u32, u8)]) -> String {
    let mut words = vec![];
    let mut left = nodes;
    while let Some(&(first, links)) = left.first() {
        let count = run(left);
        let mut switches = 0;
        // As many switches in a row as have as many such nodes.
        while left.len() >= count {
            let (one, rest) = left.split_at(count);
            let is_next = one[0] == (first + switches, links) && run(left) == count;
            if !is_next {
                break;
            }
            (switches, left) = (switches + 1, rest);
        }
        let mut word = first.to_string();
        // Writing into a string can't fail.
        if switches > 1 {
            let _ = write!(word, "..{}", first + switches - 1);
        }
        if count > 1 {
            let _ = write!(word, "*{count}");
        }
        if links > 1 {
            let _ = write!(word, ":{links}");
        }
        words.push(word);
    }
    lines(words.into_iter())
}

/// The cables as text.
pub(super) fn cables(cables: &[(u32, u32)]) -> String {
    let mut words = vec![];
    let (mut left, mut from) = (cables, None);
    while let Some(&(one, other)) = left.first() {
        if from.replace(one) != Some(one) {
            words.push(format!("{one}:"));
        }
        let count = run(left);
        words.push(if count > 1 { format!("{other}*{count}") } else { other.to_string() });
        left = &left[count..];
    }
    lines(words.into_iter())
}
