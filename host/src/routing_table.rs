//! The routing table of the demonstrator's switch, as writes to its registers: that of its place in the network, or one from a file such as
//! `powar emit --tables` writes.

use anyhow::{Context, Result, bail, ensure};
use powar_config::registers::Word;
use powar_config::registers::demonstrator::Site;
use powar_config::routing::table::{Write, writes};
use powar_config::routing::tables::RoutingTables;
use powar_config::{Config, document};
use std::path::Path;

/// The writes that load the table of a file, or without one that of shortest ways from the switch's place in its network.
///
/// # Errors
/// The routing has no table; no tables of this network; a file that can't be read, or is none for this configuration.
pub fn table(config: &Config, file: Option<&Path>) -> Result<Vec<Write>> {
    words(config)?;
    match file {
        Some(file) => parse(&document::text_of(file)?, config).with_context(|| file.display().to_string()),
        None => {
            let tables = RoutingTables::of(config)?;
            Ok(writes(config, &tables, Site::new(config)?.switch as usize))
        }
    }
}

/// The registers through which the table is written.
fn words(config: &Config) -> Result<Vec<Word>> {
    let routing = config.routing().context("table: a switch without a topology has none")?;
    ensure!(routing.sees.table, "table: {} is routed by {}, which has none to load", config.name, routing.name);
    Ok((routing.words)(&config.shape()))
}

/// The writes in a text: lines `ADDRESS VALUE` of hexadecimal digits, in the order of writing; `#` begins a comment.
///
/// # Errors
/// The line that is none, writes to what is no register of the table, or has a value with more bits than there are; a text without any.
pub fn parse(text: &str, config: &Config) -> Result<Vec<Write>> {
    let words = words(config)?;
    let mut all = vec![];
    for (number, line) in (1..).zip(text.lines()) {
        let parts: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        match parts[..] {
            [] => (),
            [address, value] => all.push(write(address, value, &words).with_context(|| format!("line {number}"))?),
            _ => bail!("line {number}: expected an address and a value, hexadecimal, such as `0010 00000000`"),
        }
    }
    ensure!(!all.is_empty(), "table: there is no write in it, expected lines of address and value");
    Ok(all)
}

fn write(address: &str, value: &str, words: &[Word]) -> Result<Write> {
    let digits = |name: &str, text: &str| match u32::from_str_radix(text, 16) {
        Ok(number) if text.starts_with(|first: char| first.is_ascii_hexdigit()) => Ok(number),
        _ => bail!("{name}: `{text:.20}` is no hexadecimal number in 0..=ffffffff, without 0x"),
    };
    let (at, value) = (digits("address", address)?, digits("value", value)?);
    let Some(word) = words.iter().find(|word| u32::from(word.offset) == at) else {
        let known: Vec<String> = words.iter().map(|word| format!("{:04x} {}", word.offset, word.name)).collect();
        bail!("address: {at:04x} is no register of the table; it has {}", known.join(", "));
    };
    ensure!(value <= word.mask(), "{}: {value:x} is out of range 0..={:x}, hexadecimal", word.name, word.mask());
    Ok((word.offset, value))
}
