/* Makes the calls whose records the reader refuses, on 4 ranks, and writes down the records it expects. */
#include "expect.h"

#define WORLD MPI_COMM_WORLD
#define OPENED(text, ...)                                                                                             \
    expect(text " %d", __VA_ARGS__, ++q);                                                                             \
    MPI_Wait(&r, MPI_STATUS_IGNORE)

static int in[64], out[64];

int main(int argc, char **argv) {
    int rank, ranks, q = 0;
    MPI_Request r;
    MPI_Comm made, grid, halves, between;
    MPI_Group group;
    MPI_Win window;
    void *base;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    expect_open(argv[1], rank, ranks);
    int counts[4] = {1, 2, 3, 4}, places[4] = {0, 1, 3, 6}, own = counts[rank];
    int all_own[4] = {own, own, own, own}, all_places[4] = {0, 4, 8, 12};
    int bytes[4] = {0, 16, 32, 48}, in_bytes[4] = {0, 4, 12, 24};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};

    MPI_Allgatherv(out, own, MPI_INT, in, counts, places, MPI_INT, WORLD);
    expect("Allgatherv c0 -1 %d 0 0", 4 * own);
    MPI_Alltoallv(out, counts, places, MPI_INT, in, all_own, all_places, MPI_INT, WORLD);
    expect("Alltoallv c0 -1 40 0 0");
    MPI_Alltoallw(out, counts, in_bytes, types, in, all_own, bytes, types, WORLD);
    expect("Alltoallw c0 -1 40 0 0");
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, WORLD);
    expect("Reduce_scatter c0 -1 40 0 0");
    MPI_Reduce_scatter_block(out, in, 3, MPI_INT, MPI_SUM, WORLD);
    expect("Reduce_scatter_block c0 -1 12 0 0");
    MPI_Scan(out, in, 4, MPI_INT, MPI_SUM, WORLD);
    expect("Scan c0 -1 16 0 0");
    MPI_Exscan(out, in, 5, MPI_INT, MPI_SUM, WORLD);
    expect("Exscan c0 -1 20 0 0");

    /* Non-blocking ones carry a request; its completion follows. */
