//! The map as the page `docs/registers.md`.

use super::{CONTROL, CONTROL_BASE, IDENTITY, PORT, PORT_BASE, PORT_STRIDE, Reset, Word};
use std::fmt::Write;

const HEAD: &str = "# Registers

Generated from `config/src/register_map.rs`; do not edit. After a change write it anew with
`POWAR_WRITE=1 cargo test -p powar-config --test register_map`.

The switch is configured and watched over AXI4-Lite: 32-bit words at byte addresses, whole words only (`wstrb` = 1111). Every address that is
not listed, and every write to a word that can't be written, is answered with SLVERR and does nothing. Reset values marked *configured*
come from the configuration, see sections 3.12 and 4 of [microarchitecture.md](microarchitecture.md); there are a C header and a JSON file with all
numbers of a configuration. Bits that are not listed read as 0 and are ignored when written.
";

/// The page. It holds for every configuration.
pub fn markdown() -> String {
    let mut out = String::from(HEAD);
    write_tables(&mut out).expect("a String takes everything");
    out
}

fn write_tables(out: &mut String) -> std::fmt::Result {
    writeln!(out, "\n## Identity\n")?;
    write_table(out, &IDENTITY, "address", 4)?;
    let write_port = "write address of a `power_controller` on its own (3.14)";
    writeln!(out, "\n## Control\n\nRegister a is at 0x{CONTROL_BASE:04x} + 4a; a is also its {write_port}.\n")?;
    write_table(out, &CONTROL, "address", 4)?;
    writeln!(
        out,
        "\n## Ports\n\nPort p begins at 0x{PORT_BASE:04x} + 0x{PORT_STRIDE:x} p. Counters wrap at 32 bits: take differences.\n"
    )?;
    write_table(out, &PORT, "offset", 2)
}

fn write_table(out: &mut String, words: &[Word], address: &str, digits: usize) -> std::fmt::Result {
    writeln!(out, "| {address} | register | bits | access | reset | meaning |\n| --- | --- | --- | --- | --- | --- |")?;
    for word in words {
        let reset = match word.reset {
            Reset::Value(value @ 0..=9) => value.to_string(),
            Reset::Value(value) => format!("0x{value:X}"),
            Reset::Configured(_) => "configured".into(),
        };
        let (offset, name, access) = (word.offset, word.name, word.access.name());
        let bits = bits(0, word.bits);
        writeln!(out, "| 0x{offset:0digits$x} | `{name}` | {bits} | {access} | {reset} | {} |", word.doc)?;
        for field in word.fields {
            let bits = self::bits(field.low, field.bits);
            writeln!(out, "| | `{}` | {bits} | | | {} |", field.name, field.doc)?;
        }
    }
    Ok(())
}

fn bits(low: u32, count: u32) -> String {
    match count {
        1 => low.to_string(),
        _ => format!("{}:{low}", low + count - 1),
    }
}
