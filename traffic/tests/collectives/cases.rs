//! Payloads and operations that are not the common case.

use super::*;

#[test]
fn the_root_of_a_gather_or_scatter_may_be_the_only_one_that_knows_all_sizes() {
    for operation in [Collective::GatherV, Collective::ScatterV] {
        let (n, root, sizes) = (5, 2, [3, 0, 100, 7, 0]);
        let payload = |me| if me == root { Payload::Members(sizes.into()) } else { Payload::Each(sizes[me]) };
        let algorithms = by_name("open-mpi").unwrap();
        let steps = |me| algorithms.steps(operation, &member(n, me, root, &payload(me))).unwrap().collect();
        let steps: Vec<Vec<Step>> = (0..n).map(steps).collect();
        let outcome = run(&steps, Sends::Rendezvous).unwrap();
        // All that is not the root's own.
        assert_eq!(outcome.sent.iter().sum::<u64>(), 10);
        assert_eq!(outcome.messages.iter().sum::<u64>(), 4);
    }
}

#[test]
fn a_split_payload_moves_as_a_whole() {
    for algorithms in ALGORITHMS {
        // 7 bytes to three members: 3, 2, 2.
        let outcome = outcome(algorithms, Collective::AllToAll, 3, 0, &Payload::Split(7));
        assert_eq!(outcome.received, [6, 4, 4], "{}", algorithms.name);
    }
    // 32 to 63 members and less than 512 B: Bruck, with blocks of 2 and of 1 B.
    let algorithms = by_name("open-mpi").unwrap();
    let outcome = outcome(algorithms, Collective::AllToAll, 33, 0, &Payload::Split(50));
    // Each block takes as many steps as its way has bits; all ways to a member come together, whatever its blocks' size.
    let bits: u64 = (1..33u64).map(|way| u64::from(way.count_ones())).sum();
    assert_eq!(outcome.sent.iter().sum::<u64>(), 50 * bits);
}

#[test]
fn neighbours_get_what_is_for_them() {
    for algorithms in ALGORITHMS {
        for operation in [Collective::NeighborAllGather, Collective::NeighborAllToAll] {
            // A ring of two on each side, of 2 members upwards: some neighbours are the same member, or oneself.
            for n in [1, 2, 3, 4, 9] {
                let around = |me: usize| [1, 2, n - 1, 2 * n - 2].map(|distance| ((me + distance) % n) as u32);
                let all = |me: usize| {
                    let to = around(me).iter().map(|&to| (to, 10 + me as u64)).collect();
                    let member = member(n, me, 0, &Payload::Neighbors { to, from: around(me).into() });
                    algorithms.steps(operation, &member).unwrap().collect::<Vec<_>>()
                };
                let steps: Vec<_> = (0..n).map(all).collect();
                let outcome = run(&steps, Sends::Rendezvous).unwrap();
                for me in 0..n {
                    let others = around(me).into_iter().filter(|&other| other as usize != me);
                    assert_eq!(outcome.received[me], others.map(|other| 10 + u64::from(other)).sum::<u64>());
                }
            }
        }
    }
}

#[test]
fn making_a_communicator_is_an_agreement_of_all() {
    for algorithms in ALGORITHMS {
        for n in [1, 2, 3, 8, 17, 64, 100] {
            // What a recording says about its size does not matter.
            for payload in [Payload::Each(0), Payload::Each(12345)] {
                let outcome = outcome(algorithms, Collective::MakeCommunicator, n, 0, &payload);
                assert!(outcome.knows.iter().all(|knows| knows.count_ones(..) == n));
                let others = n as u64 - 1;
                let gathered = n as u64 * others * 8;
                // Open MPI: three times up and down a tree, 4 B each.
                let agreed = if algorithms.name == "open-mpi" { 3 * 2 * others * 4 } else { 0 };
                assert_eq!(outcome.sent.iter().sum::<u64>(), gathered + agreed, "{} of {n}", algorithms.name);
            }
        }
    }
}

#[test]
fn nothing_moves_where_there_is_nothing_to_move() {
    for algorithms in ALGORITHMS {
        for operation in UNIFORM.into_iter().filter(|&operation| operation != Collective::Barrier) {
            let steps = steps(algorithms, operation, 9, 0, &Payload::Each(0));
            assert!(steps.iter().all(Vec::is_empty), "{operation:?}");
        }
        for operation in UNIFORM {
            assert!(steps(algorithms, operation, 1, 0, &Payload::Each(100))[0].is_empty(), "{operation:?}");
        }
    }
}

#[test]
fn sizes_at_the_end_of_the_range_do_not_overflow() {
    for algorithms in ALGORITHMS {
        for operation in UNIFORM {
            for n in [2, 3, 8, 17, 100] {
                for me in [0, n - 1] {
                    for bytes in [u64::MAX, u64::MAX / 2] {
                        let member = member(n, me, 0, &Payload::Each(bytes));
                        assert!(
                            algorithms.steps(operation, &member).unwrap().count() > 0
                                || operation == Collective::Barrier
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn payloads_that_do_not_fit_are_refused() {
    let error = |operation, n, payload: Payload| {
        let member = match Member::new(n, 0, 0, &payload, &|rank| Some(rank as usize)) {
            Ok(member) => member,
            Err(error) => return error.to_string(),
        };
        let algorithms = by_name("open-mpi").unwrap();
        algorithms.steps(operation, &member).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let sizes = || Payload::Members([1, 2, 3].into());
    let neighbors = || Payload::Neighbors { to: [(4, 1)].into(), from: [].into() };
    let rows = [
        (Collective::Broadcast, 3, sizes(), "Broadcast with sizes for its members, expected one size"),
        (Collective::AllReduce, 3, Payload::Split(4), "AllReduce with sizes for its members, expected one size"),
        (Collective::AllGatherV, 4, sizes(), "3 sizes, expected 4, one for each member"),
        (Collective::NeighborAllGather, 4, neighbors(), "neighbour `4` is not a member of the communicator"),
        (Collective::Gather, 5, neighbors(), "Gather with neighbours, expected sizes"),
        (Collective::NeighborAllToAll, 5, sizes(), "3 sizes, expected 5, one for each member"),
        (Collective::NeighborAllToAll, 3, sizes(), "NeighborAllToAll with sizes, expected neighbours"),
        (Collective::AllToAll, 3, sizes(), "AllToAll with a size for each member, expected one size, or one to split"),
        (Collective::Barrier, 3, neighbors(), "neighbour `4` is not a member of the communicator"),
    ];
    for (operation, n, payload, message) in rows {
        assert_eq!(error(operation, n, payload), message);
    }
    assert_eq!(
        Member::new(4, 1, 4, &Payload::Each(1), &|rank| Some(rank as usize)).unwrap_err().to_string(),
        "member 4 of a communicator of 4, expected less"
    );
}
