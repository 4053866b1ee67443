//! Who belongs to which communicator: DUMPI records handles only, so that it follows from the calls of all ranks.

use super::group;
use super::lists::Lists;
use super::survey::{COMM_NULL, Event, How, Survey, What};
use anyhow::{Context, Error, Result, anyhow, ensure};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// Handles of the communicators that are there from the beginning.
const COMM_WORLD: i32 = 2;
const COMM_SELF: i32 = 3;
/// The handle of the group without members.
const GROUP_EMPTY: i32 = 2;
/// Name of the communicator of all ranks; those of single ranks follow, then those that calls make.
const WORLD: u32 = 0;
/// What a rank that takes part in making a communicator gets when it is not to be a member.
const NONE: u32 = u32::MAX;

/// All communicators of a trace, named by numbers that are the same on all ranks.
pub(crate) struct Communicators {
    world: Arc<[u32]>,
    made: Vec<Made>,
    /// For each rank what its calls made, in their order.
    gained: Vec<Vec<u32>>,
}

struct Made {
    members: Arc<[u32]>,
    /// Sizes of the dimensions of a Cartesian one.
    dimensions: Option<Arc<[u32]>>,
}

impl Communicators {
    /// Works them out. `files` are what error messages call the ranks' files.
    pub fn new(survey: &mut Survey, files: &[String]) -> Result<Communicators> {
        let ranks = survey.events.len();
        let world = survey.lists.of((0..ranks as u32).collect())?;
        let made = Communicators { world, made: Vec::new(), gained: vec![Vec::new(); ranks] };
        let mut resolver = Resolver {
            events: &survey.events,
            lists: &mut survey.lists,
            files,
            next: vec![0; ranks],
            handles: vec![HashMap::new(); ranks],
            groups: vec![HashMap::new(); ranks],
            arrived: BTreeMap::new(),
            found: made,
        };
        resolver.run()?;
        Ok(resolver.found)
    }

    /// The name that a handle stands for on `rank` from the beginning on.
    pub fn predefined(rank: u32, handle: i32) -> Option<u32> {
        match handle {
            COMM_WORLD => Some(WORLD),
            COMM_SELF => Some(1 + rank),
            _ => None,
        }
    }

    /// What the `call`-th of its calls that make communicators gave `rank`: a name, or that it is not a member.
    pub fn gained(&self, rank: u32, call: usize) -> Option<Option<u32>> {
        let name = *self.gained[rank as usize].get(call)?;
        Some((name != NONE).then_some(name))
    }

    /// Members, as ranks of the world.
    pub fn members(&self, name: u32) -> Arc<[u32]> {
        let first_made = 1 + self.world.len();
        match (name as usize).checked_sub(first_made) {
            Some(made) => Arc::clone(&self.made[made].members),
            None if name == WORLD => Arc::clone(&self.world),
            None => Arc::new([name - 1]),
        }
    }

    pub(super) fn dimensions(&self, name: u32) -> Option<Arc<[u32]>> {
        let made = (name as usize).checked_sub(1 + self.world.len())?;
        self.made[made].dimensions.clone()
    }

    pub(super) fn add(&mut self, members: Arc<[u32]>, dimensions: Option<Arc<[u32]>>) -> u32 {
        self.made.push(Made { members, dimensions });
        (self.world.len() + self.made.len()) as u32
    }
}

/// Plays the calls of all ranks; who makes a communicator waits until all members of the old one do.
pub(super) struct Resolver<'a> {
    events: &'a [Vec<Event>],
    pub(super) lists: &'a mut Lists,
    files: &'a [String],
    /// The event each rank has come to.
    next: Vec<usize>,
    /// Names by handle; of those made and not freed.
    handles: Vec<HashMap<i32, u32>>,
    groups: Vec<HashMap<i32, Arc<[u32]>>>,
    /// Ranks that wait to make something from this communicator.
    arrived: BTreeMap<u32, Vec<u32>>,
    pub(super) found: Communicators,
}

