/* Requests: MPI's handles to the numbers they carry in the log.
 *
 * A handle may stand for several open requests at once: Open MPI gives all sends that are over at once the same.
 * They are taken in the order they were opened. */
#ifndef POWAR_REQUESTS_H
#define POWAR_REQUESTS_H

#include "communicators.h"

struct request {
    struct request *next;
    uint64_t handle;
    uint64_t number;
    const char *operation;
    uint32_t comm;
    int partner; /* of its communicator */
    int peer, tag;
    int64_t bytes;
    bool receives, persistent, active, cancelled;
    /* Of a Comm_idup: where the new communicator will be, and its number among those with the same members. */
    MPI_Comm *made;
    uint32_t made_number;
};

static struct request **buckets, *unused_requests;
static size_t bucket_count, request_count;

static uint64_t handle_of(const void *handle, size_t size) {
    uint64_t bits = 0;
    memcpy(&bits, handle, size < sizeof bits ? size : sizeof bits);
    return bits;
}

static uint64_t request_handle(MPI_Request request) { return handle_of(&request, sizeof request); }

static struct request **bucket(uint64_t handle) {
    return &buckets[(handle * 0x9e3779b97f4a7c15u >> 32) & (bucket_count - 1)];
}

static void append_request(struct request *request) {
    struct request **end = bucket(request->handle);
    while (*end != NULL) end = &(*end)->next;
    *end = request;
    request->next = NULL;
}

static void more_buckets(void) {
    struct request **old = buckets;
    size_t old_count = bucket_count;
    bucket_count = old_count ? 4 * old_count : 1024;
    buckets = allocate(NULL, bucket_count, sizeof *buckets);
    memset(buckets, 0, bucket_count * sizeof *buckets);
    for (size_t i = 0; i < old_count; i++)
        for (struct request *request = old[i], *next; request != NULL; request = next) {
            next = request->next;
            append_request(request);
        }
    free(old);
}

static struct request *add_request(uint64_t handle) {
    if (request_count++ >= bucket_count) more_buckets();
    struct request *request = unused_requests;
    if (request != NULL)
        unused_requests = request->next;
    else
        request = allocate(NULL, 1, sizeof *request);
    *request = (struct request){.handle = handle, .active = true};
    append_request(request);
    return request;
}

static struct request *find_request(uint64_t handle) {
    struct request *request = bucket_count ? *bucket(handle) : NULL;
    while (request != NULL && request->handle != handle) request = request->next;
    return request;
}

static void remove_request(struct request *request) {
    struct request **link = bucket(request->handle);
    while (*link != request) link = &(*link)->next;
    *link = request->next;
    request->next = unused_requests;
    unused_requests = request;
    request_count--;
}

/* Payload of a received message. */
static int64_t status_bytes(const MPI_Status *status) {
    MPI_Count bytes = 0;
    int few = 0;
    PMPI_Get_count(status, MPI_BYTE, &few);
    if (few != MPI_UNDEFINED) return few;
    PMPI_Get_elements_x((MPI_Status *)status, MPI_BYTE, &bytes);
    return bytes == MPI_UNDEFINED ? 0 : bytes;
}

/* A request MPI says is done: its completion, if it was open. */
static void complete_request(const char *way, uint64_t handle, const MPI_Status *status) {
    struct request *request = find_request(handle);
    if (request == NULL || !request->active) return;
    int cancelled = 0;
    if (request->cancelled) PMPI_Test_cancelled(status, &cancelled);
    if (!request->receives) {
        record_completion(way, request->number, ANY_RANK, request->tag, request->bytes);
    } else if (cancelled) {
        record_completion(way, request->number, ANY_RANK, request->tag, 0);
    } else if (request->peer == NO_RANK) {
        record_completion(way, request->number, NO_RANK, MPI_ANY_TAG, 0);
    } else {
        int source = request->partner + status->MPI_SOURCE;
        record_completion(way, request->number, source, status->MPI_TAG, status_bytes(status));
    }
    if (request->made != NULL) add_communicator(*request->made, request->made_number);
    request->active = request->cancelled = false;
    if (!request->persistent) remove_request(request);
}

/* The program will not ask for its completion. */
static void forget_request(uint64_t handle) {
    struct request *request = find_request(handle);
    if (request != NULL) remove_request(request);
}

/* ---- messages found by Mprobe, until they are received ---- */

struct found_message {
    struct found_message *next;
    uint64_t handle;
    /* As the probe named them. */
    int source, tag;
    MPI_Comm comm;
};

static struct found_message *found_messages;

static void add_message(MPI_Message message, int source, int tag, MPI_Comm comm) {
    struct found_message *found = allocate(NULL, 1, sizeof *found);
    *found = (struct found_message){found_messages, handle_of(&message, sizeof message), source, tag, comm};
    found_messages = found;
}

static struct found_message take_message(uint64_t handle) {
    for (struct found_message **link = &found_messages; *link != NULL; link = &(*link)->next) {
        struct found_message found = **link;
        if (found.handle != handle) continue;
        free(*link);
        *link = found.next;
        return found;
    }
    return (struct found_message){.source = MPI_ANY_SOURCE, .tag = MPI_ANY_TAG, .comm = MPI_COMM_WORLD};
}

#endif
