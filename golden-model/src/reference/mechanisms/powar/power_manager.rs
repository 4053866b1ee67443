//! Section 3.13: what sleeps and wakes: the ports of a switch with their groups, power FSMs and statistics.

use crate::bits::{is_set, low_bits};
use crate::lock_step::{Block, Observed, input, output};
use crate::reference::mechanisms::powar::port_power_fsm::{Durations, FsmInputs};
use crate::reference::mechanisms::powar::{CheckTimer, PortGroup, PortPowerFsm};
use crate::reference::power::PortStatistics;
use crate::reference::power::port_statistics::StatisticsInputs;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::{Config, Group, Policy, RegisterValues, Role, SignalDecl};

/// The power manager; it knows which ports are held, but not by whom.
#[derive(Clone, Debug)]
pub struct PowerManager {
    ports: usize,
    places: Vec<Group>,
    pub timer: CheckTimer,
    pub groups: Vec<PortGroup>,
    pub fsms: Vec<PortPowerFsm>,
    pub statistics: Vec<PortStatistics>,
    /// Ports held by a packet.
    pub busy: u64,
    rows: RegisterRows,
}

/// What the power manager sees in a cycle; vectors have one bit a port.
#[derive(Clone, Copy, Debug)]
pub struct ManagerInputs<'a> {
    /// The control registers.
    pub values: &'a RegisterValues,
    pub clear_statistics: bool,
    /// The port is given to a packet.
    pub given: u64,
    /// A flit sets out for the port.
    pub flit_valid: u64,
    /// With that flit the port is released.
    pub released: u64,
}

impl PowerManager {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        PowerManager {
            ports: config.ports,
            places: config.groups.clone(),
            timer: CheckTimer::new(),
            groups: config.groups.iter().map(|group| PortGroup::new(group.size)).collect(),
            fsms: vec![PortPowerFsm::new(); config.ports],
            statistics: vec![PortStatistics::default(); config.ports],
            busy: 0,
            rows: RegisterRows::default(),
        }
    }

    /// Ports that are held and can send.
    pub fn transmit(&self) -> u64 {
        self.busy & self.awake()
    }

    /// Ports in state `Active`.
    pub fn awake(&self) -> u64 {
        self.of_fsms(PortPowerFsm::awake)
    }

    /// Ports that are `Asleep` in a refresh period.
    pub fn refreshing(&self) -> u64 {
        self.of_fsms(|fsm| fsm.refreshing)
    }

    /// All ports but those that are `Asleep` and quiet.
    pub fn full_power(&self) -> u64 {
        self.of_fsms(PortPowerFsm::full_power)
    }

    /// Ports that may be chosen: those of a group by its decision, all others always.
    pub fn selectable(&self) -> u64 {
        let mut selectable = low_bits(self.ports);
        for (place, group) in self.places.iter().zip(&self.groups) {
            selectable &= !(low_bits(place.size) << place.first);
            selectable |= group.selectable() << place.first;
        }
        selectable
    }

    /// The codes of the ports' power states.
    pub fn power_state(&self) -> impl Iterator<Item = u8> {
        self.fsms.iter().map(|fsm| fsm.state as u8)
    }

    fn of_fsms(&self, property: impl Fn(&PortPowerFsm) -> bool) -> u64 {
        self.fsms.iter().enumerate().fold(0, |vector, (port, fsm)| vector | u64::from(property(fsm)) << port)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.timer.reset();
        self.groups.iter_mut().for_each(PortGroup::reset);
        self.fsms.iter_mut().for_each(PortPowerFsm::reset);
        self.statistics.iter_mut().for_each(PortStatistics::reset);
        self.busy = 0;
    }

    /// The clock edge. All children see what the others show before it.
    pub fn clock(&mut self, inputs: &ManagerInputs) {
        let &ManagerInputs { values, clear_statistics, given, flit_valid, released } = inputs;
        let policy = policy_of(values.policy);
        let RegisterValues { pdt, t_sleep, t_wake, t_quiet, t_refresh, .. } = *values;
        let check = self.timer.check(values.check_period);
        for (place, group) in self.places.iter().zip(&mut self.groups) {
            let flits = flit_valid >> place.first & low_bits(place.size);
            group.clock(flits, check, values.on_flits, values.off_flits);
        }
        for (port, (fsm, statistics)) in self.fsms.iter_mut().zip(&mut self.statistics).enumerate() {
            let fsm_inputs = FsmInputs {
                sleep_enable: policy.sleeps,
                abort_sleep: values.abort_sleep,
                in_use: is_set(self.busy | flit_valid, port),
                wake_request: is_set(given, port),
                durations: Durations { pdt, t_sleep, t_wake, t_quiet, t_refresh },
            };
            statistics.clock(&StatisticsInputs {
                state: fsm.state,
                refreshing: fsm.refreshing,
                wake_started: fsm.wake_started(&fsm_inputs),
                flit: is_set(flit_valid, port),
                clear: clear_statistics,
            });
            fsm.clock(&fsm_inputs);
        }
        self.timer.clock(values.check_period);
        self.busy = given | self.busy & !(flit_valid & released);
    }

    /// Puts the outputs, in the order of the page's table.
    pub(crate) fn observe(&self, check: bool, observed: &mut Observed) {
        observed.rows([self.transmit(), self.busy, self.awake(), self.refreshing(), self.full_power()]);
        observed.put(self.selectable());
        observed.rows(self.power_state());
        observed.put(check);
        for place in 0..PortStatistics::NAMES.len() {
            observed.rows(self.statistics.iter().map(|statistics| statistics.values()[place]));
        }
    }
}

