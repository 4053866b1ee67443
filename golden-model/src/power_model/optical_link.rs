//! Power of an optical link that scales its bit rate and voltage (Kodi and Louri, *Performance Adaptive Power-Aware Reconfigurable Optical
//! Interconnects for High-Performance Computing Systems*, SC 2007, sections 2.3.1 and 4.1): E-RAPID.
//!
//! The six published levels are the reference. [`OpticalLink`] has equations 1 to 9 with the constants of section 4.1; `docs/optical-links.md` compares both and says
//! where the printed equations can't be what was computed.

use powar_config::mechanism::e_rapid::LEVEL_MILLIWATTS;

use std::f64::consts::PI;

/// Bit rate, Gb/s, and what a link draws at it, mW (section 4.1). A level is its place here.
pub const LEVELS: [(f64, f64); 6] = [
    (5.0, LEVEL_MILLIWATTS[0]),
    (6.0, LEVEL_MILLIWATTS[1]),
    (7.0, LEVEL_MILLIWATTS[2]),
    (8.0, LEVEL_MILLIWATTS[3]),
    (9.0, LEVEL_MILLIWATTS[4]),
    (10.0, LEVEL_MILLIWATTS[5]),
];

/// Supply voltage at a bit rate, V: section 4.1 gives 0.9 V at 5 Gb/s and 1.8 V at 10 Gb/s, here with a line through both.
pub fn supply(gigabits: f64) -> f64 {
    0.18 * gigabits
}

/// Constants of a link in SI units; those of section 4.1 are the default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpticalLink {
    /// gamma: share of the bits that switch.
    pub switching: f64,
    /// C_L: load of the VCSEL's driver, F. Section 4.1 has 50 pF; the default is what the published levels leave for it.
    pub driver_load: f64,
    /// C_CDR: load of clock and data recovery, F.
    pub recovery_load: f64,
    /// I_th: threshold current of the VCSEL, A.
    pub threshold_current: f64,
    /// V_th: its threshold voltage, V.
    pub threshold_voltage: f64,
    /// R_s: its series resistance, ohm.
    pub series_resistance: f64,
    /// V_tn: threshold voltage of the transistor that modulates it, V (printed V_ln).
    pub transistor_threshold: f64,
    /// alpha beta: current of the detector for each of the VCSEL's.
    pub efficiency: f64,
    /// Delta V_0: swing that the receiver must have, V.
    pub swing: f64,
    /// A: gain of the receiver's amplifier.
    pub gain: f64,
    /// C_in of the amplifier, F: the diode's C_D. The gate's C_ox W L is not given, and makes no difference to a digit of the sum.
    pub input_capacitance: f64,
    /// V_e: Early voltage, V.
    pub early_voltage: f64,
    /// C_0: output capacitance of the amplifier, F.
    pub output_capacitance: f64,
    /// I_d: dark current, A.
    pub dark_current: f64,
}

impl Default for OpticalLink {
    fn default() -> Self {
        OpticalLink {
            switching: 0.5,
            driver_load: 3.71e-12,
            recovery_load: 9.26e-12,
            threshold_current: 0.1e-3,
            threshold_voltage: 2.0,
            series_resistance: 250.0,
            transistor_threshold: 0.38,
            efficiency: 0.4 * 0.3,
            swing: 0.1,
            gain: 10.0,
            input_capacitance: 0.05e-12,
            early_voltage: 20.0,
            output_capacitance: 0.05e-12,
            dark_current: 100e-9,
        }
    }
}

impl OpticalLink {
    /// Equation 2: what the driver of the VCSEL draws at so many Gb/s, W.
    pub fn driver(&self, gigabits: f64) -> f64 {
        self.switching * self.driver_load * supply(gigabits).powi(2) * gigabits * 1e9
    }

    /// R_f: feedback resistance of the receiver, ohm, by equation 7.
    pub fn feedback(&self, gigabits: f64) -> f64 {
        0.7 * self.gain / (2.0 * PI * gigabits * 1e9 * self.input_capacitance)
    }

    /// I_m: modulation current that the receiver's swing needs, A: `Delta V_0 = gamma alpha beta I_m R_f`. Equation 5 as printed, `gamma I_m / (beta alpha R_f)`, is no
    /// voltage and would ask for 53 A at 10 Gb/s.
    pub fn modulation(&self, gigabits: f64) -> f64 {
        self.swing / (self.switching * self.efficiency * self.feedback(gigabits))
    }

