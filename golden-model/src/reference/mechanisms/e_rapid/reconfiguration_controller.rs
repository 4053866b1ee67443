//! `reconfiguration_controller`: once a window it asks who has the wavelengths to its board and who waits for more, and says who gets them.

use super::ring_station::{CLAIM, HOLDER, KIND, LIT, OFFERED, WAIT, WAVELENGTH, field};
use crate::bits::{is_set, low_bits};
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Habit;
use powar_config::mechanism::e_rapid::{Kind, RING, RingWord};
use powar_config::signal::{code, count, duration, elapsed, flag, number, ring_word, set};

/// What the controller does: steps 1 to 8 of the paper's Table 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum State {
    #[default]
    Wait,
    LinkRequest,
    BoardRequest,
    Collect,
    Tally,
    Classify,
    BoardResponse,
    LinkResponse,
}

/// Their names, by code.
const STATES: [&str; 8] =
    ["Wait", "LinkRequest", "BoardRequest", "Collect", "Tally", "Classify", "BoardResponse", "LinkResponse"];
/// Names of boards, by number.
const BOARDS: [&str; 8] = ["board0", "board1", "board2", "board3", "board4", "board5", "board6", "board7"];

/// The controller; the public fields are its registers. Sets have a bit for each wavelength, lists an element for each wavelength or board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReconfigurationController {
    boards: usize,
    pub state: State,
    /// Link or wavelength whose turn it is, 6 bits.
    pub index: u8,
    /// Board that is looked at in `Classify`, 4 bits.
    pub scan: u8,
    /// Cycles in `Collect`, 12 bits.
    pub elapsed: u16,
    /// Requests that have come back.
    pub got: u8,
    /// Of wavelengths as their requests came back, then as they are answered.
    pub lit: u8,
    pub offered: u8,
    pub claimed: u8,
    /// Boards, 3 bits each.
    pub holder: Vec<u8>,
    /// `wait` of the requests, 12 bits each.
    pub waiting: Vec<u16>,
    /// Wavelengths in use that a board has to this one, 4 bits each.
    pub count: Vec<u8>,
    /// How boards wait, 12 bits each.
    pub demand: Vec<u16>,
    /// Wavelengths that boards are given in this window, 4 bits each.
    pub gained: Vec<u8>,
    /// Some board is to get the wavelength, and which.
    pub found: bool,
    pub best: u8,
    /// Requests that did not come back, modulo 2^16.
    pub lost_messages: u16,
}

inputs! {
    /// What the controller sees in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ReconfigurationInputs {
        /// Last cycle of a window.
        pub check: bool = flag("check"),
        /// DBR is on.
        pub by_bandwidth: bool = flag("by_bandwidth").habit(Habit::Held),
        /// Number of this board.
        pub me: u8 = number("me", 3).habit(Habit::Held),
        /// R_w and B_con, cycles, 12 bits each.
        pub window: u16 = duration("window", 12),
        pub b_con: u16 = count("b_con", 12),
        /// Most wavelengths that a board is given to another, 4 bits.
        pub degree: u8 = number("degree", 4).habit(Habit::Held),
        /// The message has gone out.
        pub sent: bool = flag("sent"),
        /// A message of this board has come back, and it, 42 bits.
        pub own: bool = flag("own"),
        pub word: u64 = ring_word("word", Some(&RING)),
    }
}

impl ReconfigurationController {
    /// Of so many boards, 2..=8, in its state after reset.
    pub fn new(boards: usize) -> Self {
        ReconfigurationController {
            boards,
            state: State::Wait,
            index: 0,
            scan: 0,
            elapsed: 0,
            got: 0,
            lit: 0,
            offered: 0,
            claimed: 0,
            holder: vec![0; boards],
            waiting: vec![0; boards],
            count: vec![0; boards],
            demand: vec![0; boards],
            gained: vec![0; boards],
            found: false,
            best: 0,
            lost_messages: 0,
        }
    }

    /// L, links of a board to others.
    fn links(&self) -> usize {
        self.boards * (self.boards - 1)
    }

    fn every(&self) -> u8 {
        low_bits(self.boards) as u8
    }

    fn is_last_wavelength(&self) -> bool {
        usize::from(self.index) + 1 == self.boards
    }

    fn is_last_link(&self) -> bool {
        usize::from(self.index) + 1 == self.links()
    }

    fn has(&self, set: u8) -> bool {
        is_set(set.into(), self.index.into())
    }

    /// There is a message to be sent.
    pub fn send(&self) -> bool {
        match self.state {
            State::BoardRequest => true,
            State::BoardResponse => self.has(self.got),
            _ => false,
        }
    }

