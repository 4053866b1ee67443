//! Lines over a sweep, a plot for each value of another; extras go across.

use super::axis::{self, Plot};
use super::beyond;
use super::legend::{Legend, Sample, ring};
use super::page::{
    COLOURS, FACET_TITLE, GAP, LEFT, MARKS, RIGHT, WIDTH, begin, facets, half_width, labels, upper, value, whisker,
};
use crate::experiment::file::Figure;
use crate::experiment::results::Results;
use anyhow::{Context, Result, ensure};
use powar_drawing::{Anchor, BLACK, Canvas, PALE};

const HEIGHT: f64 = 260.0;

/// Where points are along the axis.
struct Axis {
    labels: Vec<String>,
    /// Of numbers; else they are side by side.
    numbers: Option<Vec<f64>>,
}

pub fn draw(figure: &Figure, results: &Results) -> Result<Canvas> {
    let x = figure.x.as_ref().context("x: the name of a sweep is needed")?;
    let axis = Axis::new(labels(results, x));
    let mut series: Vec<(String, Vec<usize>)> = vec![];
    for row in 0..results.rows.len() {
        let label = |sweep: &String| Some(results.label(row, sweep)).filter(|label| !label.is_empty());
        let name = figure.series.iter().filter_map(label).collect::<Vec<_>>().join(", ");
        match series.iter_mut().find(|(known, _)| *known == name) {
            Some((_, rows)) => rows.push(row),
            None => series.push((name, vec![row])),
        }
    }
    ensure!(!series.is_empty(), "there are no points");
    let style = |number: usize| (COLOURS[number % COLOURS.len()], MARKS[number % MARKS.len()], number >= COLOURS.len());
    let mut legend = Legend::default();
    if series.len() > 1 || !series[0].0.is_empty() {
        for (number, (name, _)) in series.iter().enumerate() {
            let (colour, mark, dashed) = style(number);
            legend.entries.push((Sample::Line { mark: Some(mark), dashed }, colour, name.clone()));
        }
    }
    beyond::explain(&mut legend, results);
    let facets = facets(figure, results);
    let titles = if figure.groups.is_empty() { 0.0 } else { FACET_TITLE };
    let below = (figure.panels.len() * facets.len()) as f64 * (titles + HEIGHT + 24.0 + GAP) + 22.0;
    let (mut canvas, mut top) = begin(figure, &legend, below);
    for (panel, facet) in figure.panels.iter().flat_map(|panel| facets.iter().map(move |facet| (panel, facet))) {
        if let Some(title) = facet.full_title(figure) {
            canvas.text(LEFT, top + 13.0, 13.5, Anchor::Start, BLACK, title);
        }
        top += titles;
        let values = (0..results.rows.len()).filter_map(|row| upper(results, row, panel));
        let max = axis::end(panel, values.fold(0.0, f64::max));
        let plot =
            Plot { left: LEFT, top, width: WIDTH - LEFT - RIGHT, height: HEIGHT, min: panel.min.unwrap_or(0.0), max };
        plot.draw(&mut canvas, panel);
        axis.draw(&mut canvas, &plot);
        let mut beyond = vec![];
        for (number, (_, rows)) in series.iter().enumerate() {
            let (colour, mark, dashed) = style(number);
            let mut points = vec![];
            for &row in rows.iter().filter(|row| facet.rows.contains(row)) {
                let Some(value) = value(results, row, panel) else { continue };
                let before = points.len();
                match axis.x(&plot, &results.label(row, x)) {
                    Some(x) => {
                        points.push((x, plot.y(value)));
                        if let Some(half_width) = half_width(results, row, panel).filter(|_| value <= plot.max) {
                            whisker(&mut canvas, &plot, x, 6.0, (value, half_width));
                        }
                    }
                    // A point that the sweep makes no difference to is the same at all its values.
                    None => points.extend([(plot.left, plot.y(value)), (plot.left + plot.width, plot.y(value))]),
                }
                beyond.extend(points[before..].iter().filter(|_| results.is_saturated(row)).copied());
            }
            for part in below_edge(&points, plot.top) {
                canvas.line(part, colour, 2.2, dashed);
            }
            for &(x, y) in points.iter().filter(|(_, y)| *y >= plot.top) {
                canvas.mark(mark, x, y, colour);
            }
        }
        beyond.iter().filter(|(_, y)| *y >= plot.top).for_each(|&(x, y)| ring(&mut canvas, x, y));
        plot.frame(&mut canvas);
        top += HEIGHT + 24.0 + GAP;
    }
    let label = figure.x_label.clone().unwrap_or_else(|| x.clone());
    canvas.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, top - GAP + 18.0, 13.0, Anchor::Middle, BLACK, label);
    Ok(canvas)
}

