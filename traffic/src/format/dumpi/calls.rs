//! The calls of one rank as what a replay does.

use super::TimeBase;
use super::block::{Block, Blocks};
use super::communicator::Communicators;
use super::content::Content;
use super::datatype::Datatypes;
use super::names::{Fate, fate};
use super::request::Requests;
use crate::format::fields::{MAX_GAP_NS, shown};
use crate::format::rank_files::RankText;
use crate::program::call::{Call, Calls, Compute, Entry, Got, Outgoing, Wanted};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::collections::{HashMap, VecDeque};
use std::io::BufReader;
use std::sync::Arc;

use super::value::Status;

/// Reads the calls of one rank, one at a time.
pub(crate) struct RankCalls {
    blocks: Blocks<BufReader<RankText>>,
    reader: Reader,
    /// When the previous call ended, in the trace's time base.
    last_return: Option<i64>,
    over: bool,
}

/// What the calls up to now say about the next one.
pub(super) struct Reader {
    pub content: Arc<Content>,
    pub rank: u32,
    pub datatypes: Datatypes,
    pub requests: Requests,
    communicators: HashMap<i32, Communicator>,
    /// Calls so far that made communicators.
    pub made: usize,
    /// What the current call yields.
    entries: VecDeque<Entry>,
    /// Time before the current call, ns; the first entry takes it.
    gap: u64,
}

/// A communicator as a rank uses it.
#[derive(Clone)]
pub(super) struct Communicator {
    pub name: u32,
    pub members: Arc<[u32]>,
    /// It was among the entries.
    declared: bool,
}

impl Communicator {
    /// The rank of the world that `rank` within the communicator is; the `field` held it.
    pub fn world_rank(&self, block: &Block, field: &str, rank: i64) -> Result<u32> {
        let found = usize::try_from(rank).ok().and_then(|rank| self.members.get(rank).copied());
        found.with_context(|| {
            block.wrong(field, &rank.to_string(), &format!("a rank from 0 to {}", self.members.len() - 1))
        })
    }
}

impl RankCalls {
    pub fn open(content: Arc<Content>, rank: u32) -> Result<RankCalls> {
        let file = content.files.get(rank as usize);
        let file = file.with_context(|| format!("rank is `{rank}`, expected one below {}", content.files.len()))?;
        let blocks = Blocks::new(file.open(content.files.len())?, &file.shown);
        let datatypes = Datatypes::new(Arc::clone(&content.sizes[rank as usize]));
        let reader = Reader {
            content,
            rank,
            datatypes,
            requests: Requests::default(),
            communicators: HashMap::new(),
            made: 0,
            entries: VecDeque::new(),
            gap: 0,
        };
        Ok(RankCalls { blocks, reader, last_return: None, over: false })
    }

    /// Reads the next call; false at the end.
    fn read(&mut self) -> Result<bool> {
        if !self.blocks.advance(&mut |_, _| Ok(()))? {
            return Ok(false);
        }
        let block = self.blocks.block();
        let base = self.reader.content.time_base;
        self.gap(base)
            .and_then(|gap| self.reader.read(block, gap))
            .map_err(|error| anyhow!("{}: {error}", self.blocks.place()))?;
        self.last_return = Some(base.of(block.returning));
        Ok(true)
    }

    /// Time since the previous call; clocks that go backwards a little count as standing still.
    fn gap(&self, base: TimeBase) -> Result<u64> {
        let block = self.blocks.block();
        let entering = base.of(block.entering);
        let gap = self.last_return.map_or(0, |last| entering.saturating_sub(last)).max(0) as u64;
        ensure!(
            gap <= MAX_GAP_NS,
            "{}: {gap} ns behind the previous call, expected at most {MAX_GAP_NS} ns",
            block.call
        );
        Ok(gap)
    }
}

impl Calls for RankCalls {
    fn next(&mut self) -> Result<Option<Entry>> {
        loop {
            if let Some(entry) = self.reader.entries.pop_front() {
                return Ok(Some(entry));
            }
            if self.over {
                return Ok(None);
            }
            match self.read() {
                Ok(more) => self.over = !more,
                Err(error) => {
                    self.over = true;
                    self.reader.entries.clear();
                    return Err(error);
                }
            }
        }
    }

    fn place(&self) -> String {
        self.blocks.place()
    }

    fn line(&self) -> u64 {
        self.blocks.line()
    }
}

impl Reader {
    /// Takes a call; its entries are there then.
    fn read(&mut self, block: &Block, gap: u64) -> Result<()> {
        self.gap = gap;
        let before = self.entries.len();
        match fate(&block.call) {
            Fate::Local => {}
            Fate::Replayed => self.replay(block).map_err(|error| named(block, &error))?,
            // The opening pass has refused it already, unless the file is another one now.
            Fate::Refused(reason) => bail!("{} can't be replayed: {reason}", block.call),
        }
        let called = self.entries.iter().skip(before).any(|entry| matches!(entry, Entry::Call { .. }));
        if !called {
            self.push(Call::Nothing);
        }
        Ok(())
    }

