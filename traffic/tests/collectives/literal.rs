//! What members do, step by step, worked by hand from the sources of Open MPI 4.1.4 and from the examples in their comments.

use super::*;
use Collective::*;

/// `>1 8`: send 8 B to 1; `<2`: receive from 2; both: exchange; `+`: started; `op 8`: combine.
fn written(steps: &[Step]) -> String {
    let written = steps.iter().map(|&step| match step {
        Step::Send { to, bytes } => format!(">{to} {bytes}"),
        Step::StartSend { to, bytes } => format!("+>{to} {bytes}"),
        Step::Receive { from } => format!("<{from}"),
        Step::StartReceive { from } => format!("+<{from}"),
        Step::Exchange { to, bytes, from } => format!(">{to} {bytes} <{from}"),
        Step::WaitAll => "wait".to_string(),
        Step::Reduce { bytes } => format!("op {bytes}"),
    });
    written.collect::<Vec<_>>().join(", ")
}

/// Of Open MPI's algorithms: the steps of some members; the algorithm is that of the name.
fn check(operation: Collective, n: usize, root: usize, payload: Payload, name: &str, rows: &[(usize, &str)]) {
    let algorithms = by_name("open-mpi").unwrap();
    let bytes = match &payload {
        Payload::Each(bytes) => *bytes,
        Payload::Members(sizes) => sizes.iter().sum(),
        other => unreachable!("{other:?}"),
    };
    assert_eq!(algorithms.chosen(operation, n, bytes).in_effect, name, "{operation:?} of {n} with {bytes} B");
    let steps = steps(algorithms, operation, n, root, &payload);
    for &(member, expected) in rows {
        let written = written(&steps[member]);
        let is_it = match expected.strip_suffix(" ..") {
            Some(beginning) => written.starts_with(beginning),
            None => written == expected,
        };
        assert!(is_it, "member {member} in {operation:?} of {n} from {root}: {name}: {written}, expected {expected}");
    }
}

#[test]
fn barriers() {
    let rows = [(0, "+<1, +<2, +<3, +<4, wait, >1 0, >2 0, >3 0, >4 0"), (3, ">0 0, <0")];
    check(Barrier, 5, 0, Payload::Each(0), "linear", &rows);
    let rows = [(9, ">1 0 <1"), (1, "<9, >0 0 <0, >3 0 <3, >5 0 <5, >9 0"), (2, ">3 0 <3, >0 0 <0, >6 0 <6")];
    check(Barrier, 10, 0, Payload::Each(0), "recursive doubling", &rows);
    let rows = [(66, ">67 0 <65, >0 0 <64, >2 0 <62, >6 0 <58, ..")];
    check(Barrier, 68, 0, Payload::Each(0), "dissemination", &rows);
    let rows =
        [(0, "<1, <2, <4, <8, .."), (6, "<7, >4 0, <4, >7 0"), (256, "<257, >0 0, <0, >257 0"), (257, ">256 0, <256")];
    check(Barrier, 258, 0, Payload::Each(0), "tree", &rows);
}

