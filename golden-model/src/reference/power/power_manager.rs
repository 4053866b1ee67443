//! `power_manager`: a power mechanism, the held ports and the counters of all ports, behind one window for their words.

use super::held_ports::HeldInputs;
use super::mechanism::{MechanismInputs, MechanismOutputs, READ, REGISTERS, WRITE_INPUT, Write};
use super::port_counters::{CounterInputs, Turn};
use super::surroundings::{RING, show_lookup};
use super::{CounterSlots, HeldPorts, PortCounters, PowerMechanism, Surroundings};
use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::registers::{PORT_BASE, WORD_BYTES, port_stride};
use powar_config::signal::{data, flag, flags, level, phase, ring_word};
use powar_config::{Owner, SignalSpec};

/// Address of `clear_counters`: its byte address / 4.
const CLEAR_COUNTERS: u16 = 3;

/// Ports whose words are chosen from at once.
const GROUP: usize = 8;

/// The power manager of a switch or of a controller; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct PowerManager {
    ports: usize,
    errors: usize,
    /// Of a switch for short packets, which sees `freed`.
    short_packets: bool,
    pub held_ports: HeldPorts,
    pub mechanism: Box<dyn PowerMechanism>,
    pub slots: CounterSlots,
    pub counters: Vec<PortCounters>,
    /// The answer to a request is there in this cycle, and what it is until the next one.
    pub read_done: bool,
    pub read_data: u32,
    /// The counters are cleared in this cycle.
    pub clear: bool,
    /// A counter that was asked for has not had its turn yet.
    pub waiting: bool,
    /// A word of a port was taken in the cycle before, and which, by groups of eight ports.
    pub taken: bool,
    pub group_word: Vec<u32>,
}

/// The outputs that answer a read.
pub(crate) const ANSWER: [SignalSpec; 2] = [flag("read_done").of(REGISTERS), data("read_data").of(REGISTERS)];

inputs! {
    /// What the power manager sees in a cycle; vectors have one bit a port.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct ManagerInputs<'a> of block: &PowerManager {
        pub around: Surroundings<'a> = (block.mechanism.sees(), block.ports),
        /// The port is given to a packet.
        pub given: u64 = flags("given", Owner::Port, block.ports),
        /// A flit sets out for the port.
        pub departing: u64 = flags("departing", Owner::Port, block.ports).habit(block.mechanism.departures()),
        /// With that flit the port is released.
        pub released: u64 = flags("released", Owner::Port, block.ports),
        /// The port is released in this cycle; 0 but in a switch for short packets.
        pub freed: u64 = flags("freed", Owner::Port, block.ports).only_if(block.short_packets),
        /// Row p: the events of port p that are errors.
        pub error: &'a [u64] =
            flags("error", Owner::Block, block.errors).rows(Owner::Port, block.ports).only_if(block.errors != 0),
        pub write: Option<Write> = WRITE_INPUT,
        pub read: Read = (),
    }
}

inputs! {
    /// What is asked for in a cycle.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Read {
        /// A word is asked for.
        pub request: bool = READ[0],
        /// Its byte address / 4, 14 bits, until the answer is there.
        pub address: u16 = READ[1],
    }
}

/// Where an address is.
enum Place {
    /// Below the words of the ports.
    Below,
    /// A port that need not exist, and the place of the word in it.
    OfPort(usize, usize),
}

impl PowerManager {
    /// Of so many ports with a mechanism after reset, and with counters for so many kinds of errors.
    pub fn new(ports: usize, mechanism: Box<dyn PowerMechanism>, errors: usize) -> Self {
        let counters = PortCounters::new(mechanism.entry().residency, errors);
        PowerManager {
            ports,
            errors,
            short_packets: false,
            held_ports: HeldPorts::new(ports, false),
            mechanism,
            slots: CounterSlots::new(counters.prescaler.len()),
            counters: vec![counters; ports],
            read_done: false,
            read_data: 0,
            clear: false,
            waiting: false,
            taken: false,
            group_word: vec![0; ports.div_ceil(GROUP)],
        }
    }

    /// The same after reset of a switch that is made for short packets, or not.
    pub fn for_short_packets(self, short_packets: bool) -> Self {
        PowerManager { short_packets, held_ports: HeldPorts::new(self.ports, short_packets), ..self }
    }

    /// Ports held by a packet.
    pub fn held(&self) -> u64 {
        self.held_ports.held
    }

    /// Ports that are not held in the next cycle, if there is no reset.
    pub fn free_next(&self, inputs: &HeldInputs) -> u64 {
        self.held_ports.free_next(inputs)
    }

