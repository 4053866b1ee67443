//! Who belongs to which communicator, worked out from the calls of all ranks.

use super::text::{Text, comm_name, entries, error};
use powar_traffic::program::call::*;
use std::collections::BTreeMap;

/// What each rank's barriers run over: the members, by the name of the communicator.
fn barriers(texts: Vec<Text>) -> Vec<Vec<(u32, Vec<u32>)>> {
    let texts: Vec<String> = texts.into_iter().map(Text::end).collect();
    let all = entries(&texts);
    let mut everywhere: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut found = Vec::new();
    for (rank, entries) in all.iter().enumerate() {
        let mut known = BTreeMap::new();
        let mut barriers = Vec::new();
        for entry in entries {
            match entry {
                Entry::Communicator { name, members } => {
                    assert!(known.insert(*name, members.to_vec()).is_none(), "declared once");
                    assert!(members.contains(&(rank as u32)), "a rank knows its own only");
                    let same = everywhere.entry(*name).or_insert_with(|| members.to_vec());
                    assert_eq!(*same, members.to_vec(), "one name, the same members everywhere");
                }
                Entry::Call { call: Call::Collective { collective, request: None }, .. } => {
                    let members = known.get(&collective.communicator).expect("declared before its use");
                    if collective.operation == Collective::Barrier {
                        barriers.push((collective.communicator, members.clone()));
                    }
                }
                Entry::Call { .. } => {}
            }
        }
        found.push(barriers);
    }
    found
}

fn members(texts: Vec<Text>) -> Vec<Vec<Vec<u32>>> {
    let of_rank = |barriers: Vec<(u32, Vec<u32>)>| barriers.into_iter().map(|(_, members)| members).collect();
    barriers(texts).into_iter().map(of_rank).collect()
}

fn four(of_rank: impl Fn(i32, Text) -> Text) -> Vec<Text> {
    (0..4).map(|rank| of_rank(rank, Text::new())).collect()
}

#[test]
fn a_split_goes_by_color_and_key() {
    // Even and odd ranks, the odd ones backwards; then the first of each with those of a lower half that want to.
    let texts = four(|rank, text| {
        let text = text.split(2, rank % 2, if rank % 2 == 1 { -rank } else { 5 }, 4).barrier(0, 4);
        let text = text.split(4, if rank == 3 { -32766 } else { 0 }, 0, if rank == 3 { 1 } else { 5 });
        if rank == 3 { text } else { text.barrier(0, 5) }
    });
    assert_eq!(
        members(texts),
        [vec![vec![0, 2], vec![0, 2]], vec![vec![3, 1], vec![1]], vec![vec![0, 2], vec![0, 2]], vec![vec![3, 1]],]
    );
}

#[test]
fn the_parts_of_a_split_have_different_names_and_a_freed_handle_a_new_one() {
    let split = |rank: i32, text: Text, color: i32| text.split(2, color, rank, 4).barrier(0, 4);
    let texts = four(|rank, text| {
        let text = split(rank, text, rank / 2).call(0, "MPI_Comm_free", "MPI_Comm comm=4 (user-defined-comm)");
        split(rank, text, rank / 2)
    });
    let found = barriers(texts);
    let names: Vec<Vec<u32>> = found.iter().map(|rank| rank.iter().map(|(name, _)| *name).collect()).collect();
    assert_eq!(names[0], names[1]);
    assert_eq!(names[2], names[3]);
    let mut different = [names[0].clone(), names[2].clone()].concat();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 4, "{names:?}");
}

#[test]
fn a_duplicate_has_the_same_members_and_another_name() {
    let dup = |old: i32, new: i32| format!("MPI_Comm oldcomm={}\nMPI_Comm newcomm={}", comm_name(old), comm_name(new));
    let texts = four(|_, text| {
        let text = text.call(0, "MPI_Comm_dup", &dup(2, 4)).call(0, "MPI_Comm_dup", &dup(3, 5));
        text.barrier(0, 2).barrier(0, 3).barrier(0, 4).barrier(0, 5)
    });
    let found = barriers(texts);
    let mut names = Vec::new();
    for (rank, barriers) in (0..).zip(&found) {
        let lists: Vec<_> = barriers.iter().map(|(_, members)| members.clone()).collect();
        assert_eq!(lists, [vec![0, 1, 2, 3], vec![rank], vec![0, 1, 2, 3], vec![rank]]);
        names.extend(barriers.iter().map(|(name, _)| *name));
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 10, "the world and its duplicate, each rank's own and its duplicate");
}

