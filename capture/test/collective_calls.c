/* Makes the collective calls whose lines carry sizes or requests, and those that make communicators in other ways than
 * Comm_split, on 4 ranks, and writes down the records it expects. */
#include "expect.h"

#define WORLD MPI_COMM_WORLD
/* The completion of the request opened last. */
#define DONE(size)                                                                                                    \
    MPI_Wait(&r, MPI_STATUS_IGNORE);                                                                                  \
    expect("T %d -1 0 %d", q, size)

static int rank, left, right;
/* Number of the request opened last. */
static int q;
static MPI_Request r;
static int in[64], out[64];
static int counts[4] = {1, 2, 3, 4}, places[4] = {0, 1, 3, 6}, own;
static int bytes[4] = {0, 16, 32, 48}, in_bytes[4] = {0, 4, 12, 24};
static const int all_places[4] = {0, 4, 8, 12};
static const MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};

static void blocking(void) {
    int all_own[4] = {own, own, own, own};
    MPI_Allgatherv(out, own, MPI_INT, in, counts, places, MPI_INT, WORLD);
    expect("Allgatherv c0 -1 %d 0 0 n 4 4 8 12 16", 4 * own);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, counts, places, MPI_INT, WORLD);
    expect("Allgatherv c0 -1 %d 0 0 n 4 4 8 12 16", 4 * own);
    MPI_Alltoallv(out, counts, places, MPI_INT, in, all_own, all_places, MPI_INT, WORLD);
    expect("Alltoallv c0 -1 40 0 0 n 4 4 8 12 16");
    /* Equal sizes in a row are one field; in place, what is received is what is sent. */
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, (int[]){2, 2, 2, 2}, all_places, MPI_INT, WORLD);
    expect("Alltoallv c0 -1 32 0 0 n 4 4x8");
    MPI_Alltoallv(out, (int[]){rank == 0 ? 5 : 0, 0, 0, rank == 3 ? 7 : 0}, places, MPI_BYTE, in,
                  (int[]){rank == 0 ? 5 : 0, 0, 0, rank == 3 ? 7 : 0}, places, MPI_BYTE, WORLD);
    expect(rank == 0 ? "Alltoallv c0 -1 5 0 0 n 4 5 3x0" : rank == 3 ? "Alltoallv c0 -1 7 0 0 n 4 3x0 7"
                                                                     : "Alltoallv c0 -1 0 0 0 n 4 4x0");
    MPI_Alltoallw(out, counts, in_bytes, types, in, all_own, bytes, types, WORLD);
    expect("Alltoallw c0 -1 40 0 0 n 4 4 8 12 16");
    /* Sizes follow the types, not the counts. */
    int even = rank % 2 == 0;
    MPI_Datatype to_even = even ? MPI_INT : MPI_CHAR, to_odd = even ? MPI_CHAR : MPI_DOUBLE;
    MPI_Datatype mixed[4] = {to_even, to_odd, to_even, to_odd};
    MPI_Alltoallw(out, (int[]){2, 2, 2, 2}, bytes, mixed, in, (int[]){2, 2, 2, 2}, bytes, mixed, WORLD);
    expect(even ? "Alltoallw c0 -1 20 0 0 n 4 8 2 8 2" : "Alltoallw c0 -1 36 0 0 n 4 2 16 2 16");
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, WORLD);
    expect("Reduce_scatter c0 -1 40 0 0 n 4 4 8 12 16");
    MPI_Reduce_scatter_block(out, in, 3, MPI_INT, MPI_SUM, WORLD);
    expect("Reduce_scatter_block c0 -1 12 0 0");
    MPI_Scan(out, in, 4, MPI_INT, MPI_SUM, WORLD);
    expect("Scan c0 -1 16 0 0");
    MPI_Exscan(out, in, 5, MPI_INT, MPI_SUM, WORLD);
    expect("Exscan c0 -1 20 0 0");
}

