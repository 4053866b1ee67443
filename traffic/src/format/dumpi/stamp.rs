//! The stamps of a call, and which of the two clocks tells how long a rank computes.

use crate::format::fields::shown;
use anyhow::{Context, Result, ensure};

/// A clock whose steps are this long or longer is coarse, ns.
const COARSE_NS: i64 = 100_000;

/// When a call began or ended, ns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub wall: i64,
    /// `None` where the line has no `cputime`.
    pub cpu: Option<i64>,
}

/// Which clock the compute gaps of a trace come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeBase {
    /// CPU time of the process, which waiting for a core does not lengthen.
    Cpu,
    /// Wall-clock time: the CPU time is not there, stands still, or only advances in steps of 100 us or more while
    /// the wall clock is finer.
    Wall,
    /// No clock advances: all gaps are 0.
    Nothing,
}

impl TimeBase {
    pub(crate) fn of(self, stamp: Stamp) -> i64 {
        match self {
            TimeBase::Cpu => stamp.cpu.unwrap_or(0),
            TimeBase::Wall => stamp.wall,
            TimeBase::Nothing => 0,
        }
    }
}

/// The smallest steps of both clocks, over all that was seen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Steps {
    cpu_missing: bool,
    cpu: Option<i64>,
    wall: Option<i64>,
}

impl Steps {
    /// From one stamp of a rank to its next.
    pub fn see(&mut self, before: Stamp, after: Stamp) {
        let smaller = |step: &mut Option<i64>, difference: i64| {
            if difference > 0 {
                *step = Some(step.map_or(difference, |known| known.min(difference)));
            }
        };
        smaller(&mut self.wall, after.wall - before.wall);
        match (before.cpu, after.cpu) {
            (Some(before), Some(after)) => smaller(&mut self.cpu, after - before),
            _ => self.cpu_missing = true,
        }
    }

    pub fn time_base(&self) -> TimeBase {
        let cpu = self.cpu.filter(|_| !self.cpu_missing);
        match (cpu, self.wall) {
            (Some(cpu), Some(wall)) if cpu >= COARSE_NS && wall < cpu => TimeBase::Wall,
            (Some(_), _) => TimeBase::Cpu,
            (None, Some(_)) => TimeBase::Wall,
            (None, None) => TimeBase::Nothing,
        }
    }
}

/// The line that opens or closes a call: its name, thread and stamp. `None` when it is no such line.
///
/// `verb` is `entering` or `returning`.
pub(crate) fn parse<'a>(line: &'a str, verb: &str) -> Option<(&'a str, Result<(u64, Stamp)>)> {
    let (call, rest) = line.split_once(' ')?;
    let name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    if call.is_empty() || !call.bytes().all(name) {
        return None;
    }
    let rest = rest.strip_prefix(verb)?.strip_prefix(" at walltime ")?;
    Some((call, thread_and_stamp(rest)))
}

fn thread_and_stamp(text: &str) -> Result<(u64, Stamp)> {
    let shape = || format!("found {}, expected `SECONDS, cputime SECONDS seconds in thread N.`", shown(text));
    let (times, thread) = text.split_once(" seconds in thread ").with_context(shape)?;
    let thread = thread.strip_suffix('.').unwrap_or(thread);
    let thread = thread.parse().ok().with_context(|| {
        format!("field `thread` is {}, expected an integer from 0 to 18446744073709551615", shown(thread))
    })?;
    let (wall, cpu) = match times.split_once(", cputime ") {
        Some((wall, cpu)) => (wall, Some(nanoseconds("cputime", cpu)?)),
        None => (times, None),
    };
    Ok((thread, Stamp { wall: nanoseconds("walltime", wall)?, cpu }))
}

/// Seconds with up to nine decimals; ten stand for nanoseconds above a second, which `dumpi2ascii` prints as they
/// are where user and system time were added up part by part.
fn nanoseconds(field: &str, text: &str) -> Result<i64> {
    let wrong = || format!("field `{field}` is {}, expected seconds such as `8153.049312345`", shown(text));
    let (seconds, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    ensure!(digits(seconds, 10) && digits(decimals, 10), wrong());
    let mut nanoseconds: i64 = decimals.parse().with_context(wrong)?;
    for _ in decimals.len()..9 {
        nanoseconds *= 10;
    }
    let seconds: u32 = seconds.parse().with_context(wrong)?;
    Ok(i64::from(seconds) * 1_000_000_000 + nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(wall: i64, cpu: i64) -> Stamp {
        Stamp { wall, cpu: Some(cpu) }
    }

    fn base(stamps: &[Stamp]) -> TimeBase {
        let mut steps = Steps::default();
        stamps.windows(2).for_each(|pair| steps.see(pair[0], pair[1]));
        steps.time_base()
    }

    #[test]
    fn seconds_are_read_to_the_nanosecond() {
        assert_eq!(nanoseconds("walltime", "1296777956.737669000").unwrap(), 1_296_777_956_737_669_000);
        assert_eq!(nanoseconds("walltime", "8153.0493").unwrap(), 8_153_049_300_000);
        assert_eq!(nanoseconds("cputime", "1.1500000000").unwrap(), 2_500_000_000);
        assert_eq!(nanoseconds("cputime", "7").unwrap(), 7_000_000_000);
        for wrong in ["", "-1.0", "1.-5", "1.", "4294967296.0", "1.12345678901", "1e3"] {
            assert!(nanoseconds("cputime", wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_cpu_clock_is_preferred_where_it_is_fine_enough() {
        assert_eq!(base(&[stamp(0, 0), stamp(10, 7)]), TimeBase::Cpu);
        assert_eq!(base(&[stamp(0, 0), stamp(0, 4_000_000)]), TimeBase::Cpu);
        assert_eq!(base(&[stamp(0, 0), stamp(10, 99_999)]), TimeBase::Cpu);
        assert_eq!(base(&[stamp(0, 0), stamp(10, 100_000)]), TimeBase::Wall);
        assert_eq!(base(&[stamp(0, 0), stamp(100_000, 100_000)]), TimeBase::Cpu);
        assert_eq!(base(&[stamp(0, 5), stamp(10, 5)]), TimeBase::Wall);
        assert_eq!(base(&[stamp(0, 0), Stamp { wall: 1, cpu: None }, stamp(2, 2)]), TimeBase::Wall);
        assert_eq!(base(&[stamp(3, 5), stamp(3, 5)]), TimeBase::Nothing);
    }
}
