//! Configurations that are smaller than one, each in one thing, those that take the most away first.

use super::topologies::of_table;
use powar_config::topology;
use powar_config::{Chosen, Config, Mechanism, Routing, SwitchConfig, mechanism};
use powar_hdl::registry;

/// Small networks of any kind.
const SMALL_NETWORKS: [&str; 5] = ["star-2", "star-3", "1-ary-2-tree", "mesh-2x2", "2-ary-2-tree"];

/// What configurations have unless they say something else.
const LEAST_CROSSING_ENTRIES: usize = 8;
const USUAL_CYCLE: f64 = 1.6;

/// Good configurations that have the block and are smaller.
pub fn smaller(config: &Config, block: &str) -> Vec<Config> {
    let all = [of_all, of_mechanism, of_network, of_ports, of_switch, of_rest].iter().flat_map(|of| of(config));
    all.filter(|other| other != config && is_no_larger(other, config) && is_good(other, block)).collect()
}

/// Nothing is more than it was, so that nothing goes round in a circle.
fn is_no_larger(other: &Config, config: &Config) -> bool {
    let sizes = |config: &Config| {
        let switch = &config.switch;
        [
            config.ports,
            switch.vcs,
            switch.vc_depth(),
            switch.max_packet_flits,
            switch.flit_bits,
            switch.crossing_entries,
        ]
    };
    sizes(other).iter().zip(sizes(config)).all(|(other, own)| *other <= own)
}

fn is_good(config: &Config, block: &str) -> bool {
    let network = config.topology.is_none() || config.check_switch().is_ok();
    config.check().is_ok() && network && registry::names(config).iter().any(|name| name == block)
}

/// All at once: in a small network, with the usual mechanism and the least of everything; the same in its own network.
fn of_all(config: &Config) -> Vec<Config> {
    let least = |config: &Config| {
        let depth = 1 + powar_config::switch::IN_FLIGHT_FLITS;
        let switch = SwitchConfig {
            vcs: 1,
            buffer_flits: depth,
            max_packet_flits: 1,
            flit_bits: 32,
            every_turn: false,
            short_packets: config.switch.short_packets,
            link_stages: 1,
            crossing_entries: LEAST_CROSSING_ENTRIES,
        };
        // Some topologies need more virtual channels than one, some blocks more words.
        let more = [(1, 32), (2, 64), (config.switch.vcs, config.switch.flit_bits)];
        let sizes = more.map(|(vcs, flit_bits)| SwitchConfig { vcs, flit_bits, buffer_flits: vcs * depth, ..switch });
        sizes.map(|switch| Config { switch, ..config.clone() })
    };
    let mechanisms = [Chosen(mechanism::ALL[0].defaults()), config.mechanism.clone()];
    let mut found = vec![];
    for mechanism in mechanisms {
        for of in of_small_networks(config).iter().chain([config]).flat_map(least) {
            found.push(Config { mechanism: mechanism.clone(), cycle_ns: USUAL_CYCLE, u_max: None, ..of });
        }
    }
    found.dedup();
    found
}

/// The usual mechanism; the first policy; each parameter as it is unless something is said.
fn of_mechanism(config: &Config) -> Vec<Config> {
    let own = config.mechanism();
    let mut mechanisms: Vec<&'static Mechanism> = vec![mechanism::ALL[0], own];
    mechanisms.dedup_by_key(|mechanism| mechanism.name);
    let usual = mechanisms.into_iter().map(|mechanism| Chosen(mechanism.defaults()));
    let (table, defaults) = (config.mechanism.0.table(), own.defaults().table());
    let differing = defaults.into_iter().filter(|(name, value)| table.get(name) != Some(value));
    let one_by_one = differing.filter_map(|entry| config.mechanism.with(toml::Table::from_iter([entry])).ok());
    usual.chain(one_by_one).map(|mechanism| Config { mechanism, ..config.clone() }).collect()
}

/// Without a network; in a small one of any kind; in one of the same kind with a smaller parameter; with its usual routing.
fn of_network(config: &Config) -> Vec<Config> {
    let Some(own) = config.topology.as_deref() else { return vec![] };
    let mut found = vec![Config { topology: None, routing: None, ..config.clone() }];
    found.extend(of_small_networks(config));
    let mut table = own.table();
    table.insert("kind".into(), own.kind().name.into());
    for name in own.kind().parameters {
        for value in table.get(*name).map(smaller_values).unwrap_or_default() {
            let mut other = table.clone();
            other.insert((*name).to_owned(), value);
            found.extend(of_table(other).ok().and_then(|network| in_network(config, network)));
        }
    }
    if let Some(usual) = Routing::of(own).next() {
        found.push(Config { routing: None, deterministic: usual.deterministic, ..config.clone() });
    }
    found
}

