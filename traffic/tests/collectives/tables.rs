//! Which algorithm runs: Open MPI 4.1.4's decisions, one by one.
//!
//! The rows are what the functions of `ompi/mca/coll/tuned/coll_tuned_decision_fixed.c` answer, compiled from the sources of that version
//! (Debian 12's `openmpi_4.1.4.orig.tar.xz`) and called for commutative operations, 2 to 4097 members and up to 16 MiB. They are
//! not derived from the table that is tested.

use powar_traffic::program::call::Collective::{self, *};
use powar_traffic::program::collective::{ALGORITHMS, Choice, by_name};

/// For an operation, from so many members to so many: from so many bytes on, this algorithm.
#[rustfmt::skip]
pub const OPEN_MPI: &[(Collective, usize, usize, &str)] = &[
    (AllReduce, 2, 3,
        "0 ring; 8 recursive doubling; 4096 ring; 8192 recursive doubling; 16384 ring; 65536 segmented ring; \
         262144 Rabenseifner"),
    (AllReduce, 4, 7, "0 ring; 16 recursive doubling; 8192 Rabenseifner"),
    (AllReduce, 8, 15, "0 recursive doubling; 8192 Rabenseifner"),
    (AllReduce, 16, 31, "0 segmented ring; 64 recursive doubling; 4096 Rabenseifner"),
    (AllReduce, 32, 63, "0 segmented ring; 128 Rabenseifner"),
    (AllReduce, 64, 127, "0 recursive doubling; 262144 Rabenseifner"),
    (AllReduce, 128, 255, "0 reduce and broadcast; 131072 recursive doubling; 262144 Rabenseifner"),
    (AllReduce, 256, 511, "0 reduce and broadcast; 4096 Rabenseifner"),
    (AllReduce, 512, 2047, "0 reduce and broadcast; 2048 recursive doubling; 16384 Rabenseifner"),
    (AllReduce, 2048, 4095, "0 reduce and broadcast; 2048 segmented ring; 4096 recursive doubling; 16384 Rabenseifner"),
    (AllReduce, 4096, 4097,
        "0 reduce and broadcast; 2048 segmented ring; 16384 recursive doubling; 32768 Rabenseifner"),
    (AllToAll, 2, 2,
        "0 pairwise exchange; 2 two members; 4 pairwise exchange; 16 two members; 64 pairwise exchange; \
         256 two members; 4096 pairwise exchange; 32768 linear, limited; 262144 two members; 1048576 pairwise exchange"),
    (AllToAll, 3, 7,
        "0 linear, limited; 8192 linear; 16384 linear, limited; 65536 linear; 524288 pairwise exchange; 1048576 linear"),
    (AllToAll, 8, 15, "0 linear, limited; 262144 linear"),
    (AllToAll, 16, 31,
        "0 linear, limited; 4 Bruck; 512 linear, limited; 8192 linear; 32768 linear, limited; 262144 linear; \
         524288 linear, limited"),
    (AllToAll, 32, 63, "0 Bruck; 512 linear; 524288 linear, limited"),
    (AllToAll, 64, 127, "0 Bruck; 1024 linear; 2048 linear, limited; 4096 linear; 262144 pairwise exchange"),
    (AllToAll, 128, 255, "0 Bruck; 1024 linear, limited; 2048 linear; 262144 pairwise exchange"),
    (AllToAll, 256, 511, "0 Bruck; 1024 linear, limited; 8192 linear; 32768 pairwise exchange"),
    (AllToAll, 512, 1023,
        "0 Bruck; 512 linear, limited; 8192 linear; 16384 linear, limited; 131072 linear; 262144 pairwise exchange"),
    (AllToAll, 1024, 2047,
        "0 Bruck; 512 linear, limited; 1024 linear; 2048 linear, limited; 16384 linear; 262144 linear, limited"),
    (AllToAll, 2048, 4095, "0 Bruck; 1024 linear, limited; 4096 linear; 8192 linear, limited; 131072 linear"),
    (AllToAll, 4096, 4097,
        "0 Bruck; 2048 linear, limited; 8192 linear; 16384 linear, limited; 32768 linear; 65536 linear, limited"),
    (AllToAllV, 2, 3, "0 pairwise exchange"),
    (AllToAllV, 4, 63, "0 linear"),
    (AllToAllV, 64, 127, "0 pairwise exchange"),
    (AllToAllV, 128, 255, "0 linear"),
    (AllToAllV, 256, 1023, "0 pairwise exchange"),
    (AllToAllV, 1024, 4097, "0 linear"),
    (Barrier, 2, 3, "0 recursive doubling"),
    (Barrier, 4, 7, "0 linear"),
    (Barrier, 8, 63, "0 recursive doubling"),
    (Barrier, 64, 255, "0 dissemination"),
    (Barrier, 256, 511, "0 tree"),
    (Barrier, 512, 1023, "0 dissemination"),
    (Barrier, 1024, 4095, "0 tree"),
    (Barrier, 4096, 4097, "0 dissemination"),
    (Broadcast, 2, 3,
        "0 pipeline; 32 binary tree; 256 pipeline; 512 k-nomial tree; 1024 linear; 32768 binary tree; 131072 chain; \
         262144 linear; 524288 binomial tree; 1048576 binary tree"),
    (Broadcast, 4, 7,
        "0 binary tree; 64 binomial tree; 128 binary tree; 2048 binomial tree; 8192 linear; 1048576 chain"),
    (Broadcast, 8, 15,
        "0 k-nomial tree; 8 binary tree; 64 k-nomial tree; 4096 binary tree; 16384 binomial tree; 32768 linear"),
    (Broadcast, 16, 31, "0 k-nomial tree; 4096 binomial tree; 1048576 scatter and all-gather"),
    (Broadcast, 32, 63, "0 binomial tree; 2048 k-nomial tree"),
    (Broadcast, 64, 127, "0 k-nomial tree"),
    (Broadcast, 128, 255, "0 binomial tree; 2 binary tree; 16384 linear; 32768 binary tree; 65536 k-nomial tree"),
    (Broadcast, 256, 1023, "0 k-nomial tree; 16384 split binary tree; 32768 k-nomial tree"),
    (Broadcast, 1024, 2047, "0 k-nomial tree; 524288 scatter and all-gather"),
    (Broadcast, 2048, 4095, "0 k-nomial tree; 262144 scatter and all-gather"),
    (Broadcast, 4096, 4097, "0 k-nomial tree; 8192 binary tree; 16384 k-nomial tree; 262144 scatter and all-gather"),
    (Reduce, 2, 3,
        "0 Rabenseifner; 8 binary tree; 16 pipeline; 32 linear; 262144 pipeline; 524288 chain; 1048576 pipeline"),
    (Reduce, 4, 7,
        "0 binary tree; 4096 chain; 65536 binomial tree; 262144 linear; 524288 binomial tree; 1048576 linear"),
    (Reduce, 8, 15, "0 binary tree; 8192 binomial tree"),
    (Reduce, 16, 31, "0 binary tree; 4096 binomial tree"),
    (Reduce, 32, 255, "0 binomial tree"),
    (Reduce, 256, 511, "0 binomial tree; 8192 in-order binary tree; 16384 binomial tree"),
    (Reduce, 512, 2047, "0 binomial tree"),
    (Reduce, 2048, 4095,
        "0 binomial tree; 512 in-order binary tree; 1024 binomial tree; 8192 in-order binary tree; 16384 binomial tree"),
    (Reduce, 4096, 4097,
        "0 binomial tree; 16 in-order binary tree; 32 binomial tree; 1024 in-order binary tree; 2048 binomial tree; \
         8192 in-order binary tree; 16384 binomial tree"),
    (ReduceScatter, 2, 3, "0 ring; 65536 butterfly; 131072 ring"),
    (ReduceScatter, 4, 7, "0 reduce and scatter; 8 recursive halving; 262144 ring"),
    (ReduceScatter, 8, 31, "0 recursive halving; 262144 ring"),
    (ReduceScatter, 32, 63, "0 reduce and scatter; 64 recursive halving; 2048 butterfly; 524288 ring"),
    (ReduceScatter, 64, 127,
        "0 reduce and scatter; 256 recursive halving; 512 butterfly; 2048 recursive halving; 4096 butterfly"),
    (ReduceScatter, 128, 255, "0 reduce and scatter; 256 recursive halving; 512 butterfly"),
    (ReduceScatter, 256, 511, "0 reduce and scatter; 256 recursive halving; 1024 butterfly"),
    (ReduceScatter, 512, 1023,
        "0 reduce and scatter; 512 recursive halving; 2048 butterfly; 8192 recursive halving; 16384 butterfly"),
    (ReduceScatter, 1024, 2047,
        "0 reduce and scatter; 512 recursive halving; 4096 butterfly; 16384 recursive halving; 32768 butterfly"),
    (ReduceScatter, 2048, 4095, "0 reduce and scatter; 512 recursive halving; 4096 butterfly"),
    (ReduceScatter, 4096, 4097, "0 reduce and scatter; 1024 recursive halving; 8192 butterfly"),
    (ReduceScatterBlock, 2, 3,
        "0 recursive doubling; 4 butterfly; 8 recursive halving; 16 butterfly; 128 recursive halving; 256 butterfly; \
         4096 recursive halving; 8192 butterfly; 131072 reduce and scatter"),
    (ReduceScatterBlock, 4, 7,
        "0 recursive halving; 8 recursive doubling; 32 butterfly; 256 recursive halving; 8192 butterfly; \
         16384 recursive halving; 1048576 reduce and scatter"),
    (ReduceScatterBlock, 8, 15,
        "0 reduce and scatter; 4 recursive halving; 32 butterfly; 128 recursive halving; 524288 reduce and scatter; \
         4194304 butterfly"),
    (ReduceScatterBlock, 16, 31,
        "0 reduce and scatter; 32 recursive halving; 524288 reduce and scatter; 2097152 recursive halving; \
         4194304 butterfly"),
    (ReduceScatterBlock, 32, 4097,
        "0 recursive halving; 4 reduce and scatter; 16 butterfly; 65536 reduce and scatter; 262144 butterfly"),
    (AllGather, 2, 2, "0 two members"),
    (AllGather, 3, 31, "0 recursive doubling"),
    (AllGather, 32, 63, "0 recursive doubling; 1024 neighbour exchange; 65536 ring"),
    (AllGather, 64, 127, "0 recursive doubling; 512 neighbour exchange; 65536 ring"),
    (AllGather, 128, 255,
        "0 recursive doubling; 512 neighbour exchange; 131072 ring; 524288 neighbour exchange; 1048576 ring"),
    (AllGather, 256, 511,
        "0 recursive doubling; 32 Bruck; 128 recursive doubling; 1024 neighbour exchange; 131072 ring; \
         524288 neighbour exchange; 1048576 ring"),
    (AllGather, 512, 1023, "0 recursive doubling; 64 Bruck; 256 recursive doubling; 2048 neighbour exchange"),
    (AllGather, 1024, 2047,
        "0 recursive doubling; 4 Bruck; 8 recursive doubling; 16 Bruck; 32 recursive doubling; 256 Bruck; \
         512 recursive doubling; 4096 neighbour exchange"),
    (AllGather, 2048, 4095,
        "0 Bruck; 32 recursive doubling; 128 Bruck; 512 recursive doubling; 4096 neighbour exchange"),
    (AllGather, 4096, 4097,
        "0 recursive doubling; 2 Bruck; 8 recursive doubling; 16 Bruck; 512 recursive doubling; \
         4096 neighbour exchange"),
    (AllGatherV, 2, 2, "0 ring; 2048 two members; 4096 ring; 8192 two members"),
    (AllGatherV, 3, 7,
        "0 gather and broadcast; 256 neighbour exchange; 4096 ring; 8192 neighbour exchange; 16384 Bruck; \
         262144 neighbour exchange"),
    (AllGatherV, 8, 15, "0 gather and broadcast; 1024 Bruck"),
    (AllGatherV, 16, 31, "0 gather and broadcast; 128 Bruck; 262144 ring"),
    (AllGatherV, 32, 63, "0 gather and broadcast; 256 Bruck; 8192 ring"),
    (AllGatherV, 64, 127, "0 gather and broadcast; 256 Bruck; 4096 ring"),
    (AllGatherV, 128, 255, "0 Bruck; 1024 neighbour exchange; 65536 ring"),
    (AllGatherV, 256, 511, "0 Bruck; 1024 ring"),
    (AllGatherV, 512, 1023, "0 Bruck; 512 gather and broadcast; 1024 Bruck; 4096 neighbour exchange; 1048576 ring"),
    (AllGatherV, 1024, 4097, "0 Bruck; 4096 neighbour exchange"),
    (Gather, 2, 3,
        "0 linear, asked for; 2 linear; 4 binomial tree; 32768 linear; 65536 binomial tree; 131072 linear, asked for"),
    (Gather, 4, 7, "0 binomial tree; 1024 linear; 8192 binomial tree; 32768 linear; 262144 linear, asked for"),
    (Gather, 8, 255, "0 binomial tree"),
    (Gather, 256, 511, "0 binomial tree; 2048 linear; 8192 binomial tree"),
    (Gather, 512, 4097, "0 binomial tree"),
    (Scatter, 2, 3, "0 linear, non-blocking; 2 linear; 131072 linear, non-blocking; 262144 linear"),
    (Scatter, 4, 7,
        "0 binomial tree; 2048 linear; 4096 binomial tree; 8192 linear; 32768 linear, non-blocking; 1048576 linear"),
    (Scatter, 8, 15, "0 binomial tree; 16384 linear, non-blocking; 1048576 linear"),
    (Scatter, 16, 31, "0 binomial tree; 16384 linear; 32768 linear, non-blocking"),
    (Scatter, 32, 63, "0 binomial tree; 512 linear, non-blocking; 8192 binomial tree; 16384 linear, non-blocking"),
    (Scatter, 64, 4097, "0 binomial tree; 512 linear, non-blocking"),
];

