//! `powar host`, the command itself, against a whole demonstrator in simulation: from a set register to the last statistic, over the bits of the
//! serial line and a pseudo-terminal.

use crate::{Scratch, text};
use powar_config::registers::demonstrator::INTERFACE_WORDS;
use powar_config::{Config, Role, presets};
use powar_faults::verilog::VerilogFault;
use powar_faults::verilog_faults;
use powar_testbenches::demonstrator::{Difference, Library, Machine, Model, Terminal};
use powar_testbenches::test_switches::{self, TestSwitch};
use powar_testbenches::twins::{self, DEMONSTRATOR};
use powar_tools::{Progress, Tools, tools_or_skip};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a simulation has come to: where its models differed, and what it showed last.
type End = (Option<Difference>, Vec<u64>);

/// A simulation in a thread of its own.
struct Simulation {
    path: String,
    over: Arc<AtomicBool>,
    thread: JoinHandle<End>,
}

impl Simulation {
    fn start(config: &Config, model: Model) -> Self {
        let (config, over, (path, opened)) = (config.clone(), Arc::new(AtomicBool::new(false)), channel());
        let ends = over.clone();
        let thread = std::thread::spawn(move || {
            let mut machine = Machine::new(&config, &model).expect("a demonstrator");
            let mut terminal = Terminal::open().expect("a pseudo-terminal");
            path.send(terminal.path.clone()).expect("the test waits for it");
            let difference = terminal.serve(&mut machine, &ends).expect("bytes on the line");
            (difference, machine.shown().to_vec())
        });
        Simulation { path: opened.recv().expect("it has begun"), over, thread }
    }

    fn stop(self) -> End {
        self.over.store(true, Ordering::Relaxed);
        self.thread.join().expect("it doesn't panic")
    }
}

/// The command with its configuration and its port.
struct Host<'a> {
    scratch: &'a Scratch,
    port: String,
}

impl<'a> Host<'a> {
    fn new(scratch: &'a Scratch, config: &Config, port: &str) -> Self {
        scratch.write("config.toml", config.to_toml());
        Host { scratch, port: port.into() }
    }

    fn run(&self, arguments: &[&str]) -> String {
        let with = ["host", "--config", "config.toml", "--timeout", "20s", "--port", &self.port];
        self.scratch.succeed(&[&with, arguments].concat())
    }

    /// Registers by their names.
    fn get(&self, names: &[&str]) -> BTreeMap<String, u64> {
        let lines = self.run(&[&["--json", "get"], names].concat());
        let one = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
            (value["name"].as_str().expect("a name").to_owned(), value["value"].as_u64().expect("a number"))
        };
        lines.lines().map(one).collect()
    }

    /// Sets the port-down threshold and the generators, lets them run, stops them: what was watched meanwhile.
    fn measure(&self, time: &str) -> String {
        self.run(&["set", "switch.pdt", "300"]);
        self.run(&["traffic", "--pattern", "uniform", "--load", "0.3", "--burst", "400/4000", "--length", "5"]);
        self.run(&["reset-counters"]);
        self.run(&["traffic", "--start"]);
        let watched = self.run(&["watch", "--every", time, "--count", "1"]);
        self.run(&["traffic", "--stop"]);
        let all_came = |_| {
            let counts = self.get(&["node*.packets_sent", "node*.packets_received"]);
            let sum = |ending: &str| -> u64 {
                counts.iter().filter(|(name, _)| name.ends_with(ending)).map(|(_, count)| count).sum()
            };
            sum("_sent") == sum("_received")
        };
        // How many cycles pass between two commands depends on how busy the machine is.
        assert!((0..100).any(all_came), "packets are still on their way");
        watched
    }
}

/// All statistics of the nodes in a frame of the golden model, by the names of their registers.
fn statistics(config: &Config, frame: &[u64]) -> BTreeMap<String, u64> {
    let layout = twins::golden(config, DEMONSTRATOR).expect("there is one of it").layout().clone();
    let row = |register: &str, row: usize| frame[layout.observed(Role::Register, register).expect("a register") + row];
    let mut all = BTreeMap::new();
    for node in 0..config.ports {
        let mut put = |name: &str, value: u64| _ = all.insert(format!("node{node}.{name}"), value);
        let words = ["source_errors", "sequence_errors", "content_errors", "length_errors", "keep_errors"];
        for name in words.into_iter().chain(["latency_min", "latency_max"]) {
            put(name, row(&format!("packet_checker.{name}"), node));
        }
        put("packets_sent", row("generator.packets", node));
        put("flits_offered", row("generator.flits_offered", node));
        put("flits_sent", row("generator.flits_sent", node));
        put("packets_received", row("packet_checker.packets", node));
        put("flits_received", row("packet_checker.flits", node));
        let sum = row("packet_checker.latency_sum", node);
        put("latency_sum_low", sum & 0xffff_ffff);
        put("latency_sum_high", sum >> 32);
        for (k, word) in INTERFACE_WORDS.iter().enumerate() {
            put(word.name, row("network_interface.statistics", node * INTERFACE_WORDS.len() + k));
        }
    }
    all
}

