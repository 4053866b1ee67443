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
//! It makes the struct with its ports (`read_data` and an output for each word), `new` with the values after reset, the kernel with a
//! decoder for writes and one for reads, and the list of its signals. A word has the name and width that it has in the register map, and
//! lies where that says. The Verilog back end compares the kernel with its source, which is the text of what this makes.

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
        $crate::mechanisms::control_registers::control_registers! { @with_source
            $(#[doc = $doc])*
            #[derive(LogicBlock)]
            pub struct $block {
                pub clk: Signal<In, Clock>,
                pub rst: Signal<In, Bit>,
                /// Write `write_data` to `write_address` at the end of this cycle.
                pub write_enable: Signal<In, Bit>,
                pub write_address: Signal<In, Bits<10>>,
                pub write_data: Signal<In, Bits<32>>,
                /// The register to be shown.
                pub read_address: Signal<In, Bits<10>>,
                $( $(#[doc = $count_doc])* pub $count: Signal<In, Bits<$count_bits>>, )*
                /// That register.
                pub read_data: Signal<Out, Bits<32>>,
                $(#[doc = $first_doc])* pub $first: Signal<Out, Bits<$first_bits>>,
                $( $(#[doc = $number_doc])* pub $number: Signal<Out, Bits<$number_bits>>, )*
                $( $(#[doc = $flag_doc])* pub $flag: Signal<Out, Bit>, )*
                $first_r: Register<Bits<$first_bits>>,
                $( $number_r: Register<Bits<$number_bits>>, )*
                $( $flag_r: Register<Bit>, )*
                /// Addresses of the registers.
                $first_at: Constant<Bits<10>>,
                $( $number_at: Constant<Bits<10>>, )*
                $( $flag_at: Constant<Bits<10>>, )*
                $( $count_at: Constant<Bits<10>>, )*
                info: BlockInfo,
            }

            impl Logic for $block {
                #[hdl_gen]
                fn update(&mut self) {
                    dff_setup!(self, clk, $first_r, $($number_r,)* $($flag_r),*);
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

        impl $block {
            /// With these values after reset.
            pub fn new(reset: &$values) -> Self {
                let at = |name| $crate::mechanisms::control_registers::address(&$mechanism, name);
                build!($block {
                    (
                        clk, rst, write_enable, write_address, write_data, read_address, $($count,)* read_data, $first,
                        $($number,)* $($flag),*
                    )
                    $first_r: Register::new(u64::from(reset.$first).into()),
                    $( $number_r: Register::new(u64::from(reset.$number).into()), )*
                    $( $flag_r: Register::new(reset.$flag), )*
                    $first_at: at(stringify!($first)),
                    $( $number_at: at(stringify!($number)), )*
                    $( $flag_at: at(stringify!($flag)), )*
                    $( $count_at: at(stringify!($count)), )*
                    info: BlockInfo::new($module, SOURCE),
                })
            }
        }

        rtl_signals!(
            $block,
            clocked,
            inputs(write_enable, write_address, write_data, read_address, $($count),*),
            outputs(read_data, $first, $($number,)* $($flag),*),
            registers(
                $first_r as stringify!($first),
                $( $number_r as stringify!($number), )*
                $( $flag_r as stringify!($flag), )*
            ),
            children(),
        );
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
pub(super) fn address(mechanism: &Mechanism, name: &str) -> Constant<Bits<10>> {
    Constant::new(usize::from(mechanism_address(mechanism, name) / WORD_BYTES).to_bits())
}
