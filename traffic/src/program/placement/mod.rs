//! Which rank runs on which node.

mod file;
mod named;

pub use file::read as read_rank_file;
pub use named::{PLACEMENTS, PlacementKind, RankPlacement};

use anyhow::{Result, ensure};

/// How ranks share nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Neighbours together: rank r on the (r / ranks a node)-th node in use.
    #[default]
    Block,
    /// One after the other in turn: rank r on the (r mod nodes in use)-th node in use.
    RoundRobin,
}

/// Which of the nodes of a network are used, when there are more than a program needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NodeChoice {
    /// The first ones.
    #[default]
    Linear,
    /// As far apart as their numbers allow: the i-th of m is node i * nodes / m.
    Spread,
    /// Any, in any order: the same for the same number. As a scheduler of a busy machine leaves them.
    Random(u64),
    /// These, in this order.
    These(Vec<u32>),
    /// The node of each rank; the order says nothing then.
    Each(Vec<u32>),
}

/// How the ranks of a program are placed on the nodes of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementOptions {
    /// Most ranks on a node, 1 or more.
    pub ranks_per_node: u32,
    pub order: Order,
    pub choice: NodeChoice,
}

impl Default for PlacementOptions {
    /// Rank r on node r.
    fn default() -> Self {
        PlacementOptions { ranks_per_node: 1, order: Order::Block, choice: NodeChoice::Linear }
    }
}

/// The node of every rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    node_of: Vec<u32>,
    nodes: u32,
}

impl Placement {
    /// Places `ranks` ranks on a network of `nodes` nodes.
    ///
    /// # Errors
    /// The ranks don't fit, or the nodes named are not there.
    pub fn new(ranks: u32, nodes: u32, options: &PlacementOptions) -> Result<Placement> {
        let PlacementOptions { ranks_per_node: per_node, order, ref choice } = *options;
        ensure!(per_node >= 1, "ranks_per_node is `0`, expected 1 or more");
        let used = ranks.div_ceil(per_node);
        let allowed = u64::from(nodes) * u64::from(per_node);
        ensure!(used <= nodes, "ranks is `{ranks}`, expected at most {allowed}: {per_node} on each of {nodes} nodes");
        if let NodeChoice::Each(list) = choice {
            return Placement::each(ranks, nodes, per_node, list);
        }
        let chosen = chosen(used, nodes, choice)?;
        let node_of = (0..ranks).map(|rank| match order {
            Order::Block => chosen[(rank / per_node) as usize],
            Order::RoundRobin => chosen[(rank % used) as usize],
        });
        Ok(Placement { node_of: node_of.collect(), nodes })
    }

    /// Each rank where the list says.
    fn each(ranks: u32, nodes: u32, per_node: u32, list: &[u32]) -> Result<Placement> {
        ensure!(list.len() == ranks as usize, "the list of nodes has {} entries, expected {ranks}", list.len());
        let mut ranks_on = vec![0; nodes as usize];
        for &node in list {
            ensure!(node < nodes, "node is `{node}`, expected 0 to {}", nodes - 1);
            ranks_on[node as usize] += 1;
            ensure!(ranks_on[node as usize] <= per_node, "node `{node}` has more than {per_node} ranks");
        }
        Ok(Placement { node_of: list.to_vec(), nodes })
    }

    /// Number of ranks.
    pub fn ranks(&self) -> u32 {
        self.node_of.len() as u32
    }

    /// Nodes of the network, those without a rank included.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// The node each rank runs on.
    pub fn node_of(&self) -> &[u32] {
        &self.node_of
    }

    /// How many ranks run on each node.
    pub fn ranks_on(&self) -> Vec<u32> {
        let mut count = vec![0; self.nodes as usize];
        self.node_of.iter().for_each(|&node| count[node as usize] += 1);
        count
    }
}