static void non_blocking(void) {
    int all_own[4] = {own, own, own, own}, done;
    MPI_Ibarrier(WORLD, &r);
    expect("Ibarrier c0 -1 0 0 %d", ++q);
    DONE(0);
    MPI_Ibcast(out, 2, MPI_INT, 1, WORLD, &r);
    expect("Ibcast c0 1 8 0 %d", ++q);
    DONE(8);
    MPI_Ireduce(out, in, 3, MPI_INT, MPI_SUM, 2, WORLD, &r);
    expect("Ireduce c0 2 12 0 %d", ++q);
    DONE(12);
    MPI_Iallreduce(out, in, 4, MPI_INT, MPI_SUM, WORLD, &r);
    expect("Iallreduce c0 -1 16 0 %d", ++q);
    for (done = 0; !done;) MPI_Test(&r, &done, MPI_STATUS_IGNORE);
    expect("P %d -1 0 16", q);
    MPI_Iscan(out, in, 4, MPI_INT, MPI_SUM, WORLD, &r);
    expect("Iscan c0 -1 16 0 %d", ++q);
    DONE(16);
    MPI_Iexscan(out, in, 4, MPI_INT, MPI_SUM, WORLD, &r);
    expect("Iexscan c0 -1 16 0 %d", ++q);
    DONE(16);
    MPI_Igather(out, 5, MPI_INT, in, 5, MPI_INT, 0, WORLD, &r);
    expect("Igather c0 0 20 0 %d", ++q);
    DONE(20);
    MPI_Igatherv(out, own, MPI_INT, in, counts, places, MPI_INT, 0, WORLD, &r);
    expect("Igatherv c0 0 %d 0 %d%s", 4 * own, ++q, rank == 0 ? " n 4 4 8 12 16" : "");
    DONE(4 * own);
    MPI_Iscatter(out, 6, MPI_INT, in, 6, MPI_INT, 3, WORLD, &r);
    expect("Iscatter c0 3 24 0 %d", ++q);
    DONE(24);
    MPI_Iscatterv(out, counts, places, MPI_INT, in, own, MPI_INT, 0, WORLD, &r);
    expect("Iscatterv c0 0 %d 0 %d%s", 4 * own, ++q, rank == 0 ? " n 4 4 8 12 16" : "");
    DONE(4 * own);
    MPI_Iallgather(out, 7, MPI_INT, in, 7, MPI_INT, WORLD, &r);
    expect("Iallgather c0 -1 28 0 %d", ++q);
    DONE(28);
    MPI_Iallgatherv(out, own, MPI_INT, in, counts, places, MPI_INT, WORLD, &r);
    expect("Iallgatherv c0 -1 %d 0 %d n 4 4 8 12 16", 4 * own, ++q);
    DONE(4 * own);
    MPI_Ialltoall(out, 8, MPI_INT, in, 8, MPI_INT, WORLD, &r);
    expect("Ialltoall c0 -1 32 0 %d", ++q);
    DONE(32);
    MPI_Ialltoallv(out, counts, places, MPI_INT, in, all_own, all_places, MPI_INT, WORLD, &r);
    expect("Ialltoallv c0 -1 40 0 %d n 4 4 8 12 16", ++q);
    DONE(40);
    MPI_Ialltoallw(out, counts, in_bytes, types, in, all_own, bytes, types, WORLD, &r);
    expect("Ialltoallw c0 -1 40 0 %d n 4 4 8 12 16", ++q);
    DONE(40);
    MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, WORLD, &r);
    expect("Ireduce_scatter c0 -1 40 0 %d n 4 4 8 12 16", ++q);
    DONE(40);
    MPI_Ireduce_scatter_block(out, in, 3, MPI_INT, MPI_SUM, WORLD, &r);
    expect("Ireduce_scatter_block c0 -1 12 0 %d", ++q);
    DONE(12);
}

