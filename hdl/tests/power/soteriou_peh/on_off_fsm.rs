//! The phase of one link.

use super::stay;
use crate::power::bench::Bench;
use powar_config::Phase::{ComingOn, Draining, GoingOff, Off, On};
use powar_hdl::mechanisms::soteriou_peh::OnOffFsm;

/// Transitions take 3 cycles, idle times 4; the link is to be on.
fn link(dozes: u64) -> Bench {
    let mut bench = Bench::new(Box::new(OnOffFsm::new()));
    for (input, value) in [("active", 1), ("dozes", dozes), ("t_trans", 3), ("idle_limit", 4)] {
        bench.set(input, 0, value);
    }
    bench
}

#[test]
fn a_link_that_is_to_be_off_drains_and_takes_its_time_each_way() {
    let mut bench = link(0);
    assert_eq!(bench.history("phase", 0, 9), stay(On, 9), "it does not doze");
    bench.set("active", 0, 0);
    bench.set("in_use", 0, 1);
    assert_eq!(bench.history("phase", 0, 4), [stay(On, 1), stay(Draining, 3)].concat());
    bench.set("in_use", 0, 0);
    let off = [stay(Draining, 1), stay(GoingOff, 3), stay(Off, 3)].concat();
    assert_eq!(bench.history("phase", 0, 7), off);
    bench.set("active", 0, 1);
    assert_eq!(bench.history("coming_on", 0, 2), [1, 0]);
    assert_eq!(bench.history("phase", 0, 4), [stay(ComingOn, 2), stay(On, 2)].concat());
}

#[test]
fn an_idle_link_goes_off_at_once_and_comes_on_for_a_packet() {
    let mut bench = link(1);
    bench.set("wanted", 0, 1);
    assert_eq!(bench.history("phase", 0, 9), stay(On, 9));
    bench.set("wanted", 0, 0);
    assert_eq!(bench.history("phase", 0, 10), [stay(On, 4), stay(GoingOff, 3), stay(Off, 3)].concat());
    for wake in ["wanted", "in_use"] {
        bench.set(wake, 0, 1);
        assert_eq!(bench.history("phase", 0, 5), [stay(Off, 1), stay(ComingOn, 3), stay(On, 1)].concat(), "{wake}");
        bench.set(wake, 0, 0);
        assert_eq!(bench.history("phase", 0, 9), [stay(On, 4), stay(GoingOff, 3), stay(Off, 2)].concat(), "{wake}");
    }
}

#[test]
fn a_transition_that_has_begun_is_finished() {
    let mut bench = link(1);
    assert_eq!(bench.history("phase", 0, 5), [stay(On, 4), stay(GoingOff, 1)].concat());
    bench.set("wanted", 0, 1);
    let on = [stay(GoingOff, 2), stay(Off, 1), stay(ComingOn, 3), stay(On, 1)].concat();
    assert_eq!(bench.history("phase", 0, 7), on);
}
