//! Edge lists: a cable or a node a line.
//!
//! ```text
//! # Four switches in a ring.
//! a b        # a cable between switches a and b
//! b c 4      # four cables
//! c d
//! d a
//! node n0 a  # a node n0 at switch a
//! node n1 c 2  # one with two links to switch c
//! ```
//!
//! Instead of lines `node`, `nodes 2` is two nodes at every switch; with neither there is one at every switch. Names are any words but `node` and
//! `nodes` in the first place of a line. Switches and nodes are numbered in the order in which they are met.
//!
//! What others write is read, too: [words](words) between blanks, commas or semicolons, in quotes or not; a line of names of columns in front, in any order; a Python
//! dictionary behind the two switches, as networkx puts it there, of which `cables` counts.

mod others;
mod words;

use super::Format;
use super::directions::{Directions, directions};
use crate::topology::graph::draft::{Draft, check_parallel};
use anyhow::{Context, Result, bail, ensure};
use words::{Line, Word};

pub(super) static FORMAT: Format = Format {
    name: "edge list",
    doc: "lines `A B` or `A B 4`: one cable or four between switches A and B; `node N S`, `nodes C`, `# comment`",
    is_this: |_| true,
    read,
};

/// What columns with the two ends of an edge are called in the first line of a CSV file.
const ENDS: [[&str; 2]; 3] = [["source", "target"], ["from", "to"], ["src", "dst"]];
/// The column, or the key of a dictionary, that says how many cables there are in parallel.
const CABLES: &str = "cables";

fn read(text: &str, draft: &mut Draft) -> Result<()> {
    let mut reader = Reader::default();
    for (number, line) in text.lines().enumerate() {
        if line.trim() == "#" && reader.before_mark.is_none() {
            reader.before_mark = Some(draft.ends().len());
        }
        let read = words::split(line).and_then(|line| reader.line(&line, draft));
        read.with_context(|| format!("line {}", number + 1))?;
    }
    reader.remark(draft);
    Ok(())
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    /// Behind the line with columns' names.
    columns: Option<Columns>,
    /// Lines with a cable.
    lines: usize,
    /// Those in which a third word is a number.
    counted: usize,
    /// The first of them, if it is two numbers.
    first: Option<(usize, usize)>,
    /// Cables in front of the first line that is a `#` alone.
    before_mark: Option<usize>,
}

impl Reader {
    fn line(&mut self, line: &Line, draft: &mut Draft) -> Result<()> {
        let words = &line.words;
        if let Some(Columns { ends, cables }) = self.columns {
            let (Some(one), Some(other)) = (words.get(ends.0), words.get(ends.1)) else {
                return if words.is_empty() { Ok(()) } else { Err(wrong(words)) };
            };
            let count = cables.and_then(|place| words.get(place)).filter(|word| !word.text.is_empty());
            let count = count.map_or(Ok(1), |word| whole(word.text)).context(CABLES)?;
            return self.connect(draft, one, other, count);
        }
        if self.lines == 0
            && let Some(columns) = Columns::named_in(words)
        {
            if !line.is_csv {
                draft.remark(format!("cables: the first line, `{}`, is taken for names of columns", shown(words)));
            }
            self.columns = Some(columns);
            return Ok(());
        }
        let keyword = words.first().filter(|word| !word.quoted).map(|word| word.text);
        match (keyword, words.as_slice()) {
            (_, []) => Ok(()),
            (Some("nodes"), [_, count]) => draft.nodes_at_every_switch(whole(count.text)?),
            (Some("node"), [_, node, switch]) => attach(draft, node, switch, 1),
            (Some("node"), [_, node, switch, links]) => {
                attach(draft, node, switch, u8::try_from(whole(links.text)?).unwrap_or(u8::MAX))
            }
            (Some("node" | "nodes"), _) => {
                bail!("`{}` is none of `node NODE SWITCH`, `node NODE SWITCH LINKS`, `nodes NUMBER`", shown(words))
            }
            (_, [one, other]) => self.pair(draft, one, other),
            (_, [one, other, data]) if is_data(data) => {
                let count = words::entry(data.text, CABLES).map_or(Ok(1), whole).context(CABLES)?;
                self.connect(draft, one, other, count)
            }
            (_, [one, other, count]) => {
                let is_number =
                    count.text.starts_with(|letter: char| letter.is_ascii_digit() || "+-.".contains(letter));
                let hint = if is_number {
                    "weights are not read (networkx: data=False)"
                } else {
                    "a name with blanks in it must be in quotes"
                };
                let behind = format!("; a third word is how many cables there are in parallel, {hint}");
                let count = whole(count.text).and_then(|count| check_parallel(count).map(|()| count));
                let count = count.map_err(|error| anyhow::anyhow!("{error}{behind}"))?;
                self.counted += 1;
                self.connect(draft, one, other, count)
            }
            _ => Err(wrong(words)),
        }
    }

