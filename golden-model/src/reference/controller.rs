//! `power_controller`: the power logic for a switch of somebody else, composed of the other blocks exactly as the page joins
//! them.
//!
//! This is the reference: every block passes every clock edge.

use crate::bits::is_set;
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::allocation::Selector;
use crate::reference::allocation::selector::SelectorInputs;
use crate::reference::arbiters::PortArbiter;
use crate::reference::mechanisms;
use crate::reference::power::mechanism::{WRITE_INPUT, Write};
use crate::reference::power::power_manager::{ANSWER, ManagerInputs, Read};
use crate::reference::power::surroundings::show_lookup;
use crate::reference::power::{PowerManager, PowerMechanism, Surroundings};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{choice, flags, level, phase, ring_word, set};
use powar_config::{Config, Owner, Sees};

/// The power controller, block by block.
#[derive(Clone, Debug)]
pub struct StepwiseController {
    config: Config,
    pub power: PowerManager,
    pub selectors: Vec<Selector>,
    pub arbiters: Vec<PortArbiter>,
}

inputs! {
    /// What the controller sees in a cycle, with vectors over the ports.
    #[derive(Clone, Copy, Debug)]
    pub struct StepwiseInputs<'a> of (config, sees): (&Config, Sees) {
        /// Candidate set P of each requester.
        pub adaptive: &'a [u64] = set("adaptive", config.ports).rows(Owner::Requester, config.requesters()),
        /// Deterministic set D of each requester.
        pub deterministic: &'a [u64] = set("deterministic", config.ports).rows(Owner::Requester, config.requesters()),
        /// A flit leaves on the port.
        pub flit_valid: u64 = flags("flit_valid", Owner::Port, config.ports),
        /// That flit is its packet's tail.
        pub flit_tail: u64 = flags("flit_tail", Owner::Port, config.ports),
        /// What the mechanism sees of the switch; `wanted` follows from the sets.
        pub around: Surroundings<'a> = (Sees { wanted: false, ..sees }, config.ports),
        pub write: Option<Write> = WRITE_INPUT,
        pub read: Read = (),
    }
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
        }
    }

    fn sees(&self) -> Sees {
        self.power.mechanism.sees()
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

inputs! {
    /// As inputs of the block.
    #[derive(Clone, Copy, Debug)]
    pub struct StepwiseFrame<'a> of block: &StepwiseController {
        pub inputs: StepwiseInputs<'a> = (&block.config, block.sees()),
    }
}

impl Block for StepwiseController {
    type Inputs<'a> = StepwiseFrame<'a>;

    fn outputs(&self, seen: &StepwiseFrame, rows: &mut RegisterRows) {
        let ports = |name| flags(name, Owner::Port, self.config.ports);
        let around = &seen.inputs.around;
        let (held, shown) = (self.power.held(), self.power.outputs(around.position, around.stage));
        rows.many(choice("grant", self.config.ports).of(Owner::Requester), self.grant());
        rows.one(ports("transmit"), held & shown.ready);
        rows.one(ports("held"), held);
        rows.one(ports("grantable"), shown.grantable);
        rows.one(ports("preferred"), shown.preferred);
        rows.one(ports("ready"), shown.ready);
        rows.one(ports("hint"), shown.hint);
        rows.many(phase("phase").of(Owner::Port), shown.phase);
        rows.many(level("level").of(Owner::Port), shown.level);
        if let ring @ Some(_) = self.sees().ring {
            rows.one(ring_word("ring_out", ring), shown.ring);
        }
        show_lookup(shown.lookup, self.sees(), rows);
        rows.one(ANSWER[0], self.power.read_done);
        rows.one(ANSWER[1], self.power.read_data);
    }

    fn edge(&mut self, rst: bool, seen: &StepwiseFrame) {
        if rst { self.reset() } else { self.clock(&seen.inputs) }
    }
}

impl Registers for StepwiseController {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(Owner::Block, "power", [&self.power]);
        rows.owners(Owner::Requester, "selector", &self.selectors);
        rows.child_of(Owner::Port, "arbiter", &self.arbiters);
    }
}
