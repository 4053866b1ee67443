//! Input ports. What comes in is in [`super::arrivals`], where it may go in [`super::routes`].
//!
//! What concerns all virtual channels (VCs) of a port at once is a mask over them. What a VC has for itself are two records: one
//! that every flit needs, and one that only its head flits need. Ports that have something to do are masks over ports, so that a
//! cycle visits no others.

use super::link::{Credit, LinkFlit, Payload};
use super::list::List;
use super::queue::{FlitQueue, Queue};
use super::routing::{Route, Router};
use crate::bits::{is_set, ones};
use powar_config::{Config, Phase};

/// In place of a port's number: none.
pub(super) const NO_PORT: u8 = 64;
/// The header of no flit: there are not so many ports.
pub(super) const UNEXPECTED: u32 = u32::MAX;
/// A packet whose flits that are still to be read are as many as this, all in the buffer, lets go of its output port if that is steady.
const LETS_GO: u16 = 5;
/// With so many its virtual channel and its input port may take the next packet, two cycles later.
const ENDS: u16 = 3;
/// Number of VC v of port i: `i << VC_BITS | v`, however many VCs there are. The records of those that aren't there are not touched.
pub(super) const VC_BITS: u32 = 3;

/// The flits of a virtual channel.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(super) struct Lane {
    pub flits: FlitQueue,
    /// The credit for each of its flits: the VC itself.
    credit: Credit,
    /// What links will show with the next flit. Of the packet that holds an output port; the port is [`NO_PORT`] when it is being
    /// dropped. In the place of the VC, which the flit gets when it leaves the crossbar, is the input port that it comes from.
    pub link: LinkFlit<()>,
}

/// The packets of a virtual channel that wait for an output port.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Vc {
    /// The route register: where a packet may go.
    pub route: Route,
    pub headers: Queue,
    /// The header that the head register takes at the end of a fetching cycle.
    pub fetched: u32,
    /// The head register: destination and length.
    pub destination: u16,
    pub length: u16,
    /// The user's bits of the header; what no routing sees is no register.
    pub user: u8,
    /// The selector's pointers, as numbers.
    pub rrp: u8,
    pub drp: u8,
}

/// A packet that is picked: the number of its VC, the output port that it asks for ([`NO_PORT`]: it is to be dropped), and, once it is
/// accepted, the output VCs allowed to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pick {
    pub vc: u8,
    pub wish: u8,
    pub vcs: u8,
}

impl Pick {
    /// The VC, one-hot.
    #[inline]
    pub fn vc(&self) -> u8 {
        1 << (self.vc & 7)
    }
}

/// An input port; masks are over its VCs.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct InputPort {
    pub head_valid: u8,
    pub malformed: u8,
    /// The packet has come into the head register at the last edge: its route is shown from the next cycle on.
    pub loaded: u8,
    /// Its route is shown; it is to be dropped.
    pub valid: u8,
    pub drop: u8,
    pub holding: u8,
    pub dropping: u8,
    pub fetching: u8,
    /// Header reads of this cycle.
    pub fetch: u8,
    /// VCs with a packet that is dropped or holds a ready port, and those of them that can be read: with a flit.
    pub sends: u8,
    pub able: u8,
    pub reading: u8,
    /// One-hot, over VCs that can start to be read.
    pub pointer: u8,
    /// Stage 2 of allocation: its one-hot pointer.
    pub arbiter_pointer: u8,
    /// VCs whose selector shows a choice.
    pub choosing: u8,
    /// Of those: the choice came from P.
    pub choice_adaptive: u8,
    /// VCs whose packet has missed the most chances.
    pub starved: u8,
    /// The choices, by VC.
    pub choice: [u8; 8],
    /// What is picked, has been picked in the cycle before, and what before that: [`super::allocation::Allocation`] knows which is where, and
    /// whether anything has.
    pub picks: [Pick; 3],
    /// Chances that the packet in the head register has missed because the port could not read it or had just picked
    /// another: byte v is that of VC v.
    pub missed: u64,
    /// Ports that its waiting packets may go to, and those that they have chosen; perhaps some more.
    pub interest: u64,
    pub chosen: u64,
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
    /// Flits whose sender said that its port doesn't send.
    pub closed_link_flits: u32,
}

impl InputErrors {
    /// In the order of their words.
    #[inline]
    pub fn list(&self) -> [u32; 4] {
        [self.dropped_packets, self.framing_errors, self.overflow_errors, self.closed_link_flits]
    }
}

