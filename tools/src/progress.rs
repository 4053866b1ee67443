//! Telling the reader what takes so long: a spinner or bar on a terminal, plain lines elsewhere.

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How often a log file is told how far a step is.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

/// Where progress goes. It is always stderr, so that stdout stays clean for results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Animated, on a terminal.
    Terminal,
    /// One line at the beginning of each step and one a minute while it lasts, for log files and CI.
    Lines,
    /// Nothing at all, for tests and `--quiet`.
    Silent,
}

/// One thing that takes a while; dropping it without [`Step::finish`] takes its animation away.
pub struct Step {
    bar: ProgressBar,
    what: String,
    /// Ends the lines about it when it is dropped.
    _lines: Option<Sender<()>>,
}

impl Progress {
    /// Animated if stderr is a terminal, else plain lines.
    pub fn stderr() -> Progress {
        if stderr().is_terminal() { Progress::Terminal } else { Progress::Lines }
    }

    /// Nothing is printed.
    pub fn silent() -> Progress {
        Progress::Silent
    }

    /// Starts a step of unknown length.
    pub fn step(&self, what: impl Into<String>) -> Step {
        let step = self.start(ProgressBar::no_length(), what.into(), "{spinner} {prefix} {wide_msg} {elapsed}");
        if *self == Progress::Terminal {
            step.bar.enable_steady_tick(Duration::from_millis(120));
        }
        step
    }

    /// Starts a step of `total` equal parts; call [`Step::advance`] after each.
    pub fn counted(&self, what: impl Into<String>, total: u64) -> Step {
        let template = "{prefix} [{bar:20}] {human_pos}/{human_len} {wide_msg} {elapsed}, {eta} left";
        self.start(ProgressBar::new(total), what.into(), template)
    }

    fn start(&self, bar: ProgressBar, what: String, template: &str) -> Step {
        let mut lines = None;
        match self {
            Progress::Terminal => bar.set_draw_target(ProgressDrawTarget::stderr()),
            Progress::Lines => {
                eprintln!("{what}");
                bar.set_draw_target(ProgressDrawTarget::hidden());
                let (bar, what) = (bar.clone(), what.clone());
                lines = Some(every(BETWEEN_LINES, move || eprintln!("{}", line(&what, &bar))));
            }
            Progress::Silent => bar.set_draw_target(ProgressDrawTarget::hidden()),
        }
        let style = ProgressStyle::with_template(template).expect("the template above is well formed");
        bar.set_style(style);
        bar.set_prefix(what.clone());
        Step { bar, what, _lines: lines }
    }
}

/// Says something again and again, until what is returned is dropped.
fn every(time: Duration, say: impl Fn() + Send + 'static) -> Sender<()> {
    let (end, ended) = channel();
    thread::spawn(move || {
        while ended.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
            say();
        }
    });
    end
}

/// How far a step is, in a line of a log file.
fn line(what: &str, bar: &ProgressBar) -> String {
    let elapsed = bar.elapsed();
    let mut text = format!("{what}: {}", HumanDuration(elapsed));
    // A length of 1 is that of a step whose parts are not known yet.
    if let (Some(all @ 2..), done @ 1..) = (bar.length(), bar.position()) {
        let left = elapsed.mul_f64(all.saturating_sub(done) as f64 / done as f64);
        let percent = 100 * done / all;
        text += &format!(", {percent} % ({} of {}), {} left", HumanCount(done), HumanCount(all), HumanDuration(left));
    }
    match bar.message() {
        now if now.is_empty() => text,
        now => format!("{text}; {now}"),
    }
}

impl Step {
    /// Shows what is being done right now; without a terminal in the line of the minute.
    pub fn detail(&self, now: impl Into<String>) {
        self.bar.set_message(now.into());
    }

    /// One part of a counted step is done.
    pub fn advance(&self) {
        self.bar.inc(1);
    }

    /// So many parts of a counted step are done.
    pub fn set(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// So many parts are done, of a number that is known only now.
    pub fn set_of(&self, done: u64, all: u64) {
        self.bar.set_length(all);
        self.bar.set_position(done);
    }

    /// Done: leaves one line with the time it took on a terminal.
    pub fn finish(self) {
        if !self.bar.is_hidden() {
            self.bar.println(format!("{} ({:.1} s)", self.what, self.bar.elapsed().as_secs_f64()));
        }
        self.bar.finish_and_clear();
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn lines_come_until_the_step_ends() {
        let (say, said) = channel();
        let lines = every(Duration::from_millis(5), move || say.send(()).unwrap_or_default());
        for _ in 0..3 {
            said.recv_timeout(Duration::from_secs(10)).expect("a line");
        }
        drop(lines);
        // The thread ends, and with it the other end.
        while said.recv_timeout(Duration::from_secs(10)).is_ok() {}
        assert_eq!(said.try_recv(), Err(std::sync::mpsc::TryRecvError::Disconnected));
    }

    #[test]
    fn a_line_says_how_far_the_step_is() {
        let step = Progress::silent().counted("Simulating", 1);
        assert_eq!(line("Simulating", &step.bar), "Simulating: 0 seconds");
        step.set_of(1500, 2000);
        step.detail("3 of an earlier run");
        let line = line("Simulating", &step.bar);
        assert!(line.contains("75 % (1,500 of 2,000)") && line.ends_with("left; 3 of an earlier run"), "{line}");
    }
}
