//! What the ports with a cable have counted.

use super::simulation::{IDEAL, Simulation};
use anyhow::Result;
use powar_golden::network::{Network, NodeModel, SwitchModel};
use powar_golden::port_counts::PortCounts;
use powar_golden::power_model::u_port;

/// By switch, what its ports with a cable have counted.
pub(super) fn of_connected<'a, S: SwitchModel, N: NodeModel, T>(
    network: &'a Network<S, N>,
    counts: &'a [Vec<PortCounts>],
    mut value: impl FnMut(&PortCounts) -> Result<T>,
) -> Result<Vec<Vec<T>>> {
    let mut of_switch = |(switch, ports): (usize, &Vec<PortCounts>)| {
        let connected = network.wiring().connected(switch);
        let ports = ports.iter().enumerate().filter(|(port, _)| connected >> port & 1 == 1);
        ports.map(|(_, port)| value(port)).collect()
    };
    counts.iter().enumerate().map(&mut of_switch).collect()
}

/// U_port of the ports with a cable, by switch, from what they have counted in so many cycles; of `ideal` the share in
/// which they send.
pub(super) fn u_ports<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    counts: &[Vec<PortCounts>],
    cycles: u64,
    sleeping_port: f64,
) -> Result<Vec<Vec<f64>>> {
    let residency = network.parameters().config.mechanism().residency;
    of_connected(network, counts, |port| match simulation.policy == IDEAL {
        true => Ok(port.flits as f64 / cycles as f64),
        false => u_port(residency, &port.cycles, sleeping_port),
    })
}
