//! The mechanism alone, and boards with one each on a ring.

use super::{block, boards, stay};
use crate::power::bench::Bench;
use powar_config::Phase::{ComingOn, Off, On};
use powar_config::mechanism::e_rapid::{MECHANISM, RING};
use std::collections::VecDeque;

const BOARDS: usize = 3;
const NODES: usize = 2;
const LINKS: usize = BOARDS * (BOARDS - 1);

/// Cycles of a word on the way from one board to the next.
const LINK_CYCLES: usize = 3;

/// Three boards with two nodes each.
struct Ring {
    boards: Vec<Bench>,
    /// What is on the way to each board.
    cables: Vec<VecDeque<u64>>,
    /// Lets words through; or not; or with one bit changed, now and then.
    noise: fn(u64, u64) -> u64,
    cycle: u64,
}

fn clean(word: u64, _: u64) -> u64 {
    word
}

impl Ring {
    fn new(policy: &str) -> Ring {
        let config = boards(BOARDS, NODES, policy);
        let boards = (0..BOARDS).map(|board| {
            let mut bench = Bench::new(block(&config, MECHANISM.name));
            // One bit for the node.
            bench.set("position", 0, (board << 1) as u64);
            bench
        });
        let cables = vec![VecDeque::from(vec![0; LINK_CYCLES]); BOARDS];
        Ring { boards: boards.collect(), cables, noise: clean, cycle: 0 }
    }

    fn cycles(&mut self, cycles: usize) {
        for _ in 0..cycles {
            for (board, cable) in self.boards.iter_mut().zip(&mut self.cables) {
                board.set("ring_in", 0, cable.pop_front().expect("a word"));
                board.cycle();
            }
            for board in 0..BOARDS {
                let word = self.boards[board].see("ring_out", 0);
                self.cable_from(board).push_back(word);
            }
            self.cycle += 1;
            self.check();
        }
    }

    fn cable_from(&mut self, board: usize) -> Noisy<'_> {
        let salt = self.cycle * BOARDS as u64 + board as u64;
        Noisy { cable: &mut self.cables[(board + 1) % BOARDS], noise: self.noise, salt }
    }

    /// No wavelength has two holders that may use it, and who has none has its laser off.
    fn check(&self) {
        for to in 0..BOARDS {
            for wavelength in 0..BOARDS {
                let holders = self.holders(to, wavelength);
                assert!(holders.len() < 2, "cycle {}: wavelength {wavelength} to board {to}: {holders:?}", self.cycle);
            }
        }
        for board in &self.boards {
            for link in 0..LINKS {
                let is_off = board.see("phase", NODES + link) == Off as u64;
                assert_eq!(is_off, board.see("link.holds", link) == 0);
            }
        }
    }

    /// Who has a wavelength to a board and does not offer it.
    fn holders(&self, to: usize, wavelength: usize) -> Vec<usize> {
        let holds = |from: &usize| {
            let further = (to + BOARDS - from) % BOARDS;
            let see = |signal: &str| self.boards[*from].see(signal, (further - 1) * BOARDS + wavelength) == 1;
            further > 0 && see("link.holds") && !see("link.offered")
        };
        (0..BOARDS).filter(holds).collect()
    }

    /// Who has each wavelength to a board.
    fn all_holders(&self, to: usize) -> [Vec<usize>; BOARDS] {
        [0, 1, 2].map(|wavelength| self.holders(to, wavelength))
    }

    /// On a board: packets want the board that is so much further, and hold these wavelengths to it.
    fn load(&mut self, board: usize, further: usize, wanted: bool, held: u64) {
        let low = NODES + (further - 1) * BOARDS;
        self.boards[board].set("wanted", 0, if wanted { 0b111 << low } else { 0 });
        self.boards[board].set("held", 0, held << low);
    }
}

struct Noisy<'a> {
    cable: &'a mut VecDeque<u64>,
    noise: fn(u64, u64) -> u64,
    salt: u64,
}

impl Noisy<'_> {
    fn push_back(self, word: u64) {
        self.cable.push_back((self.noise)(word, self.salt));
    }
}

/// The wavelengths as they belong to the boards: (s - d) mod B from s to d.
fn at_first(to: usize) -> [Vec<usize>; BOARDS] {
    [vec![], vec![(to + 1) % BOARDS], vec![(to + 2) % BOARDS]]
}

