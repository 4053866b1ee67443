//! `power_manager`: a power mechanism, the held ports and the counters of all ports, behind one window for their words.

use super::mechanism::{MechanismInputs, MechanismOutputs, READ_ADDRESS, REGISTERS, Write, write_signals};
use super::port_counters::CounterInputs;
use super::{HeldPorts, PortCounters, PowerMechanism, Surroundings};
use crate::bits::is_set;
use crate::lock_step::{Block, Observed, Slots, declare, input, output};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::{LEAST_PORT_STRIDE, PORT_BASE, WORD_BYTES};
use powar_config::signal::{RST, data, flag, flags, level, phase};
use powar_config::{Owner, Role, SignalDecl, SignalSpec};

/// Address of `clear_counters`: its byte address / 4.
const CLEAR_COUNTERS: u16 = 3;

/// The power manager of a switch or of a controller; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct PowerManager {
    ports: usize,
    errors: usize,
    pub held_ports: HeldPorts,
    pub mechanism: Box<dyn PowerMechanism>,
    pub counters: Vec<PortCounters>,
    /// The word that was asked for in the cycle before.
    pub read_data: u32,
    /// The counters are cleared in this cycle.
    pub clear: bool,
    rows: RegisterRows,
}

/// What the power manager sees in a cycle; vectors have one bit a port.
#[derive(Clone, Copy, Debug, Default)]
pub struct ManagerInputs<'a> {
    pub around: Surroundings<'a>,
    /// The port is given to a packet.
    pub given: u64,
    /// A flit sets out for the port.
    pub departing: u64,
    /// With that flit the port is released.
    pub released: u64,
    /// Row p: the events of port p that are errors.
    pub error: &'a [u64],
    pub write: Option<Write>,
    /// Byte address / 4 of the word to be shown in the next cycle, 14 bits.
    pub read_address: u16,
}

impl PowerManager {
    /// Of so many ports with a mechanism after reset, and with counters for so many kinds of errors.
    pub fn new(ports: usize, mechanism: Box<dyn PowerMechanism>, errors: usize) -> Self {
        let counters = PortCounters::new(mechanism.entry().residency, errors);
        PowerManager {
            ports,
            errors,
            held_ports: HeldPorts::new(ports),
            mechanism,
            counters: vec![counters; ports],
            read_data: 0,
            clear: false,
            rows: RegisterRows::default(),
        }
    }

    /// Ports held by a packet.
    pub fn held(&self) -> u64 {
        self.held_ports.held
    }

    /// Ports that are not held in the next cycle, if there is no reset.
    pub fn free_next(&self, given: u64, departing: u64, released: u64) -> u64 {
        self.held_ports.free_next(given, departing, released)
    }

    /// What the mechanism shows, at this place of the switch in the network.
    pub fn outputs(&self, position: u16, stage: u8) -> MechanismOutputs {
        let around = Surroundings { position, stage, ..Default::default() };
        self.mechanism.outputs(&MechanismInputs { around, held: self.held(), ..Default::default() })
    }

    /// The word at an address, its byte address / 4; 0 if it is none of those here.
    fn word(&self, address: u16, shown: &MechanismOutputs) -> u32 {
        let first = PORT_BASE / WORD_BYTES;
        let Some(of_ports) = address.checked_sub(first) else {
            return if address == CLEAR_COUNTERS { self.clear.into() } else { self.mechanism.read(address) };
        };
        // The counters of a port and its status, in the least power of two of words that holds them.
        let status = self.counters[0].count.len();
        let stride = (status + 1).next_power_of_two().max((LEAST_PORT_STRIDE / WORD_BYTES).into());
        let (port, word) = (usize::from(of_ports) / stride, usize::from(of_ports) % stride);
        match word {
            _ if port >= self.ports || word > status => 0,
            _ if word == status => self.status(port, shown),
            counter => self.counters[port].word(1 << counter),
        }
    }

    fn status(&self, port: usize, shown: &MechanismOutputs) -> u32 {
        let flags = [self.held(), shown.grantable, shown.preferred, shown.ready];
        let flags = flags.iter().zip(6..).fold(0, |bits, (flag, place)| bits | u32::from(is_set(*flag, port)) << place);
        u32::from(shown.phase[port]) | u32::from(shown.level[port]) << 3 | flags
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.held_ports.reset();
        self.mechanism.reset();
        self.counters.iter_mut().for_each(PortCounters::reset);
        (self.read_data, self.clear) = (0, false);
    }

    /// The clock edge. All children see what the others show before it.
    pub fn clock(&mut self, inputs: &ManagerInputs) {
        let &ManagerInputs { around, given, departing, released, error, write, read_address } = inputs;
        let shown = self.outputs(around.position, around.stage);
        let seen = MechanismInputs { around, held: self.held(), given, departing, write };
        let waking = self.mechanism.waking(&seen);
        self.read_data = self.word(read_address, &shown);
        for (port, counters) in self.counters.iter_mut().enumerate() {
            counters.clock(&CounterInputs {
                phase: shown.phase[port],
                level: shown.level[port],
                waking: is_set(waking, port),
                departing: is_set(departing, port),
                error: error.get(port).copied().unwrap_or(0),
                clear: self.clear,
            });
        }
        self.clear = write.is_some_and(|write| write.address == CLEAR_COUNTERS && write.data & 1 == 1);
        self.mechanism.clock(&seen);
        self.held_ports.clock(given, departing, released);
    }
}

