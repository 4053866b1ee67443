//! `power_controller`, event-driven.
//!
//! It shows the same registers in the same cycles as [`crate::reference::controller::StepwiseController`], but its cost is that of what
//! happens, not of the number of ports and requesters:
//!
//! * the power mechanism plans its transitions: a cycle without one costs a look at the nearest of them;
//! * counters of cycles are kept as the cycle since which they count;
//! * allocation walks the requesters that ask or have asked, and the ports that they chose;
//! * cycles in which nothing can happen are skipped at once ([`PowerController::skip`]).

mod allocation;
mod frame;
mod inputs;

pub use allocation::Grant;
pub use inputs::{Inputs, Outputs};

use super::mechanisms::{self, EventMechanism};
use super::power::PowerManager;
use crate::bits::{low_bits, ones};
use crate::lock_step::Frames;
use crate::port_counts::PortCounts;
use crate::reference::controller::StepwiseController;
use allocation::Allocation;
use powar_config::{Config, Layout, Phase, Sees};

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
    /// The vector of all ports.
    every: u64,
    /// The cycle under way, counted from the construction.
    now: u64,
    allocation: Allocation,
    power: PowerManager,
}

impl PowerController {
    /// A controller after reset. The configuration must have passed [`Config::check`].
    pub fn new(config: &Config) -> Self {
        PowerController::with_mechanism(config, mechanisms::build(config), &StepwiseController::new(config))
    }

    /// The same with a mechanism that need not be the configuration's, and with the signals of this controller.
    pub fn with_mechanism(config: &Config, mechanism: Box<dyn EventMechanism>, reference: &StepwiseController) -> Self {
        PowerController {
            config: config.clone(),
            layout: Layout::new(reference.signals()),
            every: low_bits(config.ports),
            now: 0,
            allocation: Allocation::new(config),
            power: PowerManager::new(config.ports, mechanism, 0),
        }
    }

    /// One cycle: the outputs of this cycle, and the clock edge that ends it.
    ///
    /// # Panics
    /// If a requester that asks has no row in `inputs`.
    pub fn step(&mut self, inputs: &Inputs) -> Outputs {
        let now = self.now;
        let mut outputs = self.outputs();
        (outputs.given, outputs.accepted) = self.allocation.grant(outputs.held);
        self.now = now + 1;
        self.power.pass(now);
        if let Some(around) = inputs.around {
            self.power.seen.around.as_mut().clone_from(around);
        }
        if let Some(buffers) = inputs.buffers {
            self.power.seen.buffers.show(now, buffers);
        }
        if inputs.rst {
            self.power.reset(self.now);
            self.power.seen.around.end_cycle();
            self.allocation.reset();
            return outputs;
        }
        self.allocation.choose(inputs, outputs.accepted, outputs.grantable & !outputs.held, outputs.preferred);

        let departing = inputs.flit_valid & self.every;
        let released = departing & inputs.flit_tail;
        if inputs.read.request | self.power.is_reading() {
            self.power.clock_read(now, &inputs.read, |_, _| 0);
        }
        let sees = self.sees();
        if sees.wanted {
            self.power.seen.around.wanted = self.wanted(inputs);
        }
        for port in ones(departing) {
            self.power.seen.flits.add(port, now, 1);
        }
        self.power.clock(now, outputs.given, departing, released);
        // A flit comes by itself.
        self.power.seen.departing = 0;
        if sees.wanted | sees.ring.is_some() {
            self.power.seen.around.end_cycle();
        }
        if inputs.write.is_some() | self.power.clear {
            self.power.write(now, inputs.write);
        }
        outputs
    }

    #[inline]
    fn sees(&self) -> Sees {
        self.power.sees
    }

    /// Ports that some requester asks for.
    fn wanted(&self, inputs: &Inputs) -> u64 {
        let asking = inputs.requesting.unwrap_or(low_bits(self.config.requesters()));
        ones(asking).fold(0, |ports, row| ports | inputs.adaptive[row] | inputs.deterministic[row]) & self.every
    }

    /// Lets `cycles` cycles without a request, a flit, a write and a read pass: the same as as many steps with
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
    /// in until then; the counters are no such difference.
    pub fn next_event(&self) -> u64 {
        if self.allocation.is_settled() { self.power.next_event(self.now) } else { self.now }
    }

    /// The number of the cycle under way; 0 at the construction. A reset does not turn it back.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// The grants of the cycle that was stepped last, at most one a port, lowest port first.
    pub fn grants(&self) -> &[Grant] {
        &self.allocation.grants
    }

    /// Ports held by a packet in the cycle under way.
    pub fn held(&self) -> u64 {
        self.power.held()
    }

    /// Ports that may send in the cycle under way.
    pub fn ready(&self) -> u64 {
        self.power.shown.ready
    }

    /// A port's phase in the cycle under way.
    pub fn phase(&self, port: usize) -> Phase {
        self.power.shown.phase(port)
    }

    /// A port's counters, as its registers hold them in the cycle under way.
    pub fn counts(&self, port: usize) -> PortCounts {
        self.power.counts(port, self.now)
    }

    /// The outputs that registers alone decide: all but the grants.
    #[inline]
    fn outputs(&self) -> Outputs {
        let shown = &self.power.shown;
        Outputs {
            given: 0,
            accepted: 0,
            transmit: self.power.held() & shown.ready,
            held: self.power.held(),
            grantable: shown.grantable,
            preferred: shown.preferred,
            ready: shown.ready,
            sideband: shown.sideband,
        }
    }
}
