#!/usr/bin/env python3
"""Generates a LiteX SoC for the ULX3S with a powar switch of 4 ports on its Wishbone bus.

The bus has no processor but a serial port, through which a host reads and writes (UARTBone; `litex_server --uart`, `litex_cli`). The links
of the switch go to its neighbours in a design; here that of each port ends in the port beside it.
"""

import argparse
from pathlib import Path

from litex.build.generic_platform import IOStandard, Pins, Subsignal
from litex.build.lattice import LatticeECP5Platform
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import axi
from migen import Cat, ClockDomain, ClockSignal, Constant, If, Instance, Module, ResetSignal, Signal

PINS = [
    ("clk25", 0, Pins("G2"), IOStandard("LVCMOS33")),
    ("serial", 0, Subsignal("tx", Pins("L4")), Subsignal("rx", Pins("M1")), IOStandard("LVCMOS33")),
]
CLOCK_HZ = 25_000_000
# Where the registers of the switch are, and the bits of s_axi_awaddr.
ORIGIN, ADDRESS_BITS = 0x3000_0000, 16
# Cycles for which the switch is to be reset.
RESET_CYCLES = 16
# Ports, and bits of a virtual channel, a flit and a phase: the configuration and docs/microarchitecture/switch.md.
PORTS, VC_BITS, FLIT_BITS, PHASE_BITS = 4, 3, 128, 3


class PowerOnReset(Module):
    """The clock of the board, and a reset that ends by itself."""

    def __init__(self, clk):
        self.clock_domains.cd_sys = ClockDomain()
        self.clock_domains.cd_start = ClockDomain(reset_less=True)
        left = Signal(max=RESET_CYCLES + 1, reset=RESET_CYCLES)
        self.comb += [self.cd_sys.clk.eq(clk), self.cd_start.clk.eq(clk), self.cd_sys.rst.eq(left != 0)]
        self.sync.start += If(left != 0, left.eq(left - 1))


class Switch(Module):
    """The emitted switch as a block of LiteX: `bus`, its registers; `links_in` and `links_out`, a record of signals of all ports each."""

    def __init__(self, platform, folder):
        (file_list,) = folder.glob("*.f")
        for name in file_list.read_text().split():
            platform.add_source(str(folder / name))
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        self.links_in = links()
        self.links_out = links()
        self.specials += Instance(
            file_list.stem,
            i_clk=ClockSignal(),
            i_rst=ResetSignal(),
            # Where in a network it is.
            i_position=Constant(0, 16),
            i_stage=Constant(0, 4),
            **axi_lite_ports(bus),
            **{f"i_in_{name}": signal for name, signal in self.links_in.items() if not name.startswith("credit")},
            **{f"o_in_{name}": signal for name, signal in self.links_in.items() if name.startswith("credit")},
            **{f"o_out_{name}": signal for name, signal in self.links_out.items() if not name.startswith("credit")},
            **{f"i_out_{name}": signal for name, signal in self.links_out.items() if name.startswith("credit")},
            # What the power controller does, for those who want to see it.
            **{f"o_{name}": Signal(PORTS) for name in ["held", "grantable", "preferred", "ready"]},
            **{f"o_{name}": Signal(PORTS * PHASE_BITS) for name in ["phase", "level"]},
        )


def links():
    """The signals of the links of all ports one way, with the credits that go the other way."""
    bits = {"valid": 1, "head": 1, "vc": VC_BITS, "flit": FLIT_BITS, "phase": PHASE_BITS, "hint": 1}
    bits |= {"credit_valid": 1, "credit_vc": VC_BITS}
    return {name: Signal(PORTS * width) for name, width in bits.items()}


def axi_lite_ports(bus):
    """The ports s_axi_* of an instance, joined with a bus."""
    ports = {}
    for channel, payload, from_master in [
        ("aw", ["addr"], True),
        ("w", ["data", "strb"], True),
        ("b", ["resp"], False),
        ("ar", ["addr"], True),
        ("r", ["resp", "data"], False),
    ]:
        forward, back = ("i", "o") if from_master else ("o", "i")
        signals = getattr(bus, channel)
        for name in ["valid", *payload]:
            signal = getattr(signals, name)
            # The addresses of LiteX have more bits, which have chosen the switch already.
            ports[f"{forward}_s_axi_{channel}{name}"] = signal[:ADDRESS_BITS] if name == "addr" else signal
        ports[f"{back}_s_axi_{channel}ready"] = signals.ready
    return ports


class Soc(SoCMini):
    def __init__(self, platform, folder, baud):
        SoCMini.__init__(self, platform, CLOCK_HZ, ident="powar switch on LiteX")
        self.submodules.crg = PowerOnReset(platform.request("clk25"))
        self.add_uartbone(baudrate=baud)
        self.submodules.switch = switch = Switch(platform, folder)
        region = SoCRegion(origin=ORIGIN, size=1 << ADDRESS_BITS, cached=False)
        self.bus.add_slave("switch", switch.bus, region)
        for name, out in switch.links_out.items():
            back = switch.links_in[name]
            if name.startswith("credit"):
                self.comb += out.eq(neighbours(back))
            else:
                self.comb += back.eq(neighbours(out))


def neighbours(signal):
    """The parts of all ports, each in the place of the port beside it."""
    width = len(signal) // PORTS
    return Cat(*(signal[(port ^ 1) * width:][:width] for port in range(PORTS)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("switch", type=Path, help="folder that powar emit --top switch --preset demonstrator-4 has written")
    parser.add_argument("--out", type=Path, default=Path("build/soc"), help="folder to write to (default: build/soc)")
    parser.add_argument("--baud", type=int, default=115200, help="bits a second of the serial port (default: 115200)")
    arguments = parser.parse_args()
    platform = LatticeECP5Platform("LFE5U-85F-6BG381C", PINS, toolchain="trellis")
    soc = Soc(platform, arguments.switch.resolve(), arguments.baud)
    builder = Builder(soc, output_dir=str(arguments.out), compile_software=False, csr_json=str(arguments.out / "csr.json"))
    builder.build(build_name="soc", run=False)


if __name__ == "__main__":
    main()
