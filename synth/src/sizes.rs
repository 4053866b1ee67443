//! Blocks side by side: how big and how fast each is, a row each.

use crate::area_markdown::aligned;
use crate::{AreaReport, Report};

/// A table, as Markdown, of blocks measured [on one chip](crate::measure_area): what each takes as a whole, and of a chip of which that is
/// known the carry cells in it and the hops of its longest path. A number that is not known is a dash.
pub fn sizes(reports: &[AreaReport]) -> String {
    let unit = reports.first().map_or("area", |report| report.area_unit);
    let rows = reports.iter().map(|report| {
        let of_wiring = |count: Option<u64>| count.map_or("-".into(), |count| count.to_string());
        let wiring = report.wiring.as_ref();
        let counts = [report.whole.area, report.whole.ff, report.whole.block_ram].map(|count| count.to_string());
        let wires = [wiring.map(|wiring| wiring.carry_cells), wiring.map(|wiring| wiring.hops)].map(of_wiring);
        named(&report.module, counts.into_iter().chain(wires))
    });
    table(&["block", unit, "flip-flops", "block RAMs", "carry cells", "hops"], rows)
}

/// A table, as Markdown, of blocks [placed and routed](crate::synthesise) on one chip: the median clock rate and that of each seed, and what
/// the block takes without the harness around it.
pub fn clock_rates(reports: &[Report]) -> String {
    let unit = reports.first().map_or("area", |report| report.target.area_unit());
    let rows = reports.iter().map(|report| {
        let seeds: Vec<String> = report.seeds.iter().map(|seed| format!("{:.1}", seed.fmax_mhz)).collect();
        let rates = [format!("{:.1}", report.median_fmax_mhz), seeds.join(", ")];
        let counts = [report.core.area, report.core.ff].map(|count| count.to_string());
        named(&report.module, rates.into_iter().chain(counts))
    });
    table(&["block", "MHz", "of each seed", unit, "flip-flops"], rows)
}

/// A block's row.
fn named(module: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(format!("`{module}`")).chain(cells).collect()
}

fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let header = header.iter().map(|cell| cell.to_string()).collect();
    aligned(&std::iter::once(header).chain(rows).collect::<Vec<_>>(), 1)
}
