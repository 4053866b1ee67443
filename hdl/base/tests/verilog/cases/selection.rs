//! Bits of signals and of expressions, read and replaced.

use crate::block;
use crate::common::bench::{Recording, record};
#[allow(unused_imports)]
use crate::common::vector;
#[allow(unused_imports)]
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Register, Size, dff_setup};
use rust_hdl::prelude::*;

block! { BitBySignal = "bit_by_signal"; in(a, i) out(o, p);
    fields { a: Signal<In, Bits<8>>, i: Signal<In, Bits<3>>, o: Signal<Out, Bit>, p: Signal<Out, Bit> }
    impl Logic for BitBySignal {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val().get_bit(self.i.val().index());
            self.p.next = self.a.val().get_bit((self.i.val() + 1).index());
        }
    }
}

block! { BitsByNumber = "bits_by_number"; in(a) out(o, p);
    fields { a: Signal<In, Bits<16>>, o: Signal<Out, Bits<4>>, p: Signal<Out, Bits<4>> }
    impl Logic for BitsByNumber {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val().get_bits::<4>(5);
            self.p.next = self.a.val().get_bits::<4>(14);
        }
    }
}

block! { BitsBySignal = "bits_by_signal"; in(a, i) out(o);
    fields { a: Signal<In, Bits<16>>, i: Signal<In, Bits<4>>, o: Signal<Out, Bits<4>> }
    impl Logic for BitsBySignal {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val().get_bits::<4>(self.i.val().index());
        }
    }
}

block! { BitsOfExpressions = "bits_of_expressions"; in(a, b) out(o, p, q, r);
    fields { a: Signal<In, Bits<16>>, b: Signal<In, Bits<16>>, o: Signal<Out, Bits<4>>, p: Signal<Out, Bit>, q: Signal<Out, Bit>, r: Signal<Out, Bit> }
    impl Logic for BitsOfExpressions {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (self.a.val() + self.b.val()).get_bits::<4>(5);
            self.p.next = (self.a.val() ^ self.b.val()).get_bit(5);
            self.q.next = self.a.val().get_bits::<4>(4).get_bit(1);
            self.r.next = bit_cast::<8, 16>(self.a.val()).get_bit(5);
        }
    }
}

block! { BitsOfExpressionsInBranches = "bits_of_expressions_in_branches"; in(a, b, f) out(o);
    fields { a: Signal<In, Bits<16>>, b: Signal<In, Bits<16>>, f: Signal<In, Bit>, o: Signal<Out, Bits<4>> }
    impl Logic for BitsOfExpressionsInBranches {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            if self.f.val() {
                self.o.next = (self.a.val() + self.b.val()).get_bits::<4>(7);
            }
        }
    }
}

block! { ReplaceBySignal = "replace_by_signal"; in(a, f, i) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, f: Signal<In, Bit>, i: Signal<In, Bits<3>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bit>, q: Signal<Out, Bits<8>> }
    impl Logic for ReplaceBySignal {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val().replace_bit(self.i.val().index(), !self.f.val());
            self.p.next = self.a.val().replace_bit(self.i.val().index(), self.f.val()).all();
            self.q.next = self.a.val().replace_bit(self.i.val().index(), self.a.val() > 100);
        }
    }
}

block! { ReplaceByNumber = "replace_by_number"; in(a, f, g) out(o, p);
    fields { a: Signal<In, Bits<64>>, f: Signal<In, Bit>, g: Signal<In, Bit>, o: Signal<Out, Bits<64>>, p: Signal<Out, Bits<64>> }
    impl Logic for ReplaceByNumber {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val().replace_bit(40, self.f.val());
            self.p.next = self.a.val().replace_bit(0, self.f.val()).replace_bit(63, self.g.val());
        }
    }
}

block! { ReplaceWide = "replace_wide"; in(a, b, f, i) out(o, p);
    fields { a: Signal<In, Bits<64>>, b: Signal<In, Bits<64>>, f: Signal<In, Bit>, i: Signal<In, Bits<6>>, o: Signal<Out, Bit>, p: Signal<Out, Bits<64>> }
    impl Logic for ReplaceWide {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val().replace_bit(self.i.val().index(), self.f.val()) == self.b.val();
            self.p.next = self.a.val().replace_bit(self.i.val().index(), self.f.val());
        }
    }
}

block! { ReplaceInLoop = "replace_in_loop"; in(a, i, f) out(o);
    fields { a: Signal<In, Bits<8>>, i: Signal<In, Bits<8>>, f: Signal<In, Bit>, l: Signal<Local, Bits<8>>, o: Signal<Out, Bits<8>> }
    impl Logic for ReplaceInLoop {
        #[hdl_gen]
        fn update(&mut self) {
            self.l.next = self.a.val();
            for k in 0..8 {
                if self.i.val().get_bit(k) {
                    self.l.next = self.l.val().replace_bit(k, self.f.val());
                }
            }
            self.o.next = self.l.val();
        }
    }
}

block! { LanesOfWord = "lanes_of_word"; in(d, s, i) out(o, p);
    fields { d: Signal<In, Bits<64>>, s: Signal<In, Bits<8>>, i: Signal<In, Bits<3>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>> }
    impl Logic for LanesOfWord {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            for k in 0..8 {
                if self.s.val().get_bit(k) {
                    self.o.next = self.o.val() | self.d.val().get_bits::<8>(8 * k);
                }
            }
            self.p.next = self.d.val().get_bits::<8>((bit_cast::<6, 3>(self.i.val()) << 3).index());
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(BitBySignal::new(), 200),
        record(BitsByNumber::new(), 200),
        record(BitsBySignal::new(), 200),
        record(BitsOfExpressions::new(), 200),
        record(BitsOfExpressionsInBranches::new(), 200),
        record(ReplaceBySignal::new(), 200),
        record(ReplaceByNumber::new(), 200),
        record(ReplaceWide::new(), 200),
        record(ReplaceInLoop::new(), 200),
        record(LanesOfWord::new(), 200),
    ]
}
