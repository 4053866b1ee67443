//! Power of a network's links, and the network's energy with it (Alonso et al., Parallel Computing 48, 2015).

use anyhow::Result;

/// Share of the switches in the power of a network whose links are all on (section 4.6). The text has it of the links' power; Tables
/// 4 and 5 have it of the whole.
pub const SWITCHES: f64 = 0.176;

/// Power of all links, each of its two directions counted alone, over that of the same links always on. A link from a node to its switch is
/// always on; one that is off draws nothing.
///
/// `u_port` has the ports of every switch, `node_links` is how many links nodes have into the network.
///
/// # Errors
/// No ports, or a U_port outside 0..=1.
pub fn links_power(u_port: &[Vec<f64>], node_links: usize) -> Result<f64> {
    let ports: Vec<f64> = u_port.iter().flatten().copied().chain(std::iter::repeat_n(1.0, node_links)).collect();
    super::mean("u_port", &ports)
}

/// Energy of a network over that of the same one with all links on: a run that takes `run_time` times as long with `links` of their power.
/// Switches draw theirs throughout. The paper's E is this less 1.
pub fn relative_energy(links: f64, run_time: f64) -> f64 {
    ((1.0 - SWITCHES) * links + SWITCHES) * run_time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_nodes_are_on() {
        // Two switches of three ports, three nodes: 6 + 3 links.
        let u_port = [vec![1.0, 0.0, 0.5], vec![0.0, 0.0, 0.0]];
        assert_eq!(links_power(&u_port, 3).unwrap(), 4.5 / 9.0);
        assert!(links_power(&[], 0).unwrap_err().to_string().starts_with("u_port"));
    }

    /// Per row: cycles without and with the mechanism, relative power in %, and E in % as printed.
    fn rows_agree(rows: &[(u32, u32, f64, f64)]) {
        for &(nominal, cycles, power, printed) in rows {
            let e = 100.0 * (relative_energy(power / 100.0, f64::from(cycles) / f64::from(nominal)) - 1.0);
            // Half a unit of the last digit that is printed.
            assert!((e - printed).abs() <= 0.0051, "{nominal} cycles: {e} is not {printed}");
        }
    }

    #[test]
    fn table_4() {
        rows_agree(&[
            (829275, 917576, 37.78, -46.08),
            (426181, 484425, 44.51, -38.31),
            (293784, 317378, 61.35, -26.37),
            (224031, 238939, 68.14, -21.35),
            (183735, 188027, 85.29, -10.07),
            (155652, 155930, 99.36, -0.35),
            (135697, 135697, 100.0, 0.0),
        ]);
    }

    #[test]
    fn table_5() {
        rows_agree(&[
            (829275, 927982, 42.54, -41.08),
            (426181, 499542, 41.91, -38.89),
            (293784, 314330, 61.74, -26.74),
            (224031, 247215, 69.86, -17.06),
            (183735, 202670, 68.83, -18.03),
            (155652, 173772, 74.03, -12.25),
        ]);
        // The last four are fractions, not per cent.
        for (nominal, cycles, power, printed) in [
            (135697, 142056, 87.85, "-0.06"),
            (121729, 128125, 86.18, "-0.07"),
            (110223, 117142, 88.31, "-0.04"),
            (101183, 108239, 88.43, "-0.03"),
        ] {
            let e = relative_energy(power / 100.0, f64::from(cycles) / f64::from(nominal)) - 1.0;
            assert_eq!(format!("{e:.2}"), printed);
        }
    }
}
