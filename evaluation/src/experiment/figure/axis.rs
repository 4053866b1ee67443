//! A panel: its place on the canvas, the scale of its y axis, and the marks along it.

use crate::experiment::file::{Panel, ScaleKind};
use powar_drawing::{Anchor, BLACK, Canvas, GREY, PALE, font};

/// Values along an axis, by themselves or by their logarithms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub min: f64,
    pub max: f64,
    pub log: bool,
}

impl Scale {
    /// Of a panel whose values above 0 are from `least` to `most`; it ends at a round number, a little above them.
    pub fn of(panel: &Panel, (least, most): (f64, f64)) -> Scale {
        match panel.scale {
            Some(ScaleKind::Log) => {
                let scale = Scale::log(least, most);
                Scale { min: panel.min.unwrap_or(scale.min), max: panel.max.unwrap_or(scale.max), log: true }
            }
            _ => Scale { min: panel.min.unwrap_or(0.0), max: end(panel, most), log: false },
        }
    }

    /// From the last to the next of 1, 2 and 5 times a power of ten.
    pub fn log(least: f64, most: f64) -> Scale {
        let least = if least.is_finite() && least > 0.0 { least } else { 1.0 };
        let most = most.max(2.0 * least);
        let rounds = |from: f64| ROUND.map(|factor| factor * 10f64.powf(from.log10().floor()));
        let min = rounds(least * 1.000_001).into_iter().rfind(|round| *round <= least * 1.000_001).unwrap_or(least);
        let max = rounds(most).into_iter().find(|round| *round >= most * 0.999_999);
        Scale { min, max: max.unwrap_or(10f64.powf(most.log10().floor() + 1.0)), log: true }
    }

    /// How far along a value is, 0 at the beginning and 1 at the end; what has no place on a logarithmic scale is at its beginning.
    pub fn share(&self, value: f64) -> f64 {
        match self.log {
            true => (value.max(self.min) / self.min).ln() / (self.max / self.min).ln(),
            false => (value - self.min) / (self.max - self.min),
        }
    }

    /// Values of the marks along the axis.
    pub fn ticks(&self) -> Vec<f64> {
        if !self.log {
            return ticks(self.min, self.max);
        }
        let decades = self.min.log10().floor() as i32..=self.max.log10().ceil() as i32;
        let each: &[f64] = if (self.max / self.min).log10() > 3.5 { &ROUND[..1] } else { &ROUND };
        let all = decades.flat_map(|decade| each.iter().map(move |factor| factor * 10f64.powi(decade)));
        all.filter(|tick| *tick >= self.min * 0.999_999 && *tick <= self.max * 1.000_001).collect()
    }
}

/// What the marks of a logarithmic axis are multiples of powers of ten by.
const ROUND: [f64; 3] = [1.0, 2.0, 5.0];

/// The least of some values above 0, and the most of all.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| {
        (if value > 0.0 { f64::min(least, value) } else { least }, f64::max(most, value))
    })
}

/// Sizes of the numbers along the axis and of its label; from the axis to its numbers, from them to the label, and from the axis to
/// a label beside narrow ones.
const NUMBER: f64 = 11.5;
const LABEL: f64 = 13.0;
const TO_NUMBERS: f64 = 7.0;
const BETWEEN: f64 = 4.0;
const USUAL_LABEL: f64 = 48.0;

/// The least room from the number of a mark to the next, and from an end of an axis to the next mark.
const ROOM: f64 = 11.0;
const NEAREST: f64 = 5.0;

/// The place of a panel's plot.
#[derive(Clone, Copy, Debug)]
pub struct Plot {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
    /// From the lower edge to the upper one.
    pub scale: Scale,
}

impl Plot {
    /// Where a value is; above the plot if it is more than the most.
    pub fn y(&self, value: f64) -> f64 {
        self.top + self.height * (1.0 - self.scale.share(value))
    }

    /// The same, at the edge if it is beyond it.
    pub fn y_within(&self, value: f64) -> f64 {
        self.y(value.clamp(self.scale.min, self.scale.max))
    }

    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// Grid, numbers and label of the axis; a heavier line at 100 % of a panel in per cent.
    pub fn draw(&self, canvas: &mut Canvas, panel: &Panel) {
        self.draw_grid(canvas, panel);
        for (tick, up) in self.marks(panel) {
            canvas.text(self.left - TO_NUMBERS, self.y(tick) - up + 4.0, NUMBER, Anchor::End, BLACK, number(tick));
        }
        canvas.upward_text(self.label_at(panel), self.top + self.height / 2.0, LABEL, BLACK, panel.label.clone());
    }