#[test]
fn groups_make_communicators() {
    let user = |group: i32| format!("{group} (user-defined-group)");
    let incl = |from: i32, ranks: &str, new: i32| {
        let count = ranks.split(',').count();
        let (from, new) = (user(from), user(new));
        format!("MPI_Group group={from}\nint count={count}\nint ranks[{count}]=[{ranks}]\nMPI_Group newgroup={new}")
    };
    let combine = |first: i32, second: i32, new: i32| {
        format!("MPI_Group group1={}\nMPI_Group group2={}\nMPI_Group newgroup={}", user(first), user(second), user(new))
    };
    // A table of ranges is printed with a line for each row and no line end behind its last bracket.
    let range = |from: i32, rows: &str, count: usize, new: i32| {
        let (from, new) = (user(from), user(new));
        format!("MPI_Group group={from}\nint count={count}\nint ranges[{count}][3]=[{rows}]MPI_Group newgroup={new}")
    };
    let create = |rank: i32, group: i32, members: &[i32]| {
        let new = if members.contains(&rank) { 4 } else { 1 };
        format!(
            "MPI_Comm oldcomm={}\nMPI_Group group={}\nMPI_Comm newcomm={}",
            comm_name(2),
            user(group),
            comm_name(new)
        )
    };
    let made = |rank: i32, steps: &[(&str, String)], group: i32, of: &[i32]| {
        let mut text = Text::new().call(
            0,
            "MPI_Comm_group",
            &format!("MPI_Comm comm={}\nMPI_Group group={}", comm_name(2), user(3)),
        );
        for (call, arguments) in steps {
            text = text.call(0, call, arguments);
        }
        text = text.call(0, "MPI_Comm_create", &create(rank, group, of));
        if of.contains(&rank) { text.barrier(0, 4) } else { text }
    };
    let check = |steps: &[(&str, String)], group: i32, of: &[i32]| {
        let texts = (0..4).map(|rank| made(rank, steps, group, of)).collect();
        let expected: Vec<u32> = of.iter().map(|&rank| rank as u32).collect();
        for (rank, found) in (0..).zip(members(texts)) {
            let lists = if of.contains(&rank) { vec![expected.clone()] } else { Vec::new() };
            assert_eq!(found, lists, "rank {rank} of {steps:?}");
        }
    };
    let include = ("MPI_Group_incl", incl(3, "3, 0, 2", 4));
    check(std::slice::from_ref(&include), 4, &[3, 0, 2]);
    check(&[("MPI_Group_excl", incl(3, "1", 4))], 4, &[0, 2, 3]);
    check(
        &[include.clone(), ("MPI_Group_incl", incl(3, "1, 2", 5)), ("MPI_Group_union", combine(4, 5, 6))],
        6,
        &[3, 0, 2, 1],
    );
    check(
        &[include.clone(), ("MPI_Group_incl", incl(3, "1, 2", 5)), ("MPI_Group_intersection", combine(4, 5, 6))],
        6,
        &[2],
    );
    check(
        &[include.clone(), ("MPI_Group_incl", incl(3, "1, 2", 5)), ("MPI_Group_difference", combine(4, 5, 6))],
        6,
        &[3, 0],
    );
    check(&[("MPI_Group_range_incl", range(3, "[3, 1, -2]\n, [0, 0, 1]\n", 2, 4))], 4, &[3, 1, 0]);
    check(&[("MPI_Group_range_excl", range(3, "[0, 3, 2]\n", 1, 4))], 4, &[1, 3]);

    // Two groups at once.
    let halves = (0..4).map(|rank| {
        let [ranks, of] = if rank < 2 { ["0, 1", "01"] } else { ["3, 2", "32"] };
        let of: Vec<i32> = of.bytes().map(|digit| i32::from(digit - b'0')).collect();
        made(rank, &[("MPI_Group_incl", incl(3, ranks, 4))], 4, &of)
    });
    assert_eq!(members(halves.collect()), [vec![vec![0, 1]], vec![vec![0, 1]], vec![vec![3, 2]], vec![vec![3, 2]]]);
    // Rank 1 names another group than rank 0, which is in both.
    let differ = (0..2)
        .map(|rank| made(rank, &[("MPI_Group_incl", incl(3, ["0, 1", "1, 0"][rank as usize], 4))], 4, &[0, 1]).end());
    assert_eq!(
        error(&differ.collect::<Vec<_>>()),
        "0000.txt, line 15: MPI_Comm_create: rank 1 of the group does not name the same group"
    );
}

