//! Idle gaps of links, counted from trains, against those that a look at every link in every cycle finds.

use crate::support::{self, TestedMechanism};
use crate::whole_network::plain::Plain;
use crate::whole_network::workloads::Script;
use powar_config::Config;
use powar_config::topology::wiring::End;
use powar_golden::network::{Ended, Gaps, IdleGaps, IdleTime, Network, NetworkParameters};
use std::ops::Range;

const T_TRANS: [u64; 6] = [0, 1, 7, 30, 200, 5_000];

/// By definition: which links carry a flit in which cycles of the window, then the runs of cycles in which they don't.
fn counted(parameters: &NetworkParameters, seen: &[(u64, u32, u8)], window: &Range<u64>) -> IdleTime {
    let wiring = parameters.wiring().unwrap();
    let ports = parameters.config.ports;
    let cycles = (window.end - window.start) as usize;
    let mut carries = vec![vec![false; cycles]; wiring.ends.len() * ports];
    for &(cycle, switch, port) in seen.iter().filter(|(cycle, ..)| window.contains(cycle)) {
        carries[switch as usize * ports + usize::from(port)][(cycle - window.start) as usize] = true;
    }
    let mut time = IdleTime { cycles: cycles as u64, ..IdleTime::default() };
    time.oracle = T_TRANS.map(|t_trans| (t_trans, Gaps::default())).to_vec();
    let ends = wiring.ends.iter().flatten();
    for (_, link) in ends.zip(&carries).filter(|(end, _)| matches!(end, End::Switch { .. })) {
        time.links += 1;
        time.busy += link.iter().filter(|carries| **carries).count() as u64;
        let mut first = 0;
        for run in link.chunk_by(|one, next| one == next) {
            let (begin, end, length) = (first, first + run.len(), run.len() as u64);
            first = end;
            if run[0] {
                continue;
            }
            let gaps = if begin == 0 || end == cycles {
                &mut time.edge
            } else {
                let place = (0..64).find(|place| (1_u64 << place..2 << place).contains(&length)).unwrap();
                time.whole.resize(time.whole.len().max(place + 1), Gaps::default());
                time.longest = time.longest.max(length);
                &mut time.whole[place]
            };
            gaps.count += 1;
            gaps.cycles += length;
            for (t_trans, off) in &mut time.oracle {
                // Cycles of the gap in which the link is neither going off nor coming on.
                let off_cycles = (0..length).filter(|at| *at >= *t_trans && *at + *t_trans < length).count() as u64;
                off.count += u64::from(off_cycles > 0);
                off.cycles += off_cycles;
            }
        }
    }
    time
}

#[test]
fn gaps_are_those_that_a_look_at_every_link_in_every_cycle_finds() {
    let names =
        ["star-5", "4-ary-2-tree", "torus-4x3-trunk2", "mesh-3x4-nodes2", "torus-5", "dragonfly-p2a2h1", "boards-2x3"];
    let mut all_whole = 0;
    for (i, name) in (0..).zip(names) {
        for (j, load) in (0..).zip([0.01, 0.1, 0.6]) {
            let seed = 100 + 10 * i + j;
            let mut random = fastrand::Rng::with_seed(seed);
            let mut config = Config::of_network(name).unwrap();
            config.powar_mut().unwrap().policy = ["reference", "first-on"][random.usize(0..2)].into();
            config.powar_mut().unwrap().pdt = "100ns".parse().unwrap();
            support::draw_routing(&mut config, &mut random);
            let mut parameters = NetworkParameters::new(config);
            (parameters.link_delay, parameters.node_link_delay) = (random.u64(0..30), random.u64(0..30));
            parameters.packet_flits = random.u16(1..=16);
            let wiring = parameters.wiring().unwrap();
            let script = Script::random(seed, wiring.nodes.len() as u32, 3_000, load);

            let mut plain = Plain::new(&parameters, |place| {
                TestedMechanism::Configured.switch(&parameters.config, seed, (place.position, place.stage))
            });
            let mut of_plain = script.clone();
            while plain.now < 4_000 {
                plain.cycle(&mut of_plain);
            }
            let seen: Vec<_> = plain.seen.iter().map(|&(cycle, switch, port, ..)| (cycle, switch, port)).collect();

            let begin = random.u64(1..1_000);
            for window in [0..4_000, begin..begin + random.u64(1..3_000), begin..begin + 1] {
                let mut network = Network::new(&parameters).unwrap();
                let mut gaps = Some(IdleGaps::new(&wiring, window.clone(), &T_TRANS));
                let mut of_fast = script.clone();
                // In pieces, since a run can be continued anywhere.
                while network.run(&mut of_fast, network.now() + 777, &mut gaps).unwrap() == Ended::Time {}
                let time = gaps.take().unwrap().finish(window.end);
                let what = format!("{name}, load {load}, cycles {window:?}");
                let expected = counted(&parameters, &seen, &window);
                assert_eq!(time, expected, "{what}");
                assert_eq!(time.busy + time.all_whole().cycles + time.edge.cycles, time.links * time.cycles, "{what}");
                all_whole += time.all_whole().count;
                assert_eq!(time.links > 0, name != "star-5");
                // The more a transition takes, the less is off; at once, all that is idle.
                let off: Vec<u64> = time.oracle.iter().map(|(_, off)| off.cycles).collect();
                assert!(off.is_sorted_by(|short, long| short >= long), "{what}: {off:?}");
                assert_eq!(off[0], time.links * time.cycles - time.busy, "{what}");
            }
        }
    }
    assert!(all_whole > 5_000, "{all_whole}");
}
