//! The blocks as the lock-step harness sees them: named signals and one call a cycle.

use powar_config::{CycleModel, Layout, Role, SignalDecl, SignalSpec};

/// A block that can be put under the lock-step harness by wrapping it in [`LockStep`].
pub trait Block {
    /// The block's signals: for each of the two frames in the order in which [`Block::cycle`] takes and puts them.
    fn signals(&self) -> Vec<SignalDecl>;

    /// One cycle. Everything is put into `observed` before the block passes the clock edge.
    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed);
}

/// A block as a [`CycleModel`].
#[derive(Clone, Debug)]
pub struct LockStep<B> {
    /// The block itself.
    pub block: B,
    layout: Layout,
}

impl<B: Block> LockStep<B> {
    /// Wraps a block in the state in which it is.
    pub fn new(block: B) -> Self {
        let layout = Layout::new(block.signals());
        LockStep { block, layout }
    }
}

impl<B: Block> CycleModel for LockStep<B> {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let mut observed = Observed { slots: observed.iter_mut() };
        self.block.cycle(inputs, &mut observed);
        debug_assert_eq!(observed.slots.len(), 0, "a declared signal was not observed");
    }
}

/// The observed frame of a cycle, filled in order.
pub struct Observed<'a> {
    slots: std::slice::IterMut<'a, u64>,
}

impl Observed<'_> {
    /// Puts the next slot.
    pub fn put(&mut self, value: impl Into<u64>) {
        *self.slots.next().expect("no more slots than the layout declares") = value.into();
    }

    /// Puts the rows of an array.
    pub fn rows<T: Into<u64>>(&mut self, values: impl IntoIterator<Item = T>) {
        values.into_iter().for_each(|value| self.put(value));
    }
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

    /// The rows of an array that is there only on a condition; none otherwise.
    pub fn rows_if(&mut self, there: bool, rows: usize) -> &'a [u64] {
        self.rows(if there { rows } else { 0 })
    }

    /// The next slot if it is there only on a condition; 0 otherwise.
    pub fn one_if(&mut self, there: bool) -> u64 {
        if there { self.one() } else { 0 }
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

/// Declares a combinational output.
pub fn output(signal: SignalSpec) -> SignalDecl {
    signal.declare(Role::Output)
}

/// Declares a register. One that is an output too is declared as both.
pub fn register(signal: SignalSpec) -> SignalDecl {
    signal.declare(Role::Register)
}
