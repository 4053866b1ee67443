//! The power mechanism Timetable: every port is open for a time and closed for a time, whatever the load.
//!
//! Policy:   0: every port is on; 1: ports that are closed sleep once they have drained.
//! Latency:  a port that opens may be given to a packet in the same cycle. One that closes sleeps in the fourth cycle after the last
//!           that was open at the earliest, since a packet that chose it because of that cycle is given it three cycles later.
//! Range:    2 to 64 ports; times of 0 to 2^24 - 1 cycles, 0 counts as 1.
//! Reset:    at the start of the time that is open; the control registers as configured.
//! Source:   docs/microarchitecture/mechanisms/timetable.md.

use crate::block;
use crate::mechanisms::control_registers::address;
use crate::power::{MechanismPorts, phase_code};
use powar_config::mechanism::timetable::{MECHANISM, TimetableValues};
use powar_config::{Config, Phase};
use rust_hdl::prelude::*;

/// Address of a register.
fn at(name: &str) -> Bits<10> {
    address(&MECHANISM, name)
}

block! {
    pub struct Timetable(
        MECHANISM.name,
        include_str!("timetable.rs"),
        MechanismPorts = MechanismPorts::new(config.ports, MECHANISM.sees)
    )
    /// For a checked configuration.
    pub fn new(config: &Config) -> Self {
        let reset = TimetableValues::of(config);
    }
    registers {
        policy_r: Bit = reset.policy != 0,
        on_time_r: Bits<24> = u64::from(reset.on_time).into(),
        off_time_r: Bits<24> = u64::from(reset.off_time).into(),
        /// Cycles of this time that have passed.
        count_r: Bits<24>,
        /// By the timetable ports are open.
        on_r: Bit = true,
        /// Ports were open in the cycle before, and in the one before that.
        opened_r: Bits<2> = 3.into(),
        /// The port has drained since ports were closed.
        asleep_r = vec![false; config.ports],
    }
    locals {
        /// The time that is under way; its cycles with this one, one bit wider so that they can't wrap.
        period: Bits<24>,
        elapsed: Bits<25>,
        /// Ports may be given to packets.
        open: Bit,
        opened_next: Bits<2>,
        /// They have been closed for so long that none is given to a packet any more after this cycle.
        drained: Bit,
    }
    constants {
        /// Addresses of the registers.
        policy_at: Bits<10> = at("policy"),
        on_time_at: Bits<10> = at("on_time"),
        off_time_at: Bits<10> = at("off_time"),
        /// Codes of the phases.
        phase_on: Bits<3> = phase_code(Phase::On),
        phase_off: Bits<3> = phase_code(Phase::Off),
        phase_draining: Bits<3> = phase_code(Phase::Draining),
    }
    sizes { n = config.ports }
}

impl Logic for Timetable {
    #[hdl_gen]
    fn update(&mut self) {
        // What software sets.
        if self.ports.write_enable.val() {
            if self.ports.write_address.val() == self.policy_at.val() {
                self.policy_r.d.next = self.ports.write_data.val().get_bit(0);
            } else if self.ports.write_address.val() == self.on_time_at.val() {
                self.on_time_r.d.next = bit_cast::<24, 32>(self.ports.write_data.val());
            } else if self.ports.write_address.val() == self.off_time_at.val() {
                self.off_time_r.d.next = bit_cast::<24, 32>(self.ports.write_data.val());
            }
        }
        self.ports.read_data.next = 0.into();
        if self.ports.read_address.val() == self.policy_at.val() {
            self.ports.read_data.next = self.ports.read_data.val().replace_bit(0, self.policy_r.q.val());
        } else if self.ports.read_address.val() == self.on_time_at.val() {
            self.ports.read_data.next = bit_cast::<32, 24>(self.on_time_r.q.val());
        } else if self.ports.read_address.val() == self.off_time_at.val() {
            self.ports.read_data.next = bit_cast::<32, 24>(self.off_time_r.q.val());
        }
        // The timetable.
        self.period.next = self.off_time_r.q.val();
        if self.on_r.q.val() {
            self.period.next = self.on_time_r.q.val();
        }
        self.elapsed.next = bit_cast::<25, 24>(self.count_r.q.val()) + 1;
        self.count_r.d.next = bit_cast::<24, 25>(self.elapsed.val());
        if self.elapsed.val() >= bit_cast::<25, 24>(self.period.val()) {
            self.count_r.d.next = 0.into();
            self.on_r.d.next = !self.on_r.q.val();
        }
        self.open.next = self.on_r.q.val() | !self.policy_r.q.val();
        self.opened_next.next = self.opened_r.q.val() << 1;
        self.opened_r.d.next = self.opened_next.val().replace_bit(0, self.open.val());
        self.drained.next = !self.open.val() & !self.opened_r.q.val().any();
        // A port that is closed sleeps when no packet has it any more.
        for p in 0..self.n.get() {
            self.asleep_r.d[p].next = !self.open.val()
                & (self.asleep_r.q[p].val()
                    | (self.drained.val()
                        & !(self.ports.held[p].val() | self.ports.given[p].val() | self.ports.departing[p].val())));
        }
        // What the switch is told.
        for p in 0..self.n.get() {
            if self.open.val() {
                self.ports.phase[p].next = self.phase_on.val();
            } else if self.asleep_r.q[p].val() {
                self.ports.phase[p].next = self.phase_off.val();
            } else {
                self.ports.phase[p].next = self.phase_draining.val();
            }
        }
        for p in 0..self.n.get() {
            self.ports.grantable[p].next = self.open.val();
            self.ports.preferred[p].next = true;
            self.ports.ready[p].next = self.open.val() | !self.asleep_r.q[p].val();
            self.ports.steady[p].next = self.ports.ready[p].val();
            self.ports.waking[p].next = false;
            self.ports.hint[p].next = false;
            self.ports.serves[p].next = self.open.val();
            self.ports.level[p].next = 0.into();
        }
    }
}
