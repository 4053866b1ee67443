//! Check timer and groups of links.
//!
//! Neither timer nor flits are counted: the timer is the time since the last check, the flits are the difference to the totals at the
//! last check. A check that would change nothing does not happen: it is made up for when something else does.

use crate::bits::{MAX_24, low_bits};
use crate::fast::frame::Frame;
use crate::fast::power::FlitTotals;
use powar_config::Group;
use powar_config::mechanism::alonso::AlonsoValues;

/// A group of links.
#[derive(Clone, Debug)]
struct GroupState {
    ports: Group,
    /// Bit i: link i of the group is to be on.
    active: u64,
    on_limit: u64,
    off_limit: u64,
    /// Flits of its ports before the last check. The flit counter is what has come since; it is not kept.
    before: u32,
}

/// What the groups of a switch see of its neighbours and its packets; the same for all of them, since there are several only in a
/// torus, where it is nothing. Bit i is link i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wishes {
    /// The last link stays.
    pub keep: bool,
    pub all_on: bool,
    /// Links that come on, go off, and the link that comes on if there is none.
    pub on: u64,
    pub off: u64,
    pub first: u64,
}

/// What the registers say of the policy.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub sleeps: bool,
    pub dynamic: bool,
}

impl GroupState {
    /// The state after reset.
    fn new(ports: Group) -> GroupState {
        GroupState { ports, active: low_bits(ports.size), on_limit: 0, off_limit: 0, before: 0 }
    }

    /// The flit counter when the flits of the ports add up to `total`. Differences do not mind that totals wrap.
    fn count_at(&self, total: u32) -> u64 {
        u64::from(total.wrapping_sub(self.before) & MAX_24)
    }

    /// The links that are to be on in the next cycle; `count`: the flits of the period, if it ends.
    fn next_active(&self, count: Option<u64>, wishes: &Wishes) -> u64 {
        let (active, every) = (self.active, low_bits(self.ports.size));
        if wishes.all_on {
            return every;
        }
        let (mut on, mut off) = (wishes.on, wishes.off);
        if active == 0 {
            on |= wishes.first;
        } else if let Some(count) = count {
            let inactive = every & !active;
            if count > self.on_limit {
                on |= inactive & inactive.wrapping_neg();
            } else if self.ports.size as u64 * count < self.off_limit || count == 0 && !wishes.keep {
                off |= 1 << active.ilog2();
            }
        }
        let next = active & !off | on;
        if next != 0 || !wishes.keep { next } else { (active & active.wrapping_neg()).max(1) }
    }

    /// As far as the thresholds go, a period without a flit takes a link off.
    fn may_shed(&self) -> bool {
        self.off_limit != 0 && self.active & self.active.wrapping_sub(1) != 0
    }
}

/// The groups of a switch.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    groups: Vec<GroupState>,
    /// The ports that are in a group.
    grouped: u64,
    /// The cycle in which the check timer's count was 0, and that of the check that ends its period.
    since: u64,
    next_check: u64,
    check_period: u64,
    /// The ports in groups that flits have left on since the last check.
    used: u64,
    /// The limits do not yet follow from the links and the threshold registers.
    limits_due: bool,
    may_shed: bool,
}

impl Groups {
    /// To be reset before they are used.
    pub fn new(groups: &[Group]) -> Self {
        Groups {
            groups: groups.iter().map(|&ports| GroupState::new(ports)).collect(),
            grouped: groups.iter().fold(0, |ports, group| ports | low_bits(group.size) << group.first),
            since: 0,
            next_check: 0,
            check_period: 1,
            used: 0,
            limits_due: true,
            may_shed: false,
        }
    }

    /// The state after reset in cycle `now`.
    pub fn reset(&mut self, now: u64, check_period: u16) {
        for group in &mut self.groups {
            *group = GroupState::new(group.ports);
        }
        (self.since, self.used, self.limits_due, self.may_shed) = (now, 0, true, false);
        self.plan_check(now, check_period);
    }

    fn plan_check(&mut self, now: u64, period: u16) {
        self.check_period = u64::from(period.max(1));
        self.next_check = now.max(self.since + self.check_period - 1);
    }

    /// Control registers have new values from cycle `now` on.
    pub fn plan_anew(&mut self, now: u64, check_period: u16) {
        self.catch_up(now);
        self.plan_check(now, check_period);
        self.limits_due = true;
    }

