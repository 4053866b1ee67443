//! From the time that ports were powered to power and energy.
//!
//! * [`PowerParameters`]: relative to the maximum (POWAR, section 2.3).
//! * [`WattsParameters`]: in watts and joules (Andújar et al. 2023, section 2).
//!
//! Both start from the same U_port of the ports and U_cpu of the nodes.

mod relative;
mod watts;

pub use relative::{Accounting, Consumption, PowerParameters, Relative};
pub use watts::{Watts, WattsParameters};

use crate::reference::power::PortStatistics;
use anyhow::{Result, ensure};

/// U_port: the fraction of a port's cycles at full power. Both transitions and refresh draw it like `Active` does; only
/// the quiet part of sleep does not.
///
/// # Errors
/// Statistics of no cycle.
pub fn u_port(statistics: &PortStatistics) -> Result<f64> {
    let sum = |cycles: &[u32]| cycles.iter().copied().map(u64::from).sum::<u64>();
    let powered = sum(&[
        statistics.active_cycles,
        statistics.entering_cycles,
        statistics.waking_cycles,
        statistics.refresh_cycles,
    ]);
    let all = powered + u64::from(statistics.quiet_cycles);
    ensure!(all > 0, "statistics: 0 cycles were counted, at least 1 is needed");
    Ok(powered as f64 / all as f64)
}

fn fraction(name: &str, value: f64) -> Result<()> {
    ensure!((0.0..=1.0).contains(&value), "{name}: {value} is out of range 0..=1");
    Ok(())
}

fn mean(name: &str, values: &[f64]) -> Result<f64> {
    ensure!(!values.is_empty(), "{name}: the list is empty, it needs at least 1 value");
    for &value in values {
        fraction(name, value)?;
    }
    Ok(values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(seen: f64, expected: f64) {
        assert!((seen - expected).abs() <= 1e-12, "{seen} is not {expected}");
    }

    #[test]
    fn transitions_and_refresh_are_powered() {
        let statistics = PortStatistics {
            active_cycles: 10,
            entering_cycles: 20,
            quiet_cycles: 60,
            refresh_cycles: 5,
            waking_cycles: 5,
            wake_ups: 7,
            flits: 8,
        };
        close(u_port(&statistics).unwrap(), 0.4);
        let long = PortStatistics { active_cycles: u32::MAX, quiet_cycles: u32::MAX, ..Default::default() };
        close(u_port(&long).unwrap(), 0.5);
    }

    #[test]
    fn statistics_of_no_cycle_are_refused() {
        assert!(u_port(&PortStatistics::default()).unwrap_err().to_string().contains("0 cycles"));
    }
}
