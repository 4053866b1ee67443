//! Ctrl-C, and being told to end: the bar goes away, tools that run end too, what is kept is said, and the exit code is the shell's for it.

use powar_tools::end_unfinished;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;

/// The exit code that stands for a signal is this and its number.
const SIGNALLED: i32 = 128;

/// What is kept of the work under way.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// Says from now on what is kept when somebody interrupts. Where signals can't be watched, Ctrl-C ends the program as it ends any.
pub fn watch() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
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

/// What is kept if the work that begins now is interrupted.
pub fn keeps(what: impl Into<String>) {
    if let Ok(mut kept) = KEPT.lock() {
        *kept = Some(what.into());
    }
}
