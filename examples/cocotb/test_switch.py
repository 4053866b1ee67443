"""Tests of axi_stream_switch.v: its registers, frames between its nodes, ports that sleep and wake.

Addresses and reset values come from the JSON register map that `powar emit` writes (environment variable REGISTERS).
"""

import json
import logging
import os
import random
import warnings
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

# cocotbext-axi's own use of what cocotb is to drop some day.
warnings.filterwarnings("ignore", category=DeprecationWarning, module="cocotbext")

MAP = json.loads(Path(os.environ["REGISTERS"]).read_text())
ADDRESS = {register["name"]: register["offset"] for register in MAP["registers"]}
RESET = {register["name"]: register["reset"] for register in MAP["registers"]}
READ_ONLY = [register["name"] for register in MAP["registers"] if register["access"] == "read"]
PORT_OFFSET = {register["name"]: register["offset"] for register in MAP["ports"]["registers"]}
NODES = MAP["ports"]["count"]
MAX_BEATS = (RESET["buffers"] >> 16) - 1
BEAT_BYTES = 4 * (RESET["geometry"] >> 16)
PERIOD_NS = 10
ERRORS = [name for name in PORT_OFFSET if name.endswith("_errors")] + ["dropped_packets", "closed_link_flits"]
# Codes of the phases of a port, in its register `status`.
ON, OFF = 0, 2


class Bench:
    """The switch with a clock, the master of its registers, and a source and a sink of streams at each node."""

    def __init__(self, dut):
        self.dut = dut
        dut._log.setLevel(logging.WARNING)
        cocotb.start_soon(Clock(dut.clk, PERIOD_NS, "ns").start())
        self.master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)
        self.sources = [AxiStreamSource(AxiStreamBus.from_prefix(dut, f"s_axis_{n}"), dut.clk, dut.rst) for n in range(NODES)]
        self.sinks = [AxiStreamSink(AxiStreamBus.from_prefix(dut, f"m_axis_{n}"), dut.clk, dut.rst) for n in range(NODES)]

    async def reset(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 20)
        self.dut.rst.value = 0
        await ClockCycles(self.dut.clk, 5)

    async def read(self, name, port=None):
        """A register by its name: of the switch, or of a port."""
        address = ADDRESS[name] if port is None else port_address(port, name)
        answer = await self.master.read(address, 4)
        assert answer.resp == AxiResp.OKAY, f"{name}: {answer}"
        return int.from_bytes(answer.data, "little")

    async def write(self, name, value):
        answer = await self.master.write(ADDRESS[name], value.to_bytes(4, "little"))
        assert answer.resp == AxiResp.OKAY, f"{name}: {answer}"

    def send(self, source, destination, data):
        self.sources[source].send_nowait(AxiStreamFrame(data, tdest=destination))

    async def receive(self, node):
        """The next frame at a node: where it comes from, and its bytes."""
        frame = await self.sinks[node].recv()
        assert not frame.tuser, f"damaged: {frame}"
        return frame.tid, bytes(frame)

    async def quiet(self, cycles=500):
        """Nothing more comes out, and no port has counted an error."""
        await ClockCycles(self.dut.clk, cycles)
        assert all(sink.empty() for sink in self.sinks), "a frame too many"
        counted = {(port, name): await self.read(name, port) for port in range(NODES) for name in ERRORS}
        assert not any(counted.values()), counted


async def start(dut):
    bench = Bench(dut)
    await bench.reset()
    return bench


def port_address(port, name):
    return MAP["ports"]["base"] + port * MAP["ports"]["stride"] + PORT_OFFSET[name]


