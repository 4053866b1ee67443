//! The golden model's frame as it would stand in the memory of a Verilated model: what compares a cycle is then a comparison
//! of memory, at many bytes an instruction, instead of one read and one compare for every signal.

use anyhow::{Result, ensure};
use std::ops::Range;

/// Bytes of a piece of the model's memory, the unit that is compared or left out.
pub const PIECE: usize = 64;

/// Where a slot of the observed frame stands in the model's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotAddress {
    /// Bytes from the model's beginning.
    pub at: u32,
    /// 1, 2, 4 or 8.
    pub bytes: u8,
}

/// The pieces of a model's memory that hold slots of the observed frame.
#[derive(Debug)]
pub struct ImageLayout {
    /// Where the slots stand, in bytes from the beginning of an image: all pieces, one after the other.
    at: Box<[u32]>,
    /// Slots in a row whose places have the same size, and that size.
    runs: Box<[(Range<usize>, u8)]>,
    /// Bytes from the model's beginning to each piece.
    pieces: Box<[u32]>,
    /// Ones for the bits of an image that belong to a slot.
    mask: Box<[u8]>,
}

impl ImageLayout {
    /// Of a model of `size` bytes, with its slots at these places.
    ///
    /// # Errors
    /// Places outside the model, not on a multiple of their size, or of several slots at once.
    pub fn new(size: usize, places: &[SlotAddress]) -> Result<ImageLayout> {
        ensure!(size >= PIECE, "a model of {size} bytes is smaller than a piece of {PIECE}");
        // A piece may not reach beyond the end.
        let piece_of = |place: &SlotAddress| (place.at as usize / PIECE * PIECE).min(size - PIECE) as u32;
        let mut pieces: Vec<u32> = places.iter().map(piece_of).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let mut mask = vec![0; pieces.len() * PIECE];
        let mut starts = Vec::with_capacity(places.len());
        for (slot, place) in places.iter().enumerate() {
            let (at, bytes) = (place.at as usize, usize::from(place.bytes));
            let sound = matches!(bytes, 1 | 2 | 4 | 8) && at % bytes == 0 && at + bytes <= size;
            ensure!(sound, "slot {slot}: {bytes} bytes at {at} in a model of {size} bytes");
            let piece = piece_of(place);
            let rank = pieces.binary_search(&piece).expect("every slot's piece is there");
            let at = rank * PIECE + at - piece as usize;
            for byte in &mut mask[at..at + bytes] {
                ensure!(*byte == 0, "slot {slot}: another one stands at the same place");
                *byte = u8::MAX;
            }
            starts.push(at as u32);
        }
        let mut runs: Vec<(Range<usize>, u8)> = Vec::new();
        for alike in places.chunk_by(|one, next| one.bytes == next.bytes) {
            let start = runs.last().map_or(0, |(run, _)| run.end);
            runs.push((start..start + alike.len(), alike[0].bytes));
        }
        Ok(ImageLayout { at: starts.into(), runs: runs.into(), pieces: pieces.into(), mask: mask.into() })
    }

    /// Bytes from the model's beginning to each piece.
    pub fn pieces(&self) -> &[u32] {
        &self.pieces
    }

    /// As many bytes as an image: ones where bits belong to a slot.
    pub fn mask(&self) -> &[u8] {
        &self.mask
    }

    /// Bytes of an image.
    pub fn bytes(&self) -> usize {
        self.mask.len()
    }

    /// Puts a frame into an image. False: the image says less than the frame, because some value has more bits than its place.
    pub fn paint(&self, frame: &[u64], image: &mut [u8]) -> bool {
        assert_eq!(frame.len(), self.at.len());
        let runs = self.runs.iter().map(|(run, bytes)| (bytes, &frame[run.clone()], &self.at[run.clone()]));
        let beyond = runs.fold(0, |beyond, (bytes, values, at)| {
            beyond
                | match bytes {
                    1 => put::<1>(values, at, image),
                    2 => put::<2>(values, at, image),
                    4 => put::<4>(values, at, image),
                    _ => put::<8>(values, at, image),
                }
        });
        beyond == 0
    }

    /// The frame of an image.
    pub fn frame(&self, image: &[u8]) -> Vec<u64> {
        let value = |at: u32, bytes: u8| match image[at as usize..][..bytes.into()] {
            [byte] => byte.into(),
            [a, b] => u16::from_ne_bytes([a, b]).into(),
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]).into(),
            ref bytes => u64::from_ne_bytes(bytes.try_into().expect("places have 1, 2, 4 or 8 bytes")),
        };
        self.runs.iter().flat_map(|(run, bytes)| self.at[run.clone()].iter().map(|&at| value(at, *bytes))).collect()
    }
}

