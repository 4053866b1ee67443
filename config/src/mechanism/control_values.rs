//! What a mechanism's control registers hold, each word declared once.
//!
//! A declaration gives the word of the register map, the field of the values, what a write leaves in it and what waves show of it:
//!
//! ```text
//! control_values! {
//!     /// What the control registers of the timetable hold.
//!     pub struct TimetableValues of TimetableParameters, policy 1 bit {
//!         on_time: u32 = Duration, 24, "Cycles for which ports are open";
//!         off_time: u32 = Duration, 24, "Cycles for which they are closed";
//!     }
//! }
//! ```
//!
//! makes a struct with the fields `policy`, `on_time` and `off_time`, `TimetableValues::WORDS` with `policy` (1 bit) at [`FIRST`] and
//! the others (24 bits each) behind it, and [`ControlValues`]. What declares it independently is the mechanism's page: a test compares
//! the two. After reset a word holds the parameter of its name, a time in cycles (`TimetableValues::of` a configuration); where it
//! holds something else the row ends with how that comes out of the parameters at a cycle of so many nanoseconds:
//!
//! ```text
//!         on_flits: u16 = Count, 16, "T_on, flits per selectable port and check period", from |of, cycle_ns| of.check_period.share(of.t_on, cycle_ns);
//! ```
//!
//! A mechanism that is built around another, `around powar: PowarValues`, has that one's words before its own, the policy among them.
//! The rows that it gives to others are its own.
//!
//! `policy 1 bit, rows timetable_words` also makes a macro that gives the rows to others, which a crate needs that makes something of its
//! own for each word: `powar_config::timetable_words!(its_macro { anything })` is
//!
//! ```text
//! its_macro! {
//!     anything
//!     words {
//!         policy: 1, Policy, "Power policy, by its code";
//!         on_time: 24, Duration, "Cycles for which ports are open";
//!         off_time: 24, Duration, "Cycles for which they are closed";
//!     }
//! }
//! ```

use super::Mechanism;
use super::parameter_table::ParameterTable;
use crate::registers::{WORD_BYTES, Word};
use crate::signal::{Meaning, SignalSpec};
use crate::units::Nanoseconds;
use std::fmt::Debug;

/// Byte address of a mechanism's first word; the others follow word by word.
pub const FIRST: u16 = 0x40;

/// What a word is to waves and stimuli.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordMeaning {
    /// The code of a policy of the mechanism.
    Policy,
    Duration,
    Count,
    Number,
    Flag,
}

/// What the words of a mechanism hold that software writes.
pub trait ControlValues: Copy + Debug + PartialEq + Send + 'static {
    /// Whose they are.
    const MECHANISM: &'static Mechanism;
    /// In the order of their addresses.
    const WORDS: &'static [Word];
    /// How many of them are those of the mechanism that this one is built around: they come first, and its registers hold them.
    const BEFORE: usize;
    /// Of each word.
    const MEANINGS: &'static [WordMeaning];

    /// What the word in this place holds.
    ///
    /// # Panics
    /// There is none.
    fn word(&self, place: usize) -> u32;

    /// Puts the low bits of a number into the word in this place.
    ///
    /// # Panics
    /// There is none.
    fn set_word(&mut self, place: usize, data: u32);

    /// What all words hold.
    fn words(&self) -> Vec<u32> {
        (0..Self::WORDS.len()).map(|place| self.word(place)).collect()
    }

    /// Its own words as signals of a block, in the order of their addresses.
    fn signals() -> impl Iterator<Item = SignalSpec> {
        Self::WORDS.iter().zip(Self::MEANINGS).skip(Self::BEFORE).map(|(word, meaning)| {
            let meaning = match meaning {
                WordMeaning::Policy => Meaning::Policy(Self::MECHANISM.policies),
                WordMeaning::Duration => Meaning::Duration,
                WordMeaning::Count => Meaning::Count,
                WordMeaning::Number => Meaning::Number,
                WordMeaning::Flag => Meaning::Flag,
            };
            SignalSpec::new(word.name, word.bits as usize, meaning)
        })
    }
}