impl Axis {
    fn new(labels: Vec<String>) -> Axis {
        let numbers = labels.iter().map(|label| label.parse().ok()).collect::<Option<Vec<f64>>>();
        Axis { labels, numbers: numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite())) }
    }

    /// First and last number.
    fn range(&self, numbers: &[f64]) -> (f64, f64) {
        let (low, high) = numbers.iter().fold((0.0, f64::MIN), |(low, high): (f64, f64), &x| (low.min(x), high.max(x)));
        (low, if high > low { high } else { low + 1.0 })
    }

    fn x(&self, plot: &Plot, label: &str) -> Option<f64> {
        let place = self.labels.iter().position(|one| one == label)?;
        let share = match &self.numbers {
            Some(numbers) => {
                let (low, high) = self.range(numbers);
                (numbers[place] - low) / (high - low)
            }
            None => (place as f64 + 0.5) / self.labels.len() as f64,
        };
        Some(plot.left + share * plot.width)
    }

    fn draw(&self, canvas: &mut Canvas, plot: &Plot) {
        let marks: Vec<(f64, String)> = match &self.numbers {
            Some(numbers) => {
                let (low, high) = self.range(numbers);
                let place = |tick: f64| plot.left + (tick - low) / (high - low) * plot.width;
                axis::ticks(low, high).into_iter().map(|tick| (place(tick), axis::number(tick))).collect()
            }
            None => self.labels.iter().filter_map(|label| Some((self.x(plot, label)?, label.clone()))).collect(),
        };
        for (x, text) in marks {
            canvas.line(vec![(x, plot.top), (x, plot.bottom())], PALE, 1.0, false);
            canvas.text(x, plot.bottom() + 17.0, 11.5, Anchor::Middle, BLACK, text);
        }
    }
}

/// The parts of a line below an edge, cut where they cross it.
pub(super) fn below_edge(points: &[(f64, f64)], edge: f64) -> Vec<Vec<(f64, f64)>> {
    let mut parts: Vec<Vec<(f64, f64)>> = vec![vec![]];
    for (place, &(x, y)) in points.iter().enumerate() {
        let last = place.checked_sub(1).map(|last| points[last]);
        if let Some((from_x, from_y)) = last
            && (from_y < edge) != (y < edge)
        {
            let share = (edge - from_y) / (y - from_y);
            parts.last_mut().expect("never empty").push((from_x + share * (x - from_x), edge));
        }
        match y < edge {
            true => parts.push(vec![]),
            false => parts.last_mut().expect("never empty").push((x, y)),
        }
    }
    parts.retain(|part| part.len() > 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::below_edge;

    #[test]
    fn lines_end_at_the_edge() {
        let points = [(0.0, 10.0), (1.0, 0.0), (2.0, 10.0)];
        assert_eq!(below_edge(&points, 5.0), [vec![(0.0, 10.0), (0.5, 5.0)], vec![(1.5, 5.0), (2.0, 10.0)]]);
        assert_eq!(below_edge(&points, 0.0), [points.to_vec()]);
        assert!(below_edge(&points[..1], 0.0).is_empty());
    }
}
