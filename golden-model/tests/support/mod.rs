//! Random configurations and stimuli for the power controller, and other power mechanisms than those of the configuration.

pub mod alonso;
pub mod changed;
pub mod depths;
pub mod e_rapid;
pub mod erratic;
pub mod every_routing;
pub mod hints_depths;
pub mod links;
pub mod mimic;
pub mod perf_bound;
pub mod soteriou_peh;
pub mod stepped;
pub mod wake_hints;

use fastrand::Rng;
use powar_config::mechanism::e_rapid::RING;
use powar_config::mechanism::powar::policy;
use powar_config::units::Nanoseconds;
use powar_config::{Chosen, Config, Deterministic, Group, Layout, Mechanism, Role, Routing, mechanism, presets};
use powar_golden::bits::low_bits;
use powar_golden::fast::controller::PowerController;
use powar_golden::fast::mechanisms::EventMechanism;
use powar_golden::fast::switch::{Payload, Switch};
use powar_golden::reference::controller::StepwiseController;
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::switch::StepwiseSwitch;
use proptest::test_runner::Config as ProptestConfig;

/// How many of so many random cases are tried: all in the long form of the tests (`POWAR_LONG`), else half.
pub fn drawn(all: u64) -> u64 {
    if std::env::var_os("POWAR_LONG").is_some() { all } else { all.div_ceil(2) }
}

