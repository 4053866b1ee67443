//! The lock-step check: a design under test against its golden twin, every output and every architectural register,
//! every cycle.
//!
//! The golden model leads: it and the stimulus run in one thread, a batch of cycles ahead; the design under test
//! follows in another with the same inputs and is compared with what the golden model showed. Stimuli may
//! look at the golden model's outputs, so closed loops (hold a request until it is granted) work.

use crate::batch::Batch;
use crate::dut::{Dut, Mismatch};
use crate::stimulus::Stimulus;
use anyhow::{Result, bail, ensure};
use powar_config::{CycleModel, Layout, Role, SignalDecl};
use std::collections::VecDeque;
use std::sync::mpsc;

/// Cycles that travel between the two threads at once: enough to hide the hand-over, few enough to stay in cache.
const BATCH: usize = 32;
/// Cycles before the first difference that its report shows.
pub const WINDOW_BEFORE: usize = 64;
/// Cycles after the first difference that its report shows.
pub const WINDOW_AFTER: usize = 32;

/// What a lock-step run came to.
#[derive(Debug)]
pub enum Outcome {
    /// All signals were equal in so many cycles.
    Equal { cycles: u64 },
    /// The first difference, with the cycles around it.
    Different(Box<Difference>),
}

/// The first difference of a run.
#[derive(Debug)]
pub struct Difference {
    pub cycle: u64,
    /// Signal name, with the row in brackets if it has several.
    pub signal: String,
    pub role: Role,
    pub width: usize,
    pub golden: u64,
    pub dut: u64,
    /// The cycles around the difference, for the waveform.
    pub window: Window,
}

/// Consecutive cycles as both models showed them.
#[derive(Debug, Default)]
pub struct Window {
    pub first_cycle: u64,
    pub inputs: Vec<Vec<u64>>,
    pub golden: Vec<Vec<u64>>,
    pub dut: Vec<Vec<u64>>,
}

impl Window {
    /// A cycle more: inputs, the golden model's frame and the design's.
    pub fn push_cycle(&mut self, [inputs, golden, dut]: [Vec<u64>; 3]) {
        self.push(inputs, golden, dut);
    }

    fn push(&mut self, inputs: Vec<u64>, golden: Vec<u64>, dut: Vec<u64>) {
        self.inputs.push(inputs);
        self.golden.push(golden);
        self.dut.push(dut);
    }
}

impl Difference {
    /// That slot of the observed frame, with these values, in that cycle.
    pub fn at(layout: &Layout, cycle: u64, slot: usize, golden: u64, dut: u64, window: Window) -> Self {
        let (signal, row) = layout.observed_at(slot).expect("the slot lies in the frame");
        let (role, width) = (signal.role, signal.width);
        Difference { cycle, signal: row_name(signal, row), role, width, golden, dut, window }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let role = if self.role == Role::Output { "output" } else { "register" };
        let digits = self.width.div_ceil(4);
        write!(
            f,
            "first difference in cycle {}: {role} {} is {:#0w$x} in the RTL and {:#0w$x} in the golden model",
            self.cycle,
            self.signal,
            self.dut,
            self.golden,
            w = digits + 2
        )
    }
}

impl Outcome {
    /// Cycles that were equal, or the difference as an error.
    pub fn equal(self) -> Result<u64> {
        match self {
            Outcome::Equal { cycles } => Ok(cycles),
            Outcome::Different(difference) => bail!("{difference}"),
        }
    }
}

/// Refuses to compare two models that do not show the same signals: a register that one side lacks is a difference too.
pub fn same_signals(golden: &Layout, dut: &Layout) -> Result<()> {
    let sides = [(golden, dut, "golden model", "RTL"), (dut, golden, "RTL", "golden model")];
    for (one, other, has, lacks) in sides {
        for (mine, theirs) in [(&one.inputs, &other.inputs), (&one.observed, &other.observed)] {
            for signal in mine {
                let twin = theirs.iter().find(|twin| twin.name == signal.name && twin.role == signal.role);
                let Some(twin) = twin else {
                    bail!("{:?} {} is in the {has} but not in the {lacks}", signal.role, signal.name)
                };
                ensure!(
                    (twin.rows, twin.width) == (signal.rows, signal.width),
                    "{:?} {}: {} x {} bits in the {has}, {} x {} bits in the {lacks}",
                    signal.role,
                    signal.name,
                    signal.rows,
                    signal.width,
                    twin.rows,
                    twin.width
                );
            }
        }
    }
    Ok(())
}

