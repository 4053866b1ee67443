//! One column of the results against another, with the points that no other is better than in both: the Pareto front.

use super::axis::{self, Plot, Scale};
use super::beyond;
use super::legend::{Legend, Sample};
use super::page::{GAP, LEFT, RIGHT, WIDTH, begin, facets, labels, named, value};
use super::style;
use crate::experiment::file::{Figure, Panel, ScaleKind};
use crate::experiment::results::Results;
use anyhow::{Context, Result, ensure};
use powar_drawing::{Anchor, BLACK, Canvas, GREY, Mark, PALE, Rgb, font};

const HEIGHT: f64 = 340.0;
/// Of a plot, what is left free beside its outermost points: as much of the range that they have.
const MARGIN: f64 = 0.06;
/// Size of points' names.
const LABEL: f64 = 10.5;

/// A point of a plot.
struct Point {
    at: (f64, f64),
    colour: Rgb,
    mark: Mark,
    row: usize,
    /// The value of the first sweep, and of both.
    label: String,
    name: String,
}

pub fn draw(figure: &Figure, results: &Results) -> Result<Canvas> {
    let x = figure.x.as_ref().context("x: the name of a column is needed")?;
    ensure!(!results.rows.is_empty(), "there are no points");
    let legend = legend(figure, results);
    let facets = facets(figure, results);
    let plots = figure.panels.len() * facets.len();
    let (mut canvas, mut top) = begin(figure, &legend, plots as f64 * (HEIGHT + 62.0 + GAP));
    let x_label = figure.x_label.as_ref().unwrap_or(x);
    for panel in &figure.panels {
        for facet in &facets {
            let points: Vec<Point> =
                facet.rows.iter().filter_map(|&row| point(figure, results, (x, panel), row)).collect();
            let (points, beyond): (Vec<Point>, Vec<Point>) =
                points.into_iter().partition(|point| figure.x_max.is_none_or(|max| point.at.0 <= max));
            ensure!(!points.is_empty(), "panel `{}`: no point within the axis has {x} and {}", panel.y, panel.y);
            let title = figure.groups.first().map(|sweep| named(sweep, &facet.title)).unwrap_or_default();
            canvas.text(LEFT, top + 14.0, 13.5, Anchor::Start, BLACK, title);
            if !beyond.is_empty() {
                canvas.text(WIDTH - RIGHT, top + 14.0, LABEL, Anchor::End, BLACK, written(&beyond));
            }
            plot(&mut canvas, (results, panel), (x_label, figure.x_scale), top + 24.0, &points);
            top += HEIGHT + 62.0 + GAP;
        }
    }
    Ok(canvas)
}

/// Points that the axis is too short for, in words.
fn written(beyond: &[Point]) -> String {
    let points: Vec<String> = (beyond.iter())
        .map(|point| {
            format!("{} ({}, {})", point.name, axis::number(round(point.at.0)), axis::number(round(point.at.1)))
        })
        .collect();
    format!("beyond: {}", points.join(", "))
}

/// To two digits, as much as can be read of a plot.
fn round(value: f64) -> f64 {
    let unit = 10f64.powf(value.abs().max(f64::MIN_POSITIVE).log10().floor() - 1.0);
    (value / unit).round() * unit
}

/// A colour for each value of the first sweep, a mark for each of the second.
fn legend(figure: &Figure, results: &Results) -> Legend {
    let mut legend = Legend::default();
    for (place, label) in labels(results, &figure.series[0]).into_iter().enumerate() {
        legend.entries.push((Sample::Box, style::colour(place), label));
    }
    for (place, label) in figure.series.get(1).map_or(vec![], |sweep| labels(results, sweep)).into_iter().enumerate() {
        legend.entries.push((Sample::Mark(style::mark(place)), GREY, label));
    }
    legend.entries.push((Sample::Line { mark: None, dashed: true }, GREY, "Pareto front".into()));
    beyond::explain(&mut legend, results);
    legend
}

/// A point of the results; none if it has not both values.
fn point(figure: &Figure, results: &Results, (x, panel): (&str, &Panel), row: usize) -> Option<Point> {
    let at = (figure.x_factor.unwrap_or(1.0) * results.number(row, x)?, value(results, row, panel)?);
    let label = results.label(row, &figure.series[0]);
    let place = |sweep: &String| {
        let label = results.label(row, sweep);
        labels(results, sweep).into_iter().position(|known| known == label).unwrap_or(0)
    };
    let mark = figure.series.get(1).map_or(style::mark(0), |sweep| style::mark(place(sweep)));
    let name = figure.series.iter().map(|sweep| results.label(row, sweep)).collect::<Vec<_>>().join(" ");
    Some(Point { at, colour: style::colour(place(&figure.series[0])), mark, row, label, name })
}

