//! A line of what `ibnetdiscover` prints.

use anyhow::{Context, Result, ensure};

/// What a device is; the first letter of its identity says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Switch,
    /// A channel adapter.
    Adapter,
    /// Leads to another subnet.
    Router,
}

/// A device as a line names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Device<'a> {
    pub kind: Kind,
    /// `S-`, `H-` or `R-` and the GUID.
    pub identity: &'a str,
    /// What it calls itself; empty if it doesn't.
    pub description: &'a str,
    pub lid: Option<u16>,
}

/// A cable as it is said at one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cable<'a> {
    pub port: u32,
    pub other: Device<'a>,
    pub other_port: u32,
    /// Width and speed, such as `4xHDR`.
    pub rate: Option<&'a str>,
    /// LID of the device's own port; a switch has one for all, which stands in its first line.
    pub lid: Option<u16>,
}

/// A line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// The first of a device's, whose cables follow.
    Device(Device<'a>),
    Cable(Cable<'a>),
    /// Numbers of the vendor, headings of groups, comments, nothing.
    PassedOver,
    Unknown,
}

/// What devices' first lines begin with.
const KINDS: [(&str, Kind, &str); 3] =
    [("Switch", Kind::Switch, "S-"), ("Ca", Kind::Adapter, "H-"), ("Rt", Kind::Router, "R-")];
/// What lines with a number of the device begin with.
const NUMBERS: [&str; 6] = ["vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid="];
/// Headings of the groups that `ibnetdiscover -g` makes begin or end with one of these.
const GROUPS: [&str; 3] = ["Chassis ", "Non-Chassis ", " Nodes"];

impl<'a> Line<'a> {
    /// # Errors
    /// A cable or a device that is not written as `ibnetdiscover` writes it.
    pub fn read(line: &'a str) -> Result<Line<'a>> {
        let line = line.trim();
        if line.starts_with('[') {
            return cable(line).map(Line::Cable);
        }
        if is_device(line) {
            return device(line).map(Line::Device);
        }
        let is_group = GROUPS.iter().any(|mark| line.starts_with(mark) || line.ends_with(mark));
        let is_known = line.is_empty() || line.starts_with('#') || is_group;
        let is_number = NUMBERS.iter().any(|name| line.starts_with(name));
        Ok(if is_known || is_number { Line::PassedOver } else { Line::Unknown })
    }
}

/// Whether a line is a device's first: what it is, how many ports it has, in quotes which it is.
pub(super) fn is_device(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let is_kind = words.next().is_some_and(|word| KINDS.iter().any(|(name, ..)| word == *name));
    let has_ports = words.next().is_some_and(|ports| ports.parse::<u32>().is_ok());
    is_kind && has_ports && words.next().is_some_and(|identity| identity.starts_with('"'))
}

fn device(line: &str) -> Result<Device<'_>> {
    let (said, comment) = line.split_once('#').unwrap_or((line, ""));
    let (_, behind) = said.split_once('"').context("the device has no name in quotes")?;
    let (identity, _) = behind.split_once('"').context("the quote of the device's name is not closed")?;
    let (description, rest) = described(comment);
    Ok(Device { kind: kind(identity)?, identity, description, lid: behind_word(rest, "lid") })
}

/// `[1](guid) "S-guid"[22](guid) # ..`, with `[ext 5]` behind a port that has another number outside.
fn cable(line: &str) -> Result<Cable<'_>> {
    let (said, comment) = line.split_once('#').unwrap_or((line, ""));
    let (port, behind) = port(said)?;
    let (_, behind) = behind.split_once('"').context("the port leads to no device in quotes")?;
    let (identity, behind) = behind.split_once('"').context("the quote of the device's name is not closed")?;
    let (other_port, _) = self::port(behind)?;
    // Of an adapter's port: its own LID in front of what the other end is called.
    let (before, _) = comment.split_once('"').unwrap_or((comment, ""));
    let (description, rest) = described(comment);
    let other = Device { kind: kind(identity)?, identity, description, lid: behind_word(rest, "lid") };
    let rate = rest.split_whitespace().find(|word| is_rate(word));
    Ok(Cable { port, other, other_port, rate, lid: behind_word(before, "lid") })
}

fn kind(identity: &str) -> Result<Kind> {
    let known = KINDS.iter().find(|(.., letter)| identity.starts_with(letter) && identity.len() > letter.len());
    let short = || identity.chars().take(40).collect::<String>().escape_debug().to_string();
    Ok(known.with_context(|| format!("device `{}` is none of S-GUID, H-GUID, R-GUID", short()))?.1)
}

/// The number in brackets at the beginning, and what is behind it.
fn port(text: &str) -> Result<(u32, &str)> {
    let number = text.strip_prefix('[').and_then(|text| text.split_once(']'));
    let (number, behind) = number.context("a port's number in brackets is missing")?;
    let port = number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()));
    let short = || number.chars().take(40).collect::<String>().escape_debug().to_string();
    let port = port.with_context(|| format!("port `{}` is no whole number", short()))?;
    ensure!(port > 0, "port: 0 is out of range 1.., as port 0 of a switch has no cable");
    Ok((port, behind))
}

/// What is in quotes in a comment, and what is behind it.
fn described(comment: &str) -> (&str, &str) {
    let within = comment.split_once('"').map(|(_, behind)| behind);
    match within.and_then(|within| within.rsplit_once('"')) {
        Some((description, behind)) => (description.trim(), behind),
        None => ("", comment),
    }
}

/// The number behind a word.
fn behind_word(text: &str, word: &str) -> Option<u16> {
    let mut words = text.split_whitespace();
    words.find(|&is| is == word)?;
    words.next()?.parse().ok()
}

/// A width, `x` and a speed.
fn is_rate(word: &str) -> bool {
    let known = |(width, speed): (&str, &str)| {
        !width.is_empty() && width.bytes().all(|byte| byte.is_ascii_digit()) && !speed.is_empty()
    };
    word.split_once('x').is_some_and(known)
}
