//! Graph500: breadth-first searches of a Kronecker graph, level by level. In every level each rank sends, for every edge
//! out of its part of the frontier, a record to the owner of the other end, all by one Alltoallv; then an Allreduce tells
//! whether anything was found.
//!
//! How much a level sends follows from the degrees of the graph: see the module `levels`. Ends of edges are spread evenly
//! over the ranks, as the benchmark renumbers vertices at random; how many go from one rank to another is drawn from a
//! seed, the level and the two ranks.

mod levels;

use super::draw;
use super::script::{Program, Ranks, Script, WORLD, picoseconds, world};
use super::{MOST_RANKS, Parameter, Range, Skeleton, Values};
use crate::program::call::{CallSource, Collective, Payload};
use anyhow::Result;
pub use levels::{Graph, Level};
use std::sync::Arc;

pub const SKELETON: Skeleton = Skeleton {
    name: "graph500",
    about: "breadth-first searches of a Kronecker graph, a wave of Alltoallv a level",
    parameters: PARAMETERS,
    build,
};

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "ranks", default: "64", range: Range::Whole(1, MOST_RANKS), meaning: "number of ranks" },
    Parameter {
        name: "scale",
        default: "20",
        range: Range::Whole(1, 48),
        meaning: "base-two logarithm of the vertices",
    },
    Parameter { name: "edge-factor", default: "16", range: Range::Whole(1, 1024), meaning: "edges a vertex" },
    Parameter {
        name: "searches",
        default: "4",
        range: Range::Whole(1, 1_000_000),
        meaning: "searches, each from a root of its own",
    },
    Parameter {
        name: "record",
        default: "16",
        range: Range::Whole(1, 1024),
        meaning: "bytes sent for an edge: a vertex and its parent",
    },
    Parameter {
        name: "even",
        default: "0",
        range: Range::Whole(0, 1),
        meaning: "1: the same to all ranks, by Alltoall, without a list of sizes a call",
    },
    Parameter { name: "seed", default: "1", range: Range::Whole(0, u64::MAX), meaning: "of roots and of sizes" },
    Parameter {
        name: "rate",
        default: "50m",
        range: Range::Number(1.0, 1e15),
        meaning: "edges/s of a rank, looked at or received",
    },
];

struct Searches {
    world: Arc<[u32]>,
    ranks: u32,
    /// Of each class of roots that a search has.
    levels: Vec<Vec<Level>>,
    graph: Graph,
    searches: u64,
    record: u64,
    even: bool,
    seed: u64,
    rate: f64,
}

impl Searches {
    fn levels(&self, search: u64) -> &[Level] {
        &self.levels[self.graph.root(draw::unit(self.seed, search))]
    }

    /// Edges that lead from a rank to another in a level: Poisson about the mean, or a normal distribution of its variance
    /// where that is as good.
    fn edges(&self, search: u64, level: usize, mean: f64, source: u32, destination: u32) -> u64 {
        let pair = u64::from(source) << 32 | u64::from(destination);
        let seed = draw::draw(self.seed ^ draw::draw(search, level as u64), pair);
        if mean > 30.0 {
            // Four uniform numbers: variance 1/3.
            let sum: f64 = (0..4).map(|index| draw::unit(seed, index)).sum();
            return (mean + (sum - 2.0) * (3.0 * mean).sqrt()).max(0.0).round() as u64;
        }
        let mut left = draw::unit(seed, 0);
        let mut probability = (-mean).exp();
        let mut edges = 0;
        while left >= probability && edges < 200 {
            left -= probability;
            edges += 1;
            probability *= mean / edges as f64;
        }
        edges
    }

    fn wave(&self, search: u64, level: usize, source: u32) -> (Payload, u64) {
        let pairs = f64::from(self.ranks).powi(2);
        let mean = self.levels(search)[level].edges / pairs;
        if self.even {
            let each = (mean * self.record as f64).round() as u64;
            return (Payload::Each(each), (mean * f64::from(self.ranks)).round() as u64);
        }
        let edges = |destination| self.edges(search, level, mean, source, destination);
        let members: Arc<[u64]> = (0..self.ranks).map(|destination| edges(destination) * self.record).collect();
        let sent = members.iter().sum::<u64>() / self.record;
        (Payload::Members(members), sent)
    }
}

fn build(values: &Values) -> Result<Box<dyn CallSource>> {
    let ranks = values.whole("ranks") as u32;
    let graph = Graph::new(values.whole("scale") as u32, values.whole("edge-factor"));
    let shared = Searches {
        world: world(ranks),
        ranks,
        levels: (0..graph.classes()).map(|root| graph.levels(root)).collect(),
        graph,
        searches: values.whole("searches"),
        record: values.whole("record"),
        even: values.whole("even") == 1,
        seed: values.whole("seed"),
        rate: values.number("rate"),
    };
    Ok(Box::new(Ranks { skeleton: "graph500", ranks, shared: Arc::new(shared), program: Rank::new }))
}

struct Rank {
    shared: Arc<Searches>,
    rank: u32,
    search: u64,
    /// `None`: before a search.
    level: Option<usize>,
}

impl Rank {
    fn new(shared: &Arc<Searches>, rank: u32) -> Rank {
        Rank { shared: shared.clone(), rank, search: 0, level: None }
    }
}

impl Program for Rank {
    fn step(&mut self, script: &mut Script) -> bool {
        let shared = &*self.shared;
        let Some(level) = self.level else {
            if self.search == 0 {
                script.communicator(WORLD, &shared.world);
            }
            script.collective(Collective::Barrier, WORLD, Payload::Each(0));
            self.level = Some(0);
            return true;
        };
        let (payload, sent) = shared.wave(self.search, level, self.rank);
        script.compute(picoseconds(sent as f64, shared.rate));
        let operation = if matches!(payload, Payload::Each(_)) { Collective::AllToAll } else { Collective::AllToAllV };
        script.collective(operation, WORLD, payload);
        // As many come in as go out, but for the random differences between ranks.
        let received = shared.levels(self.search)[level].edges / f64::from(shared.ranks);
        script.compute(picoseconds(received, shared.rate));
        script.collective(Collective::AllReduce, WORLD, Payload::Each(8));
        let last = level + 1 == shared.levels(self.search).len();
        self.search += u64::from(last);
        self.level = (!last).then_some(level + 1);
        self.search < shared.searches
    }

    fn place(&self) -> String {
        format!("search {}, level {}", self.search + 1, self.level.unwrap_or(0))
    }
}
