//! Bars that go on above the end of the axis, and those that end below its beginning.

use super::axis::{self, Plot};
use powar_drawing::font;
use powar_drawing::{Anchor, BLACK, Canvas, GREY, Rgb, WHITE};

/// Size of the values, and the least room between two side by side.
const SIZE: f64 = 10.0;
const GAP: f64 = 6.0;

/// How bars of one panel are cut off: a gap near their end, and their value.
pub struct Cut<'a> {
    plot: &'a Plot,
    bar: f64,
    /// There is room for every value above its bar; else all are upright inside, no higher than a bar is wide.
    is_above: bool,
    /// Likewise for the values of bars that end below the plot.
    is_level: bool,
}

impl<'a> Cut<'a> {
    /// For bars of this width and these values; those within the plot don't count.
    pub fn new(plot: &'a Plot, bar: f64, values: impl Iterator<Item = f64>) -> Cut<'a> {
        let (mut above, mut below) = (0.0, 0.0);
        for value in values {
            let width = font::width(&text(value), SIZE);
            if value > plot.scale.max {
                above = f64::max(above, width);
            } else if value < plot.scale.min {
                below = f64::max(below, width);
            }
        }
        Cut { plot, bar, is_above: above + GAP <= bar, is_level: below + GAP <= bar }
    }

    /// Where a bar would begin at `left` that ends below the plot: its value alone, in the bar's place.
    pub fn draw_below(&self, canvas: &mut Canvas, left: f64, value: f64) {
        let (middle, bottom, text) = (left + self.bar / 2.0, self.plot.bottom(), text(value));
        if self.is_level {
            canvas.text(middle, bottom - 5.0, SIZE, Anchor::Middle, GREY, text);
        } else {
            let size = self.upright();
            let centre = bottom - 5.0 - font::width(&text, size) / 2.0;
            canvas.upward_text(middle + size * font::DIGIT_MIDDLE, centre, size, GREY, text);
        }
    }

    /// Size of values that are upright.
    fn upright(&self) -> f64 {
        ((self.bar - 1.0) / font::DIGIT_HEIGHT).clamp(0.0, SIZE)
    }

    /// At a bar of a colour that begins at `left`.
    pub fn draw(&self, canvas: &mut Canvas, left: f64, value: f64, colour: Rgb) {
        let (middle, top) = (left + self.bar / 2.0, self.plot.top);
        canvas.line(vec![(left - 0.5, top + 11.0), (left + self.bar + 0.5, top + 7.0)], WHITE, 2.5, false);
        let text = text(value);
        if self.is_above {
            canvas.text(middle, top - 4.0, SIZE, Anchor::Middle, GREY, text);
        } else {
            let size = self.upright();
            let centre = top + 16.0 + font::width(&text, size) / 2.0;
            canvas.upward_text(middle + size * font::DIGIT_MIDDLE, centre, size, readable_on(colour), text);
        }
    }
}

/// A value to two digits, of larger ones all before the point.
fn text(value: f64) -> String {
    let digits = (1.0 - value.abs().max(1e-5).log10().floor()).max(0.0);
    let unit = 10f64.powf(-digits);
    axis::number((value / unit).round() * unit)
}

/// Black on colours of a lightness (CIELAB L*) above 60, white on darker ones.
fn readable_on(Rgb(red, green, blue): Rgb) -> Rgb {
    let linear = |channel: u8| (f64::from(channel) / 255.0).powf(2.2);
    let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
    if 116.0 * luminance.cbrt() - 16.0 > 60.0 { BLACK } else { WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether values are upright, and where each of three neighbours begins and ends from left to right.
    fn places(bar: f64, values: [f64; 3]) -> (bool, Vec<(f64, f64)>) {
        let scale = axis::Scale { min: 0.0, max: 100.0, log: false };
        let plot = Plot { left: 0.0, top: 20.0, width: 300.0, height: 100.0, scale };
        let mut canvas = Canvas::new(300.0, 130.0);
        let cut = Cut::new(&plot, bar, values.into_iter());
        for (place, value) in values.into_iter().enumerate() {
            cut.draw(&mut canvas, place as f64 * bar, value, BLACK);
        }
        let svg = canvas.svg();
        let number = |line: &str, name: &str| -> f64 {
            let (_, rest) = line.split_once(&format!(" {name}=\"")).unwrap();
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        let texts = svg.lines().filter(|line| line.starts_with("<text"));
        let extent = |(line, value): (&str, f64)| {
            let (x, size) = (number(line, "x"), number(line, "font-size"));
            assert!(size > 1.0 && size <= SIZE && line.contains(&format!(">{value}</text>")), "{line}");
            let half = font::width(&value.to_string(), size) / 2.0;
            let reach = size * font::DIGIT_HEIGHT / 2.0;
            let middle = x - size * font::DIGIT_MIDDLE;
            if line.contains("rotate(-90") { (middle - reach, middle + reach) } else { (x - half, x + half) }
        };
        (svg.contains("rotate(-90"), texts.zip(values).map(extent).collect())
    }

    #[test]
    fn values_of_neighbours_do_not_run_into_each_other() {
        for tenths in 25..600 {
            let bar = f64::from(tenths) / 10.0;
            for values in [[854.0, 191.0, 165.0], [104.0, 12697.0, 101.0]] {
                let (_, places) = places(bar, values);
                assert_eq!(places.len(), 3);
                for pair in places.windows(2) {
                    // Places in an SVG are rounded to a tenth.
                    assert!(pair[1].0 - pair[0].1 >= 0.89, "bars of {bar}: {pair:?}");
                }
            }
        }
    }

    #[test]
    fn values_of_a_panel_are_all_above_or_all_upright() {
        // Three digits are 19.1 wide, five 31.8.
        let is_upright = |bar, values| places(bar, values).0;
        assert!(is_upright(20.0, [854.0, 191.0, 165.0]) && !is_upright(26.0, [854.0, 191.0, 165.0]));
        assert!(is_upright(26.0, [854.0, 12697.0, 165.0]) && !is_upright(38.0, [854.0, 12697.0, 165.0]));
    }

    #[test]
    fn values_that_are_written_can_be_read() {
        let texts = [854.4, 12_697.2, 12.4, 1.24, 0.124, 0.0124, 0.0].map(text);
        assert_eq!(texts, ["854", "12697", "12", "1.2", "0.12", "0.012", "0"]);
    }

    #[test]
    fn bars_below_the_plot_have_their_value_in_it() {
        let scale = axis::Scale { min: 50.0, max: 100.0, log: false };
        let plot = Plot { left: 0.0, top: 20.0, width: 300.0, height: 100.0, scale };
        for (bar, is_upright) in [(40.0, false), (12.0, true)] {
            let mut canvas = Canvas::new(300.0, 130.0);
            Cut::new(&plot, bar, [23.0, 70.0].into_iter()).draw_below(&mut canvas, 0.0, 23.0);
            let svg = canvas.svg();
            assert!(svg.contains(">23</text>") && svg.contains("rotate(-90") == is_upright, "{svg}");
        }
    }

    #[test]
    fn values_differ_from_their_bar() {
        // Along the ramp of colours.
        let colours = [Rgb(68, 1, 84), Rgb(41, 120, 142), Rgb(121, 209, 81), Rgb(245, 225, 60)];
        assert_eq!(colours.map(readable_on), [WHITE, WHITE, BLACK, BLACK]);
    }
}
