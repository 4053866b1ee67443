//! Networks by the names that the literature gives them.

use crate::config::Config;
use crate::presets;
use crate::topology::{self, Topology};
use anyhow::{Result, ensure};

impl Config {
    /// The switch of a network that is named by its topology, with the papers' timing and thresholds; see [`topology::forms`].
    ///
    /// `8-ary-2-tree` and `torus-4x4x4-trunk4` are POWAR's networks (Table 4), `4-ary-4-tree` is one of Alonso et al. 2015, `k4-n3`
    /// and its like are those of Andújar et al. 2023.
    ///
    /// # Errors
    /// A name of another form, or a network whose switch can't be built.
    pub fn of_network(name: &str) -> Result<Config> {
        let (topology, ports) = topology::by_name(name)?;
        Config::of_topology(name, topology, ports)
    }

    /// The same of a topology whose switches have so many ports, under any name.
    ///
    /// # Errors
    /// A network whose switch can't be built.
    pub fn of_topology(name: &str, topology: Box<dyn Topology>, ports: usize) -> Result<Config> {
        ensure!(
            crate::config::PORTS.contains(&ports),
            "topology: the switches of `{name}` have {ports} ports, out of range 2..=64"
        );
        let mut config = presets::by_name("fat-tree-2")?;
        (config.name, config.ports) = (name.to_owned(), ports);
        config.groups = topology.groups(ports);
        config.topology = Some(topology);
        config.deterministic = config.routing().map_or(config.deterministic, |routing| routing.deterministic);
        config.check()?;
        config.check_switch()?;
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::Wiring;

    #[test]
    fn names_of_the_papers_networks() {
        for (name, ports) in [
            ("8-ary-2-tree", 16),
            ("torus-4x4x4-trunk4", 28),
            ("torus-4x4x4", 7),
            ("mesh-8x8", 5),
            ("mesh-4x4-nodes4", 8),
            ("torus-4x4-trunk4-nodes4", 20),
            ("torus-5x4x4-trunk4-nodes4", 28),
            ("dragonfly-p2a4h2", 7),
            ("boards-8x8", 64),
            ("boards-4x4", 16),
            ("4-ary-4-tree", 8),
            ("k4-n3", 8),
            ("k18-n2", 36),
            ("star-16", 16),
        ] {
            let config = Config::of_network(name).unwrap();
            assert_eq!((config.name.as_str(), config.ports), (name, ports));
        }
        // The presets are the switches of these networks.
        for (name, preset) in
            [("8-ary-2-tree", "fat-tree-8"), ("torus-4x4x4-trunk4", "torus-28"), ("star-16", "star-16")]
        {
            let preset = presets::by_name(preset).unwrap();
            assert_eq!(Config { name: preset.name.clone(), ..Config::of_network(name).unwrap() }, preset, "{name}");
        }
    }

    /// Andújar et al. 2023, Tables 3 and 4: nodes, switches, ports of a switch, ports of the network. A torus' "trunk" is four links between
    /// neighbours and four nodes a switch.
    #[test]
    fn networks_of_tables_3_and_4() {
        for (base, name, nodes, switches, ports, all) in [
            ("3D", "torus-4x4x4", 64, 64, 7, 448),
            ("2D", "torus-4x4-trunk4-nodes4", 64, 16, 20, 320),
            ("k4-n3", "k4-n3", 64, 40, 8, 320),
            ("k8-n2", "k8-n2", 64, 12, 16, 192),
            ("D72", "dragonfly-p2a4h2", 72, 36, 7, 252),
            ("D80", "dragonfly-p4a4h1", 80, 20, 8, 160),
            ("4D", "torus-4x4x4x4", 256, 256, 9, 2304),
            ("3D", "torus-4x4x4-trunk4-nodes4", 256, 64, 28, 1792),
            ("4D-320", "torus-5x4x4x4", 320, 320, 9, 2880),
            ("3D-320", "torus-5x4x4-trunk4-nodes4", 320, 80, 28, 2240),
            ("k4-n4", "k4-n4", 256, 224, 8, 1792),
            ("k16-n2", "k16-n2", 256, 24, 32, 768),
            ("k18-n2", "k18-n2", 324, 27, 36, 972),
            ("D272", "dragonfly-p2a8h2", 272, 136, 11, 1496),
            ("D312", "dragonfly-p4a6h2", 312, 78, 11, 858),
            ("D342", "dragonfly-p3a6h3", 342, 114, 11, 1254),
        ] {
            let wiring = Wiring::new(&Config::of_network(name).unwrap()).unwrap();
            let connected: u32 = (0..wiring.ends.len()).map(|switch| wiring.connected(switch).count_ones()).sum();
            let found = (wiring.nodes.len(), wiring.ends.len(), wiring.ends[0].len(), connected);
            assert_eq!(found, (nodes, switches, ports, all), "{base}: {name}");
        }
    }

    #[test]
    fn other_names_are_refused_with_the_forms() {
        for name in [
            "",
            "tree",
            "8-ary-tree",
            "k-n2",
            "torus-",
            "torus-4x",
            "torus-4x4-trunk",
            "torus-4x4-nodes",
            "torus-4x4-nodes4-trunk4",
            "star-x",
            "k04-n2",
            "torus-4x4-trunk+4",
            "dragonfly-p2a4",
            "dragonfly-p2h2a4",
            "dragonfly-p2a4h",
            "boards-4",
            "boards-4x",
            "boards-4x4x4",
            "boards-04x4",
        ] {
            let error = Config::of_network(name).unwrap_err().to_string();
            assert!(error.starts_with("topology: ") && error.contains("K-ary-N-tree"), "{error}");
        }
        let error = Config::of_network("64-ary-2-tree").unwrap_err().to_string();
        assert!(error.contains("128 ports"), "{error}");
        assert!(Config::of_network("torus-1x4").is_err());
        for (name, said) in [
            ("boards-8x9", "65 ports"),
            ("boards-1x4", "topology.boards: 1 is out of range 2..=8"),
            ("boards-18446744073709551615x2", "18446744073709551615 ports"),
        ] {
            let error = Config::of_network(name).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
