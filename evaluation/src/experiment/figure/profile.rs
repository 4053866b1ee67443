//! Lines over columns whose names end in numbers, such as `idle.oracle.100`: each point is a line, over a logarithmic axis of these numbers.

use super::axis::{self, Plot, Scale};
use super::legend::{Legend, Sample};
use super::lines::below_edge;
use super::page::{FACET_TITLE, GAP, LEFT, RIGHT, WIDTH, begin, facets, whisker};
use super::style::{Style, style};
use crate::experiment::column::family;
use crate::experiment::file::{Figure, Panel};
use crate::experiment::results::Results;
use anyhow::{Result, ensure};
use powar_drawing::{Anchor, BLACK, Canvas, PALE, font};

const HEIGHT: f64 = 260.0;

pub fn draw(figure: &Figure, results: &Results) -> Result<Canvas> {
    let facets = facets(figure, results);
    ensure!(!facets.is_empty(), "there are no points");
    let mut names: Vec<String> = vec![];
    let mut places = vec![0; results.rows.len()];
    for &row in facets.iter().flat_map(|facet| &facet.rows) {
        let label = |sweep: &String| Some(results.label(row, sweep)).filter(|label| !label.is_empty());
        let beyond = results.is_saturated(row).then(|| "beyond saturation".to_owned());
        let name = figure.series.iter().filter_map(label).chain(beyond).collect::<Vec<_>>().join(", ");
        places[row] = names.iter().position(|known| *known == name).unwrap_or(names.len());
        if places[row] == names.len() {
            names.push(name);
        }
    }
    let title = if let [sweep] = &figure.series[..] { sweep.clone() } else { String::new() };
    let mut legend = Legend { title, entries: vec![] };
    for (number, name) in names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let Style { colour, mark, dashed } = style(number);
        legend.entries.push((Sample::Line { mark: Some(mark), dashed }, colour, name));
    }
    let titles = if figure.groups.is_empty() { 0.0 } else { FACET_TITLE };
    let below = (figure.panels.len() * facets.len()) as f64 * (titles + HEIGHT + 24.0 + GAP) + 22.0;
    let (mut canvas, mut top) = begin(figure, &legend, below);
    for panel in &figure.panels {
        for facet in &facets {
            if let Some(title) = facet.full_title(figure) {
                canvas.text(LEFT, top + 13.0, 13.5, Anchor::Start, BLACK, title);
            }
            plot(&mut canvas, panel, results, top + titles, facet.rows.iter().map(|&row| (row, style(places[row]))));
            top += titles + HEIGHT + 24.0 + GAP;
        }
    }
    if let Some(label) = &figure.x_label {
        canvas.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, top - GAP + 18.0, 13.0, Anchor::Middle, BLACK, label.clone());
    }
    Ok(canvas)
}

/// A panel of some rows, each in its style.
fn plot(canvas: &mut Canvas, panel: &Panel, results: &Results, top: f64, lines: impl Iterator<Item = (usize, Style)>) {
    let all = || 0..results.rows.len();
    // Columns at the end in which no point of any plot has anything would only make the axis longer.
    let has_any = |column: &str| all().any(|row| results.number(row, column).is_some_and(|value| value != 0.0));
    let mut columns = family(&results.columns, &panel.y);
    let shown = columns.iter().rposition(|(_, column)| has_any(column)).map_or(columns.len(), |last| last + 1);
    columns.truncate(shown);
    let value = |row: usize, column: &str| Some(panel.shown(results.number(row, column)?));
    let half_width = |row: usize, column: &str| Some(panel.shown(results.half_width(row, column)?));
    let upper = |row: usize, column: &str| Some(value(row, column)? + half_width(row, column).unwrap_or(0.0));
    let cells = all().flat_map(|row| columns.iter().map(move |(_, column)| (row, column)));
    let scale = Scale::of(panel, axis::range(cells.filter_map(|(row, column)| upper(row, column))));
    let plot = Plot { left: LEFT, top, width: WIDTH - LEFT - RIGHT, height: HEIGHT, scale };
    plot.draw(canvas, panel);
    let axis = Axis::of(&plot, &columns);
    axis.draw(canvas, &plot);
    // Marks over all lines and whiskers: where lines are close these would hide them.
    let mut marks = vec![];
    for (row, Style { colour, mark, dashed }) in lines {
        let mut points = vec![];
        for (number, column) in &columns {
            let (Some(value), x) = (value(row, column), axis.x(*number)) else { continue };
            points.push((x, plot.y(value)));
            if let Some(half_width) = half_width(row, column).filter(|_| value <= plot.scale.max) {
                whisker(canvas, &plot, x, 6.0, (value, half_width));
            }
        }
        for part in below_edge(&points, plot.top) {
            canvas.line(part, colour, 2.2, dashed);
        }
        let shown = points.into_iter().filter(|(_, y)| *y >= plot.top);
        marks.extend(shown.map(|(x, y)| (mark, x, y, colour)));
    }
    for (mark, x, y, colour) in marks {
        canvas.mark(mark, x, y, colour);
    }
    plot.frame(canvas);
}

/// A logarithmic axis; 0, which has no logarithm, is as far to the left of the least other number as twice that to its right.
struct Axis {
    numbers: Vec<u64>,
    left: f64,
    width: f64,
}

impl Axis {
    fn of(plot: &Plot, columns: &[(u64, String)]) -> Axis {
        let numbers = columns.iter().map(|(number, _)| *number).collect();
        // Marks in the middle of the outer ones' places.
        let margin = 0.03 * plot.width;
        Axis { numbers, left: plot.left + margin, width: plot.width - 2.0 * margin }
    }

    /// How far along a number is, in powers of two.
    fn place(&self, number: u64) -> f64 {
        let least = self.numbers.iter().copied().find(|number| *number > 0).unwrap_or(1);
        if number == 0 { (least as f64).log2() - 1.0 } else { (number as f64).log2() }
    }

    fn x(&self, number: u64) -> f64 {
        let ends = [self.numbers.first(), self.numbers.last()].map(|end| self.place(end.copied().unwrap_or(1)));
        let [first, last] = ends;
        let share = if last > first { (self.place(number) - first) / (last - first) } else { 0.5 };
        self.left + share * self.width
    }

    /// Marks at as many numbers as there is room for.
    fn draw(&self, canvas: &mut Canvas, plot: &Plot) {
        let mut right = f64::MIN;
        for &number in &self.numbers {
            let (x, text) = (self.x(number), axis::number(number as f64));
            let wide = font::width(&text, 11.5);
            canvas.line(vec![(x, plot.top), (x, plot.bottom())], PALE, 1.0, false);
            if x - wide / 2.0 > right {
                canvas.text(x, plot.bottom() + 17.0, 11.5, Anchor::Middle, BLACK, text);
                right = x + wide / 2.0 + 8.0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_is_logarithmic() {
        let scale = Scale { min: 0.0, max: 1.0, log: false };
        let plot = Plot { left: 0.0, top: 0.0, width: 100.0, height: 10.0, scale };
        let columns = [0, 8, 16, 64].map(|number| (number, String::new()));
        let axis = Axis::of(&plot, &columns);
        let x: Vec<f64> = [0, 8, 16, 64].into_iter().map(|number| axis.x(number)).collect();
        assert!((x[0] - 3.0).abs() < 1e-9 && (x[3] - 97.0).abs() < 1e-9, "{x:?}");
        assert!((x[1] - x[0] - (x[2] - x[1])).abs() < 1e-9 && (x[3] - x[2] - 2.0 * (x[2] - x[1])).abs() < 1e-9);
    }
}
