//! The matrix that HPL 2.x makes, and the pivot rows of its factorisation.

/// The rows that a factorisation with partial pivoting of HPL's matrix of order `n` swaps to the diagonal.
///
/// Elements are the numbers from 1 on, column by column, of x -> 6364136223846793005 x + 1 modulo 2^64 from 100,
/// scaled to -0.5..0.5.
pub fn pivots(n: usize) -> Vec<u32> {
    let mut x = 100_u64;
    let mut matrix: Vec<Vec<f64>> = (0..n)
        .map(|_| {
            (0..n)
                .map(|_| {
                    x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    0.5 - x as f64 / 2_f64.powi(64)
                })
                .collect()
        })
        .collect();
    let mut pivots = Vec::with_capacity(n);
    for step in 0..n {
        let (done, rest) = matrix.split_at_mut(step + 1);
        let column = &mut done[step];
        let largest = |best: usize, row: usize| if column[row].abs() > column[best].abs() { row } else { best };
        let pivot = (step..n).fold(step, largest);
        pivots.push(pivot as u32);
        column.swap(step, pivot);
        let scale = 1.0 / column[step];
        column[step + 1..].iter_mut().for_each(|element| *element *= scale);
        for other in rest {
            other.swap(step, pivot);
            let factor = other[step];
            for (element, &below) in other[step + 1..].iter_mut().zip(&column[step + 1..]) {
                *element -= factor * below;
            }
        }
    }
    pivots
}
