//! What a viewer shows at first, whichever viewer it is: groups of traces, markers and a stretch of time.

use super::activity::Activity;
use super::placement::{Arrangement, Style};
use super::variables::{Content, NAME, REGISTER, Variable, Variables, WaveSource, mask};
use powar_config::{Config, Meaning, Owner, Phase};
use std::borrow::Cow;

/// Lines of phases and levels of ports that stand together at the top.
const OVERVIEW_LINES: usize = 16;
/// Ports whose groups are open.
pub(super) const OPEN_PORTS: usize = 4;
/// Cycles around a first mismatch that are shown.
const AROUND_MISMATCH: (u64, u64) = (24, 16);
/// Traces up to which a group of unknown size is open.
const OPEN_TRACES: usize = 40;

/// How a trace's values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    Binary,
    Decimal,
    Hexadecimal,
    /// The value as a height.
    Analog,
    Text,
}

/// What a trace is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Normal,
    State,
    Golden,
    Mismatch,
}

/// A line of the view.
#[derive(Clone, Debug)]
pub enum Item {
    Trace(Trace),
    Group(Group),
}

#[derive(Clone, Debug)]
pub struct Trace {
    /// Place in [`Variables::list`].
    pub variable: usize,
    /// What is written beside the trace.
    pub label: String,
    pub radix: Radix,
    pub tone: Tone,
}

/// Traces that fold away together.
#[derive(Clone, Debug)]
pub struct Group {
    pub name: String,
    pub open: bool,
    pub items: Vec<Item>,
}

/// A named point in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    pub name: Cow<'static, str>,
    pub cycle: u64,
}

/// What a viewer shows at first.
#[derive(Clone, Debug)]
pub struct View {
    /// Name of the outermost scope.
    pub block: String,
    pub groups: Vec<Group>,
    pub markers: Vec<Marker>,
    /// First cycle in sight and the one after the last.
    pub cycles: (u64, u64),
    /// The cycle in sight that it is all about.
    pub cursor: Option<u64>,
}

impl View {
    /// The view of a finished run.
    pub fn new(variables: &Variables, style: Style, block: &str, config: &Config, activity: &Activity) -> View {
        let builder = Builder { variables, has_levels: has_levels(config) };
        let mut groups = vec![builder.top(block), builder.first_difference(activity)];
        match style.arrangement {
            Arrangement::Plain => groups.extend(builder.plain()),
            Arrangement::Controller => groups.extend(builder.controller(config, activity)),
            Arrangement::Switch => groups.extend(builder.switch(style.owners, config, activity)),
        }
        groups.retain(|group| !group.items.is_empty());
        let moments = [
            ("first mismatch", activity.first_mismatch()),
            ("first wake-up", activity.first_wake_up().map(|wake_up| wake_up.woke)),
        ];
        let markers =
            moments.into_iter().filter_map(|(name, cycle)| Some(Marker { name: name.into(), cycle: cycle? })).collect();
        let (cycles, cursor) = in_sight(activity);
        View { block: block.to_owned(), groups, markers, cycles, cursor }
    }
}

/// The stretch around the first mismatch; if there is none, the first sleep from which a port woke; else all. With it
/// the cycle that it is about.
fn in_sight(activity: &Activity) -> ((u64, u64), Option<u64>) {
    let Some((first, last)) = activity.cycles() else { return ((0, 1), None) };
    let within = |from: u64, to: u64| (from.max(first), to.min(last + 1));
    if let Some(cycle) = activity.first_mismatch() {
        return (within(cycle.saturating_sub(AROUND_MISMATCH.0), cycle + AROUND_MISMATCH.1), Some(cycle));
    }
    let Some(wake_up) = activity.first_full_sleep().or(activity.first_wake_up()) else {
        return ((first, last + 1), None);
    };
    let waking = wake_up.active.unwrap_or(last + 1) - wake_up.woke;
    // A long sleep is cut, or the transitions would be too narrow to be read.
    let slept = (wake_up.woke - wake_up.slept).min(8 * waking.max(1));
    let margin = (slept + waking) / 4 + 4;
    (within((wake_up.woke - slept).saturating_sub(margin), wake_up.woke + waking + margin), Some(wake_up.woke))
}

