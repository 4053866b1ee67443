//! `e_rapid`: the mechanism, composed of its blocks.

use super::control_registers::Counts;
use super::link_controller::LinkInputs;
use super::reconfiguration_controller::ReconfigurationInputs;
use super::ring_station::{HOLDER, KIND, LIT, OWNER, StationInputs, WAVELENGTH, field};
use super::{ControlRegisters, LinkController, QueueMonitor, ReconfigurationController, RingStation, State};
use crate::bits::{is_set, low_bits, vector};
use crate::reference::power::check_timer::TIMER;
use crate::reference::power::mechanism::{MechanismInputs, MechanismOutputs, REGISTERS};
use crate::reference::power::surroundings::RING;
use crate::reference::power::{CheckTimer, PowerMechanism};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::mechanism::e_rapid::{ERapidValues, Kind, Layout, MECHANISM, RingWord, TOP_LEVEL};
use powar_config::{Config, Habit, Mechanism, Owner, Phase};

/// What belongs to the reconfiguration controller.
const RECONFIGURATION: Owner = Owner::Part("reconfiguration");

/// The mechanism; the public fields are its children.
#[derive(Clone, Debug)]
pub struct ERapid {
    layout: Layout,
    pub registers: ControlRegisters,
    pub timer: CheckTimer,
    pub station: RingStation,
    pub controller: ReconfigurationController,
    /// Element o - 1: the queue to the board o further.
    pub queue: Vec<QueueMonitor>,
    /// One per link to another board.
    pub link: Vec<LinkController>,
}

/// What follows from the word on the ring and the place of the board.
#[derive(Clone, Copy, Debug)]
struct Passing {
    me: u8,
    kind: u64,
    /// The owner is so much further, 1..B, if it passes.
    further: usize,
    wavelength: usize,
    /// The link that the word is about, if it passes.
    link: Option<usize>,
}

impl ERapid {
    /// Of a configuration of boards, in its state after reset.
    ///
    /// # Panics
    /// Its topology is another.
    pub fn new(config: &Config) -> Self {
        let layout = Layout::of(config).expect("e_rapid is for boards joined by wavelengths");
        ERapid::of(layout, ERapidValues::of(config))
    }

    /// Of these boards and control registers, in its state after reset.
    pub fn of(layout: Layout, values: ERapidValues) -> Self {
        ERapid {
            layout,
            registers: ControlRegisters::new(values),
            timer: CheckTimer::new(),
            station: RingStation::new(layout.boards),
            controller: ReconfigurationController::new(layout.boards),
            queue: vec![QueueMonitor::new(); layout.boards - 1],
            link: (0..layout.links()).map(|link| LinkController::new(layout.is_first(link))).collect(),
        }
    }

    /// The boards that it is one of.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Links, one bit each, with a property.
    fn links(&self, property: impl Fn(&LinkController) -> bool) -> u64 {
        vector(&self.link, |_, link| property(link))
    }

    /// The ports of links.
    fn ports_of(&self, links: u64) -> u64 {
        links << self.layout.nodes
    }

    /// The part of a vector over ports that is of links.
    fn of_links(&self, ports: u64) -> u64 {
        ports >> self.layout.nodes & low_bits(self.link.len())
    }

    fn passing(&self, position: u16) -> Passing {
        let (me, word) = (self.layout.board(position) as u8, self.station.word);
        let (owner, wavelength) = (field(word, OWNER) as usize, field(word, WAVELENGTH) as usize);
        let passes = self.station.passes(me);
        let further = (owner + 2 * self.layout.boards - usize::from(me)) % self.layout.boards;
        let is_of_a_link = passes && further != 0;
        let link = is_of_a_link.then(|| (further - 1) * self.layout.boards + wavelength);
        Passing { me, kind: field(word, KIND), further, wavelength, link }
    }

    /// Whether LinkRequest passes a link, or LinkResponse.
    fn turn(&self, state: State, link: usize) -> bool {
        self.controller.state == state && usize::from(self.controller.index) == link
    }

    /// What the controller of a link sees.
    fn link_inputs(&self, link: usize, passing: &Passing, inputs: &MechanismInputs) -> LinkInputs {
        let word = self.station.word;
        let values = &self.registers.values;
        let concerns = |kind: Kind| passing.link == Some(link) && passing.kind == kind as u64;
        let told = self.turn(State::LinkResponse, link) && self.registers.by_power();
        let wait = self.queue[link / self.layout.boards].waited;
        LinkInputs {
            in_use: is_set(self.of_links(inputs.held | inputs.given | inputs.departing), link),
            departing: is_set(self.of_links(inputs.departing), link),
            sample: self.turn(State::LinkRequest, link),
            offers: self.registers.by_bandwidth(),
            ask: concerns(Kind::BoardRequest),
            taken: field(word, LIT) == 1,
            answer: concerns(Kind::BoardResponse),
            mine: field(word, LIT) == 1 && field(word, HOLDER) == u64::from(passing.me),
            lower: told && wait <= values.b_min,
            higher: told && wait > values.b_max,
            dead_time: values.dead_time,
        }
    }

