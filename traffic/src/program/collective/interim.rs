//! Interim: textbook steps until the families are there.
use super::{CollectiveStep, Sizes, steps};
use crate::format::mpi_log::record::Operation;
use crate::program::call::{Collective, Payload};
use anyhow::{Result, bail, ensure};

pub enum Step {
    Send { to: usize, bytes: u64 },
    StartSend { to: usize, bytes: u64 },
    Receive { from: usize },
    StartReceive { from: usize },
    Exchange { to: usize, bytes: u64, from: usize },
    WaitAll,
    Reduce { bytes: u64 },
}

pub struct Member<'a> {
    pub n: usize,
    pub me: usize,
    pub root: usize,
    pub payload: &'a Payload,
}

impl<'a> Member<'a> {
    pub fn new(
        n: usize,
        me: usize,
        root: usize,
        payload: &'a Payload,
        _index: &dyn Fn(u32) -> Option<usize>,
    ) -> Result<Member<'a>> {
        Ok(Member { n, me, root, payload })
    }
}

#[derive(Debug)]
pub struct Algorithms {
    pub name: &'static str,
}

pub static TEXTBOOK: Algorithms = Algorithms { name: "textbook" };

pub fn algorithms(name: &str) -> Result<&'static Algorithms> {
    ensure!(name == "textbook" || name == "open-mpi", "collectives is `{name}`, expected one of open-mpi, textbook");
    Ok(&TEXTBOOK)
}

impl Algorithms {
    pub fn steps(&self, operation: Collective, m: &Member) -> Result<Box<dyn Iterator<Item = Step> + Send>> {
        let op = match operation {
            Collective::Barrier => Operation::Barrier,
            Collective::Broadcast => Operation::Bcast,
            Collective::Reduce => Operation::Reduce,
            Collective::AllReduce => Operation::Allreduce,
            Collective::Gather | Collective::GatherV => Operation::Gather,
            Collective::Scatter | Collective::ScatterV => Operation::Scatter,
            Collective::AllGather => Operation::Allgather,
            Collective::AllToAll => Operation::Alltoall,
            Collective::MakeCommunicator => Operation::CommSplit,
            other => bail!("{other:?} can't be replayed yet"),
        };
        let sizes = match m.payload {
            Payload::Each(bytes) => Sizes::Same(*bytes),
            Payload::Members(sizes) => Sizes::Each(sizes),
            Payload::Split(bytes) => Sizes::Split(*bytes),
            _ => bail!("neighbours"),
        };
        let steps = steps(op, m.n, m.me, m.root, sizes);
        Ok(Box::new(steps.into_iter().map(|s| match s {
            CollectiveStep::Send { to, bytes } => Step::Send { to, bytes },
            CollectiveStep::Receive { from } => Step::Receive { from },
        })))
    }
}
