//! The links.
//!
//! What time does to a link is told, not counted: its debt and the cycles in which it carries something follow from since when it is used, its
//! quiet and dead cycles from when they began. A link to which more happens in a cycle passes it as the block of the reference model does; the
//! others cost nothing.

use crate::bits::{is_set, low_bits, ones};
use crate::fast::frame::Frame;
use crate::fast::power::Shown;
use crate::reference::mechanisms::e_rapid::LinkController;
use crate::reference::mechanisms::e_rapid::link_controller::{AHEAD, FLIT, LinkInputs, MOST_DEBT, rate};
use crate::reference::mechanisms::e_rapid::queue_monitor::MOST;
use powar_config::Phase;
use powar_config::mechanism::e_rapid::{Layout, MECHANISM};

/// How links are used in a cycle, one bit a link: they are held, given to a packet or a flit sets out for them; a flit does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Use {
    pub used: u64,
    pub sending: u64,
}

/// What the registers say of when links change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Cycles of a change of rate.
    pub dead_time: u8,
}

/// The links; vectors have one bit a link.
#[derive(Clone, Debug)]
pub(super) struct Links {
    count: usize,
    pub holds: u64,
    pub withheld: u64,
    pub offered: u64,
    pub leaving: u64,
    pub retuning: u64,
    /// In phase `On`, and in `ComingOn`.
    pub on: u64,
    coming_on: u64,
    /// Those in the first cycle of `ComingOn`.
    hints: u64,
    /// Those with more debt than a packet may set out with.
    paced: u64,
    /// Those that may have a debt, and others.
    indebted: u64,
    /// How links are used from the cycle in `at` on.
    now: Use,
    level: [u8; 64],
    next_level: [u8; 64],
    /// The cycle in which `debt` and `busy_count` were these.
    at: [u64; 64],
    debt: [u32; 64],
    busy_count: [u16; 64],
    busy: [u16; 64],
    /// A cycle, the register `quiet` in it; since then the link has been open, or it has not.
    quiet: [(u64, u8); 64],
    /// The first cycle of `ComingOn`.
    since: [u64; 64],
}

/// The debt behind so many cycles, in each of which a flit sets out or in none.
#[inline]
fn debt_after(debt: u32, rate: u32, sends: bool, cycles: u64) -> u32 {
    match sends {
        true => (u64::from(debt) + cycles * u64::from(FLIT - rate)) as u32 & MOST_DEBT,
        false => u64::from(debt).saturating_sub(cycles.saturating_mul(rate.into())) as u32,
    }
}

/// The place of a pair in the residency of the mechanism.
fn pair(phase: Phase, level: u8) -> usize {
    let place = match phase {
        Phase::On => usize::from(level),
        Phase::ComingOn => 5 + usize::from(level),
        _ => 11,
    };
    debug_assert!(MECHANISM.residency[place].phase == phase && MECHANISM.residency[place].level == level);
    place
}

impl Links {
    /// The state after reset, in cycle `now`.
    pub fn new(layout: &Layout, now: u64) -> Self {
        let count = layout.links();
        let at_first = (0..count).fold(0, |links, link| links | u64::from(layout.is_first(link)) << link);
        let after_reset = LinkController::new(true);
        let level = |link: usize| if is_set(at_first, link) { after_reset.level } else { 0 };
        Links {
            count,
            holds: at_first,
            withheld: 0,
            offered: 0,
            leaving: 0,
            retuning: 0,
            on: at_first,
            coming_on: 0,
            hints: 0,
            paced: 0,
            indebted: 0,
            now: Use::default(),
            level: std::array::from_fn(level),
            next_level: [after_reset.next_level; 64],
            at: [now; 64],
            debt: [0; 64],
            busy_count: [0; 64],
            busy: [0; 64],
            quiet: [(now, 0); 64],
            since: [now; 64],
        }
    }

    pub fn every(&self) -> u64 {
        low_bits(self.count)
    }

    /// Packets may be given to them, but for pacing.
    #[inline]
    pub fn open(&self) -> u64 {
        self.holds & self.on & !(self.withheld | self.leaving | self.retuning)
    }

    #[inline]
    pub fn grantable(&self) -> u64 {
        self.open() & !self.paced
    }

    fn rate(&self, link: usize) -> u32 {
        rate(self.level[link])
    }

    /// The debt of a link in cycle `now`, if it is used until then as it was last.
    #[inline]
    fn debt(&self, link: usize, now: u64) -> u32 {
        debt_after(self.debt[link], self.rate(link), is_set(self.now.sending, link), now - self.at[link])
    }

