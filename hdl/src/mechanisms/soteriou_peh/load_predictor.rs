//! Predicts the load of a router and compares it with the thresholds for links off and on, without a division.
//!
//! Load:     0.7 of the utilisation of its input buffers and 0.3 of that of its output links. Both sides of a comparison are multiplied by
//!           10, the window, the size of a buffer, and the numbers of active input and output ports.
//! Predicts: each sum is three parts of this window and one of its last prediction.
//! Latency:  a check of cycle t is decided in t+3, the only cycle in which `below` or `above` is 1.
//! Range:    buffers of 1 to 4096 flits, up to 64 ports, thresholds of up to 2^20 - 1 tenths of a flit in a window; no product wraps. Checks
//!           are 4 cycles or more apart. A load that is equal to a threshold is neither below nor above.
//! Reset:    no load.
//! Source:   Soteriou and Peh 2004, equations 4 and 5, section IV-A; docs/microarchitecture/mechanisms/soteriou_peh.md.

use crate::block;
use rust_hdl::prelude::*;

block! {
    pub struct LoadPredictor("load_predictor", include_str!("load_predictor.rs"), clocked)
    /// For input buffers of so many flits, 1..=4096.
    pub fn new(buffer_flits: usize) -> Self {}
    inputs {
        /// Last cycle of a window.
        check: Bit,
        /// Sums of the window: flits in buffers over its cycles, flits on links.
        filled: Bits<36>,
        flits: Bits<24>,
        /// Active input and output ports.
        in_ports: Bits<7>,
        out_ports: Bits<7>,
        /// Which threshold: links that are to be on, and that are not, less 1.
        sleep_index: Bits<2>,
        wake_index: Bits<2>,
        /// Loads times 10 windows.
        sleep_load: Bits<20>,
        sleep_step: Bits<20>,
        wake_load: Bits<20>,
        wake_step: Bits<20>,
    }
    outputs {
        /// Bit i: a check was i + 1 cycles ago.
        stage: Bits<3>,
        /// The prediction of flits in buffers.
        past_filled: Bits<36>,
        /// The load is below the threshold for off; above that for on.
        below: Bit,
        above: Bit,
    }
    registers {
        stage_r: Bits<3>,
        past_filled_r: Bits<36>,
        past_flits_r: Bits<24>,
        /// Active ports at the last check, at least 1.
        ins_r: Bits<7> = 1.into(),
        outs_r: Bits<7> = 1.into(),
        /// Both parts of the load.
        buffer_load_r: Bits<48>,
        link_load_r: Bits<36>,
        /// The thresholds for so many links, and what they are multiplied by.
        sleep_threshold_r: Bits<22>,
        wake_threshold_r: Bits<22>,
        places_r: Bits<25>,
        /// What the links leave of the thresholds to the buffers.
        sleep_gap_r: Bits<48>,
        wake_gap_r: Bits<48>,
        /// The links alone are above the threshold.
        over_r: Bit,
    }
    locals {
        /// This window three times and the last prediction.
        filled_sum: Bits<38>,
        flits_sum: Bits<26>,
        /// The predictions seven and three times.
        buffer_part: Bits<48>,
        link_part: Bits<32>,
        /// One step of a threshold and two, if it has them for so many links.
        sleep_step_1: Bits<23>,
        sleep_step_2: Bits<23>,
        wake_step_1: Bits<23>,
        wake_step_2: Bits<23>,
        /// The threshold for on, negative with bit 22.
        wake_difference: Bits<23>,
        /// P_in, P_out, and their product.
        ins: Bits<16>,
        outs: Bits<16>,
        ports: Bits<16>,
        places: Bits<32>,
        /// Factors, of 16 bits and what is above.
        places_low: Bits<16>,
        places_high: Bits<16>,
        sleep_low: Bits<16>,
        sleep_high: Bits<16>,
        wake_low: Bits<16>,
        wake_high: Bits<16>,
        /// Products: limits are the thresholds times `places`.
        buffer_product: Bits<48>,
        link_product: Bits<36>,
        sleep_limit: Bits<48>,
        wake_limit: Bits<48>,
        of_links: Bits<48>,
        /// The limits less the links' part, negative with bit 48.
        sleep_left: Bits<49>,
        wake_left: Bits<49>,
    }
    constants {
        /// Flits of an input buffer.
        buffer_size: Bits<16> = (buffer_flits as u64).to_bits(),
    }
}

