/* powar-mpi-trace: records the MPI calls of an unchanged program, one log per rank, for `powar trace`.
 *
 *     mpicc -shared -fPIC -O2 -o libpowar-mpi-trace.so powar_mpi_trace.c
 *     POWAR_TRACE_DIR=logs mpirun -x POWAR_TRACE_DIR -x LD_PRELOAD=$PWD/libpowar-mpi-trace.so -n 16 program
 *
 * It stands between program and MPI library by the profiling interface of the MPI standard: every MPI_X of the
 * program lands here, and the real one is called as PMPI_X. docs/capture.md is the guide. */
#include "collective_records.h"
#include "records.h"

/* ---- begin and end ---- */

static void start_recording(void) {
    /* Called through the other of MPI_Init and MPI_Init_thread, or MPI is started from Fortran and C. */
    if (trace.file >= 0) return;
    open_log();
    start_communicators();
    trace.open = true;
    call_end(true);
    thread.depth = 0;
}

static void stop_recording(void) {
    if (!trace.open) return;
    call_begin();
    thread.depth--;
    lock_trace();
    close_log();
    unlock_trace();
}

int MPI_Init(int *argc, char ***argv) {
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS) start_recording();
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS) start_recording();
    return result;
}

int MPI_Finalize(void) {
    stop_recording();
    return PMPI_Finalize();
}

/* The log stays without FIN: a reader says that it is cut short. */
int MPI_Abort(MPI_Comm comm, int code) {
    if (trace.open) {
        lock_trace();
        flush_buffer();
        unlock_trace();
    }
    return PMPI_Abort(comm, code);
}

/* ---- blocking messages ---- */

#define SEND(name, operation)                                                                                         \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)                    \
        RECORDED(PMPI_##name(data, count, type, to, tag, comm), sent(operation, count, type, to, tag, comm))

SEND(Send, "Send")
SEND(Ssend, "Ssend")
SEND(Bsend, "Send")
SEND(Rsend, "Send")

#define WANTED(status) ((status) == MPI_STATUS_IGNORE ? &own_status : (status))

int MPI_Recv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED(PMPI_Recv(data, count, type, from, tag, comm, status), received("Recv", from, tag, comm, status))
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED(PMPI_Sendrecv(data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status),
             exchanged(payload(count, type), to, tag, from, in_tag, comm, status))
}

int MPI_Sendrecv_replace(void *data, int count, MPI_Datatype type, int to, int tag, int from, int in_tag,
                         MPI_Comm comm, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED(PMPI_Sendrecv_replace(data, count, type, to, tag, from, in_tag, comm, status),
             exchanged(payload(count, type), to, tag, from, in_tag, comm, status))
}

int MPI_Probe(int from, int tag, MPI_Comm comm, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED(PMPI_Probe(from, tag, comm, status), received("Probe", from, tag, comm, status))
}

int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *found, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED(PMPI_Iprobe(from, tag, comm, found, status), probed(*found, from, tag, comm, status))
}

int MPI_Mprobe(int from, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED(PMPI_Mprobe(from, tag, comm, message, status), received("Probe", from, tag, comm, status);
             add_message(*message, from, tag, comm))
}

int MPI_Improbe(int from, int tag, MPI_Comm comm, int *found, MPI_Message *message, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED(PMPI_Improbe(from, tag, comm, found, message, status), probed(*found, from, tag, comm, status);
             if (*found) add_message(*message, from, tag, comm))
}

int MPI_Mrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status) {
    MPI_Status own_status;
    uint64_t handle = handle_of(message, sizeof *message);
    status = WANTED(status);
    RECORDED(PMPI_Mrecv(data, count, type, message, status), received_found(take_message(handle), status))
}

/* ---- requests ---- */

#define ISEND(name, operation)                                                                                        \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *req)  \
        RECORDED(PMPI_##name(data, count, type, to, tag, comm, req), opened(operation, count, type, to, tag, comm, req))

ISEND(Isend, "Isend")
ISEND(Issend, "Issend")
ISEND(Ibsend, "Isend")
ISEND(Irsend, "Isend")

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Irecv(data, count, type, from, tag, comm, req), opened("Irecv", count, type, from, tag, comm, req))

