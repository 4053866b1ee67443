//! Ctrl-C, and being told to end: the bar goes away, tools that run end too, what is kept is said, and the exit code is the shell's for it.

use powar_tools::end_unfinished;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// The exit code that stands for a signal is this and its number.
const SIGNALLED: i32 = 128;

/// What is kept of the work under way.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// Says from now on what is kept when somebody interrupts. Where signals can't be watched, Ctrl-C ends the program as it ends any.
pub fn watch() {
    // A file beyond the limit of the shell (`ulimit -f`) is then an error of the write, and not the end of the program without a word.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let watched = [SIGINT, SIGTERM].into_iter().chain(hangs_up().then_some(SIGHUP));
    let Ok(mut signals) = Signals::new(watched) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            end_unfinished();
            let kept = KEPT.lock().ok().and_then(|kept| kept.clone());
            // A line of its own, in place of the bar.
            let clear = if stderr().is_terminal() { "\r\x1b[2K\x1b[?25h" } else { "" };
            let text = kept.map_or_else(String::new, |kept| format!("; {kept}"));
            // Where nothing can be printed, neither can be said so.
            let what = if signal == SIGINT { "interrupted" } else { "told to end" };
            let _ = writeln!(stderr(), "{clear}powar: {what}{text}");
            std::process::exit(SIGNALLED + signal);
        }
    });
}

/// Whether the end of the terminal is to end the program: `nohup` has it ignored. Where that can't be known it is left as it is.
fn hangs_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored >> (SIGHUP - 1) & 1 == 0)
}

/// What is kept if the work that begins now is interrupted.
pub fn keeps(what: impl Into<String>) {
    if let Ok(mut kept) = KEPT.lock() {
        *kept = Some(what.into());
    }
}
