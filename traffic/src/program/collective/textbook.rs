//! One algorithm for each operation, whatever the size: those of the textbooks.

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
    name: "textbook",
    about: "one algorithm for each operation, whatever the size",
    barrier: |_| Barrier::Dissemination,
    broadcast: |_, _| Broadcast::Knomial(2),
    reduce: |_, _| Reduce::Binomial,
    all_reduce: |_, _| AllReduce::RecursiveDoubling,
    scan: Scan::Doubling,
    gather: |_, _| Gather::Linear,
    scatter: |_, _| Scatter::Linear,
    all_gather: |_, _| AllGather::Bruck,
    all_gather_v: |_, _| AllGather::Bruck,
    all_to_all: |_, _| AllToAll::Pairwise,
    all_to_all_v: |_| AllToAllV::Pairwise,
    reduce_scatter: |_, _| ReduceScatter::RecursiveHalving,
    reduce_scatter_block: |_, _| ReduceScatter::RecursiveHalving,
    make_communicator: Agreement::Gather,
};
