//! Boards of E-RAPID's mechanism on a ring: whatever is lost on it, no wavelength to a board is used by two, and none is lost for ever.
//!
//! A case is a seed. `POWAR_SEED=7 cargo test -p powar-golden --test all e_rapid_ring -- --nocapture` runs that one alone.

use fastrand::Rng;
use powar_config::Phase;
use powar_config::mechanism::e_rapid::{ERapidValues, Kind, Layout, RING, RingWord};
use powar_config::topology::digit_bits;
use powar_golden::bits::is_set;
use powar_golden::reference::mechanisms::e_rapid::ERapid;
use powar_golden::reference::power::mechanism::{MechanismInputs, Write};
use powar_golden::reference::power::{PowerMechanism, Surroundings};
use std::collections::VecDeque;

/// Cycles for which a port may still be given when it is not grantable any more.
const GIVEN_LATE: u32 = 3;
/// A port is released with the flit behind which so many follow.
const BEHIND_RELEASE: u32 = 4;

/// A link's port, as a switch uses it.
#[derive(Clone, Copy, Default)]
struct Port {
    /// Cycles since it was grantable and free.
    since: u32,
    held: bool,
    /// Flits of the packet that have not set out, from when it was given.
    flits: u32,
    /// Cycles until the first one.
    latency: u32,
}

/// What is lost on the ring, of 65536 words, idle ones too.
#[derive(Clone, Copy, Default)]
struct Weather {
    lost: u16,
    corrupted: u16,
}

/// What a run has seen, so that a test knows that it was worth something.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    packets: u64,
    taken: u64,
    dropped: u64,
    left: u64,
    retuned: u64,
    lost: u64,
    late: u64,
    dead_cycles: u64,
}

struct Ring {
    layout: Layout,
    boards: Vec<ERapid>,
    ports: Vec<Vec<Port>>,
    /// Element b: words on the way to board b.
    cables: Vec<VecDeque<u64>>,
    /// Packets of board b for the board o further, by [b][o - 1], and how often one comes, of 65536 cycles.
    waiting: Vec<Vec<u32>>,
    load: Vec<Vec<u16>>,
    /// Words whose parity was put wrong on the way to a board, and requests of a board that were lost.
    corrupted: Vec<u16>,
    lost_requests: Vec<u16>,
    weather: Weather,
    cycle: u64,
    tally: Tally,
    rng: Rng,
}

impl Ring {
    fn new(boards: usize, values: ERapidValues, seed: u64) -> Ring {
        let mut rng = Rng::with_seed(seed);
        let nodes = rng.usize(1..=8);
        let layout = Layout { boards, nodes, low: digit_bits(nodes), bits: digit_bits(boards) };
        let delay = rng.usize(0..=5);
        Ring {
            layout,
            boards: vec![ERapid::of(layout, values); boards],
            ports: vec![vec![Port { since: u32::MAX, ..Port::default() }; layout.links()]; boards],
            cables: vec![VecDeque::from(vec![0; delay]); boards],
            waiting: vec![vec![0; boards - 1]; boards],
            load: vec![vec![0; boards - 1]; boards],
            corrupted: vec![0; boards],
            lost_requests: vec![0; boards],
            weather: Weather::default(),
            cycle: 0,
            tally: Tally::default(),
            rng,
        }
    }

    /// Other loads between all pairs of boards, most of them nothing or more than one wavelength carries.
    fn draw_loads(&mut self) {
        for load in self.load.iter_mut().flatten() {
            *load = [0, 0, 0, 200, 1500, 6000][self.rng.usize(0..6)];
        }
    }

    /// A link's destination and wavelength.
    fn wavelength(&self, board: usize, link: usize) -> (usize, usize) {
        let boards = self.layout.boards;
        ((board + link / boards + 1) % boards, link % boards)
    }

