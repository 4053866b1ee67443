//! Gowin Arora: area by Yosys.

use super::{Chip, Nextpnr, Shape};
use crate::resources::{Cells, Names, Resources};
use crate::script::Script;

/// The GW2A-18 (data sheet DS102), of the Tang Primer 20K.
#[derive(Debug)]
pub(super) struct Gw2a18;

pub(super) static GW2A_18: Gw2a18 = Gw2a18;

static NAMES: Names = Names {
    area: "LUT4s with ALUs",
    lut: Some("LUT4"),
    carry: Some("carry cells (ALU)"),
    wide_mux: Some("wide multiplexers (MUX2)"),
    block_ram: "block RAMs (18 kbit)",
    distributed_ram: Some("distributed RAMs (RAM16)"),
    dsp: Some("multipliers"),
};

impl Chip for Gw2a18 {
    fn name(&self) -> &'static str {
        "gw2a-18"
    }

    fn device(&self) -> &'static str {
        "GW2A-18"
    }

    fn packages(&self) -> &'static [&'static str] {
        &["PG256", "PG484", "MG196", "QN88"]
    }

    fn speeds(&self) -> &'static [u8] {
        &[8, 7, 9]
    }

    fn capacity(&self) -> Resources {
        // Distributed RAM takes the place of look-up tables, as many as 648 times 64 bits.
        Resources { area: 20_736, ff: 15_552, block_ram: 46, distributed_ram: 648, dsp: 48, ..Resources::default() }
    }

    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn synthesis(&self, script: &mut Script, top: &str, shape: Shape, output: &str) {
        let keep = if shape == Shape::Hierarchical { " -noflatten" } else { "" };
        script.run(format!("synth_gowin -family gw2a -noiopads{keep} -top {top} -json {output}.json"));
    }

    fn resources(&self, cells: &Cells) -> Resources {
        let (lut, carry) = (cells.count(&["LUT1", "LUT2", "LUT3", "LUT4"]), cells.count(&["ALU"]));
        let distributed_ram = cells.count_beginning("RAM16");
        Resources {
            // A bit of an adder is in the place of a look-up table, 16 x 4 bits of RAM in that of four.
            area: lut + carry + 4 * distributed_ram,
            lut,
            carry,
            wide_mux: cells.count_beginning("MUX2_LUT"),
            ff: cells.count_beginning("DFF"),
            block_ram: cells.count(&["SP", "SPX9", "SDPB", "SDPX9B", "DPB", "DPX9B", "pROM", "pROMX9"]),
            distributed_ram,
            dsp: cells.count_beginning("MULT"),
        }
    }

    fn nextpnr(&self) -> Result<Nextpnr, &'static str> {
        Err("the files of `powar emit` go into Gowin's tools, or nextpnr-himbaechel with Apicula")
    }
}
