//! The plot of an area by block: a bar a block, the largest on top.

use crate::{AreaReport, BlockArea};
use powar_drawing::{Anchor, BLACK, Canvas, GREY, PALE, Rgb, font};

const WIDTH: f64 = 1000.0;
/// A block's bar and the room to the next.
const ROW: f64 = 24.0;
const BAR: f64 = 15.0;
const TEXT: f64 = 12.5;
const TOP: f64 = 84.0;
const RIGHT: f64 = 24.0;
/// Bars of blocks, and of all blocks that are too small for one of their own.
const BLUE: Rgb = Rgb(0x00, 0x72, 0xb2);
/// Blocks with a bar of their own.
const MOST: usize = 30;

impl AreaReport {
    pub(crate) fn figure(&self) -> Canvas {
        let shown: Vec<&BlockArea> = self.blocks.iter().filter(|block| block.all.area > 0).collect();
        let (shown, rest) = shown.split_at(shown.len().min(MOST));
        let mut rows: Vec<(String, u64, String, Rgb)> = shown.iter().map(|block| row(block)).collect();
        if !rest.is_empty() {
            let sum = rest.iter().map(|block| block.all.area).sum();
            rows.push((format!("{} more blocks", rest.len()), sum, grouped(sum), GREY));
        }
        let names = rows.iter().map(|row| font::width(&row.0, TEXT)).fold(0.0, f64::max);
        let values = rows.iter().map(|row| font::width(&row.2, TEXT)).fold(0.0, f64::max);
        let left = 20.0 + names + 10.0;
        let most = rows.iter().map(|row| row.1).max().unwrap_or(1).max(1) as f64;
        let scale = (WIDTH - left - values - 10.0 - RIGHT) / most;

        let bottom = TOP + ROW * rows.len() as f64;
        let mut canvas = Canvas::new(WIDTH, bottom + 16.0);
        let (unit, module) = (self.area_unit, &self.module);
        let title = format!("{module} on {}: {unit} by block", self.target.device);
        canvas.text(20.0, 28.0, 17.0, Anchor::Start, BLACK, title);
        canvas.text(20.0, 50.0, TEXT, Anchor::Start, GREY, subtitle(self));
        canvas.text(
            20.0,
            68.0,
            TEXT,
            Anchor::Start,
            GREY,
            "Each block without the blocks inside it, all instances together.",
        );
        for (place, (name, area, value, colour)) in rows.iter().enumerate() {
            let middle = TOP + ROW * (place as f64 + 0.5);
            let length = scale * *area as f64;
            canvas.text(left - 10.0, middle + 4.5, TEXT, Anchor::End, BLACK, name.as_str());
            canvas.rectangle(left, middle - BAR / 2.0, length.max(0.5), BAR, *colour);
            canvas.text(left + length + 8.0, middle + 4.5, TEXT, Anchor::Start, BLACK, value.as_str());
        }
        canvas.line(vec![(left, TOP), (left, bottom)], PALE, 1.2, false);
        canvas
    }
}

/// Name, area of all instances, what stands behind the bar, its colour.
fn row(block: &BlockArea) -> (String, u64, String, Rgb) {
    let all = block.all.area;
    let value = match block.instances {
        1 => grouped(all),
        instances => format!("{instances} × {} = {}", grouped(block.own.area), grouped(all)),
    };
    (block.block.clone(), all, value, BLUE)
}

/// The design in one line.
fn subtitle(report: &AreaReport) -> String {
    let (whole, has, unit) = (&report.whole, &report.capacity, report.area_unit);
    let of = |needed: u64, has: u64| match has {
        0 => String::new(),
        _ => format!(" ({:.0} %)", 100.0 * needed as f64 / has as f64),
    };
    format!(
        "Blocks together: {} {unit}. As a whole{}: {}{}, {} flip-flops{}, {} block RAMs{}.",
        grouped(report.sum_of_blocks().area),
        if report.packed { ", packed" } else { "" },
        grouped(whole.area),
        of(whole.area, has.area),
        grouped(whole.ff),
        of(whole.ff, has.ff),
        whole.block_ram,
        of(whole.block_ram, has.block_ram),
    )
}

/// 12345 as 12,345.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1234567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
