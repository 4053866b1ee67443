//! E-RAPID's mechanism, event-driven: what packets and debts do to links is told when it shows, words of the ring as they come, and a window in
//! which nobody changes anything costs its messages.

mod links;
mod queues;

use super::{Entry, EventMechanism};
use crate::bits::{low_bits, ones};
use crate::fast::frame::Frame;
use crate::fast::power::{Seen, Shown};
use crate::reference::mechanisms::e_rapid::control_registers::Counts;
use crate::reference::mechanisms::e_rapid::reconfiguration_controller::ReconfigurationInputs;
use crate::reference::mechanisms::e_rapid::ring_station::{
    FILLED, HOLDER, KIND, LIT, OWNER, StationInputs, WAVELENGTH, field,
};
use crate::reference::mechanisms::e_rapid::{ControlRegisters, ReconfigurationController, RingStation, State};
use crate::reference::power::mechanism::Write;
use links::{Links, Rules, Use};
use powar_config::mechanism::e_rapid::{ERapidValues, Kind, Layout, MECHANISM, RingWord};
use powar_config::{Config, Mechanism};
use queues::Queues;

/// The entry in the list of mechanisms.
pub(super) const ENTRY: Entry = ("e_rapid", |config| Box::new(ERapid::new(config)));

/// The mechanism; vectors over links have one bit a link.
#[derive(Clone, Debug)]
pub struct ERapid {
    layout: Layout,
    registers: ControlRegisters,
    /// The cycle in which the count of the timer was 0.
    since: u64,
    station: RingStation,
    controller: ReconfigurationController,
    queues: Queues,
    links: Links,
    /// Those that show a control packet in this cycle.
    hints: u64,
    /// Number of the board in the last cycle that was clocked.
    me: u8,
    /// The first cycle that has not been clocked.
    clocked: u64,
}

/// What the word in the station is about.
#[derive(Clone, Copy, Debug)]
struct Passing {
    kind: u64,
    /// The owner is so much further, 1..B.
    further: usize,
    wavelength: usize,
    link: usize,
}

impl ERapid {
    /// Of a configuration of boards. It is to be reset before it is used.
    ///
    /// # Panics
    /// Its topology is another.
    pub fn new(config: &Config) -> ERapid {
        let layout = Layout::of(config).expect("e_rapid is for boards joined by wavelengths");
        ERapid::of(layout, ERapidValues::of(config))
    }

    /// Of these boards and control registers.
    pub fn of(layout: Layout, values: ERapidValues) -> ERapid {
        ERapid {
            layout,
            registers: ControlRegisters::new(values),
            since: 0,
            station: RingStation::new(layout.boards),
            controller: ReconfigurationController::new(layout.boards),
            queues: Queues::new(layout.boards, 0),
            links: Links::new(&layout, 0),
            hints: 0,
            me: 0,
            clocked: 0,
        }
    }

    /// The part of a vector over ports that is of links.
    #[inline]
    fn of_links(&self, ports: u64) -> u64 {
        ports >> self.layout.nodes & self.links.every()
    }

    /// How links are used while no port is given.
    #[inline]
    fn use_of(&self, seen: &Seen) -> Use {
        Use { used: self.of_links(seen.held | seen.departing), sending: self.of_links(seen.departing) }
    }

    /// The boards that packets wait for, bit o - 1 for the one o further.
    #[inline]
    fn waits(&self, seen: &Seen) -> u8 {
        let wanted = self.of_links(seen.around.wanted);
        if wanted == 0 {
            return 0;
        }
        let (free, boards) = (self.links.grantable() & !self.of_links(seen.held), self.layout.boards);
        let of_board = low_bits(boards);
        let waits = |queue: &usize| {
            let first = queue * boards;
            wanted >> first & of_board != 0 && free >> first & of_board == 0
        };
        (0..boards - 1).filter(waits).fold(0, |queues, queue| queues | 1 << queue)
    }

    fn rules(&self) -> Rules {
        Rules { dead_time: self.registers.values.dead_time }
    }

