//! The members of what a call makes of a communicator, once all its members have come to the call.

use super::communicator::Resolver;
use super::survey::How;
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// `members` of the old communicator make these `calls`, whose second part is the new handle. What comes out is the
/// new name for each of them, `None` for who is to be no member.
impl Resolver<'_> {
    /// By colour; within one by key, then by the old rank (MPI 3.1, section 6.4.2).
    pub(super) fn split(&mut self, members: &[u32], calls: &[(How, i32)]) -> Result<Vec<Option<u32>>> {
        let mut order = Vec::new();
        for (position, (how, _)) in calls.iter().enumerate() {
            if let How::Split { color: color @ 0.., key } = how {
                order.push((*color, *key, position));
            }
        }
        order.sort_unstable();
        let mut names = vec![None; members.len()];
        for same in order.chunk_by(|a, b| a.0 == b.0) {
            let list = self.lists.of(same.iter().map(|&(.., position)| members[position]).collect())?;
            let name = self.found.add(list, None);
            same.iter().for_each(|&(.., position)| names[position] = Some(name));
        }
        Ok(names)
    }

    /// Each rank's group; different ranks may name different groups if these have no member in common.
    pub(super) fn create(&mut self, members: &[u32], calls: &[(How, i32)]) -> Result<Vec<Option<u32>>> {
        // Lists of ranks are held once each: the same address says that it is the same group.
        let address = |group: &Arc<[u32]>| (group.as_ptr(), group.len());
        let mut groups = HashMap::new();
        for (&rank, (how, _)) in members.iter().zip(calls) {
            let How::Create { group } = how else { unreachable!("all members make the same call") };
            groups.insert(rank, self.group(rank, *group).map_err(|error| self.at(rank, &error))?);
        }
        let mut made = HashMap::new();
        let mut names = Vec::new();
        for &rank in members {
            let group = &groups[&rank];
            let (inside, stranger, name) = made.entry(address(group)).or_insert_with(|| {
                let inside: HashSet<u32> = group.iter().copied().collect();
                let differs = |member: &u32| groups.get(member).map(address) != Some(address(group));
                let stranger = group.iter().copied().find(differs);
                let whole = stranger.is_none() && !group.is_empty();
                (inside, stranger, whole.then(|| self.found.add(Arc::clone(group), None)))
            });
            let member = inside.contains(&rank);
            if let (true, Some(stranger)) = (member, stranger) {
                bail!(
                    "{}: MPI_Comm_create: rank {stranger} of the group does not name the same group",
                    self.place(rank)
                );
            }
            names.push(name.filter(|_| member));
        }
        Ok(names)
    }

    /// A topology: the first `size` members in their order.
    pub(super) fn first_ones(
        &mut self,
        members: &[u32],
        calls: &[(How, i32)],
        size: Option<u32>,
        dimensions: Option<&Arc<[u32]>>,
    ) -> Result<Vec<Option<u32>>> {
        self.all_alike(members, calls)?;
        let call = calls[0].0.call();
        let Some(size) = size.filter(|&size| size as usize <= members.len()) else {
            bail!(
                "{}: {call}: the topology has more ranks than its communicator, {}",
                self.place(members[0]),
                members.len()
            );
        };
        let size = size as usize;
        if size == 0 {
            return Ok(vec![None; members.len()]);
        }
        let list = self.lists.of(members[..size].to_vec())?;
        let name = self.found.add(list, dimensions.cloned());
        Ok((0..members.len()).map(|position| (position < size).then_some(name)).collect())
    }

    /// One communicator for each place in the dimensions that do not remain (MPI 3.1, section 7.5.7).
    pub(super) fn subgrids(
        &mut self,
        old: u32,
        members: &[u32],
        calls: &[(How, i32)],
        remain: &[u32],
    ) -> Result<Vec<Option<u32>>> {
        self.all_alike(members, calls)?;
        let dimensions = self.found.dimensions(old).filter(|dimensions| dimensions.len() == remain.len());
        let dimensions = dimensions.with_context(|| {
            format!("{}: MPI_Cart_sub of a communicator without {} dimensions", self.place(members[0]), remain.len())
        })?;
        // Where a rank is in the dimensions that go; row-major order, the last dimension fastest.
        let place = |position: usize| {
            let (mut rest, mut place, mut scale) = (position, 0, 1);
            for (&extent, &remains) in dimensions.iter().zip(remain).rev() {
                let coordinate = rest % extent as usize;
                rest /= extent as usize;
                if remains == 0 {
                    place += coordinate * scale;
                    scale *= extent as usize;
                }
            }
            place
        };
        let mut grids: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        members.iter().enumerate().for_each(|(position, &rank)| grids.entry(place(position)).or_default().push(rank));
        let left = dimensions.iter().zip(remain).filter(|(_, remains)| **remains != 0).map(|(&extent, _)| extent);
        let left = self.lists.of(left.collect())?;
        let mut names = BTreeMap::new();
        for (place, grid) in grids {
            let list = self.lists.of(grid)?;
            names.insert(place, self.found.add(list, Some(Arc::clone(&left))));
        }
        Ok((0..members.len()).map(|position| names.get(&place(position)).copied()).collect())
    }

    fn all_alike(&self, members: &[u32], calls: &[(How, i32)]) -> Result<()> {
        let other = calls.iter().position(|(how, _)| *how != calls[0].0);
        ensure!(
            other.is_none(),
            "{}: {} with other arguments than at {}",
            self.place(members[other.unwrap_or_default()]),
            calls[0].0.call(),
            self.place(members[0])
        );
        Ok(())
    }
}
