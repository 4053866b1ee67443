//! The sphere of locality of Reed and Grunwald, *The performance of multicomputer interconnection networks*, 1987: with probability p
//! a node speaks to one of those within a radius around it, each as likely, else to one of those outside, each as likely.

use crate::synthetic::random::Random;
use powar_config::topology::wiring::Wiring;

/// Most nodes in all spheres that are kept: 64 MB of them.
const MOST_KEPT: usize = 1 << 24;

/// Who speaks to whom.
pub struct Locality {
    wiring: Wiring,
    probability: f64,
    /// Links between switches.
    radius: u32,
    /// By node: itself and those within its sphere, by number; empty until it is asked for, and of those for which there is no room.
    spheres: Vec<Box<[u32]>>,
    /// Nodes in them.
    kept: usize,
}

impl Locality {
    pub fn new(wiring: &Wiring, probability: f64, radius: u32) -> Locality {
        let spheres = vec![Box::default(); wiring.nodes.len()];
        Locality { wiring: wiring.clone(), probability, radius, spheres, kept: 0 }
    }

    /// Itself and those within the sphere of a node.
    fn sphere(&self, node: u32) -> Box<[u32]> {
        // A packet to a node of the same switch crosses that one.
        let hops = self.wiring.hops_within(node as usize, self.radius.saturating_add(1));
        (0..).zip(hops).filter(|&(other, hops)| other == node || hops > 0).map(|(other, _)| other).collect()
    }

    /// A node, each as likely, and whom it speaks to. Where nobody is within the sphere it is somebody outside, and the other way round.
    pub fn draw(&mut self, random: &mut Random) -> (u32, u32) {
        let nodes = self.spheres.len() as u32;
        let source = random.below(nodes);
        let is_near = random.chance(self.probability);
        let is_kept = !self.spheres[source as usize].is_empty();
        let sphere = if is_kept { std::mem::take(&mut self.spheres[source as usize]) } else { self.sphere(source) };
        let (near, far) = (sphere.len() as u32 - 1, nodes - sphere.len() as u32);
        let destination = if (is_near && near > 0) || far == 0 {
            let other = sphere[random.below(near) as usize];
            // In its own place the last one, which nobody else would draw.
            if other == source { sphere[near as usize] } else { other }
        } else {
            // Numbers outside are counted past those in the sphere.
            let place = random.below(far);
            sphere.iter().fold(place, |number, &inside| number + u32::from(inside <= number))
        };
        if !is_kept {
            self.kept += sphere.len();
        }
        if is_kept || self.kept <= MOST_KEPT {
            self.spheres[source as usize] = sphere;
        }
        (source, destination)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::Config;

    /// Each of those within a sphere is as likely, each of those outside, and all of them have their share.
    #[test]
    fn shares_are_those_of_the_definition() {
        // Nodes within the radius of each: (0,0) of a mesh has two neighbours; 12 within two links of an 8 x 8 torus.
        for (name, radius, within) in [
            ("torus-8x8", 2, 12),
            ("torus-8x8", 1, 4),
            ("torus-4x4-nodes2", 0, 1),
            ("torus-4x4", 0, 0),
            ("torus-4x4", 4, 15),
            ("dragonfly-p2a4h2", 1, 7),
        ] {
            let wiring = Wiring::new(&Config::of_network(name).unwrap()).unwrap();
            let nodes = wiring.nodes.len();
            let mut locality = Locality::new(&wiring, 0.7, radius);
            assert!(
                (0..nodes)
                    .all(|node| name.starts_with("dragonfly") || locality.sphere(node as u32).len() == within + 1)
            );
            let mut random = Random::new(9, radius.into());
            let mut counts = vec![vec![0.0; nodes]; nodes];
            let draws = 400_000;
            for _ in 0..draws {
                let (source, destination) = locality.draw(&mut random);
                counts[source as usize][destination as usize] += 1.0;
            }
            for (source, row) in counts.iter().enumerate() {
                let hops = wiring.hops_from(source);
                let near = |node: &usize| hops[*node] <= radius + 1;
                let others = || (0..nodes).filter(|&node| node != source);
                let inside = others().filter(near).count();
                let share = if inside == 0 {
                    0.0
                } else if inside == nodes - 1 {
                    1.0
                } else {
                    0.7
                };
                assert_eq!(row[source], 0.0);
                for node in others() {
                    let of =
                        if near(&node) { share / inside as f64 } else { (1.0 - share) / (nodes - 1 - inside) as f64 };
                    let expected = draws as f64 / nodes as f64 * of;
                    assert!((row[node] - expected).abs() < 5.5 * expected.sqrt(), "{name}: {source} to {node}");
                }
            }
        }
    }
}