/// Ports that are on have several levels.
fn has_levels(config: &Config) -> bool {
    let mut on = config.mechanism().residency.iter().filter(|pair| pair.phase == Phase::On);
    on.next().is_some_and(|first| on.any(|pair| pair.level != first.level))
}

pub(super) struct Builder<'a> {
    variables: &'a Variables,
    has_levels: bool,
}

impl Builder<'_> {
    fn list(&self) -> &[Variable] {
        &self.variables.list
    }

    /// The trace of a variable. Its label is its path, with spaces: GTKWave shows no more than what follows a dot.
    pub(super) fn trace(&self, place: usize) -> Item {
        let variable = &self.list()[place];
        let tone = match variable.content {
            Content::Mismatch(_) => Tone::Mismatch,
            _ if variable.is_golden() => Tone::Golden,
            _ if variable.is_text() => Tone::State,
            _ => Tone::Normal,
        };
        let radix = match (variable.content, variable.meaning) {
            _ if variable.is_text() => Radix::Text,
            (Content::Cycle, _) => Radix::Decimal,
            // How long something of a port has lasted is easier to see than to read.
            (_, Meaning::Elapsed) if variable.owner == Owner::Port => Radix::Analog,
            _ if variable.width == 1 => Radix::Binary,
            (_, meaning) => radix_of(meaning),
        };
        let path = variable.path();
        let (stem, side) = path.strip_suffix("_golden").map_or((path.as_str(), ""), |stem| (stem, " golden"));
        let stem = if variable.is_text() { stem.trim_end_matches("_name") } else { stem };
        Item::Trace(Trace { variable: place, label: format!("{stem}{side}").replace('.', " "), radix, tone })
    }

    /// Traces of the variables that exist among these paths.
    pub(super) fn traces<'p>(&self, paths: impl IntoIterator<Item = &'p str>) -> Vec<Item> {
        paths.into_iter().filter_map(|path| self.variables.find(path)).map(|place| self.trace(place)).collect()
    }

    /// Traces of all variables in or below a scope, `except` those given.
    pub(super) fn all_of(&self, scope: &[&str], except: &[Item]) -> Vec<Item> {
        let is_shown =
            |place: usize| except.iter().any(|item| matches!(item, Item::Trace(trace) if trace.variable == place));
        (0..self.list().len())
            .filter(|&place| starts_with(&self.list()[place].scope, scope) && !is_shown(place))
            .map(|place| self.trace(place))
            .collect()
    }

    /// The scopes within a scope, one after the other; some more than once.
    pub(super) fn parts_of<'s>(&'s self, scope: &'s str) -> impl Iterator<Item = String> + 's {
        let within = self.list().iter().filter(move |variable| starts_with(&variable.scope, &[scope]));
        within.filter_map(|variable| variable.scope.get(1).cloned())
    }

    fn top(&self, block: &str) -> Group {
        let own = ["clk", "rst", "cycle", "policy_name", "mismatch"];
        Group { name: block.to_owned(), open: true, items: self.traces(own) }
    }

    /// The RTL's variables that differed in the first cycle in which any did.
    fn differing(&self, activity: &Activity) -> Vec<usize> {
        let Some(mismatch) = activity.mismatch() else { return vec![] };
        let differs = |variable: &Variable| match variable.content {
            Content::Bits { frame: WaveSource::Rtl, slot, shift } => {
                mismatch.bits(slot) >> shift & mask(variable.width) != 0
            }
            Content::Text { frame: WaveSource::Rtl, slot, .. } => mismatch.bits(slot) != 0,
            Content::Channel { frame: WaveSource::Rtl, slots } => slots.iter().any(|&slot| mismatch.bits(slot) != 0),
            _ => false,
        };
        (0..self.list().len()).filter(|&place| differs(&self.list()[place])).collect()
    }

    /// The ports among them.
    fn differing_ports(&self, activity: &Activity) -> Vec<usize> {
        let port = |place: usize| self.list()[place].scope.first()?.strip_prefix("port")?.parse().ok();
        let mut ports: Vec<usize> = self.differing(activity).into_iter().filter_map(port).collect();
        ports.dedup();
        ports
    }

    /// The signals that differed first, each with its twin.
    fn first_difference(&self, activity: &Activity) -> Group {
        let pair = |place: usize| [Some(place), self.list()[place].golden];
        let places = self.differing(activity).into_iter().flat_map(pair).flatten();
        let items: Vec<Item> = places.map(|place| self.trace(place)).collect();
        Group { name: "first difference".into(), open: items.len() <= OPEN_TRACES, items }
    }

    /// Inputs, then every signal of the RTL with its twin.
    fn plain(&self) -> [Group; 2] {
        let inputs = self.all_of(&["inputs"], &[]);
        let rtl = (0..self.list().len()).filter(|&place| starts_with(&self.list()[place].scope, &["rtl"]));
        let pairs = rtl.flat_map(|place| [Some(place), self.list()[place].golden]).flatten();
        let observed: Vec<Item> = pairs.map(|place| self.trace(place)).collect();
        [("inputs", inputs), ("outputs and registers", observed)].map(|(name, items)| Group {
            name: name.into(),
            open: items.len() <= OPEN_TRACES,
            items,
        })
    }

    /// The ports that say most: those that differ first, then by what they did; in their order.
    pub(super) fn ports_of_interest(&self, count: usize, activity: &Activity) -> Vec<usize> {
        let mut by_interest = self.differing_ports(activity);
        for port in activity.ports_by_activity() {
            if !by_interest.contains(&port) {
                by_interest.push(port);
            }
        }
        by_interest.truncate(count);
        by_interest.sort_unstable();
        by_interest
    }

    /// The phases of the ports of interest, together, each with its level if there are some: so many lines at most.
    pub(super) fn phases(&self, count: usize, activity: &Activity) -> Group {
        let shown: &[&str] = if self.has_levels { &["phase_name", "level"] } else { &["phase_name"] };
        let mut ports = self.ports_of_interest(count / shown.len(), activity);
        // If anything happens, ports without it only take its place.
        if ports.iter().any(|&port| activity.has_changed(port)) {
            ports.retain(|&port| activity.has_changed(port));
        }
        let ports = ports.into_iter();
        let paths: Vec<String> =
            ports.flat_map(|port| shown.iter().map(move |name| format!("port{port}.{name}"))).collect();
        let name = if self.has_levels { "phases and levels" } else { "phases" };
        Group { name: name.into(), open: true, items: self.traces(paths.iter().map(String::as_str)) }
    }

    fn controller(&self, config: &Config, activity: &Activity) -> Vec<Group> {
        let (telling, others_of_one) = self.single_parts();
        let mut groups = telling;
        groups.push(self.phases(OVERVIEW_LINES, activity));
        let open = self.ports_of_interest(OPEN_PORTS, activity);
        groups.extend(open.iter().map(|&port| self.port(port, true)));
        let others = (0..config.ports).filter(|port| !open.contains(port)).map(|port| self.port(port, false)).collect();
        groups.push(folded("other ports", others));
        groups.push(folded("port groups", (0..config.groups.len()).map(|group| self.port_group(group)).collect()));
        let requesters = 0..config.requesters();
        groups.push(folded("requesters", requesters.map(|requester| self.requester(requester)).collect()));
        groups.extend(others_of_one);
        groups.push(self.place());
        groups
    }

    /// Where the switch stands, for what looks at it.
    pub(super) fn place(&self) -> Group {
        Group { name: "place in the network".into(), open: false, items: self.traces(["position", "stage"]) }
    }

    /// Everything of the parts of which there is one: of those that say in words what they do, and of the others.
    pub(super) fn single_parts(&self) -> (Vec<Group>, Vec<Group>) {
        let mut scopes: Vec<&str> = vec![];
        for variable in self.list() {
            let part = variable.scope.first().filter(|_| matches!(variable.owner, Owner::Part(_)));
            if let Some(part) = part.filter(|part| !scopes.contains(&part.as_str())) {
                scopes.push(part);
            }
        }
        scopes.into_iter().map(|scope| self.part(scope)).partition(|group| group.open)
    }

    /// Everything in a scope. If it says in words what it does, messages and states stand for their numbers, and what else there is of it is folded.
    fn part(&self, scope: &str) -> Group {
        let is_word = |variable: &Variable| {
            variable.is_text() && matches!(variable.meaning, Meaning::RingWord(_) | Meaning::Code(_) | Meaning::Phase)
        };
        let is_shown = |variable: &Variable| {
            let is_first = !variable.is_golden() && !matches!(variable.content, Content::Mismatch(_));
            let path = variable.path();
            let has_name = || !variable.is_text() && self.variables.find(&format!("{path}{NAME}")).is_some();
            let stem = path.strip_suffix(NAME).filter(|_| variable.is_text()).unwrap_or(&path);
            let is_output_too =
                || stem.strip_suffix(REGISTER).is_some_and(|output| self.variables.find(output).is_some());
            starts_with(&variable.scope, &[scope]) && is_first && !has_name() && !is_output_too()
        };
        let within = || self.list().iter().filter(|variable| starts_with(&variable.scope, &[scope]));
        if !within().any(is_word) {
            return Group { name: scope.into(), open: false, items: self.all_of(&[scope], &[]) };
        }
        let shown = (0..self.list().len()).filter(|&place| is_shown(&self.list()[place]));
        let mut items: Vec<Item> = shown.map(|place| self.trace(place)).collect();
        let details = self.all_of(&[scope], &items);
        items.push(Item::Group(Group { name: format!("{scope} details"), open: false, items: details }));
        Group { name: scope.into(), open: true, items }
    }

    fn port(&self, port: usize, open: bool) -> Group {
        let scope = format!("port{port}");
        let lasting = self.list().iter().filter(|variable| {
            let is_rtl = matches!(variable.content, Content::Bits { frame: WaveSource::Rtl, .. });
            is_rtl && variable.meaning == Meaning::Elapsed && starts_with(&variable.scope, &[&scope])
        });
        let lasting: Vec<String> = lasting.map(Variable::path).collect();
        let own = |names: &[&str]| names.iter().map(|name| format!("{scope}.{name}")).collect::<Vec<String>>();
        let phases = own(&["phase_name", "phase_name_golden"]);
        let rest = own(&["held", "ready", "flit_valid", "grantable", "preferred", "mismatch"]);
        let mut items = self.traces([phases, lasting, rest].iter().flatten().map(String::as_str));
        let details = self.all_of(&[&scope], &items);
        items.push(Item::Group(Group { name: format!("{scope} details"), open: false, items: details }));
        Group { name: scope, open, items }
    }

    pub(super) fn port_group(&self, group: usize) -> Group {
        Group { open: true, ..self.part(&format!("group{group}")) }
    }

    fn requester(&self, requester: usize) -> Group {
        let scope = format!("requester{requester}");
        Group { items: self.all_of(&[&scope], &[]), open: false, name: scope }
    }
}

/// A folded group of groups.
pub(super) fn folded(name: &str, items: Vec<Group>) -> Group {
    let items = items.into_iter().filter(|group| !group.items.is_empty()).map(Item::Group).collect();
    Group { name: name.into(), open: false, items }
}

/// How values with a meaning are written.
fn radix_of(meaning: Meaning) -> Radix {
    match meaning {
        // Only binary shows who is a member.
        Meaning::Flag | Meaning::Set | Meaning::Choice | Meaning::Pointer => Radix::Binary,
        // Words that are no numbers.
        Meaning::Data
        | Meaning::RingWord(_)
        | Meaning::Flit
        | Meaning::Destination
        | Meaning::Position
        | Meaning::ByteAddress => Radix::Hexadecimal,
        _ => Radix::Decimal,
    }
}

fn starts_with(scope: &[String], start: &[&str]) -> bool {
    scope.len() >= start.len() && scope.iter().zip(start).all(|(one, other)| one == other)
}
