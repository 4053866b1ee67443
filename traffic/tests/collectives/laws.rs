//! Just the bytes move and are combined that have to.

use super::*;
use Collective::*;

/// What every algorithm of an operation has to keep, by the name of the one in effect.
pub fn check(algorithms: &Algorithms, operation: Collective, n: usize, root: usize, bytes: u64, outcome: &Outcome) {
    if n == 1 {
        assert_eq!(outcome.messages, [0]);
        return;
    }
    let name = algorithms.chosen(operation, n, bytes).in_effect;
    let what = || format!("{} {operation:?} of {n} from {root} with {bytes} B: {name}", algorithms.name);
    let others = n as u64 - 1;
    let reduced: u64 = outcome.reduced.iter().sum();
    let sent: u64 = outcome.sent.iter().sum();
    let power = 1 << n.ilog2();
    match operation {
        Broadcast if name == "scatter and all-gather" => {
            // The scatter down a binomial tree moves a share once for each bit of its position, at most; then each gets all.
            assert!(outcome.received.iter().enumerate().all(|(me, &got)| me == root || got >= bytes), "{}", what());
            assert!(sent <= bytes * (others + n.ilog2() as u64 + 1), "{}", what());
        }
        Broadcast => {
            let expected: Vec<u64> = (0..n).map(|me| if me == root { 0 } else { bytes }).collect();
            assert_eq!(outcome.received, expected, "{}", what());
        }
        Reduce => {
            assert_eq!(reduced, others * bytes, "{}", what());
            match name {
                "in-order binary tree" => assert_eq!(sent, (others + u64::from(root != n - 1)) * bytes, "{}", what()),
                _ => assert_eq!(sent, others * bytes, "{}", what()),
            }
        }
        AllReduce if name == "recursive doubling" => {
            let steps = n as u64 - power + power * u64::from(n.ilog2());
            assert_eq!(reduced, steps * bytes, "{}", what());
            assert_eq!(sent, (steps + n as u64 - power) * bytes, "{}", what());
        }
        AllReduce => {
            assert_eq!(reduced, others * bytes, "{}", what());
            let folded = n as u64 - power;
            let expected = match name {
                // Each pair exchanges halves, and one half and later the whole follow.
                "Rabenseifner" => {
                    let right = bytes - bytes.min(bytes.div_ceil(8) / 2 * 8);
                    2 * (power - 1) * bytes + folded * (2 * bytes + right)
                }
                _ => 2 * others * bytes,
            };
            assert_eq!(sent, expected, "{}", what());
        }
        Scan if name == "linear" => {
            assert_eq!((sent, reduced), (others * bytes, others * bytes), "{}", what());
        }
        ExclusiveScan if name == "linear" => {
            assert_eq!((sent, reduced), (others * bytes, others.saturating_sub(1) * bytes), "{}", what());
        }
        Scan | ExclusiveScan => {
            // Everyone but the first 1, 2, 4 .. gets one in each step.
            let messages: u64 = (0..63).map(|bit| 1 << bit).take_while(|&d| d < n as u64).map(|d| n as u64 - d).sum();
            assert_eq!(sent, messages * bytes, "{}", what());
        }
        Gather => assert_eq!(outcome.received[root], others * bytes, "{}", what()),
        Scatter => {
            assert_eq!(outcome.sent[root], others * bytes, "{}", what());
            let kept = |me: usize| me == root || outcome.received[me] - outcome.sent[me] == bytes;
            assert!((0..n).all(kept), "{}", what());
        }
        AllGather => assert_eq!(outcome.received, vec![others * bytes; n], "{}", what()),
        AllToAll if name == "Bruck" => {
            let bits: u64 = (1..n as u64).map(|way| u64::from(way.count_ones())).sum();
            assert_eq!(outcome.received, vec![bits * bytes; n], "{}", what());
        }
        AllToAll => {
            assert_eq!(outcome.received, vec![others * bytes; n], "{}", what());
            assert_eq!(outcome.messages, vec![others; n], "{}", what());
        }
        ReduceScatterBlock => check_reduce_scatter(name, &vec![bytes; n], outcome, &what()),
        Barrier => assert_eq!(sent, 0),
        _ => unreachable!("{operation:?} takes no single size"),
    }
}

fn check_reduce_scatter(name: &str, sizes: &[u64], outcome: &Outcome, what: &str) {
    let (n, total) = (sizes.len() as u64, sizes.iter().sum::<u64>());
    let reduced: u64 = outcome.reduced.iter().sum();
    if name == "recursive doubling" {
        assert!(reduced >= (n - 1) * total, "{what}");
    } else {
        assert_eq!(reduced, (n - 1) * total, "{what}");
    }
    let sent: u64 = outcome.sent.iter().sum();
    assert!(sent >= (n - 1) * total, "{what}");
    if name == "ring" {
        assert_eq!(sent, (n - 1) * total, "{what}");
    }
}

/// The same, for sizes of members' own.
pub fn check_uneven(algorithms: &Algorithms, operation: Collective, root: usize, sizes: &[u64], outcome: &Outcome) {
    let (n, total) = (sizes.len(), sizes.iter().sum::<u64>());
    let by = if operation == AllGatherV { total / n as u64 } else { total };
    let name = if n > 1 { algorithms.chosen(operation, n, by).in_effect } else { "" };
    let what = format!("{} {operation:?} of {n} from {root} with {sizes:?}: {name}", algorithms.name);
    let lacking = |me: usize| total - sizes[me];
    match operation {
        _ if n == 1 => assert_eq!(outcome.messages, [0]),
        GatherV => assert_eq!(outcome.received[root], lacking(root), "{what}"),
        ScatterV => {
            assert_eq!(outcome.sent[root], lacking(root), "{what}");
            assert!((0..n).all(|me| me == root || outcome.received[me] == sizes[me]), "{what}");
        }
        AllGatherV if name == "gather and broadcast" => {
            assert!((1..n).all(|me| outcome.received[me] == total), "{what}");
        }
        AllGatherV => assert!((0..n).all(|me| outcome.received[me] == lacking(me)), "{what}"),
        // All members name the same sizes here: each is sent by all others.
        AllToAllV => assert!((0..n).all(|me| outcome.received[me] == (n as u64 - 1) * sizes[me]), "{what}"),
        _ => check_reduce_scatter(name, sizes, outcome, &what),
    }
}
