/* What each MPI call puts in the log. The wrappers of C and of Fortran end here, with the lock held. */
#ifndef POWAR_RECORDS_H
#define POWAR_RECORDS_H

#include "requests.h"

static int64_t payload(int count, MPI_Datatype type) {
    MPI_Count size = 0;
    PMPI_Type_size_x(type, &size);
    return (int64_t)count * size;
}

/* ---- one message ---- */

static void sent(int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    record_call("Send", c->hash, world_rank(c, to), payload(count, type), tag, 0);
}

static void received(const char *operation, MPI_Comm comm, const MPI_Status *status) {
    const struct communicator *c = communicator(comm);
    int from = world_rank(c, status->MPI_SOURCE);
    record_call(operation, c->hash, from, from < 0 ? 0 : status_bytes(status), status->MPI_TAG, 0);
}

static void exchanged(int64_t bytes, int to, int tag, MPI_Comm comm, const MPI_Status *status) {
    const struct communicator *c = communicator(comm);
    record_call("SendrecvS", c->hash, world_rank(c, to), bytes, tag, 0);
    received("SendrecvR", comm, status);
}

/* A blocking probe returns what repeated Iprobes would find at last, so it is the same record. */
static void probed(int found, MPI_Comm comm, const MPI_Status *status) {
    if (found)
        received("Iprobe", comm, status);
    else
        trace.probes++;
}

/* ---- requests ---- */

static struct request *describe(MPI_Request handle, const char *operation, int count, MPI_Datatype type, int peer,
                                int tag, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    struct request *request = add_request(request_handle(handle));
    request->operation = operation;
    request->receives = operation[1] == 'r';
    request->comm = c->hash;
    request->partner = c->partner;
    request->peer = world_rank(c, peer);
    request->tag = tag;
    request->bytes = payload(count, type);
    return request;
}

static void record_request(struct request *request) {
    request->number = ++trace.request;
    request->active = true;
    record_call(request->operation, request->comm, request->peer, request->bytes, request->tag, request->number);
}

static void opened(const char *operation, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                   const MPI_Request *handle) {
    record_request(describe(*handle, operation, count, type, peer, tag, comm));
}

/* A receive of a message that a probe has taken out of the queue. */
static void opened_found(int count, MPI_Datatype type, MPI_Comm comm, const MPI_Request *handle) {
    opened("Irecv", count, type, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, handle);
}

static void prepared(const char *operation, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                     const MPI_Request *handle) {
    struct request *request = describe(*handle, operation, count, type, peer, tag, comm);
    request->persistent = true;
    request->active = false;
}

/* Starting a persistent request is the non-blocking call it was prepared for. */
static void started(int count, const MPI_Request handles[]) {
    for (int i = 0; i < count; i++) {
        struct request *request = find_request(request_handle(handles[i]));
        if (request != NULL) record_request(request);
    }
}

static void cancelled(MPI_Request handle) {
    struct request *request = find_request(request_handle(handle));
    if (request != NULL) request->cancelled = true;
}

/* ---- completions: MPI clears the handles it completes, so they are kept from before the call ---- */

static __thread struct {
    int room;
    uint64_t *handles;
    MPI_Status *statuses;
} kept;

static void keep_room(int count) {
    if (count <= kept.room) return;
    kept.room = count;
    kept.handles = allocate(kept.handles, (size_t)count, sizeof *kept.handles);
    kept.statuses = allocate(kept.statuses, (size_t)count, sizeof *kept.statuses);
}

static int keep_handles(int count, const MPI_Request handles[]) {
    if (thread.depth != 1) return 0;
    keep_room(count);
    for (int i = 0; i < count; i++) kept.handles[i] = request_handle(handles[i]);
    return 0;
}

/* Where MPI is to write the statuses, even if the program does not want them. */
static MPI_Status *kept_statuses(MPI_Status *wanted) {
    bool ignored = wanted == MPI_STATUSES_IGNORE && thread.depth == 1 && kept.room > 0;
    return ignored ? kept.statuses : wanted;
}

static void completed(int done, int count, const MPI_Status statuses[]) {
    if (!done) trace.tests++;
    for (int i = 0; done && i < count; i++) complete_request(kept.handles[i], &statuses[i]);
}

static void completed_one(int done, int index, const MPI_Status *status) {
    if (!done)
        trace.tests++;
    else if (index != MPI_UNDEFINED)
        complete_request(kept.handles[index], status);
}

static void completed_some(int count, const int indices[], const MPI_Status statuses[]) {
    if (count == 0) trace.tests++;
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++) complete_request(kept.handles[indices[i]], &statuses[i]);
}

/* ---- collectives ---- */