    /// It, with a parity of 0.
    pub fn message(&self, me: u8) -> u64 {
        let is_response = self.state == State::BoardResponse;
        let fields = RingWord {
            kind: if is_response { Kind::BoardResponse } else { Kind::BoardRequest },
            owner: me,
            wavelength: self.index & 7,
            lit: is_response && self.has(self.lit),
            holder: if is_response { self.holder[usize::from(self.index)] } else { 0 },
            ..RingWord::default()
        };
        fields.packed() & low_bits(RING.bits - 1)
    }

    /// The board to which a wavelength belongs at first, 3 bits.
    fn first(&self, me: u8) -> u8 {
        let sum = me + self.index;
        let boards = self.boards as u8;
        (if sum >= boards { sum - boards } else { sum }) & 7
    }

    /// A request has come back.
    fn take(&mut self, word: u64) {
        let wavelength = field(word, WAVELENGTH) as usize;
        if wavelength >= self.boards {
            return;
        }
        let put = |set: &mut u8, of| *set = *set & !(1 << wavelength) | (field(word, of) as u8) << wavelength;
        put(&mut self.lit, LIT);
        put(&mut self.offered, OFFERED);
        put(&mut self.claimed, CLAIM);
        self.holder[wavelength] = field(word, HOLDER) as u8;
        self.waiting[wavelength] = field(word, WAIT) as u16;
        self.got |= 1 << wavelength;
    }

    /// Whether board `scan` is to get the wavelength rather than those before it.
    fn is_better(&self, inputs: &ReconfigurationInputs) -> bool {
        let (j, best) = (usize::from(self.scan), usize::from(self.best));
        let able = inputs.by_bandwidth
            && self.scan != inputs.me
            && self.demand[j] > inputs.b_con
            && self.count[j] + self.gained[j] < inputs.degree;
        let better = !self.found
            || self.gained[j] < self.gained[best]
            || self.gained[j] == self.gained[best] && self.demand[j] > self.demand[best];
        able && better
    }

    /// Decides who gets wavelength `index`.
    fn decide(&mut self, me: u8) {
        let (bit, index) = (1 << self.index, usize::from(self.index));
        let (claimed, first, has_one) = (self.has(self.claimed), self.first(me), self.has(self.lit));
        let free = self.has(self.offered) || !has_one;
        let mut give = |board: u8| (self.lit, self.holder[index]) = (self.lit | bit, board);
        match (claimed, free, self.found) {
            (true, true, _) => give(first),
            // Its holder is to leave it.
            (true, false, _) => self.lit &= !bit,
            (false, true, true) => {
                give(self.best);
                self.gained[usize::from(self.best)] += 1;
            }
            (false, true, false) if !has_one && index != 0 => give(first),
            (false, ..) => {}
        }
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = ReconfigurationController::new(self.boards);
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &ReconfigurationInputs) {
        // What is looked at is as it was before the edge.
        let (state, index) = (self.state, usize::from(self.index));
        let (is_last_link, is_last) = (self.is_last_link(), self.is_last_wavelength());
        let next =
            |is_last: bool, state: State, then: State| if is_last { (then, 0) } else { (state, index as u8 + 1) };
        match state {
            State::Wait if inputs.check => (self.state, self.index) = (State::LinkRequest, 0),
            State::Wait => {}
            State::LinkRequest => {
                (self.state, self.index) = next(is_last_link, state, State::BoardRequest);
                if is_last_link {
                    (self.got, self.elapsed) = (0, 0);
                    self.count.fill(0);
                    self.demand.fill(0);
                    self.gained.fill(0);
                }
            }
            State::BoardRequest if inputs.sent => (self.state, self.index) = next(is_last, state, State::Collect),
            State::BoardRequest => {}
            State::Collect => {
                if self.got == self.every() || self.elapsed >= inputs.window / 2 {
                    self.state = State::Tally;
                    let lost = (self.every() & !self.got).count_ones() as u16;
                    self.lost_messages = self.lost_messages.wrapping_add(lost);
                }
                self.elapsed += 1;
            }
            State::Tally => {
                let holder = usize::from(self.holder[index]);
                if self.has(self.got & self.lit & !self.offered) && holder < self.boards {
                    self.count[holder] += 1;
                    self.demand[holder] = self.waiting[index];
                }
                (self.state, self.index) = next(is_last, state, State::Classify);
                if is_last {
                    (self.scan, self.found) = (0, false);
                }
            }
            State::Classify if usize::from(self.scan) < self.boards => {
                if self.is_better(inputs) {
                    (self.found, self.best) = (true, self.scan);
                }
                self.scan += 1;
            }
            State::Classify => {
                if self.has(self.got) {
                    self.decide(inputs.me);
                }
                (self.scan, self.found) = (0, false);
                (self.state, self.index) = next(is_last, state, State::BoardResponse);
            }
            State::BoardResponse if inputs.sent || !self.has(self.got) => {
                (self.state, self.index) = next(is_last, state, State::LinkResponse);
            }
            State::BoardResponse => {}
            State::LinkResponse => (self.state, self.index) = next(is_last_link, state, State::Wait),
        }
        let collects = matches!(state, State::BoardRequest | State::Collect);
        if collects && inputs.own && field(inputs.word, KIND) == Kind::BoardRequest as u64 {
            self.take(inputs.word);
        }
    }
}

