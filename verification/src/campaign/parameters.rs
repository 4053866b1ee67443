//! Parameters of a power mechanism at random.

use powar_config::mechanism::ParameterKind;
use powar_config::{Chosen, Config, Mechanism};
use powar_testbenches::mechanisms::variants;
use powar_testbenches::random::Random;

/// Times are drawn between 1 and 2 to this power nanoseconds.
const TIME_BITS: u64 = 18;
/// Attempts at changing a parameter; most are refused because of others.
const ATTEMPTS: usize = 12;

/// A mechanism for a switch with some of its parameters at random; none if it is not for this switch.
pub fn mechanism(config: &Config, mechanism: &'static Mechanism, random: &mut Random) -> Option<Chosen> {
    let with = |chosen: &Chosen| Config { mechanism: chosen.clone(), ..config.clone() };
    let lively = || variants(config).into_iter().map(|variant| variant.config.mechanism);
    let of_this = |chosen: &Chosen| chosen.0.mechanism().name == mechanism.name;
    // What it has unless something is said, or what makes much happen within some hundred cycles.
    let usual = Chosen(mechanism.defaults());
    let mut chosen = if random.one_in(2) { lively().find(of_this).unwrap_or(usual) } else { usual };
    if with(&chosen).check().is_err() {
        return None;
    }
    let policy = mechanism.policies[random.below(mechanism.policies.len() as u64) as usize].name;
    let mut change = |name: &str, value: toml::Value| {
        let changed = chosen.with(toml::Table::from_iter([(name.to_owned(), value)]));
        if let Some(changed) = changed.ok().filter(|changed| with(changed).check().is_ok()) {
            chosen = changed;
        }
    };
    change("policy", policy.into());
    for _ in 0..ATTEMPTS {
        if mechanism.options.is_empty() || random.one_in(3) {
            break;
        }
        let option = mechanism.options[random.below(mechanism.options.len() as u64) as usize];
        change(option.name, value(option.kind, random));
    }
    Some(chosen)
}

fn value(kind: ParameterKind, random: &mut Random) -> toml::Value {
    match kind {
        ParameterKind::Time => {
            let bits = random.below(TIME_BITS + 1);
            format!("{}ns", (1 << bits) + random.below(1 << bits)).into()
        }
        ParameterKind::Number if random.one_in(4) => toml::Value::Integer(random.below(9) as i64),
        ParameterKind::Number => toml::Value::Float(random.below(1001) as f64 / 1000.0),
        ParameterKind::Flag => random.one_in(2).into(),
    }
}
