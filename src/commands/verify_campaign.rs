//! `powar verify --campaign`: lock-step on configurations drawn at random.

use super::{as_text, in_new_folder, print, print_json};
use crate::selection::whole;
use anyhow::{Result, bail};
use powar_tools::{Progress, Tools};
use powar_verification::campaign::{Campaign, REPORT, Until, campaign_text};
use std::path::PathBuf;
use std::process::ExitCode;

const CAMPAIGN: &str = "Random configurations";

/// Options of everything but a campaign. Those that need `--campaign` exclude them too: clap doesn't ask for an option
/// that something given excludes, and `--block selector --hours 1` would prove the block for as long as it takes.
const PROOFS: [&str; 13] = [
    "preset",
    "config",
    "block",
    "quick",
    "long",
    "limit",
    "broken",
    "equality",
    "coverage",
    "mutants",
    "mutant",
    "yosys_mutants",
    "properties",
];

/// What a campaign is to do.
#[derive(clap::Args)]
pub struct CampaignArgs {
    /// No proofs: run blocks of configurations drawn at random, golden model and Verilog in lock-step, trial after trial; run again it
    /// goes on. A difference is made as small as it gets, leaves a wave and a command that shows it, and exit code 1
    #[arg(long, help_heading = CAMPAIGN, requires = "length", group = "drawn", conflicts_with_all = PROOFS)]
    pub campaign: bool,
    /// For how many hours, such as 0.25
    #[arg(long, help_heading = CAMPAIGN, value_name = "H", value_parser = hours, group = "length",
          requires = "campaign", conflicts_with_all = PROOFS)]
    hours: Option<f64>,
    /// How many trials, those of earlier runs among them
    #[arg(long, help_heading = CAMPAIGN, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), group = "length",
          requires = "campaign", conflicts_with_all = PROOFS)]
    trials: Option<u64>,
    /// This trial alone, from 0 on, to see again what it found; what the campaign has done stays as it is
    #[arg(long, help_heading = CAMPAIGN, value_name = "K", value_parser = whole::<u64>(0..), group = "length",
          requires = "campaign", conflicts_with_all = PROOFS)]
    trial: Option<u64>,
}

/// Parses a time in hours, up to a year.
fn hours(text: &str) -> Result<f64, String> {
    let hours = text.parse().ok().filter(|hours| *hours > 0.0 && *hours <= 8760.0);
    hours.ok_or_else(|| "expected hours above 0, up to 8760".to_owned())
}

impl CampaignArgs {
    fn until(&self) -> Result<Until> {
        match (self.hours, self.trials, self.trial) {
            (Some(hours), ..) => Ok(Until::Hours(hours)),
            (_, Some(trials), _) => Ok(Until::Trials(trials)),
            (.., Some(trial)) => Ok(Until::Trial(trial)),
            _ => bail!("--campaign: one of --hours, --trials and --trial must be given"),
        }
    }
}

/// Runs it, or goes on with it, so many trials at once.
pub fn run(args: &CampaignArgs, seed: u64, out: Option<PathBuf>, jobs: usize, json: bool) -> Result<ExitCode> {
    let folder = out.unwrap_or_else(|| "build/campaign".into());
    as_text("--out", &folder)?;
    let campaign = Campaign { seed, until: args.until()?, jobs, folder, spoil: None };
    in_new_folder(&campaign.folder, || {
        let progress = Progress::stderr();
        let tools = Tools::ensure(&progress)?;
        let state = campaign.run(&tools, &progress)?;
        match json {
            true => print_json(&state)?,
            false => print(campaign_text(&state)?)?,
        }
        if !json && campaign.is_kept() {
            print(format!("  {}\n", campaign.folder.join(REPORT).display()))?;
        }
        Ok(if state.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    })
}
