//! The demonstrator by itself, over its serial line.

use super::*;
use powar_config::presets;
use powar_config::registers::demonstrator::{ID, OWN_WINDOW};

/// Cycles of a bit.
const DIVIDER: u16 = 4;
const CONTROL: u32 = OWN_WINDOW + 8;
const CLEAR: u32 = OWN_WINDOW + 12;
const BUS_ERRORS: u32 = OWN_WINDOW + 20;
const SERIAL_ERRORS: u32 = OWN_WINDOW + 24;

/// A demonstrator of four nodes, and whoever is at the other end of its serial line.
struct Desk {
    device: Demonstrator,
}

impl Desk {
    fn new() -> Desk {
        let config = presets::by_name("demonstrator-4").unwrap();
        let mut desk = Desk { device: Demonstrator::new(&config).unwrap() };
        desk.cycles(true, true, 1);
        desk
    }

    fn cycles(&mut self, rst: bool, rx: bool, cycles: usize) {
        let seen = DemonstratorInputs { rx, divider: DIVIDER, timeout: 4000 };
        (0..cycles).for_each(|_| self.device.clock(rst, &seen));
    }

    fn wait(&mut self, cycles: usize) {
        self.cycles(false, true, cycles);
    }

    fn send(&mut self, byte: u8, stop: bool) {
        let bits = (0..8).map(|bit| byte >> bit & 1 == 1);
        let all = std::iter::once(false).chain(bits).chain([stop]);
        all.for_each(|bit| self.cycles(false, bit, DIVIDER.into()));
    }

    fn command(&mut self, command: u8, address: u32) {
        let bytes = [&[command, 1][..], &(address / 4).to_be_bytes()].concat();
        bytes.into_iter().for_each(|byte| self.send(byte, true));
    }

    fn write(&mut self, address: u32, word: u32) {
        self.command(1, address);
        word.to_be_bytes().into_iter().for_each(|byte| self.send(byte, true));
        self.wait(40);
    }

    fn byte(&mut self) -> u8 {
        let begins = (0..200).any(|_| {
            self.wait(1);
            !self.device.transmitter.tx
        });
        assert!(begins, "a start bit");
        self.wait(usize::from(DIVIDER) + 1);
        let byte = (0..8).fold(0, |byte, bit| {
            let now = u8::from(self.device.transmitter.tx) << bit;
            self.wait(DIVIDER.into());
            byte | now
        });
        assert!(self.device.transmitter.tx, "a stop bit");
        byte
    }

    fn read(&mut self, address: u32) -> u32 {
        self.command(2, address);
        u32::from_be_bytes([(); 4].map(|()| self.byte()))
    }

    /// The same, of a node's word.
    fn read_node(&mut self, node: u32, place: u32) -> u32 {
        self.read(of_node(node, place))
    }
}

fn of_node(node: u32, place: u32) -> u32 {
    OWN_WINDOW + u32::from(NODE_BASE) + node * u32::from(NODE_STRIDE) + 4 * place
}

/// Every node sends to the next one, the last to the first.
fn with_traffic() -> Desk {
    let mut desk = Desk::new();
    for node in 0..4 {
        desk.write(of_node(node, 0), 3);
        desk.write(of_node(node, 2), 0x1000 + 0x800 * node);
        desk.write(of_node(node, 5), 2 + node);
    }
    desk.write(CONTROL, 1);
    desk.wait(3000);
    desk.write(CONTROL, 0);
    desk.wait(1000);
    desk
}

#[test]
fn what_every_node_sends_comes_in_at_the_next() {
    let Desk { device } = with_traffic();
    for node in 0..4 {
        let (from, checker) = (&device.generators[node], &device.checkers[(node + 1) % 4]);
        assert!(from.packets > 20, "{}", from.packets);
        assert_eq!((checker.packets, checker.flits), (from.packets, from.flits_sent));
        let errors = [checker.source_errors, checker.sequence_errors, checker.content_errors];
        assert_eq!((errors, checker.length_errors, checker.keep_errors), ([0; 3], 0, 0));
        // A switch, two network interfaces and a packet of 3 flits or more take some cycles, and not many at a low load.
        assert!((10..100).contains(&checker.latency_min), "{}", checker.latency_min);
        assert!(checker.latency_max < 1000, "{}", checker.latency_max);
    }
    assert_eq!(device.links_on(), 0b1111);
}

#[test]
fn registers_of_all_parts_are_read_over_the_serial_line() {
    let mut desk = with_traffic();
    assert_eq!(desk.read(OWN_WINDOW), ID);
    for node in [1, 3] {
        let n = node as usize;
        let (sent, received) = (desk.device.generators[n].packets, desk.device.checkers[n].packets);
        assert_eq!(desk.read_node(node, 0), 3);
        assert_eq!([8, 16].map(|place| desk.read_node(node, place)), [sent, received]);
        assert_eq!([64, 66].map(|place| desk.read_node(node, place)), [sent, received]);
        assert_eq!([68, 69, 70, 71, 72, 73].map(|place| desk.read_node(node, place)), [0; 6]);
        let bins: u32 = (32..64).map(|place| desk.read_node(node, place)).sum();
        assert_eq!(bins, received);
    }
    assert_eq!([BUS_ERRORS, SERIAL_ERRORS].map(|address| desk.read(address)), [0, 0]);
    // Words that are not there, in the own window and in none.
    assert_eq!([OWN_WINDOW + 0x800, 0x0100_0000].map(|address| desk.read(address)), [0, 0]);
    assert_eq!(desk.read(BUS_ERRORS), 2);
    desk.send(0, false);
    desk.wait(5000);
    assert_eq!(desk.read(SERIAL_ERRORS), 1);
    desk.write(CLEAR, 1);
    assert_eq!([8, 16, 64, 66].map(|place| desk.read_node(1, place)), [0; 4]);
}

#[test]
fn the_switch_is_behind_the_lower_window() {
    /// The power-down threshold of its mechanism.
    const PDT: u32 = 0x44;
    let mut desk = Desk::new();
    assert_eq!(desk.read(0).to_be_bytes(), *b"POWA");
    desk.write(PDT, 0x12_3456);
    desk.write(OWN_WINDOW + PDT, 0x65_4321);
    assert_eq!(desk.read(PDT), 0x12_3456);
}

#[test]
fn a_reset_drops_what_is_under_way() {
    let registers = |desk: &Desk| RegisterRows::of(&desk.device).rows().collect::<Vec<u64>>();
    let mut desk = with_traffic();
    desk.write(CONTROL, 1);
    desk.wait(100);
    // An answer on its way, and the first byte of another command.
    desk.command(2, OWN_WINDOW);
    desk.send(2, true);
    assert!(desk.device.transmitter.busy);
    desk.cycles(true, true, 1);
    assert_eq!(registers(&desk), registers(&Desk::new()));
}
