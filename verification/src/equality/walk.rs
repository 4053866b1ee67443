//! A walk through a block's states that takes every input in every one of them.

use anyhow::{Result, ensure};
use powar_config::{CycleModel, Layout, Role};
use std::collections::{HashMap, VecDeque};

/// What a walk came to.
pub(super) enum Walked {
    Equal { states: u64, cycles: u64 },
    Different { states: u64, cycles: u64, difference: String },
    TooLarge(String),
}

/// Where a walk is given up.
pub(super) struct Limits {
    pub cycles: u64,
}

/// Number of a state, in the order in which they were met.
type State = u32;
/// An input that has not been tried in a state.
const UNTRIED: State = State::MAX;

/// States, and where inputs lead from them.
pub(super) struct Walk<'a> {
    layout: &'a Layout,
    golden: &'a mut dyn CycleModel,
    verilog: Option<&'a mut (dyn CycleModel + 'static)>,
    /// Inputs of a cycle, by number.
    inputs: u64,
    frame: &'a dyn Fn(u64) -> Vec<u64>,
    registers: Vec<usize>,
    states: HashMap<Vec<u64>, State>,
    /// For each state and input the next state.
    next: Vec<Vec<State>>,
    /// For each state those that inputs lead to, and the first input that does.
    ways: Vec<Vec<(State, u64)>>,
    /// For each state how many inputs from 0 on have been tried, or more.
    tried: Vec<u64>,
    cycles: u64,
}

/// A cycle that has been made: in which state, with which input.
type Made = (State, u64);

impl<'a> Walk<'a> {
    pub(super) fn new(
        layout: &'a Layout,
        golden: &'a mut dyn CycleModel,
        verilog: Option<&'a mut (dyn CycleModel + 'static)>,
        inputs: u64,
        frame: &'a dyn Fn(u64) -> Vec<u64>,
    ) -> Walk<'a> {
        let registers = registers(layout);
        let (states, next, ways, tried) = (HashMap::new(), vec![], vec![], vec![]);
        Walk { layout, golden, verilog, inputs, frame, registers, states, next, ways, tried, cycles: 0 }
    }

    /// Walks until every input has been tried in every state, and then as long again at random, where each input must lead to the same state as before.
    /// Which state an input leads to is seen in the cycle after it; so where that is not known yet, an input is tried blindly.
    pub(super) fn run(mut self, limits: &Limits) -> Result<Walked> {
        let mut golden = vec![0; self.layout.observed_slots()];
        let mut verilog = golden.clone();
        let mut before: Option<Made> = None;
        let mut blind = 0;
        // When all has been tried, the cycle in which the walk ends: as long again, at random.
        let mut end = None;
        loop {
            if end == Some(self.cycles) {
                return Ok(Walked::Equal { states: self.states.len() as u64, cycles: self.cycles });
            }
            if self.cycles >= limits.cycles {
                return Ok(Walked::TooLarge(format!("more than {} states", self.states.len())));
            }
            let known = before.map(|(state, input)| self.next[state as usize][input as usize]);
            let known = known.filter(|&state| state != UNTRIED && end.is_none());
            let step = known.map(|state| self.first_step(state));
            if step == Some(None) {
                end = Some(2 * self.cycles + 100);
            }
            blind = (blind * 5 + 1) % (1 << 16);
            let input = step.flatten().unwrap_or((blind >> 3) % self.inputs);
            let frame = (self.frame)(input);
            self.golden.cycle(&frame, &mut golden);
            self.cycles += 1;
            if let Some(dut) = &mut self.verilog {
                dut.cycle(&frame, &mut verilog);
                if let Some(slot) = (0..golden.len()).find(|&slot| golden[slot] != verilog[slot]) {
                    let difference = self.difference(slot, (golden[slot], verilog[slot]), &frame, &golden);
                    let states = self.states.len() as u64;
                    return Ok(Walked::Different { states, cycles: self.cycles, difference });
                }
            }
            let state = self.met(&golden);
            if let Some((from, by)) = before {
                let next = &mut self.next[from as usize][by as usize];
                ensure!(
                    *next == UNTRIED || *next == state,
                    "its registers do not say its whole state: the same input leads from the same registers to others"
                );
                *next = state;
                let ways = &mut self.ways[from as usize];
                if ways.iter().all(|&(known, _)| known != state) {
                    ways.push((state, by));
                }
            }
            before = Some((state, input));
        }
    }

    /// The state that a frame shows.
    fn met(&mut self, observed: &[u64]) -> State {
        let shown: Vec<u64> = self.registers.iter().map(|&slot| observed[slot]).collect();
        let new = self.states.len() as State;
        let state = *self.states.entry(shown).or_insert(new);
        if state == new {
            self.next.push(vec![UNTRIED; self.inputs as usize]);
            self.ways.push(vec![]);
            self.tried.push(0);
        }
        state
    }

    /// The first input on the way to the nearest input that has not been tried; none if there is no such way, since all have been.
    fn first_step(&mut self, from: State) -> Option<u64> {
        if let Some(input) = self.untried(from) {
            return Some(input);
        }
        // By which first input each state is reached.
        let mut first: HashMap<State, u64> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for way in 0..self.ways[state as usize].len() {
                let (next, input) = self.ways[state as usize][way];
                if next == from || first.contains_key(&next) {
                    continue;
                }
                let step = if state == from { input } else { first[&state] };
                if self.untried(next).is_some() {
                    return Some(step);
                }
                first.insert(next, step);
                queue.push_back(next);
            }
        }
        None
    }

    /// The first input that has not been tried in a state.
    fn untried(&mut self, state: State) -> Option<u64> {
        let (tried, next) = (&mut self.tried[state as usize], &self.next[state as usize]);
        while *tried < self.inputs && next[*tried as usize] != UNTRIED {
            *tried += 1;
        }
        (*tried < self.inputs).then_some(*tried)
    }

    /// In words: the signal with both values, the registers and the inputs of that cycle.
    fn difference(&self, slot: usize, (golden, verilog): (u64, u64), inputs: &[u64], observed: &[u64]) -> String {
        let name = |slot: usize| {
            let (signal, row) = self.layout.observed_at(slot).expect("the slot lies in the frame");
            if signal.rows == 1 { signal.name.clone() } else { format!("{}[{row}]", signal.name) }
        };
        let role = self.layout.observed_at(slot).map(|(signal, _)| signal.role);
        let role = if role == Some(Role::Output) { "output" } else { "register" };
        let registers = self.registers.iter().map(|&slot| format!("{} = {:#x}", name(slot), observed[slot]));
        let mut given = vec![];
        for signal in &self.layout.inputs {
            let first = self.layout.input(&signal.name).expect("an input");
            let values: Vec<String> = (first..first + signal.rows).map(|slot| format!("{:#x}", inputs[slot])).collect();
            given.push(format!("{} = {}", signal.name, values.join(" ")));
        }
        format!(
            "{role} {} is {verilog:#x} in the RTL and {golden:#x} in the golden model, with {}, in the state {}",
            name(slot),
            given.join(", "),
            registers.collect::<Vec<_>>().join(", ")
        )
    }
}

