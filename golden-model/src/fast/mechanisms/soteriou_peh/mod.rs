//! Soteriou and Peh's mechanism, event-driven: links whose transitions and idle times are planned, and windows whose ends are looked at if
//! something has happened in them, or something may come of it.

mod fsms;
mod windows;

use super::{Entry, EventMechanism};
use crate::bits::low_bits;
use crate::fast::frame::Frame;
use crate::fast::power::{Planes, Seen, Shown};
use crate::reference::mechanisms::soteriou_peh::link_choice::ChoiceInputs;
use crate::reference::mechanisms::soteriou_peh::soteriou_peh::graph;
use crate::reference::mechanisms::soteriou_peh::{ControlRegisters, LinkChoice};
use crate::reference::power::mechanism::Write;
use fsms::{Fsms, Sight};
use powar_config::mechanism::soteriou_peh::{MECHANISM, Places, SoteriouPehValues, links};
use powar_config::{Config, Mechanism, Phase};
use windows::{Counts, Windows, index};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("soteriou_peh", |config| Box::new(SoteriouPeh::new(config)));

/// The value of `idle_limit` after a reset.
const NEVER: u32 = (1 << 24) - 1;

/// The mechanism; vectors have one bit a link.
#[derive(Clone, Debug)]
struct SoteriouPeh {
    links: usize,
    buffer_flits: usize,
    places: Option<Places>,
    registers: ControlRegisters,
    graph: Graph,
    windows: Windows,
    choice: LinkChoice,
    fsms: Fsms,
    idle_limit: u32,
    /// The first cycle that has not been clocked.
    clocked: u64,
}

/// Which links there are, and which may go off, at a place and under a policy.
#[derive(Clone, Copy, Debug)]
struct Graph {
    position: u16,
    policy: u8,
    linked: u64,
    may_sleep: u64,
}

/// What is derived from what is seen in a cycle.
struct Derived {
    counts: Counts,
    sight: Sight,
    /// Links that a packet wants and that are off or come on.
    woken: u64,
    /// Of the next cycle.
    idle_limit: u32,
}

impl Graph {
    fn new(places: Option<&Places>, links: usize, position: u16, policy: u8) -> Graph {
        let Some(places) = places else {
            let every = low_bits(links);
            return Graph { position, policy, linked: every, may_sleep: every };
        };
        let (linked, may_sleep) = graph(places, position, policy);
        Graph { position, policy, linked, may_sleep }
    }
}

impl SoteriouPeh {
    fn new(config: &Config) -> SoteriouPeh {
        let registers = ControlRegisters::new(SoteriouPehValues::of(config));
        let (links, places, buffer_flits) = (links(config), Places::of(config), config.switch.buffer_flits);
        SoteriouPeh {
            links,
            buffer_flits,
            graph: Graph::new(places.as_ref(), links, 0, registers.values.policy),
            places,
            windows: Windows::new(links, buffer_flits, registers.values.window, 0),
            registers,
            choice: LinkChoice::new(links),
            fsms: Fsms::new(links, 0),
            idle_limit: NEVER,
            clocked: 0,
        }
    }

    /// The graph of this place.
    fn graph(&self, position: u16) -> Graph {
        let policy = self.registers.values.policy;
        if (self.graph.position, self.graph.policy) == (position, policy) {
            return self.graph;
        }
        Graph::new(self.places.as_ref(), self.links, position, policy)
    }

    fn derive(&self, graph: &Graph, seen: &Seen) -> Derived {
        let (around, values, every) = (&seen.around, &self.registers.values, self.fsms.every());
        let number = |links: u64| (graph.linked & links).count_ones() as u8;
        let Planes([low, middle, high]) = around.neighbours.phase;
        const { assert!(Phase::On as u8 == 0b000 && Phase::Draining as u8 == 0b101) };
        let near = !middle & !(low ^ high);
        let counts = Counts {
            ins: number(near),
            outs: number(self.fsms.sends()),
            on: number(self.choice.active),
            off: number(!self.choice.active),
        };
        let idle = values.idle()[usize::from(index(counts.outs))];
        Derived {
            counts,
            sight: Sight {
                active: self.choice.active,
                dozes: if self.registers.on_demand() { graph.may_sleep } else { 0 },
                in_use: every & (seen.held | seen.given | seen.departing),
                wanted: every & around.wanted,
                idle_limit: self.idle_limit,
                t_trans: values.t_trans,
            },
            woken: around.wanted & self.fsms.not_yet_on(),
            idle_limit: if self.windows.late() { 2 * idle } else { idle },
        }
    }

