//! `window_sums`: what happens on the links in a sampling window (equations 1 to 3).

use crate::bits::{MAX_24, low_bits};
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, fill, flag, flags};
use powar_config::{Habit, Owner};

/// The sums of a window; the public fields are its registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowSums {
    size: usize,
    /// Flits in the input buffers of the links, summed over the cycles of the window that have passed; 36 bits.
    pub filled: u64,
    /// Flits that have set out for the links, 24 bits.
    pub flits: u32,
    /// Flits that have been read from their input buffers, 24 bits.
    pub departures: u32,
}

inputs! {
    /// What happens in a cycle; bit i or row i is that of link i.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SumInputs<'a> of block: &WindowSums {
        /// Last cycle of a window.
        pub check: bool = flag("check").habit(Habit::Rare),
        /// A flit sets out for the link.
        pub flit: u64 = flags("flit", Owner::Port, block.size),
        /// A flit is read from its input buffer.
        pub leaving: u64 = flags("leaving", Owner::Port, block.size),
        /// Flits in that buffer, 13 bits each.
        pub fill: &'a [u64] = fill("fill").rows(Owner::Port, block.size),
    }
}

impl WindowSums {
    /// Of so many links, 1..=64, in their state after reset.
    pub fn new(size: usize) -> Self {
        WindowSums { size, filled: 0, flits: 0, departures: 0 }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = WindowSums::new(self.size);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &SumInputs) {
        let before = if inputs.check { WindowSums::new(self.size) } else { self.clone() };
        let links = |ports: u64| (ports & low_bits(self.size)).count_ones();
        self.filled = (before.filled + inputs.fill.iter().take(self.size).sum::<u64>()) & low_bits(36);
        self.flits = (before.flits + links(inputs.flit)) & MAX_24;
        self.departures = (before.departures + links(inputs.leaving)) & MAX_24;
    }
}

impl Registers for WindowSums {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(count("filled", 36), self.filled);
        rows.one(count("flits", 24), self.flits);
        rows.one(count("departures", 24), self.departures);
    }
}

impl Block for WindowSums {
    type Inputs<'a> = SumInputs<'a>;

    fn outputs(&self, _: &SumInputs, rows: &mut RegisterRows) {
        rows.one(count("filled", 36), self.filled);
        rows.one(count("flits", 24), self.flits);
        rows.one(count("departures", 24), self.departures);
    }

    fn edge(&mut self, rst: bool, seen: &SumInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fastrand::Rng;
    use std::collections::VecDeque;

    /// Equations 1 to 3 in exact fractions, from the flits themselves: each with the cycles in which it came and went.
    #[test]
    fn the_sums_are_those_of_the_equations() {
        let mut rng = Rng::with_seed(1);
        for window in [4u64, 37, 250] {
            let (links, size) = (4usize, 16u64);
            let mut sums = WindowSums::new(links);
            let mut queues: Vec<VecDeque<u64>> = vec![VecDeque::new(); links];
            // Numerators of (1), (2) and (3), and the denominator of the last.
            let (mut buffered, mut carried, mut age, mut left) = (0u64, 0u64, 0u64, 0u64);
            for cycle in 0..window {
                let fill: Vec<u64> = queues.iter().map(|queue| queue.len() as u64).collect();
                let (flit, mut leaving) = (rng.u64(0..16), 0u64);
                for (link, queue) in queues.iter_mut().enumerate() {
                    let must_empty = window - cycle <= size;
                    if !queue.is_empty() && (must_empty || rng.bool()) {
                        leaving |= 1 << link;
                        (age, left) = (age + cycle + 1 - queue.pop_front().unwrap(), left + 1);
                    }
                    if !must_empty && queue.len() < size as usize && rng.bool() {
                        queue.push_back(cycle + 1);
                    }
                }
                buffered += fill.iter().sum::<u64>();
                carried += u64::from(flit.count_ones());
                sums.clock(&SumInputs { check: false, flit, leaving, fill: &fill });
            }
            assert!(queues.iter().all(VecDeque::is_empty), "all that has come has gone");
            // U_buffer = filled / (B T P), U_link = flits / (T P): the same denominators on both sides.
            assert_eq!((sums.filled, u64::from(sums.flits)), (buffered, carried), "{window}");
            // Little: the time of all flits in the buffers is their fill over time.
            assert_eq!((sums.filled, u64::from(sums.departures)), (age, left), "{window}");
        }
    }

    /// Links would fill it in a window of millions of cycles.
    #[test]
    fn what_is_in_the_buffers_is_summed_in_36_bits() {
        let mut sums = WindowSums { filled: (1 << 36) - 9, ..WindowSums::new(2) };
        let seen = SumInputs { check: false, flit: 0, leaving: 0, fill: &[3, 4] };
        sums.clock(&seen);
        assert_eq!(sums.filled, (1 << 36) - 2, "no bit of them is lost");
        sums.clock(&seen);
        assert_eq!(sums.filled, 5);
    }

    #[test]
    fn the_cycle_of_a_check_counts_for_the_next_window() {
        let mut sums = WindowSums::new(2);
        let seen = SumInputs { check: false, flit: 0b111, leaving: 0b101, fill: &[3, 4] };
        sums.clock(&seen);
        sums.clock(&seen);
        assert_eq!((sums.filled, sums.flits, sums.departures), (14, 4, 2), "port 2 is no link");
        sums.clock(&SumInputs { check: true, ..seen });
        assert_eq!((sums.filled, sums.flits, sums.departures), (7, 2, 1));
        sums.reset();
        assert_eq!(sums, WindowSums::new(2));
    }
}
