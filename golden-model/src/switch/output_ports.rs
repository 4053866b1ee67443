//! Output ports (sections 5.9 and 5.10): credits, and the output VC of a packet.

use super::input_ports::{rotated_up_8, round_robin_8};
use super::link::Credit;
use crate::bits::ones;
use powar_config::Config;

/// The credits of all output ports. Which port has room on which VC is kept ready, since it is asked for more often than it
/// changes.
#[derive(Clone, Debug)]
pub(super) struct OutputPorts {
    vcs: usize,
    vc_bits: u32,
    depth: i16,
    /// From so many credits on, there is room for a packet (`room`).
    enough: i16,
    every: u64,
    /// Row by row: VC w of port p is at `p << vc_bits | w`. Below 0 only between the two halves of a clock edge.
    credits: Box<[i16]>,
    /// Bit p of row w: port p has room on VC w.
    room: [u64; 8],
    /// Bit w of row p: a packet still fits (`fits`).
    fits: [u8; 64],
    /// One-hot pointers of the VC allocators.
    pub vc_pointer: [u8; 64],
    pub errors: [u32; 64],
    /// Ports of which a bit of `room` has changed since selectors last looked.
    pub room_changed: u64,
}

impl OutputPorts {
    pub fn new(config: &Config) -> Self {
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth() as i16);
        let every = crate::bits::low_bits(config.ports);
        OutputPorts {
            vcs,
            vc_bits: vcs.ilog2(),
            depth,
            enough: config.switch.max_packet_flits as i16 + 2,
            every,
            credits: vec![depth; config.ports * vcs].into(),
            room: [every; 8],
            fits: [u8::MAX; 64],
            vc_pointer: [1; 64],
            errors: [0; 64],
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
        self.credits[port << self.vc_bits | vc] as usize
    }

    /// Those of all ports, row by row.
    pub fn all_credits(&self) -> &[i16] {
        &self.credits
    }

    /// The ports with room on one of these VCs.
    #[inline]
    pub fn room_on(&self, vcs: u8) -> u64 {
        if vcs.is_power_of_two() {
            return self.room[vcs.trailing_zeros() as usize];
        }
        ones(vcs.into()).fold(0, |ports, vc| ports | self.room[vc & 7])
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

    /// The credit counters' clock edge. `departing`: output ports that send a flit, and its VC there, one-hot or 0.
    #[inline]
    pub fn clock(&mut self, departing: impl Iterator<Item = (u8, u8)>, returned: &[Credit]) {
        let mut errors = 0;
        for (port, vc) in departing {
            if vc == 0 {
                continue;
            }
            let (port, vc) = (usize::from(port), vc.trailing_zeros() as usize);
            let credits = &mut self.credits[port << self.vc_bits | vc];
            *credits -= 1;
            if *credits < 0 && !returned.contains(&Credit { port: port as u8, vc: vc as u8 }) {
                *credits = 0;
                errors |= 1 << port;
            }
            if *credits + 1 == self.enough {
                self.room[vc] &= !(1 << port);
                self.room_changed |= 1 << port;
            } else if *credits + 2 == self.enough {
                self.fits[port] &= !(1 << vc);
            }
        }
        // One that comes back in the cycle in which another is used finds that one gone: neither of them can be an error.
        for credit in returned {
            let (port, vc) = (usize::from(credit.port), usize::from(credit.vc));
            if vc >= self.vcs {
                errors |= 1 << port;
                continue;
            }
            let credits = &mut self.credits[port << self.vc_bits | vc];
            if *credits == self.depth {
                errors |= 1 << port;
                continue;
            }
            *credits += 1;
            if *credits == self.enough {
                self.room[vc] |= 1 << port;
                self.room_changed |= 1 << port;
            } else if *credits + 1 == self.enough {
                self.fits[port] |= 1 << vc;
            }
        }
        for port in ones(errors) {
            self.errors[port] = self.errors[port].wrapping_add(1);
        }
    }
}
