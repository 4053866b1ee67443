//! Cases worked out by hand from the pages.

use crate::switch::bench::{Bench, Seen, header, star};
use powar_config::Config;
use powar_config::units::Nanoseconds;

/// Cycles in which flits came out of a port.
fn cycles_out(bench: &Bench, port: usize) -> Vec<u64> {
    bench.out.iter().filter(|seen| seen.port == port).map(|seen| seen.cycle).collect()
}

/// Cycles in which head flits came out.
fn cycles_of_heads(bench: &Bench) -> Vec<u64> {
    heads(&bench.out).map(|seen| seen.cycle).collect()
}

/// A star whose ports sleep after 10 idle cycles, in 5 cycles, and wake in 20.
fn sleepy(n: usize, vcs: usize, depth: usize, longest: usize) -> Config {
    let mut config = star(n, vcs, depth, longest);
    let powar = config.powar_mut().unwrap();
    powar.policy = "round-robin".into();
    (powar.pdt, powar.t_sleep, powar.t_wake) = (Nanoseconds(10.0), Nanoseconds(5.0), Nanoseconds(20.0));
    config.check().unwrap();
    config
}

#[test]
fn zero_load_latency_is_eight_cycles_for_every_pair_and_length() {
    for flits in 1..=4 {
        let mut bench = Bench::new(&star(4, 2, 16, 4), 1);
        for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))) {
            let packet = bench.send(from, to % 2, to as u16, flits);
            bench.run_dry(50);
            assert_eq!(bench.latency(packet), 8, "{flits} flits from {from} to {to}");
            let tail = bench.out.last().unwrap();
            assert_eq!((tail.port, tail.vc, tail.index), (to, to % 2, flits - 1));
        }
    }
}

#[test]
fn a_permutation_of_packets_on_one_vc_streams_without_a_gap() {
    for flits in [6, 7, 8] {
        for vcs in [1, 4] {
            let mut bench = Bench::new(&star(4, vcs, 32, 8), 2);
            let packets = 20;
            for (from, to) in [(0usize, 2u16), (1, 0), (2, 3), (3, 1)] {
                (0..packets).for_each(|_| {
                    bench.send(from, vcs - 1, to, flits);
                });
            }
            bench.run_dry(1000);
            for port in 0..4 {
                let all: Vec<u64> = (8..8 + (packets * flits) as u64).collect();
                assert_eq!(cycles_out(&bench, port), all, "port {port}, {flits} flits, {vcs} VCs");
            }
        }
    }
}

/// When one is accepted in cycle a, the header behind it is fetched and in the head register in a + 2, routed in a + 3, chosen in a + 4;
/// picked there and given in a + 5, that packet is accepted in a + 6.
#[test]
fn packets_of_one_vc_start_every_sixth_cycle_at_most() {
    // The second of packets of 5 flits comes in as the first one is accepted: its header need not be fetched.
    for flits in [1, 2, 3, 4, 6] {
        let mut bench = Bench::new(&star(2, 1, 32, 6), 3);
        (0..12).for_each(|_| {
            bench.send(0, 0, 1, flits);
        });
        bench.run_dry(200);
        assert_eq!(cycles_of_heads(&bench), (0..12).map(|i| 8 + 6 * i).collect::<Vec<u64>>(), "{flits} flits");
    }
}

/// In a switch for short packets its route waits, and it is chosen in the cycle in which the one before is accepted, a: shown in a + 1 and picked
/// there, since the port is held no more, it is given in a + 2 and accepted in a + 3. A packet of 4 flits lets go of the port a cycle later, one of 5
/// two cycles later than one of 4 would.
#[test]
fn short_packets_of_one_vc_start_every_third_cycle_at_most() {
    for (flits, cycles) in [(1, 3), (2, 3), (3, 3), (4, 4), (5, 6), (6, 6)] {
        for longest in [4, 6].into_iter().filter(|&longest| longest >= flits) {
            let mut config = star(2, 1, 32, longest);
            config.switch.short_packets = Some(true);
            let mut bench = Bench::new(&config, 3);
            (0..12).for_each(|_| {
                bench.send(0, 0, 1, flits);
            });
            bench.run_dry(200);
            let expected: Vec<u64> = (0..12).map(|i| 8 + cycles * i).collect();
            assert_eq!(cycles_of_heads(&bench), expected, "{flits} flits of {longest}");
        }
    }
}

