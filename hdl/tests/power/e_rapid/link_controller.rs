//! One wavelength to one board.

use super::stay;
use crate::power::bench::Bench;
use powar_config::Phase::{ComingOn, Off, On};
use powar_hdl::mechanisms::e_rapid::LinkController;

const DEAD_TIME: usize = 65;

/// One that the board has at first, or not. Wavelengths may go to others.
fn link(at_first: bool) -> Bench {
    let mut bench = Bench::new(Box::new(LinkController::new(at_first)));
    bench.set("dead_time", 0, DEAD_TIME as u64);
    bench.set("offers", 0, 1);
    bench
}

/// A cycle with these inputs at 1.
fn with(bench: &mut Bench, inputs: &[&str]) {
    for input in inputs {
        bench.set(input, 0, 1);
    }
    bench.cycle();
    for input in inputs {
        bench.set(input, 0, 0);
    }
}

/// The values of some outputs and registers in the last cycle.
fn see<const N: usize>(bench: &Bench, signals: [&str; N]) -> [u64; N] {
    signals.map(|signal| bench.see(signal, 0))
}

/// Goes down to a level; nothing is on the wavelength.
fn down_to(bench: &mut Bench, level: u64) {
    for below in (level..5).rev() {
        with(bench, &["lower"]);
        bench.cycles(DEAD_TIME + 10);
        assert_eq!(see(bench, ["phase", "level"]), [On as u64, below]);
    }
}

/// Sends packets of so many flits whenever the port may be given, one flit a cycle from the third cycle of a grant on, and returns in which
/// cycles they set out.
fn starts(bench: &mut Bench, flits: usize, cycles: usize) -> Vec<usize> {
    let (mut starts, mut given) = (vec![], None);
    for cycle in 0..cycles {
        let age = given.map(|given: usize| cycle - given);
        let departing = age.is_some_and(|age| (2..2 + flits).contains(&age));
        if age == Some(2) {
            starts.push(cycle);
        }
        bench.set("departing", 0, u64::from(departing));
        bench.set("in_use", 0, u64::from(age.is_some()));
        bench.cycle();
        if age == Some(1 + flits) {
            given = None;
        }
        if given.is_none() && bench.see("grantable", 0) == 1 {
            given = Some(cycle + 1);
        }
    }
    starts
}

/// 32 flits of 64 / (25 + 5 k) cycles: 81.92 cycles at 5 Gb/s, 40.96 at 10 Gb/s. 25 packets are a whole number of cycles.
#[test]
fn packets_take_what_the_rate_says_over_25_of_them_to_the_cycle() {
    for (level, cycles_of_25) in [(0, 2048), (5, 1024)] {
        let mut bench = link(true);
        down_to(&mut bench, level);
        let starts = starts(&mut bench, 32, 3 * cycles_of_25);
        for from in 1..25 {
            assert_eq!(starts[from + 25] - starts[from], cycles_of_25, "level {level}, packet {from}");
        }
        let gaps = || starts.windows(2).skip(1).map(|pair| pair[1] - pair[0]);
        let (least, most) = (gaps().min().expect("gaps"), gaps().max().expect("gaps"));
        assert_eq!((least, most), (cycles_of_25 / 25, cycles_of_25 / 25 + 1), "as even as cycles let it be");
    }
}

/// The debt of a packet of 4 flits at 10 Gb/s: 256 units of 50 a cycle.
#[test]
fn a_wavelength_carries_a_packet_for_as_long_as_its_flits_take_there() {
    let mut bench = link(true);
    let debts: Vec<u64> = (0..9)
        .map(|cycle| {
            with(&mut bench, if cycle < 4 { &["departing", "in_use"] } else { &[] });
            bench.see("debt", 0)
        })
        .collect();
    assert_eq!(debts, [0, 14, 28, 42, 56, 6, 0, 0, 0]);
    with(&mut bench, &["sample"]);
    bench.cycle();
    assert_eq!(see(&bench, ["busy", "busy_count"]), [6, 0], "four that flits set out in, two to pay");
}

