//! Loops: index arithmetic, tests of the counter, values carried from one iteration to the next.

use crate::block;
use crate::common::bench::{Recording, record};
#[allow(unused_imports)]
use crate::common::vector;
#[allow(unused_imports)]
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Register, Size, dff_setup};
use rust_hdl::prelude::*;

block! { LoopWithOffset = "loop_with_offset"; in(a) out(o);
    fields { a: [Signal<In, Bits<8>>; 4], o: [Signal<Out, Bits<8>>; 4] }
    impl Logic for LoopWithOffset {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..3 {
                self.o[i + 1].next = self.a[3 - i].val();
            }
            self.o[0].next = self.a[0].val();
        }
    }
}

block! { LoopRotation = "loop_rotation"; in(a) out(o);
    fields { a: [Signal<In, Bits<8>>; 4], o: [Signal<Out, Bits<8>>; 4] }
    impl Logic for LoopRotation {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..4 {
                self.o[i].next = self.a[(i + 1) % 4].val();
            }
        }
    }
}

block! { LoopDivision = "loop_division"; in(a) out(o, p);
    fields { a: [Signal<In, Bits<8>>; 6], o: [Signal<Out, Bits<8>>; 6], p: [Signal<Out, Bits<8>>; 6] }
    impl Logic for LoopDivision {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..6 {
                self.o[i].next = self.a[i / 2].val();
                self.p[i].next = self.a[i >> 1].val();
            }
        }
    }
}

block! { LoopTranspose = "loop_transpose"; in(a) out(o);
    fields { a: [Signal<In, Bits<8>>; 6], o: [Signal<Out, Bits<8>>; 6] }
    impl Logic for LoopTranspose {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..2 {
                for j in 0..3 {
                    self.o[i * 3 + j].next = self.a[j * 2 + i].val();
                }
            }
        }
    }
}

block! { LoopTwoDimensions = "loop_two_dimensions"; in(a) out(o, p);
    fields { a: [[Signal<In, Bits<8>>; 3]; 2], o: [[Signal<Out, Bits<8>>; 3]; 2], p: Signal<Out, Bits<8>> }
    impl Logic for LoopTwoDimensions {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..2 {
                for j in 0..3 {
                    self.o[i][j].next = self.a[i][j].val() + 1;
                }
            }
            self.p.next = self.a[1][2].val();
        }
    }
}

block! { LoopLastSetBit = "loop_last_set_bit"; in(a) out(o, p);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<3>> }
    impl Logic for LoopLastSetBit {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            self.p.next = 0.into();
            for i in 0..8 {
                if self.a.val().get_bit(i) {
                    self.o.next = i.to_bits();
                    self.p.next = i.to_bits();
                }
            }
        }
    }
}

block! { LoopAnyOfBits = "loop_any_of_bits"; in(a) out(o);
    fields { a: Signal<In, Bits<9>>, o: Signal<Out, Bit> }
    impl Logic for LoopAnyOfBits {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = false;
            for i in 0..8 {
                if self.a.val().get_bit(i + 1) {
                    self.o.next = true;
                }
            }
        }
    }
}

block! { LoopMultiplexer = "loop_multiplexer"; in(s, a) out(o);
    fields { s: Signal<In, Bits<2>>, a: [Signal<In, Bits<8>>; 4], o: Signal<Out, Bits<8>> }
    impl Logic for LoopMultiplexer {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            for i in 0..4 {
                if self.s.val() == i.to_bits() {
                    self.o.next = self.a[i].val();
                }
            }
        }
    }
}

block! { LoopAddsCounter = "loop_adds_counter"; in(a) out(o, p);
    fields { a: Signal<In, Bits<8>>, o: [Signal<Out, Bits<8>>; 4], p: [Signal<Out, Bits<8>>; 4] }
    impl Logic for LoopAddsCounter {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..4 {
                self.o[i].next = self.a.val() + i.to_bits();
                self.p[i].next = self.a.val() + (i * 3 + 2).to_bits();
            }
        }
    }
}

block! { LoopTestsCounter = "loop_tests_counter"; in(a) out(o, p);
    fields { a: [Signal<In, Bits<8>>; 6], o: [Signal<Out, Bits<8>>; 6], p: [Signal<Out, Bits<8>>; 6] }
    impl Logic for LoopTestsCounter {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..6 {
                if i == 0 {
                    self.o[i].next = 9.into();
                } else if i >= 4 {
                    self.o[i].next = self.a[i - 4].val();
                } else {
                    self.o[i].next = self.a[i + 1].val();
                }
                self.p[i].next = self.a[5 - i].val();
            }
        }
    }
}

