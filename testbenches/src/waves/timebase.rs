//! Simulated time: when each cycle begins, in ticks of a VCD timescale in which a half cycle is a whole number.

use vcd::TimescaleUnit;

/// The timescale of a dump.
#[derive(Clone, Copy, Debug)]
pub struct TimeBase {
    /// What one tick is.
    pub unit: TimescaleUnit,
    /// Ticks of a cycle; even, so that the falling clock edge has a time too.
    pub ticks: u64,
}

impl TimeBase {
    /// Picoseconds if they divide half a cycle (800 ps at the papers' 1.6 ns), else femtoseconds, to the nearest
    /// 2 fs a cycle.
    pub fn of_cycle_ns(cycle_ns: f64) -> TimeBase {
        let half_ps = cycle_ns * 500.0;
        if half_ps >= 1.0 && (half_ps - half_ps.round()).abs() < 1e-6 {
            TimeBase { unit: TimescaleUnit::PS, ticks: 2 * half_ps.round() as u64 }
        } else {
            TimeBase { unit: TimescaleUnit::FS, ticks: 2 * ((half_ps * 1e3).round() as u64).max(1) }
        }
    }

    /// When a cycle begins: at the rising clock edge that ends the cycle before it.
    pub fn start_of(self, cycle: u64) -> u64 {
        cycle * self.ticks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_cycle_is_a_whole_number_of_ticks() {
        for (cycle_ns, unit, ticks) in [
            (1.6, TimescaleUnit::PS, 1600),
            (1000.0, TimescaleUnit::PS, 1_000_000),
            (0.1, TimescaleUnit::PS, 100),
            (0.125, TimescaleUnit::FS, 125_000),
            (1.0 / 0.6, TimescaleUnit::FS, 1_666_666),
        ] {
            let base = TimeBase::of_cycle_ns(cycle_ns);
            assert_eq!((base.unit, base.ticks), (unit, ticks), "{cycle_ns}");
            assert_eq!(base.ticks % 2, 0);
        }
        assert_eq!(TimeBase::of_cycle_ns(1.6).start_of(10), 16_000);
    }
}
