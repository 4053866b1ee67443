//! Cycles that the golden model has made and a design under test is to follow.

use crate::dut::image::ImageLayout;
use std::sync::Arc;

/// Inputs and expected observations of consecutive cycles, row by row.
#[derive(Clone)]
pub struct Batch {
    /// Cycle number of the first row.
    pub first_cycle: u64,
    /// Number of rows.
    pub cycles: usize,
    /// `cycles` input frames, one after the other.
    pub inputs: Vec<u64>,
    /// What the golden model showed.
    pub expected: Expected,
}

/// Observed frames of the golden model, one after the other.
#[derive(Clone)]
pub enum Expected {
    Frames(Vec<u64>),
    /// For a design that says where it keeps what is observed ([`Dut::image`](crate::dut::Dut::image)).
    Images {
        layout: Arc<ImageLayout>,
        images: Vec<u8>,
        /// The first row with a value that the design has not enough bits for, and its frame.
        oversized: Option<(usize, Vec<u64>)>,
    },
}

impl Batch {
    /// No cycles yet, for a design with this [`Dut::image`](crate::dut::Dut::image).
    pub fn new(image: Option<Arc<ImageLayout>>) -> Batch {
        let expected = match image {
            Some(layout) => Expected::Images { layout, images: vec![], oversized: None },
            None => Expected::Frames(vec![]),
        };
        Batch { first_cycle: 0, cycles: 0, inputs: vec![], expected }
    }
}

impl Expected {
    /// Makes room for so many rows, of `slots` slots each, that are still to be [put](Expected::put) in.
    pub(crate) fn clear(&mut self, rows: usize, slots: usize) {
        match self {
            Expected::Frames(frames) => frames.resize(rows * slots, 0),
            Expected::Images { layout, images, oversized } => {
                images.resize(rows * layout.bytes(), 0);
                *oversized = None;
            }
        }
    }

    /// The frame of a row; rows come in order.
    pub(crate) fn put(&mut self, row: usize, frame: &[u64]) {
        match self {
            Expected::Frames(frames) => frames[row * frame.len()..][..frame.len()].copy_from_slice(frame),
            Expected::Images { layout, images, oversized } => {
                let image = &mut images[row * layout.bytes()..][..layout.bytes()];
                if !layout.paint(frame, image) && oversized.is_none() {
                    *oversized = Some((row, frame.to_vec()));
                }
            }
        }
    }

    /// The frame of a row, of `slots` slots.
    pub fn frame(&self, row: usize, slots: usize) -> Vec<u64> {
        match self {
            Expected::Frames(frames) => frames[row * slots..][..slots].to_vec(),
            Expected::Images { oversized: Some((of, frame)), .. } if *of == row => frame.clone(),
            Expected::Images { layout, images, .. } => layout.frame(&images[row * layout.bytes()..][..layout.bytes()]),
        }
    }
}
