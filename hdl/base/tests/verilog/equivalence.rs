//! Formal comparison with the text rust-hdl itself writes, on a block whose widths even that text gets right.

use crate::block;
use crate::common::toolbox::{try_yosys, work_folder, yosys};
use powar_hdl_base::primitives::{BlockInfo, Register, dff_setup};
use powar_hdl_base::verilog::{EmitOptions, emit};
use rust_hdl::prelude::*;

block! { Accumulator = "accumulator" clocked; in(add, clear, value) out(total, high);
    fields { add: Signal<In, Bit>, clear: Signal<In, Bit>, value: Signal<In, Bits<6>>, total: Signal<Out, Bits<6>>, high: Signal<Out, Bit>,
        sum: Register<Bits<6>> = Register::new(9.into()), zero: Constant<Bits<6>> = Constant::new(0.into()), half: Constant<Bits<6>> = Constant::new(32.into()) }
    impl Logic for Accumulator {
        #[hdl_gen]
        fn update(&mut self) {
            dff_setup!(self, clk, sum);
            if self.clear.val() {
                self.sum.d.next = self.zero.val();
            } else if self.add.val() {
                self.sum.d.next = self.sum.q.val() + self.value.val();
            }
            self.total.next = self.sum.q.val();
            self.high.next = self.sum.q.val() >= self.half.val();
        }
    }
}

/// rust-hdl's own text. Its kernel parser knows nothing of the reset that our `dff_setup!` connects, so that is added.
fn stock_text() -> String {
    let mut block = Accumulator::new();
    block.connect_all();
    let text = generate_verilog(&block);
    let clock = "sum$clock = clk;";
    assert!(text.contains(clock), "{text}");
    text.replace(clock, "sum$clock = clk; sum$rst = rst;").replace("module top(", "module stock(")
}

fn own_text() -> String {
    let mut block = Accumulator::new();
    block.connect_all();
    emit(&block, &EmitOptions::default()).unwrap().to_single_file()
}

/// Both designs start from any state, are reset in the first cycle and must agree for ever after (by induction).
const PROOF: &str = "\
read_verilog stock.v
read_verilog own.v
proc
flatten
opt_clean
miter -equiv -make_assert -flatten stock accumulator both
hierarchy -top both
sat -verify -prove-asserts -tempinduct -seq 1 -set-at 1 in_rst 1 both
";

#[test]
fn both_texts_mean_the_same() {
    let folder = work_folder("equivalence");
    std::fs::write(folder.join("stock.v"), stock_text()).unwrap();
    std::fs::write(folder.join("own.v"), own_text()).unwrap();
    yosys(&folder, PROOF);
}

/// A proof that cannot fail proves nothing.
#[test]
fn a_changed_text_is_noticed() {
    let text = own_text();
    for (number, (from, to)) in
        [("sum_q + value", "sum_q - value"), ("<= 6'd9", "<= 6'd8"), (">= HALF", "> HALF")].iter().enumerate()
    {
        assert!(text.contains(from), "{text}");
        let folder = work_folder(&format!("equivalence-mutation-{number}"));
        std::fs::write(folder.join("stock.v"), stock_text()).unwrap();
        std::fs::write(folder.join("own.v"), text.replace(from, to)).unwrap();
        let message = try_yosys(&folder, PROOF).expect_err("the mutation must be noticed");
        assert!(message.contains("proof did fail"), "{message}");
    }
}
