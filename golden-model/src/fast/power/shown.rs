//! What event-driven mechanisms show, and the counters that follow from it.

use super::{Planes, Sideband};
use crate::bits::{low_bits, ones};
use powar_config::{Phase, Residency};

/// What a mechanism shows in the cycle under way; vectors have one bit a port, and none beside the ports that there are.
///
/// A mechanism changes it at the clock edge only. Cycles are counted by the pair of phase and level that a port is in, lazily: only
/// the cycle since which it is in it is noted down.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Ports that may be given to a packet, once they are not held.
    pub grantable: u64,
    /// Ports that are taken before those that are not preferred.
    pub preferred: u64,
    /// Ports that may send in this cycle.
    pub ready: u64,
    /// Ports that stay ready for the next four cycles if they are held.
    pub steady: u64,
    /// Ports that are to be counted on.
    pub serves: u64,
    /// Word of the control ring to the next switch. One that is not 0 stands for one cycle: the mechanism is clocked at its end.
    pub ring: u64,
    /// Phases and hints. Phases follow from [`Shown::enter`].
    pub(crate) sideband: Sideband,
    /// The sideband has changed since this was last taken back.
    pub(crate) sideband_moved: bool,
    pub(crate) level: Planes,
    residency: &'static [Residency],
    ports: usize,
    /// Apart, so that what every cycle looks at lies together.
    counted: Box<Counted>,
}

/// What is counted of each port.
#[derive(Clone, Debug)]
struct Counted {
    /// The pair, as a place in the residency, and the first cycle that `cycles` do not hold yet.
    pair: [u8; 64],
    entered: [u64; 64],
    /// Row p * K + k: cycles of port p in pair k.
    cycles: Vec<u64>,
    wake_ups: [u64; 64],
}

impl Shown {
    /// Ports that are all in the first pair, from cycle `now` on, and nothing counted yet.
    pub(crate) fn new(residency: &'static [Residency], ports: usize, now: u64) -> Self {
        let mut shown = Shown {
            grantable: 0,
            preferred: 0,
            ready: 0,
            steady: 0,
            serves: 0,
            ring: 0,
            sideband: Sideband::default(),
            sideband_moved: false,
            level: Planes::default(),
            residency,
            ports,
            counted: Box::new(Counted {
                pair: [0; 64],
                entered: [now; 64],
                cycles: vec![0; ports * residency.len()],
                wake_ups: [0; 64],
            }),
        };
        for port in 0..ports {
            shown.show_pair(port, 0);
        }
        shown
    }

    /// A port is in a pair of phase and level, a place in the mechanism's residency, from cycle `from` on.
    pub fn enter(&mut self, port: usize, pair: usize, from: u64) {
        let before = usize::from(self.counted.pair[port]);
        self.counted.cycles[port * self.residency.len() + before] += from - self.counted.entered[port];
        (self.counted.pair[port], self.counted.entered[port]) = (pair as u8, from);
        let starts_to_wake = self.residency[before].phase != Phase::ComingOn;
        if starts_to_wake && self.residency[pair].phase == Phase::ComingOn {
            self.counted.wake_ups[port] += 1;
        }
        self.show_pair(port, pair);
    }

    fn show_pair(&mut self, port: usize, pair: usize) {
        let Residency { phase, level, .. } = self.residency[pair];
        self.sideband_moved |= self.sideband.phase.get(port) != phase as u8;
        self.sideband.phase.set(port, phase as u8);
        self.level.set(port, level);
    }

    /// What a port's hint is from now on.
    pub fn set_hint(&mut self, port: usize, hint: bool) {
        let before = self.sideband.hint;
        self.sideband.hint = before & !(1 << port) | u64::from(hint) << port;
        self.sideband_moved |= self.sideband.hint != before;
    }

    /// The vector of all ports.
    pub fn every(&self) -> u64 {
        low_bits(self.ports)
    }

    /// A port's phase.
    pub fn phase(&self, port: usize) -> Phase {
        self.residency[usize::from(self.counted.pair[port])].phase
    }

    /// Cycles of a port in each pair before cycle `now`; the register holds the lower 32 bits.
    pub(crate) fn cycles(&self, port: usize, now: u64) -> impl Iterator<Item = u64> {
        let k = self.residency.len();
        let (present, elapsed) = (usize::from(self.counted.pair[port]), now - self.counted.entered[port]);
        let cycles = self.counted.cycles[port * k..][..k].iter().enumerate();
        cycles.map(move |(pair, &count)| count + if pair == present { elapsed } else { 0 })
    }

    /// The same into slots.
    #[inline]
    pub(crate) fn observe_cycles(&self, port: usize, now: u64, slots: &mut [u64]) {
        slots.copy_from_slice(&self.counted.cycles[port * slots.len()..][..slots.len()]);
        slots[usize::from(self.counted.pair[port])] += now - self.counted.entered[port];
    }

    /// Times that a port began to wake; the register holds the lower 32 bits.
    pub(crate) fn wake_ups(&self, port: usize) -> u64 {
        self.counted.wake_ups[port]
    }

    /// The cycle of a clear, `now`, and those before it are not counted.
    pub(crate) fn clear_counters(&mut self, now: u64) {
        self.counted.cycles.fill(0);
        self.counted.wake_ups = [0; 64];
        self.counted.entered = [now + 1; 64];
    }

    /// No vector has a bit where there is no port, and links show no phase that does not exist.
    pub(crate) fn is_sound(&self) -> bool {
        let vectors = [self.grantable, self.preferred, self.ready, self.steady, self.serves, self.sideband.hint];
        let sends = |port: usize| self.phase(port).sends();
        vectors.iter().all(|vector| vector & !self.every() == 0) && ones(self.ready).all(sends)
    }
}