#[test]
fn it_has_the_signals_that_it_sees_and_no_other() {
    let bench = Bench::new(block(&boards(BOARDS, NODES, "p-b"), MECHANISM.name));
    for (input, present) in [
        ("position", true),
        ("wanted", true),
        ("ring_in", true),
        ("fill", false),
        ("arriving", false),
        ("neighbour_phase", false),
    ] {
        assert_eq!(bench.has(input), present, "{input}");
    }
}

#[test]
fn ports_to_nodes_are_on_and_each_board_has_one_wavelength_to_each_other() {
    for (size, nodes) in [(2, 1), (3, 2), (8, 8)] {
        let mut bench = Bench::new(block(&boards(size, nodes, "np-nb"), MECHANISM.name));
        bench.cycle();
        let mut expected = (1 << nodes) - 1;
        for further in 1..size {
            expected |= 1_u64 << (nodes + (further - 1) * size + size - further);
        }
        for signal in ["grantable", "ready", "steady", "serves"] {
            assert_eq!(bench.see(signal, 0), expected, "{signal}");
        }
        assert_eq!((bench.see("waking", 0), bench.see("hint", 0)), (0, 0));
        assert_eq!(bench.see("preferred", 0), u64::MAX >> (64 - nodes - size * (size - 1)));
        for port in 0..nodes + size * (size - 1) {
            let on = expected >> port & 1 == 1;
            let seen = (bench.see("phase", port), bench.see("level", port));
            assert_eq!(seen, if on { (On as u64, 5) } else { (Off as u64, 0) }, "{size} boards, port {port}");
        }
    }
}

#[test]
fn nothing_changes_under_the_reference() {
    let mut ring = Ring::new("np-nb");
    ring.load(0, 1, true, 0b100);
    for _ in 0..40 {
        ring.cycles(50);
        (0..BOARDS).for_each(|to| assert_eq!(ring.all_holders(to), at_first(to)));
        for board in &ring.boards {
            let levels: Vec<u64> = (0..LINKS).map(|link| board.see("level", NODES + link)).collect();
            assert_eq!(levels, [0, 0, 5, 0, 5, 0]);
            assert_eq!((board.see("serves", 0), board.see("station.ring_errors", 0)), (0b0101_0011, 0));
            assert_eq!(board.see("controller.lost_messages", 0), 0);
        }
    }
}

#[test]
fn an_idle_link_goes_down_a_level_a_window_and_up_when_packets_wait() {
    let mut ring = Ring::new("p-nb");
    let port = NODES + 2;
    let mut levels = vec![];
    for _ in 0..6 {
        ring.cycles(256);
        levels.push(ring.boards[0].see("level", port));
    }
    assert_eq!(levels, [5, 4, 3, 2, 1, 0], "decided with the end of a window");
    assert_eq!(ring.boards[0].see("phase", port), On as u64);
    // A packet holds the port and another waits, until the link is to change its level.
    ring.load(0, 1, true, 0b100);
    ring.cycles(512);
    assert_eq!((ring.boards[0].see("level", port), ring.boards[0].see("link.retuning", 2)), (0, 1));
    assert_eq!(ring.boards[0].see("serves", 0) >> port & 1, 0);
    ring.load(0, 1, true, 0);
    let board = &mut ring.boards[0];
    let history: Vec<[u64; 4]> = (0..7)
        .map(|_| {
            board.cycle();
            let bit = |signal: &str| board.see(signal, 0) >> port & 1;
            [board.see("phase", port), board.see("level", port), bit("waking"), bit("hint")]
        })
        .collect();
    let dead = |first| [ComingOn as u64, 1, 0, first];
    assert_eq!(history, [[On as u64, 0, 1, 0], dead(1), dead(0), dead(0), dead(0), dead(0), [On as u64, 1, 0, 0]]);
}

