//! What figures of all kinds have in common: sizes and colours, title and legend, and the values of their points.

use super::axis::Plot;
use super::legend::Legend;
use crate::experiment::file::{Figure, Panel};
use crate::experiment::results::Results;
use powar_drawing::{Anchor, BLACK, Canvas, Mark, Rgb, WHITE};

pub const WIDTH: f64 = 1000.0;
pub const LEFT: f64 = 76.0;
pub const RIGHT: f64 = 18.0;
/// Between panels.
pub const GAP: f64 = 22.0;
/// Colours of lines, told apart by all kinds of colour blindness (Okabe and Ito 2008).
pub const COLOURS: [Rgb; 7] = [
    Rgb(0x00, 0x72, 0xb2),
    Rgb(0xd5, 0x5e, 0x00),
    Rgb(0x00, 0x9e, 0x73),
    Rgb(0xcc, 0x79, 0xa7),
    Rgb(0xe6, 0x9f, 0x00),
    Rgb(0x56, 0xb4, 0xe9),
    Rgb(0x00, 0x00, 0x00),
];
pub const MARKS: [Mark; 5] = [Mark::Circle, Mark::Square, Mark::Triangle, Mark::Diamond, Mark::Cross];
/// What extras are drawn in, beside bars, and whether dashed: one after the other.
const EXTRAS: [(Rgb, bool); 4] = [
    (Rgb(0xd5, 0x5e, 0x00), true),
    (Rgb(0xc0, 0x00, 0x8c), false),
    (Rgb(0x00, 0x00, 0x00), true),
    (Rgb(0x80, 0x80, 0x80), false),
];

/// Colour of an extra's line, and whether it is dashed.
pub fn extra_line(number: usize) -> (Rgb, bool) {
    EXTRAS[number % EXTRAS.len()]
}

/// A canvas with title and legend, and how far down they reach.
pub fn begin(figure: &Figure, legend: &Legend, below: f64) -> (Canvas, f64) {
    let rows = legend.rows(WIDTH - LEFT - RIGHT);
    let top = 44.0 + 22.0 * rows as f64 + 14.0;
    let mut canvas = Canvas::new(WIDTH, top + below);
    canvas.text(LEFT, 28.0, 17.0, Anchor::Start, BLACK, figure.title.clone());
    legend.draw(&mut canvas, LEFT, 48.0, WIDTH - LEFT - RIGHT);
    (canvas, top)
}

/// A point's value in a panel.
pub fn value(results: &Results, row: usize, panel: &Panel) -> Option<f64> {
    Some(panel.shown(results.number(row, &panel.y)?))
}

/// Half the width of its confidence interval; none of a single run.
pub fn half_width(results: &Results, row: usize, panel: &Panel) -> Option<f64> {
    Some(panel.shown(results.half_width(row, &panel.y)?))
}

/// Where the confidence interval of a value ends above; the value of a single run.
pub fn upper(results: &Results, row: usize, panel: &Panel) -> Option<f64> {
    Some(value(results, row, panel)? + half_width(results, row, panel).unwrap_or(0.0))
}

/// The confidence interval of a value within the plot at `x`, with ends of this width; its white edge shows on dark bars.
pub fn whisker(canvas: &mut Canvas, plot: &Plot, x: f64, width: f64, (value, half_width): (f64, f64)) {
    let [low, high] = [value - half_width, value + half_width].map(|end| plot.y(end.clamp(plot.min, plot.max)));
    let (left, right) = (x - width / 2.0, x + width / 2.0);
    let points = vec![(left, high), (right, high), (x, high), (x, low), (left, low), (right, low)];
    canvas.line(points.clone(), WHITE, 3.0, false);
    canvas.line(points, BLACK, 1.2, false);
}

/// Labels of a sweep in the file's order.
pub fn labels(results: &Results, sweep: &str) -> Vec<String> {
    let found = results.file.sweeps.iter().find(|one| one.name == sweep);
    found.map_or(vec![], |sweep| (0..sweep.values.len()).map(|place| sweep.label(place)).collect())
}

/// A plot of a figure, and its points as rows of the results.
pub struct Facet {
    /// The value of the sweep that groups points; empty if there is none.
    pub title: String,
    pub rows: Vec<usize>,
}

impl Facet {
    /// Its title with the name of the sweep, for plots that do not say it elsewhere.
    pub fn full_title(&self, figure: &Figure) -> Option<String> {
        figure.groups.first().map(|sweep| format!("{sweep}: {}", self.title))
    }
}

/// Room for the title of a facet.
pub const FACET_TITLE: f64 = 22.0;

/// A plot for every value of the sweep that groups points; one without such a sweep.
pub fn facets(figure: &Figure, results: &Results) -> Vec<Facet> {
    let all = 0..results.rows.len();
    let rows = |label: &String, sweep| all.clone().filter(|&row| results.label(row, sweep) == *label).collect();
    let facets: Vec<Facet> = match figure.groups.first() {
        None => vec![Facet { title: String::new(), rows: all.collect() }],
        Some(sweep) => {
            let labels = labels(results, sweep).into_iter();
            labels.map(|label| Facet { rows: rows(&label, sweep), title: label }).collect()
        }
    };
    facets.into_iter().filter(|facet| !facet.rows.is_empty()).collect()
}

/// Of ordered values: dark to light, in equal steps to every eye (viridis).
pub fn ramp(place: usize, all: usize) -> Rgb {
    const STOPS: [[f64; 3]; 6] = [
        [68.0, 1.0, 84.0],
        [64.0, 67.0, 135.0],
        [41.0, 120.0, 142.0],
        [34.0, 167.0, 132.0],
        [121.0, 209.0, 81.0],
        [245.0, 225.0, 60.0],
    ];
    let at = if all < 2 { 1.5 } else { place as f64 / (all - 1) as f64 * (STOPS.len() - 1) as f64 };
    let low = (at.floor() as usize).min(STOPS.len() - 2);
    let mix = |channel: usize| {
        let (a, b) = (STOPS[low][channel], STOPS[low + 1][channel]);
        (a + (b - a) * (at - low as f64)).round() as u8
    };
    Rgb(mix(0), mix(1), mix(2))
}