    /// What the station sees. `of_links`: what the links do.
    fn station_inputs(&self, passing: &Passing, of_links: &[LinkInputs], ring_in: u64) -> StationInputs {
        let shown = passing.link.map(|link| {
            let (controller, inputs) = (&self.link[link], &of_links[link]);
            let offered = controller.offers_now(inputs);
            let fills = controller.holds && !(field(self.station.word, LIT) == 1 && offered);
            let word = RingWord {
                lit: true,
                offered,
                holder: passing.me,
                level: controller.level,
                busy: controller.busy,
                ..RingWord::default()
            };
            let queue = &self.queue[passing.further - 1];
            let has_one = self.of_board(passing.further).any(|link| self.link[link].holds);
            let is_first = passing.wavelength == self.layout.boards - passing.further;
            (fills, field(word.packed(), (12, 21)) as u32, queue.waited, is_first && !has_one && queue.waited > 0)
        });
        let (fills, filled, wait, claims) = shown.unwrap_or_default();
        StationInputs {
            ring_in,
            me: passing.me,
            send: self.controller.send(),
            message: self.controller.message(passing.me),
            filled,
            fills,
            waited: wait,
            claims,
        }
    }

    /// The links to the board that is so much further.
    fn of_board(&self, further: usize) -> std::ops::Range<usize> {
        (further - 1) * self.layout.boards..further * self.layout.boards
    }

    /// A packet wants the board that is so much further, and no link to it is free.
    fn waits(&self, further: usize, inputs: &MechanismInputs) -> bool {
        let links = self.of_board(further).fold(0, |links, link| links | 1 << link);
        let free = self.links(LinkController::grantable) & !self.of_links(inputs.held);
        self.of_links(inputs.around.wanted) & links != 0 && free & links == 0
    }

    fn counts(&self) -> Counts {
        Counts { ring_errors: self.station.ring_errors, lost_messages: self.controller.lost_messages }
    }
}

impl PowerMechanism for ERapid {
    fn entry(&self) -> &'static Mechanism {
        &MECHANISM
    }

    fn outputs(&self, _: &MechanismInputs) -> MechanismOutputs {
        let (nodes, ports) = (low_bits(self.layout.nodes), self.layout.nodes + self.link.len());
        let of_links = |property: fn(&LinkController) -> bool| self.ports_of(self.links(property));
        let ready = nodes | of_links(|link| link.phase == Phase::On);
        let of_ports = |node: u8, link: fn(&LinkController) -> u8| {
            std::iter::repeat_n(node, self.layout.nodes).chain(self.link.iter().map(link)).collect()
        };
        MechanismOutputs {
            grantable: nodes | of_links(LinkController::grantable),
            preferred: low_bits(ports),
            ready,
            steady: ready,
            phase: of_ports(Phase::On as u8, |link| link.phase as u8),
            level: of_ports(TOP_LEVEL, |link| link.level),
            hint: of_links(LinkController::control_packet),
            serves: nodes | of_links(LinkController::open),
            ring: self.station.ring_out,
            lookup: None,
        }
    }

    fn waking(&self, inputs: &MechanismInputs) -> u64 {
        let passing = self.passing(inputs.around.position);
        let comes_on = |link: usize, it: &LinkController| it.coming_on(&self.link_inputs(link, &passing, inputs));
        self.ports_of(vector(&self.link, comes_on))
    }

    fn read(&self, address: u16) -> u32 {
        self.registers.read_with(address, self.counts())
    }

    fn reset(&mut self) {
        *self = ERapid { registers: self.registers.clone(), ..ERapid::of(self.layout, self.registers.values) };
        self.registers.reset();
    }

    fn clock(&mut self, inputs: &MechanismInputs) {
        // All children see what the others show before the edge.
        let (values, passing) = (self.registers.values, self.passing(inputs.around.position));
        let of_links: Vec<LinkInputs> =
            (0..self.link.len()).map(|link| self.link_inputs(link, &passing, inputs)).collect();
        let of_station = self.station_inputs(&passing, &of_links, inputs.around.ring_in);
        let of_controller = ReconfigurationInputs {
            check: self.timer.check(values.window),
            by_bandwidth: self.registers.by_bandwidth(),
            me: passing.me,
            window: values.window,
            b_con: values.b_con,
            degree: values.degree,
            sent: self.station.sent(passing.me, self.controller.send()),
            own: self.station.own(passing.me),
            word: self.station.word,
        };
        let of_queues: Vec<(bool, bool)> = (1..self.layout.boards)
            .map(|further| (self.waits(further, inputs), self.turn(State::LinkRequest, self.of_board(further).start)))
            .collect();

        self.timer.clock(values.window);
        self.station.clock(&of_station);
        self.controller.clock(&of_controller);
        for (queue, (waits, sample)) in self.queue.iter_mut().zip(of_queues) {
            queue.clock(waits, sample);
        }
        for (link, inputs) in self.link.iter_mut().zip(&of_links) {
            link.clock(inputs);
        }
        self.registers.clock(inputs.write);
    }

    fn departures(&self) -> Habit {
        // A wavelength is given away, or its rate changed, only when it has carried nothing for a while.
        Habit::Drought
    }

    fn boxed(&self) -> Box<dyn PowerMechanism> {
        Box::new(self.clone())
    }
}

