//! `powar_switch`, event-driven: what networks are simulated with.
//!
//! It shows the same registers in the same cycles as the composition of the single blocks, [`crate::reference::switch`], but
//! its cost is that of what happens:
//!
//! * a packet costs a packet: links, buffers and credits are told of its flits at once, as trains (`docs/trains.md`), and what a register
//!   holds in a cycle follows from when they began;
//! * masks over ports say who has something to do, a time wheel what becomes due and when;
//! * a packet is routed once, after it has come into a head register, and again only if its routing sees output ports and something about
//!   them has changed; selectors choose again only if something they look at has changed;
//! * room for packets is a vector over ports, which is looked after only while a packet waits;
//! * the power mechanism is one of [`crate::fast::mechanisms`]: nothing here knows which, and what it does not ask for is not made;
//! * cycles in which nothing can happen are skipped at once ([`Switch::skip`]);
//! * several equal switches of a network may be one ([`Switch::bundle`]).

mod allocation;
mod around;
mod arrivals;
mod behind;
mod bus;
mod crossbar;
mod delay;
mod due;
mod frame;
mod input_port;
mod input_ports;
mod link;
mod lookup;
mod output_ports;
mod parts;
mod queries;
mod queue;
mod reads;
mod routes;
mod routing;
mod software;
mod table;
mod waiting;

pub use crate::reference::registers::register_bus::BusInputs;
pub use bus::BusRegisters;
pub use frame::{Twin, Words, twin};
pub use input_port::InputErrors;
pub use link::{Credits, Inputs, LinkFlit, Outputs, Payload, Train, Unrolled};
pub use reads::LONGEST_TRAIN;
pub use waiting::{Waiting, Want};

use super::mechanisms::{self, EventMechanism};
use super::power::{PowerManager, Shown, Sideband};
use allocation::{Allocatable, Allocated, Allocation, Changes, Choosable};
use anyhow::Result;
use crossbar::Crossbar;
use delay::Delay;
use input_ports::InputPorts;
use lookup::Lookup;
use output_ports::OutputPorts;
use parts::Parts;
use powar_config::{Config, registers};
use reads::Reads;
use routing::Router;

/// The switch, with flits that carry `P`.
///
/// ```
/// use powar_config::topology::pack_address;
/// use powar_golden::fast::switch::{Inputs, Switch, Train};
///
/// let config = powar_config::presets::by_name("star-16")?;
/// let mut switch = Switch::<[u32; 4]>::new(&config, 0, 0)?;
/// // A packet of one flit comes in at port 3, for the node at port 7.
/// let payload = [1 << 16 | u32::from(pack_address(&[16], 7)), 1, 2, 3];
/// let train = Train { port: 3, vc: 0, head: true, phase: Default::default(), flits: 1, payload };
/// switch.step(&Inputs { trains: &[train], ..Inputs::IDLE });
/// switch.skip(7);
/// // Eight cycles later it goes out, on VC 7 mod 4.
/// assert_eq!(switch.outputs().trains, [Train { port: 7, vc: 3, ..train }]);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Switch<P> {
    config: Box<Config>,
    /// The cycle under way, counted from the construction.
    now: u64,
    place: (u16, u8),
    bus: BusRegisters,
    /// The bus has an answer to give, or a word is on its way to it.
    bus_is_active: bool,
    power: PowerManager,
    lookup: Lookup,
    /// The mechanism sees what is wanted, or routes may change while packets wait.
    looks_around: bool,
    /// The routing sees output ports, so that every cycle counts in which a credit moves.
    sees_credits: bool,
    input: InputPorts<P>,
    allocation: Allocation,
    crossbar: Crossbar<P>,
    /// What the last cycle's reads come to in this one.
    reads: Reads,
    output: OutputPorts,
    outputs: Outputs<P>,
    /// What ports showed of themselves in the last cycles; links show it later.
    delay: Delay,
    /// What the mechanism showed in the cycle before.
    before: Before,
    /// What selectors last looked at.
    chosen_from: Choosable,
    /// Output ports that were given, or granted, to a packet in the cycle before, in a switch for short packets: they may be chosen all the same.
    recent: u64,
}

/// What the mechanism shows of all ports and others see a cycle later; all zeros after a reset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Before {
    grantable: u64,
    preferred: u64,
    ready: u64,
    steady: u64,
}

impl Before {
    /// What is shown in the cycle under way.
    #[inline]
    fn of(shown: &Shown) -> Before {
        Before { grantable: shown.grantable, preferred: shown.preferred, ready: shown.ready, steady: shown.steady }
    }
}

