//! The report of a bitstream for people.

use crate::{Bitstream, markdown};
use std::fmt::{self, Write};

impl Bitstream {
    /// The report for people.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        write_all(self, &mut text).expect("writing to a string");
        text
    }
}

fn write_all(bitstream: &Bitstream, out: &mut String) -> fmt::Result {
    let target = &bitstream.target;
    writeln!(out, "# {} for the board {}\n", bitstream.module, bitstream.board)?;
    for verdict in bitstream.verdicts() {
        writeln!(out, "* {verdict}")?;
    }
    if bitstream.clocks.is_empty() {
        writeln!(out, "* no registers, so no clock to meet")?;
    }
    writeln!(out, "\nLoad it:\n\n```sh\n{}\n```\n", bitstream.load)?;
    writeln!(out, "## Area\n\n| {} | needed | there are |\n| --- | ---: | ---: |", target.title())?;
    let names = target.chip.names();
    for ((name, needed), (_, available)) in
        bitstream.resources.rows(names).into_iter().zip(bitstream.capacity.rows(names))
    {
        let available = if available == 0 { String::new() } else { available.to_string() };
        writeln!(out, "| {name} | {needed} | {available} |")?;
    }
    if let Some(path) = &bitstream.critical_path {
        writeln!(
            out,
            "\nSlowest path, seed {}: {:.2} ns, of which {:.2} ns in cells and {:.2} ns on wires, from `{}` to `{}`.",
            bitstream.seed, path.total_ns, path.logic_ns, path.routing_ns, path.from, path.to
        )?;
    }
    writeln!(out, "\n## Tools\n")?;
    markdown::tools(&bitstream.tools, &bitstream.commands, out)
}
