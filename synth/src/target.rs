//! The chips.

use anyhow::{Result, bail, ensure};
use serde::Serialize;

/// A Lattice ECP5 without SerDes, in a package and a speed grade.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Target {
    /// `ecp5-12f`, `ecp5-25f`, `ecp5-45f` or `ecp5-85f`, after the chip LFE5U-*.
    pub name: &'static str,
    /// Lattice's name of the chip.
    pub device: &'static str,
    /// The package, which decides how many pins there are.
    pub package: String,
    /// Speed grade: 6 (slowest), 7 or 8.
    pub speed: u8,
    /// nextpnr's option for the chip.
    #[serde(skip)]
    pub(crate) flag: &'static str,
}

/// Name, device, nextpnr's option, packages (family data sheet FPGA-DS-02012).
const CHIPS: [(&str, &str, &str, &[&str]); 4] = [
    ("ecp5-12f", "LFE5U-12F", "--12k", &["CABGA256", "CSFBGA285", "CABGA381"]),
    ("ecp5-25f", "LFE5U-25F", "--25k", &["CABGA256", "CSFBGA285", "CABGA381"]),
    ("ecp5-45f", "LFE5U-45F", "--45k", &["CABGA256", "CSFBGA285", "CABGA381", "CABGA554"]),
    ("ecp5-85f", "LFE5U-85F", "--85k", &["CSFBGA285", "CABGA381", "CABGA554", "CABGA756"]),
];

impl Target {
    /// The targets' names, for messages and help texts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CHIPS.iter().map(|chip| chip.0)
    }

    /// A chip as it is on the ULX3S board: package CABGA381, speed grade 6.
    ///
    /// # Errors
    /// Names the targets there are.
    pub fn named(name: &str) -> Result<Target> {
        let Some(&(name, device, flag, _)) = CHIPS.iter().find(|chip| chip.0 == name) else {
            let known: Vec<_> = Self::names().collect();
            bail!("target: \"{name}\" is unknown; one of {}", known.join(", "));
        };
        Ok(Target { name, device, package: "CABGA381".into(), speed: 6, flag })
    }

    /// The same chip in another package.
    ///
    /// # Errors
    /// Names the packages the chip comes in.
    pub fn package(mut self, package: &str) -> Result<Target> {
        let packages = CHIPS.iter().find(|chip| chip.0 == self.name).map_or(&[][..], |chip| chip.3);
        let known = packages.contains(&package);
        ensure!(known, "package: {} does not come in \"{package}\"; one of {}", self.device, packages.join(", "));
        self.package = package.into();
        Ok(self)
    }

    /// The same chip in another speed grade.
    ///
    /// # Errors
    /// If it isn't 6, 7 or 8.
    pub fn speed(mut self, speed: u8) -> Result<Target> {
        ensure!((6..=8).contains(&speed), "speed: {speed} is no speed grade of the ECP5; 6 (slowest) to 8 (fastest)");
        self.speed = speed;
        Ok(self)
    }

    /// What nextpnr needs to know.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let speed = self.speed.to_string();
        [self.flag, "--package", &self.package, "--speed", &speed].map(String::from).to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn the_board_is_the_default() {
        let target = Target::named("ecp5-85f").unwrap();
        assert_eq!(target.arguments(), ["--85k", "--package", "CABGA381", "--speed", "6"]);
        let large = target.package("CABGA756").unwrap().speed(8).unwrap();
        assert_eq!(large.arguments(), ["--85k", "--package", "CABGA756", "--speed", "8"]);
    }

    #[test]
    fn wrong_values_are_named_with_what_is_allowed() {
        let error = Target::named("ice40").unwrap_err().to_string();
        assert_eq!(error, "target: \"ice40\" is unknown; one of ecp5-12f, ecp5-25f, ecp5-45f, ecp5-85f");
        let target = || Target::named("ecp5-25f").unwrap();
        let error = target().package("CABGA756").unwrap_err().to_string();
        assert!(error.ends_with("\"CABGA756\"; one of CABGA256, CSFBGA285, CABGA381"), "{error}");
        assert!(target().speed(9).unwrap_err().to_string().starts_with("speed: 9 is no"));
    }
}
