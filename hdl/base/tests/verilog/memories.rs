//! Memories become block RAM, and the tools read them without a warning.

use crate::block;
use crate::common::toolbox::{icarus_is_missing, tools, work_folder, yosys};
use powar_hdl_base::primitives::{BlockInfo, DualClockMemory, Memory, Size};
use powar_hdl_base::verilog::{Design, EmitOptions, emit};
use powar_tools::run;
use rust_hdl::prelude::*;

block! { FlitStore = "flit_store" clocked; in() out();
    fields { write: Signal<In, Bit>, read: Signal<In, Bit>, to: Vec<Signal<In, Bit>> = vec![Default::default(); 9],
        from: Vec<Signal<In, Bit>> = vec![Default::default(); 9], flit: Vec<Signal<In, Bits<32>>> = vec![Default::default(); 4],
        header: Signal<In, Bits<27>>, o: Vec<Signal<Out, Bits<32>>> = vec![Default::default(); 4], h: Signal<Out, Bits<27>>,
        words: Size = 4.into(), bits: Size = 9.into(),
        flits: Vec<Memory<Bits<32>>> = (0..4).map(|_| Memory::new(9)).collect(), headers: Memory<Bits<27>> = Memory::new(9) }
    impl Logic for FlitStore {
        #[hdl_gen]
        fn update(&mut self) {
            for w in 0..self.words.get() {
                self.flits[w].clk.next = self.clk.val();
                self.flits[w].write.next = self.write.val();
                self.flits[w].write_data.next = self.flit[w].val();
                self.flits[w].read.next = self.read.val();
                for b in 0..self.bits.get() {
                    self.flits[w].write_address[b].next = self.to[b].val();
                    self.flits[w].read_address[b].next = self.from[b].val();
                }
                self.o[w].next = self.flits[w].q.val();
            }
            self.headers.clk.next = self.clk.val();
            self.headers.write.next = self.write.val() & self.read.val();
            self.headers.write_data.next = self.header.val();
            self.headers.read.next = true;
            for b in 0..self.bits.get() {
                self.headers.write_address[b].next = self.to[b].val();
                self.headers.read_address[b].next = self.from[b].val();
            }
            self.h.next = self.headers.q.val();
        }
    }
}

fn design() -> Design {
    let mut block = FlitStore::new();
    block.connect_all();
    emit(&block, &EmitOptions::default()).unwrap_or_else(|error| panic!("{error:#}"))
}

/// Every word of this size takes two of the 18-bit block RAMs, and nothing is left for flip-flops.
#[test]
fn memories_become_block_ram() {
    let folder = work_folder("memories-ecp5");
    std::fs::write(folder.join("design.v"), design().to_single_file()).unwrap();
    yosys(
        &folder,
        "read_verilog design.v\nsynth_ecp5 -top flit_store\nselect -assert-count 5 t:DP16KD t:PDPW16KD\nselect -assert-none t:TRELLIS_FF t:TRELLIS_DPR16X4\n",
    );
}

#[test]
fn the_tools_read_memories_without_a_warning() {
    let folder = work_folder("memories-lint");
    std::fs::write(folder.join("flit_store.v"), &design().modules[0].text).unwrap();
    let log = yosys(
        &folder,
        "read_verilog flit_store.v\nhierarchy -check -top flit_store\nproc\ncheck -assert\nselect -assert-none t:$*latch*\n",
    );
    assert!(!log.contains("Warning"), "{log}");
    let mut verilator = tools().verilator().unwrap();
    verilator.current_dir(&folder).args(["--lint-only", "-Wall", "--language", "1364-2005", "flit_store.v"]);
    let log = run(&mut verilator, "verilator").unwrap_or_else(|error| panic!("{error}"));
    assert!(!log.stderr.contains("%Warning"), "{}", log.stderr);
    if icarus_is_missing() {
        return;
    }
    let mut iverilog = tools().icarus().unwrap().compiler();
    iverilog.current_dir(&folder).args(["-g2005", "-Wall", "-Wno-timescale", "-t", "null", "flit_store.v"]);
    let log = run(&mut iverilog, "iverilog").unwrap_or_else(|error| panic!("{error}"));
    assert!(!log.stderr.contains("warning"), "{}", log.stderr);
}

#[test]
fn the_text_is_an_array_with_one_clocked_block() {
    let text = &design().modules[0].text;
    for part in [
        "(* no_rw_check *) reg [31:0] flits_mem [0:511];",
        "if (write) flits_mem[to] <= flit[i*32 +: 32];",
        "if (read) flits_q[i*32 +: 32] <= flits_mem[from];",
        "(* no_rw_check *) reg [26:0] headers_mem [0:511];",
        "if (headers_write) headers_mem[to] <= header;",
        "        headers_q <= headers_mem[from];",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn memories_are_described_and_are_no_registers() {
    let description = design().description;
    assert!(description.registers.is_empty());
    let name = |memory: usize| (description.memories[memory].name.as_str(), description.memories[memory].path.as_str());
    assert_eq!(description.memories.len(), 5);
    assert_eq!(name(3), ("flits[3]", "g_flits[3].flits_mem"));
    assert_eq!(name(4), ("headers", "headers_mem"));
    assert_eq!((description.memories[0].words, description.memories[4].width), (512, 27));
}

block! { ClockCrossing = "clock_crossing"; in() out();
    fields { from_clk: Signal<In, Clock>, to_clk: Signal<In, Clock>, write: Signal<In, Bit>, read: Signal<In, Bit>,
        to: Vec<Signal<In, Bit>> = vec![Default::default(); 9], from: Vec<Signal<In, Bit>> = vec![Default::default(); 9],
        word: Signal<In, Bits<32>>, o: Signal<Out, Bits<32>>, bits: Size = 9.into(), words: DualClockMemory<Bits<32>> = DualClockMemory::new(9) }
    impl Logic for ClockCrossing {
        #[hdl_gen]
        fn update(&mut self) {
            self.words.write_clk.next = self.from_clk.val();
            self.words.read_clk.next = self.to_clk.val();
            self.words.write.next = self.write.val();
            self.words.write_data.next = self.word.val();
            self.words.read.next = self.read.val();
            for b in 0..self.bits.get() {
                self.words.write_address[b].next = self.to[b].val();
                self.words.read_address[b].next = self.from[b].val();
            }
            self.o.next = self.words.q.val();
        }
    }
}

/// Each port hangs on its own clock, and the whole becomes one block RAM with both.
#[test]
fn a_memory_between_two_clocks_becomes_block_ram() {
    let mut block = ClockCrossing::new();
    block.connect_all();
    let design = emit(&block, &EmitOptions::default()).unwrap_or_else(|error| panic!("{error:#}"));
    let text = design.to_single_file();
    let port = |clock: &str, statement: &str| {
        let lines = format!("    always @(posedge {clock}) begin\n        {statement}\n    end\n");
        assert!(text.contains(&lines), "{lines}is not in\n{text}");
    };
    port("from_clk", "if (write) words_mem[to] <= word;");
    port("to_clk", "if (read) words_q <= words_mem[from];");
    let folder = work_folder("memories-two-clocks");
    std::fs::write(folder.join("design.v"), text).unwrap();
    yosys(
        &folder,
        "read_verilog design.v\nsynth_ecp5 -top clock_crossing\nselect -assert-count 1 t:DP16KD t:PDPW16KD\nselect -assert-none t:TRELLIS_FF t:TRELLIS_DPR16X4\n",
    );
}
