//! Output ports (sections 5.9 and 5.10): credits, and the output VC of a packet.

use super::input_ports::{rotated_up_8, round_robin_8};
use super::link::{Credit, LinkFlit};
use crate::bits::{is_set, ones};
use powar_config::Config;
use powar_config::switch::IN_FLIGHT_FLITS;

/// Where the credits are that flits without an output VC take: a place of its own, where there are always some.
pub(super) const NO_CREDITS: u16 = 0xff;
/// Places for the credits of all ports that a credit can name, on 8 VCs.
const PLACES: usize = 8 << 8;

/// The packets of an output port.
#[derive(Clone, Copy, Debug)]
struct Sent {
    /// Where the credits are of the packet that was given the port last, and of that whose flits leave; [`NO_CREDITS`] if it has no VC.
    next: u16,
    current: u16,
}

impl Sent {
    const RESET: Sent = Sent { next: NO_CREDITS, current: NO_CREDITS };
}

/// The credits of all output ports. Which port has room on which VC is kept ready, since it is asked for more often than it
/// changes.
#[derive(Clone, Debug)]
pub(super) struct OutputPorts {
    vcs: usize,
    depth: i16,
    /// From so many credits on, there is room for a packet (`room`), and it still fits (`fits`).
    enough: i16,
    fitting: i16,
    every: u64,
    /// How many ports there are.
    count: usize,
    /// VC w of port p is at [`Credit::place`]. Below 0 only between the two halves of a clock edge, and `depth` where there is no
    /// such port or VC.
    credits: Box<[i16; PLACES]>,
    /// Bit p of row w: port p has room on VC w, and had it in the cycle before: that is what selectors see.
    room: [u64; 8],
    room_before: [u64; 8],
    /// Ports of which these two differ, and the cycle from which they do.
    room_moved: u64,
    room_moved_at: u64,
    /// Bit w of row p: a packet still fits.
    fits: [u8; 64],
    /// Ports that have been granted to a packet in the cycle before, and the VCs allowed to it.
    choosing: u64,
    choices: [u8; 64],
    sent: [Sent; 64],
    /// One-hot pointers of the VC allocators.
    pub vc_pointer: [u8; 64],
    pub errors: [u32; 64],
    /// Where credits have been taken in this cycle that leave no room.
    scarce: [u16; 64],
    scarce_count: usize,
    /// Ports of which a bit of `room_before` has changed since selectors last looked.
    pub room_changed: u64,
    /// A bit of `room_before` has changed since [`OutputPorts::room_by_vcs`] was last made.
    room_is_new: bool,
    /// The ports with room before on any VC of a set, for `sets_known` sets.
    room_by_vcs: Box<[u64; 256]>,
    sets_known: usize,
}