impl InputPort {
    const RESET: InputPort = InputPort {
        head_valid: 0,
        malformed: 0,
        loaded: 0,
        valid: 0,
        drop: 0,
        holding: 0,
        dropping: 0,
        fetching: 0,
        fetch: 0,
        sends: 0,
        able: 0,
        reading: 0,
        pointer: 1,
        arbiter_pointer: 1,
        choosing: 0,
        choice_adaptive: 0,
        starved: 0,
        choice: [0; 8],
        picks: [Pick { vc: 0, wish: NO_PORT, vcs: 0 }; 3],
        missed: 0,
        interest: 0,
        chosen: 0,
    };

    /// VCs whose choice is none of some ports.
    pub fn choices_outside(&self, ports: u64) -> u8 {
        let outside = |v: usize| u8::from(!is_set(ports, self.choice[v & 7].into()));
        ones(self.choosing.into()).fold(0, |vcs, v| vcs | outside(v) << v)
    }
}

/// The first request at or after a one-hot pointer, cyclically, among up to 8.
#[inline]
pub(super) fn round_robin_8(request: u8, pointer: u8) -> u8 {
    let ahead = request & !(pointer - 1);
    let candidates = if ahead != 0 { ahead } else { request };
    candidates & candidates.wrapping_neg()
}

/// What the reads of a cycle come to, as masks over output ports: those that a flit sets out for in the next cycle, and those of them
/// that are released with it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reads {
    pub departing: u64,
    pub released: u64,
}

/// All input ports.
#[derive(Clone, Debug)]
pub(super) struct InputPorts<P> {
    pub(super) every: u64,
    pub vcs: usize,
    pub depth: u16,
    /// Of the memory of a VC: one less than its words.
    pub(super) mask: u16,
    pub(super) max_packet_flits: u32,
    pub(super) router: Router,
    pub ports: Box<[InputPort]>,
    pub errors: Box<[InputErrors]>,
    pub lanes: Box<[Lane]>,
    pub channels: Box<[Vc]>,
    pub(super) flits: Box<[P]>,
    pub(super) headers: Box<[u32]>,
    /// Ports with a VC that can be read, and with one that is not being read.
    pub able: u64,
    pub(super) contended: u64,
    /// Ports of which a packet is being read, and those of them with a flit of it.
    reading: u64,
    pub(super) flowing: u64,
    /// Ports whose packet that is being read is dropped.
    pub(super) discarding: u64,
    /// The output ports that the other packets with a flit go to. Each has an output port of its own: the next one that is given a
    /// port is read only after the last flit of the one before.
    pub(super) sending: u64,
    /// The VCs that these packets are on, as places in `lanes`.
    pub(super) current: [u16; 64],
    /// Ports of which a packet that is picked now can be read, and those whose packet that is being read is sure to have ended then.
    pub can_read: u64,
    pub ending: u64,
    /// The header of the flit that most likely comes in next at a port, or [`UNEXPECTED`]: a body flit, on a VC with an unfinished
    /// packet.
    pub(super) expected: [u32; 64],
    /// Ports with a packet in a head register, those of them with one that has just come there, and those with one whose route is shown.
    pub present: u64,
    pub(super) loaded: u64,
    pub routed: u64,
    /// Those of the last with a packet that may be picked, perhaps some more.
    pub asking: u64,
    /// Ports with a VC that fetches a header.
    pub fetching: u64,
    pub(super) fetch: u64,
    /// Ports with a route that selectors have not seen yet.
    pub fresh: u64,
    /// What packets that wait have been told of their routes may be out of date; likewise what all route registers show.
    pub(super) ask_again: bool,
    pub(super) ask_everywhere: bool,
}

