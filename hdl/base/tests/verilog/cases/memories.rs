//! Memories: a queue, independent ports with reads of words that are being written, arrays, words of one bit and of an enum.
//!
//! Words have no value before they are written, so the blocks read, or show, only what has been.

use super::enums::Gear;
use crate::block;
use crate::common::bench::{Recording, record};
use crate::common::vector;
use powar_hdl_base::primitives::{BitRegister, BlockInfo, Memory, Register, Size, dff_setup};
use rust_hdl::prelude::*;

block! { QueueOfWords = "queue_of_words" clocked; in(push, pop, word) out(o, count);
    fields { push: Signal<In, Bit>, pop: Signal<In, Bit>, word: Signal<In, Bits<20>>, o: Signal<Out, Bits<20>>, count: Signal<Out, Bits<4>>,
        bits: Size = 3.into(), head: Register<Bits<3>>, tail: Register<Bits<3>>, fill: Register<Bits<4>>,
        pushed: Signal<Local, Bit>, popped: Signal<Local, Bit>, words: Memory<Bits<20>> = Memory::new(3) }
    impl Logic for QueueOfWords {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, head, tail, fill);
            self.pushed.next = self.push.val() & (self.fill.q.val() != 8);
            self.popped.next = self.pop.val() & (self.fill.q.val() != 0);
            self.words.clk.next = self.clk.val();
            self.words.write.next = self.pushed.val();
            self.words.write_data.next = self.word.val();
            self.words.read.next = self.popped.val();
            for b in 0..self.bits.get() {
                self.words.write_address[b].next = self.tail.q.val().get_bit(b);
                self.words.read_address[b].next = self.head.q.val().get_bit(b);
            }
            if self.pushed.val() {
                self.tail.d.next = self.tail.q.val() + 1;
            }
            if self.popped.val() {
                self.head.d.next = self.head.q.val() + 1;
            }
            if self.pushed.val() & !self.popped.val() {
                self.fill.d.next = self.fill.q.val() + 1;
            }
            if self.popped.val() & !self.pushed.val() {
                self.fill.d.next = self.fill.q.val() - 1;
            }
            self.o.next = self.words.q.val();
            self.count.next = self.fill.q.val();
        }
    }
}

block! { TwoPorts = "two_ports" clocked; in(write, read, from, to, word) out(o);
    fields { write: Signal<In, Bit>, read: Signal<In, Bit>, from: Vec<Signal<In, Bit>> = vector(2), to: Vec<Signal<In, Bit>> = vector(2),
        word: Signal<In, Bits<8>>, o: Signal<Out, Bits<8>>, n: Size = 4.into(), written: BitRegister = BitRegister::new(vec![false; 4]),
        from_now: Signal<Local, Bits<2>>, to_now: Signal<Local, Bits<2>>, known: Register<Bit>, words: Memory<Bits<8>> = Memory::new(2) }
    impl Logic for TwoPorts {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, written, known);
            self.words.clk.next = self.clk.val();
            self.words.write.next = self.write.val() | self.word.val().get_bit(0);
            self.words.write_data.next = self.word.val();
            self.words.read.next = self.read.val();
            self.from_now.next = 0.into();
            self.to_now.next = 0.into();
            for b in 0_usize..2 {
                self.words.write_address[b].next = self.to[b].val();
                self.words.read_address[b].next = self.from[b].val();
                self.from_now.next = self.from_now.val().replace_bit(b, self.from[b].val());
                self.to_now.next = self.to_now.val().replace_bit(b, self.to[b].val());
            }
            for i in 0..self.n.get() {
                if (self.write.val() | self.word.val().get_bit(0)) & (self.to_now.val() == i.to_bits()) {
                    self.written.d[i].next = true;
                }
                if self.read.val() & (self.from_now.val() == i.to_bits()) {
                    self.known.d.next = self.written.q[i].val();
                }
            }
            self.o.next = 0.into();
            if self.known.q.val() {
                self.o.next = self.words.q.val();
            }
        }
    }
}

