//! `alonso`: the mechanism, composed of its blocks.

use super::link_fsm::FsmInputs;
use super::link_group::GroupInputs;
use super::{ControlRegisters, LinkFsm, LinkGroup};
use crate::bits::{is_set, low_bits};
use crate::reference::power::check_timer::TIMER;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs, REGISTERS};
use crate::reference::power::{CheckTimer, PowerMechanism};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::alonso::AlonsoValues;
use powar_config::signal::{flag, flags};
use powar_config::topology::{FatTree, digit_bits};
use powar_config::{Config, Group, Habit, Mechanism, Owner, Phase, mechanism};

/// Alonso's mechanism; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct Alonso {
    ports: usize,
    network: NetworkKind,
    places: Vec<Group>,
    pub registers: ControlRegisters,
    pub timer: CheckTimer,
    pub groups: Vec<LinkGroup>,
    pub fsms: Vec<LinkFsm>,
    /// Bit p: the port at the other end of port p's link was on or coming on in the cycle before.
    pub was_on: u64,
    /// In a tree the down-ports are to be on.
    pub down_active: bool,
    /// This is not the first cycle after a reset.
    pub started: bool,
}

/// What the mechanism is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NetworkKind {
    /// A k-ary n-tree.
    Tree {
        k: usize,
        n: usize,
    },
    Torus,
}

/// What the mechanism makes of its inputs in a cycle; vectors have one bit a port.
struct Derived {
    near_on: u64,
    near_off: u64,
    rises: u64,
    falls: u64,
    in_tree: bool,
    /// A message waits at a node of this leaf switch.
    hinted: bool,
    /// A packet wants an up-port.
    asked: bool,
}

impl Alonso {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        let network = match config.topology.as_ref().and_then(|topology| topology.of()) {
            Some(&FatTree { k, n, .. }) => NetworkKind::Tree { k, n },
            None => NetworkKind::Torus,
        };
        Alonso {
            ports: config.ports,
            network,
            places: config.groups.clone(),
            registers: ControlRegisters::new(AlonsoValues::of(config)),
            timer: CheckTimer::new(),
            groups: config.groups.iter().map(|group| LinkGroup::new(group.size)).collect(),
            fsms: vec![LinkFsm::new(); config.ports],
            was_on: low_bits(config.ports),
            down_active: true,
            started: false,
        }
    }

    fn view(&self, inputs: &MechanismInputs) -> Derived {
        let around = &inputs.around;
        let stage = usize::from(around.stage);
        let (root, in_tree) = match self.network {
            NetworkKind::Torus => (false, true),
            NetworkKind::Tree { k, n } => (stage >= n - 1, self.is_in_tree(around.position, stage.min(n - 1), k)),
        };
        let k = self.down_ports();
        let neighbour = |code: Phase| {
            let phases = around.neighbour_phase.iter().enumerate();
            phases.fold(0, |ports, (p, &phase)| ports | u64::from(phase == code as u64) << p)
        };
        let linked = low_bits(self.ports) & if root { low_bits(k) } else { u64::MAX };
        let near_on = linked & (neighbour(Phase::On) | neighbour(Phase::ComingOn));
        Derived {
            near_on,
            near_off: low_bits(self.ports) & !linked | linked & neighbour(Phase::Off),
            rises: near_on & !self.was_on,
            falls: !near_on & self.was_on,
            in_tree,
            hinted: stage == 0 && self.registers.values.litmus && around.hint_in & low_bits(k) != 0,
            asked: around.wanted >> k != 0,
        }
    }

    /// Whether digits 1..=`stage` of the position of a switch are all 0.
    fn is_in_tree(&self, position: u16, stage: usize, k: usize) -> bool {
        let bits = digit_bits(k);
        (1..=stage).all(|digit| u32::from(position) >> (digit * bits) & low_bits(bits) as u32 == 0)
    }

    /// The down-ports of a switch of a tree are the lowest; in a torus there are none.
    fn down_ports(&self) -> usize {
        if let NetworkKind::Tree { k, .. } = self.network { k } else { 0 }
    }

    /// Bit p: port p is to be on.
    fn active(&self) -> u64 {
        let down = low_bits(self.down_ports());
        let mut active = low_bits(self.ports) & if self.down_active { u64::MAX } else { !down };
        for (place, group) in self.places.iter().zip(&self.groups) {
            active &= !(low_bits(place.size) << place.first);
            active |= group.active << place.first;
        }
        active
    }

    /// What a group sees.
    fn group_inputs(&self, place: &Group, group: &LinkGroup, view: &Derived, inputs: &MechanismInputs) -> GroupInputs {
        let values = &self.registers.values;
        let of_all = GroupInputs {
            flit: inputs.departing >> place.first & low_bits(place.size),
            check: self.timer.check(values.check_period),
            sleeps: self.registers.sleeps(),
            dynamic: self.registers.dynamic(),
            on_flits: values.on_flits,
            off_flits: values.off_flits,
            keep: true,
            neighbour_on: 0,
            neighbour_off: 0,
            all_on: false,
            only_last: values.start && !self.started,
        };
        let NetworkKind::Tree { k, .. } = self.network else { return of_all };
        let (from_below, from_above) = (low_bits(k), low_bits(k) << k);
        let outside = if view.in_tree { 0 } else { low_bits(k) };
        let first = u64::from(group.active == 0 && view.rises & from_above != 0);
        GroupInputs {
            keep: view.in_tree || view.asked || view.near_on & from_below != 0,
            neighbour_on: outside & (view.rises | first),
            neighbour_off: outside & view.falls,
            all_on: view.hinted,
            ..of_all
        }
    }

    fn next_down_active(&self, view: &Derived, inputs: &MechanismInputs) -> bool {
        if self.network == NetworkKind::Torus || view.in_tree || !self.registers.sleeps() {
            return true;
        }
        let wanted = inputs.around.wanted & low_bits(self.down_ports()) != 0;
        view.near_on != 0 || wanted || view.near_off != low_bits(self.ports) && self.down_active
    }

    /// What the FSM of a port sees.
    fn fsm_inputs(&self, port: usize, inputs: &MechanismInputs) -> FsmInputs {
        FsmInputs {
            active: is_set(self.active(), port),
            in_use: is_set(inputs.held | inputs.given | inputs.departing, port),
            turn_on: self.registers.values.turn_on,
            turn_off: self.registers.values.turn_off,
        }
    }

    fn of_fsms(&self, property: impl Fn(usize, &LinkFsm) -> bool) -> u64 {
        self.fsms.iter().enumerate().fold(0, |vector, (port, fsm)| vector | u64::from(property(port, fsm)) << port)
    }
}

