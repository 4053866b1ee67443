//! Configurations at random, and a block of each.

use super::parameters;
use super::topologies::DRAWERS;
use powar_config::mechanism;
use powar_config::{Config, Deterministic, Group, Mechanism, Routing, SwitchConfig, presets};
use powar_hdl::registry;
use powar_testbenches::random::Random;
use powar_testbenches::twins::{self, SWITCH};

/// Attempts at a configuration that passes all checks; some one in ten does.
const ATTEMPTS: usize = 5_000;
/// Ports up to which whole switches are drawn as often as all their blocks together: the compiler's time grows with their square.
const MANY_PORTS: usize = 10;
/// A whole switch with more ports, once in so many.
const LARGE_SWITCHES: u32 = 8;
/// The same of a configuration that ships, once in so many.
const SHIPPED: u32 = 8;

/// A configuration that passes every check, and the name of a block that it has.
pub fn configuration(random: &mut Random) -> (Config, String) {
    // The rarer parts are as likely as others: what they don't go with is drawn anew, not they.
    let kept = Kept::draw(random);
    let found = (0..ATTEMPTS).find_map(|_| attempt(&kept, random).filter(is_good));
    let config = found.unwrap_or_else(|| presets::ALL[0].config());
    let block = block(&config, random);
    (config, block)
}

/// What stays the same until a configuration is found.
struct Kept {
    mechanism: Option<&'static Mechanism>,
    routing: Option<&'static Routing>,
    most_ports: usize,
}

impl Kept {
    fn draw(random: &mut Random) -> Kept {
        let mechanism = mechanism::ALL[random.below(mechanism::ALL.len() as u64) as usize];
        let routing = powar_config::routing::ALL[random.below(powar_config::routing::ALL.len() as u64) as usize];
        let most_ports = match random.below(40) {
            0..18 => 6,
            18..32 => MANY_PORTS,
            32..37 => 20,
            37..39 => 36,
            _ => 64,
        };
        // One or the other, since few go together.
        match random.below(5) {
            0..2 => Kept { mechanism: Some(mechanism), routing: None, most_ports },
            2..4 => Kept { mechanism: None, routing: Some(routing), most_ports },
            _ => Kept { mechanism: None, routing: None, most_ports },
        }
    }
}

fn is_good(config: &Config) -> bool {
    let models = || has_models(config);
    config.check().is_ok()
        && (config.topology.is_none() || config.check_switch().is_ok())
        && models()
        && has_table(config)
}

/// Tables are made of a network's cables, which a network that passes all other checks may lack: some sizes of folded trees.
fn has_table(config: &Config) -> bool {
    let wired = || config.topology.as_deref().is_some_and(|topology| topology.cables(config.ports).is_ok());
    !config.routing_sees().table || wired()
}

/// There are models of its mechanism and its routing.
fn has_models(config: &Config) -> bool {
    registry::names(config).first().is_some_and(|block| twins::golden(config, block).is_ok())
}

fn attempt(kept: &Kept, random: &mut Random) -> Option<Config> {
    let mut config = match random.below(u64::from(SHIPPED)) {
        0 if kept.routing.is_none() => presets::ALL[random.below(presets::ALL.len() as u64) as usize].config(),
        1 if kept.routing.is_none() => without_network(kept, random)?,
        _ => of_network(kept, random)?,
    };
    if !random.one_in(8) {
        config.cycle_ns = if random.one_in(2) { 1.6 } else { 0.5 + random.below(100) as f64 / 10.0 };
    }
    let drawn = mechanism::ALL[random.below(mechanism::ALL.len() as u64) as usize];
    config.mechanism = parameters::mechanism(&config, kept.mechanism.unwrap_or(drawn), random)?;
    Some(config)
}

/// The switch of a network.
fn of_network(kept: &Kept, random: &mut Random) -> Option<Config> {
    let (kind, draw) = DRAWERS[random.below(DRAWERS.len() as u64) as usize];
    let (topology, ports) = draw(random).ok()?;
    if !(2..=kept.most_ports).contains(&ports) || topology.check().is_err() {
        return None;
    }
    let routings: Vec<&'static Routing> = Routing::of(&*topology).collect();
    let drawn = *routings.get(random.below(routings.len() as u64) as usize)?;
    let routing = kept.routing.unwrap_or(drawn);
    if !(routing.is_for)(&*topology) {
        return None;
    }
    let mut config = Config { name: format!("random-{}", kind.name), ports, ..presets::ALL[0].config() };
    config.groups = topology.groups(ports);
    config.topology = Some(topology);
    config.switch = sizes(random, routing.least_vcs);
    // Its usual one needs not be named.
    match routings.first().filter(|usual| usual.name == routing.name && random.one_in(2)) {
        Some(usual) => config.deterministic = usual.deterministic,
        None => config.route_by(routing),
    }
    if routing.sees.table {
        config.groups.clear();
    }
    Some(config)
}

