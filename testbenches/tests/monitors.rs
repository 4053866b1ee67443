//! Every monitor catches what it is there for: the frames of a sound switch are tampered with before they are judged.

use powar_config::{Config, Layout, Phase, Role, presets, registers};
use powar_testbenches::expected_routing::ExpectedRouting;
use powar_testbenches::mechanisms::variants;
use powar_testbenches::monitor::{PATIENCE, SwitchMonitor};
use powar_testbenches::stimulus::{LinkOptions, LinkTraffic, Stimulus, TrafficKind};
use powar_testbenches::twins;

const CYCLES: u64 = 3000;
/// The first cycle that is tampered with.
const FROM: u64 = 500;

/// A frame that can be tampered with.
struct Shown<'a> {
    layout: &'a Layout,
    cycle: u64,
    observed: &'a mut [u64],
}

impl Shown<'_> {
    fn output(&mut self, name: &str) -> &mut [u64] {
        let slot = self.layout.observed(Role::Output, name).unwrap_or_else(|| panic!("{name} is not there"));
        &mut self.observed[slot..]
    }

    /// The prescaler of a counter of a port.
    fn counter(&mut self, port: usize, name: &str) -> &mut u64 {
        let mechanism = config().mechanism();
        let index = registers::counters(mechanism).position(|(counter, _)| counter == name);
        let index = index.unwrap_or_else(|| panic!("{name} is no counter"));
        &mut self.register("power.counters.prescaler")[port * registers::counters(mechanism).count() + index]
    }

    fn register(&mut self, name: &str) -> &mut [u64] {
        let slot = self.layout.observed(Role::Register, name).unwrap_or_else(|| panic!("{name} is not there"));
        &mut self.observed[slot..]
    }

    /// The lowest port with a flit on its output link, if there is one: of a head flit or of another.
    fn sending(&mut self, head: bool) -> Option<usize> {
        let heads = self.output("out_head")[0];
        let valid = self.output("out_valid")[0] & if head { heads } else { !heads };
        (valid != 0).then(|| valid.trailing_zeros() as usize)
    }

    /// The highest port with no flit on its output link.
    fn silent(&mut self) -> Option<usize> {
        let silent = !self.output("out_valid")[0] & 0xffff;
        (silent != 0).then(|| silent.ilog2() as usize)
    }
}

fn config() -> Config {
    presets::by_name("star-16").expect("a preset")
}

fn options() -> LinkOptions {
    LinkOptions::lively(TrafficKind::Uniform, 0.5, 3)
}

/// Runs a sound switch, tampers once or as often as `tamper` wants (it says whether it has), and returns the violations.
fn tampered(options: LinkOptions, mut tamper: impl FnMut(&mut Shown) -> bool, often: bool) -> Vec<String> {
    let config = config();
    let routing = ExpectedRouting::new(&config, 0, 0).unwrap();
    let mut golden = twins::golden(&config, twins::SWITCH).unwrap();
    let layout = golden.layout().clone();
    let mut traffic = LinkTraffic::new(&config, &routing, &layout, options).unwrap();
    let mut monitor = SwitchMonitor::new(&config, &routing, &layout).unwrap();
    let (mut inputs, mut observed) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
    let mut first = None;
    for cycle in 0..CYCLES {
        traffic.drive(cycle, &observed, &mut inputs);
        golden.cycle(&inputs, &mut observed);
        let mut judged = observed.clone();
        if cycle >= FROM
            && (often || first.is_none())
            && tamper(&mut Shown { layout: &layout, cycle, observed: &mut judged })
        {
            assert!(first.is_some() || monitor.violations().is_empty(), "{:?}", monitor.violations());
            first = first.or(Some(cycle));
        }
        monitor.cycle(&inputs, &judged);
    }
    assert!(first.is_some(), "there was nothing to tamper with");
    monitor.violations().to_vec()
}

