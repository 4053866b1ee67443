/* Makes the calls whose records the reader refuses, on 4 ranks, and writes down the records it expects. */
#include "expect.h"

#define WORLD MPI_COMM_WORLD

static int in[64], out[64];

int main(int argc, char **argv) {
    int rank, ranks, q = 0;
    MPI_Request r;
    MPI_Comm made, halves, between;
    MPI_Win window;
    void *base;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    expect_open(argv[1], rank, ranks);

    /* Between 0, 2 and 1, 3: the group with rank 0 comes first on both sides, and peers are in the other group. */
    MPI_Comm_split(WORLD, rank % 2, rank, &halves);
    expect("Comm_split c0 -1 0 %d 0", rank % 2);
    MPI_Intercomm_create(halves, 0, WORLD, 1 - rank % 2, 10, &between);
    expect("C c1 2 %d %d", rank % 2, rank % 2 + 2);
    expect("Intercomm_create c1 -1 0 0 0");
    MPI_Irecv(in, 64, MPI_INT, rank / 2, 11, between, &r);
    expect("C c2 4 0 2 1 3");
    int partner = rank ^ 1;
    expect("Irecv c2 %d 256 11 %d", partner, ++q);
    MPI_Send(out, 3, MPI_INT, rank / 2, 11, between);
    expect("Send c2 %d 12 11 0", partner);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    expect("T %d %d 11 12", q, rank / 2 + (rank % 2 == 0 ? 2 : 0));
    MPI_Barrier(between);
    expect("Barrier_between_groups c2 -1 0 0 0");
    MPI_Intercomm_merge(between, rank % 2, &made);
    /* Those of rank 0 come first, in the other group's log as well. */
    expect("C c3 4 0 2 1 3");
    expect("Comm_split c3 -1 0 0 0");

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
