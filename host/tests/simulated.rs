//! The host against a demonstrator of golden models behind a pseudo-terminal.

mod support;

use powar_config::{Config, presets};
use powar_host::line::{Line, open_line};
use powar_host::script::{self, Answer};
use powar_host::traffic::{self, Traffic};
use powar_host::watch::{Sample, Snapshot};
use powar_host::{Device, routing_table, table};
use std::io::Write;
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use support::Simulated;

const TIMEOUT: Duration = Duration::from_secs(5);
const BAUD: u32 = 115_200;

fn config() -> Config {
    presets::by_name("fat-tree-2").expect("a preset")
}

fn open(simulated: &Simulated) -> Device {
    Device::open(&config(), &simulated.path, BAUD, TIMEOUT).expect("it answers")
}

#[test]
fn registers_are_read_and_set_by_name() {
    let simulated = Simulated::new(&config());
    let mut device = open(&simulated);
    assert_eq!(device.get("switch.id").unwrap(), 0x504F_5741);
    assert_eq!(device.get("switch.geometry.ports").unwrap(), 4);
    assert_eq!(device.get("port2.status.ready").unwrap(), 1);
    device.set("switch.pdt", 1234).unwrap();
    assert_eq!(device.get("switch.pdt").unwrap(), 1234);
    let set = device.set("node*.load", 0x8000).unwrap();
    assert_eq!(
        set.iter().map(|value| value.name.as_str()).collect::<Vec<_>>(),
        ["node0.load", "node1.load", "node2.load", "node3.load"]
    );
    assert!(device.get_all("node*.load").unwrap().iter().all(|value| value.value == 0x8000));
    let error = device.set("port0.flits", 1).unwrap_err().to_string();
    assert_eq!(error, "port0.flits: can only be read");
    // Every register answers, and none with an error.
    let all: Vec<_> = device.names().all().collect();
    for register in &all {
        let value = device.value(register).unwrap().value;
        assert_eq!(value & !register.word.mask(), 0, "{}", register.name);
    }
    assert_eq!(device.get("demo.bus_errors").unwrap(), 0);
}

#[test]
fn another_configuration_is_found_out() {
    let simulated = Simulated::new(&config());
    let other = presets::by_name("fat-tree-4").expect("a preset");
    let error = Device::open(&other, &simulated.path, BAUD, TIMEOUT).err().expect("refused").to_string();
    assert_eq!(error, "device: switch.geometry reads as 0x00040404, in the configuration fat-tree-4 it is 0x00040408");
}

#[test]
fn half_a_command_is_dropped_and_an_unknown_address_does_not_hang() {
    let simulated = Simulated::new(&config());
    let mut line = open_line(&simulated.path, BAUD, TIMEOUT).unwrap();
    line.send(&[1, 3, 0, 0]).unwrap();
    // More than enough cycles for the bridge's time-out.
    std::thread::sleep(Duration::from_millis(300));
    let mut device = Device::new(&config(), line).unwrap();
    assert_eq!(device.get("demo.bus_errors").unwrap(), 0);
    drop(device);
    let mut line = open_line(&simulated.path, BAUD, TIMEOUT).unwrap();
    // Behind the last word of window 1, and in a window that there is not: byte addresses 0x1fffc and 0x50000.
    for address in [0x7fffu32, 0x1_4000] {
        let mut command = vec![2, 1];
        command.extend(address.to_be_bytes());
        line.send(&command).unwrap();
        let mut word = [1; 4];
        line.receive(&mut word).unwrap();
        assert_eq!(word, [0; 4]);
    }
    let mut device = Device::new(&config(), line).unwrap();
    assert_eq!(device.get("demo.bus_errors").unwrap(), 2);
}

