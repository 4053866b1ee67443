//! Loops that are one expression on whole vectors, and loops that look like it and are not.

use crate::block;
use crate::common::bench::{Recording, record};
#[allow(unused_imports)]
use crate::common::vector;
#[allow(unused_imports)]
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Register, Size, Subtractor, dff_setup};
use rust_hdl::prelude::*;

block! { VectorLogic = "vector_logic"; in(a, b, c, all) out(o, p);
    fields { a: Vec<Signal<In, Bit>> = vector(12), b: Vec<Signal<In, Bit>> = vector(12), c: Vec<Signal<In, Bit>> = vector(12), all: Signal<In, Bit>, o: Vec<Signal<Out, Bit>> = vector(12), p: Vec<Signal<Out, Bit>> = vector(12) }
    impl Logic for VectorLogic {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..12 {
                self.o[i].next = self.a[i].val() & !self.b[i].val() & (self.c[i].val() | self.all.val());
                self.p[i].next = self.a[i].val() && !self.b[i].val() || self.all.val() == self.c[i].val();
            }
        }
    }
}

block! { VectorOffsets = "vector_offsets"; in(a, b) out(o);
    fields { a: Vec<Signal<In, Bit>> = vector(12), b: Vec<Signal<In, Bit>> = vector(12), o: Vec<Signal<Out, Bit>> = vector(12) }
    impl Logic for VectorOffsets {
        #[hdl_gen]
        fn update(&mut self) {
            self.o[0].next = false;
            self.o[11].next = true;
            for i in 1..11 {
                self.o[i].next = self.a[i - 1].val() ^ self.b[i + 1].val();
            }
        }
    }
}

block! { VectorOfWords = "vector_of_words"; in(a, b, m, f) out(o, p);
    fields { a: Vec<Signal<In, Bits<8>>> = vector(5), b: Vec<Signal<In, Bits<8>>> = vector(5), m: Signal<In, Bits<8>>, f: Signal<In, Bit>, o: Vec<Signal<Out, Bits<8>>> = vector(5), p: Vec<Signal<Out, Bits<8>>> = vector(5) }
    impl Logic for VectorOfWords {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..5 {
                self.o[i].next = (self.a[i].val() & self.m.val()) | !self.b[i].val();
                if self.f.val() {
                    self.p[i].next = self.a[i].val();
                } else {
                    self.p[i].next = 3.into();
                }
            }
        }
    }
}

block! { VectorChoice = "vector_choice"; in(a, b, c) out(o, p, q, r, s);
    fields { a: Vec<Signal<In, Bit>> = vector(9), b: Vec<Signal<In, Bit>> = vector(9), c: Vec<Signal<In, Bit>> = vector(9), o: Vec<Signal<Out, Bit>> = vector(9), p: Vec<Signal<Out, Bit>> = vector(9), q: Vec<Signal<Out, Bit>> = vector(9), r: Vec<Signal<Out, Bit>> = vector(9), s: Vec<Signal<Out, Bit>> = vector(9) }
    impl Logic for VectorChoice {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..9 {
                if self.c[i].val() {
                    self.o[i].next = self.a[i].val();
                } else {
                    self.o[i].next = self.b[i].val();
                }
                self.p[i].next = self.a[i].val();
                if self.c[i].val() & self.b[i].val() {
                    self.p[i].next = false;
                }
                self.q[i].next = false;
                if self.c[i].val() != self.b[i].val() {
                    self.q[i].next = true;
                }
                self.r[i].next = true;
                if self.c[i].val() {
                    self.r[i].next = self.r[i].val() & self.b[i].val();
                }
                self.s[i].next = self.b[i].val();
                if self.a[i].val() {
                    if self.c[i].val() {
                        self.s[i].next = false;
                    }
                }
            }
        }
    }
}

