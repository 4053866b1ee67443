//! The library of `powar host` against a whole demonstrator, over the bits of its serial line: ports are made to sleep, generators run, and every
//! statistic is read. The emitted Verilog has its golden twin beside it, cycle by cycle.

use anyhow::{Context, Result, ensure};
use powar_config::{Config, CycleModel, Role, presets};
use powar_host::line::Line;
use powar_host::traffic::{self, Traffic};
use powar_host::watch::{Sample, Snapshot};
use powar_host::{Device, table};
use powar_testbenches::dut::verilator::Verilator;
use powar_testbenches::twins;
use powar_tools::{Progress, tools_or_skip};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, Sender, channel};

/// Cycles of a bit on the serial line.
const DIVIDER: u64 = 4;
const TIMEOUT: u64 = 2000;
/// Cycles in which an answer comes, or never.
const PATIENCE: u64 = 20_000;

/// The demonstrator with the frames of the cycle under way.
struct Machine {
    golden: Box<dyn CycleModel>,
    rtl: Option<Box<dyn CycleModel>>,
    inputs: Vec<u64>,
    shown: Vec<u64>,
    cycle: u64,
    /// Levels of `tx` since its start bit, one a cycle.
    levels: Vec<bool>,
    received: VecDeque<u8>,
}

impl Machine {
    fn new(config: &Config, library: Option<PathBuf>) -> Self {
        let golden = twins::golden(config, twins::DEMONSTRATOR).expect("there is one of it");
        let layout = golden.layout().clone();
        let rtl = library.map(|library| {
            let rtl = Verilator::load(&library, layout.clone(), None).expect("it has just been built");
            Box::new(rtl) as Box<dyn CycleModel>
        });
        let (inputs, shown) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
        let mut machine = Machine { golden, rtl, inputs, shown, cycle: 0, levels: vec![], received: VecDeque::new() };
        machine.set("divider", DIVIDER);
        machine.set("timeout", TIMEOUT);
        machine.set("rx", 1);
        machine.set("rst", 1);
        (0..3).for_each(|_| machine.step());
        machine.set("rst", 0);
        machine
    }

    fn set(&mut self, input: &str, value: u64) {
        let slot = self.golden.layout().input(input).expect("an input of a demonstrator");
        self.inputs[slot] = value;
    }

    fn step(&mut self) {
        self.golden.cycle(&self.inputs, &mut self.shown);
        if let Some(rtl) = &mut self.rtl {
            let mut seen = vec![0; self.shown.len()];
            rtl.cycle(&self.inputs, &mut seen);
            if let Some(slot) = seen.iter().zip(&self.shown).position(|(rtl, golden)| rtl != golden) {
                let (signal, row) = self.golden.layout().observed_at(slot).expect("it lies in the frame");
                let (rtl, golden) = (seen[slot], self.shown[slot]);
                panic!("cycle {}: {}[{row}] is {rtl:#x}, and {golden:#x} in the golden model", self.cycle, signal.name);
            }
        }
        self.cycle += 1;
        let tx = self.shown[self.golden.layout().slot(Role::Output, "tx").expect("an output")] == 1;
        if !tx || !self.levels.is_empty() {
            self.levels.push(tx);
        }
        // Looked at in the middle of each bit; the stop bit is the tenth.
        if self.levels.len() as u64 == 9 * DIVIDER + DIVIDER / 2 + 1 {
            let bits = self.levels.chunks(DIVIDER as usize).map(|bit| bit[bit.len() / 2]);
            let bits: Vec<bool> = bits.collect();
            assert!(!bits[0] && bits[9], "cycle {}: no byte on the line", self.cycle);
            self.received.push_back(bits[1..9].iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
            self.levels.clear();
        }
    }

    fn send(&mut self, byte: u8) {
        let levels = u64::from(byte) << 1 | 1 << 9;
        for bit in 0..10 {
            self.set("rx", levels >> bit & 1);
            (0..DIVIDER).for_each(|_| self.step());
        }
    }

    fn receive(&mut self, bytes: usize) -> Vec<u8> {
        let mut all = vec![];
        let mut waits = 0;
        while all.len() < bytes && waits < PATIENCE {
            match self.received.pop_front() {
                Some(byte) => {
                    all.push(byte);
                    waits = 0;
                }
                None => {
                    self.step();
                    waits += 1;
                }
            }
        }
        all
    }
}

/// What is asked of the machine, which runs in a thread of its own.
enum Request {
    Send(Vec<u8>),
    Receive(usize),
    Rest(u64),
}

/// The line to it: nothing runs but what is asked for, so every run is the same.
struct SimulatedLine {
    requests: Sender<Request>,
    answers: Receiver<Vec<u8>>,
}

impl SimulatedLine {
    fn new(config: &Config, library: Option<PathBuf>) -> Self {
        let ((requests, asked), (answer, answers)) = (channel(), channel());
        let config = config.clone();
        std::thread::spawn(move || {
            let mut machine = Machine::new(&config, library);
            while let Ok(request) = asked.recv() {
                match request {
                    Request::Send(bytes) => bytes.into_iter().for_each(|byte| machine.send(byte)),
                    Request::Receive(bytes) => _ = answer.send(machine.receive(bytes)),
                    Request::Rest(cycles) => (0..cycles).for_each(|_| machine.step()),
                }
            }
        });
        SimulatedLine { requests, answers }
    }
}

impl Line for SimulatedLine {
    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.requests.send(Request::Send(bytes.to_vec())).context("the machine is gone")
    }
    fn receive(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.requests.send(Request::Receive(bytes.len())).context("the machine is gone")?;
        let answer = self.answers.recv().context("the machine is gone")?;
        ensure!(answer.len() == bytes.len(), "{} of {} bytes came", answer.len(), bytes.len());
        bytes.copy_from_slice(&answer);
        Ok(())
    }
    fn forget(&mut self) -> Result<()> {
        Ok(())
    }
}

