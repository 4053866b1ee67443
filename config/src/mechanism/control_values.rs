//! What a mechanism's control registers hold, each word declared once.
//!
//! A declaration gives the word of the register map, the field of the values, what a write leaves in it and what waves show of it:
//!
//! ```text
//! control_values! {
//!     /// What the control registers of the timetable hold.
//!     pub struct TimetableValues of MECHANISM {
//!         policy: u8 = Policy, 1, "Power policy, by its code";
//!         on_time: u32 = Duration, 24, "Cycles for which ports are open";
//!     }
//! }
//! ```
//!
//! makes a struct with the fields `policy` and `on_time`, `TimetableValues::WORDS` with `policy` (1 bit) at [`FIRST`] and `on_time`
//! (24 bits) behind it, `TimetableValues::of`, which has them after reset from the parameters of a configuration, and
//! [`ControlValues`]. What declares it independently is the mechanism's page: a test compares the two.

use super::Mechanism;
use crate::registers::{WORD_BYTES, Word};
use crate::signal::{Meaning, SignalSpec};
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

    /// The words as signals of a block.
    fn signals() -> impl Iterator<Item = SignalSpec> {
        Self::WORDS.iter().zip(Self::MEANINGS).map(|(word, meaning)| {
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

/// The words at their addresses.
pub(super) const fn in_order<const N: usize>(mut words: [Word; N]) -> [Word; N] {
    let mut place = 0;
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
        pub struct $name:ident of $mechanism:path {
            $($field:ident: $kind:ty = $meaning:ident, $bits:literal, $what:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $(#[doc = concat!($what, " (", stringify!($bits), " bits)")] pub $field: $kind,)*
        }

        impl $name {
            /// Its words of the register map, in the order of their addresses.
            pub(in crate::mechanism) const WORDS: [$crate::registers::Word; [$($bits),*].len()] =
                $crate::mechanism::control_values::in_order([
                    $($crate::registers::Word::of_mechanism(0, stringify!($field), $bits, $what)),*
                ]);

            /// What they hold after reset, for a configuration that has been checked.
            ///
            /// # Panics
            /// Its mechanism is another.
            pub fn of(config: &$crate::Config) -> Self {
                assert!(std::ptr::eq(config.mechanism(), &$mechanism), "a configuration of the mechanism");
                let mut words = config.mechanism.0.resets(config).into_iter();
                $name {
                    $($field: $crate::mechanism::control_values::WordContent::of_word(
                        words.next().expect("a value of each word"),
                    ),)*
                }
            }
        }

        impl $crate::mechanism::control_values::ControlValues for $name {
            const MECHANISM: &'static $crate::mechanism::Mechanism = &$mechanism;
            const WORDS: &'static [$crate::registers::Word] = &Self::WORDS;
            const MEANINGS: &'static [$crate::mechanism::control_values::WordMeaning] =
                &[$($crate::mechanism::control_values::WordMeaning::$meaning),*];

            fn word(&self, place: usize) -> u32 {
                [$(u32::from(self.$field)),*][place]
            }

            fn set_word(&mut self, place: usize, data: u32) {
                let data = data & Self::WORDS[place].mask();
                let set: [fn(&mut Self, u32); Self::WORDS.len()] = [
                    $(|values, data| values.$field = $crate::mechanism::control_values::WordContent::of_word(data)),*
                ];
                set[place](self, data);
            }
        }
    };
}

pub(super) use control_values;