block! { VectorChoiceTwoTargets = "vector_choice_two_targets"; in(a, c) out(o, p);
    fields { a: Vec<Signal<In, Bit>> = vector(9), c: Vec<Signal<In, Bit>> = vector(9), o: Vec<Signal<Out, Bit>> = vector(9), p: Vec<Signal<Out, Bit>> = vector(9) }
    impl Logic for VectorChoiceTwoTargets {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..9 {
                self.o[i].next = false;
                self.p[i].next = true;
                if self.c[i].val() {
                    self.o[i].next = self.a[i].val();
                    self.p[i].next = self.o[i].val();
                }
            }
        }
    }
}

block! { VectorOneHot = "vector_one_hot"; in(s, a) out(o, p, q);
    fields { s: Signal<In, Bits<4>>, a: Signal<In, Bits<3>>, o: Vec<Signal<Out, Bit>> = vector(16), p: Vec<Signal<Out, Bit>> = vector(5), q: Vec<Signal<Out, Bit>> = vector(16) }
    impl Logic for VectorOneHot {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..16 {
                self.o[i].next = self.s.val() == i.to_bits();
                self.q[i].next = self.s.val() != i.to_bits();
            }
            for i in 0..5 {
                self.p[i].next = self.a.val() == i.to_bits();
            }
        }
    }
}

block! { VectorComparisons = "vector_comparisons"; in(a, b, m) out(o, p);
    fields { a: Vec<Signal<In, Bits<4>>> = vector(6), b: Vec<Signal<In, Bits<4>>> = vector(6), m: Signal<In, Bits<4>>, o: Vec<Signal<Out, Bit>> = vector(6), p: Vec<Signal<Out, Bit>> = vector(6) }
    impl Logic for VectorComparisons {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..6 {
                self.o[i].next = self.a[i].val() == self.b[i].val();
                self.p[i].next = self.a[i].val() > self.m.val();
            }
        }
    }
}

block! { VectorReductions = "vector_reductions"; in(a, b) out(o, p, q, r, s);
    fields { a: Vec<Signal<In, Bit>> = vector(10), b: Vec<Signal<In, Bit>> = vector(10), o: Signal<Out, Bit>, p: Signal<Out, Bit>, q: Signal<Out, Bit>, r: Signal<Out, Bit>, s: Signal<Out, Bit> }
    impl Logic for VectorReductions {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = false;
            self.p.next = true;
            self.q.next = false;
            self.r.next = true;
            self.s.next = self.b[0].val();
            for i in 0..10 {
                self.o.next = self.o.val() | (self.a[i].val() & !self.b[i].val());
                self.p.next = self.p.val() & self.a[i].val();
                self.q.next = self.q.val() ^ self.a[i].val();
                if self.a[i].val() & self.b[i].val() {
                    self.r.next = false;
                }
                self.s.next = self.s.val() || self.a[i].val();
            }
        }
    }
}

block! { VectorMatrix = "vector_matrix"; in(a, b, c) out(o, p, q, s);
    fields { a: Vec<Signal<In, Bit>> = vector(20), b: Vec<Signal<In, Bit>> = vector(5), c: Vec<Signal<In, Bit>> = vector(4), o: Vec<Signal<Out, Bit>> = vector(20), p: Vec<Signal<Out, Bit>> = vector(20), q: Vec<Signal<Out, Bit>> = vector(20), s: Vec<Signal<Out, Bit>> = vector(20) }
    impl Logic for VectorMatrix {
        #[hdl_gen]
        fn update(&mut self) {
            for j in 0..4 {
                for k in 0..5 {
                    self.o[j * 5 + k].next = self.a[j * 5 + k].val();
                    self.p[j * 5 + k].next = self.a[j * 5 + k].val() & self.b[k].val();
                    self.q[j * 5 + k].next = self.a[j * 5 + k].val() & self.c[j].val();
                    self.s[j * 5 + k].next = self.a[k * 4 + j].val();
                }
            }
        }
    }
}

block! { VectorMatrixColumns = "vector_matrix_columns"; in(a) out(o, p);
    fields { a: Vec<Signal<In, Bit>> = vector(20), o: Vec<Signal<Out, Bit>> = vector(5), p: Vec<Signal<Out, Bit>> = vector(4) }
    impl Logic for VectorMatrixColumns {
        #[hdl_gen]
        fn update(&mut self) {
            for k in 0..5 {
                self.o[k].next = false;
            }
            for j in 0..4 {
                self.p[j].next = true;
                for k in 0..5 {
                    self.o[k].next = self.o[k].val() | self.a[j * 5 + k].val();
                    self.p[j].next = self.p[j].val() && self.a[j * 5 + k].val();
                }
            }
        }
    }
}

