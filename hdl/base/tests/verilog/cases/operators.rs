//! Operators: exact widths, precedence, negation of single bits.

use crate::block;
use crate::common::bench::{Recording, record};
#[allow(unused_imports)]
use crate::common::vector;
#[allow(unused_imports)]
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Register, Size, dff_setup};
use rust_hdl::prelude::*;

block! { NotOfComparison = "not_of_comparison"; in(a, b) out(o);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bit> }
    impl Logic for NotOfComparison {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = !(self.a.val() == self.b.val());
        }
    }
}

block! { NotOfReductions = "not_of_reductions"; in(a) out(p, q, r);
    fields { a: Signal<In, Bits<4>>, p: Signal<Out, Bit>, q: Signal<Out, Bit>, r: Signal<Out, Bit> }
    impl Logic for NotOfReductions {
        #[hdl_gen]
        fn update(&mut self) {
            self.p.next = !self.a.val().any();
            self.q.next = !self.a.val().all();
            self.r.next = !self.a.val().xor();
        }
    }
}

block! { NotInCondition = "not_in_condition"; in(a, b) out(o);
    fields { a: Signal<In, Bit>, b: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
    impl Logic for NotInCondition {
        #[hdl_gen]
        fn update(&mut self) {
            if !self.a.val() {
                self.o.next = self.b.val();
            } else {
                self.o.next = 7.into();
            }
        }
    }
}

block! { NotInLogic = "not_in_logic"; in(a, b) out(o, p);
    fields { a: Signal<In, Bit>, b: Signal<In, Bit>, o: Signal<Out, Bit>, p: Signal<Out, Bit> }
    impl Logic for NotInLogic {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = !self.a.val() && !self.b.val();
            self.p.next = !(self.a.val() || !self.b.val());
        }
    }
}

block! { AddNotFlag = "add_not_flag"; in(a, f) out(o);
    fields { a: Signal<In, Bits<8>>, f: Signal<In, Bit>, o: Signal<Out, Bits<8>> }
    impl Logic for AddNotFlag {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() + !self.f.val();
        }
    }
}

block! { CastNotFlag = "cast_not_flag"; in(f) out(o);
    fields { f: Signal<In, Bit>, o: Signal<Out, Bits<8>> }
    impl Logic for CastNotFlag {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<8, 1>((!self.f.val()).into());
        }
    }
}

block! { CastNotBits = "cast_not_bits"; in(a) out(o);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<16>> }
    impl Logic for CastNotBits {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<16, 8>(!self.a.val());
        }
    }
}

block! { CastComparison = "cast_comparison"; in(a, b) out(o);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
    impl Logic for CastComparison {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<8, 1>((self.a.val() == self.b.val()).into());
        }
    }
}

block! { CastSum = "cast_sum"; in(a, b) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bits<16>>, p: Signal<Out, Bits<16>>, q: Signal<Out, Bits<16>> }
    impl Logic for CastSum {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<16, 8>(self.a.val() + self.b.val());
            self.p.next = bit_cast::<16, 8>(self.a.val() - self.b.val());
            self.q.next = bit_cast::<16, 8>(self.a.val() << 4);
        }
    }
}

block! { CompareSum = "compare_sum"; in(a, b, c) out(o, p);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, c: Signal<In, Bits<8>>, o: Signal<Out, Bit>, p: Signal<Out, Bit> }
    impl Logic for CompareSum {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (self.a.val() + self.b.val()) > self.c.val();
            self.p.next = self.a.val() - self.b.val() < self.c.val();
        }
    }
}

block! { ShiftSum = "shift_sum"; in(a, b) out(o);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
    impl Logic for ShiftSum {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (self.a.val() + self.b.val()) >> 1;
        }
    }
}

block! { ShiftThereAndBack = "shift_there_and_back"; in(a) out(o, p);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bit> }
    impl Logic for ShiftThereAndBack {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (self.a.val() << 4) >> 4;
            self.p.next = ((self.a.val() << 4) >> 4) == self.a.val();
        }
    }
}

block! { WideSumOfCasts = "wide_sum_of_casts"; in(a, b) out(o);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bits<9>> }
    impl Logic for WideSumOfCasts {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<9, 8>(self.a.val()) + bit_cast::<9, 8>(self.b.val());
        }
    }
}

block! { NarrowSumCompared = "narrow_sum_compared"; in(a, b, d) out(o);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, d: Signal<In, Bits<4>>, o: Signal<Out, Bit> }
    impl Logic for NarrowSumCompared {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (bit_cast::<4, 8>(self.a.val()) + bit_cast::<4, 8>(self.b.val())) > self.d.val();
        }
    }
}

