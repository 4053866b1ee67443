//! What the links between switches carry.

use super::outcome::LinkUtilisation;
use powar_config::Group;
use powar_config::topology::wiring::{End, Wiring};
use powar_golden::port_counts::PortCounts;
use std::collections::BTreeMap;

/// Utilisation of the links between switches, from what their ports have sent in so many cycles.
///
/// Kinds are made of the groups whose load POWAR compares with T_on, the up-ports of a tree's switch and the ports of a torus'
/// aggregated link: those of one stage at the same place in their switch are equivalent under uniform traffic, and the mean over
/// them does not depend on chance as the highest single group does.
pub(super) fn link_utilisation(
    groups: &[Group],
    wiring: &Wiring,
    counts: &[Vec<PortCounts>],
    cycles: u64,
) -> LinkUtilisation {
    let mut all = Mean::default();
    let mut kinds: BTreeMap<(u8, usize), Mean> = BTreeMap::new();
    for (switch, ports) in counts.iter().enumerate() {
        for (port, of_port) in ports.iter().enumerate() {
            if !matches!(wiring.ends[switch][port], End::Switch { .. }) {
                continue;
            }
            let sending = of_port.flits as f64 / cycles as f64;
            all.add(sending);
            if let Some(group) = groups.iter().position(|group| group.ports().contains(&port)) {
                kinds.entry((wiring.places[switch].stage, group)).or_default().add(sending);
            }
        }
    }
    let highest = kinds.values().filter_map(Mean::value).reduce(f64::max);
    LinkUtilisation { mean: all.value(), highest }
}

#[derive(Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::Config;

    fn of(network: &str, flits: impl Fn(usize, usize, End) -> u64) -> LinkUtilisation {
        let config = Config::of_network(network).unwrap();
        let wiring = Wiring::new(&config).unwrap();
        let port = |switch, port, end| PortCounts { flits: flits(switch, port, end), ..Default::default() };
        let counts: Vec<Vec<_>> = (wiring.ends.iter().enumerate())
            .map(|(switch, ends)| ends.iter().enumerate().map(|(place, end)| port(switch, place, *end)).collect())
            .collect();
        link_utilisation(&config.groups, &wiring, &counts, 100)
    }

    fn close(seen: Option<f64>, expected: f64) {
        assert!(seen.is_some_and(|seen| (seen - expected).abs() < 1e-12), "{seen:?} is not {expected}");
    }

    #[test]
    fn links_of_nodes_are_left_out() {
        let all = of("torus-4x4-trunk2", |_, _, end| if matches!(end, End::Node { .. }) { 90 } else { 40 });
        close(all.mean, 0.4);
        close(all.highest, 0.4);
        assert_eq!(of("star-4", |_, _, _| 50), LinkUtilisation { mean: None, highest: None });
    }

    #[test]
    fn directions_of_a_torus_are_told_apart() {
        // The ports of +y carry 60 and 80; all others 10.
        let y = |_, port: usize, _| [60, 80].get(port.wrapping_sub(4)).copied().unwrap_or(10);
        let of_y = of("torus-4x4-trunk2", y);
        close(of_y.highest, 0.7);
        close(of_y.mean, (0.7 + 3.0 * 0.1) / 4.0);
    }

    #[test]
    fn stages_of_a_tree_are_told_apart_and_only_up_links_are_of_groups() {
        // 4 switches a stage. Up-links: 80 from the leaves, 60 from the next stage; all that go down: 90.
        let tree = of("2-ary-3-tree", |switch, port, _| match (switch / 4, port / 2) {
            (0, 1) => 80,
            (1, 1) => 60,
            _ => 90,
        });
        close(tree.highest, 0.8);
        close(tree.mean, (0.8 + 0.6 + 2.0 * 0.9) / 4.0);
    }

    #[test]
    fn one_busy_group_among_its_like_is_no_maximum() {
        let one = of("2-ary-3-tree", |switch, _, _| if switch == 0 { 100 } else { 20 });
        close(one.highest, 0.4);
    }
}