/// Read from cycle a on, it is released in a + 1 at the earliest and the port is open in a + 2; chosen in a + 3, picked there and given in
/// a + 4, the next one is read from a + 5 on.
#[test]
fn an_output_port_starts_a_packet_every_fifth_cycle_at_most() {
    // From two input ports, and from two VCs of one, which then share its link.
    for (vcs, senders, longest) in [(1, [(0, 0), (1, 0)], 5), (2, [(0, 0), (0, 1)], 4)] {
        for flits in 1..=longest {
            let mut bench = Bench::new(&star(3, vcs, 32, 6), 3);
            for (port, vc) in senders {
                (0..6).for_each(|_| {
                    bench.send(port, vc, 2, flits);
                });
            }
            bench.run_dry(200);
            let heads = cycles_of_heads(&bench);
            // When the second one is complete depends on the turns that the VCs take.
            let gaps: Vec<u64> = heads.windows(2).skip(1).map(|pair| pair[1] - pair[0]).collect();
            assert_eq!(gaps, [5; 10], "{flits} flits from {senders:?}");
        }
    }
}

#[test]
fn a_packet_right_behind_another_is_counted_when_its_last_credit_for_it_has_just_gone() {
    // M = 4 and D = 16: the receiver keeps its credits until just enough are left for the next packet to be chosen.
    for kept in 0..=16 {
        let mut bench = Bench::new(&star(2, 1, 16, 4), 4);
        bench.eagerness.0 = 0;
        (0..8).for_each(|_| {
            bench.send(0, 0, 1, 3);
        });
        bench.steps(20 + kept);
        bench.eagerness.0 = 255;
        bench.run_dry(300);
        assert_eq!(bench.whole.len(), 8);
        assert_eq!(bench.counter("credit_errors", 1), 0);
    }
}

#[test]
fn a_sleeping_port_adds_its_wake_up_time_and_shows_no_flit_before() {
    let mut bench = Bench::new(&sleepy(2, 1, 16, 4), 5);
    bench.steps(100);
    assert_eq!((bench.output("out_phase", 1), bench.output("ready", 0)), (2, 0));
    let packet = bench.send(0, 0, 1, 4);
    let (start, mut states) = (bench.cycle, Vec::new());
    for _ in 0..40 {
        bench.step();
        states.push(bench.output("out_phase", 1));
    }
    // A packet is read by the `ready` of the cycle before, which here is one of the port's and not of the time to wake.
    assert_eq!(bench.latency(packet), 8 + 20 + 1);
    // Given in cycle 4; wakes in cycles 5 to 24; the link shows it four cycles later, in step with the flits.
    let waking = states.iter().filter(|&&state| state == 3).count();
    assert_eq!((waking, states[8], states[9], states[28], states[29]), (20, 2, 3, 3, 0));
    assert_eq!(cycles_out(&bench, 1), (start + 29..start + 33).collect::<Vec<u64>>());
    assert_eq!(bench.counter("wake_ups", 1), 1);
    assert_eq!(bench.counter("flits", 1), 4);
}

#[test]
fn others_pass_a_packet_that_waits_for_its_port_to_wake() {
    let mut bench = Bench::new(&sleepy(3, 2, 16, 4), 6);
    // Port 2 is kept awake by a stream; port 1 sleeps.
    (0..20).for_each(|_| {
        bench.send(1, 0, 2, 4);
    });
    bench.steps(60);
    assert_eq!(bench.output("ready", 0) & 0b110, 0b100);
    let sleeper = bench.send(0, 1, 1, 4);
    bench.steps(6);
    let passer = bench.send(0, 0, 2, 4);
    bench.run_dry(300);
    assert_eq!(bench.latency(sleeper), 29);
    let place = |packet| bench.whole.iter().position(|&whole| whole == packet).unwrap();
    assert!(place(passer) < place(sleeper), "the waiting packet holds its output port only");
}

