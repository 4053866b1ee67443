//! Values of the parameters of properties that can't be read off a signal: what the manifest says, else what the configuration does.

use crate::library::Properties;
use powar_config::registers::{WORD_BYTES, port_stride};
use powar_config::routing::table;
use powar_config::routing::tables::TableRow;
use powar_config::{Config, Deterministic};

/// A parameter that begins so is the width of the signal that follows.
pub(crate) const WIDTH_OF: &str = "BITS_";

/// A number of a configuration.
type Number = fn(&Config) -> Option<usize>;

/// What a parameter's name says of a configuration. Parameters of topologies come after these, by their names.
const OF_A_CONFIGURATION: [(&str, Number); 18] = [
    ("PORTS", |config| Some(config.ports)),
    ("VCS", |config| Some(config.switch.vcs)),
    ("VC_FLITS", |config| Some(config.switch.vc_depth())),
    ("FLIT_BITS", |config| Some(config.switch.flit_bits)),
    ("MAX_PACKET_FLITS", |config| Some(config.switch.max_packet_flits)),
    // The first port of the first group, and how many that has.
    ("FIRST", |config| config.groups.first().map(|group| group.first)),
    ("GROUP_SIZE", |config| config.groups.first().map(|group| group.size)),
    // Bits of the place of a word among those of a port.
    ("PLACE_BITS", |config| Some((port_stride(config.mechanism()) / WORD_BYTES).ilog2() as usize)),
    // Whether the deterministic set may be several ports.
    ("SETS", |config| Some(usize::from(config.deterministic == Deterministic::Set))),
    // The lowest port that P may hold.
    ("LOWEST", |config| Some(config.lowest_adaptive())),
    // How many ports are near.
    ("NEAR", |config| Some(config.near_ports())),
    // Whether the switch is for short packets, and whether its route registers have a place for the next route.
    ("SHORT_PACKETS", |config| Some(usize::from(config.switch.short_packets()))),
    ("NEXT_ROUTES", |config| Some(usize::from(config.next_routes()))),
    // Whether the flits of a virtual channel are counted.
    ("COUNTS", |config| Some(usize::from(config.mechanism().sees.buffers || config.next_routes()))),
    // Of a routing table.
    ("ROWS", |config| Some(1 << table::row_bits(config))),
    ("ROW_BITS", |config| Some(TableRow::bits(config.ports, config.switch.vcs))),
    // Whether the mechanism looks rows of one up.
    ("LOOKS_UP", |config| Some(usize::from(config.seen_by(config.mechanism()).routes.looks_up()))),
    // Whether the routing sees which ports lead to nodes.
    ("TO_NODE", |config| Some(usize::from(config.routing().is_some_and(|routing| routing.sees.to_node)))),
];

/// The value of a parameter of a block's properties in a configuration, which is called `design` among those of the manifest; none if neither
/// says it.
pub(crate) fn value_of(properties: &Properties, parameter: &str, design: &str, config: &Config) -> Option<u64> {
    let topology = config.topology.as_ref().map(|topology| topology.kind().name);
    let kinds: Vec<&str> = topology.into_iter().chain([config.mechanism().name]).collect();
    if let Some(value) = properties.manifest.parameter(parameter, design, &kinds) {
        return Some(value);
    }
    let named = OF_A_CONFIGURATION.iter().find(|(name, _)| *name == parameter);
    let of_config = named.and_then(|(_, number)| number(config)).map(|number| number as u64);
    of_config.or_else(|| of_topology(config, parameter))
}

/// A parameter of the configuration's topology: a number, a yes or no as 1 or 0. X, Y and Z are sizes of its dimensions, 1 beyond the last,
/// and DIMENSIONS is how many there are; NODES is 1 where the topology says nothing of it.
fn of_topology(config: &Config, parameter: &str) -> Option<u64> {
    let table = config.topology.as_ref()?.table();
    let sizes = table.get("dimensions").and_then(toml::Value::as_array);
    let size = |place: usize| {
        let size = sizes?.get(place).map_or(Some(1), toml::Value::as_integer)?;
        u64::try_from(size).ok()
    };
    match parameter {
        "DIMENSIONS" => Some(sizes?.len() as u64),
        "X" => size(0),
        "Y" => size(1),
        "Z" => size(2),
        _ => match table.get(&parameter.to_lowercase()) {
            Some(toml::Value::Integer(number)) => u64::try_from(*number).ok(),
            Some(toml::Value::Boolean(yes)) => Some(u64::from(*yes)),
            None if parameter == "NODES" => Some(1),
            _ => None,
        },
    }
}

/// The first parameter that has no value in a configuration.
pub(crate) fn without_value<'a>(properties: &'a Properties, design: &str, config: &Config) -> Option<&'a str> {
    let parameters = properties.interface().parameters.iter().map(String::as_str);
    let mut missing =
        parameters.filter(|name| !name.starts_with(WIDTH_OF) && value_of(properties, name, design, config).is_none());
    missing.next()
}
