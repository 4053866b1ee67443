//! The whole switch of section 5.13, event-driven: what networks are simulated with.
//!
//! It shows the same registers in the same cycles as the composition of the single blocks, [`crate::reference::switch`], but
//! its cost is that of what happens:
//!
//! * links, credits and reads are lists of what there is; masks over ports say who has something to do;
//! * a packet is routed once, when it comes into a head register; selectors choose again only if something they look at has changed;
//! * room for packets is a vector over ports, kept up to date by the credits that cross its threshold;
//! * power FSMs, statistics and port groups are the event-driven ones of [`crate::fast::controller`];
//! * cycles in which nothing can happen are skipped at once ([`Switch::skip`]).

mod allocation;
mod arrivals;
mod bus;
mod frame;
mod input_ports;
mod link;
mod list;
mod output_ports;
mod queue;
mod routing;
mod waiting;

pub use crate::reference::registers::register_bus::BusInputs;
pub use bus::BusOutputs;
pub use frame::{Twin, twin};
pub use input_ports::InputErrors;
pub use link::{Credit, Inputs, LinkFlit, Outputs, Payload};
pub use list::List;
pub use waiting::{Waiting, Want};

use crate::bits::{is_set, low_bits};
use crate::fast::controller::flits::Flits;
use crate::fast::controller::power::{Power, PowerInputs};
use crate::reference::mechanisms::powar::ControlRegisters;
use crate::reference::power::PortStatistics;
use allocation::{Allocation, Changes, Choosable};
use anyhow::Result;
use input_ports::InputPorts;
use output_ports::OutputPorts;
use powar_config::register_map::{IDENTITY, Place};
use powar_config::{Config, Policy, PowerState};
use routing::Router;

/// The switch, with flits that carry `P`.
///
/// ```
/// use powar_config::topology::pack_address;
/// use powar_golden::fast::switch::{Inputs, LinkFlit, Switch};
///
/// let config = powar_config::presets::by_name("star-16")?;
/// let mut switch = Switch::<[u32; 4]>::new(&config, 0, 0)?;
/// // A packet of one flit comes in at port 3, for the node at port 7.
/// let payload = [1 << 16 | u32::from(pack_address(&[16], 7)), 1, 2, 3];
/// let flit = LinkFlit { port: 3, vc: 0, head: true, power_state: Default::default(), payload };
/// switch.step(&Inputs { flits: &[flit], ..Inputs::IDLE });
/// switch.skip(4);
/// // Five cycles later it goes out, on VC 7 mod 4.
/// assert_eq!(switch.outputs().flits, [LinkFlit { port: 7, vc: 3, ..flit }]);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Switch<P> {
    config: Config,
    /// A one for every port.
    every: u64,
    /// The cycle under way, counted from the construction.
    now: u64,
    place: (u16, u8),
    registers: ControlRegisters,
    /// The policy in force, looked up when its register changes.
    policy: &'static Policy,
    bus: BusOutputs,
    busy: u64,
    power: Power,
    flits: Flits,
    input: InputPorts<P>,
    allocation: Allocation,
    output: OutputPorts,
    outputs: Outputs<P>,
    /// The power states of the cycle before and of the one before that, as two bit vectors: what links show lags behind.
    states_early: [u64; 2],
    states_on_links: [u64; 2],
    /// What selectors last looked at.
    chosen_from: Choosable,
    /// In the last cycle a choice has changed, a packet was accepted, or one missed a chance that counts.
    restless: bool,
}

impl<P: Payload> Switch<P> {
    /// A switch after reset at a place in the network: its packed address, and its stage in a fat-tree.
    ///
    /// # Errors
    /// A configuration that is not one of a switch ([`Config::check`], [`Config::check_switch`]).
    pub fn new(config: &Config, position: u16, stage: u8) -> Result<Self> {
        config.check()?;
        let router = Router::new(config, position, stage)?;
        let registers = ControlRegisters::new(config.register_values());
        Ok(Switch {
            config: config.clone(),
            every: low_bits(config.ports),
            now: 0,
            place: (position, stage),
            policy: registers.policy(),
            bus: BusOutputs::default(),
            busy: 0,
            power: Power::new(config.ports, 0),
            flits: Flits::new(config, 0, registers.values.check_period),
            input: InputPorts::new(config, router),
            allocation: Allocation::new(config),
            output: OutputPorts::new(config),
            outputs: Outputs::default(),
            states_early: [0; 2],
            states_on_links: [0; 2],
            chosen_from: Choosable::default(),
            restless: false,
            registers,
        })
    }

