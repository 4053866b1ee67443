//! A block's states, one after the other.

use super::walk::{Limits, Walk, Walked};
use anyhow::{Context, Result};
use powar_config::{Config, CycleModel, Layout, Meaning, SignalDecl};
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::twins;
use powar_tools::{Progress, Tools};
use serde::Serialize;
use std::path::Path;

/// Values that inputs are held at which have too many to try them all.
pub const HELD: [u64; 3] = [0, 1, 2];
/// Inputs of up to so many values take them all in every state: five bits, or a pointer of 32.
const MOST_VALUES: usize = 32;
/// Inputs of a cycle, of those that take all values.
const MOST_INPUTS: u64 = 1 << 12;
/// Combinations of the values of those that are held.
const MOST_HELD: u64 = 1 << 10;
/// Cycles of a combination, and of all of a block's.
const MOST_CYCLES_AT_ONCE: u64 = 500_000;
const MOST_CYCLES: u64 = 100_000_000;

/// What was tried of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Explored {
    /// Inputs that were held at small values, with their rows in brackets.
    pub held: Vec<String>,
    /// Inputs of a cycle that were tried in each state.
    pub inputs: u64,
    /// States that were reached, of all combinations of held values.
    pub states: u64,
    pub cycles: u64,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "outcome")]
pub(super) enum Outcome {
    Equal(Explored),
    Different {
        explored: Explored,
        difference: String,
    },
    /// More inputs, or more states, than are tried.
    TooLarge {
        why: String,
    },
}

/// Tries every input in every state of a block.
pub(super) fn explore(config: &Config, block: &str, tools: &Tools) -> Result<Outcome> {
    let layout = twins::golden(config, block)?.layout().clone();
    let inputs = match Inputs::new(&layout) {
        Ok(inputs) => inputs,
        Err(why) => return Ok(Outcome::TooLarge { why }),
    };
    // The golden model alone says whether the states are few: compiling the Verilog takes longer than that.
    let alone = Sides { golden: &|| twins::golden(config, block), library: None };
    if let Walked::TooLarge(why) = alone.walk(&layout, &inputs)? {
        return Ok(Outcome::TooLarge { why });
    }
    let library = twins::verilated(config, block, &layout, tools, &Progress::silent())?;
    compare(&layout, &inputs, &Sides { golden: &|| twins::golden(config, block), library: Some((&library, None)) })
}

/// A fresh golden model.
type Golden<'a> = &'a dyn Fn() -> Result<Box<dyn CycleModel + Send>>;

/// The models to be compared: a golden one, and the compiled Verilog, with a fault of it if it has some; the golden one alone without.
pub(super) struct Sides<'a> {
    pub golden: Golden<'a>,
    pub library: Option<(&'a Path, Option<u64>)>,
}

pub(super) fn compare(layout: &Layout, inputs: &Inputs, sides: &Sides) -> Result<Outcome> {
    Ok(match sides.walk(layout, inputs)? {
        Walked::Equal { states, cycles } => Outcome::Equal(inputs.explored(states, cycles)),
        Walked::Different { states, cycles, difference } => {
            Outcome::Different { explored: inputs.explored(states, cycles), difference }
        }
        Walked::TooLarge(why) => Outcome::TooLarge { why },
    })
}

impl Sides<'_> {
    fn walk(&self, layout: &Layout, inputs: &Inputs) -> Result<Walked> {
        let load = |&(path, fault): &(&Path, Option<u64>)| -> Result<Box<dyn CycleModel>> {
            Ok(Box::new(Verilator::load(path, layout.clone(), fault)?))
        };
        let (mut states, mut cycles) = (0, 0);
        for held in inputs.held_values() {
            let mut golden = (self.golden)()?;
            let mut verilog = self.library.as_ref().map(load).transpose()?;
            let limits = Limits { cycles: MOST_CYCLES_AT_ONCE.min(MOST_CYCLES - cycles) };
            let frames = |number: u64| inputs.frame(&held, number);
            let walk = Walk::new(layout, &mut *golden, verilog.as_deref_mut(), inputs.count, &frames);
            let walked = walk.run(&limits).with_context(|| format!("held inputs {held:?}"))?;
            match walked {
                Walked::Equal { states: more, cycles: spent } => (states, cycles) = (states + more, cycles + spent),
                Walked::Different { states: more, cycles: spent, difference } => {
                    return Ok(Walked::Different { states: states + more, cycles: cycles + spent, difference });
                }
                Walked::TooLarge(why) => return Ok(Walked::TooLarge(why)),
            }
        }
        Ok(Walked::Equal { states, cycles })
    }
}

/// The inputs of a block that are tried.
pub(super) struct Inputs {
    /// Slot, its values: those that take all that they may have.
    free: Vec<(usize, Vec<u64>)>,
    /// Slot, its name: those that are held.
    held: Vec<(usize, String)>,
    slots: usize,
    /// Inputs of a cycle.
    pub count: u64,
}

