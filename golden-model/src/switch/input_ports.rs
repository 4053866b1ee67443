//! Input ports (sections 5.4 and 5.5) with the input side of the crossbar (5.8).
//!
//! What concerns all virtual channels (VCs) of a port at once is a mask over them; what a VC has for itself fills one cache line.
//! Ports that have something to do are masks over ports, so that a cycle visits no others.

use super::link::{Credit, LinkFlit, Payload};
use super::routing::{Route, Router};
use crate::bits::{is_set, ones};
use powar_config::{Config, PowerState};

/// In place of a port's number: none.
pub(super) const NO_PORT: u8 = 64;
/// Bit of a header entry: the packet must be dropped.
const MALFORMED: u32 = 1 << 26;

/// A virtual channel of an input port.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Vc {
    /// Where the packet in the head register may go, and its destination.
    pub route: Route,
    /// The header that the head register takes at the end of a fetching cycle.
    pub fetched: u32,
    pub length: u16,
    pub remaining: u16,
    pub arriving: u16,
    pub flits: Queue,
    pub headers: Queue,
    /// Of the packet that holds an output port; [`NO_PORT`] when it is being dropped.
    pub port: u8,
    /// One-hot, or 0.
    pub output_vc: u8,
    /// The selector's choice, if [`InputPort::choosing`] says that there is one.
    pub choice: u8,
    /// Its pointers, as numbers.
    pub rrp: u8,
    pub drp: u8,
    /// Chances that the packet in the head register has missed because the port was not ready.
    pub missed: u8,
}

/// Pointers of a queue (section 5.3).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queue {
    pub write: u16,
    pub read: u16,
    pub count: u16,
    /// Where the write pointer was when the queue was last empty. Entries lie in memory from there on, so that queues that are
    /// short all the time stay in the processor's cache, wherever their pointers are.
    base: u16,
}

impl Queue {
    /// The place to write to.
    #[inline]
    fn push(&mut self, depth: u16) -> usize {
        self.base = if self.count == 0 { self.write } else { self.base };
        let place = self.place(self.write, depth);
        self.write = if self.write + 1 == depth { 0 } else { self.write + 1 };
        self.count += 1;
        place
    }

    /// The place to read from.
    #[inline]
    fn pop(&mut self, depth: u16) -> usize {
        let place = self.place(self.read, depth);
        self.read = if self.read + 1 == depth { 0 } else { self.read + 1 };
        self.count -= 1;
        place
    }

    #[inline]
    fn place(&self, pointer: u16, depth: u16) -> usize {
        (if pointer >= self.base { pointer - self.base } else { pointer + depth - self.base }).into()
    }
}

/// An input port; masks are over its VCs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct InputPort {
    pub head_valid: u8,
    pub malformed: u8,
    /// The destination in the head register doesn't exist.
    pub unroutable: u8,
    pub holding: u8,
    pub dropping: u8,
    pub first: u8,
    pub fetching: u8,
    /// Header reads of this cycle.
    fetch: u8,
    /// VCs that can be read: with a flit of a packet that is dropped or holds an awake port.
    able: u8,
    pub reading: u8,
    /// One-hot, over VCs that can start to be read.
    pub pointer: u8,
    /// Stage 2 of allocation: its one-hot pointer.
    pub arbiter_pointer: u8,
    /// VCs whose selector shows a choice, and those of them whose choice came from P.
    pub choosing: u8,
    pub choice_adaptive: u8,
    /// The VC read in this cycle; [`NO_PORT`]: none. Only up to date for ports with a flit on the link.
    popped: u8,
    /// Ports that its waiting packets may go to, and perhaps some more.
    pub interest: u64,
    pub errors: InputErrors,
}

/// Error counters of an input port; all wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputErrors {
    /// Packets that were dropped: destination or header not valid.
    pub dropped_packets: u32,
    /// Flits with a wrong head mark or virtual channel.
    pub framing_errors: u32,
    /// Flits that found their virtual channel full and were lost.
    pub overflow_errors: u32,
    /// Flits whose sender said that its port sleeps.
    pub sleeping_link_flits: u32,
}

impl InputPort {
    const RESET: InputPort = InputPort {
        head_valid: 0,
        malformed: 0,
        unroutable: 0,
        holding: 0,
        dropping: 0,
        first: 0,
        fetching: 0,
        fetch: 0,
        able: 0,
        reading: 0,
        pointer: 1,
        arbiter_pointer: 1,
        choosing: 0,
        choice_adaptive: 0,
        popped: NO_PORT,
        interest: 0,
        errors: InputErrors { dropped_packets: 0, framing_errors: 0, overflow_errors: 0, sleeping_link_flits: 0 },
    };

