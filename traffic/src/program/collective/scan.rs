//! Scans: each member gets the reduction of those in front of it, with its own operand or without.
//!
//! The linear ones are Open MPI 4.1.4's, `ompi/mca/coll/base/coll_base_scan.c` and `coll_base_exscan.c`.

use super::member::Membership;
use super::{Step, Steps, powers_of_two};
use Step::{Exchange, Receive, Reduce, Send};

/// How the results come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scan {
    /// From one member to the next.
    Linear,
    /// Each member combines with the one 1, 2, 4 .. in front of it.
    Doubling,
}

impl Scan {
    pub fn name(self) -> &'static str {
        match self {
            Scan::Linear => "linear",
            Scan::Doubling => "recursive doubling",
        }
    }

    /// `inclusive`: `MPI_Scan`, else `MPI_Exscan`.
    pub fn steps(self, place: Membership, bytes: u64, inclusive: bool) -> Steps {
        match self {
            Scan::Linear => linear(place, bytes, inclusive),
            Scan::Doubling => doubling(place, bytes, inclusive),
        }
    }
}

fn linear(place: Membership, bytes: u64, inclusive: bool) -> Steps {
    let Membership { n, me, .. } = place;
    let receive = me.checked_sub(1).map(|from| Receive { from });
    let send = (me + 1 < n).then_some(Send { to: me + 1, bytes });
    let reduce = (me > 0 && (inclusive || send.is_some())).then_some(Reduce { bytes });
    Box::new(receive.into_iter().chain(reduce).chain(send))
}

fn doubling(place: Membership, bytes: u64, inclusive: bool) -> Steps {
    let Membership { n, me, .. } = place;
    Box::new(powers_of_two(n).flat_map(move |distance| {
        let to = Some(me + distance).filter(|&to| to < n);
        let from = me.checked_sub(distance);
        let message = match (to, from) {
            (Some(to), Some(from)) => Some(Exchange { to, bytes, from }),
            (Some(to), None) => Some(Send { to, bytes }),
            (None, Some(from)) => Some(Receive { from }),
            (None, None) => None,
        };
        // Beside what is handed on, an exclusive result is kept; it begins with what comes in first.
        let hands_on_later = me + 2 * distance < n;
        let own = from.is_some() && (inclusive || distance > 1);
        let handed_on = from.is_some() && !inclusive && hands_on_later;
        let reductions = usize::from(own) + usize::from(handed_on);
        message.into_iter().chain(std::iter::repeat_n(Reduce { bytes }, reductions))
    }))
}