    /// Brings what is counted of a link to cycle `now`.
    #[inline]
    fn settle(&mut self, link: usize, now: u64) {
        let cycles = now - self.at[link];
        if cycles == 0 {
            return;
        }
        let carried = match is_set(self.now.used, link) {
            true => cycles,
            false => cycles.min(self.debt[link].div_ceil(self.rate(link)).into()),
        };
        self.busy_count[link] = (u64::from(self.busy_count[link]) + carried).min(MOST.into()) as u16;
        self.debt[link] = self.debt(link, now);
        self.at[link] = now;
        self.indebted = self.indebted & !(1 << link) | u64::from(self.debt[link] != 0) << link;
    }

    /// From cycle `now` on links are used in this way.
    #[inline]
    pub fn use_from(&mut self, now: u64, next: Use) {
        for link in ones((self.now.used ^ next.used) | (self.now.sending ^ next.sending)) {
            self.settle(link, now);
        }
        self.now = next;
    }

    /// The register `quiet` of a link in cycle `now`.
    fn quiet(&self, link: usize, now: u64) -> u8 {
        let (since, then) = self.quiet[link];
        match is_set(self.open(), link) {
            true if now > since => 0,
            true => then,
            false => (now - since + u64::from(then)).min(2) as u8,
        }
    }

    fn phase(&self, link: usize) -> Phase {
        match () {
            () if is_set(self.on, link) => Phase::On,
            () if is_set(self.coming_on, link) => Phase::ComingOn,
            () => Phase::Off,
        }
    }

    /// The registers of a link in cycle `now`.
    pub fn controller(&self, link: usize, now: u64) -> LinkController {
        let mut settled = (self.debt[link], self.busy_count[link]);
        if self.at[link] != now {
            let cycles = now - self.at[link];
            let carried = match is_set(self.now.used, link) {
                true => cycles,
                false => cycles.min(self.debt[link].div_ceil(self.rate(link)).into()),
            };
            settled = (self.debt(link, now), (u64::from(self.busy_count[link]) + carried).min(MOST.into()) as u16);
        }
        let dead = if is_set(self.coming_on, link) { now - self.since[link] + 1 } else { 1 };
        LinkController {
            // Of a reset alone.
            at_first: false,
            holds: is_set(self.holds, link),
            withheld: is_set(self.withheld, link),
            offered: is_set(self.offered, link),
            leaving: is_set(self.leaving, link),
            retuning: is_set(self.retuning, link),
            quiet: self.quiet(link, now),
            phase: self.phase(link),
            level: self.level[link],
            next_level: self.next_level[link],
            dead: dead as u8,
            debt: settled.0,
            busy_count: settled.1,
            busy: self.busy[link],
        }
    }

    /// How a link is used in the cycle under way.
    pub fn inputs(&self, link: usize) -> LinkInputs {
        LinkInputs {
            in_use: is_set(self.now.used, link),
            departing: is_set(self.now.sending, link),
            ..LinkInputs::default()
        }
    }

    /// The edge that ends cycle `now` for a link to which more happens than that time passes. `ports`: of the first link.
    pub fn clock(&mut self, link: usize, now: u64, inputs: &LinkInputs, nodes: usize, shown: &mut Shown) {
        let before = self.controller(link, now);
        let mut after = before.clone();
        after.clock(inputs);
        let was_open = self.open();
        let put = |links: &mut u64, value: bool| *links = *links & !(1 << link) | u64::from(value) << link;
        put(&mut self.holds, after.holds);
        put(&mut self.withheld, after.withheld);
        put(&mut self.offered, after.offered);
        put(&mut self.leaving, after.leaving);
        put(&mut self.retuning, after.retuning);
        put(&mut self.on, after.phase == Phase::On);
        put(&mut self.coming_on, after.phase == Phase::ComingOn);
        put(&mut self.indebted, after.debt != 0);
        (self.level[link], self.next_level[link]) = (after.level, after.next_level);
        (self.at[link], self.debt[link], self.busy_count[link]) = (now + 1, after.debt, after.busy_count);
        self.busy[link] = after.busy;
        if (was_open ^ self.open()) >> link & 1 == 1 {
            self.quiet[link] = (now + 1, after.quiet);
        }
        if (before.phase, before.level) != (after.phase, after.level) {
            shown.enter(nodes + link, pair(after.phase, after.level), now + 1);
            if before.phase != Phase::ComingOn && after.phase == Phase::ComingOn {
                self.since[link] = now + 1;
                self.hints |= 1 << link;
            }
        }
    }

    /// A window of a link ends with cycle `now`, at whose end nothing else of it changes.
    pub fn sample(&mut self, link: usize, now: u64) {
        self.settle(link, now);
        self.busy[link] = self.busy_count[link];
        self.busy_count[link] = 0;
    }

