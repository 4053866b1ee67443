/* The log of one rank: clocks, buffer and lines.
 *
 * A line is put together by hand in a buffer and written when the buffer is full, because the cost of a record
 * decides which compute gaps can be told from the recorder's own. */
#ifndef POWAR_LOG_H
#define POWAR_LOG_H

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NAME "powar-mpi-trace"
#define BUFFER_BYTES (256 * 1024)
/* Longest text of one number and the blank behind it. */
#define NUMBER_BYTES 24

/* Ranks of a log: any source, and no process. */
#define ANY_RANK (-1)
#define NO_RANK (-2)

static struct {
    bool open;
    int file;
    int rank, ranks;
    size_t used;
    /* Number of the request opened last. */
    uint64_t request;
    /* Unsuccessful tests since the last completion; unsuccessful probes. */
    uint64_t tests, probes;
    /* What reading the clocks twice in a row costs at least, ns; part of every raw gap. */
    int64_t cpu_cost, wall_cost;
    pthread_t first_thread;
    bool several_threads;
    char path[4096];
} trace = {.file = -1};

static char trace_buffer[BUFFER_BYTES];

/* Guards `trace` and the tables. Held while a record is made, never during an MPI call of the program. */
static pthread_mutex_t trace_lock = PTHREAD_MUTEX_INITIALIZER;

/* Of the calling thread. `depth` counts MPI calls inside MPI calls (callbacks, layers of the MPI library itself):
 * only the outermost is the program's. */
static __thread struct {
    int depth;
    bool started;
    int64_t cpu, wall;         /* when the previous call returned */
    int64_t gap_cpu, gap_wall; /* compute time that no record has taken yet */
} thread;

/* Ends the whole run: half a recording would look like a program that sends less. */
static void give_up(const char *what, const char *path, const char *why) {
    fprintf(stderr, NAME ": %s %s: %s\n", what, path, why);
    int started = 0;
    PMPI_Initialized(&started);
    if (started) PMPI_Abort(MPI_COMM_WORLD, 2);
    _exit(2);
}

static int64_t clock_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- text ---- */

static void flush_buffer(void) {
    for (size_t done = 0; done < trace.used;) {
        ssize_t written = write(trace.file, trace_buffer + done, trace.used - done);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) give_up("cannot write", trace.path, strerror(errno));
        done += (size_t)written;
    }
    trace.used = 0;
}

static void need(size_t bytes) {
    if (trace.used + bytes > BUFFER_BYTES) flush_buffer();
}

static void put_text(const char *text) {
    size_t length = strlen(text);
    need(length);
    memcpy(trace_buffer + trace.used, text, length);
    trace.used += length;
}

/* A character and a number. */
static void put_digits(char before, int64_t number) {
    char digits[NUMBER_BYTES];
    int first = NUMBER_BYTES;
    uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (number < 0) digits[--first] = '-';
    digits[--first] = before;
    size_t length = (size_t)(NUMBER_BYTES - first);
    need(length);
    memcpy(trace_buffer + trace.used, digits + first, length);
    trace.used += length;
}

/* A blank and a number. */
static void put_number(int64_t number) { put_digits(' ', number); }

/* Behind a count: x and what there is so many times. */
static void put_factor(int64_t number) { put_digits('x', number); }

/* RANK:BYTES. */
static void put_pair(int rank, int64_t bytes) {
    put_number(rank);
    put_digits(':', bytes);
}

/* A blank and eight hexadecimal digits. */
static void put_hash(uint32_t hash) {
    need(9);
    char *out = trace_buffer + trace.used;
    *out++ = ' ';
    for (int shift = 28; shift >= 0; shift -= 4) *out++ = "0123456789abcdef"[hash >> shift & 15];
    trace.used += 9;
}

/* The compute gap goes to the first record of a call; what else the call records follows at once. */
static void put_gaps(void) {
    put_number(thread.gap_cpu);
    put_number(thread.gap_wall);
    thread.gap_cpu = thread.gap_wall = 0;
}

/* ---- records ---- */

/* The fields that all calls have. What an operation adds, and the line's end, follow. */
static void begin_call(const char *operation, uint32_t comm, int peer, int64_t bytes, int tag, uint64_t request) {
    put_text(operation);
    put_gaps();
    put_hash(comm);
    put_number(peer);
    put_number(bytes);
    put_number(tag == MPI_ANY_TAG ? -1 : tag);
    put_number((int64_t)request);
}

