//! Coverage as a section of the report, and as the table of a page.

use super::item::{Item, ItemKind};
use super::measure::Covered;
use super::words::uncovered;
use crate::section::{Section, Table};
use anyhow::Result;
use serde::Serialize;
use std::collections::BTreeMap;

/// The head of the table.
const HEAD: [&str; 7] = ["block", "configurations", "cycles", "lines", "branches", "expressions", "toggles"];

#[derive(Serialize)]
struct Share {
    covered: usize,
    all: usize,
}

#[derive(Serialize)]
struct BlockCoverage<'a> {
    block: &'a str,
    configurations: &'a [String],
    cycles: u64,
    shares: BTreeMap<&'static str, Share>,
    uncovered: Vec<&'a Item>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<&'a str>,
}

/// What is covered of each block, and all that is not, as a section of a report: it fails only where the models differ.
///
/// # Errors
/// None but of the program.
pub fn coverage_section(measured: &[Covered]) -> Result<Section> {
    let mut missing = Table::new("Not covered", &["block", "kind", "what", "as far as the counts tell"]);
    for covered in measured {
        for one in uncovered(&covered.items) {
            let what = format!("`{}`", one.what.replace('`', "'"));
            missing.row([format!("`{}`", covered.block), one.kind.name().into(), what, one.why.into()]);
        }
    }
    let different: Vec<&str> = measured.iter().filter_map(|covered| covered.difference.as_deref()).collect();
    let sums = ItemKind::ALL.map(|kind| {
        let shares = measured.iter().map(|covered| covered.items.share(kind));
        let (done, all) = shares.fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1));
        format!("{} of {}", share((done, all)), kind.name())
    });
    let models = match different.is_empty() {
        true => String::new(),
        false => format!(" The models DIFFER: {}.", different.join("; ")),
    };
    Ok(Section {
        name: "coverage",
        title: "Coverage".into(),
        summary: format!("{} blocks: {}.{models}", measured.len(), sums.join(", ")),
        holds: different.is_empty(),
        tables: vec![coverage_table(measured), missing],
        details: serde_json::to_value(measured.iter().map(details).collect::<Vec<_>>())?,
    })
}

/// What is covered, a line a block.
pub fn coverage_table(measured: &[Covered]) -> Table {
    let mut table = Table::new("", &HEAD);
    for covered in measured {
        let [lines, branches, expressions, toggles] = ItemKind::ALL.map(|kind| share(covered.items.share(kind)));
        let block = format!("`{}`", covered.block);
        let configurations = covered.configurations.join(", ");
        table.row([block, configurations, covered.cycles.to_string(), lines, branches, expressions, toggles]);
    }
    table
}

fn share((covered, all): (usize, usize)) -> String {
    match all {
        0 => "-".into(),
        _ if covered == all => format!("100 % ({all})"),
        // Rounded down, so that what lacks something is never 100 %.
        _ => format!("{:.1} % ({covered}/{all})", (1000 * covered / all) as f64 / 10.0),
    }
}

fn details(covered: &Covered) -> BlockCoverage<'_> {
    let shares = ItemKind::ALL.map(|kind| {
        let (done, all) = covered.items.share(kind);
        (kind.name(), Share { covered: done, all })
    });
    BlockCoverage {
        block: &covered.block,
        configurations: &covered.configurations,
        cycles: covered.cycles,
        shares: shares.into(),
        uncovered: covered.items.all().filter(|item| item.count == 0).collect(),
        difference: covered.difference.as_deref(),
    }
}
