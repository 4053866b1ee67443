//! The power mechanism of E-RAPID: boards joined by wavelengths, which go to who waits for them, at a rate and voltage by what waits.
//!
//! Policy:   bit 0 of the `policy` register lets rates and voltages follow what waits, bit 1 lets wavelengths go to other boards.
//! Links:    ports to the D nodes of the board come first and are always on. Behind them link k = (o - 1) B + w is wavelength w to the board
//!           that is o further. The number of this board is the highest digit of `position`.
//! Latency:  a message goes through a board in two cycles. A reconfiguration takes the cycles that `reconfiguration_controller` says.
//! Range:    2 to 8 boards.
//! Reset:    every board has the wavelengths that belong to it, at the highest level; the control registers as configured.
//! Source:   Kodi and Louri 2007; docs/microarchitecture/mechanisms/e_rapid.md.

use super::reconfiguration_controller::Stage;
use super::{ControlRegisters, LinkController, QueueMonitor, ReconfigurationController, RingStation, layout};
use crate::block;
use crate::power::{CheckTimer, MechanismPorts, phase_code};
use powar_config::mechanism::e_rapid::{ERapidValues, Kind, MECHANISM, TOP_LEVEL};
use powar_config::{Config, Phase};
use rust_hdl::prelude::*;

block! {
    pub struct ERapid(
        MECHANISM.name,
        include_str!("e_rapid.rs"),
        MechanismPorts = MechanismPorts::new(config.ports, MECHANISM.sees)
    )
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let layout = layout(config);
        let (boards, others, links) = (layout.boards, layout.boards - 1, layout.links());
    }
    children {
        registers: ControlRegisters = ControlRegisters::new(&ERapidValues::of(config)),
        timer: CheckTimer = CheckTimer::new(),
        station: RingStation = RingStation::new(boards),
        controller: ReconfigurationController = ReconfigurationController::new(boards),
        /// One for each other board, the next one first.
        queue[others]: QueueMonitor = QueueMonitor::new(),
        /// One for each wavelength to each of them.
        link[links; link]: LinkController = LinkController::new(layout.is_first(link)),
    }
    locals {
        /// The policy lets rates follow what waits; wavelengths go to other boards.
        by_power: Bit,
        by_bandwidth: Bit,
        /// The position with room to take a digit at any place; the number of this board, and modulo B (it has
        /// no more bits than B - 1, so it is below 2 B).
        wide_position: Bits<32>,
        me: Bits<3>,
        place: Bits<4>,
        /// The word that passes: its owner, how much further that is than this board, its wavelength, whether it is a request or a response.
        owner: Bits<4>,
        further: Bits<4>,
        wavelength: Bits<3>,
        asks: Bit,
        answers: Bit,
        /// It has a holder; that is this board.
        word_lit: Bit,
        word_mine: Bit,
        /// The link of the word, as it is now.
        word_holds: Bit,
        word_offers: Bit,
        word_level: Bits<3>,
        word_busy: Bits<12>,
        /// Of the owner's board: how packets wait for it, and whether this board claims the wavelength.
        word_waited: Bits<12>,
        word_claims: Bit,
        /// LinkRequest and LinkResponse pass.
        samples: Bit,
        tells: Bit,
        /// Of link k: the word is about it; its turn.
        named[links]: Bit,
        turn[links]: Bit,
        /// Of each other board: a packet wants it; a link to it may be given; this board has a wavelength to it.
        wants[others]: Bit,
        has_free[others]: Bit,
        has_any[others]: Bit,
        /// How packets wait for it calls for a level less; for one more.
        lowers[others]: Bit,
        raises[others]: Bit,
    }
    constants {
        phase_on: Bits<3> = phase_code(Phase::On),
        top_level: Bits<3> = usize::from(TOP_LEVEL).to_bits(),
        request_kind: Bits<2> = (Kind::BoardRequest as usize).to_bits(),
        response_kind: Bits<2> = (Kind::BoardResponse as usize).to_bits(),
        board_mask: Bits<3> = ((1_usize << layout.bits) - 1).to_bits(),
    }
    sizes {
        /// D, B, B - 1, L.
        nodes = layout.nodes,
        boards = boards,
        others = others,
        links = links,
    }
    tables {
        /// Lowest bit of the board's number.
        low = vec![layout.low],
    }
}

