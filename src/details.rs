//! The options of tables that a simulation writes on request.

use crate::commands::grouped;
use crate::places::place;
use anyhow::{Context, Result, bail, ensure};
use powar_config::units::Nanoseconds;
use powar_evaluation::experiment::csv;
use powar_evaluation::network::{Details, Outcome, Simulation, inputs};
use powar_tools::{AtomicFile, write_atomic};
use std::path::{Path, PathBuf};

const TABLES: &str = "Tables of the outcome, as CSV in FILE and in the JSON of --json (there alone without FILE)";

/// Tables as long as the network or its traffic (docs/networks.md#what-comes-out).
#[derive(clap::Args)]
pub struct DetailArgs {
    /// Every link: both ends, utilisation, share of the time in each phase, wake-ups, power and energy
    #[arg(long, help_heading = TABLES, value_name = "FILE", num_args = 0..=1)]
    links: Option<Option<PathBuf>>,
    /// How many packets and messages had which latency
    #[arg(long, help_heading = TABLES, value_name = "FILE", num_args = 0..=1)]
    histogram: Option<Option<PathBuf>>,
    /// Each source and destination: messages, packets, flits, latencies; takes memory for each pair
    #[arg(long, help_heading = TABLES, value_name = "FILE", num_args = 0..=1)]
    flows: Option<Option<PathBuf>>,
    /// What happens over time, an --interval a row: offered and accepted traffic, latency, links' power, ports awake; of e_rapid buffer utilisation and bit rate, too
    #[arg(long, help_heading = TABLES, value_name = "FILE", num_args = 0..=1)]
    series: Option<Option<PathBuf>>,
    /// Length of an interval of --series: a time such as 10us, or cycles; doubled as often as a program would take more than 10000 of them
    #[arg(long, help_heading = TABLES, value_name = "TIME|CYCLES", value_parser = interval)]
    interval: Option<Interval>,
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Interval {
    Cycles(u64),
    Time(Nanoseconds),
}

impl Interval {
    fn cycles(self, cycle_ns: f64) -> u64 {
        match self {
            Interval::Cycles(cycles) => cycles,
            Interval::Time(time) => time.cycles(cycle_ns),
        }
    }
}

fn interval(text: &str) -> Result<Interval, String> {
    let interval = match text.parse() {
        Ok(cycles) => Interval::Cycles(cycles),
        Err(_) => Interval::Time(Nanoseconds::parse(text).map_err(|error| format!("{error}, or a number of cycles"))?),
    };
    match interval {
        Interval::Cycles(0) | Interval::Time(Nanoseconds(0.0)) => Err("expected 1 cycle or more".into()),
        interval => Ok(interval),
    }
}

impl DetailArgs {
    /// The options that are given: their names, their files, and the table of an outcome.
    fn asked(&self) -> Vec<(&'static str, Option<&Path>, TableOf)> {
        let all: [(_, _, TableOf); 4] = [
            ("links", &self.links, |outcome| table(outcome.links.as_deref())),
            ("histogram", &self.histogram, |outcome| table(outcome.histogram.as_deref())),
            ("flows", &self.flows, |outcome| table(outcome.flows.as_deref())),
            ("series", &self.series, |outcome| table(Some(&outcome.series))),
        ];
        all.into_iter().filter_map(|(name, file, table)| Some((name, file.as_ref()?.as_deref(), table))).collect()
    }

    /// The first of them that is given, of the interval too, by its name.
    pub fn first(&self) -> Option<String> {
        let asked = self.asked().first().map(|(name, ..)| (*name).to_owned());
        asked.or_else(|| self.interval.map(|_| "interval".to_owned()))
    }

    /// Makes a simulation tell what is asked for.
    ///
    /// # Errors
    /// A table that would be nowhere, two in one file, a file that is read (`point` too) or can't be written.
    pub fn ask(&self, simulation: &mut Simulation, point: Option<&Path>, json: bool) -> Result<()> {
        simulation.details =
            Details { links: self.links.is_some(), histogram: self.histogram.is_some(), flows: self.flows.is_some() };
        if let Some(interval) = self.interval {
            simulation.interval = interval.cycles(simulation.cycle_ns);
            ensure!(self.series.is_some() || json, "interval: for --series FILE or --json, expected one of them");
        }
        ensure!(
            self.series.is_none() || simulation.interval > 0,
            "series: the length of an interval is needed, such as --interval 10us"
        );
        let asked = self.asked();
        let read: Vec<PathBuf> = inputs(simulation).into_iter().chain(point.map(Path::to_owned)).collect();
        for (number, (name, file, _)) in asked.iter().enumerate() {
            let Some(file) = file else {
                ensure!(json, "{name}: a FILE is needed without --json");
                continue;
            };
            if *file == Path::new("-") {
                bail!("{name}: `-` is no file; with --json the table is on standard output");
            }
            let same =
                asked[..number].iter().find(|(_, other, _)| other.is_some_and(|other| place(other) == place(file)));
            if let Some((other, ..)) = same {
                bail!("{name}: {} is the file of --{other} too", file.display());
            }
            ensure!(
                !read.iter().any(|read| place(read) == place(file)),
                "{name}: {} is an input of the simulation; expected another file",
                file.display()
            );
            // What can't be written should be said before minutes of work; nothing is left of this.
            AtomicFile::create(file).context(*name)?;
        }
        Ok(())
    }

    /// Writes the files, each whole or not at all; a line on each.
    ///
    /// # Errors
    /// One can't be written, by name.
    pub fn write(&self, outcome: &Outcome) -> Result<String> {
        let mut text = String::from("\n");
        for (name, file, table) in self.asked() {
            let Some(file) = file else { continue };
            let (rows, table) = table(outcome)?;
            write_atomic(file, table).context(name)?;
            text += &format!("{name:<16} {:>14} rows in {}\n", grouped(rows as u64), file.display());
        }
        Ok(if text.len() > 1 { text } else { String::new() })
    }
}

/// A table of an outcome as text, and how many rows it has.
type TableOf = fn(&Outcome) -> Result<(usize, String)>;

fn table<T: serde::Serialize + Default>(rows: Option<&[T]>) -> Result<(usize, String)> {
    let rows = rows.unwrap_or_default();
    Ok((rows.len(), csv(rows)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_cycles_or_times() {
        assert_eq!(interval("2000"), Ok(Interval::Cycles(2000)));
        assert_eq!(interval("10us").unwrap().cycles(1.6), 6250);
        for (text, said) in
            [("0", "1 cycle or more"), ("0us", "1 cycle or more"), ("often", "or a number of cycles"), ("-1", "cycles")]
        {
            assert!(interval(text).unwrap_err().contains(said), "{text}");
        }
    }
}