    /// Makes up for the checks before cycle `now` that would have changed nothing.
    #[inline]
    pub fn catch_up(&mut self, now: u64) {
        if now > self.next_check {
            (self.since, self.next_check) = (self.since_at(now), self.check_from(now));
        }
    }

    /// The cycle in which the count of the timer was 0, as of cycle `now`.
    fn since_at(&self, now: u64) -> u64 {
        match now.checked_sub(self.next_check + 1) {
            None => self.since,
            Some(beyond) => now - beyond % self.check_period,
        }
    }

    /// The cycle of the next check, after [`Groups::catch_up`].
    #[inline]
    pub fn next_check(&self) -> u64 {
        self.next_check
    }

    /// The next check from cycle `now` on, if it may change more than a timer, provided that the groups go on seeing the same and no
    /// flits; else `u64::MAX`.
    pub fn next_event(&self, now: u64, rules: Rules, wishes: &Wishes) -> u64 {
        let sheds = self.may_shed || !wishes.keep && self.groups.iter().any(|group| group.active != 0);
        if self.used != 0 || rules.sleeps && !wishes.all_on && sheds { self.check_from(now) } else { u64::MAX }
    }

    /// The cycle of the next check from cycle `now` on.
    fn check_from(&self, now: u64) -> u64 {
        if now > self.next_check { self.since_at(now) + self.check_period - 1 } else { self.next_check }
    }

    /// Without a check nothing changes at the end of a cycle in which the groups see this.
    #[inline]
    pub fn is_settled(&self, rules: Rules, wishes: &Wishes) -> bool {
        let still = |group: &GroupState| group.next_active(None, wishes) == group.active;
        let is_full = |group: &GroupState| group.active == low_bits(group.ports.size);
        !self.limits_due && if rules.sleeps { self.groups.iter().all(still) } else { self.groups.iter().all(is_full) }
    }

    /// Flits set out in a cycle without [`Groups::clock`].
    #[inline]
    pub fn note_flits(&mut self, departing: u64) {
        self.used |= departing & self.grouped;
    }

    /// The clock edge that ends cycle `now`, with the flits and the ports that one sets out for in it. `only_last`: the first
    /// cycle after a reset, of a start with the Minimal Tree alone.
    pub fn clock(
        &mut self,
        now: u64,
        (flits, departing): (&FlitTotals, u64),
        values: &AlonsoValues,
        rules: Rules,
        wishes: &Wishes,
        only_last: bool,
    ) {
        let check = now >= self.next_check;
        let follow_up = std::mem::take(&mut self.limits_due);
        for group in &mut self.groups {
            let was = group.active;
            let total = check.then(|| flits.sum(group.ports.ports(), now));
            group.active = match rules.sleeps {
                false => low_bits(group.ports.size),
                // All links are active then, and no flit has left: no check adds one.
                true if only_last && !wishes.all_on => u64::from(wishes.keep) | wishes.on,
                true => group.next_active(total.map(|total| group.count_at(total)), wishes),
            };
            group.before = total.unwrap_or(group.before);
            if follow_up {
                let (k, a) = (group.ports.size as u64, u64::from(was.count_ones()));
                let (on_flits, off_flits) = (u64::from(values.on_flits), u64::from(values.off_flits));
                group.on_limit = a * on_flits;
                group.off_limit = if rules.dynamic { on_flits * (a * a - a) } else { k * a * off_flits };
            }
            self.limits_due |= group.active != was;
        }
        self.may_shed = self.groups.iter().any(GroupState::may_shed);
        if check {
            self.used = 0;
            self.since = now + 1;
            self.plan_check(now + 1, values.check_period);
        }
        self.note_flits(departing);
    }

    /// Of the ports in groups those that are to be on, and all others.
    pub fn active(&self) -> u64 {
        self.groups.iter().fold(!self.grouped, |ports, group| ports | group.active << group.ports.first)
    }

    /// The registers of the timer and of the groups in cycle `now`, before which there were so many flits.
    pub fn observe(&self, now: u64, flits: &FlitTotals, frame: &mut Frame) {
        let (groups, g) = (&self.groups, self.groups.len());
        frame.put([now - self.since_at(now)]);
        frame.fill(g, |group| groups[group].active);
        frame.fill(g, |group| groups[group].on_limit);
        frame.fill(g, |group| groups[group].off_limit);
        frame.fill(g, |group| groups[group].count_at(flits.sum(groups[group].ports.ports(), now)));
    }
}