/// Tampers once; the first violation must hold `expected`.
fn caught(expected: &str, tamper: impl FnMut(&mut Shown) -> bool) {
    caught_under(options(), expected, tamper);
}

/// The same under other traffic.
fn caught_under(options: LinkOptions, expected: &str, tamper: impl FnMut(&mut Shown) -> bool) {
    let violations = tampered(options, tamper, false);
    let first = violations.first().unwrap_or_else(|| panic!("not caught: {expected}"));
    assert!(first.starts_with("cycle ") && first.contains(" port ") && first.contains(expected), "{expected}: {first}");
    assert_eq!(first.lines().count(), 1);
}

#[test]
fn a_sound_switch_is_not_objected_to() {
    assert_eq!(tampered(options(), |_| true, true), Vec::<String>::new());
}

#[test]
fn flits_altered_lost_doubled_or_astray() {
    caught("altered from", |shown| {
        let Some(port) = shown.sending(false) else { return false };
        shown.output("out_flit")[4 * port + 2] ^= 1;
        true
    });
    caught("and is on no output link", |shown| {
        let Some(port) = shown.sending(true) else { return false };
        shown.output("out_valid")[0] &= !(1 << port);
        true
    });
    let move_head = |shown: &mut Shown, keep: bool| {
        let (Some(from), Some(to)) = (shown.sending(true), shown.silent()) else { return false };
        let flit = shown.output("out_flit");
        flit.copy_within(4 * from..4 * from + 4, 4 * to);
        let vc = shown.output("out_vc")[from];
        shown.output("out_vc")[to] = vc;
        shown.output("out_head")[0] |= 1 << to;
        let valid = &mut shown.output("out_valid")[0];
        *valid = *valid & !(u64::from(!keep) << from) | 1 << to;
        true
    };
    caught("has left no input buffer", |shown| move_head(shown, true));
    caught("may not go there", |shown| move_head(shown, false));
}

#[test]
fn wrong_channels_and_head_marks() {
    caught("may not go there on VC", |shown| {
        let Some(port) = shown.sending(true) else { return false };
        shown.output("out_vc")[port] ^= 1;
        true
    });
    caught("its packet began on VC", |shown| {
        let Some(port) = shown.sending(false) else { return false };
        shown.output("out_vc")[port] ^= 2;
        true
    });
    caught("wrong head mark", |shown| {
        let Some(port) = shown.sending(false) else { return false };
        shown.output("out_head")[0] |= 1 << port;
        true
    });
}

#[test]
fn packets_that_mix_on_an_output_port() {
    // Two packets swap their output ports once they have begun: each flit is then within the other's packet.
    let mut pair = None;
    let violations = tampered(
        options(),
        |shown| {
            let bodies = shown.output("out_valid")[0] & !shown.output("out_head")[0];
            if pair.is_none() && bodies.count_ones() >= 2 {
                pair = Some((bodies.trailing_zeros() as usize, bodies.ilog2() as usize));
            }
            let Some((one, other)) = pair else { return false };
            let flits = shown.output("out_flit");
            (0..4).for_each(|word| flits.swap(4 * one + word, 4 * other + word));
            true
        },
        false,
    );
    assert!(violations.len() == 2 && violations.iter().all(|line| line.contains("altered from")), "{violations:?}");
}

#[test]
fn phases_of_links() {
    caught("a flit while the link's phase is Off", |shown| {
        let Some(port) = shown.sending(false) else { return false };
        shown.output("out_phase")[port] = Phase::Off as u64;
        true
    });
    caught("phase Refreshing on the link, On four cycles before", |shown| {
        let on = Phase::On as u64;
        let Some(port) = shown.silent().filter(|&port| shown.output("out_phase")[port] == on) else { return false };
        shown.output("out_phase")[port] = Phase::Refreshing as u64;
        true
    });
}

