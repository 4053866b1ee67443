//! Output ports (sections 5.9 and 5.10): credits, and the output VC of a packet.

use super::input_ports::{rotated_up_8, round_robin_8};
use super::link::Credit;
use crate::bits::{is_set, ones};
use powar_config::Config;

/// The credits of all output ports. Which port has room on which VC is kept ready, since it is asked for more often than it
/// changes.
#[derive(Clone, Debug)]
pub(super) struct OutputPorts {
    vcs: usize,
    depth: u16,
    /// From so many credits on, there is room for a packet (`room`).
    enough: u16,
    every: u64,
    /// Row by row: VC w of port p is at `p * vcs + w`.
    credits: Box<[u16]>,
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
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth() as u16);
        let every = crate::bits::low_bits(config.ports);
        OutputPorts {
            vcs,
            depth,
            enough: config.switch.max_packet_flits as u16 + 2,
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
    pub fn credits(&self, port: usize, vc: usize) -> u16 {
        self.credits[port * self.vcs + vc]
    }

    /// Those of all ports, row by row.
    pub fn all_credits(&self) -> &[u16] {
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

    /// The credit counters' clock edge: `departing` ports send a flit on the VC in `departing_vc`, one-hot or 0.
    #[inline]
    pub fn clock(&mut self, departing: u64, departing_vc: &mut [u8; 64], returned: &[Credit]) {
        let mut errors = 0;
        for credit in returned {
            let (port, vc) = (usize::from(credit.port), usize::from(credit.vc));
            if vc >= self.vcs {
                errors |= 1 << port;
            } else if is_set(departing, port) && departing_vc[port] == 1 << vc {
                departing_vc[port] = 0; // One goes, one comes.
            } else {
                let credits = &mut self.credits[port * self.vcs + vc];
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
        }
        for port in ones(departing) {
            if departing_vc[port] == 0 {
                continue;
            }
            let vc = departing_vc[port].trailing_zeros() as usize;
            let credits = &mut self.credits[port * self.vcs + vc];
            if *credits == 0 {
                errors |= 1 << port;
                continue;
            }
            *credits -= 1;
            if *credits + 1 == self.enough {
                self.room[vc] &= !(1 << port);
                self.room_changed |= 1 << port;
            } else if *credits + 2 == self.enough {
                self.fits[port] &= !(1 << vc);
            }
        }
        for port in ones(errors) {
            self.errors[port] = self.errors[port].wrapping_add(1);
        }
    }
}
