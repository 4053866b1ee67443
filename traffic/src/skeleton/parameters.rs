//! Parameters of skeletons: `name=value,name=value`, checked against a table.

use anyhow::{Result, bail, ensure};
use powar_config::nearest::is_unknown;
use std::fmt;

/// A parameter, as help texts and error messages show it.
pub struct Parameter {
    pub name: &'static str,
    /// Written as a user would.
    pub default: &'static str,
    pub range: Range,
    /// What it means, with its unit.
    pub meaning: &'static str,
}

/// What a parameter may be.
pub enum Range {
    /// A whole number from the first to the second one.
    Whole(u64, u64),
    /// The same, or `auto`: the skeleton chooses.
    WholeOrAuto(u64, u64),
    /// A number from the first to the second one.
    Number(f64, f64),
    /// The same, or `auto`: the skeleton chooses.
    NumberOrAuto(f64, f64),
    /// One of these words.
    Word(&'static [&'static str]),
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Whole(least, most) => write!(f, "{least} to {most}"),
            Range::WholeOrAuto(least, most) => write!(f, "{least} to {most} or auto"),
            Range::Number(least, most) => write!(f, "{least:e} to {most:e}"),
            Range::NumberOrAuto(least, most) => write!(f, "{least:e} to {most:e} or auto"),
            Range::Word(words) => write!(f, "one of {}", words.join(", ")),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Auto,
    Whole(u64),
    Number(f64),
    Word(&'static str),
}

/// Checked parameters of one skeleton.
pub struct Values {
    skeleton: &'static str,
    parameters: &'static [Parameter],
    values: Vec<Value>,
}

impl Values {
    /// The parameters in `text`, the others with their defaults.
    ///
    /// # Errors
    /// An unknown name, one that comes twice, or a value out of range.
    pub fn parse(skeleton: &'static str, parameters: &'static [Parameter], text: &str) -> Result<Values> {
        let mut given: Vec<Option<&str>> = vec![None; parameters.len()];
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((name, value)) = part.split_once('=') else {
                bail!("skeleton {skeleton}: `{part}` is no parameter, expected name=value");
            };
            let name = name.trim();
            let Some(index) = parameters.iter().position(|parameter| parameter.name == name) else {
                let known = parameters.iter().map(|parameter| parameter.name);
                bail!("skeleton {skeleton}: parameter {}", is_unknown(name, known));
            };
            ensure!(given[index].is_none(), "skeleton {skeleton}: parameter {name} is given twice");
            given[index] = Some(value.trim());
        }
        let values = parameters
            .iter()
            .zip(given)
            .map(|(parameter, given)| read(skeleton, parameter, given.unwrap_or(parameter.default)))
            .collect::<Result<_>>()?;
        Ok(Values { skeleton, parameters, values })
    }

    fn value(&self, name: &str) -> Value {
        let index = self.parameters.iter().position(|parameter| parameter.name == name);
        self.values[index.unwrap_or_else(|| panic!("{} registers no parameter {name}", self.skeleton))]
    }

    /// The name of the skeleton, for messages.
    pub fn skeleton(&self) -> &'static str {
        self.skeleton
    }

    /// A whole number; `None`: the skeleton chooses.
    pub fn chosen(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            Value::Whole(value) => Some(value),
            _ => None,
        }
    }

    /// A whole number.
    pub fn whole(&self, name: &str) -> u64 {
        self.chosen(name).unwrap_or_else(|| panic!("{} registers {name} as no whole number", self.skeleton))
    }

    /// A number; `None`: the skeleton chooses.
    pub fn chosen_number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Value::Number(value) => Some(value),
            _ => None,
        }
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.chosen_number(name).unwrap_or_else(|| panic!("{} registers {name} as no number", self.skeleton))
    }

    /// A word of its list.
    pub fn word(&self, name: &str) -> &'static str {
        match self.value(name) {
            Value::Word(word) => word,
            _ => panic!("{} registers {name} as no word", self.skeleton),
        }
    }

    /// Refuses a combination of parameters in the words of all other errors.
    ///
    /// # Errors
    /// `right` is false.
    pub fn check(&self, right: bool, name: &str, value: impl fmt::Display, expected: impl fmt::Display) -> Result<()> {
        ensure!(right, "skeleton {}: {name} is `{value}`, expected {expected}", self.skeleton);
        Ok(())
    }
}

/// A plain number or one with a suffix: k, m, g, t for 10^3 to 10^12.
fn number(text: &str) -> Option<f64> {
    // Rust also reads `inf` and `nan`.
    if !text.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    let (digits, factor) = match text.char_indices().next_back()? {
        (at, 'k' | 'K') => (&text[..at], 1e3),
        (at, 'm' | 'M') => (&text[..at], 1e6),
        (at, 'g' | 'G') => (&text[..at], 1e9),
        (at, 't' | 'T') => (&text[..at], 1e12),
        _ => (text, 1.0),
    };
    digits.parse::<f64>().ok().map(|value| value * factor).filter(|value| value.is_finite())
}

fn whole(text: &str) -> Option<u64> {
    // Exactly, where digits say it; 2^53 and more would not survive a float.
    text.parse().ok().or_else(|| {
        let value = number(text)?;
        (value.fract() == 0.0 && value < 9e15).then_some(value as u64)
    })
}

fn read(skeleton: &str, parameter: &Parameter, text: &str) -> Result<Value> {
    let value = match parameter.range {
        Range::WholeOrAuto(..) | Range::NumberOrAuto(..) if text == "auto" => Some(Value::Auto),
        Range::Whole(least, most) | Range::WholeOrAuto(least, most) => {
            whole(text).filter(|value| (least..=most).contains(value)).map(Value::Whole)
        }
        Range::Number(least, most) | Range::NumberOrAuto(least, most) => {
            number(text).filter(|value| (least..=most).contains(value)).map(Value::Number)
        }
        Range::Word(words) => words.iter().find(|&&word| word == text).map(|&word| Value::Word(word)),
    };
    match value {
        Some(value) => Ok(value),
        None => {
            bail!("skeleton {skeleton}: parameter {} is `{text}`, expected {}", parameter.name, parameter.range)
        }
    }
}
