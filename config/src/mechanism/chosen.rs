//! The mechanism of a configuration with its parameters.

use super::{ALL, Mechanism, Parameters, Residency};
use anyhow::Result;
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::any::Any;

/// A mechanism with its parameters: in TOML a table with the mechanism's name as `kind` beside them.
#[derive(Debug)]
pub struct Chosen(pub Box<dyn Parameters>);

impl Chosen {
    /// The parameters, if they are of this type.
    pub fn of<P: Parameters>(&self) -> Option<&P> {
        let parameters: &dyn Any = &*self.0;
        parameters.downcast_ref()
    }

    /// The same, to be changed.
    pub fn of_mut<P: Parameters>(&mut self) -> Option<&mut P> {
        let parameters: &mut dyn Any = &mut *self.0;
        parameters.downcast_mut()
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

    /// The mechanism's pairs of phase and level, with what a port draws in each by these parameters.
    pub fn residency(&self) -> Vec<Residency> {
        let pairs = self.0.mechanism().residency.iter();
        pairs.map(|pair| Residency { draw: self.0.draw(pair), ..*pair }).collect()
    }

    /// The table as people write it: `kind`, the policy, the parameters in the mechanism's order.
    fn entries(&self) -> Vec<(&'static str, toml::Value)> {
        let mechanism = self.0.mechanism();
        let mut table = self.0.table();
        let names = ["policy"].into_iter().chain(mechanism.options.iter().map(|option| option.name));
        let values = names.filter_map(|name| Some((name, table.remove(name)?)));
        [("kind", mechanism.name.into())].into_iter().chain(values).collect()
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
        self.entries() == other.entries()
    }
}

impl Serialize for Chosen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in self.entries() {
            map.serialize_entry(name, &value)?;
        }
        map.end()
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