/// Name of a row of a signal, as reports show it.
pub fn row_name(signal: &SignalDecl, row: usize) -> String {
    if signal.rows == 1 { signal.name.clone() } else { format!("{}[{row}]", signal.name) }
}

/// Runs `cycles` cycles, or until the first difference. `progress` is told the cycles done, batch by batch.
///
/// # Errors
/// The two models do not show the same signals.
pub fn run(
    golden: &mut (dyn CycleModel + Send),
    dut: &mut dyn Dut,
    stimulus: &mut (dyn Stimulus + Send),
    cycles: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<Outcome> {
    same_signals(golden.layout(), dut.layout())?;
    let layout = golden.layout().clone();
    std::thread::scope(|scope| {
        let (to_dut, from_golden) = mpsc::sync_channel::<Batch>(4);
        let (recycle, recycled) = mpsc::channel::<Batch>();
        let leader_layout = layout.clone();
        let image = dut.image();
        let previous = Batch::new(image.clone());
        scope.spawn(move || {
            let mut leader = Leader::new(golden, stimulus, &leader_layout);
            let mut done = 0;
            while done < cycles {
                let mut batch = recycled.try_recv().unwrap_or_else(|_| Batch::new(image.clone()));
                leader.fill(&mut batch, done, BATCH.min((cycles - done) as usize));
                done += batch.cycles as u64;
                // The follower hangs up once it has what it needs.
                if to_dut.send(batch).is_err() {
                    return;
                }
            }
        });
        let mut follower = Follower { layout: &layout, previous };
        let mut done = 0;
        while done < cycles {
            let batch = from_golden.recv().expect("the leader sends as many cycles as are awaited");
            if let Some(mismatch) = dut.follow(&batch)? {
                return Ok(Outcome::Different(Box::new(follower.difference(batch, mismatch, dut, &from_golden)?)));
            }
            done += batch.cycles as u64;
            progress(done);
            let spent = std::mem::replace(&mut follower.previous, batch);
            let _ = recycle.send(spent);
        }
        Ok(Outcome::Equal { cycles })
    })
}

/// Takes a cycle of a run: its number, the inputs, the golden model's and the design's frame.
pub type Record<'a> = &'a mut dyn FnMut(u64, &[u64], &[u64], &[u64]) -> Result<()>;

/// Runs like [`run`], cycle by cycle in one thread, and hands every cycle to `record`. After a
/// difference both run on for [`WINDOW_AFTER`] cycles, so that the record shows what came of it.
///
/// # Errors
/// The two models do not show the same signals; what `record` returns.
pub fn run_recorded(
    golden: &mut dyn CycleModel,
    dut: &mut dyn Dut,
    stimulus: &mut dyn Stimulus,
    cycles: u64,
    record: Record,
) -> Result<Outcome> {
    same_signals(golden.layout(), dut.layout())?;
    let layout = golden.layout().clone();
    let mut inputs = vec![0; layout.input_slots()];
    let mut expected = vec![0; layout.observed_slots()];
    let mut seen = expected.clone();
    let mut recent = VecDeque::new();
    let mut difference: Option<Box<Difference>> = None;
    let mut end = cycles;
    let mut cycle = 0;
    while cycle < end {
        stimulus.drive(cycle, &expected, &mut inputs);
        golden.cycle(&inputs, &mut expected);
        dut.cycle(&inputs, &mut seen);
        record(cycle, &inputs, &expected, &seen)?;
        match &mut difference {
            Some(found) => found.window.push(inputs.clone(), expected.clone(), seen.clone()),
            None => {
                if recent.len() > WINDOW_BEFORE {
                    recent.pop_front();
                }
                recent.push_back((inputs.clone(), expected.clone(), seen.clone()));
                if let Some(slot) = seen.iter().zip(&expected).position(|(dut, golden)| dut != golden) {
                    let mut window = Window { first_cycle: cycle + 1 - recent.len() as u64, ..Window::default() };
                    recent.drain(..).for_each(|(inputs, golden, dut)| window.push(inputs, golden, dut));
                    difference =
                        Some(Box::new(Difference::at(&layout, cycle, slot, expected[slot], seen[slot], window)));
                    end = end.min(cycle + 1 + WINDOW_AFTER as u64);
                }
            }
        }
        cycle += 1;
    }
    Ok(match difference {
        Some(difference) => Outcome::Different(difference),
        None => Outcome::Equal { cycles },
    })
}

/// The golden model and the stimulus.
struct Leader<'a> {
    golden: &'a mut (dyn CycleModel + Send),
    stimulus: &'a mut (dyn Stimulus + Send),
    input_slots: usize,
    /// The golden model's frame of the cycle before. It is the same memory in every cycle, which stays in the cache.
    last: Vec<u64>,
}

