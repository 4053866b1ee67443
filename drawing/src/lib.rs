//! Drawings of lines, areas and text, written as SVG or PNG; what figures are made of.
//!
//! ```
//! use powar_drawing::{Anchor, BLACK, Canvas};
//!
//! let mut canvas = Canvas::new(200.0, 40.0);
//! canvas.text(10.0, 25.0, 14.0, Anchor::Start, BLACK, "half-slices");
//! assert!(canvas.svg().contains("half-slices"));
//! ```

mod canvas;
pub mod font;

pub use canvas::{Anchor, BLACK, Canvas, GREY, Mark, PALE, Rgb, WHITE};
