//! What a page about an experiment's results needs to know beyond their table.

use super::meaning;
use super::results::Results;
use crate::version;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Written beside the tables as `index.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Index {
    pub title: String,
    /// Of the program that wrote it.
    #[serde(default)]
    pub version: String,
    /// Units of the columns that have one.
    #[serde(default)]
    pub units: BTreeMap<String, String>,
    /// Columns that the table for readers has: the sweeps and what the figures show, with what stands behind means.
    pub shown: Vec<String>,
    pub figures: Vec<DrawnFigure>,
    /// Of each point, in the order of the rows: the key of its simulation, the name of its file in `points` without the ending.
    pub points: Vec<String>,
}

/// A figure that was drawn, as `NAME.svg` and `NAME.png`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawnFigure {
    pub name: String,
    pub title: String,
}

impl Index {
    /// Of these results.
    pub fn of(results: &Results) -> Index {
        let with_spread = |place: usize| {
            let name = &results.columns[place];
            let of = results.spread_column(name);
            let spread = results.columns.get(place + 1).filter(|next| Some(*next) == of.as_ref());
            [Some(name.clone()), spread.cloned()].into_iter().flatten()
        };
        let drawn = |figure: &super::Figure| DrawnFigure { name: figure.name.clone(), title: figure.title.clone() };
        let unit = |name: &String| Some((name.clone(), meaning::unit(name)?.to_owned()));
        Index {
            title: results.file.title.clone(),
            version: version().to_owned(),
            units: results.columns.iter().filter_map(unit).collect(),
            shown: results.shown().into_iter().flat_map(with_spread).collect(),
            figures: results.file.figures.iter().map(drawn).collect(),
            points: results.rows.iter().map(|row| row.key.clone()).collect(),
        }
    }
}
