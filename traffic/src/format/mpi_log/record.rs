//! What one line of a rank's log says.

/// One MPI operation a log can name.
///
/// The two halves of an `MPI_Sendrecv` are two records, first the send, then the receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Send,
    Isend,
    Recv,
    Irecv,
    SendrecvS,
    SendrecvR,
    Iprobe,
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Alltoall,
    CommSplit,
}

/// Every operation with the name it carries in a log.
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

impl Operation {
    /// Whether every member of the communicator takes part in this operation.
    pub fn is_collective(self) -> bool {
        use Operation::*;
        !matches!(self, Send | Isend | Recv | Irecv | SendrecvS | SendrecvR | Iprobe)
    }
}

/// One MPI call: `OP gap_cpu_ns gap_wall_ns comm peer bytes tag req`.
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
    /// Payload, bytes: sent, received, or, for a collective, contributed per destination.
    pub bytes: u64,
    pub tag: i32,
    /// Number of the request a non-blocking call opens, else 0.
    pub request: u64,
}

/// The completion of a request: `T gap_cpu_ns gap_wall_ns req source tag bytes polls`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub gap_cpu_ns: u64,
    pub gap_wall_ns: u64,
    pub request: u64,
    /// Sender's rank *within the request's communicator* (as in an `MPI_Status`); `None` when
    /// a send or a cancelled receive has completed.
    pub source: Option<u32>,
    pub tag: i32,
    pub bytes: u64,
    /// Unsuccessful tests before this one.
    pub polls: u64,
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