def flits(length):
    """Flits that a frame of this many bytes has in the network: a head flit, and one for each beat."""
    return 1 + -(-length // BEAT_BYTES)


def pauses(share):
    """A pause generator: a random share of all cycles."""
    while True:
        yield random.random() < share


def test(microseconds):
    """A test that fails, rather than waits for ever, if a frame is lost."""
    return cocotb.test(timeout_time=microseconds, timeout_unit="us")


@test(100)
async def registers(dut):
    """The words that say what the switch is, and a threshold that is set."""
    bench = await start(dut)
    assert (await bench.read("id")).to_bytes(4, "big") == b"POWA"
    assert await bench.read("geometry") & 0xFF == NODES == len(dut.on)
    assert len(dut.s_axis_0_tdata) == 8 * BEAT_BYTES
    for name, value in RESET.items():
        assert await bench.read(name) == value, name
    await bench.write("pdt", 1234)
    for name, value in RESET.items():
        assert await bench.read(name) == (1234 if name == "pdt" else value), name

    bench.send(0, 1, random.randbytes(40))
    await bench.receive(1)
    assert await bench.read("flits", 1) == flits(40)
    await bench.write("clear_counters", 1)
    assert await bench.read("flits", 1) == 0


@test(100)
async def errors(dut):
    """What is not in the map, can't be written, or is no whole word answers SLVERR and does nothing."""
    bench = await start(dut)
    listed = {*ADDRESS.values(), *(port_address(port, name) for port in range(NODES) for name in PORT_OFFSET)}
    outside = [address for address in (*range(0, 0x80, 4), *range(0x1000, port_address(NODES, "flits"), 4), 0xFFFC) if address not in listed]
    assert len(outside) > 10
    for address in outside:
        assert (await bench.master.read(address, 4)).resp == AxiResp.SLVERR, hex(address)
        assert (await bench.master.write(address, bytes(4))).resp == AxiResp.SLVERR, hex(address)
    for name in READ_ONLY:
        assert (await bench.master.write(ADDRESS[name], bytes(4))).resp == AxiResp.SLVERR, name
    assert (await bench.master.write(ADDRESS["pdt"], b"\x01")).resp == AxiResp.SLVERR
    for name, value in RESET.items():
        assert await bench.read(name) == value, name


@test(1000)
async def every_length(dut):
    """Frames of every number of bytes, each way between two nodes at once, come whole and in order."""
    bench = await start(dut)
    sent = {0: [], 1: []}
    for source in sent:
        lengths = random.sample(range(1, MAX_BEATS * BEAT_BYTES + 1), MAX_BEATS * BEAT_BYTES)
        for length in lengths:
            sent[source].append(random.randbytes(length))
            bench.send(source, 1 - source, sent[source][-1])
    for source, frames in sent.items():
        for number, frame in enumerate(frames):
            assert await bench.receive(1 - source) == (source, frame), f"frame {number} from node {source}, {len(frame)} bytes"
    await bench.quiet()
    for node in (0, 1):
        assert await bench.read("flits", node) == sum(flits(len(frame)) for frame in sent[1 - node])


@test(1000)
async def every_node_to_every_node(dut):
    """Random frames between all nodes, sources and sinks that pause at random: order holds for each pair."""
    bench = await start(dut)
    for stream in (*bench.sources, *bench.sinks):
        stream.set_pause_generator(pauses(random.choice([0, 0.2, 0.7])))
    expected = {(source, node): [] for source in range(NODES) for node in range(NODES)}
    for source in range(NODES):
        for _ in range(40):
            node = random.randrange(NODES)
            expected[source, node].append(random.randbytes(random.randint(1, MAX_BEATS * BEAT_BYTES)))
            bench.send(source, node, expected[source, node][-1])
    for node in range(NODES):
        for _ in range(sum(len(expected[source, node]) for source in range(NODES))):
            source, frame = await bench.receive(node)
            assert expected[source, node], f"node {source} has sent no more to node {node}"
            assert frame == expected[source, node].pop(0), f"from node {source} to node {node}"
    await bench.quiet()


@test(1000)
async def back_pressure(dut):
    """A receiver that stalls stops its sender, not the traffic of others; nothing is lost."""
    bench = await start(dut)
    bench.sinks[1].pause = True
    frames = [random.randbytes(MAX_BEATS * BEAT_BYTES) for _ in range(150)]
    for frame in frames:
        bench.send(0, 1, frame)
    other = random.randbytes(100)
    stalled = 0
    while stalled < 100:
        await RisingEdge(dut.clk)
        stalled = 0 if dut.s_axis_0_tready.value else stalled + 1
    bench.send(2, 3, other)
    assert await bench.receive(3) == (2, other)
    assert bench.sinks[1].empty()
    bench.sinks[1].pause = False
    for frame in frames:
        assert await bench.receive(1) == (0, frame)
    await bench.quiet()


@test(1000)
async def refused(dut):
    """A frame that is too long is refused as a whole; its neighbours are not."""
    bench = await start(dut)
    for length in (MAX_BEATS * BEAT_BYTES + 1, 3 * MAX_BEATS * BEAT_BYTES):
        around = [random.randbytes(33), random.randbytes(MAX_BEATS * BEAT_BYTES)]
        for frame in (around[0], random.randbytes(length), around[1]):
            bench.send(3, 2, frame)
        for frame in around:
            assert await bench.receive(2) == (3, frame)
    await bench.quiet()


@test(1000)
async def sleep_and_wake(dut):
    """An idle port goes to sleep after the threshold; the next frame wakes it, and it alone, and comes out whole."""
    bench = await start(dut)
    pdt, t_sleep, t_wake = 200, 60, 90
    for name, value in (("pdt", pdt), ("t_sleep", t_sleep), ("t_wake", t_wake)):
        await bench.write(name, value)
    await ClockCycles(dut.clk, 2 * (pdt + t_sleep))
    assert dut.on.value == 0
    for port in range(NODES):
        assert await bench.read("status", port) & 7 == OFF
        assert await bench.read("entering_cycles", port) == t_sleep
        assert await bench.read("wake_ups", port) == 0

    # Asleep, every cycle is a quiet one. A counter answers when it is its turn, so what counts is when the answer comes.
    awake = await bench.read("active_cycles", 1)
    seen = []
    for _ in range(2):
        await ClockCycles(dut.clk, 300)
        count = await bench.read("quiet_cycles", 1)
        seen.append((count, get_sim_time("ns") / PERIOD_NS))
    (before, began), (after, ended) = seen
    assert after - before == round(ended - began), seen
    assert await bench.read("active_cycles", 1) == awake

    frame = random.randbytes(50)
    bench.send(0, 1, frame)
    assert await bench.receive(1) == (0, frame)
    assert dut.on.value == 0b0010
    assert await bench.read("status", 1) & 7 == ON
    assert [await bench.read("wake_ups", port) for port in range(NODES)] == [0, 1, 0, 0]
    assert await bench.read("waking_cycles", 1) == t_wake
    assert await bench.read("active_cycles", 1) > awake

    # Frames at any moment of the way to sleep and back.
    for _ in range(25):
        frames = [random.randbytes(random.randint(1, MAX_BEATS * BEAT_BYTES)) for _ in range(NODES)]
        for source, frame in enumerate(frames):
            bench.send(source, (source + 1) % NODES, frame)
        for source, frame in enumerate(frames):
            assert await bench.receive((source + 1) % NODES) == (source, frame)
        await ClockCycles(dut.clk, random.randint(pdt - 20, pdt + t_sleep + 40))
    assert await bench.read("wake_ups", 1) > 5
    await bench.quiet()
    assert dut.on.value == 0
