//! A size that is known only when the block is built.

use super::Announcement;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::{Block, Logic, Probe};
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// A number of ports, of entries or of levels, fixed when the block is built and usable in its kernel.
///
/// In a loop bound write `0..self.n.get()`; in an index `self.request[r * self.n + p]`; in an expression `self.n.val().to_bits()` or
/// `i + 1 < self.n`. Indices and loops are resolved when Verilog is written, so a size costs no hardware.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    value: usize,
    id: usize,
}

impl Size {
    /// A size of `value`.
    pub fn new(value: usize) -> Self {
        Self { value, id: get_signal_id() }
    }

    /// The value, for loop bounds.
    #[inline]
    pub fn get(&self) -> usize {
        self.value
    }

    /// The value, for expressions: the back end translates `val()` as it does for a `Constant`.
    #[inline]
    pub fn val(&self) -> usize {
        self.value
    }
}

impl From<usize> for Size {
    fn from(value: usize) -> Self {
        Self::new(value)
    }
}

impl From<Size> for usize {
    fn from(size: Size) -> Self {
        size.value
    }
}

/// One arithmetic operator between sizes and numbers, in every order, with a number as the result.
macro_rules! number_operator {
    ($operator:ident, $method:ident) => {
        impl $operator<Size> for usize {
            type Output = usize;
            #[inline]
            fn $method(self, other: Size) -> usize {
                $operator::$method(self, other.value)
            }
        }
        impl $operator<usize> for Size {
            type Output = usize;
            #[inline]
            fn $method(self, other: usize) -> usize {
                $operator::$method(self.value, other)
            }
        }
        impl $operator<Size> for Size {
            type Output = usize;
            #[inline]
            fn $method(self, other: Size) -> usize {
                $operator::$method(self.value, other.value)
            }
        }
    };
}

number_operator!(Add, add);
number_operator!(Sub, sub);
number_operator!(Mul, mul);
number_operator!(Div, div);
number_operator!(Rem, rem);

impl PartialEq for Size {
    fn eq(&self, other: &Size) -> bool {
        self.value == other.value
    }
}
impl Eq for Size {}
impl PartialEq<usize> for Size {
    fn eq(&self, other: &usize) -> bool {
        self.value == *other
    }
}
impl PartialEq<Size> for usize {
    fn eq(&self, other: &Size) -> bool {
        *self == other.value
    }
}
impl PartialOrd<usize> for Size {
    fn partial_cmp(&self, other: &usize) -> Option<Ordering> {
        self.value.partial_cmp(other)
    }
}
impl PartialOrd<Size> for usize {
    fn partial_cmp(&self, other: &Size) -> Option<Ordering> {
        self.partial_cmp(&other.value)
    }
}

impl Logic for Size {
    fn update(&mut self) {}
}

impl Block for Size {
    fn connect_all(&mut self) {}
    fn update_all(&mut self) {}
    fn has_changed(&self) -> bool {
        false
    }
    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        Announcement::Size(self.value).visit(name, self.id, probe);
    }
}
