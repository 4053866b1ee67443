/* What each collective call puts in the log, and each call that makes a communicator. A request makes it the non-blocking
 * form; it is NULL for the blocking one. The wrappers of C and of Fortran end here, with the lock held. */
#ifndef POWAR_COLLECTIVE_RECORDS_H
#define POWAR_COLLECTIVE_RECORDS_H

#include "records.h"
#include "topology.h"

#define NO_ROOT MPI_ANY_SOURCE

/* Elements for each of several members or neighbours, all of one type or each of its own. */
struct shares {
    const int *counts;
    const MPI_Datatype *types; /* NULL: all of the type whose element has `size` bytes */
    int64_t size;
};

static struct shares shares_of(const int counts[], MPI_Datatype type) {
    return (struct shares){counts, NULL, payload(1, type)};
}

static struct shares shares_of_types(const int counts[], const MPI_Datatype types[]) {
    return (struct shares){counts, types, 0};
}

static int64_t share(struct shares shares, int i) {
    return shares.types == NULL ? shares.counts[i] * shares.size : payload(shares.counts[i], shares.types[i]);
}

/* ---- lines ---- */

/* All of a collective's line but its end. Returns its request, if it opens one. */
static struct request *begin_collective(const char *operation, int64_t bytes, int root, int tag, MPI_Comm comm,
                                        const MPI_Request *handle) {
    const struct communicator *c = communicator(comm);
    struct request *request = NULL;
    char name[64];
    if (c->between_groups) {
        /* Another operation than that within a group, and its root may be none of the members. */
        snprintf(name, sizeof name, "%s_between_groups", operation);
        operation = name;
        root = ANY_RANK;
    } else {
        root = world_rank(c, root);
    }
    if (handle != NULL) {
        request = add_request(request_handle(*handle));
        request->number = ++trace.request;
        request->bytes = bytes;
    }
    begin_call(operation, c->hash, root, bytes, tag, request == NULL ? 0 : request->number);
    return request;
}

static void collective(const char *operation, int64_t bytes, int root, MPI_Comm comm, const MPI_Request *handle) {
    begin_collective(operation, bytes, root, 0, comm, handle);
    put_text("\n");
}

/* Runs of equal sizes are one field, COUNTxSIZE. */
static void put_sizes(struct shares shares, int members) {
    put_text(" n");
    put_number(members);
    for (int i = 0, next; i < members; i = next) {
        int64_t size = share(shares, i);
        for (next = i + 1; next < members && share(shares, next) == size;) next++;
        put_number(next - i > 1 ? next - i : size);
        if (next - i > 1) put_factor(size);
    }
}

/* With a size for each member. Between groups the members are others, and no replay asks for them. */
static void collective_of_each(const char *operation, int64_t bytes, struct shares shares, int root, MPI_Comm comm,
                               const MPI_Request *handle) {
    const struct communicator *c = communicator(comm);
    begin_collective(operation, bytes, root, 0, comm, handle);
    if (!c->between_groups) put_sizes(shares, c->members);
    put_text("\n");
}

/* ---- sizes ---- */

static bool is_root(int root, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    return !c->between_groups && root == c->own;
}

static int64_t own_share(struct shares shares, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    return c->between_groups ? 0 : share(shares, c->own);
}

static int64_t sum_of(struct shares shares, MPI_Comm comm) {
    const struct communicator *c = communicator(comm);
    int members = c->members;
    int64_t sum = 0;
    if (c->between_groups) PMPI_Comm_remote_size(comm, &members);
    for (int i = 0; i < members; i++) sum += share(shares, i);
    return sum;
}

/* What is contributed may already lie in the receive buffer: on all ranks, or on the root of a gather. */
static void gathered(const char *operation, const void *in, int count, MPI_Datatype type, int out_count,
                     MPI_Datatype out_type, int root, MPI_Comm comm, const MPI_Request *handle) {
    int64_t bytes = in == MPI_IN_PLACE ? payload(out_count, out_type) : payload(count, type);
    collective(operation, bytes, root, comm, handle);
}

/* Gatherv, whose root alone knows the sizes, and Allgatherv. */
static void gathered_each(const char *operation, const void *in, int count, MPI_Datatype type, const int counts[],
                          MPI_Datatype out_type, int root, MPI_Comm comm, const MPI_Request *handle) {
    bool knows_all = root == NO_ROOT || is_root(root, comm);
    struct shares shares = {0};
    if (knows_all) shares = shares_of(counts, out_type);
    int64_t bytes = in == MPI_IN_PLACE ? own_share(shares, comm) : payload(count, type);
    if (knows_all)
        collective_of_each(operation, bytes, shares, root, comm, handle);
    else
        collective(operation, bytes, root, comm, handle);
}

