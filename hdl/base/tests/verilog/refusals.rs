//! What the back end refuses, each with one line that says where and why.

use crate::block;
use crate::common::vector;
use powar_hdl_base::port_bundle;
use powar_hdl_base::primitives::{BlockInfo, DualClockMemory, Memory, Register, dff_setup};
use powar_hdl_base::verilog::{EmitOptions, emit};
use rust_hdl::prelude::*;

/// Generation must fail with a single line that contains `expected`.
fn refuse(mut block: impl Block, expected: &str) {
    block.connect_all();
    match emit(&block, &EmitOptions::default()) {
        Ok(design) => panic!("not refused ({expected}):\n{}", design.to_single_file()),
        Err(error) => {
            let message = format!("{error:#}");
            assert!(message.contains(expected), "{message}\ndoes not contain\n{expected}");
            assert!(!message.contains('\n'), "more than one line: {message}");
        }
    }
}

/// A block of which only the fields and the kernel matter, and the test that it is refused.
macro_rules! refused {
    ($test:ident, $expected:literal, $name:ident { $($field:ident : $type:ty $(= $init:expr)?),* $(,)? } $($logic:tt)*) => {
        block! { $name = "refused_block"; in() out(); fields { $($field: $type $(= $init)?),* }
            impl Logic for $name { $($logic)* } }
        #[test]
        fn $test() { refuse($name::new(), $expected) }
    };
}

pub const GLOBAL: usize = 5;

refused! { unknown_name, "`GLOBAL` is not a signal of this block", UnknownName { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() + GLOBAL.to_bits(); } }

impl AssociatedConstant {
    pub const K: usize = 5;
}

refused! { associated_constant, "is not a signal of this block", AssociatedConstant { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() + Self::K.to_bits(); } }

refused! { index_from_outside, "index `GLOBAL` in `a[GLOBAL-1]` is neither a loop variable nor a `Size`", IndexFromOutside { a: [Signal<In, Bit>; 5], o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a[GLOBAL - 1].val(); } }

refused! { dynamic_index, "index computed by the hardware", DynamicIndex { s: Signal<In, Bits<2>>, a: [Signal<In, Bit>; 4], o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a[self.s.val().index()].val(); } }