    /// What comes in at a board in this cycle, on its way to which `out` goes.
    fn carry(&mut self, to: usize, out: u64) -> u64 {
        let Weather { lost, corrupted } = self.weather;
        let mut word = out;
        let is_lost = self.rng.u16(..) < lost;
        let is_corrupted = !is_lost && self.rng.u16(..) < corrupted;
        if is_lost | is_corrupted {
            if let Some(RingWord { kind: Kind::BoardRequest, owner, .. }) = RingWord::unpacked(word) {
                self.lost_requests[usize::from(owner)] += 1;
            }
            self.tally.lost += u64::from(word != 0);
        }
        if is_lost {
            word = 0;
        } else if is_corrupted {
            word ^= 1 << self.rng.usize(0..RING.bits);
        }
        self.cables[to].push_back(word);
        let comes = self.cables[to].pop_front().unwrap();
        self.corrupted[to] += u16::from(!comes.count_ones().is_multiple_of(2));
        comes
    }

    /// The ports that are given and those that send in this cycle, as a switch would have it.
    fn use_ports(&mut self, board: usize, grantable: u64, ready: u64) -> (u64, u64, u64) {
        let (mut given, mut departing, mut released) = (0, 0, 0);
        for link in 0..self.layout.links() {
            let (port, bit) = (&mut self.ports[board][link], 1 << (self.layout.nodes + link));
            let is_free = grantable & bit != 0 && !port.held;
            port.since = if is_free { 0 } else { port.since.saturating_add(1) };
            if port.held {
                assert!(ready & bit != 0, "a port that is held is ready");
            }
            if port.flits > 0 && port.latency > 0 {
                port.latency -= 1;
            } else if port.flits > 0 {
                // Once the port is released, the last flits follow without a gap.
                if !port.held || self.rng.u8(..) < 200 {
                    assert!(ready & bit != 0, "nothing sets out on a link that is not on");
                    departing |= bit;
                    port.flits -= 1;
                    if port.held && port.flits <= BEHIND_RELEASE {
                        released |= bit;
                    }
                }
            }
            let waiting = &mut self.waiting[board][link / self.layout.boards];
            let may_be_given = !port.held && port.flits == 0 && port.since <= GIVEN_LATE;
            if may_be_given && *waiting > 0 && self.rng.u8(..) < 60 {
                given |= bit;
                *waiting -= 1;
                self.tally.packets += 1;
                self.tally.late += u64::from(port.since == GIVEN_LATE);
                (port.flits, port.latency) = (self.rng.u32(1..=40), self.rng.u32(1..6));
            }
        }
        (given, departing, released)
    }

    /// One cycle of all boards. `write`: to one of them.
    fn step(&mut self, write: Option<(usize, Write)>) {
        let outputs: Vec<_> = self.boards.iter().map(|board| board.outputs(&MechanismInputs::default())).collect();
        self.check();
        let before = self.boards.clone();
        for board in 0..self.layout.boards {
            let ring_in = self.carry(board, outputs[(board + self.layout.boards - 1) % self.layout.boards].ring);
            for further in 1..self.layout.boards {
                let waiting = &mut self.waiting[board][further - 1];
                if self.rng.u16(..) < self.load[board][further - 1] && *waiting < 20 {
                    *waiting += 1;
                }
            }
            let held = self.ports[board].iter().enumerate();
            let held = held.fold(0, |held, (link, port)| held | u64::from(port.held) << (self.layout.nodes + link));
            let wanted = (0..self.layout.links()).fold(0, |wanted, link| {
                let waits = self.waiting[board][link / self.layout.boards] > 0;
                wanted | u64::from(waits) << (self.layout.nodes + link)
            });
            let (given, departing, released) = self.use_ports(board, outputs[board].grantable, outputs[board].ready);
            for (link, port) in self.ports[board].iter_mut().enumerate() {
                let is = |ports: u64| is_set(ports, self.layout.nodes + link);
                port.held = is(given) || port.held && !is(released);
            }
            let position = (board << self.layout.low) as u16;
            let around = Surroundings { position, wanted, ring_in, ..Surroundings::default() };
            let write = write.filter(|(to, _)| *to == board).map(|(_, write)| write);
            self.boards[board].clock(&MechanismInputs { around, held, given, departing, write });
        }
        self.note(&before);
        self.cycle += 1;
    }

