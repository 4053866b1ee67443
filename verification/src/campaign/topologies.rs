//! Networks at random, of every kind.

use anyhow::Result;
use powar_config::Topology;
use powar_config::topology::{self, TopologyKind, boards, dragonfly, fat_tree, graph, mesh, star, torus};
use powar_testbenches::random::Random;
use serde::Deserialize;

/// A topology and the ports of its switches.
type Named = topology::Named;

/// Draws a network of a kind; it may be one that can't be built.
type Drawer = fn(&mut Random) -> Result<Named>;

/// Every kind of topology, and how its networks are drawn.
pub static DRAWERS: [(&TopologyKind, Drawer); 7] = [
    (&star::KIND, star),
    (&fat_tree::KIND, tree),
    (&mesh::KIND, mesh),
    (&torus::KIND, torus),
    (&dragonfly::KIND, dragonfly),
    (&boards::KIND, boards),
    (&graph::KIND, graph),
];

/// A number in `least..=most`.
fn within(random: &mut Random, least: u64, most: u64) -> u64 {
    least + random.below(most - least + 1)
}

/// The same, small numbers rather than large ones.
fn small(random: &mut Random, least: u64, most: u64) -> u64 {
    within(random, least, most).min(within(random, least, most)).min(within(random, least, most))
}

fn star(random: &mut Random) -> Result<Named> {
    topology::by_name(&format!("star-{}", small(random, 2, 64)))
}

fn tree(random: &mut Random) -> Result<Named> {
    let (arity, levels) = (small(random, 1, 18), small(random, 1, 5));
    let is_folded = random.one_in(3);
    topology::by_name(&if is_folded { format!("k{arity}-n{levels}") } else { format!("{arity}-ary-{levels}-tree") })
}

/// Sizes of one to three dimensions, two more often than not.
fn sizes(random: &mut Random, least: u64) -> String {
    let dimensions = if random.one_in(2) { 2 } else { within(random, 1, 3) };
    let sizes: Vec<String> = (0..dimensions).map(|_| small(random, least, 9).to_string()).collect();
    sizes.join("x")
}

fn mesh(random: &mut Random) -> Result<Named> {
    topology::by_name(&format!("mesh-{}-nodes{}", sizes(random, 2), small(random, 1, 6)))
}

fn torus(random: &mut Random) -> Result<Named> {
    let trunk = if random.one_in(2) { 1 } else { small(random, 1, 8) };
    topology::by_name(&format!("torus-{}-trunk{trunk}-nodes{}", sizes(random, 2), small(random, 1, 5)))
}

fn dragonfly(random: &mut Random) -> Result<Named> {
    let (nodes, switches, links) = (small(random, 1, 8), small(random, 2, 9), small(random, 1, 6));
    topology::by_name(&format!("dragonfly-p{nodes}a{switches}h{links}"))
}

fn boards(random: &mut Random) -> Result<Named> {
    topology::by_name(&format!("boards-{}x{}", small(random, 2, 8), small(random, 1, 12)))
}

/// A tree of switches with a few cables more, some of them side by side, and nodes anywhere.
fn graph(random: &mut Random) -> Result<Named> {
    let switches = if random.one_in(6) { within(random, 2, 60) } else { within(random, 1, 12) };
    let mut cables = vec![];
    for switch in 1..switches {
        cables.push((random.below(switch), switch));
    }
    for _ in 0..random.below(2 * switches + 1) {
        let (one, other) = (random.below(switches), random.below(switches));
        if one != other {
            cables.push((one, other));
        }
    }
    let mut nodes: Vec<String> = vec![];
    for switch in 0..switches {
        if !random.one_in(4) {
            nodes.push(format!("{switch}*{}", small(random, 1, 4)));
        }
    }
    let cables: Vec<String> = cables.iter().map(|(one, other)| format!("{one}: {other}")).collect();
    let written = toml::Table::from_iter([
        ("kind".to_owned(), toml::Value::from(graph::KIND.name)),
        ("switches".into(), (switches as i64).into()),
        ("nodes".into(), nodes.join(" ").into()),
        ("cables".into(), cables.join(" ").into()),
    ]);
    of_table(written)
}

/// The network of a table as configurations have it, and the ports of its switches: 2 if any number will do.
pub fn of_table(table: toml::Table) -> Result<Named> {
    let topology = Box::<dyn Topology>::deserialize(table)?;
    let ports = topology.ports().unwrap_or(2);
    Ok((topology, ports))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_of_every_kind_are_drawn() {
        let kinds: Vec<&str> = DRAWERS.iter().map(|(kind, _)| kind.name).collect();
        assert_eq!(kinds, topology::KINDS.map(|kind| kind.name));
        let mut random = Random::new(1);
        for (kind, draw) in DRAWERS {
            let networks: Vec<Named> = (0..200).filter_map(|_| draw(&mut random).ok()).collect();
            assert!(networks.iter().all(|(topology, _)| topology.kind().name == kind.name));
            let good = networks.iter().filter(|(topology, ports)| topology.check().is_ok() && *ports <= 64).count();
            assert!(good > 20, "{}: {good} of 200 networks can be built", kind.name);
        }
    }
}
