/* Makes every call that ends in a record the reader knows, on 4 ranks, and writes down the records it expects. */
#include "expect.h"
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define SOME 64

static int rank, left, right;
/* Number of the request opened last. */
static int q;
static int in[4 * SOME], out[4 * SOME];
static MPI_Status status;

static void blocking_messages(void) {
    int even = rank % 2 == 0, found = 0;
    static char buffer[4096 + MPI_BSEND_OVERHEAD];
    MPI_Message message;
    /* One send of each kind to the right neighbour, the receives take any source or a larger buffer. */
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int turn = 0; turn < 2; turn++) {
        if (even == (turn == 0)) {
            MPI_Send(out, 10, MPI_INT, right, 1, WORLD);
            expect("Send c0 %d 40 1 0", right);
            MPI_Ssend(out, 3, MPI_DOUBLE, right, 2, WORLD);
            expect("Ssend c0 %d 24 2 0", right);
            MPI_Bsend(out, 7, MPI_CHAR, right, 3, WORLD);
            expect("Send c0 %d 7 3 0", right);
        } else {
            MPI_Recv(in, SOME, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, MPI_STATUS_IGNORE);
            expect("Recv c0 %d 40 1 0 s", left);
            MPI_Recv(in, SOME, MPI_INT, left, MPI_ANY_TAG, WORLD, &status);
            expect("Recv c0 %d 24 2 0 t", left);
            MPI_Recv(in, SOME, MPI_CHAR, left, 3, WORLD, &status);
            expect("Recv c0 %d 7 3 0 -", left);
        }
    }
    MPI_Buffer_detach(&(void *){NULL}, &(int){0});
    /* No process on the other side; an empty message. */
    MPI_Send(out, 10, MPI_INT, MPI_PROC_NULL, 4, WORLD);
    expect("Send c0 -2 40 4 0");
    MPI_Recv(in, SOME, MPI_INT, MPI_PROC_NULL, 4, WORLD, &status);
    expect("Recv c0 -2 0 -1 0 -");

    MPI_Sendrecv(out, 5, MPI_INT, right, 5, in, SOME, MPI_INT, MPI_ANY_SOURCE, 5, WORLD, MPI_STATUS_IGNORE);
    expect("SendrecvS c0 %d 20 5 0", right);
    expect("SendrecvR c0 %d 20 5 0 s", left);
    MPI_Sendrecv(out, 0, MPI_INT, left, 6, in, SOME, MPI_INT, right, MPI_ANY_TAG, WORLD, &status);
    expect("SendrecvS c0 %d 0 6 0", left);
    expect("SendrecvR c0 %d 0 6 0 t", right);
    MPI_Sendrecv_replace(out, 9, MPI_SHORT, right, 7, left, 7, WORLD, &status);
    expect("SendrecvS c0 %d 18 7 0", right);
    expect("SendrecvR c0 %d 18 7 0 -", left);

    /* Probes, each followed by its receive. */
    MPI_Send(out, 11, MPI_BYTE, right, 8, WORLD);
    expect("Send c0 %d 11 8 0", right);
    MPI_Probe(MPI_ANY_SOURCE, 8, WORLD, MPI_STATUS_IGNORE);
    expect("Probe c0 %d 11 8 0 s", left);
    MPI_Recv(in, SOME, MPI_BYTE, left, 8, WORLD, MPI_STATUS_IGNORE);
    expect("Recv c0 %d 11 8 0 -", left);
    MPI_Send(out, 12, MPI_BYTE, right, 9, WORLD);
    expect("Send c0 %d 12 9 0", right);
    while (!found) MPI_Iprobe(left, MPI_ANY_TAG, WORLD, &found, MPI_STATUS_IGNORE);
    expect("Iprobe c0 %d 12 9 0 t", left);
    MPI_Recv(in, SOME, MPI_BYTE, left, 9, WORLD, MPI_STATUS_IGNORE);
    expect("Recv c0 %d 12 9 0 -", left);
    MPI_Send(out, 13, MPI_BYTE, right, 10, WORLD);
    expect("Send c0 %d 13 10 0", right);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &message, &status);
    expect("Probe c0 %d 13 10 0 st", left);
    MPI_Mrecv(in, SOME, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    expect("Recv c0 %d 13 10 0 st", left);
    MPI_Send(out, 14, MPI_BYTE, right, 11, WORLD);
    expect("Send c0 %d 14 11 0", right);
    for (found = 0; !found;) MPI_Improbe(left, 11, WORLD, &found, &message, &status);
    expect("Iprobe c0 %d 14 11 0 -", left);
    MPI_Request request;
    MPI_Imrecv(in, SOME, MPI_BYTE, &message, &request);
    expect("Irecv c0 %d 64 11 %d", left, ++q);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("T %d %d 11 14", q, left);
}

