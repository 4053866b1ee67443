//! `soteriou_peh`: the mechanism, composed of its blocks.

use super::age_monitor::AgeInputs;
use super::link_choice::ChoiceInputs;
use super::load_predictor::PredictorInputs;
use super::on_off_fsm::FsmInputs;
use super::window_sums::SumInputs;
use super::{AgeMonitor, ControlRegisters, LinkChoice, LoadPredictor, OnOffFsm, WindowSums};
use crate::bits::{MAX_24, is_set, low_bits, vector};
use crate::reference::power::check_timer::TIMER;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs, REGISTERS};
use crate::reference::power::{CheckTimer, PowerMechanism};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::soteriou_peh::{MECHANISM, Places, SoteriouPehValues, links};
use powar_config::signal::duration;
use powar_config::topology::connectivity::Grid;
use powar_config::{Config, Habit, Mechanism, Owner, Phase};

/// The mechanism; the public fields are its children and its register.
#[derive(Clone, Debug)]
pub struct SoteriouPeh {
    ports: usize,
    places: Option<Places>,
    pub registers: ControlRegisters,
    pub timer: CheckTimer,
    pub sums: WindowSums,
    pub predictor: LoadPredictor,
    pub age: AgeMonitor,
    pub choice: LinkChoice,
    /// One per link.
    pub fsms: Vec<OnOffFsm>,
    /// Idle cycles after which a link goes off, 24 bits.
    pub idle_limit: u32,
}

/// Links of a grid with a cable, and those that may go off under a policy by load, one bit a link; the policy is 1 for the staircase graph,
/// 2 for the alternating one.
pub fn graph(places: &Places, position: u16, policy: u8) -> (u64, u64) {
    let ([x, y], Grid { columns, rows, wraps }) = (places.of_position(position), places.grid);
    let bits = |flags: [bool; 4]| flags.iter().rev().fold(0, |bits, &flag| bits << 1 | u64::from(flag));
    let linked = match wraps {
        true => [true; 4],
        false => [x + 1 < columns, x > 0, y + 1 < rows, y > 0],
    };
    let border = |at: usize, size: usize| !wraps && (at == 0 || at + 1 >= size);
    let (row, column) = (border(y, rows), border(x, columns));
    let odd = |number: usize| number % 2 == 1;
    let may_sleep = match policy {
        1 => [odd(x + y), odd(x + y), !odd(x + y), !odd(x + y)],
        2 => [odd(y) && !row, !odd(y) && !row, odd(x) && !column, !odd(x) && !column],
        _ => [policy == 3; 4],
    };
    (bits(linked), bits(linked) & bits(may_sleep))
}

impl SoteriouPeh {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let size = links(config);
        SoteriouPeh {
            ports: config.ports,
            places: Places::of(config),
            registers: ControlRegisters::new(SoteriouPehValues::of(config)),
            timer: CheckTimer::new(),
            sums: WindowSums::new(size),
            predictor: LoadPredictor::new(config.switch.buffer_flits),
            age: AgeMonitor::new(),
            choice: LinkChoice::new(size),
            fsms: vec![OnOffFsm::new(); size],
            idle_limit: MAX_24,
        }
    }

    fn every_link(&self) -> u64 {
        low_bits(self.fsms.len())
    }

    /// Links with a cable, and those that may go off.
    fn links(&self, position: u16) -> (u64, u64) {
        let policy = self.registers.values.policy;
        match &self.places {
            Some(places) => graph(places, position, policy),
            None => (self.every_link(), self.every_link()),
        }
    }

    fn window(&self) -> u16 {
        self.registers.values.window.max(4)
    }

    /// Links that are in a phase in which they send.
    fn sends(&self) -> u64 {
        self.within(Phase::On) | self.within(Phase::Draining)
    }

    fn within(&self, phase: Phase) -> u64 {
        vector(&self.fsms, |_, fsm| fsm.phase == phase)
    }

    /// Links whose other ends send.
    fn neighbours_send(&self, neighbour_phase: &[u64]) -> u64 {
        let sends = |phase: u64| phase == Phase::On as u64 || phase == Phase::Draining as u64;
        self.every_link() & vector(neighbour_phase, |_, &phase| sends(phase))
    }

    /// What the FSM of a link sees.
    fn fsm_inputs(&self, link: usize, inputs: &MechanismInputs) -> FsmInputs {
        let (_, may_sleep) = self.links(inputs.around.position);
        FsmInputs {
            active: is_set(self.choice.active, link),
            dozes: self.registers.on_demand() && is_set(may_sleep, link),
            in_use: is_set(inputs.held | inputs.given | inputs.departing, link),
            wanted: is_set(inputs.around.wanted, link),
            idle_limit: self.idle_limit,
            t_trans: self.registers.values.t_trans,
        }
    }
}

