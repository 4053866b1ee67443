//! What figures of all kinds have in common: sizes and colours, title and legend, and the values of their points.

use super::axis::{self, Plot, Scale};
use super::legend::Legend;
use super::text::in_lines;
use crate::experiment::file::{Figure, Panel};
use crate::experiment::results::Results;
use crate::experiment::sweep::Sweep;
use powar_drawing::{Anchor, BLACK, Canvas, GREY, Rgb, WHITE};

pub const WIDTH: f64 = 1000.0;
pub const LEFT: f64 = 76.0;
pub const RIGHT: f64 = 18.0;
/// Size of the title.
const TITLE: f64 = 17.0;
/// Between panels.
pub const GAP: f64 = 22.0;
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
    let title = in_lines(&figure.title, TITLE, WIDTH - LEFT - RIGHT);
    let under_title = 22.0 + 22.0 * title.len() as f64;
    let top = under_title + 22.0 * rows as f64 + 14.0;
    let mut canvas = Canvas::new(WIDTH, top + below);
    for (line, text) in title.into_iter().enumerate() {
        canvas.text(LEFT, 28.0 + 22.0 * line as f64, TITLE, Anchor::Start, BLACK, text);
    }
    legend.draw(&mut canvas, LEFT, under_title + 4.0, WIDTH - LEFT - RIGHT);
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

/// The least value above 0 of some rows in a panel, and where the axis has to reach: to the highest value, and to whiskers up to three
/// tenths above it, so that the rest is still seen. Longer ones are cut off.
pub fn extent(results: &Results, rows: impl Iterator<Item = usize> + Clone, panel: &Panel) -> (f64, f64) {
    let (least, most) = axis::range(rows.clone().filter_map(|row| value(results, row, panel)));
    let upper = |row| Some(value(results, row, panel)? + half_width(results, row, panel)?);
    let (_, upper) = axis::range(rows.filter_map(upper));
    (least, most.max(upper.min(1.3 * most)))
}

/// Says in a plot without a value that no point or interval has one.
pub fn say_empty(canvas: &mut Canvas, plot: &Plot, what: &str, panel: &Panel) {
    let (x, y) = (plot.left + plot.width / 2.0, plot.top + plot.height / 2.0);
    canvas.text(x, y, 13.0, Anchor::Middle, GREY, format!("no {what} has a value of {}", panel.y));
}

/// Whether no point has a value in a panel.
pub fn is_empty(results: &Results, panel: &Panel) -> bool {
    (0..results.rows.len()).all(|row| value(results, row, panel).is_none())
}

/// How high the tip is with which a whisker ends that is cut off.
const TIP: f64 = 4.0;

/// The interval of a value within the plot at `x`, with ends of this width; where it is cut off, below as above, a tip points to where it goes on. Its white
/// edge shows on dark bars.
pub fn whisker(canvas: &mut Canvas, plot: &Plot, x: f64, width: f64, (value, half_width): (f64, f64)) {
    let Scale { min, max, .. } = plot.scale;
    let wide = width / 2.0;
    // From its outer ends to the middle.
    let end = |end: f64| {
        let y = plot.y_within(end);
        let back = if end > max { TIP } else { -TIP };
        match (min..=max).contains(&end) {
            true => [(x - wide, y), (x + wide, y), (x, y), (x, y)],
            false => [(x - wide, y + back), (x, y), (x + wide, y + back), (x, y)],
        }
    };
    let mut points = end(value + half_width).to_vec();
    points.extend(end(value - half_width).into_iter().rev());
    // Beside a line of its own width a bar has no room for an edge.
    let edge = if width < 4.0 { 1.8 } else { 3.0 };
    canvas.line(points.clone(), WHITE, edge, false);
    canvas.line(points, BLACK, 1.2, false);
}

/// Labels of a sweep, or of what values of one have in common, in the file's order.
pub fn labels(results: &Results, name: &str) -> Vec<String> {
    let of = |sweep: &Sweep| (0..sweep.values.len()).map(|place| sweep.label(place)).collect::<Vec<_>>();
    let sweeps = || results.file.sweeps.iter();
    if let Some(sweep) = sweeps().find(|sweep| sweep.name == name) {
        return of(sweep);
    }
    let Some(sweep) = sweeps().find(|sweep| sweep.group.as_ref().is_some_and(|group| group.name == name)) else {
        return vec![];
    };
    let mut groups: Vec<String> = vec![];
    for label in of(sweep).iter().filter_map(|label| sweep.group_of(label)) {
        if groups.iter().all(|known| known != label) {
            groups.push(label.to_owned());
        }
    }
    groups
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
        figure.groups.first().map(|sweep| match is_number(&self.title) {
            true => named(sweep, &self.title),
            false => format!("{sweep}: {}", self.title),
        })
    }
}

/// What a group of points is called: a number alone says nothing, `load 0.01` does.
pub fn named(sweep: &str, label: &str) -> String {
    if is_number(label) { format!("{sweep} {label}") } else { label.to_owned() }
}

fn is_number(label: &str) -> bool {
    label.parse::<f64>().is_ok()
}

/// Room for the title of a facet.
pub const FACET_TITLE: f64 = 22.0;

/// A plot for every value of the sweep that groups points, or of what values of one have in common; one without such a sweep.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Upper and lower end of a whisker at 50 in a plot from 20 to 60, which reaches from 10 to 110.
    fn ends(value: f64, half_width: f64) -> [String; 2] {
        let scale = Scale { min: 20.0, max: 60.0, log: false };
        let plot = Plot { left: 0.0, top: 10.0, width: 100.0, height: 100.0, scale };
        let mut canvas = Canvas::new(100.0, 120.0);
        whisker(&mut canvas, &plot, 50.0, 8.0, (value, half_width));
        let svg = canvas.svg();
        let (_, points) = svg.rsplit_once("points=\"").unwrap();
        let points: Vec<&str> = points.split('"').next().unwrap().split(' ').collect();
        let lower: Vec<&str> = points[4..].iter().rev().copied().collect();
        [points[..3].join(" "), lower[..3].join(" ")]
    }

    #[test]
    fn numbers_have_the_name_of_their_sweep() {
        assert_eq!((named("load", "0.01"), named("policy", "POWAR")), ("load 0.01".into(), "POWAR".into()));
    }

    #[test]
    fn whiskers_have_tips_where_they_are_cut_off() {
        assert_eq!(ends(40.0, 10.0), ["46.0,35.0 54.0,35.0 50.0,35.0", "46.0,85.0 54.0,85.0 50.0,85.0"]);
        assert_eq!(ends(40.0, 30.0), ["46.0,14.0 50.0,10.0 54.0,14.0", "46.0,106.0 50.0,110.0 54.0,106.0"]);
        assert_eq!(ends(30.0, 15.0), ["46.0,47.5 54.0,47.5 50.0,47.5", "46.0,106.0 50.0,110.0 54.0,106.0"]);
    }
}
