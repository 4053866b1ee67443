//! Input ports. What comes in is in [`super::arrivals`], where it may go in [`super::routes`], how it is read in [`super::reads`].
//!
//! Ports that have something to do are masks over ports, so that a cycle visits no others.

use super::behind::{Behind, moves_up};
use super::due::Due;
use super::input_port::{InputErrors, InputPort, Lane, LastRun, NO_PORT, Vc};
use super::link::{Payload, Train, VC_BITS};
use super::queue::{Pointers, Pool, Run};
use super::routing::Router;
use crate::bits::is_set;
use powar_config::Config;

/// A packet of so many flits at most lets go of its output port in the cycle in which it is granted, in a switch for short packets.
const AT_ONCE: u16 = 3;

/// All input ports.
#[derive(Clone, Debug)]
pub(super) struct InputPorts<P> {
    pub(super) every: u64,
    pub vcs: usize,
    pub depth: u16,
    pub pointers: Pointers,
    pub(super) max_packet_flits: u32,
    pub(super) router: Router,
    pub ports: Box<[InputPort]>,
    pub errors: Box<[InputErrors]>,
    pub lanes: Box<[Lane]>,
    pub channels: Box<[Vc]>,
    /// Next routes, by input port, if the switch has them; else empty.
    pub(super) behind: Box<[Behind]>,
    /// Output ports that are granted in this cycle to packets of so few flits that they may let go of them at once, if the switch is made for that.
    pub(super) brief: u64,
    pub(super) short_packets: bool,
    pub(super) runs: Pool<Run<P>>,
    pub(super) headers: Pool<u32>,
    /// Trains that come in flit by flit.
    pub(super) singly: Vec<Train<P>>,
    /// Flits that have begun to enter buffers in this cycle, by port, if somebody wants to know.
    pub entered: Vec<(u8, u16)>,
    pub(super) tells: bool,
    /// Ports with a VC that can be read, and with one that is not being read.
    pub able: u64,
    pub(super) contended: u64,
    /// Ports of which a packet is being read; of those the ones with a run that is being read, and those of which one can be.
    pub(super) reading: u64,
    pub running: u64,
    pub(super) flowing: u64,
    /// The output ports that the runs go to. Each has an output port of its own: the next one that is given a
    /// port is read only after the last flit of the one before.
    pub sending: u64,
    /// The VCs that these packets are on, as places in `lanes`.
    pub(super) current: [u16; 64],
    pub(super) last: Box<[LastRun]>,
    /// When runs end.
    pub(super) due: Due,
    /// Output ports keep ready, so that what can be read is read in one go ([`crate::fast::mechanisms::EventMechanism::keeps_ready`]).
    pub(super) keeps_ready: bool,
    /// Ports of which a packet that is picked now can be read, and those whose packet that is being read is sure to have ended then.
    pub can_read: u64,
    pub ending: u64,
    /// Ports of which the tail of a packet was read in the cycle before.
    pub(super) ended: u64,
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
    /// Ports whose packets that wait may have been told of routes that are out of date; likewise what all route registers show.
    pub(super) ask_again: u64,
    pub(super) ask_everywhere: bool,
}

