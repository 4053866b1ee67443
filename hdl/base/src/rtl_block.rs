//! How an RTL block shows its signals to a test bench: inputs are set and outputs and registers read as plain numbers.
//!
//! Every block declares its signals once, with [`block!`](crate::block); names, rows and widths are those of
//! `docs/microarchitecture/`. A register field is named after its signal with `_r` behind it (`count_r` is `count`).

use crate::primitives::{BitRegister, Register};
use powar_config::Role;
use rust_hdl::prelude::*;

/// A block that a test bench can drive and look into.
pub trait RtlBlock: Block {
    /// The inputs `clk` and `rst`, of which combinational blocks have none.
    fn clock(&mut self) -> Option<ClockPorts<'_>> {
        None
    }
    /// Sets the clock input; nothing for combinational blocks.
    fn set_clock(&mut self, level: bool) {
        if let Some((clk, _)) = self.clock() {
            clk.next = Clock { clk: level };
        }
    }
    /// Sets every input; `next` gives the rows in the order of [`RtlBlock::list_inputs`].
    fn drive(&mut self, next: &mut dyn FnMut() -> u64);
    /// Whether an input is set to a value that the block has not taken yet.
    fn input_waits(&self) -> bool;
    /// Names every input with its rows and width.
    fn list_inputs(&self, list: &mut dyn FnMut(&'static str, Shape));
    /// Shows every output, then every register of the block and of its children.
    fn observe(&self, view: &mut dyn SignalVisitor);
    /// The registers alone, as a parent shows them.
    fn observe_registers(&self, view: &mut dyn SignalVisitor);
}

/// What a signal looks like: `rows` numbers of `width` bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub rows: usize,
    pub width: usize,
}

