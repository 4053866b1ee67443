//! Power and energy relative to their maximum (POWAR section 2.3).
//!
//! Every power here is a fraction of what the same ports, switches or nodes draw at most; energies are such a fraction
//! times a run time, in the unit of the run time. They mean something in comparison: [`Consumption::relative_to`].
//!
//! The paper has two accountings of its ports, which differ in what sleeping ports draw: [`Accounting`].

use super::{Asleep, fraction, mean};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// What the parts of a system contribute to its power (POWAR Table 2 is the default); all within 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PowerParameters {
    /// omega_Sport: what a sleeping port draws, as a fraction of its full power.
    pub sleeping_port: f64,
    /// What the lane for hints of a sleeping port draws beside that, if it is on, as a fraction of the port's full power.
    #[serde(skip_serializing_if = "super::is_none")]
    pub hint_power: f64,
    /// omega_ports: share of the ports in a switch's power.
    pub ports: f64,
    /// omega_net: share of the network in the cluster's power.
    pub network: f64,
    /// omega_Snodes: what an idle node draws, as a fraction of its full power.
    pub idle_node: f64,
}

impl Default for PowerParameters {
    fn default() -> Self {
        PowerParameters { sleeping_port: 0.1, hint_power: 0.0, ports: 0.65, network: 0.15, idle_node: 0.5 }
    }
}

/// How the power of a switch's ports, W_ports, follows from their U_port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accounting {
    /// Equation 1: W_ports = omega_Sport + (1 - omega_Sport) U_port. With the parameters of Table 2 a network that sleeps all the time
    /// draws 0.35 + 0.65 x 0.1 = 0.415: at most 58.5 % can be saved.
    Equation1,
    /// The worked example (section 2.3.4, equation 9) puts U_port itself where equation 3 has W_ports, so that a sleeping port
    /// draws nothing. A network that sleeps all the time draws 0.35: at most 65 % can be saved.
    WorkedExample,
}

impl PowerParameters {
    /// Checks every parameter; the error names it, its value and the allowed range.
    pub fn check(&self) -> Result<()> {
        let PowerParameters { sleeping_port, hint_power, ports, network, idle_node } = *self;
        for (name, value) in
            [("sleeping_port", sleeping_port), ("ports", ports), ("network", network), ("idle_node", idle_node)]
        {
            fraction(name, value)?;
        }
        Asleep { port: sleeping_port, hint_lane: hint_power }.check()
    }

    /// What a sleeping port draws by an accounting.
    pub fn asleep(&self, accounting: Accounting) -> Asleep {
        let port = match accounting {
            Accounting::Equation1 => self.sleeping_port,
            Accounting::WorkedExample => 0.0,
        };
        Asleep { port, hint_lane: self.hint_power }
    }

    /// W_ports of a switch, from the U_port of its ports (fraction of the run time at full power).
    ///
    /// # Errors
    /// No ports, or a U_port outside 0..=1.
    pub fn ports_power(&self, accounting: Accounting, u_port: &[f64]) -> Result<f64> {
        let u_port = mean("u_port", u_port)?;
        Ok(match accounting {
            Accounting::Equation1 => self.sleeping_port + (1.0 - self.sleeping_port) * u_port,
            Accounting::WorkedExample => u_port,
        })
    }

    /// Equation 2: W_sw of a switch, from its W_ports. The logic beside the ports always draws its full power.
    pub fn switch_power(&self, w_ports: f64) -> f64 {
        (1.0 - self.ports) + self.ports * w_ports
    }

    /// Equation 3: W_net, from the W_ports of every switch. Every switch counts the same, however many ports it has: where one
    /// has fewer, each of them counts for more.
    ///
    /// # Errors
    /// No switches, or a W_ports outside 0..=1.
    pub fn network_power(&self, w_ports: &[f64]) -> Result<f64> {
        Ok(self.switch_power(mean("w_ports", w_ports)?))
    }

    /// Equation 4: W_nodes, from the U_cpu of every node (fraction of the run time in which its CPU runs).
    ///
    /// # Errors
    /// No nodes, or a U_cpu outside 0..=1.
    pub fn nodes_power(&self, u_cpu: &[f64]) -> Result<f64> {
        Ok(self.idle_node + (1.0 - self.idle_node) * mean("u_cpu", u_cpu)?)
    }

