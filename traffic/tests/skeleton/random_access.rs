//! MPIRandomAccess beside the recorded one: 64 ranks, a table of 2^20 words, the estimate with a hundredth of the updates
//! and the first part of the run.

use super::calls::{calls, parse, sends};
use super::recorded;
use powar_traffic::program::call::{Call, Collective};
use std::collections::HashSet;

const RECORDED: &str = "random-access:ranks=64,log-table=20,sample=100";

#[test]
fn every_rank_sends_what_the_recorded_one_sends() {
    let source = parse(RECORDED);
    let recorded = recorded::read("random-access-64.tar.xz");
    assert_eq!(recorded.len(), 64);
    let mut compared = 0;
    for (rank, lines) in recorded.iter().enumerate() {
        let recorded = recorded::sends(lines);
        let ours = sends(&*source, rank as u32);
        let same = ours.iter().zip(&recorded).take_while(|(ours, recorded)| ours == recorded).count();
        assert_eq!(same, recorded.len(), "rank {rank}: {:?}, recorded {:?}", ours.get(same), recorded.get(same));
        compared += same;
    }
    assert_eq!(compared, 29_407, "all sends of the recording");
}

/// Before the run begins, every rank has posted four receives and as many more as it got messages. In the recording,
/// rank 62 found one of its messages when it cancelled the last receives, and posted none for it.
#[test]
fn every_rank_receives_as_many_as_the_recorded_one() {
    let source = parse(RECORDED);
    let mut fewer = Vec::new();
    for (rank, lines) in recorded::read("random-access-64.tar.xz").iter().enumerate() {
        let estimate = lines.iter().take_while(|line| line.operation != "Allreduce");
        let recorded = estimate.filter(|line| line.operation == "Irecv").count();
        let estimate = |call: &Call| !matches!(call, Call::Collective { collective, .. } if collective.operation == Collective::AllReduce);
        let calls = calls(&*source, rank as u32);
        let ours = calls.iter().take_while(|call| estimate(call)).filter(|call| matches!(call, Call::Receive { .. }));
        let ours = ours.count();
        if ours != recorded {
            fewer.push((rank, ours - recorded));
        }
    }
    assert_eq!(fewer, [(62, 1)]);
}

#[test]
fn every_update_for_others_is_received_and_everybody_sends_to_everybody() {
    for (ranks, log_table) in [(2, 12), (3, 12), (12, 14), (64, 18)] {
        let source = parse(&format!("random-access:ranks={ranks},log-table={log_table}"));
        let (mut sent, mut receives, mut pairs) = (0, 0, HashSet::new());
        for rank in 0..ranks {
            let updates: Vec<_> = sends(&*source, rank).into_iter().filter(|sent| sent.tag == 2).collect();
            sent += updates.len();
            pairs.extend(updates.iter().map(|sent| (rank, sent.to)));
            let calls = calls(&*source, rank);
            receives += calls
                .iter()
                .filter(|call| matches!(call, Call::Receive { wanted: Some(wanted), .. } if wanted.source.is_none()))
                .count();
        }
        // Each is told by all others that they have finished, and cancels its last receives.
        let others = (ranks * (ranks - 1 + if ranks > 4 { 4 } else { 1 })) as usize;
        assert_eq!(sent + others, receives, "{ranks} ranks");
        assert_eq!(pairs.len() as u32, ranks * (ranks - 1), "{ranks} ranks");
    }
}
