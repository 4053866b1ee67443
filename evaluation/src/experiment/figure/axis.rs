//! A panel: its place on the canvas, the scale of its y axis, and the marks along it.

use crate::experiment::file::Panel;
use powar_drawing::{Anchor, BLACK, Canvas, GREY, PALE};

/// The place of a panel's plot.
#[derive(Clone, Copy, Debug)]
pub struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    /// Values at the lower and the upper edge.
    pub min: f64,
    pub max: f64,
}

impl Plot {
    /// Where a value is; above the plot if it is more than the most.
    pub fn y(&self, value: f64) -> f64 {
        self.top + self.height * (self.max - value) / (self.max - self.min)
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Frame, grid and the label of the axis; a heavier line at 100 % of a panel in per cent.
    pub fn draw(&self, canvas: &mut Canvas, panel: &Panel) {
        let right = self.left + self.width;
        for tick in ticks(self.min, self.max) {
            let y = self.y(tick);
            canvas.line(vec![(self.left, y), (right, y)], PALE, 1.0, false);
            canvas.text(self.left - 7.0, y + 4.0, 11.5, Anchor::End, BLACK, number(tick));
        }
        if panel.percent && self.min < 100.0 && self.max > 100.0 {
            let y = self.y(100.0);
            canvas.line(vec![(self.left, y), (right, y)], GREY, 1.5, false);
        }
        canvas.upward_text(self.left - 48.0, self.top + self.height / 2.0, 13.0, BLACK, panel.label.clone());
    }

    /// The edges, over what was drawn in between.
    pub fn frame(&self, canvas: &mut Canvas) {
        let (left, right, top, bottom) = (self.left, self.left + self.width, self.top, self.bottom());
        canvas.line(vec![(left, top), (left, bottom), (right, bottom)], BLACK, 1.2, false);
        if self.min > 0.0 {
            // The axis is broken: what is below its beginning is not shown.
            for y in [bottom - 9.0, bottom - 5.0] {
                canvas.line(vec![(left - 5.0, y + 2.0), (left + 5.0, y - 2.0)], BLACK, 1.2, false);
            }
        }
    }
}

/// The end of an axis that shows values up to `most`: a round number, a little above it.
pub fn end(panel: &Panel, most: f64) -> f64 {
    if let Some(max) = panel.max {
        return max;
    }
    let min = panel.min.unwrap_or(0.0);
    let most = if most > min { most + 0.02 * (most - min) } else { min + 1.0 };
    let step = step(most - min);
    (most / step).ceil() * step
}

/// Values of the marks along an axis.
pub fn ticks(min: f64, max: f64) -> Vec<f64> {
    let step = step(max - min);
    let (first, last) = ((min / step - 1e-9).ceil() as i64, (max / step + 1e-9).floor() as i64);
    (first..=last).map(|place| place as f64 * step).collect()
}

/// About five steps of 1, 2, 2.5 or 5 times a power of ten.
fn step(max: f64) -> f64 {
    let rough = max / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough * 0.999).unwrap_or(10.0) * power
}

/// A number without needless digits.
pub fn number(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_numbers() {
        assert_eq!(ticks(0.0, 100.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(95.0, 120.0), [95.0, 100.0, 105.0, 110.0, 115.0, 120.0]);
        assert_eq!(ticks(0.0, 250.0), [0.0, 50.0, 100.0, 150.0, 200.0, 250.0]);
        assert_eq!(
            ticks(0.0, 0.9).iter().map(|tick| number(*tick)).collect::<Vec<_>>(),
            ["0", "0.2", "0.4", "0.6", "0.8"]
        );
    }

    #[test]
    fn axes_end_above_their_highest_value() {
        let panel = Panel { y: "y".into(), label: "y".into(), percent: false, factor: None, min: None, max: None };
        assert_eq!(end(&panel, 93.0), 100.0);
        assert_eq!(end(&panel, 0.0), 1.0);
        assert_eq!(end(&Panel { max: Some(7.0), ..panel }, 93.0), 7.0);
    }
}
