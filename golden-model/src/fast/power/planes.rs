//! Small numbers of all ports, and what links show in every cycle.

use crate::bits::is_set;

/// A number of three bits for each port: a vector over the ports for each of its bits, lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Planes(pub [u64; 3]);

impl Planes {
    /// The number of a port.
    #[inline]
    pub fn get(&self, port: usize) -> u8 {
        let bit = |plane: usize| u8::from(is_set(self.0[plane], port)) << plane;
        bit(0) | bit(1) | bit(2)
    }

    /// Gives a port a number, 0..=7.
    #[inline]
    pub fn set(&mut self, port: usize, number: u8) {
        for (plane, vector) in self.0.iter_mut().enumerate() {
            *vector = *vector & !(1 << port) | u64::from(number >> plane & 1) << port;
        }
    }

    /// The ports whose numbers differ from others.
    #[inline]
    pub fn differences(&self, other: &Planes) -> u64 {
        (0..3).fold(0, |ports, plane| ports | (self.0[plane] ^ other.0[plane]))
    }
}

/// What every port shows the other end of its link in a cycle, flit or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sideband {
    /// Codes of the phases.
    pub phase: Planes,
    /// Bit p: the hint of port p.
    pub hint: u64,
}

impl Sideband {
    /// The ports that show something else.
    #[inline]
    pub fn differences(&self, other: &Sideband) -> u64 {
        self.phase.differences(&other.phase) | (self.hint ^ other.hint)
    }

    /// What a port shows.
    pub fn of(&self, port: usize) -> Signal {
        Signal { port: port as u8, phase: self.phase.get(port), hint: is_set(self.hint, port) }
    }

    /// A port shows this from now on.
    pub fn set(&mut self, signal: &Signal) {
        let port = usize::from(signal.port & 63);
        self.phase.set(port, signal.phase);
        self.hint = self.hint & !(1 << port) | u64::from(signal.hint) << port;
    }
}

/// What is shown on the link of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    pub port: u8,
    /// Code of the phase, 0..=7.
    pub phase: u8,
    pub hint: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_kept_apart() {
        let mut planes = Planes::default();
        for port in 0..64 {
            planes.set(port, (port * 5 % 8) as u8);
        }
        assert!((0..64).all(|port| usize::from(planes.get(port)) == port * 5 % 8));
        let before = planes;
        planes.set(63, 0);
        planes.set(0, 7);
        assert_eq!(planes.differences(&before), 1 << 63 | 1);
    }

    #[test]
    fn a_hint_alone_is_a_difference() {
        let mut sideband = Sideband::default();
        sideband.set(&Signal { port: 5, phase: 0, hint: true });
        sideband.set(&Signal { port: 6, phase: 3, hint: false });
        assert_eq!(sideband.differences(&Sideband::default()), 0b110_0000);
        assert_eq!(sideband.of(6), Signal { port: 6, phase: 3, hint: false });
        assert_eq!(sideband.of(5), Signal { port: 5, phase: 0, hint: true });
    }
}