#[test]
fn a_packet_may_be_given_eight_cycles_before_its_place_is_there() {
    let mut bench = link(true);
    (0..40).for_each(|_| with(&mut bench, &["departing", "in_use"]));
    let debt_and_grant = |bench: &mut Bench| {
        bench.cycle();
        (bench.see("debt", 0), bench.see("grantable", 0))
    };
    assert_eq!(debt_and_grant(&mut bench), (560, 0), "40 flits of 64 - 50");
    let seen: Vec<_> = (0..5).map(|_| debt_and_grant(&mut bench)).collect();
    assert_eq!(seen, [(510, 0), (460, 0), (410, 0), (360, 1), (310, 1)], "at most 400");
}

#[test]
fn a_change_of_level_waits_for_the_link_to_drain_and_is_dead_for_its_time() {
    let mut bench = link(true);
    bench.set("in_use", 0, 1);
    with(&mut bench, &["in_use", "lower", "higher"]);
    bench.set("in_use", 0, 1);
    bench.cycles(20);
    assert_eq!(see(&bench, ["retuning", "open", "grantable", "phase", "next_level"]), [1, 0, 0, 0, 4]);
    bench.set("in_use", 0, 0);
    assert_eq!(bench.history("coming_on", 0, 2), [1, 0]);
    assert_eq!(see(&bench, ["phase", "level", "control_packet"]), [ComingOn as u64, 5, 1], "voltage goes down last");
    let rest: Vec<[u64; 4]> = (0..DEAD_TIME + 1)
        .map(|_| {
            bench.cycle();
            see(&bench, ["phase", "level", "control_packet", "grantable"])
        })
        .collect();
    let dead = vec![[ComingOn as u64, 5, 0, 0]; DEAD_TIME - 1];
    assert_eq!(rest, [dead, vec![[On as u64, 4, 0, 1]; 2]].concat());
}

#[test]
fn voltage_goes_up_first_and_levels_stop_at_either_end() {
    let mut bench = link(true);
    with(&mut bench, &["higher"]);
    bench.cycle();
    assert_eq!(see(&bench, ["retuning", "next_level"]), [0, 5]);
    down_to(&mut bench, 0);
    for inputs in [&["lower"][..], &["lower", "higher"]] {
        with(&mut bench, inputs);
        bench.cycle();
        assert_eq!(see(&bench, ["retuning", "next_level"]), [0, 0]);
    }
    // A packet that was given the port before comes in the third cycle without `open` at the latest.
    with(&mut bench, &["higher"]);
    let on = [stay(On, 3), stay(ComingOn, DEAD_TIME), stay(On, 1)].concat();
    assert_eq!(bench.history("phase", 0, DEAD_TIME + 4), on);
    assert_eq!(see(&bench, ["level", "next_level"]), [1, 1]);
    with(&mut bench, &["higher"]);
    bench.cycles(4);
    assert_eq!(see(&bench, ["phase", "level"]), [ComingOn as u64, 2]);
}

/// Two windows, one without a packet; then a request.
fn offered() -> Bench {
    let mut bench = link(true);
    with(&mut bench, &["sample"]);
    bench.cycles(5);
    assert_eq!(see(&bench, ["withheld", "open", "offers_now", "offered"]), [1, 0, 1, 0]);
    with(&mut bench, &["ask"]);
    assert_eq!(see(&bench, ["offers_now"]), [1]);
    bench.cycle();
    assert_eq!(see(&bench, ["withheld", "offered", "holds", "phase"]), [1, 1, 1, On as u64]);
    bench
}

#[test]
fn what_nobody_used_is_offered_and_goes_with_the_response() {
    let mut bench = offered();
    with(&mut bench, &["answer"]);
    bench.cycle();
    let seen = ["holds", "withheld", "offered", "phase", "level", "open"];
    assert_eq!(see(&bench, seen), [0, 0, 0, Off as u64, 0, 0]);
    bench.cycles(10);
    with(&mut bench, &["answer"]);
    bench.cycles(5);
    assert_eq!(see(&bench, ["holds", "phase"]), [0, Off as u64], "a response to others is nothing to it");
}

#[test]
fn a_response_that_names_the_board_leaves_it_the_wavelength() {
    let mut bench = offered();
    with(&mut bench, &["answer", "mine"]);
    bench.cycle();
    let seen = ["holds", "withheld", "offered", "phase", "level", "open", "grantable"];
    assert_eq!(see(&bench, seen), [1, 0, 0, On as u64, 5, 1, 1]);
}

