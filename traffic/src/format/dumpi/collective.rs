//! Collective calls.
//!
//! DUMPI records no buffers and so does not tell `MPI_IN_PLACE`; where the standard lets a rank leave one side out,
//! the other side is read, which says the same.

use super::block::Block;
use super::calls::{Communicator, Reader};
use super::datatype::Datatypes;
use super::survey::COMM_NULL;
use crate::program::call::{Call, Collective, CollectiveCall, Payload};
use anyhow::{Context, Result};
use std::sync::Arc;

/// What each member gives when a communicator is made, bytes: its color and its key.
const COLOR_AND_KEY: u64 = 8;

impl Reader {
    pub fn collective(&mut self, block: &Block) -> Result<()> {
        let communicator = self.communicator(block, "comm")?;
        let root = match &*block.call {
            "MPI_Bcast" | "MPI_Reduce" | "MPI_Gather" | "MPI_Gatherv" | "MPI_Scatter" | "MPI_Scatterv" => {
                let root = block.number("root", i64::from(i32::MIN), i64::from(i32::MAX))?;
                Some(communicator.world_rank(block, "root", root)?)
            }
            _ => None,
        };
        let (operation, payload) = self.payload(block, &communicator, root == Some(self.rank))?;
        let collective = CollectiveCall { operation, communicator: communicator.name, root, payload };
        self.push(Call::Collective { collective, request: None });
        Ok(())
    }

    fn payload(&self, block: &Block, communicator: &Communicator, at_root: bool) -> Result<(Collective, Payload)> {
        let size = communicator.members.len();
        let each = |count: &str, datatype: &str| Ok(Payload::Each(self.datatypes.bytes(block, count, datatype)?));
        let members = |counts: &str, datatype: &str| {
            let counts = block.exactly(counts, size, 0, u64::from(u32::MAX))?;
            Ok(Payload::Members(self.datatypes.each(block, &counts, datatype)?))
        };
        let (operation, payload): (Collective, Result<Payload>) = match (&*block.call, at_root) {
            ("MPI_Barrier", _) => (Collective::Barrier, Ok(Payload::Each(0))),
            ("MPI_Bcast", _) => (Collective::Broadcast, each("count", "datatype")),
            ("MPI_Reduce", _) => (Collective::Reduce, each("count", "datatype")),
            ("MPI_Allreduce", _) => (Collective::AllReduce, each("count", "datatype")),
            ("MPI_Scan", _) => (Collective::Scan, each("count", "datatype")),
            ("MPI_Exscan", _) => (Collective::ExclusiveScan, each("count", "datatype")),
            ("MPI_Gather", true) => (Collective::Gather, each("recvcount", "recvtype")),
            ("MPI_Gather", false) => (Collective::Gather, each("sendcount", "sendtype")),
            ("MPI_Gatherv", true) => (Collective::GatherV, members("recvcounts", "recvtype")),
            ("MPI_Gatherv", false) => (Collective::GatherV, each("sendcount", "sendtype")),
            ("MPI_Scatter", true) => (Collective::Scatter, each("sendcount", "sendtype")),
            ("MPI_Scatter", false) => (Collective::Scatter, each("recvcount", "recvtype")),
            ("MPI_Scatterv", true) => (Collective::ScatterV, members("sendcounts", "sendtype")),
            ("MPI_Scatterv", false) => (Collective::ScatterV, each("recvcount", "recvtype")),
            ("MPI_Allgather", _) => (Collective::AllGather, each("recvcount", "recvtype")),
            ("MPI_Allgatherv", _) => (Collective::AllGatherV, members("recvcounts", "recvtype")),
            ("MPI_Alltoall", _) => (Collective::AllToAll, each("recvcount", "recvtype")),
            ("MPI_Alltoallv", _) => match Datatypes::is_null(block, "sendtype")? {
                true => (Collective::AllToAllV, members("recvcounts", "recvtype")),
                false => (Collective::AllToAllV, members("sendcounts", "sendtype")),
            },
            ("MPI_Alltoallw", _) => (Collective::AllToAllV, self.each_its_own(block, size)),
            ("MPI_Reduce_scatter", _) => (Collective::ReduceScatter, members("recvcounts", "datatype")),
            (call, _) => return Err(anyhow::anyhow!("{call} can't be replayed: unknown to this reader")),
        };
        Ok((operation, payload?))
    }

    fn each_its_own(&self, block: &Block, size: usize) -> Result<Payload> {
        // In place the send side says nothing; its counts are not recorded then.
        let side = if block.numbers::<u64>("sendcounts", 0, u64::MAX)?.is_some() { "send" } else { "recv" };
        let counts = block.exactly(&format!("{side}counts"), size, 0, u64::from(u32::MAX))?;
        Ok(Payload::Members(self.datatypes.each_its_own(block, &counts, &format!("{side}types"))?))
    }

    /// The members agree; from now on the handle of the new communicator stands for it.
    pub fn make_communicator(&mut self, block: &Block) -> Result<()> {
        let communicator = self.communicator(block, "oldcomm")?;
        let collective = CollectiveCall {
            operation: Collective::MakeCommunicator,
            communicator: communicator.name,
            root: None,
            payload: Payload::Each(COLOR_AND_KEY),
        };
        self.push(Call::Collective { collective, request: None });
        let content = Arc::clone(&self.content);
        let gained = content.communicators.gained(self.rank, self.made);
        self.made += 1;
        // The opening pass has read the same calls, unless the file is another one now.
        if let Some(name) = gained.context("a communicator that was not there when the trace was opened")? {
            self.gain(block.handle("newcomm")?.number, name);
        } else {
            debug_assert_eq!(block.handle("newcomm")?.number, COMM_NULL);
        }
        Ok(())
    }
}
