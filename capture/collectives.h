/* The collective calls of C, and those that make communicators.
 *
 * Operations the reader does not know are recorded under their own names all the same, for it to refuse: a log that
 * left them out would be taken for that of a program that does not make them. */

/* ---- blocking ---- */

int MPI_Barrier(MPI_Comm comm) RECORDED(PMPI_Barrier(comm), collective("Barrier", 0, NO_ROOT, comm))

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm)
    RECORDED(PMPI_Bcast(data, count, type, root, comm), collective("Bcast", payload(count, type), root, comm))

int MPI_Reduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
    RECORDED(PMPI_Reduce(in, out, count, type, op, root, comm),
             collective("Reduce", payload(count, type), root, comm))

#define REDUCE_TO_ALL(name, i_name)                                                                                   \
    int MPI_##name(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)                 \
        RECORDED(PMPI_##name(in, out, count, type, op, comm), collective(#name, payload(count, type), NO_ROOT, comm)) \
    int MPI_##i_name(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,               \
                     MPI_Request *req)                                                                                \
        RECORDED(PMPI_##i_name(in, out, count, type, op, comm, req),                                                  \
                 opened_collective(#i_name, payload(count, type), NO_ROOT, comm, req))

REDUCE_TO_ALL(Allreduce, Iallreduce)
REDUCE_TO_ALL(Scan, Iscan)
REDUCE_TO_ALL(Exscan, Iexscan)

int MPI_Reduce_scatter(const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    RECORDED(PMPI_Reduce_scatter(in, out, counts, type, op, comm),
             collective("Reduce_scatter", sum_of(counts, type, comm), NO_ROOT, comm))

int MPI_Reduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
    RECORDED(PMPI_Reduce_scatter_block(in, out, count, type, op, comm),
             collective("Reduce_scatter_block", payload(count, type), NO_ROOT, comm))

int MPI_Gather(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type, int root,
               MPI_Comm comm)
    RECORDED(PMPI_Gather(in, count, type, out, out_count, out_type, root, comm),
             gathered("Gather", in, count, type, out_count, out_type, root, comm))

int MPI_Gatherv(const void *in, int count, MPI_Datatype type, void *out, const int counts[], const int places[],
                MPI_Datatype out_type, int root, MPI_Comm comm)
    RECORDED(PMPI_Gatherv(in, count, type, out, counts, places, out_type, root, comm),
             gathered_each("Gatherv", in, count, type, counts, out_type, root, comm))

int MPI_Scatter(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm)
    RECORDED(PMPI_Scatter(in, count, type, out, out_count, out_type, root, comm),
             scattered(count, type, out_count, out_type, root, comm))

int MPI_Scatterv(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out, int out_count,
                 MPI_Datatype out_type, int root, MPI_Comm comm)
    RECORDED(PMPI_Scatterv(in, counts, places, type, out, out_count, out_type, root, comm),
             scattered_each(counts, type, out_count, out_type, root, comm))

#define ALL(name)                                                                                                     \
    int MPI_##name(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,     \
                   MPI_Comm comm)                                                                                     \
        RECORDED(PMPI_##name(in, count, type, out, out_count, out_type, comm),                                        \
                 gathered(#name, in, count, type, out_count, out_type, NO_ROOT, comm))

ALL(Allgather)
ALL(Alltoall)
ALL(Neighbor_allgather)
ALL(Neighbor_alltoall)

int MPI_Allgatherv(const void *in, int count, MPI_Datatype type, void *out, const int counts[], const int places[],
                   MPI_Datatype out_type, MPI_Comm comm)
    RECORDED(PMPI_Allgatherv(in, count, type, out, counts, places, out_type, comm),
             gathered_each("Allgatherv", in, count, type, counts, out_type, NO_ROOT, comm))

int MPI_Alltoallv(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out,
                  const int out_counts[], const int out_places[], MPI_Datatype out_type, MPI_Comm comm)
    RECORDED(PMPI_Alltoallv(in, counts, places, type, out, out_counts, out_places, out_type, comm),
             collective("Alltoallv", sum_of_each(in, counts, out_counts, type, out_type, comm), NO_ROOT, comm))

int MPI_Alltoallw(const void *in, const int counts[], const int places[], const MPI_Datatype types[], void *out,
                  const int out_counts[], const int out_places[], const MPI_Datatype out_types[], MPI_Comm comm)
    RECORDED(PMPI_Alltoallw(in, counts, places, types, out, out_counts, out_places, out_types, comm),
             collective("Alltoallw", sum_of_types(in, counts, types, out_counts, out_types, comm), NO_ROOT, comm))

/* The number of neighbours is the topology's; the size stays 0. */
int MPI_Neighbor_allgatherv(const void *in, int count, MPI_Datatype type, void *out, const int counts[],
                            const int places[], MPI_Datatype out_type, MPI_Comm comm)
    RECORDED(PMPI_Neighbor_allgatherv(in, count, type, out, counts, places, out_type, comm),
             collective("Neighbor_allgatherv", payload(count, type), NO_ROOT, comm))

int MPI_Neighbor_alltoallv(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out,
                           const int out_counts[], const int out_places[], MPI_Datatype out_type, MPI_Comm comm)
    RECORDED(PMPI_Neighbor_alltoallv(in, counts, places, type, out, out_counts, out_places, out_type, comm),
             collective("Neighbor_alltoallv", 0, NO_ROOT, comm))

int MPI_Neighbor_alltoallw(const void *in, const int counts[], const MPI_Aint places[], const MPI_Datatype types[],
                           void *out, const int out_counts[], const MPI_Aint out_places[],
                           const MPI_Datatype out_types[], MPI_Comm comm)
    RECORDED(PMPI_Neighbor_alltoallw(in, counts, places, types, out, out_counts, out_places, out_types, comm),
             collective("Neighbor_alltoallw", 0, NO_ROOT, comm))

/* ---- non-blocking ---- */

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Ibarrier(comm, req), opened_collective("Ibarrier", 0, NO_ROOT, comm, req))

int MPI_Ibcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Ibcast(data, count, type, root, comm, req),
             opened_collective("Ibcast", payload(count, type), root, comm, req))

int MPI_Ireduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                MPI_Request *req)
    RECORDED(PMPI_Ireduce(in, out, count, type, op, root, comm, req),
             opened_collective("Ireduce", payload(count, type), root, comm, req))

int MPI_Ireduce_scatter(const void *in, void *out, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                        MPI_Request *req)
    RECORDED(PMPI_Ireduce_scatter(in, out, counts, type, op, comm, req),
             opened_collective("Ireduce_scatter", sum_of(counts, type, comm), NO_ROOT, comm, req))

int MPI_Ireduce_scatter_block(const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                              MPI_Request *req)
    RECORDED(PMPI_Ireduce_scatter_block(in, out, count, type, op, comm, req),
             opened_collective("Ireduce_scatter_block", payload(count, type), NO_ROOT, comm, req))

int MPI_Igather(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                int root, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Igather(in, count, type, out, out_count, out_type, root, comm, req),
             opened_collective("Igather", in == MPI_IN_PLACE ? payload(out_count, out_type) : payload(count, type),
                               root, comm, req))

int MPI_Igatherv(const void *in, int count, MPI_Datatype type, void *out, const int counts[], const int places[],
                 MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Igatherv(in, count, type, out, counts, places, out_type, root, comm, req),
             opened_collective("Igatherv",
                               in == MPI_IN_PLACE ? own_part(counts, out_type, comm) : payload(count, type), root,
                               comm, req))

int MPI_Iscatter(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,
                 int root, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Iscatter(in, count, type, out, out_count, out_type, root, comm, req),
             opened_collective("Iscatter",
                               is_root(root, comm) ? payload(count, type) : payload(out_count, out_type), root, comm,
                               req))

int MPI_Iscatterv(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out, int out_count,
                  MPI_Datatype out_type, int root, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Iscatterv(in, counts, places, type, out, out_count, out_type, root, comm, req),
             opened_collective("Iscatterv",
                               out == MPI_IN_PLACE ? own_part(counts, type, comm) : payload(out_count, out_type),
                               root, comm, req))

#define IALL(name)                                                                                                    \
    int MPI_##name(const void *in, int count, MPI_Datatype type, void *out, int out_count, MPI_Datatype out_type,     \
                   MPI_Comm comm, MPI_Request *req)                                                                   \
        RECORDED(PMPI_##name(in, count, type, out, out_count, out_type, comm, req),                                   \
                 opened_collective(#name, in == MPI_IN_PLACE ? payload(out_count, out_type) : payload(count, type),   \
                                   NO_ROOT, comm, req))

