//! rust-hdl panics on some malformed blocks; here a panic becomes an error.

use anyhow::{Result, anyhow};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
}

/// Runs `action`; a panic inside becomes an error with the panic's message, and nothing is printed.
pub(crate) fn catch<T>(action: impl FnOnce() -> T) -> Result<T> {
    silence_caught_panics();
    let before = CATCHING.replace(true);
    let outcome = panic::catch_unwind(AssertUnwindSafe(action));
    CATCHING.set(before);
    outcome.map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        anyhow!("{}", text.unwrap_or("panic without a message").replace('\n', " "))
    })
}

/// Replaces the panic hook once by one that keeps quiet about panics of [`catch`] and passes all others on.
fn silence_caught_panics() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !CATCHING.get() {
                previous(info);
            }
        }));
    });
}
