//! What colours, signs and lines stand for.

use super::text::in_lines;
use powar_drawing::font;
use powar_drawing::{Anchor, BLACK, Canvas, Mark, Rgb};

const SIZE: f64 = 12.5;
const SAMPLE: f64 = 26.0;
/// Between two entries, and from one line to the next.
const BETWEEN: f64 = 20.0;
const ROW: f64 = 22.0;
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
        self.places(width).last().map_or(0, |place| place.row + place.lines.len())
    }

    pub fn draw(&self, canvas: &mut Canvas, left: f64, top: f64, width: f64) {
        if self.entries.is_empty() {
            return;
        }
        let write = |canvas: &mut Canvas, x: f64, row: usize, lines: Vec<String>| {
            for (row, line) in (row..).zip(lines) {
                canvas.text(x, top + ROW * row as f64 + 13.0, SIZE, Anchor::Start, BLACK, line);
            }
        };
        write(canvas, left, 0, in_lines(&self.title, SIZE, width));
        for (Place { x, row, lines }, (sample, colour, _)) in self.places(width).into_iter().zip(&self.entries) {
            let (x, y) = (left + x, top + ROW * row as f64 + 9.0);
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
            write(canvas, x + SAMPLE, row, lines);
        }
    }

    /// Where each entry is. One that is longer than a line has several for itself.
    fn places(&self, width: f64) -> Vec<Place> {
        let title = if self.title.is_empty() { 0.0 } else { font::width(&self.title, SIZE) + 14.0 };
        // Beside a long title there is no room for anything.
        let (indent, mut row) =
            if title > width / 2.0 { (0.0, in_lines(&self.title, SIZE, width).len()) } else { (title, 0) };
        let mut x = indent;
        let mut places: Vec<Place> = vec![];
        for (_, _, text) in &self.entries {
            let lines = in_lines(text, SIZE, width - indent - SAMPLE);
            let wide = SAMPLE + font::width(text, SIZE) + BETWEEN;
            let before = places.last().map_or(1, |place| place.lines.len());
            if x > indent && (x + wide > width || before > 1) {
                (x, row) = (indent, row + before);
            }
            places.push(Place { x, row, lines });
            x += wide;
        }
        places
    }
}

/// Where an entry is, from the legend's left edge, in which line it begins, and its text.
struct Place {
    x: f64,
    row: usize,
    lines: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legend(title: &str, entries: &[&str]) -> Legend {
        let entry = |text: &&str| (Sample::Box, BLACK, (*text).to_owned());
        Legend { title: title.into(), entries: entries.iter().map(entry).collect() }
    }

    /// Start and line of each entry, and how many lines it has.
    fn places(legend: &Legend) -> Vec<(f64, usize, usize)> {
        legend.places(400.0).iter().map(|place| (place.x, place.row, place.lines.len())).collect()
    }

    #[test]
    fn entries_that_are_too_long_have_lines_of_their_own() {
        let long = "an entry that goes on ".repeat(6);
        let of = legend("", &["a", &long, "b", "c"]);
        let places = places(&of);
        let lines = places[1].2;
        assert!(lines > 1, "{places:?}");
        assert_eq!((places[1].0, places[1].1), (0.0, 1));
        assert_eq!((places[2].0, places[2].1), (0.0, 1 + lines));
        assert_eq!(places[3].1, 1 + lines);
        assert_eq!(of.rows(400.0), 2 + lines);
        for place in of.places(400.0) {
            assert!(place.lines.iter().all(|line| place.x + SAMPLE + font::width(line, SIZE) <= 400.0));
        }
        assert_eq!(legend("", &["a"]).rows(400.0), 1);
        assert_eq!(legend("", &[]).rows(400.0), 0);
    }

    #[test]
    fn entries_are_below_a_title_that_leaves_them_no_room() {
        assert!(places(&legend("policy", &["a"]))[0].0 > 0.0);
        let title = "what these are values of ".repeat(4);
        let (x, row, _) = places(&legend(&title, &["a"]))[0];
        assert_eq!((x, row), (0.0, in_lines(&title, SIZE, 400.0).len()));
    }
}