/// Puts values into places of `BYTES` bytes each. What is not 0 of the bits beyond them.
#[inline]
fn put<const BYTES: usize>(values: &[u64], at: &[u32], image: &mut [u8]) -> u64 {
    let mut all = 0;
    let mut put = |value: u64, at: u32| {
        all |= value;
        let place = &mut image[at as usize..at as usize + BYTES];
        match BYTES {
            1 => place[0] = value as u8,
            2 => place.copy_from_slice(&(value as u16).to_ne_bytes()),
            4 => place.copy_from_slice(&(value as u32).to_ne_bytes()),
            _ => place.copy_from_slice(&value.to_ne_bytes()),
        }
    };
    // Eight at a time: this is much of what the golden model's thread does.
    let ((values, last_values), (at, last_at)) = (values.as_chunks::<8>(), at.as_chunks::<8>());
    for (values, at) in values.iter().zip(at) {
        (0..8).for_each(|k| put(values[k], at[k]));
    }
    last_values.iter().zip(last_at).for_each(|(&value, &at)| put(value, at));
    if BYTES == 8 { 0 } else { all >> (8 * BYTES) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Slots of all sizes with gaps between them, some in a piece that the model's end cuts short.
    fn places() -> Vec<SlotAddress> {
        let mut places = vec![];
        let mut at = 8;
        for bytes in [1, 1, 8, 2, 4, 1, 2, 8, 8, 4, 4, 1].repeat(5) {
            at = u32::next_multiple_of(at + if places.len() % 7 == 0 { 90 } else { 0 }, bytes);
            places.push(SlotAddress { at, bytes: bytes as u8 });
            at += bytes;
        }
        places
    }

    #[test]
    fn an_image_differs_from_the_memory_of_a_model_exactly_if_a_slot_does() {
        let places = places();
        let last = places.last().unwrap();
        let size = last.at as usize + usize::from(last.bytes);
        let layout = ImageLayout::new(size, &places).unwrap();
        let (mut frame, mut image) = (vec![0u64; places.len()], vec![0; layout.bytes()]);
        let mut random = Random::new(7);
        let mut memory: Vec<u8> = (0..size).map(|_| random.bits() as u8).collect();
        for _ in 0..200 {
            for _ in 0..3 {
                let slot = random.below(frame.len() as u64) as usize;
                frame[slot] = random.bits() >> (64 - 8 * u32::from(places[slot].bytes));
            }
            for (place, value) in places.iter().zip(&frame) {
                let (at, bytes) = (place.at as usize, usize::from(place.bytes));
                memory[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
            }
            assert!(layout.paint(&frame, &mut image));
            assert_eq!(layout.frame(&image), frame);
            assert!(!differs(&layout, &memory, &image));
            let of_slot =
                |at: usize| places.iter().any(|p| (p.at as usize..p.at as usize + usize::from(p.bytes)).contains(&at));
            let at = random.below(size as u64) as usize;
            memory[at] ^= 1 << random.below(8);
            assert_eq!(differs(&layout, &memory, &image), of_slot(at), "byte {at}");
        }
    }

    /// What the shim does.
    fn differs(layout: &ImageLayout, memory: &[u8], image: &[u8]) -> bool {
        layout.pieces().iter().enumerate().any(|(rank, &piece)| {
            (0..PIECE).any(|byte| {
                let (at, place) = (piece as usize + byte, rank * PIECE + byte);
                (memory[at] ^ image[place]) & layout.mask()[place] != 0
            })
        })
    }

    #[test]
    fn a_value_with_more_bits_than_its_place_is_told() {
        let layout = ImageLayout::new(64, &[SlotAddress { at: 4, bytes: 1 }, SlotAddress { at: 8, bytes: 8 }]).unwrap();
        let mut image = vec![0; layout.bytes()];
        for (value, fits) in [(255, true), (256, false), (300, false), (1, true)] {
            assert_eq!(layout.paint(&[value, u64::MAX], &mut image), fits);
        }
    }

    #[test]
    fn places_that_can_not_be_are_refused() {
        let place = |at, bytes| SlotAddress { at, bytes };
        for places in [
            [place(4, 4), place(6, 2)],
            [place(0, 3), place(8, 8)],
            [place(1, 2), place(8, 8)],
            [place(0, 1), place(96, 8)],
        ] {
            ImageLayout::new(100, &places).unwrap_err();
        }
    }
}
