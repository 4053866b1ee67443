"""Writes a small OTF2 archive of two ranks as Score-P would, with the module's own writer: write_otf2.py FOLDER."""

import sys

import otf2
from otf2.enums import CollectiveOp, GroupType, LocationType, Paradigm


def main(folder):
    # Half a nanosecond a tick: times below are ns.
    with otf2.writer.open(folder, timer_resolution=2_000_000_000) as trace:
        definitions = trace.definitions
        node = definitions.system_tree_node("node")
        ranks = []
        for rank in range(2):
            process = definitions.location_group(f"rank {rank}", system_tree_parent=node)
            ranks.append(definitions.location("main", type=LocationType.CPU_THREAD, group=process))
        definitions.group("locations", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=ranks)
        all_ranks = definitions.group("all", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=ranks)
        turned = definitions.group("turned", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI,
                                   members=ranks[::-1])
        alone = definitions.group("alone", group_type=GroupType.COMM_SELF, paradigm=Paradigm.MPI, members=[])
        world = definitions.comm("world", group=all_ranks)
        other = definitions.comm("turned", group=turned, parent=world)
        self = definitions.comm("self", group=alone)

        for rank, location in enumerate(ranks):
            write(trace, trace.event_writer_from_location(location), rank, [world, other, self])


def write(trace, events, rank, comms):
    world, other, alone = comms
    peer = 1 - rank
    now = 1000

    def region(name, gap, inside=lambda time: None):
        """A region `gap` ns after the previous one; it takes 50 ns, its events come in the middle."""
        nonlocal now
        handle = trace.definitions.region(name, paradigm=Paradigm.MPI if name.startswith("MPI_") else Paradigm.USER)
        events.enter(2 * (now + gap), handle)
        inside(2 * (now + gap + 25))
        now += gap + 50
        events.leave(2 * now, handle)

    def collective(operation, comm, root, sent, received):
        def inside(time):
            events.mpi_collective_begin(time)
            events.mpi_collective_end(time, operation, comm, root, sent, received)
        return inside

    def both(time):
        events.mpi_send(time, peer, world, 4, 40)
        events.mpi_recv(time, peer, world, 4, 40)

    def waitall(time):
        events.mpi_isend_complete(time, 7)
        events.mpi_irecv(time, rank, other, 5, 80, 8)

    region("MPI_Init", 0)
    region("compute", 500)
    region("MPI_Comm_rank", 10)
    if rank == 0:
        region("MPI_Send", 100, lambda time: events.mpi_send(time, 1, world, 3, 24))
    else:
        region("MPI_Recv", 100, lambda time: events.mpi_recv(time, 0, world, 3, 24))
    region("MPI_Sendrecv", 20, both)
    # In the turned communicator the other one has the rank that oneself has in the world.
    region("MPI_Irecv", 30, lambda time: events.mpi_irecv_request(time, 8))
    region("MPI_Isend", 40, lambda time: events.mpi_isend(time, rank, other, 5, 80, 7))
    region("MPI_Test", 50, lambda time: events.mpi_request_test(time, 8))
    region("MPI_Waitall", 60, waitall)
    # A request number is used again, and completed by its first test.
    region("MPI_Irecv", 1, lambda time: events.mpi_irecv_request(time, 8))
    region("MPI_Isend", 2, lambda time: events.mpi_isend(time, peer, world, 6, 8, 9))
    region("MPI_Test", 3, lambda time: events.mpi_irecv(time, peer, world, 6, 8, 8))
    region("MPI_Wait", 4, lambda time: events.mpi_isend_complete(time, 9))
    region("MPI_Irecv", 5, lambda time: events.mpi_irecv_request(time, 10))
    region("MPI_Wait", 6, lambda time: events.mpi_request_cancelled(time, 10))
    root = rank == 1
    region("MPI_Barrier", 1, collective(CollectiveOp.BARRIER, world, 0xFFFFFFFF, 0, 0))
    region("MPI_Bcast", 1, collective(CollectiveOp.BCAST, world, 1, 32 if root else 0, 16))
    region("MPI_Reduce", 1, collective(CollectiveOp.REDUCE, world, 1, 0 if root else 16, 16 if root else 0))
    region("MPI_Gather", 1, collective(CollectiveOp.GATHER, other, 0, 8, 16 if root else 0))
    region("MPI_Scatter", 1, collective(CollectiveOp.SCATTER, world, 1, 48 if root else 0, 24))
    region("MPI_Scatterv", 1, collective(CollectiveOp.SCATTERV, world, 1, 40 if root else 0, 12 if root else 28))
    region("MPI_Allreduce", 1, collective(CollectiveOp.ALLREDUCE, world, 0xFFFFFFFF, 32, 32))
    region("MPI_Alltoall", 1, collective(CollectiveOp.ALLTOALL, alone, 0xFFFFFFFF, 64, 64))
    region("MPI_Comm_dup", 1, collective(CollectiveOp.CREATE_HANDLE, world, 0xFFFFFFFF, 0, 0))
    region("MPI_Finalize", 70)


main(sys.argv[1])
