//! What a design takes of the chip.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

/// Cells of an ECP5.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Four-input look-up tables used as logic.
    pub lut4: u64,
    /// Carry cells (CCU2C), two bits of an adder each.
    pub carry: u64,
    /// Multiplexers between look-up tables (PFUMX, L6MUX21); they cost no look-up table.
    pub wide_mux: u64,
    /// Half-slices (TRELLIS_COMB) after packing: every look-up table and carry bit, and what carry chains need at
    /// their ends. This is the honest measure of area.
    pub comb: u64,
    /// Flip-flops.
    pub ff: u64,
    /// Block RAMs (DP16KD, 18 kbit).
    pub block_ram: u64,
    /// Distributed RAM (TRELLIS_DPR16X4, 64 bit).
    pub distributed_ram: u64,
    /// Multipliers and their adders (MULT18X18D, ALU54B).
    pub dsp: u64,
}

impl Resources {
    /// From Yosys's `stat -json` and nextpnr's `--report`.
    pub(crate) fn read(statistics: &Value, report: &Value) -> Result<Resources> {
        let cells = &statistics["design"]["num_cells_by_type"];
        let cells = cells.as_object().context("Yosys's statistics have no design.num_cells_by_type")?;
        let count = |names: &[&str]| names.iter().filter_map(|name| cells.get(*name)?.as_u64()).sum();
        let used = |name: &str| {
            let value = report["utilization"][name]["used"].as_u64();
            value.with_context(|| format!("nextpnr's report has no utilization.{name}.used"))
        };
        Ok(Resources {
            lut4: count(&["LUT4"]),
            carry: count(&["CCU2C"]),
            wide_mux: count(&["PFUMX", "L6MUX21"]),
            comb: used("TRELLIS_COMB")?,
            ff: used("TRELLIS_FF")?,
            block_ram: used("DP16KD")?,
            distributed_ram: count(&["TRELLIS_DPR16X4"]),
            dsp: used("MULT18X18D")? + used("ALU54B")?,
        })
    }

    /// The numbers with their names, for a table.
    pub(crate) fn rows(&self) -> [(&'static str, u64); 8] {
        [
            ("LUT4", self.lut4),
            ("carry cells (CCU2C)", self.carry),
            ("wide multiplexers (PFUMX, L6MUX21)", self.wide_mux),
            ("TRELLIS_COMB after packing", self.comb),
            ("flip-flops", self.ff),
            ("block RAMs (DP16KD)", self.block_ram),
            ("distributed RAMs (DPR16X4)", self.distributed_ram),
            ("DSP blocks", self.dsp),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::Resources;
    use serde_json::json;

    #[test]
    fn cells_are_counted() {
        let cells = json!({"LUT4": 53, "CCU2C": 16, "PFUMX": 9, "L6MUX21": 4, "TRELLIS_FF": 8});
        let statistics = json!({"design": {"num_cells_by_type": cells}});
        let used = |n: u64| json!({"available": 100, "used": n});
        let utilization = json!({"TRELLIS_COMB": used(95), "TRELLIS_FF": used(8), "DP16KD": used(1),
            "MULT18X18D": used(2), "ALU54B": used(1)});
        let found = Resources::read(&statistics, &json!({"utilization": utilization})).unwrap();
        let expected =
            Resources { lut4: 53, carry: 16, wide_mux: 13, comb: 95, ff: 8, block_ram: 1, distributed_ram: 0, dsp: 3 };
        assert_eq!(found, expected);
        let error = Resources::read(&statistics, &json!({})).unwrap_err().to_string();
        assert_eq!(error, "nextpnr's report has no utilization.TRELLIS_COMB.used");
    }
}
