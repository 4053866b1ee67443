//! What drives a block in a campaign.

use anyhow::Result;
use powar_config::{Config, Layout, Meaning};
use powar_testbenches::expected_routing::ExpectedRouting;
use powar_testbenches::monitor::{Monitored, SwitchMonitor};
use powar_testbenches::random::Random;
use powar_testbenches::stimulus::{
    CrossingClocks, CrossingLoad, CrossingTraffic, HardlyReading, LinkOptions, LinkTraffic, NodeTraffic, Patient,
    Scenario, SerialCommands, Stimulus, TrafficKind,
};
use powar_testbenches::twins::{DEMONSTRATOR, SWITCH};
use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, Mutex};

/// Cycles of a burst, as of `powar check`.
const BURST: u32 = 200;

/// A stimulus with its parameters.
#[derive(Clone, Debug)]
pub enum Drive {
    /// Random inputs.
    Random(Scenario),
    /// Long waits and high counts.
    Patient { seed: u64 },
    /// Neighbours at all links of a whole switch.
    Links(Links),
    /// Packets at a block of a network interface.
    Node { seed: u64 },
    /// Input ports that can hardly ever read.
    HardlyReading,
    /// A sender and a receiver with clocks of their own.
    Crossing { seed: u64, periods: [u64; 2], late: u64, jitter: u64, reset_every: u32 },
    /// Commands on the serial line of a demonstrator.
    Serial { seed: u64 },
}

/// What is on the links of a switch.
#[derive(Clone, Copy, Debug)]
pub struct Links {
    pub seed: u64,
    /// Where the switch stands: a node at whose address, or below which, and its stage.
    pub node: usize,
    pub stage: usize,
    pub traffic: &'static TrafficName,
    pub manners: &'static Manners,
    /// Flits a cycle of each source, in hundredths.
    pub load: u64,
}

/// A kind of traffic, by its name on the command line.
#[derive(Debug)]
pub struct TrafficName {
    name: &'static str,
    kind: fn() -> TrafficKind,
}

/// The kinds, the simplest first.
static TRAFFIC: [TrafficName; 4] = [
    TrafficName { name: "uniform", kind: || TrafficKind::Uniform },
    TrafficName { name: "hot-spot", kind: || TrafficKind::HotSpot },
    TrafficName { name: "permutation", kind: || TrafficKind::Permutation },
    TrafficName { name: "bursty", kind: || TrafficKind::Bursty { cycles: BURST } },
];

/// How neighbours keep to the rules.
#[derive(Debug)]
pub struct Manners {
    name: &'static str,
    /// `--disturbances` of `powar check`; none if it has no such thing.
    argument: Option<&'static str>,
    options: fn(TrafficKind, f64, u64) -> LinkOptions,
}

/// The kinds, the simplest first.
static MANNERS: [Manners; 4] = [
    Manners { name: "steady", argument: Some("none"), options: LinkOptions::steady },
    Manners { name: "lively", argument: Some("legal"), options: LinkOptions::lively },
    Manners { name: "sleepy", argument: None, options: LinkOptions::sleepy },
    Manners { name: "rough", argument: Some("all"), options: LinkOptions::rough },
];

/// A stimulus, and what watches the links if something does.
pub type Watched = (Box<dyn Stimulus + Send>, Option<Arc<Mutex<SwitchMonitor>>>);

impl Drive {
    /// Stimuli for a block, of every kind that is for it.
    pub fn draw(config: &Config, block: &str, layout: &Layout, random: &mut Random) -> Vec<Drive> {
        if block == SWITCH {
            return (0..3).map(|_| Drive::Links(Links::draw(config, random))).collect();
        }
        if block == DEMONSTRATOR {
            return (0..2).map(|_| Drive::Serial { seed: random.bits() >> 32 }).collect();
        }
        let mut seed = || random.bits() >> 32;
        let mut drives: Vec<Drive> = vec![Drive::Random(Scenario::lively(seed()))];
        let more = [Drive::Patient { seed: seed() }, Drive::Node { seed: seed() }, Drive::HardlyReading];
        drives.extend(more.into_iter().filter(|drive| drive.is_for(config, block, layout)));
        drives.extend((0..2).map(|_| Drive::Random(scenario(random))));
        let has_clocks = layout.inputs.iter().any(|signal| signal.meaning == Meaning::ClockEdge);
        if has_clocks {
            drives.push(crossing(random));
        }
        drives
    }