impl Registers for ERapid {
    fn list(&self, rows: &mut RegisterRows) {
        rows.owners(REGISTERS, "registers", [&self.registers]);
        rows.owners(TIMER, "timer", [&self.timer]);
        rows.owners(RING, "station", [&self.station]);
        rows.owners(RECONFIGURATION, "controller", [&self.controller]);
        // The wavelengths to a board are a group of ports.
        rows.child_of(Owner::Group, "queue", &self.queue);
        rows.child_of(Owner::Group, "link", &self.link);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::reference::power::Surroundings;
    use crate::reference::power::mechanism::Write;

    /// Four boards of two nodes each.
    const BOARDS: Layout = Layout { boards: 4, nodes: 2, low: 1, bits: 2 };

    /// Windows of 300 cycles, of which 30, 90 and 150 are thresholds.
    pub fn values() -> ERapidValues {
        ERapidValues { policy: 3, window: 300, b_min: 30, b_max: 90, b_con: 150, degree: 8, dead_time: 65 }
    }

    fn board() -> ERapid {
        ERapid::of(BOARDS, values())
    }

    /// What board 2 sees if packets want these ports.
    fn wanting(wanted: u64) -> MechanismInputs<'static> {
        let around = Surroundings { position: 2 << 1, wanted, ..Surroundings::default() };
        MechanismInputs { around, ..MechanismInputs::default() }
    }

    /// Runs until the next window begins, with packets that want these ports in some of its cycles.
    fn window(mechanism: &mut ERapid, wanted: u64, cycles: usize) {
        for cycle in 0..300 {
            mechanism.clock(&wanting(if cycle < cycles { wanted } else { 0 }));
        }
    }

    fn level(mechanism: &ERapid, link: usize) -> (u8, u8) {
        (mechanism.link[link].level, mechanism.link[link].next_level)
    }

    #[test]
    fn after_reset_a_board_has_one_wavelength_to_each_other_board() {
        let mechanism = board();
        // To the board o further, wavelength 4 - o.
        let firsts = 1 << 3 | 1 << (4 + 2) | 1 << (8 + 1);
        let shown = mechanism.outputs(&MechanismInputs::default());
        let ports = 0b11 | firsts << 2;
        assert_eq!((shown.grantable, shown.ready, shown.steady, shown.serves), (ports, ports, ports, ports));
        assert_eq!((shown.preferred, shown.hint, shown.ring), (low_bits(14), 0, 0));
        for (port, (phase, level)) in shown.phase.iter().zip(&shown.level).enumerate() {
            let expected = if is_set(ports, port) { (Phase::On as u8, 5) } else { (Phase::Off as u8, 0) };
            assert_eq!((*phase, *level), expected, "port {port}");
        }
        // Wavelength (s - d) mod B leads from board s to board d: nobody else's.
        for board in 0..4 {
            let leads = |further: usize| ((board + further) % 4, 4 - further);
            assert!((1..4).all(|further| leads(further).1 == (board + 4 - leads(further).0) % 4));
        }
    }

    #[test]
    fn rates_follow_what_waits() {
        // Packets wait while the only wavelength to the board is held: 30 cycles of a window or fewer, one down; above 90, one up.
        for (cycles, start, expected) in [(30, 3, 2), (31, 3, 3), (90, 3, 3), (91, 3, 4), (0, 0, 0), (300, 5, 5)] {
            let mut mechanism = board();
            mechanism.registers.values.policy = 1;
            (mechanism.link[3].level, mechanism.link[3].next_level) = (start, start);
            let held = 1 << 5;
            for cycle in 0..300 {
                let wanted = if cycle < cycles { 0b1111 << 2 } else { 0 };
                mechanism.clock(&MechanismInputs { held: if cycle < 300 { held } else { 0 }, ..wanting(wanted) });
            }
            (0..300).for_each(|_| mechanism.clock(&wanting(0)));
            assert_eq!(mechanism.queue[0].waited, cycles);
            assert_eq!(level(&mechanism, 3).0, expected, "{cycles} cycles");
        }
    }