static void requests(void) {
    MPI_Request r[6];
    int done, index, indices[2];
    static char buffer[4096 + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(buffer, sizeof buffer);
    /* Receives are open before a barrier, so that ready sends are allowed. */
    MPI_Irecv(in, SOME, MPI_INT, MPI_ANY_SOURCE, 21, WORLD, &r[0]);
    expect("Irecv c0 -1 256 21 %d", q + 1);
    MPI_Irecv(in + SOME, SOME, MPI_INT, left, MPI_ANY_TAG, WORLD, &r[1]);
    expect("Irecv c0 %d 256 -1 %d", left, q + 2);
    MPI_Barrier(WORLD);
    expect("Barrier c0 -1 0 0 0");
    MPI_Rsend(out, 1, MPI_INT, right, 21, WORLD);
    expect("Send c0 %d 4 21 0", right);
    MPI_Irsend(out, 2, MPI_INT, right, 22, WORLD, &r[2]);
    expect("Isend c0 %d 8 22 %d", right, q + 3);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    expect("T %d %d 21 4", q + 1, left);
    expect("T %d %d 22 8", q + 2, left);
    expect("T %d -1 22 8", q + 3);
    q += 3;
    /* Finished requests complete only once; many open at once, some sharing a handle inside the MPI library. */
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    MPI_Isend(out, 3, MPI_INT, right, 23, WORLD, &r[0]);
    expect("Isend c0 %d 12 23 %d", right, q + 1);
    MPI_Isend(out, 4, MPI_INT, right, 24, WORLD, &r[1]);
    expect("Isend c0 %d 16 24 %d", right, q + 2);
    MPI_Issend(out, 5, MPI_INT, right, 25, WORLD, &r[2]);
    expect("Issend c0 %d 20 25 %d", right, q + 3);
    MPI_Ibsend(out, 6, MPI_INT, right, 26, WORLD, &r[3]);
    expect("Isend c0 %d 24 26 %d", right, q + 4);
    MPI_Irecv(in, SOME, MPI_INT, left, 23, WORLD, &r[4]);
    expect("Irecv c0 %d 256 23 %d", left, q + 5);
    MPI_Irecv(in + SOME, SOME, MPI_INT, left, 24, WORLD, &r[5]);
    expect("Irecv c0 %d 256 24 %d", left, q + 6);
    MPI_Wait(&r[5], &status);
    expect("T %d %d 24 16", q + 6, left);
    for (done = 0; !done;) MPI_Test(&r[4], &done, MPI_STATUS_IGNORE);
    expect("P %d %d 23 12", q + 5, left);
    MPI_Recv(in, SOME, MPI_INT, left, 25, WORLD, MPI_STATUS_IGNORE);
    expect("Recv c0 %d 20 25 0 -", left);
    MPI_Recv(in, SOME, MPI_INT, left, 26, WORLD, MPI_STATUS_IGNORE);
    expect("Recv c0 %d 24 26 0 -", left);
    for (done = 0; !done;) MPI_Testall(4, r, &done, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 4; i++) expect("P %d -1 %d %d", q + 1 + i, 23 + i, 12 + 4 * i);
    q += 6;
    /* One open request at a time for the calls that choose. */
    for (int way = 0; way < 4; way++) {
        r[0] = MPI_REQUEST_NULL;
        MPI_Irecv(in, SOME, MPI_INT, left, 30 + way, WORLD, &r[1]);
        expect("Irecv c0 %d 256 %d %d", left, 30 + way, ++q);
        MPI_Send(out, 1 + way, MPI_INT, right, 30 + way, WORLD);
        expect("Send c0 %d %d %d 0", right, 4 + 4 * way, 30 + way);
        if (way == 0) MPI_Waitany(2, r, &index, MPI_STATUS_IGNORE);
        if (way == 1) MPI_Waitsome(2, r, &index, indices, MPI_STATUSES_IGNORE);
        if (way == 2)
            for (done = 0; !done;) {
                MPI_Request_get_status(r[1], &done, MPI_STATUS_IGNORE);
                MPI_Testany(2, r, &index, &done, &status);
            }
        if (way == 3)
            for (done = 0; !done;) MPI_Testsome(2, r, &done, indices, MPI_STATUSES_IGNORE);
        expect("%s %d %d %d %d", way < 2 ? "T" : "P", q, left, 30 + way, 4 + 4 * way);
    }
    /* Freed without a completion; cancelled. */
    MPI_Isend(out, 1, MPI_INT, right, 40, WORLD, &r[0]);
    expect("Isend c0 %d 4 40 %d", right, ++q);
    MPI_Request_free(&r[0]);
    MPI_Recv(in, SOME, MPI_INT, left, 40, WORLD, MPI_STATUS_IGNORE);
    expect("Recv c0 %d 4 40 0 -", left);
    MPI_Irecv(in, SOME, MPI_INT, left, 41, WORLD, &r[0]);
    expect("Irecv c0 %d 256 41 %d", left, ++q);
    MPI_Cancel(&r[0]);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    expect("T %d -1 41 0", q);
    MPI_Irecv(in, SOME, MPI_INT, MPI_PROC_NULL, 42, WORLD, &r[0]);
    expect("Irecv c0 -2 256 42 %d", ++q);
    MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    expect("T %d -2 -1 0", q);
    /* A message to itself, and one of more than 64 KiB, which waits for its receiver. */
    static char big[2][100000];
    MPI_Irecv(in, SOME, MPI_INT, rank, 43, WORLD, &r[0]);
    expect("Irecv c0 %d 256 43 %d", rank, q + 1);
    MPI_Irecv(big[0], sizeof big[0], MPI_CHAR, left, 44, WORLD, &r[1]);
    expect("Irecv c0 %d 100000 44 %d", left, q + 2);
    MPI_Send(out, 1, MPI_INT, rank, 43, WORLD);
    expect("Send c0 %d 4 43 0", rank);
    MPI_Isend(big[1], sizeof big[1], MPI_CHAR, right, 44, WORLD, &r[2]);
    expect("Isend c0 %d 100000 44 %d", right, q + 3);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    expect("T %d %d 43 4", q + 1, rank);
    expect("T %d %d 44 100000", q + 2, left);
    expect("T %d -1 44 100000", q + 3);
    q += 3;
    MPI_Buffer_detach(&(void *){NULL}, &(int){0});
}

static void persistent_requests(void) {
    MPI_Request r[5];
    static char buffer[4096 + MPI_BSEND_OVERHEAD];
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Recv_init(in, SOME, MPI_INT, left, MPI_ANY_TAG, WORLD, &r[0]);
    MPI_Send_init(out, 2, MPI_INT, right, 51, WORLD, &r[1]);
    MPI_Ssend_init(out, 3, MPI_INT, right, 52, WORLD, &r[2]);
    MPI_Bsend_init(out, 4, MPI_INT, right, 53, WORLD, &r[3]);
    MPI_Rsend_init(out, 5, MPI_INT, right, 54, WORLD, &r[4]);
    for (int round = 0; round < 2; round++) {
        for (int i = 1; i < 5; i++) {
            MPI_Start(&r[0]);
            expect("Irecv c0 %d 256 -1 %d", left, ++q);
            MPI_Barrier(WORLD);
            expect("Barrier c0 -1 0 0 0");
            MPI_Startall(1, &r[i]);
            expect("%s c0 %d %d %d %d", i == 2 ? "Issend" : "Isend", right, 4 + 4 * i, 50 + i, ++q);
            MPI_Wait(&r[0], MPI_STATUS_IGNORE);
            expect("T %d %d %d %d", q - 1, left, 50 + i, 4 + 4 * i);
            MPI_Waitall(5, r, MPI_STATUSES_IGNORE);
            expect("T %d -1 %d %d", q, 50 + i, 4 + 4 * i);
        }
    }
    for (int i = 0; i < 5; i++) MPI_Request_free(&r[i]);
    MPI_Buffer_detach(&(void *){NULL}, &(int){0});
}

static void collectives(void) {
    int counts[4] = {1, 2, 3, 4}, places[4] = {0, 1, 3, 6};
    MPI_Bcast(out, 10, MPI_INT, 2, WORLD);
    expect("Bcast c0 2 40 0 0");
    MPI_Reduce(out, in, 11, MPI_INT, MPI_SUM, 1, WORLD);
    expect("Reduce c0 1 44 0 0");
    MPI_Allreduce(out, in, 12, MPI_INT, MPI_MAX, WORLD);
    expect("Allreduce c0 -1 48 0 0");
    MPI_Allreduce(MPI_IN_PLACE, in, 1, MPI_DOUBLE_INT, MPI_MAXLOC, WORLD);
    expect("Allreduce c0 -1 12 0 0");
    MPI_Gather(rank == 3 ? MPI_IN_PLACE : out, 5, MPI_INT, in, 5, MPI_INT, 3, WORLD);
    expect("Gather c0 3 20 0 0");
    MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : out, counts[rank], MPI_INT, in, counts, places, MPI_INT, 0, WORLD);
    /* The root alone knows the sizes. */
    expect("Gatherv c0 0 %d 0 0%s", 4 * counts[rank], rank == 0 ? " n 4 4 8 12 16" : "");
    MPI_Scatter(out, 6, MPI_INT, rank == 1 ? MPI_IN_PLACE : in, 6, MPI_INT, 1, WORLD);
    expect("Scatter c0 1 24 0 0");
    MPI_Scatterv(out, counts, places, MPI_INT, in, counts[rank], MPI_INT, 3, WORLD);
    expect("Scatterv c0 3 %d 0 0%s", 4 * counts[rank], rank == 3 ? " n 4 4 8 12 16" : "");
    MPI_Allgather(out, 7, MPI_INT, in, 7, MPI_INT, WORLD);
    expect("Allgather c0 -1 28 0 0");
    MPI_Alltoall(out, 8, MPI_INT, in, 8, MPI_INT, WORLD);
    expect("Alltoall c0 -1 32 0 0");
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 9, MPI_INT, WORLD);
    expect("Alltoall c0 -1 36 0 0");
    MPI_Barrier(WORLD);
    expect("Barrier c0 -1 0 0 0");
}

