//! The parts every block of the design is built from, and the rules for writing a kernel.
//!
//! A *kernel* is the `update` function of a block under `#[hdl_gen]`. rust-hdl runs it as Rust in simulation and hands its
//! syntax tree to [`crate::verilog`], which writes the Verilog. The two readings must agree, so a kernel uses only what the
//! back end translates exactly; anything else is refused when Verilog is generated, with one line that says why.
//!
//! ```
//! use powar_hdl_base::primitives::{BlockInfo, Register, dff_setup};
//! use rust_hdl::prelude::*;
//!
//! # const SOURCE: &str = "";
//! #[derive(LogicBlock)]
//! pub struct IdleCounter {
//!     /// Names the Verilog module; always the field `info`.
//!     pub info: BlockInfo,
//!     pub clk: Signal<In, Clock>,
//!     pub rst: Signal<In, Bit>,
//!     /// The port sends a flit in this cycle.
//!     pub busy: Signal<In, Bit>,
//!     /// Cycles since the last flit, modulo 256.
//!     pub idle_cycles: Signal<Out, Bits<8>>,
//!     count: Register<Bits<8>>,
//! }
//!
//! impl Logic for IdleCounter {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         dff_setup!(self, clk, count); // clock, reset and "keep the old value" for every register
//!         self.count.d.next = self.count.q.val() + 1;
//!         if self.busy.val() {
//!             self.count.d.next = 0.into();
//!         }
//!         self.idle_cycles.next = self.count.q.val();
//!     }
//! }
//! # impl IdleCounter {
//! #     fn new() -> Self {
//! #         Self {
//! #             info: BlockInfo::new("idle_counter", SOURCE),
//! #             clk: Default::default(), rst: Default::default(), busy: Default::default(),
//! #             idle_cycles: Default::default(), count: Register::new(0.into()),
//! #         }
//! #     }
//! # }
//! # let mut block = IdleCounter::new();
//! # block.connect_all();
//! ```
//!
//! * Every block has a field `info: BlockInfo::new("module_name", include_str!("this_file.rs"))`: the Verilog module is called by
//!   that name, and the doc comments of the file become its comments.
//! * A block that owns registers has the inputs `clk: Signal<In, Clock>` and `rst: Signal<In, Bit>`. If
//!   [`block!`](crate::block) declares it, its registers and children are set up before its kernel. Otherwise the
//!   kernel starts with `dff_setup!(self, clk, a, b)`, for an array of registers with
//!   `for i in 0..self.n.get() { dff_setup!(self, clk, c[i]); }`. Import that macro by name from here: the one of
//!   rust-hdl does not know the reset and does not compile with these registers.
//! * A size known only at run time is a field of type [`Size`]: `0..self.n.get()` in a loop bound, `self.n` in an index.
//!   A list of positions known only then is a [`Table`]: `self.flit[self.port_of[m]]`.
//! * Words behind an address are a [`Memory`], which becomes block RAM; a [`DualClockMemory`] is written by one clock and read by another.
//! * Arithmetic on a vector of single bits is a [`Subtractor`]: drive `a` and `b`, read `difference`.
//! * [`block!`](crate::block) makes struct and constructor from one declaration of each signal, and shows them to a test bench.
//! * A child block is a [`Settled`] one: the same in Verilog, and only simulated when its inputs change.
//! * Blocks of one kind, of which a parent holds any, share a [`port_bundle`](crate::port_bundle).
//! * A signal that is there in some configurations only is a `Vec` of none; loops over a [`Size`] that is 0 drive and read it.
//! * A run-time constant that takes part in an expression is a `Constant<Bits<W>>`.
//!
//! The page `docs/rust-hdl-subset.md` lists what a kernel may contain and what is refused.

mod announcement;
mod bit_register;
mod block;
mod block_info;
mod clock_reset;
mod dff_setup;
mod dual_clock_memory;
mod memory;
mod ports;
mod register;
mod settled;
mod size;
mod subtractor;
mod table;

pub use crate::dff_setup;
pub(crate) use announcement::{Announcement, BlockSource, CommentedFields, Declared};
pub use bit_register::BitRegister;
pub use block::Built;
pub use block_info::BlockInfo;
pub use clock_reset::ClockReset;
pub use dual_clock_memory::DualClockMemory;
pub use memory::Memory;
pub use ports::announce_ports;
pub use register::Register;
pub use settled::{Settled, settle};
pub use size::Size;
pub use subtractor::Subtractor;
pub use table::Table;

use rust_hdl::prelude::*;

/// A vector of `n` default signals or registers.
pub fn vector<T: Default>(n: usize) -> Vec<T> {
    (0..n).map(|_| T::default()).collect()
}

/// The number whose bits, lowest first, are these signals.
fn number(bits: &[Signal<In, Bit>]) -> usize {
    bits.iter().rev().fold(0, |number, bit| number << 1 | usize::from(bit.val()))
}

/// The same in rust-hdl's own Verilog: of `bits` signals that are called `name`.
fn concatenation(name: &str, bits: usize) -> String {
    let bits: Vec<String> = (0..bits).rev().map(|bit| format!("{name}${bit}")).collect();
    format!("{{{}}}", bits.join(", "))
}

/// What a one-hot round-robin pointer over `n` places holds after reset: place 0.
pub fn first_of(n: usize) -> Vec<bool> {
    (0..n).map(|place| place == 0).collect()
}