impl<P: Payload> InputPorts<P> {
    pub fn new(config: &Config, router: Router, keeps_ready: bool, tells: bool) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth());
        let channels = config.ports << VC_BITS;
        let ask_everywhere = router.may_be_asked_again();
        InputPorts {
            every: crate::bits::low_bits(config.ports),
            vcs,
            depth: depth as u16,
            pointers: Pointers::new(depth),
            max_packet_flits: config.switch.max_packet_flits as u32,
            router,
            ports: vec![InputPort::RESET; config.ports].into(),
            errors: vec![InputErrors::default(); config.ports].into(),
            lanes: vec![Lane::RESET; channels].into(),
            channels: vec![Vc::RESET; channels].into(),
            behind: vec![Behind::RESET; if config.next_routes() { config.ports } else { 0 }].into(),
            brief: 0,
            short_packets: config.switch.short_packets(),
            runs: Pool::new(),
            headers: Pool::new(),
            singly: Vec::new(),
            entered: Vec::new(),
            tells,
            able: 0,
            contended: 0,
            reading: 0,
            running: 0,
            flowing: 0,
            sending: 0,
            current: [0; 64],
            last: vec![LastRun::default(); config.ports].into(),
            due: Due::new(),
            keeps_ready,
            can_read: 0,
            ending: 0,
            ended: 0,
            present: 0,
            loaded: 0,
            routed: 0,
            asking: 0,
            fetching: 0,
            fetch: 0,
            fresh: 0,
            ask_again: 0,
            ask_everywhere,
        }
    }

    /// Reset values for all registers.
    pub fn reset(&mut self) {
        self.ports.fill(InputPort::RESET);
        self.lanes.fill(Lane::RESET);
        self.runs.clear();
        self.headers.clear();
        self.channels.fill(Vc::RESET);
        self.behind.fill(Behind::RESET);
        self.clear_errors();
        self.last.fill(LastRun::default());
        self.due.clear();
        self.singly.clear();
        (self.able, self.contended, self.can_read) = (0, 0, 0);
        (self.reading, self.running, self.flowing, self.sending) = (0, 0, 0, 0);
        (self.ending, self.ended) = (0, 0);
        (self.present, self.loaded, self.routed, self.asking) = (0, 0, 0, 0);
        (self.fetching, self.fetch, self.fresh) = (0, 0, 0);
        (self.ask_again, self.ask_everywhere) = (0, self.router.may_be_asked_again());
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

    /// The packet in a head register is granted an output port, or dropped ([`NO_PORT`]), in cycle `now`. `ready`: the ports that were ready in the cycle
    /// before.
    #[inline]
    pub fn accept(&mut self, now: u64, i: usize, v: usize, output: u8, ready: u64) {
        let channel = i << VC_BITS | v;
        let (port, vc, bit) = (&mut self.ports[i], &mut self.channels[channel], 1 << v);
        let lane = &mut self.lanes[channel];
        port.valid &= !bit;
        port.drop &= !bit;
        port.holding |= bit;
        let mut length = vc.length;
        match self.behind.get_mut(i) {
            None => {
                port.head_valid &= !bit;
                self.present &= !(u64::from(port.head_valid == 0) << i);
                if !vc.headers.is_empty() {
                    vc.fetched = vc.headers.pop(&mut self.headers);
                    port.fetch |= bit;
                    self.fetch |= 1 << i;
                }
            }
            Some(behind) => {
                length = behind.current[v & 7].length;
                if moves_up(port, behind, vc, v) {
                    // Selectors see it in this cycle.
                    self.fresh |= 1 << i;
                    self.asking |= u64::from(port.drop != 0) << i;
                }
                // There is a place for what is in the head register; packet or not, the answer for it is taken.
                port.loaded |= bit;
                self.loaded |= 1 << i;
            }
        }
        let none_waits = u64::from(port.valid == 0) << i;
        self.routed &= !none_waits;
        self.asking &= !none_waits;
        if self.short_packets && output != NO_PORT && length <= AT_ONCE {
            self.brief |= 1 << (output & 63);
        }
        lane.flits.remaining = length;
        (lane.port, lane.first) = (output, true);
        let drop = output == NO_PORT;
        if drop {
            port.dropping |= bit;
            let errors = &mut self.errors[i];
            errors.dropped_packets = errors.dropped_packets.wrapping_add(1);
        } else {
            port.dropping &= !bit;
        }
        if drop || is_set(ready, (output & 63).into()) {
            port.sends |= bit;
            // What is being read is another packet, if any is.
            let able = u64::from(lane.flits.count(now) != 0);
            port.able |= (able as u8) << v;
            (self.able, self.contended) = (self.able | able << i, self.contended | able << i);
        }
    }

    /// Reads a word of every cache line that steps may need ([`super::Switch::touch`]).
    #[inline]
    pub fn touch(&self) -> u64 {
        let ports = self.ports.iter().map(|port| u64::from(port.head_valid) ^ port.chosen);
        let used = |i: usize| i << VC_BITS..(i << VC_BITS) + self.vcs;
        let lanes = (0..self.ports.len()).flat_map(|i| &self.lanes[used(i)]).map(|lane| u64::from(lane.port));
        let channels = (0..self.ports.len()).flat_map(|i| &self.channels[used(i)]).map(|vc| vc.route.adaptive);
        let last = self.last.iter().map(|last| last.begin);
        ports.chain(lanes).chain(channels).chain(last).fold(self.able, |all, word| all ^ word)
    }

    /// Nothing begins by itself, but for what is due.
    #[inline]
    pub fn is_settled(&self) -> bool {
        let can_read = self.every & !(self.able | self.reading) | self.ending & !self.contended;
        let starts = self.able & !self.reading | self.flowing;
        let fades = self.ended | if self.keeps_ready { 0 } else { self.ending };
        starts | fades | self.fetching | self.fetch | self.loaded | self.fresh | self.asking | self.ask_again == 0
            && self.can_read == can_read
            && self.singly.is_empty()
            && !self.ask_everywhere
    }

    /// The cycle of a clear is not counted.
    pub fn clear_errors(&mut self) {
        self.errors.fill(InputErrors::default());
    }
}
