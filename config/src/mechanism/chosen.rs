//! The mechanism of a configuration with its parameters.

use super::{ALL, Mechanism, Parameters};
use anyhow::Result;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A mechanism with its parameters: in TOML a table with the mechanism's name as `kind` beside them.
#[derive(Debug)]
pub struct Chosen(pub Box<dyn Parameters>);

impl Chosen {
    /// The parameters, if they are of this type.
    pub fn of<P: Parameters>(&self) -> Option<&P> {
        self.0.as_any().downcast_ref()
    }

    /// The same, to be changed.
    pub fn of_mut<P: Parameters>(&mut self) -> Option<&mut P> {
        self.0.as_any_mut().downcast_mut()
    }

    /// The same mechanism with other values of some parameters, the policy among them.
    ///
    /// # Errors
    /// A parameter that the mechanism doesn't have, or that isn't of its kind.
    pub fn with(&self, changed: toml::Table) -> Result<Chosen> {
        let mut table = self.0.table();
        table.extend(changed);
        (self.0.mechanism().parse)(table).map(Chosen)
    }

    /// The table, with its `kind`.
    fn table(&self) -> toml::Table {
        let mut table = toml::Table::new();
        table.insert("kind".into(), self.0.mechanism().name.into());
        table.extend(self.0.table());
        table
    }
}

impl Default for Chosen {
    fn default() -> Self {
        Chosen(ALL[0].defaults())
    }
}

impl Clone for Chosen {
    fn clone(&self) -> Self {
        Chosen(self.0.clone_box())
    }
}

impl PartialEq for Chosen {
    fn eq(&self, other: &Chosen) -> bool {
        self.table() == other.table()
    }
}

impl Serialize for Chosen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.table().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Chosen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = toml::Table::deserialize(deserializer)?;
        let kind = match table.remove("kind") {
            Some(toml::Value::String(kind)) => kind,
            Some(other) => return Err(D::Error::custom(format!("kind: `{other}` must be the name of a mechanism"))),
            None => ALL[0].name.to_owned(),
        };
        let parameters = Mechanism::by_name(&kind).and_then(|mechanism| (mechanism.parse)(table));
        parameters.map(Chosen).map_err(|error| D::Error::custom(format!("{error:#}")))
    }
}