static void neighbours(void) {
    MPI_Comm ring, line, graph, distributed;
    static const int ones[2] = {1, 1}, at[2] = {0, 1}, twos[2] = {2, 3}, two_at[2] = {0, 4};
    static const MPI_Aint byte_at[2] = {0, 16};
    /* A ring: left and right neighbour. */
    MPI_Cart_create(WORLD, 1, (int[]){4}, (int[]){1}, 0, &ring);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, ring);
    expect("C c1 4 0 1 2 3");
    expect("Neighbor_allgather c1 -1 8 0 0 to 2 %d:8 %d:8 from 2 %d %d", left, right, left, right);
    MPI_Neighbor_alltoall(out, 3, MPI_INT, in, 3, MPI_INT, ring);
    expect("Neighbor_alltoall c1 -1 12 0 0 to 2 %d:12 %d:12 from 2 %d %d", left, right, left, right);
    MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, ones, at, MPI_INT, ring);
    expect("Neighbor_allgatherv c1 -1 4 0 0 to 2 %d:4 %d:4 from 2 %d %d", left, right, left, right);
    MPI_Neighbor_alltoallv(out, twos, two_at, MPI_INT, in, (int[]){3, 2}, two_at, MPI_INT, ring);
    expect("Neighbor_alltoallv c1 -1 20 0 0 to 2 %d:8 %d:12 from 2 %d %d", left, right, left, right);
    MPI_Neighbor_alltoallw(out, twos, byte_at, (MPI_Datatype[]){MPI_INT, MPI_CHAR}, in, (int[]){3, 2}, byte_at,
                           (MPI_Datatype[]){MPI_CHAR, MPI_INT}, ring);
    expect("Neighbor_alltoallw c1 -1 11 0 0 to 2 %d:8 %d:3 from 2 %d %d", left, right, left, right);
    MPI_Ineighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, ring, &r);
    expect("Ineighbor_allgather c1 -1 8 0 %d to 2 %d:8 %d:8 from 2 %d %d", ++q, left, right, left, right);
    DONE(8);
    MPI_Ineighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring, &r);
    expect("Ineighbor_alltoall c1 -1 8 0 %d to 2 %d:8 %d:8 from 2 %d %d", ++q, left, right, left, right);
    DONE(8);
    MPI_Ineighbor_allgatherv(out, 1, MPI_INT, in, ones, at, MPI_INT, ring, &r);
    expect("Ineighbor_allgatherv c1 -1 4 0 %d to 2 %d:4 %d:4 from 2 %d %d", ++q, left, right, left, right);
    DONE(4);
    MPI_Ineighbor_alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, ring, &r);
    expect("Ineighbor_alltoallv c1 -1 8 0 %d to 2 %d:4 %d:4 from 2 %d %d", ++q, left, right, left, right);
    DONE(8);
    MPI_Ineighbor_alltoallw(out, ones, byte_at, types, in, ones, byte_at, types, ring, &r);
    expect("Ineighbor_alltoallw c1 -1 8 0 %d to 2 %d:4 %d:4 from 2 %d %d", ++q, left, right, left, right);
    DONE(8);

    /* A line: its ends have one neighbour, and the sizes go with the place in the topology. */
    MPI_Cart_create(WORLD, 1, (int[]){4}, (int[]){0}, 0, &line);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Neighbor_alltoallv(out, twos, two_at, MPI_INT, in, (int[]){3, 2}, two_at, MPI_INT, line);
    expect("C c2 4 0 1 2 3");
    if (rank == 0)
        expect("Neighbor_alltoallv c2 -1 12 0 0 to 1 1:12 from 1 1");
    else if (rank == 3)
        expect("Neighbor_alltoallv c2 -1 8 0 0 to 1 2:8 from 1 2");
    else
        expect("Neighbor_alltoallv c2 -1 20 0 0 to 2 %d:8 %d:12 from 2 %d %d", left, right, left, right);

    /* A star around rank 0, and a ring in one direction. */
    MPI_Graph_create(WORLD, 4, (int[]){3, 4, 5, 6}, (int[]){1, 2, 3, 0, 0, 0}, 0, &graph);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph);
    expect("C c3 4 0 1 2 3");
    expect(rank == 0 ? "Neighbor_alltoall c3 -1 4 0 0 to 3 1:4 2:4 3:4 from 3 1 2 3"
                     : "Neighbor_alltoall c3 -1 4 0 0 to 1 0:4 from 1 0");
    MPI_Dist_graph_create_adjacent(WORLD, 1, &left, (int[]){1}, 1, &right, (int[]){1}, MPI_INFO_NULL, 0,
                                   &distributed);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Neighbor_allgather(out, 5, MPI_CHAR, in, 5, MPI_CHAR, distributed);
    expect("C c4 4 0 1 2 3");
    expect("Neighbor_allgather c4 -1 5 0 0 to 1 %d:5 from 1 %d", right, left);
    /* Not Dist_graph_create: Open MPI 4.1.4 at times never returns from it, recorded or not. */
}

static void communicators(void) {
    MPI_Comm few, copies[2], half;
    MPI_Group group, some;
    /* Made by its members alone: they agree within the new communicator. */
    MPI_Comm_group(WORLD, &group);
    MPI_Group_incl(group, 3, (int[]){3, 1, 0}, &some);
    int c = 5;
    if (rank != 2) {
        MPI_Comm_create_group(WORLD, some, 9, &few);
        expect("C c5 3 3 1 0");
        expect("Comm_split c5 -1 0 0 0");
        MPI_Bcast(out, 1, MPI_INT, 0, few);
        expect("Bcast c5 3 4 0 0");
        c++;
    }
    /* Two at once: each has a name of its own, the same on all ranks. */
    MPI_Request both[2];
    MPI_Comm_idup(WORLD, &copies[0], &both[0]);
    expect("Comm_idup c0 -1 0 0 %d", ++q);
    MPI_Comm_idup(WORLD, &copies[1], &both[1]);
    expect("Comm_idup c0 -1 0 0 %d", ++q);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    expect("T %d -1 0 0", q - 1);
    expect("T %d -1 0 0", q);
    MPI_Barrier(copies[0]);
    expect("C c%d 4 0 1 2 3", c);
    expect("Barrier c%d -1 0 0 0", c++);
    MPI_Barrier(copies[1]);
    expect("C c%d 4 0 1 2 3", c);
    expect("Barrier c%d -1 0 0 0", c++);
    /* Rank 2 has neither half. */
    MPI_Comm_split(WORLD, rank == 2 ? MPI_UNDEFINED : 1, rank, &half);
    expect("Comm_split c0 -1 0 %d 0", rank == 2 ? MPI_UNDEFINED : 1);
}

int main(int argc, char **argv) {
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    left = (rank + 3) % 4;
    right = (rank + 1) % 4;
    own = counts[rank];
    expect_open(argv[1], rank, ranks);
    blocking();
    non_blocking();
    neighbours();
    communicators();
    expect("FIN");
    fclose(expected);
    MPI_Finalize();
    return 0;
}
