//! Other simulators of networks, run beside ours on the same networks, packets and loads.
//!
//! A simulator is a file here and a line in [`ALL`]: how it is told of a network, and what it says when it has run. Its program is
//! the user's.

mod booksim2;
mod caminos;
mod program;

pub use program::{Against, PeerRun};

/// A network that simulators are compared on, under uniform Bernoulli traffic: 4 VCs of 256 flits, hops of 31 cycles.
#[derive(Clone, Copy, Debug)]
pub struct Compared {
    /// As `powar` calls it.
    pub topology: &'static str,
    pub kind: Kind,
    /// Ports of a switch of a tree to one side, or switches of a ring of a torus.
    pub k: u32,
    /// Levels of a tree, or dimensions of a torus.
    pub n: u32,
    /// Flits of a packet.
    pub packet_flits: u16,
}

/// What kind of network it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A k-ary n-tree: k^n nodes, up adaptive.
    Tree,
    /// A k-ary n-cube with a node a switch, in the order of dimensions.
    Torus,
}

impl Compared {
    pub fn nodes(&self) -> u32 {
        self.k.pow(self.n)
    }
}

const fn compared(topology: &'static str, kind: Kind, k: u32, n: u32, packet_flits: u16) -> Compared {
    Compared { topology, kind, k, n, packet_flits }
}

/// The networks of the comparison.
pub const NETWORKS: [Compared; 3] = [
    compared("8-ary-2-tree", Kind::Tree, 8, 2, 8),
    compared("torus-4x4x4", Kind::Torus, 4, 3, 8),
    compared("4-ary-4-tree", Kind::Tree, 4, 4, 16),
];
/// The loads, flits a node and cycle: from nearly nothing to two thirds of what any of them carries.
pub const LOADS: [f64; 4] = [0.0001, 0.05, 0.2, 0.4];
/// Virtual channels of a port, and flits of a buffer.
const VCS: u32 = 4;
const BUFFER_FLITS: u32 = 256;

/// A simulator.
#[derive(Debug)]
pub struct Peer {
    /// On the command line.
    pub name: &'static str,
    pub title: &'static str,
    /// The file that tells it to simulate so many cycles of a network at a load.
    pub configuration: fn(&Compared, load: f64, cycles: u64) -> String,
    /// What of what it has printed says that it has run to its end: cycles, and flits a node and cycle that came in.
    pub read: fn(printed: &str, cycles: u64) -> Option<Read>,
}

/// What a simulator says of a run: its cycles, and flits a node and cycle that came in, if it tells.
pub type Read = (u64, Option<f64>);

/// Every simulator.
pub static ALL: [&Peer; 2] = [&booksim2::BOOKSIM2, &caminos::CAMINOS];

/// The number behind the last of these words in a text.
fn number_behind(text: &str, words: &str) -> Option<f64> {
    let (_, rest) = text.rsplit_once(words)?;
    let rest = rest.trim_start_matches(|char: char| char.is_whitespace() || "=:".contains(char));
    let end = rest.find(|char: char| !(char.is_ascii_alphanumeric() || "+-.".contains(char))).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Simulation;
    use powar_config::topology::wiring::Wiring;

    #[test]
    fn networks_are_what_their_names_say() {
        for network in NETWORKS {
            let simulation = Simulation { topology: network.topology.into(), ..Simulation::default() };
            let config = simulation.network().unwrap().config;
            let wiring = Wiring::new(&config).unwrap();
            assert_eq!(wiring.nodes.len(), network.nodes() as usize, "{network:?}");
            let ports = match network.kind {
                Kind::Tree => 2 * network.k,
                Kind::Torus => 2 * network.n + 1,
            };
            assert_eq!((config.ports, config.switch.vcs), (ports as usize, VCS as usize), "{network:?}");
        }
    }

    #[test]
    fn a_number_is_read_behind_the_last_of_its_words() {
        assert_eq!(number_behind("rate = 0.1 (2)\nrate = 3.5e-1 (9 samples)", "rate"), Some(0.35));
        assert_eq!(number_behind("Time taken is 20012 cycles", "Time taken is"), Some(20012.0));
        assert_eq!(number_behind("accepted_load:\n\t0.40,\n", "accepted_load"), Some(0.4));
        assert_eq!((number_behind("a: x", "a"), number_behind("", "a")), (None, None));
    }
}