impl PowerMechanism for SoteriouPeh {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn outputs(&self, _: &MechanismInputs) -> MechanismOutputs {
        let others = low_bits(self.ports) & !self.every_link();
        let (on, sends) = (others | self.choice.active & self.within(Phase::On), others | self.sends());
        let phase = |port: usize| self.fsms.get(port).map_or(Phase::On, |fsm| fsm.phase) as u8;
        MechanismOutputs {
            grantable: on,
            preferred: low_bits(self.ports),
            ready: sends,
            steady: sends,
            phase: (0..self.ports).map(phase).collect(),
            level: vec![0; self.ports],
            hint: 0,
            serves: on,
            ring: 0,
            lookup: None,
        }
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        vector(&self.fsms, |link, fsm| fsm.coming_on(&self.fsm_inputs(link, inputs)))
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    fn reset(&mut self) {
        self.registers.reset();
        self.timer.reset();
        self.sums.reset();
        self.predictor.reset();
        self.age.reset();
        self.choice.reset();
        self.fsms.iter_mut().for_each(OnOffFsm::reset);
        self.idle_limit = MAX_24;
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let (around, values) = (&inputs.around, self.registers.values);
        let check = self.timer.check(self.window());
        let (linked, may_sleep) = self.links(around.position);
        let number = |links: u64| (linked & links).count_ones() as u8;
        let (in_ports, out_ports) = (number(self.neighbours_send(around.neighbour_phase)), number(self.sends()));
        let index = |links: u8| links.clamp(1, 4) - 1;
        let of_predictor = PredictorInputs {
            check,
            filled: self.sums.filled,
            flits: self.sums.flits,
            in_ports,
            out_ports,
            sleep_index: index(number(self.choice.active)),
            wake_index: index(number(!self.choice.active)),
            sleep_load: values.sleep_load,
            sleep_step: values.sleep_step,
            wake_load: values.wake_load,
            wake_step: values.wake_step,
        };
        let of_age = AgeInputs {
            check,
            departures: self.sums.departures,
            stage: self.predictor.stage,
            past_filled: self.predictor.past_filled,
            age_limit: values.age_limit,
        };
        let of_choice = ChoiceInputs {
            by_load: self.registers.by_load(),
            below: self.predictor.below(),
            above: self.predictor.above(),
            may_sleep,
            woken: around.wanted & (self.within(Phase::Off) | self.within(Phase::ComingOn)),
        };
        let of_sums = SumInputs { check, flit: inputs.departing, leaving: around.leaving, fill: around.fill };
        let of_fsms: Vec<FsmInputs> = (0..self.fsms.len()).map(|link| self.fsm_inputs(link, inputs)).collect();
        let idle = values.idle()[usize::from(index(out_ports))];
        self.idle_limit = if self.age.late { 2 * idle } else { idle };

        self.predictor.clock(&of_predictor);
        self.age.clock(&of_age);
        self.choice.clock(&of_choice);
        self.sums.clock(&of_sums);
        for (fsm, inputs) in self.fsms.iter_mut().zip(&of_fsms) {
            fsm.clock(inputs);
        }
        self.timer.clock(self.window());
        self.registers.clock(inputs.write);
    }