block! { VectorConditionOutside = "vector_condition_outside"; in(a, b, f, g) out(o, p);
    fields { a: Vec<Signal<In, Bit>> = vector(8), b: Vec<Signal<In, Bit>> = vector(8), f: Signal<In, Bit>, g: Signal<In, Bit>, o: Vec<Signal<Out, Bit>> = vector(8), p: Vec<Signal<Out, Bit>> = vector(8) }
    impl Logic for VectorConditionOutside {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..8 {
                self.p[i].next = self.b[i].val();
                if self.f.val() {
                    self.o[i].next = self.a[i].val();
                    if self.g.val() {
                        self.p[i].next = !self.a[i].val();
                    }
                } else {
                    self.o[i].next = self.g.val();
                }
            }
        }
    }
}

block! { VectorMixedLoop = "vector_mixed_loop"; in(a, f) out(o, p, t);
    fields { a: Vec<Signal<In, Bits<8>>> = vector(4), f: Vec<Signal<In, Bit>> = vector(4), o: Vec<Signal<Out, Bits<8>>> = vector(4), p: Vec<Signal<Out, Bit>> = vector(4), t: Signal<Out, Bits<8>> }
    impl Logic for VectorMixedLoop {
        #[hdl_gen]
        fn update(&mut self) {
            self.t.next = 0.into();
            for i in 0..4 {
                self.p[i].next = !self.f[i].val();
                self.o[i].next = self.a[i].val();
                if self.f[i].val() {
                    self.o[i].next = self.a[i].val() + self.t.val();
                    self.t.next = self.t.val() + 1;
                }
            }
        }
    }
}

block! { SubtractVectors = "subtract_vectors"; in(request, pointer, a, b) out(grant, o);
    fields { request: Vec<Signal<In, Bit>> = vector(6), pointer: Vec<Signal<In, Bit>> = vector(6),
        a: Vec<Signal<In, Bit>> = vector(9), b: Vec<Signal<In, Bit>> = vector(9),
        grant: Vec<Signal<Out, Bit>> = vector(6), o: Vec<Signal<Out, Bit>> = vector(18), n: Size = 6.into(),
        search: Subtractor = Subtractor::new(12), pair: Vec<Subtractor> = vec![Subtractor::new(9), Subtractor::new(9)] }
    impl Logic for SubtractVectors {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..self.n.get() {
                self.search.a[i].next = self.request[i].val();
                self.search.a[i + self.n].next = self.request[i].val();
                self.search.b[i].next = self.pointer[i].val();
                self.search.b[i + self.n].next = false;
            }
            for i in 0..self.n.get() {
                self.grant[i].next = self.request[i].val()
                    & !(self.search.difference[i].val() & self.search.difference[i + self.n].val());
            }
            for k in 0..2 {
                for i in 0..9 {
                    self.pair[k].a[i].next = self.a[i].val() ^ self.b[8 - i].val();
                    self.pair[k].b[i].next = self.b[i].val() & (k == 1);
                    self.o[k * 9 + i].next = self.pair[k].difference[i].val();
                }
            }
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(SubtractVectors::new(), 400),
        record(VectorLogic::new(), 200),
        record(VectorOffsets::new(), 200),
        record(VectorOfWords::new(), 200),
        record(VectorChoice::new(), 200),
        record(VectorChoiceTwoTargets::new(), 200),
        record(VectorOneHot::new(), 200),
        record(VectorComparisons::new(), 200),
        record(VectorReductions::new(), 200),
        record(VectorMatrix::new(), 200),
        record(VectorMatrixColumns::new(), 200),
        record(VectorConditionOutside::new(), 200),
        record(VectorMixedLoop::new(), 200),
    ]
}
