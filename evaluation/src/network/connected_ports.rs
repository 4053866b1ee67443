//! What the ports with a cable have counted.

use super::simulation::{IDEAL, Simulation};
use anyhow::Result;
use powar_golden::network::{Network, NodeModel, SwitchModel};
use powar_golden::port_counts::PortCounts;
use powar_golden::power_model::{Asleep, u_port};

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
/// which they send. A lane for hints draws only where the parameters keep it on while its link sleeps.
pub(super) fn u_ports<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    network: &Network<S, N>,
    counts: &[Vec<PortCounts>],
    cycles: u64,
    asleep: Asleep,
) -> Result<Vec<Vec<f64>>> {
    let config = &network.parameters().config;
    let residency = config.mechanism.residency();
    let asleep = match config.mechanism.0.keeps_lane_on() {
        true => asleep,
        false => Asleep::without_lane(asleep.port),
    };
    of_connected(network, counts, |port| match simulation.policy == IDEAL {
        true => Ok(port.flits as f64 / cycles as f64),
        false => u_port(&residency, &port.cycles, asleep),
    })
}
