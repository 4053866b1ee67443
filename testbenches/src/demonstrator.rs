//! A demonstrator in simulation, with the bytes of its serial line at a pseudo-terminal: what `powar host` opens in place of a board.
//!
//! It is the emitted Verilog in Verilator, the golden model, or both in lock-step.

use crate::dut::verilator::Verilator;
use crate::twins;
use anyhow::{Context, Result, ensure};
use powar_config::registers::demonstrator::check;
use powar_config::{Config, CycleModel, Role};
use powar_tools::{Progress, Tools};
use rustix::fs::{OFlags, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cycles of a bit on the serial line: as few as it can do with, so that little time goes by for a byte.
const DIVIDER: u64 = 4;
/// Cycles without a byte after which half a command is dropped.
const TIMEOUT: u64 = 2000;
/// Cycles from one look at the pseudo-terminal to the next.
const LOOK: u64 = 200;

/// What runs.
#[derive(Clone, Debug)]
pub enum Model {
    Golden,
    Verilog(Library),
    /// The Verilog, and beside it the golden model: all outputs and registers must be equal in every cycle.
    Both(Library),
}

/// The Verilog of a demonstrator as `twins::verilated` has compiled it.
#[derive(Clone, Debug)]
pub struct Library {
    pub path: PathBuf,
    /// The deliberate fault that is switched on; 0: none. None: the library has no faults.
    pub fault: Option<u64>,
}

impl Library {
    /// That of a configuration, sound; compiled unless it was before.
    ///
    /// # Errors
    /// There is no demonstrator of this configuration; a tool fails.
    pub fn build(config: &Config, tools: &Tools, progress: &Progress) -> Result<Self> {
        check(config)?;
        let layout = twins::golden(config, twins::DEMONSTRATOR)?.layout().clone();
        let path = twins::verilated(config, twins::DEMONSTRATOR, &layout, tools, progress)?;
        Ok(Library { path, fault: None })
    }
}

/// The first difference between both models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub cycle: u64,
    pub signal: String,
    pub row: usize,
    /// What the Verilog shows, and what the golden model does.
    pub shown: u64,
    pub expected: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Difference { cycle, signal, row, shown, expected } = self;
        write!(f, "cycle {cycle}: {signal}[{row}] is {shown:#x} in the Verilog, and {expected:#x} in the golden model")
    }
}

/// A demonstrator, and the byte under way on each side of its serial line.
pub struct Machine {
    golden: Option<Box<dyn CycleModel + Send>>,
    rtl: Option<Verilator>,
    inputs: Vec<u64>,
    /// The frame of the last cycle, and room for the golden model's.
    shown: Vec<u64>,
    expected: Vec<u64>,
    rx: usize,
    tx: usize,
    cycle: u64,
    /// Levels of `tx` since its start bit, one a cycle.
    levels: Vec<bool>,
    received: VecDeque<u8>,
    difference: Option<Difference>,
}

impl Machine {
    /// After its reset. The configuration is that of the library.
    ///
    /// # Errors
    /// There is no demonstrator of this configuration; the library is not one of it.
    pub fn new(config: &Config, model: &Model) -> Result<Self> {
        check(config)?;
        let golden = twins::golden(config, twins::DEMONSTRATOR)?;
        let layout = golden.layout().clone();
        let (golden, library) = match model {
            Model::Golden => (Some(golden), None),
            Model::Verilog(library) => (None, Some(library)),
            Model::Both(library) => (Some(golden), Some(library)),
        };
        let load = |library: &Library| Verilator::load(&library.path, layout.clone(), library.fault);
        let input = |name| layout.input(name).context("an input that a demonstrator has");
        let (rst, divider, timeout) = (input("rst")?, input("divider")?, input("timeout")?);
        let mut machine = Machine {
            golden,
            rtl: library.map(load).transpose()?,
            inputs: vec![0; layout.input_slots()],
            shown: vec![0; layout.observed_slots()],
            expected: vec![0; layout.observed_slots()],
            rx: input("rx")?,
            tx: layout.slot(Role::Output, "tx").context("an output that a demonstrator has")?,
            cycle: 0,
            levels: vec![],
            received: VecDeque::new(),
            difference: None,
        };
        for (slot, value) in [(rst, 1), (divider, DIVIDER), (timeout, TIMEOUT), (machine.rx, 1)] {
            machine.inputs[slot] = value;
        }
        machine.run(3)?;
        machine.inputs[rst] = 0;
        Ok(machine)
    }

    /// So many cycles.
    ///
    /// # Errors
    /// Something on the line is no byte.
    pub fn run(&mut self, cycles: u64) -> Result<()> {
        (0..cycles).try_for_each(|_| self.step())
    }