block! { LoopOfOne = "loop_of_one"; in(a) out(o);
    fields { a: [Signal<In, Bits<8>>; 6], o: [Signal<Out, Bits<8>>; 6] }
    impl Logic for LoopOfOne {
        #[hdl_gen]
        fn update(&mut self) {
            for n in 3..4 {
                for i in 0..2 {
                    for j in 0..3 {
                        self.o[i * n + j].next = self.a[j * 2 + i].val();
                    }
                }
            }
        }
    }
}

block! { LoopCountsBits = "loop_counts_bits"; in(a) out(o);
    fields { a: [Signal<In, Bit>; 9], o: Signal<Out, Bits<4>> }
    impl Logic for LoopCountsBits {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            for i in 0..9 {
                self.o.next = self.o.val() + self.a[i].val();
            }
        }
    }
}

block! { LoopSumOfProducts = "loop_sum_of_products"; in(a, b, f) out(o);
    fields { a: [Signal<In, Bits<8>>; 4], b: [Signal<In, Bits<8>>; 4], f: [Signal<In, Bit>; 4], o: Signal<Out, Bits<8>> }
    impl Logic for LoopSumOfProducts {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            for i in 0..4 {
                if self.f[i].val() {
                    self.o.next = self.o.val() + (self.a[i].val() & self.b[i].val());
                }
            }
        }
    }
}

block! { LoopCarriedChain = "loop_carried_chain"; in(req) out(gnt);
    fields { req: [Signal<In, Bit>; 8], gnt: [Signal<Out, Bit>; 8], any: [Signal<Local, Bit>; 9] }
    impl Logic for LoopCarriedChain {
        #[hdl_gen]
        fn update(&mut self) {
            self.any[0].next = false;
            for i in 0..8 {
                self.gnt[i].next = self.req[i].val() & !self.any[i].val();
                self.any[i + 1].next = self.any[i].val() | self.req[i].val();
            }
        }
    }
}

block! { LoopFirstFound = "loop_first_found"; in(req) out(gnt);
    fields { req: [Signal<In, Bit>; 8], gnt: [Signal<Out, Bit>; 8], found: Signal<Local, Bit> }
    impl Logic for LoopFirstFound {
        #[hdl_gen]
        fn update(&mut self) {
            self.found.next = false;
            for i in 0..8 {
                self.gnt[i].next = false;
                if self.req[i].val() && !self.found.val() {
                    self.gnt[i].next = true;
                    self.found.next = true;
                }
            }
        }
    }
}

block! { LoopShiftChain = "loop_shift_chain"; in(a) out(o);
    fields { a: Signal<In, Bit>, o: [Signal<Out, Bit>; 6] }
    impl Logic for LoopShiftChain {
        #[hdl_gen]
        fn update(&mut self) {
            self.o[0].next = self.a.val();
            for i in 0..5 {
                self.o[i + 1].next = !self.o[i].val();
            }
        }
    }
}

block! { LoopMovesDown = "loop_moves_down"; in(a) out(o);
    fields { a: [Signal<In, Bit>; 6], o: [Signal<Out, Bit>; 6] }
    impl Logic for LoopMovesDown {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..6 {
                self.o[i].next = self.a[i].val();
            }
            for i in 0..5 {
                self.o[i].next = self.o[i + 1].val();
            }
        }
    }
}

block! { LoopMovesUp = "loop_moves_up"; in(a) out(o);
    fields { a: [Signal<In, Bits<4>>; 6], o: [Signal<Out, Bits<4>>; 6] }
    impl Logic for LoopMovesUp {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..6 {
                self.o[i].next = self.a[i].val();
            }
            for i in 0..5 {
                self.o[i + 1].next = self.o[i].val();
            }
        }
    }
}

block! { LoopPrefixOr = "loop_prefix_or"; in(a) out(o);
    fields { a: Vec<Signal<In, Bit>> = vector(16), o: Vec<Signal<Out, Bit>> = vector(16), x: Vec<Signal<Local, Bit>> = vector(80) }
    impl Logic for LoopPrefixOr {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..16 {
                self.x[i].next = self.a[i].val();
            }
            for l in 0..4 {
                for i in 0..16 {
                    if i >= (1 << l) {
                        self.x[(l + 1) * 16 + i].next = self.x[l * 16 + i].val() | self.x[l * 16 + i - (1 << l)].val();
                    } else {
                        self.x[(l + 1) * 16 + i].next = self.x[l * 16 + i].val();
                    }
                }
            }
            for i in 0..16 {
                self.o[i].next = self.x[64 + i].val();
            }
        }
    }
}

