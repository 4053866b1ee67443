//! Figures of an experiment, as SVG and PNG.

// Each module uses only those before it: style, text, legend, beyond, published, axis, cut, page, bars, lines, series, scatter, profile.
mod axis;
mod bars;
mod beyond;
mod cut;
mod legend;
mod lines;
mod page;
mod profile;
mod published;
mod scatter;
mod series;
mod style;
mod text;

use super::file::{Figure, FigureKind};
use super::results::Results;
use anyhow::Result;
pub use powar_drawing::Canvas;

/// Draws a figure.
///
/// # Errors
/// It has nothing to show.
pub fn draw(figure: &Figure, results: &Results) -> Result<Canvas> {
    let mut figure = figure.clone();
    if let Some(repeat) = &results.file.repeat {
        let runs = repeat.values.len();
        figure.title += &match figure.kind {
            // Runs that end at different times have no means over time.
            FigureKind::Series => format!("; each of {runs} runs"),
            _ => format!("; means of {runs}{}", repeat.spread().in_title(&repeat.key)),
        };
    }
    let figure = &figure;
    match figure.kind {
        FigureKind::Bars => bars::draw(figure, results),
        FigureKind::Lines => lines::draw(figure, results),
        FigureKind::Series => series::draw(figure, results),
        FigureKind::Profile => profile::draw(figure, results),
        FigureKind::Scatter => scatter::draw(figure, results),
    }
}