#[test]
fn the_contract_of_a_mechanism() {
    let mut free = None;
    caught("no longer ready, though it was when it was given", |shown| {
        let (held, ready) = (shown.output("held")[0], shown.output("ready")[0]);
        let given = held & free.replace(ready & !held).unwrap_or(0);
        shown.output("ready")[0] &= !given;
        given != 0
    });
    caught("ready in phase GoingOff", |shown| {
        let going = |phase: &u64| *phase == Phase::GoingOff as u64;
        let Some(port) = shown.output("phase")[..16].iter().position(going) else { return false };
        shown.output("ready")[0] |= 1 << port;
        true
    });
    caught("in phase Draining at level 0, which the mechanism does not name", |shown| {
        let sends = shown.output("ready")[0];
        let port = sends.trailing_zeros() as usize;
        shown.output("phase")[port] = Phase::Draining as u64;
        sends != 0
    });
    caught("in phase On at level 3", |shown| {
        let ready = shown.output("ready")[0];
        shown.output("level")[ready.trailing_zeros() as usize] = 3;
        ready != 0
    });
    caught("in phase 6 at level 0", |shown| {
        shown.output("phase")[2] = 6;
        shown.output("ready")[0] &= !4;
        true
    });
}

#[test]
fn a_port_that_goes_off_with_a_packet() {
    caught("goes off while it is held", |shown| {
        let held = shown.output("held")[0] & 0xffff;
        let on = |port: &usize| held >> port & 1 == 1;
        let sends = |port: &usize| shown.output("phase")[*port] == Phase::On as u64;
        let Some(port) = (0..16).filter(on).find(sends) else { return false };
        shown.output("phase")[port] = Phase::GoingOff as u64;
        true
    });
}

/// The links of the Minimal Tree, and none else.
#[test]
fn links_that_keep_the_network_connected() {
    let [tree, torus] = ["fat-tree-4", "torus-28"].map(|preset| {
        let mut variants = variants(&presets::by_name(preset).unwrap()).into_iter();
        variants.find(|variant| variant.config.mechanism().name == "alonso").unwrap().config
    });
    // A leaf, the same switch one stage further up, a switch beside it that is not in the tree, one in the torus.
    let places = [(&tree, 0, 0, 0b1_1111), (&tree, 0, 1, 0b1_1111), (&tree, 17, 2, 0), (&torus, 5, 0, 0x111_1111)];
    for (config, node, stage, always_sends) in places {
        let routing = ExpectedRouting::new(config, node, stage).unwrap();
        let mut golden = twins::golden(config, twins::SWITCH).unwrap();
        let layout = golden.layout().clone();
        let (mut inputs, mut observed) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
        inputs[layout.input("position").unwrap()] = routing.position();
        inputs[layout.input("stage").unwrap()] = routing.stage();
        golden.cycle(&inputs, &mut observed);
        let phases = layout.observed(Role::Output, "phase").unwrap();
        for port in 0..config.ports {
            let mut monitor = SwitchMonitor::new(config, &routing, &layout).unwrap();
            observed[phases + port] = Phase::Off as u64;
            monitor.cycle(&inputs, &observed);
            observed[phases + port] = Phase::On as u64;
            let line = format!("output port {port}: in phase Off, though the mechanism never lets it go off");
            let is_found = monitor.violations().iter().any(|violation| violation.ends_with(&line));
            assert_eq!(is_found, always_sends >> port & 1 == 1, "{}, stage {stage}, port {port}", config.name);
        }
    }
}

#[test]
fn counters_of_phases_wake_ups_and_flits() {
    for (counter, count) in [("active_cycles", 3), ("quiet_cycles", 1), ("wake_ups", 1), ("flits", 1)] {
        caught(&format!("{counter} counted"), |shown| {
            *shown.counter(4, counter) += count;
            true
        });
    }
    // A clear that leaves them.
    let mut options = options();
    // As many as the bus takes: few of them write this word.
    options.disturbances.register_write = 1;
    let mut before = None;
    let violations = tampered(
        options,
        |shown| {
            let clears = shown.register("power.clear")[0] == 1;
            let count = shown.counter(4, "flits");
            match before {
                Some(kept) => *count = kept,
                None if clears && *count > 1 => before = Some(*count),
                None => (),
            }
            before.is_some() && !clears
        },
        false,
    );
    assert!(violations[0].contains("output port 4: flits counted"), "{violations:?}");
}

