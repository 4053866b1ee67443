//! The event-driven switch is told of whole trains, and is stepped only when it says that something happens: it shows in every cycle what
//! the composition of the single blocks shows, which gets every flit by itself.

use crate::support;
use crate::support::links::{Links, random_switch};
use fastrand::Rng;
use powar_config::{Config, CycleModel, Layout, Phase};
use powar_golden::bits::is_set;
use powar_golden::fast::switch::{Credits, Payload, Switch, Train, Words};
use powar_golden::lock_step::LockStep;
use proptest::prelude::*;
use support::{TestedMechanism, cases, difference};

/// Words of a flit at most.
const WORDS: usize = 5;

/// A flit that has been recorded, by its place among all of them. Those of a train follow each other.
#[derive(Clone, Copy)]
struct Recorded {
    flits: &'static [[u32; WORDS]],
    place: usize,
}

impl Payload for Recorded {
    const EMPTY: Self = Recorded { flits: &[[0; WORDS]], place: 0 };

    fn header(&self) -> u32 {
        self.flits[self.place][0]
    }

    fn behind(&self, flits: u16) -> Self {
        Recorded { place: self.place + usize::from(flits), ..*self }
    }
}

impl Words for Recorded {
    fn words(&self) -> &[u32] {
        &self.flits[self.place]
    }
}

/// A run of the single blocks, cycle by cycle: what came in and what was shown; and what comes in as trains, by the cycle in which they
/// begin.
struct Recording {
    config: Config,
    layout: Layout,
    inputs: Vec<Vec<u64>>,
    expected: Vec<Vec<u64>>,
    trains: Vec<Vec<Train<Recorded>>>,
    credits: Vec<Vec<Credits>>,
}

impl Recording {
    /// So many cycles of a random switch. Trains are as long as they can be, but for one in `cut` flits; there are 256 of these.
    fn new(kind: TestedMechanism, seed: u64, cycles: usize) -> Recording {
        let mut rng = Rng::with_seed(seed);
        let config = random_switch(kind, &mut rng);
        let mut stepwise = LockStep::new(kind.stepwise_switch(&config, seed));
        let layout = stepwise.layout().clone();
        let mut links = Links::new(&config, rng.fork());
        let mut frame = vec![0; layout.input_slots()];
        links.idle(&mut frame);
        let (mut inputs, mut expected) = (vec![], vec![]);
        for _ in 0..cycles {
            let mut shown = vec![7; layout.observed_slots()];
            stepwise.cycle(&frame, &mut shown);
            inputs.push(frame.clone());
            links.next(&layout, &shown, &mut frame);
            expected.push(shown);
        }
        let cut = [0, 0, 20, 128][rng.usize(0..4)];
        let mut recording = Recording { config, layout, inputs, expected, trains: vec![], credits: vec![] };
        recording.couple(cut, &mut rng);
        recording
    }

    fn couple(&mut self, cut: u8, rng: &mut Rng) {
        let (n, w, cycles) = (self.config.ports, self.config.switch.flit_words(), self.inputs.len());
        let slot = |name: &str| self.layout.input(name).unwrap();
        let [valid, head, vc, phase] = ["in_valid", "in_head", "in_vc", "in_phase"].map(slot);
        let (words, credit, credit_vc) = (slot("in_flit"), slot("out_credit_valid"), slot("out_credit_vc"));
        let mut flits: Vec<[u32; WORDS]> = vec![];
        // The cycle in which it begins, and the place of its first flit.
        let mut trains: Vec<(usize, Train<()>, usize)> = vec![];
        self.credits = vec![vec![]; cycles];
        for port in 0..n {
            let (mut coupled, mut run): (bool, Option<usize>) = (false, None);
            for (cycle, frame) in self.inputs.iter().enumerate() {
                // A reset ends everything.
                let goes_on = frame[0] == 0 && rng.u8(..) >= cut;
                if is_set(frame[valid], port) {
                    let flit = Train {
                        port: port as u8,
                        vc: frame[vc + port] as u8,
                        head: is_set(frame[head], port),
                        phase: Phase::by_code(frame[phase + port] as u8).unwrap_or(Phase::Off),
                        flits: 1,
                        payload: (),
                    };
                    let place = flits.len();
                    let word = |word: usize| if word < w { frame[words + port * w + word] as u32 } else { 0 };
                    flits.push(std::array::from_fn(word));
                    match trains.last_mut().filter(|_| coupled && goes_on) {
                        Some((_, train, _)) if !flit.head && (train.vc, train.phase) == (flit.vc, flit.phase) => {
                            train.flits += 1;
                        }
                        _ => trains.push((cycle, flit, place)),
                    }
                }
                coupled = is_set(frame[valid], port) && frame[0] == 0;
                let vc = frame[credit_vc + port] as u8;
                let last = run.and_then(|begin: usize| self.credits[begin].last_mut());
                run = match last.filter(|run| goes_on && usize::from(run.port) == port && run.vc == vc) {
                    _ if !is_set(frame[credit], port) => None,
                    Some(of_last) => {
                        of_last.credits += 1;
                        run
                    }
                    None => {
                        self.credits[cycle].push(Credits { port: port as u8, vc, credits: 1 });
                        (frame[0] == 0).then_some(cycle)
                    }
                };
            }
        }
        // As long as the tests run.
        let flits: &'static [[u32; WORDS]] = flits.leak();
        self.trains = vec![vec![]; cycles];
        for (cycle, train, place) in trains {
            let Train { port, vc, head, phase, flits: length, payload: () } = train;
            let payload = Recorded { flits, place };
            self.trains[cycle].push(Train { port, vc, head, phase, flits: length, payload });
        }
    }

