//! The control registers of a mechanism, made from the rows that its table of words gives (`powar_config::mechanism`).
//!
//! ```text
//! powar_config::alonso_words!(control_registers {
//!     /// The comment of the Verilog module, a line each.
//!     pub struct ControlRegisters("alonso_control_registers") of MECHANISM, AlonsoValues;
//!     counts {                                            // words that software only reads: inputs of the block
//!         /// Words of the ring thrown away for their parity.
//!         ring_errors: 16;
//!     }
//! });
//! ```
//!
//! It makes a `block!` with its ports (`read_data` and an output for each word), `new` with the values after reset, and the kernel with
//! a decoder for writes and one for reads. A word `pdt` has the register `pdt_r` and the constant of its address `pdt_at`; flags come
//! last. A word has the name and width that it has in the register map, and lies where that says. The Verilog back end compares the
//! kernel with its source, which is the text of what this makes.

macro_rules! control_registers {
    (
        $(#[doc = $doc:tt])*
        pub struct $block:ident($module:expr) of $mechanism:path, $values:ty;
        counts { $($counts:tt)* }
        words { $($rows:tt)* }
    ) => {
        $crate::mechanisms::control_registers::control_registers! {
            @sort { $(#[doc = $doc])* pub struct $block($module) of $mechanism, $values; counts { $($counts)* } } {} {} $($rows)*
        }
    };
    // A flag is a wire, any other word a vector: they are written in other words.
    (@sort $head:tt $numbers:tt { $($flags:tt)* } $word:ident: 1, Flag, $what:tt; $($rest:tt)*) => {
        $crate::mechanisms::control_registers::control_registers! {
            @sort $head $numbers { $($flags)* #[doc = $what] $word; } $($rest)*
        }
    };
    (@sort $head:tt { $($numbers:tt)* } $flags:tt $word:ident: $bits:tt, $meaning:ident, $what:tt; $($rest:tt)*) => {
        $crate::mechanisms::control_registers::control_registers! {
            @sort $head { $($numbers)* #[doc = $what] $word: $bits; } $flags $($rest)*
        }
    };
    (@sort { $($head:tt)* } $numbers:tt $flags:tt) => {
        $crate::mechanisms::control_registers::control_registers! { @made $($head)* numbers $numbers flags $flags }
    };
    (
        @made
        $(#[doc = $doc:tt])*
        pub struct $block:ident($module:expr) of $mechanism:path, $values:ty;
        counts { $( $(#[doc = $count_doc:tt])* $count:ident: $count_bits:tt; )* }
        numbers {
            $(#[doc = $first_doc:tt])* $first:ident: $first_bits:tt;
            $( $(#[doc = $number_doc:tt])* $number:ident: $number_bits:tt; )*
        }
        flags { $( $(#[doc = $flag_doc:tt])* $flag:ident; )* }
    ) => {
        pastey::paste! {
            $crate::block! {
                $(#[doc = $doc])*
                pub struct $block($module, SOURCE, clocked)
                /// With these values after reset.
                pub fn new(reset: &$values) -> Self {
                    let at = |name| $crate::mechanisms::control_registers::address(&$mechanism, name);
                }
                inputs {
                    /// Write `write_data` to `write_address` at the end of this cycle.
                    write_enable: Bit,
                    write_address: Bits<10>,
                    write_data: Bits<32>,
                    /// The register to be shown.
                    read_address: Bits<10>,
                    $( $(#[doc = $count_doc])* $count: Bits<$count_bits>, )*
                }
                outputs {
                    /// That register.
                    read_data: Bits<32>,
                    $(#[doc = $first_doc])* $first: Bits<$first_bits>,
                    $( $(#[doc = $number_doc])* $number: Bits<$number_bits>, )*
                    $( $(#[doc = $flag_doc])* $flag: Bit, )*
                }
                registers {
                    [<$first _r>]: Bits<$first_bits> = u64::from(reset.$first).into(),
                    $( [<$number _r>]: Bits<$number_bits> = u64::from(reset.$number).into(), )*
                    $( [<$flag _r>]: Bit = reset.$flag, )*
                }
                constants {
                    /// Addresses of the registers.
                    [<$first _at>]: Bits<10> = at(stringify!($first)),
                    $( [<$number _at>]: Bits<10> = at(stringify!($number)), )*
                    $( [<$flag _at>]: Bits<10> = at(stringify!($flag)), )*
                    $( [<$count _at>]: Bits<10> = at(stringify!($count)), )*
                }
            }

            $crate::mechanisms::control_registers::control_registers! { @with_source
                impl Logic for $block {
                    #[hdl_gen]
                    fn update(&mut self) {
                        if self.write_enable.val() {
                            if self.write_address.val() == self.[<$first _at>].val() {
                                self.[<$first _r>].d.next = bit_cast::<$first_bits, 32>(self.write_data.val());
                            }
                            $( else if self.write_address.val() == self.[<$number _at>].val() {
                                self.[<$number _r>].d.next = bit_cast::<$number_bits, 32>(self.write_data.val());
                            } )*
                            $( else if self.write_address.val() == self.[<$flag _at>].val() {
                                self.[<$flag _r>].d.next = self.write_data.val().get_bit(0);
                            } )*
                        }
                        self.read_data.next = 0.into();
                        if self.read_address.val() == self.[<$first _at>].val() {
                            self.read_data.next = bit_cast::<32, $first_bits>(self.[<$first _r>].q.val());
                        }
                        $( else if self.read_address.val() == self.[<$number _at>].val() {
                            self.read_data.next = bit_cast::<32, $number_bits>(self.[<$number _r>].q.val());
                        } )*
                        $( else if self.read_address.val() == self.[<$flag _at>].val() {
                            self.read_data.next = self.read_data.val().replace_bit(0, self.[<$flag _r>].q.val());
                        } )*
                        $( else if self.read_address.val() == self.[<$count _at>].val() {
                            self.read_data.next = bit_cast::<32, $count_bits>(self.$count.val());
                        } )*
                        self.$first.next = self.[<$first _r>].q.val();
                        $( self.$number.next = self.[<$number _r>].q.val(); )*
                        $( self.$flag.next = self.[<$flag _r>].q.val(); )*
                    }
                }
            }
        }
    };
    (@with_source $($items:tt)*) => {
        $($items)*

        /// What was made, as text.
        const SOURCE: &str = stringify!($($items)*);
    };
}

pub(crate) use control_registers;

use powar_config::Mechanism;
use powar_config::registers::{WORD_BYTES, mechanism_address};
use rust_hdl::prelude::*;

/// Where a word of a mechanism lies: its byte address / 4.
pub(super) fn address(mechanism: &Mechanism, name: &str) -> Bits<10> {
    usize::from(mechanism_address(mechanism, name) / WORD_BYTES).to_bits()
}
