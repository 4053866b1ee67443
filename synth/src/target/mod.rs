//! The chips: one file each (a family's chips share one), and a line of [`CHIPS`].

mod ecp5;
mod ecp5_ways;
mod gatemate;
mod gowin;
mod ice40;
mod nexus;
mod xilinx7;

use crate::resources::{Cells, Names, Resources};
use crate::script::Script;
use crate::ways::Ways;
use anyhow::{Context, Result, anyhow, bail, ensure};
use powar_tools::Tool;
use serde::Serialize;
use serde_json::Value;
use std::fmt::Debug;

/// Every chip that can be named.
const CHIPS: [&dyn Chip; 9] = [
    &ecp5::LFE5U_12F,
    &ecp5::LFE5U_25F,
    &ecp5::LFE5U_45F,
    &ecp5::LFE5U_85F,
    &ice40::HX8K,
    &xilinx7::XC7A100T,
    &gowin::GW2A_18,
    &gatemate::CCGM1A1,
    &nexus::LIFCL_40,
];

/// Is a netlist made of the whole design at once, or a module at a time?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// All modules become one, and are optimised together: what is placed.
    Flat,
    /// Modules stay what they are, so that each has a size of its own.
    Hierarchical,
}

/// What the flows need to know of a chip.
pub(crate) trait Chip: Debug + Sync {
    /// Its name as a target.
    fn name(&self) -> &'static str;
    /// The vendor's name.
    fn device(&self) -> &'static str;
    /// The packages it comes in, the usual one first; they decide how many pins there are.
    fn packages(&self) -> &'static [&'static str];
    /// Its speed grades, the usual one first; none if the vendor has only one.
    fn speeds(&self) -> &'static [u8];
    /// What there is of it.
    fn capacity(&self) -> Resources;
    /// What its resources are called.
    fn names(&self) -> &'static Names;
    /// Adds the commands that make a netlist `<output>.json` of module `top`.
    fn synthesis(&self, script: &mut Script, top: &str, shape: Shape, output: &str);
    /// Files that those commands read: names and texts.
    fn rules(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
    /// Yosys's file with the cells of the vendor that a design may have in it, such as a PLL, if there is one.
    fn black_boxes(&self) -> Option<&'static str> {
        None
    }
    /// What a netlist's cells come to. The area is that before packing.
    fn resources(&self, cells: &Cells) -> Resources;
    /// How signals get through its cells, if hops can be counted.
    fn ways(&self) -> Option<&'static Ways> {
        None
    }
    /// How it is placed and routed. Where none of the pinned tools does it, what does, for the end of a message.
    fn nextpnr(&self) -> Result<Nextpnr, &'static str>;
}

/// A family's nextpnr.
#[derive(Clone, Debug)]
pub(crate) struct Nextpnr {
    pub(crate) tool: Tool,
    /// The option for the chip.
    pub(crate) chip: &'static str,
    /// Lets it choose the pins.
    pub(crate) free_pins: &'static str,
    /// Packs and does no more; pins need no place then.
    pub(crate) pack_only: &'static [&'static str],
    /// The utilization of its report that is the area.
    pub(crate) area: &'static str,
    /// The cell it has no more of when a design has too many pins.
    pub(crate) pin: &'static str,
}

impl Nextpnr {
    /// The area after packing, of nextpnr's report.
    pub(crate) fn packed_area(&self, report: &Value) -> Result<u64> {
        let used = report["utilization"][self.area]["used"].as_u64();
        used.with_context(|| format!("nextpnr's report has no utilization.{}.used", self.area))
    }
}

/// A chip in a package and a speed grade.
#[derive(Clone, Debug, Serialize)]
pub struct Target {
    /// One of [`Target::names`].
    pub name: &'static str,
    /// The vendor's name of the chip.
    pub device: &'static str,
    /// The package.
    pub package: String,
    /// The speed grade, if the chip comes in several: of an ECP5 6 (slowest) to 8, of a 7-series chip 1 (slowest) to 3, of a GW2A and a
    /// LIFCL 7 (slowest) to 9.
    pub speed: Option<u8>,
    #[serde(skip)]
    pub(crate) chip: &'static dyn Chip,
}

impl PartialEq for Target {
    fn eq(&self, other: &Target) -> bool {
        (self.name, &self.package, self.speed) == (other.name, &other.package, other.speed)
    }
}