    fn is_for(&self, config: &Config, block: &str, layout: &Layout) -> bool {
        match self {
            Drive::Patient { seed } => Patient::new(config, layout, *seed).is_some(),
            Drive::Node { seed } => NodeTraffic::new(config, block, layout, *seed).is_some(),
            Drive::HardlyReading => HardlyReading::new(config, layout).is_some(),
            _ => true,
        }
    }

    /// The stimulus itself.
    ///
    /// # Errors
    /// It is not for this block of this configuration.
    pub fn stimulus(&self, config: &Config, block: &str, layout: &Layout) -> Result<Watched> {
        let none = || anyhow::anyhow!("{self} is not for {block}");
        let stimulus: Box<dyn Stimulus + Send> = match self {
            Drive::Random(scenario) => Box::new(scenario.stimulus(config, layout)),
            Drive::Patient { seed } => Box::new(Patient::new(config, layout, *seed).ok_or_else(none)?),
            Drive::Links(links) => return links.stimulus(config, layout),
            Drive::Node { seed } => Box::new(NodeTraffic::new(config, block, layout, *seed).ok_or_else(none)?),
            Drive::HardlyReading => Box::new(HardlyReading::new(config, layout).ok_or_else(none)?),
            &Drive::Crossing { seed, periods, late, jitter, reset_every } => {
                let clocks = CrossingClocks::new(periods, late).with_jitter(jitter).with_stops(400, 40);
                let load = CrossingLoad { reset_every, ..CrossingLoad::LIVELY };
                Box::new(CrossingTraffic::new(config, layout, clocks, load, seed))
            }
            Drive::Serial { seed } => Box::new(SerialCommands::busy(config, layout, *seed)),
        };
        Ok((stimulus, None))
    }

    /// The same for another configuration, in which the switch may have to stand elsewhere.
    pub fn fitted(&self, config: &Config) -> Drive {
        match (self, config.topology.as_deref()) {
            (Drive::Links(links), Some(topology)) => Drive::Links(Links {
                node: links.node % topology.nodes(config.ports).max(1),
                stage: links.stage % topology.stages(),
                ..*links
            }),
            _ => self.clone(),
        }
    }

    /// Simpler stimuli for the same block, which `powar check` has: the simplest first, with so many seeds each.
    pub fn simpler(&self, seeds: u64) -> Vec<Drive> {
        let links = |manners: &'static Manners, load| {
            move |seed| Drive::Links(Links { seed, node: 0, stage: 0, traffic: &TRAFFIC[0], manners, load })
        };
        match self {
            Drive::Links(own) => {
                let at_its_place = |seed| Drive::Links(Links { seed, ..*own });
                let [steady, lively, _, rough] = &MANNERS;
                (1..=seeds)
                    .flat_map(|seed| {
                        let simple = [links(steady, 40)(seed), links(lively, 40)(seed), links(rough, 80)(seed)];
                        simple.into_iter().chain([at_its_place(seed)])
                    })
                    .collect()
            }
            Drive::Serial { .. } => (1..=seeds).map(|seed| Drive::Serial { seed }).collect(),
            _ => (1..=seeds).map(|seed| Drive::Random(Scenario::lively(seed))).collect(),
        }
    }

    /// The arguments with which `powar check` drives a block so; none if it can't.
    pub fn check_arguments(&self) -> Option<String> {
        match self {
            Drive::Random(scenario) => {
                let lively = Scenario::lively(scenario.seed);
                (format!("{lively:?}") == format!("{scenario:?}")).then(|| format!("--seed {}", scenario.seed))
            }
            Drive::Links(links) => links.check_arguments(),
            _ => None,
        }
    }
}

