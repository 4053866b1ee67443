//! Any reference mechanism as an event-driven one: clocked in every cycle, as if there was an event in each.

use powar_config::{Mechanism, Sees};
use powar_golden::fast::frame::Frame;
use powar_golden::fast::mechanisms::EventMechanism;
use powar_golden::fast::power::{Around, Seen, Shown, ShownBuffers};
use powar_golden::lock_step::{Block, LockStep};
use powar_golden::reference::power::PowerMechanism;
use powar_golden::reference::power::Surroundings;
use powar_golden::reference::power::mechanism::{MechanismInputs, Write};
use powar_golden::register_rows::{RegisterRows, Registers};

use powar_config::CycleModel;

#[derive(Clone, Debug)]
pub struct Stepped {
    ports: usize,
    mechanism: Box<dyn PowerMechanism>,
    /// Before the last edge, and what was seen at it: a write comes behind the rest of its edge.
    before: Box<dyn PowerMechanism>,
    seen: (u64, u64, u64, Around, ShownBuffers),
}

impl Stepped {
    pub fn new(ports: usize, mechanism: Box<dyn PowerMechanism>) -> Self {
        let empty = ShownBuffers { arriving: 0, leaving: 0, fill: [0; 64], occupancy: [0; 64] };
        Stepped { ports, before: mechanism.clone(), mechanism, seen: (0, 0, 0, Around::default(), empty) }
    }

    /// The last edge once more, with a write.
    fn clock_again(&mut self, write: Option<Write>) {
        let (held, given, departing, around, buffers) = &self.seen;
        let rows = |of: &[u16; 64]| of[..self.ports].iter().map(|&flits| flits.into()).collect::<Vec<u64>>();
        let (fill, occupancy) = (rows(&buffers.fill), rows(&buffers.occupancy));
        let phases = (0..self.ports).map(|port| around.neighbours.phase.get(port).into());
        let neighbour_phase: Vec<u64> = phases.collect();
        let surroundings = Surroundings {
            position: around.position,
            stage: around.stage,
            wanted: around.wanted,
            arriving: buffers.arriving,
            leaving: buffers.leaving,
            fill: &fill,
            occupancy: &occupancy,
            neighbour_phase: &neighbour_phase,
            hint_in: around.neighbours.hint,
            ring_in: around.ring_in,
            lookup_row: &around.lookup_row,
        };
        self.mechanism = self.before.clone();
        let (held, given, departing) = (*held, *given, *departing);
        self.mechanism.clock(&MechanismInputs { around: surroundings, held, given, departing, write });
    }

    fn show(&self, from: u64, shown: &mut Shown) {
        let outputs = self.mechanism.outputs(&MechanismInputs::default());
        (shown.grantable, shown.preferred) = (outputs.grantable, outputs.preferred);
        (shown.ready, shown.steady, shown.serves) = (outputs.ready, outputs.steady, outputs.serves);
        shown.ring = outputs.ring;
        let residency = self.mechanism.entry().residency;
        for port in 0..self.ports {
            let (phase, level) = (outputs.phase[port], outputs.level[port]);
            let pair = residency.iter().position(|pair| (pair.phase as u8, pair.level) == (phase, level)).unwrap();
            shown.enter(port, pair, from);
            shown.set_hint(port, outputs.hint >> port & 1 == 1);
        }
    }
}

impl EventMechanism for Stepped {
    fn entry(&self) -> &'static Mechanism {
        self.mechanism.entry()
    }

    fn sees(&self) -> Sees {
        self.mechanism.sees()
    }

    fn lookup(&self) -> Option<u16> {
        self.mechanism.outputs(&MechanismInputs::default()).lookup
    }

    fn reset(&mut self, now: u64, shown: &mut Shown) {
        self.mechanism.reset();
        self.show(now, shown);
    }

    fn clock(&mut self, now: u64, seen: &Seen, shown: &mut Shown) -> u64 {
        self.before = self.mechanism.clone();
        let vector = |flag: &dyn Fn(usize) -> bool| (0..self.ports).fold(0, |all, p| all | u64::from(flag(p)) << p);
        let flits = |of: &dyn Fn(usize) -> u64| std::array::from_fn(|p| if p < self.ports { of(p) as u16 } else { 0 });
        let buffers = ShownBuffers {
            arriving: vector(&|port| seen.buffers.is_arriving(port, now)),
            leaving: vector(&|port| seen.buffers.is_leaving(port, now)),
            fill: flits(&|port| seen.buffers.fill(port, now)),
            occupancy: flits(&|port| seen.buffers.occupancy(port, now)),
        };
        self.seen = (seen.held, seen.given, seen.departing, (*seen.around).clone(), buffers);
        self.clock_again(None);
        self.show(now + 1, shown);
        0
    }

    fn next_event(&self, now: u64, _: &Seen) -> u64 {
        now
    }

    fn write(&mut self, next: u64, write: Write, shown: &mut Shown) {
        self.clock_again(Some(write));
        self.show(next, shown);
    }

    fn read(&self, address: u16) -> u32 {
        self.mechanism.read(address)
    }

    fn longest_wait(&self) -> u64 {
        100
    }

    fn keeps_ready(&self) -> bool {
        false
    }

    fn observe(&mut self, _: u64, _: &Seen, frame: &mut Frame) {
        let mut registers = LockStep::new(ItsRegisters(self.mechanism.clone()));
        let slots = registers.layout().observed_slots();
        registers.cycle(&[], frame.next(slots));
    }

    fn boxed(&self) -> Box<dyn EventMechanism> {
        Box::new(self.clone())
    }
}

/// A block that shows the registers of a mechanism and does nothing.
struct ItsRegisters(Box<dyn PowerMechanism>);

impl Registers for ItsRegisters {
    fn list(&self, rows: &mut RegisterRows) {
        self.0.list(rows);
    }
}

impl Block for ItsRegisters {
    type Inputs<'a> = ();
    const HAS_RST: bool = false;

    fn outputs(&self, _: &(), _: &mut RegisterRows) {}

    fn edge(&mut self, _: bool, _: &()) {}
}