impl Logic for LoadPredictor {
    #[hdl_gen]
    fn update(&mut self) {
        self.stage_r.d.next = (self.stage_r.q.val() << 1).replace_bit(0, self.check.val());
        // The check: predictions, and the ports that are active.
        self.filled_sum.next = bit_cast::<38, 36>(self.filled.val())
            + (bit_cast::<38, 36>(self.filled.val()) << 1)
            + bit_cast::<38, 36>(self.past_filled_r.q.val());
        self.flits_sum.next = bit_cast::<26, 24>(self.flits.val())
            + (bit_cast::<26, 24>(self.flits.val()) << 1)
            + bit_cast::<26, 24>(self.past_flits_r.q.val());
        if self.check.val() {
            self.past_filled_r.d.next = self.filled_sum.val().get_bits::<36>(2);
            self.past_flits_r.d.next = self.flits_sum.val().get_bits::<24>(2);
            self.ins_r.d.next = self.in_ports.val();
            if !self.in_ports.val().any() {
                self.ins_r.d.next = 1.into();
            }
            self.outs_r.d.next = self.out_ports.val();
            if !self.out_ports.val().any() {
                self.outs_r.d.next = 1.into();
            }
        }
        // A cycle later: both parts of the load, and the thresholds for as many ports.
        self.buffer_part.next =
            (bit_cast::<48, 36>(self.past_filled_r.q.val()) << 3) - bit_cast::<48, 36>(self.past_filled_r.q.val());
        self.link_part.next =
            (bit_cast::<32, 24>(self.past_flits_r.q.val()) << 1) + bit_cast::<32, 24>(self.past_flits_r.q.val());
        self.sleep_step_1.next = 0.into();
        self.sleep_step_2.next = 0.into();
        self.wake_step_1.next = 0.into();
        self.wake_step_2.next = 0.into();
        if self.sleep_index.val().get_bit(0) {
            self.sleep_step_1.next = bit_cast::<23, 20>(self.sleep_step.val());
        }
        if self.sleep_index.val().get_bit(1) {
            self.sleep_step_2.next = bit_cast::<23, 20>(self.sleep_step.val()) << 1;
        }
        if self.wake_index.val().get_bit(0) {
            self.wake_step_1.next = bit_cast::<23, 20>(self.wake_step.val());
        }
        if self.wake_index.val().get_bit(1) {
            self.wake_step_2.next = bit_cast::<23, 20>(self.wake_step.val()) << 1;
        }
        self.wake_difference.next =
            bit_cast::<23, 20>(self.wake_load.val()) - (self.wake_step_1.val() + self.wake_step_2.val());
        self.ins.next = bit_cast::<16, 7>(self.ins_r.q.val());
        self.outs.next = bit_cast::<16, 7>(self.outs_r.q.val());
        self.ports.next = (self.ins.val() * self.outs.val()).get_bits::<16>(0);
        self.places.next = self.ports.val() * self.buffer_size.val();
        self.buffer_product.next = (bit_cast::<48, 32>(self.buffer_part.val().get_bits::<16>(0) * self.outs.val())
            | (bit_cast::<48, 32>(self.buffer_part.val().get_bits::<16>(32) * self.outs.val()) << 32))
            + (bit_cast::<48, 32>(self.buffer_part.val().get_bits::<16>(16) * self.outs.val()) << 16);
        self.link_product.next = bit_cast::<36, 32>(self.link_part.val().get_bits::<16>(0) * self.ins.val())
            + (bit_cast::<36, 32>(self.link_part.val().get_bits::<16>(16) * self.ins.val()) << 16);
        if self.stage_r.q.val().get_bit(0) {
            self.buffer_load_r.d.next = self.buffer_product.val();
            self.link_load_r.d.next = self.link_product.val();
            self.sleep_threshold_r.d.next = bit_cast::<22, 20>(self.sleep_load.val())
                + (self.sleep_step_1.val() + self.sleep_step_2.val()).get_bits::<22>(0);
            self.wake_threshold_r.d.next = 0.into();
            if !self.wake_difference.val().get_bit(22) {
                self.wake_threshold_r.d.next = self.wake_difference.val().get_bits::<22>(0);
            }
            self.places_r.d.next = self.places.val().get_bits::<25>(0);
        }
        // Two cycles later: what the links leave to the buffers.
        self.places_low.next = self.places_r.q.val().get_bits::<16>(0);
        self.places_high.next = bit_cast::<16, 9>(self.places_r.q.val().get_bits::<9>(16));
        self.sleep_low.next = self.sleep_threshold_r.q.val().get_bits::<16>(0);
        self.sleep_high.next = bit_cast::<16, 6>(self.sleep_threshold_r.q.val().get_bits::<6>(16));
        self.wake_low.next = self.wake_threshold_r.q.val().get_bits::<16>(0);
        self.wake_high.next = bit_cast::<16, 6>(self.wake_threshold_r.q.val().get_bits::<6>(16));
        self.sleep_limit.next = (bit_cast::<48, 32>(self.places_low.val() * self.sleep_low.val())
            | (bit_cast::<48, 32>(self.places_high.val() * self.sleep_high.val()) << 32))
            + ((bit_cast::<48, 32>(self.places_low.val() * self.sleep_high.val())
                + bit_cast::<48, 32>(self.places_high.val() * self.sleep_low.val()))
                << 16);
        self.wake_limit.next = (bit_cast::<48, 32>(self.places_low.val() * self.wake_low.val())
            | (bit_cast::<48, 32>(self.places_high.val() * self.wake_high.val()) << 32))
            + ((bit_cast::<48, 32>(self.places_low.val() * self.wake_high.val())
                + bit_cast::<48, 32>(self.places_high.val() * self.wake_low.val()))
                << 16);
        self.of_links.next = (bit_cast::<48, 32>(self.link_load_r.q.val().get_bits::<16>(0) * self.buffer_size.val())
            | (bit_cast::<48, 32>(
                bit_cast::<16, 4>(self.link_load_r.q.val().get_bits::<4>(32)) * self.buffer_size.val(),
            ) << 32))
            + (bit_cast::<48, 32>(self.link_load_r.q.val().get_bits::<16>(16) * self.buffer_size.val()) << 16);
        self.sleep_left.next = bit_cast::<49, 48>(self.sleep_limit.val()) - bit_cast::<49, 48>(self.of_links.val());
        self.wake_left.next = bit_cast::<49, 48>(self.wake_limit.val()) - bit_cast::<49, 48>(self.of_links.val());
        if self.stage_r.q.val().get_bit(1) {
            self.sleep_gap_r.d.next = 0.into();
            if !self.sleep_left.val().get_bit(48) {
                self.sleep_gap_r.d.next = self.sleep_left.val().get_bits::<48>(0);
            }
            self.wake_gap_r.d.next = 0.into();
            if !self.wake_left.val().get_bit(48) {
                self.wake_gap_r.d.next = self.wake_left.val().get_bits::<48>(0);
            }
            self.over_r.d.next = self.wake_left.val().get_bit(48);
        }
        self.stage.next = self.stage_r.q.val();
        self.past_filled.next = self.past_filled_r.q.val();
        self.below.next = self.stage_r.q.val().get_bit(2) & (self.buffer_load_r.q.val() < self.sleep_gap_r.q.val());
        self.above.next = self.stage_r.q.val().get_bit(2)
            & (self.over_r.q.val() | (self.buffer_load_r.q.val() > self.wake_gap_r.q.val()));
    }
}
