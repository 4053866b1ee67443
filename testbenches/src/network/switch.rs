//! The switches of a network with RTL in it.

use super::frames::{Frames, UpperWords};
use super::looped::Looped;
use crate::lockstep::Difference;
use crate::twins;
use anyhow::{Context, Result};
use powar_config::topology::wiring::Place;
use powar_config::{Config, CycleModel};
use powar_golden::fast::switch::{Inputs, Outputs, Switch};
use powar_golden::network::{NetFlit, SwitchModel};
use std::path::Path;

/// A switch of a network: golden, or Verilog with the golden one beside it.
pub(super) struct LoopSwitch {
    golden: Switch<NetFlit>,
    rtl: Option<Box<Rtl>>,
}

/// A switch as Verilog.
struct Rtl {
    /// The twin is the golden switch with flits as wide as the Verilog's, as named signals.
    looped: Looped<dyn CycleModel + Send>,
    frames: Frames,
    /// What the Verilog's links show in the cycle that follows.
    outputs: Outputs<NetFlit>,
    /// What the network does not carry of them is what the other ends of the links get.
    sound: bool,
}

impl LoopSwitch {
    pub fn golden(golden: Switch<NetFlit>) -> LoopSwitch {
        LoopSwitch { golden, rtl: None }
    }

    /// The compiled Verilog beside a golden switch at its place; `upper`: the words of flits that the network does not carry.
    pub fn rtl(
        golden: Switch<NetFlit>,
        config: &Config,
        place: Place,
        upper: UpperWords,
        (library, fault): (&Path, Option<u64>),
    ) -> Result<LoopSwitch> {
        let twin = twins::golden(config, twins::SWITCH)?;
        let frames = Frames::new(twin.layout(), config, place, upper).context("the signals of the switch")?;
        let looped = Looped::new(twin, library, fault)?;
        let rtl = Rtl { looped, frames, outputs: Outputs::default(), sound: true };
        Ok(LoopSwitch { golden, rtl: Some(Box::new(rtl)) })
    }

    /// The first difference between Verilog and golden switch.
    pub fn difference(&self) -> Option<&Difference> {
        self.rtl.as_ref()?.looped.difference()
    }
}

impl SwitchModel for LoopSwitch {
    fn step(&mut self, now: u64, inputs: &Inputs<NetFlit>) -> &Outputs<NetFlit> {
        SwitchModel::step(&mut self.golden, now, inputs);
        if let Some(rtl) = self.rtl.as_deref_mut().filter(|rtl| !rtl.looped.is_retired()) {
            let Rtl { looped, frames, outputs, sound } = rtl;
            frames.fill(inputs, &mut looped.inputs);
            looped.cycle(now);
            assert!(*sound || looped.difference().is_some(), "what links show is what their other ends get");
            // After a difference the network goes on as the golden one does, so that the report shows what the Verilog does with it.
            if let Some(shown) = looped.shown() {
                *sound = frames.read(shown, outputs);
                return outputs;
            }
        }
        self.golden.outputs()
    }

    fn next_event(&self) -> u64 {
        // The Verilog has to be clocked in every cycle.
        match &self.rtl {
            Some(rtl) if !rtl.looped.is_retired() => self.golden.now(),
            _ => self.golden.next_event(),
        }
    }

    fn golden(&self) -> &Switch<NetFlit> {
        &self.golden
    }

    fn golden_mut(&mut self) -> &mut Switch<NetFlit> {
        &mut self.golden
    }
}