impl<'a> Leader<'a> {
    fn new(golden: &'a mut (dyn CycleModel + Send), stimulus: &'a mut (dyn Stimulus + Send), layout: &Layout) -> Self {
        Leader { golden, stimulus, input_slots: layout.input_slots(), last: vec![0; layout.observed_slots()] }
    }

    fn fill(&mut self, batch: &mut Batch, first_cycle: u64, cycles: usize) {
        batch.first_cycle = first_cycle;
        batch.cycles = cycles;
        batch.inputs.resize(cycles * self.input_slots, 0);
        batch.expected.clear(cycles, self.last.len());
        for (row, inputs) in batch.inputs.chunks_exact_mut(self.input_slots).enumerate() {
            self.stimulus.drive(first_cycle + row as u64, &self.last, inputs);
            self.golden.cycle(inputs, &mut self.last);
            batch.expected.put(row, &self.last);
        }
    }
}

/// What the following side remembers for the report.
struct Follower<'a> {
    layout: &'a Layout,
    /// The batch before the current one: its rows were equal.
    previous: Batch,
}

impl Follower<'_> {
    fn difference(
        &self,
        batch: Batch,
        mismatch: Mismatch,
        dut: &mut dyn Dut,
        from_golden: &mpsc::Receiver<Batch>,
    ) -> Result<Difference> {
        let (inputs, observed) = (self.layout.input_slots(), self.layout.observed_slots());
        let input = |batch: &Batch, row: usize| batch.inputs[row * inputs..][..inputs].to_vec();
        let expected = |batch: &Batch, row: usize| batch.expected.frame(row, observed);
        let mut window = Window::default();
        let from_previous = WINDOW_BEFORE.saturating_sub(mismatch.row).min(self.previous.cycles);
        for row in self.previous.cycles - from_previous..self.previous.cycles {
            let golden = expected(&self.previous, row);
            window.push(input(&self.previous, row), golden.clone(), golden);
        }
        let first_row = mismatch.row.saturating_sub(WINDOW_BEFORE);
        for row in first_row..mismatch.row {
            let golden = expected(&batch, row);
            window.push(input(&batch, row), golden.clone(), golden);
        }
        window.push(input(&batch, mismatch.row), expected(&batch, mismatch.row), mismatch.observed.clone());

        // Let both run on for a few cycles, so that the wave shows what came of it.
        let (mut rest, mut next_row) = (batch.clone(), mismatch.row + 1);
        for _ in 0..WINDOW_AFTER {
            if next_row == rest.cycles {
                let Ok(next) = from_golden.recv() else { break };
                (rest, next_row) = (next, 0);
            }
            let frame = input(&rest, next_row);
            let mut seen = vec![0; observed];
            dut.cycle(&frame, &mut seen);
            window.push(frame, expected(&rest, next_row), seen);
            next_row += 1;
        }
        let shown_before = from_previous + mismatch.row - first_row;
        let cycle = batch.first_cycle + mismatch.row as u64;
        window.first_cycle = cycle - shown_before as u64;
        let golden = expected(&batch, mismatch.row);
        let dut = mismatch.observed[mismatch.slot];
        Ok(Difference::at(self.layout, cycle, mismatch.slot, golden[mismatch.slot], dut, window))
    }
}
