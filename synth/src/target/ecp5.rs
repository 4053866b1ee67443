//! Lattice ECP5 without SerDes.

use super::ecp5_ways::WAYS;
use super::{Chip, Nextpnr, Shape};
use crate::resources::{Cells, Names, Resources};
use crate::script::Script;
use crate::ways::Ways;
use powar_tools::Tool;

/// A chip of the family (data sheet FPGA-DS-02012).
#[derive(Debug)]
pub(super) struct Ecp5 {
    name: &'static str,
    device: &'static str,
    /// nextpnr's option.
    flag: &'static str,
    packages: &'static [&'static str],
    /// Half-slices, which are as many as flip-flops, block RAMs, multipliers and adders.
    sizes: [u64; 3],
}

pub(super) static LFE5U_12F: Ecp5 = Ecp5 {
    name: "ecp5-12f",
    device: "LFE5U-12F",
    flag: "--12k",
    packages: &["CABGA381", "CABGA256", "CSFBGA285"],
    // The same die as the 25F; open tools use all of it.
    sizes: [24_288, 56, 42],
};
pub(super) static LFE5U_25F: Ecp5 = Ecp5 { name: "ecp5-25f", device: "LFE5U-25F", flag: "--25k", ..LFE5U_12F };
pub(super) static LFE5U_45F: Ecp5 = Ecp5 {
    name: "ecp5-45f",
    device: "LFE5U-45F",
    flag: "--45k",
    packages: &["CABGA381", "CABGA256", "CSFBGA285", "CABGA554"],
    sizes: [43_848, 108, 108],
};
pub(super) static LFE5U_85F: Ecp5 = Ecp5 {
    name: "ecp5-85f",
    device: "LFE5U-85F",
    flag: "--85k",
    packages: &["CABGA381", "CSFBGA285", "CABGA554", "CABGA756"],
    sizes: [83_640, 208, 234],
};

static NAMES: Names = Names {
    area: "half-slices",
    lut: Some("LUT4"),
    carry: Some("carry cells (CCU2C)"),
    wide_mux: Some("wide multiplexers (PFUMX, L6MUX21)"),
    block_ram: "block RAMs (DP16KD)",
    distributed_ram: Some("distributed RAMs (DPR16X4)"),
    dsp: Some("DSP blocks"),
};

/// The rules of the commands in `synthesis`, for comparisons and sums with constants and for multiplexers of many words.
const COMPARISONS: (&str, &str) = ("constant_comparisons.v", include_str!("constant_comparisons.v"));
const SUMS: (&str, &str) = ("constant_sums.v", include_str!("constant_sums.v"));
const MULTIPLEXERS: (&str, &str) = ("wide_multiplexers.v", include_str!("wide_multiplexers.v"));

impl Chip for Ecp5 {
    fn name(&self) -> &'static str {
        self.name
    }

    fn device(&self) -> &'static str {
        self.device
    }

    fn packages(&self) -> &'static [&'static str] {
        self.packages
    }

    fn speeds(&self) -> &'static [u8] {
        &[6, 7, 8]
    }

    fn capacity(&self) -> Resources {
        let [area, block_ram, dsp] = self.sizes;
        Resources { area, ff: area, block_ram, dsp, ..Resources::default() }
    }

    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn synthesis(&self, script: &mut Script, top: &str, shape: Shape, output: &str) {
        let synthesis = match shape {
            Shape::Flat => format!("synth_ecp5 -abc9 -top {top}"),
            Shape::Hierarchical => format!("synth_ecp5 -abc9 -noflatten -top {top}"),
        };
        script.comment(
            "Comparisons and short sums with constants in look-up tables: carry chains take more than that for them.",
        );
        script.run(format!("hierarchy -top {top}"));
        script.run("proc");
        script.run("opt_expr");
        script.run("wreduce");
        script.run(format!("techmap -map {} -map {}", COMPARISONS.0, SUMS.0));
        script.run("opt_expr");
        script.run("opt_clean");
        script.comment("As far as cells of whole words.");
        script.run(format!("{synthesis} -run begin:map_gates"));
        script
            .comment("Multiplexers that choose among five and more words of eight and more bits, or among four of 64");
        script
            .comment("and more, as `case` and as `words[select]`, take half the look-up tables on the multiplexers of");
        script.comment("the slices. Yosys itself puts them into look-up tables only.");
        script.run("pmux2shiftx -min_choices 4 t:$pmux r:WIDTH>=64 %i");
        script.run("pmux2shiftx -min_choices 5 t:$pmux r:WIDTH>=8 %i");
        script.run("opt_clean");
        script.run(format!("techmap -map {}", MULTIPLEXERS.0));
        script.run("opt_clean");
        script.comment("The rest: gates, flip-flops, look-up tables.");
        script.run(format!("{synthesis} -run map_gates: -json {output}.json"));
    }

    fn rules(&self) -> &'static [(&'static str, &'static str)] {
        &[COMPARISONS, SUMS, MULTIPLEXERS]
    }

    fn black_boxes(&self) -> Option<&'static str> {
        Some("+/lattice/cells_bb_ecp5.v")
    }

    fn resources(&self, cells: &Cells) -> Resources {
        let (lut, carry) = (cells.count(&["LUT4"]), cells.count(&["CCU2C"]));
        let distributed_ram = cells.count(&["TRELLIS_DPR16X4"]);
        Resources {
            // A distributed RAM keeps its 16 x 4 bits in four look-up tables.
            area: lut + 2 * carry + 4 * distributed_ram,
            lut,
            carry,
            wide_mux: cells.count(&["PFUMX", "L6MUX21"]),
            ff: cells.count(&["TRELLIS_FF"]),
            block_ram: cells.count(&["DP16KD", "PDPW16KD"]),
            distributed_ram,
            dsp: cells.count(&["MULT18X18D", "ALU54B"]),
        }
    }

    fn ways(&self) -> Option<&'static Ways> {
        Some(&WAYS)
    }

    fn nextpnr(&self) -> Result<Nextpnr, &'static str> {
        Ok(Nextpnr {
            tool: Tool::NextpnrEcp5,
            chip: self.flag,
            free_pins: "--lpf-allow-unconstrained",
            pack_only: &["--out-of-context", "--pack-only"],
            area: "TRELLIS_COMB",
            pin: "TRELLIS_IO",
        })
    }
}