/// A type that a word's field can have.
pub trait WordContent {
    /// Of a number that has no more bits than the word.
    fn of_word(data: u32) -> Self;
}

impl WordContent for u32 {
    fn of_word(data: u32) -> u32 {
        data
    }
}

impl WordContent for u16 {
    fn of_word(data: u32) -> u16 {
        data as u16
    }
}

impl WordContent for u8 {
    fn of_word(data: u32) -> u8 {
        data as u8
    }
}

impl WordContent for bool {
    fn of_word(data: u32) -> bool {
        data != 0
    }
}

/// A parameter that stands in a word as it is.
pub trait AsWord {
    fn as_word(&self, cycle_ns: f64) -> u32;
}

impl AsWord for Nanoseconds {
    fn as_word(&self, cycle_ns: f64) -> u32 {
        self.cycles(cycle_ns) as u32
    }
}

impl AsWord for bool {
    fn as_word(&self, _: f64) -> u32 {
        u32::from(*self)
    }
}

/// Numbers that are whole.
impl AsWord for f64 {
    fn as_word(&self, _: f64) -> u32 {
        *self as u32
    }
}

/// The code of the policy of parameters that have been checked.
pub(super) fn policy_code<P: ParameterTable>(of: &P) -> u32 {
    P::MECHANISM.policy_code(of.policy_name()).expect("checked") as u32
}

/// Gives a function of parameters the types of its arguments.
pub(super) fn derived<P>(of: &P, cycle_ns: f64, word: impl Fn(&P, f64) -> u32) -> u32 {
    word(of, cycle_ns)
}

/// The words from some address on, one behind the other.
pub(super) const fn in_order<const N: usize>(mut words: [Word; N], first: usize) -> [Word; N] {
    let mut place = first;
    while place < N {
        words[place].offset = FIRST + WORD_BYTES * place as u16;
        place += 1;
    }
    words
}

