//! Skeletons: MPI programs as generators of calls, for sizes of which no trace can be recorded.
//!
//! A skeleton makes the calls that the program would make, message by message, and models what it computes between
//! them: operations over a rate, yielded as [`Compute::Modelled`](crate::program::call::Compute). Every rank is a state
//! machine that makes its next few calls when asked, so that its memory does not grow with the length of the program.
//!
//! ```
//! use powar_traffic::program::call::CallSource;
//!
//! # fn main() -> anyhow::Result<()> {
//! let program = powar_traffic::skeleton::parse("hpl:n=4096,nb=128,p=4,q=8")?;
//! assert_eq!(program.ranks(), 32);
//! let mut calls = program.calls(5)?;
//! while let Some(entry) = calls.next()? {
//!     drop(entry);
//! }
//! # Ok(())
//! # }
//! ```

pub mod all_reduce;
mod draw;
pub mod graph500;
pub mod halo_fft;
pub mod hpl;
mod parameters;
pub mod random_access;
mod script;

use crate::program::call::CallSource;
use anyhow::{Result, bail};
pub use parameters::{Parameter, Range, Values};
use powar_config::nearest::is_unknown;

/// Most ranks of a skeleton.
pub const MOST_RANKS: u64 = 1 << 20;

/// A program that can be generated.
pub struct Skeleton {
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    pub parameters: &'static [Parameter],
    /// Builds it from checked parameters.
    ///
    /// # Errors
    /// Parameters that do not go together; the line names them.
    pub build: fn(&Values) -> Result<Box<dyn CallSource>>,
}

/// All there are, by name.
pub const SKELETONS: &[Skeleton] =
    &[all_reduce::SKELETON, graph500::SKELETON, halo_fft::SKELETON, hpl::SKELETON, random_access::SKELETON];

/// The skeleton of this name.
///
/// # Errors
/// There is none; the line lists those there are.
pub fn find(name: &str) -> Result<&'static Skeleton> {
    match SKELETONS.iter().find(|skeleton| skeleton.name == name) {
        Some(skeleton) => Ok(skeleton),
        None => {
            bail!("skeleton: {}", is_unknown(name, SKELETONS.iter().map(|skeleton| skeleton.name)))
        }
    }
}

/// The program that `text` asks for: a name, then, behind a colon, parameters as `name=value` with commas between them.
/// Those left out have their defaults.
///
/// # Errors
/// No such skeleton or parameter, or a value out of range: one line that names it.
pub fn parse(text: &str) -> Result<Box<dyn CallSource>> {
    let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
    let skeleton = find(name.trim())?;
    (skeleton.build)(&Values::parse(skeleton.name, skeleton.parameters, parameters)?)
}
