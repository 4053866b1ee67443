//! The switches of a network with RTL in it.

use super::frames::{Frames, UpperWords};
use super::looped::Looped;
use crate::lockstep::Difference;
use crate::twins;
use anyhow::{Context, Result};
use powar_config::routing::table;
use powar_config::topology::wiring::Place;
use powar_config::{Config, CycleModel};
use powar_golden::fast::switch::{Inputs, Outputs, Switch, Train, Unrolled};
use powar_golden::network::{NetPacket, SwitchModel};
use std::path::Path;

/// A switch of a network: golden, or Verilog with the golden one beside it.
pub(super) struct LoopSwitch {
    golden: Switch<NetPacket>,
    rtl: Option<Box<Rtl>>,
}

/// A switch as Verilog.
struct Rtl {
    /// The twin is the golden switch with flits as wide as the Verilog's, as named signals.
    looped: Looped<dyn CycleModel + Send>,
    frames: Frames,
    /// What the register bus shows in the first cycles of the network, the last one first: long before a packet can be there.
    to_write: Vec<Shown>,
    /// What the golden switch's links show, which tells of it in trains.
    shown: Unrolled<NetPacket>,
    /// What is on the links in the cycle that follows, flit by flit.
    outputs: Outputs<NetPacket>,
    /// What the network does not carry of them is what the other ends of the links get.
    sound: bool,
}

impl LoopSwitch {
    pub fn golden(golden: Switch<NetPacket>) -> LoopSwitch {
        LoopSwitch { golden, rtl: None }
    }

    /// The compiled Verilog beside a golden switch at its place; `upper`: the words of flits that the network does not carry; `table`: what loads its
    /// routing table.
    pub fn rtl(
        golden: Switch<NetPacket>,
        config: &Config,
        place: Place,
        upper: UpperWords,
        table: &[table::Write],
        (library, fault): (&Path, Option<u64>),
    ) -> Result<LoopSwitch> {
        let twin = twins::golden(config, twins::SWITCH)?;
        let frames = Frames::new(twin.layout(), config, place, upper).context("the signals of the switch")?;
        let mut looped = Looped::new(twin, library, fault)?;
        let to_write = if table.is_empty() { vec![] } else { load(&mut looped, table)? };
        let rtl =
            Rtl { looped, frames, to_write, shown: Unrolled::default(), outputs: Outputs::default(), sound: true };
        Ok(LoopSwitch { golden, rtl: Some(Box::new(rtl)) })
    }

    /// The first difference between Verilog and golden switch.
    pub fn difference(&self) -> Option<&Difference> {
        self.rtl.as_ref()?.looped.difference()
    }
}

/// Cycles from the one in which the last word of a row is written to the one in which the row is in the memory.
const SETTLING: usize = 2;

/// What a bus shows in a cycle: places of inputs, and their values.
type Shown = Vec<(usize, u64)>;

/// Loads the routing table of Verilog and twin over the register bus, then resets both: all registers are as they were, and the table is there.
/// What software has to write behind the reset, since that clears it, cycle by cycle: which ports lead to nodes.
fn load(looped: &mut Looped<dyn CycleModel + Send>, table: &[table::Write]) -> Result<Vec<Shown>> {
    let layout = looped.twin().layout().clone();
    let slot = |name: &str| layout.input(name).with_context(|| format!("{name}: the switch has no such input"));
    let [awvalid, awaddr, wvalid] = [slot("s_axi_awvalid")?, slot("s_axi_awaddr")?, slot("s_axi_wvalid")?];
    let [wdata, wstrb, bready, rst] = [slot("s_axi_wdata")?, slot("s_axi_wstrb")?, slot("s_axi_bready")?, slot("rst")?];
    let write = |&(address, data): &table::Write| -> Shown {
        vec![(awvalid, 1), (awaddr, address.into()), (wvalid, 1), (wdata, data.into()), (wstrb, 15), (bready, 1)]
    };
    let mut cycle = 0;
    let mut pass = |looped: &mut Looped<_>, set: &[(usize, u64)]| {
        looped.inputs.fill(0);
        set.iter().for_each(|&(slot, value)| looped.inputs[slot] = value);
        looped.cycle(cycle);
        cycle += 1;
    };
    table.iter().for_each(|row| pass(looped, &write(row)));
    (0..SETTLING).for_each(|_| pass(looped, &[]));
    pass(looped, &[(rst, 1)]);
    looped.inputs.fill(0);
    looped.begin_anew();
    let of_ports = table.iter().filter(|&&(address, _)| address >= table::NODE_PORTS);
    // The last answer is taken a cycle later.
    let mut behind: Vec<Shown> = of_ports.map(write).chain([vec![(bready, 1)]]).collect();
    behind.reverse();
    Ok(behind)
}

impl SwitchModel for LoopSwitch {
    fn step(&mut self, now: u64, inputs: &Inputs<NetPacket>) -> &Outputs<NetPacket> {
        SwitchModel::step(&mut self.golden, now, inputs);
        let golden = self.golden.outputs();
        let Some(Rtl { looped, frames, to_write, shown, outputs, sound }) = self.rtl.as_deref_mut() else {
            return golden;
        };
        shown.add(now + 1, &golden.trains, &golden.credits);
        if !looped.is_retired() {
            frames.fill(now, inputs, &mut looped.inputs);
            for (slot, value) in to_write.pop().into_iter().flatten() {
                looped.inputs[slot] = value;
            }
            looped.cycle(now);
            assert!(*sound || looped.difference().is_some(), "what links show is what their other ends get");
            if let Some(shown) = looped.shown() {
                *sound = frames.read(shown, outputs);
                return outputs;
            }
        }
        // After a difference the network goes on as the golden one does, so that the report shows what the Verilog does with it: flit by flit
        // still, since of trains that have begun the first flits were the Verilog's.
        outputs.trains.clear();
        outputs.credits.clear();
        shown.flits(now + 1).for_each(|flit| outputs.trains.push(Train::of(flit)));
        shown.credits(now + 1).for_each(|credit| outputs.credits.push(credit));
        (outputs.sideband, outputs.ring) = (golden.sideband, golden.ring);
        outputs
    }

    fn next_event(&self) -> u64 {
        // The Verilog has to be clocked in every cycle.
        match &self.rtl {
            Some(rtl) if !rtl.looped.is_retired() || !rtl.shown.is_over(self.golden.now() + 1) => self.golden.now(),
            _ => self.golden.next_event(),
        }
    }

    fn to_send(&self, now: u64) -> u64 {
        // What is beside Verilog tells of every flit by itself.
        if self.rtl.is_some() { 0 } else { self.golden.to_send(now) }
    }

    fn golden(&self) -> &Switch<NetPacket> {
        &self.golden
    }

    fn golden_mut(&mut self) -> &mut Switch<NetPacket> {
        &mut self.golden
    }
}
