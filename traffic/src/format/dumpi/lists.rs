//! Lists of ranks, each held once however often it occurs.

use anyhow::{Result, ensure};
use std::collections::HashSet;
use std::sync::Arc;

/// Most ranks in all different lists taken together (256 MiB).
const MAX_RANKS_IN_LISTS: usize = 1 << 26;

/// The different lists of ranks of a trace: members of communicators and groups, and what selects them.
#[derive(Default)]
pub(crate) struct Lists {
    known: HashSet<Arc<[u32]>>,
    ranks: usize,
}

impl Lists {
    /// The list with these ranks.
    pub fn of(&mut self, ranks: Vec<u32>) -> Result<Arc<[u32]>> {
        if let Some(known) = self.known.get(ranks.as_slice()) {
            return Ok(Arc::clone(known));
        }
        self.ranks += ranks.len();
        ensure!(
            self.ranks <= MAX_RANKS_IN_LISTS,
            "more than {MAX_RANKS_IN_LISTS} ranks in the different groups and communicators of the trace"
        );
        let list: Arc<[u32]> = ranks.into();
        self.known.insert(Arc::clone(&list));
        Ok(list)
    }
}
