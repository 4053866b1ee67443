//! A mechanism's parameters, each declared once.
//!
//! A declaration gives name, kind, default, range (of a time in cycles) and what users are told of it:
//!
//! ```text
//! parameters! {
//!     /// The timetable's parameters.
//!     pub struct TimetableParameters of MECHANISM, policy "timetable" {
//!         on_time: Time = 10e3, in 1..=MAX_COUNT, "How long ports are open, such as 10us";
//!         off_time: Time = 10e3, in 1..=MAX_COUNT, "How long they are closed after that";
//!     }
//! }
//! ```
//!
//! makes a struct with `policy`, `on_time` and `off_time`, its defaults, `TimetableParameters::OPTIONS` for the entry of the mechanism,
//! and [`ParameterTable`]: reading, writing, and the check of ranges. With what no table can say, the mechanism's [`Rules`], they are
//! [`Parameters`]. A mechanism that is built around another, `around powar: PowarParameters`, has that one's
//! parameters before its own, and gives it the policy with the code of its own.

use super::{Mechanism, ParameterKind, Parameters, Rules};
use crate::Setting;
use crate::units::Nanoseconds;
use anyhow::{Context, Result, ensure};
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// What follows from a table of parameters.
pub trait ParameterTable: Clone + Debug + Default + Send + Sync + 'static {
    /// Whose they are.
    const MECHANISM: &'static Mechanism;

    /// The policy after reset, by name.
    fn policy_name(&self) -> &str;

    /// Takes the policy with this code.
    fn take_policy(&mut self, code: usize);

    /// What a table says; what is left out has its default.
    ///
    /// # Errors
    /// A parameter that there is not, or that isn't of its kind.
    fn read(table: toml::Table) -> Result<Self>;

    /// The parameters with the policy.
    fn written(&self) -> toml::Table;

    /// Checks every value that has a range, times in cycles of so many nanoseconds; the error names field, value and range.
    fn check_ranges(&self, cycle_ns: f64) -> Result<()>;

    /// Whether a parameter makes a difference with the policy after reset.
    fn heeds(&self, parameter: &str) -> bool {
        let policy = Self::MECHANISM.policy(self.policy_name());
        policy.is_ok_and(|policy| !policy.ignores.contains(&parameter))
    }
}

/// What the words of a mechanism hold after reset.
pub trait ResetWords {
    /// Of each word that software writes, in the order of their addresses, for parameters that have been checked; a cycle takes so many
    /// nanoseconds.
    fn reset_words(&self, cycle_ns: f64) -> Vec<u32>;
}

impl<P: ParameterTable + ResetWords + Rules> Parameters for P {
    fn mechanism(&self) -> &'static Mechanism {
        P::MECHANISM
    }

    fn policy(&self) -> &str {
        self.policy_name()
    }

    fn set_policy(&mut self, name: &str) -> Result<()> {
        self.take_policy(P::MECHANISM.policy_code(name)?);
        Ok(())
    }

    fn check(&self, setting: &Setting) -> Result<()> {
        P::MECHANISM.policy(self.policy_name())?;
        self.check_ranges(setting.cycle_ns)?;
        self.check_rules(setting)
    }

    /// Words that software only reads, behind those of the table, begin with 0.
    fn resets(&self, cycle_ns: f64) -> Vec<u32> {
        let mut words = self.reset_words(cycle_ns);
        words.resize(P::MECHANISM.words.len(), 0);
        words
    }

    fn table(&self) -> toml::Table {
        self.written()
    }
}

/// Reads the parameters of a mechanism's entry.
pub(super) fn parse<P: Parameters + ParameterTable>(table: toml::Table) -> Result<Box<dyn Parameters>> {
    Ok(Box::new(P::read(table)?))
}

/// A kind of parameter as the table names it.
pub trait Kind {
    /// What the table gives as default.
    type Written;
    type Value;
    const KIND: ParameterKind;

    fn value(written: Self::Written) -> Self::Value;
}

/// A kind that can have a range.
pub trait Ranged: Kind {
    type Bound;

    fn check(field: &'static str, value: &Self::Value, range: RangeInclusive<Self::Bound>, cycle_ns: f64)
    -> Result<()>;
}

/// A duration; its default is in nanoseconds, its range in cycles.
pub struct Time;

impl Kind for Time {
    type Written = f64;
    type Value = Nanoseconds;
    const KIND: ParameterKind = ParameterKind::Time;

    fn value(written: f64) -> Nanoseconds {
        Nanoseconds(written)
    }
}

impl Ranged for Time {
    type Bound = u64;

    fn check(field: &'static str, value: &Nanoseconds, range: RangeInclusive<u64>, cycle_ns: f64) -> Result<()> {
        value.cycles_in(cycle_ns, range).context(field)?;
        Ok(())
    }
}

/// A number.
pub struct Number;

impl Kind for Number {
    type Written = f64;
    type Value = f64;
    const KIND: ParameterKind = ParameterKind::Number;

