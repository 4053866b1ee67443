//! The macro that writes the dull part of a block's constructor.

/// A block from its fields: `(..)` lists signals and registers at their defaults, `[length => ..]` vectors of such, and the other
/// fields stand as in Rust.
///
/// ```
/// # use powar_hdl_base::primitives::{BlockInfo, Size, build};
/// # use rust_hdl::prelude::*;
/// # struct Mask { clk: Signal<In, Clock>, any: Signal<Out, Bit>, request: Vec<Signal<In, Bit>>, n: Size, info: BlockInfo }
/// fn mask(n: usize) -> Mask {
///     build!(Mask {
///         (clk, any)
///         [n => request]
///         n: n.into(),
///         info: BlockInfo::new("mask", ""),
///     })
/// }
/// # assert_eq!(mask(3).request.len(), 3);
/// ```
#[macro_export]
macro_rules! build {
    ($block:ident {
        ( $($signal:ident),* $(,)? )
        $( [ $length:expr => $($vector:ident),* $(,)? ] )*
        $( $field:ident: $value:expr, )*
    }) => {
        $block {
            $( $signal: Default::default(), )*
            $( $( $vector: $crate::primitives::vector($length), )* )*
            $( $field: $value, )*
        }
    };
}