    fn note(&mut self, before: &[ERapid]) {
        let pairs = before.iter().zip(&self.boards).flat_map(|(before, after)| before.link.iter().zip(&after.link));
        for (before, after) in pairs {
            self.tally.taken += u64::from(!before.holds && after.holds);
            self.tally.dropped += u64::from(before.holds && !after.holds);
            self.tally.left += u64::from(before.leaving && !after.holds);
            self.tally.retuned += u64::from(before.retuning && !after.retuning);
            self.tally.dead_cycles += u64::from(after.phase == Phase::ComingOn);
        }
    }

    /// No wavelength to a board is used by two.
    fn check(&self) {
        let links =
            || (0..self.layout.boards).flat_map(|board| (0..self.layout.links()).map(move |link| (board, link)));
        let mut users: Vec<Option<usize>> = vec![None; self.layout.boards * self.layout.boards];
        for (board, link) in links() {
            let (controller, port) = (&self.boards[board].link[link], &self.ports[board][link]);
            let in_use = port.held || port.flits > 0 || controller.debt > 0;
            assert!(controller.holds || !in_use, "board {board} uses link {link}, which it has not");
            assert!(!(controller.offered && (in_use || controller.open())), "what is offered is not used");
            assert_eq!(controller.holds, controller.phase != Phase::Off, "a laser is on at one who has the wavelength");
            if controller.holds && !controller.offered {
                let (destination, wavelength) = self.wavelength(board, link);
                let user = &mut users[destination * self.layout.boards + wavelength];
                let other = user.replace(board);
                assert_eq!(other, None, "boards {other:?} and {board}: wavelength {wavelength} to {destination}");
            }
        }
    }

    /// Runs so many cycles; now and then loads change, and software writes something.
    fn run(&mut self, cycles: u64, writes: bool) {
        for _ in 0..cycles {
            if self.rng.u16(0..1500) == 0 {
                self.draw_loads();
            }
            let write = (writes && self.rng.u16(0..2000) == 0).then(|| self.some_write());
            self.step(write);
        }
    }

    fn some_write(&mut self) -> (usize, Write) {
        let (address, data) = match self.rng.u8(0..6) {
            0 => (0x44, self.rng.u32(256..600)),
            1 => (0x50, self.rng.u32(0..200)),
            2 => (0x54, self.rng.u32(0..10)),
            3 => (0x58, self.rng.u32(0..120)),
            _ => (0x40, [0, 1, 2, 2, 3, 3][self.rng.usize(0..6)]),
        };
        (self.rng.usize(0..self.layout.boards), Write { address: address / 4, data })
    }

    /// Pairs of boards, sender and how much further, with a packet that waits and no wavelength.
    fn starved(&self) -> Vec<(usize, usize)> {
        let boards = self.layout.boards;
        let pairs = (0..boards).flat_map(|board| (1..boards).map(move |further| (board, further)));
        pairs
            .filter(|&(board, further)| {
                let links = &self.boards[board].link[(further - 1) * boards..further * boards];
                self.waiting[board][further - 1] > 0 && !links.iter().any(|link| link.holds)
            })
            .collect()
    }
}

fn values(rng: &mut Rng, policy: u8) -> ERapidValues {
    let window = rng.u16(256..500);
    let b_min = rng.u16(0..window / 4);
    ERapidValues {
        policy,
        window,
        b_min,
        b_max: b_min + rng.u16(0..window / 2),
        b_con: rng.u16(0..window / 2),
        degree: rng.u8(1..=8),
        dead_time: rng.u8(1..100),
    }
}

/// The seeds to run: one that is named, or all.
fn seeds(count: u64) -> Vec<u64> {
    match std::env::var("POWAR_SEED") {
        Ok(seed) => vec![seed.parse().expect("POWAR_SEED is a number")],
        Err(_) => (0..count).collect(),
    }
}