impl<P: Payload> Switch<P> {
    /// A switch after reset at a place in the network: its packed address, and its stage in a fat-tree.
    ///
    /// # Errors
    /// A configuration that is not one of a switch ([`Config::check`], [`Config::check_switch`]).
    pub fn new(config: &Config, position: u16, stage: u8) -> Result<Self> {
        Switch::with_mechanism(config, mechanisms::build(config), position, stage)
    }

    /// The same with a mechanism that need not be the configuration's. The register map stays the configuration's.
    ///
    /// # Errors
    /// As of [`Switch::new`].
    pub fn with_mechanism(
        config: &Config,
        mechanism: Box<dyn EventMechanism>,
        position: u16,
        stage: u8,
    ) -> Result<Self> {
        config.check()?;
        Switch::of_parts(config, config, mechanism, &[(position, stage)])
    }

    /// Switches of the configuration `one`, which has been checked, at places; `config` has the ports and groups of all of them.
    fn of_parts(
        one: &Config,
        config: &Config,
        mechanism: Box<dyn EventMechanism>,
        places: &[(u16, u8)],
    ) -> Result<Self> {
        let (position, stage) = places[0];
        let router = Router::new(one, Parts::new(one.ports, places))?;
        let mut power = PowerManager::new(config.ports, mechanism, registers::ERRORS.len());
        (power.seen.around.position, power.seen.around.stage) = (position, stage);
        let keeps_ready = power.keeps_ready();
        let mut switch = Switch {
            config: Box::new(config.clone()),
            now: 0,
            place: (position, stage),
            bus: BusRegisters::default(),
            bus_is_active: false,
            lookup: Lookup::default(),
            looks_around: power.sees.wanted | router.sees().changes(),
            sees_credits: router.sees().occupancy,
            input: InputPorts::new(config, router, keeps_ready, power.sees.buffers),
            output: OutputPorts::new(config, power.sees.buffers),
            power,
            allocation: Allocation::new(config),
            crossbar: Crossbar::new(config.ports),
            reads: Reads::default(),
            outputs: Outputs::default(),
            delay: Delay::default(),
            before: Before::default(),
            chosen_from: Choosable::default(),
            recent: 0,
        };
        switch.note_sideband();
        Ok(switch)
    }

    /// One cycle, to the clock edge that ends it. What begins on the links in the next cycle, which is then the one under way.
    ///
    /// # Panics
    /// If a train or a credit is on a port that the switch has not.
    pub fn step(&mut self, inputs: &Inputs<P>) -> &Outputs<P> {
        let now = self.now;
        self.now = now + 1;
        for signal in inputs.neighbours {
            self.power.seen.around.neighbours.set(signal);
        }
        self.power.seen.around.ring_in = inputs.ring;
        if inputs.rst {
            self.outputs.trains.clear();
            self.outputs.credits.clear();
            self.reset();
            return &self.outputs;
        }
        // What a read answers with is what registers hold before anything moves; a row that software has written is seen by what asks next.
        let write = match inputs.bus {
            None if !self.bus_is_active => None,
            bus => self.clock_bus(&bus.unwrap_or_default(), now),
        };
        let shown = Before::of(&self.power.shown);
        let Allocated { given, granted } = self.allocate_and_choose(now);
        let Reads { departing, released } = self.move_flits(now, granted);

        if self.power.sees.buffers {
            self.tell_of_moving(now, inputs.trains);
        }
        if self.power.sees.routes.looks_up() {
            self.look_up();
        }
        // The last flits of a packet all release its port, which may have been given to the next packet when the tail departs.
        let freed = granted & self.reads.released & std::mem::take(&mut self.input.brief);
        self.power.clock(now, given, departing, released & !granted | freed);

        if !(inputs.trains.is_empty() && self.input.singly.is_empty()) {
            self.input.arrive(now, inputs.trains);
        }
        if self.input.is_fetching() {
            self.input.load_fetched();
        }
        if self.output.looks_at_each() || !inputs.credits.is_empty() {
            self.output.clock(now, inputs.credits);
        }
        self.tell_of_buffers(now);
        if self.input.routed == 0 {
            // What has changed is for packets that wait; those to come are looked at in any case.
            self.output.room_changed = 0;
        }

        if write.is_some() | self.power.clear {
            self.write(now, write);
        }
        if shown != self.before {
            if shown.ready != self.before.ready {
                self.input.ready_changed(now, shown.ready);
            }
            self.before = shown;
        }
        self.note_sideband();
        self.outputs.ring = self.power.shown.ring;
        if self.looks_around {
            self.look_around();
        }
        &self.outputs
    }

