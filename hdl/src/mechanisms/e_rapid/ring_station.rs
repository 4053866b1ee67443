//! A board's place on the control ring: words pass from one board to the next, requests are filled in, the board's own are taken off.
//!
//! Rule:     what comes in with a wrong parity, or makes no sense, is thrown away. Messages of other boards go on, and have the way first;
//!           the controller's next message goes out where nothing passes.
//! Latency:  two cycles from `ring_in` to `ring_out`; `own`, `passes` and `sent` are about the cycle in between.
//! Range:    2 to 8 boards. Errors wrap at 16 bits.
//! Reset:    nothing on the ring, no errors.
//! Source:   Kodi and Louri 2007, section 3.2 (Lock-Step); docs/microarchitecture/mechanisms/e_rapid.md.

use crate::block;
use rust_hdl::prelude::*;

/// The bits of a request that its holder fills in: 32 to 0 but for the claim, bit 30.
const FILLED: usize = 0x1_BFFF_FFFF;

/// All bits of a word.
const WORD: usize = 0x3FF_FFFF_FFFF;

block! {
    pub struct RingStation("ring_station", include_str!("ring_station.rs"), clocked)
    /// Of a ring of so many boards, 2..=8.
    pub fn new(boards: usize) -> Self {}
    inputs {
        /// The word from the board before.
        ring_in: Bits<42>,
        /// Number of this board.
        me: Bits<3>,
        /// The controller has a message to send.
        send: Bit,
        /// It, without its parity.
        message: Bits<42>,
        /// Bits 32 to 12 of the request that passes as the holder of the wavelength fills them in; the claim's place is not looked at.
        filled: Bits<21>,
        /// This board is the holder.
        fills: Bit,
        /// How packets wait for the owner's board, cycles of the last window: bits 11 to 0 likewise.
        waited: Bits<12>,
        /// The board claims the wavelength.
        claims: Bit,
    }
    outputs {
        /// What came in in the cycle before; 0: no message.
        word: Bits<42>,
        /// A message of this board has come back.
        own: Bit,
        /// A message of another board passes.
        passes: Bit,
        /// The controller's message goes out.
        sent: Bit,
        /// The word to the next board.
        ring_out: Bits<42>,
        /// Words thrown away for their parity.
        ring_errors: Bits<16>,
    }
    registers { word_r: Bits<42>, ring_out_r: Bits<42>, ring_errors_r: Bits<16> }
    locals {
        /// The number of ones that come in is odd.
        odd: Bit,
        /// What comes in is a message.
        sound: Bit,
        /// The word is a message; it is of this board.
        present: Bit,
        ours: Bit,
        /// It as it goes on.
        passed: Bits<42>,
        /// What goes out, without its parity.
        outgoing: Bits<42>,
    }
    constants {
        /// Bits of a request that its holder fills in, and the others.
        filled_bits: Bits<42> = FILLED.to_bits(),
        kept_bits: Bits<42> = (WORD ^ FILLED).to_bits(),
    }
    sizes { boards = boards }
}

impl Logic for RingStation {
    #[hdl_gen]
    fn update(&mut self) {
        // What comes in.
        self.odd.next = self.ring_in.val().xor();
        if self.odd.val() {
            self.ring_errors_r.d.next = self.ring_errors_r.q.val() + 1;
        }
        self.sound.next = !self.odd.val()
            & (self.ring_in.val().get_bit(39) ^ self.ring_in.val().get_bit(40))
            & (bit_cast::<4, 3>(self.ring_in.val().get_bits::<3>(36)) < self.boards.val().to_bits())
            & (bit_cast::<4, 3>(self.ring_in.val().get_bits::<3>(33)) < self.boards.val().to_bits());
        self.word_r.d.next = 0.into();
        if self.sound.val() {
            self.word_r.d.next = self.ring_in.val();
        }
        // Whose it is.
        self.present.next = self.word_r.q.val().get_bits::<2>(39).any();
        self.ours.next = self.word_r.q.val().get_bits::<3>(36) == self.me.val();
        self.own.next = self.present.val() & self.ours.val();
        self.passes.next = self.present.val() & !self.ours.val();
        self.sent.next = self.send.val() & !self.passes.val();
        // What goes out.
        self.passed.next = self.word_r.q.val();
        if self.word_r.q.val().get_bit(39) {
            if self.fills.val() {
                self.passed.next = (self.word_r.q.val() & self.kept_bits.val())
                    | ((bit_cast::<42, 21>(self.filled.val()) << 12) & self.filled_bits.val())
                    | bit_cast::<42, 12>(self.waited.val());
            }
            if self.claims.val() {
                self.passed.next = self.passed.val().replace_bit(30, true);
            }
        }
        self.outgoing.next = 0.into();
        if self.passes.val() {
            self.outgoing.next = self.passed.val();
        } else if self.send.val() {
            self.outgoing.next = self.message.val();
        }
        self.ring_out_r.d.next = self.outgoing.val().replace_bit(41, self.outgoing.val().get_bits::<41>(0).xor());
        self.word.next = self.word_r.q.val();
        self.ring_out.next = self.ring_out_r.q.val();
        self.ring_errors.next = self.ring_errors_r.q.val();
    }
}
