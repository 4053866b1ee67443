/* The main calls of Fortran.
 *
 * Open MPI's Fortran calls go straight to PMPI, past the wrappers of C, so they have wrappers of their own. `mpi_x_`
 * is what mpif.h and `use mpi` call with gfortran's names, `ompi_x_f` what most calls of `use mpi_f08` end in. Arguments are passed
 * on as they are; only the record looks at them. A program without Fortran has no `pmpi_x_`: hence weak. */

typedef MPI_Fint F;

#define TYPE(f) PMPI_Type_f2c(*(f))
#define COMM(f) PMPI_Comm_f2c(*(f))

/* Declares the real call and defines its wrapper. */
#define WRAPPER(wrapper, real, parameters, arguments, before, ...)                                                    \
    __attribute__((weak)) void real(parameters, F *error);                                                            \
    void wrapper(parameters, F *error) {                                                                              \
        F own_error;                                                                                                  \
        bool recorded = call_begin();                                                                                 \
        if (error == NULL) error = &own_error;                                                                        \
        before;                                                                                                       \
        real(arguments, error);                                                                                       \
        if (recorded && *error == MPI_SUCCESS) {                                                                      \
            lock_trace();                                                                                             \
            __VA_ARGS__;                                                                                              \
            unlock_trace();                                                                                           \
        }                                                                                                             \
        call_end(recorded);                                                                                           \
    }

#define FORTRAN(name, parameters, arguments, before, ...)                                                             \
    WRAPPER(mpi_##name##_, pmpi_##name##_, ARGUMENTS(parameters), ARGUMENTS(arguments), ARGUMENTS(before),            \
            __VA_ARGS__)                                                                                              \
    void ompi_##name##_f(parameters, F *error) __attribute__((alias("mpi_" #name "_")));

/* Calls with logical arguments, which mpi_f08 does not make through `ompi_x_f`; it may leave out the error. */
#define FORTRAN_LOGICAL(name, parameters, arguments, before, ...)                                                     \
    WRAPPER(mpi_##name##_, pmpi_##name##_, ARGUMENTS(parameters), ARGUMENTS(arguments), ARGUMENTS(before),            \
            __VA_ARGS__)                                                                                              \
    WRAPPER(mpi_##name##_f08_, pmpi_##name##_f08_, ARGUMENTS(parameters), ARGUMENTS(arguments), ARGUMENTS(before),    \
            __VA_ARGS__)

/* Integers of a status, and integers of Fortran that are read as those of C. */
#define F_STATUS (sizeof(MPI_Status) / sizeof(F))
_Static_assert(sizeof(F) == sizeof(int), "Fortran integers have the size of C's");

static MPI_Status status_of(const F *f) {
    MPI_Status status;
    PMPI_Status_f2c((F *)f, &status);
    return status;
}

#define OWN_STATUS                                                                                                    \
    F own[F_STATUS];                                                                                                  \
    if (status == MPI_F_STATUS_IGNORE) status = own
#define READ_STATUS MPI_Status c_status = status_of(status)

/* MPI_IN_PLACE is the address of a variable in Fortran; this is Open MPI's. */
extern __attribute__((weak)) F mpi_fortran_in_place_;

static const void *place_of(const void *data) {
    return &mpi_fortran_in_place_ != NULL && data == &mpi_fortran_in_place_ ? MPI_IN_PLACE : data;
}

/* ---- begin and end ---- */

__attribute__((weak)) void pmpi_init_(F *error);
__attribute__((weak)) void pmpi_init_thread_(F *required, F *provided, F *error);
__attribute__((weak)) void pmpi_finalize_(F *error);
__attribute__((weak)) void pmpi_abort_(F *comm, F *code, F *error);

void mpi_init_(F *error) {
    pmpi_init_(error);
    if (*error == MPI_SUCCESS) start_recording();
}
void ompi_init_f(F *error) __attribute__((alias("mpi_init_")));

void mpi_init_thread_(F *required, F *provided, F *error) {
    pmpi_init_thread_(required, provided, error);
    if (*error == MPI_SUCCESS) start_recording();
}
void ompi_init_thread_f(F *required, F *provided, F *error) __attribute__((alias("mpi_init_thread_")));

void mpi_finalize_(F *error) {
    stop_recording();
    pmpi_finalize_(error);
}
void ompi_finalize_f(F *error) __attribute__((alias("mpi_finalize_")));

