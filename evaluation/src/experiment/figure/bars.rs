//! Groups of bars; extras as lines over them.

use super::axis::{self, Plot, Scale};
use super::beyond;
use super::cut::Cut;
use super::legend::{Legend, Sample};
use super::page::{
    GAP, LEFT, RIGHT, WIDTH, begin, extent, extra_line, half_width, is_empty, labels, named, ramp, say_empty, value,
    whisker,
};
use super::published;
use crate::experiment::file::{Figure, Panel};
use crate::experiment::results::Results;
use anyhow::{Context, Result, ensure};
use powar_drawing::font;
use powar_drawing::{Anchor, BLACK, Canvas, PALE};

const HEIGHT: f64 = 190.0;

/// The values of one panel: by outer group, inner group and bar, and the extras of an outer group.
struct Layout {
    outer: Vec<String>,
    inner: Vec<String>,
    bars: Vec<String>,
    /// Rows of the points.
    points: Vec<Vec<Vec<Option<usize>>>>,
    extras: Vec<Vec<(usize, usize, usize)>>,
}

pub fn draw(figure: &Figure, results: &Results) -> Result<Canvas> {
    let bars = figure.bars.as_ref().context("bars: the name of a sweep is needed")?;
    let layout = Layout::new(figure, bars, results);
    ensure!(!layout.outer.is_empty(), "there are no points");
    let extras: Vec<String> = results.file.extras.iter().map(|extra| extra.label.clone()).collect();
    let all = layout.bars.len();
    let mut legend = Legend { title: bars.clone(), entries: vec![] };
    legend
        .entries
        .extend(layout.bars.iter().enumerate().map(|(place, text)| (Sample::Box, ramp(place, all), text.clone())));
    legend.entries.extend(extras.into_iter().enumerate().map(|(number, text)| {
        let (colour, dashed) = extra_line(number);
        (Sample::Line { mark: None, dashed }, colour, text)
    }));
    beyond::explain(&mut legend, results);
    published::explain(&mut legend, figure);
    let inner_text = if layout.inner.len() > 1 { 20.0 } else { 0.0 };
    let panels = figure.panels.len() as f64;
    let below = panels * (HEIGHT + inner_text + GAP) + 48.0;
    let (mut canvas, mut top) = begin(figure, &legend, below);
    for panel in &figure.panels {
        let (least, most) = extent(results, 0..results.rows.len(), panel);
        let (_, published) = axis::range(figure.published_in(panel).map(|(_, value)| value));
        let scale = Scale::of(panel, (least, most.max(published)));
        let plot = Plot { left: LEFT, top, width: WIDTH - LEFT - RIGHT, height: HEIGHT, scale };
        layout.draw(&mut canvas, &plot, panel, results);
        if is_empty(results, panel) {
            say_empty(&mut canvas, &plot, "point", panel);
        }
        layout.draw_published(&mut canvas, &plot, figure, panel);
        top += HEIGHT + inner_text + GAP;
    }
    let wide = (WIDTH - LEFT - RIGHT) / layout.outer.len() as f64;
    for (place, text) in layout.outer.iter().enumerate() {
        let x = LEFT + wide * (place as f64 + 0.5);
        canvas.text(x, top - GAP + 20.0, 14.0, Anchor::Middle, BLACK, named(&figure.groups[0], text));
    }
    let label = figure.x_label.clone().unwrap_or_else(|| figure.groups.join("; within it: "));
    canvas.text(LEFT + (WIDTH - LEFT - RIGHT) / 2.0, top - GAP + 43.0, 13.0, Anchor::Middle, BLACK, label);
    Ok(canvas)
}

impl Layout {
    fn new(figure: &Figure, bars: &str, results: &Results) -> Layout {
        let outer = labels(results, &figure.groups[0]);
        let inner_sweep = figure.groups.get(1);
        let inner = inner_sweep.map_or(vec![String::new()], |sweep| labels(results, sweep));
        let bar_labels = labels(results, bars);
        let mut points = vec![vec![vec![None; bar_labels.len()]; inner.len()]; outer.len()];
        let mut extras = vec![vec![]; outer.len()];
        let place = |labels: &[String], label: &str| labels.iter().position(|one| one == label);
        for row in 0..results.rows.len() {
            let outer_label = results.label(row, &figure.groups[0]);
            let inner_label = inner_sweep.map_or(String::new(), |sweep| results.label(row, sweep));
            let Some(group) = place(&outer, &outer_label) else { continue };
            match (place(&inner, &inner_label), place(&bar_labels, &results.label(row, bars))) {
                (Some(inner), Some(bar)) => points[group][inner][bar] = Some(row),
                // A point without a place of its own counts for all those it could have.
                (Some(inner), None) => extras[group].push((row, inner, inner + 1)),
                (None, _) => extras[group].push((row, 0, inner.len())),
            }
        }
        Layout { outer, inner, bars: bar_labels, points, extras }
    }

