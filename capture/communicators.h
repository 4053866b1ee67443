/* Communicators: the hash that names one in the log, and the ranks of MPI_COMM_WORLD behind its ranks. */
#ifndef POWAR_COMMUNICATORS_H
#define POWAR_COMMUNICATORS_H

#include "log.h"

struct communicator {
    uint32_t hash;
    int members;
    int *world;  /* rank in MPI_COMM_WORLD of each member */
    int own;     /* this rank's place among the members */
    int partner; /* place of the first one that calls can name as their other side: not 0 between groups */
    bool between_groups;
    bool defined; /* its C line is in the log */
    /* Neighbours in its topology, as ranks of MPI_COMM_WORLD or NO_RANK: first those it sends to. NULL: not asked for yet. */
    int *neighbours;
    int receivers, senders;
};

/* Communicators made so far with the same members. All members take part in making each, so they count alike,
 * and messages of one communicator never meet receives of its duplicate in a replay. */
struct made {
    uint32_t hash;
    uint32_t count;
};

static struct made *made;
static size_t made_length, made_room;

static int communicator_key = MPI_KEYVAL_INVALID;
/* Looking up an attribute costs more than the rest of a record; most calls use the communicator of the last. */
static MPI_Comm last_comm;
static struct communicator *last_communicator;

static void *allocate(void *old, size_t count, size_t size) {
    void *memory = realloc(old, (count ? count : 1) * size);
    if (memory == NULL) give_up("cannot record to", trace.path, "out of memory");
    return memory;
}

static uint32_t hash_int(uint32_t hash, uint32_t value) {
    /* FNV-1a over the four bytes. */
    for (int shift = 0; shift < 32; shift += 8) hash = (hash ^ (value >> shift & 255)) * 16777619u;
    return hash;
}

static uint32_t count_made(uint32_t hash) {
    for (size_t i = 0; i < made_length; i++)
        if (made[i].hash == hash) return made[i].count++;
    if (made_length == made_room) made = allocate(made, made_room = 2 * made_room + 16, sizeof *made);
    made[made_length++] = (struct made){.hash = hash, .count = 1};
    return 0;
}

/* Appends the world ranks of a group. */
static void append_group(struct communicator *c, MPI_Group group) {
    int size;
    MPI_Group world;
    PMPI_Group_size(group, &size);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    int *ranks = allocate(NULL, (size_t)size, sizeof *ranks);
    for (int i = 0; i < size; i++) ranks[i] = i;
    c->world = allocate(c->world, (size_t)(c->members + size), sizeof *c->world);
    PMPI_Group_translate_ranks(group, size, ranks, world, c->world + c->members);
    c->members += size;
    free(ranks);
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
}

static int lowest_of(MPI_Group group) {
    struct communicator c = {0};
    append_group(&c, group);
    int lowest = c.members > 0 ? c.world[0] : 0;
    for (int i = 1; i < c.members; i++)
        if (c.world[i] < lowest) lowest = c.world[i];
    free(c.world);
    return lowest;
}

static uint32_t hash_of_members(const struct communicator *c) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < c->members; i++) hash = hash_int(hash, (uint32_t)c->world[i]);
    return hash;
}

/* Instead of a number: met only where it is first used, not where all members count it alike; and the next number. */
#define NOT_NUMBERED UINT32_MAX
#define NEXT_NUMBER (UINT32_MAX - 1)

/* `number`: of those with the same members. */
static struct communicator *add_communicator(MPI_Comm comm, uint32_t number) {
    struct communicator *c = allocate(NULL, 1, sizeof *c);
    *c = (struct communicator){0};
    MPI_Group local, remote;
    int between_groups;
    PMPI_Comm_rank(comm, &c->own);
    PMPI_Comm_test_inter(comm, &between_groups);
    PMPI_Comm_group(comm, &local);
    if (!between_groups) {
        append_group(c, local);
    } else {
        /* Both sides must write the same list, so the group with the lowest world rank comes first. */
        MPI_Group again;
        c->between_groups = true;
        PMPI_Comm_remote_group(comm, &remote);
        PMPI_Comm_group(comm, &again);
        int own_lowest = lowest_of(again);
        PMPI_Comm_remote_group(comm, &again);
        if (own_lowest < lowest_of(again)) {
            append_group(c, local);
            c->partner = c->members;
            append_group(c, remote);
        } else {
            append_group(c, remote);
            c->own += c->members;
            append_group(c, local);
        }
    }
    uint32_t hash = hash_of_members(c);
    if (number == NEXT_NUMBER) number = count_made(hash);
    c->hash = number == 0 ? hash : hash_int(hash, number);
    PMPI_Comm_set_attr(comm, communicator_key, c);
    return c;
}

static struct communicator *communicator(MPI_Comm comm) {
    if (last_communicator != NULL && comm == last_comm) return last_communicator;
    struct communicator *c = NULL;
    int found = 0;
    PMPI_Comm_get_attr(comm, communicator_key, &c, &found);
    if (!found) c = add_communicator(comm, NOT_NUMBERED);
    if (!c->defined) {
        put_text("C");
        put_hash(c->hash);
        put_number(c->members);
        for (int i = 0; i < c->members; i++) put_number(c->world[i]);
        put_text("\n");
        c->defined = true;
    }
    last_comm = comm;
    last_communicator = c;
    return c;
}

/* MPI calls this when a communicator is freed, and for MPI_COMM_WORLD at the end. */
static int forget_communicator(MPI_Comm comm, int key, void *value, void *unused) {
    (void)comm, (void)key, (void)unused;
    struct communicator *c = value;
    pthread_mutex_lock(&trace_lock);
    if (c == last_communicator) last_communicator = NULL;
    pthread_mutex_unlock(&trace_lock);
    free(c->world);
    free(c->neighbours);
    free(c);
    return MPI_SUCCESS;
}

static void made_communicator(MPI_Comm comm) {
    if (comm != MPI_COMM_NULL) add_communicator(comm, NEXT_NUMBER);
}

static void start_communicators(void) {
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_communicator, &communicator_key, NULL);
    made_communicator(MPI_COMM_WORLD);
    communicator(MPI_COMM_WORLD);
}

/* Place among the members of the `C` line, as a completion gives it. */
static int member_of(const struct communicator *c, int rank) {
    if (rank == MPI_ANY_SOURCE) return ANY_RANK;
    if (rank == MPI_PROC_NULL) return NO_RANK;
    return c->partner + rank;
}

/* Rank in MPI_COMM_WORLD of the other side of a call. */
static int world_rank(const struct communicator *c, int rank) {
    int member = member_of(c, rank);
    return member < 0 ? member : c->world[member];
}

#endif
