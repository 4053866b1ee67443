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
