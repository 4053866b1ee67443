//! `saturated`: the same whatever the length of the run, over topologies, loads, policies, kinds of traffic and seeds.

use powar_evaluation::network::{AUTO_WARM_UP, Outcome, Simulation, Traffic, find_warm_up, settled, simulate};
use powar_traffic::synthetic::{ClosedLoopOptions, HotSpotOptions, SyntheticOptions, TasksOptions};
use std::path::PathBuf;

const WARM_UP: u64 = 10_000;

/// A case: what it is called, and what is simulated.
struct Case {
    topology: String,
    policy: &'static str,
    pdt: &'static str,
    traffic: SyntheticOptions,
}

fn case(topology: &str, load: f64) -> Case {
    let traffic = SyntheticOptions { load, ..SyntheticOptions::default() };
    Case { topology: topology.into(), policy: "reference", pdt: "100us", traffic }
}

fn sleeping(topology: &str, load: f64, policy: &'static str, pdt: &'static str) -> Case {
    Case { policy, pdt, ..case(topology, load) }
}

fn sent(topology: &str, load: f64, change: impl FnOnce(&mut SyntheticOptions)) -> Case {
    let mut case = case(topology, load);
    change(&mut case.traffic);
    case
}

impl Case {
    fn run(&self, warm_up: u64, cycles: u64, seed: u64) -> Outcome {
        let traffic = SyntheticOptions { cycles: warm_up + cycles, seed, ..self.traffic.clone() };
        let simulation = Simulation {
            topology: self.topology.clone(),
            policy: self.policy.into(),
            mechanism: [("powar".to_owned(), format!("pdt = '{}'", self.pdt).parse().unwrap())].into(),
            traffic: Traffic::Synthetic(traffic),
            warm_up,
            ..Simulation::default()
        };
        simulate(&simulation, &mut |_| ()).unwrap()
    }

    fn check(&self, expected: bool, lengths: &[(u64, u64)], seeds: &[u64]) {
        for &(warm_up, cycles) in lengths {
            for &seed in seeds {
                let outcome = self.run(warm_up, cycles, seed);
                let Outcome { saturated, offered, accepted, .. } = outcome;
                assert_eq!(
                    saturated, expected,
                    "{} {} {} {} load {}, warm-up {warm_up}, cycles {cycles}, seed {seed}: {offered} offered, {accepted} accepted",
                    self.topology, self.policy, self.pdt, self.traffic.pattern, self.traffic.load
                );
            }
        }
    }
}

/// Two switches with four nodes each and one cable between them, as a file that lasts as long as the folder.
fn pair() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("pair.edges");
    std::fs::write(&path, "nodes 4\nleft right\n").unwrap();
    let name = format!("file:{}", path.display());
    (folder, name)
}

fn incast(options: &mut SyntheticOptions) {
    options.pattern = "hot-spot".into();
    options.hot_spot = Some(HotSpotOptions { nodes: vec![0], share: 1.0 });
}

#[test]
fn a_cable_that_is_asked_for_twice_what_it_carries_is_overloaded_at_any_length() {
    let (_folder, pair) = pair();
    // 8 x 0.9 x 4/7 = 4.1 flits a cycle over it, both ways, where it carries 2.
    case(&pair, 0.9).check(true, &[(WARM_UP, 2_000), (WARM_UP, 8_000), (0, 2_000), (0, 32_000)], &[1, 2]);
    case(&pair, 0.9).check(true, &[(WARM_UP, 200_000)], &[1]);
    // A tenth more than it carries.
    case(&pair, 0.5).check(true, &[(WARM_UP, 2_000), (WARM_UP, 32_000)], &[1, 2, 3]);
    case(&pair, 0.3).check(false, &[(WARM_UP, 2_000), (WARM_UP, 32_000), (0, 500)], &[1, 2, 3]);
    case(&pair, 0.4).check(false, &[(WARM_UP, 2_000), (WARM_UP, 32_000), (0, 500)], &[1, 2, 3]);
}

