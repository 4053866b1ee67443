/* The neighbours of a rank in the topology of a communicator: Cartesian, graph or distributed graph. */
#ifndef POWAR_TOPOLOGY_H
#define POWAR_TOPOLOGY_H

#include "communicators.h"

/* Along each dimension first the neighbour below, then the one above: the order of MPI-3.1, section 7.6. */
static void cartesian_neighbours(MPI_Comm comm, int neighbours[], int dimensions) {
    for (int i = 0; i < dimensions; i++) PMPI_Cart_shift(comm, i, 1, &neighbours[2 * i], &neighbours[2 * i + 1]);
}

/* First those it sends to, then those it receives from; both are the same but in a distributed graph. */
static void find_neighbours(MPI_Comm comm, struct communicator *c) {
    int kind = MPI_UNDEFINED, dimensions, weighted, rank;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &dimensions);
        c->receivers = c->senders = 2 * dimensions;
    } else if (kind == MPI_GRAPH) {
        PMPI_Comm_rank(comm, &rank);
        PMPI_Graph_neighbors_count(comm, rank, &c->receivers);
        c->senders = c->receivers;
    } else if (kind == MPI_DIST_GRAPH) {
        PMPI_Dist_graph_neighbors_count(comm, &c->senders, &c->receivers, &weighted);
    }
    int *to = c->neighbours = allocate(NULL, (size_t)(c->receivers + c->senders), sizeof *to);
    int *from = to + c->receivers;
    if (kind == MPI_DIST_GRAPH) {
        int *weights = allocate(NULL, (size_t)(c->receivers + c->senders), sizeof *weights);
        PMPI_Dist_graph_neighbors(comm, c->senders, from, weights, c->receivers, to, weights + c->senders);
        free(weights);
    } else {
        if (kind == MPI_CART) cartesian_neighbours(comm, to, dimensions);
        if (kind == MPI_GRAPH) PMPI_Graph_neighbors(comm, rank, c->receivers, to);
        memcpy(from, to, (size_t)c->senders * sizeof *from);
    }
    for (int i = 0; i < c->receivers + c->senders; i++) to[i] = world_rank(c, to[i]);
}

static const struct communicator *with_neighbours(MPI_Comm comm) {
    struct communicator *c = communicator(comm);
    if (c->neighbours == NULL) find_neighbours(comm, c);
    return c;
}

static const int *receivers_of(const struct communicator *c) { return c->neighbours; }

static const int *senders_of(const struct communicator *c) { return c->neighbours + c->receivers; }

#endif