/// See the top of this file.
macro_rules! control_values {
    (
        $(#[$doc:meta])*
        pub struct $name:ident of $parameters:ty, policy $bits:tt $(bit)? $(bits)? $(, rows $to_others:ident)? { $($rows:tt)* }
    ) => {
        $crate::mechanism::control_values::control_values! {
            @made
            $(#[$doc])*
            pub struct $name of $parameters, around (), rows ($($to_others)?) {
                policy: u8 = Policy, $bits, "Power policy, by its code",
                    from |of, _| $crate::mechanism::control_values::policy_code(of);
                $($rows)*
            }
        }
    };
    (
        $(#[$doc:meta])*
        pub struct $name:ident of $parameters:ty, around $inner:ident: $of_inner:ty $(, rows $to_others:ident)? { $($rows:tt)* }
    ) => {
        $crate::mechanism::control_values::control_values! {
            @made
            $(#[$doc])*
            pub struct $name of $parameters, around ($inner: $of_inner), rows ($($to_others)?) { $($rows)* }
        }
    };
    (
        @made
        $(#[$doc:meta])*
        pub struct $name:ident of $parameters:ty, around ($($inner:ident: $of_inner:ty)?), rows ($($to_others:ident)?) {
            $($field:ident: $kind:ty = $meaning:ident, $bits:tt, $what:tt $(, from $from:expr)?;)*
        }
    ) => {
        $crate::mechanism::control_values::control_values! {
            @rows ($) ($($to_others)?) { $($field: $bits, $meaning, $what;)* }
        }

        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $(
                /// Those of the mechanism that this one is built around.
                pub $inner: $of_inner,
            )?
            $(#[doc = concat!($what, " (", stringify!($bits), " bits)")] pub $field: $kind,)*
        }

        impl $name {
            /// Words of the mechanism that this one is built around.
            const BEFORE: usize = 0 $(+ <$of_inner>::WORDS.len())?;

            /// Its words of the register map, in the order of their addresses.
            pub(in crate::mechanism) const WORDS: [$crate::registers::Word; Self::BEFORE + [$($bits),*].len()] =
                $crate::mechanism::control_values::in_order(
                    $crate::mechanism::joined(
                        $crate::mechanism::parameter_table::inner!(WORDS $(, $of_inner)?),
                        &[$($crate::registers::Word::of_mechanism(0, stringify!($field), $bits, $what)),*],
                    ),
                    Self::BEFORE,
                );

            pub(in crate::mechanism) const MEANINGS: [$crate::mechanism::control_values::WordMeaning; Self::WORDS.len()] =
                $crate::mechanism::joined(
                    $crate::mechanism::parameter_table::inner!(MEANINGS $(, $of_inner)?),
                    &[$($crate::mechanism::control_values::WordMeaning::$meaning),*],
                );

            /// What they hold after reset, for a configuration that has been checked.
            ///
            /// # Panics
            /// Its mechanism is another.
            pub fn of(config: &$crate::Config) -> Self {
                let parameters: Option<&$parameters> = config.mechanism.of();
                parameters.expect("a configuration of the mechanism").values(config.cycle_ns)
            }
        }

        impl $parameters {
            /// What the control registers hold after reset, for parameters that have been checked; a cycle takes so many nanoseconds.
            pub fn values(&self, cycle_ns: f64) -> $name {
                use $crate::mechanism::control_values::{WordContent, control_values};
                $name {
                    $($inner: self.$inner.values(cycle_ns),)?
                    $($field: WordContent::of_word(control_values!(@word self, cycle_ns, $field $(, $from)?)),)*
                }
            }
        }

        impl $crate::mechanism::parameter_table::ResetWords for $parameters {
            fn reset_words(&self, cycle_ns: f64) -> Vec<u32> {
                $crate::mechanism::ControlValues::words(&self.values(cycle_ns))
            }
        }

        impl $crate::mechanism::ControlValues for $name {
            const MECHANISM: &'static $crate::mechanism::Mechanism =
                <$parameters as $crate::mechanism::parameter_table::ParameterTable>::MECHANISM;
            const WORDS: &'static [$crate::registers::Word] = &Self::WORDS;
            const BEFORE: usize = Self::BEFORE;
            const MEANINGS: &'static [$crate::mechanism::control_values::WordMeaning] = &Self::MEANINGS;

            fn word(&self, place: usize) -> u32 {
                $(if place < Self::BEFORE {
                    return self.$inner.word(place);
                })?
                [$(u32::from(self.$field)),*][place - Self::BEFORE]
            }

            fn set_word(&mut self, place: usize, data: u32) {
                $(if place < Self::BEFORE {
                    return self.$inner.set_word(place, data);
                })?
                let data = data & Self::WORDS[place].mask();
                let set: [fn(&mut Self, u32); Self::WORDS.len() - Self::BEFORE] = [
                    $(|values, data| values.$field = $crate::mechanism::control_values::WordContent::of_word(data)),*
                ];
                set[place - Self::BEFORE](self, data);
            }
        }
    };
    (@rows ($dollar:tt) () { $($rows:tt)* }) => {};
    (@rows ($dollar:tt) ($to_others:ident) { $($rows:tt)* }) => {
        /// Gives the rows of its control words to a macro; see `control_values!`.
        #[macro_export]
        macro_rules! $to_others {
            ($dollar then:path { $dollar($dollar with:tt)* }) => {
                $dollar then! { $dollar($dollar with)* words { $($rows)* } }
            };
        }
    };
    (@word $of:expr, $cycle_ns:expr, $field:ident) => {
        $crate::mechanism::control_values::AsWord::as_word(&$of.$field, $cycle_ns)
    };
    (@word $of:expr, $cycle_ns:expr, $field:ident, $from:expr) => {
        $crate::mechanism::control_values::derived($of, $cycle_ns, $from)
    };
}

pub(super) use control_values;
