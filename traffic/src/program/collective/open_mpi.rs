//! What Open MPI 4.1.4 chooses, as Debian 12 ships it.
//!
//! Its component `coll/tuned` decides, by tables that are compiled in: `ompi/mca/coll/tuned/coll_tuned_decision_fixed.c`, here those
//! for commutative operations. They state neither segments nor a number of chains (`.._do_this(.., alg, 0, 0)`). For what
//! `tuned` leaves open it is `coll/basic`: linear scans, `Gatherv`, `Scatterv` and neighbourhood collectives.

use super::algorithms::Algorithms;
use super::all_gather::AllGather;
use super::all_reduce::AllReduce;
use super::all_to_all::{AllToAll, AllToAllV};
use super::barrier::Barrier;
use super::broadcast::Broadcast;
use super::communicator::Agreement;
use super::gather::Gather;
use super::reduce::Reduce;
use super::reduce_scatter::ReduceScatter;
use super::scan::Scan;
use super::scatter::Scatter;

pub(super) const TABLE: Algorithms = Algorithms {
    name: "open-mpi",
    about: "what Open MPI 4.1.4 chooses by number of members and size",
    barrier: |n| of_members(BARRIER, n),
    broadcast: |n, bytes| of_size(BROADCAST, n, bytes),
    reduce: |n, bytes| of_size(REDUCE, n, bytes),
    all_reduce: |n, bytes| of_size(ALL_REDUCE, n, bytes),
    scan: Scan::Linear,
    gather: |n, bytes| of_size(GATHER, n, bytes),
    scatter: |n, bytes| of_size(SCATTER, n, bytes),
    all_gather: |n, bytes| of_size(ALL_GATHER, n, bytes),
    all_gather_v: |n, bytes| of_size(ALL_GATHER_V, n, bytes),
    all_to_all: |n, bytes| of_size(ALL_TO_ALL, n, bytes),
    all_to_all_v: |n| of_members(ALL_TO_ALL_V, n),
    reduce_scatter: |n, bytes| of_size(REDUCE_SCATTER, n, bytes),
    reduce_scatter_block: |n, bytes| of_size(REDUCE_SCATTER_BLOCK, n, bytes),
    make_communicator: Agreement::GatherAndContext,
};

