//! Routing tables as register writes.

use super::Network;
use anyhow::{Result, ensure};
use powar_config::Config;
use powar_config::routing::table::{ROW, WORD0, row_bits};
use powar_config::routing::tables::TableRow;
use powar_config::topology::Wiring;
use std::fmt::Write;

/// Most bytes of all tables.
const MOST_BYTES: usize = 1 << 28;
/// Bytes of a line: an address of 16 bits, a word of 32.
const LINE: usize = "0010 00000000\n".len();

/// Rows of a table and words of a row.
fn size(config: &Config) -> (usize, usize) {
    (1 << row_bits(config), TableRow::word_count(config.ports, config.switch.vcs))
}

/// Whether the tables of a configuration's network are not too long as text: 256 MiB at most.
pub fn tables_fit(config: &Config) -> bool {
    let (rows, words) = size(config);
    Wiring::new(config).is_ok_and(|wiring| wiring.ends.len() * rows * words * LINE <= MOST_BYTES)
}

/// A file for every switch: lines `ADDRESS VALUE`, in hexadecimal, to be written to the switch's registers in this order. Rows of all packed addresses are
/// there, since nothing else clears the memory that they are written to.
pub(super) fn files(network: &Network) -> Result<Vec<(String, String)>> {
    let Network { config, tables, .. } = network;
    let (ports, vcs, switches) = (config.ports, config.switch.vcs, tables.wiring().ends.len());
    let (rows, words) = size(config);
    let bytes = switches * rows * words * LINE;
    ensure!(
        bytes <= MOST_BYTES,
        "tables: {switches} switches with {rows} rows of {words} words are {} MiB of text, out of range 0..={}",
        bytes >> 20,
        MOST_BYTES >> 20
    );
    let digits = (switches - 1).max(1).ilog10() as usize + 1;
    let file = |switch: usize| {
        let mut text = format!(
            "# Routing table of switch {switch} ({}) of {}: {ports} ports, {vcs} virtual channels.\n\
             # Register writes in their order: byte address and value, hexadecimal. {rows} rows of {words} words; row = packed address of the destination.\n",
            network.switch(switch),
            config.name,
        );
        text.reserve(rows * words * LINE);
        // Writing into a string can't fail.
        let _ = writeln!(text, "{ROW:04x} {:08x}", 0);
        for address in 0..rows {
            for (place, word) in tables.row(switch, address as u16).words(ports, vcs).into_iter().enumerate() {
                let _ = writeln!(text, "{:04x} {word:08x}", usize::from(WORD0) + 4 * place);
            }
        }
        (format!("tables/switch-{switch:0digits$}.txt"), text)
    };
    Ok((0..switches).map(file).collect())
}
