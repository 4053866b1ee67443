//! What the models share about power mechanisms: one folder each, and their list.
//!
//! To add one: a folder beside `powar` with its entry, and one line in [`ALL`]; `docs/microarchitecture/power.md` says what a mechanism
//! is, and what it has elsewhere.

pub mod ahead;
pub mod alonso;
mod chosen;
mod control_values;
pub mod depths;
pub mod e_rapid;
pub mod hints_depths;
mod parameter_table;
pub mod perf_bound;
pub mod powar;
pub mod soteriou_peh;
pub mod timetable;
pub mod wake_hints;

pub use chosen::Chosen;
pub use control_values::{ControlValues, FIRST, WordMeaning};

use crate::nearest::is_unknown;
use crate::phase::Phase;
use crate::registers::{WORD_BYTES, Word};
use crate::ring_format::RingFormat;
use crate::setting::Setting;
use anyhow::{Context, Result};
use std::any::Any;
use std::fmt::Debug;

/// Every mechanism; the first is that of a configuration that names none.
pub const ALL: [&Mechanism; 10] = [
    &powar::MECHANISM,
    &alonso::MECHANISM,
    &timetable::MECHANISM,
    &soteriou_peh::MECHANISM,
    &e_rapid::MECHANISM,
    &ahead::MECHANISM,
    &wake_hints::MECHANISM,
    &depths::MECHANISM,
    &perf_bound::MECHANISM,
    &hints_depths::MECHANISM,
];

/// A power mechanism, as far as it is data.
pub struct Mechanism {
    /// Name in configurations and of the Verilog module.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Which of the signals of the interface it has that are not there for all.
    pub sees: Sees,
    /// What nodes show it on the hint bits of their links; of no meaning if it does not see `hint_in`.
    pub node_hint: NodeHint,
    /// The pairs of phase and level its ports can be in, in the order of their counters.
    pub residency: &'static [Residency],
    /// Bit rates of links between switches, Gb/s, from level 0 on; empty: they have one rate, a flit a cycle.
    pub level_gbps: &'static [f64],
    /// It measures how packets wait for each link between switches, as the utilisation of a buffer in front of it.
    pub measures_queues: bool,
    /// Its register words.
    pub words: &'static [Word],
    /// Its policies, in the order of their codes. The first never lets a port sleep.
    pub policies: &'static [PolicyEntry],
    /// Its parameters, the policy apart.
    pub options: &'static [ParameterEntry],
    /// Reads parameters; those that are left out have their defaults. The table has no `kind`.
    pub parse: fn(toml::Table) -> Result<Box<dyn Parameters>>,
}

/// A policy of a mechanism, for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyEntry {
    /// Name on the command line and in configurations.
    pub name: &'static str,
    /// Name in reports and waves.
    pub title: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Parameters that make no difference with it.
    pub ignores: &'static [&'static str],
}

/// A parameter of a mechanism, for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterEntry {
    /// Key in configurations; on the command line with `-` for `_`.
    pub name: &'static str,
    pub kind: ParameterKind,
    /// One line.
    pub doc: &'static str,
}

/// What the value of a parameter looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A duration such as `10us`.
    Time,
    /// A number.
    Number,
    /// True or false.
    Flag,
}

/// The parameters of a mechanism in a configuration: what follows from their table, and what no table can say.
pub trait Parameters: Any + CloneParameters + Debug + Rules + Send + Sync {
    /// The mechanism they are of.
    fn mechanism(&self) -> &'static Mechanism;
    /// The policy after reset, by name.
    fn policy(&self) -> &str;
    /// Chooses a policy.
    ///
    /// # Errors
    /// It is none of the mechanism's.
    fn set_policy(&mut self, name: &str) -> Result<()>;
    /// Checks every value, and that the switch is one that the mechanism is for; the error names the field, its value and the range.
    fn check(&self, setting: &Setting) -> Result<()>;
    /// Reset values of the mechanism's words, in their order, where a cycle takes so many nanoseconds; for parameters that have been checked.
    fn resets(&self, cycle_ns: f64) -> Vec<u32>;
    /// The parameters with the policy, without `kind`.
    fn table(&self) -> toml::Table;
}

