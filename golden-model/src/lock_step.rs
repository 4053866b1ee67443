//! The blocks as the lock-step harness sees them: named signals and one call a cycle.
//!
//! A [`Block`] says once of each signal what it is and what its value is: of the inputs in a struct that
//! [`inputs!`](crate::inputs) declares, of the outputs and registers in lists with their values.

use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::RST;
use powar_config::{CycleModel, Layout, Role, SignalSpec};

#[doc(no_inline)]
pub use powar_config::SignalDecl;

/// A block whose signals the harness declares, reads and observes; [`inputs!`](crate::inputs) has an example.
pub trait Block: Registers + Sized + 'static {
    /// What it sees in a cycle, but for `rst`.
    type Inputs<'a>: for<'b> FromRows<'a, &'b Self>;

    /// Its first input is `rst`.
    const HAS_RST: bool = true;

    /// Lists the outputs with their values in a cycle: always the same ones in the same order.
    fn outputs(&self, seen: &Self::Inputs<'_>, rows: &mut RegisterRows);

    /// The clock edge, with `rst` or without.
    fn edge(&mut self, rst: bool, seen: &Self::Inputs<'_>);
}

/// What can be put under the lock-step harness by wrapping it in [`LockStep`]: every [`Block`].
pub trait Frames {
    /// The signals: for each of the two frames in the order in which [`Frames::cycle`] takes and puts them.
    fn signals(&self) -> Vec<SignalDecl>;

    /// One cycle. Everything is put into `observed` before the block passes the clock edge.
    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed);
}

impl<B: Block> Frames for B {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals: Vec<SignalDecl> = B::HAS_RST.then(|| input(RST)).into_iter().collect();
        B::Inputs::declare(self, &mut signals);
        // What outputs there are does not depend on what is seen.
        let idle = vec![0; signals.iter().map(|signal| signal.rows).sum()];
        let seen = B::Inputs::take(self, &mut Slots(&idle[usize::from(B::HAS_RST)..]));
        let mut outputs = RegisterRows::for_outputs();
        outputs.read_with(|rows| self.outputs(&seen, rows));
        signals.extend(outputs.declarations());
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = B::HAS_RST && slots.bit();
        let seen = B::Inputs::take(self, &mut slots);
        debug_assert!(slots.0.is_empty(), "a declared input was not taken");
        observed.outputs(|rows| self.outputs(&seen, rows));
        observed.registers(self);
        self.edge(rst, &seen);
    }
}

/// A block as a [`CycleModel`].
#[derive(Clone, Debug)]
pub struct LockStep<B> {
    /// The block itself.
    pub block: B,
    layout: Layout,
    /// The lists of the cycle before, so that a cycle makes none.
    outputs: RegisterRows,
    registers: RegisterRows,
}

impl<B: Frames> LockStep<B> {
    /// Wraps a block in the state in which it is.
    pub fn new(block: B) -> Self {
        let layout = Layout::new(block.signals());
        LockStep { block, layout, outputs: RegisterRows::for_outputs(), registers: RegisterRows::default() }
    }
}

impl<B: Frames> CycleModel for LockStep<B> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let LockStep { block, outputs, registers, .. } = self;
        let mut observed = Observed { slots: observed.iter_mut(), outputs, registers };
        block.cycle(inputs, &mut observed);
        debug_assert_eq!(observed.slots.len(), 0, "a declared signal was not observed");
    }
}

/// The observed frame of a cycle, filled in order.
pub struct Observed<'a> {
    slots: std::slice::IterMut<'a, u64>,
    outputs: &'a mut RegisterRows,
    registers: &'a mut RegisterRows,
}

impl Observed<'_> {
    /// Puts the next slot.
    pub fn put(&mut self, value: impl Into<u64>) {
        put(&mut self.slots, value.into());
    }

    /// Puts the rows of an array.
    pub fn rows<T: Into<u64>>(&mut self, values: impl IntoIterator<Item = T>) {
        values.into_iter().for_each(|value| self.put(value));
    }

    /// Puts the outputs that are listed.
    pub fn outputs(&mut self, list: impl FnOnce(&mut RegisterRows)) {
        self.outputs.read_with(list);
        self.outputs.rows().for_each(|value| put(&mut self.slots, value));
    }

    /// Puts the registers of a block.
    pub fn registers(&mut self, block: &impl Registers) {
        self.registers.read(block);
        self.registers.rows().for_each(|value| put(&mut self.slots, value));
    }
}

fn put(slots: &mut std::slice::IterMut<u64>, value: u64) {
    *slots.next().expect("no more slots than the layout declares") = value;
}

/// What is left of an input frame that is taken in order.
#[derive(Clone, Copy, Debug)]
pub struct Slots<'a>(pub &'a [u64]);

