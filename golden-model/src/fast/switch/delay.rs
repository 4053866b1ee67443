//! Phases and hints on their way from the mechanism to the links.

use crate::fast::power::Sideband;

/// Links show what ports showed so many cycles before, as their flits are.
pub(super) const CYCLES: u64 = 4;

/// The registers in between: only what changes is kept, with the cycle from which ports have shown it.
#[derive(Clone, Debug, Default)]
pub(super) struct Delay {
    changes: [(u64, Sideband); CYCLES as usize],
    count: usize,
}

impl Delay {
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Ports show something new from cycle `from` on. At most one change a cycle, each to be taken when it is due.
    #[cold]
    pub fn push(&mut self, from: u64, shown: Sideband) {
        self.changes[self.count] = (from, shown);
        self.count += 1;
    }

    /// The cycle at whose end links change; `u64::MAX`: there is none.
    #[inline]
    pub fn next_due(&self) -> u64 {
        if self.count == 0 { u64::MAX } else { self.changes[0].0 + CYCLES - 1 }
    }

    /// What links show from then on.
    #[cold]
    pub fn pop(&mut self) -> Sideband {
        let (_, shown) = self.changes[0];
        self.changes.rotate_left(1);
        self.count -= 1;
        shown
    }

    /// What ports showed in a cycle at most three before this one, when links show `on_links`.
    pub fn shown_in(&self, cycle: u64, on_links: &Sideband) -> Sideband {
        let before = self.changes[..self.count].iter().rev().find(|(from, _)| *from <= cycle);
        before.map_or(*on_links, |&(_, shown)| shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_show_every_change_four_cycles_later() {
        let value = |hint| Sideband { hint, ..Sideband::default() };
        // What ports show from cycle to cycle; before cycle 0 it is nothing.
        let ports = [0, 5, 5, 6, 7, 8, 9, 9, 9, 9, 9, 9, 9];
        let in_cycle = |cycle: u64| ports[cycle as usize];
        let (mut delay, mut links) = (Delay::default(), value(0));
        for now in 0..ports.len() as u64 {
            assert_eq!(links, value(if now < CYCLES { 0 } else { in_cycle(now - CYCLES) }), "cycle {now}");
            for before in 1..CYCLES.min(now + 1) {
                assert_eq!(
                    delay.shown_in(now - before, &links),
                    value(in_cycle(now - before)),
                    "{now}, {before} before"
                );
            }
            if delay.next_due() == now {
                links = delay.pop();
            }
            if now + 1 < ports.len() as u64 && in_cycle(now + 1) != in_cycle(now) {
                delay.push(now + 1, value(in_cycle(now + 1)));
            }
        }
        assert_eq!((links, delay.next_due()), (value(9), u64::MAX));
        delay.push(20, value(1));
        delay.clear();
        assert_eq!((delay.next_due(), delay.shown_in(30, &links)), (u64::MAX, value(9)));
    }
}