/// What a mechanism says of its parameters by hand; what is left out holds for most.
pub trait Rules {
    /// Checks what is more than the range of one parameter, and that the switch is one that the mechanism is for; ranges have been checked.
    /// The error names the field, its value and the range.
    fn check_rules(&self, _setting: &Setting) -> Result<()> {
        Ok(())
    }
    /// Checks that a network whose links between switches take so many cycles is one that the mechanism is for; parameters have been checked. The error names the
    /// field, its value and the range.
    fn check_links(&self, _setting: &Setting, _link_delay: u64) -> Result<()> {
        Ok(())
    }
    /// What is to be warned about, a line each.
    fn warnings(&self, _setting: &Setting) -> Vec<String> {
        vec![]
    }
    /// What has to happen before a port draws less than full power, as a clause with the parameters that decide it and their values: what is
    /// said of a run in which none did. `None`: the policy saves nothing whatever happens.
    fn saves_when(&self) -> Option<String>;
    /// Whether the lane for hints of a port is on while the port sleeps, and draws power.
    fn keeps_lane_on(&self) -> bool {
        false
    }
    /// Whether it reads the hints of nodes, words about messages.
    fn hears_hints(&self) -> bool {
        false
    }
    /// What a port draws in one of the mechanism's pairs of phase and level; mostly what the entry says.
    fn draw(&self, pair: &Residency) -> Draw {
        pair.draw
    }
}

/// A copy behind a box; what can be cloned has it.
pub trait CloneParameters {
    fn clone_box(&self) -> Box<dyn Parameters>;
}

impl<P: Parameters + Clone> CloneParameters for P {
    fn clone_box(&self) -> Box<dyn Parameters> {
        Box::new(self.clone())
    }
}

/// What a mechanism sees beyond `held`, `given` and `departing`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sees {
    /// `position` and `stage`.
    pub place: bool,
    /// `wanted`.
    pub wanted: bool,
    /// `arriving`, `leaving`, `fill` and `occupancy`.
    pub buffers: bool,
    /// `neighbour_phase` and `hint_in`.
    pub neighbours: bool,
    /// `ring_in`; then there is `ring_out` too.
    pub ring: Option<&'static RingFormat>,
    /// Where packets go, and rows of a routing table: `lookup_row`; then there are `lookup` and `lookup_address` too.
    pub routes: Routes,
}

/// Whether a mechanism has a routing unit of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Routes {
    /// It has none.
    #[default]
    None,
    /// It has that of the switch, and looks rows up if there is a table (`Config::seen_by`).
    AsPackets,
    /// Likewise, in a switch with a table whose rows have so many words of 32 bits.
    ByTable(usize),
}

impl Routes {
    /// Words of the row that the mechanism sees; 0 if it looks none up.
    pub fn row_words(self) -> usize {
        match self {
            Routes::ByTable(words) => words,
            Routes::None | Routes::AsPackets => 0,
        }
    }

    /// The mechanism looks rows up.
    pub fn looks_up(self) -> bool {
        self.row_words() != 0
    }
}

/// What a node shows on the hint bit of its links (`docs/networks.md`, network interfaces).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeHint {
    /// 1 while a message is being sent and another waits.
    Waiting,
    /// Words with the packed addresses of messages that begin (`docs/microarchitecture/mechanisms/wake_hints.md`, the lane).
    Addresses,
}

/// Phase and level of a port, what it draws in them, and the counter of the cycles in them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residency {
    pub phase: Phase,
    /// Rate and voltage, 0..=7.
    pub level: u8,
    /// What the port draws, unless [parameters](Rules::draw) say otherwise.
    pub draw: Draw,
    /// Name of the counter.
    pub counter: &'static str,
    /// One line.
    pub doc: &'static str,
}

impl Residency {
    /// Of links that drain before they go off.
    const OF_LINKS: [Residency; 5] = [
        Residency::of(Phase::On, Draw::FULL, "on_cycles", "Cycles on"),
        Residency::of(
            Phase::Draining,
            Draw::FULL,
            "draining_cycles",
            "Cycles in which the link finished what it had begun",
        ),
        Residency::of(Phase::GoingOff, Draw::FULL, "going_off_cycles", "Cycles on the way to off"),
        Residency::of(Phase::Off, Draw::SleepFraction, "off_cycles", "Cycles off: the ones that save power"),
        Residency::of(Phase::ComingOn, Draw::FULL, "coming_on_cycles", "Cycles on the way to on"),
    ];

    /// At level 0.
    const fn of(phase: Phase, draw: Draw, counter: &'static str, doc: &'static str) -> Residency {
        Residency { phase, level: 0, draw, counter, doc }
    }
}

