//! Once a window asks who has the wavelengths to this board and how boards wait for it, and gives those that nobody uses to who waits.
//!
//! Stages:   Wait -> LinkRequest, one link a cycle -> BoardRequest, a message for each wavelength -> Collect, until they are back -> Tally and
//!           Classify, who is to have what -> BoardResponse, a message for each that came back -> LinkResponse, one link a cycle -> Wait.
//! Rule:     a wavelength that is offered, or that nobody has, goes to a board that waits for longer than `b_con`: the one that has been
//!           given the least in this window, then the one that waits most, the lowest of equals. A claim of the board that it belongs to at
//!           first comes before. What nobody needs stays where it is; without a holder it goes back.
//! Latency:  Classify takes B (B + 1) cycles; a message leaves in the cycle in which it is `sent`.
//! Range:    2 to 8 boards. A request that is not back in half a window is given up: nothing is decided about its wavelength.
//! Reset:    waits for the end of a window.
//! Source:   Kodi and Louri 2007, section 3.2, Table 1; docs/microarchitecture/mechanisms/e_rapid.md.

use crate::block;
use crate::rtl_block::Number;
use powar_config::mechanism::e_rapid::Kind;
use rust_hdl::prelude::*;

/// Stages of a reconfiguration, by their codes.
#[derive(Copy, Clone, PartialEq, Debug, LogicState)]
pub enum Stage {
    Wait,
    LinkRequest,
    BoardRequest,
    Collect,
    Tally,
    Classify,
    BoardResponse,
    LinkResponse,
}

impl Number for Stage {
    fn to_number(self) -> u64 {
        self as u64
    }
    fn from_number(number: u64) -> Self {
        use Stage::*;
        let stages = [Wait, LinkRequest, BoardRequest, Collect, Tally, Classify, BoardResponse, LinkResponse];
        stages[number as usize & 7]
    }
}

block! {
    pub struct ReconfigurationController(
        "reconfiguration_controller",
        include_str!("reconfiguration_controller.rs"),
        clocked
    )
    /// Of a network of so many boards, 2..=8.
    pub fn new(boards: usize) -> Self {}
    inputs {
        /// Last cycle of a window.
        check: Bit,
        /// Wavelengths may go to other boards.
        by_bandwidth: Bit,
        /// Number of this board.
        me: Bits<3>,
        /// Cycles of a window.
        window: Bits<12>,
        /// Cycles of a window with packets waiting above which a board is given more wavelengths.
        b_con: Bits<12>,
        /// Most wavelengths that a board is given to this one.
        degree: Bits<4>,
        /// The message goes out in this cycle.
        sent: Bit,
        /// A message of this board has come back.
        own: Bit,
        /// It.
        word: Bits<42>,
    }
    outputs {
        state: Stage,
        /// Link or wavelength whose turn it is.
        index: Bits<6>,
        /// Requests that did not come back.
        lost_messages: Bits<16>,
        /// There is a message to send.
        send: Bit,
        /// It, without its parity.
        message: Bits<42>,
    }
    registers {
        state_r: Stage,
        index_r: Bits<6>,
        /// Board that is looked at in Classify.
        scan_r: Bits<4>,
        /// Cycles in Collect.
        elapsed_r: Bits<12>,
        /// Of wavelength w: its request has come back, has a holder, is offered, is claimed.
        got_r = vec![false; boards],
        lit_r = vec![false; boards],
        offered_r = vec![false; boards],
        claimed_r = vec![false; boards],
        /// Its holder, and how packets wait there.
        holder_r[boards]: Bits<3>,
        waiting_r[boards]: Bits<12>,
        /// Of board j: wavelengths in use that it has to this one, how it waits, wavelengths that it is given in this window.
        count_r[boards]: Bits<4>,
        demand_r[boards]: Bits<12>,
        gained_r[boards]: Bits<4>,
        /// Some board is to get the wavelength; which.
        found_r: Bit,
        best_r: Bits<3>,
        lost_messages_r: Bits<16>,
    }
    locals {
        /// `index` is that of the last wavelength, of the last link.
        last_wavelength: Bit,
        last_link: Bit,
        /// `index` as the number of a wavelength.
        wavelength: Bits<3>,
        /// That wavelength: what is known of it.
        got: Bit,
        lit: Bit,
        offered: Bit,
        claimed: Bit,
        holder: Bits<3>,
        waiting: Bits<12>,
        /// Board `scan`: likewise.
        count: Bits<4>,
        demand: Bits<12>,
        gained: Bits<4>,
        /// Board `best`: likewise.
        best_demand: Bits<12>,
        best_gained: Bits<4>,
        /// A request has come back.
        keeps: Bit,
        /// Requests that have not.
        missing: Bits<4>,
        /// The tables are cleared; a wavelength in use is counted; a wavelength is decided.
        clears: Bit,
        tallies: Bit,
        decides: Bit,
        /// Board `scan` may be given the wavelength, and comes before the best so far.
        able: Bit,
        better: Bit,
        /// Nobody uses the wavelength.
        free: Bit,
        /// The numbers of this board and of the wavelength together.
        beyond: Bits<4>,
        /// The board that the wavelength belongs to at first.
        first: Bits<3>,
        /// Who has it from now on.
        new_lit: Bit,
        new_holder: Bits<3>,
        /// The best board is given it.
        gives: Bit,
        /// The message is a response.
        responds: Bit,
    }
    constants {
        request_kind: Bits<2> = (Kind::BoardRequest as usize).to_bits(),
        response_kind: Bits<2> = (Kind::BoardResponse as usize).to_bits(),
    }
    sizes { boards = boards, links = boards * (boards - 1) }
}

