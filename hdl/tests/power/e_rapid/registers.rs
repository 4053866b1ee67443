//! The control registers, and how waiting is counted.

use super::{block, boards};
use crate::power::bench::Bench;
use powar_hdl::mechanisms::e_rapid::QueueMonitor;

/// Words from 0x40 on with the bits that they have.
const WORDS: [(&str, u32); 7] =
    [("policy", 2), ("window", 12), ("b_min", 12), ("b_max", 12), ("b_con", 12), ("degree", 4), ("dead_time", 8)];

#[test]
fn registers_have_the_configuration_s_values_and_keep_what_is_written() {
    let mut bench = Bench::new(block(&boards(3, 2, "np-b"), "e_rapid_control_registers"));
    bench.cycle();
    let values = WORDS.map(|(name, _)| bench.see(name, 0));
    assert_eq!(values, [2, 256, 26, 77, 128, 8, 5], "10 %, 30 % and 50 % of 256 cycles");
    bench.set("ring_errors", 0, 0xABCD);
    bench.set("lost_messages", 0, 0x1234);
    bench.set("write_data", 0, 0xFFFF_FFFF);
    for at in 0x10..0x1A {
        bench.set("write_enable", 0, 1);
        bench.set("write_address", 0, at);
        bench.cycle();
        bench.set("write_enable", 0, 0);
        bench.set("read_address", 0, at);
        bench.cycle();
        let expected = match at {
            0x17 => 0xABCD,
            0x18 => 0x1234,
            0x19 => 0,
            at => (1 << WORDS[at as usize - 0x10].1) - 1,
        };
        assert_eq!(bench.see("read_data", 0), expected, "{at:#x}");
        if let Some((name, _)) = WORDS.get(at as usize - 0x10) {
            assert_eq!(bench.see(name, 0), expected, "{name}");
        }
    }
}

#[test]
fn cycles_in_which_packets_wait_are_counted_by_windows() {
    let mut bench = Bench::new(Box::new(QueueMonitor::new()));
    bench.set("waits", 0, 1);
    bench.cycles(7);
    bench.set("sample", 0, 1);
    bench.cycle();
    assert_eq!((bench.see("count", 0), bench.see("waited", 0)), (7, 0));
    bench.set("sample", 0, 0);
    bench.set("waits", 0, 0);
    bench.cycle();
    assert_eq!((bench.see("count", 0), bench.see("waited", 0)), (1, 7), "the cycle of the sample is the next window's");
    bench.set("waits", 0, 1);
    bench.cycles(4200);
    bench.set("sample", 0, 1);
    bench.cycles(2);
    assert_eq!((bench.see("count", 0), bench.see("waited", 0)), (1, 4095));
}
