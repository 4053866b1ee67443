//! The report of an area on a terminal of 80 columns.

use crate::{AreaReport, Wiring};

/// Columns of a terminal.
const WIDTH: usize = 80;
/// The least that is shown of the name of a wire.
const LEAST_NAME: usize = 12;

/// What a hop is, in lines for a terminal.
pub(crate) const HOPS: [&str; 4] = [
    "Hops: wires of the chip's routing from register to register, that to the last",
    "register too, on the path that has most. A carry chain is one hop in and one",
    "out; wires inside of a slice, as to a wide multiplexer, are none. A block RAM is",
    "a register. Fan-out: pins at the widest wire that a cell drives, but for clocks.",
];

impl AreaReport {
    /// The tables of blocks for a terminal of 80 columns.
    pub fn terminal(&self) -> String {
        let unit = self.area_unit;
        let notes = format!("{unit} of one alone and with the blocks in it, of all alone\n");
        let mut text = columns(&areas(self)) + &notes;
        if let Some(whole) = &self.wiring {
            text += &format!("\n{}", columns(&wires(self)));
            text += &format!("{}\n", HOPS.join("\n"));
            text += &format!("\nLongest path as a whole: {} hops\n", whole.hops);
            let ends = whole.path.iter().map(|wire| ("", wire)).chain([("to ", &whole.end)]);
            text.extend(ends.map(|(word, name)| format!("  {word}{}\n", shortened(name, WIDTH - 2 - word.len()))));
        }
        text
    }
}

fn areas(report: &AreaReport) -> Vec<Vec<String>> {
    let sum = report.sum_of_blocks();
    let header = ["block", "times", "alone", "with", "all", "share", "FF", "RAM"];
    let mut rows = vec![header.map(String::from).to_vec()];
    for block in &report.blocks {
        let (alone, with, all) = (block.own.area, block.with_blocks.area, &block.all);
        let mut row = vec![block.block.clone()];
        row.extend([block.instances, alone, with, all.area].map(|count| count.to_string()));
        row.extend([percent(all.area, sum.area), all.ff.to_string(), all.block_ram.to_string()]);
        rows.push(row);
    }
    let none = String::new;
    let counts = [sum.ff, sum.block_ram].map(|count| count.to_string());
    let last = ["sum".to_string(), none(), none(), none(), sum.area.to_string(), none()];
    rows.push(last.into_iter().chain(counts).collect());
    rows
}

fn wires(report: &AreaReport) -> Vec<Vec<String>> {
    let header = ["block", "hops", "chains", "carries", "fan-out"];
    let mut rows = vec![header.map(String::from).to_vec()];
    let blocks = report.blocks.iter().map(|block| (block.block.as_str(), block.wiring.as_ref()));
    let lines: Vec<(&str, &Wiring)> = std::iter::once(("as a whole", report.wiring.as_ref()))
        .chain(blocks)
        .filter_map(|(name, wiring)| Some((name, wiring?)))
        .collect();
    for (name, wiring) in &lines {
        let counts = [wiring.hops, wiring.carry_chains, wiring.carry_cells, wiring.fan_out];
        rows.push(std::iter::once(name.to_string()).chain(counts.map(|count| count.to_string())).collect());
    }
    // What is left of a line is the wire's.
    let taken = columns(&rows).lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let room = WIDTH.saturating_sub(taken + 2).max(LEAST_NAME);
    let names = lines.iter().map(|(_, wiring)| shortened(&wiring.widest, room));
    for (row, name) in rows.iter_mut().zip(std::iter::once("of".to_string()).chain(names)) {
        row.push(name);
    }
    rows
}

/// A table whose first row is its header: names to the left, numbers to the right, a last column of names again if it is the sixth.
fn columns(rows: &[Vec<String>]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let is_name = |column: usize| column == 0 || (widths.len() == 6 && column == 5);
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match is_name(column) {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// The end of a name that is too long, for that says what it is; its beginning says in which block.
fn shortened(name: &str, room: usize) -> String {
    let length = name.chars().count();
    match length <= room {
        true => name.to_string(),
        false => format!("…{}", name.chars().skip(length + 1 - room).collect::<String>()),
    }
}

pub(crate) fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".into(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::{HOPS, columns, shortened};

    #[test]
    fn long_names_lose_their_beginning() {
        assert_eq!(shortened("core.a.b", 8), "core.a.b");
        assert_eq!(shortened("core.a.bc", 8), "…re.a.bc");
    }

    #[test]
    fn names_are_to_the_left_and_numbers_to_the_right() {
        let rows = [["block", "n", "a", "b", "c", "of"], ["x", "10", "2", "3", "4", "wire"]];
        let rows = rows.map(|row| row.map(String::from).to_vec());
        assert_eq!(columns(&rows), "block   n  a  b  c  of\nx      10  2  3  4  wire\n");
        assert!(HOPS.iter().all(|line| line.chars().count() <= 80), "{HOPS:?}");
    }
}
