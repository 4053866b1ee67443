//! Which links of a group are to be on: the up-links of a switch in a k-ary n-tree, or the links of a trunk in a torus.
//!
//! Check:    at the end of a period the lowest link that is off goes on if the load is above U_on, else the highest that is on goes off
//!           if it is below U_off. U_off is a constant or, with a of k links on, U_on (a - 1) / k; that is 0 for one link alone, which
//!           goes off when nobody needs it and it has carried no flit. No flits are a load of links that are all off.
//! Rule:     what the neighbours want counts in every cycle. A link that is to go on and off goes on.
//! Latency:  one cycle from any input to `active`; thresholds and number of links act one cycle later, since the products are
//!           registered.
//! Range:    1 to 32 links; thresholds in flits per link and check period. A load is above or below U_on and U_off, not equal.
//! Reset:    all links on.
//! Source:   Alonso et al. 2015, sections 3.2 to 3.5; docs/microarchitecture/mechanisms/alonso.md.

use crate::block;
use crate::power::FlitCounter;
use rust_hdl::prelude::*;

block! {
    pub struct LinkGroup("link_group", include_str!("link_group.rs"), clocked)
    /// For a group of `size` links, 1..=32.
    pub fn new(size: usize) -> Self {
        let size_bit: Vec<usize> = (0..6).filter(|bit| size >> bit & 1 == 1).collect();
    }
    inputs {
        /// Link i forwards a flit in this cycle.
        flit[size]: Bit,
        /// Last cycle of the check period.
        check: Bit,
        /// The policy lets links go off; by a threshold that depends on how many are on.
        sleeps: Bit,
        dynamic: Bit,
        /// U_on: flits per link and check period.
        on_flits: Bits<16>,
        /// U_off likewise.
        off_flits: Bits<16>,
        /// The last link must not go off, and one comes on if all are off.
        keep: Bit,
        /// The neighbours want link i on; off.
        neighbour_on[size]: Bit,
        neighbour_off[size]: Bit,
        /// All links on at once.
        all_on: Bit,
        /// All but link 0 off at once, and that too unless `keep`.
        only_last: Bit,
    }
    outputs {
        /// Link i is to be on.
        active[size]: Bit,
    }
    registers {
        active_r = vec![true; size],
        /// Flits of all links that are on at U_on; of the cycle before.
        on_limit_r: Bits<24>,
        /// The same at U_off, times the size of the group.
        off_limit_r: Bits<29>,
    }
    children { flit_counter: FlitCounter = FlitCounter::new(size) }
    locals {
        /// Links that are on: how many, and whether there are none.
        links: Bits<6>,
        none_on: Bit,
        /// `off_limit` is the product of a number that depends on the links that are on, for a constant or a dynamic U_off, and of one of the
        /// thresholds.
        static_factor: Bits<11>,
        dynamic_factor: Bits<11>,
        off_factor: Bits<11>,
        off_threshold: Bits<16>,
        /// The thresholds shifted by each set bit of what they are multiplied with: kernels can't multiply. Their sum is a tree.
        on_part[6]: Bits<24>,
        off_part[11]: Bits<29>,
        /// Flits of the period times the size of the group.
        weighted: Bits<29>,
        /// The load is above U_on; below U_off.
        above: Bit,
        below: Bit,
        /// All links below this one are on; none below is; none above is.
        all_below[size]: Bit,
        none_below[size]: Bit,
        none_above[size]: Bit,
        /// Links that go on; that go off; that are on after both.
        on[size]: Bit,
        off[size]: Bit,
        left[size]: Bit,
        any_left: Bit,
        /// Links that are on at the start, and the one that stays on when the others go.
        first[size]: Bit,
        last[size]: Bit,
    }
    sizes { size = size, counts = size + 1, size_bits = size_bit.len() }
    tables {
        /// Those numbers for each number of links that are on.
        static_factors = (0..=size).map(|links| size * links).collect(),
        dynamic_factors = (0..=size).map(|links| links * links.saturating_sub(1)).collect(),
        /// The bits of the size that are 1.
        size_bit = size_bit,
    }
}