    /// A byte to the demonstrator, which takes ten bits.
    ///
    /// # Errors
    /// As of [`Machine::run`].
    pub fn send(&mut self, byte: u8) -> Result<()> {
        let levels = u64::from(byte) << 1 | 1 << 9;
        for bit in 0..10 {
            self.inputs[self.rx] = levels >> bit & 1;
            self.run(DIVIDER)?;
        }
        Ok(())
    }

    /// The next byte that has come from it.
    pub fn receive(&mut self) -> Option<u8> {
        self.received.pop_front()
    }

    /// Cycles since its reset began.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The frame of the last cycle, laid out as the golden twin's: of both models, if they run both.
    pub fn shown(&self) -> &[u64] {
        &self.shown
    }

    /// Where the models differed first.
    pub fn difference(&self) -> Option<&Difference> {
        self.difference.as_ref()
    }

    fn step(&mut self) -> Result<()> {
        if let Some(golden) = &mut self.golden {
            golden.cycle(&self.inputs, &mut self.expected);
        }
        match &mut self.rtl {
            Some(rtl) => rtl.cycle(&self.inputs, &mut self.shown),
            None => self.shown.copy_from_slice(&self.expected),
        }
        if let Some(golden) = &self.golden
            && let Some(slot) = self.shown.iter().zip(&self.expected).position(|(rtl, golden)| rtl != golden)
        {
            let (signal, row) = golden.layout().observed_at(slot).context("a slot of the frame")?;
            let (shown, expected) = (self.shown[slot], self.expected[slot]);
            let difference = Difference { cycle: self.cycle, signal: signal.name.clone(), row, shown, expected };
            self.difference.get_or_insert(difference);
        }
        self.cycle += 1;
        self.listen(self.shown[self.tx] == 1)
    }

    /// Takes the level of the line in a cycle.
    fn listen(&mut self, tx: bool) -> Result<()> {
        if !tx || !self.levels.is_empty() {
            self.levels.push(tx);
        }
        // Looked at in the middle of each bit; the stop bit is the tenth.
        if self.levels.len() as u64 == 9 * DIVIDER + DIVIDER / 2 + 1 {
            let bits = self.levels.chunks(DIVIDER as usize).map(|bit| bit[bit.len() / 2]);
            let bits: Vec<bool> = bits.collect();
            ensure!(!bits[0] && bits[9], "cycle {}: no byte on the line", self.cycle);
            self.received.push_back(bits[1..9].iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
            self.levels.clear();
        }
        Ok(())
    }
}

/// A pseudo-terminal: the simulation has one end, somebody opens the other by its path.
pub struct Terminal {
    /// What to open.
    pub path: String,
    line: File,
    /// Held open, so that it stays while nobody else has it.
    _user: File,
    /// Bytes that there was no room for yet.
    waiting: VecDeque<u8>,
}

impl Terminal {
    /// A new one, raw.
    ///
    /// # Errors
    /// The system has none left.
    pub fn open() -> Result<Self> {
        let line = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC);
        let line = line.context("can't open a pseudo-terminal")?;
        grantpt(&line).and_then(|()| unlockpt(&line)).context("can't unlock the pseudo-terminal")?;
        let path = ptsname(&line, vec![]).context("the pseudo-terminal has no name")?.into_string()?;
        let user = File::options().read(true).write(true).open(&path).with_context(|| format!("can't open {path}"))?;
        let mut settings = tcgetattr(&user).with_context(|| format!("can't set {path}"))?;
        settings.make_raw();
        tcsetattr(&user, OptionalActions::Now, &settings).with_context(|| format!("can't set {path}"))?;
        fcntl_setfl(&line, OFlags::NONBLOCK).with_context(|| format!("can't set {path}"))?;
        Ok(Terminal { path, line: File::from(line), _user: user, waiting: VecDeque::new() })
    }

    /// Lets the machine run as fast as it can, with this for its serial line, until `over`, or until its models differ: where.
    ///
    /// # Errors
    /// As of [`Machine::run`]; the pseudo-terminal fails.
    pub fn serve(&mut self, machine: &mut Machine, over: &AtomicBool) -> Result<Option<Difference>> {
        let mut bytes = [0; 64];
        while !over.load(Ordering::Relaxed) {
            let count = done(self.line.read(&mut bytes))?;
            bytes[..count].iter().try_for_each(|&byte| machine.send(byte))?;
            machine.run(LOOK)?;
            self.waiting.extend(std::iter::from_fn(|| machine.receive()));
            let count = done(self.line.write(self.waiting.make_contiguous()))?;
            self.waiting.drain(..count);
            if let Some(difference) = machine.difference() {
                return Ok(Some(difference.clone()));
            }
        }
        Ok(None)
    }
}

/// Bytes read or written; none if the other end is not ready.
fn done(result: std::io::Result<usize>) -> Result<usize> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(0),
        result => result.context("the pseudo-terminal fails"),
    }
}