    /// Equation 5: W_cluster.
    pub fn cluster_power(&self, w_net: f64, w_nodes: f64) -> f64 {
        self.network * w_net + (1.0 - self.network) * w_nodes
    }

    /// Equations 1 to 7 for a run. `u_port` has a list of ports for every switch; `run_time` is in any unit.
    ///
    /// # Errors
    /// A value out of its range, by name.
    pub fn consumption(
        &self,
        accounting: Accounting,
        u_port: &[Vec<f64>],
        u_cpu: &[f64],
        run_time: f64,
    ) -> Result<Consumption> {
        self.check()?;
        let of_switch = |(switch, ports): (usize, &Vec<f64>)| {
            self.ports_power(accounting, ports).with_context(|| format!("switch {switch}"))
        };
        let w_ports = u_port.iter().enumerate().map(of_switch).collect::<Result<Vec<f64>>>()?;
        self.consumption_of(self.network_power(&w_ports)?, self.nodes_power(u_cpu)?, run_time)
    }

    /// Equations 5 to 7, for the power of the network and of the nodes in a run.
    ///
    /// # Errors
    /// A run time that is not above 0.
    pub fn consumption_of(&self, w_net: f64, w_nodes: f64, run_time: f64) -> Result<Consumption> {
        ensure!(run_time.is_finite() && run_time > 0.0, "run_time: {run_time} is out of range, run_time > 0");
        let w_cluster = self.cluster_power(w_net, w_nodes);
        Ok(Consumption {
            run_time,
            w_net,
            w_nodes,
            w_cluster,
            e_net: w_net * run_time,
            e_cluster: w_cluster * run_time,
        })
    }
}

/// Power and energy of a run. Powers are fractions of the maximum, energies have the unit of the run time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Consumption {
    pub run_time: f64,
    /// Equation 3.
    pub w_net: f64,
    /// Equation 4.
    pub w_nodes: f64,
    /// Equation 5.
    pub w_cluster: f64,
    /// Equation 6.
    pub e_net: f64,
    /// Equation 7.
    pub e_cluster: f64,
}

/// A run normalised to another, as the papers' figures show it; 1 = the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Relative {
    pub run_time: f64,
    pub e_net: f64,
    pub e_cluster: f64,
}