#[test]
fn open_mpi_chooses_as_open_mpi_does() {
    let algorithms = by_name("open-mpi").unwrap();
    for &(operation, first, last, row) in OPEN_MPI {
        let row: Vec<(u64, &str)> = row
            .split("; ")
            .map(|entry| entry.split_once(' ').map(|(bytes, name)| (bytes.parse().unwrap(), name)).unwrap())
            .collect();
        let ends = row.iter().skip(1).map(|&(bytes, _)| bytes - 1).chain([1 << 24]);
        for (&(bytes, name), end) in row.iter().zip(ends) {
            for n in [first, last] {
                for bytes in [bytes, end] {
                    let chosen = algorithms.chosen(operation, n, bytes);
                    assert_eq!(chosen.name, name, "{operation:?} of {n} with {bytes} B");
                }
            }
        }
    }
}

#[test]
fn the_rows_leave_no_number_of_members_out() {
    for &(operation, ..) in OPEN_MPI {
        let rows: Vec<_> = OPEN_MPI.iter().filter(|row| row.0 == operation).collect();
        assert_eq!(rows[0].1, 2, "{operation:?}");
        assert!(rows.windows(2).all(|rows| rows[0].2 + 1 == rows[1].1), "{operation:?}");
        assert_eq!(rows[rows.len() - 1].2, 4097, "{operation:?}");
    }
}

