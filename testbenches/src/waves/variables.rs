//! The variables of a dump, made from a block's layout.

use super::placement::{Arrangement, OwnerCounts, Style, WavePlace, scope_order};
use powar_config::mechanism::PolicyEntry;
use powar_config::signal::RingFormat;
use powar_config::{Layout, Meaning, Owner, Phase, Role, SignalDecl};
use std::borrow::Cow;
use std::collections::HashSet;

/// Suffix of a golden twin that is shown beside its RTL signal.
const GOLDEN: &str = "_golden";
/// Suffix of a register that shares its name with an output.
pub(super) const REGISTER: &str = "_reg";
/// Suffix of the text variable that names a code.
pub(super) const NAME: &str = "_name";

/// One of the frames that a cycle consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaveSource {
    Inputs,
    Rtl,
    Golden,
}

/// Names of a code's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Names {
    Phase,
    Code(&'static [&'static str]),
    Policy(&'static [PolicyEntry]),
    /// Not a code: the fields of a message.
    RingWord(&'static RingFormat),
}

impl Names {
    /// Of a signal that is a code with names.
    fn of(signal: &SignalDecl) -> Option<Names> {
        match signal.meaning {
            Meaning::Phase => Some(Names::Phase),
            Meaning::Code(names) => Some(Names::Code(names)),
            Meaning::Policy(policies) => Some(Names::Policy(policies)),
            Meaning::RingWord(format) => Some(Names::RingWord(format)),
            _ => None,
        }
    }

    /// The name of a code.
    pub fn get(self, code: u64) -> Cow<'static, str> {
        let name = match self {
            Names::Phase => Phase::by_code(code as u8).map(Phase::name),
            Names::Code(names) => names.get(code as usize).copied(),
            Names::Policy(policies) => policies.get(code as usize).or(policies.first()).map(|policy| policy.title),
            Names::RingWord(format) => return (format.told)(code).into(),
        };
        name.unwrap_or("unknown").into()
    }
}

/// Slots of `head_valid`, `holding` and `dropping` of a virtual channel, which together are its state.
pub type ChannelSlots = [usize; 3];

/// The state of a virtual channel in a word: what its older packet does, what its younger one does.
pub fn channel_state([head_valid, holding, dropping]: [bool; 3]) -> &'static str {
    match (holding, dropping, head_valid) {
        (false, _, false) => "idle",
        (false, _, true) => "asks",
        (true, false, false) => "sends",
        (true, false, true) => "sends+asks",
        (true, true, false) => "drops",
        (true, true, true) => "drops+asks",
    }
}

/// What a variable shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Clock,
    /// Number of the cycle, modulo 2^32.
    Cycle,
    /// Whether the models differ within a scope; its place among [`Variables::mismatch_scopes`].
    Mismatch(usize),
    /// Bits of a slot.
    Bits {
        frame: WaveSource,
        slot: usize,
        shift: usize,
    },
    /// The name of the code that a slot holds.
    Text {
        frame: WaveSource,
        slot: usize,
        names: Names,
    },
    /// The state of a virtual channel, see [`channel_state`].
    Channel {
        frame: WaveSource,
        slots: ChannelSlots,
    },
}

impl Content {
    /// The frame that it shows something of.
    fn frame(&self) -> Option<WaveSource> {
        match *self {
            Content::Bits { frame, .. } | Content::Text { frame, .. } | Content::Channel { frame, .. } => Some(frame),
            Content::Clock | Content::Cycle | Content::Mismatch(_) => None,
        }
    }
}

/// A variable of the dump.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Scopes below the block, outermost first.
    pub scope: Vec<String>,
    pub name: String,
    /// Bits; 1 for a text.
    pub width: usize,
    /// To what it belongs, and what it means.
    pub owner: Owner,
    pub meaning: Meaning,
    pub content: Content,
    /// The golden twin's place in the list, for a signal of the RTL that has one.
    pub golden: Option<usize>,
}

