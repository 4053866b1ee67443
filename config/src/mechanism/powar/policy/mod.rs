//! The power-saving policies, as data.
//!
//! A policy is a row of properties that both models look up by its code; no block branches on a policy. To add one:
//! a new file beside these with its row, and one line in [`ALL`].

mod first_on;
pub(super) mod powar;
mod reference;
mod round_robin;

use crate::mechanism::{PolicyEntry, unknown_policy};
use anyhow::{Context, Result};

/// What a policy asks of the blocks (`docs/microarchitecture/mechanisms/powar.md`).
#[derive(Debug, PartialEq, Eq)]
pub struct Policy {
    /// Value of the `policy` register, 0..=3.
    pub code: u8,
    /// Name on the command line and in configurations.
    pub name: &'static str,
    /// Name in reports and waves.
    pub title: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Parameters that make no difference with it.
    pub ignores: &'static [&'static str],
    /// Idle ports go to sleep after the power-down threshold.
    pub sleeps: bool,
    /// The selector takes awake ports before sleeping ones.
    pub prefers_awake: bool,
    /// The selector takes only ports that are selectable (POWAR Algorithms 2 and 3).
    pub only_selectable: bool,
    /// Where it comes from.
    pub source: &'static str,
}

/// Every policy, in the order of their codes.
pub const ALL: [&Policy; 4] = [&reference::REFERENCE, &round_robin::ROUND_ROBIN, &first_on::FIRST_ON, &powar::POWAR];

/// The same as users see them.
pub(super) const ENTRIES: [PolicyEntry; ALL.len()] = {
    let mut entries = [ALL[0].entry(); ALL.len()];
    let mut place = 0;
    while place < ALL.len() {
        entries[place] = ALL[place].entry();
        place += 1;
    }
    entries
};

/// The policies of a mechanism that is built around POWAR, by the same codes: what it adds makes no difference to the one that never
/// sleeps, which ignores these parameters; the others have a name, a title and a line of their own.
pub(in crate::mechanism) const fn around(
    ignored_by_reference: &'static [&'static str],
    others: [[&'static str; 3]; ALL.len() - 1],
) -> [PolicyEntry; ALL.len()] {
    let mut entries = ENTRIES;
    entries[0].ignores = ignored_by_reference;
    let mut place = 0;
    while place < others.len() {
        let [name, title, doc] = others[place];
        place += 1;
        entries[place] = PolicyEntry { name, title, doc, ..entries[place] };
    }
    entries
}

/// What holds of such policies: they have the names of POWAR's with a word behind them.
#[cfg(test)]
pub(in crate::mechanism) fn assert_named_after(suffix: &str, policies: &[PolicyEntry]) {
    for (own, of_powar) in policies.iter().zip(ALL).skip(1) {
        assert_eq!(own.name, format!("{}-{suffix}", of_powar.name));
        let title = suffix.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>();
        assert_eq!(own.title, format!("{}{title}", of_powar.title));
    }
    assert_eq!((policies[0].name, policies[0].title), (ALL[0].name, ALL[0].title));
    assert!(ALL[0].ignores.iter().all(|name| policies[0].ignores.contains(name)));
}

impl Policy {
    const fn entry(&self) -> PolicyEntry {
        PolicyEntry { name: self.name, title: self.title, doc: self.doc, ignores: self.ignores }
    }

    /// The policy with this name (`reference`, `round-robin`, `first-on`, `powar`).
    pub fn by_name(name: &str) -> Result<&'static Policy> {
        ALL.into_iter()
            .find(|policy| policy.name.eq_ignore_ascii_case(name))
            .with_context(|| unknown_policy(name, ALL.map(|policy| policy.name)))
    }

    /// The policy with this code, if there is one.
    pub fn by_code(code: u8) -> Option<&'static Policy> {
        ALL.into_iter().find(|policy| policy.code == code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_the_places_in_the_table() {
        for (place, policy) in ALL.iter().enumerate() {
            assert_eq!(policy.code as usize, place);
            assert_eq!(Policy::by_name(policy.name).unwrap().code, policy.code);
            assert_eq!(Policy::by_code(policy.code).unwrap().name, policy.name);
        }
    }

    #[test]
    fn an_unknown_policy_is_named_with_the_known_ones() {
        let error = Policy::by_name("alphabetical").unwrap_err().to_string();
        assert!(error.contains("alphabetical") && error.contains("first-on"), "{error}");
    }
}
