//! Where switches are in a drawing: so that lengths are like the numbers of links between them.
//!
//! Stress is minimised by stochastic gradient descent (Zheng, Pawar, Goodman, *Graph Drawing by Stochastic Gradient Descent*, IEEE TVCG 25(9), 2019). The
//! random numbers are always the same, so the same network has the same drawing.

use powar_config::routing::tables::RoutingTables;

/// Rounds through all pairs; more change little.
const ROUNDS: usize = 60;
/// The smallest step is this share of the way that would be right for a pair alone.
const LAST_STEP: f64 = 0.02;

/// A place for each switch, links about 1 long, the widest extent along x.
pub(super) fn layout(tables: &RoutingTables) -> Vec<(f64, f64)> {
    let switches = tables.wiring().ends.len();
    let mut random = Random(1);
    let mut places: Vec<(f64, f64)> = (0..switches).map(|_| (random.unit(), random.unit())).collect();
    let mut pairs: Vec<(usize, usize, f64)> = (0..switches)
        .flat_map(|one| (one + 1..switches).map(move |other| (one, other, f64::from(tables.distance(one, other)))))
        .collect();
    let longest = pairs.iter().map(|pair| pair.2).fold(1.0, f64::max);
    // The step of a pair is eta / distance^2: from the longest's own to almost nothing.
    let (first, last) = (longest * longest, LAST_STEP);
    let decay = (last / first).ln() / (ROUNDS - 1) as f64;
    for round in 0..ROUNDS {
        let eta = first * (decay * round as f64).exp();
        for place in (1..pairs.len()).rev() {
            pairs.swap(place, random.below(place + 1));
        }
        for &(one, other, distance) in &pairs {
            let ((x, y), (there_x, there_y)) = (places[one], places[other]);
            let (dx, dy) = (x - there_x, y - there_y);
            let length = dx.hypot(dy).max(1e-9);
            let step = (eta / (distance * distance)).min(1.0) * (length - distance) / 2.0 / length;
            places[one] = (x - step * dx, y - step * dy);
            places[other] = (there_x + step * dx, there_y + step * dy);
        }
    }
    lying(apart(places))
}

/// The nearest other switch of each.
pub(super) fn nearest(places: &[(f64, f64)]) -> Vec<f64> {
    let far = |one: usize, other: usize| (places[one].0 - places[other].0).hypot(places[one].1 - places[other].1);
    let others = |one: usize| (0..places.len()).filter(move |&other| other != one);
    (0..places.len()).map(|one| others(one).map(|other| far(one, other)).fold(f64::MAX, f64::min)).collect()
}

/// Switches that have come to lie almost on each other pushed apart, to a part of the usual distance: there is to be room for their names.
fn apart(mut places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let mut usual = nearest(&places);
    usual.sort_by(f64::total_cmp);
    let least = 0.75 * usual[usual.len() / 2];
    for _ in 0..ROUNDS {
        for one in 0..places.len() {
            for other in 0..one {
                let (dx, dy) = (places[one].0 - places[other].0, places[one].1 - places[other].1);
                let length = dx.hypot(dy).max(1e-9);
                if length < least {
                    let step = (least - length) / 2.0 / length;
                    places[one] = (places[one].0 + step * dx, places[one].1 + step * dy);
                    places[other] = (places[other].0 - step * dx, places[other].1 - step * dy);
                }
            }
        }
    }
    places
}

/// Turned so that the widest extent is along x, around the middle.
fn lying(places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let count = places.len() as f64;
    let (x, y) = places.iter().fold((0.0, 0.0), |(x, y), place| (x + place.0 / count, y + place.1 / count));
    let moved: Vec<(f64, f64)> = places.into_iter().map(|place| (place.0 - x, place.1 - y)).collect();
    let moments = moved.iter().fold((0.0, 0.0, 0.0), |(xx, yy, xy), (x, y)| (xx + x * x, yy + y * y, xy + x * y));
    let (sine, cosine) = ((2.0 * moments.2).atan2(moments.0 - moments.1) / 2.0).sin_cos();
    moved.into_iter().map(|(x, y)| (cosine * x + sine * y, cosine * y - sine * x)).collect()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
