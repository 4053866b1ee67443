//! Dividers of the phase-locked loop.

use powar_hdl::demonstrator::Pll;

/// Ranges of the ECP5's data sheet, in MHz.
const PFD: std::ops::RangeInclusive<f64> = 3.125..=400.0;
const VCO: std::ops::RangeInclusive<f64> = 400.0..=800.0;

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