impl PowerMechanism for Alonso {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::alonso::MECHANISM
    }

    fn outputs(&self, _: &MechanismInputs) -> MechanismOutputs {
        let active = self.active();
        let ready = self.of_fsms(|_, fsm| matches!(fsm.phase, Phase::On | Phase::Draining));
        MechanismOutputs {
            grantable: active & self.of_fsms(|_, fsm| fsm.phase == Phase::On),
            preferred: low_bits(self.ports),
            ready,
            steady: ready,
            phase: self.fsms.iter().map(|fsm| fsm.phase as u8).collect(),
            level: vec![0; self.ports],
            hint: 0,
            serves: active,
            ring: 0,
            lookup: None,
        }
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        self.of_fsms(|port, fsm| fsm.coming_on(&self.fsm_inputs(port, inputs)))
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    fn reset(&mut self) {
        self.registers.reset();
        self.timer.reset();
        self.groups.iter_mut().for_each(LinkGroup::reset);
        self.fsms.iter_mut().for_each(LinkFsm::reset);
        (self.was_on, self.down_active, self.started) = (low_bits(self.ports), true, false);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let view = self.view(inputs);
        let down_active = self.next_down_active(&view, inputs);
        let groups = self.places.iter().zip(&self.groups);
        let of_groups: Vec<GroupInputs> =
            groups.map(|(place, group)| self.group_inputs(place, group, &view, inputs)).collect();
        let of_fsms: Vec<FsmInputs> = (0..self.ports).map(|port| self.fsm_inputs(port, inputs)).collect();
        for (group, inputs) in self.groups.iter_mut().zip(&of_groups) {
            group.clock(inputs);
        }
        for (fsm, inputs) in self.fsms.iter_mut().zip(&of_fsms) {
            fsm.clock(inputs);
        }
        self.timer.clock(self.registers.values.check_period);
        self.registers.clock(inputs.write);
        (self.was_on, self.down_active, self.started) = (view.near_on, down_active, true);
    }

    fn departures(&self) -> Habit {
        // A period without a flit lets all links go off.
        Habit::Drought
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for Alonso {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flags("was_on", Owner::Port, self.ports), self.was_on);
        rows.one(flag("down_active"), self.down_active);
        rows.one(flag("started"), self.started);
        rows.owners(REGISTERS, "registers", [&self.registers]);
        rows.owners(TIMER, "timer", [&self.timer]);
        rows.owners(Owner::Group, "group", &self.groups);
        rows.child_of(Owner::Port, "fsm", &self.fsms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::power::Surroundings;
    use Phase::{ComingOn, Draining, GoingOff, Off, On};
    use powar_config::Chosen;
    use powar_config::mechanism::alonso::{AlonsoParameters, MECHANISM};

    /// Of a network by its name, with links that go off in 2 cycles and come on in 3, and checks that are far away.
    fn of(network: &str, policy: &str) -> Alonso {
        let mut config = Config::of_network(network).unwrap();
        config.mechanism = Chosen(MECHANISM.defaults());
        config.mechanism.of_mut::<AlonsoParameters>().unwrap().policy = policy.into();
        config.check().unwrap();
        let mut alonso = Alonso::new(&config);
        (alonso.registers.values.turn_off, alonso.registers.values.turn_on) = (2, 3);
        alonso
    }

    /// Stage 1 of a 2-ary 3-tree: ports 0 and 1 go down, 2 and 3 up. Digits are a bit each.
    const IN_TREE: u16 = 0b100;
    const OUTSIDE: u16 = 0b110;

    fn clock(alonso: &mut Alonso, position: u16, phases: [Phase; 4], wanted: u64) {
        clock_at(alonso, (position, 1), phases, wanted, 0);
    }

    fn clock_at(alonso: &mut Alonso, (position, stage): (u16, u8), phases: [Phase; 4], wanted: u64, hint_in: u64) {
        let neighbour_phase = &phases.map(|phase| phase as u64);
        let around = Surroundings { position, stage, wanted, neighbour_phase, hint_in, ..Default::default() };
        alonso.clock(&MechanismInputs { around, ..Default::default() });
    }

    #[test]
    fn the_neighbour_rule_goes_straight_through() {
        let mut alonso = of("2-ary-3-tree", "alonso-static");
        clock(&mut alonso, OUTSIDE, [On; 4], 0);
        clock(&mut alonso, OUTSIDE, [On, Draining, On, On], 0);
        assert_eq!(alonso.groups[0].active, 0b01, "input 1 of the ascending ones has gone, and so does up-port 1");
        clock(&mut alonso, OUTSIDE, [GoingOff, Draining, On, On], 0);
        assert_eq!(alonso.groups[0].active, 0, "nobody needs the last one");
        clock(&mut alonso, OUTSIDE, [Off, ComingOn, On, On], 0);
        assert_eq!(alonso.groups[0].active, 0b10);
        // In the tree neighbours make no difference.
        let mut alonso = of("2-ary-3-tree", "alonso-static");
        clock(&mut alonso, IN_TREE, [On; 4], 0);
        clock(&mut alonso, IN_TREE, [Off, Off, On, On], 0);
        assert_eq!(alonso.groups[0].active, 0b11);
    }

    #[test]
    fn a_descending_link_that_comes_on_turns_the_first_link_on_if_there_is_none() {
        let mut alonso = of("2-ary-3-tree", "alonso-static");
        clock(&mut alonso, OUTSIDE, [Off; 4], 0);
        assert_eq!((alonso.groups[0].active, alonso.down_active), (0, false));
        clock(&mut alonso, OUTSIDE, [Off, Off, Off, ComingOn], 0);
        assert_eq!((alonso.groups[0].active, alonso.down_active), (0b01, true));
        alonso.groups[0].active = 0b10;
        clock(&mut alonso, OUTSIDE, [Off, Off, On, On], 0);
        assert_eq!(alonso.groups[0].active, 0b10, "there is one");
    }

    #[test]
    fn packets_turn_links_on_that_they_want() {
        let mut alonso = of("2-ary-3-tree", "alonso-dynamic");
        clock(&mut alonso, OUTSIDE, [Off; 4], 0);
        clock(&mut alonso, OUTSIDE, [Off; 4], 0b1000);
        assert_eq!((alonso.groups[0].active, alonso.down_active), (0b01, false), "any up-port will do");
        alonso.timer.count = alonso.registers.values.check_period - 1;
        clock(&mut alonso, OUTSIDE, [Off; 4], 0b1000);
        assert_eq!(alonso.groups[0].active, 0b01, "it stays while a packet wants it");
        alonso.timer.count = alonso.registers.values.check_period - 1;
        clock(&mut alonso, OUTSIDE, [Off; 4], 0b0010);
        assert_eq!((alonso.groups[0].active, alonso.down_active), (0, true));
        clock(&mut alonso, OUTSIDE, [Off, Off, Off, GoingOff], 0);
        assert!(alonso.down_active, "not all neighbours are off");
        clock(&mut alonso, OUTSIDE, [Off; 4], 0);
        assert!(!alonso.down_active);
    }

    #[test]
    fn up_ports_of_a_root_have_no_neighbours() {
        for (stage, down_active) in [(1, true), (2, false), (3, false)] {
            let mut alonso = of("2-ary-3-tree", "alonso-static");
            clock_at(&mut alonso, (OUTSIDE, stage), [Off, Off, On, On], 0, 0);
            assert_eq!((alonso.down_active, alonso.was_on), (down_active, if stage == 1 { 0b1100 } else { 0 }));
        }
    }

    #[test]
    fn hints_of_nodes_turn_all_links_of_a_leaf_switch_on() {
        for (stage, hint_in, litmus, active) in
            [(0, 0b10, true, 0b11), (0, 0b100, true, 0b01), (0, 0b10, false, 0b01), (1, 0b10, true, 0b01)]
        {
            let mut alonso = of("2-ary-3-tree", "alonso-static");
            alonso.groups[0].active = 0b01;
            alonso.registers.values.litmus = litmus;
            clock_at(&mut alonso, (IN_TREE, stage), [On; 4], 0, hint_in);
            assert_eq!(alonso.groups[0].active, active, "stage {stage}, hints {hint_in:#b}, litmus {litmus}");
        }
    }

    #[test]
    fn a_start_with_the_tree_is_one_after_a_reset_only() {
        let mut alonso = of("2-ary-3-tree", "alonso-static");
        alonso.registers.values.start = true;
        clock(&mut alonso, IN_TREE, [On; 4], 0);
        assert_eq!(alonso.groups[0].active, 0b01);
        alonso.groups[0].active = 0b11;
        clock(&mut alonso, IN_TREE, [On; 4], 0);
        assert_eq!(alonso.groups[0].active, 0b11);
        let mut reference = of("2-ary-3-tree", "reference");
        reference.registers.values.start = true;
        clock(&mut reference, OUTSIDE, [Off; 4], 0);
        assert_eq!((reference.groups[0].active, reference.down_active), (0b11, true), "all links are on");
    }

    #[test]
    fn what_ports_show_in_each_phase() {
        let mut alonso = of("2-ary-3-tree", "alonso-static");
        for (fsm, phase) in alonso.fsms.iter_mut().zip([On, Draining, Off, On]) {
            fsm.phase = phase;
        }
        alonso.groups[0].active = 0b01;
        let shown = alonso.outputs(&MechanismInputs { held: 0b0010, ..Default::default() });
        assert_eq!((shown.grantable, shown.preferred), (0b0001, 0b1111), "port 3 is on, but not for long");
        assert_eq!((shown.ready, shown.steady, shown.serves, shown.hint), (0b1011, 0b1011, 0b0111, 0));
        assert_eq!((shown.phase, shown.level), (vec![0, 5, 2, 0], vec![0; 4]));
        assert_eq!(alonso.waking(&MechanismInputs::default()), 0b0100);
    }

    #[test]
    fn trunks_of_a_torus_keep_a_link_each_whatever_neighbours_do() {
        let mut alonso = of("torus-4-trunk2", "alonso-static");
        alonso.places.pop();
        alonso.groups.pop();
        for _ in 0..2 {
            alonso.timer.count = alonso.registers.values.check_period - 1;
            let phases = [Off as u64; 6];
            let around = Surroundings { position: 3, neighbour_phase: &phases, ..Default::default() };
            alonso.clock(&MechanismInputs { around, ..Default::default() });
            alonso.groups.iter_mut().for_each(|group| group.flit_counter.count = 0);
        }
        assert_eq!(alonso.groups.iter().map(|group| group.active).collect::<Vec<_>>(), [0b01, 0b01]);
        assert_eq!(alonso.active(), 0b11_01_01, "ports in no group are always on");
        assert!(alonso.down_active);
    }
}