static void record_call(const char *operation, uint32_t comm, int peer, int64_t bytes, int tag, uint64_t request) {
    begin_call(operation, comm, peer, bytes, tag, request);
    put_text("\n");
}

/* `way`: WAITED or TESTED, whichever kind of call the program made. */
#define WAITED "T"
#define TESTED "P"

static void record_completion(const char *way, uint64_t request, int source, int tag, int64_t bytes) {
    put_text(way);
    put_gaps();
    put_number((int64_t)request);
    put_number(source);
    put_number(tag == MPI_ANY_TAG ? -1 : tag);
    put_number(bytes);
    put_number((int64_t)trace.tests);
    put_text("\n");
    trace.tests = 0;
}

/* ---- begin and end of an MPI call ---- */

static int64_t no_less_than_zero(int64_t time) { return time < 0 ? 0 : time; }

/* True if this call is the program's own and is to be recorded. */
static bool call_begin(void) {
    if (thread.depth++ != 0 || !trace.open) return false;
    if (thread.started) {
        thread.gap_cpu += no_less_than_zero(clock_ns(CLOCK_THREAD_CPUTIME_ID) - thread.cpu - trace.cpu_cost);
        thread.gap_wall += no_less_than_zero(clock_ns(CLOCK_MONOTONIC) - thread.wall - trace.wall_cost);
    }
    return true;
}

static void call_end(bool recorded) {
    thread.depth--;
    if (!recorded) return;
    thread.started = true;
    thread.wall = clock_ns(CLOCK_MONOTONIC);
    thread.cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

static void lock_trace(void) {
    pthread_mutex_lock(&trace_lock);
    if (!trace.several_threads && !pthread_equal(trace.first_thread, pthread_self())) {
        trace.several_threads = true;
        fprintf(stderr, NAME ": rank %d calls MPI from several threads; its log holds the calls in the order they "
                             "returned, and a replay makes them one after the other\n", trace.rank);
    }
}

static void unlock_trace(void) { pthread_mutex_unlock(&trace_lock); }

/* The body of a wrapper: makes the call and, if it is the program's and succeeded, the records. */
#define RECORDED(call, ...)                                                                                           \
    {                                                                                                                 \
        bool recorded = call_begin();                                                                                 \
        int result = (call);                                                                                          \
        if (recorded && result == MPI_SUCCESS) {                                                                      \
            lock_trace();                                                                                             \
            __VA_ARGS__;                                                                                              \
            unlock_trace();                                                                                           \
        }                                                                                                             \
        call_end(recorded);                                                                                           \
        return result;                                                                                                \
    }

/* ---- begin and end of the log ---- */

static void measure_clocks(void) {
    trace.cpu_cost = trace.wall_cost = INT64_MAX;
    for (int i = 0; i < 200; i++) {
        int64_t wall = clock_ns(CLOCK_MONOTONIC);
        int64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        int64_t cpu_cost = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu;
        int64_t wall_cost = clock_ns(CLOCK_MONOTONIC) - wall;
        if (cpu_cost < trace.cpu_cost) trace.cpu_cost = cpu_cost;
        if (wall_cost < trace.wall_cost) trace.wall_cost = wall_cost;
    }
}

static void open_log(void) {
    PMPI_Comm_rank(MPI_COMM_WORLD, &trace.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &trace.ranks);
    const char *folder = getenv("POWAR_TRACE_DIR");
    if (folder == NULL || *folder == '\0')
        give_up("cannot record", "without a folder", "set POWAR_TRACE_DIR to one that holds no logs yet");
    int length = snprintf(trace.path, sizeof trace.path, "%s/r%05d.txt", folder, trace.rank);
    if (length < 0 || (size_t)length >= sizeof trace.path) give_up("cannot create", folder, "the name is too long");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) give_up("cannot create", folder, strerror(errno));
    /* Logs of two runs in one folder would be read as one run, so an old log is never replaced. */
    trace.file = open(trace.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (trace.file < 0) give_up("cannot create", trace.path, strerror(errno));
    trace.first_thread = pthread_self();
    measure_clocks();
    put_text("H pmpilog 2");
    put_number(trace.rank);
    put_number(trace.ranks);
    put_text("\n");
}

static void close_log(void) {
    put_text("FIN");
    put_gaps();
    put_text(" polls");
    put_number((int64_t)(trace.tests + trace.probes));
    put_text("\n");
    flush_buffer();
    if (close(trace.file) != 0) give_up("cannot write", trace.path, strerror(errno));
    trace.open = false;
}

#endif
