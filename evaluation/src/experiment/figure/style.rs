//! What tells lines and points apart: a colour and a mark for each.

use powar_drawing::{Mark, Rgb};

/// Colours of lines. The first seven are told apart by all kinds of colour blindness (Okabe and Ito 2008), the rest is as far from these as there is room.
const COLOURS: [Rgb; 13] = [
    Rgb(0x00, 0x72, 0xb2),
    Rgb(0xd5, 0x5e, 0x00),
    Rgb(0x00, 0x9e, 0x73),
    Rgb(0xcc, 0x79, 0xa7),
    Rgb(0xe6, 0x9f, 0x00),
    Rgb(0x56, 0xb4, 0xe9),
    Rgb(0x00, 0x00, 0x00),
    Rgb(0x88, 0x22, 0x55),
    Rgb(0x99, 0x99, 0x33),
    Rgb(0x33, 0x22, 0x88),
    Rgb(0x99, 0x99, 0x99),
    Rgb(0x7a, 0x4a, 0x1e),
    Rgb(0x9a, 0xd0, 0x32),
];
const MARKS: [Mark; 10] = [
    Mark::Circle,
    Mark::Square,
    Mark::Triangle,
    Mark::Diamond,
    Mark::Cross,
    Mark::Down,
    Mark::Star,
    Mark::Hexagon,
    Mark::Plus,
    Mark::Bar,
];

/// How a line and its points are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    pub colour: Rgb,
    pub mark: Mark,
    pub dashed: bool,
}

/// Of the line of this number: no two of the first thirteen have a colour in common, and none of more than that colour, mark and dashes.
pub fn style(number: usize) -> Style {
    Style { colour: colour(number), mark: mark(number), dashed: number >= COLOURS.len() }
}

pub fn colour(number: usize) -> Rgb {
    COLOURS[number % COLOURS.len()]
}

pub fn mark(number: usize) -> Mark {
    MARKS[number % MARKS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirteen_lines_have_thirteen_colours() {
        for number in 1..COLOURS.len() {
            assert!((0..number).all(|other| colour(other) != colour(number)), "{number}");
        }
        for number in 1..MARKS.len() {
            assert!((0..number).all(|other| mark(other) != mark(number)), "{number}");
        }
    }
}
