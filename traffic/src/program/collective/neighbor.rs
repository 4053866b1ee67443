//! Collectives with the neighbours of a topology only: all receives, then all sends, at once.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/basic/coll_basic_neighbor_alltoall.c` and `coll_basic_neighbor_allgather.c`; the latter's version for Cartesian
//! topologies takes turns of a receive and a send, which starts the same messages. What a member has for itself is copied.

use super::Step::{StartReceive, StartSend, WaitAll};
use super::Steps;
use super::member::Membership;
use std::sync::Arc;

pub(super) fn steps(place: Membership, to: Arc<[(usize, u64)]>, from: Arc<[usize]>) -> Steps {
    let me = place.me;
    let receives = (0..from.len()).map(move |i| from[i]).filter(move |&from| from != me);
    let sends = (0..to.len()).map(move |i| to[i]).filter(move |&(to, _)| to != me);
    let receives = receives.map(|from| StartReceive { from });
    Box::new(receives.chain(sends.map(|(to, bytes)| StartSend { to, bytes })).chain([WaitAll]))
}
