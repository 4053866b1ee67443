//! Whether a network keeps up with what its nodes give: the verdict `saturated` (`docs/networks.md`, *Beyond saturation*).
//!
//! The backlog is what has been given and has not come in, in flits. A network that keeps up has as much of it as packets are under way
//! in the mean (Little's law), from the time on in which the first ones have come in; one that does not has more and more. So it is looked
//! at in equal steps from the first cycle with traffic to the last, warm-up included, and the second half of that time decides: what has
//! not levelled off in the first half grows for good, however few cycles were measured.

use powar_config::topology::wiring::{End, Wiring};
use powar_golden::network::{Network, NetworkParameters, NodeModel, SwitchModel};
use powar_golden::port_counts::PortCounts;
use std::collections::VecDeque;
use std::ops::Range;

/// Looks in a run.
const LOOKS: u64 = 32;
/// Glances for each look, at the backlog alone.
const GLANCES: u64 = 8;
/// Parts of the second half whose least backlogs are compared: in each are so many glances that a backlog which swings with ports that close and open
/// by the clock comes to its least.
const PARTS: usize = 8;
/// The backlog's step must be so many times its standard error in the mean over the second half, 16 steps: Student's t. Bursts that last for
/// many steps reach 4.7 in networks that keep up (self-similar and task traffic, 400 seeds).
const SURE: f64 = 5.0;
/// It may be less where so much of all that was given has not come in, which bursts alone do not bring about.
const MUCH: f64 = 0.2;
/// Or where so much has not come in and the oldest message has been under way for this share of the time and for so many times what a packet
/// takes at most in a network that keeps up, waits for ports apart: it stands in a queue that is as old as it.
const SOME: f64 = 0.05;
const OLD: f64 = 0.25;
const OLDER: f64 = 10.0;
const SURE_OF_MUCH: f64 = 2.0;
/// Waits for all ports of a way that the run has to be as long as, before what swings is judged by what is left alone: packets that queue for ports to
/// wake take two such times in networks that keep up.
const LONG: f64 = 5.0;
/// What was accepted may be this share of what was offered, and the oldest message so much of all cycles old and older than it waits for ports, before
/// there is doubt whether the network keeps up where the verdict says nothing: it is sure of an overload, or silent.
const ACCEPTED: f64 = 0.97;
const DOUBTFUL: f64 = 0.05;
/// The least backlog of the last quarter over the greatest of the first half. A straight line has 1.5, the root of time, which a network
/// just below saturation follows for long, 1.2.
const RISE: f64 = 1.1;
/// Least share of what was given in the second half by which the backlog grew in it.
const LEAST_GROWTH: f64 = 0.01;
/// So many times the latency without load may be in the network.
const QUEUES: f64 = 2.5;
/// Switches from which the farthest one is looked for, at most.
const LOOKED_FROM: usize = 16;
/// With more of all that was given in the backlog, packets of the first half may all still be under way.
const NOT_LEVELLED: f64 = 0.55;

/// How long a packet is under way that meets no other, cycles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Alone {
    /// Over switches and links.
    pub latency: f64,
    /// Longest wait for a port to wake; 0 if all ports that ever sent could always do so.
    pub wait: f64,
    /// Switches that it crosses in the mean.
    pub hops: f64,
}

/// Switches on the shortest way to the farthest one, both included.
fn farthest(wiring: &Wiring) -> usize {
    let from = |start: usize| {
        let mut crossed = vec![0; wiring.ends.len()];
        crossed[start] = 1;
        let (mut next, mut most) = (VecDeque::from([start]), 1);
        while let Some(switch) = next.pop_front() {
            most = crossed[switch];
            for end in &wiring.ends[switch] {
                if let End::Switch { switch: other, .. } = end
                    && crossed[*other as usize] == 0
                {
                    crossed[*other as usize] = most + 1;
                    next.push_back(*other as usize);
                }
            }
        }
        most
    };
    let switches = wiring.ends.len();
    (0..switches).step_by(switches.div_ceil(LOOKED_FROM).max(1)).map(from).max().unwrap_or(1)
}

