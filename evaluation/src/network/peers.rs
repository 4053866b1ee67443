//! Other simulators of networks, as they were measured.

/// The loads of the table that simulators are compared on.
pub const LOADS: [f64; 4] = [0.0001, 0.05, 0.2, 0.4];

/// A simulator's rates on one of the networks of [`super::rate::NETWORKS`], simulated cycles a second of one core of a 2.3 GHz Xeon, give or take a
/// tenth; same traffic, packets and buffers, 4 VCs. `docs/performance.md` says how to measure them again.
#[derive(Clone, Copy, Debug)]
pub struct PeerRate {
    pub simulator: &'static str,
    pub topology: &'static str,
    /// At the loads of [`LOADS`].
    pub cycles_per_second: [f64; 4],
}

const fn rate(simulator: &'static str, topology: &'static str, cycles_per_second: [f64; 4]) -> PeerRate {
    PeerRate { simulator, topology, cycles_per_second }
}

/// BookSim2 (C++) and CAMINOS 0.6 (Rust).
pub const PEERS: [PeerRate; 6] = [
    rate("BookSim2", "8-ary-2-tree", [177e3, 54e3, 21e3, 12e3]),
    rate("BookSim2", "torus-4x4x4", [90e3, 31e3, 12e3, 6.4e3]),
    rate("BookSim2", "4-ary-4-tree", [20e3, 2.5e3, 1.3e3, 0.75e3]),
    rate("CAMINOS", "8-ary-2-tree", [2.0e6, 43e3, 20e3, 14e3]),
    rate("CAMINOS", "torus-4x4x4", [2.1e6, 34e3, 12e3, 7.5e3]),
    rate("CAMINOS", "4-ary-4-tree", [0.47e6, 5.6e3, 1.7e3, 1.0e3]),
];

/// What a simulator came to on a network at one of the loads, cycles a second.
pub fn cycles_per_second(simulator: &str, topology: &str, load: f64) -> Option<f64> {
    let peer = PEERS.iter().find(|peer| (peer.simulator, peer.topology) == (simulator, topology))?;
    let place = LOADS.iter().position(|&known| known == load)?;
    Some(peer.cycles_per_second[place])
}
