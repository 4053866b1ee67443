//! Commands from a file, one a line, each answered with one JSON object on one line.
//!
//! ```text
//! load-table                   # the routing table of the switch; with FILE, that of a file
//! set node*.load 0x4000        # registers by name, * for all ports or nodes
//! traffic start
//! sleep 2s
//! get port*.flits node0.latency_max
//! watch 1s                     # what ports and nodes did in a second
//! reset-counters
//! traffic stop
//! ```

use crate::device::{Device, Value};
use crate::names::{Names, number};
use crate::watch::{Sample, Snapshot};
use crate::{routing_table, traffic};
use anyhow::{Context, Result, bail};
use powar_config::Config;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// What a line of a script says.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Get(Vec<String>),
    Set(String, u32),
    Traffic(bool),
    /// From a file, or that of the switch's place in its network.
    LoadTable(Option<PathBuf>),
    ResetCounters,
    Sleep(Duration),
    Watch(Duration),
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    Get(Vec<Value>),
    Set(Vec<Value>),
    Traffic(&'static str),
    /// Words that were written.
    LoadTable(usize),
    ResetCounters(bool),
    Sleep(f64),
    Watch(Sample),
}

impl Command {
    /// What a line says; none if there is nothing but a comment on it.
    ///
    /// # Errors
    /// Another command, or arguments that it has not.
    pub fn parse(line: &str) -> Result<Option<Command>> {
        let words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
        Ok(Some(match words[..] {
            [] => return Ok(None),
            ["get", ref names @ ..] if !names.is_empty() => {
                Command::Get(names.iter().map(|name| name.to_string()).collect())
            }
            ["set", name, value] => Command::Set(name.into(), number(value)?),
            ["traffic", "start"] => Command::Traffic(true),
            ["traffic", "stop"] => Command::Traffic(false),
            ["load-table"] => Command::LoadTable(None),
            ["load-table", file] => Command::LoadTable(Some(file.into())),
            ["reset-counters"] => Command::ResetCounters,
            ["sleep", time] => Command::Sleep(seconds(time)?),
            ["watch", time] => Command::Watch(seconds(time)?),
            _ => bail!(
                "script: `{}` is none of get NAME.., set NAME VALUE, traffic start|stop, load-table [FILE], reset-counters, sleep TIME, watch TIME",
                words.join(" ")
            ),
        }))
    }

    /// Says what is wrong with it as far as no device is needed: an earlier line would have been done already.
    ///
    /// # Errors
    /// No such register, one that can only be read, a value that doesn't fit, a table that is none.
    fn check(&self, config: &Config, names: &Names) -> Result<()> {
        match self {
            Command::Get(wanted) => wanted.iter().try_for_each(|name| names.find_all(name).map(drop)),
            Command::Set(name, value) => names.find_to_set(name, *value).map(drop),
            Command::LoadTable(file) => routing_table::table(config, file.as_deref()).map(drop),
            Command::Traffic(_) | Command::ResetCounters | Command::Sleep(_) | Command::Watch(_) => Ok(()),
        }
    }

    /// Does it.
    ///
    /// # Errors
    /// No such register, a value that doesn't fit, no answer of the device.
    pub fn run(&self, device: &mut Device) -> Result<Answer> {
        Ok(match self {
            Command::Get(names) => {
                let all: Result<Vec<Vec<Value>>> = names.iter().map(|name| device.get_all(name)).collect();
                Answer::Get(all?.concat())
            }
            Command::Set(name, value) => Answer::Set(device.set(name, *value)?),
            Command::Traffic(runs) => {
                traffic::run(device, *runs)?;
                Answer::Traffic(if *runs { "start" } else { "stop" })
            }
            Command::LoadTable(file) => {
                let writes = routing_table::table(device.config(), file.as_deref())?;
                Answer::LoadTable(device.write_all(&writes)?)
            }
            Command::ResetCounters => {
                device.reset_counters()?;
                Answer::ResetCounters(true)
            }
            Command::Sleep(time) => {
                std::thread::sleep(*time);
                Answer::Sleep(time.as_secs_f64())
            }
            Command::Watch(time) => {
                let before = Snapshot::read(device)?;
                std::thread::sleep(*time);
                let after = Snapshot::read(device)?;
                Answer::Watch(Sample::between(device.config(), &before, &after))
            }
        })
    }
}

/// All commands of a script for a device of this configuration; errors name the line.
///
/// # Errors
/// A line that is no command, or one of registers, values or tables that there are not.
pub fn parse(text: &str, config: &Config) -> Result<Vec<Command>> {
    let (names, mut commands) = (Names::new(config), vec![]);
    let mut line_of = |line: &str| -> Result<()> {
        if let Some(command) = Command::parse(line)? {
            command.check(config, &names)?;
            commands.push(command);
        }
        Ok(())
    };
    (1..).zip(text.lines()).try_for_each(|(number, line)| line_of(line).with_context(|| format!("line {number}")))?;
    Ok(commands)
}

/// A time such as `500ms` or `2s`.
///
/// # Errors
/// Text that is none, or more than a day.
pub fn seconds(text: &str) -> Result<Duration> {
    let (digits, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len()));
    let scale = match unit {
        "ms" => 1e-3,
        "s" => 1.0,
        "min" => 60.0,
        _ => f64::NAN,
    };
    match digits.parse::<f64>() {
        Ok(number) if (0.0..=86_400.0).contains(&(number * scale)) => Ok(Duration::from_secs_f64(number * scale)),
        _ => bail!("time: `{text}` is no time with its unit in 0ms..=1440min, such as 500ms or 2s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    #[test]
    fn lines_are_commands_or_are_refused_with_their_number() {
        let config = presets::by_name("demonstrator-4").unwrap();
        let parse = |text: &str| parse(text, &config);
        let script =
            "# a comment\nset node*.load 0x4000 # a quarter\n\nsleep 1.5s\nget switch.id port*.flits\ntraffic stop\n";
        let wanted = [
            Command::Set("node*.load".into(), 0x4000),
            Command::Sleep(Duration::from_millis(1500)),
            Command::Get(vec!["switch.id".into(), "port*.flits".into()]),
            Command::Traffic(false),
        ];
        assert_eq!(parse(script).unwrap(), wanted);
        assert_eq!(Command::parse("load-table").unwrap(), Some(Command::LoadTable(None)));
        assert_eq!(Command::parse("load-table t.txt").unwrap(), Some(Command::LoadTable(Some("t.txt".into()))));
        let error = format!("{:#}", parse("sleep 1s\nset a\n").unwrap_err());
        assert!(error.starts_with("line 2: script: `set a` is none of get NAME.., "), "{error}");
        let error = format!("{:#}", parse("sleep 5").unwrap_err());
        assert_eq!(error, "line 1: time: `5` is no time with its unit in 0ms..=1440min, such as 500ms or 2s");
        // Before anything of it is done.
        for (line, expected) in [
            ("get nonsense", "line 2: register: `nonsense` is unknown"),
            ("set port0.flits 1", "line 2: port0.flits: can only be read"),
            ("set node*.load 0x20000", "line 2: node0.load: 131072 is out of range 0..=131071"),
            ("load-table", "line 2: table: demonstrator-4 is routed by"),
        ] {
            let error = format!("{:#}", parse(&format!("traffic start\n{line}\n")).unwrap_err());
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
