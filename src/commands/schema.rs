//! `powar schema`: JSON schemas of files and of results.

use super::sim::Described;
use super::{experiment, print_json, sim_policies};
use anyhow::Result;
use clap::ValueEnum;
use powar_evaluation::experiment::File;
use powar_evaluation::network::Outcome;
use powar_evaluation::schema::{Of, schema_of};
use serde_json::Value;
use std::process::ExitCode;

/// Print a JSON schema, of experiment files or of results
///
/// Editors check and complete experiment files by theirs; results are what the option --json of commands prints. docs/schemas/ has them all. experiments/README.md says how an editor finds the one of experiments.
#[derive(clap::Args)]
pub struct Args {
    /// What it is of
    #[arg(value_enum, value_name = "NAME")]
    name: Name,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// An experiment's file
    ExperimentFile,
    /// What experiment --json prints
    Experiment,
    /// What sim --json prints
    Sim,
    /// What sim --policy A,B,.. --json prints
    SimPolicies,
}

impl Name {
    fn schema(self) -> Value {
        match self {
            Name::ExperimentFile => schema_of::<File>(Of::File),
            Name::Experiment => schema_of::<experiment::Report>(Of::Output),
            Name::Sim => schema_of::<Described<Outcome>>(Of::Output),
            Name::SimPolicies => schema_of::<sim_policies::Report>(Of::Output),
        }
    }
}

pub fn run(args: &Args) -> Result<ExitCode> {
    let mut schema = args.name.schema();
    make_readable(&mut schema);
    print_json(&schema)?;
    Ok(ExitCode::SUCCESS)
}

/// Makes descriptions, which are comments of the sources, what a user reads in an editor.
fn make_readable(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(text)) = fields.get_mut("description") {
                *text = without_links(&text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            fields.values_mut().for_each(make_readable);
        }
        Value::Array(values) => values.iter_mut().for_each(make_readable),
        _ => (),
    }
}

/// A comment without where its links lead: ``[`Outcome`](super::Outcome)`` is `` `Outcome` ``.
fn without_links(text: &str) -> String {
    let mut parts = text.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("`]").unwrap_or((part, ""));
        let rest = rest.strip_prefix('(').and_then(|rest| Some(rest.split_once(')')?.1)).unwrap_or(rest);
        plain += &format!("`{name}`{rest}");
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_for_users() {
        let mut schema = serde_json::json!({ "anyOf": [{ "description": "as in [`A`](super::A),\nor [`B`]: c" }] });
        make_readable(&mut schema);
        assert_eq!(schema["anyOf"][0]["description"], "as in `A`, or `B`: c");
    }
}