impl Logic for ERapid {
    #[hdl_gen]
    fn update(&mut self) {
        self.registers.write_enable.next = self.ports.write_enable.val();
        self.registers.write_address.next = self.ports.write_address.val();
        self.registers.write_data.next = self.ports.write_data.val();
        self.registers.read_address.next = self.ports.read_address.val();
        self.registers.ring_errors.next = self.station.ring_errors.val();
        self.registers.lost_messages.next = self.controller.lost_messages.val();
        self.ports.read_data.next = self.registers.read_data.val();
        self.by_power.next = self.registers.policy.val().get_bit(0);
        self.by_bandwidth.next = self.registers.policy.val().get_bit(1);
        self.timer.period.next = bit_cast::<16, 12>(self.registers.window.val());
        // Which board this is.
        self.wide_position.next = bit_cast::<32, 16>(self.ports.position[0].val());
        self.me.next = self.wide_position.val().get_bits::<3>(self.low[0]) & self.board_mask.val();
        self.place.next = bit_cast::<4, 3>(self.me.val());
        if bit_cast::<4, 3>(self.me.val()) >= self.boards.val().to_bits() {
            self.place.next = bit_cast::<4, 3>(self.me.val()) - self.boards.val().to_bits();
        }
        // Reconfigurations.
        self.controller.check.next = self.timer.check.val();
        self.controller.by_bandwidth.next = self.by_bandwidth.val();
        self.controller.me.next = self.me.val();
        self.controller.window.next = self.registers.window.val();
        self.controller.b_con.next = self.registers.b_con.val();
        self.controller.degree.next = self.registers.degree.val();
        self.controller.sent.next = self.station.sent.val();
        self.controller.own.next = self.station.own.val();
        self.controller.word.next = self.station.word.val();
        self.samples.next = self.controller.state.val() == Stage::LinkRequest;
        self.tells.next = (self.controller.state.val() == Stage::LinkResponse) & self.by_power.val();
        for k in 0..self.links.get() {
            self.turn[k].next = self.controller.index.val() == k.to_bits();
        }
        // What waits for the other boards.
        for o in 0..self.others.get() {
            self.wants[o].next = false;
            self.has_free[o].next = false;
            self.has_any[o].next = false;
            for w in 0..self.boards.get() {
                self.wants[o].next = self.wants[o].val() | self.ports.wanted[self.nodes + o * self.boards + w].val();
                self.has_free[o].next = self.has_free[o].val()
                    | (self.link[o * self.boards + w].grantable.val()
                        & !self.ports.held[self.nodes + o * self.boards + w].val());
                self.has_any[o].next = self.has_any[o].val() | self.link[o * self.boards + w].holds.val();
            }
            self.queue[o].waits.next = self.wants[o].val() & !self.has_free[o].val();
            self.queue[o].sample.next = self.samples.val() & self.turn[o * self.boards].val();
            self.lowers[o].next = self.queue[o].waited.val() <= self.registers.b_min.val();
            self.raises[o].next = self.queue[o].waited.val() > self.registers.b_max.val();
        }
        // What the word that passes is about.
        self.owner.next = bit_cast::<4, 3>(self.station.word.val().get_bits::<3>(36));
        self.further.next = self.owner.val() - self.place.val();
        if self.owner.val() < self.place.val() {
            self.further.next = self.owner.val() - self.place.val() + self.boards.val().to_bits();
        }
        self.wavelength.next = self.station.word.val().get_bits::<3>(33);
        self.asks.next =
            self.station.passes.val() & (self.station.word.val().get_bits::<2>(39) == self.request_kind.val());
        self.answers.next =
            self.station.passes.val() & (self.station.word.val().get_bits::<2>(39) == self.response_kind.val());
        self.word_lit.next = self.station.word.val().get_bit(32);
        self.word_mine.next = self.word_lit.val() & (self.station.word.val().get_bits::<3>(27) == self.me.val());
        for o in 0..self.others.get() {
            for w in 0..self.boards.get() {
                self.named[o * self.boards + w].next =
                    (self.further.val() == (o + 1).to_bits()) & (self.wavelength.val() == w.to_bits());
            }
        }
        self.word_holds.next = false;
        self.word_offers.next = false;
        self.word_level.next = 0.into();
        self.word_busy.next = 0.into();
        for k in 0..self.links.get() {
            if self.named[k].val() {
                self.word_holds.next = self.link[k].holds.val();
                self.word_offers.next = self.link[k].offers_now.val();
                self.word_level.next = self.link[k].level.val();
                self.word_busy.next = self.link[k].busy.val();
            }
        }
        self.word_waited.next = 0.into();
        self.word_claims.next = false;
        for o in 0..self.others.get() {
            if self.further.val() == (o + 1).to_bits() {
                self.word_waited.next = self.queue[o].waited.val();
                self.word_claims.next = !self.has_any[o].val() & (self.wavelength.val() == (self.others - o).to_bits());
            }
        }
        // The ring.
        self.station.ring_in.next = self.ports.ring_in[0].val();
        self.station.me.next = self.me.val();
        self.station.send.next = self.controller.send.val();
        self.station.message.next = self.controller.message.val();
        // Bit i of what is filled in is bit 12 + i of the word: lit, offered, a place for the claim, holder, level, busy.
        self.station.filled.next = (bit_cast::<21, 3>(self.me.val()) << 15)
            | (bit_cast::<21, 3>(self.word_level.val()) << 12)
            | bit_cast::<21, 12>(self.word_busy.val())
            | (bit_cast::<21, 1>(self.word_offers.val().into()) << 19)
            | (bit_cast::<21, 1>(true.into()) << 20);
        self.station.fills.next = self.word_holds.val() & !(self.word_lit.val() & self.word_offers.val());
        self.station.waited.next = self.word_waited.val();
        self.station.claims.next = self.word_claims.val() & self.word_waited.val().any();
        self.ports.ring_out[0].next = self.station.ring_out.val();
        // The wavelengths.
        for o in 0..self.others.get() {
            for w in 0..self.boards.get() {
                self.link[o * self.boards + w].lower.next =
                    self.tells.val() & self.turn[o * self.boards + w].val() & self.lowers[o].val();
                self.link[o * self.boards + w].higher.next =
                    self.tells.val() & self.turn[o * self.boards + w].val() & self.raises[o].val();
            }
        }
        for k in 0..self.links.get() {
            self.link[k].in_use.next = self.ports.held[self.nodes + k].val()
                | self.ports.given[self.nodes + k].val()
                | self.ports.departing[self.nodes + k].val();
            self.link[k].departing.next = self.ports.departing[self.nodes + k].val();
            self.link[k].sample.next = self.samples.val() & self.turn[k].val();
            self.link[k].offers.next = self.by_bandwidth.val();
            self.link[k].ask.next = self.asks.val() & self.named[k].val();
            self.link[k].taken.next = self.word_lit.val();
            self.link[k].answer.next = self.answers.val() & self.named[k].val();
            self.link[k].mine.next = self.word_mine.val();
            self.link[k].dead_time.next = self.registers.dead_time.val();
        }
        // What the switch is told: of ports to nodes, then of links.
        for p in 0..self.nodes.get() {
            self.ports.grantable[p].next = true;
            self.ports.ready[p].next = true;
            self.ports.steady[p].next = true;
            self.ports.phase[p].next = self.phase_on.val();
            self.ports.level[p].next = self.top_level.val();
            self.ports.waking[p].next = false;
            self.ports.hint[p].next = false;
            self.ports.serves[p].next = true;
            self.ports.preferred[p].next = true;
        }
        for k in 0..self.links.get() {
            self.ports.grantable[self.nodes + k].next = self.link[k].grantable.val();
            self.ports.ready[self.nodes + k].next = self.link[k].phase.val() == self.phase_on.val();
            self.ports.steady[self.nodes + k].next = self.link[k].phase.val() == self.phase_on.val();
            self.ports.phase[self.nodes + k].next = self.link[k].phase.val();
            self.ports.level[self.nodes + k].next = self.link[k].level.val();
            self.ports.waking[self.nodes + k].next = self.link[k].coming_on.val();
            self.ports.hint[self.nodes + k].next = self.link[k].control_packet.val();
            self.ports.serves[self.nodes + k].next = self.link[k].open.val();
            self.ports.preferred[self.nodes + k].next = true;
        }
    }
}