static void scattered(const char *operation, int count, MPI_Datatype type, int out_count, MPI_Datatype out_type,
                      int root, MPI_Comm comm, const MPI_Request *handle) {
    int64_t bytes = is_root(root, comm) ? payload(count, type) : payload(out_count, out_type);
    collective(operation, bytes, root, comm, handle);
}

static void scattered_each(const char *operation, const int counts[], MPI_Datatype type, int out_count,
                           MPI_Datatype out_type, int root, MPI_Comm comm, const MPI_Request *handle) {
    if (is_root(root, comm)) {
        struct shares shares = shares_of(counts, type);
        collective_of_each(operation, own_share(shares, comm), shares, root, comm, handle);
    } else {
        collective(operation, payload(out_count, out_type), root, comm, handle);
    }
}

/* Alltoallv, Alltoallw, Reduce_scatter: `bytes` is the sum. */
static void summed(const char *operation, struct shares shares, MPI_Comm comm, const MPI_Request *handle) {
    collective_of_each(operation, sum_of(shares, comm), shares, NO_ROOT, comm, handle);
}

static void exchanged_each(const char *operation, const void *in, const int counts[], MPI_Datatype type,
                           const int out_counts[], MPI_Datatype out_type, MPI_Comm comm, const MPI_Request *handle) {
    bool in_place = in == MPI_IN_PLACE;
    summed(operation, in_place ? shares_of(out_counts, out_type) : shares_of(counts, type), comm, handle);
}

static void exchanged_types(const char *operation, const void *in, const int counts[], const MPI_Datatype types[],
                            const int out_counts[], const MPI_Datatype out_types[], MPI_Comm comm,
                            const MPI_Request *handle) {
    bool in_place = in == MPI_IN_PLACE;
    summed(operation, in_place ? shares_of_types(out_counts, out_types) : shares_of_types(counts, types), comm, handle);
}

/* ---- neighbourhoods ---- */

static void put_neighbours(const struct communicator *c, const struct shares *shares, int64_t bytes) {
    int receivers = 0, senders = 0;
    for (int i = 0; i < c->receivers; i++) receivers += receivers_of(c)[i] != NO_RANK;
    for (int i = 0; i < c->senders; i++) senders += senders_of(c)[i] != NO_RANK;
    put_text(" to");
    put_number(receivers);
    for (int i = 0; i < c->receivers; i++)
        if (receivers_of(c)[i] != NO_RANK) put_pair(receivers_of(c)[i], shares == NULL ? bytes : share(*shares, i));
    put_text(" from");
    put_number(senders);
    for (int i = 0; i < c->senders; i++)
        if (senders_of(c)[i] != NO_RANK) put_number(senders_of(c)[i]);
    put_text("\n");
}

/* The same for each neighbour. */
static void among_neighbours(const char *operation, int64_t bytes, MPI_Comm comm, const MPI_Request *handle) {
    const struct communicator *c = with_neighbours(comm);
    begin_collective(operation, bytes, NO_ROOT, 0, comm, handle);
    put_neighbours(c, NULL, bytes);
}

static void among_neighbours_each(const char *operation, struct shares shares, MPI_Comm comm,
                                  const MPI_Request *handle) {
    const struct communicator *c = with_neighbours(comm);
    int64_t sum = 0;
    for (int i = 0; i < c->receivers; i++) sum += receivers_of(c)[i] == NO_RANK ? 0 : share(shares, i);
    begin_collective(operation, sum, NO_ROOT, 0, comm, handle);
    put_neighbours(c, &shares, 0);
}

/* ---- communicators ---- */

/* Whether it is Comm_split or a call that does what it would: the members agree on a new communicator. */
static void split(int colour, MPI_Comm comm, MPI_Comm made) {
    begin_collective("Comm_split", 0, NO_ROOT, colour, comm, NULL);
    put_text("\n");
    made_communicator(made);
}

/* The members of the new communicator alone agree on it. */
static void split_among_members(MPI_Comm made) {
    if (made == MPI_COMM_NULL) return;
    made_communicator(made);
    collective("Comm_split", 0, NO_ROOT, made, NULL);
}

/* The duplicate is there when its request is complete; its number is that of the call, which all members make. */
static void duplicating(MPI_Comm comm, MPI_Comm *made, const MPI_Request *handle) {
    struct request *request = begin_collective("Comm_idup", 0, NO_ROOT, 0, comm, handle);
    put_text("\n");
    request->made = made;
    request->made_number = count_made(hash_of_members(communicator(comm)));
}

static void made_otherwise(const char *operation, MPI_Comm comm, MPI_Comm made) {
    collective(operation, 0, NO_ROOT, comm, NULL);
    made_communicator(made);
}

#endif
