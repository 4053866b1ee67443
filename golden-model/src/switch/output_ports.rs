//! Output ports (sections 5.9 and 5.10): credits, and the output VC of a packet.

use super::input_ports::{VC_BITS, rotated_up_8, round_robin_8};
use super::link::Credit;
use crate::bits::ones;
use powar_config::Config;

/// Where the credits are that flits without an output VC take: a place of its own, where there are always some.
pub(super) const NO_CREDITS: u16 = VCS as u16;
/// Places for the credits of 64 ports.
const VCS: usize = 64 << VC_BITS;

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
    /// Row by row: VC w of port p is at `p << VC_BITS | w`. Below 0 only between the two halves of a clock edge.
    credits: Box<[i16; 2 * VCS]>,
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
            credits: Box::new([depth; 2 * VCS]),
            room: [every; 8],
            fits: [u8::MAX; 64],
            vc_pointer: [1; 64],
            errors: [0; 64],
            scarce: [0; 64],
            scarce_count: 0,
            room_changed: 0,
        }
    }

    pub fn reset(&mut self) {
        self.credits.fill(self.depth);
        (self.room, self.fits) = ([self.every; 8], [u8::MAX; 64]);
        (self.vc_pointer, self.errors) = ([1; 64], [0; 64]);
        self.room_changed = 0;
    }

    /// Credits for a VC of a port.
    pub fn credits(&self, port: usize, vc: usize) -> usize {
        self.credits[port << VC_BITS | vc] as usize
    }

    /// The ports with room on one of these VCs, of which there is at least one.
    #[inline]
    pub fn room_on(&self, vcs: u8) -> u64 {
        let mut ports = self.room[vcs.trailing_zeros() as usize & 7];
        let mut more = vcs & vcs.wrapping_sub(1);
        while more != 0 {
            ports |= self.room[more.trailing_zeros() as usize & 7];
            more &= more - 1;
        }
        ports
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

    /// Flits depart, each of which takes one of the credits at a place. Selectors and VC allocators see it with
    /// [`OutputPorts::clock`] only.
    #[inline]
    pub fn take(&mut self, places: &[u16]) {
        for &place in places {
            let credits = &mut self.credits[usize::from(place) & (2 * VCS - 1)];
            *credits -= 1;
            if *credits < self.enough {
                self.scarce[self.scarce_count & 63] = place;
                self.scarce_count += 1;
            }
        }
    }

    /// Credits have been taken that leave no room.
    #[inline]
    pub fn is_scarce(&self) -> bool {
        self.scarce_count != 0
    }

    /// The credit counters' clock edge.
    #[inline(never)]
    pub fn clock(&mut self, returned: &[Credit]) {
        let mut errors = if self.scarce_count != 0 { self.clock_scarce(returned) } else { 0 };
        let (all, enough) = (&mut *self.credits, self.enough);
        // One that comes back in the cycle in which another is used finds that one gone: neither of them can be an error.
        for credit in returned {
            let (port, vc) = (usize::from(credit.port), usize::from(credit.vc));
            if vc >= self.vcs {
                errors |= 1 << port;
                continue;
            }
            assert!(port < self.count, "a credit on port {port} of {}", self.count);
            let credits = &mut all[(port & 63) << VC_BITS | (vc & 7)];
            let before = *credits;
            if before == self.depth {
                errors |= 1 << port;
                continue;
            }
            *credits = before + 1;
            if before < enough {
                if before == enough - 1 {
                    self.room[vc & 7] |= 1 << port;
                    self.room_changed |= 1 << port;
                } else if before == enough - 2 {
                    self.fits[port & 63] |= 1 << vc;
                }
            }
        }
        for port in ones(errors) {
            self.errors[port] = self.errors[port].wrapping_add(1);
        }
    }
    /// What has become of credits that have been taken where there are few. The ports where there was none.
    #[inline(never)]
    fn clock_scarce(&mut self, returned: &[Credit]) -> u64 {
        let mut errors = 0;
        for &place in &self.scarce[..std::mem::take(&mut self.scarce_count)] {
            let (port, vc) = (place >> VC_BITS, place & ((1 << VC_BITS) - 1));
            let credits = &mut self.credits[usize::from(place)];
            if place == NO_CREDITS {
                *credits = self.depth;
            } else if *credits == self.enough - 1 {
                self.room[usize::from(vc & 7)] &= !(1 << port);
                self.room_changed |= 1 << port;
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
