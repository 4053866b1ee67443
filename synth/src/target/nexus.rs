//! Lattice Nexus: area by Yosys.

use super::{Chip, Nextpnr, Shape};
use crate::resources::{Cells, Names, Resources};
use crate::script::Script;

/// The LIFCL-40 (CrossLink-NX, data sheet FPGA-DS-02049), of Lattice's evaluation board.
#[derive(Debug)]
pub(super) struct Lifcl40;

pub(super) static LIFCL_40: Lifcl40 = Lifcl40;

static NAMES: Names = Names {
    area: "half-slices",
    lut: Some("LUT4"),
    carry: Some("carry cells (CCU2)"),
    wide_mux: Some("wide multiplexers (WIDEFN9)"),
    block_ram: "block RAMs (18 kbit)",
    distributed_ram: Some("distributed RAMs (DPR16X4)"),
    dsp: Some("multipliers"),
};

impl Chip for Lifcl40 {
    fn name(&self) -> &'static str {
        "lifcl-40"
    }

    fn device(&self) -> &'static str {
        "LIFCL-40"
    }

    fn packages(&self) -> &'static [&'static str] {
        &["CABGA400", "CABGA256", "CSBGA289", "CSFBGA121", "QFN72"]
    }

    fn speeds(&self) -> &'static [u8] {
        &[7, 8, 9]
    }

    fn capacity(&self) -> Resources {
        Resources { area: 32_256, ff: 32_256, block_ram: 84, dsp: 56, ..Resources::default() }
    }

    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn synthesis(&self, script: &mut Script, top: &str, shape: Shape, output: &str) {
        let keep = if shape == Shape::Hierarchical { " -noflatten" } else { "" };
        script.run(format!("synth_nexus{keep} -top {top} -json {output}.json"));
    }

    fn resources(&self, cells: &Cells) -> Resources {
        let (wide_mux, carry) = (cells.count(&["WIDEFN9"]), cells.count(&["CCU2"]));
        let distributed_ram = cells.count(&["DPR16X4"]);
        // Inverters at inputs of other cells cost nothing; two look-up tables stand before each wide multiplexer, in its own cell.
        let lut = cells.count(&["LUT4"]) + 2 * wide_mux;
        Resources {
            // A distributed RAM keeps its 16 x 4 bits in four look-up tables.
            area: lut + 2 * carry + 4 * distributed_ram,
            lut,
            carry,
            wide_mux,
            ff: cells.count_beginning("FD1P3"),
            block_ram: cells.count(&["DP16K", "PDP16K", "PDPSC16K", "SP16K"]),
            distributed_ram,
            dsp: cells.count_beginning("MULT"),
        }
    }

    fn nextpnr(&self) -> Result<Nextpnr, &'static str> {
        Err("the files of `powar emit` go into Radiant, or nextpnr-nexus with Oxide")
    }
}
