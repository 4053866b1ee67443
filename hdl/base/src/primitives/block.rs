//! The macro by which a block declares its signals, once.

use rust_hdl::prelude::*;

/// A block: its module, its constructor, and every signal that it has.
///
/// ```
/// use powar_hdl_base::block;
/// use rust_hdl::prelude::*;
///
/// # const SOURCE: &str = "impl Logic for IdleCounter {
/// #     fn update(&mut self) {
/// #         self.restarts.next = false;
/// #         for p in 0..self.n.get() { self.restarts.next = self.restarts.val() | self.busy[p].val(); }
/// #         self.count_r.d.next = self.count_r.q.val() + 1;
/// #         if self.restarts.val() { self.count_r.d.next = self.first.val(); }
/// #         self.idle_cycles.next = self.count_r.q.val();
/// #     }
/// # }";
/// block! {
///     pub struct IdleCounter("idle_counter", SOURCE, clocked)
///     /// For `ports` ports; counting begins at `first`.
///     pub fn new(ports: usize, first: u64) -> Self {}
///     inputs {
///         /// The port sends a flit in this cycle.
///         busy[ports]: Bit,
///     }
///     outputs {
///         /// Cycles since the last flit, modulo 256.
///         idle_cycles: Bits<8>,
///     }
///     registers { count_r: Bits<8> = first.into() }
///     locals {
///         /// Some port sends.
///         restarts: Bit,
///     }
///     constants { first: Bits<8> = first.into() }
///     sizes { n = ports }
/// }
///
/// impl Logic for IdleCounter {
///     #[hdl_gen]
///     fn update(&mut self) {
///         self.restarts.next = false;
///         for p in 0..self.n.get() {
///             self.restarts.next = self.restarts.val() | self.busy[p].val();
///         }
///         self.count_r.d.next = self.count_r.q.val() + 1;
///         if self.restarts.val() {
///             self.count_r.d.next = self.first.val();
///         }
///         self.idle_cycles.next = self.count_r.q.val();
///     }
/// }
/// # let mut block = IdleCounter::new(3, 0);
/// # block.connect_all();
/// # let design = powar_hdl_base::verilog::emit(&block, &Default::default()).unwrap();
/// # assert!(design.to_single_file().contains("Cycles since the last flit, modulo 256."));
/// ```
///
/// In brackets behind the name stand the Verilog module, the text of the file with the kernel (`include_str!("this_file.rs")`), and
/// `clocked` (the inputs `clk` and `rst` come first), `combinational`, a bundle ([`port_bundle!`](crate::port_bundle)) with its value,
/// which becomes the field `ports`, or `observed_by_hand` for a block of two clocks, which implements `RtlBlock` itself. The body of the
/// constructor is what the values below it need; it may return `Option<Self>` or `Result<Self, E>`, with `?` in the body.
///
/// | section | entry | field |
/// | --- | --- | --- |
/// | `inputs`, `outputs`, `locals` | `name: T`, `name[n]: T` | `Signal<.., T>`, `Vec<Signal<.., T>>` |
/// | `registers` | `name_r: T = reset`, `name_r[n]: T = reset` | `Register<T>`, `Vec<Register<T>>`; 0 unless given |
/// | | `name_r = reset`, `name_r[n] = reset` | `BitRegister`, `Vec<BitRegister>`; `reset` is a `Vec<bool>`, bit 0 first |
/// | `children` | `name: B = block`, `name[n]: B = block` | `Settled<B>`, `Vec<Settled<B>>` |
/// | `constants` | `name: T = value`, `name[n]: T = value` | `Constant<T>`, `Vec<Constant<T>>` |
/// | `sizes`, `tables` | `name = value` | `Size` of a `usize`, `Table` of a `Vec<usize>` |
/// | `others` | `name: T = value` | `T`: memories, subtractors |
///
/// `name[n; i]` names the place in the array for the value. `name[n] / rows: Bit` shows an input or output of single bits to a test
/// bench in rows of the `Size` field `rows`; all bits of a vector are one row without it. A section may come several times. Signals
/// come in the order of their declaration, in Verilog and before a test bench, where a register is called by its name without `_r`.
///
/// In a block with a clock, registers and children that have one take the clock and the reset of the block before the
/// kernel runs, and registers keep their value; the kernel says what changes. A [`Memory`](crate::primitives::Memory)
/// takes its clock from the kernel, as does a child of a block of two clocks. Where an array of registers is to be set
/// up at another place of the Verilog text, [`dff_setup!`](crate::dff_setup) stands in the kernel.
///
/// What is made: the struct with `#[derive(LogicBlock)]` (inputs and outputs are `pub`) and the field `info`, the constructor, and
/// [`RtlBlock`](crate::rtl_block::RtlBlock); for a block with a bundle it dereferences to its ports.
#[macro_export]
macro_rules! block {
    (
        $(#[doc = $block_doc:literal])*
        $vis:vis struct $block:ident $(<$(const $parameter:ident: usize),+>)?
            ($module:expr, $source:expr, $style:ident $(= $ports:expr)? $(,)?)
        $(#[$new_attribute:meta])*
        $new_vis:vis fn $new:ident($($arguments:tt)*) -> $result:ty { $($body:tt)* }
        $($sections:tt)*
    ) => {
        $crate::block! { @style [$style $(= $ports)?]
            {
                [$($block_doc),*] [$vis] $block [$($(const $parameter: usize),+)?] [$block $(<$($parameter),+>)?]
                ($module, $source) [$style $(= $ports)?]
                [$(#[$new_attribute])* $new_vis] $new [$($arguments)*] [$result] [$($body)*]
            }
            $($sections)*
        }
    };

    // What stands in front of the sections: clock and reset, a bundle, or nothing.
    (@style [clocked] $head:tt $($sections:tt)*) => {
        $crate::block! { @sections $head
            [pub clk: rust_hdl::prelude::Signal<rust_hdl::prelude::In, rust_hdl::prelude::Clock>,
             pub rst: rust_hdl::prelude::Signal<rust_hdl::prelude::In, rust_hdl::prelude::Bit>,]
            [clk: Default::default(), rst: Default::default(),]
            [clk [] rst []] [] [] [] []
            $($sections)*
        }
    };
    (@style [$bundle:ident = $ports:expr] $head:tt $($sections:tt)*) => {
        $crate::block! { @sections $head [pub ports: $bundle,] [ports: $ports,] [] [] [] [] [] $($sections)* }
    };
    (@style [$style:ident] $head:tt $($sections:tt)*) => {
        $crate::block! { @sections $head [] [] [] [] [] [] [] $($sections)* }
    };

    // A section at a time: its fields, their values, their comments, and what a test bench sees of them.
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] [$($in:tt)*] $out:tt $registers:tt $children:tt
     inputs { $( $(#[doc = $doc:literal])* $name:ident $([$n:expr])? $(/ $rows:ident)?: $type:ty ),* $(,)? } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* pub $name: $crate::block!(@signal In [$($n)?] $type), )*]
            [$($values)* $( $name: $crate::block!(@default [$($n)?]), )*]
            [$($docs)* $( $name [$($doc),*] )*] [$($in)* $( $name [$($rows)?] )*] $out $registers $children
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt [$($out:tt)*] $registers:tt $children:tt
     outputs { $( $(#[doc = $doc:literal])* $name:ident $([$n:expr])? $(/ $rows:ident)?: $type:ty ),* $(,)? } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* pub $name: $crate::block!(@signal Out [$($n)?] $type), )*]
            [$($values)* $( $name: $crate::block!(@default [$($n)?]), )*]
            [$($docs)* $( $name [$($doc),*] )*] $in [$($out)* $( $name [$($rows)?] )*] $registers $children
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt $out:tt $registers:tt $children:tt
     locals { $( $(#[doc = $doc:literal])* $name:ident $([$n:expr])?: $type:ty ),* $(,)? } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* $name: $crate::block!(@signal Local [$($n)?] $type), )*]
            [$($values)* $( $name: $crate::block!(@default [$($n)?]), )*]
            [$($docs)* $( $name [$($doc),*] )*] $in $out $registers $children
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt $out:tt [$($registers:tt)*] $children:tt
     registers {
        $( $(#[doc = $doc:literal])* $name:ident $([$n:expr $(; $i:ident)?])? $(: $type:ty)? $(= $value:expr)? ),* $(,)?
     } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* $name: $crate::block!(@array [$($n)?] $crate::block!(@register $($type)?)), )*]
            [$($values)* $( $name: $crate::block!(@each [$($n $(; $i)?)?] $crate::block!(@reset [$($type)?] $($value)?)), )*]
            [$($docs)* $( $name [$($doc),*] )*] $in $out [$($registers)* $( $name )*] $children
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt $out:tt $registers:tt [$($children:tt)*]
     children {
        $( $(#[doc = $doc:literal])* $name:ident $([$n:expr $(; $i:ident)?])?: $type:ty = $value:expr ),* $(,)?
     } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* $name: $crate::block!(@array [$($n)?] $crate::primitives::Settled<$type>), )*]
            [$($values)* $( $name: $crate::block!(@each [$($n $(; $i)?)?] $crate::primitives::Settled::from($value)), )*]
            [$($docs)* $( $name [$($doc),*] )*] $in $out $registers [$($children)* $( $name )*]
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt $out:tt $registers:tt $children:tt
     constants {
        $( $(#[doc = $doc:literal])* $name:ident $([$n:expr $(; $i:ident)?])?: $type:ty = $value:expr ),* $(,)?
     } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* $name: $crate::block!(@array [$($n)?] rust_hdl::prelude::Constant<$type>), )*]
            [$($values)* $( $name: $crate::block!(@each [$($n $(; $i)?)?] rust_hdl::prelude::Constant::new($value)), )*]
            [$($docs)* $( $name [$($doc),*] )*] $in $out $registers $children
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt $out:tt $registers:tt $children:tt
     sizes { $( $(#[doc = $doc:literal])* $name:ident = $value:expr ),* $(,)? } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* $name: $crate::primitives::Size, )*]
            [$($values)* $( $name: $crate::primitives::Size::from($value), )*]
            [$($docs)* $( $name [$($doc),*] )*] $in $out $registers $children
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt $out:tt $registers:tt $children:tt
     tables { $( $(#[doc = $doc:literal])* $name:ident = $value:expr ),* $(,)? } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* $name: $crate::primitives::Table, )*]
            [$($values)* $( $name: $crate::primitives::Table::new($value), )*]
            [$($docs)* $( $name [$($doc),*] )*] $in $out $registers $children
            $($rest)*
        }
    };
    (@sections $head:tt [$($fields:tt)*] [$($values:tt)*] [$($docs:tt)*] $in:tt $out:tt $registers:tt $children:tt
     others { $( $(#[doc = $doc:literal])* $name:ident: $type:ty = $value:expr ),* $(,)? } $($rest:tt)*) => {
        $crate::block! { @sections $head
            [$($fields)* $( $(#[doc = $doc])* $name: $type, )*]
            [$($values)* $( $name: $value, )*]
            [$($docs)* $( $name [$($doc),*] )*] $in $out $registers $children
            $($rest)*
        }
    };

    (@sections
        {
            [$($block_doc:literal),*] [$vis:vis] $block:ident [$($parameters:tt)*] [$($self_type:tt)*]
            ($module:expr, $source:expr) [$($style:tt)*]
            [$($new_head:tt)*] $new:ident [$($arguments:tt)*] [$result:ty] [$($body:tt)*]
        }
        [$($fields:tt)*] [$($values:tt)*] [$($field:ident [$($doc:literal),*])*] $in:tt $out:tt $registers:tt $children:tt
    ) => {
        $(#[doc = $block_doc])*
        #[derive(rust_hdl::prelude::LogicBlock)]
        $vis struct $block<$($parameters)*> {
            $($fields)*
            info: $crate::primitives::BlockInfo,
        }

        impl<$($parameters)*> $($self_type)* {
            $($new_head)* fn $new($($arguments)*) -> $result {
                $($body)*
                $crate::primitives::Built::built($block {
                    $($values)*
                    info: $crate::primitives::BlockInfo::new($module, $source)
                        .declared(stringify!($block), &[$($block_doc),*], &[ $( (stringify!($field), &[$($doc),*]), )* ]),
                })
            }
        }

        $crate::rtl_signals! { [$($style)*] [$($parameters)*] [$($self_type)*] $in $out $registers $children }
        $crate::set_up! { [$($style)*] [$($parameters)*] [$($self_type)*] $registers $children }
    };

    (@signal $direction:ident [] $type:ty) => { rust_hdl::prelude::Signal<rust_hdl::prelude::$direction, $type> };
    (@signal $direction:ident [$n:expr] $type:ty) => { Vec<rust_hdl::prelude::Signal<rust_hdl::prelude::$direction, $type>> };
    (@default []) => { Default::default() };
    (@default [$n:expr]) => { $crate::primitives::vector($n) };
    (@array [] $type:ty) => { $type };
    (@array [$n:expr] $type:ty) => { Vec<$type> };
    (@each [] $value:expr) => { $value };
    (@each [$n:expr] $value:expr) => { (0..$n).map(|_| $value).collect() };
    (@each [$n:expr; $i:ident] $value:expr) => { (0..$n).map(|$i| $value).collect() };
    (@register) => { $crate::primitives::BitRegister };
    (@register $type:ty) => { $crate::primitives::Register<$type> };
    (@reset [] $value:expr) => { $crate::primitives::BitRegister::new($value) };
    (@reset [$type:ty]) => { Default::default() };
    (@reset [$type:ty] $value:expr) => { $crate::primitives::Register::new($value) };
}

/// What a constructor of a [`block!`](crate::block) returns, once its block is there.
pub trait Built<B> {
    fn built(block: B) -> Self;
}

impl<B: Block> Built<B> for B {
    fn built(block: B) -> Self {
        block
    }
}

impl<B> Built<B> for Option<B> {
    fn built(block: B) -> Self {
        Some(block)
    }
}

impl<B, E> Built<B> for Result<B, E> {
    fn built(block: B) -> Self {
        Ok(block)
    }
}
