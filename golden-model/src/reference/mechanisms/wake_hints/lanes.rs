//! What sends, routes and minds the words on the lanes of a mechanism's ports: the children that `wake_hints` has beside
//! the mechanism that it is around, and others with hints have too.

use super::hint_choice::ChoiceInputs;
use super::hint_monitor::MonitorInputs;
use super::hint_registers::HintEvents;
use super::{HintChoice, HintMonitor, HintReceiver, HintRegisters, HintSender};
use crate::bits::{is_set, vector};
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs};
use crate::register_rows::RegisterRows;
use powar_config::mechanism::wake_hints::HintValues;
use powar_config::{Config, Owner, Phase, Sees};

/// The lanes; the fields are children of the mechanism.
#[derive(Clone, Debug)]
pub struct Lanes {
    pub registers: HintRegisters,
    pub receivers: Vec<HintReceiver>,
    pub choice: HintChoice,
    pub senders: Vec<HintSender>,
    pub monitors: Vec<HintMonitor>,
}

impl Lanes {
    /// Of the ports of a configuration and its mechanism, in their state after reset.
    pub fn new(config: &Config, reset: HintValues) -> Self {
        Lanes {
            registers: HintRegisters::new(config.ports, config.mechanism(), reset),
            receivers: vec![HintReceiver::new(); config.ports],
            choice: HintChoice::new(config),
            senders: vec![HintSender::new(); config.ports],
            monitors: vec![HintMonitor::new(); config.ports],
        }
    }

    /// What the mechanism sees in this switch.
    pub fn sees(&self) -> Sees {
        self.choice.sees()
    }

    /// What is seen by whoever lets ports sleep: one that a hint has chosen is given.
    pub fn seen<'a>(&self, inputs: &MechanismInputs<'a>) -> MechanismInputs<'a> {
        MechanismInputs { given: inputs.given | self.choice.wake, ..*inputs }
    }

    /// What is shown, with what the ports show without lanes.
    pub fn shown(&self, of_ports: MechanismOutputs) -> MechanismOutputs {
        let sends = self.sends(&of_ports.phase);
        let (waiting, destination) = self.received();
        MechanismOutputs {
            preferred: of_ports.preferred | self.foreseen(),
            hint: vector(&self.senders, |port, sender| sender.hint(is_set(sends, port))),
            lookup: self.choice.lookup(waiting, &destination),
            ..of_ports
        }
    }

    /// Ports whose lanes count.
    fn listens(&self, neighbour_phase: &[u64]) -> u64 {
        let sends = |phase: u64| phase == Phase::On as u64 || phase == Phase::Draining as u64;
        let HintRegisters { hints, sideband, .. } = self.registers;
        vector(neighbour_phase, |_, &phase| hints && (sideband || sends(phase)))
    }

    /// Ports with a lane to send on, when ports are in these phases.
    fn sends(&self, phases: &[u8]) -> u64 {
        let HintRegisters { hints, sideband, .. } = self.registers;
        vector(phases, |_, &phase| hints && (sideband || phase == Phase::On as u8))
    }

    /// Ports at which a hint waits, and row p: the packed address of that at port p.
    fn received(&self) -> (u64, Vec<u64>) {
        let destinations = self.receivers.iter().map(|receiver| receiver.destination.into());
        (vector(&self.receivers, |_, receiver| receiver.waiting), destinations.collect())
    }

    /// Ports that hints have woken and nobody has used since.
    pub fn foreseen(&self) -> u64 {
        vector(&self.monitors, |_, monitor| monitor.foreseen)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.registers.reset();
        self.receivers.iter_mut().for_each(HintReceiver::reset);
        self.choice.reset();
        self.senders.iter_mut().for_each(HintSender::reset);
        self.monitors.iter_mut().for_each(HintMonitor::reset);
    }

    /// The clock edge, before which the ports show this without lanes.
    pub fn clock(&mut self, inputs: &MechanismInputs, of_ports: &MechanismOutputs) {
        // All children see what the others show before the edge.
        let around = &inputs.around;
        let (wake, address) = (self.choice.wake, self.choice.address);
        let (listens, sends) = (self.listens(around.neighbour_phase), self.sends(&of_ports.phase));
        let (waiting, destination) = self.received();
        let take = self.choice.take(waiting);
        let preferred = of_ports.preferred | self.foreseen();
        let of_lane = |port| (is_set(around.hint_in, port), is_set(listens, port), is_set(take, port));
        let monitored = |port| MonitorInputs {
            wake: is_set(wake, port),
            given: is_set(inputs.given, port),
            phase: of_ports.phase[port],
        };
        let events = HintEvents {
            broken: vector(&self.receivers, |port, receiver| {
                let (hint_in, listens, take) = of_lane(port);
                receiver.dropped(hint_in, listens, take)
            }),
            refused: vector(&self.senders, |port, sender| sender.dropped(is_set(wake, port), is_set(sends, port))),
            woke: vector(&self.monitors, |port, monitor| monitor.woke(&monitored(port))),
            unused: vector(&self.monitors, |port, monitor| monitor.unused(&monitored(port))),
        };
        self.choice.clock(&ChoiceInputs {
            position: around.position,
            stage: around.stage,
            waiting,
            destination: &destination,
            grantable: of_ports.grantable,
            preferred,
            serves: of_ports.serves,
            lookup_row: around.lookup_row,
        });

        for (port, receiver) in self.receivers.iter_mut().enumerate() {
            let (hint_in, listens, take) = of_lane(port);
            receiver.clock(hint_in, listens, take);
        }
        for (port, sender) in self.senders.iter_mut().enumerate() {
            sender.clock(is_set(wake, port), address, is_set(sends, port));
        }
        for (port, monitor) in self.monitors.iter_mut().enumerate() {
            monitor.clock(&monitored(port));
        }
        self.registers.clock(inputs.write, &events);
    }

    /// Lists the children; `registers` is what the mechanism calls those of its words.
    pub fn list(&self, registers: &str, rows: &mut RegisterRows) {
        rows.owners(HINTS, registers, [&self.registers]);
        rows.child_of(Owner::Port, "receiver", &self.receivers);
        rows.child_of(HINTS, "choice", [&self.choice]);
        rows.child_of(Owner::Port, "sender", &self.senders);
        rows.child_of(Owner::Port, "monitor", &self.monitors);
    }
}

/// The registers that all lanes have in common.
const HINTS: Owner = Owner::Part("hints");