    /// Equation 4: the VCSEL, W.
    pub fn vcsel(&self, gigabits: f64) -> f64 {
        let modulation = self.modulation(gigabits);
        let current = self.threshold_current + modulation * self.switching;
        let source = supply(gigabits) - self.transistor_threshold;
        current * (self.threshold_voltage + modulation * self.series_resistance + source)
    }

    /// Equation 8: the receiver with its photodetector, W.
    pub fn receiver(&self, gigabits: f64) -> f64 {
        let rate = gigabits * 1e9;
        let dark = 0.7 * self.gain * self.dark_current.powi(2) / (2.0 * PI * self.input_capacitance * rate);
        let swing = 2.0 * PI * self.switching * self.swing.powi(2) * self.input_capacitance / (0.7 * self.gain) * rate;
        dark + self.bias(gigabits) + swing
    }

    /// Of that, the bias of the amplifier, W: all but some microwatts.
    pub fn bias(&self, gigabits: f64) -> f64 {
        2.0 * PI * self.early_voltage * self.output_capacitance * supply(gigabits) / 0.35 * gigabits * 1e9
    }

    /// Equation 9: clock and data recovery, W.
    pub fn recovery(&self, gigabits: f64) -> f64 {
        self.switching * self.recovery_load * supply(gigabits).powi(2) * gigabits * 1e9
    }

    /// Equation 1: the whole link, W.
    pub fn total(&self, gigabits: f64) -> f64 {
        self.driver(gigabits) + self.vcsel(gigabits) + self.receiver(gigabits) + self.recovery(gigabits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliwatts(seen: f64, expected: f64) {
        assert!((seen * 1e3 - expected).abs() < 0.05, "{} mW are not {expected}", seen * 1e3);
    }

    #[test]
    fn the_receiver_at_the_highest_rate() {
        let link = OpticalLink::default();
        milliwatts(link.recovery(10.0), 150.0);
        milliwatts(link.bias(10.0), 323.1);
        milliwatts(link.receiver(10.0), 323.1);
        milliwatts(link.vcsel(10.0), 1.7);
    }

    /// Of the default link they are microwatts and less: a link whose dark current and swing are large shows them.
    #[test]
    fn the_receivers_dark_current_and_swing() {
        let link = OpticalLink { dark_current: 1e-3, swing: 2.0, ..OpticalLink::default() };
        // 7 * (1 mA)^2 / (pi mS), and pi * (2 V)^2 * 0.05 pF / 7 * 10 GHz.
        milliwatts(link.receiver(10.0) - link.bias(10.0), 2.228 + 0.898);
    }

    /// The VCSEL alone is less than what the levels leave open.
    #[test]
    fn a_link_draws_what_its_parts_do() {
        let link = OpticalLink::default();
        milliwatts(link.driver(10.0), 60.1);
        milliwatts(link.total(10.0), 60.10 + 1.71 + 323.14 + 150.01);
    }

    /// The driver's load of section 4.1 alone would draw more than the whole link; what the levels leave for it is a fourteenth.
    #[test]
    fn the_drivers_load_can_not_be_what_is_printed() {
        let printed = OpticalLink { driver_load: 50e-12, ..OpticalLink::default() };
        milliwatts(printed.driver(10.0), 810.0);
        let (_, published) = LEVELS[5];
        let link = OpticalLink { driver_load: 0.0, ..OpticalLink::default() };
        milliwatts(published * 1e-3 - link.total(10.0), 60.1);
    }

    /// With that one constant fitted at the highest rate the equations are within a hundredth of every published level.
    #[test]
    fn equations_and_published_levels() {
        let link = OpticalLink::default();
        for (gigabits, published) in LEVELS {
            let ratio = link.total(gigabits) * 1e3 / published;
            assert!((0.99..1.001).contains(&ratio), "{gigabits} Gb/s: {ratio}");
        }
    }

    /// A cubic and a quadratic term, as of the driver and the clock recovery, and of the bias, pass through all levels.
    #[test]
    fn published_levels_are_smooth() {
        for (gigabits, published) in LEVELS {
            let fitted = 0.1996 * gigabits.powi(3) + 3.354 * gigabits.powi(2);
            assert!((fitted - published).abs() < 0.9, "{gigabits} Gb/s: {fitted} mW");
        }
        assert_eq!(
            LEVELS.map(|(gigabits, _)| (supply(gigabits) * 100.0).round()),
            [90.0, 108.0, 126.0, 144.0, 162.0, 180.0]
        );
    }
}