block! { LoopSizes = "loop_sizes"; in(a, m) out(o, any);
    fields { a: Vec<Signal<In, Bit>> = vector(15), m: Vec<Signal<In, Bit>> = vector(5), o: Vec<Signal<Out, Bit>> = vector(15), any: Vec<Signal<Out, Bit>> = vector(3), rows: Size = 3.into(), n: Size = 5.into() }
    impl Logic for LoopSizes {
        #[hdl_gen]
        fn update(&mut self) {
            for r in 0..self.rows.get() {
                self.any[r].next = false;
                for p in 0..self.n.get() {
                    self.o[r * self.n + p].next = self.a[r * self.n + p].val() & self.m[p].val();
                    self.any[r].next = self.any[r].val() | self.a[r * self.n + p].val();
                }
            }
        }
    }
}

block! { LoopLastIndex = "loop_last_index"; in(a) out(o, p);
    fields { a: Vec<Signal<In, Bit>> = vector(7), o: Vec<Signal<Out, Bit>> = vector(7), p: Signal<Out, Bit>, n: Size = 7.into() }
    impl Logic for LoopLastIndex {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..self.n.get() {
                self.o[i].next = self.a[self.n - 1 - i].val();
                if i + 1 < self.n {
                    self.o[i].next = self.a[i + 1].val();
                }
            }
            self.p.next = self.a[self.n.get() - 1].val();
        }
    }
}

block! { LoopOfNothing = "loop_of_nothing"; in(a) out(o);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
    impl Logic for LoopOfNothing {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            for i in 0_usize..0 {
                self.o.next = i.to_bits();
            }
        }
    }
}

block! { LoopRoundRobin = "loop_round_robin"; in(req, last) out(gnt);
    fields { req: Signal<In, Bits<8>>, last: Signal<In, Bits<3>>, gnt: Signal<Out, Bits<8>>, found: Signal<Local, Bits<1>>, rot: Signal<Local, Bits<8>>, eight: Constant<Bits<4>> = Constant::new(8.into()) }
    impl Logic for LoopRoundRobin {
        #[hdl_gen]
        fn update(&mut self) {
            self.gnt.next = 0.into();
            self.rot.next = (self.req.val() >> self.last.val()) | (self.req.val() << (self.eight.val() - bit_cast::<4, 3>(self.last.val())));
            self.found.next = 0.into();
            for i in 0..8 {
                if self.rot.val().get_bit(i) & !self.found.val().any() {
                    self.found.next = 1.into();
                    self.gnt.next = self.gnt.val().replace_bit(i, true);
                }
            }
        }
    }
}

block! { LoopTriangle = "loop_triangle"; in(a) out(o);
    fields { a: Vec<Signal<In, Bit>> = vector(6), o: Vec<Signal<Out, Bit>> = vector(6) }
    impl Logic for LoopTriangle {
        #[hdl_gen]
        fn update(&mut self) {
            for k in 0..6 {
                self.o[k].next = false;
                for i in 0..6 {
                    if i < k {
                        self.o[k].next = self.o[k].val() ^ self.a[i].val();
                    }
                }
            }
        }
    }
}

block! { LoopInnerBoundByOuterTest = "loop_inner_bound_by_outer_test"; in(a) out(o);
    fields { a: [Signal<In, Bits<4>>; 4], o: [Signal<Out, Bits<4>>; 4] }
    impl Logic for LoopInnerBoundByOuterTest {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..4 {
                self.o[i].next = 0.into();
                for j in 0..4 {
                    if j != i {
                        self.o[i].next = self.o[i].val() + self.a[j].val();
                    }
                }
            }
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(LoopWithOffset::new(), 200),
        record(LoopRotation::new(), 200),
        record(LoopDivision::new(), 200),
        record(LoopTranspose::new(), 200),
        record(LoopTwoDimensions::new(), 200),
        record(LoopLastSetBit::new(), 200),
        record(LoopAnyOfBits::new(), 200),
        record(LoopMultiplexer::new(), 200),
        record(LoopAddsCounter::new(), 200),
        record(LoopTestsCounter::new(), 200),
        record(LoopOfOne::new(), 200),
        record(LoopCountsBits::new(), 200),
        record(LoopSumOfProducts::new(), 200),
        record(LoopCarriedChain::new(), 200),
        record(LoopFirstFound::new(), 200),
        record(LoopShiftChain::new(), 200),
        record(LoopMovesDown::new(), 200),
        record(LoopMovesUp::new(), 200),
        record(LoopPrefixOr::new(), 200),
        record(LoopSizes::new(), 200),
        record(LoopLastIndex::new(), 200),
        record(LoopOfNothing::new(), 200),
        record(LoopRoundRobin::new(), 200),
        record(LoopTriangle::new(), 200),
        record(LoopInnerBoundByOuterTest::new(), 200),
    ]
}