    fn replay(&mut self, block: &Block) -> Result<()> {
        let call = &*block.call;
        if call.starts_with("MPI_Type_") {
            return self.datatypes.learn(block);
        }
        if call.starts_with("MPI_Group_") || call == "MPI_Comm_group" {
            return Ok(());
        }
        match call {
            "MPI_Comm_free" | "MPI_Comm_disconnect" => {
                self.communicators.remove(&block.handle("comm")?.number);
                Ok(())
            }
            "MPI_Comm_dup" | "MPI_Comm_split" | "MPI_Comm_create" | "MPI_Cart_create" | "MPI_Cart_sub"
            | "MPI_Graph_create" => self.make_communicator(block),
            "MPI_Wait"
            | "MPI_Waitany"
            | "MPI_Waitall"
            | "MPI_Waitsome"
            | "MPI_Test"
            | "MPI_Testany"
            | "MPI_Testall"
            | "MPI_Testsome"
            | "MPI_Cancel"
            | "MPI_Request_free"
            | "MPI_Request_get_status"
            | "MPI_Start"
            | "MPI_Startall" => self.request(block),
            "MPI_Send"
            | "MPI_Bsend"
            | "MPI_Ssend"
            | "MPI_Rsend"
            | "MPI_Isend"
            | "MPI_Ibsend"
            | "MPI_Issend"
            | "MPI_Irsend"
            | "MPI_Send_init"
            | "MPI_Bsend_init"
            | "MPI_Ssend_init"
            | "MPI_Rsend_init"
            | "MPI_Recv"
            | "MPI_Irecv"
            | "MPI_Recv_init"
            | "MPI_Sendrecv"
            | "MPI_Sendrecv_replace"
            | "MPI_Probe"
            | "MPI_Iprobe" => self.point_to_point(block),
            _ => self.collective(block),
        }
    }

    /// Adds a call; the first of a block has the time before it.
    pub fn push(&mut self, call: Call) {
        let compute = Compute::Recorded(std::mem::take(&mut self.gap));
        self.entries.push_back(Entry::Call { compute, call });
    }

    /// The communicator in the field `comm` or `oldcomm`; it is among the entries then.
    pub fn communicator(&mut self, block: &Block, field: &str) -> Result<Communicator> {
        let handle = block.handle(field)?.number;
        if !self.communicators.contains_key(&handle)
            && let Some(name) = Communicators::predefined(self.rank, handle)
        {
            self.gain(handle, name);
        }
        let Some(communicator) = self.communicators.get_mut(&handle) else {
            bail!("{}", block.wrong(field, &handle.to_string(), "a communicator that a recorded call has made"));
        };
        if !std::mem::replace(&mut communicator.declared, true) {
            let members = Arc::clone(&communicator.members);
            self.entries.push_back(Entry::Communicator { name: communicator.name, members });
        }
        Ok(communicator.clone())
    }

    /// From now on `handle` stands for this communicator.
    pub fn gain(&mut self, handle: i32, name: u32) {
        let members = self.content.communicators.members(name);
        self.communicators.insert(handle, Communicator { name, members, declared: false });
    }

    /// The message of a send; `None` to `MPI_PROC_NULL`.
    pub fn outgoing(
        &mut self,
        block: &Block,
        communicator: &Communicator,
        [count, datatype, tag]: [&str; 3],
    ) -> Result<Option<Outgoing>> {
        let to = block.number("dest", i64::from(i32::MIN), i64::from(i32::MAX))?;
        if to < 0 {
            return Ok(None);
        }
        Ok(Some(Outgoing {
            to: communicator.world_rank(block, "dest", to)?,
            tag: block.number(tag, 0, i32::MAX)?,
            communicator: communicator.name,
            bytes: self.datatypes.bytes(block, count, datatype)?,
            synchronous: block.call.contains("ssend") || block.call.contains("Ssend"),
        }))
    }
}

/// What a receive or a probe asks for; `None` from `MPI_PROC_NULL`.
pub(super) fn wanted(block: &Block, communicator: &Communicator, tag: &str) -> Result<Option<Wanted>> {
    let source = match block.number("source", i64::from(i32::MIN), i64::from(i32::MAX))? {
        -1 => None,
        ..-1 => return Ok(None),
        source => Some(communicator.world_rank(block, "source", source)?),
    };
    let tag: i32 = block.number(tag, -1, i32::MAX)?;
    Ok(Some(Wanted { source, tag: (tag >= 0).then_some(tag), communicator: communicator.name }))
}

/// What a receive got, as its status tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Nobody knows.
    Unknown,
    Message(Got),
    /// There was nobody to receive from.
    Nobody,
}

/// Reads the status of a receive. Where `MPI_PROC_NULL` has the number that DUMPI uses for `MPI_ANY_SOURCE`, only the
/// status tells them apart.
pub(super) fn outcome(block: &Block, wanted: &Wanted, members: &[u32], status: Option<Status>) -> Result<Outcome> {
    let Some(status) = status else { return Ok(Outcome::Unknown) };
    if status.source < 0 && wanted.source.is_none() {
        return Ok(Outcome::Nobody);
    }
    let source = usize::try_from(status.source).ok().and_then(|source| members.get(source).copied());
    let source = source.filter(|&source| wanted.source.is_none_or(|wanted| wanted == source));
    let Some(source) = source else {
        let expected = wanted.source.and_then(|wanted| members.iter().position(|&member| member == wanted));
        let last = members.len() - 1;
        let expected =
            expected.map_or(format!("a rank from 0 to {last}"), |rank| format!("{rank}, which was asked for"));
        bail!(
            "{}: field `source` of the status is {}, expected {expected}",
            block.call,
            shown(&status.source.to_string())
        );
    };
    let tag = i32::try_from(status.tag).ok().filter(|&tag| tag >= 0 && wanted.tag.is_none_or(|wanted| wanted == tag));
    let Some(tag) = tag else {
        let expected = wanted.tag.map_or("0 or more".to_owned(), |tag| format!("{tag}, which was asked for"));
        bail!("{}: field `tag` of the status is {}, expected {expected}", block.call, shown(&status.tag.to_string()));
    };
    Ok(Outcome::Message(Got { source, tag }))
}

/// Puts the call in front of an error that does not name it.
fn named(block: &Block, error: &anyhow::Error) -> anyhow::Error {
    let text = error.to_string();
    if text.starts_with(&*block.call) { anyhow!(text) } else { anyhow!("{}: {text}", block.call) }
}
