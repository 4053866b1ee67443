/* The collective calls of C, and those that make communicators.
 *
 * Operations the reader does not know are recorded under their own names all the same, for it to refuse: a log that
 * left them out would be taken for that of a program that does not make them. */

#define ARGUMENTS(...) __VA_ARGS__

/* Defines the blocking and the non-blocking form of a call; the record is the same, but for the name and the request. */
#define BOTH(name, i_name, parameters, arguments, ...)                                                                \
    int MPI_##name(parameters) {                                                                                      \
        const char *const op = #name;                                                                                 \
        const MPI_Request *const req = NULL;                                                                          \
        RECORDED(PMPI_##name(arguments), __VA_ARGS__)                                                                 \
    }                                                                                                                 \
    int MPI_##i_name(parameters, MPI_Request *req) {                                                                  \
        const char *const op = #i_name;                                                                               \
        RECORDED(PMPI_##i_name(arguments, req), __VA_ARGS__)                                                          \
    }

/* ---- all members ---- */

BOTH(Barrier, Ibarrier, ARGUMENTS(MPI_Comm comm), ARGUMENTS(comm), collective(op, 0, NO_ROOT, comm, req))

BOTH(Bcast, Ibcast, ARGUMENTS(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
     ARGUMENTS(data, count, type, root, comm), collective(op, payload(count, type), root, comm, req))

BOTH(Reduce, Ireduce,
     ARGUMENTS(const void *in, void *out, int count, MPI_Datatype type, MPI_Op how, int root, MPI_Comm comm),
     ARGUMENTS(in, out, count, type, how, root, comm), collective(op, payload(count, type), root, comm, req))

#define REDUCE_TO_ALL(name, i_name)                                                                                   \
    BOTH(name, i_name, ARGUMENTS(const void *in, void *out, int count, MPI_Datatype type, MPI_Op how, MPI_Comm comm), \
         ARGUMENTS(in, out, count, type, how, comm), collective(op, payload(count, type), NO_ROOT, comm, req))

REDUCE_TO_ALL(Allreduce, Iallreduce)
REDUCE_TO_ALL(Scan, Iscan)
REDUCE_TO_ALL(Exscan, Iexscan)
REDUCE_TO_ALL(Reduce_scatter_block, Ireduce_scatter_block)

BOTH(Reduce_scatter, Ireduce_scatter,
     ARGUMENTS(const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op how, MPI_Comm comm),
     ARGUMENTS(in, out, counts, type, how, comm), summed(op, shares_of(counts, type), comm, req))

#define PARTS ARGUMENTS(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type)
#define PASS_PARTS ARGUMENTS(in, count, type, out, out_count, out_type)
/* Parts of different sizes: of what is received, of what is sent, of both, and of both with types of their own. */
#define PARTS_IN                                                                                                      \
    ARGUMENTS(const void *in, int count, MPI_Datatype type, void *out, const int counts[], const int places[],        \
              MPI_Datatype out_type)
#define PASS_PARTS_IN ARGUMENTS(in, count, type, out, counts, places, out_type)
#define PARTS_OUT                                                                                                     \
    ARGUMENTS(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out, int out_count,    \
              MPI_Datatype out_type)
#define PASS_PARTS_OUT ARGUMENTS(in, counts, places, type, out, out_count, out_type)
#define PARTS_BOTH                                                                                                    \
    ARGUMENTS(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out,                   \
              const int out_counts[], const int out_places[], MPI_Datatype out_type)
#define PASS_PARTS_BOTH ARGUMENTS(in, counts, places, type, out, out_counts, out_places, out_type)
#define PARTS_TYPES(place)                                                                                            \
    ARGUMENTS(const void *in, const int counts[], const place places[], const MPI_Datatype types[], void *out,        \
              const int out_counts[], const place out_places[], const MPI_Datatype out_types[])
#define PASS_PARTS_TYPES ARGUMENTS(in, counts, places, types, out, out_counts, out_places, out_types)

BOTH(Gather, Igather, ARGUMENTS(PARTS, int root, MPI_Comm comm), ARGUMENTS(PASS_PARTS, root, comm),
     gathered(op, in, count, type, out_count, out_type, root, comm, req))

BOTH(Gatherv, Igatherv, ARGUMENTS(PARTS_IN, int root, MPI_Comm comm), ARGUMENTS(PASS_PARTS_IN, root, comm),
     gathered_each(op, in, count, type, counts, out_type, root, comm, req))

BOTH(Scatter, Iscatter, ARGUMENTS(PARTS, int root, MPI_Comm comm), ARGUMENTS(PASS_PARTS, root, comm),
     scattered(op, count, type, out_count, out_type, root, comm, req))

BOTH(Scatterv, Iscatterv, ARGUMENTS(PARTS_OUT, int root, MPI_Comm comm), ARGUMENTS(PASS_PARTS_OUT, root, comm),
     scattered_each(op, counts, type, out_count, out_type, root, comm, req))

BOTH(Allgather, Iallgather, ARGUMENTS(PARTS, MPI_Comm comm), ARGUMENTS(PASS_PARTS, comm),
     gathered(op, in, count, type, out_count, out_type, NO_ROOT, comm, req))

BOTH(Alltoall, Ialltoall, ARGUMENTS(PARTS, MPI_Comm comm), ARGUMENTS(PASS_PARTS, comm),
     gathered(op, in, count, type, out_count, out_type, NO_ROOT, comm, req))

BOTH(Allgatherv, Iallgatherv, ARGUMENTS(PARTS_IN, MPI_Comm comm), ARGUMENTS(PASS_PARTS_IN, comm),
     gathered_each(op, in, count, type, counts, out_type, NO_ROOT, comm, req))

BOTH(Alltoallv, Ialltoallv, ARGUMENTS(PARTS_BOTH, MPI_Comm comm), ARGUMENTS(PASS_PARTS_BOTH, comm),
     exchanged_each(op, in, counts, type, out_counts, out_type, comm, req))

BOTH(Alltoallw, Ialltoallw, ARGUMENTS(PARTS_TYPES(int), MPI_Comm comm), ARGUMENTS(PASS_PARTS_TYPES, comm),
     exchanged_types(op, in, counts, types, out_counts, out_types, comm, req))

/* ---- neighbours ---- */

BOTH(Neighbor_allgather, Ineighbor_allgather, ARGUMENTS(PARTS, MPI_Comm comm), ARGUMENTS(PASS_PARTS, comm),
     among_neighbours(op, payload(count, type), comm, req))

BOTH(Neighbor_allgatherv, Ineighbor_allgatherv, ARGUMENTS(PARTS_IN, MPI_Comm comm), ARGUMENTS(PASS_PARTS_IN, comm),
     among_neighbours(op, payload(count, type), comm, req))

BOTH(Neighbor_alltoall, Ineighbor_alltoall, ARGUMENTS(PARTS, MPI_Comm comm), ARGUMENTS(PASS_PARTS, comm),
     among_neighbours(op, payload(count, type), comm, req))

BOTH(Neighbor_alltoallv, Ineighbor_alltoallv, ARGUMENTS(PARTS_BOTH, MPI_Comm comm), ARGUMENTS(PASS_PARTS_BOTH, comm),
     among_neighbours_each(op, shares_of(counts, type), comm, req))

BOTH(Neighbor_alltoallw, Ineighbor_alltoallw, ARGUMENTS(PARTS_TYPES(MPI_Aint), MPI_Comm comm),
     ARGUMENTS(PASS_PARTS_TYPES, comm), among_neighbours_each(op, shares_of_types(counts, types), comm, req))

/* ---- communicators ---- */

/* A duplicate has one colour, a created one the group's, one with a topology that of its grid or graph. The `tag` of
 * the record is the colour, where the call has one. */

int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm *made)
    RECORDED(PMPI_Comm_split(comm, colour, key, made), split(colour, comm, *made))

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *made)
    RECORDED(PMPI_Comm_split_type(comm, type, key, info, made), split(0, comm, *made))

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) RECORDED(PMPI_Comm_dup(comm, made), split(0, comm, *made))

int MPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *made)
    RECORDED(PMPI_Comm_dup_with_info(comm, info, made), split(0, comm, *made))

int MPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
    RECORDED(PMPI_Comm_create(comm, group, made), split(0, comm, *made))

int MPI_Cart_create(MPI_Comm comm, int dims, const int sizes[], const int periods[], int reorder, MPI_Comm *made)
    RECORDED(PMPI_Cart_create(comm, dims, sizes, periods, reorder, made), split(0, comm, *made))

int MPI_Cart_sub(MPI_Comm comm, const int remain[], MPI_Comm *made)
    RECORDED(PMPI_Cart_sub(comm, remain, made), split(0, comm, *made))

int MPI_Graph_create(MPI_Comm comm, int nodes, const int index[], const int edges[], int reorder, MPI_Comm *made)
    RECORDED(PMPI_Graph_create(comm, nodes, index, edges, reorder, made), split(0, comm, *made))

int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[], const int to[],
                          const int weights[], MPI_Info info, int reorder, MPI_Comm *made)
    RECORDED(PMPI_Dist_graph_create(comm, n, sources, degrees, to, weights, info, reorder, made),
             split(0, comm, *made))

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,
                                   const int to[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm *made)
    RECORDED(PMPI_Dist_graph_create_adjacent(comm, in, sources, in_weights, out, to, out_weights, info, reorder, made),
             split(0, comm, *made))

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
    RECORDED(PMPI_Comm_create_group(comm, group, tag, made), split_among_members(*made))

