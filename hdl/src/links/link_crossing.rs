//! A link from a sender to a receiver with another clock: flits, phase and hint through a queue, credits back as Gray codes.
//!
//! Use:      towards the sender it is a receiver (`in_*`), towards the receiver a sender (`out_*`). `send_clk` is the clock of the sender,
//!           `receive_clk` that of the receiver; no rate or phase of one to the other is needed.
//! Flow:     nothing stops a flit but the sender's credits. With more entries than the sender has credits nothing can be lost, whatever the
//!           clocks; with fewer the page says for how long the sender's clock may be ahead. `overflow_error` tells of a flit lost.
//! Latency:  a flit: the rest of its cycle and up to three cycles of `receive_clk`. A credit: the rest of its cycle and up to three of
//!           `send_clk`. A change of phase or hint without a flit waits until the queue is seen to be empty.
//! Range:    8 to 2048 entries, 1 to 8 virtual channels, flits of 1 to 16 words of 32 bits.
//! Timing:   what goes from one clock to the other: the inputs of the first flip-flops of each `synchroniser`, and words of the memories,
//!           which are read two cycles after they are written at the earliest. See the page.
//! Reset:    the link idle and `On`; flits and credits on their way are lost. Each reset is in step with its clock; both must be 1 at once
//!           for a rising edge of either clock, and both ends of the link must be reset too.
//! Source:   docs/microarchitecture/crossing.md.

use super::{CrossingReceiver, CrossingSender, CrossingSizes};
use crate::block;
use crate::primitives::*;
use crate::rtl_block::{Children, RtlBlock, Shape, SignalVisitor, WriteRows, list_rows, show};
use powar_config::{Role, SwitchConfig};
use rust_hdl::prelude::*;

block! {
    pub struct LinkCrossing("link_crossing", include_str!("link_crossing.rs"), observed_by_hand)
    /// For a checked configuration.
    pub fn new(config: &SwitchConfig) -> Self {
        let CrossingSizes { vcs, place_bits, pointer_bits, credit_bits } = CrossingSizes::new(config);
        let words = config.flit_words();
    }
    inputs {
        /// The clock of the sender, and its reset.
        send_clk: Clock,
        send_rst: Bit,
        /// The clock of the receiver, and its reset.
        receive_clk: Clock,
        receive_rst: Bit,
        /// From the sender: a flit, whether it is a head flit, its virtual channel and its words; phase and hint.
        in_valid: Bit,
        in_head: Bit,
        in_vc: Bits<3>,
        in_flit[words]: Bits<32>,
        in_phase: Bits<3>,
        in_hint: Bit,
        /// From the receiver: a credit, and its virtual channel.
        out_credit_valid: Bit,
        out_credit_vc: Bits<3>,
    }
    outputs {
        /// To the receiver.
        out_valid: Bit,
        out_head: Bit,
        out_vc: Bits<3>,
        out_flit[words]: Bits<32>,
        out_phase: Bits<3>,
        out_hint: Bit,
        /// To the sender.
        in_credit_valid: Bit,
        in_credit_vc: Bits<3>,
        /// Of the sender's clock: a flit has been lost.
        overflow_error: Bit,
    }
    children {
        sender: CrossingSender = CrossingSender::new(config),
        receiver: CrossingReceiver = CrossingReceiver::new(config),
    }
    others {
        /// The words of the flits, and what else stands in an entry.
        flit_memory: Vec<DualClockMemory<Bits<32>>> = (0..words).map(|_| DualClockMemory::new(place_bits)).collect(),
        entry_memory: DualClockMemory<Bits<9>> = DualClockMemory::new(place_bits),
        /// For test benches, which have one clock: whether either clock rises with it.
        _send_edge: bool = false,
        _receive_edge: bool = false,
    }
    sizes {
        /// Words of a flit.
        words = words,
        place_bits = place_bits,
        pointer_bits = pointer_bits,
        /// Bits of all Gray codes of credits.
        all_credit_bits = vcs * credit_bits,
    }
}

