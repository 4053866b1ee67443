//! `powar`: the mechanism, composed of its blocks.

use super::port_power_fsm::FsmInputs;
use super::{ControlRegisters, PortGroup, PortPowerFsm};
use crate::bits::{is_set, low_bits};
use crate::reference::power::check_timer::TIMER;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs, REGISTERS};
use crate::reference::power::{CheckTimer, PowerMechanism};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{flag, flags};
use powar_config::{Config, Group, Mechanism, Owner, PowarValues, mechanism};

/// POWAR; the public fields are its children.
#[derive(Clone, Debug)]
pub struct Powar {
    ports: usize,
    places: Vec<Group>,
    pub registers: ControlRegisters,
    /// Sleeping ports alternate between quiet and refresh, and durations that are 0 or 1, as in the cycle before.
    pub refreshes: bool,
    pub short_durations: u8,
    pub timer: CheckTimer,
    pub groups: Vec<PortGroup>,
    pub fsms: Vec<PortPowerFsm>,
}

impl Powar {
    /// Of the ports of a configuration, in its state after reset.
    pub fn new(config: &Config) -> Self {
        Powar::with(config, PowarValues::of(config))
    }

    /// The same with these values of the control registers after reset.
    pub fn with(config: &Config, reset: PowarValues) -> Self {
        Powar {
            ports: config.ports,
            places: config.groups.clone(),
            registers: ControlRegisters::new(reset),
            refreshes: false,
            short_durations: 0,
            timer: CheckTimer::new(),
            groups: config.groups.iter().map(|group| PortGroup::new(group.size)).collect(),
            fsms: vec![PortPowerFsm::new(); config.ports],
        }
    }

    /// Ports that may be chosen by their group's decision; those in no group always.
    fn selectable(&self) -> u64 {
        let mut selectable = low_bits(self.ports);
        for (place, group) in self.places.iter().zip(&self.groups) {
            selectable &= !(low_bits(place.size) << place.first);
            selectable |= group.selectable() << place.first;
        }
        selectable
    }

    fn of_fsms(&self, property: impl Fn(usize, &PortPowerFsm) -> bool) -> u64 {
        self.fsms.iter().enumerate().fold(0, |vector, (port, fsm)| vector | u64::from(property(port, fsm)) << port)
    }

    /// What the FSM of a port sees.
    fn fsm_inputs(&self, port: usize, inputs: &MechanismInputs) -> FsmInputs {
        FsmInputs {
            sleep_enable: self.registers.policy().sleeps,
            abort_sleep: self.registers.values.abort_sleep,
            in_use: is_set(inputs.held | inputs.departing, port),
            wake_request: is_set(inputs.given, port),
            durations: self.registers.durations(),
            short_durations: self.short_durations,
            refreshes: self.refreshes,
        }
    }
}

impl PowerMechanism for Powar {
    fn entry(&self) -> &'static Mechanism {
        &mechanism::powar::MECHANISM
    }

    fn outputs(&self, _: &MechanismInputs) -> MechanismOutputs {
        let (policy, every) = (self.registers.policy(), low_bits(self.ports));
        let all_if = |condition: bool| if condition { every } else { 0 };
        let awake = self.of_fsms(|_, fsm| fsm.awake());
        MechanismOutputs {
            grantable: every & (self.selectable() | all_if(!policy.only_selectable)),
            preferred: awake | all_if(!policy.prefers_awake),
            ready: awake,
            // A port in use does not leave `Active`.
            steady: awake,
            phase: self.fsms.iter().map(|fsm| fsm.phase() as u8).collect(),
            level: vec![0; self.ports],
            hint: 0,
            serves: awake,
            ring: 0,
            lookup: None,
        }
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        self.of_fsms(|port, fsm| fsm.wake_started(&self.fsm_inputs(port, inputs)))
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read(address)
    }

    fn reset(&mut self) {
        self.registers.reset();
        (self.refreshes, self.short_durations) = (false, 0);
        self.timer.reset();
        self.groups.iter_mut().for_each(PortGroup::reset);
        self.fsms.iter_mut().for_each(PortPowerFsm::reset);
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let values = self.registers.values;
        let check = self.timer.check(values.check_period);
        for (place, group) in self.places.iter().zip(&mut self.groups) {
            let flits = inputs.departing >> place.first & low_bits(place.size);
            group.clock(flits, check, values.on_flits, values.off_flits);
        }
        let of_fsms: Vec<FsmInputs> = (0..self.ports).map(|port| self.fsm_inputs(port, inputs)).collect();
        for (fsm, inputs) in self.fsms.iter_mut().zip(&of_fsms) {
            fsm.clock(inputs);
        }
        self.timer.clock(values.check_period);
        let durations = self.registers.durations();
        (self.refreshes, self.short_durations) = (durations.refreshes(), durations.short());
        self.registers.clock(inputs.write);
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for Powar {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(REGISTERS, "registers", [&self.registers]);
        rows.one(flag("refreshes"), self.refreshes);
        rows.one(flags("short_durations", Owner::Part("mechanism"), 5), self.short_durations);
        rows.owners(TIMER, "timer", [&self.timer]);
        rows.owners(Owner::Group, "group", &self.groups);
        rows.child_of(Owner::Port, "fsm", &self.fsms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::presets;

    /// Ports 1 and 2 sleep, port 3 is not selectable, port 0 is held.
    #[test]
    fn policies_differ_in_what_they_show() {
        for (policy, grantable, preferred) in [
            ("reference", 0b1111, 0b1111),
            ("round-robin", 0b1111, 0b1111),
            ("first-on", 0b1111, 0b1001),
            ("powar", 0b0111, 0b1001),
        ] {
            let mut config = presets::by_name("fat-tree-2").unwrap();
            config.powar_mut().unwrap().policy = policy.into();
            let mut powar = Powar::new(&config);
            let asleep = PortPowerFsm { state: super::super::port_power_fsm::State::Asleep, ..PortPowerFsm::new() };
            (powar.fsms[1], powar.fsms[2]) = (asleep.clone(), PortPowerFsm { refreshing: true, ..asleep });
            powar.groups[0].selectable_ports.n_selectable = 1;
            let shown = powar.outputs(&MechanismInputs { held: 0b0001, ..Default::default() });
            assert_eq!((shown.grantable, shown.preferred), (grantable, preferred), "{policy}");
            assert_eq!((shown.ready, shown.steady, shown.serves, shown.hint), (0b1001, 0b1001, 0b1001, 0));
            assert_eq!(shown.phase, [0, 2, 4, 0]);
        }
    }
}
