//! `power_controller`: the power logic for a switch of somebody else, composed of the other blocks exactly as the page joins
//! them.
//!
//! This is the reference: every block passes every clock edge.

use crate::bits::is_set;
use crate::lock_step::{Frames, Observed, Slots, declare};
use crate::reference::allocation::Selector;
use crate::reference::allocation::selector::SelectorInputs;
use crate::reference::arbiters::PortArbiter;
use crate::reference::mechanisms;
use crate::reference::power::mechanism::{READ, Write, write_signals};
use crate::reference::power::power_manager::{ANSWER, ManagerInputs, Read};
use crate::reference::power::{PowerManager, PowerMechanism, Surroundings};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{RST, choice, flags, level, phase, ring_word, set};
use powar_config::{Config, Owner, Role, Sees, SignalDecl};

/// The power controller, block by block.
#[derive(Clone, Debug)]
pub struct StepwiseController {
    config: Config,
    pub power: PowerManager,
    pub selectors: Vec<Selector>,
    pub arbiters: Vec<PortArbiter>,
    rows: RegisterRows,
}

/// What the controller sees in a cycle, with vectors over the ports.
#[derive(Clone, Copy, Debug)]
pub struct StepwiseInputs<'a> {
    /// Candidate set P of each requester.
    pub adaptive: &'a [u64],
    /// Deterministic set D of each requester.
    pub deterministic: &'a [u64],
    /// A flit leaves on the port.
    pub flit_valid: u64,
    /// That flit is its packet's tail.
    pub flit_tail: u64,
    /// What the mechanism sees of the switch; `wanted` follows from the sets.
    pub around: Surroundings<'a>,
    pub write: Option<Write>,
    pub read: Read,
}

impl StepwiseController {
    /// A controller after reset. The configuration must have passed [`Config::check`].
    pub fn new(config: &Config) -> Self {
        StepwiseController::with_mechanism(config, mechanisms::build(config))
    }

    /// The same with a mechanism after reset that need not be the configuration's.
    pub fn with_mechanism(config: &Config, mechanism: Box<dyn PowerMechanism>) -> Self {
        let (ports, requesters) = (config.ports, config.requesters());
        StepwiseController {
            config: config.clone(),
            power: PowerManager::new(ports, mechanism, 0),
            selectors: vec![Selector::new(ports, config.deterministic); requesters],
            arbiters: vec![PortArbiter::new(requesters); ports],
            rows: RegisterRows::default(),
        }
    }

    fn sees(&self) -> Sees {
        self.power.mechanism.entry().sees
    }

    /// Row r: the port that requester r is given in this cycle, one-hot.
    pub fn grant(&self) -> Vec<u64> {
        let mut rows = vec![0; self.selectors.len()];
        for port in 0..self.config.ports {
            let winner = self.arbiters[port].grant(self.requests(port), self.is_free(port));
            for (requester, row) in rows.iter_mut().enumerate() {
                *row |= u64::from(is_set(winner, requester)) << port;
            }
        }
        rows
    }

    /// The requesters whose choice is this port.
    fn requests(&self, port: usize) -> u64 {
        let chosen = |selector: &Selector| u64::from(is_set(selector.choice, port));
        self.selectors.iter().enumerate().fold(0, |vector, (r, selector)| vector | chosen(selector) << r)
    }

    fn is_free(&self, port: usize) -> bool {
        !is_set(self.power.held(), port)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        self.power.reset();
        self.selectors.iter_mut().for_each(Selector::reset);
        self.arbiters.iter_mut().for_each(PortArbiter::reset);
    }

