//! Everyone hears from whom the operation promises, whatever the number of members, the root and the size.

use super::*;
use tables::OPEN_MPI;

/// Both sides of every threshold of the table, for few members.
fn sizes() -> Vec<u64> {
    let thresholds = (0..=22).map(|bit| 1 << bit);
    let mut sizes: Vec<u64> = thresholds.flat_map(|size: u64| [size - 1, size, size + 1]).collect();
    sizes.extend([24, 100, 1000, 100_003]);
    sizes.retain(|&size| size > 0);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// Of those, the first and the last one of each stretch in which the same algorithm runs.
fn sizes_at_changes(algorithms: &Algorithms, operation: Collective, n: usize) -> Vec<u64> {
    let (sizes, chosen) = (sizes(), |bytes| algorithms.chosen(operation, n, bytes));
    let differs = |a: Option<&u64>, b: u64| a.is_none_or(|&a| chosen(a) != chosen(b));
    let at_change = |i: usize| {
        let before = i.checked_sub(1).and_then(|i| sizes.get(i));
        differs(before, sizes[i]) || differs(sizes.get(i + 1), sizes[i])
    };
    (0..sizes.len()).filter(|&i| at_change(i)).map(|i| sizes[i]).collect()
}

/// Whether what `me` has got must depend on `other`.
fn hears(operation: Collective, me: usize, other: usize, root: usize) -> bool {
    use Collective::*;
    match operation {
        Broadcast | Scatter | ScatterV => other == root,
        Reduce | Gather | GatherV => me == root,
        Scan => other <= me,
        ExclusiveScan => other < me,
        _ => true,
    }
}

/// Whether it must not.
fn is_deaf(operation: Collective, me: usize, other: usize) -> bool {
    matches!(operation, Collective::Scan | Collective::ExclusiveScan) && other > me
}

/// Everyone has heard from those it has to.
pub fn check(operation: Collective, root: usize, outcome: &Outcome, what: &str) {
    for (me, knows) in outcome.knows.iter().enumerate() {
        for other in 0..outcome.knows.len() {
            let knows = knows.contains(other);
            assert!(knows || !hears(operation, me, other, root), "{what}: {me} does not hear from {other}");
            assert!(!knows || !is_deaf(operation, me, other), "{what}: {me} hears from {other}");
        }
    }
}

#[test]
fn up_to_17_members_from_every_root_on_both_sides_of_every_threshold() {
    for n in 1..=17 {
        for algorithms in ALGORITHMS {
            for operation in UNIFORM {
                for root in if is_rooted(operation) { 0..n } else { 0..1 } {
                    for bytes in sizes() {
                        super::check(algorithms, operation, n, root, bytes);
                    }
                }
            }
        }
    }
}

#[test]
fn more_members_on_both_sides_of_every_change() {
    for n in [24, 31, 32, 33, 63, 64, 127, 200] {
        for algorithms in ALGORITHMS {
            for operation in UNIFORM {
                let roots = [0, 1, n / 2, n - 1];
                for &root in if is_rooted(operation) { &roots[..] } else { &roots[..1] } {
                    for bytes in sizes_at_changes(algorithms, operation, n) {
                        super::check(algorithms, operation, n, root, bytes);
                    }
                }
            }
        }
    }
}

/// All that the table can choose, whatever number of members it takes; only what goes around or to all is tried with fewer.
#[test]
fn every_row_of_the_table() {
    use Collective::*;
    let algorithms = by_name("open-mpi").unwrap();
    for &(operation, first, last, row) in OPEN_MPI {
        for bytes in row.split("; ").map(|entry| entry.split(' ').next().unwrap().parse::<u64>().unwrap().max(1)) {
            for n in [first, last.min(first + 1)] {
                let name = algorithms.chosen(operation, n, bytes).in_effect;
                let everyone =
                    ["ring", "neighbour exchange", "pairwise exchange"].contains(&name) || name.starts_with("linear");
                if n > if everyone { 260 } else { 1100 } {
                    continue;
                }
                // A size for each, of a given mean or sum.
                let sizes = |mean: u64| (0..n as u64).map(|member| mean - mean / 2 * (member % 2)).collect::<Vec<_>>();
                match operation {
                    AllGatherV | AllToAllV => check_uneven(algorithms, operation, 0, &sizes(bytes)),
                    ReduceScatter => check_uneven(algorithms, operation, 0, &sizes(bytes.div_ceil(n as u64))),
                    _ if is_rooted(operation) => {
                        super::check(algorithms, operation, n, 0, bytes);
                        super::check(algorithms, operation, n, n - 1, bytes);
                        super::check(algorithms, operation, n, n / 3, bytes);
                    }
                    _ => super::check(algorithms, operation, n, 0, bytes),
                }
            }
        }
    }
}

#[test]
fn members_with_sizes_of_their_own() {
    for n in 1..=24u64 {
        for scale in [1, 50, 700, 30_000, 200_000] {
            // Some have nothing.
            let sizes: Vec<u64> = (0..n).map(|member| (member * 7919 % 5) * scale).collect();
            for algorithms in ALGORITHMS {
                for operation in UNEVEN {
                    for root in if is_rooted(operation) { 0..n as usize } else { 0..1 } {
                        check_uneven(algorithms, operation, root, &sizes);
                    }
                }
            }
        }
    }
}
