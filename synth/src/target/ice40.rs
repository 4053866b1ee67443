//! Lattice iCE40.

use super::{Chip, Nextpnr, Shape};
use crate::resources::{Cells, Names, Resources};
use crate::script::Script;
use powar_tools::Tool;

/// The iCE40HX8K (data sheet FPGA-DS-02029), large enough for the power controller of a small switch.
#[derive(Debug)]
pub(super) struct Hx8k;

pub(super) static HX8K: Hx8k = Hx8k;

static NAMES: Names = Names {
    area: "logic cells",
    lut: Some("LUT4"),
    carry: Some("carry cells (SB_CARRY)"),
    wide_mux: None,
    block_ram: "block RAMs (SB_RAM40)",
    distributed_ram: None,
    dsp: None,
};

impl Chip for Hx8k {
    fn name(&self) -> &'static str {
        "ice40-hx8k"
    }

    fn device(&self) -> &'static str {
        "iCE40HX8K"
    }

    fn packages(&self) -> &'static [&'static str] {
        &["ct256", "cb132", "cm225"]
    }

    fn speeds(&self) -> &'static [u8] {
        &[]
    }

    fn capacity(&self) -> Resources {
        Resources { area: 7680, ff: 7680, block_ram: 32, ..Resources::default() }
    }

    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn synthesis(&self, script: &mut Script, top: &str, shape: Shape, output: &str) {
        let keep = if shape == Shape::Hierarchical { " -noflatten" } else { "" };
        script.run(format!("synth_ice40 -device hx -abc9{keep} -top {top} -json {output}.json"));
    }

    fn resources(&self, cells: &Cells) -> Resources {
        let (lut, carry) = (cells.count(&["SB_LUT4"]), cells.count(&["SB_CARRY"]));
        let ff = cells.count_beginning("SB_DFF");
        // A logic cell has one of each, so before packing only the least is known.
        let area = lut.max(carry).max(ff);
        Resources { area, lut, carry, ff, block_ram: cells.count_beginning("SB_RAM40"), ..Resources::default() }
    }

    fn nextpnr(&self) -> Result<Nextpnr, &'static str> {
        Ok(Nextpnr {
            tool: Tool::NextpnrIce40,
            chip: "--hx8k",
            free_pins: "--pcf-allow-unconstrained",
            pack_only: &["--pack-only"],
            area: "ICESTORM_LC",
            pin: "SB_IO",
        })
    }
}
