//! An outcome as columns: what is nested gets names like `packet_latency.mean`, in the order of the struct.

use anyhow::Result;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// A value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    None,
    Text(String),
    Whole(u64),
    Number(f64),
    Yes(bool),
}

impl Cell {
    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Whole(value) => Some(*value as f64),
            Cell::Number(value) => Some(*value),
            _ => None,
        }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::None => Ok(()),
            Cell::Text(text) => f.write_str(text),
            Cell::Whole(value) => value.fmt(f),
            Cell::Number(value) => value.fmt(f),
            Cell::Yes(value) => value.fmt(f),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::None => serializer.serialize_none(),
            Cell::Text(text) => serializer.serialize_str(text),
            Cell::Whole(value) => serializer.serialize_u64(*value),
            Cell::Number(value) => serializer.serialize_f64(*value),
            Cell::Yes(value) => serializer.serialize_bool(*value),
        }
    }
}

/// The columns of something that serialises as tables of values.
///
/// # Errors
/// It has something else than numbers, text, booleans and tables.
pub fn columns(value: &impl Serialize) -> Result<Vec<(String, Cell)>> {
    // Through text: it keeps the order of the fields.
    let node: Node = serde_json::from_str(&serde_json::to_string(value)?)?;
    let mut flat = vec![];
    node.flatten("", &mut flat);
    Ok(flat)
}

/// Columns that a name stands for, in a profile: those that have a dot and a number behind it, with the numbers, which ascend.
pub fn family(columns: &[String], name: &str) -> Vec<(u64, String)> {
    let number = |column: &String| column.strip_prefix(name)?.strip_prefix('.')?.parse().ok();
    let mut family: Vec<(u64, String)> =
        columns.iter().filter_map(|column| Some((number(column)?, column.clone()))).collect();
    family.sort();
    family
}

enum Node {
    Leaf(Cell),
    Table(Vec<(String, Node)>),
}

impl Node {
    fn flatten(self, name: &str, flat: &mut Vec<(String, Cell)>) {
        match self {
            Node::Leaf(cell) => flat.push((name.to_string(), cell)),
            Node::Table(fields) => {
                for (field, node) in fields {
                    let name = if name.is_empty() { field } else { format!("{name}.{field}") };
                    node.flatten(&name, flat);
                }
            }
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Nodes)
    }
}

struct Nodes;

impl<'de> Visitor<'de> for Nodes {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, text, a boolean or a table of them")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Leaf(Cell::None))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Leaf(Cell::Yes(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Leaf(Cell::Whole(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Leaf(Cell::Number(value)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Leaf(Cell::Text(value.to_string())))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut fields = vec![];
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Node::Table(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn columns_of_a_family_are_in_the_order_of_their_numbers() {
        let columns = ["a.10", "a.9", "a.x", "a.9.ci95", "ab.1", "a", "b.1"].map(String::from);
        assert_eq!(family(&columns, "a"), [(9, "a.9".to_string()), (10, "a.10".to_string())]);
        assert!(family(&columns, "c").is_empty());
    }
}