block! { NarrowCast = "narrow_cast"; in(a) out(o, p, q);
    fields { a: Signal<In, Bits<16>>, o: Signal<Out, Bits<5>>, p: Signal<Out, Bits<4>>, q: Signal<Out, Bit> }
    impl Logic for NarrowCast {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<5, 16>(self.a.val());
            self.p.next = bit_cast::<4, 16>(self.a.val() + 3);
            self.q.next = bit_cast::<4, 16>(self.a.val() >> 2) == 5;
        }
    }
}

block! { WideCasts = "wide_casts"; in(a, b) out(o, p);
    fields { a: Signal<In, Bits<100>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bits<70>>, p: Signal<Out, Bits<100>> }
    impl Logic for WideCasts {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<70, 100>(self.a.val());
            self.p.next = bit_cast::<100, 8>(self.b.val());
        }
    }
}

block! { ReduceSums = "reduce_sums"; in(a, b) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bit>, p: Signal<Out, Bit>, q: Signal<Out, Bit> }
    impl Logic for ReduceSums {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (self.a.val() + self.b.val()).any();
            self.p.next = (self.a.val() | self.b.val()).all();
            self.q.next = (self.a.val() + 1).any();
        }
    }
}

block! { PrecedenceAndEqual = "precedence_and_equal"; in(a, b, c) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, c: Signal<In, Bits<8>>, o: Signal<Out, Bit>, p: Signal<Out, Bit>, q: Signal<Out, Bit> }
    impl Logic for PrecedenceAndEqual {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() & self.b.val() == self.c.val();
            self.p.next = self.a.val() | self.b.val() != 0;
            self.q.next = self.a.val() ^ self.b.val() == self.c.val();
        }
    }
}

block! { PrecedenceMixed = "precedence_mixed"; in(a, b, c, d) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, c: Signal<In, Bits<8>>, d: Signal<In, Bits<3>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>>, q: Signal<Out, Bits<8>> }
    impl Logic for PrecedenceMixed {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() | self.b.val() & self.c.val() ^ self.a.val();
            self.p.next = self.a.val() << self.d.val() | self.c.val();
            self.q.next = self.a.val() + self.b.val() & self.c.val();
        }
    }
}

block! { NestedDifferences = "nested_differences"; in(a, b, c) out(o, p);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, c: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>> }
    impl Logic for NestedDifferences {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() - (self.b.val() - self.c.val());
            self.p.next = self.a.val() - self.b.val() - self.c.val();
        }
    }
}

block! { LogicOfFlags = "logic_of_flags"; in(a, b, c) out(o, p, q);
    fields { a: Signal<In, Bit>, b: Signal<In, Bit>, c: Signal<In, Bit>, o: Signal<Out, Bit>, p: Signal<Out, Bit>, q: Signal<Out, Bit> }
    impl Logic for LogicOfFlags {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() || self.b.val() && self.c.val();
            self.p.next = self.a.val() | self.b.val() & self.c.val() ^ true;
            self.q.next = self.a.val() == self.b.val();
        }
    }
}

block! { ShiftBySignal = "shift_by_signal"; in(a, b, c, d) out(o, p);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<4>>, c: Signal<In, Bits<40>>, d: Signal<In, Bits<6>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<40>> }
    impl Logic for ShiftBySignal {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() << self.b.val();
            self.p.next = self.c.val() >> self.d.val();
        }
    }
}

block! { ShiftedLiterals = "shifted_literals"; in(i, j) out(o, p);
    fields { i: Signal<In, Bits<6>>, j: Signal<In, Bits<3>>, o: Signal<Out, Bits<64>>, p: Signal<Out, Bits<8>> }
    impl Logic for ShiftedLiterals {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 1 << self.i.val();
            self.p.next = bits::<8>(1) << self.j.val();
        }
    }
}

block! { WideArithmetic = "wide_arithmetic"; in(a, b) out(o, p);
    fields { a: Signal<In, Bits<100>>, b: Signal<In, Bits<100>>, o: Signal<Out, Bits<100>>, p: Signal<Out, Bit> }
    impl Logic for WideArithmetic {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (self.a.val() + self.b.val()) ^ (self.a.val() - self.b.val());
            self.p.next = self.a.val() < self.b.val();
        }
    }
}

block! { ReductionsOfWide = "reductions_of_wide"; in(a) out(o, p, q);
    fields { a: Signal<In, Bits<40>>, o: Signal<Out, Bit>, p: Signal<Out, Bit>, q: Signal<Out, Bit> }
    impl Logic for ReductionsOfWide {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val().xor();
            self.p.next = self.a.val().all();
            self.q.next = self.a.val().any();
        }
    }
}