impl Registers for ReconfigurationController {
    fn list(&self, rows: &mut RegisterRows) {
        let boards = self.boards;
        rows.one(code("state", 3, &STATES), self.state as u8);
        rows.one(number("index", 6), self.index);
        rows.one(number("scan", 4), self.scan);
        rows.one(elapsed("elapsed", 12), self.elapsed);
        rows.one(set("got", boards), self.got);
        rows.one(set("lit", boards), self.lit);
        rows.one(set("offered", boards), self.offered);
        rows.one(set("claimed", boards), self.claimed);
        rows.many(code("holder", 3, &BOARDS), self.holder.iter().copied());
        rows.many(count("waiting", 12), self.waiting.iter().copied());
        rows.many(count("count", 4), self.count.iter().copied());
        rows.many(count("demand", 12), self.demand.iter().copied());
        rows.many(count("gained", 4), self.gained.iter().copied());
        rows.one(flag("found"), self.found);
        rows.one(code("best", 3, &BOARDS), self.best);
        rows.one(count("lost_messages", 16), self.lost_messages);
    }
}

impl Block for ReconfigurationController {
    type Inputs<'a> = ReconfigurationInputs;

    fn outputs(&self, seen: &ReconfigurationInputs, rows: &mut RegisterRows) {
        rows.one(code("state", 3, &STATES), self.state as u8);
        rows.one(number("index", 6), self.index);
        rows.one(count("lost_messages", 16), self.lost_messages);
        rows.one(flag("send"), self.send());
        rows.one(ring_word("message", Some(&RING)), self.message(seen.me));
    }