    /// Links that pass the edge behind cycle `now` by themselves, as time goes by: those that are drained for something, and those whose dead
    /// time is over.
    pub fn restless(&self, now: u64, rules: &Rules) -> u64 {
        let dead = ones(self.coming_on).filter(|&link| self.end_of_dead_time(link, rules) <= now);
        dead.fold((self.leaving | self.retuning) & self.on, |links, link| links | 1 << link)
    }

    fn end_of_dead_time(&self, link: usize, rules: &Rules) -> u64 {
        self.since[link] + u64::from(rules.dead_time.max(1)) - 1
    }

    /// The end of an edge behind cycle `now`: what follows from debts, and from changes of phase. The ports of links that show a control packet.
    pub fn end_edge(&mut self, now: u64) -> u64 {
        for link in ones((self.indebted | self.now.sending | self.paced) & self.every()) {
            let debt = self.debt(link, now + 1);
            let is_paced = debt > AHEAD * self.rate(link);
            self.paced = self.paced & !(1 << link) | u64::from(is_paced) << link;
            if debt == 0 && !is_set(self.now.sending, link) {
                self.indebted &= !(1 << link);
            }
        }
        std::mem::take(&mut self.hints)
    }

    /// The first cycle from `now` on at whose end a link shows something else, if until then links are used in this way. They have been
    /// since cycle `since`.
    pub fn next_event(&self, now: u64, since: u64, next: Use, rules: &Rules) -> u64 {
        let open = self.open();
        let mut event = u64::MAX;
        for link in ones((self.indebted | self.now.sending | next.sending | self.paced) & open) {
            let (rate, sends) = (self.rate(link), is_set(next.sending, link));
            let debt = debt_after(self.debt(link, since), rate, sends, now - since);
            let limit = AHEAD * rate;
            let steps = match (sends, debt > limit) {
                (true, false) => (limit - debt) / (FLIT - rate) + 1,
                (true, true) => (MOST_DEBT + 1 - debt).div_ceil(FLIT - rate),
                (false, true) => (debt - limit).div_ceil(rate),
                (false, false) => continue,
            };
            event = event.min(now + u64::from(steps) - 1);
        }
        for link in ones(self.coming_on) {
            event = event.min(self.end_of_dead_time(link, rules).max(now));
        }
        let waits = self.leaving | self.retuning & !(self.withheld | self.offered);
        for link in ones(waits & self.on & !next.used) {
            let (quiet, rate) = (2 - self.quiet(link, now), self.rate(link));
            let debt = debt_after(self.debt(link, since), rate, false, now - since);
            event = event.min(now + u64::from(quiet).max(debt.div_ceil(rate).into()));
        }
        event
    }

    /// Whether a link that is sampled in a cycle to come becomes closed or open by it, if until then it is used in this way, which it has
    /// been since cycle `since`; `offers`: DBR is on.
    pub fn changes_with_sample(&self, link: usize, since: u64, next: Use, offers: bool) -> bool {
        if is_set(self.withheld, link) {
            return !is_set(self.offered, link);
        }
        let is_used = is_set(next.used, link) || self.busy_count[link] != 0;
        offers && is_set(self.open(), link) && !is_used && {
            let then = self.controller(link, since);
            then.busy_count == 0 && then.debt == 0
        }
    }

    /// Whether a link to which packets have waited for so many cycles gets another level.
    pub fn tunes(&self, link: usize, wait: u16, (b_min, b_max): (u16, u16)) -> bool {
        let may_tune = self.holds & self.on & !(self.leaving | self.retuning);
        let level = self.level[link];
        is_set(may_tune, link) && if wait <= b_min { level > 0 } else { wait > b_max && level < 5 }
    }

    /// The registers in cycle `now`.
    pub fn observe(&self, now: u64, frame: &mut Frame) {
        let links: Vec<LinkController> = (0..self.count).map(|link| self.controller(link, now)).collect();
        let mut put = |value: fn(&LinkController) -> u64| frame.fill(self.count, |link| value(&links[link]));
        put(|link| link.holds.into());
        put(|link| link.withheld.into());
        put(|link| link.offered.into());
        put(|link| link.leaving.into());
        put(|link| link.retuning.into());
        put(|link| link.quiet.into());
        put(|link| link.phase as u64);
        put(|link| link.level.into());
        put(|link| link.next_level.into());
        put(|link| link.dead.into());
        put(|link| link.debt.into());
        put(|link| link.busy_count.into());
        put(|link| link.busy.into());
    }
}
