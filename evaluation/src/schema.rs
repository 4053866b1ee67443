//! What JSON schemas say beyond the types of fields: names that there are, tables of other crates, rows of results.

use crate::experiment::columns_described;
use crate::network::IDEAL;
use powar_config::mechanism::ParameterKind;
use powar_config::units::Nanoseconds;
use powar_config::{mechanism, routing};
use powar_golden::power_model::{PowerParameters, WattsParameters};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// Which way a schema is read: fields with a default may be left out of a file, but are in what is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    File,
    Output,
}

/// The schema of a type, as JSON Schema 2020-12.
pub fn schema_of<T: JsonSchema + ?Sized>(of: Of) -> Value {
    let settings = SchemaSettings::draft2020_12();
    let settings = if of == Of::Output { settings.for_serialize() } else { settings };
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// Names that there are, which editors offer. Others are not refused here: the program does that, and says what was meant.
fn names(known: impl IntoIterator<Item = &'static str>, about: &str) -> Schema {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    known.dedup();
    json_schema!({ "description": about, "anyOf": [{ "enum": known }, { "type": ["string", "null"] }] })
}

pub(crate) fn routing(_: &mut SchemaGenerator) -> Schema {
    names(
        routing::ALL.iter().map(|routing| routing.name),
        "How switches route packets; the topology's usual routing unless given",
    )
}

pub(crate) fn policy(_: &mut SchemaGenerator) -> Schema {
    let all = mechanism::ALL.iter().flat_map(|mechanism| mechanism.policies).map(|policy| policy.name);
    names(all.chain([IDEAL]), "A policy of some power mechanism, or ideal")
}

pub(crate) fn mechanisms(generator: &mut SchemaGenerator) -> Schema {
    let mut all = Map::new();
    for mechanism in mechanism::ALL {
        let mut parameters = Map::new();
        for option in mechanism.options {
            let mut schema = match option.kind {
                ParameterKind::Time => json!({ "anyOf": [generator.subschema_for::<Nanoseconds>()] }),
                ParameterKind::Number => json!({ "type": "number" }),
                ParameterKind::Flag => json!({ "type": "boolean" }),
            };
            schema["description"] = option.doc.into();
            parameters.insert(option.name.to_owned(), schema);
        }
        all.insert(mechanism.name.to_owned(), json!({ "type": "object", "properties": parameters }));
    }
    json_schema!({
        "description": "Parameters of mechanisms, by the mechanisms' names; those of the policy's mechanism count",
        "type": "object",
        "properties": all,
        "additionalProperties": false
    })
}

pub(crate) fn warm_up(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "description": "Cycles at the beginning, with traffic, of which nothing is measured; \"auto\": as many as are found to be needed",
        "anyOf": [{ "type": "integer", "minimum": 0 }, { "const": "auto" }]
    })
}

pub(crate) fn power(_: &mut SchemaGenerator) -> Schema {
    defaults_of(&PowerParameters { hint_power: WRITTEN, ..PowerParameters::default() })
}

pub(crate) fn watts(_: &mut SchemaGenerator) -> Schema {
    defaults_of(&WattsParameters { hint_power: WRITTEN, ..WattsParameters::default() })
}

/// A value of a field that is left out where it is 0.
const WRITTEN: f64 = 1.0;

/// A table of numbers of which every one has a default.
fn defaults_of(table: &impl Serialize) -> Schema {
    json_schema!({ "type": "object", "properties": numbers(table), "additionalProperties": false })
}

/// A table of numbers, some of which may be none.
pub(crate) fn numbers_of<T: Default + Serialize>(_: &mut SchemaGenerator) -> Schema {
    let properties = numbers(&T::default());
    let required: Vec<&String> = properties.keys().collect();
    json_schema!({ "type": "object", "required": required, "properties": properties.clone() })
}

/// Schemas of the fields of a value: of a number, or of one that there may be.
fn numbers(value: &impl Serialize) -> Map<String, Value> {
    let Ok(Value::Object(fields)) = serde_json::to_value(value) else { unreachable!("a table of numbers") };
    let schema = |value: &Value| {
        if value.is_null() { json!({ "type": ["number", "null"] }) } else { json!({ "type": "number" }) }
    };
    fields.iter().map(|(name, value)| (name.clone(), schema(value))).collect()
}

/// Some settings of a simulation, which are laid over those that all have in common.
pub struct Settings;

impl JsonSchema for Settings {
    fn schema_name() -> Cow<'static, str> {
        "Settings".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "description": "Some settings of a simulation, as in [simulation]", "type": "object" })
    }
}

/// A row of results: the sweeps' columns under their own names, then those of docs/columns.md.
pub struct Row;

impl JsonSchema for Row {
    fn schema_name() -> Cow<'static, str> {
        "Row".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let cell = |about: &str| json!({ "description": about, "type": ["number", "string", "boolean", "null"] });
        let (mut plain, mut numbered) = (Map::new(), Map::new());
        for (name, about) in columns_described() {
            match name.strip_suffix(".T") {
                Some(family) => numbered.insert(format!("^{}\\.[0-9]+", family.replace('.', "\\.")), cell(&about)),
                None => plain.insert(name, cell(&about)),
            };
        }
        json_schema!({
            "type": "object",
            "properties": plain,
            "patternProperties": numbered,
            "additionalProperties": { "type": ["number", "string", "boolean", "null"] }
        })
    }
}
