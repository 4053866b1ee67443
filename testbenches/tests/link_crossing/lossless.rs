//! That nothing is lost, doubled or reordered, neither flits nor credits nor phases: as long as the queue is deep enough.

use powar_config::{Config, CycleModel, Layout, Role, SwitchConfig, presets};
use powar_golden::lock_step::LockStep;
use powar_golden::reference::links::LinkCrossing;
use powar_golden::reference::links::gray_counter::gray_code;
use powar_golden::reference::links::link_crossing::CrossingInputs;
use powar_golden::reference::links::link_stage::{Back, Forward};
use powar_testbenches::random::Random;
use powar_testbenches::stimulus::{CrossingClocks, CrossingLoad, CrossingTraffic, Stimulus};

/// A link whose buffers have 4 x 15 flits.
fn config(crossing_entries: usize) -> Config {
    let switch = SwitchConfig {
        vcs: 4,
        buffer_flits: 60,
        max_packet_flits: 2,
        flit_bits: 64,
        crossing_entries,
        ..SwitchConfig::default()
    };
    Config { name: "crossing".into(), switch, ..presets::by_name("fat-tree-4").expect("a preset") }
}

/// What came of a run.
struct Run {
    traffic: CrossingTraffic,
    overflow: bool,
}

/// Steps at the end of a run for everything to arrive: sixty flits and their credits over the slowest clocks.
const QUIET: u64 = 3000;

/// A run of the golden model, with synchronisers that take bits old or new at random if there is a seed for it.
fn run(config: &Config, clocks: CrossingClocks, load: CrossingLoad, steps: u64, uncertain: Option<u64>) -> Run {
    let block = match uncertain {
        Some(seed) => LinkCrossing::uncertain(config, seed),
        None => LinkCrossing::new(config),
    };
    watch(config, &mut LockStep::new(block), clocks, load, steps)
}

/// A run of a model, up to the first thing that is wrong.
fn watch(config: &Config, model: &mut dyn CycleModel, clocks: CrossingClocks, load: CrossingLoad, steps: u64) -> Run {
    let layout = model.layout().clone();
    let mut traffic = CrossingTraffic::new(config, &layout, clocks, load, 1).quiet_from(steps - QUIET);
    let (mut inputs, mut shown) = (vec![0; layout.input_slots()], vec![0; layout.observed_slots()]);
    let error = layout.observed(Role::Output, "overflow_error").expect("an output");
    let mut overflow = false;
    for step in 0..steps {
        traffic.drive(step, &shown, &mut inputs);
        model.cycle(&inputs, &mut shown);
        overflow = shown[error] == 1;
        if overflow || !traffic.violations.is_empty() {
            break;
        }
    }
    Run { traffic, overflow }
}

/// Everything has arrived, in order and once.
fn is_sound(run: &Run, what: &str) {
    let Run { traffic, overflow } = run;
    assert!(!overflow && traffic.violations.is_empty(), "{what}: {:#?}", traffic.violations);
    assert!(traffic.is_settled(), "{what}: something has not arrived");
}

#[test]
fn with_an_entry_for_each_credit_nothing_is_lost_whatever_the_clocks() {
    let entries = config(8).switch.crossing_entries_for_any_clocks().expect("few credits");
    assert_eq!(entries, 64);
    for (name, clocks) in CrossingClocks::every_kind() {
        for uncertain in [None, Some(1), Some(2)] {
            for reset_every in [0, 2500] {
                let load = CrossingLoad { reset_every, ..CrossingLoad::LIVELY };
                let run = run(&config(entries), clocks.clone(), load, 30_000, uncertain);
                is_sound(&run, &format!("{name}, {uncertain:?}, reset_every {reset_every}"));
                assert!(run.traffic.delivered > 1500, "{name}: {} flits", run.traffic.delivered);
            }
        }
    }
}

/// The sender sends as fast as it has credits, the receiver reads as fast as it can.
const FULL_RATE: CrossingLoad = CrossingLoad { burst: 0, pause: 0, reads: 0, stall: 0, reset_every: 0 };

#[test]
fn a_flit_lost_to_a_full_queue_is_told() {
    let run = run(&config(8), CrossingClocks::new([1, 4], 0), FULL_RATE, 20_000, None);
    // Before the receiver misses it.
    assert!(run.overflow && run.traffic.violations.is_empty(), "{:?}", run.traffic.violations);
}

