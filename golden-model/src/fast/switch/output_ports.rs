//! Output ports (sections 5.9 and 5.10): credits, and the output VC of a packet.

use super::link::{Credits, Payload, Train};
use crate::bits::{is_set, ones, rotated_up_8, round_robin_8};
use powar_config::Config;
use powar_config::switch::IN_FLIGHT_FLITS;

/// In place of an output VC: none.
const NO_VC: u8 = 8;

/// The credits of an output port: a run of them that is taken and a run that comes back, each one a cycle.
#[derive(Clone, Copy, Debug)]
struct Port {
    /// By VC, once both runs are over; of trains without a VC the last place, which nobody looks at.
    credits: [i16; 9],
    /// The VCs of the runs, and the first cycles in which they are over.
    taken: u8,
    returned: u8,
    taken_until: u64,
    returned_until: u64,
    /// VCs of which a run changes whether there is room, or may have, since that was looked at last.
    moved: u8,
    /// The VC of the packet that was given the port last, and of that whose flits leave; [`NO_VC`] if it has none.
    next: u8,
    current: u8,
    /// The VCs allowed to the packet that was granted the port last.
    choices: u8,
    /// One-hot pointer of the VC allocator.
    vc_pointer: u8,
}

impl Port {
    fn after_reset(depth: i16) -> Port {
        Port {
            credits: [depth; 9],
            taken: NO_VC,
            returned: NO_VC,
            taken_until: 0,
            returned_until: 0,
            moved: 0,
            next: NO_VC,
            current: NO_VC,
            choices: 0,
            vc_pointer: 1,
        }
    }

    /// The credits for a VC at the beginning of cycle `now`: a run counts back from its end.
    #[inline]
    fn credits(&self, vc: usize, now: u64) -> i16 {
        let to_take = if usize::from(self.taken) == vc { self.taken_until.saturating_sub(now) as i16 } else { 0 };
        let to_return =
            if usize::from(self.returned) == vc { self.returned_until.saturating_sub(now) as i16 } else { 0 };
        self.credits[vc] + to_take - to_return
    }

    /// From cycle `now` on, as long as no run begins, the first one in which there is another answer to whether a VC has this many credits, or
    /// may be; `u64::MAX`: there is none.
    #[inline]
    fn next_crossing(&self, vc: usize, enough: i16, now: u64) -> u64 {
        let (taking, returning) = (
            usize::from(self.taken) == vc && self.taken_until > now,
            usize::from(self.returned) == vc && self.returned_until > now,
        );
        let credits = self.credits(vc, now);
        let (distance, until) = match (taking, returning) {
            (false, false) => return u64::MAX,
            (true, true) => return self.taken_until.min(self.returned_until),
            (true, false) => (credits - enough + 1, self.taken_until),
            (false, true) => (enough - credits, self.returned_until),
        };
        if distance > 0 && now + distance as u64 <= until { now + distance as u64 } else { u64::MAX }
    }
}

/// The credits of all output ports. A run of them is told of when it begins; how many there are in a cycle, and who has room, is found when
/// somebody asks.
#[derive(Clone, Debug)]
pub(super) struct OutputPorts {
    vcs: usize,
    depth: i16,
    /// From so many credits on, there is room for a packet (`room`), and it still fits (`fits`).
    enough: i16,
    fitting: i16,
    every: u64,
    ports: Box<[Port]>,
    /// Ports with a VC that has moved.
    moved: u64,
    /// Ports whose occupancy may be another than when [`OutputPorts::stirred`] was asked last.
    stirred: u64,
    /// Bit p of row w: port p had room on VC w in the cycle before that in which this was looked at last: that is what selectors see.
    room: [u64; 8],
    /// The first cycle behind the last reset, in which nothing had room before. Nobody looks then but the frame.
    since: u64,
    /// Ports that have been granted to a packet in the cycle before.
    choosing: u64,
    pub errors: [u32; 64],
    /// Credits that flits take though there may be none, and that come back though there may be all: they are looked at one by one.
    owed: Vec<Credits>,
    odd: Vec<Credits>,
    /// Credits that have begun to be taken, and to come back, in this cycle, if somebody wants to know.
    pub taken: Vec<Credits>,
    pub returned: Vec<Credits>,
    tells: bool,
    /// Ports of which a bit of `room` has changed since selectors last looked.
    pub room_changed: u64,
    /// A bit of `room` has changed since [`OutputPorts::room_by_vcs`] was last made.
    room_is_new: bool,
    /// The ports with room on any VC of a set, for `sets_known` sets.
    room_by_vcs: Box<[u64; 256]>,
    sets_known: usize,
}

