"""Tests of the register map in SystemRDL that `powar emit` writes, against the hardware.

PeakRDL-python makes classes of it, which reach the registers of axi_stream_switch.v over AXI4-Lite; all names, addresses, fields, kinds of access
and reset values are those of the classes (environment variable MODEL: the package that run.py has made).
"""

import os
import random
from importlib import import_module

from cocotb.triggers import ClockCycles
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiResp

from test_switch import PERIOD_NS, start, test

PACKAGE = os.environ["MODEL"]
RegModel = import_module(f"{PACKAGE}.reg_model").RegModel
CallbackSet = import_module(f"{PACKAGE}.lib").AsyncCallbackSet
# Every port is on after a reset, and counts the cycles.
COUNTING = "active_cycles"
# What is written to it lasts one cycle.
ONE_CYCLE = "clear_counters"


class Registers:
    """The model over the bus of a bench. What goes over the bus is counted, since a model could answer without it."""

    def __init__(self, bench):
        self.master = bench.master
        self.accesses = 0
        self.model = RegModel(callbacks=CallbackSet(read_callback=self.read, write_callback=self.write))
        self.all = [*of_section(self.model)]
        self.writable = [*filter(is_writable, self.all)]

    async def read(self, addr, width, accesswidth):
        self.accesses += 1
        answer = await self.master.read(addr, accesswidth // 8)
        assert answer.resp == AxiResp.OKAY, f"{addr:#x}: {answer}"
        return int.from_bytes(answer.data, "little")

    async def write(self, addr, width, accesswidth, data):
        self.accesses += 1
        answer = await self.master.write(addr, data.to_bytes(accesswidth // 8, "little"))
        assert answer.resp == AxiResp.OKAY, f"{addr:#x}: {answer}"

    async def writable_values(self):
        return {register.full_inst_name: await register.read() for register in self.writable}


def of_section(section):
    """Its registers, and those of the sections in it."""
    yield from section.get_registers(unroll=True)
    for inner in section.get_sections(unroll=True):
        yield from of_section(inner)


def is_writable(register):
    return hasattr(register, "write")


async def begin(dut):
    return Registers(await start(dut))


@test(200)
async def reset_values(dut):
    """Every register has its reset value; bits of no field are 0."""
    registers = await begin(dut)
    assert len(registers.all) > len(registers.writable) > 5
    counting = {}
    for register in registers.all:
        if register.inst_name == COUNTING:
            counting[register] = (await register.read(), get_sim_time("ns"))
            continue
        assert await register.read() == register.inferred_default_register_value(), register.full_inst_name
        for field in register.fields:
            assert await field.read() == field.default, field.full_inst_name
    assert registers.accesses >= 2 * len(registers.all) - len(counting)

    # A counter counts the cycles between two reads, which take as long as each other.
    assert len(counting) == len(dut.on)
    await ClockCycles(dut.clk, 1000)
    for register, (before, at) in counting.items():
        cycles = await register.read() - before
        assert cycles == (get_sim_time("ns") - at) / PERIOD_NS > 1000, register.full_inst_name


@test(1000)
async def every_writable_field(dut):
    """A field takes any value that fits, and changes nothing else; the largest value shows that it is no narrower."""
    registers = await begin(dut)
    fields = [(register, field) for register in registers.writable for field in register.writable_fields]
    random.shuffle(fields)
    for register, field in fields:
        name = register.full_inst_name
        for value in [field.max_value, 0, *(random.randrange(field.max_value + 1) for _ in range(4))]:
            expected = await registers.writable_values()
            if register.inst_name != ONE_CYCLE:
                expected[name] = expected[name] & ~field.bitmask | value << field.low
            await field.write(type(field.default)(value))
            assert await registers.writable_values() == expected, f"{field.full_inst_name} = {value:#x}"


@test(200)
async def what_can_not_be_written(dut):
    """Where no field can be written, a write answers SLVERR, as it does where there is no register."""
    registers = await begin(dut)
    read_only = [register.address for register in registers.all if register not in registers.writable]
    listed = {register.address for register in registers.all}
    size = max(listed) + 64
    outside = random.sample([address for address in range(0, size, 4) if address not in listed], 40)
    for address in read_only + outside:
        answer = await registers.master.write(address, random.randbytes(4))
        assert answer.resp == AxiResp.SLVERR, hex(address)
    for address in outside:
        assert (await registers.master.read(address, 4)).resp == AxiResp.SLVERR, hex(address)