impl Logic for ReconfigurationController {
    #[hdl_gen]
    fn update(&mut self) {
        self.last_wavelength.next = self.index_r.q.val() == (self.boards - 1).to_bits();
        self.last_link.next = self.index_r.q.val() == (self.links - 1).to_bits();
        self.wavelength.next = self.index_r.q.val().get_bits::<3>(0);
        // The rows of the tables that are looked at.
        self.got.next = false;
        self.lit.next = false;
        self.offered.next = false;
        self.claimed.next = false;
        self.holder.next = 0.into();
        self.waiting.next = 0.into();
        self.missing.next = 0.into();
        for w in 0..self.boards.get() {
            if self.index_r.q.val() == w.to_bits() {
                self.got.next = self.got_r.q[w].val();
                self.lit.next = self.lit_r.q[w].val();
                self.offered.next = self.offered_r.q[w].val();
                self.claimed.next = self.claimed_r.q[w].val();
                self.holder.next = self.holder_r[w].q.val();
                self.waiting.next = self.waiting_r[w].q.val();
            }
            self.missing.next = self.missing.val() + !self.got_r.q[w].val();
        }
        self.count.next = 0.into();
        self.demand.next = 0.into();
        self.gained.next = 0.into();
        self.best_demand.next = 0.into();
        self.best_gained.next = 0.into();
        for j in 0..self.boards.get() {
            if self.scan_r.q.val() == j.to_bits() {
                self.count.next = self.count_r[j].q.val();
                self.demand.next = self.demand_r[j].q.val();
                self.gained.next = self.gained_r[j].q.val();
            }
            if self.best_r.q.val() == j.to_bits() {
                self.best_demand.next = self.demand_r[j].q.val();
                self.best_gained.next = self.gained_r[j].q.val();
            }
        }
        // Who is to get wavelength `index`: board `scan` or the best so far.
        self.able.next = self.by_bandwidth.val()
            & (self.scan_r.q.val() != bit_cast::<4, 3>(self.me.val()))
            & (self.demand.val() > self.b_con.val())
            & ((bit_cast::<5, 4>(self.count.val()) + bit_cast::<5, 4>(self.gained.val()))
                < bit_cast::<5, 4>(self.degree.val()));
        self.better.next = !self.found_r.q.val()
            | (self.gained.val() < self.best_gained.val())
            | ((self.gained.val() == self.best_gained.val()) & (self.demand.val() > self.best_demand.val()));
        // To whom it belongs at first.
        self.beyond.next = bit_cast::<4, 3>(self.me.val()) + bit_cast::<4, 3>(self.wavelength.val());
        self.first.next = self.beyond.val().get_bits::<3>(0);
        if self.beyond.val() >= self.boards.val().to_bits() {
            self.first.next = (self.beyond.val() - self.boards.val().to_bits()).get_bits::<3>(0);
        }
        // Who has it from now on.
        self.free.next = self.offered.val() | !self.lit.val();
        self.new_lit.next = self.lit.val();
        self.new_holder.next = self.holder.val();
        self.gives.next = false;
        if self.got.val() {
            if self.claimed.val() {
                self.new_lit.next = self.free.val();
                if self.free.val() {
                    self.new_holder.next = self.first.val();
                }
            } else if self.free.val() {
                if self.found_r.q.val() {
                    self.new_lit.next = true;
                    self.new_holder.next = self.best_r.q.val();
                    self.gives.next = true;
                } else if !self.lit.val() & (self.index_r.q.val() != 0) {
                    self.new_lit.next = true;
                    self.new_holder.next = self.first.val();
                }
            }
        }
        // Stage by stage.
        self.keeps.next = false;
        self.clears.next = false;
        self.tallies.next = false;
        self.decides.next = false;
        self.send.next = false;
        self.responds.next = false;
        match self.state_r.q.val() {
            Stage::Wait => {
                if self.check.val() {
                    self.state_r.d.next = Stage::LinkRequest;
                    self.index_r.d.next = 0.into();
                }
            }
            Stage::LinkRequest => {
                self.index_r.d.next = self.index_r.q.val() + 1;
                if self.last_link.val() {
                    self.state_r.d.next = Stage::BoardRequest;
                    self.index_r.d.next = 0.into();
                    self.elapsed_r.d.next = 0.into();
                    self.clears.next = true;
                }
            }
            Stage::BoardRequest => {
                self.send.next = true;
                self.keeps.next = self.own.val();
                if self.sent.val() {
                    self.index_r.d.next = self.index_r.q.val() + 1;
                    if self.last_wavelength.val() {
                        self.state_r.d.next = Stage::Collect;
                        self.index_r.d.next = 0.into();
                    }
                }
            }
            Stage::Collect => {
                self.keeps.next = self.own.val();
                self.elapsed_r.d.next = self.elapsed_r.q.val() + 1;
                if (self.missing.val() == 0) | (self.elapsed_r.q.val() >= (self.window.val() >> 1)) {
                    self.state_r.d.next = Stage::Tally;
                    self.lost_messages_r.d.next = self.lost_messages_r.q.val() + bit_cast::<16, 4>(self.missing.val());
                }
            }
            Stage::Tally => {
                self.tallies.next = self.got.val() & self.lit.val() & !self.offered.val();
                self.index_r.d.next = self.index_r.q.val() + 1;
                if self.last_wavelength.val() {
                    self.state_r.d.next = Stage::Classify;
                    self.index_r.d.next = 0.into();
                    self.scan_r.d.next = 0.into();
                    self.found_r.d.next = false;
                }
            }
            Stage::Classify => {
                self.scan_r.d.next = self.scan_r.q.val() + 1;
                if self.scan_r.q.val() == self.boards.val().to_bits() {
                    self.decides.next = true;
                    self.scan_r.d.next = 0.into();
                    self.found_r.d.next = false;
                    self.index_r.d.next = self.index_r.q.val() + 1;
                    if self.last_wavelength.val() {
                        self.state_r.d.next = Stage::BoardResponse;
                        self.index_r.d.next = 0.into();
                    }
                } else if self.able.val() & self.better.val() {
                    self.found_r.d.next = true;
                    self.best_r.d.next = self.scan_r.q.val().get_bits::<3>(0);
                }
            }
            Stage::BoardResponse => {
                self.responds.next = true;
                self.send.next = self.got.val();
                if self.sent.val() | !self.got.val() {
                    self.index_r.d.next = self.index_r.q.val() + 1;
                    if self.last_wavelength.val() {
                        self.state_r.d.next = Stage::LinkResponse;
                        self.index_r.d.next = 0.into();
                    }
                }
            }
            Stage::LinkResponse => {
                self.index_r.d.next = self.index_r.q.val() + 1;
                if self.last_link.val() {
                    self.state_r.d.next = Stage::Wait;
                    self.index_r.d.next = 0.into();
                }
            }
        }
        // The tables: of wavelengths, then of boards.
        for w in 0..self.boards.get() {
            if self.clears.val() {
                self.got_r.d[w].next = false;
            }
            if self.keeps.val()
                & (self.word.val().get_bits::<2>(39) == self.request_kind.val())
                & (self.word.val().get_bits::<3>(33) == w.to_bits())
            {
                self.got_r.d[w].next = true;
                self.lit_r.d[w].next = self.word.val().get_bit(32);
                self.offered_r.d[w].next = self.word.val().get_bit(31);
                self.claimed_r.d[w].next = self.word.val().get_bit(30);
                self.holder_r[w].d.next = self.word.val().get_bits::<3>(27);
                self.waiting_r[w].d.next = self.word.val().get_bits::<12>(0);
            }
            if self.decides.val() & (self.index_r.q.val() == w.to_bits()) {
                self.lit_r.d[w].next = self.new_lit.val();
                self.holder_r[w].d.next = self.new_holder.val();
            }
        }
        for j in 0..self.boards.get() {
            if self.clears.val() {
                self.count_r[j].d.next = 0.into();
                self.demand_r[j].d.next = 0.into();
                self.gained_r[j].d.next = 0.into();
            }
            if self.tallies.val() & (self.holder.val() == j.to_bits()) {
                self.count_r[j].d.next = self.count_r[j].q.val() + 1;
                self.demand_r[j].d.next = self.waiting.val();
            }
            if self.decides.val() & self.gives.val() & (self.best_r.q.val() == j.to_bits()) {
                self.gained_r[j].d.next = self.gained_r[j].q.val() + 1;
            }
        }
        // The message.
        self.message.next = (bit_cast::<42, 2>(self.request_kind.val()) << 39)
            | (bit_cast::<42, 3>(self.me.val()) << 36)
            | (bit_cast::<42, 3>(self.wavelength.val()) << 33);
        if self.responds.val() {
            self.message.next = (bit_cast::<42, 2>(self.response_kind.val()) << 39)
                | (bit_cast::<42, 3>(self.me.val()) << 36)
                | (bit_cast::<42, 3>(self.wavelength.val()) << 33)
                | (bit_cast::<42, 1>(self.lit.val().into()) << 32)
                | (bit_cast::<42, 3>(self.holder.val()) << 27);
        }
        self.state.next = self.state_r.q.val();
        self.index.next = self.index_r.q.val();
        self.lost_messages.next = self.lost_messages_r.q.val();
    }
}