fn sum(device: &mut Device, name: &str) -> u64 {
    device.get_all(name).expect("it answers").iter().map(|value| u64::from(value.value)).sum()
}

/// Sets, starts, waits, reads, stops: nothing may be lost or wrong, and ports must have slept.
fn measure(config: &Config, library: Option<PathBuf>) {
    let line = SimulatedLine::new(config, library);
    let requests = line.requests.clone();
    let mut device = Device::new(config, Box::new(line)).expect("it answers");
    device.set("switch.pdt", 300).expect("a register of POWAR");
    assert_eq!(device.get("switch.pdt").unwrap(), 300);
    let bursts = Traffic {
        pattern: Some("uniform".into()),
        load: Some(0.5),
        burst: Some((400, 4000)),
        length: Some(7),
        ..Traffic::default()
    };
    bursts.apply(&mut device).expect("it answers");
    device.reset_counters().expect("it answers");
    traffic::run(&mut device, true).expect("it answers");
    let before = Snapshot::read(&mut device).expect("it answers");
    requests.send(Request::Rest(30_000)).expect("it runs");
    let after = Snapshot::read(&mut device).expect("it answers");
    let sample = Sample::between(config, &before, &after);
    let text = table::text(&sample);
    assert!(sample.cycles > 30_000 && sample.errors() == 0, "{text}");
    assert!(sample.ports.iter().all(|port| port.wake_ups > 0 && port.power < 1.0 && port.load > 0.0), "{text}");
    assert!(sample.nodes.iter().all(|node| node.packets_received > 20 && node.latency.unwrap() > 20.0), "{text}");
    traffic::run(&mut device, false).expect("it answers");
    requests.send(Request::Rest(30_000)).expect("it runs");
    let sent = sum(&mut device, "node*.packets_sent");
    let bins: u64 = (0..32).map(|bin| sum(&mut device, &format!("node*.latency_{bin}"))).sum();
    let received = sum(&mut device, "node*.packets_received");
    assert!(sent > 200, "{sent}");
    assert_eq!((received, bins), (sent, sent), "each packet that was sent has come in, and is in a bin");
    for errors in ["source", "sequence", "content", "length", "keep"] {
        assert_eq!(sum(&mut device, &format!("node*.{errors}_errors")), 0, "{errors}");
    }
    assert_eq!(device.get("demo.serial_errors").unwrap() + device.get("demo.bus_errors").unwrap(), 0);
}

fn config() -> Config {
    presets::by_name("demonstrator-4").expect("a preset")
}

#[test]
fn the_host_measures_a_golden_demonstrator() {
    measure(&config(), None);
}

#[test]
fn the_host_measures_the_verilog_of_a_demonstrator() {
    let Some(tools) = tools_or_skip("the_host_measures_the_verilog_of_a_demonstrator") else { return };
    let config = config();
    let layout = twins::golden(&config, twins::DEMONSTRATOR).expect("there is one of it").layout().clone();
    let library = twins::verilated(&config, twins::DEMONSTRATOR, &layout, &tools, &Progress::silent()).expect("sound");
    measure(&config, Some(library));
}
