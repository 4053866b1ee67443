//! A sample as text.

use crate::watch::{NodeSample, PortSample, Sample};
use std::fmt::Write;

/// Heads of the columns of ports.
pub const PORT_HEAD: [&str; 7] = ["port", "phase", "on", "power", "load", "wake-ups", "errors"];
/// Heads of the columns of nodes.
pub const NODE_HEAD: [&str; 8] = ["node", "offered", "sent", "out", "in", "latency", "least..most", "errors"];

/// The columns of a port.
pub fn port_row(port: &PortSample) -> [String; 7] {
    // The first pair of every mechanism is that of a port at work.
    let on = port.residency.first().copied().unwrap_or_default();
    [
        port.port.to_string(),
        port.phase.to_owned(),
        percent(on),
        percent(port.power),
        format!("{:.3}", port.load),
        port.wake_ups.to_string(),
        port.errors.to_string(),
    ]
}

/// The columns of a node.
pub fn node_row(node: &NodeSample) -> [String; 8] {
    let range = match (node.latency_min, node.latency_max) {
        (Some(least), Some(most)) => format!("{least}..{most}"),
        _ => "-".into(),
    };
    [
        node.node.to_string(),
        format!("{:.3}", node.offered),
        format!("{:.3}", node.sent),
        node.packets_sent.to_string(),
        node.packets_received.to_string(),
        node.latency.map_or("-".into(), |latency| format!("{latency:.1}")),
        range,
        node.errors.to_string(),
    ]
}

/// One line about everything.
pub fn summary(sample: &Sample) -> String {
    let Sample { cycles, energy, .. } = sample;
    let power = percent(sample.power);
    format!(
        "{cycles} cycles, ports at {power} of full power, energy {energy:.0} port cycles, {} errors",
        sample.errors()
    )
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The tables of a sample.
pub fn text(sample: &Sample) -> String {
    let mut out = summary(sample) + "\n";
    write_table(&mut out, PORT_HEAD, sample.ports.iter().map(port_row));
    write_table(&mut out, NODE_HEAD, sample.nodes.iter().map(node_row));
    out
}

fn write_table<const N: usize>(out: &mut String, head: [&str; N], rows: impl Iterator<Item = [String; N]>) {
    let lines: Vec<[String; N]> = std::iter::once(head.map(String::from)).chain(rows).collect();
    let widths: [usize; N] =
        std::array::from_fn(|column| lines.iter().map(|line| line[column].len()).max().unwrap_or_default());
    for line in lines {
        let cells: Vec<String> = line.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}")).collect();
        writeln!(out, "{}", cells.join("  ")).expect("a String takes everything");
    }
}
