//! Where the warm-up of synthetic traffic ends, found by MSER-5 (`docs/networks.md`, *Warm-up*).
//!
//! White, *An Effective Truncation Heuristic for Bias Reduction in Simulation Output*, Simulation 69(6), 1997; in batches of five as compared
//! by White, Cobb and Spratt, *A Comparison of Five Steady-State Truncation Heuristics for Simulation*, Winter Simulation Conference 2000.

use super::lasting::Lasting;
use super::outcome::Progress;
use super::simulation::{Interfaces, Simulation};
use super::traffic::Traffic;
use super::workloads::synthetic_workload;
use anyhow::{Result, bail};
use powar_golden::network::{Ended, Network, NodeModel, SwitchModel};
use powar_traffic::synthetic::SyntheticOptions;

/// Looks at the network in the cycles that the end is looked for in, at most.
const LOOKS: u64 = 2_000;
/// Cycles in which the end is looked for if fewer are to be measured.
const LEAST: u64 = 20_000;
/// Looks of a batch: the 5 of MSER-5.
const BATCH: usize = 5;

/// The end of a warm-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarmUpEnd {
    /// The first cycle behind it: the one found, or half of those looked at.
    pub cycle: u64,
    /// The network had settled by then.
    pub settled: bool,
    /// Cycles in which it was looked for.
    pub cycles: u64,
}

impl WarmUpEnd {
    /// What is said of it, in a line.
    pub fn note(&self) -> String {
        let WarmUpEnd { cycle, cycles, .. } = *self;
        match self.settled {
            true => {
                format!("the warm-up ends in cycle {cycle}, found by MSER-5 in the flits under way in {cycles} cycles")
            }
            false => format!(
                "no end of the warm-up was found by MSER-5: the flits under way have not settled in {cycles} cycles, {cycle} of them were left out"
            ),
        }
    }
}

/// Finds the end of the warm-up in the cycles with traffic of a simulation, which is run once for it.
///
/// # Errors
/// Traffic that is not synthetic; what is wrong with the simulation.
pub fn find_warm_up(simulation: &Simulation, progress: &mut dyn FnMut(&Progress)) -> Result<WarmUpEnd> {
    let Traffic::Synthetic(options) = &simulation.traffic else {
        bail!("warm_up: auto is for synthetic traffic only");
    };
    let parameters = simulation.network()?;
    match simulation.interfaces {
        Interfaces::Messages => find_in(simulation, options, &mut Network::new(&parameters)?, progress),
        Interfaces::AxiStream => find_in(simulation, options, &mut Network::with_interfaces(&parameters)?, progress),
    }
}

/// The simulation with as much warm-up as it needs, found in at least 20000 cycles, in front of the `cycles` to be measured; and what was found.
///
/// # Errors
/// As of [`find_warm_up`].
pub fn settled(
    simulation: &Simulation,
    cycles: u64,
    progress: &mut dyn FnMut(&Progress),
) -> Result<(Simulation, WarmUpEnd)> {
    let lasting = |simulation: &Simulation, cycles| {
        let mut simulation = simulation.clone();
        if let Traffic::Synthetic(options) = &mut simulation.traffic {
            options.cycles = cycles;
        }
        simulation
    };
    let found = find_warm_up(&lasting(simulation, cycles.max(LEAST)), progress)?;
    let simulation = lasting(simulation, cycles.saturating_add(found.cycle));
    Ok((Simulation { warm_up: found.cycle, ..simulation }, found))
}

fn find_in<S: SwitchModel, N: NodeModel>(
    simulation: &Simulation,
    options: &SyntheticOptions,
    network: &mut Network<S, N>,
    progress: &mut dyn FnMut(&Progress),
) -> Result<WarmUpEnd> {
    let (start, stop) = (options.start, options.stop());
    let mut workload = synthetic_workload(simulation, options, network)?;
    let mut workload = Lasting::new(&mut workload, stop);
    let step = (stop - start).div_ceil(LOOKS);
    let mut under_way = vec![];
    while network.now() < stop {
        let until = stop.min(network.now().max(start).saturating_add(step));
        let ended = network.run(&mut workload, until, &mut ())?;
        let counts = network.counts();
        under_way.push((counts.flits_given - counts.flits_delivered) as f64);
        progress(&Progress { cycle: network.now(), last: Some(stop), counts });
        if ended == Ended::Over {
            break;
        }
    }
    let cycles = stop - start;
    let found = mser(&under_way, BATCH);
    let cycle = start + found.map_or(cycles / 2, |looks| (looks as u64 * step).min(cycles / 2));
    Ok(WarmUpEnd { cycle, settled: found.is_some(), cycles })
}

/// How many observations to leave out at the beginning: those in front of which the standard error of the mean of the others, in batches, is least. None
/// if it is least with less than half of them left, or if there are too few to say.
fn mser(observations: &[f64], batch: usize) -> Option<usize> {
    let means: Vec<f64> =
        observations.chunks_exact(batch).map(|some| some.iter().sum::<f64>() / batch as f64).collect();
    let (mut sum, mut squares, mut best) = (0.0, 0.0, None);
    // From the end on, so that each sum is that of the one before and a batch; of the last few batches any are alike by chance.
    for (left, mean) in (1..).zip(means.iter().rev()) {
        (sum, squares) = (sum + mean, squares + mean * mean);
        let count = f64::from(left);
        let error = (squares - sum * sum / count).max(0.0) / (count * count);
        if left >= 2 * batch as u32 && best.is_none_or(|(least, _)| error <= least) {
            best = Some((error, means.len() - left as usize));
        }
    }
    best.map(|(_, left_out)| left_out).filter(|left_out| 2 * left_out <= means.len()).map(|batches| batches * batch)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around 100, from 0 on in so many observations, with something between -1 and 1 upon it.
    fn rising(all: u32, within: f64) -> Vec<f64> {
        let noise = |i: u32| (f64::from(i) * 12.9898).sin();
        (0..all).map(|i| 100.0 * (1.0 - (-f64::from(i) / within).exp()) + noise(i)).collect()
    }

    #[test]
    fn what_rises_to_a_level_is_left_out_until_it_is_there() {
        assert_eq!(mser(&vec![7.0; 100], 5), Some(0));
        // After four times 20 observations 2 of 100 are missing, after seven times less than the noise.
        let left_out = mser(&rising(2_000, 20.0), 5).unwrap();
        assert!((80..200).contains(&left_out), "{left_out}");
        let longer = mser(&rising(2_000, 60.0), 5).unwrap();
        assert!(longer > 2 * left_out && longer < 600, "{longer}");
    }

    #[test]
    fn what_goes_on_rising_has_no_end() {
        assert_eq!(mser(&(0..500).map(f64::from).collect::<Vec<_>>(), 5), None);
        assert_eq!(mser(&rising(1_000, 5_000.0), 5), None);
        assert_eq!(mser(&[1.0; 9], 5), None, "too few");
    }

    /// Of 5 batches of one the formula by hand: (n - d)^-2 times the sum of squares about the mean.
    #[test]
    fn the_least_is_that_of_the_formula() {
        let values: Vec<f64> = [90.0, 40.0, 10.0, 12.0, 9.0, 11.0, 10.0, 12.0].to_vec();
        let error = |out: usize| {
            let rest = &values[out..];
            let mean = rest.iter().sum::<f64>() / rest.len() as f64;
            rest.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (rest.len() as f64).powi(2)
        };
        let least = (0..=6).min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap();
        assert_eq!((mser(&values, 1), least), (Some(2), 2));
    }
}
