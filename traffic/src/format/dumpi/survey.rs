//! The opening pass: every line of every rank is read once, and what one rank's calls mean for others is kept.

use super::block::{Block, Blocks};
use super::datatype::PrintedSizes;
use super::lists::Lists;
use super::names::{Fate, fate};
use super::stamp::{Stamp, Steps};
use crate::format::fields::MAX_RANKS;
use anyhow::{Result, anyhow, bail, ensure};
use std::collections::HashSet;
use std::io::BufRead;
use std::sync::Arc;

/// Most calls of a trace that have to do with communicators and groups (about 200 MiB).
const MAX_EVENTS: usize = 1 << 22;
/// Most datatypes with a printed size on one rank.
const MAX_PRINTED_SIZES: usize = 1 << 16;
/// Numbers of what stands for no communicator.
pub(crate) const COMM_NULL: i32 = 1;

/// A call that makes or frees a communicator or a group, or tells of one.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub line: u64,
    pub what: What,
}

/// Communicators and groups are named by their handles on this rank at this time.
#[derive(Clone, Debug)]
pub(crate) enum What {
    /// All members of `old` take part.
    Make {
        old: i32,
        how: How,
        new: i32,
    },
    Free {
        comm: i32,
    },
    GroupOf {
        comm: i32,
        new: i32,
    },
    Combine {
        how: Combination,
        first: i32,
        second: i32,
        new: i32,
    },
    /// Those at these positions, in this order.
    Include {
        group: i32,
        positions: Arc<[u32]>,
        new: i32,
    },
    /// Those at other positions.
    Exclude {
        group: i32,
        positions: Arc<[u32]>,
        new: i32,
    },
    /// The rank within the communicator is this one, as the program was told.
    Rank {
        comm: i32,
        rank: u32,
    },
    /// The communicator has so many members, as the program was told.
    Size {
        comm: i32,
        size: u32,
    },
}

/// How a communicator comes from another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Duplicate,
    Split {
        color: i32,
        key: i32,
    },
    Create {
        group: i32,
    },
    Cartesian {
        dimensions: Arc<[u32]>,
    },
    /// 1 for each dimension that remains.
    Subgrid {
        remain: Arc<[u32]>,
    },
    Graph {
        nodes: u32,
    },
}

impl How {
    pub fn call(&self) -> &'static str {
        match self {
            How::Duplicate => "MPI_Comm_dup",
            How::Split { .. } => "MPI_Comm_split",
            How::Create { .. } => "MPI_Comm_create",
            How::Cartesian { .. } => "MPI_Cart_create",
            How::Subgrid { .. } => "MPI_Cart_sub",
            How::Graph { .. } => "MPI_Graph_create",
        }
    }
}

