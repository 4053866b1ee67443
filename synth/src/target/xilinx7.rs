//! Xilinx 7 series: area by Yosys; Vivado places and routes (see `crate::vivado`).

use super::{Chip, Nextpnr, Shape};
use crate::resources::{Cells, Names, Resources};
use crate::script::Script;

/// The XC7A100T (data sheet DS180), of the Arty A7-100T.
#[derive(Debug)]
pub(super) struct Xc7a100t;

pub(super) static XC7A100T: Xc7a100t = Xc7a100t;

static NAMES: Names = Names {
    area: "LUTs",
    lut: None,
    carry: Some("carry cells (CARRY4)"),
    wide_mux: Some("wide multiplexers (MUXF7, MUXF8)"),
    block_ram: "block RAMs (18 kbit)",
    distributed_ram: Some("of them as RAM and shift registers"),
    dsp: Some("DSP blocks (DSP48E1)"),
};

impl Chip for Xc7a100t {
    fn name(&self) -> &'static str {
        "xc7a100t"
    }

    fn device(&self) -> &'static str {
        "XC7A100T"
    }

    fn packages(&self) -> &'static [&'static str] {
        &["CSG324", "FTG256", "FGG484", "FGG676"]
    }

    fn speeds(&self) -> &'static [u8] {
        &[1, 2, 3]
    }

    fn capacity(&self) -> Resources {
        Resources { area: 63_400, ff: 126_800, block_ram: 270, dsp: 240, ..Resources::default() }
    }

    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn synthesis(&self, script: &mut Script, top: &str, shape: Shape, output: &str) {
        let flatten = if shape == Shape::Flat { " -flatten" } else { "" };
        script.run(format!("synth_xilinx -family xc7 -noiopad -noclkbuf{flatten} -top {top} -json {output}.json"));
    }

    fn resources(&self, cells: &Cells) -> Resources {
        let logic = cells.count(&["LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6", "INV"]);
        // Look-up tables each takes (UG953): the wide ones are several together.
        let memory = 8 * cells.count(&["RAM64X8SW"])
            + 4 * cells.count(&["RAM32M", "RAM64M", "RAM128X1D", "RAM256X1S"])
            + 2 * cells.count(&["RAM32X1D", "RAM64X1D", "RAM128X1S"])
            + cells.count(&["RAM32X1S", "RAM64X1S", "SRL16E", "SRLC32E"]);
        Resources {
            area: logic + memory,
            lut: logic,
            carry: cells.count(&["CARRY4"]),
            wide_mux: cells.count(&["MUXF7", "MUXF8"]),
            ff: cells.count(&["FDRE", "FDSE", "FDCE", "FDPE"]),
            block_ram: 2 * cells.count(&["RAMB36E1"]) + cells.count(&["RAMB18E1"]),
            distributed_ram: memory,
            dsp: cells.count(&["DSP48E1"]),
        }
    }

    fn nextpnr(&self) -> Result<Nextpnr, &'static str> {
        Err("`powar emit --vivado` writes build.tcl, with which Vivado places and routes")
    }
}