#[test]
fn a_port_that_never_becomes_ready() {
    let config = config();
    let routing = ExpectedRouting::new(&config, 0, 0).unwrap();
    let layout = twins::golden(&config, twins::SWITCH).unwrap().layout().clone();
    let mut monitor = SwitchMonitor::new(&config, &routing, &layout).unwrap();
    let (inputs, mut idle) = (vec![0; layout.input_slots()], Idle::new(&config, &layout));
    let output = |name| layout.observed(Role::Output, name).unwrap();
    idle.observed[output("held")] = 1 << 9;
    idle.observed[output("ready")] = 0xfdff;
    for _ in 0..=PATIENCE {
        monitor.cycle(&inputs, idle.next());
    }
    assert_eq!(monitor.violations(), ["cycle 20000: output port 9: held and not ready for 20000 cycles, in phase On"]);
}

/// What a switch shows in which nothing happens.
struct Idle {
    observed: Vec<u64>,
    /// Slots of the prescalers of cycles in which ports are on, and the bits that are used.
    on_cycles: Vec<usize>,
    mask: u64,
}

impl Idle {
    fn new(config: &Config, layout: &Layout) -> Idle {
        let mut observed = vec![0; layout.observed_slots()];
        let register = |name| layout.observed(Role::Register, name).unwrap();
        observed[register("output_port.credit.credits")..][..64].fill(256);
        let counters = registers::counters(config.mechanism()).count();
        let on_cycles = (0..config.ports).map(|port| register("power.counters.prescaler") + port * counters).collect();
        Idle { observed, on_cycles, mask: registers::prescaler_mask(counters).into() }
    }

    /// The next cycle.
    fn next(&mut self) -> &[u64] {
        self.on_cycles.iter().for_each(|&slot| self.observed[slot] = (self.observed[slot] + 1) & self.mask);
        &self.observed
    }
}

#[test]
fn credits_and_counts() {
    caught("for a flit that it does not have", |shown| {
        let some = shown.register("input_port.vc.flits.some")[..64].to_vec();
        let idle = !shown.output("in_credit_valid")[0];
        let Some(row) = (0..64).find(|&row| some[row] == 0 && idle >> (row / 4) & 1 == 1) else { return false };
        shown.output("in_credit_valid")[0] |= 1 << (row / 4);
        shown.output("in_credit_vc")[row / 4] = row as u64 % 4;
        true
    });
    caught("came in and have not left", |shown| {
        let credits = shown.output("in_credit_valid");
        let some = credits[0] != 0;
        credits[0] &= credits[0].wrapping_sub(1);
        some
    });
    caught("VC 3 counts 256 flits", |shown| {
        let empty = shown.register("input_port.vc.flits.some")[7] == 0;
        shown.register("input_port.vc.flits.full")[7] = 1;
        empty
    });
    caught("which are no places", |shown| {
        shown.register("input_port.vc.flits.write_pointer")[7] = 256;
        true
    });
    caught("its receiver makes it", |shown| {
        shown.register("output_port.credit.credits")[9] ^= 1;
        true
    });
    caught("1 credit errors counted", |shown| {
        *shown.counter(2, "credit_errors") += 1;
        true
    });
}

#[test]
fn error_counters() {
    for (counter, expected) in [
        ("framing_errors", "1 framing errors counted, there were 0"),
        ("overflow_errors", "1 overflow errors counted, there were 0"),
        ("closed_link_flits", "1 flits on a closed link counted, there were 0"),
    ] {
        caught(expected, |shown| {
            *shown.counter(3, counter) += 1;
            true
        });
    }
    caught("5 dropped packets counted in one cycle", |shown| {
        *shown.counter(3, "dropped_packets") += 5;
        true
    });
}

