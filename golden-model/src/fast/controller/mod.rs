//! The power controller of section 3.14, event-driven.
//!
//! It shows the same registers in the same cycles as [`crate::reference::controller::StepwiseController`], but its cost is that of what
//! happens, not of the number of ports and requesters:
//!
//! * idle counters, FSM timers and cycle statistics are kept as the cycle since which they count, and the cycle at which
//!   a timer runs out as an event; a cycle tests one number, the nearest event;
//! * allocation walks the requesters that ask or have asked, and the ports that they chose;
//! * cycles in which nothing can happen are skipped at once ([`PowerController::skip`]).

mod allocation;
pub(crate) mod flit_totals;
pub(crate) mod flits;
pub(crate) mod frame;
mod inputs;
pub(crate) mod power;

pub use allocation::Grant;
pub use inputs::{Inputs, Outputs};

use crate::bits::low_bits;
use crate::reference::mechanisms::powar::ControlRegisters;
use crate::reference::power::PortStatistics;
use allocation::Allocation;
use flits::Flits;
use powar_config::{Config, Layout, Policy, PowerState};
use power::{Power, PowerInputs};

/// The power controller of a switch.
///
/// ```
/// use powar_golden::fast::controller::{Inputs, PowerController};
///
/// let config = powar_config::presets::by_name("fat-tree-2")?;
/// let mut controller = PowerController::new(&config);
/// // Requester 0 has a packet for either up-port. Choice, grant, transmission: a cycle each.
/// let asks = Inputs { requesting: Some(0b0001), adaptive: &[0b1100], deterministic: &[0], ..Inputs::IDLE };
/// controller.step(&asks);
/// controller.step(&asks);
/// assert_eq!(controller.grants()[0].port, 2);
/// assert_eq!(controller.step(&Inputs::IDLE).transmit, 0b0100);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PowerController {
    config: Config,
    layout: Layout,
    /// A one for every port.
    every: u64,
    /// The cycle under way, counted from the construction.
    now: u64,
    registers: ControlRegisters,
    /// The policy in force, looked up when its register changes.
    policy: &'static Policy,
    busy: u64,
    allocation: Allocation,
    power: Power,
    flits: Flits,
}

impl PowerController {
    /// A controller after reset. The configuration must have passed [`Config::check`].
    pub fn new(config: &Config) -> Self {
        let registers = ControlRegisters::new(config.register_values());
        PowerController {
            config: config.clone(),
            layout: Layout::new(crate::reference::controller::signals(config)),
            every: low_bits(config.ports),
            now: 0,
            policy: registers.policy(),
            busy: 0,
            allocation: Allocation::new(config),
            power: Power::new(config.ports, 0),
            flits: Flits::new(config, 0, registers.values.check_period),
            registers,
        }
    }

    /// One cycle: the outputs of this cycle, and the clock edge that ends it.
    ///
    /// # Panics
    /// If a requester that asks has no row in `inputs`.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        let now = self.now;
        let mut outputs = self.outputs();
        (outputs.given, outputs.accepted) = self.allocation.grant(self.busy);
        self.now = now + 1;
        if inputs.rst {
            self.reset();
            return outputs;
        }

        let policy = self.policy;
        let free = self.every & !self.busy & (outputs.selectable | if policy.only_selectable { 0 } else { self.every });
        let rank = outputs.awake | if policy.prefers_awake { 0 } else { self.every };
        self.allocation.choose(inputs, outputs.accepted, free, rank);

        let flit_valid = inputs.flit_valid & self.every;
        let values = &self.registers.values;
        self.power.clock(
            now,
            &PowerInputs {
                sleep_enable: policy.sleeps,
                abort_sleep: values.abort_sleep,
                in_use: self.busy | flit_valid,
                wake_request: outputs.given,
            },
            values,
        );
        self.flits.clock(now, flit_valid, values);
        self.busy = outputs.given | self.busy & !(flit_valid & inputs.flit_tail);
        if self.registers.clear_statistics {
            self.power.clear_statistics(now);
            self.flits.clear_statistics();
        }
        if inputs.write.is_some() || self.registers.clear_statistics {
            self.write(inputs.write);
        }
        outputs
    }

    /// Lets `cycles` cycles without a request, a flit and a write pass: the same as as many steps with
    /// [`Inputs::IDLE`], at the cost of the few in which something happens inside.
    pub fn skip(&mut self, cycles: u64) {
        let end = self.now + cycles;
        while self.now < end {
            let event = self.next_event();
            if event > self.now {
                self.now = event.min(end);
                self.allocation.grants.clear();
            } else {
                self.step(&Inputs::IDLE);
            }
        }
    }

    /// The first cycle, from [`PowerController::now`] on, whose outputs may differ from this cycle's if nothing comes
    /// in until then; the statistics are no such difference.
    pub fn next_event(&self) -> u64 {
        let settled = self.allocation.is_settled()
            && self.power.is_settled(self.busy, self.policy.sleeps, self.registers.values.abort_sleep)
            && self.flits.is_settled()
            && !self.registers.clear_statistics;
        if settled { self.power.next_event().min(self.flits.next_check()).max(self.now) } else { self.now }
    }

    /// The number of the cycle under way; 0 at the construction. A reset does not turn it back.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The grants of the cycle that was stepped last, at most one a port, lowest port first.
    pub fn grants(&self) -> &[Grant] {
        &self.allocation.grants
    }

    /// What the control registers hold in the cycle under way.
    pub fn registers(&self) -> &ControlRegisters {
        &self.registers
    }

    /// Ports held by a packet in the cycle under way.
    pub fn busy(&self) -> u64 {
        self.busy
    }

    /// A port's power state in the cycle under way.
    pub fn power_state(&self, port: usize) -> PowerState {
        self.power.state(port)
    }

    /// A port's statistics, as its registers hold them in the cycle under way.
    pub fn statistics(&self, port: usize) -> PortStatistics {
        PortStatistics { flits: self.flits.of_port(port), ..self.power.statistics(port, self.now) }
    }

    /// The outputs that registers alone decide: all but the grants.
    fn outputs(&self) -> Outputs {
        Outputs {
            given: 0,
            accepted: 0,
            transmit: self.busy & self.power.active(),
            busy: self.busy,
            awake: self.power.active(),
            refreshing: self.power.refreshing(),
            full_power: self.every & !self.power.quiet(),
            selectable: self.flits.selectable(),
            check: self.flits.is_check(self.now),
        }
    }

    /// Gives every register its reset value in the cycle that is now under way.
    fn reset(&mut self) {
        self.registers.reset();
        self.policy = self.registers.policy();
        self.busy = 0;
        self.allocation.reset();
        self.power = Power::new(self.config.ports, self.now);
        self.flits = Flits::new(&self.config, self.now, self.registers.values.check_period);
    }

    /// The control registers' edge, and what their new values mean for events already planned.
    fn write(&mut self, write: Option<(u8, u32)>) {
        let before = self.registers.values;
        let durations = self.registers.durations();
        self.registers.clock(write);
        let values = &self.registers.values;
        if *values == before {
            return;
        }
        self.policy = self.registers.policy();
        if self.registers.durations() != durations {
            self.power.plan_anew(self.now, values);
        }
        self.flits.plan_anew(self.now, values.check_period);
    }
}