    /// The cycle of the next check from cycle `now` on.
    fn check_from(&self, now: u64) -> u64 {
        now.max(self.since + u64::from(self.registers.values.window.max(1)) - 1)
    }

    /// What the controller sees in a cycle in which nothing comes from the station.
    fn controller_inputs(&self, check: bool) -> ReconfigurationInputs {
        let values = &self.registers.values;
        ReconfigurationInputs {
            check,
            by_bandwidth: self.registers.by_bandwidth(),
            me: self.me,
            window: values.window,
            b_con: values.b_con,
            degree: values.degree,
            ..ReconfigurationInputs::default()
        }
    }

    /// Brings it to cycle `now`: since the last cycle that was clocked this is what has been seen, and nothing was to be shown.
    fn pass_to(&mut self, now: u64, seen: &Seen) {
        if now <= self.clocked {
            return;
        }
        let waits = self.waits(seen);
        self.links.use_from(self.clocked, self.use_of(seen));
        self.queues.wait_from(self.clocked, waits);
        let inputs = self.controller_inputs(false);
        for cycle in self.clocked..now {
            match self.controller.state {
                State::Wait => break,
                State::LinkRequest => self.sample(cycle),
                _ => {}
            }
            self.controller.clock(&inputs);
        }
        self.clocked = now;
    }

    /// LinkRequest passes a link in a cycle, at whose end it neither opens nor closes.
    fn sample(&mut self, cycle: u64) {
        let link = usize::from(self.controller.index);
        self.links.sample(link, cycle);
        self.sample_queue(cycle);
    }

    /// The queue that is sampled with the link whose turn it is, if one is.
    fn sample_queue(&mut self, cycle: u64) {
        let link = usize::from(self.controller.index);
        if link.is_multiple_of(self.layout.boards) {
            self.queues.sample(link / self.layout.boards, cycle);
        }
    }

    /// What the word in the station is about, if it passes.
    fn passing(&self) -> Option<Passing> {
        if !self.station.passes(self.me) {
            return None;
        }
        let (word, boards) = (self.station.word, self.layout.boards);
        let (owner, wavelength) = (field(word, OWNER) as usize, field(word, WAVELENGTH) as usize);
        let further = (owner + 2 * boards - usize::from(self.me)) % boards;
        let link = (further.checked_sub(1)?) * boards + wavelength;
        Some(Passing { kind: field(word, KIND), further, wavelength, link })
    }

    /// What the station sees in cycle `now`.
    fn station_inputs(&self, now: u64, passing: Option<&Passing>, ring_in: u64) -> StationInputs {
        let (me, send) = (self.me, self.controller.send());
        let message = if send { self.controller.message(me) } else { 0 };
        let seen = StationInputs { ring_in, me, send, message, ..StationInputs::default() };
        let Some(passing) = passing.filter(|passing| passing.kind == Kind::BoardRequest as u64) else { return seen };
        let (boards, queue) = (self.layout.boards, passing.further - 1);
        let link = self.links.controller(passing.link, now);
        let offered = link.offers_now(&self.links.inputs(passing.link));
        let word =
            RingWord { lit: true, offered, holder: me, level: link.level, busy: link.busy, ..RingWord::default() };
        let (wait, has_one) = (self.queues.wait[queue], self.links.holds >> (queue * boards) & low_bits(boards) != 0);
        StationInputs {
            filled: field(word.packed(), FILLED) as u32,
            fills: link.holds && !(field(self.station.word, LIT) == 1 && offered),
            waited: wait,
            claims: passing.wavelength == boards - passing.further && !has_one && wait > 0,
            ..seen
        }
    }

