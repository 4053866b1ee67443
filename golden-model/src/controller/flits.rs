//! Check timer, port groups (sections 3.5 to 3.9, POWAR Algorithms 2 and 3) and flit statistics of the event-driven
//! controller.

use crate::bits::{low_bits, ones};
use powar_config::{Config, RegisterValues};

/// The flit counters are 24 bits wide.
const MAX_COUNT: u32 = (1 << 24) - 1;

/// A port group's registers but for its flit counter.
#[derive(Clone, Debug)]
pub(super) struct GroupState {
    first: usize,
    size: u32,
    pub n_selectable: u32,
    pub on_limit: u32,
    pub off_limit: u32,
}

/// What depends on the flits: group decisions and flit statistics.
#[derive(Clone, Debug)]
pub(super) struct Flits {
    /// The cycle in which the check timer's count was 0.
    since: u64,
    /// The cycle of the next check.
    next_check: u64,
    pub groups: Vec<GroupState>,
    /// Each port's group; the place after the last group for ports of none, so that counting needs no test.
    group_of: [u8; 64],
    /// Flits since the last check by group; only the low 24 bits are the register.
    counts: [u32; 65],
    /// Ports that may be chosen.
    selectable: u64,
    /// The limits do not yet follow from the numbers of selectable ports and the threshold registers.
    limits_due: bool,
    /// Flits by port.
    pub flits: [u32; 64],
}

impl Flits {
    /// The state after reset in cycle `now`.
    pub fn new(config: &Config, now: u64, check_period: u16) -> Self {
        let mut group_of = [config.groups.len() as u8; 64];
        for (index, group) in config.groups.iter().enumerate() {
            group_of[group.ports()].fill(index as u8);
        }
        let group_state = |group: &powar_config::Group| GroupState {
            first: group.first,
            size: group.size as u32,
            n_selectable: group.size as u32,
            on_limit: 0,
            off_limit: 0,
        };
        let mut flits = Flits {
            since: now,
            next_check: now,
            groups: config.groups.iter().map(group_state).collect(),
            group_of,
            counts: [0; 65],
            selectable: low_bits(config.ports),
            limits_due: true,
            flits: [0; 64],
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
        let check = self.is_check(now);
        if check || self.limits_due {
            self.decide(check, values);
        }
        if check {
            self.since = now + 1;
            self.plan_check(now + 1, values.check_period);
        }
        for port in ones(flit_valid) {
            self.flits[port] = self.flits[port].wrapping_add(1);
            let count = &mut self.counts[usize::from(self.group_of[port])];
            *count = count.wrapping_add(1);
        }
    }

    /// The groups' comparators and selectable ports: both registers see what the other held in this cycle.
    fn decide(&mut self, check: bool, values: &RegisterValues) {
        let follow_up = std::mem::take(&mut self.limits_due);
        for (group, count) in self.groups.iter_mut().zip(&mut self.counts) {
            let (flits, was) = (*count & MAX_COUNT, group.n_selectable);
            if check {
                if flits > group.on_limit && was < group.size {
                    group.n_selectable += 1;
                } else if flits < group.off_limit && was > 1 {
                    group.n_selectable -= 1;
                }
                *count = 0;
            }
            if follow_up {
                group.on_limit = (was * u32::from(values.on_flits)) & MAX_COUNT;
                group.off_limit = (was * u32::from(values.off_flits)) & MAX_COUNT;
            }
            if group.n_selectable != was {
                self.limits_due = true;
                self.selectable &= !(low_bits(group.size as usize) << group.first);
                self.selectable |= group.selectable() << group.first;
            }
        }
    }

    /// Whether cycle `now` is the last of a check period.
    pub fn is_check(&self, now: u64) -> bool {
        now >= self.next_check
    }

    /// The cycle of the next check.
    pub fn next_check(&self) -> u64 {
        self.next_check
    }

    /// Nothing changes before the next check but by flits and writes.
    pub fn is_settled(&self) -> bool {
        !self.limits_due
    }

    /// The check timer's register.
    pub fn timer_count(&self, now: u64) -> u64 {
        now - self.since
    }

    /// The flit counters' registers, group by group.
    pub fn counts(&self) -> impl Iterator<Item = u64> {
        self.counts[..self.groups.len()].iter().map(|&count| u64::from(count & MAX_COUNT))
    }

    /// Ports that may be chosen.
    pub fn selectable(&self) -> u64 {
        self.selectable
    }

    /// The flits statistics of a port.
    pub fn of_port(&self, port: usize) -> u32 {
        self.flits[port]
    }

    /// Clears the flit statistics.
    pub fn clear_statistics(&mut self) {
        self.flits = [0; 64];
    }
}

impl GroupState {
    /// Bit i = port i of the group may be chosen.
    pub fn selectable(&self) -> u64 {
        low_bits(self.n_selectable as usize)
    }
}