#[test]
fn so_are_networks_that_take_nearly_all_and_an_incast() {
    case("8-ary-2-tree", 1.0).check(true, &[(WARM_UP, 2_000)], &[1]);
    case("4-ary-2-tree", 1.0).check(true, &[(WARM_UP, 2_000), (0, 32_000)], &[1]);
    sent("star-4", 0.99, incast).check(
        true,
        &[(WARM_UP, 500), (WARM_UP, 2_000), (WARM_UP, 32_000), (0, 2_000)],
        &[1, 2],
    );
    sent("torus-4x4", 0.2, incast).check(true, &[(WARM_UP, 2_000), (0, 8_000)], &[1, 2]);
    let one_in_five = |options: &mut SyntheticOptions| {
        incast(options);
        options.hot_spot = Some(HotSpotOptions { nodes: vec![3], share: 0.4 });
    };
    sent("4-ary-2-tree", 0.3, one_in_five).check(true, &[(WARM_UP, 2_000), (0, 32_000)], &[1, 2]);
    sent("dragonfly-p2a4h2", 0.6, |options| options.pattern = "next-group".into()).check(
        true,
        &[(WARM_UP, 2_000)],
        &[1],
    );
}

#[test]
fn links_that_are_asleep_too_often_overload_a_network_at_a_low_load() {
    let often = sleeping("4-ary-2-tree", 0.05, "round-robin", "1us");
    often.check(true, &[(WARM_UP, 32_000), (WARM_UP, 100_000)], &[1, 2, 3]);
    often.check(true, &[(WARM_UP, 2_000)], &[1]);
    let outcome = often.run(WARM_UP, 100_000, 1);
    assert!(outcome.accepted < 0.65 * outcome.offered && outcome.oldest > 50_000, "{outcome:?}");
}

/// Hardly any of what is given comes in, and what is stuck has crossed switches as well.
#[test]
fn so_is_a_network_that_has_collapsed() {
    let lengths = [(WARM_UP, 10_000), (WARM_UP, 20_000)];
    for policy in ["powar", "round-robin"] {
        sleeping("mesh-3x3", 0.6, policy, "0ns").check(true, &lengths, &[1, 2]);
    }
    let ring = sleeping("torus-8", 0.3, "round-robin", "0ns");
    ring.check(true, &lengths, &[1, 2, 3]);
    let outcome = ring.run(WARM_UP, 20_000, 1);
    assert!(outcome.unfinished > 0 && outcome.accepted < 0.1 * outcome.offered, "{outcome:?}");
}

/// Wavelengths that are another board's, and ports of a root that lead nowhere.
#[test]
fn ports_that_nobody_can_wait_for_excuse_nothing() {
    let boards = |load, policy| sleeping("boards-4x4", load, policy, "100us");
    boards(0.7, "np-nb").check(true, &[(WARM_UP, 100_000)], &[1, 2]);
    boards(0.6, "np-nb").check(false, &[(WARM_UP, 32_000)], &[1, 2]);
    for policy in ["np-nb", "p-nb"] {
        boards(1.0, policy).check(true, &[(2_000, 10_000)], &[1, 2]);
    }
    for policy in ["reference", "alonso-static", "alonso-dynamic", "on-off-on-demand"] {
        sleeping("4-ary-2-tree", 1.0, policy, "100us").check(true, &[(WARM_UP, 5_000)], &[1, 2]);
    }
}

/// A sixth of what is given stays behind, in packets that wait for half of the run; or nothing does, and some starve all the same.
#[test]
fn so_is_one_in_which_old_messages_are_more_and_more() {
    sleeping("4-ary-2-tree", 0.01, "powar", "1us").check(true, &[(WARM_UP, 300_000)], &[1, 3, 4]);
    sleeping("4-ary-2-tree", 0.01, "powar", "1us").check(true, &[(WARM_UP, 100_000)], &[3, 4, 6]);
    sleeping("torus-4x4", 0.05, "first-on", "1us").check(true, &[(WARM_UP, 100_000)], &[2, 3]);
    sleeping("torus-4x4", 0.05, "first-on", "1us").check(true, &[(WARM_UP, 300_000)], &[1]);
    let starved = sleeping("torus-3x3-trunk2", 0.05, "powar", "1us");
    starved.check(false, &[(WARM_UP, 300_000)], &[1, 2, 3, 4]);
}

