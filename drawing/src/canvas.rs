//! A drawing as shapes, written as SVG or PNG. Lengths are pixels, y grows downwards.

use crate::font::{self, FAMILY};
use anyhow::{Context, Result};
use std::fmt::Write;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

/// Pixels of the PNG for one of the drawing: enough for print and for dense screens.
const PNG_SCALE: f32 = 2.0;
pub const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
pub const BLACK: Rgb = Rgb(0x1a, 0x1a, 0x1a);
pub const GREY: Rgb = Rgb(0x77, 0x77, 0x77);
pub const PALE: Rgb = Rgb(0xdd, 0xdd, 0xdd);

/// A colour: red, green, blue, 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// Which part of a text is at its x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

/// Signs at the points of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    /// A triangle on its point.
    Down,
    Plus,
    Star,
    Hexagon,
    Bar,
}

impl Mark {
    /// Its corners around a place, for a mark `scale` times as large as usual.
    fn corners(self, x: f64, y: f64, scale: f64) -> Vec<(f64, f64)> {
        let round = |corners: u32, radius: fn(u32) -> f64| -> Vec<(f64, f64)> {
            let angle = |corner: u32| f64::from(corner) * std::f64::consts::TAU / f64::from(corners);
            (0..corners)
                .map(|corner| (radius(corner) * angle(corner).sin(), -radius(corner) * angle(corner).cos()))
                .collect()
        };
        /// A plus sign whose arms are so long and twice `half` wide.
        fn plus(long: f64, half: f64) -> Vec<(f64, f64)> {
            let quarter = [(half, -long), (half, -half), (long, -half)];
            let turned = |times: usize| quarter.map(|point| (0..times).fold(point, |(x, y), _| (-y, x)));
            (0..4).flat_map(turned).collect()
        }
        let offsets = match self {
            Mark::Circle => round(24, |_| 3.6),
            Mark::Square => vec![(-3.2, -3.2), (3.2, -3.2), (3.2, 3.2), (-3.2, 3.2)],
            Mark::Triangle => vec![(0.0, -4.4), (4.2, 3.2), (-4.2, 3.2)],
            Mark::Diamond => vec![(0.0, -4.6), (4.6, 0.0), (0.0, 4.6), (-4.6, 0.0)],
            Mark::Cross => {
                let half = std::f64::consts::FRAC_1_SQRT_2;
                plus(4.8, 1.1).into_iter().map(|(x, y)| (half * (x - y), half * (x + y))).collect()
            }
            Mark::Down => vec![(0.0, 4.4), (-4.2, -3.2), (4.2, -3.2)],
            Mark::Plus => plus(4.6, 1.1),
            Mark::Star => round(10, |corner| if corner % 2 == 0 { 5.2 } else { 2.1 }),
            Mark::Hexagon => round(6, |_| 4.3),
            Mark::Bar => vec![(-1.5, -4.6), (1.5, -4.6), (1.5, 4.6), (-1.5, 4.6)],
        };
        offsets.into_iter().map(|(dx, dy)| (x + scale * dx, y + scale * dy)).collect()
    }
}

#[derive(Clone, Debug)]
enum Shape {
    Area { points: Vec<(f64, f64)>, colour: Rgb },
    Line { points: Vec<(f64, f64)>, colour: Rgb, width: f64, dashed: bool },
    Text { x: f64, y: f64, size: f64, anchor: Anchor, upward: bool, colour: Rgb, text: String },
}

/// A drawing.
#[derive(Clone, Debug)]
pub struct Canvas {
    width: f64,
    height: f64,
    shapes: Vec<Shape>,
}

impl Canvas {
    pub fn new(width: f64, height: f64) -> Self {
        Canvas { width, height, shapes: vec![] }
    }

