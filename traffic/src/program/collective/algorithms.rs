//! A choice of algorithms, and what it chooses.

use super::all_gather::AllGather;
use super::all_reduce::AllReduce;
use super::all_to_all::{AllToAll, AllToAllV};
use super::barrier::Barrier;
use super::broadcast::Broadcast;
use super::communicator::Agreement;
use super::gather::Gather;
use super::member::Member;
use super::reduce::Reduce;
use super::reduce_scatter::ReduceScatter;
use super::scan::Scan;
use super::scatter::Scatter;
use super::sizes::Vector;
use super::{Step, gather, neighbor, none, scatter};
use crate::program::call::Collective;
use anyhow::{Result, ensure};

/// Which algorithm runs, for each operation: by the number of members, and by a size where that plays a part.
#[derive(Debug)]
pub struct Algorithms {
    /// By which a user asks for it.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    pub(super) barrier: fn(usize) -> Barrier,
    pub(super) broadcast: fn(usize, u64) -> Broadcast,
    pub(super) reduce: fn(usize, u64) -> Reduce,
    pub(super) all_reduce: fn(usize, u64) -> AllReduce,
    pub(super) scan: Scan,
    pub(super) gather: fn(usize, u64) -> Gather,
    pub(super) scatter: fn(usize, u64) -> Scatter,
    pub(super) all_gather: fn(usize, u64) -> AllGather,
    pub(super) all_gather_v: fn(usize, u64) -> AllGather,
    pub(super) all_to_all: fn(usize, u64) -> AllToAll,
    pub(super) all_to_all_v: fn(usize) -> AllToAllV,
    pub(super) reduce_scatter: fn(usize, u64) -> ReduceScatter,
    pub(super) reduce_scatter_block: fn(usize, u64) -> ReduceScatter,
    pub(super) make_communicator: Agreement,
}

/// What a table has chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The algorithm that the table names.
    pub name: &'static str,
    /// The one that runs: some take another's place where the number of members or of elements does not suit it.
    pub in_effect: &'static str,
}

impl Algorithms {
    /// What a member does, step by step. Nothing, if it is alone or there is nothing to move: MPI libraries return at once then.
    ///
    /// # Errors
    /// The member's payload is not one of this operation.
    pub fn steps(&self, operation: Collective, member: &Member) -> Result<Box<dyn Iterator<Item = Step> + Send>> {
        use Collective as C;
        let place = member.place;
        let n = place.n;
        if operation == C::NeighborAllGather || operation == C::NeighborAllToAll {
            let (to, from) = member.neighbors(operation)?;
            return Ok(neighbor::steps(place, to, from));
        }
        let vector = || member.vector(operation);
        let blocks = || member.blocks(operation);
        let something = match operation {
            C::Barrier | C::MakeCommunicator | C::GatherV | C::ScatterV | C::AllToAllV => true,
            C::Broadcast | C::Reduce | C::AllReduce | C::Scan | C::ExclusiveScan => vector()?.bytes > 0,
            _ => blocks()?.total() > 0,
        };
        if n < 2 || !something {
            return Ok(none());
        }
        Ok(match operation {
            C::Barrier => (self.barrier)(n).steps(place),
            C::Broadcast => (self.broadcast)(n, vector()?.bytes).steps(place, vector()?.bytes),
            C::Reduce => (self.reduce)(n, vector()?.bytes).steps(place, vector()?.bytes),
            C::AllReduce => (self.all_reduce)(n, vector()?.bytes).steps(place, vector()?, self.reduce, self.broadcast),
            C::Scan => self.scan.steps(place, vector()?.bytes, true),
            C::ExclusiveScan => self.scan.steps(place, vector()?.bytes, false),
            C::Gather => (self.gather)(n, blocks()?.mean()).steps(place, blocks()?),
            // Only the root knows who has nothing, and not from every recording: empty messages are sent.
            C::GatherV => {
                let blocks = blocks()?;
                gather::linear(place, move |member| Some(blocks.of(member)))
            }
            C::Scatter => (self.scatter)(n, blocks()?.mean()).steps(place, blocks()?),
            C::ScatterV => {
                let blocks = blocks()?;
                scatter::linear(place, move |member| Some(blocks.of(member)))
            }
            C::AllGather => (self.all_gather)(n, blocks()?.mean()).steps(place, blocks()?, self.broadcast),
            C::AllGatherV => (self.all_gather_v)(n, blocks()?.mean()).steps(place, blocks()?, self.broadcast),
            C::AllToAll => {
                let blocks = blocks()?;
                ensure!(!blocks.are_own(), "AllToAll with a size for each member, expected one size, or one to split");
                (self.all_to_all)(n, blocks.mean()).steps(place, blocks)
            }
            C::AllToAllV => (self.all_to_all_v)(n).steps(place, blocks()?),
            C::ReduceScatter => {
                (self.reduce_scatter)(n, blocks()?.total()).steps(place, blocks()?, self.reduce, self.scatter)
            }
            C::ReduceScatterBlock => {
                (self.reduce_scatter_block)(n, blocks()?.mean()).steps(place, blocks()?, self.reduce, self.scatter)
            }
            C::MakeCommunicator => self.make_communicator.steps(place, self.all_gather, self.broadcast),
            C::NeighborAllGather | C::NeighborAllToAll => none(),
        })
    }

    /// Which algorithm runs for `n` members, at least 2, and so many bytes: of the whole vector, of one member's block
    /// (`Gather`, `Scatter`, `AllGather`, `AllToAll`, `ReduceScatterBlock`), of the mean block (`AllGatherV`), or of all
    /// blocks (`ReduceScatter`). Other operations don't go by bytes.
    pub fn chosen(&self, operation: Collective, n: usize, bytes: u64) -> Choice {
        use Collective as C;
        let vector = Vector { bytes };
        let always = |name| Choice { name, in_effect: name };
        macro_rules! choice {
            ($algorithm:expr $(, $argument:expr)*) => {{
                let algorithm = $algorithm;
                Choice { name: algorithm.name(), in_effect: algorithm.in_effect($($argument),*).name() }
            }};
        }
        match operation {
            C::Barrier => always((self.barrier)(n).name()),
            C::Broadcast => choice!((self.broadcast)(n, bytes), n, bytes),
            C::Reduce => choice!((self.reduce)(n, bytes)),
            C::AllReduce => choice!((self.all_reduce)(n, bytes), n, vector),
            C::Scan | C::ExclusiveScan => always(self.scan.name()),
            C::Gather => always((self.gather)(n, bytes).name()),
            C::Scatter => always((self.scatter)(n, bytes).name()),
            C::GatherV | C::ScatterV => always("linear"),
            C::AllGather => choice!((self.all_gather)(n, bytes), n),
            C::AllGatherV => choice!((self.all_gather_v)(n, bytes), n),
            C::AllToAll => always((self.all_to_all)(n, bytes).name()),
            C::AllToAllV => always((self.all_to_all_v)(n).name()),
            C::ReduceScatter => always((self.reduce_scatter)(n, bytes).name()),
            C::ReduceScatterBlock => always((self.reduce_scatter_block)(n, bytes).name()),
            C::MakeCommunicator => always(self.make_communicator.name()),
            C::NeighborAllGather | C::NeighborAllToAll => always("linear"),
        }
    }
}
