//! `power_manager`: ports that are held, counters, words.

use crate::power::bench::{Bench, config};
use powar_config::registers::{self, PORT_BASE, WORD_BYTES};
use powar_hdl::registry;

fn manager() -> Bench {
    Bench::new(registry::by_name(&config(), "power_manager").expect("a block"))
}

/// What is read at a byte address, and in how many cycles from the request on the answer is there.
fn read_in(bench: &mut Bench, address: u16) -> (u64, u64) {
    bench.set("read_address", 0, u64::from(address / WORD_BYTES));
    bench.set("read_request", 0, 1);
    for cycle in 0..20 {
        bench.cycle();
        bench.set("read_request", 0, 0);
        if bench.see("read_done", 0) == 1 {
            return (bench.see("read_data", 0), cycle);
        }
    }
    panic!("no answer from {address:#06x}");
}

fn read(bench: &mut Bench, address: u16) -> u64 {
    read_in(bench, address).0
}

fn port_word(port: u16, name: &str) -> u16 {
    let mechanism = config().mechanism();
    let words = registers::port_words(mechanism);
    let word = words.iter().find(|word| word.name == name).expect("a word of a port");
    PORT_BASE + port * registers::port_stride(mechanism) + word.offset
}

#[test]
fn a_port_is_held_until_it_is_released_with_a_flit() {
    let mut bench = manager();
    let mut held = |given: u64, departing: u64, released: u64| {
        bench.set("given", 0, given);
        bench.set("departing", 0, departing);
        bench.set("released", 0, released);
        bench.cycle();
        bench.see("held", 0)
    };
    assert_eq!(held(0b0101, 0, 0), 0);
    assert_eq!(held(0, 0b0001, 0), 0b0101);
    assert_eq!(held(0, 0, 0b0101), 0b0101, "without a flit nothing is released");
    assert_eq!(held(0b0001, 0b0101, 0b0101), 0b0101);
    assert_eq!(held(0, 0, 0), 0b0001, "given as it was released");
}

#[test]
fn what_a_port_does_is_counted_and_cleared() {
    let mut bench = manager();
    bench.set("departing", 0, 0b0100);
    bench.set("error", 2, 0b10010);
    bench.cycles(6);
    bench.set("departing", 0, 0);
    bench.set("error", 2, 0);
    // A counter that has its turn as it is asked for shows the cycle before.
    bench.cycle();
    let counts = ["flits", "framing_errors", "credit_errors", "dropped_packets", "wake_ups"];
    assert_eq!(counts.map(|name| read(&mut bench, port_word(2, name))), [6, 6, 6, 0, 0]);
    assert_eq!(counts.map(|name| read(&mut bench, port_word(1, name))), [0; 5]);
    // It is in use for the first 6 cycles and awake for 10 more, and all reads but the first come later.
    assert_eq!(read(&mut bench, port_word(2, "active_cycles")), 16);
    assert_eq!(read(&mut bench, port_word(2, "entering_cycles")), 5);
    bench.set("write_enable", 0, 1);
    bench.set("write_address", 0, 3);
    bench.set("write_data", 0, 1);
    bench.cycle();
    bench.set("write_enable", 0, 0);
    assert_eq!(read(&mut bench, 0x000C), 1, "the clear lasts the one cycle after the write");
    assert_eq!(read(&mut bench, 0x000C), 0);
    assert_eq!(counts.map(|name| read(&mut bench, port_word(2, name))), [0; 5]);
}

#[test]
fn a_word_comes_after_its_turn_and_is_that_of_it() {
    let mut bench = manager();
    bench.set("departing", 0, 0b0100);
    let (mut now, mut waits) = (0, vec![]);
    for pause in 0..30 {
        bench.cycles(pause % 4);
        let (flits, cycles) = read_in(&mut bench, port_word(2, "flits"));
        now += pause as u64 % 4 + cycles + 1;
        // A flit in every cycle; the last cycle showed the answer, which is three cycles old.
        assert_eq!(flits, now - 4);
        waits.push(cycles);
    }
    assert!(waits.iter().all(|cycles| (2..14).contains(cycles)), "{waits:?}");
    assert_eq!(read_in(&mut bench, port_word(2, "status")).1, 2);
    assert_eq!(read_in(&mut bench, 0x000C).1, 1);
}

#[test]
fn the_status_is_that_of_its_port_and_other_addresses_give_nothing() {
    let mut bench = manager();
    bench.set("given", 0, 0b1000);
    bench.cycle();
    bench.set("given", 0, 0);
    assert_eq!(read(&mut bench, port_word(3, "status")), 0b11_1100_0000);
    assert_eq!(read(&mut bench, port_word(0, "status")), 0b11_1000_0000);
    bench.cycles(20);
    assert_eq!(read(&mut bench, port_word(0, "status")), 0b00_1000_0010);
    let mechanism = config().mechanism();
    let behind_status = port_word(3, "status") + WORD_BYTES;
    let behind_ports = PORT_BASE + 4 * registers::port_stride(mechanism);
    for nothing in [0x0000, 0x0004, 0x0008, 0x0010, 0x003C, 0x0FFC, behind_status, behind_ports, 0xFFFC] {
        assert_eq!(read(&mut bench, nothing), 0, "{nothing:#06x}");
    }
    for word in mechanism.words {
        assert_eq!(read(&mut bench, word.offset), u64::from(word.reset_value(&config())), "{}", word.name);
    }
}
