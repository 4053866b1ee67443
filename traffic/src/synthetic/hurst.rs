//! How self-similar a series is: an estimator of its Hurst index H. 0.5: no long-range dependence; towards 1: ever more.

use std::ops::RangeInclusive;

/// By the wavelet method with Haar wavelets (Abry and Veitch, *Wavelet analysis of long-range-dependent traffic*, 1998): the energy
/// of the details at scale 2^j goes with 2^(j (2H - 1)). Not led astray by an unknown mean, as the variance-time plot is.
///
/// `octaves` are the j to look at: scales above those at which bursts are seen one by one. Each needs two blocks of 2^j values at
/// least, else it doesn't count. NaN if fewer than two octaves count.
pub fn wavelet(series: &[f64], octaves: RangeInclusive<u32>) -> f64 {
    let mut sums = series.to_vec();
    let mut points = Vec::new();
    for octave in 1..=*octaves.end() {
        let pairs = sums.chunks_exact(2);
        let count = pairs.len() as f64;
        if octaves.contains(&octave) && count >= 2.0 {
            let energy: f64 = pairs.clone().map(|pair| (pair[0] - pair[1]).powi(2)).sum();
            let scale = f64::from(octave);
            // The logarithm of a mean over `count` has a variance that goes with 1 / count.
            points.push((scale, (energy / count).log2() - scale, count));
        }
        sums = pairs.map(|pair| pair[0] + pair[1]).collect();
    }
    (slope(&points) + 1.0) / 2.0
}

/// The slope of the line that fits points (x, y, weight) best.
fn slope(points: &[(f64, f64, f64)]) -> f64 {
    let weight: f64 = points.iter().map(|p| p.2).sum();
    let x = points.iter().map(|p| p.0 * p.2).sum::<f64>() / weight;
    let y = points.iter().map(|p| p.1 * p.2).sum::<f64>() / weight;
    let both: f64 = points.iter().map(|p| p.2 * (p.0 - x) * (p.1 - y)).sum();
    both / points.iter().map(|p| p.2 * (p.0 - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::random::Random;

    /// Independent values have H = 0.5; their running sum looks like H = 1 and more; what alternates, like less than 0.5.
    #[test]
    fn known_series() {
        let mut random = Random::new(3, 0);
        let noise: Vec<f64> = (0..1 << 18).map(|_| random.unit()).collect();
        let h = wavelet(&noise, 1..=12);
        assert!((h - 0.5).abs() < 0.03, "{h}");
        let walk: Vec<f64> = noise
            .iter()
            .scan(0.0, |sum, value| {
                *sum += value - 0.5;
                Some(*sum)
            })
            .collect();
        assert!(wavelet(&walk, 1..=12) > 1.3);
        let differences: Vec<f64> = noise.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(wavelet(&differences, 1..=8) < 0.2);
    }
}
