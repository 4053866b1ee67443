#!/bin/sh
# Builds the recorder and compares its logs of known programs with what they expect, then has the reader read them.
#
#     sh capture/test.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar; without one, the reader's part is skipped).
# Exit code 0: all equal, or skipped for want of an MPI; 1: a difference; 2: something does not run.
here=$(cd "$(dirname "$0")" && pwd)
powar=${1:-$here/../target/release/powar}
for tool in mpicc mpirun; do
    if ! command -v $tool >/dev/null; then
        echo "SKIPPED: no $tool (Debian: libopenmpi-dev, openmpi-bin)"
        exit 0
    fi
done
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-capture-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
library=$work/libpowar-mpi-trace.so
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

mpicc -shared -fPIC -O2 -Wall -Wextra -Werror -o "$library" "$here/powar_mpi_trace.c" || exit 2

# Open MPI refuses more ranks than cores, and to run as root, unless told otherwise; other MPIs have no such options.
options=
if mpirun --version 2>/dev/null | grep -q "Open MPI"; then
    # All ranks are on this machine: no remote shell is needed, nor looked for.
    options="--oversubscribe --bind-to none --mca mpi_yield_when_idle 1 --mca plm isolated"
    [ "$(id -u)" = 0 ] && options="$options --allow-run-as-root"
fi

# record LOGS PROGRAM ARGUMENTS...
record() {
    logs=$1
    shift
    timeout 60 mpirun $options -n 4 env POWAR_TRACE_DIR="$logs" LD_PRELOAD="$library" "$@" 2>"$work/errors"
}

# Logs without gaps and polls, communicators by number: what a program can know beforehand.
plain() {
    awk '
        function comm(hash) { if (!(hash in names)) names[hash] = "c" count++; return names[hash] }
        $1 == "H" { print; next }
        $1 == "C" { $2 = comm($2); print; next }
        $1 == "T" || $1 == "P" { print $1, $4, $5, $6, $7; next }
        $1 == "FIN" { print $1; next }
        { line = $1 " " comm($4); for (i = 5; i <= NF; i++) line = line " " $i; print line }' "$1"
}

# compare WHAT PROGRAM [ARGUMENT]: runs it and compares the logs with what it expects.
compare() {
    what=$1
    program=$2
    shift 2
    mkdir -p "$work/expected-$what"
    if ! record "$work/logs-$what" "$work/$program" "$work/expected-$what" "$@"; then
        cat "$work/errors"
        fail "$what does not run"
        return
    fi
    for rank in 0 1 2 3; do
        log=r0000$rank.txt
        plain "$work/logs-$what/$log" >"$work/plain.txt"
        if diff "$work/expected-$what/$log" "$work/plain.txt" >"$work/difference.txt"; then
            echo "equal: $what, rank $rank, $(wc -l <"$work/logs-$what/$log") lines"
        else
            head -20 "$work/difference.txt"
            fail "$what, rank $rank (<: expected, >: recorded)"
        fi
    done
}

mpicc -O1 -o "$work/every_call" "$here/test/every_call.c" || exit 2
mpicc -O1 -o "$work/collective_calls" "$here/test/collective_calls.c" || exit 2
mpicc -O1 -o "$work/other_calls" "$here/test/other_calls.c" || exit 2
compare every_call every_call
compare with_threads every_call threads
compare collective_calls collective_calls
compare other_calls other_calls

for way in mpif_h mpi mpi_f08; do
    if ! command -v mpifort >/dev/null || ! printf 'program p\n%s\nend\n' "$(
        [ $way = mpif_h ] && echo "include 'mpif.h'" || echo "use $way"
    )" >"$work/probe.f90" || ! mpifort -o "$work/probe" "$work/probe.f90" 2>/dev/null; then
        echo "SKIPPED: no Fortran with $way (Debian: gfortran)"
        continue
    fi
    mpifort -cpp -DWITH_$way -J"$work" -o "$work/fortran_$way" "$here/test/fortran_calls.F90" || exit 2
    compare fortran_$way fortran_$way
done

# An old log stays, and the message names it.
if record "$work/logs-every_call" "$work/every_call" "$work"; then
    fail "an old log was replaced"
elif ! grep -q "powar-mpi-trace: cannot create $work/logs-every_call/r0000[0-3].txt: File exists" "$work/errors"; then
    cat "$work/errors"
    fail "the message about an old log"
else
    echo "equal: refusal to replace a log"
fi

if [ -x "$powar" ]; then
    for logs in every_call with_threads collective_calls fortran_mpif_h fortran_mpi fortran_mpi_f08; do
        [ -d "$work/logs-$logs" ] || continue
        "$powar" trace --input "$work/logs-$logs" --policy powar --pdt 10us >"$work/out" 2>&1 ||
            { cat "$work/out"; fail "powar trace of $logs"; }
        # A VEF trace has no scans, no neighbours and no Alltoallv.
        case $logs in every_call | with_threads) ending=vef ;; *) ending=goal ;; esac
        "$powar" trace-convert --input "$work/logs-$logs" --out "$work/$logs.$ending" >/dev/null || fail "powar trace-convert of $logs"
    done
    "$powar" trace --input "$work/logs-other_calls" >"$work/out" 2>&1 && fail "powar trace took unknown operations"
    grep -q 'field `OP` is `Intercomm_create`, expected' "$work/out" || { cat "$work/out"; fail "message of powar trace"; }
else
    echo "SKIPPED: reading the logs, no $powar (cargo build --release)"
fi
[ $failed = 0 ] && echo "PASS"
exit $failed
