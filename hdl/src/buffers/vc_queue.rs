//! Pointers of a circular queue in a memory that somebody else owns.
//!
//! Order:    the places of the memory follow each other as states of a shift register do, and not as numbers: the next place is known
//!           without a carry. Each pointer has the place behind it in a register, so that whether the queue becomes empty or full is
//!           a comparison of registers.
//! Latency:  one cycle from `push` and `pop` to all outputs.
//! Range:    1 to 4096 entries. Never `push` when full or `pop` when empty; both in one cycle are fine.
//! Reset:    empty, pointers at 0.
//! Source:   docs/microarchitecture/buffers.md.

use crate::block;
use crate::power::if_seen;
use rust_hdl::prelude::*;

/// Bits of a place whose parity goes into the next one, by the number of bits that places have.
const TAPS: [usize; 13] = [0, 0x1, 0x3, 0x6, 0xC, 0x14, 0x30, 0x60, 0xB8, 0x110, 0x240, 0x500, 0xE08];

/// The places of a queue in their order, from 0 on.
fn places(depth: usize) -> Vec<usize> {
    let mask = depth.next_power_of_two() - 1;
    let taps = TAPS[mask.count_ones() as usize];
    let behind = |&place: &usize| {
        let is_odd = (place & taps).count_ones() % 2 == 1;
        Some((place << 1 | usize::from(is_odd != (place & mask >> 1 == 0))) & mask)
    };
    std::iter::successors(Some(0), behind).take(depth).collect()
}

block! {
    pub struct VcQueue("vc_queue", include_str!("vc_queue.rs"), clocked)
    /// For `depth` entries, 1..=4096. `counts`: the number of entries is there.
    pub fn new(depth: usize, counts: bool) -> Self {
        let order = places(depth);
        let (mask, counted) = (depth.next_power_of_two() - 1, if_seen(counts, 1));
        let second: Bits<12> = (order[1 % depth] as u64).into();
    }
    inputs {
        /// An entry is written at `write_pointer`.
        push: Bit,
        /// The entry at `read_pointer` is read.
        pop: Bit,
    }
    outputs {
        write_pointer: Bits<12>,
        read_pointer: Bits<12>,
        /// There is no place left.
        full: Bit,
        /// There are entries.
        some: Bit,
        /// How many.
        count[counted]: Bits<13>,
    }
    registers {
        write_pointer_r: Bits<12>,
        read_pointer_r: Bits<12>,
        /// The places behind them.
        write_next_r: Bits<12> = second,
        read_next_r: Bits<12> = second,
        full_r: Bit,
        some_r: Bit,
        count_r[counted]: Bits<13>,
    }
    locals {
        /// The places two behind the pointers, and what is new in them.
        write_second: Bits<12>,
        read_second: Bits<12>,
        write_bit: Bit,
        read_bit: Bit,
        /// What comes to `count`: 1, 0, or all ones, which is one less.
        step[counted]: Bits<13>,
    }
    constants {
        /// The bits that a place has, those of them below the highest, and those whose parity goes into the next place; synthesis leaves
        /// the others out.
        place_mask: Bits<12> = mask.to_bits(),
        low_mask: Bits<12> = (mask >> 1).to_bits(),
        taps: Bits<12> = TAPS[mask.count_ones() as usize].to_bits(),
        /// The last place; place 0 follows.
        last_place: Bits<12> = order[depth - 1].to_bits(),
        /// The bits that a number of entries has.
        count_mask[counted]: Bits<13> = ((depth + 1).next_power_of_two() - 1).to_bits(),
    }
    sizes {
        /// 0 if all places of so many bits are used, so that 0 follows of itself, else 1.
        wraps_early = usize::from(!depth.is_power_of_two()),
        /// 1 if the entries are counted, else 0.
        counts = counted,
    }
}

impl Logic for VcQueue {
    #[hdl_gen]
    fn update(&mut self) {
        self.write_bit.next = (self.write_next_r.q.val() & self.taps.val()).xor()
            ^ !(self.write_next_r.q.val() & self.low_mask.val()).any();
        self.read_bit.next = (self.read_next_r.q.val() & self.taps.val()).xor()
            ^ !(self.read_next_r.q.val() & self.low_mask.val()).any();
        self.write_second.next =
            (self.write_next_r.q.val() << 1).replace_bit(0, self.write_bit.val()) & self.place_mask.val();
        self.read_second.next =
            (self.read_next_r.q.val() << 1).replace_bit(0, self.read_bit.val()) & self.place_mask.val();
        if (self.wraps_early.val() == 1) & (self.write_next_r.q.val() == self.last_place.val()) {
            self.write_second.next = 0.into();
        }
        if (self.wraps_early.val() == 1) & (self.read_next_r.q.val() == self.last_place.val()) {
            self.read_second.next = 0.into();
        }
        if self.push.val() {
            self.write_pointer_r.d.next = self.write_next_r.q.val();
            self.write_next_r.d.next = self.write_second.val();
        }
        if self.pop.val() {
            self.read_pointer_r.d.next = self.read_next_r.q.val();
            self.read_next_r.d.next = self.read_second.val();
        }
        if self.push.val() & !self.pop.val() {
            self.some_r.d.next = true;
            self.full_r.d.next = self.write_next_r.q.val() == self.read_pointer_r.q.val();
        }
        if self.pop.val() & !self.push.val() {
            self.some_r.d.next = self.read_next_r.q.val() != self.write_pointer_r.q.val();
            self.full_r.d.next = false;
        }
        for k in 0..self.counts.get() {
            // One adder for both directions.
            self.step[k].next = 0.into();
            if self.pop.val() & !self.push.val() {
                self.step[k].next = self.count_mask[k].val();
            }
            if self.push.val() & !self.pop.val() {
                self.step[k].next = 1.into();
            }
            self.count_r[k].d.next = (self.count_r[k].q.val() + self.step[k].val()) & self.count_mask[k].val();
            self.count[k].next = self.count_r[k].q.val();
        }
        self.write_pointer.next = self.write_pointer_r.q.val();
        self.read_pointer.next = self.read_pointer_r.q.val();
        self.full.next = self.full_r.q.val();
        self.some.next = self.some_r.q.val();
    }
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn all_places_of_so_many_bits_come_before_place_0_comes_again() {
        for depth in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096] {
            let mut order = places(depth);
            order.sort_unstable();
            assert_eq!(order, (0..depth).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_places_are_those_of_the_page() {
        assert_eq!(places(8), [0, 1, 2, 5, 3, 7, 6, 4]);
        assert_eq!(places(5), [0, 1, 2, 5, 3]);
        assert_eq!(places(1), [0]);
    }
}