#[test]
fn broadcasts() {
    // The example of ompi_coll_base_bcast_intra_knomial: 10 members, radix 4.
    let rows = [
        (0, "+>4 100, +>8 100, +>1 100, +>2 100, +>3 100, wait"),
        (4, "<0, +>5 100, +>6 100, +>7 100, wait"),
        (8, "<0, +>9 100, wait"),
        (3, "<0"),
    ];
    check(Broadcast, 10, 0, Payload::Each(100), "k-nomial tree", &rows);
    // The example of ompi_coll_base_topo_build_tree: 7 members, from member 2 on here.
    let rows =
        [(2, "+>3 30, +>4 30, wait"), (3, "<2, +>5 30, +>0 30, wait"), (4, "<2, +>6 30, +>1 30, wait"), (0, "<3")];
    check(Broadcast, 7, 2, Payload::Each(30), "binary tree", &rows);
    let rows =
        [(0, "+>1 64, +>2 64, +>4 64, wait"), (1, "<0, +>3 64, +>5 64, wait"), (2, "<0, +>6 64, wait"), (5, "<1")];
    check(Broadcast, 7, 0, Payload::Each(64), "binomial tree", &rows);
    let rows = [(1, "+>2 9, wait"), (2, "<1, +>0 9, wait"), (0, "<2")];
    check(Broadcast, 3, 1, Payload::Each(9), "pipeline", &rows);
    let rows = [(1, "+>0 9000, +>2 9000, +>3 9000, wait"), (0, "<1")];
    check(Broadcast, 4, 1, Payload::Each(9000), "linear", &rows);
    let rows = [
        (0, ">1 10001, >2 10000, >255 10000"),
        (1, "<0, >3 10001, >5 10001, >2 10001 <2"),
        (2, "<0, >4 10000, >6 10000, >1 10000 <1"),
        (254, "<126, >253 10000 <253"),
        (255, "<127, <0"),
    ];
    check(Broadcast, 256, 0, Payload::Each(20001), "split binary tree", &rows);
    // The last share is 2 B short.
    let share = 1 << 17;
    let half = 8 * share;
    let rows = [
        (
            0,
            &*format!(
                ">8 {}, >4 {}, >2 {}, >1 {share}, >1 {share} <1, >2 {} <2, ..",
                half - 2,
                4 * share,
                2 * share,
                2 * share
            ),
        ),
        (15, &format!("<14, >14 {} <14, >13 {} <13, ..", share - 2, 2 * share - 2)),
        (8, &format!("<0, >12 {}, >10 {}, >9 {share}, >9 {share} <9, ..", 4 * share - 2, 2 * share)),
    ];
    check(Broadcast, 16, 0, Payload::Each(16 * share - 2), "scatter and all-gather", &rows);
}

#[test]
fn reductions_to_a_root() {
    let rows = [(2, ">1 16"), (1, "<2, op 16, >0 16"), (0, "<1, op 16")];
    check(Reduce, 3, 0, Payload::Each(16), "pipeline", &rows);
    let rows = [(1, "<2, op 100, <0, op 100"), (0, ">1 100")];
    check(Reduce, 3, 1, Payload::Each(100), "linear", &rows);
    let rows = [(0, "<1, op 8192, <2, op 8192, <4, op 8192"), (6, "<7, op 8192, >4 8192"), (5, ">4 8192")];
    check(Reduce, 8, 0, Payload::Each(8192), "binomial tree", &rows);
    let rows = [
        (255, "<254, op 9000, <127, op 9000, >0 9000"),
        (0, ">1 9000, <255"),
        (1, "<0, op 9000, >3 9000"),
        (3, "<2, op 9000, <1, op 9000, >7 9000"),
    ];
    check(Reduce, 256, 0, Payload::Each(9000), "in-order binary tree", &rows);
}

#[test]
fn all_reductions() {
    // 512 elements: 171, 171 and 170.
    let rows = [
        (0, ">1 1368 <2, op 1360, >1 1360 <2, op 1368, >1 1368 <2, >1 1368 <2"),
        (1, ">2 1368 <0, op 1368, >2 1368 <0, op 1360, >2 1360 <0, >2 1368 <0"),
    ];
    check(AllReduce, 3, 0, Payload::Each(4096), "ring", &rows);
    let rows = [
        (0, ">1 4096 <1, op 4096, <1, >2 4096 <2, op 4096, >3 2048 <3, op 2048, >3 2048 <3, >2 4096 <2, >1 8192"),
        (1, ">0 4096 <0, op 4096, >0 4096, <0"),
        (4, ">3 4096 <3, op 4096, >2 2048 <2, op 2048, >2 2048 <2, >3 4096 <3"),
    ];
    check(AllReduce, 5, 0, Payload::Each(8192), "Rabenseifner", &rows);
    // An odd number of elements, the last one cut short.
    let rows = [
        (0, ">1 4102 <1, op 4096, >2 2048 <2, op 2048, >2 2048 <2, >1 4096 <1"),
        (3, ">2 4096 <2, op 4102, >1 2048 <1, op 2054, >1 2054 <1, >2 4102 <2"),
    ];
    check(AllReduce, 4, 0, Payload::Each(8198), "Rabenseifner", &rows);
    // The example of ompi_coll_base_allreduce_intra_recursivedoubling: 7 members.
    let rows = [
        (0, ">1 24, <1"),
        (1, "<0, op 24, >3 24 <3, op 24, >5 24 <5, op 24, >0 24"),
        (6, ">5 24 <5, op 24, >3 24 <3, op 24"),
    ];
    check(AllReduce, 7, 0, Payload::Each(24), "recursive doubling", &rows);
}

