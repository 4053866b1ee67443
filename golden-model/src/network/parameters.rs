//! What a network is built of: the switch's configuration and what lies between the switches.

use crate::twins::check_models;
use anyhow::{Result, ensure};
use powar_config::Config;
use powar_config::topology::wiring::Wiring;

/// Cycles of its pipeline that a head flit spends in an empty switch (`docs/microarchitecture/switch.md`).
pub const SWITCH_CYCLES: u64 = 8;
/// The longest link delay, cycles: at the papers' 625 MHz 6.5 us, more than a kilometre of fibre.
pub const MOST_DELAY: u64 = 4095;

/// A network: its switches, and the links between them. Times are cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkParameters {
    /// Of each switch, with the topology of the network.
    pub config: Config,
    /// From a flit's or credit's cycle at the output of a switch to its cycle at the input of the next: 0..=4095.
    ///
    /// A head flit takes 8 cycles through an empty switch (`docs/microarchitecture/switch.md`), so that a hop of 50 ns, 31 cycles,
    /// has 23 here.
    pub link_delay: u64,
    /// The same between a node and its switch, in both directions.
    pub node_link_delay: u64,
    /// Most flits of a packet that network interfaces make, 1..=`max_packet_flits` of the switch.
    pub packet_flits: u16,
}

impl NetworkParameters {
    /// POWAR's network interfaces and links (section 4.1): packets of 8 flits, about 50 ns a hop.
    pub fn new(config: Config) -> Self {
        let packet_flits = config.switch.max_packet_flits.min(8) as u16;
        NetworkParameters { config, link_delay: 23, node_link_delay: 23, packet_flits }
    }

    /// Checks every value and builds the network's graph.
    ///
    /// # Errors
    /// A value out of its range, by name; a configuration without a topology, one that is no network, or one with a mechanism that there is no
    /// model of.
    pub fn wiring(&self) -> Result<Wiring> {
        for (name, value) in [("link_delay", self.link_delay), ("node_link_delay", self.node_link_delay)] {
            ensure!(value <= MOST_DELAY, "{name}: {value} is out of range 0..={MOST_DELAY} cycles");
        }
        let most = self.config.switch.max_packet_flits;
        ensure!(
            (1..=most).contains(&self.packet_flits.into()),
            "packet_flits: {} is out of range 1..={most}, the switch's max_packet_flits",
            self.packet_flits
        );
        self.config.check()?;
        check_models(&self.config)?;
        self.config.check_links(self.link_delay)?;
        Wiring::new(&self.config)
    }

    /// Latency of a packet of so many flits that meets no other, from the cycle in which its message is given to the cycle in
    /// which its last flit comes in, crossing so many switches that are all awake.
    pub fn zero_load_latency(&self, hops: u64, flits: u64) -> u64 {
        2 * self.node_link_delay + SWITCH_CYCLES * hops + self.link_delay * hops.saturating_sub(1) + flits - 1
    }
}