    /// The edge behind cycle `now` of the links to which something happens.
    fn clock_links(&mut self, now: u64, passing: Option<&Passing>, shown: &mut Shown) {
        let values = self.registers.values;
        let turn = 1u64 << self.controller.index;
        let (sampled, told) = match self.controller.state {
            State::LinkRequest => (turn, 0),
            State::LinkResponse if self.registers.by_power() => (0, turn),
            _ => (0, 0),
        };
        let concerned = passing.map_or(0, |passing| 1 << passing.link);
        for link in ones(self.links.restless(now, &self.rules()) | sampled | told | concerned) {
            let (word, bit) = (self.station.word, 1 << link);
            let wait = self.queues.wait[link / self.layout.boards];
            let passes = |kind: Kind| passing.is_some_and(|it| it.link == link && it.kind == kind as u64);
            let mut inputs = self.links.inputs(link);
            inputs.sample = sampled & bit != 0;
            inputs.offers = self.registers.by_bandwidth();
            (inputs.ask, inputs.answer) = (passes(Kind::BoardRequest), passes(Kind::BoardResponse));
            inputs.taken = field(word, LIT) == 1;
            inputs.mine = inputs.taken && field(word, HOLDER) == u64::from(self.me);
            inputs.lower = told & bit != 0 && wait <= values.b_min;
            inputs.higher = told & bit != 0 && wait > values.b_max;
            inputs.dead_time = values.dead_time;
            self.links.clock(link, now, &inputs, self.layout.nodes, shown);
        }
    }

    /// What follows from links and station.
    fn show(&mut self, now: u64, shown: &mut Shown) {
        let hints = self.links.end_edge(now);
        let before = shown.sideband.hint >> self.layout.nodes;
        for link in ones(before ^ hints) {
            shown.set_hint(self.layout.nodes + link, hints >> link & 1 == 1);
        }
        self.hints = hints;
        let (nodes, of_ports) = (low_bits(self.layout.nodes), |links: u64| links << self.layout.nodes);
        shown.grantable = nodes | of_ports(self.links.grantable());
        shown.serves = nodes | of_ports(self.links.open());
        shown.ready = nodes | of_ports(self.links.on);
        shown.steady = shown.ready;
        shown.ring = self.station.ring_out;
    }

    /// The first cycle that has not been clocked at whose end the controller changes links or sends, if the ring stays empty and it is told of
    /// no check.
    fn next_step(&self, next: Use) -> u64 {
        let (controller, boards, now) = (&self.controller, self.layout.boards as u64, self.clocked);
        let (index, links) = (usize::from(controller.index), self.layout.links());
        let classify = boards * (boards + 1);
        // The cycle in which its turn comes, of a link from `index` on.
        let turn = |link: usize| now + (link - index) as u64;
        let left = boards - u64::from(controller.index).min(boards);
        match controller.state {
            State::Wait => u64::MAX,
            State::LinkRequest => {
                let offers = self.registers.by_bandwidth();
                let changes = |link: &usize| self.links.changes_with_sample(*link, self.clocked, next, offers);
                turn((index..links).find(changes).unwrap_or(links))
            }
            State::BoardRequest | State::BoardResponse => now,
            State::Collect => {
                let half = self.registers.values.window / 2;
                let is_complete = u64::from(controller.got) == low_bits(self.layout.boards);
                let cycles = if is_complete { 0 } else { half.saturating_sub(controller.elapsed) };
                now + u64::from(cycles) + 1 + boards + classify
            }
            State::Tally => now + left + classify,
            State::Classify => now + (left - 1) * (boards + 1) + boards + 1 - u64::from(controller.scan),
            State::LinkResponse if self.registers.by_power() => {
                let ERapidValues { b_min, b_max, .. } = self.registers.values;
                let tunes =
                    |link: &usize| self.links.tunes(*link, self.queues.wait[link / self.layout.boards], (b_min, b_max));
                (index..links).find(tunes).map_or(u64::MAX, turn)
            }
            State::LinkResponse => u64::MAX,
        }
    }
}