void mpi_abort_(F *comm, F *code, F *error) {
    if (trace.open) flush_buffer();
    pmpi_abort_(comm, code, error);
}
void ompi_abort_f(F *comm, F *code, F *error) __attribute__((alias("mpi_abort_")));

/* ---- blocking messages ---- */

#define MESSAGE ARGUMENTS(void *data, F *count, F *type, F *peer, F *tag, F *comm)
#define MESSAGE_OUT ARGUMENTS(void *data, F *count, F *type, F *to, F *tag)
#define PASS_MESSAGE ARGUMENTS(data, count, type, peer, tag, comm)
#define NOTHING (void)0

#define F_SEND(name, operation)                                                                                       \
    FORTRAN(name, ARGUMENTS(MESSAGE), ARGUMENTS(PASS_MESSAGE), NOTHING,                                               \
            sent(operation, *count, TYPE(type), *peer, *tag, COMM(comm)))

F_SEND(send, "Send")
F_SEND(ssend, "Ssend")
F_SEND(bsend, "Send")
F_SEND(rsend, "Send")

FORTRAN(recv, ARGUMENTS(MESSAGE, F *status), ARGUMENTS(PASS_MESSAGE, status), OWN_STATUS, READ_STATUS;
        received("Recv", *peer, *tag, COMM(comm), &c_status))

FORTRAN(sendrecv,
        ARGUMENTS(MESSAGE_OUT, void *in, F *in_count, F *in_type, F *from, F *in_tag, F *comm, F *status),
        ARGUMENTS(data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status), OWN_STATUS,
        READ_STATUS;
        exchanged(payload(*count, TYPE(type)), *to, *tag, *from, *in_tag, COMM(comm), &c_status))

FORTRAN(sendrecv_replace, ARGUMENTS(MESSAGE_OUT, F *from, F *in_tag, F *comm, F *status),
        ARGUMENTS(data, count, type, to, tag, from, in_tag, comm, status), OWN_STATUS, READ_STATUS;
        exchanged(payload(*count, TYPE(type)), *to, *tag, *from, *in_tag, COMM(comm), &c_status))

FORTRAN(probe, ARGUMENTS(F *from, F *tag, F *comm, F *status), ARGUMENTS(from, tag, comm, status), OWN_STATUS,
        READ_STATUS;
        received("Probe", *from, *tag, COMM(comm), &c_status))

FORTRAN_LOGICAL(iprobe, ARGUMENTS(F *from, F *tag, F *comm, F *found, F *status),
        ARGUMENTS(from, tag, comm, found, status), OWN_STATUS; memset(own, 0, sizeof own), READ_STATUS;
        probed(*found, *from, *tag, COMM(comm), &c_status))

/* ---- requests ---- */

#define F_OPEN(name, how, operation)                                                                                  \
    FORTRAN(name, ARGUMENTS(MESSAGE, F *request), ARGUMENTS(PASS_MESSAGE, request), NOTHING,                          \
            MPI_Request handle = PMPI_Request_f2c(*request);                                                          \
            how(operation, *count, TYPE(type), *peer, *tag, COMM(comm), &handle))

F_OPEN(isend, opened, "Isend")
F_OPEN(issend, opened, "Issend")
F_OPEN(ibsend, opened, "Isend")
F_OPEN(irsend, opened, "Isend")
F_OPEN(irecv, opened, "Irecv")
F_OPEN(send_init, prepared, "Isend")
F_OPEN(ssend_init, prepared, "Issend")
F_OPEN(bsend_init, prepared, "Isend")
F_OPEN(rsend_init, prepared, "Isend")
F_OPEN(recv_init, prepared, "Irecv")


FORTRAN(start, ARGUMENTS(F *request), ARGUMENTS(request), NOTHING,
        MPI_Request handle = PMPI_Request_f2c(*request);
        started(1, &handle))

FORTRAN(startall, ARGUMENTS(F *count, F *requests), ARGUMENTS(count, requests), NOTHING,
        for (int i = 0; i < *count; i++) {
            MPI_Request handle = PMPI_Request_f2c(requests[i]);
            started(1, &handle);
        })

FORTRAN(cancel, ARGUMENTS(F *request), ARGUMENTS(request), NOTHING, cancelled(PMPI_Request_f2c(*request)))

