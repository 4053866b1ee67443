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
    /// The table of the parameters given, for this policy of a mechanism.
    ///
    /// # Errors
    /// One that the mechanism doesn't have, or that makes no difference to the policy.
    pub fn table(&self, mechanism: &'static Mechanism, policy: &str) -> Result<toml::Table> {
        let is_known = |name: &str| mechanism.options.iter().any(|option| option.name == name);
        if let Some(option) = self.0.keys().find(|name| !is_known(name)).map(|name| kebab(name)) {
            bail!("--{option}: is no parameter of {}, the mechanism of policy {policy}", mechanism.name);
        }
        let ignored = self.0.keys().find(|name| is_ignored(name, mechanism, policy));
        if let Some(option) = ignored.map(|name| kebab(name)) {
            bail!("--{option}: makes no difference to policy {policy}; leave it out");
        }
        Ok(self.0.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    /// Those that make a difference to one of several policies.
    pub fn of(&self, mechanism: &'static Mechanism, policy: &str) -> MechanismArgs {
        let matters = |name: &str| {
            mechanism.options.iter().any(|option| option.name == name) && !is_ignored(name, mechanism, policy)
        };
        let kept = self.0.iter().filter(|(name, _)| matters(name));
        MechanismArgs(kept.map(|(name, value)| (*name, value.clone())).collect())
    }

    /// Names of the options that were given.
    pub fn given(&self) -> impl Iterator<Item = String> {
        self.0.keys().map(|name| kebab(name))
    }
}

/// Every parameter of some mechanisms once, with those that have it.
fn parameters(mechanisms: &[&'static Mechanism]) -> Vec<(&'static ParameterEntry, Vec<&'static Mechanism>)> {
    let mut all: Vec<(&ParameterEntry, Vec<&Mechanism>)> = vec![];
    for &mechanism in mechanisms {
        for option in mechanism.options {
            match all.iter_mut().find(|(known, _)| known.name == option.name) {
                Some((_, mechanisms)) => mechanisms.push(mechanism),
                None => all.push((option, vec![mechanism])),
            }
        }
    }
    all
}

/// A parameter that the policy takes no notice of; all are of one that is no policy of the mechanism, such as ideal.
fn is_ignored(parameter: &str, mechanism: &'static Mechanism, policy: &str) -> bool {
    mechanism.policy(policy).map_or(true, |policy| policy.ignores.contains(&parameter))
}

fn kebab(name: &str) -> String {
    name.replace('_', "-")
}

/// A command with the parameters of some mechanisms as options.
fn with_options(command: Command, mechanisms: &[&'static Mechanism]) -> Command {
    parameters(mechanisms).into_iter().fold(command, |command, (option, mechanisms)| {
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
                .help(format!("{} [default of {}]", explained(option.name, &mechanisms), defaults.join(", of ")))
                .help_heading("Power mechanism"),
        )
    })
}

/// What a parameter is, of each mechanism that says something else of it: what it takes may not be what others take.
fn explained(name: &str, mechanisms: &[&'static Mechanism]) -> String {
    let mut said: Vec<(&str, Vec<&str>)> = vec![];
    for mechanism in mechanisms {
        for option in mechanism.options.iter().filter(|option| option.name == name) {
            match said.iter_mut().find(|(doc, _)| *doc == option.doc) {
                Some((_, of)) => of.push(mechanism.name),
                None => said.push((option.doc, vec![mechanism.name])),
            }
        }
    }
    match &said[..] {
        [(doc, _)] => (*doc).to_owned(),
        several => {
            let each = several.iter().map(|(doc, of)| format!("{doc} (of {})", of.join(", of ")));
            each.collect::<Vec<_>>().join("; ")
        }
    }
}

/// What was given of the parameters of some mechanisms.
fn given(matches: &ArgMatches, mechanisms: &[&'static Mechanism]) -> MechanismArgs {
    let value = |option: &ParameterEntry| matches.get_one::<toml::Value>(option.name).cloned();
    let given = parameters(mechanisms).into_iter().filter_map(|(option, _)| Some((option.name, value(option)?)));
    MechanismArgs(given.collect())
}

impl clap::FromArgMatches for MechanismArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(given(matches, &ALL))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for MechanismArgs {
    fn augment_args(command: Command) -> Command {
        with_options(command, &ALL)
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

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::mechanism::{alonso, powar};

    /// Both have `check_period`.
    const TWO: [&Mechanism; 2] = [&powar::MECHANISM, &alonso::MECHANISM];

    fn parsed(arguments: &[&str]) -> Result<MechanismArgs, clap::Error> {
        let command = with_options(Command::new("sim").no_binary_name(true), &TWO);
        command.try_get_matches_from(arguments).map(|matches| given(&matches, &TWO))
    }

    #[test]
    fn a_parameter_is_one_option_whichever_mechanisms_have_it() {
        let help = with_options(Command::new("sim").term_width(300), &TWO).render_long_help().to_string();
        for option in TWO.iter().flat_map(|mechanism| mechanism.options) {
            assert_eq!(help.matches(&format!("--{} ", kebab(option.name))).count(), 1, "{}: {help}", option.name);
        }
        assert!(help.contains("[default of powar: 10us, of alonso: 3.2us]"), "{help}");
    }

    #[test]
    fn what_mechanisms_say_of_a_parameter_of_one_name_is_all_said() {
        let help = with_options(Command::new("sim").term_width(2000), &ALL).render_long_help().to_string();
        for mechanism in ALL {
            for option in mechanism.options {
                assert!(help.contains(option.doc), "{} of {}: {help}", option.name, mechanism.name);
            }
        }
        assert!(help.contains("4 to 65535 cycles (of soteriou_peh); Reconfiguration window"), "{help}");
        assert_eq!(help.matches("How often utilisation is compared").count(), 1, "{help}");
    }

    #[test]
    fn what_is_given_are_parameters_of_the_policys_mechanism() {
        let args = parsed(&["--u-on", "0.4", "--check-period", "5us", "--litmus", "false"]).unwrap();
        let table = args.table(&alonso::MECHANISM, "alonso-dynamic").unwrap();
        assert_eq!(table.to_string(), "check_period = \"5us\"\nlitmus = false\nu_on = 0.4\n");
        (alonso::MECHANISM.parse)(table).unwrap();
        let error = args.table(&powar::MECHANISM, "first-on").unwrap_err().to_string();
        assert_eq!(error, "--litmus: is no parameter of powar, the mechanism of policy first-on");
        assert!(parsed(&[]).unwrap().table(&powar::MECHANISM, "powar").unwrap().is_empty());
    }

    #[test]
    fn values_are_checked_by_kind() {
        for (arguments, expected) in [
            (["--pdt=soon"], "`soon` is not a duration"),
            (["--u-on=much"], "expected a number"),
            (["--litmus=maybe"], "expected true or false"),
        ] {
            let error = parsed(&arguments).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
