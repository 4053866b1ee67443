//! Blocks in blocks: arrays of children, children with vector ports, registers at different depths, arrays whose elements differ.

use super::enums::Gear;
use super::registers::Counter;
use crate::block;
use crate::common::bench::{Recording, record};
use crate::common::vector;
use powar_hdl_base::primitives::{BlockInfo, Register, Size, dff_setup};
use rust_hdl::prelude::*;

block! { CounterArray = "counter_array" clocked; in(en) out(q, any);
    fields { en: Vec<Signal<In, Bit>> = vector(4), q: Vec<Signal<Out, Bits<4>>> = vector(4), any: Signal<Out, Bit>,
        n: Size = 4.into(), counter: Vec<Counter> = (0..4).map(|_| Counter::new()).collect() }
    impl Logic for CounterArray {
        #[hdl_gen]
        fn update(&mut self) {
            self.any.next = false;
            for i in 0..self.n.get() {
                self.counter[i].clk.next = self.clk.val();
                self.counter[i].rst.next = self.rst.val();
                self.counter[i].en.next = self.en[i].val() & !self.en[0].val();
                self.q[i].next = self.counter[i].q.val();
                self.any.next = self.any.val() | self.counter[i].wrapped.val();
            }
        }
    }
}

/// A child with vector ports, of a size that differs between instances.
#[derive(LogicBlock)]
pub struct Rotate {
    pub info: BlockInfo,
    pub a: Vec<Signal<In, Bit>>,
    pub w: Vec<Signal<In, Bits<3>>>,
    pub o: Vec<Signal<Out, Bit>>,
    pub v: Vec<Signal<Out, Bits<3>>>,
    n: Size,
}

impl Rotate {
    pub fn new(n: usize) -> Self {
        let source = "struct Rotate { a: u8, w: u8, o: u8, v: u8, n: u8 }
            impl Logic for Rotate { fn update(&mut self) {
                for i in 0..self.n.get() {
                    self.o[i].next = self.a[(i + 1) % self.n].val();
                    self.v[i].next = self.w[i].val() + 1;
                }
            } }";
        let info = BlockInfo::new("rotate", source);
        Self { info, a: vector(n), w: vector(n), o: vector(n), v: vector(n), n: n.into() }
    }
}

impl Logic for Rotate {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..self.n.get() {
            self.o[i].next = self.a[(i + 1) % self.n].val();
            self.v[i].next = self.w[i].val() + 1;
        }
    }
}

block! { VectorPorts = "vector_ports"; in(a, w) out(o, v);
    fields { a: Vec<Signal<In, Bit>> = vector(12), w: Vec<Signal<In, Bits<3>>> = vector(12), o: Vec<Signal<Out, Bit>> = vector(12), v: Vec<Signal<Out, Bits<3>>> = vector(12),
        rows: Size = 3.into(), n: Size = 4.into(), row: Vec<Rotate> = (0..3).map(|_| Rotate::new(4)).collect() }
    impl Logic for VectorPorts {
        #[hdl_gen]
        fn update(&mut self) {
            for r in 0..self.rows.get() {
                for p in 0..self.n.get() {
                    self.row[r].a[p].next = self.a[r * self.n + p].val();
                    self.row[r].w[p].next = self.w[p * self.rows + r].val();
                    self.o[r * self.n + p].next = self.row[r].o[p].val();
                    self.v[r * self.n + p].next = self.row[r].v[p].val() + 1;
                }
            }
        }
    }
}

block! { UnequalChildren = "unequal_children"; in(a, w) out(o, v);
    fields { a: Vec<Signal<In, Bit>> = vector(6), w: Vec<Signal<In, Bits<3>>> = vector(6), o: Vec<Signal<Out, Bit>> = vector(6), v: Vec<Signal<Out, Bits<3>>> = vector(6),
        part: Vec<Rotate> = vec![Rotate::new(2), Rotate::new(4)] }
    impl Logic for UnequalChildren {
        #[hdl_gen]
        fn update(&mut self) {
            for p in 0..2 {
                self.part[0].a[p].next = self.a[p].val();
                self.part[0].w[p].next = self.w[p].val();
                self.o[p].next = self.part[0].o[p].val();
                self.v[p].next = self.part[0].v[p].val();
            }
            for p in 0..4 {
                self.part[1].a[p].next = self.a[p + 2].val();
                self.part[1].w[p].next = self.w[p + 2].val();
                self.o[p + 2].next = self.part[1].o[p].val();
                self.v[p + 2].next = self.part[1].v[p].val();
            }
        }
    }
}