impl<P: Payload> InputPorts<P> {
    pub fn new(config: &Config, router: Router) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth());
        let words = depth.next_power_of_two();
        let channels = config.ports << VC_BITS;
        let mut lanes = vec![Lane::after_reset(FlitQueue::new(0), Credit { port: 0, vc: 0 }); channels];
        for port in 0..config.ports {
            for vc in 0..vcs {
                let flits = FlitQueue::new(((port * vcs + vc) * words) as u32);
                lanes[port << VC_BITS | vc] = Lane::after_reset(flits, Credit { port: port as u8, vc: vc as u8 });
            }
        }
        InputPorts {
            every: crate::bits::low_bits(config.ports),
            vcs,
            depth: depth as u16,
            mask: (words - 1) as u16,
            max_packet_flits: config.switch.max_packet_flits as u32,
            router,
            ports: vec![InputPort::RESET; config.ports].into(),
            errors: vec![InputErrors::default(); config.ports].into(),
            lanes: lanes.into(),
            channels: vec![Vc::RESET; channels].into(),
            flits: vec![P::EMPTY; config.ports * vcs * words].into(),
            headers: vec![0; config.ports * vcs * words].into(),
            able: 0,
            contended: 0,
            reading: 0,
            flowing: 0,
            discarding: 0,
            sending: 0,
            current: [0; 64],
            can_read: 0,
            ending: 0,
            expected: [UNEXPECTED; 64],
            present: 0,
            loaded: 0,
            routed: 0,
            asking: 0,
            fetching: 0,
            fetch: 0,
            fresh: 0,
            ask_again: false,
            ask_everywhere: true,
        }
    }

    /// Reset values for all registers; memories keep what they hold.
    pub fn reset(&mut self) {
        self.ports.fill(InputPort::RESET);
        self.lanes.iter_mut().for_each(|lane| *lane = Lane::after_reset(lane.flits.emptied(), lane.credit));
        self.channels.fill(Vc::RESET);
        self.clear_errors();
        (self.able, self.contended, self.reading, self.can_read, self.ending) = (0, 0, 0, 0, 0);
        (self.present, self.loaded, self.routed, self.asking) = (0, 0, 0, 0);
        (self.fetching, self.fetch, self.fresh) = (0, 0, 0);
        (self.flowing, self.discarding, self.sending) = (0, 0, 0);
        self.expected = [UNEXPECTED; 64];
        (self.ask_again, self.ask_everywhere) = (false, true);
    }

    /// Number of a VC in [`InputPorts::channels`].
    #[inline]
    pub fn channel(&self, port: usize, vc: usize) -> usize {
        port << VC_BITS | vc
    }

    /// VCs of a port that can hold a port two cycles from now.
    #[inline]
    pub fn can_take(&self, i: usize) -> u8 {
        let port = &self.ports[i];
        !port.holding | if is_set(self.ending, i) { port.reading } else { 0 }
    }

    /// A cycle in which nothing can be read.
    #[inline]
    pub fn read_nothing(&mut self, credits: &mut List<Credit>, departing: &mut List<LinkFlit<P>>) -> Reads {
        credits.clear();
        departing.clear();
        (self.can_read, self.ending) = (self.every & !self.reading, 0);
        Reads::default()
    }

    /// Reads a flit of each port that can, whose memory's word is departing then; puts the credits of the next cycle. `steady`: the
    /// ports that were steady in the cycle before.
    #[inline(never)]
    pub fn read(&mut self, credits: &mut List<Credit>, departing: &mut List<LinkFlit<P>>, steady: u64) -> Reads {
        self.can_read = self.every & !(self.able | self.reading);
        for i in ones(self.able & !self.reading) {
            self.start_reading(i);
        }
        let (lanes, flits, mask) = (&mut self.lanes[..], &self.flits[..], self.mask);
        let (credits_now, departing_now) = (credits.memory(), departing.memory());
        let (mut sent, mut released, mut ending, mut stopping) = (0, 0, 0, 0);
        for i in ones(self.flowing & !self.discarding) {
            let n = sent & 63;
            sent += 1;
            let lane = &mut lanes[usize::from(self.current[i & 63])];
            let pop = lane.flits.pop(mask);
            released |= u64::from(pop.is_among_last(LETS_GO)) << (lane.link.port & 63);
            ending |= u64::from(pop.is_among_last(ENDS)) << i;
            stopping |= u64::from(pop.remaining.min(pop.available) == 1) << i;
            credits_now[n] = lane.credit;
            departing_now[n].payload = flits[pop.place];
            departing_now[n].set_marks(lane.link);
            lane.link.head = false;
        }
        credits.set_length(sent);
        departing.set_length(sent);
        let sending = self.sending;
        if sending & !steady != 0 {
            let unsure = self.unsure(steady);
            (released, ending) = (released & !unsure.released, ending & !unsure.ending);
        }
        for i in ones(self.flowing & self.discarding) {
            let lane = &mut self.lanes[usize::from(self.current[i])];
            let pop = lane.flits.pop(mask);
            lane.link.head = false;
            credits.push(lane.credit);
            ending |= u64::from(pop.is_among_last(ENDS)) << i;
            stopping |= u64::from(pop.remaining.min(pop.available) == 1) << i;
        }
        self.ending = ending;
        self.asking |= self.routed & ending;
        self.can_read |= ending & !self.contended;
        for i in ones(stopping) {
            self.stop_reading(i);
        }
        Reads { departing: sending, released }
    }

    /// A port takes the next of its VCs that can be read.
    #[inline]
    fn start_reading(&mut self, i: usize) {
        let port = &mut self.ports[i];
        let pick = round_robin_8(port.able, port.pointer);
        port.pointer = rotated_up_8(pick, self.vcs);
        port.reading = pick;
        self.reading |= 1 << i;
        self.contended = self.contended & !(1 << i) | u64::from(port.able != pick) << i;
        self.flowing |= 1 << i;
        let channel = i << VC_BITS | pick.trailing_zeros() as usize;
        self.current[i] = channel as u16;
        let output = self.lanes[channel].output();
        self.discarding = self.discarding & !(1 << i) | u64::from(output == 0) << i;
        self.sending |= output;
    }

    /// The last flit of the packet, or the last that is there, has been read of a port.
    #[inline]
    fn stop_reading(&mut self, i: usize) {
        let port = &mut self.ports[i];
        let lane = &mut self.lanes[usize::from(self.current[i])];
        self.sending &= !lane.output();
        let flits = &mut lane.flits;
        let pick = port.reading;
        let others = port.able & !pick;
        flits.settle(self.mask);
        if (flits.count() == 0) & (flits.arriving != 0) {
            // The next flit of a packet that is coming in has to be told of.
            self.expected[i] = UNEXPECTED;
        }
        if flits.remaining == 0 {
            port.holding &= !pick;
            port.sends &= !pick;
            port.reading = 0;
            self.reading &= !(1 << i);
            self.contended |= u64::from(others != 0) << i;
        }
        port.able = others;
        self.able &= !(u64::from(others == 0) << i);
        self.flowing &= !(1 << i);
    }

    /// The packet in a head register is granted an output port, or dropped ([`NO_PORT`]). `ready`: the ports that were ready in the cycle
    /// before.
    #[inline]
    pub fn accept(&mut self, i: usize, v: usize, output: u8, ready: u64) {
        let channel = i << VC_BITS | v;
        let (port, vc, bit) = (&mut self.ports[i], &mut self.channels[channel], 1 << v);
        let lane = &mut self.lanes[channel];
        port.head_valid &= !bit;
        port.valid &= !bit;
        port.drop &= !bit;
        port.holding |= bit;
        self.present &= !(u64::from(port.head_valid == 0) << i);
        let none_waits = u64::from(port.valid == 0) << i;
        self.routed &= !none_waits;
        self.asking &= !none_waits;
        lane.flits.remaining = vc.length;
        lane.link = LinkFlit { port: output, vc: i as u8, head: true, phase: Phase::On, payload: () };
        let drop = output == NO_PORT;
        if drop {
            port.dropping |= bit;
            let errors = &mut self.errors[i];
            errors.dropped_packets = errors.dropped_packets.wrapping_add(1);
        } else {
            port.dropping &= !bit;
        }
        if vc.headers.count != 0 {
            vc.fetched = self.headers[lane.flits.memory() + vc.headers.pop(self.mask)];
            port.fetch |= bit;
            self.fetch |= 1 << i;
        }
        if drop || is_set(ready, (output & 63).into()) {
            port.sends |= bit;
            // What is being read is another packet, if any is.
            let able = u64::from(lane.flits.count() != 0);
            port.able |= (able as u8) << v;
            (self.able, self.contended) = (self.able | able << i, self.contended | able << i);
        }
    }

    /// Nothing moves by itself.
    #[inline]
    pub fn is_settled(&self) -> bool {
        self.able | self.fetching | self.fetch | self.loaded | self.fresh | self.asking | self.ending == 0
            && self.can_read == self.every & !self.reading
            && !(self.ask_again | self.ask_everywhere)
    }

    /// The cycle of a clear is not counted.
    pub fn clear_errors(&mut self) {
        self.errors.fill(InputErrors::default());
    }
}

/// A one-hot place among `n` (1..=8), moved up by one.
#[inline]
pub(super) fn rotated_up_8(place: u8, n: usize) -> u8 {
    // In 8 bits the place may be moved out at the top; the first one follows.
    let up = (u32::from(place) << 1) as u16;
    if up >> n & 1 == 1 { 1 } else { up as u8 }
}

impl Lane {
    fn after_reset(flits: FlitQueue, credit: Credit) -> Lane {
        let link = LinkFlit { port: NO_PORT, vc: 0, head: false, phase: Phase::On, payload: () };
        Lane { flits, credit, link }
    }

    /// The packet's output port, one-hot; 0 if it is being dropped.
    #[inline]
    pub fn output(&self) -> u64 {
        if self.link.port == NO_PORT { 0 } else { 1 << (self.link.port & 63) }
    }
}

impl Vc {
    const RESET: Vc = Vc {
        route: Route::NONE,
        headers: Queue::EMPTY,
        fetched: 0,
        destination: 0,
        length: 0,
        user: 0,
        rrp: 0,
        drp: 0,
    };

    /// The header in the head register.
    pub fn header(&self) -> u32 {
        u32::from(self.user) << 26 | u32::from(self.length) << 16 | u32::from(self.destination)
    }
}