    /// Where the baseline of the axis' label is: left of the widest number, as near to the plot as usual if that is narrow.
    fn label_at(&self, panel: &Panel) -> f64 {
        let widest =
            self.marks(panel).into_iter().map(|(tick, _)| font::width(&number(tick), NUMBER)).fold(0.0, f64::max);
        (self.left - USUAL_LABEL).min(self.left - TO_NUMBERS - widest - BETWEEN).max(LABEL)
    }

    /// Values of the marks along the axis, and how far up their numbers are from them: round ones, and the axis' ends where the file gives them or there is
    /// none. The number of an end gives way to one beside it; a mark that is nearly at an end is left out.
    fn marks(&self, panel: &Panel) -> Vec<(f64, f64)> {
        let mut marks: Vec<(f64, f64)> = self.scale.ticks().into_iter().map(|tick| (tick, 0.0)).collect();
        let of_log = |end: f64| self.scale.log.then_some(end);
        let ends = [(panel.min.or(of_log(self.scale.min)), -1.0), (panel.max.or(of_log(self.scale.max)), 1.0)];
        for (end, outwards) in ends.into_iter().filter_map(|(end, outwards)| Some((end?, outwards))) {
            let away = |&(mark, _): &(f64, f64)| (self.y(mark) - self.y(end)).abs();
            if marks.iter().any(|mark| away(mark) < 0.5) {
                continue;
            }
            marks.retain(|mark| away(mark) >= NEAREST);
            let room = marks.iter().map(away).fold(ROOM, f64::min);
            marks.push((end, outwards * (ROOM - room)));
        }
        marks
    }

    /// The grid alone, of a plot beside one with the same axis.
    pub fn draw_grid(&self, canvas: &mut Canvas, panel: &Panel) {
        let right = self.left + self.width;
        for (tick, _) in self.marks(panel) {
            let y = self.y(tick);
            canvas.line(vec![(self.left, y), (right, y)], PALE, 1.0, false);
        }
        if panel.percent && self.scale.min < 100.0 && self.scale.max > 100.0 {
            let y = self.y(100.0);
            canvas.line(vec![(self.left, y), (right, y)], GREY, 1.5, false);
        }
    }

    /// The edges, over what was drawn in between.
    pub fn frame(&self, canvas: &mut Canvas) {
        let (left, right, top, bottom) = (self.left, self.left + self.width, self.top, self.bottom());
        canvas.line(vec![(left, top), (left, bottom), (right, bottom)], BLACK, 1.2, false);
        if self.scale.min > 0.0 && !self.scale.log {
            // The axis is broken: what is below its beginning is not shown.
            for y in [bottom - 9.0, bottom - 5.0] {
                canvas.line(vec![(left - 5.0, y + 2.0), (left + 5.0, y - 2.0)], BLACK, 1.2, false);
            }
        }
    }
}

/// The end of an axis that shows values up to `most`: a round number, a little above it.
fn end(panel: &Panel, most: f64) -> f64 {
    if let Some(max) = panel.max {
        return max;
    }
    let min = panel.min.unwrap_or(0.0);
    let most = if most > min { most + 0.02 * (most - min) } else { min + 1.0 };
    // A broken axis that has become longer may have longer steps.
    let round = |most: f64| {
        let step = step(most - min);
        (most / step - 1e-9).ceil() * step
    };
    round(round(most))
}