impl Alone {
    /// In a network that has run, from what its ports have counted since the beginning.
    pub fn in_network<S: SwitchModel, N: NodeModel>(network: &Network<S, N>, ports: &[Vec<PortCounts>]) -> Alone {
        let counts = network.counts();
        let share = |some: u64, of: u64| some as f64 / of.max(1) as f64;
        // Flits that are stuck have crossed switches too: of a network that has collapsed they are most of all.
        let hops = share(counts.flit_hops, counts.flits_delivered).clamp(1.0, farthest(network.wiring()) as f64);
        let flits = share(counts.flits_given, counts.messages_given);
        let parameters: &NetworkParameters = network.parameters();
        // Linear in both.
        let of = |hops, flits| parameters.zero_load_latency(hops, flits) as f64;
        let latency = of(1, 1) + (hops - 1.0) * (of(2, 1) - of(1, 1)) + (flits - 1.0);
        let residency = parameters.config.mechanism().residency;
        // No packet waits for a port that leads nowhere or was never to send, such as a wavelength that is another board's.
        let both = |(end, port): (&End, &PortCounts)| {
            let spent = |sends| {
                residency.iter().zip(&port.cycles).any(|(pair, &cycles)| pair.phase.sends() == sends && cycles > 0)
            };
            *end != End::Open && spent(true) && spent(false)
        };
        let ends = network.wiring().ends.iter().flatten();
        let sleeps = ends.zip(ports.iter().flatten()).any(both);
        Alone { latency, wait: if sleeps { network.longest_wait() as f64 } else { 0.0 }, hops }
    }

    /// Longest time that it may be under way in a network that keeps up.
    fn most(&self, waits: f64) -> f64 {
        QUEUES * self.latency + self.wait * waits
    }

    /// So many cycles after the last message was given all have come in, if the network keeps up.
    pub fn is_over_in(&self, cycles: u64) -> bool {
        cycles as f64 > self.most(self.hops)
    }

    /// Whether there is doubt that the network keeps up with what was `offered`, the oldest of its messages being so old at the end of so many cycles.
    pub fn is_doubtful(&self, (accepted, offered): (f64, f64), oldest: u64, cycles: u64) -> bool {
        less_came_in(accepted, offered) && oldest as f64 > (DOUBTFUL * cycles as f64).max(self.most(self.hops))
    }
}

/// Whether what was accepted is so much less than what was offered that there is reason to look why.
pub(super) fn less_came_in(accepted: f64, offered: f64) -> bool {
    accepted < ACCEPTED * offered
}

/// What had been given and had come in before a cycle, flits.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    cycle: u64,
    given: u64,
    delivered: u64,
}

impl Look {
    fn backlog(&self) -> f64 {
        self.given.saturating_sub(self.delivered) as f64
    }
}

/// The backlog over a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Backlog {
    /// Cycles in which to look, the next one last.
    due: Vec<u64>,
    /// Those in which to glance.
    due_glances: Vec<u64>,
    /// The first is the beginning, with nothing.
    looks: Vec<Look>,
    glances: Vec<Look>,
}

impl Backlog {
    /// Of traffic in a range of cycles.
    pub fn over(traffic: Range<u64>) -> Backlog {
        let Range { start, end } = traffic;
        let cycles = |all: u64| {
            let cycle = move |look| start + (u128::from(end - start) * u128::from(look) / u128::from(all)) as u64;
            let mut cycles: Vec<u64> = (1..=all).rev().map(cycle).filter(|&cycle| cycle > start).collect();
            cycles.dedup();
            cycles
        };
        let first = vec![Look { cycle: start, ..Look::default() }];
        Backlog { due: cycles(LOOKS), due_glances: cycles(LOOKS * GLANCES), looks: first.clone(), glances: first }
    }

    /// The cycle in which it is to be looked at next; `u64::MAX`: never.
    pub fn next(&self) -> u64 {
        // Each cycle in which to look is one in which to glance.
        self.due_glances.last().copied().unwrap_or(u64::MAX)
    }

    /// Looks, if it is time to.
    pub fn look<S: SwitchModel, N: NodeModel>(&mut self, network: &Network<S, N>) {
        if network.now() != self.next() {
            return;
        }
        let counts = network.counts();
        self.see(Look { cycle: network.now(), given: counts.flits_given, delivered: counts.flits_delivered });
    }

    /// What is to be seen next.
    fn see(&mut self, look: Look) {
        self.due_glances.pop();
        self.glances.push(look);
        if self.due.last() == Some(&look.cycle) {
            self.due.pop();
            self.looks.push(look);
        }
    }

