//! What one line of a rank's log says.

use std::sync::Arc;

/// One MPI operation a log can name.
///
/// The two halves of an `MPI_Sendrecv` are two records, first the send, then the receive. A collective and its
/// non-blocking form are the same operation; the second one opens a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Send,
    Ssend,
    Isend,
    Issend,
    Recv,
    Irecv,
    SendrecvS,
    SendrecvR,
    /// A probe that waits. In logs of version 1 it is an `Iprobe`.
    Probe,
    /// A probe that does not wait and has found a message.
    Iprobe,
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Scan,
    Exscan,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    ReduceScatter,
    ReduceScatterBlock,
    NeighborAllgather,
    NeighborAllgatherv,
    NeighborAlltoall,
    NeighborAlltoallv,
    NeighborAlltoallw,
    /// The members agree on a new communicator.
    CommSplit,
}

/// Every operation that logs of version 1 can name, with its name.
pub const OPERATIONS: &[(&str, Operation)] = &[
    ("Send", Operation::Send),
    ("Isend", Operation::Isend),
    ("Recv", Operation::Recv),
    ("Irecv", Operation::Irecv),
    ("SendrecvS", Operation::SendrecvS),
    ("SendrecvR", Operation::SendrecvR),
    ("Iprobe", Operation::Iprobe),
    ("Barrier", Operation::Barrier),
    ("Bcast", Operation::Bcast),
    ("Reduce", Operation::Reduce),
    ("Allreduce", Operation::Allreduce),
    ("Gather", Operation::Gather),
    ("Gatherv", Operation::Gatherv),
    ("Scatter", Operation::Scatter),
    ("Scatterv", Operation::Scatterv),
    ("Allgather", Operation::Allgather),
    ("Alltoall", Operation::Alltoall),
    ("Comm_split", Operation::CommSplit),
];

/// What version 2 adds to [`OPERATIONS`], but for the non-blocking collectives.
pub const MORE_OPERATIONS: &[(&str, Operation)] = &[
    ("Ssend", Operation::Ssend),
    ("Issend", Operation::Issend),
    ("Probe", Operation::Probe),
    ("Scan", Operation::Scan),
    ("Exscan", Operation::Exscan),
    ("Allgatherv", Operation::Allgatherv),
    ("Alltoallv", Operation::Alltoallv),
    ("Alltoallw", Operation::Alltoallw),
    ("Reduce_scatter", Operation::ReduceScatter),
    ("Reduce_scatter_block", Operation::ReduceScatterBlock),
    ("Neighbor_allgather", Operation::NeighborAllgather),
    ("Neighbor_allgatherv", Operation::NeighborAllgatherv),
    ("Neighbor_alltoall", Operation::NeighborAlltoall),
    ("Neighbor_alltoallv", Operation::NeighborAlltoallv),
    ("Neighbor_alltoallw", Operation::NeighborAlltoallw),
];

/// The non-blocking collectives of version 2, each the operation it is a form of.
pub const NON_BLOCKING: &[(&str, Operation)] = &[
    ("Ibarrier", Operation::Barrier),
    ("Ibcast", Operation::Bcast),
    ("Ireduce", Operation::Reduce),
    ("Iallreduce", Operation::Allreduce),
    ("Iscan", Operation::Scan),
    ("Iexscan", Operation::Exscan),
    ("Igather", Operation::Gather),
    ("Igatherv", Operation::Gatherv),
    ("Iscatter", Operation::Scatter),
    ("Iscatterv", Operation::Scatterv),
    ("Iallgather", Operation::Allgather),
    ("Iallgatherv", Operation::Allgatherv),
    ("Ialltoall", Operation::Alltoall),
    ("Ialltoallv", Operation::Alltoallv),
    ("Ialltoallw", Operation::Alltoallw),
    ("Ireduce_scatter", Operation::ReduceScatter),
    ("Ireduce_scatter_block", Operation::ReduceScatterBlock),
    ("Ineighbor_allgather", Operation::NeighborAllgather),
    ("Ineighbor_allgatherv", Operation::NeighborAllgatherv),
    ("Ineighbor_alltoall", Operation::NeighborAlltoall),
    ("Ineighbor_alltoallv", Operation::NeighborAlltoallv),
    ("Ineighbor_alltoallw", Operation::NeighborAlltoallw),
    ("Comm_idup", Operation::CommSplit),
];

