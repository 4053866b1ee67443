//! The communicators of a program.

use crate::hash::FastMap;
use anyhow::{Context, Result, ensure};
use std::sync::Arc;

/// The communicators that the ranks have named so far.
#[derive(Default)]
pub(crate) struct Communicators(FastMap<u32, Arc<Communicator>>);

/// The members of a communicator.
pub(crate) struct Communicator {
    pub members: Arc<[u32]>,
    /// Index of each member; empty if member i is rank i.
    indices: FastMap<u32, u32>,
}

impl Communicator {
    /// Index of a rank among the members.
    pub fn index(&self, rank: u32) -> Option<usize> {
        if self.indices.is_empty() {
            return Some(rank as usize).filter(|&rank| rank < self.members.len());
        }
        self.indices.get(&rank).map(|&index| index as usize)
    }
}

impl Communicators {
    /// A rank says who the members of a communicator are.
    pub fn define(&mut self, name: u32, members: Arc<[u32]>) -> Result<()> {
        if let Some(known) = self.0.get(&name) {
            ensure!(
                Arc::ptr_eq(&known.members, &members) || known.members == members,
                "field `hash` is `{name:08x}`, which already stands for other members"
            );
            return Ok(());
        }
        let in_order = members.iter().enumerate().all(|(index, &rank)| index as u32 == rank);
        let indices = match in_order {
            true => FastMap::default(),
            false => members.iter().enumerate().map(|(index, &rank)| (rank, index as u32)).collect(),
        };
        self.0.insert(name, Arc::new(Communicator { members, indices }));
        Ok(())
    }

    /// A communicator that was defined.
    pub fn named(&self, name: u32) -> Result<&Arc<Communicator>> {
        self.0
            .get(&name)
            .with_context(|| format!("communicator `{name:08x}` is unknown, expected a C line before its use"))
    }
}