    /// Flits that came in within trains, beyond the first of each.
    fn coupled(&self) -> usize {
        self.trains.iter().flatten().map(|train| usize::from(train.flits) - 1).sum()
    }

    fn switch(&self, kind: TestedMechanism, seed: u64) -> Switch<Recorded> {
        kind.switch(&self.config, seed, (0, 0))
    }

    /// The first difference of a switch that is stepped in every cycle.
    fn difference(&self, mut switch: Switch<Recorded>) -> Option<String> {
        let mut seen = vec![9; self.layout.observed_slots()];
        (0..self.inputs.len()).find_map(|cycle| {
            switch.lock_step(&self.inputs[cycle], &self.trains[cycle], &self.credits[cycle], &mut seen);
            let difference = difference(&self.layout, &self.expected[cycle], &seen)?;
            Some(format!("cycle {cycle}: {difference} of {:?}", self.config))
        })
    }

    /// A port of which a mechanism that sees buffers sees another number of flits than there are.
    fn difference_of_buffers(&self, switch: &Switch<Recorded>) -> Option<String> {
        let (seen, now) = (switch.buffers()?, switch.now());
        let vcs = self.config.switch.vcs;
        let missing = |port, vc| self.config.switch.vc_depth() - switch.credits(port, vc);
        (0..self.config.ports).find_map(|port| {
            let fill: usize = (0..vcs).map(|vc| switch.occupancy(port, vc)).sum();
            let occupancy: usize = (0..vcs).map(|vc| missing(port, vc)).sum();
            let sees = (seen.fill(port, now), seen.occupancy(port, now));
            let differs = sees != (fill as u64, occupancy as u64);
            differs.then(|| format!("buffers of port {port}: {fill}, {occupancy}; it sees {sees:?}"))
        })
    }

    /// The first difference of a switch that is stepped only when it has to be, as it shows in pairs of cycles of copies of it: some
    /// registers say what was before.
    fn difference_if_skipped(&self, mut switch: Switch<Recorded>, rng: &mut Rng) -> Option<String> {
        let mut seen = vec![9; self.layout.observed_slots()];
        let mut rests = self.inputs[0].clone();
        let flits = ["in_valid", "in_head", "in_vc", "in_flit", "out_credit_valid", "out_credit_vc"];
        let names: Vec<&str> =
            self.layout.inputs.iter().flat_map(|signal| vec![signal.name.as_str(); signal.rows]).collect();
        for cycle in 0..self.inputs.len() - 1 {
            let (inputs, trains, credits) = (&self.inputs[cycle], &self.trains[cycle], &self.credits[cycle]);
            if rng.u8(..) < 8 {
                let mut copy = switch.clone();
                copy.skip(cycle as u64 - copy.now());
                if let Some(difference) = self.difference_of_buffers(&copy) {
                    return Some(format!("cycle {cycle}: {difference} of {:?}", self.config));
                }
                copy.lock_step(inputs, trains, credits, &mut seen);
                copy.lock_step(&self.inputs[cycle + 1], &[], &[], &mut seen);
                if let Some(difference) = difference(&self.layout, &self.expected[cycle + 1], &seen) {
                    return Some(format!("cycle {}: {difference} of {:?}", cycle + 1, self.config));
                }
            }
            let differs = |(place, name): (usize, &&str)| !flits.contains(name) && inputs[place] != rests[place];
            let news = names.iter().enumerate().any(differs) || inputs[0] != 0 || uses_bus(&names, inputs);
            rests.clone_from(inputs);
            let event = switch.next_event();
            assert!(event >= switch.now());
            let passes = !news && trains.is_empty() && event > cycle as u64;
            if passes && (credits.is_empty() || switch.credits_come(cycle as u64, credits)) {
                continue;
            }
            switch.skip(cycle as u64 - switch.now());
            switch.lock_step(inputs, trains, credits, &mut seen);
        }
        None
    }
}

/// Something is on the register bus.
fn uses_bus(names: &[&str], inputs: &[u64]) -> bool {
    names.iter().zip(inputs).any(|(name, &value)| name.starts_with("s_axi") && value != 0)
}

