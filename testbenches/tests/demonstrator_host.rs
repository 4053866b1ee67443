//! The library of `powar host` against a whole demonstrator, over the bits of its serial line: ports are made to sleep, generators run, and every
//! statistic is read. The emitted Verilog has its golden twin beside it, cycle by cycle.

use anyhow::{Context, Result, ensure};
use powar_config::{Config, presets};
use powar_host::line::Line;
use powar_host::traffic::{self, Traffic};
use powar_host::watch::{Sample, Snapshot};
use powar_host::{Device, table};
use powar_testbenches::demonstrator::{Library, Machine, Model};
use powar_tools::{Progress, tools_or_skip};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Cycles in which an answer comes, or never.
const PATIENCE: u64 = 20_000;

/// The next bytes from the machine, fewer if it sends no more.
fn receive(machine: &mut Machine, bytes: usize) -> Result<Vec<u8>> {
    let (mut all, mut waits) = (vec![], 0);
    while all.len() < bytes && waits < PATIENCE {
        match machine.receive() {
            Some(byte) => {
                all.push(byte);
                waits = 0;
            }
            None => {
                machine.run(1)?;
                waits += 1;
            }
        }
    }
    Ok(all)
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
    fn new(config: &Config, model: Model) -> Self {
        let ((requests, asked), (answer, answers)) = (channel(), channel());
        let config = config.clone();
        std::thread::spawn(move || {
            let mut machine = Machine::new(&config, &model).expect("it has just been built");
            while let Ok(request) = asked.recv() {
                let done = match request {
                    Request::Send(bytes) => bytes.into_iter().try_for_each(|byte| machine.send(byte)),
                    Request::Receive(bytes) => receive(&mut machine, bytes).map(|bytes| _ = answer.send(bytes)),
                    Request::Rest(cycles) => machine.run(cycles),
                };
                done.expect("bytes on the line");
                assert_eq!(machine.difference(), None);
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
    fn settle(&mut self) -> Result<()> {
        Ok(())
    }
}

fn sum(device: &mut Device, name: &str) -> u64 {
    device.get_all(name).expect("it answers").iter().map(|value| u64::from(value.value)).sum()
}

/// Sets, starts, waits, reads, stops: nothing may be lost or wrong, and ports must have slept.
fn measure(config: &Config, model: Model) {
    let line = SimulatedLine::new(config, model);
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
    measure(&config(), Model::Golden);
}

#[test]
fn the_host_measures_the_verilog_of_a_demonstrator() {
    let Some(tools) = tools_or_skip("the_host_measures_the_verilog_of_a_demonstrator") else { return };
    let config = config();
    let library = Library::build(&config, &tools, &Progress::silent()).expect("sound");
    measure(&config, Model::Both(library));
}
