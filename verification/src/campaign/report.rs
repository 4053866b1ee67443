//! What a campaign has done, for people.

use super::state::{State, Tally};
use crate::section::{Section, Table};
use anyhow::Result;
use std::fmt::Display;

/// The report's file for people, beside that of the state.
pub const MARKDOWN: &str = "campaign.md";

/// As text for a terminal.
///
/// # Errors
/// None but of the program.
pub fn campaign_text(state: &State) -> Result<String> {
    let findings: String = state.findings.iter().map(|finding| finding.text()).collect();
    Ok(section(state)?.text() + &findings)
}

/// As Markdown.
///
/// # Errors
/// None but of the program.
pub fn campaign_markdown(state: &State) -> Result<String> {
    let findings: String = state.findings.iter().map(|finding| format!("\n```text\n{}```\n", finding.text())).collect();
    Ok(section(state)?.markdown().trim_start().to_owned() + &findings)
}

fn section(state: &State) -> Result<Section> {
    let State { seed, all, seconds, findings, .. } = state;
    let hours = seconds / 3600.0;
    let found = match findings.len() {
        0 => "the models were equal in all of them".to_owned(),
        1 => "ONE FAILED".into(),
        several => format!("{several} FAILED"),
    };
    Ok(Section {
        name: "campaign",
        title: format!("Campaign with seed {seed}"),
        summary: format!(
            "{} trials, {} cycles of lock-step in {hours:.2} hours ({:.0} cycles/s with compilation): {found}.",
            all.trials,
            grouped(all.cycles),
            state.rate()
        ),
        holds: findings.is_empty(),
        tables: vec![
            table("mechanism", &state.mechanisms),
            table("topology", &state.topologies),
            table("routing", &state.routings),
            table("ports", &state.ports),
            table("block", &state.blocks),
        ],
        details: serde_json::to_value(state)?,
    })
}

fn table<'a, K: Display + 'a>(of: &str, tallies: impl IntoIterator<Item = (&'a K, &'a Tally)>) -> Table {
    let mut table = Table::new("", &[of, "trials", "cycles", "cycles/s"]);
    for (name, Tally { trials, cycles, seconds }) in tallies {
        let rate = if *seconds > 0.0 { *cycles as f64 / seconds } else { 0.0 };
        table.row([name.to_string(), trials.to_string(), grouped(*cycles), format!("{rate:.0}")]);
    }
    table
}

/// A count with thin groups of three.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    groups.join(" ")
}