#[test]
fn grids_and_their_parts() {
    let cart = |reorder: i32, new: i32| {
        format!(
            "MPI_Comm oldcomm={}\nint ndim=2\nint dims[2]=[2, 3]\nint periods[2]=[0, 0]\nint reorder={reorder}\n\
             MPI_Comm newcomm={}",
            comm_name(2),
            comm_name(new)
        )
    };
    let sub = |remain: &str, new: i32| {
        format!(
            "int ndim=2\nMPI_Comm oldcomm={}\nint remain_dims[2]=[{remain}]\nMPI_Comm newcomm={}",
            comm_name(4),
            comm_name(new)
        )
    };
    // Seven ranks: the last one stays outside. Rows are 0-2 and 3-5.
    let texts = (0..7).map(|rank| {
        let text = Text::new().call(0, "MPI_Cart_create", &cart(0, if rank == 6 { 1 } else { 4 }));
        if rank == 6 {
            return text;
        }
        let text = text.call(0, "MPI_Cart_sub", &sub("0, 1", 5)).call(0, "MPI_Cart_sub", &sub("1, 0", 6));
        let text = text.call(0, "MPI_Cart_sub", &sub("0, 0", 7));
        text.barrier(0, 4).barrier(0, 5).barrier(0, 6).barrier(0, 7)
    });
    let found = members(texts.collect());
    for rank in 0..6u32 {
        let row = rank / 3 * 3;
        let expected = [(0..6).collect(), (row..row + 3).collect(), vec![rank % 3, rank % 3 + 3], vec![rank]];
        assert_eq!(found[rank as usize], expected);
    }
    assert!(found[6].is_empty());

    // The program was told another rank than it has without reordering.
    let reordered = (0..6).map(|rank| {
        let rank_of = format!("MPI_Comm comm={}\nint rank={}", comm_name(4), 5 - rank);
        Text::new().call(0, "MPI_Cart_create", &cart(1, 4)).call(0, "MPI_Comm_rank", &rank_of).end()
    });
    assert_eq!(
        error(&reordered.collect::<Vec<_>>()),
        "0000.txt, line 13: MPI_Comm_rank: field `rank` is `5`, expected 0: the ranks of a communicator that were \
         reordered can't be known"
    );
}

#[test]
fn graphs_take_the_first_ranks() {
    let texts = four(|rank, text| {
        let arguments = format!(
            "int numedges=2\nMPI_Comm oldcomm={}\nint nodes=2\nint index[2]=[1, 2]\nint edges[2]=[1, 0]\nint reorder=0\n\
             MPI_Comm newcomm={}",
            comm_name(2),
            comm_name(if rank < 2 { 4 } else { 1 })
        );
        let text = text.call(0, "MPI_Graph_create", &arguments);
        if rank < 2 { text.barrier(0, 4) } else { text }
    });
    assert_eq!(members(texts), [vec![vec![0, 1]], vec![vec![0, 1]], vec![], vec![]]);
}

