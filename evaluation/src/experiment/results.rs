//! What came out of an experiment: a row a point, in the order of the file.

use super::cells::{cells, interval_cells, names};
use super::column::Cell;
use super::csv::csv_line;
use super::file::File;
use super::plan::{Plan, PointRun, no_column};
use super::repetition::Repetition;
use super::sweep::{Sweep, plain};
use crate::network::{Interval, Outcome};
use anyhow::{Context, Result};
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use std::path::Path;

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct Results {
    pub(super) file: File,
    /// Names of the columns: the sweeps, what is relative to the baseline if there is one, every figure of an [`Outcome`], and what repeats the row.
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// A point's results.
#[derive(Clone, Debug)]
pub struct Row {
    pub(super) cells: Vec<Cell>,
    /// The key that its simulation is kept under; of several that of the first.
    pub key: String,
    /// The extra it is of, by its place in the file.
    pub extra: Option<usize>,
    /// Of its first run, if there are several.
    pub outcome: Outcome,
    /// What happened over time in each of its runs.
    pub series: Vec<Vec<Interval>>,
}

impl Results {
    /// Of a plan whose simulations have these outcomes, and the folder that they are kept in.
    pub(super) fn new(plan: &Plan, outcomes: Vec<Outcome>, folder: Option<&Path>) -> Result<Results> {
        let mut columns = names(&plan.file)?;
        let repetition = Repetition::new(plan, folder);
        columns.extend(repetition.columns());
        let mut rows = vec![];
        for point in &plan.points {
            let run = |run: &PointRun| (&outcomes[run.simulation], run.baseline.map(|place| &outcomes[place]));
            let runs: Vec<_> = point.runs.iter().map(run).collect();
            let cells = cells(&plan.file, &point.labels, &runs)?.into_iter().map(|(_, cell)| cell);
            let cells = cells.chain(repetition.cells(point)).collect();
            let first = point.runs.first().context("a point without a simulation")?.simulation;
            let (key, outcome) = (plan.simulations[first].0.clone(), outcomes[first].clone());
            let series = point.runs.iter().map(|run| outcomes[run.simulation].series.clone()).collect();
            rows.push(Row { cells, key, extra: point.extra, outcome, series });
        }
        Ok(Results { file: plan.file.clone(), columns, rows })
    }

    /// The place of a column.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn column(&self, name: &str) -> Result<usize> {
        let place = self.columns.iter().position(|column| column == name);
        place.with_context(|| no_column(name, "results", &self.columns))
    }

    /// The number in a column.
    pub fn number(&self, row: usize, column: &str) -> Option<f64> {
        self.rows[row].cells[self.column(column).ok()?].number()
    }

    /// Half the width of the whiskers of the number in a column; none of a single run.
    pub fn half_width(&self, row: usize, column: &str) -> Option<f64> {
        self.number(row, &self.spread_column(column)?)
    }

    /// The column with these half widths, if runs are repeated.
    pub(super) fn spread_column(&self, column: &str) -> Option<String> {
        Some(format!("{column}{}", self.file.repeat.as_ref()?.spread().suffix()))
    }

    /// The network did not take what its nodes gave, in some run of the point.
    pub fn is_saturated(&self, row: usize) -> bool {
        self.column("saturated").is_ok_and(|column| self.rows[row].cells[column] == Cell::Yes(true))
    }

    /// The label of a point in a sweep's column, or of what a sweep's values have in common; empty where the sweep makes no difference.
    pub fn label(&self, row: usize, sweep: &str) -> String {
        let is_group = |one: &&Sweep| one.group.as_ref().is_some_and(|group| group.name == sweep);
        if let Some(of) = self.file.sweeps.iter().find(is_group) {
            return of.group_of(&self.label(row, &of.name)).unwrap_or_default().to_owned();
        }
        self.column(sweep).map(|column| self.rows[row].cells[column].to_string()).unwrap_or_default()
    }

    /// All columns but those that are empty in all rows, as comma-separated values with a line of names.
    pub fn csv(&self) -> String {
        let places = self.filled();
        let line = |row: &Row| csv_line(places.iter().map(|&place| row.cells[place].to_string()));
        let names = csv_line(places.iter().map(|&place| self.columns[place].clone()));
        names + &self.rows.iter().map(line).collect::<String>()
    }

    /// Places of the columns that have something in some row; of no rows all.
    fn filled(&self) -> Vec<usize> {
        let is_filled =
            |place: &usize| self.rows.is_empty() || self.rows.iter().any(|row| row.cells[*place] != Cell::None);
        (0..self.columns.len()).filter(is_filled).collect()
    }

    /// What happened over time, as comma-separated values with a line of names: a row an interval of a run, its point's sweeps first, then what it repeats.
    /// None if no simulation has intervals.
    ///
    /// # Errors
    /// None that could happen to an interval.
    pub fn series_csv(&self) -> Result<Option<String>> {
        let sweeps = self.file.sweeps.len();
        let repeat = self.file.repeat.as_ref();
        let mut lines = vec![];
        for row in &self.rows {
            for (run, interval) in
                row.series.iter().enumerate().flat_map(|(run, all)| all.iter().map(move |one| (run, one)))
            {
                let cells = interval_cells(interval)?;
                if lines.is_empty() {
                    let repeated = repeat.map(|repeat| repeat.key.clone());
                    let names = repeated.into_iter().chain(cells.iter().map(|(name, _)| name.clone()));
                    lines.push(csv_line(self.columns[..sweeps].iter().cloned().chain(names)));
                }
                let repeated = repeat.map(|repeat| plain(&repeat.values[run]));
                let values = repeated.into_iter().chain(cells.iter().map(|(_, cell)| cell.to_string()));
                lines.push(csv_line(row.cells[..sweeps].iter().map(Cell::to_string).chain(values)));
            }
        }
        Ok((!lines.is_empty()).then(|| lines.concat()))
    }

    /// The same columns as a JSON list of tables. What a sweep sets to a number is one.
    ///
    /// # Errors
    /// None that could happen to text in memory.
    pub fn json(&self) -> Result<String> {
        let mut text = vec![];
        let mut serializer = serde_json::Serializer::pretty(&mut text);
        let mut list = serializer.serialize_seq(Some(self.rows.len()))?;
        let places = self.filled();
        for row in &self.rows {
            list.serialize_element(&Table { results: self, places: &places, row })?;
        }
        SerializeSeq::end(list)?;
        Ok(String::from_utf8(text)? + "\n")
    }

    /// The table, and behind it what should be known of points beside their figures ([`Outcome::notes`]), a line each with how many it is of.
    pub fn text(&self) -> String {
        let notes = self.notes();
        if notes.is_empty() { self.table() } else { format!("{}\n{notes}", self.table()) }
    }

    /// What should be known of points beside their figures, a line each.
    pub fn notes(&self) -> String {
        let mut notes: Vec<(&str, usize)> = vec![];
        for note in self.rows.iter().flat_map(|row| &row.outcome.notes) {
            match notes.iter_mut().find(|(known, _)| known == note) {
                Some((_, points)) => *points += 1,
                None => notes.push((note, 1)),
            }
        }
        let all = self.rows.len();
        notes.iter().map(|(note, points)| format!("note, {points} of {all} points: {note}\n")).collect()
    }
}

/// A row in JSON.
struct Table<'a> {
    results: &'a Results,
    places: &'a [usize],
    row: &'a Row,
}

impl serde::Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Table { results, places, row } = self;
        let mut table = serializer.serialize_map(Some(places.len()))?;
        for &place in *places {
            let (name, cell) = (&results.columns[place], &row.cells[place]);
            let sweep = results.file.sweeps.get(place);
            match sweep.and_then(|sweep| sweep.plain_value(&cell.to_string())) {
                Some(value) => table.serialize_entry(name, value)?,
                None => table.serialize_entry(name, cell)?,
            }
        }
        table.end()
    }
}
