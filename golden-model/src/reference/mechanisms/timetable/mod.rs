//! `timetable`: every port sleeps by a fixed timetable. The smallest complete mechanism, to be copied.

use super::Entry;
use crate::bits::{is_set, low_bits};
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::reference::power::{self, PowerMechanism};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::timetable::{MECHANISM, TimetableValues};
use powar_config::signal::{elapsed, flag, flags, number};
use powar_config::{Config, Mechanism, Owner, Phase};

/// The entry in the list of mechanisms. It is one block, built of no others.
pub static ENTRY: Entry =
    Entry { name: "timetable", build: |config| Box::new(Timetable::new(config)), blocks: |_| vec![] };

/// The registers that software sets.
pub type ControlRegisters = power::ControlRegisters<TimetableValues>;

/// The mechanism; the public fields are its registers.
#[derive(Clone, Debug)]
pub struct Timetable {
    ports: usize,
    /// Policy and times.
    pub registers: ControlRegisters,
    /// Cycles of this time that have passed, 24 bits.
    pub count: u32,
    /// By the timetable ports are open.
    pub on: bool,
    /// Ports were open in the cycle before (bit 0), two cycles before (bit 1).
    pub opened: u8,
    /// The port has drained since ports were closed; one bit a port.
    pub asleep: u64,
}

impl Timetable {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let registers = ControlRegisters::new(TimetableValues::of(config));
        Timetable { ports: config.ports, registers, count: 0, on: true, opened: 0b11, asleep: 0 }
    }

    /// Ports may be given to packets.
    fn open(&self) -> bool {
        self.on || self.registers.values.policy == 0
    }

    fn phase(&self, port: usize) -> Phase {
        match (self.open(), is_set(self.asleep, port)) {
            (true, _) => Phase::On,
            (false, true) => Phase::Off,
            (false, false) => Phase::Draining,
        }
    }
}

impl PowerMechanism for Timetable {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn outputs(&self, _: &MechanismInputs) -> MechanismOutputs {
        let every = low_bits(self.ports);
        let phases = || (0..self.ports).map(|port| self.phase(port));
        let ready = phases().enumerate().fold(0, |ready, (port, phase)| ready | u64::from(phase.sends()) << port);
        MechanismOutputs {
            grantable: if self.open() { every } else { 0 },
            preferred: every,
            ready,
            steady: ready,
            phase: phases().map(|phase| phase as u8).collect(),
            level: vec![0; self.ports],
            hint: 0,
            serves: if self.open() { every } else { 0 },
            ring: 0,
            lookup: None,
        }
    }

    fn waking(&self, _: &MechanismInputs) -> u64 {
        0
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    fn reset(&mut self) {
        self.registers.reset();
        (self.count, self.on, self.opened, self.asleep) = (0, true, 0b11, 0);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        let in_use = inputs.held | inputs.given | inputs.departing;
        let (open, every) = (self.open(), low_bits(self.ports));
        let drained = if !open && self.opened == 0 { every & !in_use } else { 0 };
        self.asleep = if open { 0 } else { self.asleep | drained };
        self.opened = self.opened << 1 & 0b10 | u8::from(open);
        let TimetableValues { on_time, off_time, .. } = self.registers.values;
        let elapsed = self.count + 1;
        if elapsed >= if self.on { on_time } else { off_time } {
            (self.count, self.on) = (0, !self.on);
        } else {
            self.count = elapsed;
        }
        self.registers.clock(inputs.write);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for Timetable {
    fn list(&self, rows: &mut RegisterRows) {
        self.registers.list(rows);
        rows.one(elapsed("count", 24), self.count);
        rows.one(flag("on"), self.on);
        rows.one(number("opened", 2), self.opened);
        rows.one(flags("asleep", Owner::Port, self.ports), self.asleep);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::power::mechanism::Write;
    use Phase::{Draining, Off, On};

    /// Of two ports, with such times in cycles.
    fn timetable(on_time: u32, off_time: u32) -> Timetable {
        let registers = ControlRegisters::new(TimetableValues { policy: 1, on_time, off_time });
        Timetable { ports: 2, registers, count: 0, on: true, opened: 0b11, asleep: 0 }
    }

    /// The phases of port 0 in some cycles.
    fn run<'a>(timetable: &mut Timetable, inputs: impl IntoIterator<Item = MechanismInputs<'a>>) -> Vec<Phase> {
        let mut next = |inputs: MechanismInputs| {
            let phase = timetable.phase(0);
            timetable.clock(&inputs);
            phase
        };
        inputs.into_iter().map(&mut next).collect()
    }

    fn idle() -> MechanismInputs<'static> {
        MechanismInputs::default()
    }

    #[test]
    fn ports_that_are_idle_follow_the_timetable() {
        let phases = run(&mut timetable(3, 5), (0..14).map(|_| idle()));
        let closed = [Draining, Draining, Draining, Off, Off];
        assert_eq!(phases[..3], [On; 3]);
        assert_eq!((&phases[3..8], &phases[8..11], &phases[11..]), (&closed[..], &[On; 3][..], &closed[..3]));
        let phases = run(&mut timetable(0, 0), (0..4).map(|_| idle()));
        assert_eq!(phases, [On, Draining, On, Draining], "times of 0 count as 1");
        let phases = run(&mut timetable(1, 3), (0..8).map(|_| idle()));
        let once = [On, Draining, Draining, Draining];
        assert_eq!(phases, [once, once].concat(), "too short a time to fall asleep");
    }

    /// The packet chose the port because of the last cycle in which it was open.
    #[test]
    fn a_packet_that_is_given_a_port_after_it_has_closed_keeps_it_awake() {
        let given = MechanismInputs { given: 1, ..idle() };
        let held = MechanismInputs { held: 1, ..idle() };
        let last = MechanismInputs { departing: 1, ..idle() };
        let mut timetable = timetable(1, 20);
        let phases = run(&mut timetable, [idle(), idle(), idle(), given, held, held, last, idle(), idle()]);
        assert_eq!(phases[0], On);
        assert_eq!((&phases[1..8], phases[8]), (&[Draining; 7][..], Off));
        let shown = timetable.outputs(&idle());
        assert_eq!((shown.grantable, shown.ready, shown.phase), (0, 0, vec![Off as u8; 2]));
    }

    #[test]
    fn a_port_that_opens_for_a_moment_drains_anew() {
        let mut timetable = timetable(1, 2);
        run(&mut timetable, (0..4).map(|_| idle()));
        assert_eq!((timetable.opened, timetable.on), (0b01, false), "two cycles closed, one open, one closed");
        assert_eq!(run(&mut timetable, [idle()]), [Draining]);
    }

    #[test]
    fn reference_opens_all_ports_at_once_while_the_timetable_runs_on() {
        let mut timetable = timetable(1, 9);
        let write = |address, data| MechanismInputs { write: Some(Write { address, data }), ..idle() };
        let phases = run(&mut timetable, [idle(), idle(), idle(), idle(), write(0x10, 0), idle(), write(0x10, 1)]);
        assert_eq!(phases, [On, Draining, Draining, Draining, Off, On, On]);
        assert_eq!((timetable.count, timetable.on, timetable.phase(0)), (6, false, Draining));
    }
}
