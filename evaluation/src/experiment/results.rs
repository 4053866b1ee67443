//! What came out of an experiment: a row a point, in the order of the file.

use super::cells::{cells, interval_cells, names};
use super::column::{Cell, family};
use super::csv::csv_line;
use super::file::{Figure, FigureKind, File, Panel, Sweep, plain};
use super::plan::{Plan, PointRun};
use crate::network::{Interval, Outcome};
use anyhow::{Context, Result};
use serde::ser::{SerializeMap, SerializeSeq, Serializer};

/// Most columns of a profile that a table for readers has.
const MOST_SHOWN: usize = 8;

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct Results {
    pub(super) file: File,
    /// Names of the columns: the sweeps, what is relative to the baseline if there is one, and every figure of an [`Outcome`].
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
    pub(super) fn new(plan: &Plan, outcomes: Vec<Outcome>) -> Result<Results> {
        let columns = names(&plan.file)?;
        let mut rows = vec![];
        for point in &plan.points {
            let run = |run: &PointRun| (&outcomes[run.simulation], run.baseline.map(|place| &outcomes[place]));
            let runs: Vec<_> = point.runs.iter().map(run).collect();
            let cells = cells(&plan.file, &point.labels, &runs)?.into_iter().map(|(_, cell)| cell).collect();
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
        place.with_context(|| format!("`{name}` is no column of the results; there are {}", self.columns.join(", ")))
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

    /// All columns as comma-separated values with a line of names.
    pub fn csv(&self) -> String {
        let rows = self.rows.iter().map(|row| csv_line(row.cells.iter().map(Cell::to_string)));
        csv_line(self.columns.iter().cloned()) + &rows.collect::<String>()
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

    /// All columns as a JSON list of tables.
    ///
    /// # Errors
    /// None that could happen to text in memory.
    pub fn json(&self) -> Result<String> {
        let mut text = vec![];
        let mut serializer = serde_json::Serializer::pretty(&mut text);
        let mut list = serializer.serialize_seq(Some(self.rows.len()))?;
        for row in &self.rows {
            list.serialize_element(&Table(&self.columns, &row.cells))?;
        }
        SerializeSeq::end(list)?;
        Ok(String::from_utf8(text)? + "\n")
    }

    /// Places of the columns for readers: the sweeps, what the figures show, and whether points are beyond saturation if some are.
    pub(super) fn shown(&self) -> Vec<usize> {
        let sweeps = self.file.sweeps.iter().map(|sweep| &sweep.name);
        let of_panel = |kind: FigureKind, panel: &Panel| {
            let family = if kind == FigureKind::Profile { family(&self.columns, &panel.y) } else { vec![] };
            match family.len() {
                0 => vec![panel.y.clone()],
                // Those of a distribution are for its figure.
                size if size > MOST_SHOWN => vec![],
                _ => family.into_iter().map(|(_, column)| column).collect(),
            }
        };
        let of_figure =
            |figure: &Figure| figure.panels.iter().flat_map(|panel| of_panel(figure.kind, panel)).collect::<Vec<_>>();
        let figures = self.file.figures.iter().flat_map(of_figure);
        let is_any = (0..self.rows.len()).any(|row| self.is_saturated(row));
        let shown = figures.chain(is_any.then(|| "saturated".to_owned()));
        let mut names: Vec<String> = vec![];
        for name in sweeps.cloned().chain(shown) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.iter().filter_map(|name| self.column(name).ok()).collect()
    }

    /// The sweeps and what the figures show, as a table in Markdown that is readable as it is.
    pub fn table(&self) -> String {
        let places = self.shown();
        let mut lines = vec![places.iter().map(|&place| self.columns[place].clone()).collect::<Vec<_>>()];
        let text = |row: usize, place: usize| match &self.rows[row].cells[place] {
            Cell::None => "-".to_string(),
            Cell::Number(value) => match self.half_width(row, &self.columns[place]) {
                Some(half_width) => format!("{} ± {}", significant(*value), as_exact(half_width, *value)),
                None => significant(*value),
            },
            cell => cell.to_string(),
        };
        let line = |row: usize| places.iter().map(|&place| text(row, place)).collect();
        lines.extend((0..self.rows.len()).map(line));
        let is_number: Vec<bool> =
            places.iter().map(|&place| self.rows.iter().any(|row| row.cells[place].number().is_some())).collect();
        let width = |place: usize| lines.iter().map(|line| line[place].chars().count()).max().unwrap_or(0).max(3);
        let widths: Vec<usize> = (0..places.len()).map(width).collect();
        let mut table = String::new();
        for (number, line) in lines.iter().enumerate() {
            for (place, text) in line.iter().enumerate() {
                let width = widths[place];
                table += &if is_number[place] { format!("| {text:>width$} ") } else { format!("| {text:<width$} ") };
            }
            table += "|\n";
            if number == 0 {
                for (width, is_number) in widths.iter().zip(&is_number) {
                    table += &if *is_number {
                        format!("| {}: ", "-".repeat(width - 1))
                    } else {
                        format!("| {} ", "-".repeat(*width))
                    };
                }
                table += "|\n";
            }
        }
        table
    }

    /// The table, and behind it what should be known of points beside their figures ([`Outcome::notes`]), a line each with how many it is of.
    pub fn text(&self) -> String {
        let notes = self.notes();
        if notes.is_empty() { self.table() } else { format!("{}\n{notes}", self.table()) }
    }

    fn notes(&self) -> String {
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

struct Table<'a>(&'a [String], &'a [Cell]);

impl serde::Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = serializer.serialize_map(Some(self.0.len()))?;
        for (name, cell) in self.0.iter().zip(self.1) {
            table.serialize_entry(name, cell)?;
        }
        table.end()
    }
}

/// A number with four significant digits or all those before the point.
fn significant(value: f64) -> String {
    as_exact(value, value)
}

/// A number with as many digits behind the point as [`significant`] gives another.
fn as_exact(value: f64, other: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let digits = if other == 0.0 { 3 } else { 3 - other.abs().log10().floor() as i32 };
    format!("{value:.*}", digits.clamp(0, 12) as usize)
}