// The address counts, so that a word is written 4 cycles before it is read; `reading` lets the first round pass.
block! { ArrayOfMemories = "array_of_memories" clocked; in(word, gear, flag) out(o, g, f);
    fields { word: Vec<Signal<In, Bits<6>>> = vector(3), gear: Signal<In, Gear>, flag: Vec<Signal<In, Bit>> = vector(2),
        o: Vec<Signal<Out, Bits<6>>> = vector(3), g: Signal<Out, Gear>, f: Vec<Signal<Out, Bit>> = vector(2), n: Size = 3.into(),
        address: Register<Bits<3>>, reading: Register<Bit>,
        words: Vec<Memory<Bits<6>>> = (0..3).map(|_| Memory::new(3)).collect(), gears: Vec<Memory<Gear>> = vec![Memory::new(3)],
        flags: Vec<Memory<Bit>> = vec![Memory::new(3), Memory::new(1)] }
    impl Logic for ArrayOfMemories {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, address, reading);
            self.address.d.next = self.address.q.val() + 1;
            if self.address.q.val() == 3 {
                self.reading.d.next = true;
            }
            for i in 0..self.n.get() {
                self.words[i].clk.next = self.clk.val();
                self.words[i].write.next = true;
                self.words[i].write_data.next = self.word[i].val();
                self.words[i].read.next = self.reading.q.val() & self.flag[0].val();
                for b in 0_usize..2 {
                    self.words[i].write_address[b].next = self.address.q.val().get_bit(b);
                    self.words[i].read_address[b].next = self.address.q.val().get_bit(b);
                }
                self.words[i].write_address[2].next = self.address.q.val().get_bit(2);
                self.words[i].read_address[2].next = !self.address.q.val().get_bit(2);
                self.o[i].next = self.words[i].q.val();
            }
            self.gears[0].clk.next = self.clk.val();
            self.gears[0].write.next = true;
            self.gears[0].write_data.next = self.gear.val();
            self.gears[0].read.next = self.reading.q.val();
            for b in 0_usize..3 {
                self.gears[0].write_address[b].next = self.address.q.val().get_bit(b);
                self.gears[0].read_address[b].next = self.address.q.val().get_bit(b) ^ (b == 2);
            }
            self.g.next = self.gears[0].q.val();
            for m in 0_usize..2 {
                self.flags[m].clk.next = self.clk.val();
                self.flags[m].write.next = true;
                self.flags[m].write_data.next = self.flag[m].val();
                self.flags[m].read.next = self.reading.q.val();
                self.flags[m].write_address[0].next = self.address.q.val().get_bit(0);
                self.flags[m].read_address[0].next = !self.address.q.val().get_bit(0);
                self.f[m].next = self.flags[m].q.val();
            }
            for b in 1_usize..3 {
                self.flags[0].write_address[b].next = false;
                self.flags[0].read_address[b].next = false;
            }
        }
    }
}

// A memory alone needs no reset.
block! { MemoryAlone = "memory_alone" clocked; in(slot, word) out(o);
    fields { slot: Signal<In, Bit>, word: Signal<In, Bits<5>>, o: Signal<Out, Bits<5>>, pair: Memory<Bits<5>> = Memory::new(1), none: Signal<Local, Bit> }
    impl Logic for MemoryAlone {
        #[hdl_gen]
        fn update(&mut self) {
            self.none.next = self.slot.val() & !self.slot.val();
            self.pair.clk.next = self.clk.val();
            self.pair.write.next = true;
            self.pair.write_address[0].next = self.slot.val();
            self.pair.write_data.next = self.word.val();
            self.pair.read.next = self.none.val();
            self.pair.read_address[0].next = self.slot.val();
            self.o.next = self.pair.q.val();
        }
    }
}

pub fn recordings() -> Vec<Recording> {
    vec![
        record(QueueOfWords::new(), 500),
        record(TwoPorts::new(), 500),
        record(ArrayOfMemories::new(), 300),
        record(MemoryAlone::new(), 20),
    ]
}