refused! { index_outside, "index of `a[i+1]` is 4, outside 0..4 (i = 3)", IndexOutside { a: [Signal<In, Bit>; 4], o: [Signal<Out, Bit>; 4] }
#[hdl_gen] fn update(&mut self) { for i in 0..4 { self.o[i].next = self.a[i + 1].val(); } } }

refused! { constant_index_outside, "index of `a[4]` is 4, outside 0..4", ConstantIndexOutside { a: Vec<Signal<In, Bit>> = vector(4), o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a[4].val(); } }

refused! { bit_outside, "position of `get_bit` is 8, outside 0..8", BitOutside { a: Signal<In, Bits<8>>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val().get_bit(8); } }

refused! { writes_to_input, "writes to an input of its own block", WritesToInput { a: Signal<In, Bit>, b: Signal<In, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.a.next = self.b.val(); self.o.next = self.a.val(); } }

refused! { writes_to_input_array, "writes to an input of its own block", WritesToInputArray { a: [Signal<In, Bit>; 2], b: Signal<In, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { for i in 0..2 { self.a[i].next = self.b.val(); } self.o.next = self.a[0].val(); } }

refused! { verilog_word, "`table` is a reserved word of Verilog or SystemVerilog", VerilogWord { table: Signal<In, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.table.val(); } }

refused! { cpp_word, "`short` is a reserved word of C or C++", CppWord { a: Signal<In, Bit>, short: Signal<Local, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.short.next = self.a.val(); self.o.next = self.short.val(); } }

refused! { system_verilog_word, "`priority` is a reserved word", SystemVerilogWord { a: Signal<In, Bit>, priority: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.priority.next = self.a.val(); } }

refused! { loop_variable_reserved, "`bit` is a reserved word", LoopVariableReserved { a: [Signal<In, Bit>; 4], o: [Signal<Out, Bit>; 4] }
#[hdl_gen] fn update(&mut self) { for bit in 0..4 { self.o[bit].next = self.a[bit].val(); } } }

refused! { loop_variable_like_field, "loop variable `i` has the name of a field", LoopVariableLikeField { i: Signal<In, Bit>, a: [Signal<In, Bit>; 4], o: [Signal<Out, Bit>; 4] }
#[hdl_gen] fn update(&mut self) { for i in 0..4 { self.o[i].next = self.a[i].val() & self.i.val(); } } }

refused! { loop_variable_reused, "nested loops both use the variable `i`", LoopVariableReused { a: [Signal<In, Bits<8>>; 4], o: [Signal<Out, Bits<8>>; 4] }
#[hdl_gen] fn update(&mut self) { for i in 0_usize..2 { self.o[i].next = 0.into(); for i in 0_usize..4 { self.o[i].next = self.a[i].val() + i.to_bits(); } } } }

refused! { inclusive_range, "an inclusive range would lose its last step", InclusiveRange { a: [Signal<In, Bit>; 4], o: [Signal<Out, Bit>; 4] }
#[hdl_gen] fn update(&mut self) { for i in 0..=3 { self.o[i].next = self.a[i].val(); } } }

// Most variants only occur in patterns.
#[allow(dead_code)]
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Phase {
    Idle,
    Busy,
    Done,
}

refused! { match_guard, "the guard of a `match` arm would be lost", MatchGuard { s: Signal<In, Phase>, f: Signal<In, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) {
    match self.s.val() {
        Phase::Idle if self.f.val() => { self.o.next = true; }
        _ => { self.o.next = false; }
    }
} }

refused! { bare_pattern, "a bare name in a pattern matches anything", BarePattern { s: Signal<In, Phase>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) {
    match self.s.val() {
        _anything => { self.o.next = true; }
    }
} }

refused! { default_before_the_end, "the pattern `_` of a `match` must come last", DefaultBeforeTheEnd { s: Signal<In, Phase>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) {
    match self.s.val() {
        _ => { self.o.next = true; }
        Phase::Idle => { self.o.next = false; }
    }
} }

refused! { attribute_in_kernel, "attributes inside a kernel are not seen", AttributeInKernel { a: Signal<In, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) {
    self.o.next = self.a.val();
    #[cfg(any())]
    for i in 0..1 {
        self.o.next = false;
    }
    self.o.next = self.o.val();
} }

/// Begins like `bits`, which is all rust-hdl's kernel parser looks at.
pub fn bits_reversed(value: Bits<8>) -> Bits<8> {
    !value
}

refused! { function_that_looks_like_a_cast, "a function call is not translated", FunctionThatLooksLikeACast { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
#[hdl_gen] fn update(&mut self) { self.o.next = bits_reversed(self.a.val()); } }

refused! { arithmetic_after_index, "arithmetic after `index()` is not translated exactly", ArithmeticAfterIndex { a: Signal<In, Bits<16>>, i: Signal<In, Bits<3>>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val().get_bit(self.i.val().index() + 1); } }

refused! { arithmetic_after_to_bits, "arithmetic after `to_bits()` is not translated exactly", ArithmeticAfterToBits { a: Signal<In, Bits<2>>, o: [Signal<Out, Bit>; 4] }
#[hdl_gen] fn update(&mut self) { for i in 0_usize..4 { self.o[i].next = i.to_bits::<2>() + 1 == self.a.val(); } } }

refused! { local_read_first, "`t` is read before it is assigned", LocalReadFirst { a: Signal<In, Bit>, t: Signal<Local, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.t.val(); self.t.next = self.a.val(); } }

refused! { local_array_read_first, "`t` is read before it is assigned (i = 0)", LocalArrayReadFirst { a: Signal<In, Bit>, t: [Signal<Local, Bit>; 2], o: [Signal<Out, Bit>; 2] }
#[hdl_gen] fn update(&mut self) { for i in 0..2 { self.o[i].next = self.t[i].val(); self.t[i].next = self.a.val(); } } }

refused! { local_never_written, "`t` is read before it is assigned", LocalNeverWritten { a: Signal<In, Bit>, t: Signal<Local, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.t.val() & self.a.val(); } }

refused! { latch, "output `o` is assigned in some cases only, which would be a latch", Latch { a: Signal<In, Bit>, f: Signal<In, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { if self.f.val() { self.o.next = self.a.val(); } } }

refused! { latch_in_array, "output `o` (element 1) is assigned in some cases only", LatchInArray { a: [Signal<In, Bit>; 3], f: Signal<In, Bit>, o: [Signal<Out, Bit>; 3] }
#[hdl_gen] fn update(&mut self) { self.o[0].next = false; for i in 0..3 { if self.f.val() { self.o[i].next = self.a[i].val(); } } } }

refused! { latch_in_match, "output `o` is assigned in some cases only", LatchInMatch { s: Signal<In, Phase>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) {
    match self.s.val() {
        Phase::Idle => { self.o.next = true; }
        Phase::Busy => { self.o.next = false; }
        Phase::Done => {}
    }
} }

refused! { output_never_written, "output `o` is never assigned", OutputNeverWritten { a: Signal<In, Bit>, o: Signal<Out, Bit>, p: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.p.next = self.a.val(); } }

refused! { struct_partly_written, "output `o` is never assigned", StructPartlyWritten { a: Signal<In, Bit>, o: Signal<Out, Pair> }
#[hdl_gen] fn update(&mut self) { self.o.next.low = self.a.val(); } }

#[derive(Copy, Clone, PartialEq, Debug, Default, LogicStruct)]
pub struct Pair {
    pub low: Bit,
    pub high: Bits<4>,
}

refused! { literal_too_large, "a number of 4 bits is 16, outside 0..16", LiteralTooLarge { a: Signal<In, Bits<4>>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() == 16; } }

refused! { counter_too_large, "a number of 2 bits is 4, outside 0..4 (i = 4)", CounterTooLarge { a: Signal<In, Bits<2>>, o: [Signal<Out, Bit>; 5] }
#[hdl_gen] fn update(&mut self) { for i in 0_usize..5 { self.o[i].next = self.a.val() == i.to_bits(); } } }

refused! { panic_in_rust_hdl, "the kernel panics: Value 0x12c does not fit", PanicInRustHdl { a: Signal<In, Bits<4>>, o: Signal<Out, Bits<4>> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() + bits::<4>(300); } }

refused! { signed_arithmetic, "signed arithmetic is not supported", SignedArithmetic { a: Signal<In, Bits<8>>, b: Signal<In, Bits<8>>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = signed_cast(self.a.val()) < signed_cast(self.b.val()); } }

refused! { signed_signal, "signed signals are not supported", SignedSignal { a: Signal<In, Signed<8>>, o: Signal<Out, Signed<8>> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val(); } }

refused! { zero_width, "the signal has no bits", ZeroWidth { a: Signal<In, Bits<0>>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = false; } }

#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Lonely {
    Only,
}

refused! { enum_of_one, "enum `Lonely` has one variant and therefore no bits", EnumOfOne { a: Signal<In, Lonely>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() == Lonely::Only; } }

pub mod other {
    use rust_hdl::prelude::*;
    #[derive(Copy, Clone, PartialEq, Debug, LogicState)]
    pub enum Phase {
        Busy,
        Idle,
    }
}

refused! { enums_of_one_name, "two different enums called `Phase` meet in this block", EnumsOfOneName { a: Signal<In, Phase>, b: Signal<In, other::Phase>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = (self.a.val() == Phase::Idle) && (self.b.val() == other::Phase::Idle); } }

refused! { names_that_become_one, "would both be called `x_q`", NamesThatBecomeOne { clk: Signal<In, Clock>, rst: Signal<In, Bit>, a: Signal<In, Bit>, x_q: Signal<Local, Bit>, o: Signal<Out, Bit>, x: Register<Bit> }
#[hdl_gen] fn update(&mut self) { dff_setup!(self, clk, x); self.x_q.next = self.a.val(); self.x.d.next = self.x_q.val(); self.o.next = self.x.q.val(); } }

port_bundle! {
    pub struct TwoPorts(combinational) pub fn new() -> Self {} inputs { a: Bit } outputs { o: Bit }
}

refused! { field_named_like_a_port, "the field `a` has the name of a port of the bundle", FieldNamedLikeAPort { a: Signal<Local, Bit>, ports: TwoPorts = TwoPorts::new() }
#[hdl_gen] fn update(&mut self) { self.a.next = self.ports.a.val(); self.ports.o.next = self.a.val(); } }

refused! { field_that_ends_in_self, "ends in `self`, which rust-hdl's kernel parser would cut out", FieldThatEndsInSelf { itself: Signal<In, Bit>, o: Signal<Out, Bit> }
#[hdl_gen] fn update(&mut self) { self.o.next = self.itself.val(); } }

refused! { hidden_signal, "`_t` is not a signal of this block", HiddenSignal { a: Signal<In, Bit>, o: Signal<Out, Bit>, _t: Signal<Local, Bit> }
#[hdl_gen] fn update(&mut self) { self._t.next = self.a.val(); self.o.next = self._t.val(); } }

block! { Inverter = "inverter"; in() out();
    fields { a: Signal<In, Bit>, o: Signal<Out, Bit> }
    impl Logic for Inverter {
        #[hdl_gen]
        fn update(&mut self) {
            self.o.next = !self.a.val();
        }
    }
}

refused! { child_input_open, "input of a child `x.a` is never assigned", ChildInputOpen { a: Signal<In, Bit>, o: Signal<Out, Bit>, x: Inverter = Inverter::new() }
#[hdl_gen] fn update(&mut self) { self.o.next = self.x.o.val() & self.a.val(); } }

refused! { child_input_in_some_cases, "input of a child `x.a` is assigned in some cases only", ChildInputInSomeCases { a: Signal<In, Bit>, o: Signal<Out, Bit>, x: Inverter = Inverter::new() }
#[hdl_gen] fn update(&mut self) { if self.a.val() { self.x.a.next = true; } self.o.next = self.x.o.val(); } }

refused! { one_child_forgotten, "input of a child `x.a` (element 2) is never assigned", OneChildForgotten { a: Signal<In, Bit>, o: Signal<Out, Bit>, x: Vec<Inverter> = (0..3).map(|_| Inverter::new()).collect() }
#[hdl_gen] fn update(&mut self) { for i in 0..2 { self.x[i].a.next = self.a.val(); } self.o.next = self.x[0].o.val(); } }

refused! { child_input_read, "is an input of a child and cannot be read here", ChildInputRead { a: Signal<In, Bit>, o: Signal<Out, Bit>, x: Inverter = Inverter::new() }
#[hdl_gen] fn update(&mut self) { self.x.a.next = self.a.val(); self.o.next = self.x.a.val() & self.x.o.val(); } }

refused! { child_output_written, "writes to an output of a child", ChildOutputWritten { a: Signal<In, Bit>, o: Signal<Out, Bit>, x: Inverter = Inverter::new() }
#[hdl_gen] fn update(&mut self) { self.x.a.next = self.a.val(); self.x.o.next = self.a.val(); self.o.next = self.x.o.val(); } }

block! { Flop = "flop" clocked; in() out();
    fields { d: Signal<In, Bit>, q: Signal<Out, Bit>, held: Register<Bit> }
    impl Logic for Flop {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, held);
            self.held.d.next = self.d.val();
            self.q.next = self.held.q.val();
        }
    }
}

refused! { gated_clock, "use an enable instead of a derived clock", GatedClock { clk: Signal<In, Clock>, en: Signal<In, Bit>, q: Signal<Out, Bit>, x: Flop = Flop::new() }
#[hdl_gen] fn update(&mut self) {
    self.x.clk.next = !self.clk.val();
    self.x.rst.next = false;
    self.x.d.next = self.en.val();
    self.q.next = self.x.q.val();
} }

refused! { clock_in_a_branch, "input of a child `x.clk` is assigned in some cases only", ClockInABranch { clk: Signal<In, Clock>, en: Signal<In, Bit>, q: Signal<Out, Bit>, x: Flop = Flop::new() }
#[hdl_gen] fn update(&mut self) {
    if self.en.val() {
        self.x.clk.next = self.clk.val();
    }
    self.x.rst.next = false;
    self.x.d.next = self.en.val();
    self.q.next = self.x.q.val();
} }

refused! { another_clock, "the clock of a register must be the input `clk`", AnotherClock { clk: Signal<In, Clock>, slow: Signal<In, Clock>, rst: Signal<In, Bit>, q: Signal<Out, Bit>, held: Register<Bit> }
#[hdl_gen] fn update(&mut self) { dff_setup!(self, slow, held); self.q.next = self.held.q.val(); } }

refused! { register_not_set_up, "clock of a register, set by `dff_setup!`, `held.clock` is never assigned", RegisterNotSetUp { clk: Signal<In, Clock>, rst: Signal<In, Bit>, d: Signal<In, Bit>, q: Signal<Out, Bit>, held: Register<Bit> }
#[hdl_gen] fn update(&mut self) { self.held.d.next = self.d.val(); self.q.next = self.held.q.val(); } }

refused! { memory_without_clock, "clock of a memory `m.clk` is never assigned", MemoryWithoutClock { clk: Signal<In, Clock>, a: Signal<In, Bit>, q: Signal<Out, Bit>, m: Memory<Bit> = Memory::new(1) }
#[hdl_gen] fn update(&mut self) {
    self.m.write.next = self.a.val();
    self.m.write_address[0].next = self.a.val();
    self.m.write_data.next = self.a.val();
    self.m.read.next = self.a.val();
    self.m.read_address[0].next = self.a.val();
    self.q.next = self.m.q.val();
} }

refused! { memory_on_another_clock, "the clock of a memory must be the input `clk`", MemoryOnAnotherClock { clk: Signal<In, Clock>, slow: Signal<In, Clock>, q: Signal<Out, Bit>, m: Memory<Bit> = Memory::new(1) }
#[hdl_gen] fn update(&mut self) { self.m.clk.next = self.slow.val(); self.q.next = self.m.q.val(); } }

refused! { memories_on_different_clocks, "memories of one array have different clocks: `m.read_clk`", MemoriesOnDifferentClocks { clk: Signal<In, Clock>, slow: Signal<In, Clock>, a: Signal<In, Bit>, q: Signal<Out, Bit>, m: Vec<DualClockMemory<Bit>> = vec![DualClockMemory::new(1), DualClockMemory::new(1)] }
#[hdl_gen] fn update(&mut self) {
    for i in 0..2 {
        self.m[i].write_clk.next = self.clk.val();
        self.m[i].write.next = self.a.val();
        self.m[i].write_address[0].next = self.a.val();
        self.m[i].write_data.next = self.a.val();
        self.m[i].read.next = self.a.val();
        self.m[i].read_address[0].next = self.a.val();
    }
    self.m[0].read_clk.next = self.clk.val();
    self.m[1].read_clk.next = self.slow.val();
    self.q.next = self.m[0].q.val();
} }

refused! { memory_address_open, "input of a child `m.read_address` (element 1) is never assigned", MemoryAddressOpen { clk: Signal<In, Clock>, a: Signal<In, Bit>, q: Signal<Out, Bit>, m: Memory<Bit> = Memory::new(2) }
#[hdl_gen] fn update(&mut self) {
    self.m.clk.next = self.clk.val();
    self.m.write.next = self.a.val();
    for i in 0..2 {
        self.m.write_address[i].next = self.a.val();
    }
    self.m.write_data.next = self.a.val();
    self.m.read.next = self.a.val();
    self.m.read_address[0].next = self.a.val();
    self.q.next = self.m.q.val();
} }

refused! { memory_without_address, "a memory needs at least one address bit", MemoryWithoutAddress { clk: Signal<In, Clock>, a: Signal<In, Bit>, q: Signal<Out, Bit>, m: Memory<Bit> = Memory::new(0) }
#[hdl_gen] fn update(&mut self) {
    self.m.clk.next = self.clk.val();
    self.m.write.next = self.a.val();
    self.m.write_data.next = self.a.val();
    self.m.read.next = self.a.val();
    self.q.next = self.m.q.val();
} }

refused! { memory_output_written, "writes to an output of a child", MemoryOutputWritten { clk: Signal<In, Clock>, a: Signal<In, Bit>, q: Signal<Out, Bit>, m: Memory<Bit> = Memory::new(1) }
#[hdl_gen] fn update(&mut self) { self.m.clk.next = self.clk.val(); self.m.q.next = self.a.val(); self.q.next = self.m.q.val(); } }

refused! { no_hdl_gen, "`update` has no `#[hdl_gen]`", NoHdlGen { a: Signal<In, Bit>, o: Signal<Out, Bit> }
fn update(&mut self) { self.o.next = self.a.val(); } }

refused! { verilog_by_hand, "Verilog written by hand is not supported", VerilogByHand { a: Signal<In, Bit>, o: Signal<Out, Bit> }
fn update(&mut self) { self.o.next = self.a.val(); }
fn hdl(&self) -> Verilog { Verilog::Custom("assign o = a;".into()) } }

/// A block without a name.
#[derive(LogicBlock, Default)]
pub struct Nameless {
    pub a: Signal<In, Bit>,
    pub o: Signal<Out, Bit>,
}

impl Logic for Nameless {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
    }
}

#[test]
fn a_block_without_a_name() {
    refuse(Nameless::default(), "the block has no field `info: BlockInfo`");
}

/// A block whose source is somebody else's.
#[derive(LogicBlock)]
pub struct Mislabelled {
    pub info: BlockInfo,
    pub a: Signal<In, Bit>,
    pub o: Signal<Out, Bit>,
}

impl Mislabelled {
    fn new(module: &'static str, source: &'static str) -> Self {
        Self { info: BlockInfo::new(module, source), a: Default::default(), o: Default::default() }
    }
}

impl Logic for Mislabelled {
    #[hdl_gen]
    fn update(&mut self) {
        self.o.next = self.a.val();
    }
}

#[test]
fn the_source_of_another_block() {
    let other = "struct Mislabelled { a: u8, o: u8 } impl Logic for Mislabelled { fn update(&mut self) { self.o.next = self.a.val(); self.o.next = true; } }";
    refuse(Mislabelled::new("mislabelled", other), "has 0 blocks with the fields and the kernel of this one");
    refuse(Mislabelled::new("mislabelled", "not Rust"), "the source given to `BlockInfo` is not Rust");
}

#[test]
fn a_module_name_that_is_none() {
    let source = "struct Mislabelled { a: u8, o: u8 } impl Logic for Mislabelled { fn update(&mut self) { self.o.next = self.a.val(); } }";
    refuse(Mislabelled::new("module", source), "`module` is a reserved word");
    refuse(Mislabelled::new("a-b", source), "`a-b` is not a Verilog identifier");
}

block! { VhdlWordInside = "word_inside"; in() out(); fields { a: Signal<In, Bit>, open: Signal<Local, Bit>, o: Signal<Out, Bit> }
impl Logic for VhdlWordInside { #[hdl_gen] fn update(&mut self) { self.open.next = self.a.val(); self.o.next = self.open.val(); } } }

block! { VhdlWordAsPort = "word_as_port"; in() out(); fields { open: Signal<In, Bit>, o: Signal<Out, Bit> }
impl Logic for VhdlWordAsPort { #[hdl_gen] fn update(&mut self) { self.o.next = self.open.val(); } } }

#[test]
fn words_of_vhdl_are_for_inside_alone() {
    let check = |mut block: Box<dyn Block>| {
        block.connect_all();
        emit(&*block, &EmitOptions::default()).expect("a sound design").check_outside()
    };
    check(Box::new(VhdlWordInside::new())).expect("no port has the name");
    let error = check(Box::new(VhdlWordAsPort::new())).unwrap_err().to_string();
    assert!(error.starts_with("word_as_port: `open` is a reserved word of VHDL"), "{error}");
}