#define NO_ROOT MPI_ANY_SOURCE

static uint32_t begin_collective(const char **operation, int *root, char name[64], MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    if (c->between_groups) {
        /* Another operation than that within a group, and its root may be none of the members. */
        snprintf(name, 64, "%s_between_groups", *operation);
        *operation = name;
        *root = ANY_RANK;
    } else {
        *root = world_rank(c, *root);
    }
    return c->hash;
}

static void collective(const char *operation, int64_t bytes, int root, MPI_Comm comm) {
    char name[64];
    uint32_t hash = begin_collective(&operation, &root, name, comm);
    record_call(operation, hash, root, bytes, 0, 0);
}

static void opened_collective(const char *operation, int64_t bytes, int root, MPI_Comm comm,
                              const MPI_Request *handle) {
    char name[64];
    uint32_t hash = begin_collective(&operation, &root, name, comm);
    struct request *request = add_request(request_handle(*handle));
    request->number = ++trace.request;
    request->bytes = bytes;
    record_call(operation, hash, root, bytes, 0, request->number);
}

/* What the root of a gather contributes may already lie in its receive buffer. */
static void gathered(const char *operation, const void *in, int count, MPI_Datatype type, int out_count,
                     MPI_Datatype out_type, int root, MPI_Comm comm) {
    int64_t bytes = in == MPI_IN_PLACE ? payload(out_count, out_type) : payload(count, type);
    collective(operation, bytes, root, comm);
}

static bool is_root(int root, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    return !c->between_groups && root == c->own;
}

static int64_t own_part(const int counts[], MPI_Datatype type, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    return c->between_groups ? 0 : payload(counts[c->own], type);
}

static void gathered_each(const char *operation, const void *in, int count, MPI_Datatype type, const int counts[],
                          MPI_Datatype out_type, int root, MPI_Comm comm) {
    int64_t bytes = in == MPI_IN_PLACE ? own_part(counts, out_type, comm) : payload(count, type);
    collective(operation, bytes, root, comm);
}

static void scattered(int count, MPI_Datatype type, int out_count, MPI_Datatype out_type, int root, MPI_Comm comm) {
    collective("Scatter", is_root(root, comm) ? payload(count, type) : payload(out_count, out_type), root, comm);
}

/* The root's line has room for one size: the mean of what it sends to the others, rounded up. */
static void scattered_each(const int counts[], MPI_Datatype type, int out_count, MPI_Datatype out_type, int root,
                           MPI_Comm comm) {
    int64_t bytes = payload(out_count, out_type);
    if (is_root(root, comm)) {
        const struct communicator *c = communicator(comm);
        int64_t sum = 0, others = c->members - 1;
        for (int i = 0; i < c->members; i++) sum += i == c->own ? 0 : payload(counts[i], type);
        bytes = others == 0 ? 0 : (sum + others - 1) / others;
    }
    collective("Scatterv", bytes, root, comm);
}

static int64_t sum_of(const int counts[], MPI_Datatype type, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    int members = c->members;
    int64_t sum = 0;
    if (c->between_groups) PMPI_Comm_remote_size(comm, &members);
    for (int i = 0; i < members; i++) sum += payload(counts[i], type);
    return sum;
}

/* Everything an Alltoallv or Alltoallw sends. */
static int64_t sum_of_each(const void *in, const int counts[], const int out_counts[], MPI_Datatype type,
                           MPI_Datatype out_type, MPI_Comm comm) {
    return in == MPI_IN_PLACE ? sum_of(out_counts, out_type, comm) : sum_of(counts, type, comm);
}

static int64_t sum_of_types(const void *in, const int counts[], const MPI_Datatype types[], const int out_counts[],
                            const MPI_Datatype out_types[], MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    int members = c->members;
    int64_t sum = 0;
    if (c->between_groups) PMPI_Comm_remote_size(comm, &members);
    for (int i = 0; i < members; i++)
        sum += in == MPI_IN_PLACE ? payload(out_counts[i], out_types[i]) : payload(counts[i], types[i]);
    return sum;
}

/* Whether it is Comm_split or a call that MPI defines through it: the members agree on a new communicator. */
static void split(int colour, MPI_Comm comm, MPI_Comm made) {
    char name[64];
    const char *operation = "Comm_split";
    int root = NO_ROOT;
    uint32_t hash = begin_collective(&operation, &root, name, comm);
    record_call(operation, hash, root, 0, colour, 0);
    made_communicator(made);
}

static void made_otherwise(const char *operation, MPI_Comm comm, MPI_Comm made) {
    collective(operation, 0, NO_ROOT, comm);
    made_communicator(made);
}

#endif