impl OutputPorts {
    pub fn new(config: &Config, tells: bool) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth() as i16);
        let every = crate::bits::low_bits(config.ports);
        OutputPorts {
            vcs,
            depth,
            enough: (config.switch.max_packet_flits + IN_FLIGHT_FLITS) as i16,
            fitting: config.switch.max_packet_flits as i16 + 1,
            every,
            ports: vec![Port::after_reset(depth); config.ports].into(),
            moved: 0,
            stirred: 0,
            room: [every; 8],
            since: 0,
            choosing: 0,
            errors: [0; 64],
            owed: Vec::new(),
            odd: Vec::new(),
            taken: Vec::new(),
            returned: Vec::new(),
            tells,
            room_changed: 0,
            room_is_new: true,
            room_by_vcs: Box::new([0; 256]),
            sets_known: 0,
        }
    }

    /// Reads a word of every cache line that steps may need ([`super::Switch::touch`]).
    #[inline]
    pub fn touch(&self) -> u64 {
        self.ports.iter().fold(self.moved, |all, port| all ^ port.taken_until)
    }

    /// Reset values from cycle `now` on.
    pub fn reset(&mut self, now: u64) {
        self.ports.fill(Port::after_reset(self.depth));
        (self.moved, self.room, self.since) = (0, [self.every; 8], now);
        self.stirred = self.every;
        (self.choosing, self.errors) = (0, [0; 64]);
        self.owed.clear();
        self.odd.clear();
        (self.room_changed, self.room_is_new) = (0, true);
    }

    /// Credits for a VC of a port at the beginning of cycle `now`.
    pub fn credits(&self, port: usize, vc: usize, now: u64) -> usize {
        self.ports[port].credits(vc, now) as usize
    }

    /// Flits in the buffer at the other end of a port and on the way there and back.
    pub fn occupancy(&self, port: usize, now: u64) -> u16 {
        let port = &self.ports[port];
        let there: i16 = port.credits[..self.vcs].iter().sum();
        let left = |vc: u8, until: u64| if usize::from(vc) < self.vcs { until.saturating_sub(now) as i16 } else { 0 };
        let to_take = left(port.taken, port.taken_until);
        let to_return = left(port.returned, port.returned_until);
        (self.depth * self.vcs as i16 - there - to_take + to_return) as u16
    }

    /// The ports whose occupancy may be another in cycle `now` than when this was asked last.
    pub fn stirred(&mut self, now: u64) -> u64 {
        let goes_on = |port: &usize| self.ports[*port].taken_until.max(self.ports[*port].returned_until) > now;
        let go_on = ones(self.stirred).filter(goes_on).fold(0, |ports, port| ports | 1 << port);
        std::mem::replace(&mut self.stirred, go_on)
    }

    /// Finds out which ports had room in the cycle before `now`.
    #[inline]
    pub fn look_for_room(&mut self, now: u64) {
        for port in ones(self.moved) {
            self.look_at(port, now - 1);
        }
    }

    #[inline]
    fn look_at(&mut self, number: usize, now: u64) {
        let port = &mut self.ports[number];
        for vc in ones(port.moved.into()) {
            let room = u64::from(port.credits(vc, now) >= self.enough) << number;
            let row = &mut self.room[vc & 7];
            if *row & 1 << number != room {
                *row ^= 1 << number;
                self.room_changed |= 1 << number;
                self.room_is_new = true;
            }
            let moves = usize::from(port.taken) == vc && port.taken_until > now
                || usize::from(port.returned) == vc && port.returned_until > now;
            port.moved &= !(u8::from(!moves) << vc);
        }
        self.moved &= !(u64::from(port.moved == 0) << number);
    }

    /// The first cycle from `now` on, the one under way, in which selectors may see another room than when they last looked;
    /// `u64::MAX`: there is none.
    pub fn next_room(&self, now: u64) -> u64 {
        let of_port = |number: usize| {
            let port = &self.ports[number];
            let of_vc = |vc: usize| {
                let shown = is_set(self.room[vc & 7], number);
                if (port.credits(vc, now - 1) >= self.enough) != shown {
                    return now;
                }
                port.next_crossing(vc, self.enough, now - 1).saturating_add(1)
            };
            ones(port.moved.into()).map(of_vc).min().unwrap_or(u64::MAX)
        };
        ones(self.moved).map(of_port).min().unwrap_or(u64::MAX)
    }

    /// A credit is taken or comes back in cycle `now`, or later on by itself.
    pub fn moves(&self, now: u64) -> bool {
        self.ports.iter().any(|port| port.taken_until.max(port.returned_until) > now)
    }

    /// Credits have begun to come back for a VC, and some are still to come in cycle `now` or later.
    pub fn gets_credits(&self, port: usize, vc: u8, now: u64) -> bool {
        self.ports[port].returned == vc && self.ports[port].returned_until > now
    }

    /// There are credits that are looked at one by one.
    #[inline]
    pub fn looks_at_each(&self) -> bool {
        !(self.owed.is_empty() && self.odd.is_empty())
    }

    /// The ports that had room when that was looked for last, by the VCs that a packet may use there. Only for `sets`, to which there are only ever added some, and
    /// for the empty set.
    #[inline]
    pub fn room_by_vcs(&mut self, sets: &[u8]) -> &[u64; 256] {
        if self.room_is_new | (self.sets_known != sets.len()) {
            self.find_room(sets);
        }
        &self.room_by_vcs
    }

    #[inline(never)]
    fn find_room(&mut self, sets: &[u8]) {
        (self.room_is_new, self.sets_known) = (false, sets.len());
        for &vcs in sets {
            self.room_by_vcs[usize::from(vcs)] = ones(vcs.into()).fold(0, |ports, vc| ports | self.room[vc & 7]);
        }
    }

    /// What had room on a VC in the cycle before `now`, as a mask over ports.
    pub fn room_shown(&self, vc: usize, now: u64) -> u64 {
        if now == self.since {
            return 0;
        }
        crate::bits::vector(&self.ports, |_, port| port.credits(vc, now - 1) >= self.enough)
    }

    /// In cycle `now`, the VCs of packets that have been granted a port in the cycle before, and those that are granted one in this cycle.
    #[inline]
    pub fn choose_vcs(&mut self, now: u64, granted: u64) {
        for number in ones(std::mem::replace(&mut self.choosing, granted)) {
            let port = &mut self.ports[number];
            let fits = |vc: usize| u8::from(port.credits(vc, now) >= self.fitting) << vc;
            let request = ones(port.choices.into()).fold(0, |vcs, vc| vcs | fits(vc));
            port.next = match round_robin_8(request, port.vc_pointer) {
                0 => NO_VC,
                vc => {
                    port.vc_pointer = rotated_up_8(vc, self.vcs);
                    vc.trailing_zeros() as u8
                }
            };
        }
    }

    /// Some VCs are allowed to the packet that is granted a port in the cycle under way: for [`OutputPorts::choose_vcs`] of the next.
    #[inline]
    pub fn allow(&mut self, port: u8, vcs: u8) {
        self.ports[usize::from(port)].choices = vcs;
    }

    /// Whether a VC is being chosen.
    #[inline]
    pub fn is_choosing(&self) -> bool {
        self.choosing != 0
    }

    /// `choosing` and `choices` of a port.
    pub fn choices(&self, port: usize) -> (bool, u8) {
        let choosing = is_set(self.choosing, port);
        (choosing, if choosing { self.ports[port].choices } else { 0 })
    }

    /// `next_vc` and `current_vc` of a port, and the pointer of its VC allocator, one-hot.
    pub fn chosen(&self, port: usize) -> [u8; 3] {
        let one_hot = |vc: u8| if vc == NO_VC { 0 } else { 1 << vc };
        let Port { next, current, vc_pointer, .. } = self.ports[port];
        [one_hot(next), one_hot(current), vc_pointer]
    }

    /// A train begins to come out of the crossbar in cycle `now`: it gets its packet's VC and takes credits for it.
    #[inline]
    pub fn send<P: Payload>(&mut self, now: u64, train: &mut Train<P>) {
        let number = usize::from(train.port & 63);
        let port = &mut self.ports[number];
        port.current = if train.head { port.next } else { port.current };
        if port.current == NO_VC {
            // The number of no VC is 0.
            train.vc = 0;
            return;
        }
        train.vc = port.current;
        if port.credits[usize::from(train.vc)] < train.flits as i16 {
            self.owed.push(Credits { port: train.port, vc: train.vc, credits: train.flits });
        } else {
            self.take(now, number, train.vc, train.flits);
        }
    }

    /// So many credits are taken from cycle `now` on, and they are there.
    #[inline]
    fn take(&mut self, now: u64, number: usize, vc: u8, credits: u16) {
        let port = &mut self.ports[number];
        port.credits[usize::from(vc)] -= credits as i16;
        (port.taken, port.taken_until) = (vc, now + u64::from(credits));
        if self.tells {
            self.taken.push(Credits { port: number as u8, vc, credits });
        }
        self.note_move(number, vc);
    }

    /// Credits for a VC begin to be taken or to come back. As long as nothing is on its way that changes whether there is room, and both now
    /// and in the end there is as much as selectors know, there is in between: nobody has to look.
    #[inline]
    fn note_move(&mut self, number: usize, vc: u8) {
        self.stirred |= 1 << number;
        let port = &mut self.ports[number];
        let room = port.credits[usize::from(vc)] >= self.enough;
        let moves = u8::from(room != is_set(self.room[usize::from(vc & 7)], number)) << vc;
        port.moved |= moves;
        self.moved |= u64::from(moves != 0) << number;
    }

    /// So many come back, and there is room for them.
    #[inline]
    fn take_back(&mut self, now: u64, run: &Credits) {
        let number = usize::from(run.port);
        let port = &mut self.ports[number];
        port.credits[usize::from(run.vc)] += run.credits as i16;
        (port.returned, port.returned_until) = (run.vc, now + u64::from(run.credits));
        if self.tells {
            self.returned.push(*run);
        }
        self.note_move(number, run.vc);
    }

    /// However long the credits of a run take to come back, there are never too many.
    ///
    /// While credits for a VC are taken and come back at once their number stays as it is, and otherwise goes up or down: so it is never
    /// beyond what it is now and what it is when both runs are over.
    #[inline]
    fn has_room(&self, run: &Credits) -> bool {
        usize::from(run.vc) < self.vcs
            && self.ports[usize::from(run.port)].credits[usize::from(run.vc)] + run.credits as i16 <= self.depth
    }

    /// Runs of credits begin to come back in cycle `now`, of which nothing else happens: true. False: one of them has to be looked at one by
    /// one, and nothing has been done.
    #[inline]
    pub fn come(&mut self, now: u64, returned: &[Credits]) -> bool {
        let all = returned.iter().all(|run| self.has_room(run));
        if all {
            returned.iter().for_each(|run| self.take_back(now, run));
        }
        all
    }

    /// The credit counters' clock edge, at the end of cycle `now`.
    #[inline]
    pub fn clock(&mut self, now: u64, returned: &[Credits]) {
        if self.looks_at_each() || !self.come(now, returned) {
            self.look_at_each(now, returned);
        }
    }

    /// The same if there is one that has to be looked at by itself.
    #[cold]
    fn look_at_each(&mut self, now: u64, returned: &[Credits]) {
        let (odd, owed) = (std::mem::take(&mut self.odd), std::mem::take(&mut self.owed));
        let mut errors = 0;
        for run in odd.iter().chain(returned) {
            let &Credits { port, vc, credits } = run;
            let number = usize::from(port);
            assert!(number < self.ports.len(), "a credit on port {number} of {}", self.ports.len());
            if self.has_room(run) {
                self.take_back(now, run);
                continue;
            }
            // One that comes back in the cycle in which another is used finds that one gone: neither of them can be an error.
            let of_port = &self.ports[number];
            let is_taken = of_port.taken == vc && of_port.taken_until > now;
            if usize::from(vc) >= self.vcs || of_port.credits(vc.into(), now) == self.depth && !is_taken {
                errors |= 1 << port;
            } else {
                self.take_back(now, &Credits { credits: 1, ..*run });
            }
            if credits > 1 {
                self.odd.push(Credits { credits: credits - 1, ..*run });
            }
        }
        for run in owed {
            let number = usize::from(run.port);
            let port = &self.ports[number];
            let is_returned = port.returned == run.vc && port.returned_until > now;
            if port.credits(run.vc.into(), now) == 0 && !is_returned {
                errors |= 1 << number;
            } else {
                self.take(now, number, run.vc, 1);
            }
            if run.credits > 1 {
                self.owed.push(Credits { credits: run.credits - 1, ..run });
            }
        }
        for port in ones(errors) {
            self.errors[port] = self.errors[port].wrapping_add(1);
        }
    }
}