/// For fewer members than this: for fewer bytes than this, this.
type Row<A> = (usize, &'static [(u64, A)]);

/// Any number of members.
const ALL: usize = usize::MAX;
/// Any number of bytes.
const MORE: u64 = u64::MAX;

const KNOMIAL: Broadcast = Broadcast::Knomial(4);

fn of_size<A: Copy>(table: &[Row<A>], n: usize, bytes: u64) -> A {
    let sizes = of_members(table, n);
    sizes[sizes.partition_point(|&(below, _)| bytes >= below).min(sizes.len() - 1)].1
}

fn of_members<A: Copy>(table: &[(usize, A)], n: usize) -> A {
    table[table.partition_point(|&(below, _)| n >= below).min(table.len() - 1)].1
}

#[rustfmt::skip]
const ALL_REDUCE: &[Row<AllReduce>] = {
    use AllReduce::*;
    &[
        (4, &[
            (8, Ring), (4096, RecursiveDoubling), (8192, Ring), (16384, RecursiveDoubling), (65536, Ring),
            (262144, SegmentedRing), (MORE, Rabenseifner)
        ]),
        (8, &[(16, Ring), (8192, RecursiveDoubling), (MORE, Rabenseifner)]),
        (16, &[(8192, RecursiveDoubling), (MORE, Rabenseifner)]),
        (32, &[(64, SegmentedRing), (4096, RecursiveDoubling), (MORE, Rabenseifner)]),
        (64, &[(128, SegmentedRing), (MORE, Rabenseifner)]),
        (128, &[(262144, RecursiveDoubling), (MORE, Rabenseifner)]),
        (256, &[(131072, ReduceThenBroadcast), (262144, RecursiveDoubling), (MORE, Rabenseifner)]),
        (512, &[(4096, ReduceThenBroadcast), (MORE, Rabenseifner)]),
        (2048, &[(2048, ReduceThenBroadcast), (16384, RecursiveDoubling), (MORE, Rabenseifner)]),
        (4096, &[(2048, ReduceThenBroadcast), (4096, SegmentedRing), (16384, RecursiveDoubling), (MORE, Rabenseifner)]),
        (ALL, &[(2048, ReduceThenBroadcast), (16384, SegmentedRing), (32768, RecursiveDoubling), (MORE, Rabenseifner)]),
    ]
};

#[rustfmt::skip]
const ALL_TO_ALL: &[Row<AllToAll>] = {
    use AllToAll::*;
    &[
        (3, &[
            (2, Pairwise), (4, TwoMembers), (16, Pairwise), (64, TwoMembers), (256, Pairwise), (4096, TwoMembers),
            (32768, Pairwise), (262144, LinearSync), (1048576, TwoMembers), (MORE, Pairwise)
        ]),
        (8, &[
            (8192, LinearSync), (16384, Linear), (65536, LinearSync), (524288, Linear), (1048576, Pairwise),
            (MORE, Linear)
        ]),
        (16, &[(262144, LinearSync), (MORE, Linear)]),
        (32, &[
            (4, LinearSync), (512, Bruck), (8192, LinearSync), (32768, Linear), (262144, LinearSync), (524288, Linear),
            (MORE, LinearSync)
        ]),
        (64, &[(512, Bruck), (524288, Linear), (MORE, LinearSync)]),
        (128, &[(1024, Bruck), (2048, Linear), (4096, LinearSync), (262144, Linear), (MORE, Pairwise)]),
        (256, &[(1024, Bruck), (2048, LinearSync), (262144, Linear), (MORE, Pairwise)]),
        (512, &[(1024, Bruck), (8192, LinearSync), (32768, Linear), (MORE, Pairwise)]),
        (1024, &[
            (512, Bruck), (8192, LinearSync), (16384, Linear), (131072, LinearSync), (262144, Linear),
            (MORE, Pairwise)
        ]),
        (2048, &[
            (512, Bruck), (1024, LinearSync), (2048, Linear), (16384, LinearSync), (262144, Linear),
            (MORE, LinearSync)
        ]),
        (4096, &[(1024, Bruck), (4096, LinearSync), (8192, Linear), (131072, LinearSync), (MORE, Linear)]),
        (ALL, &[
            (2048, Bruck), (8192, LinearSync), (16384, Linear), (32768, LinearSync), (65536, Linear),
            (MORE, LinearSync)
        ]),
    ]
};

#[rustfmt::skip]
const ALL_TO_ALL_V: &[(usize, AllToAllV)] = {
    use AllToAllV::*;
    &[
        (4, Pairwise),
        (64, Linear),
        (128, Pairwise),
        (256, Linear),
        (1024, Pairwise),
        (ALL, Linear),
    ]
};

#[rustfmt::skip]
const BARRIER: &[(usize, Barrier)] = {
    use Barrier::*;
    &[
        (4, RecursiveDoubling),
        (8, Linear),
        (64, RecursiveDoubling),
        (256, Dissemination),
        (512, Tree),
        (1024, Dissemination),
        (4096, Tree),
        (ALL, Dissemination),
    ]
};

#[rustfmt::skip]
const BROADCAST: &[Row<Broadcast>] = {
    use Broadcast::*;
    &[
        (4, &[
            (32, Pipeline), (256, Binary), (512, Pipeline), (1024, KNOMIAL), (32768, Linear), (131072, Binary),
            (262144, Chain), (524288, Linear), (1048576, Binomial), (MORE, Binary)
        ]),
        (8, &[(64, Binary), (128, Binomial), (2048, Binary), (8192, Binomial), (1048576, Linear), (MORE, Chain)]),
        (16, &[(8, KNOMIAL), (64, Binary), (4096, KNOMIAL), (16384, Binary), (32768, Binomial), (MORE, Linear)]),
        (32, &[(4096, KNOMIAL), (1048576, Binomial), (MORE, ScatterAllGather)]),
        (64, &[(2048, Binomial), (MORE, KNOMIAL)]),
        (128, &[(MORE, KNOMIAL)]),
        (256, &[(2, Binomial), (16384, Binary), (32768, Linear), (65536, Binary), (MORE, KNOMIAL)]),
        (1024, &[(16384, KNOMIAL), (32768, SplitBinary), (MORE, KNOMIAL)]),
        (2048, &[(524288, KNOMIAL), (MORE, ScatterAllGather)]),
        (4096, &[(262144, KNOMIAL), (MORE, ScatterAllGather)]),
        (ALL, &[(8192, KNOMIAL), (16384, Binary), (262144, KNOMIAL), (MORE, ScatterAllGather)]),
    ]
};

#[rustfmt::skip]
const REDUCE: &[Row<Reduce>] = {
    use Reduce::*;
    &[
        (4, &[
            (8, Rabenseifner), (16, Binary), (32, Pipeline), (262144, Linear), (524288, Pipeline), (1048576, Chain),
            (MORE, Pipeline)
        ]),
        (8, &[(4096, Binary), (65536, Chain), (262144, Binomial), (524288, Linear), (1048576, Binomial), (MORE, Linear)]),
        (16, &[(8192, Binary), (MORE, Binomial)]),
        (32, &[(4096, Binary), (MORE, Binomial)]),
        (256, &[(MORE, Binomial)]),
        (512, &[(8192, Binomial), (16384, InOrderBinary), (MORE, Binomial)]),
        (2048, &[(MORE, Binomial)]),
        (4096, &[(512, Binomial), (1024, InOrderBinary), (8192, Binomial), (16384, InOrderBinary), (MORE, Binomial)]),
        (ALL, &[
            (16, Binomial), (32, InOrderBinary), (1024, Binomial), (2048, InOrderBinary), (8192, Binomial),
            (16384, InOrderBinary), (MORE, Binomial)
        ]),
    ]
};

#[rustfmt::skip]
const REDUCE_SCATTER: &[Row<ReduceScatter>] = {
    use ReduceScatter::*;
    &[
        (4, &[(65536, Ring), (131072, Butterfly), (MORE, Ring)]),
        (8, &[(8, ReduceThenScatterV), (262144, RecursiveHalving), (MORE, Ring)]),
        (32, &[(262144, RecursiveHalving), (MORE, Ring)]),
        (64, &[(64, ReduceThenScatterV), (2048, RecursiveHalving), (524288, Butterfly), (MORE, Ring)]),
        (128, &[
            (256, ReduceThenScatterV), (512, RecursiveHalving), (2048, Butterfly), (4096, RecursiveHalving),
            (MORE, Butterfly)
        ]),
        (256, &[(256, ReduceThenScatterV), (512, RecursiveHalving), (MORE, Butterfly)]),
        (512, &[(256, ReduceThenScatterV), (1024, RecursiveHalving), (MORE, Butterfly)]),
        (1024, &[
            (512, ReduceThenScatterV), (2048, RecursiveHalving), (8192, Butterfly), (16384, RecursiveHalving),
            (MORE, Butterfly)
        ]),
        (2048, &[
            (512, ReduceThenScatterV), (4096, RecursiveHalving), (16384, Butterfly), (32768, RecursiveHalving),
            (MORE, Butterfly)
        ]),
        (4096, &[(512, ReduceThenScatterV), (4096, RecursiveHalving), (MORE, Butterfly)]),
        (ALL, &[(1024, ReduceThenScatterV), (8192, RecursiveHalving), (MORE, Butterfly)]),
    ]
};

#[rustfmt::skip]
const REDUCE_SCATTER_BLOCK: &[Row<ReduceScatter>] = {
    use ReduceScatter::*;
    &[
        (4, &[
            (4, RecursiveDoubling), (8, BlockButterfly), (16, RecursiveHalving), (128, BlockButterfly),
            (256, RecursiveHalving), (4096, BlockButterfly), (8192, RecursiveHalving), (131072, BlockButterfly),
            (MORE, ReduceThenScatter)
        ]),
        (8, &[
            (8, RecursiveHalving), (32, RecursiveDoubling), (256, BlockButterfly), (8192, RecursiveHalving),
            (16384, BlockButterfly), (1048576, RecursiveHalving), (MORE, ReduceThenScatter)
        ]),
        (16, &[
            (4, ReduceThenScatter), (32, RecursiveHalving), (128, BlockButterfly), (524288, RecursiveHalving),
            (4194304, ReduceThenScatter), (MORE, BlockButterfly)
        ]),
        (32, &[
            (32, ReduceThenScatter), (524288, RecursiveHalving), (2097152, ReduceThenScatter),
            (4194304, RecursiveHalving), (MORE, BlockButterfly)
        ]),
        (ALL, &[
            (4, RecursiveHalving), (16, ReduceThenScatter), (65536, BlockButterfly), (262144, ReduceThenScatter),
            (MORE, BlockButterfly)
        ]),
    ]
};

#[rustfmt::skip]
const ALL_GATHER: &[Row<AllGather>] = {
    use AllGather::*;
    &[
        (3, &[(MORE, TwoMembers)]),
        (32, &[(MORE, RecursiveDoubling)]),
        (64, &[(1024, RecursiveDoubling), (65536, NeighborExchange), (MORE, Ring)]),
        (128, &[(512, RecursiveDoubling), (65536, NeighborExchange), (MORE, Ring)]),
        (256, &[
            (512, RecursiveDoubling), (131072, NeighborExchange), (524288, Ring), (1048576, NeighborExchange),
            (MORE, Ring)
        ]),
        (512, &[
            (32, RecursiveDoubling), (128, Bruck), (1024, RecursiveDoubling), (131072, NeighborExchange),
            (524288, Ring), (1048576, NeighborExchange), (MORE, Ring)
        ]),
        (1024, &[(64, RecursiveDoubling), (256, Bruck), (2048, RecursiveDoubling), (MORE, NeighborExchange)]),
        (2048, &[
            (4, RecursiveDoubling), (8, Bruck), (16, RecursiveDoubling), (32, Bruck), (256, RecursiveDoubling),
            (512, Bruck), (4096, RecursiveDoubling), (MORE, NeighborExchange)
        ]),
        (4096, &[
            (32, Bruck), (128, RecursiveDoubling), (512, Bruck), (4096, RecursiveDoubling), (MORE, NeighborExchange)
        ]),
        (ALL, &[
            (2, RecursiveDoubling), (8, Bruck), (16, RecursiveDoubling), (512, Bruck), (4096, RecursiveDoubling),
            (MORE, NeighborExchange)
        ]),
    ]
};

#[rustfmt::skip]
const ALL_GATHER_V: &[Row<AllGather>] = {
    use AllGather::*;
    &[
        (3, &[(2048, Ring), (4096, TwoMembers), (8192, Ring), (MORE, TwoMembers)]),
        (8, &[
            (256, GatherThenBroadcast), (4096, NeighborExchange), (8192, Ring), (16384, NeighborExchange),
            (262144, Bruck), (MORE, NeighborExchange)
        ]),
        (16, &[(1024, GatherThenBroadcast), (MORE, Bruck)]),
        (32, &[(128, GatherThenBroadcast), (262144, Bruck), (MORE, Ring)]),
        (64, &[(256, GatherThenBroadcast), (8192, Bruck), (MORE, Ring)]),
        (128, &[(256, GatherThenBroadcast), (4096, Bruck), (MORE, Ring)]),
        (256, &[(1024, Bruck), (65536, NeighborExchange), (MORE, Ring)]),
        (512, &[(1024, Bruck), (MORE, Ring)]),
        (1024, &[(512, Bruck), (1024, GatherThenBroadcast), (4096, Bruck), (1048576, NeighborExchange), (MORE, Ring)]),
        (ALL, &[(4096, Bruck), (MORE, NeighborExchange)]),
    ]
};

#[rustfmt::skip]
const GATHER: &[Row<Gather>] = {
    use Gather::*;
    &[
        (4, &[(2, LinearSync), (4, Linear), (32768, Binomial), (65536, Linear), (131072, Binomial), (MORE, LinearSync)]),
        (8, &[(1024, Binomial), (8192, Linear), (32768, Binomial), (262144, Linear), (MORE, LinearSync)]),
        (256, &[(MORE, Binomial)]),
        (512, &[(2048, Binomial), (8192, Linear), (MORE, Binomial)]),
        (ALL, &[(MORE, Binomial)]),
    ]
};

#[rustfmt::skip]
const SCATTER: &[Row<Scatter>] = {
    use Scatter::*;
    &[
        (4, &[(2, LinearNonBlocking), (131072, Linear), (262144, LinearNonBlocking), (MORE, Linear)]),
        (8, &[
            (2048, Binomial), (4096, Linear), (8192, Binomial), (32768, Linear), (1048576, LinearNonBlocking),
            (MORE, Linear)
        ]),
        (16, &[(16384, Binomial), (1048576, LinearNonBlocking), (MORE, Linear)]),
        (32, &[(16384, Binomial), (32768, Linear), (MORE, LinearNonBlocking)]),
        (64, &[(512, Binomial), (8192, LinearNonBlocking), (16384, Binomial), (MORE, LinearNonBlocking)]),
        (ALL, &[(512, Binomial), (MORE, LinearNonBlocking)]),
    ]
};