fn policy_of(code: u8) -> &'static Policy {
    Policy::by_code(code).expect("every 2-bit code is a policy")
}

/// Declares the outputs, in the order of the page's table.
pub(crate) fn outputs(ports: usize) -> Vec<SignalDecl> {
    let vectors = ["transmit", "busy", "awake", "refreshing", "full_power", "selectable"];
    let mut signals: Vec<_> = vectors.into_iter().map(|name| output(name, ports)).collect();
    signals.push(SignalDecl::new(Role::Output, "power_state", ports, 2));
    signals.push(output("check", 1));
    signals.extend(PortStatistics::NAMES.map(|name| SignalDecl::new(Role::Output, name, ports, 32)));
    signals
}

impl Registers for PowerManager {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one("busy", self.ports, self.busy);
        rows.one("timer.count", 16, self.timer.count);
        rows.child("group", &self.groups);
        rows.child("fsm", &self.fsms);
        rows.child("statistics", &self.statistics);
    }
}

impl Registers for PortGroup {
    fn list(&self, rows: &mut RegisterRows) {
        let selectable = self.selectable();
        rows.one("flit_counter.count", 24, self.flit_counter.count);
        rows.one("threshold_comparator.on_limit", 24, self.threshold_comparator.on_limit);
        rows.one("threshold_comparator.off_limit", 24, self.threshold_comparator.off_limit);
        rows.one("selectable_ports.selectable", self.size(), selectable);
        rows.one("selectable_ports.n_selectable", 7, self.selectable_ports.n_selectable);
    }
}

impl Registers for PortPowerFsm {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one("state", 2, self.state as u8);
        rows.one("refreshing", 1, self.refreshing);
        rows.one("wake_pending", 1, self.wake_pending);
        rows.one("count", 24, self.count);
    }
}

impl Registers for PortStatistics {
    fn list(&self, rows: &mut RegisterRows) {
        for (name, value) in PortStatistics::NAMES.into_iter().zip(self.values()) {
            rows.one(name, 32, value);
        }
    }
}

impl Block for PowerManager {
    fn signals(&self) -> Vec<SignalDecl> {
        let n = self.ports;
        let inputs = [
            ("rst", 1),
            ("policy", 2),
            ("pdt", 24),
            ("t_sleep", 24),
            ("t_wake", 24),
            ("t_quiet", 24),
            ("t_refresh", 24),
            ("check_period", 16),
            ("on_flits", 16),
            ("off_flits", 16),
            ("abort_sleep", 1),
            ("clear_statistics", 1),
            ("given", n),
            ("flit_valid", n),
            ("released", n),
        ];
        let mut signals = inputs.map(|(name, width)| input(name, width)).to_vec();
        signals.extend(outputs(n));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let cycles = |slot: usize| inputs[slot] as u32;
        let values = RegisterValues {
            policy: inputs[1] as u8,
            pdt: cycles(2),
            t_sleep: cycles(3),
            t_wake: cycles(4),
            t_quiet: cycles(5),
            t_refresh: cycles(6),
            check_period: inputs[7] as u16,
            on_flits: inputs[8] as u16,
            off_flits: inputs[9] as u16,
            abort_sleep: inputs[10] == 1,
        };
        self.observe(self.timer.check(values.check_period), observed);
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        if inputs[0] == 1 {
            return self.reset();
        }
        self.clock(&ManagerInputs {
            values: &values,
            clear_statistics: inputs[11] == 1,
            given: inputs[12],
            flit_valid: inputs[13],
            released: inputs[14],
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manager() -> (PowerManager, RegisterValues) {
        let config = powar_config::presets::by_name("fat-tree-2").unwrap();
        let values = RegisterValues { pdt: 2, t_sleep: 1, t_wake: 3, check_period: 4, ..config.register_values() };
        (PowerManager::new(&config), values)
    }

    #[test]
    fn a_port_is_held_from_the_cycle_after_it_is_given_to_the_flit_that_releases_it() {
        let (mut manager, values) = manager();
        let idle =
            ManagerInputs { values: &values, clear_statistics: false, given: 0, flit_valid: 0, released: 0b1111 };
        manager.clock(&ManagerInputs { given: 0b0101, ..idle });
        assert_eq!((manager.busy, manager.transmit()), (0b0101, 0b0101));
        manager.clock(&ManagerInputs { flit_valid: 0b0001, released: 0b0100, ..idle });
        assert_eq!(manager.busy, 0b0101, "a flit that releases nothing, and a release without a flit");
        manager.clock(&ManagerInputs { flit_valid: 0b0101, ..idle });
        assert_eq!(manager.busy, 0);
        manager.clock(&ManagerInputs { given: 0b1000, flit_valid: 0b1000, ..idle });
        assert_eq!(manager.busy, 0b1000, "the last flit of a packet in the cycle in which the port is given again");
    }

    #[test]
    fn a_flit_keeps_a_port_awake_that_is_no_longer_held() {
        let (mut manager, values) = manager();
        let idle = ManagerInputs { values: &values, clear_statistics: false, given: 0, flit_valid: 0, released: 0 };
        for _ in 0..5 {
            manager.clock(&ManagerInputs { flit_valid: 0b0010, ..idle });
        }
        assert_eq!((manager.awake(), manager.full_power()), (0b0010, 0b0010));
        manager.clock(&ManagerInputs { given: 0b0001, ..idle });
        let mut waking = 0;
        while manager.transmit() == 0 {
            manager.clock(&idle);
            waking += 1;
        }
        assert_eq!((waking, manager.statistics[0].wake_ups, manager.statistics[1].flits), (3, 1, 5));
    }
}
