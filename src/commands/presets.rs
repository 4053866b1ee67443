//! `powar presets`: the ready configurations.

use super::{print, print_json};
use crate::layout::{width, wrapped};
use anyhow::Result;
use powar_config::presets;
use std::process::ExitCode;

/// List the ready configurations, or print one
///
/// A preset is a TOML file; printed with --show it is a starting point for one of your own.
#[derive(clap::Args)]
pub struct Args {
    /// Print this preset's TOML
    #[arg(long, value_name = "NAME")]
    show: Option<String>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// A line of the list.
#[derive(serde::Serialize)]
struct Row {
    name: &'static str,
    ports: usize,
    requesters: usize,
    groups: usize,
    summary: &'static str,
}

pub fn run(args: Args) -> Result<ExitCode> {
    if let Some(name) = args.show {
        let config = presets::by_name(&name)?;
        if args.json {
            print_json(&config)?;
        } else {
            let preset = presets::ALL.iter().find(|preset| preset.name == name).expect("found by name");
            print(preset.toml)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let rows: Vec<Row> = (presets::ALL.iter())
        .map(|preset| {
            let config = preset.config();
            Row {
                name: preset.name,
                ports: config.ports,
                requesters: config.requesters(),
                groups: config.groups.len(),
                summary: preset.summary(),
            }
        })
        .collect();
    if args.json {
        print_json(&rows)?;
    } else {
        let longest = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
        let width = width();
        let line = |row: &Row| {
            wrapped(&format!("{:<longest$} {:>5} {:>6}  ", row.name, row.ports, row.groups), row.summary, width)
        };
        let head = format!("{:<longest$} {:>5} {:>6}  {}\n", "preset", "ports", "groups", "what it is");
        print(head + &rows.iter().map(line).collect::<String>())?;
    }
    Ok(ExitCode::SUCCESS)
}