/// One register, to be put at several depths.
#[derive(LogicBlock)]
pub struct Stage {
    pub info: BlockInfo,
    pub clk: Signal<In, Clock>,
    pub rst: Signal<In, Bit>,
    pub d: Signal<In, Bits<8>>,
    pub q: Signal<Out, Bits<8>>,
    step: Constant<Bits<8>>,
    held: Register<Bits<8>>,
}

impl Stage {
    pub fn new(step: u64) -> Self {
        let source = "struct Stage { clk: u8, rst: u8, d: u8, q: u8, step: u8, held: u8 }
            impl Logic for Stage { fn update(&mut self) {
                dff_setup!(self, clk, held);
                self.held.d.next = self.d.val() + self.step.val();
                self.q.next = self.held.q.val();
            } }";
        Self {
            info: BlockInfo::new("stage", source),
            clk: Default::default(),
            rst: Default::default(),
            d: Default::default(),
            q: Default::default(),
            step: Constant::new(step.into()),
            held: Register::default(),
        }
    }
}

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clk, held);
        self.held.d.next = self.d.val() + self.step.val();
        self.q.next = self.held.q.val();
    }
}

block! { DeepStage = "deep_stage" clocked; in() out();
    fields { d: Signal<In, Bits<8>>, q: Signal<Out, Bits<8>>, inner: Stage = Stage::new(1) }
    impl Logic for DeepStage {
        #[hdl_gen]
        fn update(&mut self) {
            self.inner.clk.next = self.clk.val();
            self.inner.rst.next = self.rst.val();
            self.inner.d.next = self.d.val();
            self.q.next = self.inner.q.val();
        }
    }
}

block! { DepthsOfClock = "depths_of_clock" clocked; in(d) out(q, p);
    fields { d: Signal<In, Bits<8>>, q: Signal<Out, Bits<8>>, p: Signal<Out, Bits<8>>, shallow: Register<Bits<8>>, deep: DeepStage = DeepStage::new(), last: Register<Bits<8>> }
    impl Logic for DepthsOfClock {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, shallow, last);
            self.deep.clk.next = self.clk.val();
            self.deep.rst.next = self.rst.val();
            self.shallow.d.next = self.d.val();
            self.deep.d.next = self.shallow.q.val();
            self.last.d.next = self.deep.q.val();
            self.q.next = self.last.q.val();
            self.p.next = self.deep.q.val();
        }
    }
}

block! { StagesThatDiffer = "stages_that_differ" clocked; in(d) out(q);
    fields { d: Signal<In, Bits<8>>, q: Vec<Signal<Out, Bits<8>>> = vector(3), stage: Vec<Stage> = vec![Stage::new(1), Stage::new(20), Stage::new(1)] }
    impl Logic for StagesThatDiffer {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..3 {
                self.stage[i].clk.next = self.clk.val();
                self.stage[i].rst.next = self.rst.val();
                if i == 0 {
                    self.stage[i].d.next = self.d.val();
                } else {
                    self.stage[i].d.next = self.stage[i - 1].q.val();
                }
                self.q[i].next = self.stage[i].q.val();
            }
        }
    }
}

block! { Gearbox = "gearbox"; in() out();
    fields { up: Signal<In, Bit>, now: Signal<In, Gear>, next_gear: Signal<Out, Gear> }
    impl Logic for Gearbox {
        #[hdl_gen]
        fn update(&mut self) {
            self.next_gear.next = self.now.val();
            if self.up.val() {
                match self.now.val() {
                    Gear::Low => self.next_gear.next = Gear::MidRange,
                    _ => self.next_gear.next = Gear::High,
                }
            }
        }
    }
}

