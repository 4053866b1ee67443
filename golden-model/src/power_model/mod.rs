//! From the time that ports were powered to power and energy.
//!
//! * [`PowerParameters`]: relative to the maximum (POWAR, section 2.3).
//! * [`WattsParameters`]: in watts and joules (Andújar et al. 2023, section 2).
//!
//! Both start from the same U_port of the ports and U_cpu of the nodes. [`links`] has the power of links alone (Alonso et al. 2015), [`optical_link`]
//! that of an optical link by bit rate (Kodi and Louri 2007).

pub mod links;
pub mod optical_link;
mod relative;
mod watts;

pub use relative::{Accounting, Consumption, PowerParameters, Relative};
pub use watts::{Watts, WattsParameters};

use anyhow::{Result, ensure};
use powar_config::{Draw, Residency};

/// U_port: where a port's mean power lies between that of a sleeping port, 0, and full power, 1. Of a mechanism whose ports draw
/// either of the two it is the fraction of their cycles at full power, as the papers define it.
///
/// `cycles` are those in each pair of `residency`. What a sleeping port draws, a fraction of full power, matters only to pairs that
/// draw a share between.
///
/// # Errors
/// Counters of no cycle.
pub fn u_port(residency: &[Residency], cycles: &[u64], sleeping_port: f64) -> Result<f64> {
    let above_sleep = |draw: Draw| match draw {
        Draw::SleepFraction => 0.0,
        Draw::Share(1.0) => 1.0,
        Draw::Share(share) => (share - sleeping_port) / (1.0 - sleeping_port),
    };
    let powered: f64 = residency.iter().zip(cycles).map(|(pair, &cycles)| above_sleep(pair.draw) * cycles as f64).sum();
    let all: u64 = cycles.iter().sum();
    ensure!(all > 0, "counters: 0 cycles were counted, at least 1 is needed");
    Ok(powered / all as f64)
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
    use powar_config::Phase;

    fn close(seen: f64, expected: f64) {
        assert!((seen - expected).abs() <= 1e-12, "{seen} is not {expected}");
    }

    #[test]
    fn transitions_and_refresh_are_powered() {
        let powar = powar_config::mechanism::powar::MECHANISM.residency;
        for sleeping_port in [0.0, 0.1, 1.0] {
            close(u_port(powar, &[10, 20, 60, 5, 5], sleeping_port).unwrap(), 0.4);
            close(u_port(powar, &[1 << 40, 0, 1 << 40, 0, 0], sleeping_port).unwrap(), 0.5);
        }
    }

    #[test]
    fn a_share_counts_for_what_it_draws() {
        let pair = |level, draw| Residency { phase: Phase::On, level, draw, counter: "", doc: "" };
        let residency = [pair(0, Draw::Share(1.0)), pair(1, Draw::Share(0.55)), pair(2, Draw::SleepFraction)];
        // By equation 1 the port draws 0.1 + 0.9 U: 0.25 x 1 + 0.5 x 0.55 + 0.25 x 0.1 = 0.55.
        close(0.1 + 0.9 * u_port(&residency, &[100, 200, 100], 0.1).unwrap(), 0.55);
        // Where a sleeping port draws nothing, U is the power itself.
        close(u_port(&residency, &[100, 200, 100], 0.0).unwrap(), 0.525);
    }

    #[test]
    fn counters_of_no_cycle_are_refused() {
        let powar = powar_config::mechanism::powar::MECHANISM.residency;
        assert!(u_port(powar, &[0; 5], 0.1).unwrap_err().to_string().contains("0 cycles"));
    }
}