/// Measures a sound demonstrator: nothing is wrong or lost, ports have slept, every statistic is that of the golden model.
fn is_sound(config: &Config, library: Library, time: &str) {
    let simulation = Simulation::start(config, Model::Both(library));
    let scratch = Scratch::new();
    let host = Host::new(&scratch, config, &simulation.path);
    let watched = host.measure(time);
    assert!(watched.contains(" 0 errors\n"), "{watched}");
    let of_nodes = statistics(config, &vec![0; frame_slots(config)]);
    let read = host.get(&of_nodes.keys().map(String::as_str).collect::<Vec<_>>());
    let bins: Vec<String> = (0..32).map(|bin| format!("node*.latency_{bin}")).collect();
    let bins = host.get(&bins.iter().map(String::as_str).collect::<Vec<_>>());
    let ports = host.get(&["port*.wake_ups", "port*.flits"]);
    let errors = host.get(&["demo.bus_errors", "demo.serial_errors"]);
    let (difference, frame) = simulation.stop();
    assert_eq!(difference, None);
    assert_eq!(read, statistics(config, &frame));
    let sum = |all: &BTreeMap<String, u64>, ending: &str| -> u64 {
        all.iter().filter(|(name, _)| name.ends_with(ending)).map(|(_, value)| value).sum()
    };
    let sent = sum(&read, ".packets_sent");
    assert!(sent > 30, "{sent}");
    assert_eq!((sum(&read, ".packets_received"), bins.values().sum::<u64>()), (sent, sent));
    assert_eq!((sum(&read, ".link_packets_sent"), sum(&read, ".link_packets_received")), (sent, sent));
    assert_eq!(sum(&read, "_errors") + sum(&errors, "_errors"), 0);
    for p in 0..config.ports {
        assert!(ports[&format!("port{p}.wake_ups")] > 0, "port {p} has not slept: {watched}");
        assert_eq!(ports[&format!("port{p}.flits")], read[&format!("node{p}.link_flits_received")], "port {p}");
    }
}

fn frame_slots(config: &Config) -> usize {
    twins::golden(config, DEMONSTRATOR).expect("there is one of it").layout().observed_slots()
}

/// The demonstrator of three nodes with all its deliberate faults, and the number of one of them.
fn with_faults(name: &str, tools: &Tools) -> (Config, Library, u64) {
    let switch = TestSwitch::Demonstrator;
    let faults: Vec<&VerilogFault> =
        verilog_faults().filter(|fault| fault.block == DEMONSTRATOR && fault.switch == switch).collect();
    let config = test_switches::config(switch);
    let path = powar_faults::library(&config, DEMONSTRATOR, &faults, tools, &Progress::silent()).expect("it compiles");
    let number = 1 + faults.iter().position(|fault| fault.name == name).expect("a fault") as u64;
    (config, Library { path, fault: Some(0) }, number)
}

#[test]
fn every_statistic_that_the_command_reads_is_that_of_the_golden_demonstrator() {
    let Some(tools) = tools_or_skip("every_statistic_that_the_command_reads") else { return };
    let (config, sound, number) = with_faults("two checkers have each other's number", &tools);
    is_sound(&config, sound.clone(), "500ms");
    let faulty = Library { fault: Some(number), ..sound };
    // The host sees it in the numbers of the checkers.
    let simulation = Simulation::start(&config, Model::Verilog(faulty.clone()));
    let scratch = Scratch::new();
    let host = Host::new(&scratch, &config, &simulation.path);
    let watched = host.measure("500ms");
    let errors = host.get(&["node*.content_errors", "node*.packets_received"]);
    simulation.stop();
    assert!(!watched.contains(" 0 errors\n"), "{watched}");
    assert_eq!(errors["node0.content_errors"], 0, "{errors:?}");
    assert!(errors["node1.content_errors"] > 0 && errors["node2.content_errors"] > 0, "{errors:?}");
    // The golden model beside it differs as soon as there is traffic, and the device is gone.
    let simulation = Simulation::start(&config, Model::Both(faulty));
    let host = Host::new(&scratch, &config, &simulation.path);
    let start = ["--timeout", "2s", "--port", &host.port, "traffic", "--load", "0.5", "--start"];
    scratch.run(&[&["host", "--config", "config.toml"], &start[..]].concat());
    let end = Instant::now() + Duration::from_secs(20);
    while !simulation.thread.is_finished() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    let (difference, _) = simulation.stop();
    let difference = difference.expect("they differ");
    assert!(difference.signal.starts_with("packet_checker."), "{difference}");
}

