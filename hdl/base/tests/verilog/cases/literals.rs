//! Numbers: sized literals, constants of the block, and kernels that read nothing.

use crate::block;
use crate::common::bench::{Recording, record};
#[allow(unused_imports)]
use crate::common::vector;
#[allow(unused_imports)]
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Register, Size, dff_setup};
use rust_hdl::prelude::*;

block! { LiteralInComparison = "literal_in_comparison"; in(a, b) out(o, p, q, r);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bit>, p: Signal<Out, Bit>, q: Signal<Out, Bit>, r: Signal<Out, Bit> }
    impl Logic for LiteralInComparison {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() + 1 > self.b.val();
            self.p.next = self.a.val() + bits::<8>(1) > self.b.val();
            self.q.next = (self.a.val() - 1) == 255;
            self.r.next = (self.a.val() - 1) >= self.b.val();
        }
    }
}

block! { LiteralThenShift = "literal_then_shift"; in(a) out(o);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
    impl Logic for LiteralThenShift {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (self.a.val() + 1) >> 1;
        }
    }
}

block! { ZeroMinus = "zero_minus"; in(a, b) out(o, p);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bit>, p: Signal<Out, Bits<8>> }
    impl Logic for ZeroMinus {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = (0 - self.a.val()) == self.b.val();
            self.p.next = 0 - self.a.val();
        }
    }
}

block! { LongLiterals = "long_literals"; in(a, b) out(o, p, q);
    fields { a: Signal<In, Bits<64>>, b: Signal<In, Bits<40>>, o: Signal<Out, Bits<64>>, p: Signal<Out, Bit>, q: Signal<Out, Bits<8>> }
    impl Logic for LongLiterals {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() + 0xFFFF_FFFF_u64;
            self.p.next = self.b.val() >= 0x80_0000_0000_u64;
            self.q.next = 0xF0.into();
        }
    }
}

block! { NamedConstants = "named_constants"; in(a, b) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bit>, p: Signal<Out, Bits<8>>, q: Signal<Out, Bit>, one: Constant<Bits<8>> = Constant::new(1.into()), none: Constant<Bits<8>> = Constant::new(0.into()) }
    impl Logic for NamedConstants {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() + self.one.val() > self.b.val();
            self.p.next = (self.a.val() + self.one.val()) >> 1;
            self.q.next = self.a.val() >= self.none.val();
        }
    }
}

block! { ConstantTable = "constant_table"; in(s) out(o, p);
    fields { s: Signal<In, Bits<3>>, o: Signal<Out, Bit>, p: [Signal<Out, Bits<8>>; 4], mask: Constant<Bits<8>> = Constant::new(0xA5.into()), table: [Constant<Bits<8>>; 4] = [Constant::new(3.into()), Constant::new(7.into()), Constant::new(1.into()), Constant::new(255.into())] }
    impl Logic for ConstantTable {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.mask.val().get_bit(self.s.val().index());
            for i in 0..4 {
                self.p[i].next = self.table[i].val();
            }
        }
    }
}

block! { ReadsNothing = "reads_nothing"; in(a) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>>, q: [Signal<Out, Bit>; 4] }
    impl Logic for ReadsNothing {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 5.into();
            self.p.next = 0.into();
            for i in 0..4 {
                self.q[i].next = i == 2;
            }
            if self.p.val() == 0 {
                self.p.next = 9.into();
            }
        }
    }
}

block! { SizeAsValue = "size_as_value"; in(a) out(o, p);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bit>, n: Size = 11.into() }
    impl Logic for SizeAsValue {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() + self.n.val().to_bits();
            self.p.next = self.a.val() == self.n.val().to_bits();
        }
    }
}

block! { AlwaysTrueTests = "always_true_tests"; in(a) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bit>, p: Signal<Out, Bit>, q: Signal<Out, Bits<8>> }
    impl Logic for AlwaysTrueTests {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() >= 0;
            self.p.next = self.a.val() <= 255;
            self.q.next = self.a.val();
            if self.a.val() < 0 {
                self.q.next = 1.into();
            }
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(LiteralInComparison::new(), 200),
        record(LiteralThenShift::new(), 200),
        record(ZeroMinus::new(), 200),
        record(LongLiterals::new(), 200),
        record(NamedConstants::new(), 200),
        record(ConstantTable::new(), 200),
        record(ReadsNothing::new(), 200),
        record(SizeAsValue::new(), 200),
        record(AlwaysTrueTests::new(), 200),
    ]
}
