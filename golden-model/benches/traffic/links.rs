//! Uniform random packet traffic on the links of one switch, recorded with senders that wait for credits.

use fastrand::Rng;
use powar_config::topology::pack_address;
use powar_config::{Config, Phase};
use powar_golden::fast::switch::{Credits, Inputs, Switch, Train};
use std::collections::VecDeque;

/// Flits of a packet (POWAR section 4.1).
const PACKET_FLITS: u64 = 8;
/// Cycles until a receiver's credit for a flit comes back.
const ROUND_TRIP: u64 = 10;

type Flit = Train<[u32; 4]>;

/// The inputs of a run, cycle by cycle.
pub struct Recording {
    flits: Vec<Flit>,
    credits: Vec<Credits>,
    /// Where each cycle's inputs end in the lists.
    ends: Vec<(usize, usize)>,
    sent: usize,
}

/// The sender at the other end of an input port's link: one packet at a time, others wait behind it.
struct Sender {
    waiting: u64,
    rest: u64,
    vc: u8,
    destination: u16,
    credits: Vec<usize>,
}

impl Recording {
    /// Packets of eight flits come to every input port with `load` flits a cycle on average, on any VC and for any node.
    pub fn of_uniform_traffic(config: &Config, load: f64, cycles: u64) -> Recording {
        let mut rng = Rng::with_seed(2019);
        let mut switch = Switch::new(config, 0, 0).unwrap();
        let bases = config.topology.as_ref().unwrap().bases(config.ports);
        let nodes = bases.iter().product();
        let (vcs, depth) = (config.switch.vcs, config.switch.vc_depth());
        let sender = || Sender { waiting: 0, rest: 0, vc: 0, destination: 0, credits: vec![depth; vcs] };
        let mut senders: Vec<Sender> = (0..config.ports).map(|_| sender()).collect();
        let mut returns: VecDeque<(u64, Credits)> = VecDeque::new();
        let mut recording = Recording { flits: Vec::new(), credits: Vec::new(), ends: Vec::new(), sent: 0 };
        for cycle in 0..cycles {
            let (flits_from, credits_from) = (recording.flits.len(), recording.credits.len());
            for (port, sender) in senders.iter_mut().enumerate() {
                sender.waiting += u64::from(rng.f64() < load / PACKET_FLITS as f64);
                if sender.rest == 0 && sender.waiting != 0 {
                    (sender.waiting, sender.rest) = (sender.waiting - 1, PACKET_FLITS);
                    sender.vc = rng.u8(0..vcs as u8);
                    sender.destination = pack_address(&bases, rng.usize(0..nodes));
                }
                let credits = &mut sender.credits[usize::from(sender.vc)];
                if sender.rest == 0 || *credits == 0 {
                    continue;
                }
                *credits -= 1;
                let head = sender.rest == PACKET_FLITS;
                sender.rest -= 1;
                let payload = [(PACKET_FLITS as u32) << 16 | u32::from(sender.destination), rng.u32(..), 0, 0];
                let port = port as u8;
                recording.flits.push(Train { port, vc: sender.vc, head, phase: Phase::On, flits: 1, payload });
            }
            while let Some((_, credit)) = returns.pop_front_if(|(due, _)| *due <= cycle) {
                recording.credits.push(credit);
            }
            recording.ends.push((recording.flits.len(), recording.credits.len()));
            let (trains, credits) = (&recording.flits[flits_from..], &recording.credits[credits_from..]);
            let shown = switch.step(&Inputs { trains, credits, ..Inputs::IDLE });
            recording.sent += shown.trains.len();
            for credit in &shown.credits {
                senders[usize::from(credit.port)].credits[usize::from(credit.vc)] += 1;
            }
            let credit = |flit: &Flit| Credits { port: flit.port, vc: flit.vc, credits: 1 };
            returns.extend(shown.trains.iter().map(|flit| (cycle + ROUND_TRIP, credit(flit))));
        }
        recording
    }

    /// Presents the inputs of every cycle.
    pub fn replay(&self, step: impl FnMut(&Inputs<[u32; 4]>)) {
        self.replay_with(&self.flits, step);
    }

    /// The same with other payloads: `flits` are those of [`Recording::flits_with`].
    pub fn replay_with<P>(&self, flits: &[Train<P>], mut step: impl FnMut(&Inputs<P>)) {
        let mut from = (0, 0);
        for &to in &self.ends {
            let (trains, credits) = (&flits[from.0..to.0], &self.credits[from.1..to.1]);
            step(&Inputs { trains, credits, ..Inputs::IDLE });
            from = to;
        }
    }

    /// All flits, with another payload made of the first two words.
    pub fn flits_with<P>(&self, payload: impl Fn(u32, u32) -> P) -> Vec<Train<P>> {
        let with = |&Flit { port, vc, head, phase, flits, payload: [header, number, ..] }: &Flit| Train {
            port,
            vc,
            head,
            phase,
            flits,
            payload: payload(header, number),
        };
        self.flits.iter().map(with).collect()
    }

    /// Flits a cycle and port that left, the load that the switch carried.
    pub fn throughput(&self, ports: usize) -> f64 {
        self.sent as f64 / (self.ends.len() * ports) as f64
    }
}

/// Puts a cycle's inputs into an input frame of the lock-step harness.
pub fn fill_frame(config: &Config, inputs: &Inputs<[u32; 4]>, frame: &mut [u64]) {
    let (n, w) = (config.ports, config.switch.flit_words());
    frame.fill(0);
    for flit in inputs.trains {
        let port = usize::from(flit.port);
        frame[3] |= 1 << port;
        frame[4] |= u64::from(flit.head) << port;
        frame[5 + port] = flit.vc.into();
        for (slot, word) in frame[6 + 2 * n + port * w..][..w].iter_mut().zip(flit.payload) {
            *slot = word.into();
        }
    }
    let credits = 6 + 2 * n + n * w;
    for credit in inputs.credits {
        frame[credits] |= 1 << credit.port;
        frame[credits + 1 + usize::from(credit.port)] = credit.vc.into();
    }
}