    /// The clock edge. All children see the outputs that the others have before it.
    pub fn clock(&mut self, inputs: &StepwiseInputs) {
        let grant = self.grant();
        let given = grant.iter().fold(0, |vector, row| vector | row);
        let requests: Vec<(u64, bool)> =
            (0..self.config.ports).map(|port| (self.requests(port), self.is_free(port))).collect();
        let shown = self.power.outputs(inputs.around.position, inputs.around.stage);

        let may_be_given = shown.grantable & !self.power.held();
        for (requester, selector) in self.selectors.iter_mut().enumerate() {
            selector.clock(&SelectorInputs {
                adaptive: inputs.adaptive[requester] & may_be_given,
                deterministic: inputs.deterministic[requester] & may_be_given,
                preferred: shown.preferred,
                accept: grant[requester] != 0,
                granted: selector.choice,
                granted_adaptive: selector.choice_adaptive,
            });
        }
        for (arbiter, (request, free)) in self.arbiters.iter_mut().zip(requests) {
            arbiter.clock(request, free);
        }
        let wanted = inputs.adaptive.iter().chain(inputs.deterministic).fold(0, |ports, set| ports | set);
        self.power.clock(&ManagerInputs {
            around: Surroundings { wanted: if self.sees().wanted { wanted } else { 0 }, ..inputs.around },
            given,
            departing: inputs.flit_valid,
            released: inputs.flit_tail,
            freed: 0,
            error: &[],
            write: inputs.write,
            read: inputs.read,
        });
    }
}

/// Takes a cycle's inputs from an input frame of the controller: whether there is a reset, and what is seen.
pub(crate) fn take_inputs<'a>(config: &Config, sees: Sees, inputs: &'a [u64]) -> (bool, StepwiseInputs<'a>) {
    let mut slots = Slots(inputs);
    let rst = slots.bit();
    let mut seen = StepwiseInputs {
        adaptive: slots.rows(config.requesters()),
        deterministic: slots.rows(config.requesters()),
        flit_valid: slots.one(),
        flit_tail: slots.one(),
        around: Surroundings::default(),
        write: None,
        read: Read::default(),
    };
    seen.around.take_place(sees, &mut slots);
    seen.around.take_ports(Sees { wanted: false, ..sees }, config.ports, &mut slots);
    seen.write = Write::take(&mut slots);
    seen.read = Read::take(&mut slots);
    (rst, seen)
}

impl Frames for StepwiseController {
    fn signals(&self) -> Vec<SignalDecl> {
        let (n, r, sees) = (self.config.ports, self.config.requesters(), self.sees());
        let ports = |name| flags(name, Owner::Port, n);
        let sets = |name| set(name, n).rows(Owner::Requester, r);
        let inputs = [RST, sets("adaptive"), sets("deterministic"), ports("flit_valid"), ports("flit_tail")];
        let mut signals = declare(Role::Input, inputs);
        signals.extend(Surroundings::place_signals(sees));
        signals.extend(Surroundings::port_signals(Sees { wanted: false, ..sees }, n));
        signals.extend(write_signals());
        signals.extend(declare(Role::Input, READ));
        let outputs = [
            choice("grant", n).rows(Owner::Requester, r),
            ports("transmit"),
            ports("held"),
            ports("grantable"),
            ports("preferred"),
            ports("ready"),
            ports("hint"),
            phase("phase").rows(Owner::Port, n),
            level("level").rows(Owner::Port, n),
        ];
        signals.extend(declare(
            Role::Output,
            outputs.into_iter().chain(sees.ring.then(|| ring_word("ring_out"))).chain(ANSWER),
        ));
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let (rst, seen) = take_inputs(&self.config, self.sees(), inputs);
        let (held, shown) = (self.power.held(), self.power.outputs(seen.around.position, seen.around.stage));
        observed.rows(self.grant());
        observed.rows([held & shown.ready, held, shown.grantable, shown.preferred, shown.ready, shown.hint]);
        observed.rows(shown.phase);
        observed.rows(shown.level);
        observed.rows(self.sees().ring.then_some(shown.ring));
        observed.put(self.power.read_done);
        observed.put(self.power.read_data);
        let mut rows = std::mem::take(&mut self.rows);
        rows.read(self);
        rows.observe(observed);
        self.rows = rows;
        if rst { self.reset() } else { self.clock(&seen) }
    }
}

impl Registers for StepwiseController {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "power", [&self.power]);
        rows.owners(Owner::Requester, "selector", &self.selectors);
        rows.child_of(Owner::Port, "arbiter", &self.arbiters);
    }
}
