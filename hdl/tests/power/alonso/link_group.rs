//! The links of a group.

use crate::power::bench::Bench;
use powar_hdl::mechanisms::alonso::LinkGroup;

/// Four links, all on, at U_on = 8 flits and U_off = 4; nobody needs the last.
fn group(dynamic: bool) -> Bench {
    let mut bench = Bench::new(Box::new(LinkGroup::new(4)));
    for (input, value) in [("sleeps", 1), ("dynamic", u64::from(dynamic)), ("on_flits", 8), ("off_flits", 4)] {
        bench.set(input, 0, value);
    }
    bench.cycle();
    bench
}

/// The links that are on after a check period with so many flits.
fn after(bench: &mut Bench, flits: usize) -> u64 {
    bench.set("flit", 0, 0b0001);
    bench.cycles(flits);
    bench.set("flit", 0, 0);
    bench.cycles(2);
    bench.set("check", 0, 1);
    bench.cycle();
    bench.set("check", 0, 0);
    bench.cycle();
    bench.see("active", 0)
}

/// The links that are on after a cycle with this input.
fn pulse(bench: &mut Bench, inputs: &[(&'static str, u64)]) -> u64 {
    inputs.iter().for_each(|&(input, value)| bench.set(input, 0, value));
    bench.cycle();
    inputs.iter().for_each(|&(input, _)| bench.set(input, 0, 0));
    bench.cycle();
    bench.see("active", 0)
}

#[test]
fn a_constant_threshold_takes_the_highest_link_off_and_the_lowest_on() {
    let mut bench = group(false);
    bench.set("keep", 0, 1);
    let steps = [
        (33, 0b1111),
        (16, 0b1111),
        (15, 0b0111),
        (11, 0b0011),
        (7, 0b0001),
        (0, 0b0001),
        (8, 0b0001),
        (9, 0b0011),
        (16, 0b0011),
        (17, 0b0111),
    ];
    for (flits, active) in steps {
        assert_eq!(after(&mut bench, flits), active, "{flits} flits");
    }
}

#[test]
fn a_dynamic_threshold_falls_with_the_links_that_are_on() {
    let mut bench = group(true);
    for (flits, active) in
        [(24, 0b1111), (23, 0b0111), (12, 0b0111), (11, 0b0011), (4, 0b0011), (3, 0b0001), (1, 0b0001)]
    {
        assert_eq!(after(&mut bench, flits), active, "{flits} flits");
    }
    bench.set("keep", 0, 1);
    assert_eq!(after(&mut bench, 0), 0b0001, "it is kept");
    bench.set("keep", 0, 0);
    assert_eq!(after(&mut bench, 0), 0, "nobody needs it");
    assert_eq!(after(&mut bench, 20), 0, "the last flits of links that went off are no load");
}

#[test]
fn flits_of_all_links_count_and_holes_are_filled_first() {
    let mut bench = group(false);
    assert_eq!(pulse(&mut bench, &[("neighbour_off", 0b0101)]), 0b1010);
    bench.set("flit", 0, 0b1110);
    bench.cycles(6);
    assert_eq!(after(&mut bench, 0), 0b1011, "18 flits on 2 links");
    assert_eq!(after(&mut bench, 0), 0b0011, "the highest goes");
}

#[test]
fn neighbours_are_obeyed_and_on_wins() {
    let mut bench = group(false);
    assert_eq!(pulse(&mut bench, &[("neighbour_on", 0b0010), ("neighbour_off", 0b0111)]), 0b1010);
    let keep = [("neighbour_off", 0b1111), ("keep", 1)];
    assert_eq!(pulse(&mut bench, &keep), 0b0010, "the lowest stays");
    assert_eq!(pulse(&mut bench, &[("neighbour_off", 0b0010)]), 0);
    assert_eq!(pulse(&mut bench, &[("neighbour_on", 0b0100)]), 0b0100);
    assert_eq!(pulse(&mut bench, &[("neighbour_off", 0b0100)]), 0);
    assert_eq!(pulse(&mut bench, &[("keep", 1)]), 0b0001, "one comes on");
    assert_eq!(pulse(&mut bench, &[("all_on", 1), ("neighbour_off", 0b1111)]), 0b1111);
}

#[test]
fn the_start_leaves_one_link_or_none() {
    let mut bench = group(false);
    assert_eq!(pulse(&mut bench, &[("only_last", 1), ("keep", 1)]), 0b0001);
    assert_eq!(pulse(&mut bench, &[("only_last", 1), ("neighbour_on", 0b0100)]), 0b0100);
    assert_eq!(pulse(&mut bench, &[("only_last", 1)]), 0);
    bench.set("sleeps", 0, 0);
    assert_eq!(pulse(&mut bench, &[("only_last", 1)]), 0b1111, "this policy lets no link go off");
}

#[test]
fn limits_of_the_largest_group_do_not_wrap() {
    let mut bench = Bench::new(Box::new(LinkGroup::new(32)));
    bench.set("sleeps", 0, 1);
    bench.set("on_flits", 0, 65535);
    bench.set("off_flits", 0, 65534);
    bench.cycles(2);
    assert_eq!((bench.see("on_limit", 0), bench.see("off_limit", 0)), (32 * 65535, 32 * 32 * 65534));
    bench.set("dynamic", 0, 1);
    bench.cycles(2);
    assert_eq!(bench.see("off_limit", 0), 65535 * 32 * 31);
    bench.set("neighbour_off", 0, 0xFFF0_0000);
    bench.cycles(3);
    assert_eq!((bench.see("on_limit", 0), bench.see("off_limit", 0)), (20 * 65535, 65535 * 20 * 19));
}

#[test]
fn one_link_alone_is_a_group() {
    let mut bench = Bench::new(Box::new(LinkGroup::new(1)));
    bench.set("sleeps", 0, 1);
    bench.set("on_flits", 0, 8);
    bench.set("off_flits", 0, 4);
    bench.set("keep", 0, 1);
    assert_eq!(after(&mut bench, 0), 1);
    bench.set("keep", 0, 0);
    assert_eq!(after(&mut bench, 3), 0);
}
