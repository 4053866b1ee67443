//! The report of an area for people.

use crate::area_terminal::{HOPS, percent};
use crate::{AreaReport, Target, Wiring, markdown};
use std::fmt::{self, Write};

impl AreaReport {
    /// The report for people.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        write_all(self, &mut text).expect("writing to a string");
        text
    }
}

fn write_all(report: &AreaReport, out: &mut String) -> fmt::Result {
    let (target, unit) = (&report.target, report.area_unit);
    writeln!(out, "# Area of {} on {}\n", report.module, target.title())?;
    for (name, value) in &report.parameters {
        writeln!(out, "Parameter {name} is {value}.\n")?;
    }
    writeln!(out, "| | needed | there are | |\n| --- | ---: | ---: | ---: |")?;
    let names = target.chip.names();
    for ((name, needed), (_, available)) in report.whole.rows(names).into_iter().zip(report.capacity.rows(names)) {
        match available {
            0 => writeln!(out, "| {name} | {needed} | | |")?,
            _ => writeln!(out, "| {name} | {needed} | {available} | {} |", percent(needed, available))?,
        }
    }
    let packed = if report.packed { "synthesised and packed, not placed" } else { "synthesised, not packed" };
    writeln!(out, "\nThe module as a whole, {packed}.\n\n## By block\n\n![{unit} by block](area.svg)\n")?;
    out.push_str(&aligned(&by_block(report), 1));
    writeln!(
        out,
        "\nEach block is synthesised as a module of its own and counted before packing. As a whole the design has another size: what \
         blocks have in common or need not compute is left out, and packing adds what carry chains need at their ends. *Alone* is \
         without the blocks inside, *with its blocks* is with them, *all* is alone times instances."
    )?;
    if let Some(whole) = &report.wiring {
        wires(report, whole, out)?;
    }
    writeln!(out, "\n## Tools\n")?;
    markdown::tools(&report.tools, &report.commands, out)
}

/// The wires, which are four fifths of a path's time.
fn wires(report: &AreaReport, whole: &Wiring, out: &mut String) -> fmt::Result {
    writeln!(out, "\n## Hops\n\nBefore anything is placed, of the module as a whole: **{}**.\n", whole.longest())?;
    for (place, wire) in whole.path.iter().enumerate() {
        writeln!(out, "{}. `{wire}`", place + 1)?;
    }
    let header = ["block", "hops", "carry chains", "carry cells", "fan-out", "of the wire"];
    let mut rows: Vec<Vec<String>> = vec![header.map(String::from).to_vec()];
    let blocks = report.blocks.iter().map(|block| (format!("`{}`", block.block), &block.wiring));
    let as_a_whole = (format!("`{}` as a whole", report.module), &report.wiring);
    for (name, wiring) in std::iter::once(as_a_whole).chain(blocks) {
        let Some(wiring) = wiring else { continue };
        let counts =
            [wiring.hops, wiring.carry_chains, wiring.carry_cells, wiring.fan_out].map(|count| count.to_string());
        rows.push(std::iter::once(name).chain(counts).chain([format!("`{}`", wiring.widest)]).collect());
    }
    writeln!(out, "\n{}", aligned(&rows, 1))?;
    writeln!(out, "Each block is counted with the blocks in it and with its ports as registers. {}", HOPS.join(" "))
}

/// One row a block, and the sum.
fn by_block(report: &AreaReport) -> Vec<Vec<String>> {
    let unit = report.area_unit;
    let header = [
        "block",
        "instances",
        &format!("{unit} alone"),
        "with its blocks",
        "all",
        "share",
        "flip-flops, all",
        "block RAMs, all",
    ];
    let sum = report.sum_of_blocks();
    let mut rows: Vec<Vec<String>> = vec![header.map(String::from).to_vec()];
    for block in &report.blocks {
        rows.push(vec![
            format!("`{}`", block.block),
            block.instances.to_string(),
            block.own.area.to_string(),
            block.with_blocks.area.to_string(),
            block.all.area.to_string(),
            percent(block.all.area, sum.area),
            block.all.ff.to_string(),
            block.all.block_ram.to_string(),
        ]);
    }
    let total = [String::new(), String::new(), String::new(), sum.area.to_string(), String::new()];
    let mut last = vec!["sum".to_string()];
    last.extend(total);
    last.extend([sum.ff.to_string(), sum.block_ram.to_string()]);
    rows.push(last);
    rows
}

/// A table, as Markdown, that sets designs beside each other on several chips: of each what it takes as a whole, and of
/// each of its blocks what one takes with the blocks in it: area, flip-flops and block RAMs. A block stands where the
/// first design that has it is.
pub fn area_comparison(reports: &[AreaReport]) -> String {
    let mut targets: Vec<&Target> = vec![];
    let mut lines: Vec<(&str, bool)> = vec![];
    for report in reports {
        if !targets.contains(&&report.target) {
            targets.push(&report.target);
        }
        let blocks = report.blocks.iter().map(|block| (block.block.as_str(), false));
        for line in std::iter::once((report.module.as_str(), true)).chain(blocks) {
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    let taken = |target: &Target, (name, whole): (&str, bool)| {
        let mut of_target = reports.iter().filter(|report| report.target == *target);
        match whole {
            true => of_target.find(|report| report.module == name).map(|report| report.whole),
            false => of_target
                .flat_map(|report| &report.blocks)
                .find(|block| block.block == name)
                .map(|block| block.with_blocks),
        }
    };
    let columns = |target: &&Target| [format!("{}: {}", target.device, target.area_unit()), "FF".into(), "RAMs".into()];
    let header = std::iter::once("block".to_string()).chain(targets.iter().flat_map(columns));
    let mut rows: Vec<Vec<String>> = vec![header.collect()];
    for line in lines {
        let name = format!("`{}`{}", line.0, if line.1 { " as a whole" } else { "" });
        let numbers = targets.iter().flat_map(|target| match taken(target, line) {
            Some(needs) => [needs.area, needs.ff, needs.block_ram].map(|count| count.to_string()),
            None => Default::default(),
        });
        rows.push(std::iter::once(name).chain(numbers).collect());
    }
    aligned(&rows, 1)
}

/// A table, as Markdown, whose first row is its header: so many columns of names, then numbers.
pub fn aligned(rows: &[Vec<String>], names: usize) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0).max(3);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for (place, row) in rows.iter().enumerate() {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column < names {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        text.push_str(&format!("| {} |\n", cells.collect::<Vec<_>>().join(" | ")));
        if place == 0 {
            let rule = |(column, width): (usize, &usize)| match column < names {
                true => "-".repeat(*width),
                false => format!("{}:", "-".repeat(width - 1)),
            };
            text.push_str(&format!("| {} |\n", widths.iter().enumerate().map(rule).collect::<Vec<_>>().join(" | ")));
        }
    }
    text
}
