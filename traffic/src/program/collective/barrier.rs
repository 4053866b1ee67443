//! Barriers: empty messages only.
//!
//! As in Open MPI 4.1.4, `ompi/mca/coll/base/coll_base_barrier.c`.

use super::fold::Fold;
use super::member::Membership;
use super::{Step, Steps, powers_of_two};
use Step::{Exchange, Receive, Send, StartReceive, WaitAll};

/// How members wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Barrier {
    /// All report to member 0, which then tells them one by one.
    Linear,
    /// With the members at 1, 2, 4 ..; those beyond a power of two report first and are told last.
    RecursiveDoubling,
    /// Tell the member 1, 2, 4 .. behind, hear from the one so far in front.
    Dissemination,
    /// Up a binomial tree and down again.
    Tree,
}

impl Barrier {
    pub fn name(self) -> &'static str {
        match self {
            Barrier::Linear => "linear",
            Barrier::RecursiveDoubling => "recursive doubling",
            Barrier::Dissemination => "dissemination",
            Barrier::Tree => "tree",
        }
    }

    pub fn steps(self, place: Membership) -> Steps {
        match self {
            Barrier::Linear => linear(place),
            Barrier::RecursiveDoubling => recursive_doubling(place),
            Barrier::Dissemination => Box::new(powers_of_two(place.n).map(move |distance| Exchange {
                to: place.up(distance),
                bytes: 0,
                from: place.down(distance),
            })),
            Barrier::Tree => tree(place),
        }
    }
}

fn linear(place: Membership) -> Steps {
    if place.me > 0 {
        return Box::new([Send { to: 0, bytes: 0 }, Receive { from: 0 }].into_iter());
    }
    let reports = place.others().map(|from| StartReceive { from });
    Box::new(reports.chain([WaitAll]).chain(place.others().map(|to| Send { to, bytes: 0 })))
}

fn recursive_doubling(place: Membership) -> Steps {
    let Membership { n, me, .. } = place;
    let Fold { power, extra, .. } = Fold::onto_odd(n);
    let exchange = |other| Exchange { to: other, bytes: 0, from: other };
    if me >= power {
        return Box::new(std::iter::once(exchange(me - power)));
    }
    let beyond = (me < extra).then_some(me + power);
    let exchanges = powers_of_two(power).map(move |distance| exchange(me ^ distance));
    let first = beyond.map(|from| Receive { from }).into_iter();
    Box::new(first.chain(exchanges).chain(beyond.map(|to| Send { to, bytes: 0 })))
}

fn tree(place: Membership) -> Steps {
    let Membership { n, me, .. } = place;
    let partners = move |distance: &usize| (me ^ distance) & (distance - 1) == 0 && me ^ distance < n;
    let (up, down) = (powers_of_two(n).filter(partners), powers_of_two(n).rev().filter(partners));
    let up = up.map(move |distance| match me ^ distance {
        from if from > me => Receive { from },
        to => Send { to, bytes: 0 },
    });
    let down = down.map(move |distance| match me ^ distance {
        to if to > me => Send { to, bytes: 0 },
        from => Receive { from },
    });
    Box::new(up.chain(down))
}