    fn departures(&self) -> Habit {
        // A link goes off only after a time without flits.
        Habit::Drought
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for SoteriouPeh {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(duration("idle_limit", 24), self.idle_limit);
        rows.owners(REGISTERS, "registers", [&self.registers]);
        rows.owners(TIMER, "timer", [&self.timer]);
        rows.child("sums", [&self.sums]);
        rows.child("predictor", [&self.predictor]);
        rows.child("age", [&self.age]);
        rows.child("choice", [&self.choice]);
        rows.child_of(Owner::Port, "fsm", &self.fsms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::power::Surroundings;
    use powar_config::Chosen;
    use powar_config::mechanism::soteriou_peh::SoteriouPehParameters;

    /// Of a network by its name, with windows of 10 cycles and transitions of 3.
    fn of(network: &str, policy: &str) -> SoteriouPeh {
        let mut config = Config::of_network(network).unwrap();
        config.mechanism = Chosen(MECHANISM.defaults());
        config.mechanism.of_mut::<SoteriouPehParameters>().unwrap().policy = policy.into();
        config.check().unwrap();
        let mut mechanism = SoteriouPeh::new(&config);
        let values = &mut mechanism.registers.values;
        (values.window, values.t_trans) = (10, 3);
        (values.sleep_load, values.sleep_step, values.wake_load, values.wake_step) = (2, 2, 15, 2);
        (values.idle_1, values.idle_2, values.idle_3, values.idle_4) = (640, 160, 40, 10);
        mechanism
    }

    fn position(x: u16, y: u16) -> u16 {
        y << 2 | x
    }

    const FILL: [u64; 5] = [0; 5];
    const ON: [u64; 5] = [Phase::On as u64; 5];

    fn inputs(position: u16) -> MechanismInputs<'static> {
        let around = Surroundings { position, fill: &FILL, neighbour_phase: &ON, ..Default::default() };
        MechanismInputs { around, ..Default::default() }
    }

    /// Ports that were off at some time of a run without traffic.
    fn ever_off(mechanism: &mut SoteriouPeh, position: u16, cycles: usize) -> u64 {
        let mut off = 0;
        for _ in 0..cycles {
            let shown = mechanism.outputs(&inputs(position));
            off |= vector(&shown.phase, |_, &phase| phase != Phase::On as u8);
            mechanism.clock(&inputs(position));
        }
        off
    }

    #[test]
    fn without_load_all_candidates_of_the_graph_go_off_and_no_other() {
        for (network, candidates) in [("mesh-4x4", [24, 12]), ("torus-4x4", [32, 32])] {
            for (policy, expected) in ["on-off-staircase", "on-off-alternating"].into_iter().zip(candidates) {
                let mut off = 0;
                for (x, y) in (0..16).map(|switch| (switch % 4, switch / 4)) {
                    let mut mechanism = of(network, policy);
                    let place = position(x, y);
                    let gone = ever_off(&mut mechanism, place, 200);
                    let code = mechanism.registers.values.policy;
                    assert_eq!(gone, graph(mechanism.places.as_ref().unwrap(), place, code).1, "{network} {policy}");
                    off += gone.count_ones();
                }
                assert_eq!(off, expected, "{network} {policy}: of 48 in the mesh, 64 in the torus");
            }
        }
    }

    /// Table of section III-A: the staircase lets half of the links off, the alternating graph 37.5 % of a mesh of 8 x 8 and half of a torus.
    #[test]
    fn graphs_have_as_many_candidates_as_the_paper_says() {
        for (network, policy, share) in [
            ("mesh-8x8", 1, 0.5),
            ("mesh-8x8", 2, 0.375),
            ("torus-8x8", 1, 0.5),
            ("torus-8x8", 2, 0.5),
            ("mesh-8x8", 3, 1.0),
            ("mesh-8x8", 0, 0.0),
        ] {
            let config = Config { mechanism: Chosen(MECHANISM.defaults()), ..Config::of_network(network).unwrap() };
            let places = Places::of(&config).unwrap();
            let of_all = (0..64).map(|switch| graph(&places, switch, policy));
            let (links, candidates) = of_all.fold((0, 0), |(links, candidates), (linked, may_sleep)| {
                (links + linked.count_ones(), candidates + may_sleep.count_ones())
            });
            assert_eq!(f64::from(candidates) / f64::from(links), share, "{network}, policy {policy}");
        }
    }

    /// Equation by equation the same as the graphs that routings and figures go by.
    #[test]
    fn graphs_are_the_shared_ones() {
        use powar_config::topology::connectivity::{ALTERNATING, ON_DEMAND, STAIRCASE};
        use powar_config::topology::pack_address;
        for network in ["mesh-4x3", "mesh-5x8-nodes3", "torus-4x6", "torus-5x4-nodes2", "torus-2x3"] {
            let config = Config { mechanism: Chosen(MECHANISM.defaults()), ..Config::of_network(network).unwrap() };
            let (places, topology) = (Places::of(&config).unwrap(), config.topology.as_ref().unwrap());
            let (bases, switches) = (topology.bases(config.ports), places.grid.switches());
            let nodes = topology.nodes(config.ports) / switches;
            for switch in 0..switches {
                let position = pack_address(&bases, switch * nodes);
                for (policy, shared) in [(1, &STAIRCASE), (2, &ALTERNATING), (3, &ON_DEMAND)] {
                    let expected = (places.grid.cables(switch), shared.candidates(&places.grid, switch));
                    assert_eq!(
                        graph(&places, position, policy),
                        expected,
                        "{network}, switch {switch}, {}",
                        shared.name
                    );
                }
            }
        }
    }

    #[test]
    fn load_keeps_links_on_and_brings_them_back() {
        let mut mechanism = of("torus-4x4", "on-off-staircase");
        let busy = MechanismInputs { departing: 0b1111, ..inputs(position(0, 0)) };
        (0..100).for_each(|_| mechanism.clock(&busy));
        assert_eq!(mechanism.choice.active, 0b1111, "30 % are above all thresholds");
        ever_off(&mut mechanism, position(0, 0), 60);
        assert_eq!((mechanism.choice.active, mechanism.within(Phase::Off)), (0b0011, 0b1100), "y, since x + y is even");
        (0..14).for_each(|_| mechanism.clock(&MechanismInputs { departing: 0b0011, ..busy }));
        assert_eq!(mechanism.choice.active, 0b0111, "the lowest, one a window");
        (0..10).for_each(|_| mechanism.clock(&MechanismInputs { departing: 0b0011, ..busy }));
        assert_eq!(mechanism.choice.active, 0b1111);
    }

    #[test]
    fn a_packet_in_front_of_a_link_that_is_off_wakes_it() {
        let mut mechanism = of("torus-4x4", "on-off-staircase");
        ever_off(&mut mechanism, 0, 60);
        let mut wanting = inputs(0);
        wanting.around.wanted = 0b1000;
        mechanism.clock(&wanting);
        assert_eq!((mechanism.choice.active, mechanism.within(Phase::ComingOn)), (0b1011, 0b1000));
    }

    #[test]
    fn idle_links_go_off_sooner_the_more_are_on() {
        let mut mechanism = of("mesh-4x4", "on-off-on-demand");
        let place = position(1, 1);
        let mut went = vec![];
        for cycle in 0..1000 {
            // One link after the other falls idle.
            let used = match cycle {
                ..5 => 0b1110,
                5..100 => 0b1100,
                _ => 0b1000,
            };
            let before = mechanism.within(Phase::On);
            mechanism.clock(&MechanismInputs { departing: used, ..inputs(place) });
            if mechanism.within(Phase::On) != before {
                went.push((cycle, before & !mechanism.within(Phase::On)));
            }
        }
        // The first limit is the reset value for a cycle; idle since cycle 0, 5 and 100: 10, 40 and 160 cycles.
        assert_eq!(went, [(9, 0b0001), (44, 0b0010), (259, 0b0100)]);
        assert_eq!(mechanism.idle_limit, 640);
        let mut wanting = inputs(place);
        wanting.around.wanted = 0b0010;
        mechanism.clock(&wanting);
        assert_eq!(mechanism.within(Phase::ComingOn), 0b0010);
        assert_eq!(mechanism.outputs(&wanting).serves, 0b11000, "and the node's");
    }

    #[test]
    fn idle_times_double_while_flits_are_late() {
        let mut mechanism = of("mesh-4x4", "on-off-on-demand");
        let mut waiting = inputs(position(1, 1));
        waiting.around.fill = &[1, 0, 0, 0, 0];
        let busy = MechanismInputs { departing: 0b1111, ..waiting };
        (0..14).for_each(|_| mechanism.clock(&busy));
        assert_eq!((mechanism.age.late, mechanism.idle_limit), (true, 20), "a flit waits, and none leaves");
        let mut leaving = busy;
        leaving.around.leaving = 0b0001;
        (0..20).for_each(|_| mechanism.clock(&leaving));
        assert_eq!((mechanism.age.late, mechanism.idle_limit), (false, 10), "each stays for a cycle");
    }

    #[test]
    fn windows_of_less_than_four_cycles_count_as_four() {
        for window in [0, 1, 3, 4] {
            let mut mechanism = of("mesh-4x4", "reference");
            mechanism.registers.values.window = window;
            let checks = (0..12).filter(|_| {
                mechanism.clock(&inputs(0));
                mechanism.timer.count == 0
            });
            assert_eq!(checks.count(), 3, "{window}");
        }
    }

    #[test]
    fn any_switch_sleeps_on_demand() {
        let mut mechanism = of("star-4", "on-off-on-demand");
        assert_eq!(ever_off(&mut mechanism, 0, 900), 0b1111);
        let mut mechanism = of("star-4", "reference");
        assert_eq!(ever_off(&mut mechanism, 0, 900), 0);
    }
}