static void communicators(void) {
    MPI_Comm half, copy, copied_with_info, grid, row, few, node, graph;
    MPI_Group world, group;
    /* 0 and 2, 1 and 3, in reverse order. */
    MPI_Comm_split(WORLD, rank % 2, -rank, &half);
    expect("Comm_split c0 -1 0 %d 0", rank % 2);
    MPI_Bcast(out, 1, MPI_INT, 0, half);
    expect("C c1 2 %d %d", 2 + rank % 2, rank % 2);
    expect("Bcast c1 %d 4 0 0", 2 + rank % 2);
    MPI_Sendrecv(out, 2, MPI_INT, rank < 2 ? 0 : 1, 61, in, SOME, MPI_INT, MPI_ANY_SOURCE, 61, half, &status);
    expect("SendrecvS c1 %d 8 61 0", (rank + 2) % 4);
    expect("SendrecvR c1 %d 8 61 0 s", (rank + 2) % 4);
    /* The completion's source counts within the communicator. */
    MPI_Request request;
    MPI_Irecv(in, SOME, MPI_INT, MPI_ANY_SOURCE, 62, half, &request);
    expect("Irecv c1 -1 256 62 %d", ++q);
    MPI_Send(out, 3, MPI_INT, rank < 2 ? 0 : 1, 62, half);
    expect("Send c1 %d 12 62 0", (rank + 2) % 4);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect("T %d %d 62 12", q, rank < 2 ? 0 : 1);
    MPI_Comm_free(&half);

    /* The same members, but messages of a duplicate never meet those of the original: received in the other order. */
    MPI_Comm_dup(WORLD, &copy);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Send(out, 1, MPI_INT, right, 63, WORLD);
    expect("Send c0 %d 4 63 0", right);
    MPI_Send(out, 2, MPI_INT, right, 63, copy);
    expect("C c2 4 0 1 2 3");
    expect("Send c2 %d 8 63 0", right);
    MPI_Recv(in, SOME, MPI_INT, left, 63, copy, MPI_STATUS_IGNORE);
    expect("Recv c2 %d 8 63 0 -", left);
    MPI_Recv(in, SOME, MPI_INT, left, 63, WORLD, MPI_STATUS_IGNORE);
    expect("Recv c0 %d 4 63 0 -", left);
    MPI_Comm_dup_with_info(copy, MPI_INFO_NULL, &copied_with_info);
    expect("Comm_split c2 -1 0 0 0");

    /* A grid of 2 x 2; its rows are 0 and 1, 2 and 3. */
    MPI_Cart_create(WORLD, 2, (int[]){2, 2}, (int[]){0, 0}, 0, &grid);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    expect("C c3 4 0 1 2 3");
    expect("Comm_split c3 -1 0 0 0");
    MPI_Barrier(row);
    expect("C c4 2 %d %d", rank / 2 * 2, rank / 2 * 2 + 1);
    expect("Barrier c4 -1 0 0 0");

    /* Not a member: no communicator. */
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 3, (int[]){3, 1, 0}, &group);
    MPI_Comm_create(WORLD, group, &few);
    expect("Comm_split c0 -1 0 0 0");
    if (rank != 2) {
        MPI_Reduce(out, in, 2, MPI_INT, MPI_SUM, 0, few);
        expect("C c5 3 3 1 0");
        expect("Reduce c5 3 8 0 0");
    }
    MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Graph_create(WORLD, 4, (int[]){1, 2, 3, 4}, (int[]){1, 2, 3, 0}, 0, &graph);
    expect("Comm_split c0 -1 0 0 0");
    MPI_Barrier(graph);
    expect("C c%d 4 0 1 2 3", rank == 2 ? 5 : 6);
    expect("Barrier c%d -1 0 0 0", rank == 2 ? 5 : 6);
    MPI_Barrier(MPI_COMM_SELF);
    expect("C c%d 1 %d", rank == 2 ? 6 : 7, rank);
    expect("Barrier c%d -1 0 0 0", rank == 2 ? 6 : 7);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_disconnect(&copied_with_info);
}

int main(int argc, char **argv) {
    int ranks, provided;
    if (argc == 3 && strcmp(argv[2], "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    left = (rank + 3) % 4;
    right = (rank + 1) % 4;
    expect_open(argv[1], rank, ranks);
    blocking_messages();
    requests();
    persistent_requests();
    collectives();
    communicators();
    expect("FIN");
    fclose(expected);
    MPI_Finalize();
    return 0;
}