#[test]
fn making_a_communicator_is_a_collective_call() {
    let texts = (0..2).map(|rank| Text::new().split(2, 0, -rank, 4).barrier(3, 4).end()).collect::<Vec<_>>();
    let call = |ns, call| Entry::Call { compute: Compute::Recorded(ns), call };
    let collective = |operation, communicator, bytes| Call::Collective {
        collective: CollectiveCall { operation, communicator, root: None, payload: Payload::Each(bytes) },
        request: None,
    };
    let made = 3;
    assert_eq!(
        entries(&texts)[1],
        [
            call(0, Call::Nothing),
            Entry::Communicator { name: 0, members: [0, 1].into() },
            call(0, collective(Collective::MakeCommunicator, 0, 8)),
            Entry::Communicator { name: made, members: [1, 0].into() },
            call(3, collective(Collective::Barrier, made, 0)),
            call(0, Call::Nothing),
        ]
    );
}

#[test]
fn ranks_within_a_communicator_are_translated() {
    // Rank 2 of the world is rank 0 of the odd ones out.
    let texts = four(|rank, text| {
        let text = text.split(2, i32::from(rank >= 2), -rank, 4);
        let send = "int count=1\nMPI_Datatype datatype=5 (MPI_BYTE)\nint dest=1\nint tag=0\nMPI_Comm comm=4 (user-defined-comm)";
        let bcast = "int count=1\nMPI_Datatype datatype=5 (MPI_BYTE)\nint root=1\nMPI_Comm comm=4 (user-defined-comm)";
        text.call(0, "MPI_Send", send).call(0, "MPI_Bcast", bcast)
    });
    let texts: Vec<String> = texts.into_iter().map(Text::end).collect();
    for (rank, entries) in entries(&texts).iter().enumerate() {
        let partner = if rank < 2 { 0 } else { 2 };
        assert!(entries.iter().any(|entry| matches!(entry,
            Entry::Call { call: Call::Send { message: Some(message), .. }, .. } if message.to == partner)));
        assert!(entries.iter().any(|entry| matches!(entry,
            Entry::Call { call: Call::Collective { collective, .. }, .. } if collective.root == Some(partner))));
    }
}

#[test]
fn what_does_not_fit_together_is_named() {
    let two = |first: Text, second: Text| error(&[first.end(), second.end()]);
    let split = |color, new| Text::new().split(2, color, 0, new);
    assert_eq!(
        two(split(0, 4), Text::new()),
        "0000.txt, line 5: MPI_Comm_split: a call of all members, but rank 1 never makes this call"
    );
    let dup = Text::new().call(
        0,
        "MPI_Comm_dup",
        "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\nMPI_Comm newcomm=4 (user-defined-comm)",
    );
    assert_eq!(
        two(split(0, 4), dup),
        "0001.txt, line 5: MPI_Comm_dup, but rank 0 of the same communicator calls MPI_Comm_split at 0000.txt, line 5"
    );
    assert_eq!(
        two(split(0, 4).split(4, 0, 0, 5), split(0, 4).split(2, 0, 0, 5)),
        "0001.txt, line 11: MPI_Comm_split: a call of all members, but rank 0 is in another call: 0000.txt, line 11"
    );
    assert_eq!(
        two(split(0, 1), split(0, 4)),
        "0000.txt, line 5: MPI_Comm_split: field `newcomm` is `1`, expected a new communicator, since the rank is a member"
    );
    assert_eq!(
        two(split(-1, 4), split(0, 4)),
        "0000.txt, line 5: MPI_Comm_split: field `newcomm` is `4`, expected 1 (MPI_COMM_NULL), since the rank is no member"
    );
    assert_eq!(
        two(split(0, 4).split(7, 0, 0, 5), split(0, 4)),
        "0000.txt, line 11: MPI_Comm_split: communicator `7` is not there, expected one that a recorded call has made"
    );
    assert_eq!(
        two(Text::new().barrier(0, 7), Text::new()),
        "0000.txt, line 5: MPI_Barrier: field `comm` is `7`, expected a communicator that a recorded call has made"
    );
    let size = Text::new().call(0, "MPI_Comm_size", "MPI_Comm comm=2 (MPI_COMM_WORLD)\nint size=3");
    assert_eq!(
        two(size, Text::new()),
        "0000.txt, line 5: MPI_Comm_size: field `size` is `3`, expected 2: the number of the trace's files"
    );
}