FORTRAN(request_free, ARGUMENTS(F *request), ARGUMENTS(request),
        MPI_Request handle = PMPI_Request_f2c(*request);
        uint64_t bits = request_handle(handle), forget_request(bits))

static void keep_f_handles(int count, const F requests[]) {
    if (thread.depth != 1) return;
    keep_room(count);
    for (int i = 0; i < count; i++) kept.handles[i] = request_handle(PMPI_Request_f2c(requests[i]));
}

static F *kept_f_statuses(F *wanted) {
    bool ignored = wanted == MPI_F_STATUSES_IGNORE && thread.depth == 1 && kept.room > 0;
    return ignored ? (F *)kept.statuses : wanted;
}

static void completed_f(const char *way, int count, const F indices[], const F statuses[]) {
    for (int i = 0; i < count; i++) {
        MPI_Status status = status_of(statuses + (size_t)i * F_STATUS);
        complete_request(way, kept.handles[indices == NULL ? i : indices[i] - 1], &status);
    }
}

/* What was done of a call that may find nothing done. */
static void tested_f(int done, int count, const F indices[], const F statuses[]) {
    if (done)
        completed_f(TESTED, count, indices, statuses);
    else
        trace.tests++;
}

#define KEEP_ONE                                                                                                      \
    OWN_STATUS;                                                                                                       \
    keep_f_handles(1, request)
#define KEEP_ANY                                                                                                      \
    OWN_STATUS;                                                                                                       \
    keep_f_handles(*count, requests)
#define KEEP_ALL                                                                                                      \
    keep_f_handles(*count, requests);                                                                                 \
    statuses = kept_f_statuses(statuses)

FORTRAN(wait, ARGUMENTS(F *request, F *status), ARGUMENTS(request, status), KEEP_ONE, completed_f(WAITED, 1, NULL, status))

FORTRAN_LOGICAL(test, ARGUMENTS(F *request, F *done, F *status), ARGUMENTS(request, done, status), KEEP_ONE,
        tested_f(*done, 1, NULL, status))

FORTRAN(waitall, ARGUMENTS(F *count, F *requests, F *statuses), ARGUMENTS(count, requests, statuses), KEEP_ALL,
        completed_f(WAITED, *count, NULL, statuses))

FORTRAN_LOGICAL(testall, ARGUMENTS(F *count, F *requests, F *done, F *statuses), ARGUMENTS(count, requests, done, statuses),
        KEEP_ALL, tested_f(*done, *count, NULL, statuses))

FORTRAN(waitany, ARGUMENTS(F *count, F *requests, F *index, F *status), ARGUMENTS(count, requests, index, status),
        KEEP_ANY, completed_f(WAITED, *index != MPI_UNDEFINED, index, status))

FORTRAN_LOGICAL(testany, ARGUMENTS(F *count, F *requests, F *index, F *done, F *status),
        ARGUMENTS(count, requests, index, done, status), KEEP_ANY,
        tested_f(*done, *index != MPI_UNDEFINED, index, status))

FORTRAN(waitsome, ARGUMENTS(F *count, F *requests, F *done, F *indices, F *statuses),
        ARGUMENTS(count, requests, done, indices, statuses), KEEP_ALL,
        completed_f(WAITED, *done == MPI_UNDEFINED ? 0 : *done, indices, statuses))

FORTRAN_LOGICAL(testsome, ARGUMENTS(F *count, F *requests, F *done, F *indices, F *statuses),
        ARGUMENTS(count, requests, done, indices, statuses), KEEP_ALL,
        tested_f(*done, *done == MPI_UNDEFINED ? 0 : *done, indices, statuses))

/* ---- collectives ---- */

/* Both forms of a collective, as BOTH for C. */
#define F_BOTH(name, i_name, operation, i_operation, parameters, arguments, ...)                                      \
    FORTRAN(name, ARGUMENTS(parameters), ARGUMENTS(arguments), NOTHING, const char *const op = operation;             \
            const MPI_Request *const req = NULL; __VA_ARGS__)                                                         \
    FORTRAN(i_name, ARGUMENTS(parameters, F *request), ARGUMENTS(arguments, request), NOTHING,                        \
            const char *const op = i_operation; const MPI_Request opened_now = PMPI_Request_f2c(*request);            \
            const MPI_Request *const req = &opened_now; __VA_ARGS__)