    /// One cycle, to the clock edge that ends it. What links show in the next cycle, which is then the one under way.
    ///
    /// # Panics
    /// If a flit or a credit is on a port that the switch has not.
    pub fn step(&mut self, inputs: &Inputs<P>) -> &Outputs<P> {
        let now = self.now;
        self.now = now + 1;
        if inputs.rst {
            self.outputs.flits.clear();
            self.outputs.credits.clear();
            self.reset();
            return &self.outputs;
        }
        // What a read answers with is what registers hold before anything moves.
        let write = inputs.bus.and_then(|bus| self.clock_bus(&bus, now));
        let awake = self.power.active();

        self.input.cross(&mut self.outputs.flits);
        self.states_on_links = self.states_early;
        self.states_early = self.power.state_bits();

        let reads = match self.input.able {
            0 => self.input.read_nothing(&mut self.outputs.credits),
            _ => self.input.read(&mut self.outputs.credits, &mut self.output),
        };
        let (given, moving) = match self.input.asking {
            0 => (0, false),
            _ => self.allocation.grant(&mut self.input, &mut self.output, self.busy, awake, reads.ready),
        };
        let ports = self.choosable();
        let changes = self.changes(&ports);
        self.restless = moving;
        if changes.any() | (self.input.fresh != 0) {
            (self.chosen_from, self.output.room_changed) = (ports, 0);
            if self.input.present | self.input.fresh != 0 {
                self.restless |= Allocation::choose(&mut self.input, &ports, &changes, &mut self.output, awake);
            }
        }

        let departing = reads.departing;
        let values = &self.registers.values;
        let power_inputs = PowerInputs {
            sleep_enable: self.policy.sleeps,
            abort_sleep: values.abort_sleep,
            in_use: self.busy | departing,
            wake_request: given,
        };
        self.power.clock(now, &power_inputs, values);
        self.flits.clock(now, departing, values);
        let busy = given | self.busy & !reads.released;

        if !inputs.flits.is_empty() {
            self.input.arrive(inputs.flits, &self.outputs.credits);
        }
        if self.input.is_fetching() {
            self.input.load_fetched();
        }
        if self.output.is_scarce() || !inputs.credits.is_empty() {
            self.output.clock(inputs.credits);
            if self.input.present == 0 {
                // What has changed is for packets that wait; those to come are looked at in any case.
                self.output.room_changed = 0;
            }
        }

        if self.power.active() != awake {
            self.input.awake_changed(self.power.active());
        }
        self.busy = busy;
        if self.registers.clear_statistics {
            self.clear_statistics(now);
        }
        if write.is_some() || self.registers.clear_statistics {
            self.write(write);
        }
        &self.outputs
    }

    /// The cycle `now`, which is before [`Switch::next_event`], as a step with nothing but credits, if no packet waits for them: only
    /// their counters change. False: nothing has been done, because one may.
    #[inline]
    pub fn take_credits(&mut self, now: u64, credits: &[Credit]) -> bool {
        if self.input.present != 0 {
            return false;
        }
        self.output.clock(credits);
        // What has changed is for packets that wait; those to come are looked at in any case.
        self.output.room_changed = 0;
        self.now = now + 1;
        true
    }

    /// Lets `cycles` cycles pass in which nothing comes in: the same as as many steps with [`Inputs::IDLE`], at the cost of the
    /// few in which something happens inside.
    pub fn skip(&mut self, cycles: u64) {
        let end = self.now + cycles;
        while self.now < end {
            let event = self.next_event();
            if event > self.now {
                self.now = event.min(end);
            } else {
                self.step(&Inputs::IDLE);
            }
        }
    }

    /// The first cycle, from [`Switch::now`] on, whose outputs may differ from this cycle's if nothing comes in until then; the
    /// statistics are no such difference.
    pub fn next_event(&self) -> u64 {
        if self.is_settled() { self.power.next_event().min(self.flits.next_check()).max(self.now) } else { self.now }
    }

    /// Whether a step without inputs changes nothing but timers.
    fn is_settled(&self) -> bool {
        self.outputs.flits.is_empty()
            && self.outputs.credits.is_empty()
            && self.input.is_settled()
            && !self.restless
            // Without a packet there is nobody to see what has changed.
            && (self.input.present == 0 || !self.changes(&self.choosable()).any())
            && self.states_on_links == self.states_early
            && self.states_early == self.power.state_bits()
            && self.power.is_settled(self.busy, self.policy.sleeps, self.registers.values.abort_sleep)
            && self.flits.is_settled()
            && !self.registers.clear_statistics
    }

    /// What selectors look at in the cycle under way.
    #[inline]
    fn choosable(&self) -> Choosable {
        let all_if = |ignored: bool| if ignored { self.every } else { 0 };
        Choosable {
            free: self.every & !self.busy & (self.flits.selectable() | all_if(!self.policy.only_selectable)),
            rank: self.power.active() | all_if(!self.policy.prefers_awake),
        }
    }

    /// The ports at which selectors see something else than when they last looked.
    #[inline]
    fn changes(&self, ports: &Choosable) -> Changes {
        let before = &self.chosen_from;
        Changes {
            lost: before.free & !ports.free,
            more: ports.free & !before.free | ports.rank ^ before.rank | self.output.room_changed,
        }
    }

    /// Puts the switch to another place in the network, from the cycle under way on.
    pub fn move_to(&mut self, position: u16, stage: u8) {
        if self.place != (position, stage) {
            self.place = (position, stage);
            self.input.reroute(position, stage);
        }
    }