    pub fn rectangle(&mut self, x: f64, y: f64, width: f64, height: f64, colour: Rgb) {
        self.area(vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)], colour);
    }

    pub fn area(&mut self, points: Vec<(f64, f64)>, colour: Rgb) {
        self.shapes.push(Shape::Area { points, colour });
    }

    pub fn line(&mut self, points: Vec<(f64, f64)>, colour: Rgb, width: f64, dashed: bool) {
        if points.len() > 1 {
            self.shapes.push(Shape::Line { points, colour, width, dashed });
        }
    }

    pub fn mark(&mut self, mark: Mark, x: f64, y: f64, colour: Rgb) {
        self.scaled_mark(mark, x, y, colour, 1.0);
    }

    /// A mark `scale` times as large as usual.
    pub fn scaled_mark(&mut self, mark: Mark, x: f64, y: f64, colour: Rgb, scale: f64) {
        self.area(mark.corners(x, y, scale), colour);
    }

    /// A larger mark of which there is only the edge.
    pub fn hollow_mark(&mut self, mark: Mark, x: f64, y: f64, colour: Rgb) {
        let mut corners = mark.corners(x, y, 1.45);
        self.area(corners.clone(), WHITE);
        corners.extend_from_within(..2);
        self.line(corners, colour, 1.5, false);
    }

    /// Text whose baseline is at y.
    pub fn text(&mut self, x: f64, y: f64, size: f64, anchor: Anchor, colour: Rgb, text: impl Into<String>) {
        self.shapes.push(Shape::Text { x, y, size, anchor, upward: false, colour, text: text.into() });
    }

    /// Text from the bottom up, around the middle y, its baseline at x.
    pub fn upward_text(&mut self, x: f64, y: f64, size: f64, colour: Rgb, text: impl Into<String>) {
        let (anchor, text) = (Anchor::Middle, text.into());
        self.shapes.push(Shape::Text { x, y, size, anchor, upward: true, colour, text });
    }

    pub fn svg(&self) -> String {
        let (width, height) = (self.width, self.height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"{FAMILY}\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        for shape in &self.shapes {
            // Writing into a string can't fail.
            let _ = match shape {
                Shape::Area { points, colour } => {
                    writeln!(svg, "<polygon points=\"{}\" fill=\"{}\"/>", coordinates(points), hex(*colour))
                }
                Shape::Line { points, colour, width, dashed } => writeln!(
                    svg,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\"{}/>",
                    coordinates(points),
                    hex(*colour),
                    if *dashed { " stroke-dasharray=\"6 4\"" } else { "" }
                ),
                Shape::Text { x, y, size, anchor, upward, colour, text } => {
                    let anchor = match anchor {
                        Anchor::Start => "start",
                        Anchor::Middle => "middle",
                        Anchor::End => "end",
                    };
                    let turn =
                        if *upward { format!(" transform=\"rotate(-90 {x:.1} {y:.1})\"") } else { String::new() };
                    let (colour, text) = (hex(*colour), escaped(text));
                    writeln!(
                        svg,
                        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{turn}>{text}</text>"
                    )
                }
            };
        }
        svg + "</svg>\n"
    }

    /// # Errors
    /// A drawing without area, or one that doesn't fit into memory.
    pub fn png(&self) -> Result<Vec<u8>> {
        let pixels = |length: f64| (length as f32 * PNG_SCALE).ceil() as u32;
        let mut picture = Pixmap::new(pixels(self.width), pixels(self.height)).context("a figure without area")?;
        picture.fill(Color::WHITE);
        let scale = Transform::from_scale(PNG_SCALE, PNG_SCALE);
        for shape in &self.shapes {
            match shape {
                Shape::Area { points, colour } => {
                    if let Some(path) = path(points, true) {
                        picture.fill_path(&path, &paint(*colour), FillRule::Winding, scale, None);
                    }
                }
                Shape::Line { points, colour, width, dashed } => {
                    let dash = if *dashed { StrokeDash::new(vec![6.0, 4.0], 0.0) } else { None };
                    let width = *width as f32;
                    let stroke = Stroke {
                        width,
                        dash,
                        line_join: LineJoin::Round,
                        line_cap: LineCap::Butt,
                        ..Stroke::default()
                    };
                    if let Some(path) = path(points, false) {
                        picture.stroke_path(&path, &paint(*colour), &stroke, scale, None);
                    }
                }
                Shape::Text { x, y, size, anchor, upward, colour, text } => {
                    let width = font::width(text, *size);
                    let start = match anchor {
                        Anchor::Start => 0.0,
                        Anchor::Middle => -width / 2.0,
                        Anchor::End => -width,
                    };
                    if let Some(path) = font::outline(text, *size, start) {
                        let turn = if *upward { -90.0 } else { 0.0 };
                        let place = scale.pre_translate(*x as f32, *y as f32).pre_rotate(turn);
                        picture.fill_path(&path, &paint(*colour), FillRule::Winding, place, None);
                    }
                }
            }
        }
        picture.encode_png().context("can't encode a PNG")
    }
}

fn path(points: &[(f64, f64)], closed: bool) -> Option<Path> {
    let axis_parallel = points.len() == 4 && points[0].1 == points[1].1 && points[1].0 == points[2].0;
    if closed && axis_parallel {
        let ((left, top), (right, bottom)) = (points[0], points[2]);
        return Rect::from_ltrb(left as f32, top as f32, right as f32, bottom as f32).map(PathBuilder::from_rect);
    }
    let mut builder = PathBuilder::new();
    for (place, &(x, y)) in points.iter().enumerate() {
        match place {
            0 => builder.move_to(x as f32, y as f32),
            _ => builder.line_to(x as f32, y as f32),
        }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn paint(Rgb(red, green, blue): Rgb) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, 255);
    paint
}

fn coordinates(points: &[(f64, f64)]) -> String {
    points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

fn hex(Rgb(red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