#[test]
fn scans() {
    check(Scan, 3, 0, Payload::Each(5), "linear", &[(0, ">1 5"), (1, "<0, op 5, >2 5"), (2, "<1, op 5")]);
    check(ExclusiveScan, 3, 0, Payload::Each(5), "linear", &[(0, ">1 5"), (1, "<0, op 5, >2 5"), (2, "<1")]);
}

#[test]
fn textbook_scans_keep_a_result_beside_what_they_hand_on() {
    let algorithms = by_name("textbook").unwrap();
    let all = |operation| steps(algorithms, operation, 4, 0, &Payload::Each(8)).iter().map(|s| written(s)).collect();
    let inclusive: Vec<_> = all(Scan);
    assert_eq!(inclusive, [">1 8, >2 8", ">2 8 <0, op 8, >3 8", ">3 8 <1, op 8, <0, op 8", "<2, op 8, <1, op 8"]);
    // What comes in first is the result so far: it is combined only with what is handed on.
    let exclusive: Vec<_> = all(ExclusiveScan);
    assert_eq!(exclusive, [">1 8, >2 8", ">2 8 <0, op 8, >3 8", ">3 8 <1, <0, op 8", "<2, <1, op 8"]);
}

#[test]
fn gathers_and_scatters() {
    let rows = [(1, "<2, <3, <5"), (3, "<4, >1 20"), (5, "<0, >1 20"), (0, ">5 10")];
    check(Gather, 6, 1, Payload::Each(10), "binomial tree", &rows);
    let rows = [(1, ">0 0 <0, +<0, >2 0 <2, +<2, wait"), (2, "<1, >1 131072, >1 0")];
    check(Gather, 3, 1, Payload::Each(131_072), "linear, asked for", &rows);
    check(GatherV, 3, 1, Payload::Members([4, 5, 0].into()), "linear", &[(1, "<0, <2"), (0, ">1 4"), (2, ">1 0")]);
    // The example of ompi_coll_base_scatter_intra_binomial: 10 members.
    let rows = [(0, ">8 200, >4 400, >2 200, >1 100"), (4, "<0, >6 200, >5 100"), (8, "<0, >9 100"), (7, "<6")];
    check(Scatter, 10, 0, Payload::Each(100), "binomial tree", &rows);
    let rows = [(2, "+>0 20000, +>1 20000, +>3 20000, .."), (1, "<2")];
    check(Scatter, 9, 2, Payload::Each(20_000), "linear, non-blocking", &rows);
    check(ScatterV, 3, 1, Payload::Members([4, 5, 6].into()), "linear", &[(1, ">0 4, >2 6"), (0, "<1")]);
}

#[test]
fn all_gathers() {
    check(AllGather, 2, 0, Payload::Each(7), "two members", &[(0, ">1 7 <1"), (1, ">0 7 <0")]);
    check(AllGather, 5, 0, Payload::Each(10), "Bruck", &[(0, ">4 10 <1, >3 20 <2, >1 10 <4")]);
    check(AllGather, 8, 0, Payload::Each(10), "recursive doubling", &[(5, ">4 10 <4, >7 20 <7, >1 40 <1")]);
    let rows =
        [(1, ">0 2000 <0, >2 4000 <2, >0 4000 <0, >2 4000 <2, .."), (0, ">1 2000 <1, >31 4000 <31, >1 4000 <1, ..")];
    check(AllGather, 32, 0, Payload::Each(2000), "neighbour exchange", &rows);
}