    #[test]
    fn policies_without_dpm_keep_their_rates_and_those_without_dbr_their_wavelengths() {
        for policy in 0..4 {
            let mut mechanism = board();
            mechanism.registers.values.policy = policy;
            (0..300).for_each(|_| mechanism.clock(&wanting(0)));
            let mut withheld = false;
            for _ in 0..300 {
                mechanism.clock(&wanting(0));
                withheld |= mechanism.link.iter().any(|link| link.withheld);
            }
            assert_eq!(withheld, policy & 2 != 0, "{policy}");
            assert_eq!(mechanism.link[3].next_level, if policy & 1 != 0 { 4 } else { 5 }, "{policy}");
        }
    }

    #[test]
    fn a_window_begins_with_a_sample_of_one_link_a_cycle() {
        let mut mechanism = board();
        window(&mut mechanism, 0, 0);
        assert_eq!((mechanism.controller.state, mechanism.timer.count), (State::LinkRequest, 0));
        for link in 0..12 {
            let seen: Vec<bool> = (0..12).map(|other| mechanism.turn(State::LinkRequest, other)).collect();
            assert_eq!(seen.iter().position(|&now| now), Some(link));
            mechanism.clock(&wanting(0));
        }
        assert_eq!(mechanism.controller.state, State::BoardRequest);
    }

    #[test]
    fn a_request_is_filled_in_by_who_has_the_wavelength_and_claimed_by_who_has_none() {
        // Board 2; the board one further is 3, to which it has wavelength 3, that of link 3.
        let request = RingWord { kind: Kind::BoardRequest, owner: 3, wavelength: 3, ..RingWord::default() };
        let out = |mut mechanism: ERapid| {
            let mut seen = wanting(0);
            seen.around.ring_in = request.packed();
            mechanism.clock(&seen);
            mechanism.clock(&wanting(0));
            RingWord::unpacked(mechanism.outputs(&wanting(0)).ring).unwrap()
        };
        let mut mechanism = board();
        (mechanism.queue[0].waited, mechanism.link[3].busy) = (77, 5);
        let filled = RingWord { wait: 77, busy: 5, level: 5, holder: 2, lit: true, ..request };
        assert_eq!(out(mechanism.clone()), filled);
        mechanism.link[3] = LinkController::new(false);
        assert_eq!(out(mechanism.clone()), RingWord { claim: true, ..request });
        mechanism.queue[0].waited = 0;
        assert_eq!(out(mechanism.clone()), request, "nothing waits");
        (mechanism.queue[0].waited, mechanism.link[0]) = (77, LinkController::new(true));
        assert_eq!(out(mechanism), request, "it has another wavelength to that board");
    }

    #[test]
    fn a_response_gives_a_wavelength_away_or_takes_it() {
        let answered = |holder: u8, lit: bool, wavelength: u8| {
            let mut mechanism = board();
            let word = RingWord { kind: Kind::BoardResponse, owner: 3, wavelength, lit, holder, ..RingWord::default() };
            let mut seen = wanting(0);
            seen.around.ring_in = word.packed();
            mechanism.clock(&seen);
            let waking = mechanism.waking(&wanting(0));
            mechanism.clock(&wanting(0));
            (mechanism.link[usize::from(wavelength)].clone(), waking)
        };
        let (link, waking) = answered(2, true, 0);
        assert!(link.holds && link.phase == Phase::ComingOn && waking == 1 << 2);
        let (link, waking) = answered(0, true, 0);
        assert!(!link.holds && waking == 0);
        assert!(answered(0, true, 3).0.leaving && answered(2, false, 3).0.leaving);
        assert!(!answered(2, true, 3).0.leaving);
    }

    #[test]
    fn software_reads_the_counts_of_errors() {
        let mut mechanism = board();
        let mut seen = wanting(0);
        seen.around.ring_in = 1 << 7;
        (0..3).for_each(|_| mechanism.clock(&seen));
        // No request comes back.
        (0..1200).for_each(|_| mechanism.clock(&wanting(0)));
        let lost = mechanism.controller.lost_messages;
        assert!(lost >= 8 && lost.is_multiple_of(4), "{lost}");
        assert_eq!((mechanism.read(0x5c / 4), mechanism.read(0x60 / 4)), (3, lost.into()));
        mechanism.clock(&MechanismInputs { write: Some(Write { address: 0x58 / 4, data: 0x1ff }), ..wanting(0) });
        assert_eq!(mechanism.read(0x58 / 4), 0xff);
        mechanism.reset();
        let names = |mechanism: &ERapid| format!("{mechanism:?}");
        assert_eq!(names(&mechanism), names(&board()));
    }
}
