//! Ports that several blocks have in common, so that a parent can hold any one of them.

use super::announcement::{Announcement, owned};
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::Probe;

/// Declares the ports of a kind of block: a struct of signals, which blocks of that kind hold in a field `ports` and
/// dereference to.
///
/// A kernel writes `self.ports.destination`; a parent that holds a `Box<dyn Kind>` writes `self.child.destination`, whatever
/// block it is. In Verilog the ports stand in the module like any others.
///
/// ```
/// use powar_hdl_base::port_bundle;
/// use powar_hdl_base::primitives::*;
/// use rust_hdl::prelude::*;
///
/// port_bundle! {
///     /// What every arbiter of two has.
///     pub struct PairPorts(combinational)
///     /// For arbiters of `n`.
///     pub fn new(n: usize) -> Self {}
///     inputs {
///         /// Who asks.
///         request[n]: Bit,
///     }
///     outputs {
///         /// Who gets it.
///         grant[n]: Bit,
///     }
/// }
/// # assert_eq!(PairPorts::new(2).grant.len(), 2);
/// ```
///
/// Entries are those of [`block!`](crate::block); a `clocked` bundle has the inputs `clk` and `rst` too.
#[macro_export]
macro_rules! port_bundle {
    (
        $(#[$attribute:meta])*
        pub struct $bundle:ident($clocking:ident)
        $(#[$new_attribute:meta])*
        pub fn new($($arguments:tt)*) -> Self { $($body:tt)* }
        inputs { $( $(#[doc = $in_doc:literal])* $input:ident $([$in_n:expr])?: $in_type:ty ),* $(,)? }
        outputs { $( $(#[doc = $out_doc:literal])* $output:ident $([$out_n:expr])?: $out_type:ty ),* $(,)? }
    ) => {
        $crate::port_bundle! {
            @declare [$(#[$attribute])*] $bundle [$(#[$new_attribute])*] [$($arguments)*] [$($body)*]
            [$clocking]
            [$( [$($in_doc),*] $input [$($in_n)?] $in_type, )*]
            [$( [$($out_doc),*] $output [$($out_n)?] $out_type, )*]
        }
    };
    (@declare $attributes:tt $bundle:ident $doc:tt $arguments:tt $body:tt [combinational] $inputs:tt $outputs:tt) => {
        $crate::port_bundle! { @struct $attributes $bundle $doc $arguments $body [] $inputs $outputs }
        impl $crate::rtl_block::PortClock for $bundle {}
    };
    (@declare $attributes:tt $bundle:ident $doc:tt $arguments:tt $body:tt [clocked] $inputs:tt $outputs:tt) => {
        $crate::port_bundle! {
            @struct $attributes $bundle $doc $arguments $body
            [clk: rust_hdl::prelude::Signal<rust_hdl::prelude::In, rust_hdl::prelude::Clock>,
             rst: rust_hdl::prelude::Signal<rust_hdl::prelude::In, rust_hdl::prelude::Bit>,]
            $inputs $outputs
        }
        impl $crate::rtl_block::PortClock for $bundle {
            fn clock(&mut self) -> Option<$crate::rtl_block::ClockPorts<'_>> {
                Some((&mut self.clk, &mut self.rst))
            }
            fn clock_waits(&self) -> bool {
                self.clk.next != self.clk.val() || self.rst.next != self.rst.val()
            }
            fn is_clocked(&self) -> bool {
                true
            }
        }
    };
    (
        @struct [$(#[$attribute:meta])*] $bundle:ident [$(#[$new_attribute:meta])*] [$($arguments:tt)*] [$($body:tt)*]
        [$( $clock:ident: $clock_type:ty, )*]
        [$( [$($in_doc:literal),*] $input:ident [$($in_n:expr)?] $in_type:ty, )*]
        [$( [$($out_doc:literal),*] $output:ident [$($out_n:expr)?] $out_type:ty, )*]
    ) => {
        $(#[$attribute])*
        pub struct $bundle {
            $( pub $clock: $clock_type, )*
            $( $(#[doc = $in_doc])* pub $input: $crate::block!(@signal In [$($in_n)?] $in_type), )*
            $( $(#[doc = $out_doc])* pub $output: $crate::block!(@signal Out [$($out_n)?] $out_type), )*
        }

        impl $bundle {
            $(#[$new_attribute])*
            pub fn new($($arguments)*) -> Self {
                $($body)*
                $bundle {
                    $( $clock: Default::default(), )*
                    $( $input: $crate::block!(@default [$($in_n)?]), )*
                    $( $output: $crate::block!(@default [$($out_n)?]), )*
                }
            }
        }

        impl rust_hdl::prelude::Logic for $bundle {
            fn update(&mut self) {}
        }

        impl rust_hdl::prelude::Block for $bundle {
            fn connect_all(&mut self) {
                $( rust_hdl::prelude::Block::connect_all(&mut self.$clock); )*
                $( rust_hdl::prelude::Block::connect_all(&mut self.$input); )*
                $( rust_hdl::prelude::Block::connect_all(&mut self.$output); )*
            }
            #[inline]
            fn update_all(&mut self) {
                $( rust_hdl::prelude::Block::update_all(&mut self.$clock); )*
                $( rust_hdl::prelude::Block::update_all(&mut self.$input); )*
                $( rust_hdl::prelude::Block::update_all(&mut self.$output); )*
            }
            #[inline]
            fn has_changed(&self) -> bool {
                false
                    $( || rust_hdl::prelude::Block::has_changed(&self.$clock) )*
                    $( || rust_hdl::prelude::Block::has_changed(&self.$input) )*
                    $( || rust_hdl::prelude::Block::has_changed(&self.$output) )*
            }
            /// The ports show themselves as fields of the block that holds them.
            fn accept(&self, name: &str, probe: &mut dyn rust_hdl::prelude::Probe) {
                $( rust_hdl::prelude::Block::accept(&self.$clock, stringify!($clock), probe); )*
                $( rust_hdl::prelude::Block::accept(&self.$input, stringify!($input), probe); )*
                $( rust_hdl::prelude::Block::accept(&self.$output, stringify!($output), probe); )*
                $crate::primitives::announce_ports(
                    name,
                    &[
                        $( (stringify!($clock), &[]), )*
                        $( (stringify!($input), &[$($in_doc),*]), )*
                        $( (stringify!($output), &[$($out_doc),*]), )*
                    ],
                    probe,
                );
            }
        }

        impl $crate::rtl_block::PortRows for $bundle {
            fn inputs(&self, each: &mut dyn FnMut(&'static str, &dyn $crate::rtl_block::WriteRows, usize)) {
                $( each(stringify!($input), &self.$input, $crate::rtl_block::Length::length(&self.$input)); )*
            }
            fn drive(&mut self, next: &mut dyn FnMut() -> u64) {
                $(
                    let width = $crate::rtl_block::Length::length(&self.$input);
                    $crate::rtl_block::WriteRows::write(&mut self.$input, width, next);
                )*
            }
            #[inline]
            fn input_waits(&self) -> bool {
                false $( || $crate::rtl_block::WriteRows::waits(&self.$input) )*
            }
            fn outputs(&self, each: &mut dyn FnMut(&'static str, &dyn $crate::rtl_block::Rows, usize)) {
                $( each(stringify!($output), &self.$output, $crate::rtl_block::Length::length(&self.$output)); )*
            }
        }
    };
}

/// The constant by which a bundle names its ports and what their comments say; of no other use.
pub fn announce_ports(name: &str, ports: &[(&str, &[&str])], probe: &mut dyn Probe) {
    Announcement::Ports(owned(ports)).visit(name, get_signal_id(), probe);
}
