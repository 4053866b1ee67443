//! Counts the free places of one virtual channel of the buffer at the other end of a link.
//!
//! Use:      `sent` with every flit that departs, `returned` with every credit that comes back.
//! Latency:  `room` and `fits` are those of the cycles before; both flits and credits count from the next cycle on.
//! Range:    buffers of 7 to 4096 flits, packets of 1 to 1023 flits that leave six places to spare.
//! Errors:   a credit too many, or a flit without a credit, is shown by `error` in its cycle and not counted.
//! Reset:    the whole buffer is free.
//! Source:   credit-based virtual cut-through, POWAR section 4.1; docs/microarchitecture/links.md.

use crate::block;
use crate::power::if_seen;
use powar_config::switch::IN_FLIGHT_FLITS;
use rust_hdl::prelude::*;

block! {
    pub struct CreditCounter("credit_counter", include_str!("credit_counter.rs"), clocked)
    /// For a buffer of `depth` flits, at most 4096, and packets of at most `max_packet_flits`, at most `depth` - 6. `shows_credits`: the
    /// output `credits` is there.
    pub fn new(
        depth: usize,
        max_packet_flits: usize,
        shows_credits: bool,
    ) -> Self {
        let number = |flits: usize| -> Bits<13> { (flits as u64).into() };
    }
    inputs {
        /// A flit departs.
        sent: Bit,
        /// A credit comes back.
        returned: Bit,
    }
    outputs {
        /// A longest packet fits, and six flits of the packet before that may not yet have been counted: the port may be chosen.
        room: Bit,
        /// What is left of that when the virtual channel is chosen: all but the tail of the packet before are counted.
        fits: Bit,
        /// A credit too many came back, or a flit departed without a credit.
        error: Bit,
        /// Free places.
        credits[if_seen(shows_credits, 1)]: Bits<13>,
    }
    registers {
        /// Free places.
        credits_r: Bits<13> = number(depth),
    }
    locals {
        /// What comes to the number: 1, 0, or all ones, which is one less.
        step: Bits<13>,
    }
    constants {
        /// Flits the buffer holds.
        depth: Bits<13> = number(depth),
        /// Flits of the longest packet and six more; and one more.
        least_room: Bits<13> = number(max_packet_flits + IN_FLIGHT_FLITS),
        least_fit: Bits<13> = number(max_packet_flits + 1),
        /// The bits that a number of places has; synthesis leaves the others out.
        credit_mask: Bits<13> = number((depth + 1).next_power_of_two() - 1),
    }
    sizes {
        /// 1 if the number is shown, else 0.
        shows_credits = if_seen(shows_credits, 1),
    }
}

impl Logic for CreditCounter {
    #[hdl_gen]
    fn update(&mut self) {
        self.room.next = self.credits_r.q.val() >= self.least_room.val();
        self.fits.next = self.credits_r.q.val() >= self.least_fit.val();
        self.error.next = false;
        // One adder for both directions.
        self.step.next = 0.into();
        if self.returned.val() & !self.sent.val() {
            if self.credits_r.q.val() == self.depth.val() {
                self.error.next = true;
            } else {
                self.step.next = 1.into();
            }
        } else if self.sent.val() & !self.returned.val() {
            if self.credits_r.q.val() == 0 {
                self.error.next = true;
            } else {
                self.step.next = self.credit_mask.val();
            }
        }
        self.credits_r.d.next = (self.credits_r.q.val() + self.step.val()) & self.credit_mask.val();
        for k in 0..self.shows_credits.get() {
            self.credits[k].next = self.credits_r.q.val();
        }
    }
}