/// Receives the values of signals, row by row.
pub trait SignalVisitor {
    /// The signals that follow belong to this child.
    fn enter(&mut self, child: &'static str);
    /// Back to the parent.
    fn leave(&mut self);
    /// One row of a signal.
    fn row(&mut self, role: Role, name: &'static str, width: usize, value: u64);
}

/// A value on a wire as a number.
pub trait Number: Synth {
    fn to_number(self) -> u64;
    fn from_number(number: u64) -> Self;
}

impl Number for Bit {
    fn to_number(self) -> u64 {
        u64::from(self)
    }
    fn from_number(number: u64) -> Self {
        number & 1 == 1
    }
}

impl<const N: usize> Number for Bits<N> {
    fn to_number(self) -> u64 {
        self.to_u64()
    }
    fn from_number(number: u64) -> Self {
        number.to_bits()
    }
}

/// A port or a register as rows of numbers. Single bits are gathered `row_width` to a row, lowest first.
pub trait Rows {
    fn shape(&self, row_width: usize) -> Shape;
    fn read(&self, row_width: usize, each: &mut dyn FnMut(u64));
}

/// An input as rows of numbers, likewise.
pub trait WriteRows: Rows {
    fn write(&mut self, row_width: usize, next: &mut dyn FnMut() -> u64);
    /// Whether it is set to a value that the block has not taken yet.
    fn waits(&self) -> bool;
}

macro_rules! rows_of_signals {
    ($direction:ty) => {
        impl<T: Number> Rows for Signal<$direction, T> {
            fn shape(&self, _row_width: usize) -> Shape {
                Shape { rows: 1, width: T::BITS }
            }
            fn read(&self, _row_width: usize, each: &mut dyn FnMut(u64)) {
                each(self.val().to_number());
            }
        }

        impl<T: Number> Rows for Vec<Signal<$direction, T>> {
            fn shape(&self, row_width: usize) -> Shape {
                match T::BITS {
                    1 => Shape { rows: self.len().checked_div(row_width).unwrap_or(0), width: row_width },
                    width => Shape { rows: self.len(), width },
                }
            }
            fn read(&self, row_width: usize, each: &mut dyn FnMut(u64)) {
                if T::BITS > 1 {
                    return self.iter().for_each(|signal| each(signal.val().to_number()));
                }
                // No rows of no bits, where the signal is not there.
                for row in self.chunks(row_width.max(1)) {
                    each(row.iter().rev().fold(0, |bits, signal| bits << 1 | signal.val().to_number()));
                }
            }
        }
    };
}

rows_of_signals!(In);
rows_of_signals!(Out);

impl<T: Number> WriteRows for Signal<In, T> {
    fn write(&mut self, _row_width: usize, next: &mut dyn FnMut() -> u64) {
        self.next = T::from_number(next());
    }
    #[inline]
    fn waits(&self) -> bool {
        self.next != self.val()
    }
}

impl<T: Number> WriteRows for Vec<Signal<In, T>> {
    fn write(&mut self, row_width: usize, next: &mut dyn FnMut() -> u64) {
        if T::BITS > 1 {
            return self.iter_mut().for_each(|signal| signal.next = T::from_number(next()));
        }
        for row in self.chunks_mut(row_width.max(1)) {
            let bits = next();
            row.iter_mut().enumerate().for_each(|(i, signal)| signal.next = T::from_number(bits >> i));
        }
    }
    #[inline]
    fn waits(&self) -> bool {
        self.iter().any(WriteRows::waits)
    }
}

impl<T: Number> Rows for Register<T> {
    fn shape(&self, row_width: usize) -> Shape {
        self.q.shape(row_width)
    }
    fn read(&self, row_width: usize, each: &mut dyn FnMut(u64)) {
        self.q.read(row_width, each);
    }
}

impl Rows for BitRegister {
    fn shape(&self, row_width: usize) -> Shape {
        self.q.shape(row_width)
    }
    fn read(&self, row_width: usize, each: &mut dyn FnMut(u64)) {
        self.q.read(row_width, each);
    }
}

/// Shows the rows of one signal; for [`block!`](crate::block).
pub fn show(view: &mut dyn SignalVisitor, role: Role, name: &'static str, rows: &dyn Rows, row_width: usize) {
    let width = rows.shape(row_width).width;
    rows.read(row_width, &mut |value| view.row(role, name, width, value));
}

/// Names an input with its shape, if it is there in this configuration; for [`block!`](crate::block).
pub fn list_rows(
    list: &mut dyn FnMut(&'static str, Shape),
    name: &'static str,
    rows: &dyn WriteRows,
    row_width: usize,
) {
    let shape = rows.shape(row_width);
    if shape.rows > 0 {
        list(name, shape);
    }
}

/// The inputs `clk` and `rst` of a block.
pub type ClockPorts<'a> = (&'a mut Signal<In, Clock>, &'a mut Signal<In, Bit>);

/// The clock of a bundle of ports; for [`port_bundle!`](crate::port_bundle).
pub trait PortClock {
    fn clock(&mut self) -> Option<ClockPorts<'_>> {
        None
    }
    fn clock_waits(&self) -> bool {
        false
    }
    fn is_clocked(&self) -> bool {
        false
    }
}

/// The ports of a bundle as rows of numbers; for [`port_bundle!`](crate::port_bundle).
pub trait PortRows: PortClock {
    /// Shows every input but clock and reset, with the bits of one of its rows.
    fn inputs(&self, each: &mut dyn FnMut(&'static str, &dyn WriteRows, usize));
    fn drive(&mut self, next: &mut dyn FnMut() -> u64);
    fn input_waits(&self) -> bool;
    fn outputs(&self, each: &mut dyn FnMut(&'static str, &dyn Rows, usize));
}

/// Makes a box of any block of a kind a block itself, so that a parent can hold it: `any_block!(dyn RoutingUnit)`.
#[macro_export]
macro_rules! any_block {
    ($kind:ty) => {
        impl rust_hdl::prelude::Logic for Box<$kind> {
            fn update(&mut self) {
                (**self).update();
            }
        }

        impl rust_hdl::prelude::Block for Box<$kind> {
            fn connect_all(&mut self) {
                (**self).connect_all();
            }
            fn update_all(&mut self) {
                (**self).update_all();
            }
            fn has_changed(&self) -> bool {
                (**self).has_changed()
            }
            fn accept(&self, name: &str, probe: &mut dyn rust_hdl::prelude::Probe) {
                (**self).accept(name, probe);
            }
        }

        impl $crate::rtl_block::RtlBlock for Box<$kind> {
            fn clock(&mut self) -> Option<$crate::rtl_block::ClockPorts<'_>> {
                (**self).clock()
            }
            fn set_clock(&mut self, level: bool) {
                (**self).set_clock(level);
            }
            fn drive(&mut self, next: &mut dyn FnMut() -> u64) {
                (**self).drive(next);
            }
            fn input_waits(&self) -> bool {
                (**self).input_waits()
            }
            fn list_inputs(&self, list: &mut dyn FnMut(&'static str, $crate::rtl_block::Shape)) {
                (**self).list_inputs(list);
            }
            fn observe(&self, view: &mut dyn $crate::rtl_block::SignalVisitor) {
                (**self).observe(view);
            }
            fn observe_registers(&self, view: &mut dyn $crate::rtl_block::SignalVisitor) {
                (**self).observe_registers(view);
            }
        }
    };
}

pub use any_block;

/// The children of a block: one, or an array of them.
pub trait Children {
    fn each(&self, visit: &mut dyn FnMut(&dyn RtlBlock));
}

/// Several registers of one name (a register that exists only in some configurations).
impl<R: Rows> Rows for Vec<R>
where
    R: RegisterMarker,
{
    fn shape(&self, row_width: usize) -> Shape {
        let one = self.first().map_or(Shape { rows: 0, width: row_width }, |register| register.shape(row_width));
        Shape { rows: self.len() * one.rows, ..one }
    }
    fn read(&self, row_width: usize, each: &mut dyn FnMut(u64)) {
        self.iter().for_each(|register| register.read(row_width, each));
    }
}

/// Tells registers from signals, so that both may come in a `Vec`.
pub trait RegisterMarker {}
impl<T: Synth> RegisterMarker for Register<T> {}
impl RegisterMarker for BitRegister {}

/// Implements [`RtlBlock`] from the signals that [`block!`](crate::block) gathers; of no other use.
#[macro_export]
macro_rules! rtl_signals {
    ([observed_by_hand] $($signals:tt)*) => {};
    ([$bundle:ident = $ports:expr] [] [$block:ty] [] [] $registers:tt $children:tt) => {
        impl $crate::rtl_block::RtlBlock for $block {
            #[inline]
            fn clock(&mut self) -> Option<$crate::rtl_block::ClockPorts<'_>> {
                $crate::rtl_block::PortClock::clock(&mut self.ports)
            }
            fn drive(&mut self, next: &mut dyn FnMut() -> u64) {
                if let Some((_, rst)) = $crate::rtl_block::PortClock::clock(&mut self.ports) {
                    $crate::rtl_block::WriteRows::write(rst, 1, next);
                }
                $crate::rtl_block::PortRows::drive(&mut self.ports, next);
            }
            #[inline]
            fn input_waits(&self) -> bool {
                $crate::rtl_block::PortClock::clock_waits(&self.ports)
                    || $crate::rtl_block::PortRows::input_waits(&self.ports)
            }
            fn list_inputs(&self, list: &mut dyn FnMut(&'static str, $crate::rtl_block::Shape)) {
                if $crate::rtl_block::PortClock::is_clocked(&self.ports) {
                    list("rst", $crate::rtl_block::Shape { rows: 1, width: 1 });
                }
                $crate::rtl_block::PortRows::inputs(&self.ports, &mut |name, rows, width| {
                    $crate::rtl_block::list_rows(list, name, rows, width);
                });
            }
            fn observe(&self, view: &mut dyn $crate::rtl_block::SignalVisitor) {
                $crate::rtl_block::PortRows::outputs(&self.ports, &mut |name, rows, width| {
                    $crate::rtl_block::show(view, powar_config::Role::Output, name, rows, width);
                });
                self.observe_registers(view);
            }
            $crate::rtl_signals!(@observe_registers $registers $children);
        }

        impl std::ops::Deref for $block {
            type Target = $bundle;
            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.ports
            }
        }

        impl std::ops::DerefMut for $block {
            #[inline]
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.ports
            }
        }
    };
    ([$clocking:ident] [$($parameters:tt)*] [$block:ty]
     [$($input:ident [$($input_rows:ident)?])*] [$($output:ident [$($output_rows:ident)?])*] $registers:tt $children:tt) => {
        impl<$($parameters)*> $crate::rtl_block::RtlBlock for $block {
            #[inline]
            fn clock(&mut self) -> Option<$crate::rtl_block::ClockPorts<'_>> {
                $crate::rtl_signals!(@clock $clocking self)
            }
            fn drive(&mut self, next: &mut dyn FnMut() -> u64) {
                $crate::rtl_signals!(@reset $clocking self next);
                $(
                    let row_width = $crate::rtl_signals!(@width self $input [$($input_rows)?]);
                    $crate::rtl_block::WriteRows::write(&mut self.$input, row_width, next);
                )*
            }
            fn input_waits(&self) -> bool {
                $crate::rtl_signals!(@waits $clocking self) $(|| $crate::rtl_block::WriteRows::waits(&self.$input))*
            }
            fn list_inputs(&self, list: &mut dyn FnMut(&'static str, $crate::rtl_block::Shape)) {
                $crate::rtl_signals!(@list_reset $clocking list);
                $(
                    let row_width = $crate::rtl_signals!(@width self $input [$($input_rows)?]);
                    $crate::rtl_block::list_rows(list, stringify!($input), &self.$input, row_width);
                )*
            }
            fn observe(&self, view: &mut dyn $crate::rtl_block::SignalVisitor) {
                $(
                    let row_width = $crate::rtl_signals!(@width self $output [$($output_rows)?]);
                    $crate::rtl_block::show(view, powar_config::Role::Output, stringify!($output), &self.$output, row_width);
                )*
                self.observe_registers(view);
            }
            $crate::rtl_signals!(@observe_registers $registers $children);
        }
    };
    (@observe_registers [$($register:ident)*] [$($child:ident)*]) => {
        fn observe_registers(&self, _view: &mut dyn $crate::rtl_block::SignalVisitor) {
            $(
                let name = stringify!($register);
                let row_width = $crate::rtl_block::Length::length(&self.$register);
                let name = name.strip_suffix("_r").unwrap_or(name);
                $crate::rtl_block::show(_view, powar_config::Role::Register, name, &self.$register, row_width);
            )*
            $(
                _view.enter(stringify!($child));
                $crate::rtl_block::Children::each(&self.$child, &mut |child| child.observe_registers(_view));
                _view.leave();
            )*
        }
    };
    (@clock clocked $self:ident) => { Some((&mut $self.clk, &mut $self.rst)) };
    (@clock combinational $self:ident) => { None };
    (@reset clocked $self:ident $next:ident) => { $crate::rtl_block::WriteRows::write(&mut $self.rst, 1, $next) };
    (@reset combinational $self:ident $next:ident) => {};
    (@waits clocked $self:ident) => {
        $self.clk.next != $self.clk.val() || $crate::rtl_block::WriteRows::waits(&$self.rst)
    };
    (@waits combinational $self:ident) => { false };
    (@list_reset clocked $list:ident) => { $list("rst", $crate::rtl_block::Shape { rows: 1, width: 1 }) };
    (@list_reset combinational $list:ident) => {};
    (@width $self:ident $name:ident [$rows:ident]) => { $self.$rows.get() };
    (@width $self:ident $name:ident []) => { $crate::rtl_block::Length::length(&$self.$name) };
}

/// Bits of a port vector, so that a whole vector is one row unless said otherwise.
pub trait Length {
    fn length(&self) -> usize;
}

impl<D: Direction, T: Synth> Length for Signal<D, T> {
    fn length(&self) -> usize {
        1
    }
}
impl<D: Direction, T: Synth> Length for Vec<Signal<D, T>> {
    fn length(&self) -> usize {
        self.len()
    }
}
impl<T: Synth> Length for Register<T> {
    fn length(&self) -> usize {
        1
    }
}
impl Length for BitRegister {
    fn length(&self) -> usize {
        self.q.len()
    }
}
impl<R: Length + RegisterMarker> Length for Vec<R> {
    fn length(&self) -> usize {
        self.first().map_or(1, Length::length)
    }
}