impl What {
    /// The call, to name it in error messages.
    pub fn call(&self) -> &'static str {
        match self {
            What::Make { how, .. } => how.call(),
            What::Free { .. } => "MPI_Comm_free",
            What::GroupOf { .. } => "MPI_Comm_group",
            What::Combine { how: Combination::Union, .. } => "MPI_Group_union",
            What::Combine { how: Combination::Intersection, .. } => "MPI_Group_intersection",
            What::Combine { how: Combination::Difference, .. } => "MPI_Group_difference",
            What::Include { .. } => "MPI_Group_incl",
            What::Exclude { .. } => "MPI_Group_excl",
            What::Rank { .. } => "MPI_Comm_rank",
            What::Size { .. } => "MPI_Comm_size",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Combination {
    Union,
    Intersection,
    Difference,
}

/// What the opening pass keeps of all ranks.
#[derive(Default)]
pub(crate) struct Survey {
    /// Rank by rank.
    pub events: Vec<Vec<Event>>,
    pub sizes: Vec<Arc<PrintedSizes>>,
    /// Those of the rank read last, which are mostly those of the next one, too.
    last_sizes: Arc<PrintedSizes>,
    pub steps: Steps,
    pub lists: Lists,
    kept: usize,
}

impl Survey {
    /// Reads the whole file of a rank; they come in any order.
    pub fn rank<R: BufRead>(&mut self, rank: u32, mut blocks: Blocks<R>) -> Result<()> {
        let mut sizes = PrintedSizes::new();
        let mut take_size = |number, size| {
            sizes.insert(number, size);
            ensure!(sizes.len() <= MAX_PRINTED_SIZES, "more than {MAX_PRINTED_SIZES} datatypes");
            Ok(())
        };
        let mut events = Vec::new();
        let mut told = HashSet::new();
        let mut last: Option<Stamp> = None;
        while blocks.advance(&mut take_size)? {
            let block = blocks.block();
            let event = check(&blocks).and_then(|()| event(block, &mut self.lists));
            let event = event.map_err(|error| anyhow!("{}: {error}", blocks.place()))?;
            if let Some(last) = last {
                self.steps.see(last, block.entering);
            }
            self.steps.see(block.entering, block.returning);
            last = Some(block.returning);
            let Some(what) = event else { continue };
            // A program asks again and again; one answer for each new communicator is enough.
            let new = match &what {
                What::Rank { comm, .. } => told.insert((*comm, false)),
                What::Size { comm, .. } => told.insert((*comm, true)),
                What::Make { new, .. } | What::Free { comm: new } => {
                    told.remove(&(*new, false));
                    told.remove(&(*new, true));
                    true
                }
                _ => true,
            };
            if new {
                self.kept += 1;
                ensure!(
                    self.kept <= MAX_EVENTS,
                    "{}: more than {MAX_EVENTS} calls for communicators and groups in the trace",
                    blocks.place()
                );
                events.push(Event { line: block.line, what });
            }
        }
        if *self.last_sizes != sizes {
            self.last_sizes = Arc::new(sizes);
        }
        let ranks = self.events.len().max(rank as usize + 1);
        self.events.resize_with(ranks, Vec::new);
        self.sizes.resize_with(ranks, Default::default);
        self.events[rank as usize] = events;
        self.sizes[rank as usize] = Arc::clone(&self.last_sizes);
        Ok(())
    }
}

/// Refuses what can't be replayed.
fn check<R: BufRead>(blocks: &Blocks<R>) -> Result<()> {
    let call = &*blocks.block().call;
    match fate(call) {
        Fate::Refused(reason) => bail!("{call} can't be replayed: {reason}"),
        Fate::Replayed => ensure!(!blocks.finalized(), "{call} behind MPI_Finalize, expected the end of the calls"),
        Fate::Local => {}
    }
    Ok(())
}

fn event(block: &Block, lists: &mut Lists) -> Result<Option<What>> {
    let comm = |field: &str| Ok::<i32, anyhow::Error>(block.handle(field)?.number);
    let make = |how: How| Ok(Some(What::Make { old: comm("oldcomm")?, how, new: comm("newcomm")? }));
    let combine = |how| {
        let [first, second, new] = [comm("group1")?, comm("group2")?, comm("newgroup")?];
        Ok(Some(What::Combine { how, first, second, new }))
    };
    match &*block.call {
        "MPI_Comm_dup" => make(How::Duplicate),
        "MPI_Comm_split" => {
            let color = block.number("color", i32::MIN, i32::MAX)?;
            make(How::Split { color, key: block.number("key", i32::MIN, i32::MAX)? })
        }
        "MPI_Comm_create" => make(How::Create { group: comm("group")? }),
        "MPI_Cart_create" => {
            let count: u32 = block.number("ndim", 0, MAX_RANKS)?;
            let dimensions = block.exactly("dims", count as usize, 1, MAX_RANKS)?;
            make(How::Cartesian { dimensions: lists.of(dimensions)? })
        }
        "MPI_Cart_sub" => {
            let count: u32 = block.number("ndim", 0, MAX_RANKS)?;
            let remain = block.exactly("remain_dims", count as usize, i32::MIN, i32::MAX)?;
            let remain = remain.iter().map(|&flag| u32::from(flag != 0)).collect();
            make(How::Subgrid { remain: lists.of(remain)? })
        }
        "MPI_Graph_create" => make(How::Graph { nodes: block.number("nodes", 0, MAX_RANKS)? }),
        "MPI_Comm_free" | "MPI_Comm_disconnect" => Ok(Some(What::Free { comm: comm("comm")? })),
        "MPI_Comm_group" => Ok(Some(What::GroupOf { comm: comm("comm")?, new: comm("group")? })),
        "MPI_Group_union" => combine(Combination::Union),
        "MPI_Group_intersection" => combine(Combination::Intersection),
        "MPI_Group_difference" => combine(Combination::Difference),
        call @ ("MPI_Group_incl" | "MPI_Group_excl" | "MPI_Group_range_incl" | "MPI_Group_range_excl") => {
            let positions = if call.contains("range") {
                expanded(block)?
            } else {
                let count: u32 = block.number("count", 0, MAX_RANKS)?;
                block.exactly("ranks", count as usize, 0, MAX_RANKS - 1)?
            };
            let positions = lists.of(positions)?;
            let [group, new] = [comm("group")?, comm("newgroup")?];
            Ok(Some(match call.ends_with("incl") {
                true => What::Include { group, positions, new },
                false => What::Exclude { group, positions, new },
            }))
        }
        "MPI_Comm_rank" => Ok(Some(What::Rank { comm: comm("comm")?, rank: block.number("rank", 0, MAX_RANKS - 1)? })),
        "MPI_Comm_size" => Ok(Some(What::Size { comm: comm("comm")?, size: block.number("size", 1, MAX_RANKS)? })),
        "MPI_Comm_get_parent" => {
            let parent = comm("parent")?;
            ensure!(
                parent <= COMM_NULL,
                "MPI_Comm_get_parent: field `parent` is `{parent}`, expected {COMM_NULL} (MPI_COMM_NULL): \
                 processes that join later can't be replayed"
            );
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// The positions in rows of first, last and step (MPI 3.1, section 6.3.2).
fn expanded(block: &Block) -> Result<Vec<u32>> {
    let mut positions = Vec::new();
    for [first, last, step] in block.ranges("ranges")? {
        ensure!(
            step != 0 && (last - first) / step >= 0,
            "{}: field `ranges` holds [{first}, {last}, {step}], expected a step that leads from first to last",
            block.call
        );
        for number in 0..=(last - first) / step {
            let position = u32::try_from(first + number * step).ok().filter(|&position| position < MAX_RANKS);
            let fits = position.filter(|_| positions.len() < MAX_RANKS as usize);
            let Some(position) = fits else {
                bail!(
                    "{}: field `ranges` holds [{first}, {last}, {step}], expected up to {MAX_RANKS} ranks, 0 to {}",
                    block.call,
                    MAX_RANKS - 1
                );
            };
            positions.push(position);
        }
    }
    Ok(positions)
}