/// Slots of registers in the observed frame.
fn registers(layout: &Layout) -> Vec<usize> {
    let slots = (0..layout.observed_slots()).filter(|&slot| {
        let (signal, _) = layout.observed_at(slot).expect("the slot lies in the frame");
        signal.role == Role::Register
    });
    slots.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::SignalDecl;

    /// Counts `up` from 0 to 6 and on from 0; where it is at `wrong`, another step in `step` is taken.
    struct Counter {
        layout: Layout,
        count: u64,
        wrong: Option<u64>,
        /// Does not show the lowest bit.
        hides: bool,
    }

    impl Counter {
        fn new(wrong: Option<u64>, hides: bool) -> Counter {
            let count = SignalDecl::new(Role::Register, "count", 1, 3);
            let layout = Layout::new([SignalDecl::new(Role::Input, "up", 1, 2), count]);
            Counter { layout, count: 0, wrong, hides }
        }
    }

    impl CycleModel for Counter {
        fn layout(&self) -> &Layout {
            &self.layout
        }

        fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
            observed[0] = if self.hides { self.count / 2 } else { self.count };
            let lost = u64::from(self.wrong == Some(self.count) && inputs[0] == 3);
            self.count = (self.count + inputs[0] - lost) % 7;
        }
    }

    fn walk(golden: Counter, verilog: Counter, cycles: u64) -> Result<Walked> {
        let (mut golden, mut verilog) = (golden, verilog);
        let layout = golden.layout.clone();
        Walk::new(&layout, &mut golden, Some(&mut verilog), 4, &|number| vec![number]).run(&Limits { cycles })
    }

    #[test]
    fn every_input_is_tried_in_every_state() {
        let Walked::Equal { states, cycles } =
            walk(Counter::new(None, false), Counter::new(None, false), 1000).unwrap()
        else {
            panic!("they are equal")
        };
        assert_eq!(states, 7);
        assert!((7 * 4..200).contains(&cycles), "{cycles}");
    }

    #[test]
    fn a_fault_of_one_input_in_one_state_is_found() {
        for wrong in 0..7 {
            let walked = walk(Counter::new(None, false), Counter::new(Some(wrong), false), 1000).unwrap();
            let Walked::Different { difference, .. } = walked else { panic!("the fault in state {wrong}") };
            let (right, shown) = ((wrong + 3) % 7, (wrong + 2) % 7);
            let said = format!("register count is {shown:#x} in the RTL and {right:#x} in the golden model");
            assert!(difference.starts_with(&said), "{difference}");
        }
    }

    #[test]
    fn registers_that_do_not_say_the_state_are_an_error() {
        let error = walk(Counter::new(None, true), Counter::new(None, true), 1000).err().unwrap().to_string();
        assert!(error.contains("registers do not say its whole state"), "{error}");
    }

    #[test]
    fn too_many_states_are_no_success() {
        let walked = walk(Counter::new(None, false), Counter::new(None, false), 10).unwrap();
        assert!(matches!(walked, Walked::TooLarge(_)));
    }
}