impl Consumption {
    /// This run normalised to a reference run.
    pub fn relative_to(&self, reference: &Consumption) -> Relative {
        Relative {
            run_time: self.run_time / reference.run_time,
            e_net: self.e_net / reference.e_net,
            e_cluster: self.e_cluster / reference.e_cluster,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(seen: f64, printed: f64, tolerance: f64) {
        assert!((seen - printed).abs() <= tolerance, "{seen} is not {printed}");
    }

    use Accounting::{Equation1, WorkedExample};

    /// The reference run of POWAR's example (section 2.3.4, Table 3).
    fn reference(accounting: Accounting) -> Consumption {
        PowerParameters::default().consumption(accounting, &[vec![1.0], vec![1.0]], &[0.8], 650_000.0).unwrap()
    }

    /// The run that saves power in that example.
    fn saving(accounting: Accounting) -> Consumption {
        PowerParameters::default().consumption(accounting, &[vec![0.7], vec![0.8]], &[0.75], 685_000.0).unwrap()
    }

    #[test]
    fn the_papers_example_as_it_is_printed() {
        let saving = saving(WorkedExample);
        close(saving.w_net, 0.8375, 1e-12);
        close(saving.w_nodes, 0.875, 1e-12);
        close(saving.w_cluster, 0.869375, 1e-12);
        let relative = saving.relative_to(&reference(WorkedExample));
        close(relative.run_time, 1.054, 0.0005);
        close(relative.e_net, 0.8826, 0.00005);
        close(relative.e_cluster, 1.0013, 0.00005);
    }

    #[test]
    fn the_papers_example_by_equation_1() {
        let parameters = PowerParameters::default();
        close(parameters.ports_power(Equation1, &[0.7]).unwrap(), 0.73, 1e-12);
        close(parameters.ports_power(Equation1, &[0.8]).unwrap(), 0.82, 1e-12);
        let saving = saving(Equation1);
        // 0.35 + 0.65 * 0.775; 0.15 * 0.85375 + 0.85 * 0.875.
        close(saving.w_net, 0.85375, 1e-12);
        close(saving.w_cluster, 0.871_812_5, 1e-12);
        let relative = saving.relative_to(&reference(Equation1));
        close(relative.e_net, 0.85375 * 685.0 / 650.0, 1e-12);
        close(relative.e_cluster, 0.871_812_5 * 685.0 / (0.915 * 650.0), 1e-12);
    }

    #[test]
    fn the_reference_run_of_the_example() {
        // Ports that are always on draw the same by both.
        for accounting in [Equation1, WorkedExample] {
            let reference = reference(accounting);
            close(reference.w_net, 1.0, 1e-12);
            close(reference.w_nodes, 0.9, 1e-12);
            close(reference.w_cluster, 0.915, 1e-12);
            close(reference.e_cluster, 0.915 * 650_000.0, 1e-6);
        }
    }

    #[test]
    fn a_network_that_always_sleeps_draws_all_of_its_logic_and_by_equation_1_a_tenth_of_its_ports() {
        let parameters = PowerParameters::default();
        for (accounting, w_ports, w_net) in [(Equation1, 0.1, 0.415), (WorkedExample, 0.0, 0.35)] {
            close(parameters.ports_power(accounting, &[0.0; 16]).unwrap(), w_ports, 1e-12);
            let asleep = parameters.consumption(accounting, &[vec![0.0; 16], vec![0.0; 8]], &[1.0], 1.0).unwrap();
            close(asleep.w_net, w_net, 1e-12);
        }
    }

    /// The roots of a tree have half the ports of its other switches, and each of them counts twice.
    #[test]
    fn switches_count_the_same_however_many_ports_they_have() {
        let w_net = |u_port: &[Vec<f64>]| {
            PowerParameters::default().consumption(WorkedExample, u_port, &[1.0], 1.0).unwrap().w_net
        };
        close(w_net(&[vec![0.0; 16], vec![1.0; 8]]), 0.35 + 0.65 / 2.0, 1e-12);
        // The mean over the ports would be a third.
        close(w_net(&[vec![1.0; 16], vec![0.0; 8]]), 0.35 + 0.65 / 2.0, 1e-12);
    }

    #[test]
    fn equation_1_takes_the_mean_over_the_ports() {
        close(
            PowerParameters::default().ports_power(Equation1, &[1.0, 0.5, 0.0, 0.5]).unwrap(),
            0.1 + 0.9 * 0.5,
            1e-12,
        );
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let parameters = PowerParameters::default();
        let message = |result: Result<Consumption>| format!("{:#}", result.unwrap_err());
        let of =
            |u_port: &[Vec<f64>], u_cpu: &[f64], time| message(parameters.consumption(Equation1, u_port, u_cpu, time));
        assert_eq!(of(&[vec![1.0], vec![1.5]], &[1.0], 1.0), "switch 1: u_port: 1.5 is out of range 0..=1");
        assert_eq!(of(&[vec![1.0]], &[f64::NAN], 1.0), "u_cpu: NaN is out of range 0..=1");
        assert_eq!(of(&[], &[1.0], 1.0), "w_ports: the list is empty, it needs at least 1 value");
        assert_eq!(of(&[vec![1.0]], &[1.0], 0.0), "run_time: 0 is out of range, run_time > 0");
        let wrong = PowerParameters { network: 2.0, ..parameters };
        let wrong = wrong.consumption(WorkedExample, &[vec![1.0]], &[1.0], 1.0);
        assert_eq!(message(wrong), "network: 2 is out of range 0..=1");
        let wrong = PowerParameters { hint_power: 0.95, ..parameters }.check().unwrap_err();
        assert_eq!(wrong.to_string(), "hint_power: 0.95 is out of range 0..=1 - sleeping_port = 0.9");
    }
}