#define DONE(size) expect("T %d -1 0 %d", q, size)
    MPI_Ibarrier(WORLD, &r);
    OPENED("Ibarrier c0 %d 0 0", -1);
    DONE(0);
    MPI_Ibcast(out, 2, MPI_INT, 1, WORLD, &r);
    OPENED("Ibcast c0 1 %d 0", 8);
    DONE(8);
    MPI_Ireduce(out, in, 3, MPI_INT, MPI_SUM, 2, WORLD, &r);
    OPENED("Ireduce c0 2 %d 0", 12);
    DONE(12);
    MPI_Iallreduce(out, in, 4, MPI_INT, MPI_SUM, WORLD, &r);
    OPENED("Iallreduce c0 -1 %d 0", 16);
    DONE(16);
    MPI_Iscan(out, in, 4, MPI_INT, MPI_SUM, WORLD, &r);
    OPENED("Iscan c0 -1 %d 0", 16);
    DONE(16);
    MPI_Iexscan(out, in, 4, MPI_INT, MPI_SUM, WORLD, &r);
    OPENED("Iexscan c0 -1 %d 0", 16);
    DONE(16);
    MPI_Igather(out, 5, MPI_INT, in, 5, MPI_INT, 0, WORLD, &r);
    OPENED("Igather c0 0 %d 0", 20);
    DONE(20);
    MPI_Igatherv(out, own, MPI_INT, in, counts, places, MPI_INT, 0, WORLD, &r);
    OPENED("Igatherv c0 0 %d 0", 4 * own);
    DONE(4 * own);
    MPI_Iscatter(out, 6, MPI_INT, in, 6, MPI_INT, 3, WORLD, &r);
    OPENED("Iscatter c0 3 %d 0", 24);
    DONE(24);
    MPI_Iscatterv(out, counts, places, MPI_INT, in, own, MPI_INT, 0, WORLD, &r);
    OPENED("Iscatterv c0 0 %d 0", 4 * own);
    DONE(4 * own);
    MPI_Iallgather(out, 7, MPI_INT, in, 7, MPI_INT, WORLD, &r);
    OPENED("Iallgather c0 -1 %d 0", 28);
    DONE(28);
    MPI_Iallgatherv(out, own, MPI_INT, in, counts, places, MPI_INT, WORLD, &r);
    OPENED("Iallgatherv c0 -1 %d 0", 4 * own);
    DONE(4 * own);
    MPI_Ialltoall(out, 8, MPI_INT, in, 8, MPI_INT, WORLD, &r);
    OPENED("Ialltoall c0 -1 %d 0", 32);
    DONE(32);
    MPI_Ialltoallv(out, counts, places, MPI_INT, in, all_own, all_places, MPI_INT, WORLD, &r);
    OPENED("Ialltoallv c0 -1 %d 0", 40);
    DONE(40);
    MPI_Ialltoallw(out, counts, in_bytes, types, in, all_own, bytes, types, WORLD, &r);
    OPENED("Ialltoallw c0 -1 %d 0", 40);
    DONE(40);
    MPI_Ireduce_scatter(out, in, counts, MPI_INT, MPI_SUM, WORLD, &r);
    OPENED("Ireduce_scatter c0 -1 %d 0", 40);
    DONE(40);
    MPI_Ireduce_scatter_block(out, in, 3, MPI_INT, MPI_SUM, WORLD, &r);
    OPENED("Ireduce_scatter_block c0 -1 %d 0", 12);
    DONE(12);

    /* A ring: two neighbours each. */
    MPI_Cart_create(WORLD, 1, (int[]){4}, (int[]){1}, 0, &grid);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, grid);
    expect("C c1 4 0 1 2 3");
    expect("Neighbor_allgather c1 -1 8 0 0");
    MPI_Neighbor_alltoall(out, 3, MPI_INT, in, 3, MPI_INT, grid);
    expect("Neighbor_alltoall c1 -1 12 0 0");
    MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, (int[]){1, 1}, (int[]){0, 1}, MPI_INT, grid);
    expect("Neighbor_allgatherv c1 -1 4 0 0");
    MPI_Neighbor_alltoallv(out, (int[]){1, 1}, (int[]){0, 1}, MPI_INT, in, (int[]){1, 1}, (int[]){0, 1}, MPI_INT, grid);
    expect("Neighbor_alltoallv c1 -1 0 0 0");
    MPI_Neighbor_alltoallw(out, (int[]){1, 1}, (MPI_Aint[]){0, 4}, types, in, (int[]){1, 1}, (MPI_Aint[]){0, 4}, types,
                           grid);
    expect("Neighbor_alltoallw c1 -1 0 0 0");
    MPI_Ineighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, grid, &r);
    OPENED("Ineighbor_allgather c1 -1 %d 0", 8);
    DONE(8);
    MPI_Ineighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, grid, &r);
    OPENED("Ineighbor_alltoall c1 -1 %d 0", 8);
    DONE(8);
    MPI_Ineighbor_allgatherv(out, 1, MPI_INT, in, (int[]){1, 1}, (int[]){0, 1}, MPI_INT, grid, &r);
    OPENED("Ineighbor_allgatherv c1 -1 %d 0", 4);
    DONE(4);
    static const int ones[2] = {1, 1}, at[2] = {0, 1};
    static const MPI_Aint byte_at[2] = {0, 4};
    MPI_Ineighbor_alltoallv(out, ones, at, MPI_INT, in, ones, at, MPI_INT, grid, &r);
    OPENED("Ineighbor_alltoallv c1 -1 %d 0", 0);
    DONE(0);
    MPI_Ineighbor_alltoallw(out, ones, byte_at, types, in, ones, byte_at, types, grid, &r);
    OPENED("Ineighbor_alltoallw c1 -1 %d 0", 0);
    DONE(0);

    /* Communicators made in other ways. */
    MPI_Comm_group(WORLD, &group);
    MPI_Comm_create_group(WORLD, group, 9, &made);
    expect("Comm_create_group c0 -1 0 0 0");
    MPI_Dist_graph_create_adjacent(WORLD, 1, (int[]){rank}, (int[]){1}, 1, (int[]){rank}, (int[]){1},
                                   MPI_INFO_NULL, 0, &made);
    expect("Dist_graph_create_adjacent c0 -1 0 0 0");
    /* Not Dist_graph_create: Open MPI 4.1.4 at times never returns from it, recorded or not. */
    MPI_Comm_idup(WORLD, &made, &r);
    OPENED("Comm_idup c0 -1 %d 0", 0);
    DONE(0);
    /* Between 0, 2 and 1, 3: the group with rank 0 comes first on both sides, and peers are in the other group. */
    MPI_Comm_split(WORLD, rank % 2, rank, &halves);
    expect("Comm_split c0 -1 0 %d 0", rank % 2);
    MPI_Intercomm_create(halves, 0, WORLD, 1 - rank % 2, 10, &between);
    expect("C c2 2 %d %d", rank % 2, rank % 2 + 2);
    expect("Intercomm_create c2 -1 0 0 0");
    MPI_Irecv(in, 64, MPI_INT, rank / 2, 11, between, &r);
    expect("C c3 4 0 2 1 3");
    int partner = rank ^ 1;
    expect("Irecv c3 %d 256 11 %d", partner, ++q);
    MPI_Send(out, 3, MPI_INT, rank / 2, 11, between);
    expect("Send c3 %d 12 11 0", partner);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    expect("T %d %d 11 12", q, rank / 2 + (rank % 2 == 0 ? 2 : 0));
    MPI_Barrier(between);
    expect("Barrier_between_groups c3 -1 0 0 0");
    MPI_Intercomm_merge(between, rank % 2, &made);
    expect("Intercomm_merge_between_groups c3 -1 0 0 0");

    MPI_Win_create(out, sizeof out, 1, MPI_INFO_NULL, WORLD, &window);
    expect("Win_create c0 -1 0 0 0");
    MPI_Win_free(&window);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, WORLD, &base, &window);
    expect("Win_allocate c0 -1 0 0 0");
    MPI_Win_free(&window);
    MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, WORLD, &base, &window);
    expect("Win_allocate_shared c0 -1 0 0 0");
    MPI_Win_free(&window);
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &window);
    expect("Win_create_dynamic c0 -1 0 0 0");
    MPI_Win_free(&window);
    expect("FIN");
    fclose(expected);
    MPI_Finalize();
    return 0;
}
