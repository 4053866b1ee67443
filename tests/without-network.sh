#!/bin/sh
# After `cargo fetch` and `powar tools` nothing needs a network: takes it away, then asks Cargo for every crate, and runs a command of each kind.
#
#     sh tests/without-network.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar). Exit code 0: as expected; 1: something needs the network; 2: there was none to begin with.
here=$(cd "$(dirname "$0")" && pwd)
powar=$(realpath "${1:-$here/../target/release/powar}")
. "$here/offline.sh"
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-offline-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

(cd "$here/.." && cargo fetch --locked --quiet) || exit 2
"$powar" tools >/dev/null || exit 2

fail() {
    echo "FAILED: $*"
    exit 1
}
if offline python3 -c 'import urllib.request; urllib.request.urlopen("https://pypi.org/simple/", timeout=5)' 2>/dev/null; then
    fail "there is still a network"
fi

(cd "$here/.." && offline cargo fetch --locked --offline --quiet) || fail "cargo fetch leaves crates out"
(cd "$here/.." && offline cargo tree --workspace --locked --offline >/dev/null) || fail "Cargo can't resolve the crates"

cd "$work" || exit 2
cat >small.toml <<'TOML'
title = "Small"
[simulation]
topology = "2-ary-2-tree"
traffic = { kind = "synthetic", cycles = 3000 }
[[sweep]]
name = "policy"
values = ["reference", "powar"]
TOML
commands=0
run() {
    offline "$powar" "$@" >out.log 2>err.log || fail "powar $*: $(tail -n 3 err.log)"
    commands=$((commands + 1))
}
run tools
run presets
run emit --preset fat-tree-4 --out verilog
run check --block round_robin_arbiter --cycles 2000
run verify --block round_robin_arbiter
run synth --preset fat-tree-4 --block round_robin_arbiter
run trace --input "$here/../testbenches/traces/random-access-64.tar.xz" --policy powar --pdt 10us
run sim --topology 2-ary-2-tree --load 0.1 --cycles 3000
run experiment small.toml
run experiment build/experiments/small --page
run man pages
echo "$commands commands, one of each kind, and every crate without a network"