F_BOTH(barrier, ibarrier, "Barrier", "Ibarrier", ARGUMENTS(F *comm), ARGUMENTS(comm),
       collective(op, 0, NO_ROOT, COMM(comm), req))

F_BOTH(bcast, ibcast, "Bcast", "Ibcast", ARGUMENTS(void *data, F *count, F *type, F *root, F *comm),
       ARGUMENTS(data, count, type, root, comm), collective(op, payload(*count, TYPE(type)), *root, COMM(comm), req))

F_BOTH(reduce, ireduce, "Reduce", "Ireduce",
       ARGUMENTS(void *in, void *out, F *count, F *type, F *how, F *root, F *comm),
       ARGUMENTS(in, out, count, type, how, root, comm),
       collective(op, payload(*count, TYPE(type)), *root, COMM(comm), req))

#define F_REDUCE_TO_ALL(name, i_name, operation, i_operation)                                                         \
    F_BOTH(name, i_name, operation, i_operation, ARGUMENTS(void *in, void *out, F *count, F *type, F *how, F *comm),  \
           ARGUMENTS(in, out, count, type, how, comm),                                                                \
           collective(op, payload(*count, TYPE(type)), NO_ROOT, COMM(comm), req))

F_REDUCE_TO_ALL(allreduce, iallreduce, "Allreduce", "Iallreduce")
F_REDUCE_TO_ALL(scan, iscan, "Scan", "Iscan")
F_REDUCE_TO_ALL(exscan, iexscan, "Exscan", "Iexscan")
F_REDUCE_TO_ALL(reduce_scatter_block, ireduce_scatter_block, "Reduce_scatter_block", "Ireduce_scatter_block")

F_BOTH(reduce_scatter, ireduce_scatter, "Reduce_scatter", "Ireduce_scatter",
       ARGUMENTS(void *in, void *out, F *counts, F *type, F *how, F *comm),
       ARGUMENTS(in, out, counts, type, how, comm), summed(op, shares_of(counts, TYPE(type)), COMM(comm), req))

#define F_PARTS ARGUMENTS(void *in, F *count, F *type, void *out, F *out_count, F *out_type)
#define F_PARTS_IN ARGUMENTS(void *in, F *count, F *type, void *out, F *counts, F *places, F *out_type)
#define F_PARTS_OUT ARGUMENTS(void *in, F *counts, F *places, F *type, void *out, F *out_count, F *out_type)
#define F_PARTS_BOTH                                                                                                  \
    ARGUMENTS(void *in, F *counts, F *places, F *type, void *out, F *out_counts, F *out_places, F *out_type)

#define F_ALL(name, i_name, operation, i_operation)                                                                   \
    F_BOTH(name, i_name, operation, i_operation, ARGUMENTS(F_PARTS, F *comm), ARGUMENTS(PASS_PARTS, comm),            \
           gathered(op, place_of(in), *count, TYPE(type), *out_count, TYPE(out_type), NO_ROOT, COMM(comm), req))

F_ALL(allgather, iallgather, "Allgather", "Iallgather")
F_ALL(alltoall, ialltoall, "Alltoall", "Ialltoall")

F_BOTH(gather, igather, "Gather", "Igather", ARGUMENTS(F_PARTS, F *root, F *comm), ARGUMENTS(PASS_PARTS, root, comm),
       gathered(op, place_of(in), *count, TYPE(type), *out_count, TYPE(out_type), *root, COMM(comm), req))

F_BOTH(scatter, iscatter, "Scatter", "Iscatter", ARGUMENTS(F_PARTS, F *root, F *comm),
       ARGUMENTS(PASS_PARTS, root, comm),
       scattered(op, *count, TYPE(type), *out_count, TYPE(out_type), *root, COMM(comm), req))

F_BOTH(gatherv, igatherv, "Gatherv", "Igatherv", ARGUMENTS(F_PARTS_IN, F *root, F *comm),
       ARGUMENTS(PASS_PARTS_IN, root, comm),
       gathered_each(op, place_of(in), *count, TYPE(type), counts, TYPE(out_type), *root, COMM(comm), req))

F_BOTH(scatterv, iscatterv, "Scatterv", "Iscatterv", ARGUMENTS(F_PARTS_OUT, F *root, F *comm),
       ARGUMENTS(PASS_PARTS_OUT, root, comm),
       scattered_each(op, counts, TYPE(type), *out_count, TYPE(out_type), *root, COMM(comm), req))

