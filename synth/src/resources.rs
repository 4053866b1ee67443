//! What a design takes of a chip.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ops::{Add, Mul};

/// Cells and what they come to. What a chip has not is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// The honest measure of area. Of an ECP5 and a LIFCL half-slices (TRELLIS_COMB, OXIDE_COMB): every look-up table and carry bit, after
    /// packing also what carry chains need at their ends; of a GW2A the same. Of an iCE40 logic cells (ICESTORM_LC), of a 7-series chip
    /// look-up tables, of a CCGM1A1 halves of its CPEs.
    pub area: u64,
    /// Look-up tables used as logic: of four inputs, of a 7-series chip of up to six; of a CCGM1A1 trees of small ones.
    pub lut: u64,
    /// Carry cells: of an ECP5 and a LIFCL two bits of an adder each (CCU2C, CCU2), of a 7-series chip four (CARRY4), of the others one.
    pub carry: u64,
    /// Multiplexers between look-up tables (PFUMX and L6MUX21, MUXF7 and MUXF8, MUX2_LUT); they cost no look-up table. A LIFCL's WIDEFN9 is
    /// counted here and with its two look-up tables, a CCGM1A1's is made of its CPEs.
    pub wide_mux: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs: of an iCE40 4 kbit each, of a CCGM1A1 40 kbit, of the others 18 kbit.
    pub block_ram: u64,
    /// Distributed RAM: of a 7-series chip look-up tables that are RAM or shift registers, of the others cells of 64 bit
    /// (TRELLIS_DPR16X4, DPR16X4, RAM16).
    pub distributed_ram: u64,
    /// Multipliers and their adders.
    pub dsp: u64,
}

/// What a chip's resources are called; none that it has not.
#[derive(Debug)]
pub(crate) struct Names {
    pub(crate) area: &'static str,
    pub(crate) lut: Option<&'static str>,
    pub(crate) carry: Option<&'static str>,
    pub(crate) wide_mux: Option<&'static str>,
    pub(crate) block_ram: &'static str,
    pub(crate) distributed_ram: Option<&'static str>,
    pub(crate) dsp: Option<&'static str>,
}

impl Resources {
    /// The numbers with their names, for a table.
    pub(crate) fn rows(&self, names: &Names) -> Vec<(&'static str, u64)> {
        let rows = [
            (Some(names.area), self.area),
            (names.lut, self.lut),
            (names.carry, self.carry),
            (names.wide_mux, self.wide_mux),
            (Some("flip-flops"), self.ff),
            (Some(names.block_ram), self.block_ram),
            (names.distributed_ram, self.distributed_ram),
            (names.dsp, self.dsp),
        ];
        rows.into_iter().filter_map(|(name, count)| Some((name?, count))).collect()
    }
}

impl Add for Resources {
    type Output = Resources;

    fn add(self, other: Resources) -> Resources {
        Resources {
            area: self.area + other.area,
            lut: self.lut + other.lut,
            carry: self.carry + other.carry,
            wide_mux: self.wide_mux + other.wide_mux,
            ff: self.ff + other.ff,
            block_ram: self.block_ram + other.block_ram,
            distributed_ram: self.distributed_ram + other.distributed_ram,
            dsp: self.dsp + other.dsp,
        }
    }
}

impl Mul<u64> for Resources {
    type Output = Resources;

    fn mul(self, times: u64) -> Resources {
        Resources {
            area: self.area * times,
            lut: self.lut * times,
            carry: self.carry * times,
            wide_mux: self.wide_mux * times,
            ff: self.ff * times,
            block_ram: self.block_ram * times,
            distributed_ram: self.distributed_ram * times,
            dsp: self.dsp * times,
        }
    }
}

/// The cells of a netlist by type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells(pub(crate) BTreeMap<String, u64>);

impl Cells {
    /// Of a module in Yosys's `stat -json`, or of `design`, which is the whole of it.
    pub(crate) fn of(statistics: &Value) -> Result<Cells> {
        let cells = statistics["num_cells_by_type"].as_object();
        let cells = cells.context("Yosys's statistics have no num_cells_by_type")?;
        Ok(Cells(cells.iter().filter_map(|(name, count)| Some((name.clone(), count.as_u64()?))).collect()))
    }

    /// How many there are of these types.
    pub(crate) fn count(&self, types: &[&str]) -> u64 {
        types.iter().filter_map(|name| self.0.get(*name)).sum()
    }

    /// How many there are of types that begin so.
    pub(crate) fn count_beginning(&self, beginning: &str) -> u64 {
        self.0.iter().filter(|(name, _)| name.starts_with(beginning)).map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cells, Resources};
    use crate::Target;
    use serde_json::json;