#[test]
fn traffic_runs_and_is_watched() {
    let simulated = Simulated::new(&config());
    let mut device = open(&simulated);
    let load = Traffic { load: Some(0.25), pattern: Some("uniform".into()), length: Some(7), ..Traffic::default() };
    load.apply(&mut device).unwrap();
    Traffic { nodes: vec![3], enable: Some(false), ..Traffic::default() }.apply(&mut device).unwrap();
    traffic::run(&mut device, true).unwrap();
    device.reset_counters().unwrap();
    let before = Snapshot::read(&mut device).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let after = Snapshot::read(&mut device).unwrap();
    let sample = Sample::between(device.config(), &before, &after);
    assert!(sample.cycles > 5000, "{}", sample.cycles);
    for node in &sample.nodes {
        let wanted = if node.node == 3 { 0.0 } else { 0.25 };
        assert!((node.offered - wanted).abs() < 0.05, "{node:?}");
        assert!(node.packets_received > 0 && node.latency.unwrap() >= 7.0, "{node:?}");
    }
    assert_eq!(sample.errors(), 0, "{}", table::text(&sample));
    traffic::run(&mut device, false).unwrap();
    let still = Snapshot::read(&mut device).unwrap();
    let later = Snapshot::read(&mut device).unwrap();
    let gone = Sample::between(device.config(), &still, &later);
    assert!(gone.nodes.iter().all(|node| node.packets_sent == 0));
    // Packets of nodes that rest are all there, and each counts once in the histogram.
    let sum = |device: &mut Device, name: &str| {
        device.get_all(name).unwrap().iter().map(|value| u64::from(value.value)).sum::<u64>()
    };
    let (sent, received) = (sum(&mut device, "node*.packets_sent"), sum(&mut device, "node*.packets_received"));
    let bins: u64 = (0..32).map(|bin| sum(&mut device, &format!("node*.latency_{bin}"))).sum();
    assert!(sent > 100 && received.abs_diff(sent) <= 8, "{sent} {received}");
    assert!(received.abs_diff(bins) <= 8, "{received} {bins}");
    // An idle port sleeps after a while: it draws less.
    assert!(sample.ports.iter().all(|port| (0.1..=1.0).contains(&port.power)));
}