impl Logic for LinkCrossing {
    #[hdl_gen]
    fn update(&mut self) {
        self.sender.clk.next = self.send_clk.val();
        self.sender.rst.next = self.send_rst.val();
        self.sender.in_valid.next = self.in_valid.val();
        self.sender.in_head.next = self.in_head.val();
        self.sender.in_vc.next = self.in_vc.val();
        self.sender.in_phase.next = self.in_phase.val();
        self.sender.in_hint.next = self.in_hint.val();
        self.receiver.clk.next = self.receive_clk.val();
        self.receiver.rst.next = self.receive_rst.val();
        self.receiver.out_credit_valid.next = self.out_credit_valid.val();
        self.receiver.out_credit_vc.next = self.out_credit_vc.val();
        // What goes from one clock to the other.
        for b in 0..self.pointer_bits.get() {
            self.receiver.written_gray[b].next = self.sender.written_gray[b].val();
        }
        for b in 0..self.pointer_bits.get() {
            self.sender.read_gray[b].next = self.receiver.read_gray[b].val();
        }
        for b in 0..self.all_credit_bits.get() {
            self.sender.credit_gray[b].next = self.receiver.credit_gray[b].val();
        }
        self.entry_memory.write_clk.next = self.send_clk.val();
        self.entry_memory.read_clk.next = self.receive_clk.val();
        self.entry_memory.write.next = self.sender.store.val();
        self.entry_memory.write_data.next = self.sender.entry.val();
        self.entry_memory.read.next = self.receiver.fetch.val();
        for b in 0..self.place_bits.get() {
            self.entry_memory.write_address[b].next = self.sender.place[b].val();
            self.entry_memory.read_address[b].next = self.receiver.place[b].val();
        }
        self.receiver.entry.next = self.entry_memory.q.val();
        for w in 0..self.words.get() {
            self.flit_memory[w].write_clk.next = self.send_clk.val();
            self.flit_memory[w].read_clk.next = self.receive_clk.val();
            self.flit_memory[w].write.next = self.sender.store.val();
            self.flit_memory[w].write_data.next = self.in_flit[w].val();
            self.flit_memory[w].read.next = self.receiver.fetch.val();
            for b in 0..self.place_bits.get() {
                self.flit_memory[w].write_address[b].next = self.sender.place[b].val();
                self.flit_memory[w].read_address[b].next = self.receiver.place[b].val();
            }
            self.out_flit[w].next = self.flit_memory[w].q.val();
        }
        self.out_valid.next = self.receiver.out_valid.val();
        self.out_head.next = self.receiver.out_head.val();
        self.out_vc.next = self.receiver.out_vc.val();
        self.out_phase.next = self.receiver.out_phase.val();
        self.out_hint.next = self.receiver.out_hint.val();
        self.in_credit_valid.next = self.sender.in_credit_valid.val();
        self.in_credit_vc.next = self.sender.in_credit_vc.val();
        self.overflow_error.next = self.sender.overflow_error.val();
    }
}

/// A test bench has one clock, and two inputs that say which of the block's clocks rise with it.
const SEND_EDGE: &str = "send_edge";
const RECEIVE_EDGE: &str = "receive_edge";

impl LinkCrossing {
    /// The inputs but for the clocks.
    fn inputs(&self) -> [(&'static str, &dyn WriteRows); 10] {
        [
            ("send_rst", &self.send_rst),
            ("receive_rst", &self.receive_rst),
            ("in_valid", &self.in_valid),
            ("in_head", &self.in_head),
            ("in_vc", &self.in_vc),
            ("in_flit", &self.in_flit),
            ("in_phase", &self.in_phase),
            ("in_hint", &self.in_hint),
            ("out_credit_valid", &self.out_credit_valid),
            ("out_credit_vc", &self.out_credit_vc),
        ]
    }
}

impl RtlBlock for LinkCrossing {
    fn set_clock(&mut self, level: bool) {
        self.send_clk.next = Clock { clk: level && self._send_edge };
        self.receive_clk.next = Clock { clk: level && self._receive_edge };
    }

    fn drive(&mut self, next: &mut dyn FnMut() -> u64) {
        self._send_edge = next() == 1;
        self._receive_edge = next() == 1;
        let inputs: [&mut dyn WriteRows; 10] = [
            &mut self.send_rst,
            &mut self.receive_rst,
            &mut self.in_valid,
            &mut self.in_head,
            &mut self.in_vc,
            &mut self.in_flit,
            &mut self.in_phase,
            &mut self.in_hint,
            &mut self.out_credit_valid,
            &mut self.out_credit_vc,
        ];
        inputs.into_iter().for_each(|input| input.write(1, next));
    }

    fn input_waits(&self) -> bool {
        self.send_clk.next != self.send_clk.val()
            || self.receive_clk.next != self.receive_clk.val()
            || self.inputs().iter().any(|(_, input)| input.waits())
    }

    fn list_inputs(&self, list: &mut dyn FnMut(&'static str, Shape)) {
        [SEND_EDGE, RECEIVE_EDGE].into_iter().for_each(|edge| list(edge, Shape { rows: 1, width: 1 }));
        self.inputs().into_iter().for_each(|(name, input)| list_rows(list, name, input, 1));
    }

    fn observe(&self, view: &mut dyn SignalVisitor) {
        show(view, Role::Output, "out_valid", &self.out_valid, 1);
        show(view, Role::Output, "out_head", &self.out_head, 1);
        show(view, Role::Output, "out_vc", &self.out_vc, 1);
        show(view, Role::Output, "out_flit", &self.out_flit, 1);
        show(view, Role::Output, "out_phase", &self.out_phase, 1);
        show(view, Role::Output, "out_hint", &self.out_hint, 1);
        show(view, Role::Output, "in_credit_valid", &self.in_credit_valid, 1);
        show(view, Role::Output, "in_credit_vc", &self.in_credit_vc, 1);
        show(view, Role::Output, "overflow_error", &self.overflow_error, 1);
        self.observe_registers(view);
    }

    fn observe_registers(&self, view: &mut dyn SignalVisitor) {
        let children: [(&'static str, &dyn Children); 2] = [("sender", &self.sender), ("receiver", &self.receiver)];
        for (name, child) in children {
            view.enter(name);
            child.each(&mut |child| child.observe_registers(view));
            view.leave();
        }
    }
}
