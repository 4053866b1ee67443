//! Points beyond saturation: their latencies and backlogs are of the run's length, and a reader has to see which they are.

use super::legend::{Legend, Sample, ring};
use crate::experiment::results::Results;
use powar_drawing::{BLACK, Canvas};

/// What the ring stands for, if there is one in the figure.
pub fn explain(legend: &mut Legend, results: &Results) {
    if (0..results.rows.len()).any(|row| results.is_saturated(row)) {
        legend.entries.push((Sample::Ring, BLACK, "ringed: beyond saturation".into()));
    }
}

/// The ring around a point of the results, if it is one of these.
pub fn mark(canvas: &mut Canvas, results: &Results, row: usize, (x, y): (f64, f64)) {
    if results.is_saturated(row) {
        ring(canvas, x, y);
    }
}
