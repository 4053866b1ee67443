//! Writing a program in a format that can say it.

use super::{FORMATS, Format};
use crate::options::TrafficOptions;
use crate::replay::Hops;
use crate::trace::Trace;
use anyhow::{Context, Result, anyhow, bail};
use lzma_rust2::{XzOptions, XzWriter};
use std::io::Write;

/// Preset of xz: the one `xz` itself takes.
const XZ_PRESET: u32 = 6;
/// What the name of a packed file ends with.
const PACKED: &str = ".xz";

/// How a program is written in a format.
pub struct Target {
    /// What the name of an unpacked file ends with.
    pub ending: &'static str,
    /// It is written packed only.
    pub packed_only: bool,
    /// What it does not hold of a program of MPI calls, for help texts.
    pub lost: &'static str,
    /// Writes the MPI calls of a trace, unpacked.
    pub(crate) write: fn(&Trace, &Conversion, &mut dyn Write) -> Result<Counts>,
}

/// How a program is written.
pub struct Conversion<'a> {
    /// How recorded time becomes cycles, and what MPI costs.
    pub options: TrafficOptions,
    /// The network of a format that needs a timed replay: how many switches packets pass.
    pub hops: &'a dyn Fn() -> Result<Hops>,
    /// What the result is called, without ending, where it says that itself.
    pub name: &'a str,
}

/// What has been written: how many of what.
pub type Counts = Vec<(&'static str, u64)>;

/// A format to write in, and whether packed with xz.
#[derive(Clone, Copy)]
pub struct Destination {
    pub format: &'static Format,
    target: &'static Target,
    packed: bool,
}

impl Destination {
    /// What a file of this name is to be: of the format called `format`, or of the one that the ending of the name tells. It is packed
    /// if the name ends in `.xz`, or if the format is written packed only.
    ///
    /// # Errors
    /// There is no such format, it is not written, or the ending tells none.
    pub fn of(file_name: &str, format: Option<&str>) -> Result<Destination> {
        let packed = file_name.ends_with(PACKED);
        let plain = file_name.strip_suffix(PACKED).unwrap_or(file_name);
        let found = targets().find(|(known, target)| match format {
            Some(name) => known.name == name,
            None => plain.ends_with(target.ending) && (packed || !target.packed_only),
        });
        if let Some((format, target)) = found {
            return Ok(Destination { format, target, packed: packed || target.packed_only });
        }
        if let Some(name) = format {
            let written: Vec<_> = targets().map(|(format, _)| format.name).collect();
            let written = written.join(", ");
            let known = FORMATS.iter().any(|format| format.name == name);
            let what = if known { "is read, not written" } else { "is no format" };
            bail!("{name} {what}, expected one of {written}");
        }
        let endings = targets().flat_map(|(_, target)| {
            let packed = Some(format!("{}{PACKED}", target.ending));
            let plain = (!target.packed_only).then(|| target.ending.to_owned());
            plain.into_iter().chain(packed)
        });
        let endings: Vec<_> = endings.collect();
        bail!("`{file_name}` does not tell its format, expected a name that ends in {}", endings.join(", "))
    }

    /// The name of a file without the endings of this format.
    pub fn bare_name<'a>(&self, file_name: &'a str) -> &'a str {
        let plain = file_name.strip_suffix(PACKED).unwrap_or(file_name);
        plain.strip_suffix(self.target.ending).unwrap_or(plain)
    }

    /// Writes the program of `trace` to `out`.
    ///
    /// # Errors
    /// A trace that holds no MPI calls, what the format can't say, and `out`'s own.
    pub fn write(&self, trace: &Trace, conversion: &Conversion, out: &mut dyn Write) -> Result<Counts> {
        trace.calls().with_context(|| {
            let written: Vec<_> = targets().map(|(format, _)| format.name).collect();
            format!(
                "{} is written from MPI logs, DUMPI text and skeletons, as are {}",
                self.format.name,
                written.join(", ")
            )
        })?;
        if !self.packed {
            return (self.target.write)(trace, conversion, out);
        }
        let cannot_write = |error| anyhow!("cannot write the {} trace: {error}", self.format.name);
        let mut xz = XzWriter::new(out, XzOptions::with_preset(XZ_PRESET)).map_err(cannot_write)?;
        let written = (self.target.write)(trace, conversion, &mut xz)?;
        xz.finish().map_err(cannot_write)?.flush().map_err(cannot_write)?;
        Ok(written)
    }
}

/// The formats that can be written.
pub fn targets() -> impl Iterator<Item = (&'static Format, &'static Target)> {
    FORMATS.iter().filter_map(|format| Some((format, format.write.as_ref()?)))
}
