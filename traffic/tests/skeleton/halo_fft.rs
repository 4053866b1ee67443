//! The halo and FFT skeleton beside the recorded Gromacs: 8 x 8 ranks, an FFT of 40 x 40 x 40 points, 30 steps.

use super::calls::{calls, parse};
use super::recorded;
use powar_traffic::program::call::{Call, Collective, Payload};
use std::collections::BTreeSet;

const RECORDED: &str = "halo-fft:x=8,y=8,z=1,fx=40,fy=40,fz=40,steps=30,every=10";

#[test]
fn transpositions_are_those_of_gromacs() {
    let source = parse(RECORDED);
    for (rank, lines) in recorded::read("gromacs-64.tar.xz").iter().enumerate() {
        let recorded: Vec<_> =
            lines.iter().filter(|line| line.operation == "Alltoall").map(|line| line.bytes).collect();
        assert_eq!(recorded.len(), 120, "four in each of 30 steps");
        let calls = calls(&*source, rank as u32).into_iter();
        let ours: Vec<_> = calls
            .filter_map(|call| match call {
                Call::Collective { collective, .. } if collective.operation == Collective::AllToAll => {
                    Some(collective.payload)
                }
                _ => None,
            })
            .map(|payload| if let Payload::Each(bytes) = payload { bytes } else { panic!("{payload:?}") })
            .collect();
        assert_eq!(ours, recorded, "rank {rank}");
    }
}

#[test]
fn exchanges_are_as_many_and_with_the_same_ranks() {
    let source = parse(RECORDED);
    let recorded = recorded::read("gromacs-64.tar.xz");
    let (mut all, mut all_recorded, mut all_reduces) = (0, 0, 0);
    for (rank, lines) in recorded.iter().enumerate() {
        let exchanges = lines.iter().filter(|line| line.operation == "SendrecvS");
        let partners: BTreeSet<u32> = exchanges.clone().map(|line| line.peer as u32).collect();
        all_recorded += exchanges.count();
        all_reduces += lines.iter().filter(|line| line.operation == "Allreduce").count();
        let mut ours = BTreeSet::new();
        for call in calls(&*source, rank as u32) {
            match call {
                Call::SendReceive { message: Some(message), .. } => {
                    all += 1;
                    ours.insert(message.to);
                }
                Call::Collective { collective, .. } if collective.operation == Collective::AllReduce => {
                    assert_eq!(collective.payload, Payload::Each(1088));
                    all_reduces -= 1;
                }
                _ => (),
            }
        }
        assert_eq!(ours, partners, "rank {rank}");
    }
    assert_eq!(all, 28 * 30 * 64);
    // The program leaves empty messages out, and now and then decides anew which rank an atom belongs to.
    assert!((all * 97 / 100..all * 103 / 100).contains(&all_recorded), "{all}, recorded {all_recorded}");
    assert_eq!(all_reduces, 0, "an Allreduce every ten steps");
}
