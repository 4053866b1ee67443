//! Uniform random packet traffic through one switch, as a closed loop around the power controller.

use fastrand::Rng;
use powar_config::{Config, Deterministic, Group};
use powar_golden::bits::{low_bits, ones};
use powar_golden::fast::controller::{Inputs, PowerController};

/// Flits of a packet (POWAR section 4.1).
const PACKET_FLITS: u32 = 8;

/// The inputs of a run, cycle by cycle, as what changes from cycle to cycle.
pub struct Recording {
    cycles: Vec<Cycle>,
    /// New rows (requester, P, D) in the order of the cycles.
    rows: Vec<(u8, u64, u64)>,
}

struct Cycle {
    /// How many of the rows are new in this cycle.
    new_rows: u32,
    flit_valid: u64,
    flit_tail: u64,
}

/// An input of the switch: one packet at a time, others wait behind it.
#[derive(Clone, Copy, Default)]
struct Input {
    waiting: u32,
    /// Of the packet at its head: flits still to be sent once it has a port.
    flits: u32,
}

impl Recording {
    /// Packets of eight flits arrive at every input with `load` flits a cycle on average; each asks for the ports on the
    /// way to a random destination until it is granted one, and sends a flit in every cycle in which that port transmits.
    pub fn of_uniform_traffic(config: &Config, load: f64, cycles: u64) -> Recording {
        let mut rng = Rng::with_seed(2019);
        let mut controller = PowerController::new(config);
        let requesters = config.requesters();
        let mut inputs = vec![Input::default(); requesters];
        let mut sender = [0; 64];
        let (mut adaptive, mut deterministic) = (vec![0; requesters], vec![0; requesters]);
        let mut recording = Recording { cycles: Vec::new(), rows: Vec::new() };
        for _ in 0..cycles {
            let (mut flit_valid, mut flit_tail, mut new_rows) = (0, 0, 0);
            for grant in controller.grants() {
                let requester = usize::from(grant.requester);
                sender[usize::from(grant.port)] = requester;
                (adaptive[requester], deterministic[requester]) = (0, 0);
                recording.rows.push((grant.requester, 0, 0));
                new_rows += 1;
            }
            for port in ones(controller.held() & controller.ready()) {
                let input: &mut Input = &mut inputs[sender[port]];
                input.flits -= 1;
                flit_valid |= 1 << port;
                flit_tail |= u64::from(input.flits == 0) << port;
            }
            for (requester, input) in inputs.iter_mut().enumerate() {
                if rng.f64() < load / f64::from(PACKET_FLITS) {
                    input.waiting += 1;
                }
                if input.flits == 0 && input.waiting > 0 {
                    (input.waiting, input.flits) = (input.waiting - 1, PACKET_FLITS);
                    let (p, d) = random_destination(config, &mut rng);
                    (adaptive[requester], deterministic[requester]) = (p, d);
                    recording.rows.push((requester as u8, p, d));
                    new_rows += 1;
                }
            }
            recording.cycles.push(Cycle { new_rows, flit_valid, flit_tail });
            let asks = Inputs { requesting: None, adaptive: &adaptive, deterministic: &deterministic, ..Inputs::IDLE };
            controller.step(&Inputs { flit_valid, flit_tail, ..asks });
        }
        recording
    }

    /// Presents the inputs of every cycle.
    pub fn replay(&self, config: &Config, mut step: impl FnMut(&Inputs)) {
        let (mut adaptive, mut deterministic) = (vec![0; config.requesters()], vec![0; config.requesters()]);
        let mut requesting = 0u64;
        let mut rows = self.rows.iter();
        for cycle in &self.cycles {
            for &(requester, p, d) in rows.by_ref().take(cycle.new_rows as usize) {
                (adaptive[usize::from(requester)], deterministic[usize::from(requester)]) = (p, d);
                requesting &= !(1 << requester);
                requesting |= u64::from(p | d != 0) << requester;
            }
            step(&Inputs {
                adaptive: &adaptive,
                deterministic: &deterministic,
                requesting: Some(requesting),
                flit_valid: cycle.flit_valid,
                flit_tail: cycle.flit_tail,
                ..Inputs::IDLE
            });
        }
    }

    /// Flits a cycle and port that left, the load that the switch carried.
    pub fn throughput(&self, ports: usize) -> f64 {
        let flits: u32 = self.cycles.iter().map(|cycle| cycle.flit_valid.count_ones()).sum();
        f64::from(flits) / (self.cycles.len() * ports) as f64
    }
}

/// The sets P and D of a packet to a random port's side of the network.
fn random_destination(config: &Config, rng: &mut Rng) -> (u64, u64) {
    let ports = |group: &Group| low_bits(group.size) << group.first;
    match config.deterministic {
        // A fat-tree: half of the packets go up, by any up-port, the others down by the one port.
        Deterministic::Single => match rng.usize(0..config.ports) {
            port if ports(&config.groups[0]) >> port & 1 == 1 => (ports(&config.groups[0]), 0),
            port => (0, 1 << port),
        },
        // A torus: the links of up to three directions that come nearer, one of them the deterministic one.
        Deterministic::Set => {
            let mut direction = || ports(&config.groups[rng.usize(0..config.groups.len())]);
            let (first, second, third) = (direction(), direction(), direction());
            (first | second | third, first)
        }
    }
}
