//! Comma-separated values.

use super::column::columns;
use anyhow::Result;
use serde::Serialize;

/// Rows that serialise as tables of values, with a line of names: what is nested is called `from.name` and so on, as in JSON.
///
/// # Errors
/// None that could happen to tables of numbers and text.
pub fn csv<T: Serialize + Default>(rows: &[T]) -> Result<String> {
    let of_none = [T::default()];
    let names = columns(rows.first().unwrap_or(&of_none[0]))?;
    let mut text = csv_line(names.into_iter().map(|(name, _)| name));
    for row in rows {
        text += &csv_line(columns(row)?.into_iter().map(|(_, cell)| cell.to_string()));
    }
    Ok(text)
}

/// A line.
pub(super) fn csv_line(cells: impl Iterator<Item = String>) -> String {
    let quoted = |text: String| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    };
    cells.map(quoted).collect::<Vec<_>>().join(",") + "\n"
}
