//! Registers: single, in arrays, of bits, of enums, with reset in the middle of a run and counters that wrap.

use super::enums::Gear;
use crate::block;
use crate::common::bench::{Recording, record};
use crate::common::vector;
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Register, Size, dff_setup};
use rust_hdl::prelude::*;

block! { Counter = "counter" clocked; in(en) out(q, wrapped);
    fields { en: Signal<In, Bit>, q: Signal<Out, Bits<4>>, wrapped: Signal<Out, Bit>, count: Register<Bits<4>> }
    impl Logic for Counter {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, count);
            if self.en.val() {
                self.count.d.next = self.count.q.val() + 1;
            }
            self.q.next = self.count.q.val();
            self.wrapped.next = self.count.q.val() == 15 && self.en.val();
        }
    }
}

block! { ResetValues = "reset_values" clocked; in(a, g) out(o, p, q, s);
    fields { a: Signal<In, Bits<8>>, g: Signal<In, Gear>, o: Signal<Out, Bits<8>>, p: Signal<Out, Gear>, q: Signal<Out, Bit>, s: Signal<Out, Bits<40>>,
        byte: Register<Bits<8>> = Register::new(0xA5.into()), gear: Register<Gear> = Register::new(Gear::High),
        flag: Register<Bit> = Register::new(true), wide: Register<Bits<40>> = Register::new(0x12_3456_789A_u64.into()) }
    impl Logic for ResetValues {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, byte, gear, flag, wide);
            self.byte.d.next = self.a.val();
            self.gear.d.next = self.g.val();
            if self.a.val() > 200 {
                self.flag.d.next = !self.flag.q.val();
            }
            self.wide.d.next = self.wide.q.val() + 0x1_0000_0001_u64;
            self.o.next = self.byte.q.val();
            self.p.next = self.gear.q.val();
            self.q.next = self.flag.q.val();
            self.s.next = self.wide.q.val();
        }
    }
}

block! { ShiftChain = "shift_chain" clocked; in(a) out(o);
    fields { a: Signal<In, Bits<4>>, o: Vec<Signal<Out, Bits<4>>> = vector(5), n: Size = 5.into(), stage: Vec<Register<Bits<4>>> = vector(5) }
    impl Logic for ShiftChain {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..self.n.get() {
                dff_setup!(self, clk, stage[i]);
                if i == 0 {
                    self.stage[i].d.next = self.a.val();
                } else {
                    self.stage[i].d.next = self.stage[i - 1].q.val();
                }
                self.o[i].next = self.stage[i].q.val();
            }
        }
    }
}

block! { CountersWithLimits = "counters_with_limits" clocked; in(busy) out(o, full);
    fields { busy: Vec<Signal<In, Bit>> = vector(6), o: Vec<Signal<Out, Bits<3>>> = vector(6), full: Vec<Signal<Out, Bit>> = vector(6), n: Size = 6.into(),
        limit: Constant<Bits<3>> = Constant::new(5.into()),
        count: Vec<Register<Bits<3>>> = (0..6).map(|i| Register::new((i as u64 % 4).into())).collect() }
    impl Logic for CountersWithLimits {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..self.n.get() {
                dff_setup!(self, clk, count[i]);
                if self.busy[i].val() {
                    self.count[i].d.next = 0.into();
                } else if self.count[i].q.val() < self.limit.val() {
                    self.count[i].d.next = self.count[i].q.val() + 1;
                }
                self.o[i].next = self.count[i].q.val();
                self.full[i].next = self.count[i].q.val() == self.limit.val();
            }
        }
    }
}

block! { Mask = "mask" clocked; in(set, clear, load) out(o, any);
    fields { set: Vec<Signal<In, Bit>> = vector(7), clear: Vec<Signal<In, Bit>> = vector(7), load: Signal<In, Bit>,
        o: Vec<Signal<Out, Bit>> = vector(7), any: Signal<Out, Bit>, n: Size = 7.into(),
        bits: BitRegister = BitRegister::new(vec![true, false, true, true, false, false, true]) }
    impl Logic for Mask {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, bits);
            self.any.next = false;
            for i in 0..self.n.get() {
                if self.load.val() {
                    self.bits.d[i].next = (self.bits.q[i].val() | self.set[i].val()) & !self.clear[i].val();
                }
                self.o[i].next = self.bits.q[i].val();
                self.any.next = self.any.val() | self.bits.q[i].val();
            }
        }
    }
}

block! { RotatingPointer = "rotating_pointer" clocked; in(advance) out(o);
    fields { advance: Signal<In, Bit>, o: Vec<Signal<Out, Bit>> = vector(5), n: Size = 5.into(),
        pointer: BitRegister = BitRegister::new(vec![true, false, false, false, false]) }
    impl Logic for RotatingPointer {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, pointer);
            for i in 0..self.n.get() {
                if self.advance.val() {
                    self.pointer.d[(i + 1) % self.n].next = self.pointer.q[i].val();
                }
                self.o[i].next = self.pointer.q[i].val();
            }
        }
    }
}

block! { StateMachine = "state_machine" clocked; in(go, stop) out(o, n);
    fields { go: Signal<In, Bit>, stop: Signal<In, Bit>, o: Signal<Out, Gear>, n: Signal<Out, Bits<6>>,
        state: Register<Gear>, timer: Register<Bits<6>> }
    impl Logic for StateMachine {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, state, timer);
            self.timer.d.next = self.timer.q.val() + 1;
            match self.state.q.val() {
                Gear::Low => {
                    if self.go.val() {
                        self.state.d.next = Gear::MidRange;
                        self.timer.d.next = 0.into();
                    }
                }
                Gear::MidRange => {
                    if self.timer.q.val() == 5 {
                        self.state.d.next = Gear::High;
                    } else if self.stop.val() {
                        self.state.d.next = Gear::Low;
                    }
                }
                Gear::High => {
                    if self.stop.val() && !self.go.val() {
                        self.state.d.next = Gear::Low;
                    }
                }
            }
            self.o.next = self.state.q.val();
            self.n.next = self.timer.q.val();
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(Counter::new(), 400),
        record(ResetValues::new(), 300),
        record(ShiftChain::new(), 300),
        record(CountersWithLimits::new(), 400),
        record(Mask::new(), 300),
        record(RotatingPointer::new(), 300),
        record(StateMachine::new(), 500),
    ]
}
