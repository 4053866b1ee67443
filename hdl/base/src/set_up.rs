//! What a block with a clock does before its kernel: registers and children take the clock and the reset, and
//! registers keep what they hold.

use crate::primitives::{BitRegister, Register, Settled};
use crate::rtl_block::RtlBlock;
use rust_hdl::prelude::*;

/// What takes the clock and the reset of the block that it is in: a register, a child, or an array of them.
pub trait SetUp {
    /// Tells rust-hdl that these pins are driven.
    fn claim(&mut self);
    /// Drives them; a register keeps its value too, unless the kernel says otherwise.
    fn set_up(&mut self, clk: Clock, rst: Bit);
}

impl<T: Synth> SetUp for Register<T> {
    fn claim(&mut self) {
        self.clock.connect();
        self.d.connect();
    }
    #[inline]
    fn set_up(&mut self, clk: Clock, rst: Bit) {
        self.clock.drive(clk, rst);
        self.hold();
    }
}

impl SetUp for BitRegister {
    fn claim(&mut self) {
        self.clock.connect();
        self.d.iter_mut().for_each(Logic::connect);
    }
    #[inline]
    fn set_up(&mut self, clk: Clock, rst: Bit) {
        self.clock.drive(clk, rst);
        self.hold();
    }
}

/// Nothing if the child has no clock.
impl<B: RtlBlock> SetUp for Settled<B> {
    fn claim(&mut self) {
        if let Some((clk, rst)) = self.clock() {
            clk.connect();
            rst.connect();
        }
    }
    #[inline]
    fn set_up(&mut self, clk: Clock, rst: Bit) {
        if let Some((child_clk, child_rst)) = self.clock() {
            child_clk.next = clk;
            child_rst.next = rst;
        }
    }
}

impl<S: SetUp> SetUp for Vec<S> {
    fn claim(&mut self) {
        self.iter_mut().for_each(SetUp::claim);
    }
    #[inline]
    fn set_up(&mut self, clk: Clock, rst: Bit) {
        self.iter_mut().for_each(|one| one.set_up(clk, rst));
    }
}

/// Sets up the registers and children that [`block!`](crate::block) gathers; of no other use.
///
/// `update` and `connect` are methods of the block itself, so that rust-hdl's `#[derive(LogicBlock)]`, which calls
/// `self.update()` and `self.connect()`, comes here first and to those of the kernel from here.
#[macro_export]
macro_rules! set_up {
    ([observed_by_hand] $($signals:tt)*) => {};
    ([$($style:tt)*] [$($parameters:tt)*] [$block:ty] [$($register:ident)*] [$($child:ident)*]) => {
        impl<$($parameters)*> $block {
            #[inline]
            fn update(&mut self) {
                if let Some((clk, rst)) = $crate::rtl_block::RtlBlock::clock(self) {
                    let _clock = (clk.val(), rst.val());
                    $( $crate::set_up::SetUp::set_up(&mut self.$register, _clock.0, _clock.1); )*
                    $( $crate::set_up::SetUp::set_up(&mut self.$child, _clock.0, _clock.1); )*
                }
                rust_hdl::prelude::Logic::update(self);
            }

            fn connect(&mut self) {
                if $crate::rtl_block::RtlBlock::clock(self).is_some() {
                    $( $crate::set_up::SetUp::claim(&mut self.$register); )*
                    $( $crate::set_up::SetUp::claim(&mut self.$child); )*
                }
                rust_hdl::prelude::Logic::connect(self);
            }
        }
    };
}
