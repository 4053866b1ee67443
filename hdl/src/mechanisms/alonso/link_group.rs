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

use crate::dff_setup;
use crate::power::FlitCounter;
use crate::primitives::*;
use crate::rtl_signals;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
pub struct LinkGroup {
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    /// Link i forwards a flit in this cycle.
    pub flit: Vec<Signal<In, Bit>>,
    /// Last cycle of the check period.
    pub check: Signal<In, Bit>,
    /// The policy lets links go off; by a threshold that depends on how many are on.
    pub sleeps: Signal<In, Bit>,
    pub dynamic: Signal<In, Bit>,
    /// U_on: flits per link and check period.
    pub on_flits: Signal<In, Bits<16>>,
    /// U_off likewise.
    pub off_flits: Signal<In, Bits<16>>,
    /// The last link must not go off, and one comes on if all are off.
    pub keep: Signal<In, Bit>,
    /// The neighbours want link i on; off.
    pub neighbour_on: Vec<Signal<In, Bit>>,
    pub neighbour_off: Vec<Signal<In, Bit>>,
    /// All links on at once.
    pub all_on: Signal<In, Bit>,
    /// All but link 0 off at once, and that too unless `keep`.
    pub only_last: Signal<In, Bit>,
    /// Link i is to be on.
    pub active: Vec<Signal<Out, Bit>>,
    active_r: BitRegister,
    /// Flits of all links that are on at U_on; of the cycle before.
    on_limit_r: Register<Bits<24>>,
    /// The same at U_off, times the size of the group.
    off_limit_r: Register<Bits<29>>,
    flit_counter: Settled<FlitCounter>,
    /// Links that are on: how many, and whether there are none.
    links: Signal<Local, Bits<6>>,
    none_on: Signal<Local, Bit>,
    /// `off_limit` is the product of a number that depends on the links that are on, for a constant or a dynamic U_off, and of one of the
    /// thresholds.
    static_factor: Signal<Local, Bits<11>>,
    dynamic_factor: Signal<Local, Bits<11>>,
    off_factor: Signal<Local, Bits<11>>,
    off_threshold: Signal<Local, Bits<16>>,
    /// The thresholds shifted by each set bit of what they are multiplied with: kernels can't multiply. Their sum is a tree.
    on_part: Vec<Signal<Local, Bits<24>>>,
    off_part: Vec<Signal<Local, Bits<29>>>,
    /// Flits of the period times the size of the group.
    weighted: Signal<Local, Bits<29>>,
    /// The load is above U_on; below U_off.
    above: Signal<Local, Bit>,
    below: Signal<Local, Bit>,
    /// All links below this one are on; none below is; none above is.
    all_below: Vec<Signal<Local, Bit>>,
    none_below: Vec<Signal<Local, Bit>>,
    none_above: Vec<Signal<Local, Bit>>,
    /// Links that go on; that go off; that are on after both.
    on: Vec<Signal<Local, Bit>>,
    off: Vec<Signal<Local, Bit>>,
    left: Vec<Signal<Local, Bit>>,
    any_left: Signal<Local, Bit>,
    /// Links that are on at the start, and the one that stays on when the others go.
    first: Vec<Signal<Local, Bit>>,
    last: Vec<Signal<Local, Bit>>,
    size: Size,
    /// Those numbers for each number of links that are on.
    static_factors: Table,
    dynamic_factors: Table,
    counts: Size,
    /// The bits of the size that are 1.
    size_bit: Table,
    size_bits: Size,
    info: BlockInfo,
}

impl LinkGroup {
    /// For a group of `size` links, 1..=32.
    pub fn new(size: usize) -> Self {
        let size_bit: Vec<usize> = (0..6).filter(|bit| size >> bit & 1 == 1).collect();
        build!(LinkGroup {
            (
                clk, rst, check, sleeps, dynamic, on_flits, off_flits, keep, all_on, only_last, on_limit_r, off_limit_r, links,
                none_on, static_factor, dynamic_factor, off_factor, off_threshold, weighted, above, below, any_left,
            )
            [size => flit, neighbour_on, neighbour_off, active, on, off, left, first, last, all_below, none_below, none_above]
            [6 => on_part]
            [11 => off_part]
            active_r: BitRegister::new(vec![true; size]),
            flit_counter: FlitCounter::new(size).into(),
            size: size.into(),
            static_factors: Table::new((0..=size).map(|links| size * links).collect()),
            dynamic_factors: Table::new((0..=size).map(|links| links * links.saturating_sub(1)).collect()),
            counts: (size + 1).into(),
            size_bits: size_bit.len().into(),
            size_bit: Table::new(size_bit),
            info: BlockInfo::new("link_group", include_str!("link_group.rs")),
        })
    }
}

impl Logic for LinkGroup {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, active_r, on_limit_r, off_limit_r);
        self.flit_counter.clk.next = self.clk.val();
        self.flit_counter.rst.next = self.rst.val();
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

rtl_signals!(
    LinkGroup,
    clocked,
    inputs(
        flit, check, sleeps, dynamic, on_flits, off_flits, keep, neighbour_on, neighbour_off, all_on, only_last,
    ),
    outputs(active),
    registers(active_r as "active", on_limit_r as "on_limit", off_limit_r as "off_limit"),
    children(flit_counter),
);
