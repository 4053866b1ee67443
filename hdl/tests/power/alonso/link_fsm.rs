//! The phase of one port.

use super::stay;
use crate::power::bench::Bench;
use powar_config::Phase;
use powar_hdl::mechanisms::alonso::LinkFsm;

/// A link takes `turn_on` cycles to come on and 4 to go off, and is to be off; it drains in this cycle.
fn draining(turn_on: u64) -> Bench {
    let mut bench = Bench::new(Box::new(LinkFsm::new()));
    bench.set("turn_on", 0, turn_on);
    bench.set("turn_off", 0, 4);
    assert_eq!(bench.history("phase", 0, 1), stay(Phase::On, 1));
    bench.set("in_use", 0, 1);
    assert_eq!(bench.history("phase", 0, 3), stay(Phase::Draining, 3));
    bench
}

#[test]
fn a_link_drains_and_goes_off_and_comes_on_again() {
    let mut bench = draining(3);
    bench.set("in_use", 0, 0);
    let off = [stay(Phase::Draining, 1), stay(Phase::GoingOff, 4), stay(Phase::Off, 5)].concat();
    assert_eq!(bench.history("phase", 0, 10), off);
    assert_eq!(bench.see("coming_on", 0), 0);
    bench.set("active", 0, 1);
    assert_eq!(bench.history("coming_on", 0, 2), [1, 0]);
    assert_eq!(bench.history("phase", 0, 6), [stay(Phase::ComingOn, 2), stay(Phase::On, 4)].concat());
}

#[test]
fn a_change_of_mind_ends_draining_and_going_off_but_not_coming_on() {
    let mut bench = draining(2);
    bench.set("active", 0, 1);
    assert_eq!(bench.history("phase", 0, 2), [stay(Phase::Draining, 1), stay(Phase::On, 1)].concat());
    bench.set("in_use", 0, 0);
    bench.set("active", 0, 0);
    bench.cycles(4);
    bench.set("active", 0, 1);
    assert_eq!(bench.history("phase", 0, 2), [stay(Phase::GoingOff, 1), stay(Phase::ComingOn, 1)].concat());
    bench.set("active", 0, 0);
    let after = [stay(Phase::ComingOn, 1), stay(Phase::On, 1), stay(Phase::Draining, 2), stay(Phase::GoingOff, 1)];
    assert_eq!(bench.history("phase", 0, 5), after.concat());
}

#[test]
fn a_duration_of_zero_takes_a_cycle() {
    let mut bench = draining(0);
    bench.set("turn_off", 0, 0);
    bench.set("in_use", 0, 0);
    let off = [stay(Phase::Draining, 1), stay(Phase::GoingOff, 1), stay(Phase::Off, 2)].concat();
    assert_eq!(bench.history("phase", 0, 4), off);
    bench.set("active", 0, 1);
    let on = [stay(Phase::Off, 1), stay(Phase::ComingOn, 1), stay(Phase::On, 2)].concat();
    assert_eq!(bench.history("phase", 0, 4), on);
}
