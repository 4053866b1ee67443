//! The text of one example, word for word.

mod example;

use powar_hdl::verilog::{EmitOptions, emit};
use rust_hdl::prelude::Block;

#[test]
fn the_example_reads_as_it_should() {
    let mut block = example::port_bank::PortBank::new(4);
    block.connect_all();
    let options = EmitOptions { configuration: "ports = 4".into() };
    let design = emit(&block, &options).unwrap();
    println!("{}", design.to_single_file());
    println!("{:#?}", design.description);
}
