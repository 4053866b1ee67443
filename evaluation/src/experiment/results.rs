//! What came out of an experiment: a row a point, in the order of the file.

use super::column::{Cell, columns};
use super::figure;
use super::file::File;
use super::plan::Plan;
use crate::network::Outcome;
use anyhow::{Context, Result};
use powar_tools::write_atomic;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use std::fs;
use std::path::{Path, PathBuf};

/// The results of an experiment.
#[derive(Clone, Debug)]
pub struct Results {
    pub(super) plan: Plan,
    /// Names of the columns: the sweeps, what is relative to the baseline if there is one, and every figure of an [`Outcome`].
    pub columns: Vec<String>,
    pub rows: Vec<Row>,
}

/// A point's results.
#[derive(Clone, Debug)]
pub struct Row {
    pub(super) cells: Vec<Cell>,
    pub is_extra: bool,
    pub outcome: Outcome,
}

impl Results {
    pub(super) fn new(plan: &Plan, outcomes: Vec<Outcome>) -> Result<Results> {
        let has_baseline = plan.file.baseline.is_some();
        let columns = Results::columns_of(&plan.file, &Outcome::default(), has_baseline)?;
        let mut rows = vec![];
        for point in &plan.points {
            let outcome = &outcomes[point.simulation];
            let baseline = point.baseline.map(|place| &outcomes[place]);
            let cells =
                cells(&plan.file, &point.labels, outcome, baseline)?.into_iter().map(|(_, cell)| cell).collect();
            rows.push(Row { cells, is_extra: point.is_extra, outcome: outcome.clone() });
        }
        Ok(Results { plan: plan.clone(), columns, rows })
    }

    /// Names of the columns that an experiment's results have.
    pub(super) fn columns_of(file: &File, outcome: &Outcome, has_baseline: bool) -> Result<Vec<String>> {
        let cells = cells(file, &vec![None; file.sweeps.len()], outcome, has_baseline.then_some(outcome))?;
        Ok(cells.into_iter().map(|(name, _)| name).collect())
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

    /// The label of a point in a sweep's column; empty where the sweep makes no difference.
    pub fn label(&self, row: usize, sweep: &str) -> String {
        self.column(sweep).map(|column| self.rows[row].cells[column].to_string()).unwrap_or_default()
    }

    /// All columns as comma-separated values with a line of names.
    pub fn csv(&self) -> String {
        let quoted = |text: String| match text.contains([',', '"', '\n']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text,
        };
        let line = |cells: Vec<String>| cells.into_iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        let rows = self.rows.iter().map(|row| line(row.cells.iter().map(Cell::to_string).collect()));
        line(self.columns.clone()) + &rows.collect::<String>()
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

    /// The sweeps and what the figures show, as a table in Markdown that is readable as it is.
    pub fn table(&self) -> String {
        let sweeps = self.plan.file.sweeps.iter().map(|sweep| &sweep.name);
        let shown = self.plan.file.figures.iter().flat_map(|figure| figure.panels.iter().map(|panel| &panel.y));
        let mut names: Vec<&String> = vec![];
        for name in sweeps.chain(shown) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let places: Vec<usize> = names.iter().filter_map(|name| self.column(name).ok()).collect();
        let mut lines = vec![places.iter().map(|&place| self.columns[place].clone()).collect::<Vec<_>>()];
        let text = |cell: &Cell| match cell {
            Cell::None => "-".to_string(),
            Cell::Number(value) => significant(*value),
            cell => cell.to_string(),
        };
        lines.extend(self.rows.iter().map(|row| places.iter().map(|&place| text(&row.cells[place])).collect()));
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

    /// Writes tables (`results.csv`, `results.json`, `results.md`) and figures (`NAME.svg`, `NAME.png`) into a folder; each is there
    /// completely or not at all. Returns their paths.
    ///
    /// # Errors
    /// One can't be written, by name.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>> {
        let title = &self.plan.file.title;
        let mut files = vec![
            ("results.csv".to_string(), self.csv().into_bytes()),
            ("results.json".to_string(), self.json()?.into_bytes()),
            ("results.md".to_string(), format!("# {title}\n\n{}", self.table()).into_bytes()),
        ];
        for figure in &self.plan.file.figures {
            let drawing = figure::draw(figure, self).with_context(|| format!("figure `{}`", figure.name))?;
            files.push((format!("{}.svg", figure.name), drawing.svg().into_bytes()));
            files.push((format!("{}.png", figure.name), drawing.png()?));
        }
        fs::create_dir_all(folder).with_context(|| format!("can't create {}", folder.display()))?;
        let write = |(name, bytes): (String, Vec<u8>)| {
            let path = folder.join(name);
            write_atomic(&path, bytes)?;
            Ok(path)
        };
        files.into_iter().map(write).collect()
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

/// A point's columns: sweeps, what is relative to the baseline, the outcome.
fn cells(
    file: &File,
    labels: &[Option<String>],
    outcome: &Outcome,
    baseline: Option<&Outcome>,
) -> Result<Vec<(String, Cell)>> {
    let text = |label: &Option<String>| label.clone().map_or(Cell::None, Cell::Text);
    let mut cells: Vec<(String, Cell)> =
        file.sweeps.iter().map(|sweep| sweep.name.clone()).zip(labels.iter().map(text)).collect();
    cells.extend(baseline.into_iter().flat_map(|baseline| relative(outcome, baseline)));
    // A sweep of the same name says more: its labels are those of the file.
    let is_sweep = |name: &String| file.sweeps.iter().any(|sweep| sweep.name == *name);
    cells.extend(figures(outcome)?.into_iter().filter(|(name, _)| !is_sweep(name)));
    Ok(cells)
}

/// The figures of an outcome: the same columns of every traffic, those about the replay of programs empty of others.
fn figures(outcome: &Outcome) -> Result<Vec<(String, Cell)>> {
    let is_program = outcome.replay.is_some();
    let replay = Some(outcome.replay.clone().unwrap_or_default());
    let mut figures = columns(&Outcome { replay, ..outcome.clone() })?;
    if !is_program {
        let of_replay = figures.iter_mut().filter(|(name, _)| name.starts_with("replay."));
        of_replay.for_each(|(_, cell)| *cell = Cell::None);
    }
    Ok(figures)
}

/// Run time and energies, by both accountings, over those of the baseline; no energy of the cluster where there are no nodes.
fn relative(outcome: &Outcome, baseline: &Outcome) -> Vec<(String, Cell)> {
    let over = |one: Option<f64>, other: Option<f64>| one.zip(other).map(|(one, other)| one / other);
    let cell = |name: &str, value: Option<f64>| (format!("relative.{name}"), value.map_or(Cell::None, Cell::Number));
    vec![
        cell("run_time", Some(outcome.run_time_ns / baseline.run_time_ns)),
        cell("e_net", Some(outcome.power.e_net / baseline.power.e_net)),
        cell("e_cluster", over(outcome.power.e_cluster, baseline.power.e_cluster)),
        cell("worked.e_net", Some(outcome.worked.e_net / baseline.worked.e_net)),
        cell("worked.e_cluster", over(outcome.worked.e_cluster, baseline.worked.e_cluster)),
    ]
}

/// A number with four significant digits or all those before the point.
fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    let digits = 3 - value.abs().log10().floor() as i32;
    format!("{value:.*}", digits.clamp(0, 12) as usize)
}
