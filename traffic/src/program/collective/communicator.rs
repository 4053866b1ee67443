//! The agreement on a new communicator.
//!
//! Open MPI 4.1.4's `ompi_comm_split` (`ompi/communicator/comm.c`) gathers colour and key of all, then the members agree on
//! a context (`comm_cid.c`): the largest of the lowest free numbers, whether it is free everywhere, and that all are ready. These are three
//! non-blocking all-reduces of an `int`, which `libnbc` does over binomial trees (`nbc_iallreduce.c`). Here the first number is free
//! everywhere, and every call that makes a communicator is a split.

use super::all_gather::AllGather;
use super::broadcast::{self, Broadcast};
use super::member::Membership;
use super::sizes::Blocks;
use super::tree::Tree;
use super::{Steps, none, one_after_the_other, reduce};

/// Bytes every member contributes to a `Comm_split`: its colour and its key.
pub(crate) const COLOUR_AND_KEY: u64 = 8;
/// Size of an `int`, bytes.
const NUMBER: u64 = 4;

/// How members agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Agreement {
    /// They gather colours and keys.
    Gather,
    /// Then they agree on a context in three all-reduces.
    GatherAndContext,
}

impl Agreement {
    pub fn name(self) -> &'static str {
        match self {
            Agreement::Gather => "all-gather",
            Agreement::GatherAndContext => "all-gather and three all-reduces",
        }
    }

    /// The functions choose the gather, and the broadcast within it, by members and bytes.
    pub fn steps(
        self,
        place: Membership,
        all_gather: fn(usize, u64) -> AllGather,
        broadcast: fn(usize, u64) -> Broadcast,
    ) -> Steps {
        let place = place.with_root(0);
        let gather = all_gather(place.n, COLOUR_AND_KEY);
        let gather = gather.steps(place, Blocks::same(place.n, COLOUR_AND_KEY), broadcast);
        let rounds = match self {
            Agreement::Gather => 0,
            Agreement::GatherAndContext => 3,
        };
        let agree = (0..rounds).fold(none(), |steps, _| {
            let up = reduce::combine(Tree::in_order_binomial(place), NUMBER);
            let down = broadcast::relay(Tree::binomial(place), NUMBER);
            one_after_the_other(steps, one_after_the_other(up, down))
        });
        one_after_the_other(gather, agree)
    }
}
