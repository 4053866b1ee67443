#!/usr/bin/env python3
"""Converts an OTF2 archive (Score-P) to logs that powar reads: version 1 in testbenches/traces/README.md.

    python3 capture/otf2-to-logs.py scorep-run/traces.otf2 logs

Needs the OTF2 Python reader: Debian's python3-otf2, or `pip install otf2`. Events are streamed, all ranks side by side;
of a rank only what waits for the completion of a receive is held.

Gaps are wall-clock time between MPI regions, as OTF2 has no other, and stand in both gap fields. The wildcards of
receives are not in OTF2: what a receive got is written as what it asked for. The bytes of collectives are worked out
from the totals that Score-P writes (src/adapters/mpi/scorep_mpi_coll.inc.c of Score-P 9).
"""

import collections
import os
import sys

# A test that succeeds at once has no unsuccessful one before it; one is counted, since the program would have gone on.
TESTED = "MPI_Test"
# What version 1 of the logs calls the operations.
OPERATIONS = {
    "BARRIER": "Barrier", "BCAST": "Bcast", "GATHER": "Gather", "GATHERV": "Gatherv", "SCATTER": "Scatter",
    "SCATTERV": "Scatterv", "ALLGATHER": "Allgather", "ALLGATHERV": "Allgatherv", "ALLTOALL": "Alltoall",
    "ALLTOALLV": "Alltoallv", "ALLTOALLW": "Alltoallw", "ALLREDUCE": "Allreduce", "REDUCE": "Reduce",
    "REDUCE_SCATTER": "Reduce_scatter", "REDUCE_SCATTER_BLOCK": "Reduce_scatter_block", "SCAN": "Scan",
    "EXSCAN": "Exscan", "CREATE_HANDLE": "Comm_split",
}
ROOTED = {"BCAST", "GATHER", "GATHERV", "SCATTER", "SCATTERV", "REDUCE"}
NO_PAYLOAD = {"BARRIER", "CREATE_HANDLE"}
ANY, NOBODY = -1, -2


class Refused(Exception):
    """What can't be converted, in one line."""


def quotient(operation, total, *divisors):
    """The first exact quotient; the later divisors stand for operations in place, which leave the own part out."""
    for divisor in divisors:
        if divisor > 0 and total % divisor == 0:
            return total // divisor
    if total == 0:
        return 0
    raise Refused(f"{operation} of {total} bytes in all, expected a multiple of {divisors[0]}")


