//! What the back-end tests share: blocks written in one piece with their source, and their simulation recorded.

pub mod bench;
pub mod pins;
pub mod replay;
pub mod toolbox;

/// A small block with everything the tests need: the struct, `new`, the kernel and its source text, and a test bench.
///
/// ```text
/// block! { AddOne = "add_one"; in(a) out(o); fields { a: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>> }
///     impl Logic for AddOne { #[hdl_gen] fn update(&mut self) { self.o.next = self.a.val() + 1; } }
/// }
/// ```
/// `clocked` after the name adds the inputs `clk` and `rst`. A field may have an initial value: `limit: Constant<Bits<8>> = ..`.
#[macro_export]
macro_rules! block {
    ($name:ident = $module:literal clocked; in($($input:ident),*) out($($output:ident),*);
     fields { $($field:ident : $type:ty $(= $init:expr)?),* $(,)? } $($logic:tt)*) => {
        $crate::block! { @define $name $module [in($($input),*) out($($output),*)]
            fields { clk: Signal<In, Clock>, rst: Signal<In, Bit>, $($field: $type $(= $init)?),* } $($logic)* }
        impl $crate::common::bench::Bench for $name {
            const CLOCKED: bool = true;
            fn set_clock(&mut self, level: bool) { self.clk.next = Clock { clk: level }; }
            fn set_reset(&mut self, level: bool) { self.rst.next = level; }
            $crate::block! { @pins in($($input),*) out($($output),*) }
        }
    };
    ($name:ident = $module:literal; in($($input:ident),*) out($($output:ident),*);
     fields { $($field:ident : $type:ty $(= $init:expr)?),* $(,)? } $($logic:tt)*) => {
        $crate::block! { @define $name $module [in($($input),*) out($($output),*)]
            fields { $($field: $type $(= $init)?),* } $($logic)* }
        impl $crate::common::bench::Bench for $name {
            $crate::block! { @pins in($($input),*) out($($output),*) }
        }
    };
    (@define $name:ident $module:literal [$($pins:tt)*]
     fields { $($field:ident : $type:ty $(= $init:expr)?),* } $($logic:tt)*) => {
        #[derive(LogicBlock)]
        pub struct $name { pub info: BlockInfo, $(pub $field: $type),* }
        impl $name {
            pub fn new() -> Self {
                let source = concat!("struct ", stringify!($name), " { ", $(stringify!($field), ": u8, ",)* "}",
                    stringify!($($logic)*));
                Self { info: BlockInfo::new($module, source), $($field: $crate::block!(@init $($init)?)),* }
            }
        }
        $($logic)*
    };
    (@pins in($($input:ident),*) out($($output:ident),*)) => {
        #[allow(unused_imports, unused_variables)]
        fn randomise(&mut self, random: &mut $crate::common::bench::Random, bits: &mut Vec<bool>) {
            use $crate::common::pins::InputPins;
            $(self.$input.randomise(random, bits);)*
        }
        #[allow(unused_imports, unused_variables)]
        fn sample(&self, bits: &mut Vec<bool>) {
            use $crate::common::pins::OutputPins;
            $(self.$output.sample(bits);)*
        }
    };
    (@init) => { Default::default() };
    (@init $init:expr) => { $init };
}

/// `n` default values: a vector of signals, registers or blocks.
pub fn vector<T: Default>(n: usize) -> Vec<T> {
    (0..n).map(|_| T::default()).collect()
}
