//! The results for readers: the sweeps, and what the experiment is about.

use super::column::{Cell, family};
use super::file::{Figure, FigureKind, Panel};
use super::meaning;
use super::results::Results;

/// What is shown of an experiment that asks for no column of a whole run.
const USUAL: [&str; 5] = ["run_time_ns", "accepted", "packet_latency.mean", "u_port", "relative.e_net"];

/// Most columns of a profile that a table for readers has.
const MOST_SHOWN: usize = 8;

/// A table as text, cell by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readable {
    /// Names of the columns with their units.
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Whether a column has numbers, which stand at the right.
    pub is_number: Vec<bool>,
    /// How many columns at the beginning say what a row is of.
    pub keys: usize,
}

impl Results {
    /// Places of the columns for readers: the sweeps, those that the file asks for or else what its figures show, and whether points are beyond
    /// saturation if some are.
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
        let asked = match self.file.columns.is_empty() {
            true => self.file.figures.iter().flat_map(of_figure).collect(),
            false => self.file.columns.clone(),
        };
        let is_any = (0..self.rows.len()).any(|row| self.is_saturated(row));
        let shown = asked.into_iter().chain(is_any.then(|| "saturated".to_owned()));
        let mut names: Vec<String> = vec![];
        for name in sweeps.cloned().chain(shown) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let is_empty =
            |place: &usize| !self.rows.is_empty() && self.rows.iter().all(|row| row.cells[*place] == Cell::None);
        let places = |names: &[&str]| -> Vec<usize> {
            names.iter().filter_map(|name| self.column(name).ok()).filter(|place| !is_empty(place)).collect()
        };
        let mut shown = places(&names.iter().map(String::as_str).collect::<Vec<_>>());
        // What happened over time is for its figure, and an experiment may have no other.
        if shown.len() <= self.file.sweeps.len() {
            shown.extend(places(&USUAL));
        }
        shown
    }

    /// The table for readers.
    pub fn readable(&self) -> Readable {
        let places = self.shown();
        let text = |row: usize, place: usize| match &self.rows[row].cells[place] {
            Cell::None => "-".to_string(),
            Cell::Number(value) => match self.half_width(row, &self.columns[place]) {
                Some(half_width) => format!("{} ± {}", significant(*value), as_exact(half_width, *value)),
                None => significant(*value),
            },
            cell => cell.to_string(),
        };
        let is_number = |place: usize| self.rows.iter().any(|row| row.cells[place].number().is_some());
        Readable {
            head: places.iter().map(|&place| self.head(place)).collect(),
            rows: (0..self.rows.len()).map(|row| places.iter().map(|&place| text(row, place)).collect()).collect(),
            is_number: places.iter().map(|&place| is_number(place)).collect(),
            keys: places.iter().filter(|place| **place < self.file.sweeps.len()).count(),
        }
    }

    /// A column's name with its unit, unless the name has it; what a sweep is called is the file's to say.
    fn head(&self, place: usize) -> String {
        let name = &self.columns[place];
        let unit = if place < self.file.sweeps.len() { None } else { meaning::unit(name) };
        let missing = unit.filter(|unit| !name.ends_with(&format!("_{unit}")));
        missing.map_or_else(|| name.clone(), |unit| format!("{name}, {unit}"))
    }

    /// The table for readers in Markdown that is readable as it is.
    pub fn table(&self) -> String {
        self.readable().markdown()
    }
}

impl Readable {
    /// In Markdown, columns below each other.
    pub fn markdown(&self) -> String {
        let Readable { head, rows, is_number, .. } = self;
        let lines = || std::iter::once(head).chain(rows);
        let width = |place: usize| lines().map(|line| line[place].chars().count()).max().unwrap_or(0).max(3);
        let widths: Vec<usize> = (0..head.len()).map(width).collect();
        let mut table = String::new();
        for (number, line) in lines().enumerate() {
            for (place, text) in line.iter().enumerate() {
                let width = widths[place];
                table += &if is_number[place] { format!("| {text:>width$} ") } else { format!("| {text:<width$} ") };
            }
            table += "|\n";
            if number == 0 {
                for (width, is_number) in widths.iter().zip(is_number) {
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
}

/// A number with four significant digits or all those before the point.
fn significant(value: f64) -> String {
    as_exact(value, value)
}

/// A number with as many digits behind the point as [`significant`] gives another; very small ones have an exponent.
fn as_exact(value: f64, other: f64) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    if other != 0.0 && other.abs() < 1e-6 {
        return format!("{value:.3e}");
    }
    let digits = if other == 0.0 { 3 } else { 3 - other.abs().log10().floor() as i32 };
    format!("{value:.*}", digits.clamp(0, 12) as usize)
}
