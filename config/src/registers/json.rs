//! The map as JSON for generators and test benches of other languages.

use super::{PORT_BASE, Word, below_ports, port_stride, port_words};
use crate::Config;
use serde::Serialize;

#[derive(Serialize)]
struct Map {
    switch: String,
    data_bits: usize,
    address_bits: usize,
    registers: Vec<Entry>,
    ports: Ports,
}

#[derive(Serialize)]
struct Ports {
    count: usize,
    base: u16,
    stride: u16,
    registers: Vec<Entry>,
}

#[derive(Serialize)]
pub(super) struct Entry {
    name: &'static str,
    offset: u16,
    access: &'static str,
    bits: u32,
    reset: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Part>,
    description: &'static str,
}

#[derive(Serialize)]
struct Part {
    name: &'static str,
    low: u32,
    bits: u32,
    description: &'static str,
}

/// Words with their offsets and reset values.
pub(super) fn entries<'a>(words: impl Iterator<Item = &'a Word>, config: &Config) -> Vec<Entry> {
    let entry = |word: &Word| Entry {
        name: word.name,
        offset: word.offset,
        access: word.access.name(),
        bits: word.bits,
        reset: word.reset_value(config),
        fields: (word.fields.iter())
            .map(|field| Part { name: field.name, low: field.low, bits: field.bits, description: field.doc })
            .collect(),
        description: word.doc,
    };
    words.map(entry).collect()
}

/// The map of a configuration: offsets are bytes, those of the ports' registers from the port's first.
pub fn json(config: &Config) -> String {
    let mechanism = config.mechanism();
    let map = Map {
        switch: config.name.clone(),
        data_bits: 32,
        address_bits: super::ADDRESS_BITS,
        registers: entries(below_ports(config).iter().map(|register| &register.word), config),
        ports: Ports {
            count: config.ports,
            base: PORT_BASE,
            stride: port_stride(mechanism),
            registers: entries(port_words(mechanism).iter(), config),
        },
    };
    serde_json::to_string_pretty(&map).expect("the map has only names and numbers") + "\n"
}