int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm bridge, int other_leader, int tag, MPI_Comm *made)
    RECORDED(PMPI_Intercomm_create(comm, leader, bridge, other_leader, tag, made),
             made_otherwise("Intercomm_create", comm, *made))

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made)
    RECORDED(PMPI_Intercomm_merge(comm, high, made), split_among_members(*made))

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *req)
    RECORDED(PMPI_Comm_idup(comm, made, req), duplicating(comm, made, req))

/* Nothing is recorded of these, but their time is not the program's computing. */
int MPI_Comm_free(MPI_Comm *comm) RECORDED(PMPI_Comm_free(comm), (void)0)

int MPI_Comm_disconnect(MPI_Comm *comm) RECORDED(PMPI_Comm_disconnect(comm), (void)0)

/* ---- what has no records of its own: one line, for the reader to refuse ---- */

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
    RECORDED(PMPI_Win_create(base, size, unit, info, comm, win), collective("Win_create", 0, NO_ROOT, comm, NULL))

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
    RECORDED(PMPI_Win_allocate(size, unit, info, comm, base, win), collective("Win_allocate", 0, NO_ROOT, comm, NULL))

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
    RECORDED(PMPI_Win_allocate_shared(size, unit, info, comm, base, win),
             collective("Win_allocate_shared", 0, NO_ROOT, comm, NULL))

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
    RECORDED(PMPI_Win_create_dynamic(info, comm, win), collective("Win_create_dynamic", 0, NO_ROOT, comm, NULL))

int MPI_Comm_spawn(const char *command, char *argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made,
                   int errors[])
    RECORDED(PMPI_Comm_spawn(command, argv, most, info, root, comm, made, errors),
             collective("Comm_spawn", 0, root, comm, NULL))

int MPI_Comm_accept(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made)
    RECORDED(PMPI_Comm_accept(port, info, root, comm, made), collective("Comm_accept", 0, root, comm, NULL))

int MPI_Comm_connect(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made)
    RECORDED(PMPI_Comm_connect(port, info, root, comm, made), collective("Comm_connect", 0, root, comm, NULL))