    /// A line of two words.
    fn pair(&mut self, draft: &mut Draft, one: &Word, other: &Word) -> Result<()> {
        ensure!(
            !is_data(other),
            "`{}` is what networkx writes of a cable, expected a switch; adjacency lists (write_adjlist, \
             write_multiline_adjlist) are not read, what write_edgelist writes is",
            shown(std::slice::from_ref(other))
        );
        if self.lines == 0 {
            self.first = whole(one.text).ok().zip(whole(other.text).ok());
        }
        self.connect(draft, one, other, 1)
    }

    fn connect(&mut self, draft: &mut Draft, one: &Word, other: &Word, count: usize) -> Result<()> {
        self.lines += 1;
        let (one, other) = (draft.switch(name(one)?)?, draft.switch(name(other)?)?);
        draft.cables(one, other, count)
    }

    /// Says what others mean by what has been read.
    fn remark(&self, draft: &mut Draft) {
        let cables = draft.ends().len();
        let counts = others::counts_in_front(self.first, self.lines, draft.ends());
        let all = self.counted == self.lines || self.counted + 1 == self.lines && counts.is_some();
        if all && self.counted > 0 && cables > self.lines {
            draft.remark(format!(
                "cables: a third number in every line is taken for how many there are in parallel, {cables} in {} lines; if it is a weight, leave it out \
                 (networkx: data=False)",
                self.lines
            ));
        }
        let others = [counts, self.before_mark.and_then(|before| others::names_in_front(before, draft.ends()))];
        others.into_iter().flatten().for_each(|line| draft.remark(line));
        let ends = draft.ends().iter().map(|&(one, other)| (one as usize, other as usize, 1));
        if directions(ends) == Directions::BothWays {
            draft.remark(format!(
                "cables: each line A B has its B A, and both are taken for cables, {cables} in all; if they are one, leave one of the lines out"
            ));
        }
    }
}

/// Places of columns.
#[derive(Clone, Copy)]
struct Columns {
    /// Of the two ends.
    ends: (usize, usize),
    /// Of how many cables there are in parallel, if there is such a column.
    cables: Option<usize>,
}

impl Columns {
    /// Of a line with their names, in any order.
    fn named_in(words: &[Word]) -> Option<Columns> {
        let place = |name: &str| words.iter().position(|word| word.text.eq_ignore_ascii_case(name));
        let ends = ENDS.iter().find_map(|[one, other]| place(one).zip(place(other)))?;
        Some(Columns { ends, cables: place(CABLES) })
    }
}

/// A Python dictionary, as networkx writes the data of an edge.
fn is_data(word: &Word) -> bool {
    !word.quoted && word.text.starts_with('{') && word.text.ends_with('}')
}

fn attach(draft: &mut Draft, node: &Word, switch: &Word, links: u8) -> Result<()> {
    let switch = draft.switch(name(switch)?)?;
    draft.node(name(node)?, switch, links)?;
    Ok(())
}

/// The name that a word is. `nodes=2` would be a switch that nobody has, and the nodes that somebody means would be
/// missing without a word.
fn name<'a>(word: &Word<'a>) -> Result<&'a str> {
    let is_key = |key: &str| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    let is_attribute = !word.quoted && word.text.split_once('=').is_some_and(|(key, _)| is_key(key));
    ensure!(
        !is_attribute,
        "`{}` is an attribute, which edge lists do not have, expected a name (in quotes if there is a = in it); nodes \
         are said by lines `nodes NUMBER` or `node NODE SWITCH`, cables in parallel by a third word",
        shown(&[Word { text: word.text, quoted: false }])
    );
    Ok(word.text)
}

fn wrong(words: &[Word]) -> anyhow::Error {
    anyhow::anyhow!(
        "`{}` is none of `SWITCH SWITCH`, `SWITCH SWITCH CABLES`, `node NODE SWITCH`, `nodes NUMBER`; formats that are read: {}",
        shown(words),
        super::names()
    )
}

fn whole(word: &str) -> Result<usize> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| word.parse().ok()).flatten();
    number.with_context(|| format!("`{}` is no whole number", shown(&[Word { text: word, quoted: false }])))
}

/// Words in an error: not more than there is room for.
fn shown(words: &[Word]) -> String {
    let text = words.iter().take(5).map(|word| word.text).collect::<Vec<_>>().join(" ");
    let short: String = text.chars().take(60).collect();
    let more = if short.len() < text.len() || words.len() > 5 { ".." } else { "" };
    format!("{}{more}", short.escape_debug())
}
