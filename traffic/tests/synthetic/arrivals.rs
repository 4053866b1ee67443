//! When nodes send: rates, gaps, ramps, lengths, seeds.

use super::run;
use powar_config::{Message, Workload};
use powar_traffic::synthetic::{ARRIVALS, LongPackets, Synthetic, SyntheticOptions};
use proptest::prelude::*;

/// Flits of all nodes in each of `windows` equal parts of the time.
fn flits(sent: &[(u64, Message)], options: &SyntheticOptions, windows: usize) -> Vec<f64> {
    let mut sums = vec![0.0; windows];
    for (cycle, message) in sent {
        assert!((options.start..options.stop()).contains(cycle), "cycle {cycle}");
        sums[((cycle - options.start) * windows as u64 / options.cycles) as usize] += message.flits as f64;
    }
    sums
}

/// Number of packets is binomial: within 4.5 standard deviations, for loads from nearly idle to all the links of a node.
#[test]
fn bernoulli_has_the_mean_that_was_asked_for() {
    for (load, packet_flits) in
        [(1e-4, 8), (0.05, 8), (0.4, 8), (0.4, 1), (0.97, 1), (1.0, 1), (3.5, 1), (4.0, 1), (4.0, 3)]
    {
        for seed in 0..3 {
            let options =
                SyntheticOptions { load, packet_flits, seed, start: 77, cycles: 10_000, ..Default::default() };
            let packets = run(&options, 64, &[]).len() as f64;
            let chances = 64.0 * 10_000.0;
            let expected = chances * load / packet_flits as f64;
            // With several coins a cycle the spread is smaller; a full load has none.
            let coins = (load / packet_flits as f64).ceil();
            let deviation = (expected * (1.0 - expected / chances / coins)).max(0.0).sqrt();
            let off = packets - expected;
            assert!(
                off.abs() <= 4.5 * deviation + 1e-6,
                "load {load}, seed {seed}: {packets}, expected {expected} +- {deviation}"
            );
        }
    }
}

/// Gaps of a node: geometric, so that P(gap = g) = p (1 - p)^(g - 1); chi-square over the first 30.
#[test]
fn bernoulli_gaps_are_geometric() {
    let options = SyntheticOptions { load: 0.1, packet_flits: 1, cycles: 3_000_000, seed: 5, ..Default::default() };
    let sent = run(&options, 2, &[]);
    for node in 0..2 {
        let cycles: Vec<u64> = sent.iter().filter(|(_, m)| m.source == node).map(|&(cycle, _)| cycle).collect();
        let gaps = cycles.len() as f64 - 1.0;
        let mut counts = [0.0; 31];
        for pair in cycles.windows(2) {
            counts[((pair[1] - pair[0]) as usize).min(31) - 1] += 1.0;
        }
        let expected = |g: i32| if g < 30 { 0.1 * 0.9_f64.powi(g) } else { 0.9_f64.powi(30) };
        let chi: f64 = (0..31).map(|g| (counts[g as usize] - gaps * expected(g)).powi(2) / (gaps * expected(g))).sum();
        // 30 degrees of freedom: 30 +- 7.7, and one in a million is above 80.
        assert!(chi < 80.0, "chi-square {chi}, seed {}", options.seed);
    }
}

#[test]
fn periodic_keeps_its_period() {
    let options = SyntheticOptions {
        arrivals: "periodic".into(),
        load: 0.3,
        packet_flits: 8,
        cycles: 100_000,
        ..Default::default()
    };
    let sent = run(&options, 16, &[]);
    let mut phases = Vec::new();
    for node in 0..16 {
        let cycles: Vec<u64> = sent.iter().filter(|(_, m)| m.source == node).map(|&(cycle, _)| cycle).collect();
        // 8 / 0.3 = 26.67 cycles: 3750 packets.
        assert!(cycles.len().abs_diff(3750) <= 1);
        assert!(cycles.windows(2).all(|pair| (26..=27).contains(&(pair[1] - pair[0]))));
        assert!(cycles.windows(4).all(|four| (79..=81).contains(&(four[3] - four[0]))));
        phases.push(cycles[0]);
    }
    assert!(phases.iter().all(|&phase| phase < 27));
    phases.sort_unstable();
    phases.dedup();
    assert!(phases.len() > 8, "phases differ: {phases:?}");
}

/// Every process follows a ramp up, a plateau, a jump down to nothing and a slow way up again.
#[test]
fn every_process_follows_a_ramp() {
    // Shares over 10 windows of 10 000 cycles.
    let ramp = vec![(0, 0.1), (30_000, 1.0), (50_000, 1.0), (50_000, 0.0), (70_000, 0.0), (100_000, 0.6)];
    let shares = [0.25, 0.55, 0.85, 1.0, 1.0, 0.0, 0.0, 0.1, 0.3, 0.5];
    // Bursts and silence change slowly, so their windows vary much more.
    for (arrivals, nodes, relative) in [("bernoulli", 256, 0.0), ("periodic", 256, 0.0), ("self-similar", 2048, 0.02)] {
        let options = SyntheticOptions {
            arrivals: arrivals.into(),
            load: 0.6,
            ramp: ramp.clone(),
            seed: 3,
            ..Default::default()
        };
        let windows = flits(&run(&options, nodes, &[]), &options, 10);
        for (window, share) in windows.iter().zip(shares) {
            let expected = share * 0.6 * 10_000.0 * f64::from(nodes);
            // Packets have 8 flits.
            let bound = 4.5 * (expected * 8.0).sqrt() + relative * 0.6 * 10_000.0 * f64::from(nodes);
            assert!(
                (window - expected).abs() <= bound,
                "{arrivals}: {window}, expected {expected} +- {bound}: {windows:?}"
            );
        }
    }
}