/// A power controller alone, with any groups.
fn without_network(kept: &Kept, random: &mut Random) -> Option<Config> {
    let ports = 2 + random.below(kept.most_ports as u64 - 1) as usize;
    let mut config = Config { name: "random-controller".into(), ports, ..presets::ALL[0].config() };
    config.topology = None;
    config.routing = None;
    config.deterministic = if random.one_in(2) { Deterministic::Single } else { Deterministic::Set };
    config.requesters = Some(1 + random.below(kept.most_ports as u64) as usize).filter(|_| random.one_in(2));
    config.groups.clear();
    let mut first = 0;
    while first < ports {
        let size = 1 + random.below((ports - first) as u64) as usize;
        if !random.one_in(4) {
            config.groups.push(Group { first, size });
        }
        first += size;
    }
    config.switch = sizes(random, 1);
    Some(config)
}

/// Buffers and flits: what switches have, or what is small and of no round number.
fn sizes(random: &mut Random, least_vcs: usize) -> SwitchConfig {
    if random.one_in(4) && least_vcs <= SwitchConfig::default().vcs {
        return SwitchConfig::default();
    }
    let mut below = |bound: u64| random.below(bound) as usize;
    let vcs = least_vcs.max(1) + below(3).min(below(8));
    let vcs = vcs.min(8);
    let max_packet_flits = match below(8) {
        0 => 1 + below(64),
        1 => 1,
        _ => 1 + below(16),
    };
    let depth = (max_packet_flits + 6 + below(20).min(below(60))).min(4096 / vcs);
    let words = match below(8) {
        0 => 16,
        1 => 4,
        2 => 1 + below(16),
        _ => 1 + below(3),
    };
    SwitchConfig {
        vcs,
        buffer_flits: vcs * depth,
        max_packet_flits,
        flit_bits: 32 * words,
        every_turn: false,
        short_packets: [None, None, Some(true), Some(false)][below(4)],
        link_stages: 1 + below(4).min(below(64)),
        crossing_entries: 8 << below(5).min(below(9)),
    }
}

/// A block of a configuration, the whole switch as often as all others together unless it is large.
fn block(config: &Config, random: &mut Random) -> String {
    // Some blocks are of a mechanism in one of the two models, and of all in the other.
    let has_twin = |name: &String| twins::golden(config, name).is_ok();
    let mut names = registry::names(config);
    let often = config.ports <= MANY_PORTS;
    let whole = if often { random.one_in(2) } else { random.one_in(LARGE_SWITCHES) };
    if let Some(switch) = names.iter().find(|name| whole && *name == SWITCH) {
        return switch.clone();
    }
    loop {
        let name = names.swap_remove(random.below(names.len() as u64) as usize);
        if has_twin(&name) || names.is_empty() {
            return name;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn all_there_is_is_drawn() {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        for seed in 0..400 {
            let (config, block) = configuration(&mut Random::new(seed));
            config.check().unwrap();
            twins::golden(&config, &block).unwrap();
            assert_eq!(Config::from_toml(&config.to_toml()).unwrap(), config);
            let topology = config.topology.as_deref().map_or("none", |topology| topology.kind().name);
            seen.extend([topology.to_owned(), config.mechanism().name.into(), block]);
            seen.extend(config.routing().map(|routing| routing.name.to_owned()));
        }
        let topologies = powar_config::topology::KINDS.map(|kind| kind.name);
        let (mechanisms, routings) =
            (mechanism::ALL.map(|one| one.name), powar_config::routing::ALL.map(|one| one.name));
        let all = topologies.into_iter().chain(mechanisms).chain(routings).chain([SWITCH, "none"]);
        let missing: Vec<&str> = all.filter(|name| !seen.contains(*name)).collect();
        assert!(missing.is_empty(), "never drawn: {missing:?}");
    }
}