    fn value(written: f64) -> f64 {
        written
    }
}

impl Ranged for Number {
    type Bound = f64;

    fn check(field: &'static str, value: &f64, range: RangeInclusive<f64>, _: f64) -> Result<()> {
        let (least, most) = range.clone().into_inner();
        ensure!(range.contains(value), "{field}: {value} is out of range {least}..={most}");
        Ok(())
    }
}

/// A number without a fraction.
pub struct Whole;

impl Kind for Whole {
    type Written = f64;
    type Value = f64;
    const KIND: ParameterKind = ParameterKind::Number;

    fn value(written: f64) -> f64 {
        written
    }
}

impl Ranged for Whole {
    type Bound = f64;

    fn check(field: &'static str, value: &f64, range: RangeInclusive<f64>, _: f64) -> Result<()> {
        let (least, most) = range.clone().into_inner();
        let is_one = value.fract() == 0.0 && range.contains(value);
        ensure!(is_one, "{field}: {value} is out of range {least}..={most}, whole numbers");
        Ok(())
    }
}

/// True or false.
pub struct Flag;

impl Kind for Flag {
    type Written = bool;
    type Value = bool;
    const KIND: ParameterKind = ParameterKind::Flag;

    fn value(written: bool) -> bool {
        written
    }
}

/// See the top of this file.
macro_rules! parameters {
    (
        $(#[$doc:meta])*
        pub struct $name:ident of $mechanism:path, policy $policy:literal $(, around $inner:ident: $of_inner:ty)? {
            $($(#[$field_doc:meta])* $field:ident: $kind:ident = $default:expr $(, in $range:expr)?, $what:literal;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $(
                /// Those of the mechanism that this one is built around; its policy is the one that this one's is made of.
                #[serde(skip)]
                pub $inner: $of_inner,
            )?
            /// Policy after reset, by name.
            pub policy: String,
            $(
                #[doc = $what]
                $(#[$field_doc])*
                pub $field: $crate::mechanism::parameter_table::value!($kind),
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                use $crate::mechanism::parameter_table::Kind;
                $name {
                    $($inner: <$of_inner>::default(),)?
                    policy: $policy.into(),
                    $($field: $crate::mechanism::parameter_table::$kind::value($default),)*
                }
            }
        }

        impl $name {
            /// What users are told of each, the policy apart.
            pub(in crate::mechanism) const OPTIONS: [
                $crate::mechanism::ParameterEntry;
                [$(stringify!($field)),*].len() $(+ <$of_inner>::OPTIONS.len())?
            ] = $crate::mechanism::joined(
                $crate::mechanism::parameter_table::inner!(OPTIONS $(, $of_inner)?),
                &[$($crate::mechanism::ParameterEntry {
                    name: stringify!($field),
                    kind: <$crate::mechanism::parameter_table::$kind as $crate::mechanism::parameter_table::Kind>::KIND,
                    doc: $what,
                }),*],
            );
        }

        impl $crate::mechanism::parameter_table::ParameterTable for $name {
            const MECHANISM: &'static $crate::mechanism::Mechanism = &$mechanism;

            fn policy_name(&self) -> &str {
                &self.policy
            }

            fn take_policy(&mut self, code: usize) {
                self.policy = $mechanism.policies[code].name.into();
                $(self.$inner.take_policy(code);)?
            }

            #[allow(unused_mut)]
            fn read(mut table: toml::Table) -> anyhow::Result<Self> {
                $(
                    $crate::table::check_fields(&table, &Self::default().written())?;
                    let $inner = <$of_inner>::read($crate::table::split_off(&mut table, &<$of_inner>::OPTIONS.map(|it| it.name)))?;
                )?
                let mut read: Self = $crate::table::read(table)?;
                $(read.$inner = $inner;)?
                $(
                    // A policy that there is not is found by the check.
                    if let Ok(code) = $mechanism.policy_code(&read.policy) {
                        read.$inner.take_policy(code);
                    }
                )?
                Ok(read)
            }

            fn written(&self) -> toml::Table {
                let own = $crate::table::written(self);
                [$(self.$inner.written(),)? own].into_iter().flatten().collect()
            }

            fn check_ranges(&self, _cycle_ns: f64) -> anyhow::Result<()> {
                $(self.$inner.check_ranges(_cycle_ns)?;)?
                $($(
                    <$crate::mechanism::parameter_table::$kind as $crate::mechanism::parameter_table::Ranged>::check(
                        stringify!($field), &self.$field, $range, _cycle_ns,
                    )?;
                )?)*
                Ok(())
            }
        }
    };
}

/// A list of the mechanism around which another is built, if there is one.
macro_rules! inner {
    ($list:ident) => {
        &[]
    };
    ($list:ident, $inner:ty) => {
        &<$inner>::$list
    };
}

/// The type of a parameter of some kind.
macro_rules! value {
    (Time) => {
        $crate::units::Nanoseconds
    };
    (Flag) => {
        bool
    };
    ($number:ident) => {
        f64
    };
}

pub(super) use {inner, parameters, value};
