"""Writes an OTF2 archive with what the module has from version 3.1 on: write_otf2_probes.py FOLDER [refused].

Messages that are probed for first; with `refused`, also a non-blocking collective. Exit code 77: the module is older.
"""

import sys

import otf2
from otf2.enums import GroupType, LocationType, Paradigm

if not hasattr(otf2.events, "MpiMrecv"):
    sys.exit(77)

with otf2.writer.open(sys.argv[1], timer_resolution=1_000_000_000) as trace:
    definitions = trace.definitions
    node = definitions.system_tree_node("node")
    processes = [definitions.location_group(f"rank {rank}", system_tree_parent=node) for rank in range(2)]
    ranks = [definitions.location("main", type=LocationType.CPU_THREAD, group=process) for process in processes]
    definitions.group("locations", group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=ranks)
    world = definitions.comm("world", group=definitions.group(
        "all", group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=ranks))
    sender, receiver = [trace.event_writer_from_location(location) for location in ranks]

    def region(events, time, name, inside):
        handle = definitions.region(name, paradigm=Paradigm.MPI)
        events.enter(time, handle)
        inside(time + 1)
        events.leave(time + 2, handle)

    region(sender, 10, "MPI_Send", lambda time: sender.mpi_send(time, 1, world, 3, 24))
    region(sender, 20, "MPI_Send", lambda time: sender.mpi_send(time, 1, world, 4, 32))
    region(receiver, 10, "MPI_Mprobe", lambda time: receiver.mpi_probe(time, 0, world, 3, 77))
    region(receiver, 20, "MPI_Mrecv", lambda time: receiver.mpi_mrecv(time, 77, 24))
    region(receiver, 30, "MPI_Improbe", lambda time: receiver.mpi_probe(time, 0, world, 4, 78))
    region(receiver, 40, "MPI_Imrecv", lambda time: receiver.mpi_imrecv_request(time, 78, 5))
    region(receiver, 50, "MPI_Wait", lambda time: receiver.mpi_imrecv(time, 5, 32))
    if "refused" in sys.argv:
        region(sender, 60, "MPI_Ibarrier", lambda time: sender.non_blocking_collective_request(time, 9))