/// Ports that are open for half of the time, 10 us each: the backlog swings by more from look to look than it grows.
#[test]
fn networks_with_ports_that_close_by_the_clock_are_overloaded_above_half_of_the_load() {
    for (topology, load) in [("star-3", 0.6), ("2-ary-2-tree", 0.6), ("mesh-3x3", 0.6), ("torus-3x3", 0.6)] {
        sleeping(topology, load, "timetable", "100us").check(true, &[(0, 200_000), (WARM_UP, 300_000)], &[1, 2]);
    }
    // Of what is given a quarter does not come in: that is told in eight of these times, which is how long a run is by default.
    for (topology, load) in [("star-8", 0.6), ("4-ary-2-tree", 0.6)] {
        sleeping(topology, load, "timetable", "100us").check(true, &[(WARM_UP, 100_000)], &[1, 2]);
    }
    for (topology, load) in [("star-4", 0.3), ("mesh-3x3", 0.2), ("torus-3x3", 0.2)] {
        sleeping(topology, load, "timetable", "100us").check(false, &[(0, 200_000), (WARM_UP, 60_000)], &[1, 2]);
    }
}

#[test]
fn a_network_that_keeps_up_is_not_overloaded_however_short_the_run() {
    let lengths = [(WARM_UP, 500), (WARM_UP, 2_000), (0, 500), (0, 2_000), (0, 8_000)];
    for (topology, load) in [("8-ary-2-tree", 0.5), ("torus-4x4", 0.3), ("star-8", 0.7)] {
        case(topology, load).check(false, &lengths, &[1, 2]);
    }
    case("star-8", 0.85).check(false, &[(WARM_UP, 2_000), (WARM_UP, 32_000), (0, 2_000)], &[1, 2, 3]);
    case("torus-4x4", 0.0005).check(false, &lengths, &[1, 2, 3]);
    let mixed = |options: &mut SyntheticOptions| {
        incast(options);
        options.hot_spot = Some(HotSpotOptions { nodes: vec![3], share: 0.05 });
    };
    sent("4-ary-2-tree", 0.3, mixed).check(false, &lengths, &[1, 2]);
}

/// A packet may wait for each port on its way to go to sleep and to wake, 4400 cycles.
#[test]
fn nor_is_one_in_which_packets_wait_longer_for_links_than_is_measured() {
    let lengths = [(WARM_UP, 2_000), (WARM_UP, 32_000), (0, 500), (0, 2_000), (0, 8_000)];
    for case in [
        sleeping("4-ary-2-tree", 0.002, "round-robin", "1us"),
        sleeping("4-ary-2-tree", 0.01, "round-robin", "1us"),
        sleeping("4-ary-2-tree", 0.001, "powar", "0ns"),
        sleeping("star-2", 0.001, "powar", "1us"),
        sleeping("star-2", 0.01, "powar", "100ns"),
    ] {
        case.check(false, &lengths, &[1, 2, 3, 4]);
    }
    // A third is still under way at the end of the short run, behind ports that are hardly ever awake; in a million cycles all comes in.
    sleeping("2-ary-2-tree", 0.05, "powar", "0ns").check(false, &[(1_000, 20_000), (1_000, 80_000)], &[3, 4, 5]);
    // Some packets of two nodes go out one a wake-up behind the end, for longer than a way takes; the network had kept up.
    sleeping("boards-4x4", 0.5, "round-robin", "1us").check(false, &[(WARM_UP, 40_000)], &[1, 2]);
}

#[test]
fn nor_is_one_with_bursts() {
    let lengths = [(WARM_UP, 2_000), (WARM_UP, 32_000), (0, 2_000)];
    for load in [0.1, 0.3] {
        sent("torus-4x4", load, |options| options.arrivals = "self-similar".into()).check(
            false,
            &lengths,
            &[1, 2, 3, 4],
        );
    }
    sent("torus-4x4", 0.1, |options| options.pattern = "tasks".into()).check(false, &lengths, &[1, 2, 3, 4]);
    let few = |options: &mut SyntheticOptions| {
        options.pattern = "tasks".into();
        options.tasks = Some(TasksOptions { concurrent: 25.0, ..TasksOptions::default() });
    };
    sent("torus-4x4", 0.2, few).check(false, &lengths, &[1, 2, 3]);
    sent("star-8", 0.6, |options| options.arrivals = "periodic".into()).check(false, &lengths, &[1]);
}