IALL(Iallgather)
IALL(Ialltoall)
IALL(Ineighbor_allgather)
IALL(Ineighbor_alltoall)

int MPI_Iallgatherv(const void *in, int count, MPI_Datatype type, void *out, const int counts[], const int places[],
                    MPI_Datatype out_type, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Iallgatherv(in, count, type, out, counts, places, out_type, comm, req),
             opened_collective("Iallgatherv",
                               in == MPI_IN_PLACE ? own_part(counts, out_type, comm) : payload(count, type), NO_ROOT,
                               comm, req))

int MPI_Ialltoallv(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out,
                   const int out_counts[], const int out_places[], MPI_Datatype out_type, MPI_Comm comm,
                   MPI_Request *req)
    RECORDED(PMPI_Ialltoallv(in, counts, places, type, out, out_counts, out_places, out_type, comm, req),
             opened_collective("Ialltoallv", sum_of_each(in, counts, out_counts, type, out_type, comm), NO_ROOT, comm,
                               req))

int MPI_Ialltoallw(const void *in, const int counts[], const int places[], const MPI_Datatype types[], void *out,
                   const int out_counts[], const int out_places[], const MPI_Datatype out_types[], MPI_Comm comm,
                   MPI_Request *req)
    RECORDED(PMPI_Ialltoallw(in, counts, places, types, out, out_counts, out_places, out_types, comm, req),
             opened_collective("Ialltoallw", sum_of_types(in, counts, types, out_counts, out_types, comm), NO_ROOT,
                               comm, req))