impl Inputs {
    /// Of a block with these signals; why they are too many, if they are.
    pub(super) fn new(layout: &Layout) -> Result<Inputs, String> {
        let mut inputs = Inputs { free: vec![], held: vec![], slots: layout.input_slots(), count: 1 };
        let mut slot = 0;
        for signal in &layout.inputs {
            if signal.meaning == Meaning::ClockEdge {
                return Err("it has several clocks".into());
            }
            for row in 0..signal.rows {
                match values(signal) {
                    Some(values) => inputs.free.push((slot, values)),
                    None if !is_a_number(signal) => return Err(format!("{} has {} bits", signal.name, signal.width)),
                    None if signal.rows == 1 => inputs.held.push((slot, signal.name.clone())),
                    None => inputs.held.push((slot, format!("{}[{row}]", signal.name))),
                }
                slot += 1;
            }
        }
        let each = inputs.free.iter().map(|(_, values)| values.len() as u64);
        let all = each.clone().try_fold(1, u64::checked_mul).filter(|&count| count <= MOST_INPUTS);
        let bits = each.map(|count| (count as f64).log2()).sum::<f64>();
        inputs.count = all.ok_or_else(|| format!("some 2^{bits:.0} inputs in each state"))?;
        let combinations = (HELD.len() as u64).checked_pow(inputs.held.len() as u32);
        if combinations.is_none_or(|combinations| combinations > MOST_HELD) {
            return Err(format!("{} wide inputs", inputs.held.len()));
        }
        Ok(inputs)
    }

    /// Every combination of the values of inputs that are held.
    fn held_values(&self) -> Vec<Vec<u64>> {
        let mut all = vec![vec![]];
        for _ in &self.held {
            all = all.iter().flat_map(|some: &Vec<u64>| HELD.map(|value| [&some[..], &[value]].concat())).collect();
        }
        all
    }

    /// The frame of a combination of the others, by its number.
    fn frame(&self, held: &[u64], mut number: u64) -> Vec<u64> {
        let mut frame = vec![0; self.slots];
        for (slot, values) in &self.free {
            let count = values.len() as u64;
            frame[*slot] = values[(number % count) as usize];
            number /= count;
        }
        self.held.iter().zip(held).for_each(|((slot, _), value)| frame[*slot] = *value);
        frame
    }

    fn explored(&self, states: u64, cycles: u64) -> Explored {
        let held = self.held.iter().map(|(_, name)| name.clone()).collect();
        Explored { held, inputs: self.count, states, cycles }
    }
}

/// The values that a row of an input may have by its meaning; none if there are too many to try them all.
fn values(signal: &SignalDecl) -> Option<Vec<u64>> {
    let one_hot = || (0..signal.width).map(|bit| 1 << bit);
    let values: Vec<u64> = match signal.meaning {
        Meaning::Pointer => one_hot().collect(),
        Meaning::Choice => std::iter::once(0).chain(one_hot()).collect(),
        _ if signal.width < usize::BITS as usize && 1 << signal.width <= MOST_VALUES => {
            (0..1 << signal.width).collect()
        }
        _ => return None,
    };
    (values.len() <= MOST_VALUES).then_some(values)
}

/// Whether small values of a wide input say something of others.
fn is_a_number(signal: &SignalDecl) -> bool {
    matches!(signal.meaning, Meaning::Number | Meaning::Duration | Meaning::Count | Meaning::Elapsed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_faults::verilog_faults;
    use powar_testbenches::trials::config_of;
    use powar_tools::tools_or_skip;

    #[test]
    fn every_fault_of_a_small_block_is_a_difference() {
        let Some(tools) = tools_or_skip("every_fault_of_a_small_block_is_a_difference") else { return };
        let block = "vc_arbiter";
        let faults: Vec<_> = verilog_faults().filter(|fault| fault.block == block).collect();
        let config = config_of(faults[0].switch, block);
        let library = powar_faults::library(&config, block, &faults, &tools, &Progress::silent()).unwrap();
        let layout = twins::golden(&config, block).unwrap().layout().clone();
        let inputs = Inputs::new(&layout).unwrap();
        let outcome = |fault: u64| {
            let golden = || twins::golden(&config, block);
            compare(&layout, &inputs, &Sides { golden: &golden, library: Some((&library, Some(fault))) }).unwrap()
        };
        assert!(matches!(outcome(0), Outcome::Equal(Explored { states: 4, .. })), "{:?}", outcome(0));
        for (number, fault) in (1..).zip(&faults) {
            let Outcome::Different { difference, .. } = outcome(number) else {
                panic!("{} is no difference", fault.name)
            };
            assert!(difference.contains("in the golden model, with rst = "), "{difference}");
        }
    }
}
