//! Text as wide as the terminal: tables that fold, lists that wrap; times.

use powar_evaluation::experiment::Readable;
use std::io::{IsTerminal, stdout};

/// Between columns.
const GAP: usize = 2;

/// Columns of the terminal that is written to; none of a file or a pipe.
pub fn width() -> Option<usize> {
    if !stdout().is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(stdout()).ok().map(|size| usize::from(size.ws_col));
    let named = || std::env::var("COLUMNS").ok()?.parse().ok();
    Some(size.filter(|width| *width > 0).or_else(named).unwrap_or(80))
}

/// A time in ms, or in us where that is too short to be read.
pub fn time(ns: f64) -> String {
    if ns < 1e5 { format!("{:.3} us", ns / 1e3) } else { format!("{:.3} ms", ns / 1e6) }
}

/// A text behind a head; what has no room goes on below itself. Without a width it is one line.
pub fn wrapped(head: &str, text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return format!("{head}{text}\n") };
    let indent = head.chars().count();
    let mut lines = String::from(head);
    let mut at = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if at > indent && at + 1 + length > width {
            lines += &format!("\n{:indent$}", "");
            at = indent;
        }
        if at > indent {
            lines.push(' ');
            at += 1;
        }
        lines += word;
        at += length;
    }
    lines.trim_end().to_owned() + "\n"
}

/// A table that is no wider than `width`: heads go on below themselves, and columns for which there is no room stand below the others, behind those
/// that say what a row is of.
pub fn folded(table: &Readable, width: usize) -> String {
    let columns: Vec<Column> = (0..table.head.len()).map(|place| Column::new(table, place)).collect();
    let (keys, rest) = columns.split_at(table.keys.min(columns.len()));
    let widths = |columns: &[Column]| columns.iter().map(|column| column.width + GAP).sum::<usize>();
    let mut blocks: Vec<Vec<&Column>> = vec![];
    let mut used = usize::MAX;
    for column in rest {
        if used.saturating_add(column.width + GAP) > width + GAP {
            blocks.push(keys.iter().collect());
            used = widths(keys);
        }
        blocks.last_mut().expect("one was begun").push(column);
        used += column.width + GAP;
    }
    if rest.is_empty() {
        blocks.push(keys.iter().collect());
    }
    blocks.iter().map(|block| lines(block)).collect::<Vec<_>>().join("\n")
}

/// A column and how wide it is.
struct Column<'a> {
    head: Vec<String>,
    cells: Vec<&'a str>,
    width: usize,
    is_number: bool,
}

impl<'a> Column<'a> {
    fn new(table: &'a Readable, place: usize) -> Column<'a> {
        let cells: Vec<&str> = table.rows.iter().map(|row| row[place].as_str()).collect();
        let widest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        let head = head(&table.head[place], widest);
        let width = head.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(widest);
        Column { head, cells, width, is_number: table.is_number[place] }
    }

    fn text(&self, cell: &str) -> String {
        let width = self.width;
        if self.is_number { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
    }
}

/// A name in lines, cut behind its points, underscores, hyphens and spaces.
fn head(name: &str, width: usize) -> Vec<String> {
    let parts: Vec<&str> = name.split_inclusive(['.', '_', '-', ' ', '/']).collect();
    let width = parts.iter().map(|part| part.trim_end().chars().count()).max().unwrap_or(0).max(width);
    let mut lines: Vec<String> = vec![];
    for part in parts {
        match lines.last_mut() {
            Some(line) if (line.clone() + part).trim_end().chars().count() <= width => *line += part,
            _ => lines.push(part.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

fn lines(columns: &[&Column]) -> String {
    let heads = columns.iter().map(|column| column.head.len()).max().unwrap_or(0);
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let head = |column: &Column, line: usize| {
        // The last lines of all heads stand beside each other.
        let place = (line + column.head.len()).checked_sub(heads);
        place.map_or("", |place| column.head[place].as_str()).to_owned()
    };
    let heads =
        (0..heads).map(|line| columns.iter().map(|column| column.text(&head(column, line))).collect::<Vec<_>>());
    let rows = (0..rows).map(|row| columns.iter().map(|column| column.text(column.cells[row])).collect::<Vec<_>>());
    heads.chain(rows).map(|cells| cells.join(&" ".repeat(GAP)).trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Readable {
        let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
        Readable {
            head: row(["policy", "packet_latency.p99, cycles", "wake_ups", "watts.e_net, J"]),
            rows: vec![row(["reference", "117", "0", "0.0046"]), row(["powar", "4016", "123456", "0.0031"])],
            is_number: vec![false, true, true, true],
            keys: 1,
        }
    }

    #[test]
    fn heads_go_on_below_themselves() {
        let expected = [
            "            packet_",
            "           latency.          watts.",
            "               p99,   wake_  e_net,",
            "policy       cycles     ups       J",
            "reference       117       0  0.0046",
            "powar          4016  123456  0.0031",
        ];
        assert_eq!(folded(&table(), 80).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_has_no_room_stands_below_behind_what_the_row_is_of() {
        for width in [20, 24, 30, 36, 40] {
            let text = folded(&table(), width);
            assert!(text.lines().all(|line| line.chars().count() <= width), "{width}\n{text}");
            let blocks: Vec<&str> = text.split("\n\n").collect();
            assert!(blocks.iter().all(|block| block.contains("reference")) && text.contains("0.0031"), "{text}");
        }
        assert_eq!(folded(&table(), 20).split("\n\n").count(), 3);
    }

    #[test]
    fn lists_wrap_below_themselves() {
        assert_eq!(wrapped("a  ", "one two three", Some(10)), "a  one two\n   three\n");
        assert_eq!(wrapped("a  ", "one two three", None), "a  one two three\n");
        assert_eq!(wrapped("a  ", "", Some(10)), "a\n");
    }
}
