//! The PLL of the ECP5, EHXPLLL: dividers for a frequency.
//!
//! f_pfd = f_in / CLKI_DIV, f_vco = f_pfd CLKFB_DIV CLKOP_DIV, f_out = f_pfd CLKFB_DIV, with the feedback from CLKOP. Limits are those of
//! Lattice FPGA-TN-02200 (ECP5 sysCLOCK) and FPGA-DS-02012, as Project Trellis' `ecppll` has them.

use anyhow::{Context, Result, ensure};

/// Frequencies that the phase detector works at, MHz.
const PFD: std::ops::RangeInclusive<f64> = 3.125..=400.0;
/// Those of the oscillator.
const VCO: std::ops::RangeInclusive<f64> = 400.0..=800.0;
/// Where the oscillator is best: in the middle.
const BEST_VCO: f64 = 600.0;
/// Each divider.
const DIVIDERS: std::ops::RangeInclusive<u32> = 1..=128;
/// Frequencies that go in and out, MHz.
const INPUT: std::ops::RangeInclusive<f64> = 8.0..=400.0;
const OUTPUT: std::ops::RangeInclusive<f64> = 3.125..=400.0;

/// Dividers of an EHXPLLL, and what comes of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pll {
    /// MHz.
    pub input: f64,
    pub clki_div: u32,
    pub clkfb_div: u32,
    pub clkop_div: u32,
}

impl Pll {
    /// The dividers that come nearest to `wanted` MHz from `input` MHz; of those the ones with the oscillator nearest to its middle.
    ///
    /// # Errors
    /// A frequency out of range.
    pub fn new(input: f64, wanted: f64) -> Result<Pll> {
        for (name, value, range) in [("input", input, INPUT), ("output", wanted, OUTPUT)] {
            ensure!(
                range.contains(&value),
                "pll {name}: {value} MHz is out of range {}..={}",
                range.start(),
                range.end()
            );
        }
        let mut best: Option<(Pll, (f64, f64))> = None;
        for clki_div in DIVIDERS.filter(|&divider| PFD.contains(&(input / f64::from(divider)))) {
            for clkfb_div in DIVIDERS {
                for clkop_div in DIVIDERS {
                    let pll = Pll { input, clki_div, clkfb_div, clkop_div };
                    if !VCO.contains(&pll.vco()) {
                        continue;
                    }
                    let badness = ((pll.output() - wanted).abs(), (pll.vco() - BEST_VCO).abs());
                    if best.is_none_or(|(_, least)| badness < least) {
                        best = Some((pll, badness));
                    }
                }
            }
        }
        Ok(best.with_context(|| format!("pll output: {wanted} MHz can't be made of {input} MHz"))?.0)
    }

    /// MHz of CLKOP.
    pub fn output(&self) -> f64 {
        self.input / f64::from(self.clki_div) * f64::from(self.clkfb_div)
    }

    /// MHz of the oscillator.
    pub fn vco(&self) -> f64 {
        self.output() * f64::from(self.clkop_div)
    }

    /// CLKOP_CPHASE: half a period, as `ecppll` sets it. Nothing here depends on it: the clock has no other to be in phase with.
    pub fn clkop_cphase(&self) -> u32 {
        self.clkop_div / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dividers(wanted: f64) -> (u32, u32, u32) {
        let pll = Pll::new(25.0, wanted).unwrap();
        (pll.clki_div, pll.clkfb_div, pll.clkop_div)
    }

    /// What `ecppll -i 25 -o F` of Project Trellis finds.
    #[test]
    fn dividers_are_those_that_are_known() {
        assert_eq!(dividers(20.0), (5, 4, 30));
        assert_eq!(dividers(25.0), (1, 1, 24));
        assert_eq!(dividers(50.0), (1, 2, 12));
        assert_eq!(dividers(100.0), (1, 4, 6));
        assert_eq!(dividers(125.0), (1, 5, 5));
    }

    #[test]
    fn every_frequency_is_come_near_within_the_limits() {
        for wanted in 4..=400 {
            let pll = Pll::new(25.0, wanted.into()).unwrap();
            assert!((pll.output() - f64::from(wanted)).abs() <= 0.05 * f64::from(wanted), "{wanted}: {pll:?}");
            assert!(VCO.contains(&pll.vco()) && PFD.contains(&(25.0 / f64::from(pll.clki_div))), "{pll:?}");
        }
        // 30 MHz, which the switch of 4 ports reaches: 25 / 5 x 6.
        let pll = Pll::new(25.0, 30.0).unwrap();
        assert_eq!((pll.output(), pll.vco()), (30.0, 600.0));
    }

    #[test]
    fn frequencies_out_of_range_are_refused() {
        let error = |input, wanted| Pll::new(input, wanted).unwrap_err().to_string();
        assert_eq!(error(25.0, 500.0), "pll output: 500 MHz is out of range 3.125..=400");
        assert_eq!(error(1.0, 50.0), "pll input: 1 MHz is out of range 8..=400");
    }
}