impl Registers for PowerManager {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(data("read_data").of(REGISTERS), self.read_data);
        rows.one(flag("clear").of(REGISTERS), self.clear);
        rows.child("held_ports", [&self.held_ports]);
        rows.owners(Owner::Part("mechanism"), "mechanism", [&*self.mechanism]);
        rows.child_of(Owner::Port, "counters", &self.counters);
    }
}

impl Block for PowerManager {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, sees) = (self.ports, self.mechanism.entry().sees);
        let ports = |name| flags(name, Owner::Port, n);
        let mut signals = vec![input(RST)];
        signals.extend(Surroundings::place_signals(sees));
        signals.extend(Surroundings::port_signals(sees, n));
        let departing = ports("departing").habit(self.mechanism.departures());
        signals.extend(declare(Role::Input, [ports("given"), departing, ports("released")]));
        let error = || SignalSpec { rows: n, ..flags("error", Owner::Port, self.errors) };
        signals.extend((self.errors != 0).then(|| input(error())));
        signals.extend(write_signals());
        signals.push(input(READ_ADDRESS));
        let outputs = ["held", "free_next", "grantable", "preferred", "ready", "steady", "hint", "serves"];
        signals.extend(declare(Role::Output, outputs.map(ports)));
        let rows = [phase("phase").rows(Owner::Port, n), level("level").rows(Owner::Port, n)];
        signals.extend(declare(Role::Output, rows));
        signals.push(output(data("read_data").of(REGISTERS)));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (n, sees) = (self.ports, self.mechanism.entry().sees);
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let mut seen = ManagerInputs::default();
        seen.around.take_place(sees, &mut slots);
        seen.around.take_ports(sees, n, &mut slots);
        (seen.given, seen.departing, seen.released) = (slots.one(), slots.one(), slots.one());
        seen.error = slots.rows_if(self.errors != 0, n);
        seen.write = Write::take(&mut slots);
        seen.read_address = slots.one() as u16;
        let shown = self.outputs(seen.around.position, seen.around.stage);
        let free_next = self.free_next(seen.given, seen.departing, seen.released);
        observed.rows([self.held(), free_next, shown.grantable, shown.preferred, shown.ready, shown.steady]);
        observed.rows([shown.hint, shown.serves]);
        observed.rows(shown.phase);
        observed.rows(shown.level);
        observed.put(self.read_data);
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        if rst { self.reset() } else { self.clock(&seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::mechanisms;

    fn manager() -> PowerManager {
        let mut config = powar_config::presets::by_name("fat-tree-2").unwrap();
        config.cycle_ns = 1.0;
        let powar = config.powar_mut().unwrap();
        (powar.pdt.0, powar.t_sleep.0, powar.t_wake.0) = (2.0, 1.0, 3.0);
        PowerManager::new(config.ports, mechanisms::build(&config), 5)
    }

    #[test]
    fn a_flit_keeps_a_port_awake_that_is_not_held() {
        let mut manager = manager();
        for _ in 0..5 {
            manager.clock(&ManagerInputs { departing: 0b0010, ..Default::default() });
        }
        assert_eq!(manager.outputs(0, 0).ready, 0b0010);
        manager.clock(&ManagerInputs { given: 0b0001, ..Default::default() });
        let mut waking = 0;
        while manager.outputs(0, 0).ready & manager.held() == 0 {
            manager.clock(&ManagerInputs::default());
            waking += 1;
        }
        assert_eq!((waking, manager.counters[0].count[5], manager.counters[1].count[6]), (3, 1, 5));
    }

    #[test]
    fn words_are_shown_a_cycle_after_they_are_asked_for() {
        let mut manager = manager();
        let read = |manager: &mut PowerManager, address: u16| {
            manager.clock(&ManagerInputs { read_address: address / 4, ..Default::default() });
            manager.read_data
        };
        assert_eq!(read(&mut manager, 0x44), 2, "the power-down threshold, a word of the mechanism");
        assert_eq!(read(&mut manager, 0x1000), 1, "one cycle before the one in which it was asked for");
        assert_eq!(read(&mut manager, 0x10c0 + 48), 1 | 1 << 7, "on the way to sleep, and grantable");
        assert_eq!(read(&mut manager, 0x10c0 + 52), 0, "behind the status");
        assert_eq!(read(&mut manager, 0x1100), 0, "there is no port 4");
        assert_eq!(read(&mut manager, 0), 0, "none of the manager's");
        manager.clock(&ManagerInputs { error: &[0, 0b10001, 0, 0], ..Default::default() });
        assert_eq!(read(&mut manager, 0x1040 + 28), 1);
        assert_eq!(read(&mut manager, 0x1040 + 44), 1);
        let clear = Write { address: 3, data: 1 };
        manager.clock(&ManagerInputs { write: Some(clear), read_address: 3, ..Default::default() });
        assert_eq!((manager.clear, manager.read_data), (true, 0));
        assert_eq!(read(&mut manager, 0x0c), 1, "it is seen in the one cycle in which it clears");
        assert!(!manager.clear && manager.counters.iter().all(|port| port.count == [0; 12]));
    }
}
