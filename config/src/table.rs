//! Parts of a configuration that only their owners know, as TOML tables.

use crate::document;
use anyhow::{Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a table says; the error is one line with the path of what is wrong.
pub(crate) fn read<P: DeserializeOwned>(table: toml::Table) -> Result<P> {
    serde_path_to_error::deserialize(table).map_err(|error: serde_path_to_error::Error<toml::de::Error>| {
        anyhow::anyhow!("{}", document::at(&error.path().to_string(), error.inner().message()))
    })
}

/// Of a table that several parts read their own of: there is nothing in it but what is in this one, where all of them are.
pub(crate) fn check_fields(table: &toml::Table, all: &toml::Table) -> Result<()> {
    for field in table.keys() {
        let known: Vec<String> = all.keys().map(|name| format!("`{name}`")).collect();
        let unknown = || document::at(field, &format!("unknown field `{field}`, expected one of {}", known.join(", ")));
        ensure!(all.contains_key(field), "{}", unknown());
    }
    Ok(())
}

/// Takes what it says of these fields out of a table.
pub(crate) fn split_off(table: &mut toml::Table, fields: &[&str]) -> toml::Table {
    fields.iter().filter_map(|field| table.remove_entry(*field)).collect()
}

/// The table that says this.
pub(crate) fn written(part: &impl Serialize) -> toml::Table {
    toml::Table::try_from(part).expect("parts of a configuration have only types that TOML knows")
}
