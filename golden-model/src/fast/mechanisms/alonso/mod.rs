//! Alonso's mechanism, event-driven: links whose transitions are planned, and groups that are looked at when flits have gone over them
//! or what they see changes.

mod fsms;
mod groups;
mod minimal_tree;

use super::{Entry, EventMechanism};
use crate::bits::low_bits;
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::alonso::ControlRegisters;
use crate::reference::power::mechanism::Write;
use fsms::Fsms;
use groups::{Groups, Rules, Wishes};
use minimal_tree::{MinimalTree, Near};
use powar_config::mechanism::alonso::AlonsoValues;
use powar_config::{Config, Mechanism, mechanism};

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("alonso", |config| Box::new(Alonso::new(config)));

/// The mechanism; vectors have one bit a port.
#[derive(Clone, Debug)]
struct Alonso {
    ports: usize,
    tree: MinimalTree,
    registers: ControlRegisters,
    rules: Rules,
    groups: Groups,
    fsms: Fsms,
    was_on: u64,
    down_active: bool,
    started: bool,
    /// Ports that are to be on: it follows from the groups and from `down_active`.
    active: u64,
}

/// What is derived from what is seen in a cycle.
struct Derived {
    near: Near,
    wishes: Wishes,
    down_active: bool,
    in_use: u64,
}

impl Alonso {
    fn new(config: &Config) -> Alonso {
        let registers = ControlRegisters::new(AlonsoValues::of(config));
        Alonso {
            ports: config.ports,
            tree: MinimalTree::new(config),
            rules: Rules { sleeps: registers.sleeps(), dynamic: registers.dynamic() },
            registers,
            groups: Groups::new(&config.groups),
            fsms: Fsms::new(config.ports),
            was_on: 0,
            down_active: true,
            started: false,
            active: 0,
        }
    }

    #[inline]
    fn derive(&self, seen: &Seen) -> Derived {
        let (near, in_use) = (self.tree.near(&seen.around), seen.held | seen.given | seen.departing);
        if !self.tree.is_tree() {
            let wishes = Wishes { keep: true, ..Wishes::default() };
            return Derived { near, wishes, down_active: true, in_use };
        }
        let (down, wanted) = (self.tree.down, seen.around.wanted);
        let is_leaf = seen.around.stage == 0;
        let (rises, falls) = (near.on & !self.was_on, !near.on & self.was_on);
        let outside = if near.in_tree { 0 } else { down };
        let wishes = Wishes {
            keep: near.in_tree || wanted & !down != 0 || near.on & down != 0,
            all_on: is_leaf && self.registers.values.litmus && seen.around.neighbours.hint & down != 0,
            on: outside & rises,
            off: outside & falls,
            first: u64::from(outside != 0 && rises & !down != 0),
        };
        let needed = near.in_tree || !self.rules.sleeps || near.on != 0 || wanted & down != 0;
        let all_off = near.off == low_bits(self.ports);
        Derived { near, wishes, down_active: needed || self.down_active && !all_off, in_use }
    }

    /// Nothing changes at the end of a cycle but what is planned.
    #[inline]
    fn is_settled(&self, derived: &Derived) -> bool {
        self.started
            && derived.near.on == self.was_on
            && derived.down_active == self.down_active
            && self.fsms.is_settled(self.active, derived.in_use)
            && self.groups.is_settled(self.rules, &derived.wishes)
    }

    /// The part of a clock edge that few cycles have.
    #[cold]
    #[inline(never)]
    fn change(&mut self, now: u64, seen: &Seen, derived: &Derived, shown: &mut Shown) {
        let values = &self.registers.values;
        // Links see what the groups hold before the edge.
        self.fsms.clock(now, self.active, derived.in_use, values, shown);
        let only_last = values.start && !self.started;
        self.groups.clock(now, (&seen.flits, seen.departing), values, self.rules, &derived.wishes, only_last);
        (self.was_on, self.down_active, self.started) = (derived.near.on, derived.down_active, true);
        self.show(shown);
    }

    /// What follows from links and groups.
    fn show(&mut self, shown: &mut Shown) {
        let every = shown.every();
        self.active = every & self.groups.active() & if self.down_active { u64::MAX } else { !self.tree.down };
        (shown.grantable, shown.preferred) = (self.active & self.fsms.on(), every);
        (shown.ready, shown.steady) = (self.fsms.ready(), self.fsms.ready());
        shown.serves = self.active;
    }
}

impl EventMechanism for Alonso {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::alonso::MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.rules = Rules { sleeps: self.registers.sleeps(), dynamic: self.registers.dynamic() };
        self.fsms = Fsms::new(self.ports);
        self.groups.reset(now, self.registers.values.check_period);
        (self.was_on, self.down_active, self.started) = (shown.every(), true, false);
        self.show(shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        self.groups.catch_up(now);
        let derived = self.derive(seen);
        let is_due = now >= self.groups.next_check().min(self.fsms.next_due());
        if is_due || !self.is_settled(&derived) {
            self.change(now, seen, &derived, shown);
        } else {
            self.groups.note_flits(seen.departing);
        }
        0
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let derived = self.derive(seen);
        if !self.is_settled(&derived) {
            return now;
        }
        self.fsms.next_due().min(self.groups.next_event(now, self.rules, &derived.wishes))
    }

    /// The control registers' edge, and what their new values mean for events already planned.
    fn write(&mut self, next: u64, write: Write, _: &mut Shown) {
        let before = self.registers.values;
        self.registers.clock(Some(write));
        let values = &self.registers.values;
        if *values == before {
            return;
        }
        self.rules = Rules { sleeps: self.registers.sleeps(), dynamic: self.registers.dynamic() };
        self.fsms.plan_anew(next, values);
        self.groups.plan_anew(next, values.check_period);
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    /// No port that is held is ever not ready, but a packet may wait for a link that comes on.
    fn longest_wait(&self) -> u64 {
        self.registers.values.turn_on.into()
    }

    fn keeps_ready(&self) -> bool {
        true
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        frame.put([self.was_on, self.down_active.into(), self.started.into()]);
        frame.put_words(&self.registers.values);
        self.groups.observe(now, &seen.flits, frame);
        self.fsms.observe(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