    fn edge(&mut self, rst: bool, seen: &ReconfigurationInputs) {
        if rst { self.reset() } else { self.clock(seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARDS: usize = 4;
    const ME: u8 = 1;
    /// Lit, and held by a board that does not wait.
    const IN_USE: RingWord = RingWord {
        wait: 0,
        busy: 9,
        level: 5,
        holder: 3,
        claim: false,
        offered: false,
        lit: true,
        wavelength: 0,
        owner: ME,
        kind: Kind::BoardRequest,
    };

    fn inputs() -> ReconfigurationInputs {
        ReconfigurationInputs { by_bandwidth: true, me: ME, window: 256, b_con: 100, degree: 8, ..Default::default() }
    }

    /// A window in which requests come back as these, if they do: the controller behind it, and who gets which wavelength.
    fn window(
        seen: ReconfigurationInputs,
        replies: [Option<RingWord>; BOARDS],
    ) -> (ReconfigurationController, Vec<(usize, Option<u8>)>) {
        let mut controller = ReconfigurationController::new(BOARDS);
        controller.clock(&ReconfigurationInputs { check: true, ..seen });
        let (mut ring, mut answers, mut cycles) = (std::collections::VecDeque::from([0; 6]), vec![], 0);
        while controller.state != State::Wait {
            let message = if controller.send() { controller.message(ME) } else { 0 };
            let wavelength = field(message, WAVELENGTH) as u8;
            match field(message, KIND) {
                0 => ring.push_back(0),
                1 => {
                    let reply = replies[usize::from(wavelength)];
                    ring.push_back(reply.map_or(0, |reply| RingWord { wavelength, ..reply }.packed()));
                }
                _ => {
                    let holder = (field(message, LIT) == 1).then_some(field(message, HOLDER) as u8);
                    answers.push((usize::from(wavelength), holder));
                    ring.push_back(0);
                }
            }
            let word = ring.pop_front().unwrap();
            controller.clock(&ReconfigurationInputs { sent: controller.send(), own: word != 0, word, ..seen });
            cycles += 1;
            assert!(cycles < 1000);
        }
        (controller, answers)
    }

    /// The answers to four requests that came back.
    fn answers(seen: ReconfigurationInputs, replies: [RingWord; BOARDS]) -> Vec<Option<u8>> {
        let (controller, answers) = window(seen, replies.map(Some));
        assert_eq!(controller.lost_messages, 0);
        answers.into_iter().map(|(_, holder)| holder).collect()
    }

    fn held(holder: u8, wait: u16) -> RingWord {
        RingWord { holder, wait, ..IN_USE }
    }

    const OFFERED: RingWord = RingWord { offered: true, holder: 3, ..IN_USE };
    const NOBODYS: RingWord = RingWord { lit: false, holder: 0, ..IN_USE };

    #[test]
    fn it_goes_through_the_steps_of_the_paper() {
        let mut controller = ReconfigurationController::new(BOARDS);
        controller.clock(&inputs());
        assert_eq!(controller, ReconfigurationController::new(BOARDS));
        controller.clock(&ReconfigurationInputs { check: true, ..inputs() });
        let mut cycles = [0; 8];
        while controller.state != State::Wait {
            cycles[controller.state as usize] += 1;
            let (sent, collects) = (controller.send(), controller.state == State::Collect);
            let word = RingWord { wavelength: (cycles[3] % 4) as u8, ..IN_USE }.packed();
            controller.clock(&ReconfigurationInputs { sent, own: collects, word, ..inputs() });
        }
        // Twelve links; four wavelengths, whose requests are there after as many cycles; four boards and a decision for each.
        assert_eq!(cycles, [0, 12, 4, 5, 4, 20, 4, 12]);
    }

    #[test]
    fn what_is_in_use_stays_with_its_holder() {
        let replies = [held(0, 500), held(2, 400), held(3, 0), held(0, 500)];
        assert_eq!(answers(inputs(), replies), [Some(0), Some(2), Some(3), Some(0)]);
    }

    #[test]
    fn what_is_offered_goes_to_who_waits_most() {
        // Above B_con, not at it.
        for (waits, expected) in [([101, 0], 0), ([100, 101], 2), ([300, 301], 2), ([301, 300], 0), ([100, 100], 3)] {
            let replies = [OFFERED, held(0, waits[0]), held(2, waits[1]), IN_USE];
            assert_eq!(answers(inputs(), replies)[0], Some(expected), "{waits:?}");
        }
        let reference = ReconfigurationInputs { by_bandwidth: false, ..inputs() };
        assert_eq!(answers(reference, [OFFERED, held(0, 500), IN_USE, IN_USE])[0], Some(3), "it stays with its holder");
    }

    #[test]
    fn who_has_been_given_less_in_this_window_comes_first() {
        let replies = [held(0, 200), RingWord { holder: 0, ..OFFERED }, OFFERED, held(2, 700)];
        assert_eq!(answers(inputs(), replies), [Some(0), Some(2), Some(0), Some(2)]);
        let replies = [OFFERED, OFFERED, OFFERED, held(2, 700)];
        assert_eq!(answers(inputs(), replies), [Some(2), Some(2), Some(2), Some(2)]);
    }

    #[test]
    fn nobody_is_given_more_than_the_degree() {
        let replies = [OFFERED, OFFERED, OFFERED, held(2, 700)];
        for (degree, given) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 3), (15, 3)] {
            let answers = answers(ReconfigurationInputs { degree, ..inputs() }, replies);
            assert_eq!(answers[..3].iter().filter(|holder| **holder == Some(2)).count(), given, "{degree}");
        }
    }

    #[test]
    fn what_nobody_has_goes_back_to_whom_it_belonged_to() {
        // Wavelength w of board 1 belongs to board 1 + w at first, the spare to nobody.
        assert_eq!(answers(inputs(), [NOBODYS; 4]), [None, Some(2), Some(3), Some(0)]);
        let replies = [NOBODYS, NOBODYS, held(0, 101), OFFERED];
        assert_eq!(answers(inputs(), replies), [Some(0), Some(0), Some(0), Some(0)], "but to those that wait first");
    }

    #[test]
    fn a_board_that_has_none_gets_its_own_back() {
        let claim = |reply| RingWord { claim: true, ..reply };
        let replies = [held(0, 500), claim(OFFERED), claim(NOBODYS), claim(held(2, 900))];
        // The last one's holder is to leave it.
        assert_eq!(answers(inputs(), replies), [Some(0), Some(2), Some(3), None]);
    }

    #[test]
    fn requests_that_do_not_come_back_are_given_up_and_not_answered() {
        let (controller, answers) = window(inputs(), [Some(OFFERED), None, None, Some(held(0, 200))]);
        assert_eq!((controller.lost_messages, controller.got), (2, 0b1001));
        assert_eq!(answers, [(0, Some(0)), (3, Some(0))]);
        assert_eq!(controller.elapsed, 128 + 1, "half a window, and the cycle in which it is looked at");
        assert_eq!(controller.gained, [1, 0, 0, 0]);
    }

    #[test]
    fn what_was_seen_of_a_wavelength_before_is_not_looked_at() {
        let (mut controller, _) = window(inputs(), [Some(OFFERED), Some(OFFERED), Some(held(0, 200)), Some(IN_USE)]);
        assert_eq!(controller.gained, [2, 0, 0, 0]);
        controller.clock(&ReconfigurationInputs { check: true, ..inputs() });
        while controller.state != State::Wait {
            controller.clock(&ReconfigurationInputs { sent: controller.send(), ..inputs() });
        }
        assert_eq!((controller.gained, controller.lost_messages), (vec![0; 4], 4));
    }
}
