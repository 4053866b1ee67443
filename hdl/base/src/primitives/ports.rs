//! Ports that several blocks have in common, so that a parent can hold any one of them.

use super::Announcement;
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
///     pub struct PairPorts(combinational) {
///         inputs {
///             /// Who asks.
///             request: Vec<Signal<In, Bit>>,
///         }
///         outputs {
///             /// Who gets it.
///             grant: Vec<Signal<Out, Bit>>,
///         }
///     }
/// }
/// ```
///
/// A `clocked` bundle has the inputs `clk` and `rst` too.
#[macro_export]
macro_rules! port_bundle {
    (
        $(#[$attribute:meta])*
        pub struct $bundle:ident($clocking:ident) {
            inputs { $( $(#[doc = $in_doc:literal])* $input:ident: $in_type:ty, )* }
            outputs { $( $(#[doc = $out_doc:literal])* $output:ident: $out_type:ty, )* }
        }
    ) => {
        $crate::port_bundle! {
            @declare [$(#[$attribute])*] $bundle
            [$clocking]
            [$( [$($in_doc),*] $input: $in_type, )*]
            [$( [$($out_doc),*] $output: $out_type, )*]
        }
    };
    (@declare $attributes:tt $bundle:ident [combinational] $inputs:tt $outputs:tt) => {
        $crate::port_bundle! { @struct $attributes $bundle [] $inputs $outputs }
        impl $crate::rtl_block::PortClock for $bundle {}
    };
    (@declare $attributes:tt $bundle:ident [clocked] $inputs:tt $outputs:tt) => {
        $crate::port_bundle! {
            @struct $attributes $bundle
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
        @struct [$(#[$attribute:meta])*] $bundle:ident
        [$( $clock:ident: $clock_type:ty, )*]
        [$( [$($in_doc:literal),*] $input:ident: $in_type:ty, )*]
        [$( [$($out_doc:literal),*] $output:ident: $out_type:ty, )*]
    ) => {
        $(#[$attribute])*
        pub struct $bundle {
            $( pub $clock: $clock_type, )*
            $( $(#[doc = $in_doc])* pub $input: $in_type, )*
            $( $(#[doc = $out_doc])* pub $output: $out_type, )*
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
    let lines = |docs: &[&str]| docs.iter().map(|line| (*line).to_owned()).collect();
    let ports = ports.iter().map(|(port, docs)| ((*port).to_owned(), lines(docs))).collect();
    Announcement::Ports(ports).visit(name, get_signal_id(), probe);
}
