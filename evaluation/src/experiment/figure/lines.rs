//! Lines over a sweep, a plot for each value of another; extras go across.

use super::axis::{self, Plot, Scale};
use super::beyond;
use super::legend::{Legend, Sample, ring};
use super::page::{
    FACET_TITLE, Facet, GAP, LEFT, RIGHT, WIDTH, begin, extent, facets, half_width, is_empty, labels, say_empty, value,
    whisker,
};
use super::published;
use super::style::{Style, style};
use crate::experiment::file::{Figure, Panel, ScaleKind};
use crate::experiment::results::Results;
use anyhow::{Context, Result, ensure};
use powar_drawing::{Anchor, BLACK, Canvas, PALE, font};

const HEIGHT: f64 = 260.0;
/// Plots beside each other at most, and what is between them.
const MOST_COLUMNS: usize = 6;
const BESIDE: f64 = 24.0;
/// Size of a plot's title.
const TITLE: f64 = 12.5;
/// Of a line, and how much wider it is for each that covers it, and at most.
const LINE: f64 = 2.2;
const WIDER: f64 = 2.6;
const WIDEST: f64 = 8.0;
/// Points of two lines are at the same place if they are no farther apart.
const SAME: f64 = 1.5;

/// Where points are along the axis.
struct Axis {
    labels: Vec<String>,
    /// Of numbers, with the axis' scale; else they are side by side.
    numbers: Option<(Vec<f64>, Scale)>,
}

/// A line of a plot.
struct Line {
    style: Style,
    points: Vec<(f64, f64)>,
    /// Its points that are beyond saturation.
    beyond: Vec<(f64, f64)>,
    /// The places, values and half widths of those that have an interval.
    whiskers: Vec<(f64, f64, f64)>,
    /// How many of those drawn later cover it.
    covered: usize,
}

pub fn draw(figure: &Figure, results: &Results) -> Result<Canvas> {
    let x = figure.x.as_ref().context("x: the name of a sweep is needed")?;
    let axis = Axis::new(labels(results, x), figure.x_scale == Some(ScaleKind::Log))?;
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
    let legend = legend(figure, results, &series);
    let facets = facets(figure, results);
    let titles = if figure.groups.is_empty() { 0.0 } else { FACET_TITLE };
    // Several panels with as many plots each are a table of them.
    let columns = if figure.panels.len() > 1 && facets.len() <= MOST_COLUMNS { facets.len() } else { 1 };
    let rows = figure.panels.len() * facets.len() / columns;
    let width = (WIDTH - LEFT - RIGHT - (columns - 1) as f64 * BESIDE) / columns as f64;
    let (mut canvas, begin) = begin(figure, &legend, rows as f64 * (titles + HEIGHT + 24.0 + GAP) + 22.0);
    let plots = figure.panels.iter().flat_map(|panel| facets.iter().map(move |facet| (panel, facet)));
    for (place, (panel, facet)) in plots.enumerate() {
        let (row, column) = (place / columns, place % columns);
        let left = LEFT + column as f64 * (width + BESIDE);
        let top = begin + row as f64 * (titles + HEIGHT + 24.0 + GAP) + titles;
        if let Some(title) = facet.full_title(figure) {
            let title = if font::width(&title, TITLE) <= width { title } else { facet.title.clone() };
            canvas.text(left, top - 9.0, TITLE, Anchor::Start, BLACK, title);
        }
        let (least, most) = extent(results, 0..results.rows.len(), panel);
        let (low, high) = axis::range(figure.published_in(panel).map(|(_, value)| value));
        let scale = Scale::of(panel, (least.min(low), most.max(high)));
        let plot = Plot { left, top, width, height: HEIGHT, scale };
        if column == 0 {
            plot.draw(&mut canvas, panel)
        } else {
            plot.draw_grid(&mut canvas, panel)
        }
        axis.draw(&mut canvas, &plot);
        let rows = |all: &[usize]| all.iter().copied().filter(|row| facet.rows.contains(row)).collect::<Vec<_>>();
        let line = |(number, (_, all)): (usize, &(String, Vec<usize>))| {
            Line::new(style(number), &rows(all), (results, panel), (x, &axis), &plot)
        };
        let mut lines: Vec<Line> = series.iter().enumerate().map(line).collect();
        draw_lines(&mut canvas, &plot, &mut lines);
        if is_empty(results, panel) {
            say_empty(&mut canvas, &plot, "point", panel);
        }
        draw_published(&mut canvas, &plot, (figure, panel, facet), (x, &axis), &series);
        plot.frame(&mut canvas);
    }
    let label = figure.x_label.clone().unwrap_or_else(|| x.clone());
    let bottom = begin + rows as f64 * (titles + HEIGHT + 24.0 + GAP);
    canvas.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, bottom - GAP + 18.0, 13.0, Anchor::Middle, BLACK, label);
    Ok(canvas)
}