impl Operation {
    /// Whether every member of the communicator takes part in this operation.
    pub fn is_collective(self) -> bool {
        use Operation::*;
        !matches!(self, Send | Ssend | Isend | Issend | Recv | Irecv | SendrecvS | SendrecvR | Probe | Iprobe)
    }

    /// Whether one member of the communicator is the root of this operation.
    pub fn has_root(self) -> bool {
        use Operation::*;
        matches!(self, Bcast | Reduce | Gather | Gatherv | Scatter | Scatterv)
    }

    /// Whether the neighbours in a topology take part, instead of all members.
    pub fn is_of_neighbors(self) -> bool {
        use Operation::*;
        let allgather = matches!(self, NeighborAllgather | NeighborAllgatherv);
        allgather || matches!(self, NeighborAlltoall | NeighborAlltoallv | NeighborAlltoallw)
    }
}

/// What a line of version 2 says behind the fields that all calls have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Parts {
    /// Nothing: the size in [`Call::bytes`] is all there is.
    #[default]
    One,
    /// `n SIZE...`: a size for each member of the communicator, bytes. `Allgatherv`, and `Gatherv` on its root: what each
    /// member contributes. `Alltoallv`, `Alltoallw`, and `Scatterv` on its root: what goes to each member.
    /// `Reduce_scatter`: what each member gets. Their sum is at most 2^32.
    Members(Arc<[u64]>),
    /// `to n RANK:BYTES... from m RANK...` of a neighbourhood collective: whom this rank sends to, with the bytes of each,
    /// and whom it receives from, as ranks of `MPI_COMM_WORLD` in the order of the topology. A rank may be there more than once.
    Neighbors { to: Arc<[(u32, u64)]>, from: Arc<[u32]> },
}

/// One MPI call: `OP gap_cpu_ns gap_wall_ns comm peer bytes tag req` and, in version 2, what some operations add.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub operation: Operation,
    /// CPU time of the rank since its previous call returned, ns: the compute gap to replay.
    pub gap_cpu_ns: u64,
    /// Wall-clock time since the previous call returned, ns; stretched when ranks share a core.
    pub gap_wall_ns: u64,
    /// Hash of the communicator's member list; a `C` line defines it.
    pub communicator: u32,
    /// Rank in `MPI_COMM_WORLD` of the other side or, for a rooted collective, of the root;
    /// `None` for "any source", "no process" and collectives without a root.
    pub peer: Option<u32>,
    /// Payload, bytes: sent, received, or, for a collective, contributed per destination; where [`Call::parts`] has a size for
    /// each member or neighbour, see the format's definition.
    pub bytes: u64,
    pub tag: i32,
    /// Number of the request a non-blocking call opens, else 0.
    pub request: u64,
    /// The receive or probe asked for `MPI_ANY_SOURCE`. Version 1 says so of an `Irecv` only.
    pub any_source: bool,
    /// The receive or probe asked for `MPI_ANY_TAG`. Version 1 says so of an `Irecv` only.
    pub any_tag: bool,
    pub parts: Parts,
}

impl Call {
    /// The operation's name in a log.
    pub fn name(&self) -> &'static str {
        let of_collective = self.operation.is_collective() && self.request != 0;
        let names: [&[_]; 2] = if of_collective { [NON_BLOCKING, &[]] } else { [OPERATIONS, MORE_OPERATIONS] };
        let found = names.into_iter().flatten().find(|(_, operation)| *operation == self.operation);
        found.map_or("", |(name, _)| name)
    }
}

/// The completion of a request: `T gap_cpu_ns gap_wall_ns req source tag bytes polls`, or the same with `P`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub gap_cpu_ns: u64,
    pub gap_wall_ns: u64,
    pub request: u64,
    /// Sender's rank *within the request's communicator* (as in an `MPI_Status`); `None` when
    /// a send, a collective or a cancelled receive has completed.
    pub source: Option<u32>,
    pub tag: i32,
    pub bytes: u64,
    /// Unsuccessful tests before this one.
    pub polls: u64,
    /// It was `MPI_Test` or one of its kin that found it complete (`P`), not a call that waits (`T`). Always false in logs of
    /// version 1, which do not say.
    pub tested: bool,
}

/// One line of a log after its `H` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// `C hash n members...`: a communicator, its members as ranks of `MPI_COMM_WORLD`.
    Communicator {
        hash: u32,
        members: Vec<u32>,
    },
    Call(Call),
    Completion(Completion),
    /// `FIN gap_cpu_ns gap_wall_ns polls N`: the end of the log.
    Finish,
}
