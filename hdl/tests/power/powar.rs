//! The mechanism POWAR alone.

use crate::power::bench::{Bench, config};
use powar_config::Phase;
use powar_config::mechanism::powar::{MECHANISM, policy};
use powar_config::registers::mechanism_address;
use powar_hdl::registry;

fn powar() -> Bench {
    Bench::new(registry::by_name(&config(), MECHANISM.name).expect("a block"))
}

fn word_address(name: &str) -> u64 {
    u64::from(mechanism_address(&MECHANISM, name) / 4)
}

#[test]
fn it_has_the_signals_it_sees_only() {
    let bench = powar();
    for absent in
        ["position", "stage", "wanted", "arriving", "leaving", "fill", "occupancy", "neighbour_phase", "hint_in"]
    {
        assert!(!bench.has(absent), "{absent}");
    }
    assert!(bench.has("held") && bench.has("given") && bench.has("departing"));
}

#[test]
fn an_idle_port_sleeps_and_one_that_is_given_wakes() {
    let mut bench = powar();
    let phases = |bench: &mut Bench, cycles: usize| -> Vec<u64> {
        let mut phase = || {
            bench.cycle();
            bench.see("phase", 1)
        };
        (0..cycles).map(|_| phase()).collect()
    };
    let [on, going_off, off, coming_on] = [Phase::On, Phase::GoingOff, Phase::Off, Phase::ComingOn].map(|p| p as u64);
    assert_eq!(phases(&mut bench, 10), [on; 10]);
    assert_eq!(phases(&mut bench, 5), [going_off; 5]);
    assert_eq!(phases(&mut bench, 3), [off; 3]);
    assert_eq!((bench.see("ready", 0), bench.see("preferred", 0), bench.see("grantable", 0)), (0, 0, 0b1111));
    bench.set("given", 0, 0b0010);
    assert_eq!(phases(&mut bench, 1), [off]);
    assert_eq!(bench.see("waking", 0), 0b0010);
    bench.set("given", 0, 0);
    bench.set("held", 0, 0b0010);
    assert_eq!(phases(&mut bench, 7), [coming_on; 7]);
    assert_eq!((bench.see("waking", 0), bench.see("ready", 0), bench.see("grantable", 0)), (0, 0, 0b1111));
    assert_eq!(phases(&mut bench, 30), [on; 30]);
    let all = ["ready", "steady", "preferred"].map(|signal| bench.see(signal, 0));
    assert_eq!((all, bench.see("hint", 0), bench.see("serves", 0), bench.see("level", 1)), ([0b0010; 3], 0, 0b0010, 0));
}

#[test]
fn a_written_policy_is_obeyed_and_read_back() {
    let mut bench = powar();
    bench.cycles(20);
    bench.set("read_address", 0, word_address("policy"));
    bench.cycle();
    let code = |name: &str| u64::from(policy::Policy::by_name(name).expect("a policy").code);
    assert_eq!((bench.see("read_data", 0), bench.see("ready", 0)), (code("powar"), 0));
    for (signal, value) in
        [("write_enable", 1), ("write_address", word_address("policy")), ("write_data", code("reference"))]
    {
        bench.set(signal, 0, value);
    }
    bench.cycle();
    bench.set("write_enable", 0, 0);
    bench.cycle();
    assert_eq!((bench.see("read_data", 0), bench.see("preferred", 0)), (code("reference"), 0b1111));
    bench.cycles(8);
    assert_eq!(bench.see("ready", 0), 0b1111, "nothing sleeps without power saving");
}

#[test]
fn a_refresh_is_a_phase_of_its_own() {
    let mut config = config();
    let powar = config.powar_mut().expect("a configuration of POWAR");
    (powar.t_quiet.0, powar.t_refresh.0) = (3.0, 2.0);
    let mut bench = Bench::new(registry::by_name(&config, MECHANISM.name).expect("a block"));
    bench.cycles(15);
    let mut phases = vec![];
    for _ in 0..8 {
        bench.cycle();
        phases.push(bench.see("phase", 3));
    }
    let (off, refreshing) = (Phase::Off as u64, Phase::Refreshing as u64);
    assert_eq!(phases, [off, off, off, refreshing, refreshing, off, off, off]);
}
