//! One wavelength to one other board as this board's transmitter sees it: who has it, its rate and voltage, and how much it carries.
//!
//! Sharing:  a wavelength that nobody used in a window is withheld, offered to others by the next request once nothing is on it any more,
//!           and not used until the response. Who is named by a response has it; who is not gives it back as soon as it is drained.
//! Rate:     one level at a time, when nothing is on the wavelength, through `dead_time` cycles of `ComingOn`; a laser that comes on starts
//!           at the highest level.
//! Pace:     each flit owes the wavelength 64 / (25 + 5 level) cycles. While more than 8 cycles are owed no packet is given to it, so over
//!           any time it carries what its rate carries.
//! Latency:  one cycle from any input to the registers; `coming_on` shows a decision in the cycle before.
//! Range:    dead times of 0 to 255 cycles, 0 counts as 1; packets of up to 4095 flits. Counts of cycles stop at 4095.
//! Reset:    on at the highest level if the board has the wavelength at first, else off.
//! Source:   Kodi and Louri 2007, sections 3.1, 3.2, 4.1; docs/microarchitecture/mechanisms/e_rapid.md.

use crate::block;
use crate::power::phase_code;
use powar_config::Phase;
use powar_config::mechanism::e_rapid::TOP_LEVEL;
use rust_hdl::prelude::*;

block! {
    pub struct LinkController("link_controller", include_str!("link_controller.rs"), clocked)
    /// Of a wavelength that the board has after reset, or not.
    pub fn new(at_first: bool) -> Self {
        let (phase, level) = if at_first { (Phase::On, TOP_LEVEL) } else { (Phase::Off, 0) };
    }
    inputs {
        /// The port is held, given to a packet in this cycle, or a flit sets out for it.
        in_use: Bit,
        /// A flit sets out.
        departing: Bit,
        /// LinkRequest passes: a window is over.
        sample: Bit,
        /// Wavelengths may go to other boards.
        offers: Bit,
        /// A request for this wavelength passes.
        ask: Bit,
        /// Some board before has filled it in.
        taken: Bit,
        /// A response for this wavelength passes.
        answer: Bit,
        /// It names this board.
        mine: Bit,
        /// LinkResponse passes: one level down; one up. Down wins.
        lower: Bit,
        higher: Bit,
        /// Cycles of a change of rate, and from laser on to the first flit.
        dead_time: Bits<8>,
    }
    outputs {
        /// The board has the wavelength.
        holds: Bit,
        /// It is offered to others and has not been answered yet.
        offered: Bit,
        /// Phase of the port: 0 On, 2 Off, 3 ComingOn.
        phase: Bits<3>,
        /// Rate and voltage: 5 + level Gb/s.
        level: Bits<3>,
        /// Cycles of the last window in which it carried a packet.
        busy: Bits<12>,
        /// Packets may be given to it, but for pacing.
        open: Bit,
        /// Packets may be given to it.
        grantable: Bit,
        /// What a request that passes in this cycle finds: it is offered.
        offers_now: Bit,
        /// First cycle of `ComingOn`: the bit rate control packet is on its way to the receiver.
        control_packet: Bit,
        /// `ComingOn` begins with the next cycle.
        coming_on: Bit,
    }
    registers {
        holds_r: Bit = at_first,
        /// Not used, to be offered.
        withheld_r: Bit,
        offered_r: Bit,
        /// To be given back as soon as it is drained.
        leaving_r: Bit,
        /// To change its level as soon as it is drained.
        retuning_r: Bit,
        /// Cycles without `open`, at most 2: then no packet comes any more.
        quiet_r: Bits<2>,
        phase_r: Bits<3> = (phase as usize).to_bits(),
        level_r: Bits<3> = usize::from(level).to_bits(),
        /// The level after the next change.
        next_level_r: Bits<3> = usize::from(TOP_LEVEL).to_bits(),
        /// `ComingOn`: its cycles, this one with them.
        dead_r: Bits<8> = 1.into(),
        /// Time that flits still take on the wavelength, in 1 / `rate` cycles.
        debt_r: Bits<18>,
        /// Cycles of this window in which it carried a packet.
        busy_count_r: Bits<12>,
        busy_r: Bits<12>,
    }
    locals {
        is_on: Bit,
        comes_on: Bit,
        /// What of the debt a cycle pays: 25 + 5 level.
        rate: Bits<6>,
        /// The debt with this cycle's flit.
        owed: Bits<18>,
        /// A packet has the port, or is on the wavelength.
        carries: Bit,
        /// `busy_count` without this cycle.
        counted: Bits<12>,
        /// Nothing is on it, and nothing can come any more.
        drained: Bit,
        /// A response names another board, or none.
        not_mine: Bit,
        /// The board gives it up; has it from now on, or keeps it.
        drops: Bit,
        takes: Bit,
        /// Nobody used it in the window that is over.
        unused: Bit,
        /// A level further is called for, and there is one; the link is to go there.
        may_tune: Bit,
        tunes: Bit,
        /// It begins: nobody asks for the wavelength.
        turns: Bit,
        /// The last dead cycle.
        done: Bit,
    }
    constants {
        phase_on: Bits<3> = phase_code(Phase::On),
        phase_off: Bits<3> = phase_code(Phase::Off),
        phase_coming_on: Bits<3> = phase_code(Phase::ComingOn),
        top_level: Bits<3> = usize::from(TOP_LEVEL).to_bits(),
    }
    sizes {
        /// 1 if the board has the wavelength after reset: tells apart the modules of either kind.
        at_first = usize::from(at_first),
    }
}