#[test]
fn a_destination_out_of_range_is_dropped_and_counted_and_its_credits_come_back() {
    let mut bench = Bench::new(&star(3, 1, 16, 4), 7);
    bench.send(0, 0, 1, 4);
    bench.send(0, 0, 3, 4);
    bench.send(0, 0, 0x8001, 2);
    bench.send(0, 0, 2, 1);
    bench.run_dry(100);
    assert_eq!(bench.whole, [0, 3]);
    assert_eq!(bench.counter("dropped_packets", 0), 2);
    assert_eq!(bench.read(0x1000 + 4 * 7), (0, 2));
    assert_eq!(bench.read(0x1040 + 4 * 6), (0, 4));
    assert_eq!(bench.read(0x1000 + 4 * 8), (0, 0));
    assert_eq!(bench.write(0x000c, 1), 0);
    assert_eq!(bench.read(0x1000 + 4 * 7), (0, 0), "cleared");
}

#[test]
fn stray_flits_are_dropped_and_give_their_credits_back() {
    let mut bench = Bench::new(&star(2, 2, 16, 4), 8);
    let credits = |bench: &Bench| bench.output("in_credit_valid", 0) & 1;
    let count = |bench: &mut Bench, cycles: usize| {
        let mut given_back = 0;
        for _ in 0..cycles {
            bench.step_as_is();
            given_back += credits(bench);
        }
        given_back
    };
    let stray = |bench: &mut Bench, head, words: &[u32]| bench.put_words(0, 1, head, words);
    // The bench's senders count credits for what they send; these flits are put by hand, so they are not given as theirs.
    let full = |bench: &mut Bench| bench.forget_credits(0, 1);
    full(&mut bench);
    stray(&mut bench, false, &[header(1, 2)]);
    assert_eq!(count(&mut bench, 10), 1, "no head mark where a packet should start");
    full(&mut bench);
    stray(&mut bench, true, &[header(1, 0)]);
    assert_eq!(count(&mut bench, 10), 1, "a length of 0");
    full(&mut bench);
    stray(&mut bench, true, &[header(1, 5)]);
    assert_eq!(count(&mut bench, 10), 1, "a length above the longest");
    assert_eq!(bench.counter("framing_errors", 0), 1);
    assert_eq!(bench.counter("dropped_packets", 0), 3);
    // A head mark within a packet is flagged, and the flit is part of the packet.
    bench.send(0, 0, 1, 2);
    bench.step();
    bench.step();
    *bench.input("in_head", 0) = 0;
    bench.put_words(0, 5, true, &[header(1, 1)]);
    assert_eq!(count(&mut bench, 5), 1, "the credit of the good packet's head only: VC 5 doesn't exist");
    assert_eq!(bench.counter("framing_errors", 0), 2);
    bench.run_dry(50);
    assert_eq!(bench.whole, [0]);
    // On a link whose sender says that it sleeps, flits are taken all the same.
    *bench.input("in_phase", 0) = 2;
    bench.send(0, 0, 1, 3);
    bench.run_dry(50);
    assert_eq!((bench.whole.len(), bench.counter("closed_link_flits", 0)), (2, 3));
}

#[test]
fn a_head_mark_within_a_packet_is_flagged_and_the_packet_goes_on() {
    let mut bench = Bench::new(&star(2, 1, 16, 4), 9);
    let packet = bench.send(0, 0, 1, 3);
    bench.step();
    // The second flit with a head mark; what the sender has queued is the third.
    bench.mark_next_as_head(0, 0);
    bench.run_dry(50);
    assert_eq!(bench.whole, [packet]);
    assert_eq!(bench.counter("framing_errors", 0), 1);
}

