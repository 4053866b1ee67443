//! How it is to be measured.

use crate::{Harness, Target};
use anyhow::{Result, ensure};

/// The settings of a measurement.
#[derive(Clone, Debug)]
pub struct Options {
    /// The chip.
    pub target: Target,
    /// The clock rate asked for, in MHz. The report says whether it is met; with a single clock it does not
    /// change what nextpnr does.
    pub frequency_mhz: f64,
    /// Seeds of the placement; the median clock rate over them is less of a lottery than any single one.
    pub seeds: Vec<u32>,
    /// What the module is put into.
    pub harness: Harness,
    /// The clock input; by default the one-bit input called `clk` or `clock`. Modules without any are taken as
    /// combinational.
    pub clock: Option<String>,
    /// The reset input, whose way through the chip is left out of the measurement; by default the one-bit input
    /// called `rst` or `reset`, if there is one.
    pub reset: Option<String>,
}

impl Options {
    /// The clock rate of the FPGA prototype, also in `constraints/powar.sdc`.
    pub const PROTOTYPE_MHZ: f64 = 100.0;

    /// Three seeds, the serial harness, 100 MHz.
    pub fn new(target: Target) -> Options {
        Options {
            target,
            frequency_mhz: Self::PROTOTYPE_MHZ,
            seeds: vec![1, 2, 3],
            harness: Harness::Serial,
            clock: None,
            reset: None,
        }
    }

    /// The flow in which published arbiters were measured for comparison: the largest package in the fastest
    /// speed grade, every port on a pin, 400 MHz asked for, seeds 1 to 3.
    pub fn arbiter_comparison() -> Options {
        let target = Target::named("ecp5-85f").and_then(|target| target.package("CABGA756")?.speed(8));
        let target = target.expect("this chip comes in this package and speed grade");
        Options { harness: Harness::Pins, frequency_mhz: 400.0, ..Options::new(target) }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let frequency = self.frequency_mhz;
        ensure!((1.0..=1000.0).contains(&frequency), "frequency: {frequency} MHz is outside 1 to 1000 MHz");
        ensure!(!self.seeds.is_empty(), "seeds: none given; at least one is needed");
        for (index, seed) in self.seeds.iter().enumerate() {
            ensure!(!self.seeds[..index].contains(seed), "seeds: {seed} is given twice");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_values_are_named() {
        let options = Options::arbiter_comparison();
        options.check().unwrap();
        let error = |options: Options| options.check().unwrap_err().to_string();
        let slow = Options { frequency_mhz: 0.0, ..options.clone() };
        assert_eq!(error(slow), "frequency: 0 MHz is outside 1 to 1000 MHz");
        assert!(error(Options { frequency_mhz: f64::NAN, ..options.clone() }).starts_with("frequency: NaN MHz"));
        assert!(error(Options { seeds: vec![], ..options.clone() }).starts_with("seeds: none"));
        assert_eq!(error(Options { seeds: vec![1, 2, 1], ..options }), "seeds: 1 is given twice");
    }

    #[test]
    fn the_prototype_clock_is_the_one_in_the_constraints() {
        let constraints = include_str!("../../constraints/powar.sdc");
        let line = constraints.lines().find(|line| line.starts_with("create_clock")).unwrap();
        let period = line.split_whitespace().skip_while(|word| *word != "-period").nth(1).unwrap();
        assert_eq!(1000.0 / period.parse::<f64>().unwrap(), Options::PROTOTYPE_MHZ);
    }
}