impl Resolver<'_> {
    fn run(&mut self) -> Result<()> {
        let mut ready: VecDeque<u32> = (0..self.events.len() as u32).collect();
        while let Some(rank) = ready.pop_front() {
            let Some(old) = self.advance(rank)? else { continue };
            let arrived = self.arrived.entry(old).or_default();
            arrived.push(rank);
            let members = self.found.members(old);
            if arrived.len() == members.len() {
                self.arrived.remove(&old);
                self.make(old, &members)?;
                ready.extend(members.iter());
            }
        }
        let Some((&old, arrived)) = self.arrived.first_key_value() else { return Ok(()) };
        let there: HashSet<u32> = arrived.iter().copied().collect();
        let members = self.found.members(old);
        let missing = members.iter().copied().find(|rank| !there.contains(rank)).unwrap_or_default();
        let elsewhere = match self.event(missing) {
            Some(event) => format!("is in another call: {}, line {}", self.files[missing as usize], event.line),
            None => "never makes this call".to_owned(),
        };
        let first = arrived[0];
        Err(self.at(first, &anyhow!("a call of all members, but rank {missing} {elsewhere}")))
    }

    /// Plays a rank up to its next call that makes a communicator; the name of the one it is made from.
    fn advance(&mut self, rank: u32) -> Result<Option<u32>> {
        while let Some(event) = self.event(rank) {
            let what = event.what.clone();
            if let What::Make { old, .. } = what {
                return self.named(rank, old).map(Some).map_err(|error| self.at(rank, &error));
            }
            self.play(rank, what).map_err(|error| self.at(rank, &error))?;
            self.next[rank as usize] += 1;
        }
        Ok(None)
    }

    fn play(&mut self, rank: u32, what: What) -> Result<()> {
        let (new, group) = match what {
            What::Make { .. } => return Ok(()),
            What::Free { comm } => {
                self.named(rank, comm)?;
                self.handles[rank as usize].remove(&comm);
                return Ok(());
            }
            What::Rank { comm, rank: told } => {
                let members = self.found.members(self.named(rank, comm)?);
                ensure!(
                    members.get(told as usize) == Some(&rank),
                    "field `rank` is `{told}`, expected {}: the ranks of a communicator that were \
                     reordered can't be known",
                    members.iter().position(|&member| member == rank).unwrap_or_default()
                );
                return Ok(());
            }
            What::Size { comm, size } => {
                let members = self.found.members(self.named(rank, comm)?);
                ensure!(
                    members.len() == size as usize,
                    "field `size` is `{size}`, expected {}: {}",
                    members.len(),
                    if comm == COMM_WORLD { "the number of the trace's files" } else { "those that made it" }
                );
                return Ok(());
            }
            What::GroupOf { comm, new } => {
                let members = self.found.members(self.named(rank, comm)?);
                // Only that of a single rank is not among the lists.
                (new, if members.len() == 1 { self.lists.of(members.to_vec())? } else { members })
            }
            What::Combine { how, first, second, new } => {
                let [first, second] = [self.group(rank, first)?, self.group(rank, second)?];
                (new, group::combine(how, &first, &second, self.lists)?)
            }
            What::Include { group, positions, new } => {
                (new, group::include(&self.group(rank, group)?, &positions, self.lists)?)
            }
            What::Exclude { group, positions, new } => {
                (new, group::exclude(&self.group(rank, group)?, &positions, self.lists)?)
            }
        };
        self.groups[rank as usize].insert(new, group);
        Ok(())
    }

    /// All members of `old` have come to the same call.
    fn make(&mut self, old: u32, members: &[u32]) -> Result<()> {
        let calls: Vec<(How, i32)> = members
            .iter()
            .map(|&rank| match self.event(rank).map(|event| &event.what) {
                Some(What::Make { how, new, .. }) => (how.clone(), *new),
                _ => unreachable!("rank {rank} waits in a call that makes a communicator"),
            })
            .collect();
        let (first, _) = &calls[0];
        for (&rank, (how, _)) in members.iter().zip(&calls) {
            ensure!(
                std::mem::discriminant(how) == std::mem::discriminant(first),
                "{}: {}, but rank {} of the same communicator calls {} at {}",
                self.place(rank),
                how.call(),
                members[0],
                first.call(),
                self.place(members[0])
            );
        }
        let names = match first {
            How::Duplicate => {
                let dimensions = self.found.dimensions(old);
                vec![Some(self.found.add(self.found.members(old), dimensions)); members.len()]
            }
            How::Split { .. } => self.split(members, &calls)?,
            How::Create { .. } => self.create(members, &calls)?,
            How::Cartesian { dimensions } => {
                let size = dimensions.iter().try_fold(1u32, |size, &extent| size.checked_mul(extent));
                self.first_ones(members, &calls, size, Some(dimensions))?
            }
            How::Graph { nodes } => self.first_ones(members, &calls, Some(*nodes), None)?,
            How::Subgrid { remain } => self.subgrids(old, members, &calls, remain)?,
        };
        for ((&rank, (how, new)), name) in members.iter().zip(&calls).zip(names) {
            let expected = match name {
                Some(_) => "a new communicator, since the rank is a member",
                None => "1 (MPI_COMM_NULL), since the rank is no member",
            };
            ensure!(
                name.is_some() == (*new > COMM_SELF) && (name.is_some() || *new == COMM_NULL),
                "{}: {}: field `newcomm` is `{new}`, expected {expected}",
                self.place(rank),
                how.call()
            );
            if let Some(name) = name {
                self.handles[rank as usize].insert(*new, name);
            }
            self.found.gained[rank as usize].push(name.unwrap_or(NONE));
            self.next[rank as usize] += 1;
        }
        Ok(())
    }

    fn named(&self, rank: u32, handle: i32) -> Result<u32> {
        let made = self.handles[rank as usize].get(&handle).copied();
        Communicators::predefined(rank, handle).or(made).with_context(|| {
            format!("communicator `{handle}` is not there, expected one that a recorded call has made")
        })
    }

    pub(super) fn group(&self, rank: u32, handle: i32) -> Result<Arc<[u32]>> {
        if handle == GROUP_EMPTY {
            return Ok(Arc::new([]));
        }
        self.groups[rank as usize]
            .get(&handle)
            .cloned()
            .with_context(|| format!("group `{handle}` is not there, expected one that a recorded call has made"))
    }

    fn event(&self, rank: u32) -> Option<&Event> {
        self.events[rank as usize].get(self.next[rank as usize])
    }

    /// File and line of the event that a rank has come to.
    pub(super) fn place(&self, rank: u32) -> String {
        let line = self.event(rank).map_or(0, |event| event.line);
        format!("{}, line {line}", self.files[rank as usize])
    }

    pub(super) fn at(&self, rank: u32, error: &Error) -> Error {
        let call = self.event(rank).map_or("", |event| event.what.call());
        anyhow!("{}: {call}: {error}", self.place(rank))
    }
}