    /// It grows, and would as long as the traffic goes on. `oldest` is the age of the oldest message under way at its end, cycles.
    pub fn grows(&self, alone: &Alone, oldest: u64) -> bool {
        let (Some(first), Some(last)) = (self.looks.first(), self.looks.last()) else { return false };
        let cycles = (last.cycle - first.cycle) as f64;
        if !self.due.is_empty() || last.given == 0 {
            return false;
        }
        let elapsed = |look: &&Look| (look.cycle - first.cycle) as f64 / cycles;
        let second: Vec<&Look> = self.looks.iter().filter(|look| elapsed(look) >= 0.5).collect();
        let highest = self.looks.iter().filter(|look| elapsed(look) <= 0.5).map(Look::backlog).fold(0.0, f64::max);
        let lowest =
            second.iter().copied().filter(|look| elapsed(look) >= 0.75).map(Look::backlog).fold(f64::MAX, f64::min);
        let growth = last.backlog() - second[0].backlog();
        let missing = last.backlog() / last.given as f64;
        // By Little's law the time that packets are under way, if it stayed at this.
        let held = missing * cycles;
        let waits = if missing > NOT_LEVELLED { alone.hops } else { 1.0 };
        let oldest = oldest as f64;
        let is_old = oldest > OLD * cycles && oldest > OLDER * alone.most(0.0) + alone.wait * alone.hops;
        let sure = if missing > MUCH || (missing > SOME && is_old) { SURE_OF_MUCH } else { SURE };
        let steps = student_t(second.iter().map(|look| look.backlog()));
        let is_steady = steps > sure || student_t(self.lows(&elapsed)) > SURE;
        let grows_by = |from: f64, to: f64| LEAST_GROWTH * (to - from) * (last.given - second[0].given) as f64 * 2.0;
        let is_rising = is_steady && lowest > RISE * highest && growth > grows_by(0.5, 1.0);
        // What swings by more than it grows needs no steps to be told of: neither bursts nor waits for ports leave so much behind for so long.
        let is_left = missing > MUCH && is_old && cycles > LONG * alone.wait * alone.hops;
        let low = |from, to| self.low(|look| (from..=to).contains(&elapsed(&look)));
        let rises = is_rising || is_left && low(0.75, 1.0) - low(0.5, 0.75) > grows_by(0.75, 1.0);
        rises && held > alone.most(waits)
    }

    /// The least backlog of some glances; more than any of none.
    fn low(&self, are_these: impl Fn(&Look) -> bool) -> f64 {
        self.glances.iter().filter(|look| are_these(look)).map(Look::backlog).fold(f64::MAX, f64::min)
    }

    /// The least backlog in each part of the second half.
    fn lows(&self, elapsed: &impl Fn(&&Look) -> f64) -> Vec<f64> {
        let part = |look: &&Look| ((elapsed(look) - 0.5) * 2.0 * PARTS as f64) as usize;
        let mut lows = vec![f64::MAX; PARTS];
        for look in self.glances.iter().filter(|look| elapsed(look) >= 0.5) {
            let low = &mut lows[part(&look).min(PARTS - 1)];
            *low = low.min(look.backlog());
        }
        // Of a run of a few cycles some parts have none.
        lows.retain(|low| *low < f64::MAX);
        lows
    }
}

