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

/// What a port draws while it sleeps, as fractions of its full power.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asleep {
    /// The port itself, below 1: omega_Sport.
    pub port: f64,
    /// The lane for hints, of a mechanism whose lane is on while the link sleeps.
    pub hint_lane: f64,
}

impl Asleep {
    /// Of a port without such a lane.
    pub fn without_lane(port: f64) -> Asleep {
        Asleep { port, hint_lane: 0.0 }
    }

    /// Both together are no more than full power.
    fn check(self) -> Result<()> {
        let Asleep { port, hint_lane } = self;
        let rest = 1.0 - port;
        ensure!(
            (0.0..=rest).contains(&hint_lane),
            "hint_power: {hint_lane} is out of range 0..=1 - sleeping_port = {rest}"
        );
        Ok(())
    }
}

/// U_port: where a port's mean power lies between that of a sleeping port, 0, and full power, 1. Of a mechanism whose ports draw
/// either of the two it is the fraction of their cycles at full power, as the papers define it.
///
/// `cycles` are those in each pair of `residency`. What a sleeping port draws itself matters only to pairs that draw a share between; a
/// lane that is on while it sleeps adds what it draws beyond that.
///
/// # Errors
/// Counters of no cycle.
pub fn u_port(residency: &[Residency], cycles: &[u64], asleep: Asleep) -> Result<f64> {
    let above_sleep = |draw: Draw| match draw {
        Draw::SleepFraction if asleep.hint_lane == 0.0 => 0.0,
        Draw::SleepFraction => asleep.hint_lane / (1.0 - asleep.port),
        Draw::Share(1.0) => 1.0,
        Draw::AtLeast(share) if share <= asleep.port => 0.0,
        Draw::Share(share) | Draw::AtLeast(share) => (share - asleep.port) / (1.0 - asleep.port),
    };
    let powered: f64 = residency.iter().zip(cycles).map(|(pair, &cycles)| above_sleep(pair.draw) * cycles as f64).sum();
    let all: u64 = cycles.iter().sum();
    ensure!(all > 0, "counters: 0 cycles were counted, at least 1 is needed");
    Ok(powered / all as f64)
}

/// What is kept of simulations without a lane that draws has no such field.
fn is_none(share: &f64) -> bool {
    *share == 0.0
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
        for asleep in [0.0, 0.1, 1.0].map(Asleep::without_lane) {
            close(u_port(powar, &[10, 20, 60, 5, 5], asleep).unwrap(), 0.4);
            close(u_port(powar, &[1 << 40, 0, 1 << 40, 0, 0], asleep).unwrap(), 0.5);
        }
    }

    #[test]
    fn a_share_counts_for_what_it_draws() {
        let pair = |level, draw| Residency { phase: Phase::On, level, draw, counter: "", doc: "" };
        let residency = [pair(0, Draw::Share(1.0)), pair(1, Draw::Share(0.55)), pair(2, Draw::SleepFraction)];
        // By equation 1 the port draws 0.1 + 0.9 U: 0.25 x 1 + 0.5 x 0.55 + 0.25 x 0.1 = 0.55.
        close(0.1 + 0.9 * u_port(&residency, &[100, 200, 100], Asleep::without_lane(0.1)).unwrap(), 0.55);
        // Where a sleeping port draws nothing, U is the power itself.
        close(u_port(&residency, &[100, 200, 100], Asleep::default()).unwrap(), 0.525);
    }

    #[test]
    fn a_share_may_be_no_less_than_what_a_sleeping_port_draws() {
        let of = |share, port| {
            let pair = |draw| Residency { phase: Phase::Off, level: 0, draw, counter: "", doc: "" };
            let residency = [pair(Draw::AtLeast(share)), pair(Draw::SleepFraction)];
            u_port(&residency, &[50, 50], Asleep::without_lane(port)).unwrap()
        };
        // By equation 1 half of the time 0.7 and half of it 0.1.
        close(0.1 + 0.9 * of(0.7, 0.1), 0.4);
        close(of(0.7, 0.0), 0.35);
        for (share, port) in [(0.0, 0.1), (0.1, 0.1), (0.0, 0.0), (0.7, 1.0)] {
            assert_eq!(of(share, port), 0.0);
        }
    }

    #[test]
    fn a_lane_that_is_on_is_drawn_for_while_the_port_sleeps() {
        let powar = powar_config::mechanism::powar::MECHANISM.residency;
        let u = |port, hint_lane| u_port(powar, &[40, 0, 60, 0, 0], Asleep { port, hint_lane }).unwrap();
        // By equation 1 0.4 x 1 + 0.6 x (0.1 + 0.05) = 0.49.
        close(0.1 + 0.9 * u(0.1, 0.05), 0.49);
        close(u(0.0, 0.05), 0.43);
        close(u(0.1, 0.9), 1.0);
    }

    #[test]
    fn counters_of_no_cycle_are_refused() {
        let powar = powar_config::mechanism::powar::MECHANISM.residency;
        assert!(u_port(powar, &[0; 5], Asleep::default()).unwrap_err().to_string().contains("0 cycles"));
    }
}
