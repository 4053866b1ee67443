//! Power in watts and energy in joules (Andújar et al., *Energy efficient HPC network topologies with on/off links*, FGCS 2023,
//! section 2).
//!
//! Networks of different switches can be compared by it: more ports draw more.

use super::{Asleep, fraction, mean};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// What ports and nodes draw (Table 2 of the paper is the default).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WattsParameters {
    /// omega_Sport: what a sleeping port draws, as a fraction of its full power.
    pub sleeping_port: f64,
    /// What the lane for hints of a sleeping port draws beside that, if it is on, as a fraction of the port's full power.
    #[serde(skip_serializing_if = "super::is_none")]
    pub hint_power: f64,
    /// omega_ports: share of the ports in a switch's power.
    pub ports: f64,
    /// Omega_port: full power of a switch for each of its ports, its share of the switch's logic included, W.
    pub port_watts: f64,
    /// Omega_nodes: full power of a node, W.
    pub node_watts: f64,
    /// omega_Snodes: what an idle node draws, as a fraction of its full power.
    pub idle_node: f64,
}

impl Default for WattsParameters {
    fn default() -> Self {
        WattsParameters {
            sleeping_port: 0.1,
            hint_power: 0.0,
            ports: 0.816,
            port_watts: 5.0,
            node_watts: 300.0,
            idle_node: 0.5,
        }
    }
}

/// Power and energy of a run. Without nodes to speak of (synthetic traffic) those of the network alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Watts {
    /// Equation 3, W.
    pub w_net: f64,
    /// Equation 6, J.
    pub e_net: f64,
    /// Equation 4, W.
    pub w_nodes: Option<f64>,
    /// Equation 5, W.
    pub w_cluster: Option<f64>,
    /// Equation 7, J.
    pub e_cluster: Option<f64>,
}

impl WattsParameters {
    /// Checks every parameter; the error names it, its value and the allowed range.
    pub fn check(&self) -> Result<()> {
        let WattsParameters { sleeping_port, hint_power, ports, port_watts, node_watts, idle_node } = *self;
        for (name, value) in [("sleeping_port", sleeping_port), ("ports", ports), ("idle_node", idle_node)] {
            fraction(name, value)?;
        }
        Asleep { port: sleeping_port, hint_lane: hint_power }.check()?;
        for (name, value) in [("port_watts", port_watts), ("node_watts", node_watts)] {
            ensure!(value.is_finite() && value >= 0.0, "{name}: {value} is out of range, {name} >= 0 W");
        }
        Ok(())
    }

    /// What a sleeping port draws.
    pub fn asleep(&self) -> Asleep {
        Asleep { port: self.sleeping_port, hint_lane: self.hint_power }
    }

    /// Equations 1 and 2: power of a switch in W, from the U_port of its ports (fraction of the run time at full power).
    ///
    /// # Errors
    /// No ports, or a U_port outside 0..=1.
    pub fn switch_power(&self, u_port: &[f64]) -> Result<f64> {
        let w_ports = self.sleeping_port + (1.0 - self.sleeping_port) * mean("u_port", u_port)?;
        Ok(u_port.len() as f64 * self.port_watts * ((1.0 - self.ports) + self.ports * w_ports))
    }

    /// Equation 4: power of all nodes in W, from the U_cpu of each (fraction of the run time in which its CPU runs).
    ///
    /// The last line of the equation in the paper has lost the number of nodes at its first term; its first line, the sum over
    /// the nodes, is what is meant.
    ///
    /// # Errors
    /// No nodes, or a U_cpu outside 0..=1.
    pub fn nodes_power(&self, u_cpu: &[f64]) -> Result<f64> {
        let share = self.idle_node + (1.0 - self.idle_node) * mean("u_cpu", u_cpu)?;
        Ok(u_cpu.len() as f64 * self.node_watts * share)
    }

