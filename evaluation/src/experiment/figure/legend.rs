//! What colours, signs and lines stand for.

use powar_drawing::font;
use powar_drawing::{Anchor, BLACK, Canvas, Mark, Rgb};

const SIZE: f64 = 12.5;
const SAMPLE: f64 = 26.0;
/// Of a ring around the largest mark.
const RING: f64 = 6.6;

/// A ring around a place.
pub fn ring(canvas: &mut Canvas, x: f64, y: f64) {
    let corner = |step: u32| (f64::from(step) * std::f64::consts::TAU / 32.0).sin_cos();
    let points = (0..=32).map(corner).map(|(sin, cos)| (x + RING * cos, y + RING * sin));
    canvas.line(points.collect(), BLACK, 1.2, false);
}

#[derive(Clone, Copy, Debug)]
pub enum Sample {
    Box,
    Line { mark: Option<Mark>, dashed: bool },
    Mark(Mark),
    Hollow(Mark),
    Ring,
}

#[derive(Clone, Debug, Default)]
pub struct Legend {
    /// What comes first: the name of what the entries are values of.
    pub title: String,
    pub entries: Vec<(Sample, Rgb, String)>,
}

impl Legend {
    /// Lines that it takes.
    pub fn rows(&self, width: f64) -> usize {
        self.places(width).last().map_or(0, |(_, row)| row + 1)
    }

    pub fn draw(&self, canvas: &mut Canvas, left: f64, top: f64, width: f64) {
        if self.entries.is_empty() {
            return;
        }
        canvas.text(left, top + 13.0, SIZE, Anchor::Start, BLACK, self.title.clone());
        for ((x, row), (sample, colour, text)) in self.places(width).into_iter().zip(&self.entries) {
            let (x, y) = (left + x, top + 22.0 * row as f64 + 9.0);
            match sample {
                Sample::Box => canvas.rectangle(x + 6.0, y - 6.0, 14.0, 12.0, *colour),
                Sample::Ring => ring(canvas, x + SAMPLE / 2.0 - 2.0, y),
                Sample::Mark(mark) => canvas.mark(*mark, x + SAMPLE / 2.0 - 2.0, y, *colour),
                Sample::Hollow(mark) => canvas.hollow_mark(*mark, x + SAMPLE / 2.0 - 2.0, y, *colour),
                Sample::Line { mark, dashed } => {
                    canvas.line(vec![(x, y), (x + SAMPLE - 4.0, y)], *colour, 2.2, *dashed);
                    if let Some(mark) = mark {
                        canvas.mark(*mark, x + SAMPLE / 2.0 - 2.0, y, *colour);
                    }
                }
            }
            canvas.text(x + SAMPLE, y + 4.0, SIZE, Anchor::Start, BLACK, text.clone());
        }
    }

    /// Start and row of each entry.
    fn places(&self, width: f64) -> Vec<(f64, usize)> {
        let indent = if self.title.is_empty() { 0.0 } else { font::width(&self.title, SIZE) + 14.0 };
        let (mut x, mut row) = (indent, 0);
        let mut places = vec![];
        for (_, _, text) in &self.entries {
            let wide = SAMPLE + font::width(text, SIZE) + 20.0;
            if x + wide > width && x > indent {
                (x, row) = (indent, row + 1);
            }
            places.push((x, row));
            x += wide;
        }
        places
    }
}