fn legend(figure: &Figure, results: &Results, series: &[(String, Vec<usize>)]) -> Legend {
    let mut legend = Legend::default();
    if series.len() > 1 || !series[0].0.is_empty() {
        for (number, (name, _)) in series.iter().enumerate() {
            let Style { colour, mark, dashed } = style(number);
            legend.entries.push((Sample::Line { mark: Some(mark), dashed }, colour, name.clone()));
        }
    }
    beyond::explain(&mut legend, results);
    published::explain(&mut legend, figure);
    legend
}

impl Line {
    fn new(
        style: Style,
        rows: &[usize],
        (results, panel): (&Results, &Panel),
        (sweep, axis): (&str, &Axis),
        plot: &Plot,
    ) -> Line {
        let mut line = Line { style, points: vec![], beyond: vec![], whiskers: vec![], covered: 0 };
        for &row in rows {
            let Some(value) = value(results, row, panel) else { continue };
            let before = line.points.len();
            match axis.x(plot, &results.label(row, sweep)) {
                Some(x) => {
                    line.points.push((x, plot.y(value)));
                    let half_width = half_width(results, row, panel).filter(|_| value <= plot.scale.max);
                    line.whiskers.extend(half_width.map(|half_width| (x, value, half_width)));
                }
                // A point that the sweep makes no difference to is the same at all its values.
                None => line.points.extend([(plot.left, plot.y(value)), (plot.left + plot.width, plot.y(value))]),
            }
            if results.is_saturated(row) {
                line.beyond.extend_from_slice(&line.points[before..]);
            }
        }
        line
    }

    /// Another line hides this one at more than half of its points.
    fn is_hidden_by(&self, other: &Line) -> bool {
        let near = |a: &(f64, f64), b: &(f64, f64)| (a.0 - b.0).abs() <= SAME && (a.1 - b.1).abs() <= SAME;
        let hidden = self.points.iter().filter(|point| other.points.iter().any(|one| near(point, one))).count();
        self.points.len() > 1 && 2 * hidden > self.points.len()
    }
}

/// Draws lines one over the other; what later ones would hide is so much wider that it shows on both sides.
fn draw_lines(canvas: &mut Canvas, plot: &Plot, lines: &mut [Line]) {
    for place in 0..lines.len() {
        lines[place].covered =
            (place + 1..lines.len()).filter(|&later| lines[place].is_hidden_by(&lines[later])).count();
    }
    // Where many are at the same place, each shows less.
    let most = lines.iter().map(|line| line.covered).max().unwrap_or(0);
    let step = f64::min(1.0, WIDEST / (WIDER * most as f64));
    for Line { style, points, whiskers, covered, .. } in &*lines {
        for &(x, value, half_width) in whiskers {
            whisker(canvas, plot, x, 6.0, (value, half_width));
        }
        let wider = step * *covered as f64;
        for part in below_edge(points, plot.top) {
            canvas.line(part, style.colour, LINE + WIDER * wider, style.dashed);
        }
        for &(x, y) in points.iter().filter(|(_, y)| *y >= plot.top) {
            canvas.scaled_mark(style.mark, x, y, style.colour, 1.0 + 0.55 * wider);
        }
    }
    let beyond = lines.iter().flat_map(|line| &line.beyond);
    beyond.filter(|(_, y)| *y >= plot.top).for_each(|&(x, y)| ring(canvas, x, y));
}

/// Published values, as hollow marks of the lines that they belong to.
fn draw_published(
    canvas: &mut Canvas,
    plot: &Plot,
    (figure, panel, facet): (&Figure, &Panel, &Facet),
    (sweep, axis): (&str, &Axis),
    series: &[(String, Vec<usize>)],
) {
    for (at, value) in figure.published_in(panel).filter(|(_, value)| *value <= plot.scale.max) {
        let elsewhere =
            figure.groups.first().and_then(|group| at.get(group)).is_some_and(|label| *label != facet.title);
        let name = figure.series.iter().filter_map(|sweep| at.get(sweep).cloned()).collect::<Vec<_>>().join(", ");
        let is_here = |number: &usize| series[*number].1.iter().any(|row| facet.rows.contains(row));
        let number = series.iter().position(|(known, _)| *known == name).filter(is_here);
        let x = at.get(sweep).and_then(|label| axis.x(plot, label));
        if let (false, Some(number), Some(x)) = (elsewhere, number, x) {
            canvas.hollow_mark(style(number).mark, x, plot.y_within(value), style(number).colour);
        }
    }
}

