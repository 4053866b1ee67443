//! Tables laid over others, and values set by their path.

use anyhow::{Result, bail};
use serde_json::{Map, Value};

pub fn empty() -> Value {
    Value::Object(Map::new())
}

/// Sets the value of a path such as `traffic.load`; tables on the way are made.
///
/// # Errors
/// Something on the way is no table.
pub fn set(target: &mut Value, path: &str, value: Value) -> Result<()> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let Value::Object(table) = target else { bail!("{path}: set in {target}, which is no table") };
    match rest {
        None => table.insert(first.to_string(), value),
        Some(rest) => return set(table.entry(first).or_insert_with(empty), rest, value),
    };
    Ok(())
}

/// Lays one table over another: its values replace those of the same path.
///
/// # Errors
/// Something on the way is no table.
pub fn lay(target: &mut Value, over: &Value) -> Result<()> {
    leaves(over).iter().try_for_each(|path| set(target, path, at(over, path)))
}

/// Paths of the values in a table.
pub fn leaves(table: &Value) -> Vec<String> {
    let Value::Object(table) = table else { return vec![] };
    let mut paths = vec![];
    for (key, value) in table {
        match value {
            Value::Object(_) => paths.extend(leaves(value).iter().map(|rest| format!("{key}.{rest}"))),
            _ => paths.push(key.clone()),
        }
    }
    paths
}

fn at(table: &Value, path: &str) -> Value {
    path.split('.').fold(table, |table, key| &table[key]).clone()
}
