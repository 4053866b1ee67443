//! Configuration and status from outside.

pub mod register_bus;

pub use register_bus::RegisterBus;

/// Runs of numbers that are `step` apart: where each begins, and where the number behind it would be.
pub(crate) fn runs(numbers: impl Iterator<Item = usize>, step: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut from, mut to): (Vec<usize>, Vec<usize>) = (vec![], vec![]);
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    for number in numbers {
        match to.last_mut() {
            Some(last) if *last == number => *last = number + step,
            _ => {
                from.push(number);
                to.push(number + step);
            }
        }
    }
    (from, to)
}
