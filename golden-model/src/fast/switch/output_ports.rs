//! Output ports (sections 5.9 and 5.10): credits, and the output VC of a packet.

use super::input_ports::{rotated_up_8, round_robin_8};
use super::link::Credit;
use crate::bits::ones;
use powar_config::Config;

/// Where the credits are that flits without an output VC take: a place of its own, where there are always some.
pub(super) const NO_CREDITS: u16 = 0xff;
/// Places for the credits of all ports that a credit can name, on 8 VCs.
const PLACES: usize = 8 << 8;

/// The credits of all output ports. Which port has room on which VC is kept ready, since it is asked for more often than it
/// changes.
#[derive(Clone, Debug)]
pub(super) struct OutputPorts {
    vcs: usize,
    depth: i16,
    /// From so many credits on, there is room for a packet (`room`).
    enough: i16,
    every: u64,
    /// How many ports there are.
    count: usize,
    /// VC w of port p is at [`Credit::place`]. Below 0 only between the two halves of a clock edge, and `depth` where there is no
    /// such port or VC.
    credits: Box<[i16; PLACES]>,
    /// Bit p of row w: port p has room on VC w.
    room: [u64; 8],
    /// Bit w of row p: a packet still fits (`fits`).
    fits: [u8; 64],
    /// One-hot pointers of the VC allocators.
    pub vc_pointer: [u8; 64],
    pub errors: [u32; 64],
    /// Where credits have been taken in this cycle that leave no room.
    scarce: [u16; 64],
    scarce_count: usize,
    /// Ports of which a bit of `room` has changed since selectors last looked.
    pub room_changed: u64,
    /// A bit of `room` has changed since [`OutputPorts::room_by_vcs`] was last made.
    room_is_new: bool,
    /// The ports with room on any VC of a set, for `sets_known` sets.
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
            enough: config.switch.max_packet_flits as i16 + 2,
            every,
            count: config.ports,
            credits: Box::new([depth; PLACES]),
            room: [every; 8],
            fits: [u8::MAX; 64],
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

    pub fn reset(&mut self) {
        self.credits.fill(self.depth);
        (self.room, self.fits) = ([self.every; 8], [u8::MAX; 64]);
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

    /// The ports with room, by the VCs that a packet may use there. Only for `sets`, to which there are only ever added some, and
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

    /// A port is given to a packet that may use some VCs there: the one it gets, one-hot.
    #[inline]
    pub fn give(&mut self, port: usize, allowed: u8) -> u8 {
        let request = allowed & self.fits[port];
        if request == 0 {
            return 0;
        }
        let vc = round_robin_8(request, self.vc_pointer[port]);
        self.vc_pointer[port] = rotated_up_8(vc, self.vcs);
        vc
    }

    /// A flit departs, which takes one of the credits at a place. Selectors and VC allocators see it with [`OutputPorts::clock`]
    /// only.
    #[inline]
    pub fn take(&mut self, place: u16) {
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

    /// The credit counters' clock edge.
    #[inline]
    pub fn clock(&mut self, returned: &[Credit]) {
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
            (self.room_changed, self.room_is_new) = (self.room_changed | 1 << port, true);
        } else if before == self.enough - 2 {
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
                (self.room_changed, self.room_is_new) = (self.room_changed | 1 << port, true);
            } else if *credits == self.enough - 2 {
                self.fits[usize::from(port & 63)] &= !(1 << vc);
            } else if *credits < 0 && !returned.contains(&Credit { port: port as u8, vc: vc as u8 }) {
                *credits = 0;
                errors |= 1 << port;
            }
        }
        errors
    }
}
