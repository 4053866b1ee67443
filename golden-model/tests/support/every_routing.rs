//! Networks with every routing that is for them.

use powar_config::{Config, Routing};

/// Configurations of these networks, each with every routing that is for it, with 3 virtual channels of 64 flits.
pub fn with_every_routing(networks: &[&str]) -> Vec<Config> {
    let of_network = |name: &&str| {
        let mut config = Config::of_network(name).unwrap();
        (config.switch.vcs, config.switch.buffer_flits) = (3, 192);
        let routings: Vec<&'static Routing> = Routing::of(&**config.topology.as_ref().unwrap()).collect();
        routings.into_iter().map(move |routing| {
            let mut config = config.clone();
            config.route_by(routing);
            config
        })
    };
    networks.iter().flat_map(of_network).filter(|config| config.check_switch().is_ok()).collect()
}
