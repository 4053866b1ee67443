//! Check timer and port groups (POWAR Algorithms 2 and 3).

use crate::bits::low_bits;
use crate::fast::frame::Frame;
use crate::fast::power::FlitTotals;
use powar_config::{Group, PowarValues};

/// The flit counters are 24 bits wide.
const MAX_COUNT: u32 = (1 << 24) - 1;

/// A port group.
#[derive(Clone, Debug)]
struct GroupState {
    ports: Group,
    n_selectable: u32,
    /// Ports that the limits are made for.
    counted: u32,
    on_limit: u32,
    off_limit: u32,
    /// Flits of its ports before the last check. The flit counter is what has come since; it is not kept.
    before: u32,
}

impl GroupState {
    /// The state after reset.
    fn new(ports: Group) -> GroupState {
        GroupState { ports, n_selectable: ports.size as u32, counted: 0, on_limit: 0, off_limit: 0, before: 0 }
    }

    /// The flit counter when the flits of the ports add up to `total`. Differences do not mind that totals wrap.
    fn count_at(&self, total: u32) -> u32 {
        total.wrapping_sub(self.before) & MAX_COUNT
    }

    /// The edge of the limits: one port more, or from the beginning.
    fn make_limits(&mut self, steps: &Steps, same: bool, n_selectable: u32) {
        if !same || self.counted > n_selectable {
            (self.counted, self.on_limit, self.off_limit) = (0, 0, 0);
        } else if self.counted < n_selectable {
            self.counted += 1;
            self.on_limit += u32::from(steps.0);
            self.off_limit += u32::from(steps.1);
        }
    }

    /// Bit i = port i of the group may be chosen.
    fn selectable(&self) -> u64 {
        low_bits(self.n_selectable as usize)
    }
}

/// The thresholds that limits are made of, T_on's first.
type Steps = (u16, u16);

/// The port groups of a switch.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    ports: usize,
    /// The cycle in which the check timer's count was 0.
    since: u64,
    /// The cycle of the next check.
    next_check: u64,
    groups: Vec<GroupState>,
    /// Ports that may be chosen.
    selectable: u64,
    /// The thresholds that the limits of all groups are made of.
    steps: Steps,
    /// The limits do not yet follow from the numbers of selectable ports and the threshold registers.
    limits_due: bool,
}

impl Groups {
    /// Groups of some of `ports` ports, to be reset before they are used.
    pub fn new(ports: usize, groups: &[Group]) -> Self {
        let groups = groups.iter().map(|&ports| GroupState::new(ports)).collect();
        Groups { ports, since: 0, next_check: 0, groups, selectable: 0, steps: (0, 0), limits_due: true }
    }

    /// The state after reset in cycle `now`.
    pub fn reset(&mut self, now: u64, check_period: u16) {
        for group in &mut self.groups {
            *group = GroupState::new(group.ports);
        }
        (self.selectable, self.steps, self.limits_due) = (low_bits(self.ports), (0, 0), true);
        self.since = now;
        self.plan_check(now, check_period);
    }

    fn plan_check(&mut self, now: u64, period: u16) {
        self.next_check = now.max(self.since + u64::from(period.max(1)) - 1);
    }

    /// Control registers have new values from cycle `now` on.
    pub fn plan_anew(&mut self, now: u64, check_period: u16) {
        self.plan_check(now, check_period);
        self.limits_due = true;
    }

    /// Whether the clock edge that ends cycle `now` is one for [`Groups::decide`].
    #[inline]
    pub fn is_due(&self, now: u64) -> bool {
        (now >= self.next_check) | self.limits_due
    }

    /// The check timer, the groups' comparators and selectable ports: both registers see what the other held in this cycle.
    pub fn decide(&mut self, now: u64, flits: &FlitTotals, values: &PowarValues) {
        let check = now >= self.next_check;
        let thresholds = (values.on_flits, values.off_flits);
        let (steps, same) = (self.steps, self.steps == thresholds);
        (self.steps, self.limits_due) = (thresholds, !same);
        for group in &mut self.groups {
            let was = group.n_selectable;
            if check {
                let total = flits.sum(group.ports.ports(), now);
                let count = group.count_at(total);
                let settled = same && group.counted == was;
                if settled && count > group.on_limit && was < group.ports.size as u32 {
                    group.n_selectable += 1;
                } else if settled && count < group.off_limit && was > 1 {
                    group.n_selectable -= 1;
                }
                group.before = total;
            }
            group.make_limits(&steps, same, was);
            self.limits_due |= group.counted != group.n_selectable;
            if group.n_selectable != was {
                self.selectable &= !(low_bits(group.ports.size) << group.ports.first);
                self.selectable |= group.selectable() << group.ports.first;
            }
        }
        if check {
            self.since = now + 1;
            self.plan_check(now + 1, values.check_period);
        }
    }

    /// The cycle of the next check.
    #[inline]
    pub fn next_check(&self) -> u64 {
        self.next_check
    }

    /// Nothing changes before the next check but by flits and writes.
    #[inline]
    pub fn is_settled(&self) -> bool {
        !self.limits_due
    }

    /// Ports that may be chosen.
    #[inline]
    pub fn selectable(&self) -> u64 {
        self.selectable
    }

    /// The registers in cycle `now`, before which there were so many flits.
    pub fn observe(&self, now: u64, flits: &FlitTotals, frame: &mut Frame) {
        let (groups, g) = (&self.groups, self.groups.len());
        frame.put([now - self.since]);
        frame.fill(g, |group| groups[group].count_at(flits.sum(groups[group].ports.ports(), now)).into());
        frame.fill(g, |_| self.steps.0.into());
        frame.fill(g, |_| self.steps.1.into());
        frame.fill(g, |group| groups[group].counted.into());
        frame.fill(g, |group| groups[group].on_limit.into());
        frame.fill(g, |group| groups[group].off_limit.into());
        frame.fill(g, |group| groups[group].selectable());
        frame.fill(g, |group| groups[group].n_selectable.into());
    }
}