fn equal(kind: TestedMechanism, seed: u64, cycles: usize) -> Result<(), TestCaseError> {
    let recording = Recording::new(kind, seed, cycles);
    if let Some(difference) = recording.difference(recording.switch(kind, seed)) {
        return Err(TestCaseError::fail(difference));
    }
    let mut rng = Rng::with_seed(seed);
    if let Some(difference) = recording.difference_if_skipped(recording.switch(kind, seed), &mut rng) {
        return Err(TestCaseError::fail(format!("skipped: {difference}")));
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn trains_are_what_single_flits_are(seed: u64, cycles in 2usize..1500) {
        equal(TestedMechanism::Configured, seed, cycles)?;
    }

    #[test]
    fn trains_are_what_single_flits_are_to_alonsos_mechanism(seed: u64, cycles in 2usize..1500) {
        equal(TestedMechanism::Alonso, seed, cycles)?;
    }

    #[test]
    fn trains_are_what_single_flits_are_to_soteriou_and_pehs_mechanism(seed: u64, cycles in 2usize..1500) {
        equal(TestedMechanism::SoteriouPeh, seed, cycles)?;
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn trains_are_what_single_flits_are_to_every_mechanism(seed: u64, cycles in 2usize..1500) {
        for kind in TestedMechanism::for_any_switch() {
            equal(kind, seed, cycles)?;
        }
    }

    /// One that freezes ports and sees all that there is to see.
    #[test]
    fn trains_are_taken_apart_for_a_mechanism_that_freezes_ports(seed: u64, cycles in 2usize..1000) {
        equal(TestedMechanism::Erratic, seed, cycles)?;
    }

    #[test]
    fn trains_are_what_single_flits_are_to_one_that_sees_its_neighbours(seed: u64, cycles in 2usize..1000) {
        equal(TestedMechanism::Mimic, seed, cycles)?;
    }
}

/// A packet that is dropped leaves its buffer without going anywhere: what a mechanism sees of buffers changes all the same.
#[test]
fn packets_that_are_dropped_are_seen_to_leave() {
    equal(TestedMechanism::SoteriouPeh, 4898535637004792017, 323).unwrap();
}

/// What the comparison is worth: a train, or credits, that begin a cycle later are told apart. And there are trains.
#[test]
fn a_cycle_more_is_told_apart() {
    let kind = TestedMechanism::Configured;
    let (mut trains, mut credits, mut coupled) = (0, 0, 0);
    for seed in 0..60 {
        let mut recording = Recording::new(kind, seed, 600);
        coupled += recording.coupled();
        let mut rng = Rng::with_seed(seed);
        assert_eq!(recording.difference(recording.switch(kind, seed)), None);
        let cycles = recording.inputs.len();
        let begin = rng.usize(0..cycles - 100);
        // One that has a cycle to spare behind it.
        let port_of = |recording: &Recording, cycle: usize| {
            let train = recording.trains[cycle].iter().find(|train| train.phase.sends() && train.flits > 1)?;
            let behind = &recording.trains[cycle + usize::from(train.flits)];
            let resets = recording.inputs[cycle..cycle + 50].iter().any(|inputs| inputs[0] != 0);
            (!resets && behind.iter().all(|other| other.port != train.port)).then_some(train.port)
        };
        if let Some((cycle, port)) = (begin..cycles - 60).find_map(|cycle| Some((cycle, port_of(&recording, cycle)?))) {
            let place = recording.trains[cycle].iter().position(|train| train.port == port).unwrap();
            let train = recording.trains[cycle].remove(place);
            recording.trains[cycle + 1].push(train);
            assert!(
                recording.difference(recording.switch(kind, seed)).is_some(),
                "seed {seed}, train of cycle {cycle}"
            );
            recording.trains[cycle + 1].pop();
            recording.trains[cycle].insert(place, train);
            trains += 1;
        }
        let run_of = |recording: &Recording, cycle: usize| {
            let run = recording.credits[cycle].last().filter(|run| run.credits > 1)?;
            let behind = &recording.credits[cycle + usize::from(run.credits)];
            let resets = recording.inputs[cycle..cycle + 50].iter().any(|inputs| inputs[0] != 0);
            (!resets && behind.iter().all(|other| other.port != run.port)).then_some(())
        };
        if let Some(cycle) = (begin..cycles - 60).find(|&cycle| run_of(&recording, cycle).is_some()) {
            let run = recording.credits[cycle].pop().unwrap();
            recording.credits[cycle + 1].push(run);
            assert!(recording.difference(recording.switch(kind, seed)).is_some(), "seed {seed}, credits of {cycle}");
            credits += 1;
        }
    }
    assert!(trains > 20 && credits > 20 && coupled > 5_000, "{trains} trains, {credits} runs, {coupled} flits");
}