    /// Stages 2 and 3 of allocation, which see what stage 1 and the route registers hold before the edge, and then these.
    #[inline]
    fn allocate_and_choose(&mut self, now: u64) -> Allocated {
        let allocated = self.allocate();
        let ports = self.choosable();
        if self.input.short_packets {
            self.recent = allocated.given | allocated.granted;
        }
        if self.input.routed | self.input.fresh != 0 {
            self.output.look_for_room(now);
        }
        let changes = self.changes(&ports);
        if changes.any() | (self.input.fresh != 0) {
            (self.chosen_from, self.output.room_changed) = (ports, 0);
            if self.input.routed | self.input.fresh != 0 {
                Allocation::choose(&mut self.input, &ports, &changes, &mut self.output);
            }
        }
        if self.allocation.has_moved() {
            self.allocation.move_pointers(&mut self.input);
        }
        self.input.show_routes();
        allocated
    }

    /// The crossbar, what sets out behind it, and what is read for it. What the reads of the cycle before come to in this one.
    #[inline]
    fn move_flits(&mut self, now: u64, granted: u64) -> Reads {
        self.crossbar.advance(now, &mut self.outputs.trains, &mut self.output);
        for train in &self.crossbar.crossing {
            self.power.seen.flits.add(train.port.into(), now, train.flits);
        }
        if self.output.is_choosing() | (granted != 0) {
            self.output.choose_vcs(now, granted);
        }
        if now >= self.delay.next_due() {
            self.pass_sideband();
        }
        let (credits, departing) = (&mut self.outputs.credits, &mut self.crossbar.departing);
        let reads = match self.input.able {
            0 => self.input.read_nothing(credits, departing),
            _ => self.input.read(now, credits, departing, self.before.steady),
        };
        std::mem::replace(&mut self.reads, reads)
    }

    /// Reads what steps may need and does nothing with it: to bring all of that into the cache at once takes a fraction of the time that it takes
    /// step by step.
    #[inline]
    pub fn touch(&self) {
        let (input, output, links) = (self.input.touch(), self.output.touch(), self.crossbar.touch());
        std::hint::black_box(input ^ output ^ links);
    }

    /// Credits begin to come in in cycle `now`, which is before [`Switch::next_event`] and has nothing else: that may be another one then, and
    /// the cycle need not be stepped. False: nothing has been done, and it is to be.
    #[inline]
    pub fn credits_come(&mut self, now: u64, credits: &[Credits]) -> bool {
        if self.looks_at_credits() || self.output.looks_at_each() || !self.output.come(now, credits) {
            return false;
        }
        self.tell_of_buffers(now);
        self.pass_to(now + 1);
        true
    }

    /// Nothing happens before that cycle.
    #[inline]
    fn pass_to(&mut self, cycle: u64) {
        self.now = cycle;
        // What is there has begun.
        self.outputs.trains.clear();
        self.outputs.credits.clear();
        self.outputs.ring = 0;
    }

    /// Lets `cycles` cycles pass in which nothing comes in: the same as as many steps with [`Inputs::IDLE`], at the cost of the
    /// few in which something happens inside.
    pub fn skip(&mut self, cycles: u64) {
        let end = self.now + cycles;
        while self.now < end {
            let event = self.next_event();
            if event > self.now {
                self.pass_to(event.min(end));
            } else {
                self.step(&Inputs::IDLE);
            }
        }
    }

    /// The first cycle, from [`Switch::now`] on, with whose step something begins or changes if nothing comes in until then but what has been
    /// told of; what follows from a train that has begun is no such change, nor are the counters.
    pub fn next_event(&self) -> u64 {
        let now = self.now;
        if !self.is_settled() {
            return now;
        }
        let planned = self.power.next_event(now).min(self.delay.next_due()).min(self.input.due.next(now));
        // Without a packet there is nobody to see what has changed. A mechanism that sees what is wanted does so in the cycle before.
        match self.input.routed {
            0 => planned,
            _ => planned.min(self.output.next_room(now).saturating_sub(self.power.sees.wanted.into()).max(now)),
        }
    }