/// Long packets among short ones, at the same load in flits.
#[test]
fn lengths_of_two_kinds_keep_the_load() {
    for arrivals in ["bernoulli", "periodic"] {
        let options = SyntheticOptions {
            arrivals: arrivals.into(),
            load: 0.5,
            packet_flits: 2,
            long_packets: Some(LongPackets { flits: 32, share: 0.25 }),
            cycles: 50_000,
            seed: 9,
            ..Default::default()
        };
        let sent = run(&options, 64, &[]);
        let long = sent.iter().filter(|(_, m)| m.flits == 32).count() as f64 / sent.len() as f64;
        assert!(sent.iter().all(|(_, m)| m.flits == 2 || m.flits == 32));
        assert!((long - 0.25).abs() < 0.006, "{long}");
        let load = flits(&sent, &options, 1)[0] / 64.0 / 50_000.0;
        assert!((load - 0.5).abs() < 0.01, "{arrivals}: {load}");
    }
}

/// Who sends what and when, node by node.
fn by_node(sent: &[(u64, Message)], nodes: u32) -> Vec<Vec<(u64, u32, u64)>> {
    let one = |node| sent.iter().filter(|(_, m)| m.source == node).map(|&(c, m)| (c, m.destination, m.flits)).collect();
    (0..nodes).map(one).collect()
}

#[test]
fn one_seed_one_traffic() {
    for arrivals in ARRIVALS {
        let options = SyntheticOptions {
            arrivals: arrivals.name.into(),
            load: 0.3,
            cycles: 5000,
            long_packets: Some(LongPackets { flits: 3, share: 0.5 }),
            ..Default::default()
        };
        let sent = run(&options, 32, &[]);
        assert_eq!(sent, run(&options, 32, &[]));
        assert_ne!(sent, run(&SyntheticOptions { seed: 2, ..options.clone() }, 32, &[]));
        // No two nodes have the same gaps.
        let nodes = by_node(&sent, 32);
        assert!((1..32).all(|node| nodes[node] != nodes[0]));
        // Twice as long: what the shorter run sends is the beginning of the longer one.
        let longer = run(&SyntheticOptions { cycles: 10_000, ..options.clone() }, 32, &[]);
        assert_eq!(longer[..sent.len()], sent);
        // A simulator that comes late gets the same messages in the same order, and so does each node.
        let mut late = Synthetic::new(&options, 32, &[]).unwrap();
        let mut messages = Vec::new();
        for now in (0..5100).step_by(37) {
            late.act(now, &mut messages).unwrap();
        }
        assert!(late.is_over());
        assert_eq!(messages.len(), sent.len());
        for node in 0..32 {
            let own = |message: &&Message| message.source == node;
            let kind = |message: &Message| (message.destination, message.flits);
            let late: Vec<_> = messages.iter().filter(own).map(kind).collect();
            let punctual: Vec<_> = sent.iter().map(|(_, message)| message).filter(own).map(kind).collect();
            assert_eq!(late, punctual);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Any options: cycles rise and keep to their bounds, numbers differ, nobody sends to itself, load is not exceeded by far.
    #[test]
    fn any_open_loop_is_sound(
        process in 0..ARRIVALS.len(),
        load in 0.001..1.0_f64,
        packet_flits in 1..40_u64,
        nodes in 2..40_u32,
        seed: u64,
        start in 0..5000_u64,
        cycles in 1..5000_u64,
        ramp in proptest::collection::vec((0..3000_u64, 0.0..=1.0_f64), 0..5),
    ) {
        let mut cycle = 0;
        let mut ramp: Vec<_> = ramp.into_iter().map(|(gap, share)| { cycle += gap; (cycle, share) }).collect();
        if let Some(last) = ramp.last_mut() {
            last.1 = last.1.max(0.01);
        }
        let arrivals = ARRIVALS[process].name.to_string();
        let options = SyntheticOptions { arrivals, load, packet_flits, seed, start, cycles, ramp, ..Default::default() };
        let sent = run(&options, nodes, &[]);
        for (place, (cycle, message)) in sent.iter().enumerate() {
            prop_assert!((start..start + cycles).contains(cycle));
            prop_assert!(place == 0 || sent[place - 1].0 <= *cycle);
            prop_assert_eq!(message.number, place as u64);
            prop_assert_ne!(message.source, message.destination);
            prop_assert_eq!(message.flits, packet_flits);
        }
    }
}

/// Shares are of the packets, the load is of the flits.
#[test]
fn several_lengths_have_their_shares_at_the_load() {
    let lengths = vec![(1, 0.5), (8, 0.3), (16, 0.2)];
    let options =
        SyntheticOptions { load: 0.3, cycles: 100_000, seed: 4, packet_lengths: lengths.clone(), ..Default::default() };
    let all = super::run(&options, 16, &[]);
    let flits: u64 = all.iter().map(|(_, message)| message.flits).sum();
    let load = flits as f64 / 16.0 / 1e5;
    assert!((load - 0.3).abs() < 0.01, "{load}, seed {}", options.seed);
    for (length, share) in lengths {
        let seen = all.iter().filter(|(_, message)| message.flits == length).count() as f64 / all.len() as f64;
        // 81 000 packets: a standard deviation of 0.0018 at most.
        assert!((seen - share).abs() < 0.009, "{length}: {seen}, expected {share}");
    }
    assert!(all.iter().all(|(_, message)| [1, 8, 16].contains(&message.flits)));
}
