//! Routing tables as register writes.

use super::Network;
use anyhow::{Result, ensure};
use powar_config::Config;
use powar_config::routing::table;
use powar_config::routing::tables::TableRow;
use powar_config::topology::Wiring;
use std::fmt::Write;

/// Most bytes of all tables.
const MOST_BYTES: usize = 1 << 28;
/// Bytes of a line: an address of 16 bits, a word of 32.
const LINE: usize = "0010 00000000\n".len();

/// Rows of a table, all of which are written, and words of a row.
fn size(config: &Config, wiring: &Wiring) -> (usize, usize) {
    let highest = wiring.addresses.iter().copied().max().unwrap_or(0);
    ((usize::from(highest) + 1).next_power_of_two(), TableRow::word_count(config.ports, config.switch.vcs))
}

/// Bytes of all tables.
fn bytes(config: &Config, wiring: &Wiring) -> usize {
    let (rows, words) = size(config, wiring);
    wiring.ends.len() * rows * words * LINE
}

/// Whether the tables of a configuration's network are not too long as text: 256 MiB at most.
pub fn tables_fit(config: &Config) -> bool {
    Wiring::new(config).is_ok_and(|wiring| bytes(config, &wiring) <= MOST_BYTES)
}

/// A file for every switch: lines `ADDRESS VALUE`, in hexadecimal, to be written to the switch's registers in this order.
pub(super) fn files(network: &Network) -> Result<Vec<(String, String)>> {
    let Network { config, tables, .. } = network;
    let wiring = tables.wiring();
    let (ports, vcs, switches) = (config.ports, config.switch.vcs, wiring.ends.len());
    let (rows, words) = size(config, wiring);
    let bytes = bytes(config, wiring);
    ensure!(
        bytes <= MOST_BYTES,
        "tables: {switches} switches with {rows} rows of {words} words are {} MiB of text, out of range 0..={}",
        bytes >> 20,
        MOST_BYTES >> 20
    );
    let sees_nodes = config.routing_sees().to_node;
    let ports_to_nodes = if sees_nodes { " Last, which ports lead to nodes." } else { "" };
    let digits = (switches - 1).max(1).ilog10() as usize + 1;
    let file = |switch: usize| {
        let mut text = format!(
            "# Routing table of switch {switch} ({}) of {}: {ports} ports, {vcs} virtual channels.\n\
             # Register writes in their order: byte address and value, hexadecimal. {rows} rows of {words} words; row = packed address of the destination.{ports_to_nodes}\n",
            network.switch(switch),
            config.name,
        );
        text.reserve((rows * words + 1) * LINE);
        for (address, value) in table::writes(config, tables, switch) {
            // Writing into a string can't fail.
            let _ = writeln!(text, "{address:04x} {value:08x}");
        }
        (format!("tables/switch-{switch:0digits$}.txt"), text)
    };
    Ok((0..switches).map(file).collect())
}