impl Logic for LinkGroup {
    #[hdl_gen]
    fn update(&mut self) {
        self.flit_counter.check.next = self.check.val();
        for i in 0..self.size.get() {
            self.flit_counter.flit[i].next = self.flit[i].val();
        }
        // The limits of the next cycle.
        self.links.next = 0.into();
        for i in 0..self.size.get() {
            self.links.next = self.links.val() + self.active_r.q[i].val();
        }
        self.static_factor.next = 0.into();
        self.dynamic_factor.next = 0.into();
        for a in 1..self.counts.get() {
            if self.links.val() == a.to_bits() {
                self.static_factor.next = self.static_factors[a].to_bits();
                self.dynamic_factor.next = self.dynamic_factors[a].to_bits();
            }
        }
        if self.dynamic.val() {
            self.off_factor.next = self.dynamic_factor.val();
            self.off_threshold.next = self.on_flits.val();
        } else {
            self.off_factor.next = self.static_factor.val();
            self.off_threshold.next = self.off_flits.val();
        }
        for b in 0..6 {
            self.on_part[b].next = 0.into();
            if self.links.val().get_bit(b) {
                self.on_part[b].next = bit_cast::<24, 16>(self.on_flits.val()) << b.to_bits::<3>();
            }
        }
        for b in 0..11 {
            self.off_part[b].next = 0.into();
            if self.off_factor.val().get_bit(b) {
                self.off_part[b].next = bit_cast::<29, 16>(self.off_threshold.val()) << b.to_bits::<4>();
            }
        }
        self.on_limit_r.d.next = ((self.on_part[0].val() + self.on_part[1].val())
            + (self.on_part[2].val() + self.on_part[3].val()))
            + (self.on_part[4].val() + self.on_part[5].val());
        self.off_limit_r.d.next = (((self.off_part[0].val() + self.off_part[1].val())
            + (self.off_part[2].val() + self.off_part[3].val()))
            + ((self.off_part[4].val() + self.off_part[5].val()) + (self.off_part[6].val() + self.off_part[7].val())))
            + ((self.off_part[8].val() + self.off_part[9].val()) + self.off_part[10].val());
        // The check.
        self.all_below[0].next = true;
        self.none_below[0].next = true;
        self.none_above[self.size - 1].next = true;
        for i in 1..self.size.get() {
            self.all_below[i].next = self.all_below[i - 1].val() & self.active_r.q[i - 1].val();
            self.none_below[i].next = self.none_below[i - 1].val() & !self.active_r.q[i - 1].val();
            self.none_above[self.size - 1 - i].next =
                self.none_above[self.size - i].val() & !self.active_r.q[self.size - i].val();
        }
        self.none_on.next = !self.links.val().any();
        self.weighted.next = 0.into();
        for b in 0..self.size_bits.get() {
            self.weighted.next = self.weighted.val()
                + (bit_cast::<29, 24>(self.flit_counter.count.val()) << self.size_bit[b].to_bits::<3>());
        }
        self.above.next =
            self.check.val() & !self.none_on.val() & (self.flit_counter.count.val() > self.on_limit_r.q.val());
        self.below.next = self.check.val()
            & ((self.weighted.val() < self.off_limit_r.q.val())
                | (!self.flit_counter.count.val().any() & !self.keep.val()));
        // The links of the next cycle.
        self.any_left.next = false;
        for i in 0..self.size.get() {
            self.on[i].next =
                self.neighbour_on[i].val() | (self.above.val() & self.all_below[i].val() & !self.active_r.q[i].val());
            self.off[i].next = self.neighbour_off[i].val()
                | (self.below.val() & !self.above.val() & self.none_above[i].val() & self.active_r.q[i].val());
            self.left[i].next = (self.active_r.q[i].val() & !self.off[i].val()) | self.on[i].val();
            self.any_left.next = self.any_left.val() | self.left[i].val();
            self.first[i].next = self.on[i].val();
            self.last[i].next = self.none_below[i].val() & self.active_r.q[i].val();
        }
        self.first[0].next = self.on[0].val() | self.keep.val();
        self.last[0].next = self.active_r.q[0].val() | self.none_on.val();
        for i in 0..self.size.get() {
            if self.all_on.val() | !self.sleeps.val() {
                self.active_r.d[i].next = true;
            } else if self.only_last.val() {
                self.active_r.d[i].next = self.first[i].val();
            } else if self.any_left.val() | !self.keep.val() {
                self.active_r.d[i].next = self.left[i].val();
            } else {
                self.active_r.d[i].next = self.last[i].val();
            }
        }
        for i in 0..self.size.get() {
            self.active[i].next = self.active_r.q[i].val();
        }
    }
}
