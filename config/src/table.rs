//! Parts of a configuration that only their owners know, as TOML tables.

use crate::document;
use anyhow::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a table says; the error is one line with the path of what is wrong.
pub(crate) fn read<P: DeserializeOwned>(table: toml::Table) -> Result<P> {
    serde_path_to_error::deserialize(table).map_err(|error: serde_path_to_error::Error<toml::de::Error>| {
        anyhow::anyhow!("{}", document::at(&error.path().to_string(), error.inner().message()))
    })
}

/// The table that says this.
pub(crate) fn written(part: &impl Serialize) -> toml::Table {
    toml::Table::try_from(part).expect("parts of a configuration have only types that TOML knows")
}