impl Logic for LinkController {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_on.next = self.phase_r.q.val() == self.phase_on.val();
        self.comes_on.next = self.phase_r.q.val() == self.phase_coming_on.val();
        // What it carries.
        self.rate.next = (bit_cast::<6, 3>(self.level_r.q.val()) << 2) + bit_cast::<6, 3>(self.level_r.q.val()) + 25;
        self.owed.next = self.debt_r.q.val();
        if self.departing.val() {
            self.owed.next = self.debt_r.q.val() + 64;
        }
        self.debt_r.d.next = self.owed.val() - bit_cast::<18, 6>(self.rate.val());
        if !self.departing.val() & (self.debt_r.q.val() < bit_cast::<18, 6>(self.rate.val())) {
            self.debt_r.d.next = 0.into();
        }
        self.carries.next = self.in_use.val() | self.debt_r.q.val().any();
        self.counted.next = self.busy_count_r.q.val();
        if self.sample.val() {
            self.counted.next = 0.into();
            self.busy_r.d.next = self.busy_count_r.q.val();
        }
        self.busy_count_r.d.next = self.counted.val() + (self.carries.val() & !self.counted.val().all());
        // Whether packets may come, and whether one still can.
        self.open.next = self.holds_r.q.val()
            & self.is_on.val()
            & !self.withheld_r.q.val()
            & !self.leaving_r.q.val()
            & !self.retuning_r.q.val();
        self.grantable.next = self.open.val() & (self.debt_r.q.val() <= (bit_cast::<18, 6>(self.rate.val()) << 3));
        if self.open.val() {
            self.quiet_r.d.next = 0.into();
        } else if self.quiet_r.q.val() != 2 {
            self.quiet_r.d.next = self.quiet_r.q.val() + 1;
        }
        self.drained.next = self.is_on.val() & !self.open.val() & (self.quiet_r.q.val() == 2) & !self.carries.val();
        // Who has the wavelength.
        self.offers_now.next = self.offered_r.q.val() | (self.withheld_r.q.val() & self.drained.val());
        self.not_mine.next = self.answer.val() & !self.mine.val();
        self.drops.next = (self.ask.val() & self.offered_r.q.val() & self.taken.val())
            | (self.not_mine.val() & self.offers_now.val())
            | (self.leaving_r.q.val() & self.drained.val());
        self.takes.next = self.answer.val() & self.mine.val();
        self.holds_r.d.next = self.takes.val() | (self.holds_r.q.val() & !self.drops.val());
        self.offered_r.d.next = (self.offered_r.q.val()
            | (self.ask.val() & self.withheld_r.q.val() & self.drained.val()))
            & !self.drops.val()
            & !self.takes.val();
        self.unused.next = self.open.val() & self.offers.val() & !self.busy_count_r.q.val().any() & !self.carries.val();
        if self.takes.val() | self.drops.val() {
            self.withheld_r.d.next = false;
        } else if self.ask.val() {
            self.withheld_r.d.next = self.offers_now.val();
        } else if self.sample.val() & !self.offered_r.q.val() {
            self.withheld_r.d.next = self.unused.val();
        }
        self.leaving_r.d.next = (self.leaving_r.q.val()
            | (self.not_mine.val() & self.holds_r.q.val() & !self.offers_now.val()))
            & !self.takes.val()
            & !self.drops.val();
        // Its rate.
        self.done.next = self.dead_r.q.val() >= self.dead_time.val();
        self.may_tune.next = self.higher.val() & (self.level_r.q.val() < self.top_level.val());
        if self.lower.val() {
            self.may_tune.next = self.level_r.q.val().any();
        }
        self.tunes.next = self.may_tune.val()
            & self.holds_r.q.val()
            & self.is_on.val()
            & !self.leaving_r.q.val()
            & !self.retuning_r.q.val();
        self.retuning_r.d.next =
            (self.retuning_r.q.val() | self.tunes.val()) & !self.drops.val() & !(self.comes_on.val() & self.done.val());
        if self.takes.val() & !self.holds_r.q.val() {
            self.next_level_r.d.next = self.top_level.val();
        } else if self.tunes.val() {
            if self.lower.val() {
                self.next_level_r.d.next = self.level_r.q.val() - 1;
            } else {
                self.next_level_r.d.next = self.level_r.q.val() + 1;
            }
        }
        self.turns.next = self.retuning_r.q.val()
            & self.drained.val()
            & !self.ask.val()
            & !self.answer.val()
            & !self.withheld_r.q.val()
            & !self.offered_r.q.val()
            & !self.leaving_r.q.val();
        // Phase and level.
        self.dead_r.d.next = 1.into();
        self.coming_on.next = false;
        if self.drops.val() & !self.takes.val() {
            self.phase_r.d.next = self.phase_off.val();
            self.level_r.d.next = 0.into();
        } else if self.comes_on.val() {
            if self.done.val() {
                self.phase_r.d.next = self.phase_on.val();
                self.level_r.d.next = self.next_level_r.q.val();
            } else {
                self.dead_r.d.next = self.dead_r.q.val() + 1;
            }
        } else if self.is_on.val() {
            if self.turns.val() {
                self.phase_r.d.next = self.phase_coming_on.val();
                self.coming_on.next = true;
                // Voltage goes up before the rate, and down after it.
                if self.next_level_r.q.val() > self.level_r.q.val() {
                    self.level_r.d.next = self.next_level_r.q.val();
                }
            }
        } else if self.takes.val() {
            self.phase_r.d.next = self.phase_coming_on.val();
            self.coming_on.next = true;
            self.level_r.d.next = self.top_level.val();
        }
        self.control_packet.next = self.comes_on.val() & (self.dead_r.q.val() == 1);
        self.holds.next = self.holds_r.q.val();
        self.offered.next = self.offered_r.q.val();
        self.phase.next = self.phase_r.q.val();
        self.level.next = self.level_r.q.val();
        self.busy.next = self.busy_r.q.val();
    }
}