impl Variable {
    /// Path below the block, `port3.fsm.count`.
    pub fn path(&self) -> String {
        self.scope.iter().chain([&self.name]).map(String::as_str).collect::<Vec<_>>().join(".")
    }

    pub fn is_text(&self) -> bool {
        matches!(self.content, Content::Text { .. } | Content::Channel { .. })
    }

    /// Whether the variable shows the golden model.
    pub fn is_golden(&self) -> bool {
        self.content.frame() == Some(WaveSource::Golden)
    }
}

/// Bits of an observed slot that a mismatch scope watches.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// Place of the scope among [`Variables::mismatch_scopes`].
    pub scope: usize,
    pub mask: u64,
}

/// All variables of a dump, in the order of their declaration.
#[derive(Debug)]
pub struct Variables {
    pub list: Vec<Variable>,
    /// Outermost scopes that have a bit `mismatch`; the first is the block itself.
    pub mismatch_scopes: Vec<Option<String>>,
    /// For each slot of the observed frame, the scopes below the block that watch it.
    pub watches: Vec<Vec<Watch>>,
}

/// What belongs to the turns of the counters.
const SLOTS: Owner = Owner::Part("slots");

/// Which variables there shall be.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    pub golden: bool,
    pub counters: bool,
}

impl Variables {
    /// The variables of a block.
    pub fn of(layout: &Layout, style: Style, selection: Selection) -> Variables {
        let mut variables =
            Variables { list: vec![], mismatch_scopes: vec![None], watches: vec![vec![]; layout.observed_slots()] };
        variables.add(&[], "clk", 1, Content::Clock);
        variables.add_frame(&layout.inputs, WaveSource::Inputs, style, selection);
        variables.add(&[], "cycle", 32, Content::Cycle);
        variables.add(&[], "mismatch", 1, Content::Mismatch(0));
        variables.add_frame(&layout.observed, WaveSource::Rtl, style, selection);
        if style.arrangement == Arrangement::Switch {
            variables.add_channel_states(layout, style.owners, selection);
        }
        for (place, scope) in variables.mismatch_scopes.clone().into_iter().enumerate().skip(1) {
            let scope = Vec::from_iter(scope);
            variables.add(&scope, "mismatch", 1, Content::Mismatch(place));
        }
        variables.sort();
        variables
    }

    /// The variable with this path below the block.
    pub fn find(&self, path: &str) -> Option<usize> {
        self.list.iter().position(|variable| variable.path() == path)
    }

    fn add(&mut self, scope: &[String], name: &str, width: usize, content: Content) -> usize {
        let (owner, meaning) = (Owner::Block, Meaning::Number);
        let (scope, name) = (scope.to_vec(), name.to_owned());
        self.list.push(Variable { scope, name, width, owner, meaning, content, golden: None });
        self.list.len() - 1
    }

    /// Adds a variable that shows something of a signal.
    fn add_of(&mut self, signal: &SignalDecl, scope: &[String], name: &str, width: usize, content: Content) -> usize {
        let place = self.add(scope, name, width, content);
        (self.list[place].owner, self.list[place].meaning) = (signal.owner, signal.meaning);
        place
    }

    fn add_frame(&mut self, signals: &[SignalDecl], frame: WaveSource, style: Style, selection: Selection) {
        // A register may be an output as well; both are compared, so that both are shown.
        let rows = || signals.iter().flat_map(|signal| (0..signal.rows).map(move |row| (signal, row)));
        let outputs: HashSet<(Vec<String>, String)> = rows()
            .filter(|(signal, _)| signal.role == Role::Output)
            .flat_map(|(signal, row)| style.places(signal, row))
            .map(|place| (place.scope, place.name))
            .collect();
        for (slot, (signal, row)) in rows().enumerate() {
            for mut place in style.places(signal, row) {
                let path = (place.scope, place.name);
                let is_second = signal.role == Role::Register && outputs.contains(&path);
                (place.scope, place.name) = path;
                if is_second {
                    place.name += REGISTER;
                }
                if frame == WaveSource::Rtl {
                    self.watch(slot, &place, style);
                }
                let is_counter = (signal.owner, signal.meaning) == (Owner::Port, Meaning::PortCounter);
                if selection.counters || !is_counter && signal.owner != SLOTS {
                    self.add_place(signal, slot, &place, frame, style, selection);
                }
            }
        }
    }

