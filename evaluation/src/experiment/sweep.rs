//! Sweeps: values that something takes in turn.

use super::overlay;
use anyhow::{Result, ensure};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Values that something takes in turn.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Its column in the results.
    pub name: String,
    /// Path of what it sets, like `traffic.load`; `name` if neither this nor `keys` is given.
    key: Option<String>,
    /// Paths of what it sets at once; each value is a list then.
    #[serde(default)]
    keys: Vec<String>,
    pub values: Vec<Value>,
    /// What the values are called in tables and figures.
    #[serde(default)]
    labels: Vec<String>,
    /// Figures can have a plot for each of these: what values have in common, one for each value.
    pub group: Option<Group>,
}

/// What values of a sweep have in common.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What figures name in their `groups`.
    pub name: String,
    /// Of each value of the sweep.
    labels: Vec<String>,
}

/// A value as it is, text without its quotes.
pub(super) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A path is another one, or leads into what is there.
fn inside(path: &str, of: &str) -> bool {
    path == of || path.strip_prefix(of).is_some_and(|rest| rest.starts_with('.'))
}

impl Sweep {
    /// Values of what its name says.
    pub fn of(name: &str, values: Vec<Value>) -> Sweep {
        Sweep { name: name.to_owned(), key: None, keys: vec![], values, labels: vec![], group: None }
    }

    /// Paths of what it sets.
    pub fn keys(&self) -> Vec<&str> {
        match (&self.key, self.keys.as_slice()) {
            (Some(key), _) => vec![key],
            (None, []) => vec![&self.name],
            (None, keys) => keys.iter().map(String::as_str).collect(),
        }
    }

    /// Some of its keys, or what is around or in them, is among these paths.
    pub(super) fn is_set_by(&self, paths: &[String]) -> bool {
        self.keys().iter().any(|key| paths.iter().any(|path| inside(path, key) || inside(key, path)))
    }

    /// The first of its keys that sets all of what some key of a sweep before it has set: that makes no difference then.
    pub(super) fn hides(&self, before: &Sweep) -> Option<&str> {
        self.keys().into_iter().find(|key| before.keys().iter().any(|path| inside(path, key)))
    }

    /// What a value is called.
    pub fn label(&self, place: usize) -> String {
        if let Some(label) = self.labels.get(place) {
            return label.clone();
        }
        match &self.values[place] {
            Value::Array(values) if self.keys().len() > 1 => values.iter().map(plain).collect::<Vec<_>>().join("/"),
            value => plain(value),
        }
    }

    /// The value that a label is of, if it is written as it is: a number stays a number.
    pub(super) fn plain_value(&self, label: &str) -> Option<&Value> {
        if !self.labels.is_empty() {
            return None;
        }
        let is_plain = |value: &&Value| (value.is_number() || value.is_boolean()) && plain(value) == label;
        self.values.iter().find(is_plain)
    }

    /// What a value has in common with others, by its label.
    pub(super) fn group_of(&self, label: &str) -> Option<&str> {
        let place = (0..self.values.len()).find(|&place| self.label(place) == label)?;
        Some(&self.group.as_ref()?.labels[place])
    }

    /// Sets what it sets to one of its values.
    pub(super) fn apply(&self, place: usize, simulation: &mut Value) -> Result<()> {
        let keys = self.keys();
        let value = &self.values[place];
        match value {
            Value::Array(values) if keys.len() > 1 => {
                keys.iter().zip(values).try_for_each(|(key, value)| overlay::set(simulation, key, value.clone()))
            }
            value => overlay::set(simulation, keys[0], value.clone()),
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        ensure!(self.key.is_none() || self.keys.is_empty(), "key, keys: only one of them can be given");
        ensure!(!self.name.is_empty(), "name: it is empty");
        ensure!(!self.values.is_empty(), "values: the list is empty, at least 1 is needed");
        let all = self.values.len();
        ensure!(
            self.labels.is_empty() || self.labels.len() == all,
            "labels: {} for {all} values, there must be as many",
            self.labels.len()
        );
        if let Some(group) = &self.group {
            ensure!(!group.name.is_empty(), "group: name: it is empty");
            let labels = group.labels.len();
            ensure!(labels == all, "group: labels: {labels} for {all} values, there must be as many");
        }
        let keys = self.keys().len();
        for value in &self.values {
            let fits = keys == 1 || value.as_array().is_some_and(|values| values.len() == keys);
            ensure!(fits, "values: {value}, expected a list of {keys}, one for each of {}", self.keys().join(", "));
        }
        for place in 0..all {
            let label = self.label(place);
            ensure!((0..place).all(|other| self.label(other) != label), "labels: `{label}` is there twice");
        }
        Ok(())
    }
}