/// Runs a case and says how to run it again if it fails.
fn case(test: &str, seed: u64, run: impl FnOnce() -> Tally + std::panic::UnwindSafe) -> Tally {
    std::panic::catch_unwind(run).unwrap_or_else(|panic| {
        eprintln!(
            "seed {seed}: POWAR_SEED={seed} cargo test -p powar-golden --test all e_rapid_ring::{test} -- --nocapture"
        );
        std::panic::resume_unwind(panic)
    })
}

fn sum(tallies: impl Iterator<Item = Tally>) -> Tally {
    tallies.fold(Tally::default(), |sum, one| Tally {
        packets: sum.packets + one.packets,
        taken: sum.taken + one.taken,
        dropped: sum.dropped + one.dropped,
        left: sum.left + one.left,
        retuned: sum.retuned + one.retuned,
        lost: sum.lost + one.lost,
        late: sum.late + one.late,
        dead_cycles: sum.dead_cycles + one.dead_cycles,
    })
}

/// Under loss and corruption, then without: what is counted is what was lost, and whoever waits gets a wavelength.
fn stormy_and_calm(boards: usize, seed: u64, storm: u64) -> Tally {
    let mut rng = Rng::with_seed(seed ^ 0x5eed << 32);
    let policy = [0, 1, 2, 2, 3, 3, 3][rng.usize(0..7)];
    let mut ring = Ring::new(boards, values(&mut rng, policy), seed);
    ring.draw_loads();
    let chance = |rng: &mut Rng| [0, 200, 3000, 20_000][rng.usize(0..4)];
    ring.weather = Weather { lost: chance(&mut rng), corrupted: chance(&mut rng) };
    ring.run(storm, true);
    ring.weather = Weather::default();
    // What was lost in the last window is counted in it or the next: windows have at most 600 cycles.
    ring.run(3000, false);
    for (number, board) in ring.boards.iter().enumerate() {
        assert_eq!(board.station.ring_errors, ring.corrupted[number], "board {number}");
        assert_eq!(board.controller.lost_messages, ring.lost_requests[number], "board {number}");
    }
    // Somebody wants everything: each gets a wavelength within a few windows, whoever has them now.
    ring.load.iter_mut().flatten().for_each(|load| *load = 1000);
    for _ in 0..8 * 600 {
        ring.step(None);
    }
    ring.load.iter_mut().flatten().for_each(|load| *load = u16::MAX);
    for _ in 0..8 * 600 {
        ring.step(None);
    }
    assert_eq!(ring.starved(), [], "sender, how much further");
    ring.tally
}

macro_rules! rings {
    ($($name:ident: $boards:literal boards, $seeds:literal seeds of $cycles:literal cycles;)*) => {$(
        #[test]
        fn $name() {
            let run = |&seed: &u64| case(stringify!($name), seed, move || stormy_and_calm($boards, seed, $cycles));
            let tally = sum(seeds($seeds).iter().map(run));
            eprintln!("{}: {tally:?}", stringify!($name));
            if std::env::var("POWAR_SEED").is_err() {
                let Tally { packets, taken, dropped, left, retuned, lost, late, dead_cycles } = tally;
                let mut seen = vec![packets, taken, retuned, lost, late, dead_cycles];
                // Of two boards each has all wavelengths to the other for itself.
                seen.extend([dropped, left].into_iter().filter(|_| $boards > 2));
                assert!(seen.iter().all(|&count| count > 20), "{tally:?}");
            }
        }
    )*};
}

rings! {
    two_boards_share_wavelengths_whatever_is_lost: 2 boards, 40 seeds of 30_000 cycles;
    three_boards_share_wavelengths_whatever_is_lost: 3 boards, 40 seeds of 30_000 cycles;
    eight_boards_share_wavelengths_whatever_is_lost: 8 boards, 5 seeds of 15_000 cycles;
}
