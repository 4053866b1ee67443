//! Check timer, port groups (sections 3.5 to 3.9, POWAR Algorithms 2 and 3) and flit statistics of the event-driven
//! controller.

use super::flit_totals::FlitTotals;
use crate::bits::low_bits;
use powar_config::{Config, Group, RegisterValues};

/// The flit counters are 24 bits wide.
const MAX_COUNT: u32 = (1 << 24) - 1;

/// A port group.
#[derive(Clone, Debug)]
pub(crate) struct GroupState {
    ports: Group,
    pub n_selectable: u32,
    pub on_limit: u32,
    pub off_limit: u32,
    /// Flits of its ports before the last check. The flit counter is what has come since; it is not kept.
    before: u32,
}

/// What depends on the flits: group decisions and flit statistics.
#[derive(Clone, Debug)]
pub(crate) struct Flits {
    ports: usize,
    /// The cycle in which the check timer's count was 0.
    since: u64,
    /// The cycle of the next check.
    next_check: u64,
    pub groups: Vec<GroupState>,
    /// Ports that may be chosen.
    selectable: u64,
    /// The limits do not yet follow from the numbers of selectable ports and the threshold registers.
    limits_due: bool,
    totals: FlitTotals,
    /// The totals at the last clear of the statistics, by port.
    cleared: [u32; 64],
}

impl Flits {
    /// The state after reset in cycle `now`.
    pub fn new(config: &Config, now: u64, check_period: u16) -> Self {
        let group = |&ports: &Group| GroupState {
            ports,
            n_selectable: ports.size as u32,
            on_limit: 0,
            off_limit: 0,
            before: 0,
        };
        let mut flits = Flits {
            ports: config.ports,
            since: now,
            next_check: now,
            groups: config.groups.iter().map(group).collect(),
            selectable: low_bits(config.ports),
            limits_due: true,
            totals: FlitTotals::new(config.ports),
            cleared: [0; 64],
        };
        flits.plan_check(now, check_period);
        flits
    }

    fn plan_check(&mut self, now: u64, period: u16) {
        self.next_check = now.max(self.since + u64::from(period.max(1)) - 1);
    }

    /// Control registers have new values from cycle `now` on.
    pub fn plan_anew(&mut self, now: u64, check_period: u16) {
        self.plan_check(now, check_period);
        self.limits_due = true;
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, now: u64, flit_valid: u64, values: &RegisterValues) {
        if self.is_check(now) || self.limits_due {
            self.decide(now, values);
        }
        if flit_valid != 0 {
            self.totals.add(flit_valid);
        }
    }

    /// The check timer, the groups' comparators and selectable ports: both registers see what the other held in this cycle.
    #[cold]
    fn decide(&mut self, now: u64, values: &RegisterValues) {
        let check = self.is_check(now);
        let follow_up = std::mem::take(&mut self.limits_due);
        for group in &mut self.groups {
            let was = group.n_selectable;
            if check {
                let total = self.totals.sum(group.ports.ports());
                let count = group.count_at(total);
                if count > group.on_limit && was < group.ports.size as u32 {
                    group.n_selectable += 1;
                } else if count < group.off_limit && was > 1 {
                    group.n_selectable -= 1;
                }
                group.before = total;
            }
            if follow_up {
                group.on_limit = (was * u32::from(values.on_flits)) & MAX_COUNT;
                group.off_limit = (was * u32::from(values.off_flits)) & MAX_COUNT;
            }
            if group.n_selectable != was {
                self.limits_due = true;
                self.selectable &= !(low_bits(group.ports.size) << group.ports.first);
                self.selectable |= group.selectable() << group.ports.first;
            }
        }
        if check {
            self.since = now + 1;
            self.plan_check(now + 1, values.check_period);
        }
    }

    /// Whether cycle `now` is the last of a check period.
    #[inline]
    pub fn is_check(&self, now: u64) -> bool {
        now >= self.next_check
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

    /// The check timer's register.
    pub fn timer_count(&self, now: u64) -> u64 {
        now - self.since
    }

    /// A group's flit counter register.
    pub fn count(&self, group: &GroupState) -> u32 {
        group.count_at(self.totals.sum(group.ports.ports()))
    }

    /// Ports that may be chosen.
    #[inline]
    pub fn selectable(&self) -> u64 {
        self.selectable
    }

    /// The flits statistic of a port.
    pub fn of_port(&self, port: usize) -> u32 {
        self.totals.of_port(port).wrapping_sub(self.cleared[port])
    }

    /// Clears the flit statistics.
    pub fn clear_statistics(&mut self) {
        for port in 0..self.ports {
            self.cleared[port] = self.totals.of_port(port);
        }
    }
}

impl GroupState {
    /// The flit counter when the flits of the ports add up to `total`. Differences do not mind that totals wrap.
    fn count_at(&self, total: u32) -> u32 {
        total.wrapping_sub(self.before) & MAX_COUNT
    }

    /// Bit i = port i of the group may be chosen.
    pub fn selectable(&self) -> u64 {
        low_bits(self.n_selectable as usize)
    }
}
