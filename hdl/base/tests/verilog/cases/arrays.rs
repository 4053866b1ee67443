//! Arrays of signals and interfaces, by index, by copy and by link.

use crate::block;
use crate::common::bench::{Recording, record};
use crate::common::vector;
use powar_hdl_base::primitives::BlockInfo;
use rust_hdl::prelude::*;

block! { ConstantIndices = "constant_indices"; in(a, b) out(o, p);
    fields { a: [Signal<In, Bits<8>>; 4], b: Vec<Signal<In, Bit>> = vector(3),
        o: [Signal<Out, Bits<8>>; 2], p: Vec<Signal<Out, Bit>> = vector(3) }
    impl Logic for ConstantIndices {
        #[hdl_gen]
        fn update(&mut self) {
            self.o[0].next = self.a[3].val() + self.a[1].val();
            self.o[1].next = bit_cast::<8, 4>(bit_cast::<4, 8>(self.a[2].val()));
            self.p[0].next = self.b[2].val();
            self.p[1].next = self.a[0].val().get_bit(7);
            self.p[2].next = self.b[0].val() & !self.b[1].val();
        }
    }
}

block! { VectorOfOne = "vector_of_one"; in(a) out(o);
    fields { a: Vec<Signal<In, Bit>> = vector(1), o: Vec<Signal<Out, Bit>> = vector(1) }
    impl Logic for VectorOfOne {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..1 {
                self.o[i].next = !self.a[i].val();
            }
        }
    }
}

/// The sending side of a handshake.
#[derive(Clone, Debug, Default, LogicInterface)]
#[join = "Sink"]
pub struct Source {
    pub data: Signal<Out, Bits<8>>,
    pub valid: Signal<Out, Bit>,
    pub ready: Signal<In, Bit>,
}

/// The receiving side.
#[derive(Clone, Debug, Default, LogicInterface)]
#[join = "Source"]
pub struct Sink {
    pub data: Signal<In, Bits<8>>,
    pub valid: Signal<In, Bit>,
    pub ready: Signal<Out, Bit>,
}

block! { Linked = "linked"; in(a, rdy) out(o, got);
    fields { a: Signal<In, Bits<8>>, rdy: [Signal<In, Bit>; 2], o: [Signal<Out, Bits<8>>; 2], got: [Signal<Out, Bit>; 2],
        s: [Sender; 2] = [Sender::new(), Sender::new()], inner: Passes = Passes::new() }
    impl Logic for Linked {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..2 {
                self.s[i].a.next = self.a.val() + i.to_bits();
                Source::join(&mut self.s[i].bus, &mut self.inner.up[i]);
                self.inner.rdy[i].next = self.rdy[i].val();
                self.o[i].next = self.inner.o[i].val();
                self.got[i].next = self.s[i].got.val();
            }
        }
    }
}

block! { Passes = "passes"; in() out();
    fields { up: [Sink; 2], rdy: [Signal<In, Bit>; 2], o: [Signal<Out, Bits<8>>; 2], k: [Receiver; 2] = [Receiver::new(), Receiver::new()] }
    impl Logic for Passes {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..2 {
                Sink::link(&mut self.up[i], &mut self.k[i].bus);
                self.k[i].rdy.next = self.rdy[i].val();
                self.o[i].next = self.k[i].o.val();
            }
        }
    }
}

block! { Sender = "sender"; in() out();
    fields { a: Signal<In, Bits<8>>, got: Signal<Out, Bit>, bus: Source }
    impl Logic for Sender {
        #[hdl_gen]
        fn update(&mut self) {
            self.bus.data.next = self.a.val();
            self.bus.valid.next = self.a.val().any();
            self.got.next = self.bus.ready.val();
        }
    }
}

block! { Receiver = "receiver"; in() out();
    fields { o: Signal<Out, Bits<8>>, rdy: Signal<In, Bit>, bus: Sink }
    impl Logic for Receiver {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            if self.bus.valid.val() {
                self.o.next = self.bus.data.val();
            }
            self.bus.ready.next = self.rdy.val();
        }
    }
}

block! { Joined = "joined"; in(a, rdy) out(o, got);
    fields { a: [Signal<In, Bits<8>>; 3], rdy: Signal<In, Bit>, o: [Signal<Out, Bits<8>>; 3], got: [Signal<Out, Bit>; 3],
        s: Vec<Sender> = (0..3).map(|_| Sender::new()).collect(), k: Vec<Receiver> = (0..3).map(|_| Receiver::new()).collect() }
    impl Logic for Joined {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..3 {
                Source::join(&mut self.s[i].bus, &mut self.k[i].bus);
                self.s[i].a.next = self.a[i].val();
                self.k[i].rdy.next = self.rdy.val();
                self.o[i].next = self.k[i].o.val();
                self.got[i].next = self.s[i].got.val();
            }
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(ConstantIndices::new(), 200),
        record(VectorOfOne::new(), 20),
        record(Joined::new(), 200),
        record(Linked::new(), 200),
    ]
}
