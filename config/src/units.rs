//! Units: nanoseconds in configurations, switch cycles everywhere else.

use anyhow::{Context, Result, bail, ensure};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::RangeInclusive;

/// Bytes in a flit (POWAR section 4.1).
pub const FLIT_BYTES: u64 = 16;

/// A duration as it is written in a configuration: text with a unit such as `"2.88us"`, or 0.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Nanoseconds(pub f64);

impl Nanoseconds {
    /// The duration in cycles of `cycle_ns` nanoseconds each, rounded up.
    ///
    /// A billionth of a cycle is forgiven, so that 2.88 us of 1.6 ns each are 1800 cycles and not 1801.
    pub fn cycles(self, cycle_ns: f64) -> u64 {
        (self.0 / cycle_ns - 1e-9).ceil().max(0.0) as u64
    }

    /// So many of its cycles, rounded to the nearest: what a fraction of them comes to.
    pub fn share(self, fraction: f64, cycle_ns: f64) -> u32 {
        (fraction * self.cycles(cycle_ns) as f64).round() as u32
    }

    /// The duration in cycles, within a range of them.
    ///
    /// # Errors
    /// It is out of the range; the error names the duration and the cycles, not the field.
    pub fn cycles_in(self, cycle_ns: f64, range: RangeInclusive<u64>) -> Result<u64> {
        let cycles = self.cycles(cycle_ns);
        ensure!(range.contains(&cycles), "{self} is {cycles} cycles, out of range {range:?}");
        Ok(cycles)
    }

    /// Reads `"10us"`, `"1.5 ms"`, `"0"`, `"250ns"`.
    ///
    /// # Errors
    /// Text that is no duration, a number other than 0 without its unit, one below 0.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        if let Some(positive) = text.strip_prefix('-')
            && Nanoseconds::parse(positive).is_ok()
        {
            return Err(negative(text));
        }
        let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(split);
        let scale = match unit.trim() {
            "ns" => 1.0,
            // The micro sign, and the Greek letter that looks like it.
            "us" | "µs" | "\u{3bc}s" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "" if number.parse() == Ok(0.0) => 1.0,
            "" if number.parse::<f64>().is_ok() => return Err(without_unit(number)),
            _ => bail!("`{text}` is not a duration: write a number with ns, us, ms or s"),
        };
        let number: f64 =
            number.parse().ok().context(format!("`{text}` is not a duration: write a number with ns, us, ms or s"))?;
        Ok(Nanoseconds(number * scale))
    }
}

/// A number as one would write it: very large and very small ones with an exponent, not with three hundred digits.
pub fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() || (1e-6..1e15).contains(&value.abs()) {
        value.to_string()
    } else {
        format!("{value:e}")
    }
}

/// What is said of a number that could be of any unit.
fn without_unit(number: impl std::fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("`{number}` has no unit: write {number}ns, {number}us, {number}ms or {number}s")
}

/// What is said of a duration below 0, or of one that is no number.
fn negative(duration: impl std::fmt::Display) -> anyhow::Error {
    anyhow::anyhow!("`{duration}` is out of range; a duration is 0 or more, in ns, us, ms or s")
}

impl std::fmt::Display for Nanoseconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            ns if ns >= 1e6 => write!(f, "{}ms", ns / 1e6),
            ns if ns >= 1e3 => write!(f, "{}us", ns / 1e3),
            0.0 => write!(f, "0"),
            ns => write!(f, "{ns}ns"),
        }
    }
}

impl std::str::FromStr for Nanoseconds {
    type Err = anyhow::Error;
    fn from_str(text: &str) -> Result<Self> {
        Nanoseconds::parse(text)
    }
}

impl Serialize for Nanoseconds {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_string())
    }
}

impl JsonSchema for Nanoseconds {
    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A duration with its unit, such as \"2.88us\": ns, us, ms or s; 0 needs none",
            "anyOf": [{ "type": "string", "pattern": r"^\s*[0-9.]+\s*(ns|us|[µμ]s|ms|s)?\s*$" }, { "const": 0 }]
        })
    }
}

impl<'de> Deserialize<'de> for Nanoseconds {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Form {
            Number(f64),
            Text(String),
            Other(serde_json::Value),
        }
        match Form::deserialize(deserializer)? {
            Form::Number(0.0) => Ok(Nanoseconds(0.0)),
            Form::Number(number) if number > 0.0 => Err(serde::de::Error::custom(without_unit(number))),
            Form::Number(number) => Err(serde::de::Error::custom(negative(number))),
            Form::Text(text) => Nanoseconds::parse(&text).map_err(serde::de::Error::custom),
            Form::Other(value) => {
                let message = format!("`{value}` is not a duration, expected text such as \"2.88us\", or 0");
                Err(serde::de::Error::custom(message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_the_papers_in_cycles() {
        assert_eq!(Nanoseconds::parse("2.88us").unwrap().cycles(1.6), 1800);
        assert_eq!(Nanoseconds::parse("4.16us").unwrap().cycles(1.6), 2600);
        assert_eq!(Nanoseconds::parse("1ms").unwrap().cycles(1.6), 625_000);
        assert_eq!(Nanoseconds::parse("1ns").unwrap().cycles(1.6), 1);
        assert_eq!(Nanoseconds::parse("0").unwrap().cycles(1.6), 0);
        for unit in ["us", "\u{b5}s", "\u{3bc}s"] {
            assert_eq!(Nanoseconds::parse(&format!("4.16{unit}")).unwrap(), Nanoseconds(4160.0));
        }
    }

    #[test]
    fn what_is_not_a_duration_is_refused() {
        for text in ["", "us", "10 parsecs", "1.2.3us", "-1us", "1e3us"] {
            assert!(Nanoseconds::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_number_needs_its_unit() {
        for text in ["10", "0.5", " 1000 "] {
            let error = Nanoseconds::parse(text).unwrap_err().to_string();
            let number = text.trim();
            assert_eq!(error, format!("`{number}` has no unit: write {number}ns, {number}us, {number}ms or {number}s"));
        }
        for text in ["0", "0.0", "00"] {
            assert_eq!(Nanoseconds::parse(text).unwrap(), Nanoseconds(0.0));
        }
        let read = |json: &str| serde_json::from_str::<Nanoseconds>(json).map_err(|error| error.to_string());
        assert_eq!((read("0"), read("\"10us\"")), (Ok(Nanoseconds(0.0)), Ok(Nanoseconds(10e3))));
        assert!(read("10").unwrap_err().starts_with("`10` has no unit: write 10ns, 10us,"));
        assert!(read("-1").unwrap_err().contains("out of range"));
        assert!(read("[true]").unwrap_err().starts_with("`[true]` is not a duration, expected text such as"));
    }

    #[test]
    fn below_zero_is_out_of_range() {
        for text in ["-5us", "-1ns", " -0.5 ms"] {
            let error = Nanoseconds::parse(text).unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("`{}` is out of range; a duration is 0 or more", text.trim())),
                "{error}"
            );
        }
        assert!(Nanoseconds::parse("-soon").unwrap_err().to_string().contains("is not a duration"));
    }

    #[test]
    fn a_duration_reads_back_as_it_was_written() {
        for text in ["0", "250ns", "2.88us", "1ms"] {
            assert_eq!(Nanoseconds::parse(text).unwrap().to_string(), text);
        }
    }
}