    /// Packets in head registers that are to be dropped.
    #[inline]
    pub fn drop(&self) -> u8 {
        self.head_valid & (self.malformed | self.unroutable)
    }
}

/// The first request at or after a one-hot pointer, cyclically, among up to 8.
#[inline]
pub(super) fn round_robin_8(request: u8, pointer: u8) -> u8 {
    let ahead = request & !(pointer - 1);
    let candidates = if ahead != 0 { ahead } else { request };
    candidates & candidates.wrapping_neg()
}

/// What the reads of a cycle come to, as masks over ports.
pub(super) struct Reads {
    /// Input ports of which a packet that is granted an awake port can be read from the next cycle on.
    pub ready: u64,
    /// Output ports with a departing flit.
    pub departing: u64,
    /// Output ports that are released with it.
    pub released: u64,
}

/// All input ports.
#[derive(Clone, Debug)]
pub(super) struct InputPorts<P> {
    every: u64,
    /// Virtual channels a port, and the logarithm of it: VC v of port i is number `i << vc_bits | v`.
    pub vcs: usize,
    vc_bits: u32,
    depth: u16,
    max_packet_flits: u32,
    router: Router,
    pub ports: Box<[InputPort]>,
    pub channels: Box<[Vc]>,
    flits: Box<[P]>,
    headers: Box<[u32]>,
    /// Ports with a VC that can be read.
    pub able: u64,
    /// Ports of which a packet is being read.
    reading: u64,
    /// Ports with a packet in a head register.
    pub present: u64,
    /// Ports with a VC that fetches a header.
    pub fetching: u64,
    fetch: u64,
    /// The flits in the crossbar, as the links will show them. The ports that sent them are `Active`, or they could not have.
    pub crossing: Vec<LinkFlit<P>>,
    /// Of each of them: the input port, and the output VC, one-hot or 0.
    pub crossing_from: Vec<(u8, u8)>,
    /// Ports of which a flit is read in this cycle.
    popping: u64,
    /// Ports with a packet that selectors have not seen yet.
    pub fresh: u64,
}

