//! What controller and switch have around any power mechanism, event-driven: the held ports and the counters of all ports.

mod buffers;
mod flit_totals;
mod planes;
mod reads;
mod seen;
mod shown;

pub use buffers::{Buffers, ShownBuffers};
pub use flit_totals::FlitTotals;
pub use planes::{Planes, Sideband, Signal};
pub use seen::{Around, Seen};
pub use shown::Shown;

use super::frame::Frame;
use super::mechanisms::EventMechanism;
use crate::bits::is_set;
use crate::port_counts::PortCounts;
use crate::reference::power::mechanism::Write;
use crate::reference::power::power_manager::Read;
use powar_config::registers::{self, PORT_BASE, WORD_BYTES};
use powar_config::{Mechanism, Sees};
use reads::{Place, Reads, Slots};

/// Address of `clear_counters`: its byte address / 4.
const CLEAR_COUNTERS: u16 = 3;
/// Address of the first word of port 0, likewise.
const PORTS: u16 = PORT_BASE / WORD_BYTES;

/// A mechanism with held ports and counters: `power_manager`.
#[derive(Clone, Debug)]
pub(crate) struct PowerManager {
    ports: usize,
    /// Counters of errors that a port has; they are kept where the errors happen.
    errors: usize,
    mechanism: Box<dyn EventMechanism>,
    /// What the mechanism sees beyond `held`, `given` and `departing`.
    pub sees: Sees,
    pub shown: Shown,
    pub seen: Seen,
    /// Until cycle `calm_until` an edge means nothing to the mechanism if no port is given and just the ports `calm_use` are in use.
    calm_use: u64,
    calm_until: u64,
    /// The totals at the last clear of the counters, by port.
    cleared: Box<[u64; 64]>,
    /// The counters are cleared in this cycle.
    pub clear: bool,
    reads: Reads,
    slots: Slots,
    /// Row p * C + c: prescaler of counter c of port p in the cycle before, if that was observed. Empty where nobody observes.
    prescalers: Vec<u64>,
}

impl PowerManager {
    /// The state after reset in cycle 0.
    pub fn new(ports: usize, mut mechanism: Box<dyn EventMechanism>, errors: usize) -> Self {
        let mut shown = Shown::new(mechanism.entry().residency, ports, 0);
        mechanism.reset(0, &mut shown);
        let counters = mechanism.entry().residency.len() + 2 + errors;
        let seen_buffers = Buffers::new(if mechanism.entry().sees.buffers { ports } else { 0 });
        PowerManager {
            ports,
            errors,
            sees: mechanism.sees(),
            mechanism,
            shown,
            seen: Seen::new(seen_buffers, Box::default()),
            calm_use: 0,
            calm_until: 0,
            cleared: Box::new([0; 64]),
            clear: false,
            reads: Reads::default(),
            slots: Slots::new(counters, 0),
            prescalers: Vec::new(),
        }
    }

    /// The state after reset in cycle `now`.
    pub fn reset(&mut self, now: u64) {
        self.shown = Shown::new(self.entry().residency, self.ports, now);
        self.mechanism.reset(now, &mut self.shown);
        self.seen.buffers.clear();
        let Seen { buffers, around, .. } = &mut self.seen;
        self.seen = Seen::new(std::mem::take(buffers), std::mem::take(around));
        *self.cleared = [0; 64];
        (self.calm_until, self.clear) = (0, false);
        (self.reads, self.slots) = (Reads::default(), Slots::new(self.counters(), now));
    }

