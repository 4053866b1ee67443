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
    pub fn new(buffer_flits: usize) -> Self {
        let size_bit: Vec<usize> = (0..13).filter(|bit| buffer_flits >> bit & 1 == 1).collect();
    }
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
        /// Both parts of the load, and the thresholds.
        buffer_load_r: Bits<48>,
        link_load_r: Bits<36>,
        sleep_limit_r: Bits<36>,
        wake_limit_r: Bits<36>,
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
        link_part: Bits<36>,
        /// Thresholds for so many links, and what is taken from that for on.
        sleep_threshold: Bits<36>,
        wake_less: Bits<22>,
        wake_threshold: Bits<36>,
        /// The products, bit by bit of their first factors: kernels can't multiply.
        sleep_row: Bits<36>,
        wake_row: Bits<36>,
        buffer_product: Bits<48>,
        link_product: Bits<36>,
        sleep_product: Bits<36>,
        wake_product: Bits<36>,
        /// The thresholds less the links' part, and the sum of their shifts.
        sleep_left: Bits<48>,
        wake_left: Bits<48>,
        sleep_sum: Bits<48>,
        wake_sum: Bits<48>,
    }
    sizes { size_bits = size_bit.len() }
    tables {
        /// The bits of the size of a buffer that are 1.
        size_bit = size_bit,
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
            (bit_cast::<36, 24>(self.past_flits_r.q.val()) << 1) + bit_cast::<36, 24>(self.past_flits_r.q.val());
        self.sleep_threshold.next = bit_cast::<36, 20>(self.sleep_load.val());
        self.wake_less.next = 0.into();
        if self.sleep_index.val().get_bit(0) {
            self.sleep_threshold.next = self.sleep_threshold.val() + bit_cast::<36, 20>(self.sleep_step.val());
        }
        if self.sleep_index.val().get_bit(1) {
            self.sleep_threshold.next = self.sleep_threshold.val() + (bit_cast::<36, 20>(self.sleep_step.val()) << 1);
        }
        if self.wake_index.val().get_bit(0) {
            self.wake_less.next = self.wake_less.val() + bit_cast::<22, 20>(self.wake_step.val());
        }
        if self.wake_index.val().get_bit(1) {
            self.wake_less.next = self.wake_less.val() + (bit_cast::<22, 20>(self.wake_step.val()) << 1);
        }
        self.wake_threshold.next = 0.into();
        if bit_cast::<22, 20>(self.wake_load.val()) > self.wake_less.val() {
            self.wake_threshold.next =
                bit_cast::<36, 22>(bit_cast::<22, 20>(self.wake_load.val()) - self.wake_less.val());
        }
        self.sleep_row.next = 0.into();
        self.wake_row.next = 0.into();
        self.buffer_product.next = 0.into();
        for b in 0..7 {
            if self.outs_r.q.val().get_bit(b) {
                self.sleep_row.next = self.sleep_row.val() + (self.sleep_threshold.val() << b.to_bits::<3>());
                self.wake_row.next = self.wake_row.val() + (self.wake_threshold.val() << b.to_bits::<3>());
                self.buffer_product.next = self.buffer_product.val() + (self.buffer_part.val() << b.to_bits::<3>());
            }
        }
        self.link_product.next = 0.into();
        self.sleep_product.next = 0.into();
        self.wake_product.next = 0.into();
        for b in 0..7 {
            if self.ins_r.q.val().get_bit(b) {
                self.link_product.next = self.link_product.val() + (self.link_part.val() << b.to_bits::<3>());
                self.sleep_product.next = self.sleep_product.val() + (self.sleep_row.val() << b.to_bits::<3>());
                self.wake_product.next = self.wake_product.val() + (self.wake_row.val() << b.to_bits::<3>());
            }
        }
        if self.stage_r.q.val().get_bit(0) {
            self.buffer_load_r.d.next = self.buffer_product.val();
            self.link_load_r.d.next = self.link_product.val();
            self.sleep_limit_r.d.next = self.sleep_product.val();
            self.wake_limit_r.d.next = self.wake_product.val();
        }
        // Two cycles later: what the links leave to the buffers.
        self.sleep_left.next = 0.into();
        if self.sleep_limit_r.q.val() > self.link_load_r.q.val() {
            self.sleep_left.next = bit_cast::<48, 36>(self.sleep_limit_r.q.val() - self.link_load_r.q.val());
        }
        self.wake_left.next = 0.into();
        if self.wake_limit_r.q.val() > self.link_load_r.q.val() {
            self.wake_left.next = bit_cast::<48, 36>(self.wake_limit_r.q.val() - self.link_load_r.q.val());
        }
        self.sleep_sum.next = 0.into();
        self.wake_sum.next = 0.into();
        for b in 0..self.size_bits.get() {
            self.sleep_sum.next = self.sleep_sum.val() + (self.sleep_left.val() << self.size_bit[b].to_bits::<4>());
            self.wake_sum.next = self.wake_sum.val() + (self.wake_left.val() << self.size_bit[b].to_bits::<4>());
        }
        if self.stage_r.q.val().get_bit(1) {
            self.sleep_gap_r.d.next = self.sleep_sum.val();
            self.wake_gap_r.d.next = self.wake_sum.val();
            self.over_r.d.next = self.link_load_r.q.val() > self.wake_limit_r.q.val();
        }
        self.stage.next = self.stage_r.q.val();
        self.past_filled.next = self.past_filled_r.q.val();
        self.below.next = self.stage_r.q.val().get_bit(2) & (self.buffer_load_r.q.val() < self.sleep_gap_r.q.val());
        self.above.next = self.stage_r.q.val().get_bit(2)
            & (self.over_r.q.val() | (self.buffer_load_r.q.val() > self.wake_gap_r.q.val()));
    }
}
