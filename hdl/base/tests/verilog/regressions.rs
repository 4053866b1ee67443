//! One test for each construct that rust-hdl's own back end turns into Verilog of another meaning without a word: the exact text that
//! is right. That it is right is shown by simulation in `differential.rs`; these tests say at a glance which rule broke.

use crate::cases::{self, hierarchy, literals, loops, operators, selection};
use powar_hdl_base::verilog::{EmitOptions, emit};
use rust_hdl::prelude::*;

/// The module text of a block, every line without its indentation.
fn lines(mut block: impl Block) -> Vec<String> {
    block.connect_all();
    let design = emit(&block, &EmitOptions::default()).unwrap_or_else(|error| panic!("{error:#}"));
    design.modules.last().unwrap().text.lines().map(|line| line.trim().to_string()).collect()
}

fn expect(block: impl Block, wanted: &[&str]) {
    let lines = lines(block);
    for line in wanted {
        assert!(lines.iter().any(|other| other == line), "missing: {line}\n{}", lines.join("\n"));
    }
}

/// Stock: every integer literal is 32 bits wide, so nothing wraps.
#[test]
fn literals_have_the_width_of_what_they_meet() {
    expect(literals::LiteralInComparison::new(), &["assign o = (a + 8'd1) > b;", "assign q = (a - 8'd1) == 8'd255;"]);
    expect(literals::LiteralThenShift::new(), &["assign o = (a + 8'd1) >> 1;"]);
    expect(literals::ZeroMinus::new(), &["assign o = (8'd0 - a) == b;"]);
}

/// Stock: the cast widens before the operation, which then no longer wraps.
#[test]
fn casts_widen_after_the_operation() {
    let text = ["assign o = {8'd0, a + b};", "assign p = {8'd0, a - b};", "assign q = {8'd0, a << 4};"];
    expect(operators::CastSum::new(), &text);
    expect(operators::CastNotBits::new(), &["assign o = {8'd0, ~a};"]);
}

/// Stock: no mask at the comparison.
#[test]
fn narrowing_casts_cut_inside_a_comparison() {
    expect(operators::NarrowSumCompared::new(), &["assign o = (a[3:0] + b[3:0]) > d;"]);
}

/// Stock: `~` of a bit that has already been widened.
#[test]
fn a_negated_bit_is_widened_after_the_negation() {
    expect(operators::AddNotFlag::new(), &["assign o = a + {7'd0, ~f};"]);
    expect(operators::CastNotFlag::new(), &["assign o = {7'd0, ~f};"]);
    expect(selection::ReplaceBySignal::new(), &["assign o = (a & ~(8'd1 << i)) | ({7'd0, ~f} << i);"]);
}

/// Stock: the replaced value is 32 bits wide, so its high bits spoil the reduction.
#[test]
fn a_replaced_bit_keeps_the_width() {
    expect(selection::ReplaceBySignal::new(), &["assign p = &((a & ~(8'd1 << i)) | ({7'd0, f} << i));"]);
}

/// Stock: no parentheses, and Verilog binds `==` tighter than `&`.
#[test]
fn precedence_is_that_of_rust() {
    let text = ["assign o = (a & b) == c;", "assign p = (a | b) != 8'd0;", "assign q = (a ^ b) == c;"];
    expect(operators::PrecedenceAndEqual::new(), &text);
    expect(operators::NestedDifferences::new(), &["assign o = a - (b - c);", "assign p = a - b - c;"]);
}

/// Stock: `always @(*)` that waits for ever.
#[test]
fn a_kernel_that_reads_nothing_still_drives_its_outputs() {
    expect(literals::ReadsNothing::new(), &["assign o = 8'd5;", "assign p = 8'd9;", "assign q = 4'b0100;"]);
}

/// Stock: an undeclared name.
#[test]
fn sizes_and_constants_of_the_block_are_values() {
    expect(literals::SizeAsValue::new(), &["assign o = a + 8'd11;"]);
    expect(literals::NamedConstants::new(), &["localparam [7:0] ONE = 8'd1;", "assign p = (a + ONE) >> 1;"]);
}

/// Stock: a panic or text that no tool reads.
#[test]
fn names_with_two_brackets_are_resolved() {
    expect(hierarchy::VectorPorts::new(), &[".a (a[i*4 +: 4]),", ".o (o[i*4 +: 4]),"]);
    expect(loops::LoopLastIndex::new(), &["assign p = a[6];"]);
}

/// Stock: a bit of an expression cannot be taken in Verilog.
#[test]
fn bits_of_an_expression_are_bits_of_a_named_value() {
    expect(
        selection::BitsOfExpressions::new(),
        &["assign value = a + b;", "assign o = value[8:5];", "assign q = a[5];"],
    );
}

/// Stock: `match` on bool makes text that no tool reads.
#[test]
fn match_on_a_bit_and_on_numbers() {
    expect(
        cases::enums::MatchNumbers::new(),
        &["case (f)", "1'b1: p = 8'd9;", "2'd2: o = 8'd4;", "default: o = 8'd5;"],
    );
}
