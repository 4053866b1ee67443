#!/bin/sh
# Writes a small OTF2 archive, converts it and compares the logs with what they must be; then has the reader read them.
#
#     sh capture/test-otf2.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar; without one, the reader's part is skipped). PYTHON names
# the interpreter (default python3).
# Exit code 0: all equal, or skipped for want of the Python module; 1: a difference; 2: something does not run.
here=$(cd "$(dirname "$0")" && pwd)
powar=${1:-$here/../target/release/powar}
python=${PYTHON:-python3}
if ! "$python" -c "import otf2" 2>/dev/null; then
    echo "SKIPPED: no Python module otf2 (Debian: python3-otf2, or pip install otf2)"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-otf2-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    failed=1
}

"$python" "$here/test/write_otf2.py" "$work/archive" || exit 2
"$python" "$here/otf2-to-logs.py" "$work/archive/traces.otf2" "$work/logs" || exit 2
for rank in 0 1; do
    log=r0000$rank.txt
    if diff "$here/test/otf2-$log" "$work/logs/$log"; then
        echo "equal: rank $rank, $(wc -l <"$work/logs/$log") lines"
    else
        fail "rank $rank (<: expected, >: converted)"
    fi
done

# expect CODE MESSAGE ARGUMENTS...
expect() {
    code=$1
    message=$2
    shift 2
    "$python" "$here/otf2-to-logs.py" "$@" >/dev/null 2>"$work/errors"
    got=$?
    if [ $got = "$code" ] && [ "$(wc -l <"$work/errors")" = 1 ] && grep -q "$message" "$work/errors"; then
        echo "equal: $message"
    else
        cat "$work/errors"
        fail "exit code $got, expected $code and one line with: $message"
    fi
}
expect 2 "File exists" "$work/archive/traces.otf2" "$work/logs"
expect 2 "not found, expected the anchor file" "$work/nowhere.otf2" "$work/other"
expect 1 "usage: otf2-to-logs.py" "$work/archive/traces.otf2"

"$python" "$here/test/write_otf2_probes.py" "$work/probes"
case $? in
0)
    cat >"$work/expected" <<END
H pmpilog 1 1 2
C 00000001 2 0 1
Iprobe 0 0 00000001 0 0 3 0
Recv 8 8 00000001 0 24 3 0
Iprobe 8 8 00000001 0 0 4 0
Irecv 8 8 00000001 0 32 4 1
T 8 8 1 0 4 32 0
FIN 0 0 polls 0
END
    "$python" "$here/otf2-to-logs.py" "$work/probes/traces.otf2" "$work/logs-probes" || exit 2
    if diff "$work/expected" "$work/logs-probes/r00001.txt"; then
        echo "equal: probes"
    else
        fail "probes (<: expected, >: converted)"
    fi
    "$python" "$here/test/write_otf2_probes.py" "$work/refused" refused || exit 2
    expect 2 "rank 0: a non-blocking collective, which version 1" "$work/refused/traces.otf2" "$work/logs-refused"
    ;;
77) echo "SKIPPED: probes, the module is older than version 3.1" ;;
*) exit 2 ;;
esac

if [ -x "$powar" ]; then
    "$powar" trace --input "$work/logs" --policy powar --pdt 10us >"$work/out" 2>&1 || { cat "$work/out"; fail "powar trace"; }
else
    echo "SKIPPED: reading the logs, no $powar (cargo build --release)"
fi
[ $failed = 0 ] && echo "PASS"
exit $failed
