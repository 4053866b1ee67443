//! What a rank does, call by call: what every reader of MPI traces and every skeleton yields.
//!
//! Ranks are those of `MPI_COMM_WORLD` everywhere; a reader whose format counts within communicators translates.

use anyhow::Result;
use std::sync::Arc;

/// A program as the calls of its ranks: a trace of MPI calls, or a skeleton.
pub trait CallSource: Send + Sync {
    /// Number of ranks.
    fn ranks(&self) -> u32;

    /// Whether its receives say what they got. Those of a skeleton can't.
    fn is_recorded(&self) -> bool {
        true
    }

    /// The calls of `rank`, which is below [`CallSource::ranks`], from the first one on. May be asked for several times.
    ///
    /// # Errors
    /// What holds them can't be opened.
    fn calls(&self, rank: u32) -> Result<Box<dyn Calls>>;
}

/// The calls of one rank, one at a time. Only the current one is in memory.
pub trait Calls: Send {
    /// The next entry; `None` behind the last one, and behind an error.
    ///
    /// # Errors
    /// What stands there makes no sense. File and line are named in the message.
    fn next(&mut self) -> Result<Option<Entry>>;

    /// Where the last entry stands, to put in front of an error message: a file and a line, or a step of a skeleton.
    fn place(&self) -> String;

    /// Number of the last line, or of the last call, counted from 1.
    fn line(&self) -> u64;
}

/// What comes next on a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A communicator, before its first use on this rank. Its members are different ranks of the world, in their order. The
    /// same name stands for the same members on all ranks.
    Communicator { name: u32, members: Arc<[u32]> },
    /// The rank computes, then calls MPI.
    Call { compute: Compute, call: Call },
}

/// What a rank computes before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compute {
    /// Recorded time, ns. What clocks and caches did to it is in it: floor and flop-rate factor are for these.
    Recorded(u64),
    /// Time that follows from a count of operations, ps: flops over a rate. The largest number is a time that is longer than can be
    /// counted, which no clock takes.
    Modelled(u64),
}

/// One MPI call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// `MPI_Send` and its kin, or `MPI_Isend`, which opens `request`. No message: to `MPI_PROC_NULL`.
    Send { message: Option<Outgoing>, request: Option<u64> },
    /// `MPI_Recv`, or `MPI_Irecv`, which opens `request`. A reader that knows what a blocking receive got says so in `got`. Nothing
    /// wanted: from `MPI_PROC_NULL`.
    Receive { wanted: Option<Wanted>, got: Option<Got>, request: Option<u64> },
    /// Both halves of `MPI_Sendrecv`.
    SendReceive { message: Option<Outgoing>, wanted: Option<Wanted>, got: Option<Got> },
    /// `MPI_Probe` (blocking) waits until a message is there, without taking it; an `MPI_Iprobe` that has found one does not wait.
    Probe { wanted: Wanted, got: Option<Got>, blocking: bool },
    /// The completion of a request, whatever opened it.
    Complete(Completion),
    /// A collective, blocking or, with a request, not.
    Collective { collective: CollectiveCall, request: Option<u64> },
    /// Nothing but the time before it.
    Nothing,
}

/// A message as its sender names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    pub to: u32,
    /// 0 or more.
    pub tag: i32,
    pub communicator: u32,
    /// Payload.
    pub bytes: u64,
    /// Of `MPI_Ssend`: it is over when its receive has begun, however short the message.
    pub synchronous: bool,
}

/// What a receive or a probe asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wanted {
    /// `None`: `MPI_ANY_SOURCE`.
    pub source: Option<u32>,
    /// `None`: `MPI_ANY_TAG`.
    pub tag: Option<i32>,
    pub communicator: u32,
}

/// What a receive got when the program ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Got {
    pub source: u32,
    pub tag: i32,
}

/// A request is complete, as the program learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    pub request: u64,
    /// The program asked by `MPI_Test` and its kin, or had asked in vain before: it would have gone on without.
    pub polled: bool,
    /// What a receive got; none of a send, of a collective, and where nobody knows.
    pub got: Option<Got>,
    /// The receive was cancelled: no message comes for it.
    pub cancelled: bool,
}

/// The collective operations of MPI-3.
///
/// A non-blocking one is the same operation with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Collective {
    Barrier,
    Broadcast,
    Reduce,
    AllReduce,
    Scan,
    ExclusiveScan,
    Gather,
    GatherV,
    Scatter,
    ScatterV,
    AllGather,
    AllGatherV,
    AllToAll,
    AllToAllV,
    ReduceScatter,
    ReduceScatterBlock,
    /// The members agree on a new communicator: `Comm_split`, `Comm_dup`, `Cart_create` and so on.
    MakeCommunicator,
    NeighborAllGather,
    NeighborAllToAll,
}

/// One rank's part of a collective call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollectiveCall {
    pub operation: Collective,
    pub communicator: u32,
    /// Of `Broadcast`, `Reduce`, `Gather`, `GatherV`, `Scatter`, `ScatterV`: the root's rank in the world.
    pub root: Option<u32>,
    pub payload: Payload,
}

/// How much the members of a collective have for each other, bytes. "Member i" is the i-th of the communicator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The same for all. `Broadcast`, `Reduce`, `AllReduce`, scans: the whole vector. `Gather`, `AllGather`: what each member
    /// contributes. `Scatter`, `AllToAll`: what goes to each member. `ReduceScatterBlock`: what each member gets.
    /// `GatherV`, `ScatterV` on a member that is not the root: its own share.
    Each(u64),
    /// A size for each member. `AllGatherV`, and `GatherV` on its root: what member i contributes. `AllToAllV`, and `ScatterV`
    /// on its root: what goes to member i. `ReduceScatter`: what member i gets.
    Members(Arc<[u64]>),
    /// So much, split evenly between all members; what is left over goes to the first ones.
    Split(u64),
    /// Of the neighbourhood collectives: whom this rank sends to, in the order of the topology, with the bytes of each, and whom
    /// it receives from, as ranks of the world.
    Neighbors { to: Arc<[(u32, u64)]>, from: Arc<[u32]> },
}