/// The first `used` nodes of a choice.
fn chosen(used: u32, nodes: u32, choice: &NodeChoice) -> Result<Vec<u32>> {
    Ok(match choice {
        NodeChoice::Linear => (0..used).collect(),
        NodeChoice::Spread => (0..used).map(|i| (u64::from(i) * u64::from(nodes) / u64::from(used)) as u32).collect(),
        NodeChoice::Random(seed) => {
            let mut all: Vec<u32> = (0..nodes).collect();
            let mut random = SplitMix(*seed);
            for i in 0..used as usize {
                let left = (all.len() - i) as u64;
                all.swap(i, i + (random.next() % left) as usize);
            }
            all.truncate(used as usize);
            all
        }
        NodeChoice::These(list) | NodeChoice::Each(list) => {
            ensure!(
                list.len() >= used as usize,
                "the list of nodes has {} entries, expected at least {used}, the nodes in use",
                list.len()
            );
            let mut seen = vec![false; nodes as usize];
            for &node in list {
                ensure!(node < nodes, "node is `{node}`, expected 0 to {}", nodes - 1);
                ensure!(
                    !std::mem::replace(&mut seen[node as usize], true),
                    "node is `{node}` a second time, expected different nodes"
                );
            }
            list[..used as usize].to_vec()
        }
    })
}

/// SplitMix64 (Steele, Lea and Flood): enough to shuffle nodes, and the same everywhere.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(ranks: u32, nodes: u32, ranks_per_node: u32, order: Order, choice: NodeChoice) -> Vec<u32> {
        let options = PlacementOptions { ranks_per_node, order, choice };
        Placement::new(ranks, nodes, &options).unwrap().node_of().to_vec()
    }

    #[test]
    fn ranks_go_where_the_options_say() {
        use NodeChoice::{Linear, Random, Spread, These};
        assert_eq!(placed(3, 5, 1, Order::Block, Linear), [0, 1, 2]);
        assert_eq!(placed(5, 4, 2, Order::Block, Linear), [0, 0, 1, 1, 2]);
        assert_eq!(placed(5, 4, 2, Order::RoundRobin, Linear), [0, 1, 2, 0, 1]);
        assert_eq!(placed(4, 8, 2, Order::Block, Spread), [0, 0, 4, 4]);
        assert_eq!(placed(3, 8, 1, Order::Block, Spread), [0, 2, 5]);
        assert_eq!(placed(3, 8, 2, Order::RoundRobin, These(vec![7, 1, 3])), [7, 1, 7]);
        let any = placed(64, 64, 1, Order::Block, Random(1));
        let mut sorted = any.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..64).collect::<Vec<_>>());
        assert!(any != sorted && any == placed(64, 64, 1, Order::Block, Random(1)));
        assert!(any != placed(64, 64, 1, Order::Block, Random(2)));
        let options = PlacementOptions { ranks_per_node: 2, ..PlacementOptions::default() };
        assert_eq!(Placement::new(3, 3, &options).unwrap().ranks_on(), [2, 1, 0]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let error = |ranks, nodes, ranks_per_node, choice| {
            let options = PlacementOptions { ranks_per_node, order: Order::Block, choice };
            Placement::new(ranks, nodes, &options).unwrap_err().to_string()
        };
        let linear = NodeChoice::Linear;
        assert_eq!(error(4, 4, 0, linear.clone()), "ranks_per_node is `0`, expected 1 or more");
        assert_eq!(error(64, 16, 2, linear), "ranks is `64`, expected at most 32: 2 on each of 16 nodes");
        let these = |nodes: &[u32]| NodeChoice::These(nodes.to_vec());
        let short = "the list of nodes has 1 entries, expected at least 2, the nodes in use";
        assert_eq!(error(2, 4, 1, these(&[3])), short);
        assert_eq!(error(2, 4, 1, these(&[3, 4])), "node is `4`, expected 0 to 3");
        assert_eq!(error(2, 4, 1, these(&[3, 3])), "node is `3` a second time, expected different nodes");
    }
}
