//! What stands beside a block's properties in `BLOCK.toml`.

use anyhow::{Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a block's properties are proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// Without bound: ABC's property-directed reachability (Een, Mishchenko and Brayton, FMCAD 2011).
    Pdr,
    /// Without bound: k-induction with an SMT solver.
    Induction,
    /// From reset on for so many cycles, with an SMT solver.
    Bounded,
}

impl Engine {
    /// Its name, as in the file.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Pdr => "pdr",
            Engine::Induction => "induction",
            Engine::Bounded => "bounded",
        }
    }
}

/// The properties that say a promise; none if it is not covered.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a list of properties, or \"\" for a promise that is not covered")]
pub enum Promise {
    Said(Vec<String>),
    /// `""`: why stands under `[missing]`.
    NotCovered(String),
}

impl Promise {
    /// The properties that say it.
    pub fn properties(&self) -> &[String] {
        match self {
            Promise::Said(properties) => properties,
            Promise::NotCovered(_) => &[],
        }
    }
}

/// The value of a parameter that can't be read off the block's signals.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a number, or a number for each design")]
pub(crate) enum Value {
    All(u64),
    /// In the order of `designs`.
    Listed(Vec<u64>),
    /// By the name of a design, of a kind of topology or of a mechanism, or [`ELSE`].
    ByDesign(BTreeMap<String, u64>),
}

/// Stands for every design that is not named.
const ELSE: &str = "else";

/// A fault that the properties find.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Broken {
    /// A piece of the block's Verilog, which occurs once.
    pub right: String,
    /// What stands in its place.
    pub wrong: String,
    /// The property that fails then.
    pub property: String,
    /// The one of `designs` in which it is tried; the first in which `right` occurs unless given.
    #[serde(default)]
    pub design: Option<String>,
}

/// What stands beside a block's properties.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The page in `docs/microarchitecture/` that the properties are written from.
    pub page: String,
    pub engine: Engine,
    /// Cycles of an induction or of a bounded proof.
    #[serde(default)]
    pub depth: u32,
    /// Cycles within which all covers are reached.
    pub cover_depth: u32,
    /// The proof takes longer than the quick form of the tests allows.
    #[serde(default)]
    pub long: bool,
    /// Presets, or names of files in `designs/`.
    pub designs: Vec<String>,
    /// Why a proof is bounded.
    #[serde(default)]
    pub reason: String,
    /// Other properties that the block's are made of: `NAME.sv`, whose module `NAME_properties` they have an instance of.
    #[serde(default)]
    pub uses: Vec<String>,
    /// Inputs of the properties that are signals of the block in some configurations only; they are 0 in the others.
    #[serde(default)]
    pub optional: Vec<String>,
    /// Inputs of the properties that are signals of blocks within the block: where each is, as in `powar.g_fsm[i].fsm.elapsed_q`
    /// of every port, or `g_vc[v].vc.flits_full` of every VC.
    #[serde(default)]
    pub inside: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) parameters: BTreeMap<String, Value>,
    /// What the page promises, and which properties say it.
    pub promises: BTreeMap<String, Promise>,
    /// Why a promise is not covered.
    #[serde(default)]
    pub missing: BTreeMap<String, String>,
    #[serde(default)]
    pub broken: Vec<Broken>,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// A text that is not TOML, an unknown or a missing field, a value out of range, by name.
    pub fn from_toml(text: &str) -> Result<Manifest> {
        let manifest: Manifest = toml::from_str(text)?;
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> Result<()> {
        let has_depth = self.engine != Engine::Pdr;
        ensure!(!has_depth || self.depth > 0, "depth: expected 1 or more with engine {}", self.engine.name());
        ensure!(self.cover_depth > 0, "cover_depth: is 0, expected 1 or more");
        ensure!(!self.designs.is_empty(), "designs: expected at least one");
        let is_bounded = self.engine == Engine::Bounded;
        ensure!(!is_bounded || !self.reason.is_empty(), "reason: expected why no unbounded proof ends");
        for (promise, said) in &self.promises {
            let is_said = !said.properties().is_empty();
            let why = self.missing.contains_key(promise);
            ensure!(is_said || why, "promises: `{promise}` has no property; expected one, or why not in [missing]");
            if let Promise::NotCovered(text) = said {
                ensure!(text.is_empty(), "promises: `{promise}` is `{text}`, expected a list of properties or \"\"");
            }
        }
        let stray = self.missing.keys().find(|promise| !self.promises.contains_key(*promise));
        ensure!(stray.is_none(), "missing: `{}` is none of [promises]", stray.map_or("", String::as_str));
        for design in self.broken.iter().filter_map(|broken| broken.design.as_ref()) {
            ensure!(self.designs.contains(design), "broken: design `{design}` is none of designs");
        }
        for (name, value) in &self.parameters {
            let given = if let Value::Listed(list) = value { list.len() } else { self.designs.len() };
            let designs = self.designs.len();
            ensure!(given == designs, "parameters: {name} has {given} values, expected {designs}, one for each design");
        }
        Ok(())
    }

    /// The value of a parameter in one of the designs, or in another configuration that is of these kinds (of topology, of mechanism); none if it
    /// is not said here.
    pub(crate) fn parameter(&self, name: &str, design: &str, kinds: &[&str]) -> Option<u64> {
        match self.parameters.get(name)? {
            Value::All(value) => Some(*value),
            Value::Listed(list) => list.get(self.designs.iter().position(|other| other == design)?).copied(),
            Value::ByDesign(values) => {
                let mut named = [&[design], kinds, &[ELSE]].concat().into_iter();
                named.find_map(|name| values.get(name)).copied()
            }
        }
    }
}
