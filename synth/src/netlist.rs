//! The part of Yosys's JSON netlist that is of interest here.

use anyhow::{Context, Result};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;

/// A netlist; cells and wires are left out.
#[derive(Deserialize)]
pub(crate) struct Netlist {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
pub(crate) struct Module {
    /// In the order of their declaration.
    #[serde(deserialize_with = "in_order")]
    pub(crate) ports: Vec<(String, NetlistPort)>,
}

#[derive(Deserialize)]
pub(crate) struct NetlistPort {
    pub(crate) direction: String,
    /// One number or constant a bit.
    pub(crate) bits: Vec<serde::de::IgnoredAny>,
}

impl Netlist {
    pub(crate) fn parse(text: &str) -> Result<Netlist> {
        serde_json::from_str(text).context("Yosys wrote a netlist that can't be read")
    }

    pub(crate) fn module(&self, name: &str) -> Result<&Module> {
        self.modules.get(name).with_context(|| format!("Yosys's netlist has no module {name}"))
    }
}

/// A JSON object as a list, because the usual maps would sort the ports by name.
fn in_order<'de, D: Deserializer<'de>>(source: D) -> Result<Vec<(String, NetlistPort)>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<(String, NetlistPort)>;

        fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
            formatter.write_str("an object of ports")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
    source.deserialize_map(Entries)
}

#[cfg(test)]
mod tests {
    use super::Netlist;

    #[test]
    fn ports_keep_their_order() {
        let text = r#"{"creator": "Yosys", "modules": {"m": {"attributes": {}, "ports": {
            "z": {"direction": "input", "bits": [2, "0"]}, "a": {"direction": "output", "bits": [3]}}, "cells": {}}}}"#;
        let netlist = Netlist::parse(text).unwrap();
        let ports = &netlist.module("m").unwrap().ports;
        assert_eq!(
            ports.iter().map(|(name, port)| (name.as_str(), port.bits.len())).collect::<Vec<_>>(),
            [("z", 2), ("a", 1)]
        );
        assert!(netlist.module("n").is_err() && Netlist::parse("{}").is_err());
    }
}
