//! The report for people.

use crate::timing::signal;
use crate::{Report, ToolUsed};
use powar_tools::Source;
use std::fmt::{self, Write};

impl Report {
    /// The report for people.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        write_all(self, &mut text).expect("writing to a string");
        text
    }
}

fn write_all(report: &Report, out: &mut String) -> fmt::Result {
    let target = &report.target;
    writeln!(out, "# {} on {}\n", report.module, target.device)?;
    let rates: Vec<_> = report.seeds.iter().map(|seed| format!("{:.1}", seed.fmax_mhz)).collect();
    writeln!(
        out,
        "**{:.1} MHz** (median of {}; {} MHz asked for, {}), **{} {}**, {} LUT4, {} flip-flops.",
        report.median_fmax_mhz,
        rates.join(", "),
        report.target_mhz,
        if report.meets_target { "met" } else { "not met" },
        report.core.area,
        target.area_unit(),
        report.core.lut,
        report.core.ff
    )?;
    if report.critical_path.in_harness {
        writeln!(
            out,
            "\nThe slowest path is one of the measuring harness: the module is faster than could be measured."
        )?;
    }
    conditions(report, out)?;

    writeln!(out, "\n## Area\n\n| | module alone | placed, with harness |\n| --- | ---: | ---: |")?;
    let names = target.chip.names();
    for ((name, core), (_, all)) in report.core.rows(names).into_iter().zip(report.with_harness.rows(names)) {
        writeln!(out, "| {name} | {core} | {all} |")?;
    }
    writeln!(
        out,
        "\nThe module alone is synthesised and packed without the harness. The harness only adds registers and, where \
         outputs are folded into one pin, exclusive ors."
    )?;

    writeln!(out, "\n## Clock rate\n\n| seed | MHz | path | from | to |\n| ---: | ---: | ---: | --- | --- |")?;
    for seed in &report.seeds {
        let path = &seed.critical_path;
        let (from, to) = (&path.from, &path.to);
        writeln!(out, "| {} | {:.1} | {:.2} ns | `{from}` | `{to}` |", seed.seed, seed.fmax_mhz, path.total_ns)?;
    }
    writeln!(
        out,
        "\nRegister to register, with the harness's registers at the module's ports; pins and the way of the reset are \
         left out."
    )?;
    critical_path(report, out)?;

    writeln!(out, "\n## Tools\n")?;
    tools(&report.tools, &report.commands, out)
}

/// The tools that took part, and the commands that do it again.
pub(crate) fn tools(tools: &[ToolUsed], commands: &[String], out: &mut String) -> fmt::Result {
    for tool in tools {
        let source = match tool.source {
            Some(Source::Pinned) => "pinned",
            Some(Source::Path) => "from the PATH, so figures may differ from those with the pinned tools",
            None => "not found",
        };
        writeln!(out, "* {} {} ({source})", tool.name, tool.version.as_deref().unwrap_or("of unknown version"))?;
    }
    writeln!(out, "\n```")?;
    for command in commands {
        writeln!(out, "{command}")?;
    }
    writeln!(out, "```")
}

fn conditions(report: &Report, out: &mut String) -> fmt::Result {
    let target = &report.target;
    writeln!(out, "\n| | |\n| --- | --- |\n| chip | {} |", target.title())?;
    for (name, value) in &report.parameters {
        writeln!(out, "| parameter {name} | {value} |")?;
    }
    let ports: Vec<_> = report.ports.iter().map(|port| format!("`{}` {}", port.name, port.width)).collect();
    writeln!(out, "| ports (bits) | {} |", ports.join(", "))?;
    writeln!(out, "| clock | {} |", report.clock.as_deref().unwrap_or("none; combinational"))?;
    writeln!(out, "| reset | {} |", report.reset.as_deref().unwrap_or("none"))?;
    writeln!(out, "| harness | {} |", report.harness)
}

fn critical_path(report: &Report, out: &mut String) -> fmt::Result {
    let path = &report.critical_path;
    writeln!(
        out,
        "\n## Critical path\n\nOf the median seed: {:.2} ns, of which {:.2} ns in cells and {:.2} ns on {} wires, from \
         `{}` to `{}`.\n",
        path.total_ns, path.logic_ns, path.routing_ns, path.hops, path.from, path.to
    )?;
    writeln!(out, "| arrival ns | delay ns | | towards | wire |\n| ---: | ---: | --- | --- | --- |")?;
    for step in &path.steps {
        // Wires without a name in the source get one made of every cell they pass, which nobody can read.
        let readable = |net: &String| if signal(net) == *net { format!("`{net}`") } else { "unnamed".into() };
        let net = step.net.as_ref().map(readable).unwrap_or_default();
        let source = step.sources.first().map(|source| format!(" ({source})")).unwrap_or_default();
        let (arrival, delay, kind, cell) = (step.arrival_ns, step.delay_ns, &step.kind, &step.cell);
        writeln!(out, "| {arrival:.2} | {delay:.2} | {kind} | `{cell}` | {net}{source} |")?;
    }
    writeln!(
        out,
        "\nA cell is named after the signal it helps to compute. `core.` is the module; names that begin with `launch_`, \
         `result_` and `capture_` are its inputs, its outputs and the registers behind them."
    )
}
