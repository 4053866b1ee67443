//! The same with each of many, several at once.

use anyhow::{Context, Result};
use powar_tools::Progress;
use rayon::prelude::*;

/// Does `one` with each, `jobs` at a time, and shows under `title` how many are done, and by `name` what is at work. The results come in the order of
/// what they are of.
///
/// # Errors
/// The first that `one` meets, after which no other is begun.
pub(crate) fn with_each<T: Sync, R: Send>(
    title: &'static str,
    all: &[T],
    jobs: usize,
    progress: &Progress,
    name: impl Fn(&T) -> String + Sync,
    one: impl Fn(&T) -> Result<R> + Sync + Send,
) -> Result<Vec<R>> {
    let step = progress.counted(title, all.len() as u64);
    let shown = |item: &T| {
        step.detail(name(item));
        let result = one(item)?;
        step.advance();
        Ok(result)
    };
    let results = at_once(all, jobs, shown)?;
    step.finish();
    Ok(results)
}

/// The same without a word.
pub(crate) fn at_once<T: Sync, R: Send>(
    all: &[T],
    jobs: usize,
    one: impl Fn(&T) -> Result<R> + Sync + Send,
) -> Result<Vec<R>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().context("can't start threads")?;
    // Some take a second and some minutes: whoever is free takes the next one.
    pool.install(|| all.par_iter().with_max_len(1).map(one).collect())
}
