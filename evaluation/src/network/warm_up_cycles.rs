//! A number of cycles, or `"auto"`, in a file.

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize, Serializer};

/// Cycles of a warm-up that is to be found: `"auto"` in a file.
pub const AUTO_WARM_UP: u64 = u64::MAX;

#[derive(Deserialize)]
#[serde(untagged)]
enum Form {
    Cycles(u64),
    Text(String),
    Other(serde_json::Value),
}

fn expected(value: &impl std::fmt::Display) -> String {
    format!("`{value}`, expected a whole number of cycles, 0 or more, or \"auto\"")
}

pub fn serialize<S: Serializer>(cycles: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *cycles == AUTO_WARM_UP { "auto".serialize(serializer) } else { cycles.serialize(serializer) }
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    match Form::deserialize(deserializer)? {
        Form::Cycles(cycles) => Ok(cycles),
        Form::Text(text) if text == "auto" => Ok(AUTO_WARM_UP),
        Form::Text(text) => Err(D::Error::custom(expected(&text))),
        Form::Other(value) => Err(D::Error::custom(expected(&value))),
    }
}
