//! Ctrl-C: the bar goes away, what is kept is said, and the exit code is the shell's for it.

use signal_hook::consts::SIGINT;
use signal_hook::iterator::Signals;
use std::io::{IsTerminal, Write, stderr};
use std::sync::Mutex;

/// 128 and the number of the signal.
const CODE: i32 = 130;

/// What is kept of the work under way.
static KEPT: Mutex<Option<String>> = Mutex::new(None);

/// Says from now on what is kept when somebody interrupts. Where signals can't be watched, Ctrl-C ends the program as it ends any.
pub fn watch() {
    let Ok(mut signals) = Signals::new([SIGINT]) else { return };
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            let kept = KEPT.lock().ok().and_then(|kept| kept.clone());
            // A line of its own, in place of the bar.
            let clear = if stderr().is_terminal() { "\r\x1b[2K\x1b[?25h" } else { "" };
            let text = kept.map_or_else(String::new, |kept| format!("; {kept}"));
            // Where nothing can be printed, neither can be said so.
            let _ = writeln!(stderr(), "{clear}powar: interrupted{text}");
            std::process::exit(CODE);
        }
    });
}

/// What is kept if the work that begins now is interrupted.
pub fn keeps(what: impl Into<String>) {
    if let Ok(mut kept) = KEPT.lock() {
        *kept = Some(what.into());
    }
}