/// Values of the marks along an axis of values by themselves.
fn ticks(min: f64, max: f64) -> Vec<f64> {
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

/// A number below an axis at `x`, as near to it as the right edge of the canvas lets it be.
pub fn number_below(canvas: &mut Canvas, (x, y): (f64, f64), right: f64, value: f64) {
    let text = number(value);
    canvas.text(x.min(last_middle(&text, right)), y, NUMBER, Anchor::Middle, BLACK, text);
}

/// Where the middle of a text below an axis can be at the most, for all of it to be on the canvas.
pub fn last_middle(text: &str, right: f64) -> f64 {
    right - 1.0 - font::width(text, NUMBER) / 2.0
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
        let panel =
            Panel { y: "y".into(), label: "y".into(), percent: false, factor: None, min: None, max: None, scale: None };
        assert_eq!(end(&panel, 93.0), 100.0);
        assert_eq!(end(&panel, 0.0), 1.0);
        assert_eq!(end(&Panel { max: Some(7.0), ..panel }, 93.0), 7.0);
    }

    #[test]
    fn ends_that_are_given_have_their_numbers() {
        let marks = |min, max, scale| {
            let panel = Panel { y: "y".into(), label: "y".into(), percent: false, factor: None, min, max, scale };
            let scale = Scale::of(&panel, (40.0, 90.0));
            let plot = Plot { left: 0.0, top: 0.0, width: 100.0, height: 200.0, scale };
            let mut marks = plot.marks(&panel);
            marks.sort_by(|one, other| one.0.total_cmp(&other.0));
            let places: Vec<f64> = marks.iter().map(|(mark, up)| plot.y(*mark) - up).collect();
            assert!(places.windows(2).all(|pair| pair[0] - pair[1] >= ROOM - 1e-9), "{places:?}");
            marks.into_iter().map(|(mark, _)| mark).collect::<Vec<_>>()
        };
        assert_eq!(marks(None, Some(70.0), None), [0.0, 20.0, 40.0, 60.0, 70.0]);
        assert_eq!(marks(None, Some(60.0), None), [0.0, 20.0, 40.0, 60.0]);
        // 60 is 6.5 below 62, and 3.3 below 61.
        assert_eq!(marks(None, Some(62.0), None), [0.0, 20.0, 40.0, 60.0, 62.0]);
        assert_eq!(marks(None, Some(61.0), None), [0.0, 20.0, 40.0, 61.0]);
        assert_eq!(marks(Some(33.0), None, None), [33.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(marks(Some(38.0), Some(102.0), None), [38.0, 40.0, 60.0, 80.0, 100.0, 102.0]);
        let log = marks(Some(3.0), Some(700.0), Some(ScaleKind::Log));
        assert_eq!(log, [3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 700.0]);
        assert_eq!(marks(None, None, Some(ScaleKind::Log)), [20.0, 50.0, 100.0]);
    }

    #[test]
    fn long_numbers_do_not_run_into_the_label() {
        let room = |most: f64| {
            let panel = Panel {
                y: "y".into(),
                label: "y".into(),
                percent: false,
                factor: None,
                min: None,
                max: None,
                scale: None,
            };
            let plot =
                Plot { left: 76.0, top: 0.0, width: 100.0, height: 200.0, scale: Scale::of(&panel, (1.0, most)) };
            let widest =
                plot.marks(&panel).into_iter().map(|(tick, _)| font::width(&number(tick), NUMBER)).fold(0.0, f64::max);
            let label = plot.label_at(&panel);
            // All of the label is on the canvas.
            assert!(label >= LABEL, "{most}: {label}");
            (plot.left - TO_NUMBERS - widest - label, plot.left - label)
        };
        for most in [3.0, 40_000.0, 900_000.0, 4_000_000.0] {
            assert!(room(most).0 >= BETWEEN - 1e-9, "{most}: {:?}", room(most));
        }
        assert_eq!(room(3.0).1, USUAL_LABEL);
    }

    #[test]
    fn broken_axes_end_at_a_mark() {
        for tenths in 500..1500 {
            for min in [51.0, 55.0, 58.0] {
                let panel = Panel {
                    y: "y".into(),
                    label: "y".into(),
                    percent: false,
                    factor: None,
                    min: Some(min),
                    max: None,
                    scale: None,
                };
                let most = f64::from(tenths) / 10.0;
                let max = end(&panel, most);
                let last = *ticks(min, max).last().unwrap();
                assert!((last - max).abs() < 1e-6 && max >= most, "from {min} to {most}: {last} {max}");
            }
        }
    }

    #[test]
    fn logarithmic_axes_have_round_marks() {
        let scale = Scale::log(3.0, 80.0);
        assert_eq!((scale.min, scale.max, scale.ticks()), (2.0, 100.0, vec![2.0, 5.0, 10.0, 20.0, 50.0, 100.0]));
        assert!((scale.share(14.142_135_6) - 0.5).abs() < 1e-6 && scale.share(0.0) == 0.0);
        assert_eq!(Scale::log(0.1, 1354.0).ticks(), [0.1, 1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(Scale::log(20.0, 20.0), Scale { min: 20.0, max: 50.0, log: true }, "one value");
        // Nothing above 0.
        assert_eq!(Scale::log(f64::INFINITY, 0.0), Scale { min: 1.0, max: 2.0, log: true });
    }
}
