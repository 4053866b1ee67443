//! Routings by chance, checked in a plain form too.

use super::*;
use std::collections::BTreeSet;

/// Sets by chance, for each position, destination and, if it is seen, input port and VC; with every second seed the network's own
/// escape beside them, but for a few packets.
#[derive(Debug)]
struct ByChance {
    own: Arc<dyn RoutingUnit>,
    seed: u64,
    sees: RoutingSees,
    vcs: usize,
}

impl RoutingUnit for ByChance {
    fn name(&self) -> &'static str {
        "by_chance"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let own = self.own.route(inputs);
        if own.adaptive == 0 {
            return own;
        }
        let input = if self.sees.input { u64::from(inputs.input_port) << 8 | u64::from(inputs.input_vc) } else { 0 };
        let key = u64::from(inputs.position) << 48 | u64::from(inputs.destination) << 32 | input;
        let mut random = fastrand::Rng::with_seed(self.seed ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        // The links of the two dimensions, some of them.
        let adaptive = random.u64(..) & random.u64(..) & 0xf;
        let deterministic = 1 << random.u32(..4);
        let vcs = |random: &mut fastrand::Rng| 1 << random.usize(..self.vcs) | 1 << random.usize(..self.vcs);
        let (adaptive_vcs, deterministic_vcs) = (vcs(&mut random), 1 << random.usize(..self.vcs));
        if self.seed.is_multiple_of(2) && random.u32(..40) > 0 {
            return Route { adaptive: random.u64(..) & 0xf, adaptive_vcs: 1 << random.usize(..self.vcs), ..own };
        }
        Route { routable: true, adaptive, deterministic, adaptive_vcs, deterministic_vcs }
    }
}

/// The same question in its plainest form: sets of (channel, packet), grown until nothing changes.
fn is_free(config: &Config, wiring: &Wiring, unit: &dyn RoutingUnit) -> bool {
    type At = (usize, usize, usize, usize);
    let route = |&(switch, port, vc, node): &At| {
        unit.route(&RoutingInputs {
            position: wiring.places[switch].position,
            destination: wiring.addresses[node],
            input_port: port as u8,
            input_vc: vc as u8,
            ..RoutingInputs::default()
        })
    };
    // `None`: to the node.
    let onward = |at: &At| -> Vec<Option<At>> {
        let Route { adaptive, deterministic, adaptive_vcs, deterministic_vcs, .. } = route(at);
        let mut onward = vec![];
        for port in 0..config.ports {
            for vc in 0..config.switch.vcs {
                let offered = |set: u64, vcs: u64| set >> port & vcs >> vc & 1 == 1;
                if offered(adaptive, adaptive_vcs) || offered(deterministic, deterministic_vcs) {
                    onward.push(match wiring.ends[at.0][port] {
                        End::Switch { switch, port } => Some((switch as usize, port.into(), vc, at.3)),
                        _ => None,
                    });
                }
            }
        }
        onward
    };
    let mut reached = BTreeSet::new();
    let mut new: Vec<At> = vec![];
    for (source, links) in wiring.nodes.iter().enumerate() {
        for node in (0..wiring.nodes.len()).filter(|&node| node != source) {
            let vc = usize::from(wiring.addresses[node] & 0x3f) % config.switch.vcs;
            new.extend(links.iter().map(|&(switch, port)| (switch as usize, usize::from(port), vc, node)));
        }
    }
    while let Some(at) = new.pop() {
        if reached.insert(at) {
            new.extend(onward(&at).into_iter().flatten());
        }
    }
    let mut moves: BTreeSet<At> = BTreeSet::new();
    loop {
        let drains = |next: &Option<At>| {
            let Some((switch, port, vc, _)) = *next else { return true };
            let all = reached.range((switch, port, vc, 0)..=(switch, port, vc, usize::MAX));
            all.into_iter().all(|at| moves.contains(at))
        };
        let more: Vec<At> =
            reached.iter().filter(|at| !moves.contains(at) && onward(at).iter().any(&drains)).copied().collect();
        if more.is_empty() {
            return moves.len() == reached.len();
        }
        moves.extend(more);
    }
}

#[test]
fn routings_by_chance_are_judged_as_by_the_plain_form() {
    let mut seen = [0; 2];
    for run in 0..400u64 {
        let config = network(["torus-2x3", "torus-3x3"][run as usize % 2], [2, 3, 8][run as usize % 3]);
        let sees = RoutingSees { input: run % 4 < 2, ..RoutingSees::default() };
        let unit = ByChance { own: routing_unit(&config).unwrap(), seed: run, sees, vcs: config.switch.vcs };
        let wiring = Wiring::new(&config).unwrap();
        let free = is_free(&config, &wiring, &unit);
        let found = with_unit(&config, unit, sees);
        match &found.flaw {
            None => assert!(free, "run {run}"),
            Some(Flaw::Deadlock { circle, .. }) => {
                assert!(!free, "run {run}");
                is_circle(&config, circle);
            }
            Some(other) => panic!("run {run}: {other}"),
        }
        seen[usize::from(free)] += 1;
    }
    assert!(seen[0] > 20 && seen[1] > 20, "both happen: {seen:?}");
}