    /// The number of the cycle under way; 0 at the construction. A reset does not turn it back.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// What links show in the cycle under way.
    pub fn outputs(&self) -> &Outputs<P> {
        &self.outputs
    }

    /// What the register bus shows in the cycle under way.
    pub fn bus(&self) -> &BusOutputs {
        &self.bus
    }

    /// What the control registers hold in the cycle under way.
    pub fn registers(&self) -> &ControlRegisters {
        &self.registers
    }

    /// Output ports held by a packet in the cycle under way.
    pub fn busy(&self) -> u64 {
        self.busy
    }

    /// Output ports in state `Active`.
    pub fn awake(&self) -> u64 {
        self.power.active()
    }

    /// Output ports that may be chosen (POWAR Algorithms 2 and 3).
    pub fn selectable(&self) -> u64 {
        self.flits.selectable()
    }

    /// Output ports that draw full power: all but those asleep and quiet.
    pub fn full_power(&self) -> u64 {
        self.every & !self.power.quiet()
    }

    /// An output port's power state.
    pub fn power_state(&self, port: usize) -> PowerState {
        self.power.state(port)
    }

    /// The power state that an output port's link shows: that of two cycles before.
    pub fn link_power_state(&self, port: usize) -> PowerState {
        state_of(self.states_on_links, port)
    }

    /// An output port's statistics, as its registers hold them in the cycle under way.
    pub fn statistics(&self, port: usize) -> PortStatistics {
        PortStatistics { flits: self.flits.of_port(port), ..self.power.statistics(port, self.now) }
    }

    /// An input port's error counters.
    pub fn input_errors(&self, port: usize) -> InputErrors {
        self.input.errors[port]
    }

    /// An output port's counter of credits that came back for nothing or a wrong VC, and of flits sent without one.
    pub fn credit_errors(&self, port: usize) -> u32 {
        self.output.errors[port]
    }

    /// Flits in the buffer of an input port's VC.
    pub fn occupancy(&self, port: usize, vc: usize) -> usize {
        self.input.lanes[self.input.channel(port, vc)].flits.count().into()
    }

    /// Credits that an output port has for a VC.
    pub fn credits(&self, port: usize, vc: usize) -> usize {
        self.output.credits(port, vc)
    }

    /// Gives every register its reset value in the cycle that is now under way.
    #[cold]
    #[inline(never)]
    fn reset(&mut self) {
        self.registers.reset();
        self.policy = self.registers.policy();
        (self.bus, self.busy) = (BusOutputs::default(), 0);
        self.power = Power::new(self.config.ports, self.now);
        self.flits = Flits::new(&self.config, self.now, self.registers.values.check_period);
        self.input.reset();
        self.allocation.reset();
        self.output.reset();
        (self.states_early, self.states_on_links) = ([0; 2], [0; 2]);
        (self.chosen_from, self.restless) = (Choosable::default(), false);
    }

    /// The bus's edge of cycle `now`, in which nothing else has moved yet. The write to a control register, if there is one.
    #[cold]
    fn clock_bus(&mut self, inputs: &BusInputs, now: u64) -> Option<(u8, u32)> {
        let mut bus = self.bus;
        let write = bus.clock(inputs, &self.config, |place| self.word(place, now));
        self.bus = bus;
        write
    }

    /// What stands in the register map in cycle `now`.
    fn word(&self, place: Place, now: u64) -> u32 {
        match place {
            Place::Identity(word) => IDENTITY[word].reset.value(&self.config),
            Place::Control(address) => self.registers.contents()[address],
            Place::Port { port, word } => {
                let counters = self.power.statistics(port, now);
                let counters = PortStatistics { flits: self.flits.of_port(port), ..counters }.values();
                let errors = &self.input.errors[port];
                match word {
                    0..=6 => counters[word],
                    7 => errors.dropped_packets,
                    8 => errors.framing_errors,
                    9 => errors.overflow_errors,
                    10 => errors.sleeping_link_flits,
                    11 => self.output.errors[port],
                    _ => {
                        let bit = |vector: u64, place: u32| u32::from(is_set(vector, port)) << place;
                        let flags = bit(self.busy, 2) | bit(self.awake(), 3) | bit(self.selectable(), 4);
                        self.power.state(port) as u32 | flags
                    }
                }
            }
        }
    }

    #[cold]
    fn clear_statistics(&mut self, now: u64) {
        self.power.clear_statistics(now);
        self.flits.clear_statistics();
        self.input.clear_errors();
        self.output.errors = [0; 64];
    }

    /// The control registers' edge, and what their new values mean for events already planned.
    #[cold]
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

/// The state of a port in the two bit vectors that [`Power::state_bits`] makes of all states.
#[inline]
fn state_of(bits: [u64; 2], port: usize) -> PowerState {
    PowerState::ALL[usize::from(is_set(bits[0], port)) | usize::from(is_set(bits[1], port)) << 1]
}