/// In each small network that needs no more ports, if it is in one at all, and in none of these that is smaller.
fn of_small_networks(config: &Config) -> Vec<Config> {
    let Some(own) = config.topology.as_deref() else { return vec![] };
    let small: Vec<topology::Named> = SMALL_NETWORKS.iter().filter_map(|name| topology::by_name(name).ok()).collect();
    let is_own =
        |(topology, _): &topology::Named| topology.table() == own.table() && topology.kind().name == own.kind().name;
    let rank = small.iter().position(is_own).unwrap_or(small.len());
    small.into_iter().take(rank).filter_map(|network| in_network(config, network)).collect()
}

/// In another network, with its own routing if that is one for it.
fn in_network(config: &Config, (topology, ports): topology::Named) -> Option<Config> {
    topology.check().ok()?;
    let ports = topology.ports().map_or(config.ports.min(ports.max(2)), |ports| ports);
    let groups = topology.groups(ports);
    let routing = config.routing.filter(|routing| (routing.is_for)(&*topology));
    let usual = routing.or_else(|| Routing::of(&*topology).next());
    let deterministic = usual.map_or(config.deterministic, |routing| routing.deterministic);
    let mut other = Config { ports, groups, routing, deterministic, topology: Some(topology), ..config.clone() };
    if routing.is_some_and(|routing| routing.sees.table) {
        other.groups.clear();
    }
    Some(other)
}

/// A parameter of a topology with less in it.
fn smaller_values(value: &toml::Value) -> Vec<toml::Value> {
    match value {
        toml::Value::Boolean(true) => vec![false.into()],
        toml::Value::Integer(number) => fewer(*number as usize, 1).map(|less| (less as i64).into()).collect(),
        toml::Value::Array(items) => {
            let shorter = (1 < items.len()).then(|| toml::Value::Array(items[1..].to_vec()));
            let smaller = (0..items.len()).flat_map(|place| {
                smaller_values(&items[place]).into_iter().map(move |item| {
                    let mut items = items.clone();
                    items[place] = item;
                    toml::Value::Array(items)
                })
            });
            shorter.into_iter().chain(smaller).collect()
        }
        _ => vec![],
    }
}

/// The least, half, and one less of a number, if that is less.
fn fewer(number: usize, least: usize) -> impl Iterator<Item = usize> {
    let mut found = vec![least, number / 2, number.saturating_sub(1)];
    found.retain(|less| (least..number).contains(less));
    found.dedup();
    found.into_iter()
}

/// Fewer ports where the network leaves them free, fewer groups.
fn of_ports(config: &Config) -> Vec<Config> {
    let mut found = vec![];
    if config.topology.as_deref().is_none_or(|topology| topology.ports().is_none()) {
        for ports in fewer(config.ports, 2) {
            let groups = config.groups.iter().copied().filter(|group| group.ports().end <= ports).collect();
            found.push(Config { ports, groups, ..config.clone() });
        }
    }
    found.push(Config { requesters: None, ..config.clone() });
    found.push(Config { groups: vec![], ..config.clone() });
    for place in 0..config.groups.len() {
        let mut groups = config.groups.clone();
        groups.remove(place);
        found.push(Config { groups, ..config.clone() });
    }
    found
}

/// Smaller buffers, flits and packets, fewer virtual channels.
fn of_switch(config: &Config) -> Vec<Config> {
    let own = config.switch;
    let depth = own.vc_depth();
    let of = |vcs: usize, depth: usize| SwitchConfig { vcs, buffer_flits: vcs * depth, ..own };
    let least = own.max_packet_flits + powar_config::switch::IN_FLIGHT_FLITS;
    let vcs = fewer(own.vcs, 1).map(|vcs| of(vcs, depth));
    let depths = fewer(depth, least).map(|depth| of(own.vcs, depth));
    let packets = fewer(own.max_packet_flits, 1).map(|max_packet_flits| SwitchConfig { max_packet_flits, ..own });
    let words = fewer(own.flit_words(), 1).map(|words| SwitchConfig { flit_bits: 32 * words, ..own });
    let links =
        [SwitchConfig { link_stages: 1, ..own }, SwitchConfig { crossing_entries: LEAST_CROSSING_ENTRIES, ..own }];
    let all = vcs.chain(words).chain(packets).chain(depths).chain(links);
    all.map(|switch| Config { switch, ..config.clone() }).collect()
}

fn of_rest(config: &Config) -> Vec<Config> {
    vec![Config { cycle_ns: USUAL_CYCLE, ..config.clone() }, Config { u_max: None, ..config.clone() }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;
    use powar_testbenches::twins::SWITCH;

    #[test]
    fn every_preset_can_be_made_smaller_and_the_smallest_can_not() {
        for preset in presets::ALL {
            let mut config = preset.config();
            let mut steps = 0;
            while let Some(next) = smaller(&config, SWITCH).into_iter().next() {
                config = next;
                steps += 1;
                assert!(steps < 200, "{}: goes round in a circle at {}", preset.name, config.to_toml());
            }
            assert!(config.ports <= 2 && config.switch.vcs == 1, "{}: {}", preset.name, config.to_toml());
        }
    }
}