#[test]
fn what_tuned_leaves_open_is_linear() {
    let algorithms = by_name("open-mpi").unwrap();
    for operation in [Scan, ExclusiveScan, GatherV, ScatterV, NeighborAllGather, NeighborAllToAll] {
        for n in [2, 17, 512] {
            assert_eq!(algorithms.chosen(operation, n, 100_000).name, "linear");
        }
    }
}

/// From the beginnings of the functions in `ompi/mca/coll/base`: numbers of members and of elements (8 B in reductions, 1 B in
/// broadcasts) that they don't deal with.
#[test]
fn algorithms_take_the_place_of_those_that_do_not_suit() {
    let algorithms = by_name("open-mpi").unwrap();
    let rows = [
        // coll_base_allreduce.c: a ring with fewer elements than members; a segment is all of the vector.
        (AllReduce, 2, 4, "ring", "recursive doubling"),
        (AllReduce, 2, 4096, "ring", "ring"),
        (AllReduce, 2, 65536, "segmented ring", "ring"),
        (AllReduce, 17, 63, "segmented ring", "recursive doubling"),
        (AllReduce, 2048, 4095, "segmented ring", "recursive doubling"),
        // Rabenseifner with fewer elements than the largest power of two of members.
        (AllReduce, 40, 248, "Rabenseifner", "linear"),
        (AllReduce, 40, 249, "Rabenseifner", "Rabenseifner"),
        (AllReduce, 256, 4096, "Rabenseifner", "Rabenseifner"),
        // coll_base_reduce.c: the same; the table names it for one element only.
        (Reduce, 3, 7, "Rabenseifner", "linear"),
        // coll_base_allgather.c, coll_base_allgatherv.c: no power of two, an odd number.
        (AllGather, 16, 8, "recursive doubling", "recursive doubling"),
        (AllGather, 17, 8, "recursive doubling", "Bruck"),
        (AllGather, 32, 2000, "neighbour exchange", "neighbour exchange"),
        (AllGather, 33, 2000, "neighbour exchange", "ring"),
        (AllGatherV, 5, 2000, "neighbour exchange", "ring"),
        (Broadcast, 16, 1 << 20, "scatter and all-gather", "scatter and all-gather"),
    ];
    for (operation, n, bytes, name, in_effect) in rows {
        let expected = Choice { name, in_effect };
        assert_eq!(algorithms.chosen(operation, n, bytes), expected, "{operation:?} of {n} with {bytes} B");
    }
}

