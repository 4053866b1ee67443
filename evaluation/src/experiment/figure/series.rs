//! Lines of what happens over time, or of one thing that does against another.

use super::axis::{self, Plot, Scale};
use super::legend::{Legend, Sample};
use super::lines::below_edge;
use super::page::{FACET_TITLE, GAP, LEFT, RIGHT, WIDTH, begin, facets, say_empty};
use super::style::{Style, style};
use crate::experiment::cells::interval_cells;
use crate::experiment::file::Figure;
use crate::experiment::results::Results;
use crate::network::Interval;
use anyhow::{Context, Result, ensure};
use powar_drawing::{Anchor, BLACK, Canvas, GREY, PALE};

const HEIGHT: f64 = 230.0;
/// What goes from left to right; of anything else a line comes back.
const TIME: &str = "cycle";

/// The intervals of a run; by column, none where there is no value.
type Values = Vec<Vec<(String, Option<f64>)>>;

/// A point's line, of each of its runs.
struct Line {
    row: usize,
    /// The place of its name among all names.
    name: usize,
    runs: Vec<Values>,
}

/// The lines of all points, and their names.
fn lines_of(figure: &Figure, results: &Results) -> Result<(Vec<Line>, Vec<String>)> {
    let mut names: Vec<String> = vec![];
    let mut lines = vec![];
    for (place, row) in results.rows.iter().enumerate() {
        let label = |sweep: &String| Some(results.label(place, sweep)).filter(|label| !label.is_empty());
        let beyond = results.is_saturated(place).then(|| "beyond saturation".to_owned());
        let name = figure.series.iter().filter_map(label).chain(beyond).collect::<Vec<_>>().join(", ");
        let values = |interval: &Interval| {
            Ok(interval_cells(interval)?.into_iter().map(|(name, cell)| (name, cell.number())).collect())
        };
        let run = |run: &Vec<Interval>| run.iter().map(values).collect::<Result<Values>>();
        let known = names.iter().position(|known| *known == name);
        let name = known.unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        lines.push(Line { row: place, name, runs: row.series.iter().map(run).collect::<Result<_>>()? });
    }
    Ok((lines, names))
}

fn legend_of(names: Vec<String>, x: &str) -> Legend {
    let mut legend = Legend::default();
    for (number, name) in names.into_iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let Style { colour, dashed, .. } = style(number);
        legend.entries.push((Sample::Line { mark: None, dashed }, colour, name));
    }
    if x != TIME {
        for (dashed, text) in [(false, "up to the highest"), (true, "and down again")] {
            legend.entries.push((Sample::Line { mark: None, dashed }, GREY, text.into()));
        }
    }
    legend
}

pub fn draw(figure: &Figure, results: &Results) -> Result<Canvas> {
    let x = figure.x.as_ref().context("x: a column of intervals is needed")?;
    let (lines, names) = lines_of(figure, results)?;
    let all = || lines.iter().flat_map(|line| line.runs.iter().flatten());
    ensure!(all().next().is_some(), "there are no intervals; simulation.interval asks for them");
    let end = all().filter_map(|interval| value(interval, x)).fold(0.0, f64::max);

    let facets = facets(figure, results);
    let titles = if figure.groups.is_empty() { 0.0 } else { FACET_TITLE };
    let below = (figure.panels.len() * facets.len()) as f64 * (titles + HEIGHT + 24.0 + GAP) + 22.0;
    let (mut canvas, mut top) = begin(figure, &legend_of(names, x), below);
    for (panel, facet) in figure.panels.iter().flat_map(|panel| facets.iter().map(move |facet| (panel, facet))) {
        if let Some(title) = facet.full_title(figure) {
            canvas.text(LEFT, top + 13.0, 13.5, Anchor::Start, BLACK, title);
        }
        top += titles;
        let shown = |interval: &[(String, Option<f64>)]| Some(panel.shown(value(interval, &panel.y)?));
        let scale = Scale::of(panel, axis::range(all().filter_map(|interval| shown(interval))));
        let plot = Plot { left: LEFT, top, width: WIDTH - LEFT - RIGHT, height: HEIGHT, scale };
        let along = Scale { min: 0.0, max: end.max(f64::MIN_POSITIVE), log: false };
        plot.draw(&mut canvas, panel);
        for tick in along.ticks() {
            let place = plot.left + along.share(tick) * plot.width;
            canvas.line(vec![(place, plot.top), (place, plot.bottom())], PALE, 1.0, false);
            axis::number_below(&mut canvas, (place, plot.bottom() + 17.0), WIDTH, tick);
        }
        let here = lines.iter().filter(|line| facet.rows.contains(&line.row));
        for (name, values) in here.flat_map(|line| line.runs.iter().map(move |run| (line.name, run))) {
            let points: Vec<(f64, f64)> =
                values.iter().filter_map(|interval| Some((value(interval, x)?, shown(interval)?))).collect();
            draw_line(&mut canvas, &plot, &along, &points, (name, x == TIME));
        }
        if !all().any(|interval| value(interval, &panel.y).is_some()) {
            say_empty(&mut canvas, &plot, "interval", panel);
        }
        plot.frame(&mut canvas);
        top += HEIGHT + 24.0 + GAP;
    }
    let label = figure.x_label.clone().unwrap_or_else(|| x.clone());
    canvas.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, top - GAP + 18.0, 13.0, Anchor::Middle, BLACK, label);
    Ok(canvas)
}

/// A line of this name, over time or over something that comes back.
fn draw_line(canvas: &mut Canvas, plot: &Plot, along: &Scale, points: &[(f64, f64)], (name, over_time): (usize, bool)) {
    let Style { colour, dashed, .. } = style(name);
    for (part, falls) in parts(points, over_time) {
        let part: Vec<_> = part.iter().map(|&(x, y)| (plot.left + along.share(x) * plot.width, plot.y(y))).collect();
        for piece in below_edge(&part, plot.top) {
            canvas.line(piece, colour, 1.8, dashed || falls);
        }
    }
}

/// What an interval has in a column.
fn value(interval: &[(String, Option<f64>)], column: &str) -> Option<f64> {
    interval.iter().find(|(name, _)| name == column).and_then(|(_, value)| *value)
}

/// A line up to its rightmost point, and from there on; over time, which does not come back, in one. The second of a pair: it comes back.
fn parts(points: &[(f64, f64)], is_time: bool) -> Vec<(&[(f64, f64)], bool)> {
    let rightmost = (0..points.len()).max_by(|&a, &b| points[a].0.total_cmp(&points[b].0));
    match rightmost {
        Some(place) if !is_time => vec![(&points[..=place], false), (&points[place..], true)],
        _ => vec![(points, false)],
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_line_that_comes_back_has_two_parts() {
        let points = [(0.1, 1.0), (0.5, 2.0), (0.2, 3.0)];
        assert_eq!(parts(&points, false), [(&points[..2], false), (&points[1..], true)]);
        assert_eq!(parts(&points, true), [(&points[..], false)]);
        assert_eq!(parts(&[], false), [(&[][..], false)]);
    }
}