impl EventMechanism for ERapid {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.registers.reset();
        self.station.reset();
        self.controller.reset();
        self.queues = Queues::new(self.layout.boards, now);
        self.links = Links::new(&self.layout, now);
        (self.since, self.clocked) = (now, now);
        shown.preferred = shown.every();
        let off = MECHANISM.residency.len() - 1;
        for port in 0..self.layout.nodes + self.layout.links() {
            let is_on = port.checked_sub(self.layout.nodes).is_none_or(|link| self.links.on >> link & 1 == 1);
            shown.enter(port, if is_on { 5 } else { off }, now);
        }
        self.show(now, shown);
    }

    fn pass(&mut self, now: u64, seen: &Seen) {
        self.pass_to(now, seen);
    }

    fn waited(&self, port: usize, now: u64) -> u64 {
        port.checked_sub(self.layout.nodes).map_or(0, |link| self.queues.waited(link / self.layout.boards, now))
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        self.pass_to(now, seen);
        self.me = self.layout.board(seen.around.position) as u8;
        let Use { used, sending } = self.use_of(seen);
        self.links.use_from(now, Use { used: used | self.of_links(seen.given), sending });
        self.queues.wait_from(now, self.waits(seen));

        let passing = self.passing();
        let ring_in = seen.around.ring_in;
        let (check, sends) = (now >= self.check_from(now), self.controller.send());
        let of_station = (sends || self.station.word | self.station.ring_out | ring_in != 0)
            .then(|| self.station_inputs(now, passing.as_ref(), ring_in));
        self.clock_links(now, passing.as_ref(), shown);
        if self.controller.state == State::LinkRequest {
            self.sample_queue(now);
        }
        if check || self.controller.state != State::Wait {
            let inputs = ReconfigurationInputs {
                sent: self.station.sent(self.me, sends),
                own: self.station.own(self.me),
                word: self.station.word,
                ..self.controller_inputs(check)
            };
            self.controller.clock(&inputs);
        }
        if let Some(inputs) = of_station {
            self.station.clock(&inputs);
        }
        if check {
            self.since = now + 1;
        }
        self.clocked = now + 1;
        self.show(now, shown);
        0
    }

    fn next_event(&self, now: u64, seen: &Seen) -> u64 {
        let next = self.use_of(seen);
        if self.hints | self.station.word | self.station.ring_out != 0 {
            return now;
        }
        let of_links = self.links.next_event(now, self.clocked, next, &self.rules());
        self.check_from(now).min(of_links).min(self.next_step(next)).max(now)
    }

    fn write(&mut self, _: u64, write: Write, _: &mut Shown) {
        self.registers.clock(Some(write));
    }

    fn read(&self, address: u16) -> u32 {
        let counts = Counts { ring_errors: self.station.ring_errors, lost_messages: self.controller.lost_messages };
        self.registers.read_with(address, counts)
    }

    /// A packet may wait until a wavelength has been told to be left, left, given back in the window behind, and is on.
    fn longest_wait(&self) -> u64 {
        let values = &self.registers.values;
        4 * u64::from(values.window) + 2 * u64::from(values.dead_time)
    }

    fn keeps_ready(&self) -> bool {
        true
    }

    fn observe(&mut self, now: u64, seen: &Seen, frame: &mut Frame) {
        self.pass_to(now, seen);
        frame.put_words(&self.registers.values);
        frame.put([now - self.since]);
        frame.put([self.station.word, self.station.ring_out, self.station.ring_errors.into()]);
        let it = &self.controller;
        let boards = self.layout.boards;
        frame.put([it.state as u64, it.index.into(), it.scan.into(), it.elapsed.into()]);
        frame.put([it.got, it.lit, it.offered, it.claimed].map(u64::from));
        frame.fill(boards, |wavelength| it.holder[wavelength].into());
        frame.fill(boards, |wavelength| it.waiting[wavelength].into());
        frame.fill(boards, |board| it.count[board].into());
        frame.fill(boards, |board| it.demand[board].into());
        frame.fill(boards, |board| it.gained[board].into());
        frame.put([it.found.into(), it.best.into(), it.lost_messages.into()]);
        self.queues.observe(now, frame);
        self.links.observe(now, frame);
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}