impl Target {
    /// The targets' names, for messages and help texts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CHIPS.iter().map(|chip| chip.name())
    }

    /// A chip in its usual package and speed grade: an ECP5 as on the ULX3S board (CABGA381, 6), the Artix as on the Arty.
    ///
    /// # Errors
    /// Names the targets there are.
    pub fn named(name: &str) -> Result<Target> {
        let Some(&chip) = CHIPS.iter().find(|chip| chip.name() == name) else {
            let known: Vec<_> = Self::names().collect();
            bail!("target: \"{name}\" is unknown; one of {}", known.join(", "));
        };
        let package = chip.packages()[0].into();
        Ok(Target { name: chip.name(), device: chip.device(), package, speed: chip.speeds().first().copied(), chip })
    }

    /// The same chip in another package.
    ///
    /// # Errors
    /// Names the packages the chip comes in.
    pub fn package(mut self, package: &str) -> Result<Target> {
        let packages = self.chip.packages();
        let known = packages.contains(&package);
        ensure!(known, "package: {} does not come in \"{package}\"; one of {}", self.device, packages.join(", "));
        self.package = package.into();
        Ok(self)
    }

    /// The same chip in another speed grade.
    ///
    /// # Errors
    /// Names the speed grades there are.
    pub fn speed(mut self, speed: u8) -> Result<Target> {
        let speeds = self.chip.speeds();
        let known: Vec<_> = speeds.iter().map(u8::to_string).collect();
        let known = if known.is_empty() { "it has only one".into() } else { format!("one of {}", known.join(", ")) };
        ensure!(speeds.contains(&speed), "speed: {speed} is no speed grade of {}; {known}", self.device);
        self.speed = Some(speed);
        Ok(self)
    }

    /// The chip as people write it.
    pub fn title(&self) -> String {
        let speed = self.speed.map(|speed| format!(", speed grade {speed}")).unwrap_or_default();
        format!("{} {}{speed}", self.device, self.package)
    }

    /// What there is of the chip, in the units of a report.
    pub fn capacity(&self) -> Resources {
        self.chip.capacity()
    }

    /// What area is counted in, such as `half-slices` or `LUTs`.
    pub fn area_unit(&self) -> &'static str {
        self.chip.names().area
    }

    /// Can it be placed and routed, so that there is a clock rate?
    ///
    /// # Errors
    /// It can't; says what to do instead.
    pub fn check_placeable(&self) -> Result<()> {
        self.nextpnr().map(drop)
    }

    /// How it is placed and routed.
    pub(crate) fn nextpnr(&self) -> Result<Nextpnr> {
        let only_area = |instead| anyhow!("target: {} is measured for area only (--area); {instead}", self.name);
        self.chip.nextpnr().map_err(only_area)
    }

    /// nextpnr's options for the chip, package and speed grade.
    pub(crate) fn arguments(&self) -> Result<Vec<String>> {
        let mut words = vec![self.nextpnr()?.chip.to_string(), "--package".into(), self.package.clone()];
        if let Some(speed) = self.speed {
            words.extend(["--speed".into(), speed.to_string()]);
        }
        Ok(words)
    }

    /// Refuses a design that is larger than the chip.
    pub(crate) fn check_fit(&self, module: &str, needs: &Resources) -> Result<()> {
        let has = self.capacity();
        let rows = needs.rows(self.chip.names()).into_iter().zip(has.rows(self.chip.names()));
        // What the chip has none of by itself, like look-up tables apart from the logic cells they are in, has no capacity.
        let over = rows.filter(|((_, needs), (_, has))| *has > 0 && needs > has);
        let over: Vec<_> = over.map(|((name, needs), (_, has))| format!("{needs} {name} of {has}")).collect();
        ensure!(over.is_empty(), "{module} does not fit into {}: {}", self.device, over.join(", "));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Target;
    use crate::Resources;

    #[test]
    fn the_board_is_the_default() {
        let target = Target::named("ecp5-85f").unwrap();
        assert_eq!(target.arguments().unwrap(), ["--85k", "--package", "CABGA381", "--speed", "6"]);
        let large = target.package("CABGA756").unwrap().speed(8).unwrap();
        assert_eq!(large.arguments().unwrap(), ["--85k", "--package", "CABGA756", "--speed", "8"]);
        let ice40 = Target::named("ice40-hx8k").unwrap();
        assert_eq!(ice40.arguments().unwrap(), ["--hx8k", "--package", "ct256"]);
    }

    #[test]
    fn wrong_values_are_named_with_what_is_allowed() {
        let error = Target::named("ice40").unwrap_err().to_string();
        let known = "ecp5-12f, ecp5-25f, ecp5-45f, ecp5-85f, ice40-hx8k, xc7a100t, gw2a-18, ccgm1a1, lifcl-40";
        assert_eq!(error, format!("target: \"ice40\" is unknown; one of {known}"));
        let target = || Target::named("ecp5-25f").unwrap();
        let error = target().package("CABGA756").unwrap_err().to_string();
        assert!(error.ends_with("\"CABGA756\"; one of CABGA381, CABGA256, CSFBGA285"), "{error}");
        let error = target().speed(9).unwrap_err().to_string();
        assert_eq!(error, "speed: 9 is no speed grade of LFE5U-25F; one of 6, 7, 8");
        let error = Target::named("ice40-hx8k").unwrap().speed(8).unwrap_err().to_string();
        assert_eq!(error, "speed: 8 is no speed grade of iCE40HX8K; it has only one");
        let error = Target::named("xc7a100t").unwrap().check_placeable().unwrap_err().to_string();
        assert!(error.contains("area only") && error.contains("build.tcl"), "{error}");
        let error = Target::named("lifcl-40").unwrap().check_placeable().unwrap_err().to_string();
        assert!(error.contains("area only") && error.contains("nextpnr-nexus"), "{error}");
    }

    #[test]
    fn what_is_too_large_is_named() {
        let target = Target::named("ice40-hx8k").unwrap();
        target.check_fit("m", &Resources { area: 7680, lut: 9000, ..Resources::default() }).unwrap();
        let needs = Resources { area: 7681, block_ram: 40, ..Resources::default() };
        let error = target.check_fit("m", &needs).unwrap_err().to_string();
        assert_eq!(error, "m does not fit into iCE40HX8K: 7681 logic cells of 7680, 40 block RAMs (SB_RAM40) of 32");
    }
}