    /// The links that are to be on in the next cycle, behind a decision: below, above.
    fn chosen(&self, graph: &Graph, woken: u64, (below, above): (bool, bool)) -> u64 {
        let mut choice = self.choice.clone();
        let by_load = self.registers.by_load();
        choice.clock(&ChoiceInputs { by_load, below, above, may_sleep: graph.may_sleep, woken });
        choice.active
    }

    /// Brings times up to cycle `now`: since the last cycle that was clocked this is what has been seen, but for ports that are given
    /// in this one, and for a place that is another from it on.
    fn pass(&mut self, now: u64, seen: &Seen) {
        if now > self.clocked {
            let in_use = self.fsms.every() & (seen.held | seen.departing);
            self.fsms.pass(now, &Sight { in_use, ..self.derive(&self.graph, seen).sight });
            self.clocked = now;
        }
        self.windows.catch_up(now);
    }

    /// What follows from links.
    fn show(&self, shown: &mut Shown) {
        let (every, others) = (shown.every(), shown.every() & !self.fsms.every());
        (shown.grantable, shown.preferred) = (others | self.choice.active & self.fsms.on(), every);
        (shown.ready, shown.serves) = (others | self.fsms.sends(), shown.grantable);
        shown.steady = shown.ready;
    }
}

impl EventMechanism for SoteriouPeh {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.graph = self.graph(self.graph.position);
        self.windows = Windows::new(self.links, self.buffer_flits, self.registers.values.window, now);
        self.choice = LinkChoice::new(self.links);
        self.fsms = Fsms::new(self.links, now);
        (self.idle_limit, self.clocked) = (NEVER, now);
        self.show(shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        self.pass(now, seen);
        let graph = self.graph(seen.around.position);
        if graph.position != self.graph.position {
            self.windows.plan_anew(now, self.registers.values.window);
            self.graph = graph;
        }
        let derived = self.derive(&graph, seen);
        let decision = self.windows.clock(now, seen, derived.counts, &self.registers.values);
        let active = self.chosen(&graph, derived.woken, decision);
        let moved = self.fsms.clock(now, &derived.sight, shown);
        (self.idle_limit, self.clocked) = (derived.idle_limit, now + 1);
        if moved || active != self.choice.active {
            self.choice.active = active;
            self.show(shown);
        }
        0
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let graph = self.graph(seen.around.position);
        let derived = self.derive(&graph, seen);
        let changes = |decision: (bool, bool)| self.chosen(&graph, derived.woken, decision) != self.choice.active;
        if derived.idle_limit != self.idle_limit || changes((false, false)) {
            return now;
        }
        // Links that are in use, or wanted, begin their idle times anew in every cycle: nothing of that shows before they are not.
        let end_of_window = self.windows.next_event(now, seen, derived.counts, changes);
        self.fsms.next_event(now, &derived.sight).min(end_of_window)
    }

    fn write(&mut self, next: u64, write: Write, _: &mut Shown) {
        self.registers.clock(Some(write));
        self.graph = self.graph(self.graph.position);
        self.windows.plan_anew(next, self.registers.values.window);
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    /// A packet may wait until a link has gone off and come on again.
    fn longest_wait(&self) -> u64 {
        2 * u64::from(self.registers.values.t_trans)
    }

    fn keeps_ready(&self) -> bool {
        true
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.pass(now, seen);
        frame.put([self.idle_limit.into()]);
        frame.put_words(&self.registers.values);
        self.windows.observe(now, seen, frame);
        frame.put([self.choice.active]);
        self.fsms.observe(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