def payload(operation, sent, received, size, is_root):
    """A collective's bytes as the logs have them: what a rank contributes for each destination."""
    if operation in NO_PAYLOAD:
        return 0
    if operation == "BCAST":
        return received
    if operation in ("REDUCE", "GATHER"):
        return sent if sent or not is_root else quotient(operation, received, size - 1)
    if operation == "GATHERV":
        return sent
    if operation == "SCATTER":
        return received if received or not is_root else quotient(operation, sent, size - 1)
    if operation == "SCATTERV":
        # The root's line has room for one size: the mean of what it sends to the others, rounded up.
        return -(-(sent - received) // max(size - 1, 1)) if is_root else received
    if operation in ("ALLGATHER", "ALLTOALL", "ALLREDUCE"):
        return quotient(operation, received, size, size - 1)
    if operation in ("ALLGATHERV", "REDUCE_SCATTER_BLOCK"):
        return quotient(operation, sent, size, size - 1)
    if operation == "SCAN":
        return quotient(operation, sent + received, size + 1, size - 1)
    if operation == "EXSCAN":
        return quotient(operation, sent + received, size - 1)
    return sent


class Communicators:
    """Names and members, the same for all ranks."""

    def __init__(self, definitions, enums):
        groups = [g for g in definitions.groups
                  if g.group_type == enums.GroupType.COMM_LOCATIONS and g.paradigm == enums.Paradigm.MPI]
        if len(groups) != 1:
            raise Refused(f"found {len(groups)} groups of MPI locations, expected 1: no MPI program was traced")
        self.own = enums.GroupType.COMM_SELF
        self.locations = list(groups[0].members)
        self.rank_of = {location._ref: rank for rank, location in enumerate(self.locations)}
        self.known = {}
        # Of receives that are cancelled: what they asked for is not known, and nobody sends it.
        self.nowhere = ("00000000", list(range(len(self.locations))))

    def of(self, comm, rank):
        """Name and members of a communicator as `rank` uses it."""
        group = getattr(comm, "group", None)
        if group is None:
            raise Refused(f"communicator {comm._ref} is between two groups, which version 1 of the logs has not")
        alone = group.group_type == self.own
        key = (comm._ref, rank if alone else None)
        if key not in self.known:
            members = [rank] if alone else [self.rank_of[location._ref] for location in group.members]
            self.known[key] = (f"{len(self.known) + 1:08x}", members)
        return self.known[key]


class Log:
    """The log of one rank. Lines wait behind a receive until its completion tells what it got."""

    def __init__(self, path, rank, ranks, nanoseconds, communicators):
        self.out = open(path, "x", encoding="ascii")
        self.out.write(f"H pmpilog 1 {rank} {ranks}\n")
        self.rank, self.nanoseconds, self.communicators = rank, nanoseconds, communicators
        # Names whose C line is written; lines with the communicator that each uses, `None` where it is not yet known.
        self.defined, self.waiting = set(), collections.deque()
        self.regions, self.left, self.gap = [], None, 0
        # Number, bytes and tag of open sends; the place in the log of open receives; names of messages probed for.
        self.numbers, self.sends, self.receives, self.probed = {}, {}, {}, {}
        self.opened, self.tests = 0, collections.Counter()
        self.halves = {}

    def write(self, line, communicator=None):
        self.waiting.append([line, communicator])
        self.flush()

    def flush(self):
        while self.waiting and self.waiting[0][0] is not None:
            line, communicator = self.waiting.popleft()
            if communicator is not None and communicator[0] not in self.defined:
                name, members = communicator
                self.defined.add(name)
                self.out.write(f"C {name} {len(members)} {' '.join(map(str, members))}\n")
            self.out.write(line)

    def take_gap(self):
        gap, self.gap = self.gap, 0
        return f"{gap} {gap}"

    def call(self, operation, comm, peer, size, tag, request=0):
        name, members = self.communicators.of(comm, self.rank)
        peer = members[peer] if peer >= 0 else peer
        self.write(f"{operation} {self.take_gap()} {name} {peer} {size} {tag} {request}\n", (name, members))

    # Regions: what is between those of MPI is the gap of the next record.

    def enter(self, time, region):
        if is_mpi(region):
            if not self.regions and self.left is not None:
                self.gap += max(0, self.nanoseconds(time) - self.left)
            self.regions.append(region.name)

    def leave(self, time, region):
        if is_mpi(region) and self.regions:
            self.regions.pop()
            if not self.regions:
                self.exchanged()
                self.left = self.nanoseconds(time)

    # Messages.

    def send(self, event):
        if self.in_sendrecv():
            self.halves["S"] = (event.communicator, event.receiver, event.msg_length, event.msg_tag)
            return
        self.call("Send", event.communicator, event.receiver, event.msg_length, event.msg_tag)

    def recv(self, event):
        if self.in_sendrecv():
            self.halves["R"] = (event.communicator, event.sender, event.msg_length, event.msg_tag)
            return
        self.call("Recv", event.communicator, event.sender, event.msg_length, event.msg_tag)

    def in_sendrecv(self):
        return bool(self.regions) and self.regions[0].startswith("MPI_Sendrecv")

    def exchanged(self):
        """Both halves of a Sendrecv; the one with MPI_PROC_NULL has no event."""
        halves, self.halves = self.halves, {}
        if halves:
            comm = next(iter(halves.values()))[0]
            for half in "SR":
                self.call(f"Sendrecv{half}", *halves.get(half, (comm, NOBODY, 0, 0)))

    def open_request(self, event):
        self.opened += 1
        self.numbers[event.request_id] = self.opened
        return self.opened

    def isend(self, event):
        number = self.open_request(event)
        self.sends[event.request_id] = (event.msg_tag, event.msg_length)
        self.call("Isend", event.communicator, event.receiver, event.msg_length, event.msg_tag, number)

    def isend_complete(self, event):
        if event.request_id in self.sends:
            self.complete(event.request_id, ANY, *self.sends.pop(event.request_id))

    def irecv_request(self, event):
        number, entry = self.open_request(event), [None, None]
        self.receives[event.request_id] = (entry, self.take_gap(), number)
        self.waiting.append(entry)

    def irecv(self, event):
        self.received(event, event.communicator, event.sender, event.msg_length, event.msg_tag)

    def received(self, event, comm, sender, length, tag):
        if event.request_id not in self.receives:
            raise Refused(f"rank {self.rank}: request {event.request_id} is complete, expected its MPI_Irecv before")
        name, members = communicator = self.communicators.of(comm, self.rank)
        self.resolve(event.request_id, members[sender], length, tag, communicator)
        self.complete(event.request_id, sender, tag, length)

    def resolve(self, request, peer, length, tag, communicator):
        """Fills in the line of a receive, now that it is known."""
        entry, gap, number = self.receives.pop(request)
        entry[:] = f"Irecv {gap} {communicator[0]} {peer} {length} {tag} {number}\n", communicator

    def cancelled(self, event):
        if event.request_id in self.sends:
            raise Refused(f"rank {self.rank}: a send was cancelled, which can't be replayed")
        if event.request_id in self.receives:
            self.resolve(event.request_id, ANY, 0, ANY, self.communicators.nowhere)
            self.complete(event.request_id, ANY, ANY, 0)

    def test(self, event):
        self.tests[event.request_id] += 1

    def complete(self, request, source, tag, length):
        polls = self.tests.pop(request, 0)
        if self.regions and self.regions[0].startswith(TESTED):
            polls = max(polls, 1)
        number = self.numbers.pop(request)
        self.write(f"T {self.take_gap()} {number} {source} {tag} {length} {polls}\n")

    def probe(self, event):
        self.call("Iprobe", event.communicator, event.sender, 0, event.tag)
        self.probed[event.message_id] = (event.communicator, event.sender, event.tag)

    def mrecv(self, event):
        comm, sender, tag = self.probed.pop(event.message_id)
        self.call("Recv", comm, sender, event.msg_length, tag)

    def imrecv_request(self, event):
        self.irecv_request(event)
        self.receives[event.request_id] += self.probed.pop(event.message_id)

    def imrecv(self, event):
        *receive, comm, sender, tag = self.receives[event.request_id]
        self.receives[event.request_id] = receive
        self.received(event, comm, sender, event.msg_length, tag)

    # Collectives.

    def collective(self, event):
        operation = str(event.collective_op).rsplit(".", 1)[-1]
        if operation == "DESTROY_HANDLE":
            return
        if operation not in OPERATIONS:
            raise Refused(f"rank {self.rank}: collective {operation} can't be replayed: one-sided communication")
        _, members = self.communicators.of(event.communicator, self.rank)
        root = event.root if operation in ROOTED else ANY
        is_root = root >= 0 and members[root] == self.rank
        size = payload(operation, event.size_sent, event.size_received, len(members), is_root)
        self.call(OPERATIONS[operation], event.communicator, root, size, 0)

    def finish(self):
        """Ends the log; the number of receives that never were complete and are left out."""
        for entry, *_ in self.receives.values():
            entry[0] = ""
        self.flush()
        self.out.write(f"FIN {self.take_gap()} polls {sum(self.tests.values())}\n")
        self.out.close()
        return len(self.receives)


def is_mpi(region):
    return region.name.startswith("MPI_")


HANDLERS = {
    "MpiSend": Log.send, "MpiRecv": Log.recv, "MpiIsend": Log.isend, "MpiIsendComplete": Log.isend_complete,
    "MpiIrecvRequest": Log.irecv_request, "MpiIrecv": Log.irecv, "MpiRequestTest": Log.test,
    "MpiRequestCancelled": Log.cancelled, "MpiCollectiveEnd": Log.collective, "MpiProbe": Log.probe,
    "MpiMrecv": Log.mrecv, "MpiImrecvRequest": Log.imrecv_request, "MpiImrecv": Log.imrecv,
}


def handle(log, event):
    kind = type(event).__name__
    if kind == "Enter":
        log.enter(event.time, event.region)
    elif kind == "Leave":
        log.leave(event.time, event.region)
    elif kind in HANDLERS:
        HANDLERS[kind](log, event)
    elif kind.startswith("NonBlockingCollective"):
        raise Refused(f"rank {log.rank}: a non-blocking collective, which version 1 of the logs has not")
    elif kind.startswith("Rma"):
        raise Refused(f"rank {log.rank}: {kind} can't be replayed: one-sided communication")


def convert(otf2, anchor, folder):
    with otf2.reader.open(anchor) as trace:
        communicators = Communicators(trace.definitions, otf2)
        ranks, resolution = len(communicators.locations), trace.timer_resolution
        os.makedirs(folder, exist_ok=True)

        def nanoseconds(ticks):
            return ticks * 1_000_000_000 // resolution

        logs = {location._ref: Log(os.path.join(folder, f"r{rank:05}.txt"), rank, ranks, nanoseconds, communicators)
                for rank, location in enumerate(communicators.locations)}
        for location, event in trace.events:
            log = logs.get(location._ref)
            if log is not None:
                handle(log, event)
            elif type(event).__name__ in HANDLERS:
                raise Refused(f"location {location.name} calls MPI, expected the first thread of a process only")
        return ranks, sum(log.finish() for log in logs.values())


def raise_file_limit():
    """A log for each rank is open at the same time."""
    try:
        import resource
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ImportError, ValueError, OSError):
        pass


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: otf2-to-logs.py ARCHIVE.otf2 FOLDER")
    try:
        import otf2
    except ImportError:
        sys.exit("otf2-to-logs: no Python module otf2 (Debian: python3-otf2, or pip install otf2)")
    anchor, folder = sys.argv[1:]
    raise_file_limit()
    try:
        if not os.path.isfile(anchor):
            raise Refused("not found, expected the anchor file of an OTF2 archive, such as traces.otf2")
        ranks, incomplete = convert(otf2, anchor, folder)
    except (Refused, OSError, otf2.reader.TraceReaderError) as error:
        print(f"otf2-to-logs: {anchor}: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"{ranks} logs in {folder}; gaps are wall-clock time")
    if incomplete:
        print(f"otf2-to-logs: {incomplete} receives were never complete and are left out", file=sys.stderr)


if __name__ == "__main__":
    main()
