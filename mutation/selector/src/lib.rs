//! Which mutant is on, in this whole process. Every mutated place of the golden model's copy asks [`is`]; nothing else depends on this crate.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Mutants there may be at most; their numbers are below this one.
pub const MOST: usize = 1 << 15;
/// In place of a number: no mutant is on, and whoever asks is recorded.
const RECORDING: usize = usize::MAX;
/// In place of a number: the environment says which it is, for programs that do not choose, such as the golden model's own tests.
const NOT_CHOSEN: usize = usize::MAX - 1;
/// The variable with that number.
pub const VARIABLE: &str = "POWAR_MUTANT";

static CHOSEN: AtomicUsize = AtomicUsize::new(NOT_CHOSEN);
static REACHED: [AtomicBool; MOST] = [const { AtomicBool::new(false) }; MOST];

/// Switches on one mutant, by its number from 1 on; 0 is none, and ends a recording.
pub fn choose(number: usize) {
    CHOSEN.store(number, Ordering::SeqCst);
}

/// Records which mutants' places are reached from now on, all of them being off.
pub fn record() {
    CHOSEN.store(RECORDING, Ordering::SeqCst);
}

/// Numbers that were recorded since the last time, in rising order.
pub fn take_reached() -> Vec<usize> {
    (0..MOST).filter(|&number| REACHED[number].swap(false, Ordering::Relaxed)).collect()
}

/// Whether this mutant is on.
#[inline]
pub fn is(number: usize) -> bool {
    let chosen = CHOSEN.load(Ordering::Relaxed);
    if chosen < MOST { chosen == number } else { without_choice(number, chosen) }
}

#[cold]
fn without_choice(number: usize, chosen: usize) -> bool {
    if chosen == RECORDING {
        REACHED[number].store(true, Ordering::Relaxed);
        return false;
    }
    let of_environment = std::env::var(VARIABLE).ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    choose(of_environment);
    of_environment == number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mutant_is_on_and_a_recording_turns_all_off() {
        choose(7);
        assert!(is(7) && !is(8));
        record();
        assert!(!is(7) && !is(9));
        choose(0);
        assert!(!is(8));
        record();
        assert!(!is(1));
        choose(0);
        assert_eq!(take_reached(), [1, 7, 9]);
        assert_eq!(take_reached(), [0; 0]);
    }
}
