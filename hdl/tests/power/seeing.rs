//! What a mechanism sees reaches it: a switch and a controller with one that sees everything.

use crate::power::all_seeing;
use crate::power::bench::Bench;
use crate::power::lint::lint;
use powar_config::Config;
use powar_hdl::controller::PowerController;
use powar_hdl::rtl_block::RtlBlock;
use powar_hdl::switch;

const CONFIG: &str = r#"
name = "tiny"
ports = 4
deterministic = "single"
[switch]
vcs = 2
buffer_flits = 32
max_packet_flits = 8
flit_bits = 32
[topology]
kind = "star"
"#;

fn config() -> Config {
    Config::from_toml(CONFIG).expect("in range")
}

fn switch() -> Box<dyn RtlBlock> {
    let config = config();
    let topology = config.check_switch().expect("a switch");
    switch::with_mechanism(&all_seeing::ENTRY, &config, topology).expect("a star")
}

fn controller() -> Box<dyn RtlBlock> {
    Box::new(PowerController::with_mechanism(&all_seeing::ENTRY, &config()))
}

#[test]
fn place_and_neighbours_reach_the_mechanism_of_a_switch() {
    let mut bench = Bench::new(switch());
    bench.set("position", 0, 0xBEEF);
    bench.set("stage", 0, 5);
    bench.set("in_phase", 1, 3);
    bench.set("in_hint", 0, 0b1010);
    bench.set("ring_in", 0, 0x2AB_CDEF_0123);
    bench.cycles(2);
    let seen = |signal: &str, row: usize| bench.see(&format!("power.mechanism.{signal}"), row);
    assert_eq!((seen("position", 0), seen("stage", 0)), (0xBEEF, 5));
    assert_eq!((seen("neighbour_phase", 1), seen("neighbour_phase", 0), seen("hint_in", 0)), (3, 0, 0b1010));
    assert_eq!((seen("ring_in", 0), bench.see("ring_out", 0)), (0x2AB_CDEF_0123, 0x2AB_CDEF_0123));
    // The hint that goes out comes four cycles later.
    bench.cycles(2);
    assert_eq!(bench.see("out_hint", 0), 0);
    bench.cycle();
    assert_eq!((bench.see("out_hint", 0), bench.see("out_phase", 1), bench.see("level", 1)), (0b1010, 0, 2));
}

/// A packet of three flits from port 0 to port 2, whose credits come back later.
#[test]
fn buffers_and_wishes_reach_the_mechanism_of_a_switch() {
    let mut bench = Bench::new(switch());
    let history = |bench: &mut Bench, cycles: usize| -> Vec<[u64; 6]> {
        let mut one = || {
            bench.cycle();
            let seen = |signal: &str, row: usize| bench.see(&format!("power.mechanism.{signal}"), row);
            let buffers = [("arriving", 0), ("fill", 0), ("wanted", 0), ("leaving", 0), ("occupancy", 2)];
            let [arriving, fill, wanted, leaving, occupancy] = buffers.map(|(signal, row)| seen(signal, row));
            [arriving, fill, wanted, leaving, occupancy, bench.see("out_valid", 0)]
        };
        (0..cycles).map(|_| one()).collect()
    };
    for flit in 0..3 {
        bench.set("in_valid", 0, 0b0001);
        bench.set("in_head", 0, u64::from(flit == 0));
        bench.set("in_flit", 0, if flit == 0 { 3 << 16 | 2 } else { 0 });
        let seen = history(&mut bench, 1);
        assert_eq!(seen[0][0], u64::from(flit > 0), "{seen:?}");
    }
    bench.set("in_valid", 0, 0);
    // Registers of the mechanism are one cycle late. The head flit came in cycle 0; this is cycle 3.
    let seen = history(&mut bench, 10);
    let column = |column: usize| seen.iter().map(|row| row[column]).collect::<Vec<_>>();
    assert_eq!(column(0), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    // It is read in cycles 5 to 7.
    assert_eq!(column(1), [2, 3, 3, 3, 2, 1, 0, 0, 0, 0]);
    // Its route is shown from cycle 2 to the one in which it is accepted.
    assert_eq!(column(2), [0b0100, 0b0100, 0b0100, 0b0100, 0, 0, 0, 0, 0, 0]);
    assert_eq!(column(3), [0, 0, 0, 1, 1, 1, 0, 0, 0, 0]);
    // Its flits take their credits in cycles 7 to 9, and are on the link in 8 to 10.
    assert_eq!(column(4), [0, 0, 0, 0, 0, 0, 1, 2, 3, 3]);
    assert_eq!(column(5), [0, 0, 0, 0, 0, 0b0100, 0b0100, 0b0100, 0, 0]);
    bench.set("out_credit_valid", 0, 0b0100);
    let seen = history(&mut bench, 5);
    assert_eq!(seen.iter().map(|row| row[4]).collect::<Vec<_>>(), [3, 3, 2, 1, 0]);
}

#[test]
fn all_but_wishes_come_to_a_controller_from_outside() {
    let mut bench = Bench::new(controller());
    assert!(!bench.has("wanted"));
    bench.set("position", 0, 77);
    bench.set("fill", 3, 9);
    bench.set("occupancy", 1, 11);
    bench.set("neighbour_phase", 2, 5);
    bench.set("arriving", 0, 0b0001);
    bench.set("leaving", 0, 0b0110);
    bench.set("adaptive", 1, 0b1000);
    bench.set("deterministic", 2, 0b0001);
    bench.set("ring_in", 0, 99);
    bench.cycles(2);
    let seen = |signal: &str, row: usize| bench.see(&format!("power.mechanism.{signal}"), row);
    assert_eq!(
        (seen("position", 0), seen("fill", 3), seen("occupancy", 1), seen("neighbour_phase", 2)),
        (77, 9, 11, 5)
    );
    assert_eq!((seen("arriving", 0), seen("leaving", 0), seen("wanted", 0)), (0b0001, 0b0110, 0b1001));
    assert_eq!(bench.see("ring_out", 0), 99);
}

#[test]
fn its_verilog_has_no_warning() {
    for (name, block) in [("powar_switch", switch()), ("power_controller", controller())] {
        lint("all_seeing", name, block);
    }
}