    /// Where a bar begins and how wide it is.
    fn bar(&self, plot: &Plot, [outer, inner, bar]: [usize; 3]) -> (f64, f64) {
        let group = plot.width / self.outer.len() as f64;
        let of_inner = (group - 16.0) / self.inner.len() as f64;
        let width = (of_inner - 12.0) / self.bars.len() as f64;
        (plot.left + group * outer as f64 + 8.0 + of_inner * inner as f64 + 6.0 + width * bar as f64, width)
    }

    fn draw_published(&self, canvas: &mut Canvas, plot: &Plot, figure: &Figure, panel: &Panel) {
        let place = |labels: &[String], label: Option<&String>| {
            label.map_or(Some(0), |label| labels.iter().position(|known| known == label))
        };
        for (at, value) in figure.published_in(panel).filter(|(_, value)| *value <= plot.scale.max) {
            let label = |sweep: Option<&String>| sweep.and_then(|sweep| at.get(sweep));
            let places = (
                place(&self.outer, label(figure.groups.first())),
                place(&self.inner, label(figure.groups.get(1))),
                place(&self.bars, label(figure.bars.as_ref())),
            );
            if let (Some(outer), Some(inner), Some(bar)) = places {
                let (left, width) = self.bar(plot, [outer, inner, bar]);
                canvas.hollow_mark(published::MARK, left + width / 2.0, plot.y_within(value), BLACK);
            }
        }
    }

    fn draw(&self, canvas: &mut Canvas, plot: &Plot, panel: &Panel, results: &Results) {
        plot.draw(canvas, panel);
        let group = plot.width / self.outer.len() as f64;
        let inner = (group - 16.0) / self.inner.len() as f64;
        let (_, bar) = self.bar(plot, [0; 3]);
        let rows = self.points.iter().flatten().flatten().flatten();
        let cut = Cut::new(plot, bar, rows.filter_map(|&row| value(results, row, panel)));
        for (outer, points) in self.points.iter().enumerate() {
            let left = plot.left + group * outer as f64 + 8.0;
            if outer > 0 {
                let x = left - 8.0;
                canvas.line(vec![(x, plot.top - 4.0), (x, plot.bottom() + 18.0)], PALE, 1.2, false);
            }
            for (place, row) in points.iter().enumerate() {
                let left = left + inner * place as f64;
                for (number, point) in row.iter().enumerate() {
                    let Some(row) = *point else { continue };
                    let Some(value) = value(results, row, panel) else { continue };
                    let (x, _) = self.bar(plot, [outer, place, number]);
                    let y = plot.y_within(value);
                    let colour = ramp(number, self.bars.len());
                    canvas.rectangle(x + 0.5, y, bar - 1.0, plot.bottom() - y, colour);
                    beyond::mark(canvas, results, row, (x + bar / 2.0, y));
                    if value > plot.scale.max {
                        cut.draw(canvas, x, value, colour);
                    } else if value < plot.scale.min {
                        cut.draw_below(canvas, x, value);
                    } else if let Some(half_width) = half_width(results, row, panel) {
                        whisker(canvas, plot, x + bar / 2.0, (0.4 * bar).min(8.0), (value, half_width));
                    }
                }
                if self.inner.len() > 1 {
                    let (x, y) = (left + inner / 2.0, plot.bottom() + 15.0);
                    let size = (11.5 * inner / (font::width(&self.inner[place], 11.5) + 4.0)).min(11.5);
                    canvas.text(x, y, size, Anchor::Middle, BLACK, self.inner[place].clone());
                }
            }
            for &(row, from, to) in &self.extras[outer] {
                let Some(value) = value(results, row, panel) else { continue };
                let y = plot.y_within(value);
                let ends = vec![(left + inner * from as f64 + 3.0, y), (left + inner * to as f64 - 3.0, y)];
                let (colour, dashed) = extra_line(results.rows[row].extra.unwrap_or(0));
                canvas.line(ends, colour, 2.2, dashed);
            }
        }
        plot.frame(canvas);
    }
}