    /// Whether a step without inputs changes nothing but what is planned.
    fn is_settled(&self) -> bool {
        self.crossbar.is_empty()
            && self.input.is_settled()
            && self.reads.released == 0
            && self.reads.departing == self.input.sending
            && self.power.seen.departing == self.reads.departing
            && self.allocation.is_empty()
            && !self.output.is_choosing()
            && self.recent == 0
            && self.before == Before::of(&self.power.shown)
            // Without a packet there is nobody to see what has changed.
            && (self.input.routed == 0 || !self.changes(&self.choosable()).any())
            && !self.output.looks_at_each()
            && !(self.looks_at_credits() && self.output.moves(self.now))
            && !self.bus_is_active
    }

    /// Somebody asks for a route that depends on credits.
    #[inline]
    fn looks_at_credits(&self) -> bool {
        self.sees_credits && self.input.present != 0
    }

    /// Stages 2 and 3 of allocation, and what packets that have been granted a port or are dropped begin with.
    #[inline]
    fn allocate(&mut self) -> Allocated {
        if self.allocation.is_empty() & (self.input.asking == 0) {
            return Allocated::default();
        }
        let ports = Allocatable { held: self.power.held(), ready_before: self.before.ready };
        self.allocation.step(self.now - 1, &mut self.input, &mut self.output, &ports)
    }

    /// What selectors look at in the cycle under way.
    #[inline]
    fn choosable(&self) -> Choosable {
        let open = self.before.grantable & (!self.power.held() | self.recent);
        Choosable { open, preferred: self.before.preferred }
    }

    /// The ports at which selectors see something else than when they last looked.
    #[inline]
    fn changes(&self, ports: &Choosable) -> Changes {
        let before = &self.chosen_from;
        let preferred = ports.preferred ^ before.preferred;
        Changes {
            lost: before.open & !ports.open,
            more: ports.open & !before.open | preferred | self.output.room_changed,
        }
    }

    /// Looks whether ports show something new from the cycle on that begins.
    #[inline]
    fn note_sideband(&mut self) {
        if self.power.shown.sideband_moved {
            self.power.shown.sideband_moved = false;
            self.delay.push(self.now, self.power.shown.sideband);
        }
    }

    /// Links show what ports have shown.
    #[cold]
    fn pass_sideband(&mut self) {
        self.outputs.sideband = self.delay.pop();
    }

    /// Tells the mechanism what begins to come in, and to be read, in cycle `now`.
    #[inline]
    fn tell_of_moving(&mut self, now: u64, arriving: &[Train<P>]) {
        let buffers = &mut self.power.seen.buffers;
        for train in arriving {
            buffers.arrive(train.port.into(), now, train.flits);
        }
        // Whatever is read gives its credits back.
        for run in &self.outputs.credits {
            buffers.leave(run.port.into(), now, run.credits);
        }
    }

    /// Tells the mechanism, if it sees buffers, what has begun to enter them in cycle `now`, and of credits.
    #[inline]
    fn tell_of_buffers(&mut self, now: u64) {
        if !self.power.sees.buffers {
            return;
        }
        let buffers = &mut self.power.seen.buffers;
        for (port, flits) in self.input.entered.drain(..) {
            buffers.enter(port.into(), now, flits);
        }
        for run in self.output.taken.drain(..) {
            buffers.take(run.port.into(), now, run.credits);
        }
        for run in self.output.returned.drain(..) {
            buffers.take_back(run.port.into(), now, run.credits);
        }
    }

    /// Brings up to date what routing and mechanism see of the switch in the cycle that begins.
    #[cold]
    fn look_around(&mut self) {
        let PowerManager { sees, shown, seen, .. } = &mut self.power;
        let (outputs, around) = (&mut self.output, &mut seen.around);
        self.input.look_around(self.now, *sees, shown.serves, &self.allocation, outputs, around);
    }

    /// Gives every register its reset value in the cycle that is now under way.
    #[cold]
    #[inline(never)]
    fn reset(&mut self) {
        (self.bus, self.bus_is_active, self.lookup) = (BusRegisters::default(), false, Lookup::default());
        self.power.reset(self.now);
        self.input.reset();
        if let Some(table) = &mut self.input.router.table {
            table.reset();
        }
        self.allocation.reset();
        self.crossbar.reset();
        self.reads = Reads::default();
        self.output.reset(self.now);
        self.delay.clear();
        (self.outputs.sideband, self.outputs.ring) = (Sideband::default(), self.power.shown.ring);
        self.note_sideband();
        (self.before, self.chosen_from, self.recent) = (Before::default(), Choosable::default(), 0);
        if self.looks_around {
            self.look_around();
        }
    }
}
