//! The map as the page `docs/registers.md`.

use super::{PORT_BASE, Reset, SWITCH, Word, port_stride, port_words, routing_words};
use crate::Config;
use crate::mechanism::Mechanism;
use std::fmt::Write;

const TITLE: &str = "# Registers\n\n";

/// What the page among the others says of itself.
const OF_THE_PAGE: &str = "Generated from the declarations in `config/src/registers/`, `config/src/routing/` and `config/src/mechanism/`; do not edit. After a change write it anew with
`POWAR_WRITE=1 cargo test -p powar-config --test all registers`. Who owns which word, and when an answer comes, is in
[microarchitecture/registers.md](microarchitecture/registers.md).
";

/// What one beside a design says, where powar's other pages are not.
const OF_A_DESIGN: &str =
    "Written by `powar emit` with the design. Who owns which word, and when an answer comes, is in powar's page
`docs/microarchitecture/registers.md`.
";

const HEAD: &str = "
The switch is configured and watched over AXI4-Lite: 32-bit words at byte addresses, whole words only (`wstrb` = 1111). Every address that is
not listed, and every write to a word that can't be written, is answered with SLVERR and does nothing. Reset values marked *configured*
come from the configuration; there are a C header, a JSON and a SystemRDL file with all numbers of a configuration. Bits that are not listed read as 0 and are ignored when written.
";

/// The page `docs/registers.md`, of the routings of these configurations and of these mechanisms. It holds for every configuration of them, but
/// for the bits of a routing's words: those are of this one.
pub fn markdown(routings: &[&Config], mechanisms: &[&'static Mechanism]) -> String {
    page(OF_THE_PAGE, routings, mechanisms)
}

/// The page that stands beside a configuration's design.
pub fn markdown_of(config: &Config) -> String {
    page(OF_A_DESIGN, &[config], &[config.mechanism()])
}

fn page(about: &str, routings: &[&Config], mechanisms: &[&'static Mechanism]) -> String {
    let mut out = [TITLE, about, HEAD].concat();
    write_tables(&mut out, routings, mechanisms).expect("a String takes everything");
    out
}

fn write_tables(out: &mut String, routings: &[&Config], mechanisms: &[&'static Mechanism]) -> std::fmt::Result {
    writeln!(out, "\n## Every switch\n")?;
    write_table(out, &SWITCH, "address", 4)?;
    for config in routings {
        let words = routing_words(config);
        if let (Some(routing), false) = (config.routing(), words.is_empty()) {
            let (ports, vcs) = (config.ports, config.switch.vcs);
            writeln!(out, "\n## Routing `{}`\n", routing.name)?;
            writeln!(out, "Bits of a switch with {ports} ports and {vcs} virtual channels in {}.\n", config.name)?;
            write_table(out, &words, "address", 4)?;
        }
    }
    for mechanism in mechanisms {
        let (name, stride) = (mechanism.name, port_stride(mechanism));
        writeln!(out, "\n## Mechanism `{name}`\n")?;
        write_table(out, mechanism.words, "address", 4)?;
        writeln!(
            out,
            "\nPort p begins at 0x{PORT_BASE:04x} + 0x{stride:x} p. Counters wrap at 32 bits: take differences.\n"
        )?;
        write_table(out, &port_words(mechanism), "offset", 2)?;
    }
    Ok(())
}

pub(super) fn write_table<'a>(
    out: &mut String,
    words: impl IntoIterator<Item = &'a Word>,
    address: &str,
    digits: usize,
) -> std::fmt::Result {
    writeln!(out, "| {address} | register | bits | access | reset | meaning |\n| --- | --- | --- | --- | --- | --- |")?;
    for word in words {
        let reset = match word.reset {
            Reset::Value(value @ 0..=9) => value.to_string(),
            Reset::Value(value) => format!("0x{value:X}"),
            Reset::Configured(_) | Reset::OfMechanism => "configured".into(),
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