block! { ReadOwnOutput = "read_own_output"; in(a) out(o, p);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>> }
    impl Logic for ReadOwnOutput {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() + 1;
            self.p.next = self.o.val() + 1;
        }
    }
}

block! { OverwrittenOutput = "overwritten_output"; in(a, f) out(o);
    fields { a: Signal<In, Bits<8>>, f: Signal<In, Bit>, o: Signal<Out, Bits<8>> }
    impl Logic for OverwrittenOutput {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            if self.f.val() {
                self.o.next = self.o.val() + 1;
            }
            self.o.next = self.o.val() ^ 3;
        }
    }
}

block! { ValueBeforeAndAfter = "value_before_and_after"; in(a) out(o, p);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>>, t: Signal<Local, Bits<8>> }
    impl Logic for ValueBeforeAndAfter {
        #[hdl_gen]
        fn update(&mut self) {
            self.t.next = self.a.val();
            self.o.next = self.t.val() + 1;
            self.t.next = self.o.val() + self.t.val();
            self.p.next = self.t.val();
        }
    }
}

block! { SwapThroughLocal = "swap_through_local"; in(a, b, f) out(o, p);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, f: Signal<In, Bit>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>>, t: Signal<Local, Bits<8>> }
    impl Logic for SwapThroughLocal {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val();
            self.p.next = self.b.val();
            if self.f.val() {
                self.t.next = self.o.val();
                self.o.next = self.p.val();
                self.p.next = self.t.val();
            } else {
                self.t.next = 0.into();
            }
        }
    }
}

block! { DoubleSubtract = "double_subtract"; in(a) out(o, p);
    fields { a: Signal<In, Bits<64>>, o: Signal<Out, Bits<64>>, p: Signal<Out, Bits<64>> }
    impl Logic for DoubleSubtract {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() & (0 - self.a.val());
            self.p.next = self.a.val() & !(self.a.val() - 1);
        }
    }
}

block! { Products = "products"; in(a, b) out(o, p, q, r);
    fields { a: Signal<In, Bits<16>>, b: Signal<In, Bits<16>>, o: Signal<Out, Bits<32>>, p: Signal<Out, Bits<16>>, q: Signal<Out, Bit>, r: Signal<Out, Bits<40>> }
    impl Logic for Products {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() * self.b.val();
            self.p.next = ((self.a.val() + self.b.val()) * self.b.val()).get_bits::<16>(9);
            self.q.next = self.a.val() * self.b.val() > self.b.val() * 1000.into();
            self.r.next = bit_cast::<40, 32>(self.b.val() * self.b.val()) - (bit_cast::<40, 32>(self.a.val() * self.b.val()) << 8);
        }
    }
}

block! { ProductOfParts = "product_of_parts"; in(a, b) out(o);
    fields { a: Signal<In, Bits<24>>, b: Signal<In, Bits<16>>, o: Signal<Out, Bits<40>> }
    impl Logic for ProductOfParts {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = bit_cast::<40, 32>(self.a.val().get_bits::<16>(0) * self.b.val())
                + (bit_cast::<40, 32>(bit_cast::<16, 8>(self.a.val().get_bits::<8>(16)) * self.b.val()) << 16);
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(NotOfComparison::new(), 200),
        record(NotOfReductions::new(), 200),
        record(NotInCondition::new(), 200),
        record(NotInLogic::new(), 200),
        record(AddNotFlag::new(), 200),
        record(CastNotFlag::new(), 200),
        record(CastNotBits::new(), 200),
        record(CastComparison::new(), 200),
        record(CastSum::new(), 200),
        record(CompareSum::new(), 200),
        record(ShiftSum::new(), 200),
        record(ShiftThereAndBack::new(), 200),
        record(WideSumOfCasts::new(), 200),
        record(NarrowSumCompared::new(), 200),
        record(NarrowCast::new(), 200),
        record(WideCasts::new(), 200),
        record(ReduceSums::new(), 200),
        record(PrecedenceAndEqual::new(), 200),
        record(PrecedenceMixed::new(), 200),
        record(NestedDifferences::new(), 200),
        record(LogicOfFlags::new(), 200),
        record(ShiftBySignal::new(), 200),
        record(ShiftedLiterals::new(), 200),
        record(WideArithmetic::new(), 200),
        record(ReductionsOfWide::new(), 200),
        record(ReadOwnOutput::new(), 200),
        record(OverwrittenOutput::new(), 200),
        record(ValueBeforeAndAfter::new(), 200),
        record(SwapThroughLocal::new(), 200),
        record(DoubleSubtract::new(), 200),
        record(Products::new(), 200),
        record(ProductOfParts::new(), 200),
    ]
}