#[test]
fn neighbour_exchange_hands_on_what_came_in_from_the_other_side() {
    // Mean size 1000 B.
    let sizes: Vec<u64> = (0..6).map(|member| 998 + member).collect();
    let steps = steps(by_name("open-mpi").unwrap(), AllGatherV, 6, 0, &Payload::Members(sizes.into()));
    // Even: own, own pair, then those that came in from the left, then right. Odd: mirrored.
    assert_eq!(written(&steps[2]), ">3 1000 <3, >1 2001 <1, >3 1997 <3");
    assert_eq!(written(&steps[3]), ">2 1001 <2, >4 2001 <4, >2 2005 <2");
}

#[test]
fn all_to_alls() {
    let rows = [(1, "+<2, +<3, +<0, +>0 9000, +>3 9000, +>2 9000, wait")];
    check(AllToAll, 4, 0, Payload::Each(9000), "linear", &rows);
    let rows = [(1, "+<0, +<2, +<3, +>0 1, +>2 3, +>3 4, wait")];
    check(AllToAllV, 4, 0, Payload::Members([1, 2, 3, 4].into()), "linear", &rows);
    let rows = [(1, ">2 600000 <0, >3 600000 <3, >0 600000 <2")];
    check(AllToAll, 4, 0, Payload::Each(600_000), "pairwise exchange", &rows);
    // Of the ways 1 to 16, 8 are odd, 8 have the next bit, 8 the one after that, 8 the next; one is 16.
    let rows = [(0, ">1 80 <16, >2 80 <15, >4 80 <13, >8 80 <9, >16 10 <1")];
    check(AllToAll, 17, 0, Payload::Each(10), "Bruck", &rows);
}

#[test]
fn uneven_blocks_on_their_way_to_all() {
    // 11 B for member 0, 10 B for the others. What comes to member 15 for member 0 from member 14 goes on with its own, by 2.
    let algorithms = by_name("open-mpi").unwrap();
    let steps = steps(algorithms, AllToAll, 17, 0, &Payload::Split(171));
    assert_eq!(written(&steps[15][..2]), ">16 80 <14, >0 82 <13");
    assert_eq!(written(&steps[16][..2]), ">0 81 <15, >1 80 <14");
}

#[test]
fn reduce_scatters() {
    let rows = [(0, ">1 24 <2, op 16, >1 16 <2, op 8"), (1, ">2 8 <0, op 24, >2 24 <0, op 16")];
    check(ReduceScatter, 3, 0, Payload::Members([8, 16, 24].into()), "ring", &rows);
    // The example of ompi_coll_base_reduce_scatter_block_intra_butterfly: 6 members, here of 48 B.
    let rows = [
        (0, ">1 288, <1"),
        (1, "<0, op 288, >3 96 <3, op 192, >4 96 <4, op 96, >0 48"),
        (2, ">3 288, <4"),
        (3, "<2, op 288, >1 192 <1, op 96, >5 48 <5, op 48, >4 48 <4"),
        (4, ">5 96 <5, op 192, >1 96 <1, op 96, >2 48, >3 48 <3"),
        (5, ">4 192 <4, op 96, >3 48 <3, op 48"),
    ];
    check(ReduceScatterBlock, 6, 0, Payload::Each(48), "butterfly", &rows);
    // A power of two has its parts in order from the beginning.
    let rows = [(1, ">0 80 <0, op 80, >3 40 <3, op 40"), (2, ">3 80 <3, op 80, >0 40 <0, op 40")];
    check(ReduceScatterBlock, 4, 0, Payload::Each(40), "butterfly", &rows);
    // Member 4 has nobody at distance 1 and 2; what member 0 gets from it is for members 1 to 3, too.
    let rows = [
        (0, ">1 64 <1, op 64, >2 48 <2, op 48, >4 16 <4, >2 64, >1 64, op 64"),
        (3, ">2 64 <2, op 64, >1 48 <1, op 48, <2, op 64"),
        (4, ">0 64 <0, op 16"),
    ];
    check(ReduceScatterBlock, 5, 0, Payload::Each(16), "recursive doubling", &rows);
    let rows = [(0, ">1 60, <1"), (1, "<0, op 60, +<4, >4 20, wait, op 40, +<3, >3 20, wait, op 20, >0 10")];
    check(ReduceScatter, 6, 0, Payload::Members([10; 6].into()), "recursive halving", &rows);
}