    fn resources(target: &str, cells: serde_json::Value) -> Resources {
        let cells = Cells::of(&json!({ "num_cells_by_type": cells })).unwrap();
        Target::named(target).unwrap().chip.resources(&cells)
    }

    #[test]
    fn cells_are_counted() {
        let cells = json!({"LUT4": 53, "CCU2C": 16, "PFUMX": 9, "L6MUX21": 4, "TRELLIS_FF": 8, "TRELLIS_DPR16X4": 2,
            "DP16KD": 1, "MULT18X18D": 2, "ALU54B": 1});
        let expected = Resources {
            area: 53 + 32 + 8,
            lut: 53,
            carry: 16,
            wide_mux: 13,
            ff: 8,
            block_ram: 1,
            distributed_ram: 2,
            dsp: 3,
        };
        assert_eq!(resources("ecp5-85f", cells), expected);
        let cells = json!({"SB_LUT4": 5, "SB_CARRY": 3, "SB_DFF": 4, "SB_DFFESR": 5, "SB_RAM40_4KNRNW": 2});
        let expected = Resources { area: 9, lut: 5, carry: 3, ff: 9, block_ram: 2, ..Resources::default() };
        assert_eq!(resources("ice40-hx8k", cells), expected);
        let cells =
            json!({"LUT6": 5, "LUT2": 1, "INV": 1, "RAM32M": 2, "FDRE": 7, "RAMB36E1": 1, "RAMB18E1": 1, "CARRY4": 2});
        let expected = Resources {
            area: 7 + 8,
            lut: 7,
            carry: 2,
            ff: 7,
            block_ram: 3,
            distributed_ram: 8,
            ..Resources::default()
        };
        assert_eq!(resources("xc7a100t", cells), expected);
        let cells = json!({"LUT1": 1, "LUT2": 2, "LUT3": 3, "LUT4": 4, "ALU": 5, "MUX2_LUT5": 6, "MUX2_LUT8": 7, "DFFRE": 8, "DFFSE": 9,
            "RAM16SDP4": 2, "SDPX9B": 3, "DPX9B": 4, "MULT18X18": 5, "VCC": 1});
        let expected = Resources {
            area: 10 + 5 + 8,
            lut: 10,
            carry: 5,
            wide_mux: 13,
            ff: 17,
            block_ram: 7,
            distributed_ram: 2,
            dsp: 5,
        };
        assert_eq!(resources("gw2a-18", cells), expected);
        let cells = json!({"CC_LUT1": 1, "CC_LUT2": 2, "CC_L2T4": 3, "CC_L2T5": 4, "CC_MX2": 5, "CC_MX4": 6, "CC_ADDF": 7, "CC_DFF": 8,
            "CC_BRAM_40K": 3, "CC_BRAM_20K": 3, "CC_MULT": 1});
        let expected = Resources {
            area: 6 + 2 * 4 + 5 + 2 * 6 + 7,
            lut: 10,
            carry: 7,
            wide_mux: 11,
            ff: 8,
            block_ram: 5,
            dsp: 1,
            ..Resources::default()
        };
        assert_eq!(resources("ccgm1a1", cells), expected);
        let cells = json!({"LUT4": 5, "INV": 3, "WIDEFN9": 2, "CCU2": 4, "DPR16X4": 1, "FD1P3IX": 6, "FD1P3JX": 1, "PDPSC16K": 2, "DP16K": 1,
            "MULT9X9": 2, "IB": 9});
        let expected = Resources {
            area: 9 + 8 + 4,
            lut: 9,
            carry: 4,
            wide_mux: 2,
            ff: 7,
            block_ram: 3,
            distributed_ram: 1,
            dsp: 2,
        };
        assert_eq!(resources("lifcl-40", cells), expected);
        let error = Cells::of(&json!({})).unwrap_err().to_string();
        assert_eq!(error, "Yosys's statistics have no num_cells_by_type");
    }

    #[test]
    fn resources_add_up() {
        let one = Resources { area: 1, lut: 2, carry: 3, wide_mux: 4, ff: 5, block_ram: 6, distributed_ram: 7, dsp: 8 };
        assert_eq!(one + one + one, one * 3);
        let names = Target::named("ecp5-85f").unwrap().chip.names();
        assert_eq!((one * 3).rows(names).iter().map(|row| row.1).collect::<Vec<_>>(), [3, 6, 9, 12, 15, 18, 21, 24]);
    }
}
