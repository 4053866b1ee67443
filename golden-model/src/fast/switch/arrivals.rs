//! What comes into input ports: flits from the links, and headers from the header memories.

use super::input_ports::{InputErrors, InputPort, InputPorts, UNEXPECTED, VC_BITS, Vc};
use super::link::{Credit, LinkFlit, Payload};
use crate::bits::ones;
use powar_config::Phase;

/// The length in a header. An entry without it is that of a packet that must be dropped, whose length register gets 1.
const LENGTH: u32 = 0x3ff << 16;

impl<P: Payload> InputPorts<P> {
    /// Flits come in. Everything of this cycle that looks at the registers has been done. `read`: the flits that have been
    /// read in this cycle, as credits for them.
    #[inline(never)]
    pub fn arrive(&mut self, arriving: &[LinkFlit<P>], read: &[Credit]) {
        // Each flit has a port of its own, so that those that are not expected can wait. There are as many ports as bits at most.
        let mut others = 0u64;
        let (lanes, flits, mask) = (&mut self.lanes[..], &mut self.flits[..], self.mask);
        for (k, flit) in arriving.iter().enumerate() {
            let expected = &mut self.expected[usize::from(flit.port & 63)];
            if flit.marks() != *expected {
                others |= 1 << (k & 63);
                continue;
            }
            let queue = &mut lanes[usize::from(flit.port) << VC_BITS | usize::from(flit.vc)].flits;
            flits[queue.push(mask)] = flit.payload;
            queue.arriving -= 1;
            // Branch-free: unpredictable.
            *expected |= if queue.arriving == 0 { UNEXPECTED } else { 0 };
        }
        for k in ones(others) {
            self.arrive_one(&arriving[k], read);
        }
    }

    /// Any flit comes in.
    #[inline]
    fn arrive_one(&mut self, flit: &LinkFlit<P>, read: &[Credit]) {
        let (i, v) = (usize::from(flit.port), usize::from(flit.vc));
        let errors = &mut self.errors[i];
        if !flit.phase.sends() | (v >= self.vcs) && !is_on_a_vc(errors, flit, self.vcs) {
            return;
        }
        let (channel, bit) = (i << VC_BITS | v, 1 << (v & 7));
        let (port, lane) = (&mut self.ports[i], &mut self.lanes[channel]);
        let output = lane.output();
        let queue = &mut lane.flits;
        let count = queue.count();
        // A flit that is read in this cycle still takes its place.
        if count + 1 >= self.depth && (count == self.depth || read.contains(&Credit { port: flit.port, vc: flit.vc })) {
            count_overflow(errors);
            return;
        }
        self.flits[queue.push(self.mask)] = flit.payload;
        if port.sends & bit != 0 {
            port.able |= bit;
            self.able |= 1 << i;
            if port.reading & bit != 0 {
                self.flowing |= 1 << i;
                self.sending |= output;
            } else {
                self.contended |= 1 << i;
            }
        }
        if queue.arriving == 0 {
            let header = flit.payload.header();
            let sound = flit.head && (1..=self.max_packet_flits).contains(&((header & LENGTH) >> 16));
            let entry = if sound { header } else { header & !LENGTH };
            queue.arriving = length_of(entry) - 1;
            let vc = &mut self.channels[channel];
            // An accept of this cycle has already emptied the head register, or begun a fetch.
            if vc.headers.count == 0 && (port.fetching | port.fetch | port.head_valid) & bit == 0 {
                load(port, vc, v, entry);
                (self.present, self.loaded) = (self.present | 1 << i, self.loaded | 1 << i);
            } else {
                self.headers[queue.memory() + vc.headers.push(self.mask)] = entry;
            }
            if !flit.head {
                count_framing(errors);
            }
        } else {
            queue.arriving -= 1;
            if flit.head {
                count_framing(errors);
            }
        }
        // With one flit in the queue and room for the rest of the packet, the rest is nobody's concern.
        let fits = u32::from(count) + 1 + u32::from(queue.arriving) < u32::from(self.depth);
        let next = LinkFlit { port: flit.port, vc: flit.vc, head: false, phase: Phase::On, payload: () };
        self.expected[i & 63] = if fits & (queue.arriving != 0) { next.marks() } else { UNEXPECTED };
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

/// Whether the virtual channel of a flit exists. Counts what is wrong with its place and time.
#[cold]
fn is_on_a_vc<P>(errors: &mut InputErrors, flit: &LinkFlit<P>, vcs: usize) -> bool {
    if !flit.phase.sends() {
        errors.closed_link_flits = errors.closed_link_flits.wrapping_add(1);
    }
    let exists = usize::from(flit.vc) < vcs;
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
