//! What comes into input ports: flits from the links, and headers from the header memories.

use super::due::Duties;
use super::input_port::{InputErrors, InputPort, Vc};
use super::input_ports::InputPorts;
use super::link::{Payload, Train, VC_BITS};
use super::queue::Run;
use crate::bits::{is_set, ones};

/// The length in a header. An entry without it is that of a packet that must be dropped, whose length register gets 1.
const LENGTH: u32 = 0x3ff << 16;

impl<P: Payload> InputPorts<P> {
    /// Trains begin to come in, and flits do of those that come in singly. Everything of this cycle that looks at the registers has been
    /// done.
    #[inline(never)]
    pub fn arrive(&mut self, now: u64, arriving: &[Train<P>]) {
        if !self.singly.is_empty() {
            self.arrive_singly(now);
        }
        for train in arriving {
            if train.flits == 1 || !self.is_sound(now, train) {
                self.arrive_one(now, train);
            } else {
                self.begin_to_arrive(now, train);
            }
        }
    }

    /// All flits of a train belong to one packet, will find room and are on a VC that there is: nobody has to look at them one by one.
    #[inline]
    fn is_sound(&self, now: u64, train: &Train<P>) -> bool {
        if !train.phase.sends() | (usize::from(train.vc) >= self.vcs) {
            return false;
        }
        let queue = &self.lanes[usize::from(train.port) << VC_BITS | usize::from(train.vc)].flits;
        let header = train.payload.header();
        let (head, most) = match queue.arriving {
            0 if self.has_length(header) => (true, length_of(header)),
            arriving => (false, arriving),
        };
        (train.head == head) & (train.flits <= most) & (queue.count(now) + train.flits <= self.depth)
    }

    #[inline]
    fn has_length(&self, header: u32) -> bool {
        (1..=self.max_packet_flits).contains(&((header & LENGTH) >> 16))
    }

    /// The next flits of trains that come in singly.
    #[cold]
    fn arrive_singly(&mut self, now: u64) {
        for train in std::mem::take(&mut self.singly) {
            self.arrive_one(now, &train);
        }
    }

    /// The first flit of any train comes in; the rest will come in singly.
    #[inline]
    fn arrive_one(&mut self, now: u64, train: &Train<P>) {
        if train.flits > 1 {
            self.singly.push(train.without(1));
        }
        let (i, v) = (usize::from(train.port), usize::from(train.vc));
        let errors = &mut self.errors[i];
        if !train.phase.sends() | (v >= self.vcs) && !is_on_a_vc(errors, train, self.vcs) {
            return;
        }
        let queue = &self.lanes[i << VC_BITS | v].flits;
        // A flit that is read in this cycle still takes its place.
        if queue.count(now) == self.depth {
            count_overflow(errors);
            return;
        }
        if train.head != (queue.arriving == 0) {
            count_framing(errors);
        }
        self.begin_to_arrive(now, &Train { flits: 1, ..*train });
    }

    /// A train comes in that is as it should be, or a single flit that finds room on its VC.
    #[inline]
    fn begin_to_arrive(&mut self, now: u64, train: &Train<P>) {
        let (i, v) = (usize::from(train.port), usize::from(train.vc));
        let (channel, bit) = (i << VC_BITS | v, 1 << (v & 7));
        let (port, lane) = (&mut self.ports[i], &mut self.lanes[channel]);
        let queue = &mut lane.flits;
        queue.push(now, Run { payload: train.payload, flits: train.flits }, &mut self.runs);
        if self.tells {
            self.entered.push((train.port, train.flits));
        }
        if queue.arriving == 0 {
            let header = train.payload.header();
            let length = (header & LENGTH) >> 16;
            let sound = train.head && (1..=self.max_packet_flits).contains(&length);
            let entry = if sound { header } else { header & !LENGTH };
            queue.arriving = length_of(entry);
            let vc = &mut self.channels[channel];
            // An accept of this cycle has already emptied the head register, or begun a fetch.
            if vc.headers.is_empty() && (port.fetching | port.fetch | port.head_valid) & bit == 0 {
                load(port, vc, v, entry);
                (self.present, self.loaded) = (self.present | 1 << i, self.loaded | 1 << i);
            } else {
                vc.headers.push(&mut self.headers, entry);
            }
        }
        queue.arriving -= train.flits;
        if port.sends & bit != 0 {
            port.able |= bit;
            self.able |= 1 << i;
            if port.reading & bit == 0 {
                self.contended |= 1 << i;
            } else if !is_set(self.running, i) {
                self.flowing |= 1 << i;
            } else {
                // With this the whole packet may be known of that is being read; nothing of its end can be due before the flits are there.
                self.plan_end(now, i, &mut Duties::default());
            }
        }
    }

    /// The headers fetched in the cycle before go to the head registers.
    #[inline]
    pub fn load_fetched(&mut self) {
        for i in ones(self.fetching | self.fetch) {
            let port = &mut self.ports[i];
            for v in ones(port.fetching.into()) {
                let vc = &mut self.channels[i << VC_BITS | v];
                let entry = vc.fetched;
                load(port, vc, v, entry);
                (self.present, self.loaded) = (self.present | 1 << i, self.loaded | 1 << i);
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
}

/// Whether the virtual channel of a train's first flit exists. Counts what is wrong with its place and time.
#[cold]
fn is_on_a_vc<P>(errors: &mut InputErrors, train: &Train<P>, vcs: usize) -> bool {
    if !train.phase.sends() {
        errors.closed_link_flits = errors.closed_link_flits.wrapping_add(1);
    }
    let exists = usize::from(train.vc) < vcs;
    if !exists {
        errors.framing_errors = errors.framing_errors.wrapping_add(1);
    }
    exists
}

#[cold]
fn count_overflow(errors: &mut InputErrors) {
    errors.overflow_errors = errors.overflow_errors.wrapping_add(1);
}

#[cold]
fn count_framing(errors: &mut InputErrors) {
    errors.framing_errors = errors.framing_errors.wrapping_add(1);
}

/// The length register of an entry's packet.
#[inline]
fn length_of(entry: u32) -> u16 {
    ((entry & LENGTH) >> 16).max(1) as u16
}

/// A header entry goes to the head register of VC v.
#[inline]
fn load(port: &mut InputPort, vc: &mut Vc, v: usize, entry: u32) {
    (vc.destination, vc.length, vc.user) = (entry as u16, length_of(entry), (entry >> 26) as u8);
    port.head_valid |= 1 << v;
    port.loaded |= 1 << v;
    port.malformed = port.malformed & !(1 << v) | u8::from(entry & LENGTH == 0) << v;
}