impl Axis {
    /// # Errors
    /// Its labels are to be on a logarithmic scale and one has no place there.
    fn new(labels: Vec<String>, log: bool) -> Result<Axis> {
        let numbers = labels.iter().map(|label| label.parse().ok()).collect::<Option<Vec<f64>>>();
        let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
        if log {
            let above = numbers.as_ref().is_some_and(|numbers| numbers.iter().all(|number| *number > 0.0));
            ensure!(
                above,
                "x_scale: log needs a sweep whose labels are numbers above 0; there are {}",
                labels.join(", ")
            );
        }
        let scale = |numbers: &[f64]| {
            let (low, high) =
                numbers.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (f64::min(low, x), f64::max(high, x)));
            if log {
                // The outermost points are at the edges, as they are on other axes.
                return Scale { min: low, max: if high > low { high } else { 2.0 * low }, log };
            }
            let low = low.min(0.0);
            Scale { min: low, max: if high > low { high } else { low + 1.0 }, log }
        };
        Ok(Axis { labels, numbers: numbers.map(|numbers| (numbers.clone(), scale(&numbers))) })
    }

    /// The place of a label; along numbers also of one that no point has.
    fn x(&self, plot: &Plot, label: &str) -> Option<f64> {
        let share = match &self.numbers {
            Some((_, scale)) => scale.share(label.parse().ok()?),
            None => {
                let place = self.labels.iter().position(|one| one == label)?;
                (place as f64 + 0.5) / self.labels.len() as f64
            }
        };
        (0.0..=1.0).contains(&share).then_some(plot.left + share * plot.width)
    }

    fn draw(&self, canvas: &mut Canvas, plot: &Plot) {
        let marks: Vec<(f64, String)> = match &self.numbers {
            Some((numbers, scale)) => {
                // On a logarithmic axis the points' own numbers say more than round ones.
                let ticks = if scale.log { numbers.clone() } else { scale.ticks() };
                let place = |tick: f64| plot.left + scale.share(tick) * plot.width;
                ticks.into_iter().map(|tick| (place(tick), axis::number(tick))).collect()
            }
            None => self.labels.iter().filter_map(|label| Some((self.x(plot, label)?, label.clone()))).collect(),
        };
        let mut right = f64::MIN;
        for (x, text) in marks {
            canvas.line(vec![(x, plot.top), (x, plot.bottom())], PALE, 1.0, false);
            // Numbers where there is room for them; names are all there is to know a place by.
            let half = font::width(&text, 11.5) / 2.0;
            if self.numbers.is_none() || x - half > right {
                let middle = x.min(axis::last_middle(&text, WIDTH));
                canvas.text(middle, plot.bottom() + 17.0, 11.5, Anchor::Middle, BLACK, text);
                right = x + half + 5.0;
            }
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
    use super::*;

    fn line(points: &[(f64, f64)]) -> Line {
        Line { style: style(0), points: points.to_vec(), beyond: vec![], whiskers: vec![], covered: 0 }
    }

    #[test]
    fn lines_under_others_are_wider() {
        let plot =
            Plot { left: 0.0, top: 0.0, width: 100.0, height: 100.0, scale: Scale { min: 0.0, max: 1.0, log: false } };
        let all = [(0.0, 10.0), (50.0, 20.0), (100.0, 30.0)];
        let mut lines = [line(&all), line(&[all[0], (50.0, 60.0), (100.0, 70.0)]), line(&all)];
        draw_lines(&mut Canvas::new(100.0, 100.0), &plot, &mut lines);
        assert_eq!(lines.each_ref().map(|line| line.covered), [1, 0, 0]);
    }

    #[test]
    fn numbers_are_where_they_belong() {
        let plot =
            Plot { left: 0.0, top: 0.0, width: 100.0, height: 1.0, scale: Scale { min: 0.0, max: 1.0, log: false } };
        let labels = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect::<Vec<_>>();
        let log = Axis::new(labels(&["1", "100"]), true).unwrap();
        assert_eq!(
            ["1", "10", "100", "1000", "x"].map(|label| log.x(&plot, label).map(f64::round)),
            [Some(0.0), Some(50.0), Some(100.0), None, None]
        );
        let names = Axis::new(labels(&["a", "b"]), false).unwrap();
        assert_eq!([names.x(&plot, "a"), names.x(&plot, "c")], [Some(25.0), None]);
        for bad in [labels(&["0", "1"]), labels(&["a"])] {
            let text = format!("{:#}", Axis::new(bad, true).err().unwrap());
            assert!(
                text.starts_with("x_scale: log needs a sweep whose labels are numbers above 0; there are "),
                "{text}"
            );
        }
    }

    #[test]
    fn lines_end_at_the_edge() {
        let points = [(0.0, 10.0), (1.0, 0.0), (2.0, 10.0)];
        assert_eq!(below_edge(&points, 5.0), [vec![(0.0, 10.0), (0.5, 5.0)], vec![(1.5, 5.0), (2.0, 10.0)]]);
        assert_eq!(below_edge(&points, 0.0), [points.to_vec()]);
        assert!(below_edge(&points[..1], 0.0).is_empty());
    }
}