impl Mechanism {
    /// The mechanism with this name.
    ///
    /// # Errors
    /// There is none; the known ones are listed.
    pub fn by_name(name: &str) -> Result<&'static Mechanism> {
        let found = ALL.into_iter().find(|mechanism| mechanism.name == name);
        found.with_context(|| format!("kind: {}", is_unknown(name, ALL.map(|mechanism| mechanism.name))))
    }

    /// The mechanism that has a policy of this name, whatever the case of its letters; the first of them if several have.
    ///
    /// # Errors
    /// There is none; the known policies are listed.
    pub fn of_policy(name: &str) -> Result<&'static Mechanism> {
        let has =
            |mechanism: &&Mechanism| mechanism.policies.iter().any(|policy| policy.name.eq_ignore_ascii_case(name));
        ALL.into_iter().find(has).with_context(|| unknown_policy(name, policy_names(&ALL)))
    }

    /// Its register word at an address, a byte address / 4; `None` if it has none there.
    pub fn word_at(&self, address: u16) -> Option<&'static Word> {
        self.words.iter().find(|word| word.offset == address * WORD_BYTES)
    }

    /// The policy with this name, whatever the case of its letters.
    ///
    /// # Errors
    /// There is none; the mechanism's are listed.
    pub fn policy(&'static self, name: &str) -> Result<&'static PolicyEntry> {
        Ok(&self.policies[self.policy_code(name)?])
    }

    /// The code of the policy with this name: its place among the mechanism's.
    ///
    /// # Errors
    /// As of [`Mechanism::policy`].
    pub fn policy_code(&'static self, name: &str) -> Result<usize> {
        let found = self.policies.iter().position(|policy| policy.name.eq_ignore_ascii_case(name));
        found.with_context(|| unknown_policy(name, policy_names(&[self])))
    }

    /// Parameters with all defaults.
    pub fn defaults(&self) -> Box<dyn Parameters> {
        (self.parse)(toml::Table::new()).expect("every parameter has a default")
    }
}

/// The entries of a table, and others behind them, N together: for mechanisms that have all of another's.
const fn joined<T: Copy, const N: usize>(first: &[T], then: &[T]) -> [T; N] {
    assert!(first.len() + then.len() == N, "N is the length of both together");
    let mut all = [then[0]; N];
    let mut place = 0;
    while place < N {
        all[place] = if place < first.len() { first[place] } else { then[place - first.len()] };
        place += 1;
    }
    all
}

impl Debug for Mechanism {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// The error for a configuration whose mechanism a crate has no model of: `what` it has not, and of which it has one.
pub fn without(what: &str, mechanism: &Mechanism, known: &[&str]) -> anyhow::Error {
    let name = mechanism.name;
    anyhow::anyhow!("mechanism.kind: there is no {what} of {name}; it must be one of {}", known.join(", "))
}

/// What is said of a policy that is none of those known.
pub fn unknown_policy<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    format!("policy: {}", is_unknown(name, known))
}

/// The names of the policies of mechanisms, each once.
pub fn policy_names(mechanisms: &[&Mechanism]) -> Vec<&'static str> {
    let mut names: Vec<&str> = vec![];
    for policy in mechanisms.iter().flat_map(|mechanism| mechanism.policies) {
        if !names.contains(&policy.name) {
            names.push(policy.name);
        }
    }
    names
}

/// What a port draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Draw {
    /// So much of its full power, 0..=1.
    Share(f64),
    /// The same, but no less than the sleep fraction.
    AtLeast(f64),
    /// The sleep fraction of its full power: a parameter of the power models.
    SleepFraction,
}

impl Draw {
    /// All of it.
    const FULL: Draw = Draw::Share(1.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn pairs_are_counted_once_and_draw_no_more_than_full_power() {
        for mechanism in ALL {
            let pairs: BTreeSet<(u8, u8)> =
                mechanism.residency.iter().map(|pair| (pair.phase as u8, pair.level)).collect();
            assert_eq!(pairs.len(), mechanism.residency.len(), "{}", mechanism.name);
            for pair in mechanism.residency {
                let share = match pair.draw {
                    Draw::Share(share) | Draw::AtLeast(share) => share,
                    Draw::SleepFraction => 0.0,
                };
                let has_rate = mechanism.level_gbps.is_empty() || usize::from(pair.level) < mechanism.level_gbps.len();
                assert!(has_rate, "{}: {}", mechanism.name, pair.counter);
                assert!(pair.level <= 7 && (0.0..=1.0).contains(&share), "{}: {}", mechanism.name, pair.counter);
            }
        }
    }

    #[test]
    fn every_parameter_is_listed_and_has_a_default() {
        for mechanism in ALL {
            let table = mechanism.defaults().table();
            let mut listed: Vec<&str> = mechanism.options.iter().map(|option| option.name).chain(["policy"]).collect();
            listed.sort_unstable();
            assert_eq!(table.keys().map(String::as_str).collect::<Vec<_>>(), listed, "{}", mechanism.name);
            for policy in mechanism.policies {
                assert!(policy.ignores.iter().all(|name| table.contains_key(*name)), "{}", policy.name);
            }
        }
    }
}