/// So many random cases of a property, or [as many as are drawn](drawn).
pub fn cases(all: u32) -> ProptestConfig {
    let cases = drawn(all.into()) as u32;
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Which power mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestedMechanism {
    /// That of the configuration.
    Configured,
    /// Likewise, but random configurations are of Alonso's mechanism.
    Alonso,
    /// Likewise of Soteriou and Peh's, most of them in meshes and tori of two dimensions.
    SoteriouPeh,
    /// E-RAPID's, of boards of 3 ports or more.
    ERapid,
    /// Those with hints, in stars, trees, meshes and tori.
    WakeHints,
    /// Those with two depths of sleep, with times of a few cycles.
    Depths,
    /// Those with both, with budgets that are about what a deep wake-up costs.
    HintsDepths,
    /// Those whose ports choose their thresholds, by windows of some gaps.
    PerfBound,
    /// Random configurations are of the mechanism of this name, with its defaults: software changes them.
    Named(&'static str),
    Erratic,
    Mimic,
}

/// Gives a configuration one of the routings for its topology and any number of virtual channels, as deep as before.
pub fn draw_routing(config: &mut Config, rng: &mut Rng) {
    let alonso = config.mechanism().name == "alonso";
    let topology = &**config.topology.as_ref().unwrap();
    let known: Vec<&Routing> = Routing::of(topology).filter(|routing| !(alonso && routing.sees.table)).collect();
    let routing = known[rng.usize(0..known.len())];
    let depth = config.switch.vc_depth();
    config.routing = Some(routing);
    if routing.sees.table {
        config.groups.clear();
    }
    if routing.deterministic == Deterministic::Set {
        config.deterministic = Deterministic::Set;
    }
    config.switch.vcs = rng.usize(routing.least_vcs..=8);
    config.switch.buffer_flits = depth * config.switch.vcs;
    config.check_switch().unwrap();
}

impl TestedMechanism {
    fn times(seed: u64) -> mimic::Times {
        mimic::Times { rest: 1 + seed % 37, wake: 1 + seed / 37 % 11 }
    }

    /// Its models, block by block and event-driven; `None`: those of the configuration.
    fn models(self, config: &Config, seed: u64) -> Option<(Box<dyn PowerMechanism>, Box<dyn EventMechanism>)> {
        let (ports, times) = (config.ports, TestedMechanism::times(seed));
        match self {
            TestedMechanism::Configured
            | TestedMechanism::Alonso
            | TestedMechanism::SoteriouPeh
            | TestedMechanism::WakeHints
            | TestedMechanism::Depths
            | TestedMechanism::HintsDepths
            | TestedMechanism::PerfBound
            | TestedMechanism::Named(_) => None,
            TestedMechanism::ERapid => Some(e_rapid::models(config, seed)),
            TestedMechanism::Erratic => {
                let erratic: Box<dyn PowerMechanism> = Box::new(erratic::Erratic::new(ports, seed));
                Some((erratic.clone(), Box::new(stepped::Stepped::new(ports, erratic))))
            }
            TestedMechanism::Mimic => {
                Some((Box::new(mimic::Mimic::new(ports, times)), Box::new(mimic::EventMimic::new(ports, times))))
            }
        }
    }

    /// The mechanisms that are for any switch.
    pub fn for_any_switch() -> impl Iterator<Item = TestedMechanism> {
        let mut config = presets::by_name("star-16").unwrap();
        config.topology = None;
        mechanism::ALL.into_iter().map(|mechanism| TestedMechanism::Named(mechanism.name)).filter(move |kind| {
            kind.take_over(&mut config);
            config.check().is_ok()
        })
    }

    /// Gives a configuration the mechanism that is named, if one is.
    pub fn take_over(self, config: &mut Config) {
        if let TestedMechanism::Named(name) = self {
            config.mechanism = Chosen(Mechanism::by_name(name).unwrap().defaults());
        }
    }

    /// A random configuration of a controller.
    pub fn random_config(self, ports: usize, rng: &mut Rng) -> Config {
        let mut config = random_config(ports, rng);
        self.take_over(&mut config);
        if self == TestedMechanism::Alonso {
            config.topology = Some(alonso::random_topology(ports, rng));
            alonso::take_over(&mut config, rng);
        }
        if self == TestedMechanism::SoteriouPeh {
            if ports > 4 && rng.u8(0..4) != 0 {
                config.topology = Some(soteriou_peh::random_grid(ports - 4, rng));
            }
            soteriou_peh::take_over(&mut config, rng);
        }
        if self == TestedMechanism::ERapid {
            config.topology = Some(Box::new(e_rapid::random_boards(ports, rng)));
            e_rapid::take_over(&mut config, rng);
        }
        if [TestedMechanism::WakeHints, TestedMechanism::HintsDepths].contains(&self) {
            config.topology = Some(wake_hints::random_topology(ports, rng));
            wake_hints::draw_routing(&mut config, rng);
            wake_hints::take_over(&mut config, rng);
        }
        if self == TestedMechanism::HintsDepths {
            hints_depths::take_over(&mut config, rng);
        }
        if self == TestedMechanism::Depths {
            depths::take_over(&mut config, rng);
        }
        if self == TestedMechanism::PerfBound {
            perf_bound::take_over(&mut config, rng);
        }
        config
    }

    /// A controller of the single blocks with this mechanism.
    pub fn stepwise_controller(self, config: &Config, seed: u64) -> StepwiseController {
        match self.models(config, seed) {
            Some((reference, _)) => StepwiseController::with_mechanism(config, reference),
            None => StepwiseController::new(config),
        }
    }

    /// The event-driven one.
    pub fn controller(self, config: &Config, seed: u64) -> PowerController {
        let stepwise = self.stepwise_controller(config, seed);
        match self.models(config, seed) {
            Some((_, event)) => PowerController::with_mechanism(config, event, &stepwise),
            None => PowerController::new(config),
        }
    }

    /// A switch of the single blocks with this mechanism.
    pub fn stepwise_switch(self, config: &Config, seed: u64) -> StepwiseSwitch {
        match self.models(config, seed) {
            Some((reference, _)) => StepwiseSwitch::with_mechanism(config, reference),
            None => StepwiseSwitch::new(config),
        }
    }

    /// The event-driven one, at a place in the network.
    pub fn switch<P: Payload>(self, config: &Config, seed: u64, (position, stage): (u16, u8)) -> Switch<P> {
        let switch = match self.models(config, seed) {
            Some((_, event)) => Switch::with_mechanism(config, event, position, stage),
            None => Switch::new(config, position, stage),
        };
        switch.unwrap()
    }
}

/// A configuration of `ports` ports with everything else drawn: durations of a few cycles, so that much happens.
pub fn random_config(ports: usize, rng: &mut Rng) -> Config {
    let mut config = presets::by_name("fat-tree-2").unwrap();
    // A cycle is a nanosecond here, so that durations below are cycles.
    let cycles = |rng: &mut Rng, most: u32| Nanoseconds(f64::from(rng.u32(1..=most)));
    config.cycle_ns = 1.0;
    config.topology = None;
    config.ports = ports;
    config.requesters = [None, Some(1), Some(rng.usize(1..=64))][rng.usize(0..3)];
    config.deterministic = if rng.bool() { Deterministic::Single } else { Deterministic::Set };
    config.groups = random_groups(ports, rng);
    let powar = config.powar_mut().unwrap();
    powar.policy = policy::ALL[rng.usize(0..4)].name.into();
    powar.pdt = [Nanoseconds(0.0), cycles(rng, 1), cycles(rng, 40)][rng.usize(0..3)];
    powar.t_sleep = cycles(rng, 12);
    powar.t_wake = cycles(rng, 12);
    if rng.bool() {
        (powar.t_quiet, powar.t_refresh) = (cycles(rng, 20), cycles(rng, 8));
    }
    powar.abort_sleep = rng.bool();
    powar.check_period = Nanoseconds(f64::from(rng.u32(2..60)));
    config.check().unwrap();
    config
}

/// Groups over some of the ports, in any order.
fn random_groups(ports: usize, rng: &mut Rng) -> Vec<Group> {
    let (mut groups, mut first) = (Vec::new(), 0);
    while rng.u8(0..8) != 0 {
        first += rng.usize(0..3);
        if first >= ports {
            break;
        }
        let size = rng.usize(1..=ports - first);
        groups.push(Group { first, size });
        first += size;
    }
    rng.shuffle(&mut groups);
    groups
}

/// Stimuli that drive the power controller through everything it can do.
pub struct Stimuli {
    ports: usize,
    requesters: usize,
    deterministic: Deterministic,
    rng: Rng,
    temperament: Temperament,
    slots: Slots,
    /// What is on the lanes, and where the switch is, if the mechanism reads words.
    lanes: Option<(wake_hints::Lanes, (u64, u64))>,
}

/// Where inputs are in the frame.
struct Slots {
    flit_valid: usize,
    flit_tail: usize,
    write_enable: usize,
    read_request: usize,
    /// Slots and widths of what a mechanism sees of the switch around it.
    around: Vec<(usize, usize)>,
    /// Slots of the position, the stage and the hints, if it reads words.
    lanes: Option<[usize; 3]>,
}

impl Slots {
    /// Now and then all neighbours are in the same phase, or the switch is at a place that is likely in a network.
    fn settle(&self, inputs: &mut [u64], rng: &mut Rng) {
        let phase = [0, 2, 2, 3, 5][rng.usize(0..5)];
        let (phases, place) = (rng.bool(), rng.bool());
        for &(slot, width) in &self.around {
            match width {
                3 if phases => inputs[slot] = phase,
                4 if place => inputs[slot] = rng.u64(0..4),
                16 if place => inputs[slot] = if rng.bool() { 0 } else { 1 << rng.u8(0..16) },
                _ => {}
            }
        }
    }
}

/// What is likely for a while.
#[derive(Clone, Copy)]
struct Temperament {
    /// Chance that an idle requester gets a packet, in 1/256.
    request: u8,
    /// Chance that a port that transmits has a flit, in 1/256.
    flit: u8,
    /// Chance that a flit is a tail, in 1/256.
    tail: u8,
    /// Requests are held until granted and flits leave only where a packet transmits.
    obeys: bool,
    /// Chance of a register write, and that another word is read, in 1/256.
    write: u8,
    /// Chance that something that is seen around the switch changes, in 1/256.
    around: u8,
    /// Chance of a word on the control ring, in 1/256.
    ring: u8,
}

impl Stimuli {
    pub fn new(config: &Config, layout: &Layout, mut rng: Rng) -> Self {
        let temperament = Temperament { request: 64, flit: 200, tail: 64, obeys: true, write: 2, around: 16, ring: 8 };
        let (ports, requesters) = (config.ports, config.requesters());
        let slot = |name: &str| layout.slot(Role::Input, name).unwrap();
        let (flit_tail, write_enable) = (slot("flit_tail"), slot("write_enable"));
        let widths = layout.inputs.iter().flat_map(|signal| vec![signal.width; signal.rows]);
        let around = widths.enumerate().filter(|(slot, _)| (flit_tail + 1..write_enable).contains(slot));
        let slots = Slots {
            flit_valid: slot("flit_valid"),
            flit_tail,
            write_enable,
            read_request: slot("read_request"),
            around: around.collect(),
            lanes: wake_hints::Lanes::new(config).map(|_| ["position", "stage", "hint_in"].map(slot)),
        };
        let lanes = wake_hints::Lanes::new(config).map(|lanes| {
            let place = lanes.place(&mut rng);
            (lanes, place)
        });
        Stimuli { ports, requesters, deterministic: config.deterministic, rng, temperament, slots, lanes }
    }

    /// Turns the last cycle's input frame into the next one's. `transmit` is what the last cycle showed, and `accepted`
    /// has bit r for a requester that it granted a port.
    pub fn next(&mut self, inputs: &mut [u64], transmit: u64, accepted: u64) {
        let rng = &mut self.rng;
        if rng.u8(..) < 4 {
            let chance = |rng: &mut Rng| [0, 2, 20, 128, 255][rng.usize(0..5)];
            self.temperament = Temperament {
                request: chance(rng),
                flit: chance(rng),
                tail: chance(rng),
                obeys: rng.u8(0..4) != 0,
                write: [0, 1, 1, 30][rng.usize(0..4)],
                around: [0, 1, 16, 16][rng.usize(0..4)],
                ring: [0, 0, 4, 60, 255][rng.usize(0..5)],
            };
            self.slots.settle(inputs, rng);
        }
        let Temperament { request, flit, tail, obeys, write, around, ring } = self.temperament;
        let rows = self.requesters;
        inputs[0] = u64::from(rng.u16(0..700) == 0);
        for r in 0..rows {
            let waits = inputs[1 + r] | inputs[1 + rows + r] != 0 && accepted >> r & 1 == 0;
            if waits && (obeys || rng.bool()) {
                continue;
            }
            let (adaptive, deterministic) =
                if rng.u8(..) < request { random_sets(self.ports, self.deterministic, obeys, rng) } else { (0, 0) };
            (inputs[1 + r], inputs[1 + rows + r]) = (adaptive, deterministic);
        }
        let thin = |rng: &mut Rng, chance: u8| {
            (0..self.ports).fold(0, |vector, port| vector | u64::from(rng.u8(..) < chance) << port)
        };
        let slots = &self.slots;
        inputs[slots.flit_valid] = thin(rng, flit) & if obeys { transmit } else { u64::MAX };
        inputs[slots.flit_tail] = thin(rng, tail) & if obeys { inputs[slots.flit_valid] } else { u64::MAX };
        for &(slot, width) in &slots.around {
            if width == RING.bits {
                inputs[slot] = if rng.u8(..) < ring { e_rapid::random_word(rng) } else { 0 };
            // What is seen otherwise stays as it is for a while, as a rule.
            } else if rng.u8(..) < around {
                inputs[slot] = rng.u64(..) & low_bits(width);
            }
        }
        if let (Some((lanes, place)), Some([position, stage, hint_in])) = (&mut self.lanes, slots.lanes) {
            inputs[hint_in] = lanes.next(rng);
            if rng.u8(..) == 0 {
                *place = lanes.place(rng);
            }
            (inputs[position], inputs[stage]) = *place;
        }
        let writing = &mut inputs[slots.write_enable..][..3];
        writing[0] = u64::from(rng.u8(..) < write);
        writing[1] = [3, rng.u64(0x10..0x22), rng.u64(0..1 << 10)][[0, 1, 1, 1, 1, 2][rng.usize(0..6)]];
        // Mostly small values, so that what is written soon has an effect.
        writing[2] = u64::from(rng.u32(..) >> [0, 16, 26, 28, 31][rng.usize(0..5)]);
        // The address stays for a while, as a rule until the word is there.
        let reading = &mut inputs[slots.read_request..][..2];
        reading[0] = u64::from(rng.u8(..) < write);
        if reading[0] == 1 || rng.u8(..) < 8 {
            reading[1] = random_word(self.ports, rng);
        }
    }
}

impl Stimuli {
    /// Turns an input frame into one in which nothing comes in and all else stays as it is.
    pub fn rest(&self, inputs: &mut [u64]) {
        let around = &self.slots.around;
        for (slot, value) in inputs.iter_mut().enumerate() {
            let stays = |&(seen, width): &(usize, usize)| seen == slot && width != RING.bits;
            *value = if around.iter().any(stays) { *value } else { 0 };
        }
    }
}

/// The address / 4 of a word, mostly of one that is there.
fn random_word(ports: usize, rng: &mut Rng) -> u64 {
    match rng.u8(0..8) {
        0 => rng.u64(0..1 << 14),
        1 => 3,
        2..=3 => rng.u64(0x0e..0x22),
        _ => 0x400 + 0x10 * rng.u64(0..ports as u64 + 1) + rng.u64(0..14),
    }
}

/// Candidate sets P and D; unless they obey, D may hold several ports where one is promised.
fn random_sets(ports: usize, deterministic: Deterministic, obeys: bool, rng: &mut Rng) -> (u64, u64) {
    let any = |rng: &mut Rng| match rng.u8(0..4) {
        0 => 0,
        1 => low_bits(ports),
        2 => 1 << rng.usize(0..ports),
        _ => rng.u64(..) & low_bits(ports),
    };
    let (adaptive, mut set) = (any(rng), any(rng));
    if deterministic == Deterministic::Single && obeys {
        set &= set.wrapping_neg();
    }
    (adaptive, set)
}

/// The requesters with a grant in an observed frame, and its `transmit`.
pub fn accepted_and_transmit(layout: &Layout, observed: &[u64]) -> (u64, u64) {
    let grant = layout.observed(Role::Output, "grant").unwrap();
    let rows = layout.observed.iter().find(|signal| signal.name == "grant").unwrap().rows;
    let accepted = (0..rows).fold(0, |mask, r| mask | u64::from(observed[grant + r] != 0) << r);
    (accepted, observed[layout.observed(Role::Output, "transmit").unwrap()])
}

/// Names the first slot in which two observed frames differ.
pub fn difference(layout: &Layout, left: &[u64], right: &[u64]) -> Option<String> {
    let slot = (0..left.len()).find(|&slot| left[slot] != right[slot])?;
    let (signal, row) = layout.observed_at(slot).unwrap();
    Some(format!("{:?} {}[{row}]: {:#x} and {:#x}", signal.role, signal.name, left[slot], right[slot]))
}
