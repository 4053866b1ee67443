//! Tables of parameters on the command line: `NAME=VALUE,..`, as in an experiment's file.

use powar_config::document;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

/// Parses `concurrent=25,duration=2us` into a table's fields, each as in an experiment's file; those left out have their defaults. The value of
/// a field in `lists` is a list of numbers and ranges: `nodes=0,8-11,share=0.3`.
pub fn parse<T: DeserializeOwned>(text: &str, lists: &[&str]) -> Result<T, String> {
    let mut table = Table::new();
    let mut last = String::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let Some((name, value)) = part.split_once('=') else {
            let Some(Value::Array(list)) = table.get_mut(&last) else {
                return Err(format!("`{part}` is no NAME=VALUE"));
            };
            list.extend(items(part)?);
            continue;
        };
        let (name, value) = (name.trim(), value.trim());
        let value = if lists.contains(&name) { Value::Array(items(value)?) } else { single(value) };
        if table.insert(name.to_owned(), value).is_some() {
            return Err(format!("`{name}` is there twice"));
        }
        last = name.to_owned();
    }
    for (name, value) in &table {
        // One by one, so that an error has the name of what it is about.
        let alone: Table = [(name.clone(), value.clone())].into_iter().collect();
        T::deserialize(alone).map_err(|error| document::at(name, error.message()))?;
    }
    T::deserialize(table).map_err(|error| document::in_words(error.message()))
}

fn single(value: &str) -> Value {
    let number = value.parse().map(Value::Integer).or_else(|_| value.parse().map(Value::Float));
    number.unwrap_or_else(|_| Value::String(value.to_owned()))
}

/// `7`, or `8-11`: four of them.
fn items(text: &str) -> Result<Vec<Value>, String> {
    /// Numbers of a range: as many as there may be nodes.
    const MOST: i64 = 1 << 24;
    let range = text.split_once('-').and_then(|(from, to)| Some((from.parse::<i64>().ok()?, to.parse::<i64>().ok()?)));
    match range {
        Some((from, to)) if (from..from.saturating_add(MOST)).contains(&to) => {
            Ok((from..=to).map(Value::Integer).collect())
        }
        Some(_) => Err(format!("`{text}` is no range, expected FROM-TO")),
        None => Ok(vec![single(text)]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_traffic::synthetic::HotSpotOptions;

    #[test]
    fn lists_go_on_behind_commas() {
        let parse = |text: &str| parse::<HotSpotOptions>(text, &["nodes"]);
        let nodes = |nodes: &[u32], share| Ok(HotSpotOptions { nodes: nodes.to_vec(), share });
        assert_eq!(parse("nodes=0,share=0.3"), nodes(&[0], 0.3));
        assert_eq!(parse("share=1, nodes = 3,8-10, 5"), nodes(&[3, 8, 9, 10, 5], 1.0));
        assert_eq!(parse(""), nodes(&[0], 0.1));
        for (text, says) in [
            ("share=0.3,5", "`5` is no NAME=VALUE"),
            ("nodes=5-3", "`5-3` is no range, expected FROM-TO"),
            ("nodes=0-99999999", "`0-99999999` is no range"),
            ("nodes=x", "nodes: "),
            ("nodes=-1", "nodes: "),
            ("share=x", "share: "),
            ("hot=1", "hot: unknown field `hot`"),
            ("share=1,share=1", "`share` is there twice"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(says) && !error.contains('\n'), "{error}");
        }
    }
}
