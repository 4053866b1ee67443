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
    values(over).into_iter().try_for_each(|(path, value)| set(target, &path, value.clone()))
}

/// Paths of the values in a table.
pub fn leaves(table: &Value) -> Vec<String> {
    values(table).into_iter().map(|(path, _)| path).collect()
}

/// The values in a table with their paths; a name with points in it is a path.
fn values(table: &Value) -> Vec<(String, &Value)> {
    let Value::Object(table) = table else { return vec![] };
    let below = |(key, value)| match value {
        &Value::Object(_) => values(value).into_iter().map(|(rest, value)| (format!("{key}.{rest}"), value)).collect(),
        _ => vec![(String::clone(key), value)],
    };
    table.iter().flat_map(below).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_with_points_is_a_path() {
        let mut table = json!({ "policy": "powar", "traffic": { "load": 0.5, "seed": 1 } });
        lay(&mut table, &json!({ "traffic.load": 0.01, "traffic": { "seed": 2 } })).unwrap();
        assert_eq!(table, json!({ "policy": "powar", "traffic": { "load": 0.01, "seed": 2 } }));
        assert_eq!(leaves(&json!({ "a.b": 1, "c": { "d.e": 2 } })), ["a.b", "c.d.e"]);
    }
}