F_BOTH(allgatherv, iallgatherv, "Allgatherv", "Iallgatherv", ARGUMENTS(F_PARTS_IN, F *comm),
       ARGUMENTS(PASS_PARTS_IN, comm),
       gathered_each(op, place_of(in), *count, TYPE(type), counts, TYPE(out_type), NO_ROOT, COMM(comm), req))

F_BOTH(alltoallv, ialltoallv, "Alltoallv", "Ialltoallv", ARGUMENTS(F_PARTS_BOTH, F *comm),
       ARGUMENTS(PASS_PARTS_BOTH, comm),
       exchanged_each(op, place_of(in), counts, TYPE(type), out_counts, TYPE(out_type), COMM(comm), req))

#define F_NEIGHBOURS(name, i_name, operation, i_operation)                                                            \
    F_BOTH(name, i_name, operation, i_operation, ARGUMENTS(F_PARTS, F *comm), ARGUMENTS(PASS_PARTS, comm),            \
           among_neighbours(op, payload(*count, TYPE(type)), COMM(comm), req))

F_NEIGHBOURS(neighbor_allgather, ineighbor_allgather, "Neighbor_allgather", "Ineighbor_allgather")
F_NEIGHBOURS(neighbor_alltoall, ineighbor_alltoall, "Neighbor_alltoall", "Ineighbor_alltoall")

F_BOTH(neighbor_allgatherv, ineighbor_allgatherv, "Neighbor_allgatherv", "Ineighbor_allgatherv",
       ARGUMENTS(F_PARTS_IN, F *comm), ARGUMENTS(PASS_PARTS_IN, comm),
       among_neighbours(op, payload(*count, TYPE(type)), COMM(comm), req))

F_BOTH(neighbor_alltoallv, ineighbor_alltoallv, "Neighbor_alltoallv", "Ineighbor_alltoallv",
       ARGUMENTS(F_PARTS_BOTH, F *comm), ARGUMENTS(PASS_PARTS_BOTH, comm),
       among_neighbours_each(op, shares_of(counts, TYPE(type)), COMM(comm), req))

/* ---- communicators ---- */

FORTRAN(comm_split, ARGUMENTS(F *comm, F *colour, F *key, F *made), ARGUMENTS(comm, colour, key, made), NOTHING,
        split(*colour, COMM(comm), COMM(made)))

FORTRAN(comm_split_type, ARGUMENTS(F *comm, F *type, F *key, F *info, F *made),
        ARGUMENTS(comm, type, key, info, made), NOTHING, split(0, COMM(comm), COMM(made)))

FORTRAN(comm_dup, ARGUMENTS(F *comm, F *made), ARGUMENTS(comm, made), NOTHING, split(0, COMM(comm), COMM(made)))

FORTRAN(comm_create_group, ARGUMENTS(F *comm, F *group, F *tag, F *made), ARGUMENTS(comm, group, tag, made), NOTHING,
        split_among_members(COMM(made)))

FORTRAN(comm_create, ARGUMENTS(F *comm, F *group, F *made), ARGUMENTS(comm, group, made), NOTHING,
        split(0, COMM(comm), COMM(made)))

FORTRAN_LOGICAL(cart_create, ARGUMENTS(F *comm, F *dims, F *sizes, F *periods, F *reorder, F *made),
        ARGUMENTS(comm, dims, sizes, periods, reorder, made), NOTHING, split(0, COMM(comm), COMM(made)))

FORTRAN_LOGICAL(cart_sub, ARGUMENTS(F *comm, F *remain, F *made), ARGUMENTS(comm, remain, made), NOTHING,
        split(0, COMM(comm), COMM(made)))

FORTRAN_LOGICAL(dist_graph_create_adjacent,
        ARGUMENTS(F *comm, F *in, F *sources, F *in_weights, F *out, F *to, F *out_weights, F *info, F *reorder,
                  F *made),
        ARGUMENTS(comm, in, sources, in_weights, out, to, out_weights, info, reorder, made), NOTHING,
        split(0, COMM(comm), COMM(made)))

FORTRAN(comm_free, ARGUMENTS(F *comm), ARGUMENTS(comm), NOTHING, NOTHING)