/// Longer, for a demonstrator as it is put on a board.
fn board_is_sound(preset: &str) {
    let Some(tools) = tools_or_skip(preset) else { return };
    let config = presets::by_name(preset).expect("a preset");
    let library = Library::build(&config, &tools, &Progress::silent()).expect("sound");
    is_sound(&config, library, "5s");
}

#[test]
#[ignore = "compiles and runs for minutes"]
fn the_demonstrator_of_4_ports_is_that_of_the_golden_model() {
    board_is_sound("demonstrator-4");
}

#[test]
#[ignore = "compiles and runs for minutes"]
fn the_demonstrator_of_8_ports_is_that_of_the_golden_model() {
    board_is_sound("demonstrator-8");
}

#[test]
fn a_switch_routed_by_a_table_serves_once_it_is_loaded() {
    let mut config = test_switches::config(TestSwitch::TreeDemonstrator);
    config.route_by(&powar_config::routing::table::ROUTING);
    let simulation = Simulation::start(&config, Model::Golden);
    let scratch = Scratch::new();
    let host = Host::new(&scratch, &config, &simulation.path);
    let received = || host.get(&["node*.packets_received"]).values().sum::<u64>();
    host.run(&["traffic", "--load", "0.3", "--start"]);
    host.run(&["watch", "--every", "100ms", "--count", "1"]);
    assert_eq!(received(), 0);
    assert_eq!(host.run(&["load-table"]), "5 words written\n");
    // The same from the file that stands beside the design.
    scratch.succeed(&["emit", "--config", "config.toml", "--top", "demonstrator", "--tables", "--out", "design"]);
    assert_eq!(host.run(&["--json", "load-table", "design/tables/switch-0.txt"]), "{\"load_table\":5}\n");
    let watched = host.run(&["watch", "--every", "200ms", "--count", "1"]);
    host.run(&["traffic", "--stop"]);
    assert!(received() > 0 && watched.contains(" 0 errors\n"), "{watched}");
    simulation.stop();
}

/// The simulation as a user starts it; ended with the test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        self.0.kill().and_then(|()| self.0.wait()).expect("it runs until it is interrupted");
    }
}

#[test]
fn a_simulation_prints_the_port_that_the_other_commands_open() {
    let scratch = Scratch::new();
    let config = test_switches::config(TestSwitch::Demonstrator);
    scratch.write("config.toml", config.to_toml());
    let mut command = scratch.command(&["host", "--config", "config.toml", "simulate", "--model", "golden"]);
    let mut started = Started(command.stdout(Stdio::piped()).spawn().expect("it starts"));
    let mut lines = BufReader::new(started.0.stdout.take().expect("a pipe")).lines().map(|line| line.expect("a line"));
    let line = lines.next().expect("its port");
    // The command to type goes with it.
    let command = format!("  powar host --config config.toml --port {line} watch");
    assert_eq!(lines.next().zip(lines.next()), Some((String::new(), "In another terminal:".to_owned())));
    assert_eq!(lines.next(), Some(command));
    let host = Host::new(&scratch, &config, line.trim_end());
    assert_eq!(host.run(&["get", "demo.id"]), "demo.id                  1347376964  0x504f5744\n");
    assert!(host.measure("200ms").contains(" 0 errors\n"));
    scratch.fail(&["host", "--preset", "fat-tree-32", "simulate"], &["ports: 64 is out of range 2..=60"]);
    let wrong = scratch.run(&["host", "--preset", "demonstrator-4", "--port", line.trim_end(), "get", "demo.id"]);
    assert!(text(&wrong.stderr).contains("device: switch.geometry reads as"), "{}", text(&wrong.stderr));
}
