//! The waves of Graph500 beside searches of a real Kronecker graph.

use super::calls::{calls, parse};
use powar_traffic::program::call::{Call, Payload};
use powar_traffic::skeleton::graph500::Graph;

/// A small generator: SplitMix64.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The neighbours of all vertices, the ends of edges chosen bit by bit.
fn kronecker(scale: u32, edge_factor: u64, random: &mut Random) -> Vec<Vec<u32>> {
    let mut neighbors = vec![Vec::new(); 1 << scale];
    for _ in 0..edge_factor << scale {
        let (mut from, mut to) = (0_u32, 0_u32);
        for _ in 0..scale {
            let draw = random.unit();
            let (a, b) = (u32::from(draw >= 0.76), u32::from((0.57..0.76).contains(&draw) || draw >= 0.95));
            (from, to) = (from << 1 | a, to << 1 | b);
        }
        neighbors[from as usize].push(to);
        neighbors[to as usize].push(from);
    }
    neighbors
}

/// Ends of edges at the frontier of each level.
fn search(neighbors: &[Vec<u32>], root: usize) -> Vec<f64> {
    let mut seen = vec![false; neighbors.len()];
    seen[root] = true;
    let mut frontier = vec![root];
    let mut levels = Vec::new();
    while !frontier.is_empty() {
        levels.push(frontier.iter().map(|&vertex| neighbors[vertex].len() as f64).sum());
        let mut next = Vec::new();
        for vertex in frontier {
            for &other in &neighbors[vertex] {
                if !std::mem::replace(&mut seen[other as usize], true) {
                    next.push(other as usize);
                }
            }
        }
        frontier = next;
    }
    levels
}

#[test]
fn levels_grow_as_in_a_real_graph() {
    let (scale, edge_factor) = (16, 16);
    let neighbors = kronecker(scale, edge_factor, &mut Random(500));
    let graph = Graph::new(scale, edge_factor);
    let ends = ((2 * edge_factor) << scale) as f64;
    for ones in [3, 4, 5, 6] {
        let model: Vec<_> = graph.levels(ones as usize).iter().map(|level| level.edges / ends).collect();
        // Roots of this class, some of which are isolated.
        let roots: Vec<_> = (0..neighbors.len())
            .filter(|root| root.count_ones() == ones && !neighbors[*root].is_empty())
            .take(200)
            .collect();
        let mut mean = [0.0; 20];
        for &root in &roots {
            for (mean, level) in mean.iter_mut().zip(search(&neighbors, root)) {
                *mean += level / ends / roots.len() as f64;
            }
        }
        println!("{ones} ones: {model:.3?}, real {:.3?}", &mean[..8]);
        for (level, &real) in mean.iter().enumerate() {
            let ours = model.get(level).copied().unwrap_or(0.0);
            assert!((ours - real).abs() < 0.08, "{ones} ones, level {level}: {ours:.3}, real {real:.3}");
        }
        assert!((model.iter().sum::<f64>() - mean.iter().sum::<f64>()).abs() < 0.01, "all edges that are reached");
    }
}

#[test]
fn what_is_sent_is_drawn_about_the_mean() {
    let text = "graph500:ranks=16,scale=18,searches=1,record=16,seed=3";
    let source = parse(text);
    let even = parse(&text.replace("graph500:", "graph500:even=1,"));
    let sent = |calls: Vec<Call>| -> Vec<u64> {
        let payloads = calls.into_iter().filter_map(|call| match call {
            Call::Collective { collective, .. } => Some(collective.payload),
            _ => None,
        });
        payloads
            .filter_map(|payload| match payload {
                Payload::Members(sizes) => Some(sizes.iter().sum()),
                Payload::Each(bytes) if bytes != 8 && bytes != 0 => Some(16 * bytes),
                _ => None,
            })
            .collect()
    };
    let all: u64 = (0..16).flat_map(|rank| sent(calls(&*source, rank))).sum();
    let all_even: u64 = (0..16).flat_map(|rank| sent(calls(&*even, rank))).sum();
    let ends = (2 * 16 * 16_u64) << 18;
    for all in [all, all_even] {
        assert!((0.97..1.01).contains(&(all as f64 / ends as f64)), "{all} bytes of {ends}");
    }
}