impl Links {
    fn draw(config: &Config, random: &mut Random) -> Links {
        let topology = config.topology.as_deref().expect("a whole switch has a topology");
        Links {
            seed: random.bits() >> 32,
            node: random.below(topology.nodes(config.ports) as u64) as usize,
            stage: random.below(topology.stages() as u64) as usize,
            traffic: &TRAFFIC[random.below(TRAFFIC.len() as u64) as usize],
            manners: &MANNERS[random.below(MANNERS.len() as u64) as usize],
            load: 2 + random.below(98),
        }
    }

    fn load(&self) -> f64 {
        self.load as f64 / 100.0
    }

    fn stimulus(&self, config: &Config, layout: &Layout) -> Result<Watched> {
        let routing = ExpectedRouting::new(config, self.node, self.stage)?;
        let options = (self.manners.options)((self.traffic.kind)(), self.load(), self.seed);
        let traffic = LinkTraffic::new(config, &routing, layout, options)?;
        let watched = Monitored::new(traffic, SwitchMonitor::new(config, &routing, layout)?);
        let monitor = watched.monitor();
        Ok((Box::new(watched), Some(monitor)))
    }

    fn check_arguments(&self) -> Option<String> {
        let disturbances = self.manners.argument?;
        let Links { seed, node, stage, traffic, .. } = self;
        let (traffic, load) = (traffic.name, self.load());
        Some(format!(
            "--traffic {traffic} --load {load} --disturbances {disturbances} --node {node} --stage {stage} --seed {seed}"
        ))
    }
}

/// Random inputs with parameters at random.
fn scenario(random: &mut Random) -> Scenario {
    let mut below = |bound: u64| random.below(bound) as u32;
    Scenario {
        reset_every: [0, 0, 3 + below(50), 100 + below(2000), 5000][below(5) as usize],
        density: [0, 255, 1 + below(40), 20 + below(100), below(256)][below(5) as usize] as u8,
        hot_ports: [None, None, Some(1), Some(2 + below(2) as u8)][below(4) as usize],
        longest: [below(2), 2 + below(10), 12 + below(200)][below(3) as usize],
        hold: [1, 2 + below(30), 100 + below(1000)][below(3) as usize],
        limits: below(2) == 0,
        seed: random.bits() >> 32,
    }
}

/// Two clocks at random, of which neither is more than some five times as fast as the other.
fn crossing(random: &mut Random) -> Drive {
    let periods = [3 + random.below(14), 3 + random.below(14)];
    let (late, jitter) = (random.below(periods[1]), random.below(2));
    Drive::Crossing {
        seed: random.bits() >> 32,
        periods,
        late,
        jitter,
        reset_every: [0, 4000][random.below(2) as usize],
    }
}

impl Display for Drive {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Drive::Random(Scenario { seed, reset_every, density, hot_ports, longest, hold, limits }) => write!(
                f,
                "random inputs (seed {seed}, a reset in {reset_every} cycles, density {density}/256, hot ports {hot_ports:?}, \
                 durations to {longest}, held for {hold}, limits {limits})"
            ),
            Drive::Patient { seed } => write!(f, "long waits and high counts (seed {seed})"),
            Drive::Links(Links { seed, node, stage, traffic, manners, load }) => write!(
                f,
                "{} {} traffic at load {}.{:02} on the links, at node {node}, stage {stage} (seed {seed})",
                manners.name,
                traffic.name,
                load / 100,
                load % 100
            ),
            Drive::Node { seed } => write!(f, "packets at a network interface (seed {seed})"),
            Drive::HardlyReading => write!(f, "input ports that hardly read"),
            Drive::Crossing { seed, periods, late, jitter, reset_every } => write!(
                f,
                "a crossing between clocks of {periods:?}, {late} late, jitter {jitter}, a reset in {reset_every} (seed {seed})"
            ),
            Drive::Serial { seed } => write!(f, "commands on the serial line (seed {seed})"),
        }
    }
}