int MPI_Ineighbor_allgatherv(const void *in, int count, MPI_Datatype type, void *out, const int counts[],
                             const int places[], MPI_Datatype out_type, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Ineighbor_allgatherv(in, count, type, out, counts, places, out_type, comm, req),
             opened_collective("Ineighbor_allgatherv", payload(count, type), NO_ROOT, comm, req))

int MPI_Ineighbor_alltoallv(const void *in, const int counts[], const int places[], MPI_Datatype type, void *out,
                            const int out_counts[], const int out_places[], MPI_Datatype out_type, MPI_Comm comm,
                            MPI_Request *req)
    RECORDED(PMPI_Ineighbor_alltoallv(in, counts, places, type, out, out_counts, out_places, out_type, comm, req),
             opened_collective("Ineighbor_alltoallv", 0, NO_ROOT, comm, req))

int MPI_Ineighbor_alltoallw(const void *in, const int counts[], const MPI_Aint places[], const MPI_Datatype types[],
                            void *out, const int out_counts[], const MPI_Aint out_places[],
                            const MPI_Datatype out_types[], MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Ineighbor_alltoallw(in, counts, places, types, out, out_counts, out_places, out_types, comm, req),
             opened_collective("Ineighbor_alltoallw", 0, NO_ROOT, comm, req))

/* ---- communicators ---- */

/* MPI defines the first ones through Comm_split: a duplicate has one colour, a created one the group's, a Cartesian
 * one that of its grid or sub-grid. The `tag` of the record is the colour, where the call has one. */

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
             made_otherwise("Dist_graph_create", comm, *made))

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,
                                   const int to[], const int out_weights[], MPI_Info info, int reorder, MPI_Comm *made)
    RECORDED(PMPI_Dist_graph_create_adjacent(comm, in, sources, in_weights, out, to, out_weights, info, reorder, made),
             made_otherwise("Dist_graph_create_adjacent", comm, *made))

int MPI_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *made)
    RECORDED(PMPI_Comm_create_group(comm, group, tag, made), made_otherwise("Comm_create_group", comm, *made))

int MPI_Intercomm_create(MPI_Comm comm, int leader, MPI_Comm bridge, int other_leader, int tag, MPI_Comm *made)
    RECORDED(PMPI_Intercomm_create(comm, leader, bridge, other_leader, tag, made),
             made_otherwise("Intercomm_create", comm, *made))

int MPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm *made)
    RECORDED(PMPI_Intercomm_merge(comm, high, made), made_otherwise("Intercomm_merge", comm, *made))

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *req)
    RECORDED(PMPI_Comm_idup(comm, made, req), opened_collective("Comm_idup", 0, NO_ROOT, comm, req))

/* Nothing is recorded of these, but their time is not the program's computing. */
int MPI_Comm_free(MPI_Comm *comm) RECORDED(PMPI_Comm_free(comm), (void)0)

int MPI_Comm_disconnect(MPI_Comm *comm) RECORDED(PMPI_Comm_disconnect(comm), (void)0)

/* ---- what has no records of its own: one line, for the reader to refuse ---- */

int MPI_Win_create(void *base, MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, MPI_Win *win)
    RECORDED(PMPI_Win_create(base, size, unit, info, comm, win), collective("Win_create", 0, NO_ROOT, comm))

int MPI_Win_allocate(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
    RECORDED(PMPI_Win_allocate(size, unit, info, comm, base, win), collective("Win_allocate", 0, NO_ROOT, comm))

int MPI_Win_allocate_shared(MPI_Aint size, int unit, MPI_Info info, MPI_Comm comm, void *base, MPI_Win *win)
    RECORDED(PMPI_Win_allocate_shared(size, unit, info, comm, base, win),
             collective("Win_allocate_shared", 0, NO_ROOT, comm))

int MPI_Win_create_dynamic(MPI_Info info, MPI_Comm comm, MPI_Win *win)
    RECORDED(PMPI_Win_create_dynamic(info, comm, win), collective("Win_create_dynamic", 0, NO_ROOT, comm))

int MPI_Comm_spawn(const char *command, char *argv[], int most, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made,
                   int errors[])
    RECORDED(PMPI_Comm_spawn(command, argv, most, info, root, comm, made, errors),
             collective("Comm_spawn", 0, root, comm))

int MPI_Comm_accept(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made)
    RECORDED(PMPI_Comm_accept(port, info, root, comm, made), collective("Comm_accept", 0, root, comm))

int MPI_Comm_connect(const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made)
    RECORDED(PMPI_Comm_connect(port, info, root, comm, made), collective("Comm_connect", 0, root, comm))