    pub fn entry(&self) -> &'static Mechanism {
        self.mechanism.entry()
    }

    /// The packed address whose row of the routing table the mechanism asks for in the cycle under way.
    pub fn lookup(&self) -> Option<u16> {
        self.mechanism.lookup()
    }

    /// Ports held by a packet.
    #[inline]
    pub fn held(&self) -> u64 {
        self.seen.held
    }

    /// Whether a packet goes over a port whole ([`EventMechanism::keeps_ready`]).
    pub fn keeps_ready(&self) -> bool {
        self.mechanism.keeps_ready()
    }

    /// The longest time for which a port that is held may not be ready, cycles.
    pub fn longest_wait(&self) -> u64 {
        self.mechanism.longest_wait()
    }

    /// From cycle `now` on the mechanism may see something else around it, though nothing was clocked.
    #[inline]
    pub fn pass(&mut self, now: u64) {
        self.mechanism.pass(now, &self.seen);
    }

    /// The clock edge that ends cycle `now`. `released` has a bit only where `departing` has, or where a port is released at once. The flits that depart are in the totals, with
    /// their cycle.
    #[inline]
    pub fn clock(&mut self, now: u64, given: u64, departing: u64, released: u64) {
        let seen = &mut self.seen;
        seen.departing = departing;
        let in_use = seen.held | departing;
        if (given != 0) | (in_use != self.calm_use) | (now >= self.calm_until) {
            seen.given = given;
            (self.calm_use, self.calm_until) = (in_use, self.mechanism.clock(now, seen, &mut self.shown));
            debug_assert!(self.shown.is_sound());
            seen.given = 0;
        }
        seen.held = given | seen.held & !released;
    }

    /// The rest of the edge that ends cycle `now`, if there is a write or a clear: what is written, and cleared.
    #[cold]
    pub fn write(&mut self, now: u64, write: Option<Write>) {
        if self.clear {
            self.shown.clear_counters(now);
            self.slots.clear(now);
            *self.cleared = std::array::from_fn(|port| self.seen.flits.of_port(port, now + 1));
        }
        self.clear = write.is_some_and(|write| write.address == CLEAR_COUNTERS && write.data & 1 == 1);
        if let Some(write) = write {
            self.calm_until = 0;
            self.mechanism.write(now + 1, write, &mut self.shown);
            debug_assert!(self.shown.is_sound());
        }
    }

    /// The first cycle from `now` on at whose end something changes if nothing comes in or is given until then, and a flit departs in each
    /// cycle for the same ports as in the last one.
    #[inline]
    pub fn next_event(&self, now: u64) -> u64 {
        if self.clear | self.reads.is_active() {
            return now;
        }
        self.mechanism.next_event(now, &self.seen).max(now)
    }

    /// Counters of a port.
    fn counters(&self) -> usize {
        self.entry().residency.len() + 2 + self.errors
    }

    /// Something of a read changes with the next edge, whether or not there is a request.
    #[inline]
    pub fn is_reading(&self) -> bool {
        self.reads.is_active()
    }

    /// The answer to a read, in the cycle in which it is there.
    pub fn answer(&self) -> Option<u32> {
        self.reads.done.then_some(self.reads.data)
    }

    /// The outputs that answer a read.
    pub fn observe_answer(&self, frame: &mut Frame) {
        frame.put([self.reads.done.into(), self.reads.data.into()]);
    }

    /// What the edge that ends cycle `now` does for reads, before anything else has moved. `error` is the counter of a kind of errors of a
    /// port.
    #[cold]
    pub fn clock_read(&mut self, now: u64, read: &Read, error: impl Fn(usize, usize) -> u32) {
        let (place, word) = self.place(read.address);
        let mut reads = std::mem::take(&mut self.reads);
        let below =
            || if read.address == CLEAR_COUNTERS { self.clear.into() } else { self.mechanism.read(read.address) };
        let is_status = |port: usize| port < self.ports && word == self.counters();
        let status = |port: usize| if is_status(port) { self.status(port) } else { 0 };
        let fetched = self.slots.fetched(now) as usize;
        let is_counted = |port: usize| port < self.ports && !self.clear;
        let next = |port: usize| if is_counted(port) { self.counter(now, port, fetched, &error) } else { 0 };
        reads.clock(read, place, self.slots.turn(now) as usize, below, status, next);
        self.reads = reads;
    }

    /// Where a word is, by its byte address / 4; which it is of a port's words, if it is one of those.
    fn place(&self, address: u16) -> (Place, usize) {
        let Some(of_ports) = address.checked_sub(PORTS) else { return (Place::Below, 0) };
        let stride = usize::from(registers::port_stride(self.entry()) / WORD_BYTES);
        let (port, word) = (usize::from(of_ports) / stride, usize::from(of_ports) % stride);
        (if word < self.counters() { Place::Counter(port, word) } else { Place::Status(port) }, word)
    }

    /// A counter of a port in cycle `now`.
    fn counter(&self, now: u64, port: usize, counter: usize, error: &impl Fn(usize, usize) -> u32) -> u32 {
        let pairs = self.entry().residency.len();
        match counter {
            _ if counter < pairs => self.shown.cycles(port, now).nth(counter).expect("a pair of the mechanism") as u32,
            _ if counter == pairs => self.shown.wake_ups(port) as u32,
            _ if counter == pairs + 1 => self.flits(port, now) as u32,
            _ => error(port, counter - pairs - 2),
        }
    }

    fn status(&self, port: usize) -> u32 {
        let flags = [self.held(), self.shown.grantable, self.shown.preferred, self.shown.ready];
        let flags = flags.iter().zip(6..).fold(0, |bits, (flag, place)| bits | u32::from(is_set(*flag, port)) << place);
        u32::from(self.shown.sideband.phase.get(port)) | u32::from(self.shown.level.get(port)) << 3 | flags
    }

    /// A port's counter of flits in cycle `now`; the register holds the lower 32 bits.
    fn flits(&self, port: usize, now: u64) -> u64 {
        self.seen.flits.of_port(port, now) - self.cleared[port]
    }

    /// What a port's counters but for errors have counted, in cycle `now`.
    pub fn counts(&self, port: usize, now: u64) -> PortCounts {
        PortCounts {
            cycles: self.shown.cycles(port, now).collect(),
            wake_ups: self.shown.wake_ups(port),
            flits: self.flits(port, now),
        }
    }

    /// Cycles before `now` in which packets waited for a port ([`EventMechanism::waited`]).
    pub fn waited(&mut self, port: usize, now: u64) -> u64 {
        self.mechanism.pass(now, &self.seen);
        self.mechanism.waited(port, now)
    }

    /// Events that the mechanism has counted ([`EventMechanism::events`]).
    pub fn events(&self) -> Vec<(&'static str, u64)> {
        self.mechanism.events()
    }

    /// Phases and levels, a row for each port.
    pub fn observe_phases(&self, frame: &mut Frame) {
        frame.fill(self.ports, |port| self.shown.sideband.phase.get(port).into());
        frame.fill(self.ports, |port| self.shown.level.get(port).into());
    }

    /// The word of the control ring, if there is a ring.
    pub fn observe_ring(&self, frame: &mut Frame) {
        if self.sees.ring.is_some() {
            frame.put([self.shown.ring]);
        }
    }

    /// Which row is asked for, if the mechanism looks rows up.
    pub fn observe_lookup(&self, frame: &mut Frame) {
        if self.sees.routes.looks_up() {
            let address = self.lookup();
            frame.put([address.is_some().into(), address.unwrap_or(0).into()]);
        }
    }

    /// The registers of `power_manager` in cycle `now`, if the cycle before was observed too. `error` puts the counters of errors of a
    /// port.
    pub fn observe(&mut self, now: u64, frame: &mut Frame, error: impl Fn(usize, &mut [u64])) {
        self.reads.observe(self.clear, self.ports, frame);
        frame.put([self.held()]);
        self.mechanism.observe(now, &self.seen, frame);
        self.slots.observe(now, frame);
        let (pairs, counters) = (self.entry().residency.len(), self.counters());
        // Prescalers are the low bits of what they count.
        let mask = u64::from(registers::prescaler_mask(counters));
        let prescalers = frame.next(self.ports * counters);
        for (port, slots) in prescalers.chunks_exact_mut(counters).enumerate() {
            let (cycles, others) = slots.split_at_mut(pairs);
            self.shown.observe_cycles(port, now, cycles);
            (others[0], others[1]) = (self.shown.wake_ups(port), self.flits(port, now));
            error(port, &mut others[2..]);
            slots.iter_mut().for_each(|slot| *slot &= mask);
        }
        let turn = self.slots.turn(now) as usize;
        let of_turn = |port: usize| self.prescalers.get(port * counters + turn).copied().unwrap_or(0);
        frame.fill(self.ports, |port| if self.slots.are_cleared(now) { 0 } else { of_turn(port) });
        self.prescalers.resize(prescalers.len(), 0);
        self.prescalers.copy_from_slice(prescalers);
    }
}