    /// The variables of a place: the value and perhaps its name, of the RTL and perhaps of the golden model.
    fn add_place(
        &mut self,
        signal: &SignalDecl,
        slot: usize,
        place: &WavePlace,
        frame: WaveSource,
        style: Style,
        selection: Selection,
    ) {
        let WavePlace { scope, name, shift, width } = place;
        let twin = |scope: &[String], name: &str| match style.golden_scope() {
            Some(golden) => ([&[golden.to_owned()], &scope[1..]].concat(), name.to_owned()),
            None => (scope.to_vec(), format!("{name}{GOLDEN}")),
        };
        let bits = |frame| Content::Bits { frame, slot, shift: *shift };
        let text = |frame, names| Content::Text { frame, slot, names };
        let shown = [
            Some((name.clone(), *width, bits(frame), bits(WaveSource::Golden))),
            Names::of(signal)
                .map(|names| (format!("{name}{NAME}"), 1, text(frame, names), text(WaveSource::Golden, names))),
        ];
        for (name, width, content, golden_content) in shown.into_iter().flatten() {
            let rtl = self.add_of(signal, scope, &name, width, content);
            if frame == WaveSource::Rtl && selection.golden {
                let (scope, name) = twin(scope, &name);
                self.list[rtl].golden = Some(self.add_of(signal, &scope, &name, width, golden_content));
            }
        }
    }

    /// The states of the virtual channels in words.
    fn add_channel_states(&mut self, layout: &Layout, sizes: OwnerCounts, selection: Selection) {
        let first = ["head_valid", "holding", "dropping"]
            .map(|name| layout.observed(Role::Register, &format!("input_port.vc.{name}")));
        let [Some(head_valid), Some(holding), Some(dropping)] = first else { return };
        for row in 0..sizes.ports * sizes.vcs {
            let scope = [format!("port{}", row / sizes.vcs), format!("vc{}", row % sizes.vcs)];
            let slots = [head_valid, holding, dropping].map(|first| first + row);
            let rtl = self.add(&scope, "state_name", 1, Content::Channel { frame: WaveSource::Rtl, slots });
            if selection.golden {
                let content = Content::Channel { frame: WaveSource::Golden, slots };
                self.list[rtl].golden = Some(self.add(&scope, &format!("state_name{GOLDEN}"), 1, content));
            }
        }
    }

    /// Lets the outermost scope of a place watch its bits. Scopes of a whole model have no `mismatch` of their own.
    fn watch(&mut self, slot: usize, place: &WavePlace, style: Style) {
        let Some(outermost) = place.scope.first().filter(|_| style.arrangement != Arrangement::Plain) else { return };
        let known = self.mismatch_scopes.iter().position(|scope| scope.as_ref() == Some(outermost));
        let scope = known.unwrap_or_else(|| {
            self.mismatch_scopes.push(Some(outermost.clone()));
            self.mismatch_scopes.len() - 1
        });
        self.watches[slot].push(Watch { scope, mask: mask(place.width) << place.shift });
    }

    /// Brings the variables into the order of their scopes.
    fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.list.len()).collect();
        order.sort_by_key(|&old| scope_order(self.list[old].scope.first().map(String::as_str)));
        let mut new_place = vec![0; order.len()];
        for (new, &old) in order.iter().enumerate() {
            new_place[old] = new;
        }
        self.list = order.iter().map(|&old| self.list[old].clone()).collect();
        for variable in &mut self.list {
            variable.golden = variable.golden.map(|old| new_place[old]);
        }
    }
}

/// The lowest bits.
pub fn mask(width: usize) -> u64 {
    u64::MAX >> (64 - width)
}
