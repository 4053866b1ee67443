//! `alonso`: the mechanism, composed of its blocks.

use super::link_fsm::FsmInputs;
use super::link_group::GroupInputs;
use super::{ControlRegisters, LinkFsm, LinkGroup};
use crate::bits::{is_set, low_bits};
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::reference::power::{CheckTimer, PowerMechanism};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::topology::FatTree;
use powar_config::topology::digit_bits;
use powar_config::{Config, Group, Mechanism, Phase, mechanism};

/// Alonso's mechanism; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct Alonso {
    ports: usize,
    network: Network,
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
enum Network {
    /// A k-ary n-tree.
    Tree {
        k: usize,
        n: usize,
    },
    Torus,
}

/// What the mechanism makes of its inputs in a cycle; vectors have one bit a port.
struct View {
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
            Some(&FatTree { k, n, .. }) => Network::Tree { k, n },
            None => Network::Torus,
        };
        Alonso {
            ports: config.ports,
            network,
            places: config.groups.clone(),
            registers: ControlRegisters::new(config.alonso_values()),
            timer: CheckTimer::new(),
            groups: config.groups.iter().map(|group| LinkGroup::new(group.size)).collect(),
            fsms: vec![LinkFsm::new(); config.ports],
            was_on: low_bits(config.ports),
            down_active: true,
            started: false,
        }
    }

    fn view(&self, inputs: &MechanismInputs) -> View {
        let around = &inputs.around;
        let stage = usize::from(around.stage);
        let (root, in_tree) = match self.network {
            Network::Torus => (false, true),
            Network::Tree { k, n } => (stage >= n - 1, self.is_in_tree(around.position, stage.min(n - 1), k)),
        };
        let k = self.down_ports();
        let neighbour = |code: Phase| {
            let phases = around.neighbour_phase.iter().enumerate();
            phases.fold(0, |ports, (p, &phase)| ports | u64::from(phase == code as u64) << p)
        };
        let linked = low_bits(self.ports) & if root { low_bits(k) } else { u64::MAX };
        let near_on = linked & (neighbour(Phase::On) | neighbour(Phase::ComingOn));
        View {
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
        if let Network::Tree { k, .. } = self.network { k } else { 0 }
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
    fn group_inputs(&self, place: &Group, group: &LinkGroup, view: &View, inputs: &MechanismInputs) -> GroupInputs {
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
        let Network::Tree { k, .. } = self.network else { return of_all };
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

    fn next_down_active(&self, view: &View, inputs: &MechanismInputs) -> bool {
        if self.network == Network::Torus || view.in_tree || !self.registers.sleeps() {
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
            t_on: self.registers.values.t_on,
            t_off: self.registers.values.t_off,
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

    fn outputs(&self, inputs: &MechanismInputs) -> MechanismOutputs {
        let active = self.active();
        let ready = self.of_fsms(|_, fsm| matches!(fsm.phase, Phase::On | Phase::Draining));
        MechanismOutputs {
            grantable: !inputs.held & active & self.of_fsms(|_, fsm| fsm.phase == Phase::On),
            preferred: low_bits(self.ports),
            ready,
            steady: ready,
            phase: self.fsms.iter().map(|fsm| fsm.phase as u8).collect(),
            level: vec![0; self.ports],
            hint: 0,
            serves: active,
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

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for Alonso {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one("was_on", self.ports, self.was_on);
        rows.one("down_active", 1, self.down_active);
        rows.one("started", 1, self.started);
        rows.child("registers", [&self.registers]);
        rows.one("timer.count", 16, self.timer.count);
        rows.child("group", &self.groups);
        rows.child("fsm", &self.fsms);
    }
}