#[test]
fn a_counter_that_is_read_wrong() {
    let counters = 0x1000 / 4;
    caught("it was", |shown| {
        let (done, address) = (shown.register("power.read_done")[0], shown.register("bus.read_address")[0]);
        // A word of a port but its status, the last of 13 of 16.
        let read = done == 1 && address >= counters && address % 16 < 12;
        shown.register("power.read_data")[0] ^= u64::from(read) << 31;
        read
    });
    let residency = config().mechanism().residency;
    let mut often = options();
    often.disturbances.register_read = 1;
    caught_under(often, "it was", |shown| {
        let (done, address) = (shown.register("power.read_done")[0], shown.register("bus.read_address")[0]);
        // That of the cycle in which the answer comes: cycles in the phase of the port have gone on.
        let (port, counter) = ((address.wrapping_sub(counters) / 16) as usize, (address % 16) as usize);
        let mut goes_on =
            || residency.get(counter).is_some_and(|pair| pair.phase as u64 == shown.output("phase")[port]);
        let read = done == 1 && address >= counters && goes_on();
        shown.register("power.read_data")[0] += 2 * u64::from(read);
        read
    });
}

#[test]
fn drops_not_counted_and_counted_for_nothing() {
    let mut options = options();
    options.disturbances.bad_destination = 10;
    options.disturbances.register_write = 0;
    let mut frozen: Option<Vec<u64>> = None;
    let hidden = |shown: &mut Shown| {
        let frozen =
            frozen.get_or_insert_with(|| (0..16).map(|port| *shown.counter(port, "dropped_packets")).collect());
        frozen.iter().enumerate().for_each(|(port, &count)| *shown.counter(port, "dropped_packets") = count);
        true
    };
    let violations = tampered(options.clone(), hidden, true);
    assert!(violations.iter().any(|line| line.contains("a packet was dropped and not counted")), "{violations:?}");
    options.disturbances.bad_destination = 0;
    let invented = |shown: &mut Shown| {
        let since = (shown.cycle - FROM) / 10;
        let counter = shown.counter(5, "dropped_packets");
        *counter = (*counter + since) & 0xf;
        true
    };
    let violations = tampered(options, invented, true);
    assert!(violations[0].contains("input port 5: 1 packets counted as dropped that were not to be"), "{violations:?}");
}

#[test]
fn a_packet_that_waits_for_ever() {
    let config = config();
    let routing = ExpectedRouting::new(&config, 0, 0).unwrap();
    let layout = twins::golden(&config, twins::SWITCH).unwrap().layout().clone();
    let mut monitor = SwitchMonitor::new(&config, &routing, &layout).unwrap();
    let (mut inputs, mut idle) = (vec![0; layout.input_slots()], Idle::new(&config, &layout));
    let write = layout.observed(Role::Register, "input_port.vc.flits.write_pointer").unwrap();
    // A packet of one flit for node 9 comes in on port 2, VC 1, and the switch never moves it.
    inputs[layout.input("in_valid").unwrap()] = 1 << 2;
    inputs[layout.input("in_head").unwrap()] = 1 << 2;
    inputs[layout.input("in_vc").unwrap() + 2] = 1;
    inputs[layout.input("in_flit").unwrap() + 2 * 4] = 9 | 1 << 16;
    monitor.cycle(&inputs, idle.next());
    inputs.fill(0);
    // The place behind place 0.
    idle.observed[write + 2 * 4 + 1] = 1;
    for _ in 0..PATIENCE {
        monitor.cycle(&inputs, idle.next());
    }
    let expected = "cycle 20000: no flit has moved for 20000 cycles: input port 2 VC 1 waits for a port of 9 (free, On, credits [256, 256, 256, 256])";
    assert_eq!(monitor.violations(), [expected]);
}