#[test]
fn clocks_of_one_rate_need_the_smallest_queue_only() {
    for late in 0..10 {
        for uncertain in [None, Some(3)] {
            let run = run(&config(8), CrossingClocks::new([10, 10], late), FULL_RATE, 30_000, uncertain);
            is_sound(&run, &format!("receiver {late} of 10 behind"));
            // As many flits as cycles, but for the first few.
            let cycles = (30_000 - QUIET) / if late == 0 { 1 } else { 2 };
            assert!(run.traffic.flits + 40 > cycles, "{late}: {} flits in {cycles} cycles", run.traffic.flits);
        }
    }
}

/// Whether a flit is lost if the sender stores as many entries as it may: in any n of its cycles at most `burst` + n times the receiver's rate
/// by the sender's. The receiver needs no credits for this.
fn overflows(entries: usize, periods: [u64; 2], late: u64, burst: f64) -> bool {
    let mut link = LinkCrossing::new(&config(entries));
    let mut clocks = CrossingClocks::new(periods, late);
    let idle = link.to_receiver();
    let rate = (periods[0] as f64 / periods[1] as f64).min(1.0);
    let (mut allowed, mut flits) = (burst, 0u64);
    for step in 0..80_000u64 {
        let [send_edge, receive_edge] = clocks.step();
        // Pauses that last until the queue is empty, then all that is allowed.
        let pause = step % 20_000 < 1000;
        let valid = allowed >= 1.0 && !pause;
        let forward = Forward { valid, flit: vec![flits, 0], ..idle.clone() };
        let (send_rst, receive_rst, back) = (false, false, Back::default());
        link.clock(&CrossingInputs { send_edge, receive_edge, send_rst, receive_rst, forward, back });
        if send_edge {
            flits += u64::from(valid);
            allowed = (allowed - f64::from(u8::from(valid)) + rate).min(burst);
        }
    }
    assert!(flits > 10_000, "{flits} flits");
    link.sender.overflow_error
}

#[test]
fn a_queue_takes_six_entries_and_what_the_sender_is_ahead() {
    // As many base steps late as there are in a period, so that every phase between the clocks comes up.
    for (periods, entries) in [([1000, 1001], 8), ([1000, 1010], 16), ([100, 117], 32), ([10, 23], 16), ([5, 20], 8)] {
        for late in (0..periods[1]).step_by(periods[1] as usize / 5) {
            let ahead = entries as f64 - 6.0;
            assert!(!overflows(entries, periods, late, ahead), "{periods:?}, {entries} entries, {late} late");
            assert!(overflows(entries, periods, late, ahead + 6.0), "{periods:?}, {entries} entries, {late} late");
        }
    }
    // A receiver that is faster needs no more than the six.
    assert!(!overflows(8, [1001, 1000], 0, 1e9));
}

/// A crossing whose sender takes the number of entries read as it is, bit by bit old or new at random, and not in Gray code.
struct WithoutGrayCodes {
    twin: LockStep<LinkCrossing>,
    random: Random,
}

impl CycleModel for WithoutGrayCodes {
    fn layout(&self) -> &Layout {
        self.twin.layout()
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
        let before = self.twin.block.receiver.read.count;
        self.twin.cycle(inputs, observed);
        let edges = ["send_edge", "receive_edge"].map(|edge| inputs[self.layout().input(edge).expect("an input")]);
        if edges == [1, 1] {
            let LinkCrossing { sender, receiver, .. } = &mut self.twin.block;
            let newer = self.random.bits() as u16 & (before ^ receiver.read.count);
            sender.read.first = gray_code(before ^ newer);
        }
    }
}

#[test]
fn without_gray_codes_flits_are_lost() {
    // Few entries, so that a wrong number is often one at which the queue would be full.
    let switch = SwitchConfig { vcs: 1, buffer_flits: 8, ..config(16).switch };
    let config = Config { switch, ..config(16) };
    let (clocks, load) = (CrossingClocks::new([2, 2], 0), CrossingLoad::LIVELY);
    is_sound(&run(&config, clocks.clone(), load, 60_000, Some(1)), "in Gray code");
    for seed in 1..5 {
        let twin = LockStep::new(LinkCrossing::new(&config));
        let mut model = WithoutGrayCodes { twin, random: Random::new(seed) };
        assert!(watch(&config, &mut model, clocks.clone(), load, 60_000).overflow, "seed {seed}");
    }
}
