//! U_max: how much the links of a network carry under uniform traffic, measured.
//!
//! POWAR (section 3) asks for T_on < U_max, "the maximum link utilization for a given topology under uniform traffic", and gives no
//! value. The rule is a warning here, not an error: it is about a network under one traffic, and thresholds above it work.

use crate::config::Config;
use crate::setting::Setting;
use crate::shape::Shape;
use crate::topology;

/// U_max by network: the mean over all links between switches (`link_utilisation.mean` of `experiments/u-max.toml`), to two digits. Measured
/// later, k8-n2 comes to one more in the second.
///
/// Golden switches with 4 VCs, 1024 flits of buffer a port and packets of 8 flits; ports that never sleep; nodes that offer all that
/// their links take. A network that is not here is not warned about; a line for it in that file measures it.
pub const MEASURED: [(&str, f64); 30] = [
    ("4-ary-2-tree", 0.75),
    ("8-ary-2-tree", 0.8),
    ("16-ary-2-tree", 0.79),
    ("4-ary-3-tree", 0.79),
    ("8-ary-3-tree", 0.79),
    ("4-ary-4-tree", 0.77),
    ("k4-n3", 0.79),
    ("k8-n2", 0.81),
    ("k16-n2", 0.8),
    ("k18-n2", 0.8),
    ("k4-n4", 0.77),
    ("torus-4x4", 0.53),
    ("torus-8x8", 0.8),
    ("torus-4x4x4", 0.5),
    ("torus-4x4-trunk2", 0.53),
    ("torus-4x4x4-trunk2", 0.5),
    ("torus-4x4x4-trunk4", 0.5),
    ("torus-8x8-trunk4", 0.86),
    ("mesh-4x4", 0.72),
    ("mesh-8x8", 0.56),
    ("torus-4x4-trunk4-nodes4", 0.47),
    ("torus-8x8-trunk4-nodes4", 0.81),
    ("torus-4x4x4-trunk4-nodes4", 0.47),
    ("torus-4x4x5-trunk4-nodes4", 0.46),
    ("torus-4x4x4x4", 0.5),
    ("dragonfly-p2a4h2", 0.7),
    ("dragonfly-p4a4h1", 0.55),
    ("dragonfly-p2a8h2", 0.48),
    ("dragonfly-p4a6h2", 0.58),
    ("dragonfly-p3a6h3", 0.66),
];

impl Config {
    /// U_max of its network: what the configuration says, or what was measured; none of a network that wasn't.
    pub fn known_u_max(&self) -> Option<f64> {
        self.setting().known_u_max()
    }
}

impl Setting<'_> {
    /// U_max of its network, as of [`Config::known_u_max`].
    pub fn known_u_max(&self) -> Option<f64> {
        let Shape { topology: own, ports: own_ports, .. } = self.shape;
        let is_this = |name: &str| {
            let (topology, ports) = topology::by_name(name).expect("the table has names of networks");
            own.is_some_and(|own| *own == *topology) && own_ports == ports
        };
        self.u_max.or_else(|| MEASURED.into_iter().find(|(name, _)| is_this(name)).map(|(_, u_max)| u_max))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_network_of_the_table_is_found_by_its_topology() {
        for (name, u_max) in MEASURED {
            assert_eq!(Config::of_network(name).unwrap().known_u_max(), Some(u_max), "{name}");
            assert!(u_max > 0.0 && u_max < 1.0, "{name}");
        }
        // A preset has another name than its network.
        let preset = crate::presets::by_name("torus-28").unwrap().known_u_max();
        assert!(preset.is_some() && preset == Config::of_network("torus-4x4x4-trunk4").unwrap().known_u_max());
        for unmeasured in ["star-16", "torus-5x3-trunk2", "2-ary-3-tree"] {
            assert_eq!(Config::of_network(unmeasured).unwrap().known_u_max(), None, "{unmeasured}");
        }
    }
}