#[test]
fn a_flit_without_room_is_lost_and_flagged() {
    let mut bench = Bench::new(&star(2, 1, 16, 4), 10);
    // No credits ever come from output 1. A packet of four is chosen while ten of the sixteen credits are left, of which six may be those of flits
    // before it: four packets leave, and the buffer fills.
    bench.eagerness.0 = 0;
    (0..8).for_each(|_| {
        bench.send(0, 0, 1, 4);
    });
    bench.steps(60);
    assert_eq!(bench.register("input_port.vc.flits.count", 0), 16);
    assert_eq!(bench.counter("overflow_errors", 0), 0);
    bench.put_words(0, 0, true, &[header(1, 4)]);
    bench.step_as_is();
    bench.step_as_is();
    assert_eq!(bench.counter("overflow_errors", 0), 1);
    assert_eq!(bench.register("input_port.vc.flits.count", 0), 16, "and not stored");
    assert_eq!(bench.counter("framing_errors", 0), 0);
    bench.eagerness.0 = 255;
    bench.run_dry(200);
    assert_eq!(bench.whole.len(), 8);
}

#[test]
fn credits_for_nothing_are_flagged_and_do_not_wrap() {
    let mut bench = Bench::new(&star(2, 2, 10, 4), 11);
    for vc in [0, 1, 2, 7] {
        *bench.input("out_credit_valid", 0) = 0b10;
        *bench.input("out_credit_vc", 1) = vc;
        bench.step_as_is();
    }
    bench.step_as_is();
    assert_eq!((bench.counter("credit_errors", 0), bench.counter("credit_errors", 1)), (0, 4));
    assert!((0..4).all(|row| bench.register("output_port.credit.credits", row) == 10));
    assert_eq!(bench.read(0x1040 + 4 * 11), (0, 4));
    assert_eq!(bench.read(0x1040 + 4 * 11 + 1), (2, 0), "no multiple of 4");
    assert_eq!(bench.read(0x1080), (2, 0), "there is no port 2");
    assert_eq!(bench.write(0x1000, 0), 2, "counters can't be written");
    assert_eq!(bench.read(0x0000), (0, 0x504F_5741));
    assert_eq!(bench.read(0x0004), (0, 2 << 16 | 2 << 8 | 2));
    assert_eq!(bench.read(0x0008), (0, 4 << 16 | 10));
}

#[test]
fn two_inputs_share_an_output_packet_by_packet() {
    for flits in 5..=8 {
        let mut bench = Bench::new(&star(3, 1, 32, 8), 12);
        for _ in 0..10 {
            bench.send(0, 0, 2, flits);
            bench.send(1, 0, 2, flits);
        }
        bench.run_dry(300);
        let all: Vec<u64> = (8..8 + 20 * flits as u64).collect();
        assert_eq!(cycles_out(&bench, 2), all, "no gap between packets of {flits} flits of different inputs");
        let heads: Vec<usize> = heads(&bench.out).map(|seen| bench.packets[seen.packet as usize].from).collect();
        assert_eq!(heads, [0, 1].repeat(10));
    }
}

fn heads(out: &[Seen]) -> impl Iterator<Item = &Seen> {
    out.iter().filter(|seen| seen.head)
}

#[test]
fn a_packet_is_not_starved_by_two_streams_that_keep_step() {
    // Input 0 streams to output 0, input 1 to output 1; a lone packet of input 0 wants output 1. Its output is free only in
    // cycles in which its input port is not ready, as long as both streams last.
    for offset in 0..9 {
        let mut bench = Bench::new(&star(3, 2, 64, 8), 20);
        (0..300).for_each(|_| {
            bench.send(0, 0, 0, 8);
        });
        bench.steps(offset);
        (0..300).for_each(|_| {
            bench.send(1, 0, 1, 8);
        });
        bench.steps(40);
        let lone = bench.send(0, 1, 1, 8);
        bench.run_dry(5000);
        // 63 chances, one in every packet time, and the packets then under way on both sides.
        let latency = bench.latency(lone);
        assert!(latency <= 63 * 8 + 3 * 8, "offset {offset}: latency {latency}");
    }
}