/// The mean step of a backlog over its standard error.
fn student_t(backlogs: impl IntoIterator<Item = f64>) -> f64 {
    let backlogs: Vec<f64> = backlogs.into_iter().collect();
    let steps: Vec<f64> = backlogs.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let count = steps.len() as f64;
    let mean = steps.iter().sum::<f64>() / count;
    let squares: f64 = steps.iter().map(|step| (step - mean).powi(2)).sum();
    // Of no steps, or of no mean among equal ones, there is none.
    mean / (squares / (count - 1.0) / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AWAKE: Alone = Alone { latency: 100.0, wait: 0.0, hops: 3.0 };

    /// A run of so many cycles at 10 flits a cycle, with a backlog by the cycle.
    fn run(cycles: u64, backlog: impl Fn(f64) -> f64) -> Backlog {
        let mut seen = Backlog::over(0..cycles);
        while seen.next() != u64::MAX {
            let (cycle, given) = (seen.next(), 10 * seen.next());
            seen.see(Look { cycle, given, delivered: given - (backlog(cycle as f64) as u64).min(given) });
        }
        seen
    }

    /// Something between -1 and 1.
    fn noise(cycle: f64) -> f64 {
        (cycle * 12.9898).sin()
    }

    #[test]
    fn a_backlog_that_rises_to_the_end_grows_at_any_length() {
        for cycles in [2_000, 8_000, 32_000, 200_000, 1 << 40] {
            let seen = run(cycles, |cycle| 3.0 * cycle + 50.0 * noise(cycle));
            assert!(seen.grows(&AWAKE, 0), "{cycles}");
            // A tenth more than it takes.
            let step = cycles as f64 / 32.0;
            let seen = run(cycles, |cycle| cycle + 0.3 * step * noise(cycle));
            assert_eq!(seen.grows(&AWAKE, 0), cycles > 2_000, "{cycles}: a latency of 200");
        }
    }

    /// Ports are open for half of the time, and what comes meanwhile goes out when they open: the backlog swings by as much as it grows in four looks.
    #[test]
    fn one_that_swings_and_rises_grows_and_one_that_swings_alone_does_not() {
        let swing = |cycle: f64| 30_000.0 * ((cycle / 12_500.0).fract() - 0.5).abs();
        for cycles in [200_000, 300_000, 1 << 22] {
            assert!(run(cycles, |cycle| 1.2 * cycle + swing(cycle)).grows(&AWAKE, 0), "{cycles}");
            assert!(!run(cycles, swing).grows(&AWAKE, 0), "{cycles}");
            let half = cycles as f64 / 2.0;
            assert!(
                !run(cycles, |cycle| 1.2 * cycle.min(half) + swing(cycle)).grows(&AWAKE, 0),
                "levels off, {cycles}"
            );
        }
    }

    #[test]
    fn one_that_levels_off_or_falls_does_not() {
        for cycles in [2_000, 8_000, 32_000, 200_000] {
            let half = cycles as f64 / 2.0;
            assert!(
                !run(cycles, |cycle| 5.0 * cycle.min(half) + noise(cycle)).grows(&AWAKE, 0),
                "levels off, {cycles}"
            );
            assert!(!run(cycles, |cycle| 3.0 * half - (cycle - half).abs()).grows(&AWAKE, 0), "falls, {cycles}");
            assert!(!run(cycles, |cycle| 400.0 + 300.0 * noise(cycle)).grows(&AWAKE, 0), "noise, {cycles}");
            assert!(!run(cycles, |_| 0.0).grows(&AWAKE, 0));
        }
    }

    #[test]
    fn what_waits_for_ports_to_wake_is_no_overload() {
        // Nothing has come in yet in 2000 cycles, as if all waited.
        let seen = run(2_000, |cycle| 10.0 * cycle + noise(cycle));
        assert!(seen.grows(&AWAKE, 0) && !seen.grows(&Alone { wait: 2_600.0, ..AWAKE }, 0));
    }

    /// Of what waits for long a sixth of all that was given is enough, where it grows in few and large steps.
    #[test]
    fn one_with_a_message_as_old_as_it_needs_less_to_be_sure_of() {
        let seen = run(100_000, |cycle| 12_500.0 / 0.6 * (cycle / 12_500.0).floor());
        assert!(!seen.grows(&AWAKE, 10_000) && seen.grows(&AWAKE, 50_000));
        let level = run(100_000, |cycle| 60_000.0 + 8_000.0 * noise(cycle));
        assert!(!level.grows(&AWAKE, 90_000), "starved, but no more than before");
    }

    /// A quarter of all does not come in, under ports that close for 6 250 cycles at a time: eight times in this run.
    #[test]
    fn where_much_is_left_and_old_swings_hide_nothing() {
        let ports = Alone { wait: 6_250.0, hops: 1.0, ..AWAKE };
        let swing = |cycle: f64| 150_000.0 * ((cycle / 12_500.0).fract() - 0.5).abs();
        let seen = run(110_000, |cycle| 2.5 * cycle + swing(cycle));
        assert!(!seen.grows(&ports, 20_000) && seen.grows(&ports, 45_000));
        // In a run of two waits it may only be under way.
        assert!(!seen.grows(&Alone { wait: 18_000.0, hops: 3.0, ..AWAKE }, 90_000));
        // As much left since long ago, which no longer grows.
        let level = run(110_000, |cycle| 2.5 * cycle.max(110_000.0) + swing(cycle));
        assert!(!level.grows(&ports, 45_000));
    }

    #[test]
    fn there_is_doubt_where_less_comes_in_and_messages_are_older_than_they_wait_for_ports() {
        let ports = Alone { wait: 6_250.0, hops: 1.0, ..AWAKE };
        assert!(ports.is_doubtful((0.40, 0.5), 7_000, 110_000));
        assert!(!ports.is_doubtful((0.49, 0.5), 7_000, 110_000), "2 % less");
        assert!(!ports.is_doubtful((0.40, 0.5), 5_000, 110_000), "not old");
        assert!(!ports.is_doubtful((0.0094, 0.01), 6_400, 50_000), "since the ports were closed");
    }

    #[test]
    fn a_run_that_ended_early_or_without_traffic_has_none() {
        let mut seen = Backlog::over(0..1_000);
        assert!(!seen.grows(&AWAKE, 0));
        seen.due.clear();
        assert!(!seen.grows(&AWAKE, 0));
        assert!(!Backlog::over(5..5).grows(&AWAKE, 0) && !run(1, |_| 10.0).grows(&AWAKE, 0));
        assert_eq!(Backlog::over(10..13).due, [13, 12, 11]);
    }
}
