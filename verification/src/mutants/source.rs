//! What makes mutants of a block.

use anyhow::Result;
use powar_hdl::verilog::{Design, Mutants, Selector};
use serde::Serialize;
use std::collections::BTreeSet;

/// Where a mutant is, and what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The rule it is made by.
    pub rule: String,
    /// The signal whose value is wrong.
    pub signal: String,
    /// The Verilog expression in its place.
    pub before: String,
    /// What is there instead.
    pub after: String,
}

/// A block's design and mutants of its own module, which have numbers from 1 on.
pub(super) trait Source: Send + Sync {
    fn sound(&self) -> &Design;

    /// Of all mutants, in the order of their numbers.
    fn places(&self) -> &[Place];

    /// The design with one of them.
    fn one(&self, number: usize) -> Result<Design>;

    /// The design with these, each of which is on while the selector has its number.
    fn choices(&self, numbers: &BTreeSet<usize>, selector: &Selector) -> Result<Design>;
}

/// The back end's mutants, by rule.
pub(super) struct ByRule {
    mutants: Mutants,
    places: Vec<Place>,
}

impl ByRule {
    pub(super) fn new(mutants: Mutants) -> ByRule {
        let places = mutants.list().iter().map(|mutant| Place {
            rule: mutant.rule.to_owned(),
            signal: mutant.signal.clone(),
            before: mutant.before.clone(),
            after: mutant.after.clone(),
        });
        ByRule { places: places.collect(), mutants }
    }
}

impl Source for ByRule {
    fn sound(&self) -> &Design {
        self.mutants.sound()
    }

    fn places(&self) -> &[Place] {
        &self.places
    }

    fn one(&self, number: usize) -> Result<Design> {
        self.mutants.one(number)
    }

    fn choices(&self, numbers: &BTreeSet<usize>, selector: &Selector) -> Result<Design> {
        self.mutants.choices(numbers, selector)
    }
}
