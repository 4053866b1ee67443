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

static void sent(const char *operation, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    record_call(operation, c->hash, world_rank(c, to), payload(count, type), tag, 0);
}

/* The fields say what came, the last one what `from` and `tag` asked for. */
static void received(const char *operation, int from, int tag, MPI_Comm comm, const MPI_Status *status) {
    const struct communicator *c = communicator(comm);
    int source = world_rank(c, status->MPI_SOURCE);
    begin_call(operation, c->hash, source, source < 0 ? 0 : status_bytes(status), status->MPI_TAG, 0);
    if (from == MPI_ANY_SOURCE)
        put_text(tag == MPI_ANY_TAG ? " st\n" : " s\n");
    else
        put_text(tag == MPI_ANY_TAG ? " t\n" : " -\n");
}

/* A message that a probe has taken out of the queue: asked for as the probe did. */
static void received_found(struct found_message found, const MPI_Status *status) {
    received("Recv", found.source, found.tag, found.comm, status);
}

static void exchanged(int64_t bytes, int to, int tag, int from, int in_tag, MPI_Comm comm, const MPI_Status *status) {
    const struct communicator *c = communicator(comm);
    record_call("SendrecvS", c->hash, world_rank(c, to), bytes, tag, 0);
    received("SendrecvR", from, in_tag, comm, status);
}

static void probed(int found, int from, int tag, MPI_Comm comm, const MPI_Status *status) {
    if (found)
        received("Iprobe", from, tag, comm, status);
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

static void opened_found(int count, MPI_Datatype type, struct found_message found, const MPI_Request *handle) {
    opened("Irecv", count, type, found.source, found.tag, found.comm, handle);
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

static void completed(const char *way, int done, int count, const MPI_Status statuses[]) {
    if (!done) trace.tests++;
    for (int i = 0; done && i < count; i++) complete_request(way, kept.handles[i], &statuses[i]);
}

static void completed_one(const char *way, int done, int index, const MPI_Status *status) {
    if (!done)
        trace.tests++;
    else if (index != MPI_UNDEFINED)
        complete_request(way, kept.handles[index], status);
}

static void completed_some(const char *way, int count, const int indices[], const MPI_Status statuses[]) {
    if (count == 0) trace.tests++;
    for (int i = 0; count != MPI_UNDEFINED && i < count; i++)
        complete_request(way, kept.handles[indices[i]], &statuses[i]);
}

#endif
