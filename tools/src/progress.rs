//! Telling the reader what takes so long: a spinner or bar on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::Duration;

/// Where progress goes. It is always stderr, so that stdout stays clean for results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Animated, on a terminal.
    Terminal,
    /// One line at the beginning of each step, for log files and CI.
    Lines,
    /// Nothing at all, for tests and `--quiet`.
    Silent,
}

/// One thing that takes a while; dropping it without [`Step::finish`] takes its animation away.
pub struct Step {
    bar: ProgressBar,
    what: String,
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
        self.start(ProgressBar::new(total), what.into(), "{prefix} [{bar:30}] {pos}/{len} {wide_msg} {elapsed}")
    }

    fn start(&self, bar: ProgressBar, what: String, template: &str) -> Step {
        match self {
            Progress::Terminal => bar.set_draw_target(ProgressDrawTarget::stderr()),
            Progress::Lines => {
                eprintln!("{what}");
                bar.set_draw_target(ProgressDrawTarget::hidden());
            }
            Progress::Silent => bar.set_draw_target(ProgressDrawTarget::hidden()),
        }
        let style = ProgressStyle::with_template(template).expect("the template above is well formed");
        bar.set_style(style);
        bar.set_prefix(what.clone());
        Step { bar, what }
    }
}

impl Step {
    /// Shows what is being done right now (terminal only; too much for a log file).
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