    /// What the mechanism shows, at this place of the switch in the network.
    pub fn outputs(&self, position: u16, stage: u8) -> MechanismOutputs {
        let around = Surroundings { position, stage, ..Default::default() };
        self.mechanism.outputs(&MechanismInputs { around, held: self.held(), ..Default::default() })
    }

    /// The events of a port before this cycle, by counter.
    pub fn counts(&self, port: usize) -> Vec<u32> {
        self.counters[port].counts(&self.slots)
    }

    fn place(&self, address: u16) -> Place {
        let Some(of_ports) = address.checked_sub(PORT_BASE / WORD_BYTES) else { return Place::Below };
        let stride = usize::from(port_stride(self.mechanism.entry()) / WORD_BYTES);
        Place::OfPort(usize::from(of_ports) / stride, usize::from(of_ports) % stride)
    }

    /// The edge of what answers a read.
    fn clock_read(&mut self, read: &Read, shown: &MechanismOutputs) {
        let status = self.counters[0].prescaler.len();
        let (waited, taken) = (self.waiting, self.taken);
        let asked = read.request || waited;
        (self.waiting, self.taken, self.read_done) = (false, false, taken);
        match self.place(read.address) {
            Place::OfPort(port, place) => {
                let in_group = |group: usize| group * GROUP + port % GROUP;
                if taken {
                    self.read_data = self.group_word.get(port / GROUP).copied().unwrap_or(0);
                }
                self.taken = asked && (place >= status || waited && is_set(self.slots.turn, place));
                self.waiting = asked && !self.taken;
                if self.taken {
                    let words = 0..self.group_word.len();
                    self.group_word = words.map(|group| self.shown_word(in_group(group), place, shown)).collect();
                }
            }
            Place::Below if taken => self.read_data = 0,
            Place::Below if read.request => {
                let clear = read.address == CLEAR_COUNTERS;
                (self.read_data, self.read_done) =
                    (if clear { self.clear.into() } else { self.mechanism.read(read.address) }, true);
            }
            Place::Below => {}
        }
    }

    /// The word of a port at a place: of the counter whose turn it is, or the status; 0 if there is none.
    fn shown_word(&self, port: usize, place: usize, shown: &MechanismOutputs) -> u32 {
        let status = self.counters[0].prescaler.len();
        match self.counters.get(port) {
            Some(counters) if place < status => counters.word(&Turn::from(&self.slots)),
            Some(_) if place == status => self.status(port, shown),
            _ => 0,
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
        let turn = Turn::from(&self.slots);
        self.counters.iter_mut().for_each(|counters| counters.reset(&turn));
        self.slots.reset();
        (self.read_done, self.read_data, self.clear) = (false, 0, false);
        (self.waiting, self.taken) = (false, false);
        self.group_word.fill(0);
    }

    /// The clock edge. All children see what the others show before it.
    pub fn clock(&mut self, inputs: &ManagerInputs) {
        let &ManagerInputs { around, given, departing, released, freed, error, write, read } = inputs;
        let shown = self.outputs(around.position, around.stage);
        let seen = MechanismInputs { around, held: self.held(), given, departing, write };
        let waking = self.mechanism.waking(&seen);
        self.clock_read(&read, &shown);
        let turn = Turn::from(&self.slots);
        for (port, counters) in self.counters.iter_mut().enumerate() {
            counters.clock(&CounterInputs {
                phase: shown.phase[port],
                level: shown.level[port],
                waking: is_set(waking, port),
                departing: is_set(departing, port),
                error: error.get(port).copied().unwrap_or(0),
                clear: self.clear,
                turn,
            });
        }
        self.slots.clock(self.clear);
        self.clear = write.is_some_and(|write| write.address == CLEAR_COUNTERS && write.data & 1 == 1);
        self.mechanism.clock(&seen);
        self.held_ports.clock(&HeldInputs { given, departing, released, freed });
    }
}

impl Registers for PowerManager {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("read_done").of(REGISTERS), self.read_done);
        rows.one(data("read_data").of(REGISTERS), self.read_data);
        rows.one(flag("clear").of(REGISTERS), self.clear);
        rows.one(flag("waiting").of(REGISTERS), self.waiting);
        rows.one(flag("taken").of(REGISTERS), self.taken);
        let groups = self.group_word.len();
        rows.many(data("group_word").rows(REGISTERS, groups), self.group_word.iter().copied());
        rows.child("held_ports", [&self.held_ports]);
        rows.owners(Owner::Part("mechanism"), "mechanism", [&*self.mechanism]);
        rows.owners(Owner::Part("slots"), "slots", [&self.slots]);
        rows.child_of(Owner::Port, "counters", &self.counters);
    }
}