block! { EnumThroughChildren = "enum_through_children" clocked; in(up) out(o, top);
    fields { up: Vec<Signal<In, Bit>> = vector(3), o: Vec<Signal<Out, Gear>> = vector(3), top: Vec<Signal<Out, Bit>> = vector(3), n: Size = 3.into(),
        logic_of: Vec<Gearbox> = (0..3).map(|_| Gearbox::new()).collect(), gear: Vec<Register<Gear>> = (0..3).map(|_| Register::new(Gear::MidRange)).collect() }
    impl Logic for EnumThroughChildren {
        #[hdl_gen]
        fn update(&mut self) {
            for i in 0..self.n.get() {
                dff_setup!(self, clk, gear[i]);
                self.logic_of[i].up.next = self.up[i].val();
                self.logic_of[i].now.next = self.gear[i].q.val();
                self.gear[i].d.next = self.logic_of[i].next_gear.val();
                if self.gear[i].q.val() == Gear::High && self.up[0].val() {
                    self.gear[i].d.next = Gear::Low;
                }
                self.o[i].next = self.gear[i].q.val();
                self.top[i].next = self.gear[i].q.val() == Gear::High;
            }
        }
    }
}

block! { ChainOfChildren = "chain_of_children"; in(a) out(o);
    fields { a: Signal<In, Bits<4>>, o: Signal<Out, Bits<4>>, link: Vec<Increment> = (0..4).map(|_| Increment::new()).collect() }
    impl Logic for ChainOfChildren {
        #[hdl_gen]
        fn update(&mut self) {
            self.link[0].a.next = self.a.val();
            for i in 0..3 {
                self.link[i + 1].a.next = self.link[i].o.val();
            }
            self.o.next = self.link[3].o.val();
        }
    }
}

block! { Increment = "increment"; in() out();
    fields { a: Signal<In, Bits<4>>, o: Signal<Out, Bits<4>> }
    impl Logic for Increment {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = self.a.val() + 1;
        }
    }
}

block! { Handshake = "handshake"; in(a) out(o, p);
    fields { a: Signal<In, Bit>, o: Signal<Out, Bit>, p: Signal<Out, Bit>, x: Asker = Asker::new(), y: Answerer = Answerer::new() }
    impl Logic for Handshake {
        #[hdl_gen]
        fn update(&mut self) {
            self.x.a.next = self.a.val();
            self.x.rdy.next = self.y.rdy.val();
            self.y.v.next = self.x.v.val();
            self.o.next = self.y.o.val();
            self.p.next = self.x.p.val();
        }
    }
}

block! { Asker = "asker"; in() out();
    fields { a: Signal<In, Bit>, rdy: Signal<In, Bit>, v: Signal<Out, Bit>, p: Signal<Out, Bit> }
    impl Logic for Asker {
        #[hdl_gen]
        fn update(&mut self) {
            self.v.next = self.a.val();
            self.p.next = self.rdy.val() & self.a.val();
        }
    }
}

block! { Answerer = "answerer"; in() out();
    fields { v: Signal<In, Bit>, rdy: Signal<Out, Bit>, o: Signal<Out, Bit> }
    impl Logic for Answerer {
        #[hdl_gen]
        fn update(&mut self) {
            self.rdy.next = !self.v.val();
            self.o.next = self.v.val();
        }
    }
}

// The wire to the child would have the name of the output.
block! { WireBesideOutput = "wire_beside_output"; in(a) out(x_o, o);
    fields { a: Signal<In, Bit>, x_o: Signal<Out, Bit>, o: Signal<Out, Bit>, x: Answerer = Answerer::new() }
    impl Logic for WireBesideOutput {
        #[hdl_gen]
        fn update(&mut self) {
            self.x.v.next = self.a.val();
            self.x_o.next = !self.x.o.val();
            self.o.next = self.x.o.val() & !self.x.rdy.val();
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(CounterArray::new(), 400),
        record(VectorPorts::new(), 200),
        record(UnequalChildren::new(), 200),
        record(DepthsOfClock::new(), 300),
        record(StagesThatDiffer::new(), 300),
        record(EnumThroughChildren::new(), 300),
        record(ChainOfChildren::new(), 100),
        record(Handshake::new(), 50),
        record(WireBesideOutput::new(), 20),
    ]
}