int MPI_Imrecv(void *data, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *req) {
    uint64_t handle = handle_of(message, sizeof *message);
    RECORDED(PMPI_Imrecv(data, count, type, message, req), opened_found(count, type, take_message(handle), req))
}

#define SEND_INIT(name, operation)                                                                                    \
    int MPI_##name(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *req)  \
        RECORDED(PMPI_##name(data, count, type, to, tag, comm, req),                                                  \
                 prepared(operation, count, type, to, tag, comm, req))

SEND_INIT(Send_init, "Isend")
SEND_INIT(Ssend_init, "Issend")
SEND_INIT(Bsend_init, "Isend")
SEND_INIT(Rsend_init, "Isend")

int MPI_Recv_init(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request *req)
    RECORDED(PMPI_Recv_init(data, count, type, from, tag, comm, req),
             prepared("Irecv", count, type, from, tag, comm, req))

int MPI_Start(MPI_Request *req) RECORDED(PMPI_Start(req), started(1, req))

int MPI_Startall(int count, MPI_Request reqs[]) RECORDED(PMPI_Startall(count, reqs), started(count, reqs))

int MPI_Cancel(MPI_Request *req) RECORDED(PMPI_Cancel(req), cancelled(*req))

int MPI_Request_free(MPI_Request *req) {
    uint64_t handle = request_handle(*req);
    RECORDED(PMPI_Request_free(req), forget_request(handle))
}

int MPI_Wait(MPI_Request *req, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED((keep_handles(1, req), PMPI_Wait(req, status)), completed(WAITED, 1, 1, status))
}

int MPI_Test(MPI_Request *req, int *done, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED((keep_handles(1, req), PMPI_Test(req, done, status)), completed(TESTED, *done, 1, status))
}

int MPI_Waitall(int count, MPI_Request reqs[], MPI_Status *statuses)
    RECORDED((keep_handles(count, reqs), PMPI_Waitall(count, reqs, statuses = kept_statuses(statuses))),
             completed(WAITED, 1, count, statuses))

int MPI_Testall(int count, MPI_Request reqs[], int *done, MPI_Status statuses[])
    RECORDED((keep_handles(count, reqs), PMPI_Testall(count, reqs, done, statuses = kept_statuses(statuses))),
             completed(TESTED, *done, count, statuses))

int MPI_Waitany(int count, MPI_Request reqs[], int *index, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED((keep_handles(count, reqs), PMPI_Waitany(count, reqs, index, status)),
             completed_one(WAITED, 1, *index, status))
}

int MPI_Testany(int count, MPI_Request reqs[], int *index, int *done, MPI_Status *status) {
    MPI_Status own_status;
    status = WANTED(status);
    RECORDED((keep_handles(count, reqs), PMPI_Testany(count, reqs, index, done, status)),
             completed_one(TESTED, *done, *index, status))
}

int MPI_Waitsome(int count, MPI_Request reqs[], int *done, int indices[], MPI_Status statuses[])
    RECORDED((keep_handles(count, reqs),
              PMPI_Waitsome(count, reqs, done, indices, statuses = kept_statuses(statuses))),
             completed_some(WAITED, *done, indices, statuses))

int MPI_Testsome(int count, MPI_Request reqs[], int *done, int indices[], MPI_Status statuses[])
    RECORDED((keep_handles(count, reqs),
              PMPI_Testsome(count, reqs, done, indices, statuses = kept_statuses(statuses))),
             completed_some(TESTED, *done, indices, statuses))

/* Completes nothing: a Wait or Test still follows. */
int MPI_Request_get_status(MPI_Request req, int *done, MPI_Status *status)
    RECORDED(PMPI_Request_get_status(req, done, status), trace.tests += !*done)

#include "collectives.h"
#include "fortran.h"
