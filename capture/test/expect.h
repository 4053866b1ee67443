/* What a test program expects in its rank's log: one line per record, without the gaps and polls, communicators
 * named c0, c1, ... in the order in which the log defines them. */
#ifndef POWAR_EXPECT_H
#define POWAR_EXPECT_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *expected;

static void expect(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(expected, format, arguments);
    va_end(arguments);
    fputc('\n', expected);
}

static void expect_open(const char *folder, int rank, int ranks) {
    char path[4096];
    snprintf(path, sizeof path, "%s/r%05d.txt", folder, rank);
    expected = fopen(path, "w");
    if (expected == NULL || ranks != 4) {
        fprintf(stderr, "%s: cannot write it, or not 4 ranks\n", path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    setvbuf(expected, NULL, _IOLBF, 0);
    expect("H pmpilog 2 %d 4", rank);
    expect("C c0 4 0 1 2 3");
}

#endif
