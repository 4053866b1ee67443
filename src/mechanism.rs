//! The parameters of the power mechanisms as options, made from the mechanisms' own lists.

use anyhow::{Result, bail};
use clap::{Arg, ArgMatches, Command};
use powar_config::mechanism::{ALL, ParameterEntry, ParameterKind};
use powar_config::{Mechanism, units::Nanoseconds};
use std::collections::BTreeMap;

/// Parameters that were given, by name.
#[derive(Clone, Debug, Default)]
pub struct MechanismArgs(BTreeMap<&'static str, toml::Value>);

impl MechanismArgs {
    /// The table of the parameters given, for this mechanism.
    ///
    /// # Errors
    /// One that the mechanism doesn't have.
    pub fn table(&self, mechanism: &Mechanism, policy: &str) -> Result<toml::Table> {
        for name in self.0.keys() {
            if !mechanism.options.iter().any(|option| option.name == *name) {
                let option = kebab(name);
                bail!("--{option}: is no parameter of {}, the mechanism of policy {policy}", mechanism.name);
            }
        }
        Ok(self.0.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }
}

/// Every parameter once, with the mechanisms that have it.
fn parameters() -> Vec<(&'static ParameterEntry, Vec<&'static Mechanism>)> {
    let mut all: Vec<(&ParameterEntry, Vec<&Mechanism>)> = vec![];
    for mechanism in ALL {
        for option in mechanism.options {
            match all.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, mechanisms)) => mechanisms.push(mechanism),
                None => all.push((option, vec![mechanism])),
            }
        }
    }
    all
}

fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

impl clap::FromArgMatches for MechanismArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |(option, _): (&'static ParameterEntry, Vec<&Mechanism>)| {
            Some((option.name, matches.get_one::<toml::Value>(option.name)?.clone()))
        };
        Ok(MechanismArgs(parameters().into_iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for MechanismArgs {
    fn augment_args(command: Command) -> Command {
        parameters().into_iter().fold(command, |command, (option, mechanisms)| {
            let named = |mechanism: &&Mechanism| {
                let default = mechanism.defaults().table().remove(option.name).expect("a default for each");
                let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
                format!("{}: {default}", mechanism.name)
            };
            let defaults: Vec<String> = mechanisms.iter().map(named).collect();
            let (value_name, parser) = match option.kind {
                ParameterKind::Time => ("TIME", time as fn(&str) -> Result<toml::Value, String>),
                ParameterKind::Number => ("X", number as _),
                ParameterKind::Flag => ("true|false", flag as _),
            };
            command.arg(
                Arg::new(option.name)
                    .long(kebab(option.name))
                    .value_name(value_name)
                    .value_parser(parser)
                    .allow_hyphen_values(true)
                    .help(format!("{} [default of {}]", option.doc, defaults.join(", of ")))
                    .help_heading("Power mechanism"),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

fn time(text: &str) -> Result<toml::Value, String> {
    Nanoseconds::parse(text).map(|_| text.into()).map_err(|error| error.to_string())
}

fn number(text: &str) -> Result<toml::Value, String> {
    text.parse::<f64>().map(toml::Value::Float).map_err(|_| "expected a number".into())
}

fn flag(text: &str) -> Result<toml::Value, String> {
    text.parse::<bool>().map(toml::Value::Boolean).map_err(|_| "expected true or false".into())
}