impl OutputPorts {
    pub fn new(config: &Config) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth() as i16);
        let every = crate::bits::low_bits(config.ports);
        OutputPorts {
            vcs,
            depth,
            enough: (config.switch.max_packet_flits + IN_FLIGHT_FLITS) as i16,
            fitting: config.switch.max_packet_flits as i16 + 1,
            every,
            count: config.ports,
            credits: Box::new([depth; PLACES]),
            room: [every; 8],
            room_before: [0; 8],
            room_moved: every,
            room_moved_at: 0,
            fits: [u8::MAX; 64],
            choosing: 0,
            choices: [0; 64],
            sent: [Sent::RESET; 64],
            vc_pointer: [1; 64],
            errors: [0; 64],
            scarce: [0; 64],
            scarce_count: 0,
            room_changed: 0,
            room_is_new: true,
            room_by_vcs: Box::new([0; 256]),
            sets_known: 0,
        }
    }

    /// Reset values from cycle `now` on.
    pub fn reset(&mut self, now: u64) {
        self.credits.fill(self.depth);
        (self.room, self.room_before, self.fits) = ([self.every; 8], [0; 8], [u8::MAX; 64]);
        (self.room_moved, self.room_moved_at) = (self.every, now);
        (self.choosing, self.sent) = (0, [Sent::RESET; 64]);
        (self.vc_pointer, self.errors) = ([1; 64], [0; 64]);
        (self.room_changed, self.room_is_new) = (0, true);
    }

    /// Credits for a VC of a port.
    pub fn credits(&self, port: usize, vc: usize) -> usize {
        self.credits[vc << 8 | port] as usize
    }

    /// Flits in the buffer at the other end of a port and on the way there and back.
    pub fn occupancy(&self, port: usize) -> u16 {
        let missing = |vc: usize| (self.depth - self.credits[vc << 8 | port]) as u16;
        (0..self.vcs).map(missing).sum()
    }

    /// The ports that had room in the cycle before, by the VCs that a packet may use there. Only for `sets`, to which there are only ever added some, and
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
            self.room_by_vcs[usize::from(vcs)] = ones(vcs.into()).fold(0, |ports, vc| ports | self.room_before[vc & 7]);
        }
    }

    /// What had room on a VC in the cycle before `now`, as a mask over ports.
    pub fn room_shown(&self, vc: usize, now: u64) -> u64 {
        if now > self.room_moved_at { self.room[vc & 7] } else { self.room_before[vc & 7] }
    }

    /// Room has changed that selectors do not see yet.
    #[inline]
    pub fn room_moves(&self) -> bool {
        self.room_moved != 0
    }

    /// What has room in the cycle under way is what had it before the next one.
    #[inline]
    pub fn pass_room(&mut self) {
        if self.room_moved != 0 {
            self.room_before = self.room;
            (self.room_changed, self.room_is_new) = (self.room_changed | self.room_moved, true);
            self.room_moved = 0;
        }
    }

    /// The VCs of packets that have been granted a port in the cycle before, and those that are granted one in this cycle.
    #[inline]
    pub fn choose_vcs(&mut self, granted: u64) {
        for port in ones(std::mem::replace(&mut self.choosing, granted)) {
            let request = self.choices[port] & self.fits[port];
            self.sent[port].next = match round_robin_8(request, self.vc_pointer[port]) {
                0 => NO_CREDITS,
                vc => {
                    self.vc_pointer[port] = rotated_up_8(vc, self.vcs);
                    Credit { port: port as u8, vc: vc.trailing_zeros() as u8 }.place()
                }
            };
        }
    }

    /// Some VCs are allowed to the packet that is granted a port in the cycle under way: for [`OutputPorts::choose_vcs`] of the next.
    #[inline]
    pub fn allow(&mut self, port: u8, vcs: u8) {
        self.choices[usize::from(port & 63)] = vcs;
    }

    /// Whether a VC is being chosen.
    #[inline]
    pub fn is_choosing(&self) -> bool {
        self.choosing != 0
    }

    /// `choosing` and `choices` of a port.
    pub fn choices(&self, port: usize) -> (bool, u8) {
        let choosing = is_set(self.choosing, port);
        (choosing, if choosing { self.choices[port] } else { 0 })
    }

    /// `next_vc` and `current_vc` of a port, one-hot.
    pub fn chosen(&self, port: usize) -> (u8, u8) {
        let one_hot = |place: u16| if place == NO_CREDITS { 0 } else { 1 << (place >> 8) };
        (one_hot(self.sent[port].next), one_hot(self.sent[port].current))
    }

    /// Flits come out of the crossbar: each gets its packet's VC and takes a credit for it.
    #[inline]
    pub fn send<P>(&mut self, flits: &mut [LinkFlit<P>]) {
        for flit in flits {
            let sent = &mut self.sent[usize::from(flit.port & 63)];
            let place = if flit.head { sent.next } else { sent.current };
            sent.current = place;
            // Without an output VC the number is 0.
            flit.vc = (place >> 8) as u8;
            self.take(place);
        }
    }

    /// A flit takes one of the credits at a place. Selectors and VC allocators see it with [`OutputPorts::clock`] only.
    #[inline]
    fn take(&mut self, place: u16) {
        let credits = &mut self.credits[usize::from(place) & (PLACES - 1)];
        *credits -= 1;
        if *credits < self.enough {
            self.scarce[self.scarce_count & 63] = place;
            self.scarce_count += 1;
        }
    }

    /// Credits have been taken that leave no room.
    #[inline]
    pub fn is_scarce(&self) -> bool {
        self.scarce_count != 0
    }

    /// The credit counters' clock edge, at the end of cycle `now`; [`OutputPorts::pass_room`] has been there before.
    #[inline]
    pub fn clock(&mut self, now: u64, returned: &[Credit]) {
        self.clock_credits(returned);
        if self.room_moved != 0 {
            self.room_moved_at = now + 1;
        }
    }

    #[inline]
    fn clock_credits(&mut self, returned: &[Credit]) {
        let errors = if self.scarce_count != 0 { self.clock_scarce(returned) } else { 0 };
        // One that comes back in the cycle in which another is used finds that one gone: neither of them can be an error.
        let (enough, span) = (self.enough, (self.depth - self.enough).max(0) as u16);
        let mut others = 0u64;
        for (k, credit) in returned.iter().enumerate() {
            match self.credits.get_mut(usize::from(credit.place())) {
                // Of most there are enough, and some on their way.
                Some(credits) if ((*credits - enough) as u16) < span => *credits += 1,
                _ => others |= 1 << (k & 63),
            }
        }
        if errors | others != 0 {
            self.take_others_back(returned, others, errors);
        }
    }

    /// Takes those of the credits back that are not as usual, and counts the ports with errors.
    #[inline(never)]
    fn take_others_back(&mut self, returned: &[Credit], others: u64, mut errors: u64) {
        for k in ones(others) {
            errors |= self.take_back(returned[k]);
        }
        for port in ones(errors) {
            self.errors[port] = self.errors[port].wrapping_add(1);
        }
    }

    /// Any credit comes back. Its port if that is an error.
    fn take_back(&mut self, credit: Credit) -> u64 {
        let (port, vc) = (usize::from(credit.port), usize::from(credit.vc));
        assert!(port < self.count, "a credit on port {port} of {}", self.count);
        let before = if vc < self.vcs { self.credits[usize::from(credit.place())] } else { self.depth };
        if before == self.depth {
            return 1 << port;
        }
        self.credits[usize::from(credit.place())] = before + 1;
        if before == self.enough - 1 {
            self.room[vc & 7] |= 1 << port;
            self.room_moved |= 1 << port;
        } else if before == self.fitting - 1 {
            self.fits[port & 63] |= 1 << vc;
        }
        0
    }

    /// What has become of credits that have been taken where there are few. The ports where there was none.
    #[inline(never)]
    fn clock_scarce(&mut self, returned: &[Credit]) -> u64 {
        let mut errors = 0;
        for &place in &self.scarce[..std::mem::take(&mut self.scarce_count)] {
            let (port, vc) = (place & 0xff, place >> 8);
            let credits = &mut self.credits[usize::from(place)];
            if place == NO_CREDITS {
                *credits = self.depth;
            } else if *credits == self.enough - 1 {
                self.room[usize::from(vc & 7)] &= !(1 << port);
                self.room_moved |= 1 << port;
            } else if *credits == self.fitting - 1 {
                self.fits[usize::from(port & 63)] &= !(1 << vc);
            } else if *credits < 0 && !returned.contains(&Credit { port: port as u8, vc: vc as u8 }) {
                *credits = 0;
                errors |= 1 << port;
            }
        }
        errors
    }
}