#[test]
fn idle_wavelengths_go_to_the_board_that_waits_and_come_back_when_their_first_board_claims_them() {
    let mut ring = Ring::new("np-b");
    // Board 0 has wavelength 2 to board 1, uses it all the time and needs more.
    ring.load(0, 1, true, 0b100);
    ring.cycles(2 * 256);
    assert_eq!(ring.all_holders(1), [0, 0, 0].map(|board| vec![board]), "the spare one and board 2's");
    assert_eq!(ring.all_holders(2), at_first(2));
    assert_eq!(ring.boards[0].see("serves", 0) >> NODES & 0b111, 0b111);
    // Board 2 wants its own back, wavelength 1; packets of board 0 are on all.
    ring.load(0, 1, true, 0b111);
    ring.load(2, 2, true, 0);
    ring.cycles(2 * 256);
    assert_eq!(ring.all_holders(1), [0, 0, 0].map(|board| vec![board]), "still in use");
    assert_eq!(ring.boards[0].see("link.leaving", 1), 1);
    assert_eq!(ring.boards[0].see("grantable", 0) >> NODES & 0b111, 0b101);
    ring.load(0, 1, true, 0b101);
    ring.cycles(5);
    assert_eq!(ring.all_holders(1), [vec![0], vec![], vec![0]], "drained, laser off");
    ring.cycles(256);
    assert_eq!(ring.all_holders(1), [vec![0], vec![2], vec![0]]);
}

#[test]
fn a_laser_that_comes_on_is_dead_for_its_time() {
    let mut ring = Ring::new("np-b");
    ring.load(0, 1, true, 0b100);
    while ring.boards[0].see("waking", 0) == 0 {
        ring.cycles(1);
        assert!(ring.cycle < 512);
    }
    let waking = ring.boards[0].see("waking", 0);
    assert!(waking == 1 << NODES, "the spare one comes first: {waking:#b}");
    let mut phases = vec![];
    for _ in 0..7 {
        ring.cycles(1);
        phases.push(ring.boards[0].see("phase", NODES));
    }
    assert_eq!(phases, [stay(ComingOn, 5), stay(On, 2)].concat());
}

/// A ring that is cut: each board gives its requests up and leaves all as it is, and what is offered elsewhere is open again.
#[test]
fn a_ring_that_is_cut_costs_messages_alone() {
    let mut ring = Ring::new("np-b");
    ring.noise = |_, _| 0;
    ring.load(0, 1, true, 0b100);
    ring.cycles(3 * 256 + 200);
    for board in &ring.boards {
        assert_eq!(board.see("controller.lost_messages", 0), 3 * BOARDS as u64);
        assert_eq!(board.see("ring_out", 0), 0);
    }
    (0..BOARDS).for_each(|to| assert_eq!(ring.all_holders(to), at_first(to)));
}

/// One word in eight loses a bit, messages or silence: whatever is lost, `check` finds no wavelength with two holders.
#[test]
fn noise_on_the_ring_gives_no_wavelength_two_holders() {
    let mut ring = Ring::new("p-b");
    ring.noise = |word, salt| {
        let random = salt.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        if random % 8 == 0 { word ^ (1 << ((random >> 8) % RING.bits as u64)) } else { word }
    };
    let mut changes = 0;
    for round in 0..40_usize {
        // Each board in turn wants the next one or the one behind it.
        let (board, further) = (round % BOARDS, 1 + round / BOARDS % 2);
        ring.load(board, further, true, 0b110);
        let before: Vec<_> = (0..BOARDS).map(|to| ring.all_holders(to)).collect();
        ring.cycles(300);
        let after: Vec<_> = (0..BOARDS).map(|to| ring.all_holders(to)).collect();
        changes += usize::from(before != after);
        if round % 4 == 3 {
            (0..BOARDS).for_each(|board| ring.load(board, 1, false, 0));
        }
    }
    assert!(changes > 10, "{changes}");
    let errors: u64 = ring.boards.iter().map(|board| board.see("station.ring_errors", 0)).sum();
    assert!(errors > 1000, "{errors}");
    let lost: u64 = ring.boards.iter().map(|board| board.see("controller.lost_messages", 0)).sum();
    assert!(lost > 10, "{lost}");
}

#[test]
fn software_reads_what_was_lost_and_changes_the_policy() {
    let mut ring = Ring::new("np-nb");
    ring.noise = |word, _| word ^ 1;
    ring.cycles(600);
    let board = &mut ring.boards[0];
    for (address, expected) in [(0x17, 600 - LINK_CYCLES as u64), (0x18, 2 * BOARDS as u64)] {
        board.set("read_address", 0, address);
        board.cycle();
        let seen = board.see("read_data", 0);
        assert!(seen.abs_diff(expected) <= 3, "{address:#x}: {seen}");
    }
    board.set("write_enable", 0, 1);
    board.set("write_address", 0, 0x10);
    board.set("write_data", 0, 3);
    board.cycles(2);
    assert_eq!(board.see("registers.policy", 0), 3);
}