impl<P: Payload> InputPorts<P> {
    pub fn new(config: &Config, router: Router) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth());
        let channels = config.ports * vcs;
        InputPorts {
            every: crate::bits::low_bits(config.ports),
            vcs,
            vc_bits: vcs.ilog2(),
            depth: depth as u16,
            max_packet_flits: config.switch.max_packet_flits as u32,
            router,
            ports: vec![InputPort::RESET; config.ports].into(),
            channels: vec![Vc::RESET; channels].into(),
            flits: vec![P::EMPTY; channels * depth].into(),
            headers: vec![0; channels * depth].into(),
            able: 0,
            reading: 0,
            present: 0,
            fetching: 0,
            fetch: 0,
            crossing: Vec::with_capacity(config.ports),
            crossing_from: Vec::with_capacity(config.ports),
            popping: 0,
            fresh: 0,
        }
    }

    /// Reset values for all registers; memories keep what they hold.
    pub fn reset(&mut self) {
        self.ports.fill(InputPort::RESET);
        self.channels.fill(Vc::RESET);
        (self.able, self.reading, self.present, self.fetching, self.fresh) = (0, 0, 0, 0, 0);
        self.crossing.clear();
        self.crossing_from.clear();
    }

    /// Number of a VC in [`InputPorts::channels`].
    #[inline]
    pub fn channel(&self, port: usize, vc: usize) -> usize {
        port << self.vc_bits | vc
    }

    /// The flits in the crossbar go to the registers of the output ports: what links show in the next cycle.
    #[inline]
    pub fn cross(&mut self, links: &mut Vec<LinkFlit<P>>) {
        std::mem::swap(links, &mut self.crossing);
        self.crossing.clear();
        self.crossing_from.clear();
    }

    /// Reads a flit of each port that can, into the crossbar; puts the credits of the next cycle.
    #[inline]
    pub fn read(&mut self, credits: &mut Vec<Credit>) -> Reads {
        let mut reads = Reads { ready: self.every & !(self.able | self.reading), departing: 0, released: 0 };
        self.popping = 0;
        for i in ones(self.able) {
            let port = &mut self.ports[i];
            let starts = port.reading == 0;
            let pick = if starts { round_robin_8(port.able, port.pointer) } else { port.reading };
            if pick & port.able == 0 {
                continue;
            }
            if starts {
                port.pointer = rotated_up_8(pick, self.vcs);
            }
            let others = port.able & !pick;
            let v = pick.trailing_zeros() as usize;
            let channel = i << self.vc_bits | v;
            let vc = &mut self.channels[channel];

            let last = vc.remaining == 1;
            let released = vc.remaining <= 3 && vc.flits.count >= vc.remaining;
            vc.remaining -= 1;
            let place = channel * usize::from(self.depth) + vc.flits.pop(self.depth);
            if vc.port != NO_PORT {
                let bit = 1 << vc.port;
                reads.departing |= bit;
                reads.released |= if released { bit } else { 0 };
                self.crossing.push(LinkFlit {
                    port: vc.port,
                    // Without an output VC the number is 0.
                    vc: (vc.output_vc | 0x80).trailing_zeros() as u8 & u8::from(vc.output_vc == 0).wrapping_sub(1),
                    head: port.first & pick != 0,
                    power_state: PowerState::Active,
                    payload: self.flits[place],
                });
                self.crossing_from.push((i as u8, vc.output_vc));
            }
            port.first &= !pick;
            port.popped = v as u8;
            self.popping |= 1 << i;
            credits.push(Credit { port: i as u8, vc: v as u8 });
            if last {
                port.holding &= !pick;
                port.reading = 0;
                self.reading &= !(1 << i);
                reads.ready |= u64::from(others == 0) << i;
            } else {
                port.reading = pick;
                self.reading |= 1 << i;
            }
            if last || vc.flits.count == 0 {
                port.able = others;
                self.able &= !(u64::from(others == 0) << i);
            }
        }
        reads
    }

    /// The flits read in this cycle that go to an output port: that port, and its VC there, one-hot or 0.
    #[inline]
    pub fn departures(&self) -> impl Iterator<Item = (u8, u8)> {
        self.crossing.iter().zip(&self.crossing_from).map(|(flit, &(_, vc))| (flit.port, vc))
    }

    /// The packet in a head register is granted an output port and a VC there, or dropped ([`NO_PORT`]).
    #[inline]
    pub fn accept(&mut self, i: usize, v: usize, output: u8, output_vc: u8, awake: u64) {
        let channel = i << self.vc_bits | v;
        let (port, vc, bit) = (&mut self.ports[i], &mut self.channels[channel], 1 << v);
        port.head_valid &= !bit;
        self.present &= !(u64::from(port.head_valid == 0) << i);
        port.holding |= bit;
        port.first |= bit;
        (vc.remaining, vc.port, vc.output_vc) = (vc.length, output, output_vc);
        let drop = output == NO_PORT;
        if drop {
            port.dropping |= bit;
            port.errors.dropped_packets = port.errors.dropped_packets.wrapping_add(1);
        } else {
            port.dropping &= !bit;
        }
        if vc.headers.count != 0 {
            vc.fetched = self.headers[channel * usize::from(self.depth) + vc.headers.pop(self.depth)];
            port.fetch |= bit;
            self.fetch |= 1 << i;
        }
        if vc.flits.count != 0 && (drop || is_set(awake, (output & 63).into())) {
            port.able |= bit;
            self.able |= 1 << i;
        }
    }

    /// A flit comes in. Everything of this cycle that looks at the registers has been done.
    #[inline]
    pub fn arrive(&mut self, flit: &LinkFlit<P>, awake: u64) {
        let i = usize::from(flit.port);
        let port = &mut self.ports[i];
        if flit.power_state != PowerState::Active {
            port.errors.sleeping_link_flits = port.errors.sleeping_link_flits.wrapping_add(1);
        }
        let v = usize::from(flit.vc);
        if v >= self.vcs {
            port.errors.framing_errors = port.errors.framing_errors.wrapping_add(1);
            return;
        }
        let (channel, bit) = (i << self.vc_bits | v, 1 << v);
        let vc = &mut self.channels[channel];
        // A flit that is read in this cycle still takes its place.
        let leaving = u16::from(is_set(self.popping, i) && port.popped == flit.vc);
        if vc.flits.count + leaving == self.depth {
            port.errors.overflow_errors = port.errors.overflow_errors.wrapping_add(1);
            return;
        }
        let memory = channel * usize::from(self.depth);
        self.flits[memory + vc.flits.push(self.depth)] = flit.payload;
        if vc.flits.count == 1
            && port.holding & bit != 0
            && (vc.port == NO_PORT || is_set(awake, (vc.port & 63).into()))
        {
            port.able |= bit;
            self.able |= 1 << i;
        }
        let starts = vc.arriving == 0;
        if starts != flit.head {
            port.errors.framing_errors = port.errors.framing_errors.wrapping_add(1);
        }
        if !starts {
            vc.arriving -= 1;
            return;
        }
        let header = flit.payload.header() & 0x03ff_ffff;
        let sound = flit.head && (1..=self.max_packet_flits).contains(&(header >> 16));
        let entry = if sound { header } else { MALFORMED | 1 << 16 | header & 0xffff };
        vc.arriving = (entry >> 16 & 0x3ff) as u16 - 1;
        // An accept of this cycle has already emptied the head register, or begun a fetch.
        if vc.headers.count == 0 && (port.fetching | port.fetch | port.head_valid) & bit == 0 {
            load(&mut self.router, port, vc, v, entry);
            self.present |= 1 << i;
            self.fresh |= 1 << i;
        } else {
            self.headers[memory + vc.headers.push(self.depth)] = entry;
        }
    }

    /// The headers fetched in the cycle before go to the head registers.
    #[inline]
    pub fn load_fetched(&mut self) {
        for i in ones(self.fetching | self.fetch) {
            let port = &mut self.ports[i];
            for v in ones(port.fetching.into()) {
                let vc = &mut self.channels[i << self.vc_bits | v];
                let entry = vc.fetched;
                load(&mut self.router, port, vc, v, entry);
                self.present |= 1 << i;
                self.fresh |= 1 << i;
            }
            (port.fetching, port.fetch) = (port.fetch, 0);
        }
        (self.fetching, self.fetch) = (self.fetch, 0);
    }

    /// Whether a header is under way from a header memory.
    #[inline]
    pub fn is_fetching(&self) -> bool {
        self.fetching | self.fetch != 0
    }

    /// Nothing moves by itself.
    pub fn is_settled(&self) -> bool {
        self.crossing.is_empty() && self.able | self.fetching | self.fresh == 0
    }

    /// The output ports that are awake have changed.
    #[cold]
    pub fn awake_changed(&mut self, awake: u64) {
        for (i, port) in self.ports.iter_mut().enumerate() {
            port.able = 0;
            for v in ones(port.holding.into()) {
                let vc = &self.channels[i << self.vc_bits | v];
                let sends = vc.port == NO_PORT || is_set(awake, (vc.port & 63).into());
                port.able |= u8::from(sends && vc.flits.count != 0) << v;
            }
            self.able = self.able & !(1 << i) | u64::from(port.able != 0) << i;
        }
    }

    /// The switch is at another place: every packet in a head register is routed anew.
    pub fn reroute(&mut self, position: u16, stage: u8) {
        self.router.move_to(position, stage);
        for (i, port) in self.ports.iter_mut().enumerate() {
            for v in ones(port.head_valid.into()) {
                let vc = &mut self.channels[i << self.vc_bits | v];
                vc.route = self.router.route(vc.route.destination);
                port.unroutable = port.unroutable & !(1 << v) | u8::from(!vc.route.routable) << v;
            }
        }
        self.fresh = self.present;
    }

    /// The cycle of a clear is not counted.
    pub fn clear_errors(&mut self) {
        self.ports.iter_mut().for_each(|port| port.errors = InputErrors::default());
    }
}

/// A header entry goes to the head register of VC `v`.
#[inline]
fn load(router: &mut Router, port: &mut InputPort, vc: &mut Vc, v: usize, entry: u32) {
    let bit = 1 << v;
    vc.length = (entry >> 16 & 0x3ff) as u16;
    vc.route = router.route(entry as u16);
    port.head_valid |= bit;
    port.malformed = port.malformed & !bit | u8::from(entry & MALFORMED != 0) << v;
    port.unroutable = port.unroutable & !bit | u8::from(!vc.route.routable) << v;
}

/// A one-hot place among `n` (1..=8), moved up by one.
#[inline]
pub(super) fn rotated_up_8(place: u8, n: usize) -> u8 {
    crate::bits::rotated_up(place.into(), n) as u8
}

impl Vc {
    const RESET: Vc = Vc {
        route: Route::NONE,
        fetched: 0,
        length: 0,
        remaining: 0,
        arriving: 0,
        flits: Queue { write: 0, read: 0, count: 0, base: 0 },
        headers: Queue { write: 0, read: 0, count: 0, base: 0 },
        port: NO_PORT,
        output_vc: 0,
        choice: 0,
        rrp: 0,
        drp: 0,
        missed: 0,
    };
}
