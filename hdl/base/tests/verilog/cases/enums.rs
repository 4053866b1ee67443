//! Enums: comparisons, `match` in all its allowed forms, structs of bits.

use crate::block;
use crate::common::bench::{Random, Recording, record};
use crate::common::pins::AnyValue;
use powar_hdl_base::primitives::BlockInfo;
use rust_hdl::prelude::*;

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Gear {
    Low,
    MidRange,
    High,
}

impl AnyValue for Gear {
    fn any(random: &mut Random) -> Self {
        [Gear::Low, Gear::MidRange, Gear::High][random.below(3) as usize]
    }
}

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Lamp {
    Off,
    On,
}

impl AnyValue for Lamp {
    fn any(random: &mut Random) -> Self {
        [Lamp::Off, Lamp::On][random.below(2) as usize]
    }
}

#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Flit {
    pub valid: Bit,
    pub data: Bits<8>,
    pub gear: Gear,
}

block! { MatchWithDefault = "match_with_default"; in(s, a) out(o);
    fields { s: Signal<In, Gear>, a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
    impl Logic for MatchWithDefault {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = 0.into();
            match self.s.val() {
                Gear::Low => {
                    self.o.next = self.a.val();
                }
                _ => {
                    self.o.next = 2.into();
                }
            }
        }
    }
}

block! { MatchExhaustive = "match_exhaustive"; in(s, t, a) out(o, p);
    fields { s: Signal<In, Gear>, t: Signal<In, Lamp>, a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>> }
    impl Logic for MatchExhaustive {
        #[hdl_gen]
        fn update(&mut self) {
            match self.s.val() {
                Gear::Low => self.o.next = 3.into(),
                Gear::High => self.o.next = self.a.val(),
                Gear::MidRange => self.o.next = self.a.val() + 1,
            }
            match self.t.val() {
                Lamp::Off => {
                    self.p.next = 1.into();
                }
                Lamp::On => {
                    self.p.next = self.o.val();
                }
            }
        }
    }
}

block! { MatchNumbers = "match_numbers"; in(s, f) out(o, p);
    fields { s: Signal<In, Bits<2>>, f: Signal<In, Bit>, o: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>> }
    impl Logic for MatchNumbers {
        #[hdl_gen]
        fn update(&mut self) {
            match self.s.val().index() {
                0 => {
                    self.o.next = 9.into();
                }
                2 => {
                    self.o.next = 4.into();
                }
                _ => {
                    self.o.next = 5.into();
                }
            }
            match self.f.val() {
                true => {
                    self.p.next = 9.into();
                }
                false => {
                    self.p.next = 5.into();
                }
            }
        }
    }
}

block! { MatchInLoop = "match_in_loop"; in(s, a, b) out(o);
    fields { s: Signal<In, Gear>, a: [Signal<In, Bit>; 5], b: [Signal<In, Bit>; 5], o: [Signal<Out, Bit>; 5] }
    impl Logic for MatchInLoop {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..5 {
                self.o[i].next = false;
                match self.s.val() {
                    Gear::Low => {
                        self.o[i].next = self.a[i].val();
                    }
                    Gear::MidRange => {
                        self.o[i].next = self.a[i].val() & self.b[i].val();
                    }
                    Gear::High => {}
                }
            }
        }
    }
}

block! { EnumPorts = "enum_ports"; in(a, s) out(o, p, q);
    fields { a: Signal<In, Bits<2>>, s: [Signal<In, Gear>; 3], o: Signal<Out, Gear>, p: Signal<Out, Bit>, q: [Signal<Out, Bits<2>>; 3] }
    impl Logic for EnumPorts {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = Gear::MidRange;
            if self.a.val() == 1 {
                self.o.next = Gear::High;
            }
            self.p.next = (self.s[0].val() == Gear::Low) | (self.s[1].val() != Gear::High);
            for i in 0..3 {
                self.q[i].next = self.s[i].val().into();
            }
        }
    }
}

block! { StructFields = "struct_fields"; in(a, b, f) out(o, p, q);
    fields { a: Signal<In, Bits<8>>, b: Signal<In, Gear>, f: Signal<In, Bit>, o: Signal<Out, Flit>, p: Signal<Out, Bits<8>>, q: Signal<Out, Bit> }
    impl Logic for StructFields {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next.valid = !self.f.val();
            self.o.next.gear = self.b.val();
            self.o.next.data = self.a.val() + 1;
            self.p.next = self.o.val().data + 1;
            self.q.next = self.o.val().gear == Gear::High;
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(MatchWithDefault::new(), 100),
        record(MatchExhaustive::new(), 100),
        record(MatchNumbers::new(), 100),
        record(MatchInLoop::new(), 200),
        record(EnumPorts::new(), 100),
        record(StructFields::new(), 100),
    ]
}
