//! The control registers of a mechanism, made from one row a word.
//!
//! ```text
//! control_registers! {
//!     /// The comment of the Verilog module, a line each.
//!     pub struct ControlRegisters("alonso_control_registers") of MECHANISM, AlonsoValues;
//!     counts {}                                           // words that software only reads: inputs of the block
//!     numbers {
//!         /// Policy code.
//!         policy: 2, policy_r, policy_at;                 // the first word; its bits, its register, the constant of its address
//!         /// Check period, cycles.
//!         check_period: 16, check_period_r, check_period_at;
//!     }
//!     flags {
//!         /// Hints of nodes switch all links on.
//!         litmus: litmus_r, litmus_at;
//!     }
//! }
//! ```
//!
//! It makes a `block!` with its ports (`read_data` and an output for each word), `new` with the values after reset, and the kernel with
//! a decoder for writes and one for reads. A word has the name and width that it has in the register map, and lies where that says. The
//! Verilog back end compares the kernel with its source, which is the text of what this makes.

macro_rules! control_registers {
    (
        $(#[doc = $doc:tt])*
        pub struct $block:ident($module:expr) of $mechanism:path, $values:ty;
        counts { $( $(#[doc = $count_doc:tt])* $count:ident: $count_bits:tt, $count_at:ident; )* }
        numbers {
            $(#[doc = $first_doc:tt])* $first:ident: $first_bits:tt, $first_r:ident, $first_at:ident;
            $( $(#[doc = $number_doc:tt])* $number:ident: $number_bits:tt, $number_r:ident, $number_at:ident; )*
        }
        flags { $( $(#[doc = $flag_doc:tt])* $flag:ident: $flag_r:ident, $flag_at:ident; )* }
    ) => {
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
                $first_r: Bits<$first_bits> = u64::from(reset.$first).into(),
                $( $number_r: Bits<$number_bits> = u64::from(reset.$number).into(), )*
                $( $flag_r: Bit = reset.$flag, )*
            }
            constants {
                /// Addresses of the registers.
                $first_at: Bits<10> = at(stringify!($first)),
                $( $number_at: Bits<10> = at(stringify!($number)), )*
                $( $flag_at: Bits<10> = at(stringify!($flag)), )*
                $( $count_at: Bits<10> = at(stringify!($count)), )*
            }
        }

        $crate::mechanisms::control_registers::control_registers! { @with_source
            impl Logic for $block {
                #[hdl_gen]
                fn update(&mut self) {
                    if self.write_enable.val() {
                        if self.write_address.val() == self.$first_at.val() {
                            self.$first_r.d.next = bit_cast::<$first_bits, 32>(self.write_data.val());
                        }
                        $( else if self.write_address.val() == self.$number_at.val() {
                            self.$number_r.d.next = bit_cast::<$number_bits, 32>(self.write_data.val());
                        } )*
                        $( else if self.write_address.val() == self.$flag_at.val() {
                            self.$flag_r.d.next = self.write_data.val().get_bit(0);
                        } )*
                    }
                    self.read_data.next = 0.into();
                    if self.read_address.val() == self.$first_at.val() {
                        self.read_data.next = bit_cast::<32, $first_bits>(self.$first_r.q.val());
                    }
                    $( else if self.read_address.val() == self.$number_at.val() {
                        self.read_data.next = bit_cast::<32, $number_bits>(self.$number_r.q.val());
                    } )*
                    $( else if self.read_address.val() == self.$flag_at.val() {
                        self.read_data.next = self.read_data.val().replace_bit(0, self.$flag_r.q.val());
                    } )*
                    $( else if self.read_address.val() == self.$count_at.val() {
                        self.read_data.next = bit_cast::<32, $count_bits>(self.$count.val());
                    } )*
                    self.$first.next = self.$first_r.q.val();
                    $( self.$number.next = self.$number_r.q.val(); )*
                    $( self.$flag.next = self.$flag_r.q.val(); )*
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
