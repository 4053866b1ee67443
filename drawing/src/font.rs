//! Text as outlines, of the font that is part of this program.

use std::sync::LazyLock;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// What an SVG asks for: the same font, or others of the same widths.
pub(crate) const FAMILY: &str = "DejaVu Sans, Bitstream Vera Sans, Verdana, sans-serif";

/// Height of digits of size 1, and how high their middle is above the baseline.
pub const DIGIT_HEIGHT: f64 = 0.76;
pub const DIGIT_MIDDLE: f64 = 0.364;

static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(include_bytes!("DejaVuSans.ttf"), 0).expect("the font is part of the program"));

/// Width of a text.
pub fn width(text: &str, size: f64) -> f64 {
    glyphs(text).map(advance).sum::<f64>() * scale(size)
}

/// The text's outline, its baseline at 0, beginning at `start`; none of blanks.
pub(crate) fn outline(text: &str, size: f64, start: f64) -> Option<Path> {
    let mut pen = Pen { path: PathBuilder::new(), x: start, scale: scale(size) };
    for glyph in glyphs(text) {
        // A blank has no outline.
        FACE.outline_glyph(glyph, &mut pen);
        pen.x += advance(glyph) * pen.scale;
    }
    pen.path.finish()
}

fn glyphs(text: &str) -> impl Iterator<Item = GlyphId> {
    // Glyph 0 is the box that stands for characters the font has not.
    text.chars().map(|character| FACE.glyph_index(character).unwrap_or(GlyphId(0)))
}

fn advance(glyph: GlyphId) -> f64 {
    f64::from(FACE.glyph_hor_advance(glyph).unwrap_or(0))
}

fn scale(size: f64) -> f64 {
    size / f64::from(FACE.units_per_em())
}

struct Pen {
    path: PathBuilder,
    x: f64,
    scale: f64,
}

impl Pen {
    /// Fonts count upwards.
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        ((self.x + f64::from(x) * self.scale) as f32, (-f64::from(y) * self.scale) as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_font() {
        // DejaVu Sans has 2048 units an em; its digits are 1303 wide.
        assert!((width("00", 2048.0) - 2606.0).abs() < 1e-9);
        assert_eq!(width("", 10.0), 0.0);
    }

    #[test]
    fn digits_are_as_high_as_is_said() {
        let bounds = outline("0123456789", 1.0, 0.0).unwrap().bounds();
        let (above, below) = (f64::from(-bounds.top()), f64::from(bounds.bottom()));
        assert!((above + below - DIGIT_HEIGHT).abs() < 0.005, "{bounds:?}");
        assert!(((above - below) / 2.0 - DIGIT_MIDDLE).abs() < 0.005, "{bounds:?}");
    }

    #[test]
    fn the_signs_of_figures_are_there() {
        for sign in "µωΩ×≥≤–−·%é".chars() {
            assert!(FACE.glyph_index(sign).is_some(), "{sign}");
        }
    }

    #[test]
    fn outlines_are_where_their_text_is() {
        let bounds = outline("Hg", 100.0, 50.0).unwrap().bounds();
        assert!(bounds.left() > 50.0 && f64::from(bounds.right()) < 50.0 + width("Hg", 100.0));
        assert!(bounds.top() < -70.0 && bounds.bottom() > 15.0);
        assert!(outline("  ", 10.0, 0.0).is_none());
    }
}