impl Block for PowerManager {
    type Inputs<'a> = ManagerInputs<'a>;

    fn outputs(&self, seen: &ManagerInputs, rows: &mut RegisterRows) {
        let ports = |name| flags(name, Owner::Port, self.ports);
        let &ManagerInputs { given, departing, released, freed, .. } = seen;
        let shown = self.outputs(seen.around.position, seen.around.stage);
        rows.one(ports("held"), self.held());
        rows.one(ports("free_next"), self.free_next(&HeldInputs { given, departing, released, freed }));
        rows.one(ports("grantable"), shown.grantable);
        rows.one(ports("preferred"), shown.preferred);
        rows.one(ports("ready"), shown.ready);
        rows.one(ports("steady"), shown.steady);
        rows.one(ports("hint"), shown.hint);
        rows.one(ports("serves"), shown.serves);
        rows.many(phase("phase").of(Owner::Port), shown.phase);
        rows.many(level("level").of(Owner::Port), shown.level);
        if let ring @ Some(_) = self.mechanism.entry().sees.ring {
            rows.one(ring_word("ring_out", ring).of(RING), shown.ring);
        }
        show_lookup(shown.lookup, self.mechanism.sees(), rows);
        rows.one(ANSWER[0], self.read_done);
        rows.one(ANSWER[1], self.read_data);
    }

    fn edge(&mut self, rst: bool, seen: &ManagerInputs) {
        if rst { self.reset() } else { self.clock(seen) }
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
        assert_eq!((waking, manager.counts(0)[5], manager.counts(1)[6]), (3, 1, 5));
    }

    /// Asks for a word; the answer and how many cycles later it is there.
    fn read(manager: &mut PowerManager, address: u16) -> (u32, usize) {
        for cycle in 0..100 {
            let read = Read { request: cycle == 0, address: address / 4 };
            manager.clock(&ManagerInputs { read, ..Default::default() });
            if manager.read_done {
                return (manager.read_data, cycle + 1);
            }
        }
        panic!("no answer from {address:#06x}");
    }

    #[test]
    fn words_are_there_when_they_are_done() {
        let mut manager = manager();
        assert_eq!(read(&mut manager, 0x44), (2, 1), "the power-down threshold, a word of the mechanism");
        assert_eq!(read(&mut manager, 0x10c0 + 48), (7 << 7, 2), "on, grantable, preferred, ready");
        assert_eq!(read(&mut manager, 0x10c0 + 48), (1 << 7 | 2, 2), "asleep");
        assert_eq!(read(&mut manager, 0x10c0 + 52), (0, 2), "behind the status");
        assert_eq!(read(&mut manager, 0x1100 + 48), (0, 2), "there is no port 4");
        assert_eq!(read(&mut manager, 0), (0, 1), "none of the manager's");
        manager.clock(&ManagerInputs { error: &[0, 0b10001, 0, 0], ..Default::default() });
        assert_eq!(read(&mut manager, 0x1040 + 28).0, 1);
        assert_eq!(read(&mut manager, 0x1040 + 44).0, 1);
        let clear = Write { address: 3, data: 1 };
        let both = Read { request: true, address: 3 };
        manager.clock(&ManagerInputs { write: Some(clear), read: both, ..Default::default() });
        assert_eq!((manager.clear, manager.read_data), (true, 0));
        assert_eq!(read(&mut manager, 0x0c), (1, 1), "it is seen in the one cycle in which it clears");
        assert!(!manager.clear && (0..4).all(|port| manager.counts(port) == [0; 12]));
    }

    #[test]
    fn a_counter_is_that_of_the_cycle_before_its_turn() {
        let mut manager = manager();
        let (mut now, mut waits) = (0, [0; 15]);
        for pause in 0..100 {
            let pause = pause * 7 % 5;
            for cycle in 0.. {
                let read = Read { request: cycle == pause, address: (0x1000 + 24) / 4 };
                manager.clock(&ManagerInputs { departing: 1, read, ..Default::default() });
                now += 1;
                if manager.read_done {
                    assert_eq!(manager.read_data, now - 3, "a flit in every cycle");
                    waits[cycle + 1 - pause] += 1;
                    break;
                }
            }
        }
        assert!(waits[..3] == [0; 3] && waits[3..].iter().filter(|&&wait| wait > 0).count() > 3, "{waits:?}");
    }
}
