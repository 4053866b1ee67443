//! Means of repeated measurements, and how far these lie from them.

use std::f64::consts::PI;

/// Probability with which the true mean is inside the interval.
pub const CONFIDENCE: f64 = 0.95;

/// What stands behind the mean of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Of samples of one thing: half the width of the mean's confidence interval.
    Confidence,
    /// Of different things: their standard deviation.
    Deviation,
}

impl Spread {
    /// What stands behind a column's name for it.
    pub fn suffix(self) -> &'static str {
        match self {
            Spread::Confidence => ".ci95",
            Spread::Deviation => ".sd",
        }
    }

    /// What a figure's title says of it behind "means of 3"; `key` is what the values are of.
    pub fn in_title(self, key: &str) -> String {
        match self {
            Spread::Confidence => ", 95 % confidence".to_owned(),
            Spread::Deviation => format!(" values of {key}, whiskers one standard deviation"),
        }
    }
}

/// Mean of repeated measurements, and how far they are around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub mean: f64,
    /// Whiskers are from `mean - half_width` to `mean + half_width`.
    pub half_width: f64,
}

impl Estimate {
    /// Of at least two measurements. The confidence interval is by Student's t: they are taken for independent and about normal.
    pub fn of(values: &[f64], spread: Spread) -> Option<Estimate> {
        let n = values.len();
        if n < 2 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (n - 1) as f64).sqrt();
        let half_width = match spread {
            Spread::Confidence => quantile(CONFIDENCE, n - 1) * deviation / (n as f64).sqrt(),
            Spread::Deviation => deviation,
        };
        Some(Estimate { mean, half_width })
    }
}

/// The t of which Student's distribution with so many degrees of freedom, 1 or more, has `probability` between -t and t.
pub fn quantile(probability: f64, freedom: usize) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    while within(high, freedom) < probability {
        (low, high) = (high, 2.0 * high);
    }
    // Halved until there is no number between.
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if within(middle, freedom) < probability { low = middle } else { high = middle }
    }
}

/// The probability between -t and t: a finite sum for whole degrees of freedom (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
fn within(t: f64, freedom: usize) -> f64 {
    let angle = (t / (freedom as f64).sqrt()).atan();
    let square = angle.cos().powi(2);
    let odd = freedom % 2 == 1;
    // Terms cos^k, k of the parity of `freedom` - 2, each the last one times cos^2 (k - 1) / k.
    let mut term = if odd { angle.cos() } else { 1.0 };
    let mut sum = 0.0;
    let mut power = usize::from(odd);
    while power + 2 <= freedom {
        sum += term;
        power += 2;
        term *= square * (power - 1) as f64 / power as f64;
    }
    if odd { 2.0 / PI * (angle + angle.sin() * sum) } else { angle.sin() * sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        // By number of measurements: tables of Student's t, two-sided 95 %.
        let known =
            [(2, 12.706), (3, 4.303), (4, 3.182), (5, 2.776), (6, 2.571), (11, 2.228), (30, 2.045), (31, 2.042)];
        for (n, t) in known {
            assert!((quantile(0.95, n - 1) - t).abs() < 5e-4, "{n}: {}", quantile(0.95, n - 1));
        }
        // Of very many, the normal distribution's; another probability.
        assert!((quantile(0.95, 10_000) - 1.9602).abs() < 1e-4);
        assert!((quantile(0.99, 4) - 4.604).abs() < 5e-4 && (quantile(0.5, 1) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn intervals_are_as_wide_as_by_hand() {
        // Mean 2, deviation 1, n = 3.
        let Estimate { mean, half_width } = Estimate::of(&[1.0, 3.0, 2.0], Spread::Confidence).unwrap();
        assert!((mean - 2.0).abs() < 1e-15 && (half_width - 4.302_652_73 / 3f64.sqrt()).abs() < 1e-7, "{half_width}");
        assert_eq!(Estimate::of(&[1.0, 3.0, 2.0], Spread::Deviation), Some(Estimate { mean: 2.0, half_width: 1.0 }));
        assert_eq!(Estimate::of(&[5.0, 5.0], Spread::Confidence), Some(Estimate { mean: 5.0, half_width: 0.0 }));
        assert_eq!(Estimate::of(&[5.0], Spread::Confidence), None);
    }
}