/// Its requests wait for each other: it gives no more than the network takes.
#[test]
fn nor_is_a_closed_loop() {
    for outstanding in [1, 16] {
        let closed = Some(ClosedLoopOptions { outstanding, ..ClosedLoopOptions::default() });
        let loops = sent("torus-4x4", 0.1, |options| options.closed_loop = closed);
        loops.check(false, &[(0, 2_000), (WARM_UP, 2_000), (WARM_UP, 32_000)], &[1]);
    }
}

#[test]
fn the_oldest_message_and_those_that_did_not_come_in_are_told() {
    let incast = sent("star-4", 0.99, incast).run(1_000, 2_000, 1);
    // One link takes a third of what three nodes give it: the oldest waits for two thirds of the run.
    assert!((1_500..2_600).contains(&incast.oldest), "{}", incast.oldest);
    assert_eq!(incast.unfinished, 0, "they come in within four times as many cycles");
    let (_folder, pair) = pair();
    let cut = case(&pair, 0.9).run(WARM_UP, 2_000, 1);
    assert!(cut.unfinished > 500 && cut.oldest > 2_000, "{} {}", cut.unfinished, cut.oldest);
    let doubtful = sleeping("star-8", 0.45, "timetable", "100us").run(WARM_UP, 100_000, 1);
    assert!(!doubtful.saturated && doubtful.notes[0].starts_with("perhaps saturated: "), "{:?}", doubtful.notes);
    let quiet = case("torus-4x4", 0.0005).run(0, 2_000, 1);
    assert!(quiet.oldest < 200 && quiet.unfinished == 0, "{}", quiet.oldest);
}

/// Nothing is left to send long before the end: ports are still counted up to it.
#[test]
fn a_window_in_which_nothing_is_sent_is_measured() {
    let outcome = sleeping("star-2", 0.0001, "powar", "1us").run(200_000, 2_000, 2);
    assert_eq!((outcome.cycles, outcome.saturated, outcome.oldest), (2_000, false, 0));
    assert!(outcome.offered == 0.0 && outcome.u_port == 0.0, "{outcome:?}");
}

/// Of a network that is full the warm-up has no end; of one that is not it has one, which what is measured begins with.
#[test]
fn the_end_of_a_warm_up_is_found() {
    let simulation = |load: f64, cycles| {
        let traffic = SyntheticOptions { load, cycles, ..SyntheticOptions::default() };
        let traffic = Traffic::Synthetic(traffic);
        Simulation {
            topology: "torus-4x4".into(),
            policy: "reference".into(),
            traffic,
            warm_up: AUTO_WARM_UP,
            ..Simulation::default()
        }
    };
    let found = find_warm_up(&simulation(0.3, 20_000), &mut |_| ()).unwrap();
    assert!(found.settled && (50..2_000).contains(&found.cycle) && found.cycles == 20_000, "{found:?}");
    let outcome = simulate(&simulation(0.3, 20_000), &mut |_| ()).unwrap();
    assert_eq!((outcome.warm_up, outcome.cycles), (found.cycle, 20_000 - found.cycle));
    assert_eq!(outcome.notes, [found.note()]);
    let (settled, again) = settled(&simulation(0.3, 5_000), 5_000, &mut |_| ()).unwrap();
    assert_eq!(again, found, "looked for in 20000 cycles at least");
    let Traffic::Synthetic(options) = settled.traffic else { panic!("another traffic") };
    assert_eq!((settled.warm_up, options.cycles), (found.cycle, found.cycle + 5_000));
    let full = find_warm_up(&simulation(1.0, 20_000), &mut |_| ()).unwrap();
    assert_eq!((full.settled, full.cycle), (false, 10_000));
    assert!(full.note().contains("have not settled in 20000 cycles"), "{}", full.note());
}

#[test]
fn a_warm_up_is_a_number_or_auto() {
    let read = |text: &str| toml::from_str::<Simulation>(text).map_err(|error| error.message().to_owned());
    assert_eq!(read("warm_up = 'auto'").unwrap().warm_up, AUTO_WARM_UP);
    assert_eq!(read("warm_up = 7").unwrap().warm_up, 7);
    assert!(
        read("warm_up = 'soon'").unwrap_err().contains("expected a whole number of cycles, 0 or more, or \"auto\"")
    );
    let json =
        |warm_up| serde_json::to_value(Simulation { warm_up, ..Simulation::default() }).unwrap()["warm_up"].clone();
    assert_eq!((json(AUTO_WARM_UP), json(7)), ("auto".into(), 7.into()));
}