impl<'a> Slots<'a> {
    /// The next slot.
    pub fn one(&mut self) -> u64 {
        self.rows(1)[0]
    }

    /// Whether the next slot is 1.
    pub fn bit(&mut self) -> bool {
        self.one() == 1
    }

    /// The rows of an array.
    pub fn rows(&mut self, rows: usize) -> &'a [u64] {
        let (next, rest) = self.0.split_at(rows);
        self.0 = rest;
        next
    }

    /// The next slot if it is there only on a condition; 0 otherwise.
    pub fn one_if(&mut self, there: bool) -> u64 {
        if there { self.one() } else { 0 }
    }
}

/// What is declared as inputs and read from an input frame: a number, the rows of an array, a struct of
/// [`inputs!`](crate::inputs). `Of` is what must be known for that: the [`SignalSpec`] of a signal, the block or its
/// sizes for a struct.
pub trait FromRows<'rows, Of>: Sized {
    /// Declares its signals behind others.
    fn declare(of: Of, signals: &mut Vec<SignalDecl>);

    /// Takes their values.
    fn take(of: Of, slots: &mut Slots<'rows>) -> Self;
}

/// Declares a struct of inputs: a block's, or some that several blocks have. Fields are declared and read in their
/// order, so that the two can't differ.
///
/// Behind `of` is what the fields go by, mostly the block; it may be left out. Behind the `=` of a field is what its
/// signals are: a [`SignalSpec`](powar_config::SignalSpec) for a number, a `bool` or the rows of an array (`&'a [u64]`,
/// [`Vec`]); for an [`Option`] the flag that says whether it is there, and what it is of; for a struct like this one
/// what it goes by, `()` if that is nothing. A signal that is not there is 0, an array has no rows then.
///
/// ```
/// use powar_config::CycleModel;
/// use powar_config::signal::{count, flag};
/// use powar_golden::inputs;
/// use powar_golden::lock_step::{Block, Frames, LockStep};
/// use powar_golden::register_rows::{RegisterRows, Registers};
///
/// /// Adds up, modulo 2^bits.
/// struct Adder { bits: usize, limited: bool, sum: u32 }
///
/// inputs! {
///     /// What is added in a cycle.
///     #[derive(Clone, Copy, Debug)]
///     pub struct AdderInputs of adder: &Adder {
///         /// Nothing is added otherwise.
///         pub add: Option<u32> = (flag("valid"), count("amount", adder.bits)),
///         /// The most that the sum can be; 0 unless it is limited.
///         pub most: u32 = count("most", adder.bits).only_if(adder.limited),
///     }
/// }
///
/// impl Registers for Adder {
///     fn list(&self, rows: &mut RegisterRows) {
///         rows.one(count("sum", self.bits), self.sum);
///     }
/// }
///
/// impl Block for Adder {
///     type Inputs<'a> = AdderInputs;
///
///     fn outputs(&self, seen: &AdderInputs, rows: &mut RegisterRows) {
///         rows.one(flag("idle"), seen.add.is_none());
///     }
///
///     fn edge(&mut self, rst: bool, seen: &AdderInputs) {
///         self.sum = if rst { 0 } else { (self.sum + seen.add.unwrap_or(0)) & ((1 << self.bits) - 1) };
///     }
/// }
///
/// let mut adder = LockStep::new(Adder { bits: 4, limited: false, sum: 9 });
/// let names: Vec<String> = adder.block.signals().into_iter().map(|signal| signal.name).collect();
/// assert_eq!(names, ["rst", "valid", "amount", "idle", "sum"]);
/// let mut observed = [0; 2];
/// adder.cycle(&[0, 1, 12], &mut observed);
/// assert_eq!((observed, adder.block.sum), ([0, 9], 5));
/// ```
#[macro_export]
macro_rules! inputs {
    (
        $(#[$about:meta])*
        $vis:vis struct $name:ident $(<$rows:lifetime>)? $(of $size:tt: $of:ty)? {
            $($(#[$says:meta])* $seen:vis $field:ident: $type:ty = $signal:expr),* $(,)?
        }
    ) => {
        $(#[$about])*
        $vis struct $name $(<$rows>)? {
            $($(#[$says])* $seen $field: $type),*
        }
        $crate::inputs!(@rows $name [$($rows)?] [$($size: $of)?] { $($field: $type = $signal),* });
    };
    (@rows $name:ident [] $of:tt $fields:tt) => { $crate::inputs!(@of ['rows] [$name] $of $fields); };
    (@rows $name:ident [$rows:lifetime] $of:tt $fields:tt) => {
        $crate::inputs!(@of [$rows] [$name<$rows>] $of $fields);
    };
    // A struct that goes by nothing goes by any block.
    (@of [$rows:lifetime] $struct:tt [] $fields:tt) => {
        $crate::inputs!(@impl [$rows, Of] $rows $struct [_of: Of] $fields);
    };
    (@of [$rows:lifetime] $struct:tt $of:tt $fields:tt) => {
        $crate::inputs!(@impl [$rows] $rows $struct $of $fields);
    };
    (
        @impl [$($parameter:tt)*] $rows:lifetime [$($struct:tt)*] [$size:tt: $of:ty]
        { $($field:ident: $type:ty = $signal:expr),* }
    ) => {
        impl<$($parameter)*> $crate::lock_step::FromRows<$rows, $of> for $($struct)* {
            fn declare($size: $of, signals: &mut Vec<$crate::lock_step::SignalDecl>) {
                $(<$type as $crate::lock_step::FromRows<_>>::declare($signal, signals);)*
            }

            fn take($size: $of, slots: &mut $crate::lock_step::Slots<$rows>) -> Self {
                Self { $($field: $crate::lock_step::FromRows::take($signal, slots)),* }
            }
        }
    };
}

/// From an input frame: whether there is a reset, and the inputs behind `rst`.
pub(crate) fn take_behind_rst<'rows, T: FromRows<'rows, Of>, Of>(of: Of, inputs: &'rows [u64]) -> (bool, T) {
    let mut slots = Slots(inputs);
    (slots.bit(), T::take(of, &mut slots))
}

/// A number that a slot can be, and `bool`: whether it is 1.
pub trait FromSlot: Sized {
    /// The slot as such a number.
    fn from_slot(slot: u64) -> Self;
}

macro_rules! from_slot {
    ($($number:ty),*) => {
        $(impl FromSlot for $number {
            fn from_slot(slot: u64) -> Self {
                slot as $number
            }
        })*
    };
}

from_slot!(u8, u16, u32, u64, usize);

impl FromSlot for bool {
    fn from_slot(slot: u64) -> Self {
        slot == 1
    }
}

/// 0 of a signal that is not there.
impl<T: FromSlot> FromRows<'_, SignalSpec> for T {
    fn declare(of: SignalSpec, signals: &mut Vec<SignalDecl>) {
        signals.extend((of.rows != 0).then(|| input(of)));
    }

    fn take(of: SignalSpec, slots: &mut Slots) -> Self {
        T::from_slot(slots.one_if(of.rows != 0))
    }
}

impl<'rows> FromRows<'rows, SignalSpec> for &'rows [u64] {
    fn declare(of: SignalSpec, signals: &mut Vec<SignalDecl>) {
        signals.extend((of.rows != 0).then(|| input(of)));
    }

    fn take(of: SignalSpec, slots: &mut Slots<'rows>) -> Self {
        slots.rows(of.rows)
    }
}

impl<'rows, T: FromSlot> FromRows<'rows, SignalSpec> for Vec<T> {
    fn declare(of: SignalSpec, signals: &mut Vec<SignalDecl>) {
        <&[u64]>::declare(of, signals);
    }

    fn take(of: SignalSpec, slots: &mut Slots<'rows>) -> Self {
        slots.rows(of.rows).iter().map(|&slot| T::from_slot(slot)).collect()
    }
}

/// Nothing is seen.
impl<Of> FromRows<'_, Of> for () {
    fn declare(_: Of, _: &mut Vec<SignalDecl>) {}

    fn take(_: Of, _: &mut Slots) -> Self {}
}

impl<'rows, A, B, OfA, OfB> FromRows<'rows, (OfA, OfB)> for (A, B)
where
    A: FromRows<'rows, OfA>,
    B: FromRows<'rows, OfB>,
{
    fn declare((of_a, of_b): (OfA, OfB), signals: &mut Vec<SignalDecl>) {
        A::declare(of_a, signals);
        B::declare(of_b, signals);
    }

    fn take((of_a, of_b): (OfA, OfB), slots: &mut Slots<'rows>) -> Self {
        (A::take(of_a, slots), B::take(of_b, slots))
    }
}

impl<'rows, T: FromRows<'rows, Of>, Of> FromRows<'rows, (SignalSpec, Of)> for Option<T> {
    fn declare((is_there, of): (SignalSpec, Of), signals: &mut Vec<SignalDecl>) {
        signals.push(input(is_there));
        T::declare(of, signals);
    }

    fn take((_, of): (SignalSpec, Of), slots: &mut Slots<'rows>) -> Self {
        let is_there = slots.bit();
        let value = T::take(of, slots);
        is_there.then_some(value)
    }
}

/// Declares signals of a role.
pub fn declare(role: Role, list: impl IntoIterator<Item = SignalSpec>) -> Vec<SignalDecl> {
    list.into_iter().map(|signal| signal.declare(role)).collect()
}

/// Declares an input.
pub fn input(signal: SignalSpec) -> SignalDecl {
    signal.declare(Role::Input)
}
