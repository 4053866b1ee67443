//! Cologne Chip GateMate: area by Yosys.

use super::{Chip, Nextpnr, Shape};
use crate::resources::{Cells, Names, Resources};
use crate::script::Script;

/// The CCGM1A1 (data sheet DS1001), of the GateMate evaluation boards.
#[derive(Debug)]
pub(super) struct Ccgm1a1;

pub(super) static CCGM1A1: Ccgm1a1 = Ccgm1a1;

static NAMES: Names = Names {
    area: "half CPEs",
    lut: Some("look-up trees (CC_L2T4, CC_L2T5, CC_LUT)"),
    carry: Some("carry cells (CC_ADDF)"),
    wide_mux: Some("multiplexers (CC_MX)"),
    block_ram: "block RAMs (40 kbit)",
    distributed_ram: None,
    dsp: Some("multipliers (CC_MULT), made of CPEs"),
};

impl Chip for Ccgm1a1 {
    fn name(&self) -> &'static str {
        "ccgm1a1"
    }

    fn device(&self) -> &'static str {
        "CCGM1A1"
    }

    fn packages(&self) -> &'static [&'static str] {
        &["FBGA324"]
    }

    fn speeds(&self) -> &'static [u8] {
        &[]
    }

    fn capacity(&self) -> Resources {
        // 20,480 CPEs.
        Resources { area: 40_960, ff: 40_960, block_ram: 32, ..Resources::default() }
    }

    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn synthesis(&self, script: &mut Script, top: &str, shape: Shape, output: &str) {
        let keep = if shape == Shape::Hierarchical { " -noflatten" } else { "" };
        script.run(format!("synth_gatemate -luttree -noiopad -noclkbuf{keep} -top {top} -json {output}.json"));
    }

    fn resources(&self, cells: &Cells) -> Resources {
        let (large, carry) = (cells.count(&["CC_L2T5"]), cells.count(&["CC_ADDF"]));
        let [mx2, mx4, mx8] = ["CC_MX2", "CC_MX4", "CC_MX8"].map(|name| cells.count(&[name]));
        let lut = cells.count(&["CC_LUT1", "CC_LUT2", "CC_LUT3", "CC_LUT4", "CC_L2T4"]) + large;
        let ff = cells.count(&["CC_DFF"]);
        // Half a CPE has a tree of four inputs, a bit of an adder or a multiplexer of two, and a flip-flop behind it; a tree of five inputs
        // and a multiplexer of four take a whole. Which flip-flops stand behind what feeds them, packing decides: only the least is known.
        let logic = lut + large + carry + mx2 + 2 * mx4 + 4 * mx8;
        Resources {
            area: logic.max(ff),
            lut,
            carry,
            wide_mux: mx2 + mx4 + mx8,
            ff,
            block_ram: cells.count(&["CC_BRAM_40K"]) + cells.count(&["CC_BRAM_20K"]).div_ceil(2),
            dsp: cells.count(&["CC_MULT"]),
            ..Resources::default()
        }
    }

    fn nextpnr(&self) -> Result<Nextpnr, &'static str> {
        Err("the files of `powar emit` go into nextpnr-himbaechel with Peppercorn")
    }
}