/// Bounds around values, with a margin.
fn around(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let margin = if high > low { MARGIN * (high - low) } else { 0.1 * high.abs().max(1.0) };
    (low - margin, high + margin)
}

/// Of the values along an axis.
fn scale(values: impl Iterator<Item = f64> + Clone, kind: Option<ScaleKind>) -> Scale {
    if kind == Some(ScaleKind::Log) {
        let (least, most) = axis::range(values);
        return Scale::log(least, most);
    }
    let (min, max) = around(values);
    Scale { min, max, log: false }
}

fn plot(
    canvas: &mut Canvas,
    (results, panel): (&Results, &Panel),
    (x_label, x_scale): (&str, Option<ScaleKind>),
    top: f64,
    points: &[Point],
) {
    let scale = scale(points.iter().map(|point| point.at.1), panel.scale);
    let scale = Scale { min: panel.min.unwrap_or(scale.min), max: panel.max.unwrap_or(scale.max), ..scale };
    let plot = Plot { left: LEFT, top, width: WIDTH - LEFT - RIGHT, height: HEIGHT, scale };
    plot.draw(canvas, panel);
    let along = self::scale(points.iter().map(|point| point.at.0), x_scale);
    let place = |(x, y): (f64, f64)| (plot.left + along.share(x) * plot.width, plot.y(y).max(plot.top));
    for tick in along.ticks() {
        let (x, _) = place((tick, scale.min));
        canvas.line(vec![(x, plot.top), (x, plot.bottom())], PALE, 1.0, false);
        axis::number_below(canvas, (x, plot.bottom() + 17.0), WIDTH, tick);
    }
    let centre = plot.left + plot.width / 2.0;
    canvas.text(centre, plot.bottom() + 35.0, 13.0, Anchor::Middle, BLACK, x_label.to_owned());
    let all: Vec<(f64, f64)> = points.iter().map(|point| point.at).collect();
    canvas.line(front(&all).into_iter().map(|number| place(all[number])).collect(), GREY, 1.6, true);
    for point in points {
        let (x, y) = place(point.at);
        canvas.mark(point.mark, x, y, point.colour);
        beyond::mark(canvas, results, point.row, (x, y));
    }
    label(canvas, &plot, points.iter().map(|point| (place(point.at), point.label.as_str())));
    plot.frame(canvas);
}

/// Names points where there is room beside them: on one of four sides, within the plot and over no other name. Where there is none their colour has to do.
fn label<'a>(canvas: &mut Canvas, plot: &Plot, points: impl Iterator<Item = ((f64, f64), &'a str)>) {
    // Left, top, right and bottom of what is written.
    let mut taken: Vec<[f64; 4]> = vec![];
    for ((x, y), text) in points {
        let wide = font::width(text, LABEL);
        let sides = [(8.0, -3.0), (8.0, LABEL), (-8.0 - wide, -3.0), (-8.0 - wide, LABEL)];
        let place = |&(right, down): &(f64, f64)| [x + right, y + down - LABEL, x + right + wide, y + down + 1.0];
        let is_free = |one: &[f64; 4]| {
            let inside = one[0] > plot.left && one[2] < plot.left + plot.width && one[1] > plot.top;
            let apart =
                |other: &[f64; 4]| one[2] < other[0] || other[2] < one[0] || one[3] < other[1] || other[3] < one[1];
            inside && one[3] < plot.bottom() && taken.iter().all(apart)
        };
        if let Some(free) = sides.iter().map(place).find(is_free) {
            canvas.text(free[0], free[3] - 1.0, LABEL, Anchor::Start, BLACK, text);
            taken.push(free);
        }
    }
}

/// The points that no other is better than in one value without being worse in the other, by their places, with the first value rising. Less is better.
fn front(points: &[(f64, f64)]) -> Vec<usize> {
    let better = |one: (f64, f64), other: (f64, f64)| one.0 <= other.0 && one.1 <= other.1 && one != other;
    let mut front: Vec<usize> =
        (0..points.len()).filter(|&place| !points.iter().any(|&other| better(other, points[place]))).collect();
    front.sort_by(|&one, &other| points[one].0.total_cmp(&points[other].0).then(one.cmp(&other)));
    front
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_has_what_nothing_is_better_than() {
        let points = [(3.0, 1.0), (1.0, 4.0), (2.0, 4.0), (2.0, 2.0), (3.0, 2.0), (4.0, 1.0)];
        assert_eq!(front(&points), [1, 3, 0]);
        assert_eq!(front(&[(1.0, 1.0), (1.0, 1.0)]), [0, 1], "two that are the same");
        assert!(front(&[]).is_empty());
    }

    #[test]
    fn bounds_leave_room() {
        let (low, high) = around([2.0, 4.0].into_iter());
        assert!(low < 2.0 && low > 1.8 && high > 4.0 && high < 4.2);
        assert_eq!(around([5.0].into_iter()), (4.5, 5.5));
    }
}