#[test]
fn an_offer_stays_without_a_response_and_falls_when_another_has_the_wavelength() {
    let mut bench = offered();
    with(&mut bench, &["sample"]);
    bench.cycles(3);
    with(&mut bench, &["ask"]);
    bench.cycle();
    assert_eq!(see(&bench, ["offered", "holds", "open"]), [1, 1, 0]);
    with(&mut bench, &["ask", "taken"]);
    bench.cycle();
    assert_eq!(see(&bench, ["offered", "withheld", "holds", "phase"]), [0, 0, 0, Off as u64]);
}

#[test]
fn what_is_used_or_may_not_go_is_not_offered() {
    for (inputs, offers) in [(&["in_use"][..], 1), (&[], 0)] {
        let mut bench = link(true);
        bench.set("offers", 0, offers);
        with(&mut bench, inputs);
        with(&mut bench, &["sample"]);
        bench.cycles(2);
        assert_eq!(see(&bench, ["withheld", "open"]), [0, 1]);
    }
    // A packet that was on its way: the request finds it there, and the link is opened again.
    let mut bench = link(true);
    with(&mut bench, &["sample"]);
    bench.set("in_use", 0, 1);
    bench.cycles(5);
    assert_eq!(see(&bench, ["withheld", "offers_now"]), [1, 0]);
    with(&mut bench, &["ask"]);
    bench.cycle();
    assert_eq!(see(&bench, ["withheld", "offered", "open"]), [0, 0, 1]);
}

#[test]
fn without_a_request_it_is_opened_again_with_the_next_window() {
    let mut bench = link(true);
    for withheld in [1, 0, 1, 0] {
        with(&mut bench, &["sample"]);
        bench.cycles(9);
        assert_eq!(bench.see("withheld", 0), withheld);
    }
}

#[test]
fn a_request_that_passes_with_the_end_of_a_window_finds_it_offered_all_the_same() {
    let mut bench = link(true);
    with(&mut bench, &["sample"]);
    bench.cycles(5);
    with(&mut bench, &["ask", "sample"]);
    bench.cycle();
    assert_eq!(see(&bench, ["withheld", "offered", "open"]), [1, 1, 0]);
}

#[test]
fn a_holder_that_is_not_named_leaves_when_it_is_drained() {
    let mut bench = link(true);
    bench.set("in_use", 0, 1);
    bench.cycle();
    bench.set("answer", 0, 1);
    bench.cycle();
    bench.set("answer", 0, 0);
    bench.cycles(10);
    assert_eq!(see(&bench, ["leaving", "holds", "grantable", "phase"]), [1, 1, 0, On as u64]);
    bench.set("in_use", 0, 0);
    assert_eq!(bench.history("phase", 0, 2), [On as u64, Off as u64]);
    assert_eq!(see(&bench, ["leaving", "holds"]), [0, 0]);
}

#[test]
fn a_laser_comes_on_at_the_highest_level_after_the_dead_time() {
    let mut bench = link(false);
    bench.cycle();
    assert_eq!(see(&bench, ["holds", "phase", "level", "grantable"]), [0, Off as u64, 0, 0]);
    bench.set("dead_time", 0, 4);
    with(&mut bench, &["answer", "mine"]);
    assert_eq!(bench.see("coming_on", 0), 1);
    let seen: Vec<[u64; 5]> = (0..5)
        .map(|_| {
            bench.cycle();
            see(&bench, ["phase", "level", "control_packet", "holds", "grantable"])
        })
        .collect();
    let coming_on = |first| [ComingOn as u64, 5, first, 1, 0];
    assert_eq!(seen, [coming_on(1), coming_on(0), coming_on(0), coming_on(0), [On as u64, 5, 0, 1, 1]]);
    // A dead time of 0 is one cycle.
    let mut bench = link(false);
    bench.set("dead_time", 0, 0);
    with(&mut bench, &["answer", "mine"]);
    assert_eq!(bench.history("phase", 0, 3), [stay(ComingOn, 1), stay(On, 2)].concat());
}

#[test]
fn a_link_that_is_to_be_tuned_is_not_while_it_is_asked_for() {
    let mut bench = link(true);
    with(&mut bench, &["lower"]);
    bench.cycles(2);
    bench.set("ask", 0, 1);
    bench.cycles(10);
    assert_eq!(see(&bench, ["retuning", "phase"]), [1, On as u64]);
    bench.set("ask", 0, 0);
    assert_eq!(bench.history("phase", 0, 2), [On as u64, ComingOn as u64]);
}