    /// Equations 1 to 7 for a run. `u_port` has a list of ports for every switch, whose numbers of ports may differ.
    ///
    /// # Errors
    /// A value out of its range, by name.
    pub fn consumption(&self, u_port: &[Vec<f64>], u_cpu: Option<&[f64]>, run_time_ns: f64) -> Result<Watts> {
        self.check()?;
        ensure!(run_time_ns.is_finite() && run_time_ns > 0.0, "run_time: {run_time_ns} is out of range, run_time > 0");
        ensure!(!u_port.is_empty(), "u_port: the list is empty, it needs at least 1 switch");
        let of_switch =
            |(switch, ports): (usize, &Vec<f64>)| self.switch_power(ports).with_context(|| format!("switch {switch}"));
        let w_net = u_port.iter().enumerate().map(of_switch).sum::<Result<f64>>()?;
        let w_nodes = u_cpu.map(|u_cpu| self.nodes_power(u_cpu)).transpose()?;
        let w_cluster = w_nodes.map(|w_nodes| w_net + w_nodes);
        let seconds = run_time_ns * 1e-9;
        Ok(Watts {
            w_net,
            e_net: w_net * seconds,
            w_nodes,
            w_cluster,
            e_cluster: w_cluster.map(|power| power * seconds),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(seen: f64, expected: f64) {
        assert!((seen - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{seen} is not {expected}");
    }

    /// The paper's own measurement (section 2.4): a switch of 36 ports draws 180 W, and 33 W without any connected.
    #[test]
    fn the_measured_switch() {
        let parameters = WattsParameters::default();
        close(parameters.switch_power(&[1.0; 36]).unwrap(), 180.0);
        let unplugged = WattsParameters { sleeping_port: 0.0, ..parameters };
        // omega_ports is (180 - 33) / 180, rounded to three digits.
        assert!((unplugged.switch_power(&[0.0; 36]).unwrap() - 33.0).abs() < 0.2);
    }

    #[test]
    fn a_switch_by_hand() {
        // W_ports = 0.1 + 0.9 * 0.5 = 0.55; 4 ports of 5 W: 20 * (0.184 + 0.816 * 0.55) = 20 * 0.6328.
        close(WattsParameters::default().switch_power(&[1.0, 0.5, 0.0, 0.5]).unwrap(), 12.656);
        // All asleep: 20 * (0.184 + 0.0816).
        close(WattsParameters::default().switch_power(&[0.0; 4]).unwrap(), 5.312);
    }

    #[test]
    fn nodes_by_hand() {
        // Each node draws 150 W idle: 3 * 150 + 150 * (1 + 0.5 + 0).
        close(WattsParameters::default().nodes_power(&[1.0, 0.5, 0.0]).unwrap(), 675.0);
    }

    #[test]
    fn a_cluster_by_hand() {
        // Switches of 4 and 2 ports: 12.656 + 10 W; nodes: 2 * 150 + 150 * 1.2 = 480 W; 2 ms.
        let ports = [vec![1.0, 0.5, 0.0, 0.5], vec![1.0, 1.0]];
        let seen = WattsParameters::default().consumption(&ports, Some(&[0.8, 0.4]), 2e6).unwrap();
        close(seen.w_net, 22.656);
        close(seen.w_nodes.unwrap(), 480.0);
        close(seen.w_cluster.unwrap(), 502.656);
        close(seen.e_net, 0.045_312);
        close(seen.e_cluster.unwrap(), 1.005_312);
    }

    #[test]
    fn without_nodes_there_is_no_cluster() {
        let seen = WattsParameters::default().consumption(&[vec![1.0]], None, 1e9).unwrap();
        assert_eq!(seen, Watts { w_net: 5.0, e_net: 5.0, w_nodes: None, w_cluster: None, e_cluster: None });
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let parameters = WattsParameters::default();
        let message = |result: Result<Watts>| format!("{:#}", result.unwrap_err());
        let of = |u_port: &[Vec<f64>], u_cpu, time| message(parameters.consumption(u_port, u_cpu, time));
        assert_eq!(of(&[vec![1.0], vec![1.5]], None, 1.0), "switch 1: u_port: 1.5 is out of range 0..=1");
        assert_eq!(of(&[vec![1.0]], Some(&[-1.0]), 1.0), "u_cpu: -1 is out of range 0..=1");
        assert_eq!(of(&[], None, 1.0), "u_port: the list is empty, it needs at least 1 switch");
        assert_eq!(of(&[vec![1.0]], None, 0.0), "run_time: 0 is out of range, run_time > 0");
        let wrong = WattsParameters { node_watts: -1.0, ..parameters };
        assert_eq!(wrong.check().unwrap_err().to_string(), "node_watts: -1 is out of range, node_watts >= 0 W");
    }
}