#[test]
fn lost_packets_are_errors() {
    let simulated = Simulated::losing(&config(), 5);
    let mut device = open(&simulated);
    let script =
        "set node*.load 0x8000\ntraffic start\nsleep 200ms\ntraffic stop\nget node*.sequence_errors\nwatch 0ms\n";
    let answers: Vec<Answer> =
        script::parse(script, &config()).unwrap().iter().map(|command| command.run(&mut device).unwrap()).collect();
    let Answer::Get(values) = &answers[4] else { panic!("{answers:?}") };
    assert!(values.len() == 4 && values.iter().all(|value| value.value > 0), "{values:?}");
    let line = serde_json::to_string(&answers[0]).unwrap();
    assert!(line.starts_with(r#"{"set":[{"name":"node0.load","address":69640,"value":32768}"#), "{line}");
}

#[test]
fn a_bad_setting_is_one_line_and_changes_nothing() {
    let simulated = Simulated::new(&config());
    let mut device = open(&simulated);
    let error = |device: &mut Device, traffic: Traffic| traffic.apply(device).unwrap_err().to_string();
    let none = Traffic::default;
    let wrong = Traffic { load: Some(1.5), ..none() };
    assert_eq!(error(&mut device, wrong), "load: 1.5 is out of range 0..=1, in steps of 1/65536");
    let wrong = Traffic { load: Some(1e-6), ..none() };
    assert_eq!(error(&mut device, wrong), "load: 0.000001 is out of range 0..=1, in steps of 1/65536");
    let wrong = Traffic { pattern: Some("tornado".into()), ..none() };
    let known = "uniform, fixed, complement, neighbour";
    assert_eq!(error(&mut device, wrong), format!("pattern: `tornado` is unknown; it must be one of {known}"));
    let wrong = Traffic { nodes: vec![4], load: Some(0.5), ..none() };
    assert_eq!(error(&mut device, wrong), "node: 4 is out of range 0..=3");
    assert_eq!(device.get("node0.load").unwrap(), 0);
}

#[test]
fn a_routing_table_is_loaded() {
    let mut config = config();
    config.route_by(&powar_config::routing::table::ROUTING);
    let simulated = Simulated::new(&config);
    let mut device = Device::open(&config, &simulated.path, BAUD, TIMEOUT).expect("it answers");
    let writes = routing_table::table(&config, None).unwrap();
    // Row 0 again, and the last row: two bits of address.
    assert_eq!((writes[0], writes.len()), ((0x10, 0), 1 + 4));
    assert_eq!(device.write_all(&writes).unwrap(), writes.len());
    assert_eq!(device.get("switch.table_row").unwrap(), 0);
    assert_eq!(device.write_all(&writes[..2]).unwrap(), 2);
    assert_eq!(device.get("switch.table_row").unwrap(), 1);
    let answer = script::Command::parse("load-table").unwrap().unwrap().run(&mut device).unwrap();
    assert_eq!(serde_json::to_string(&answer).unwrap(), r#"{"load_table":5}"#);
    // There is nothing at this address.
    assert_eq!(device.write_all(&[(0x3c, 0)]).unwrap_err().to_string(), "device: refuses words of the switch");
}

/// Nobody answers here.
struct Dead;

impl Line for Dead {
    fn send(&mut self, _bytes: &[u8]) -> anyhow::Result<()> {
        Ok(())
    }
    fn receive(&mut self, _bytes: &mut [u8]) -> anyhow::Result<()> {
        anyhow::bail!("port: no answer in 1s (0 of 4 bytes came)")
    }
    fn forget(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
    fn settle(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}

#[test]
fn ports_that_are_none_and_devices_that_are_silent_are_one_line() {
    let error = |port: &str| format!("{:#}", open_line(port, BAUD, TIMEOUT).err().expect("refused"));
    assert!(error("/dev/no-such-port").starts_with("port: can't open /dev/no-such-port: No such file"));
    assert_eq!(error("/dev/null"), "port: /dev/null is not a serial port");
    assert!(error("tcp:127.0.0.1:1").starts_with("port: can't connect to 127.0.0.1:1"));
    let error = Device::new(&config(), Box::new(Dead)).err().expect("silent").to_string();
    assert_eq!(error, "port: no answer in 1s (0 of 4 bytes came), asked twice");
    // A real line on which nobody answers.
    let simulated = Simulated::new(&config());
    let mut line = open_line(&simulated.path, BAUD, Duration::from_millis(150)).unwrap();
    let error = line.receive(&mut [0; 4]).unwrap_err().to_string();
    assert_eq!(error, "port: no answer in the timeout of 150ms (0 of 4 bytes came)");
}

/// Of two that read one line each would get bytes of the other's answers.
#[test]
fn a_port_that_another_has_is_refused_until_it_is_free() {
    let simulated = Simulated::new(&config());
    let open = || open_line(&simulated.path, BAUD, TIMEOUT);
    let first = open().unwrap();
    let refused = open().err().expect("it is taken").to_string();
    assert_eq!(refused, format!("port: another program has {}", simulated.path));
    drop(first);
    open().unwrap();
}

/// An answer of many bytes may take long, as long as it goes on.
#[test]
fn the_time_out_is_from_byte_to_byte() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("tcp:{}", listener.local_addr().unwrap());
    let sender = std::thread::spawn(move || {
        let mut stream = listener.accept().unwrap().0;
        for byte in 0..6 {
            std::thread::sleep(Duration::from_millis(200));
            stream.write_all(&[byte]).unwrap();
        }
    });
    let mut line = open_line(&port, BAUD, Duration::from_millis(600)).unwrap();
    let mut bytes = [9; 6];
    line.receive(&mut bytes).unwrap();
    assert_eq!(bytes, [0, 1, 2, 3, 4, 5]);
    sender.join().unwrap();
    let error = line.receive(&mut bytes).unwrap_err().to_string();
    assert_eq!(error, "port: the other end has closed the connection");
}

/// A line on which answers to questions of others come in.
struct Mixed(Box<dyn Line>, Arc<AtomicBool>);

impl Line for Mixed {
    fn send(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.0.send(bytes)
    }
    fn receive(&mut self, bytes: &mut [u8]) -> anyhow::Result<()> {
        self.0.receive(bytes)?;
        if self.1.load(Relaxed) {
            bytes.fill(0xff);
        }
        Ok(())
    }
    fn forget(&mut self) -> anyhow::Result<()> {
        self.0.forget()
    }
    fn settle(&mut self) -> anyhow::Result<()> {
        self.0.settle()
    }
}

#[test]
fn a_value_with_more_bits_than_its_register_is_no_answer() {
    let simulated = Simulated::new(&config());
    let mixed = Arc::new(AtomicBool::new(false));
    let line = Mixed(open_line(&simulated.path, BAUD, TIMEOUT).unwrap(), mixed.clone());
    let mut device = Device::new(&config(), Box::new(line)).unwrap();
    device.get("switch.check_period").unwrap();
    mixed.store(true, Relaxed);
    let error = device.get("switch.check_period").unwrap_err().to_string();
    assert_eq!(error, "port: switch.check_period reads as 0xffffffff, expected at most 0xffff");
}