#[test]
fn the_textbook_has_one_algorithm_an_operation() {
    let rows = [
        (Barrier, "dissemination"),
        (Broadcast, "binomial tree"),
        (Reduce, "binomial tree"),
        (AllReduce, "recursive doubling"),
        (Scan, "recursive doubling"),
        (ExclusiveScan, "recursive doubling"),
        (Gather, "linear"),
        (GatherV, "linear"),
        (Scatter, "linear"),
        (ScatterV, "linear"),
        (AllGather, "Bruck"),
        (AllGatherV, "Bruck"),
        (AllToAll, "pairwise exchange"),
        (AllToAllV, "pairwise exchange"),
        (ReduceScatter, "recursive halving"),
        (ReduceScatterBlock, "recursive halving"),
        (MakeCommunicator, "all-gather"),
        (NeighborAllGather, "linear"),
        (NeighborAllToAll, "linear"),
    ];
    let algorithms = by_name("textbook").unwrap();
    for (operation, name) in rows {
        for (n, bytes) in [(2, 1), (24, 5000), (1000, 1 << 24)] {
            assert_eq!(algorithms.chosen(operation, n, bytes), Choice { name, in_effect: name }, "{operation:?}");
        }
    }
}

#[test]
fn choices_go_by_name() {
    let names: Vec<_> = ALGORITHMS.iter().map(|algorithms| algorithms.name).collect();
    assert_eq!(names, ["open-mpi", "textbook"]);
    let error = by_name("mpich").unwrap_err().to_string();
    assert_eq!(error, "collectives: `mpich` is unknown; it must be one of open-mpi, textbook");
}
