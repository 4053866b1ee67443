//! Routing when links are off: what routings of Soteriou and Peh's paper do in the on/off states of their graphs, and how far packets go while all
//! candidates are off (docs/microarchitecture/routing.md).

use powar_config::topology::connectivity::{ALTERNATING, DIRECTIONS, Grid, STAIRCASE};
use powar_config::topology::wiring::End;
use powar_config::topology::{Wiring, pack_address};
use powar_config::{Config, Routing, RoutingSees};
use powar_golden::deadlock_freedom::{Finding, Flaw, Step, check_unit};
use powar_golden::reference::routing::{Route, RoutingInputs, RoutingUnit, routing_unit};
use std::collections::BTreeSet;

fn network(name: &str, routing: &str) -> Config {
    let mut config = Config::of_network(name).unwrap();
    (config.switch.vcs, config.switch.buffer_flits) = (3, 192);
    config.route_by(Routing::by_name(routing).unwrap());
    config.check_switch().unwrap();
    config
}

fn grid(config: &Config) -> Grid {
    Grid::of(&**config.topology.as_ref().unwrap()).unwrap()
}

/// A unit in place of the routing with the same graph, in all on/off states of it.
fn in_every_state(config: &Config, unit: &dyn RoutingUnit) -> Finding {
    check_unit(config, &Wiring::new(config).unwrap(), unit, config.routing_sees(), None, u64::MAX, &mut |_, _| ())
}

/// A unit that is told that all links are on.
#[derive(Debug)]
struct AllOn<U>(U);

impl<U: RoutingUnit> RoutingUnit for AllOn<U> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        self.0.route(&RoutingInputs { serves: u64::MAX, ..*inputs })
    }
}

/// The same while all links are on.
fn with_all_on(config: &Config, unit: impl RoutingUnit) -> Finding {
    let sees = RoutingSees { serves: false, ..config.routing_sees() };
    check_unit(config, &Wiring::new(config).unwrap(), &AllOn(unit), sees, None, u64::MAX, &mut |_, _| ())
}

/// Most links that a packet crosses alone in the network while all candidates are off: it takes any of P, and D where P is empty.
fn most_links_while_all_is_off(config: &Config) -> usize {
    let (wiring, unit, grid) = (Wiring::new(config).unwrap(), routing_unit(config).unwrap(), grid(config));
    let graph = config.routing().unwrap().counts_on.unwrap();
    let mut most = 0;
    for destination in 0..wiring.nodes.len() {
        for source in (0..wiring.nodes.len()).filter(|&source| source != destination) {
            let (switch, port) = wiring.nodes[source][0];
            let mut front = BTreeSet::from([(switch as usize, port, 0u8)]);
            let mut links = 0;
            while !front.is_empty() {
                assert!(links < 10 * wiring.ends.len(), "a packet goes in circles");
                let mut next = BTreeSet::new();
                for &(switch, input_port, input_vc) in &front {
                    let route = unit.route(&RoutingInputs {
                        position: wiring.places[switch].position,
                        destination: wiring.addresses[destination],
                        input_port,
                        input_vc,
                        serves: !graph.candidates(&grid, switch),
                        occupancy: &[0; 8],
                        ..RoutingInputs::default()
                    });
                    let (ports, vcs) = match route.adaptive {
                        0 => (route.deterministic, route.deterministic_vcs),
                        ports => (ports, route.adaptive_vcs),
                    };
                    for port in (0..config.ports).filter(|port| ports >> port & 1 == 1) {
                        if let End::Switch { switch, port } = wiring.ends[switch][port] {
                            next.insert((switch as usize, port, vcs.trailing_zeros() as u8));
                        }
                    }
                }
                links += usize::from(!next.is_empty());
                front = next;
            }
            most = most.max(links);
        }
    }
    most
}

/// Along the staircase no more than the graph itself takes (Table I: 2k - 1, and for a torus k where it is k + 1). One-way streets have longer
/// ways round, and where two hops aside would follow each other the escape's are taken.
#[test]
fn hops_of_the_routings_while_all_candidates_are_off() {
    for (k, alternating, last_turns) in [(4, (14, 5), 10), (6, (26, 12), 20), (8, (38, 17), 32)] {
        let most = |kind: &str, routing| most_links_while_all_is_off(&network(&format!("{kind}-{k}x{k}"), routing));
        assert_eq!((most("mesh", "staircase-escape"), most("torus", "staircase-escape")), (2 * k - 1, k + 1), "{k}");
        assert_eq!((most("mesh", "alternating-escape"), most("torus", "alternating-escape")), alternating, "{k}");
        assert_eq!(most("mesh", "west-last-east-last"), last_turns, "{k}");
    }
}

/// Table I's 3(k - 1) and 3k/2 for the alternating graph: whoever goes round each link that is off on its own takes three hops for it.
#[test]
fn a_link_that_is_off_costs_three_hops() {
    for name in ["mesh-6x6", "mesh-8x8", "torus-6x6", "torus-8x8"] {
        let grid = grid(&network(name, "alternating-escape"));
        for graph in [&ALTERNATING, &STAIRCASE] {
            for switch in 0..grid.switches() {
                let hops = graph.hops_from(&grid, switch);
                let off = graph.candidates(&grid, switch);
                for direction in DIRECTIONS.into_iter().filter(|direction| off >> direction.port() & 1 == 1) {
                    let next = grid.neighbour(switch, direction).unwrap();
                    assert_eq!(hops[next], Some(3), "{name}, {graph:?}: {switch} {direction:?}");
                }
            }
        }
    }
}

/// A direction's number is that of the port that leads there.
const EAST: usize = 0;
const WEST: usize = 1;

fn back(direction: usize) -> usize {
    direction ^ 1
}

/// West-last and east-last routing over two virtual networks, as section III-B.1 tells it: VC 0 is the west-last one, for packets that are to go
/// east, VC 1 the east-last one. What leads nearer comes first; where nothing of that is on, anything that the turns allow.
#[derive(Clone, Copy, Debug)]
struct WestLastEastLast {
    grid: Grid,
    /// Only where ever-on links lead on from, with the turns that are left.
    looks_ahead: bool,
}

impl WestLastEastLast {
    fn may_turn(heading: Option<usize>, next: usize, last: usize) -> bool {
        heading.is_none_or(|heading| next != back(heading) && (heading != last || next == last))
    }

    fn step(&self, switch: usize, port: usize) -> Option<usize> {
        self.grid.neighbour(switch, DIRECTIONS[port])
    }

    /// Whether a packet finds its way over ever-on links, by a search.
    fn leads_there(&self, from: usize, heading: Option<usize>, to: usize, last: usize) -> bool {
        let mut seen = BTreeSet::from([(from, heading)]);
        let mut front = vec![(from, heading)];
        while let Some((switch, heading)) = front.pop() {
            if switch == to {
                return true;
            }
            let on = ALTERNATING.ever_on(&self.grid, switch);
            for port in (0..4).filter(|port| on >> port & 1 == 1 && Self::may_turn(heading, *port, last)) {
                let next = (self.step(switch, port).unwrap(), Some(port));
                if seen.insert(next) {
                    front.push(next);
                }
            }
        }
        false
    }
}

/// The switch at a packed address in a network of one node a switch whose sizes are powers of two.
fn switch_at(address: u16, grid: &Grid) -> usize {
    assert!(grid.columns.is_power_of_two() && grid.rows.is_power_of_two());
    usize::from(address)
}

impl RoutingUnit for WestLastEastLast {
    fn name(&self) -> &'static str {
        "west_last_east_last"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let [here, to] = [inputs.position, inputs.destination].map(|address| switch_at(address, &self.grid));
        if here == to {
            return Route { routable: true, deterministic: 1 << 4, deterministic_vcs: 0b111, ..Route::default() };
        }
        let heading = (inputs.input_port < 4).then(|| back(inputs.input_port.into()));
        let [(x, y), (tx, ty)] = [here, to].map(|switch| self.grid.coordinates(switch));
        // Half way round a ring, and in a column of its own, a packet may take either.
        let nearer = |from: usize, to: usize, size: usize| match self.grid.wraps {
            false => (to > from, to < from),
            true => {
                let (up, down) = ((to + size - from) % size, (from + size - to) % size);
                (up != 0 && up <= down, up != 0 && down <= up)
            }
        };
        let (east, west) = nearer(x, tx, self.grid.columns);
        let (north, south) = nearer(y, ty, self.grid.rows);
        let west_last = match heading {
            Some(_) => inputs.input_vc == 0,
            None if east || west => east,
            None => !self.looks_ahead || self.leads_there(here, None, to, WEST),
        };
        let last = if west_last { WEST } else { EAST };
        let legal = |port: &usize| {
            self.step(here, *port).is_some_and(|next| {
                inputs.serves >> port & 1 == 1
                    && Self::may_turn(heading, *port, last)
                    && (!self.looks_ahead || self.leads_there(next, Some(*port), to, last))
            })
        };
        let all = (0..4).filter(legal).fold(0, |ports, port| ports | 1 << port);
        let towards = u64::from(east) | u64::from(west) << 1 | u64::from(north) << 2 | u64::from(south) << 3;
        let adaptive = if all & towards != 0 { all & towards } else { all };
        Route { routable: true, adaptive, adaptive_vcs: 1 << u8::from(!west_last), ..Route::default() }
    }
}

/// Decided at each switch from what is on there, the paper's routing comes to places where the turns that are left lead over links that are off.
/// With a look-ahead it does not, and needs no other escape.
#[test]
fn west_last_east_last_has_dead_ends_unless_it_looks_ahead() {
    for (name, most) in [("mesh-4x4", 12), ("mesh-8x8", 33)] {
        let config = network(name, "alternating-escape");
        let grid = grid(&config);
        let local = in_every_state(&config, &WestLastEastLast { grid, looks_ahead: false });
        // At the edge on the right: aside to the east is the last turn that it may take.
        let Some(Flaw::NoWay { at }) = local.flaw else { panic!("{name}: {local:?}") };
        assert_eq!((at.switch as usize % grid.columns, at.port as usize, at.vc), (grid.columns - 1, WEST, 1), "{at}");
        let ahead = in_every_state(&config, &WestLastEastLast { grid, looks_ahead: true });
        assert_eq!((ahead.flaw, ahead.most_hops), (None, Some(most)), "{name}");
        // So does the unit, which does not search.
        let unit = in_every_state(&config, &*routing_unit(&network(name, "west-last-east-last")).unwrap());
        assert_eq!((unit.flaw, unit.most_hops), (None, Some(most)), "{name}");
    }
}

/// The packet of the page, hop by hop, from (1, 0) to (1, 3) in a mesh of 4 x 4: what leads nearer is all that is on and not behind it, else the only
/// thing that is on, and both networks come to an end.
#[test]
fn no_choice_saves_a_packet_in_its_column_without_a_look_ahead() {
    let config = network("mesh-4x4", "alternating-escape");
    let unit = WestLastEastLast { grid: grid(&config), looks_ahead: false };
    let may_go = |[x, y]: [usize; 2], input_port, input_vc, serves| {
        let position = (x + 4 * y) as u16;
        let inputs =
            RoutingInputs { position, destination: 13, input_port, input_vc, serves, ..RoutingInputs::default() };
        let route = unit.route(&inputs);
        (route.adaptive, route.deterministic)
    };
    let ever_on = |[x, y]: [usize; 2]| ALTERNATING.ever_on(&unit.grid, x + 4 * y);
    let all = u64::MAX;
    assert_eq!([ever_on([1, 0]), ever_on([1, 1]), ever_on([1, 2])], [0b0011, 0b1010, 0b1001]);
    // Up over a candidate that is on, in either network.
    assert_eq!(may_go([1, 0], 4, 0, ever_on([1, 0]) | 0b0100), (0b0100, 0));
    // West last: nothing but -x is on, and after that nothing is allowed.
    assert_eq!(may_go([1, 1], 3, 0, ever_on([1, 1])), (0b0010, 0));
    assert_eq!(may_go([0, 1], 0, 0, all), (0, 0));
    // East last: the next candidate upwards is on, then nothing but +x is, and that is kept up to the edge.
    assert_eq!(may_go([1, 1], 3, 1, ever_on([1, 1]) | 0b0100), (0b0100, 0));
    assert_eq!(may_go([1, 2], 3, 1, ever_on([1, 2])), (0b0001, 0));
    assert_eq!(may_go([2, 2], 1, 1, all), (0b0001, 0));
    assert_eq!(may_go([3, 2], 1, 1, all), (0, 0));
    // The unit that looks ahead goes round in column 2.
    let looking = routing_unit(&network("mesh-4x4", "west-last-east-last")).unwrap();
    let serves = ever_on([1, 0]) | 0b0100;
    let inputs = RoutingInputs { position: 1, destination: 13, input_port: 4, serves, ..RoutingInputs::default() };
    assert_eq!(looking.route(&inputs).adaptive, 0b0001);
}

/// By switch and by the direction in which a packet has come (no matter which, for the first): whether ever-on links lead on to a switch from
/// there, found backwards from it.
fn ways_back(routing: &WestLastEastLast, to: usize, last: usize) -> Vec<[bool; 4]> {
    let mut leads = vec![[false; 4]; routing.grid.switches()];
    let mut front: Vec<_> = (0..4).map(|heading| (to, heading)).collect();
    while let Some((switch, heading)) = front.pop() {
        if std::mem::replace(&mut leads[switch][heading], true) {
            continue;
        }
        // It came in this direction, from a switch where the link is ever-on, to which it may have come in others.
        let Some(before) = routing.step(switch, back(heading)) else { continue };
        if ALTERNATING.ever_on(&routing.grid, before) >> heading & 1 == 1 {
            front.extend(
                (0..4).filter(|from| WestLastEastLast::may_turn(Some(*from), heading, last)).map(|from| (before, from)),
            );
        }
    }
    leads
}

/// The equations of the unit against a search: where it lets packets go in every on/off state of a switch, in all places and with all they may have
/// behind them. There is always one that is ever-on, wherever the unit has let them go.
#[test]
fn the_equations_that_look_ahead_are_what_a_search_finds() {
    let mut left_out = 0;
    for (columns, rows) in (2..=12).flat_map(|columns| (2..=12).map(move |rows| (columns, rows))) {
        let mut config = Config::of_network(&format!("mesh-{columns}x{rows}")).unwrap();
        (config.switch.vcs, config.switch.buffer_flits) = (2, 128);
        config.route_by(Routing::by_name("west-last-east-last").unwrap());
        let (grid, unit) = (grid(&config), routing_unit(&config).unwrap());
        let bases = config.topology.as_ref().unwrap().bases(config.ports);
        let addresses: Vec<u16> = (0..grid.switches()).map(|switch| pack_address(&bases, switch)).collect();
        let search = WestLastEastLast { grid, looks_ahead: true };
        for (to, last) in (0..grid.switches()).flat_map(|to| [(to, WEST), (to, EAST)]) {
            let leads = ways_back(&search, to, last);
            let (tx, ty) = grid.coordinates(to);
            // Where a hop in a direction leads on, but for hops along the row of the destination away from it, which the unit leaves out.
            let mut ahead = |switch: usize, port: usize| {
                let (x, y) = grid.coordinates(switch);
                let found = search.step(switch, port).is_some_and(|next| leads[next][port]);
                let away = port == back(last) && ty == y && if last == WEST { tx <= x } else { tx >= x };
                left_out += usize::from(found && away);
                found && !away
            };
            for here in (0..grid.switches()).filter(|here| *here != to) {
                let (x, y) = grid.coordinates(here);
                let nearer =
                    u64::from(tx > x) | u64::from(tx < x) << 1 | u64::from(ty > y) << 2 | u64::from(ty < y) << 3;
                let network = if tx == x { ty % 2 == 1 } else { tx > x };
                let open: Vec<usize> = (0..4).filter(|port| ahead(here, *port)).collect();
                for input_port in 0..5 {
                    let from_node = input_port == 4;
                    if from_node && network != (last == WEST) || !from_node && search.step(here, input_port).is_none() {
                        continue;
                    }
                    let heading = (!from_node).then(|| back(input_port));
                    let route = |serves| {
                        // A node's packet comes on either VC.
                        let input_vc = if from_node { (here % 2) as u8 } else { u8::from(last == EAST) };
                        let (position, destination) = (addresses[here], addresses[to]);
                        let input_port = input_port as u8;
                        unit.route(&RoutingInputs {
                            position,
                            destination,
                            input_port,
                            input_vc,
                            serves,
                            ..RoutingInputs::default()
                        })
                    };
                    let may_go = |port: &usize| open.contains(port) && WestLastEastLast::may_turn(heading, *port, last);
                    let all = (0..4).filter(may_go).fold(0, |ports, port| ports | 1 << port);
                    let what = format!("{columns}x{rows}: {here} to {to}, in at {input_port}, last {last}");
                    let check = |serves: u64, adaptive: u64| {
                        let adaptive_vcs = 1 << u8::from(last == EAST);
                        let expected = Route { routable: true, adaptive, adaptive_vcs, ..Route::default() };
                        assert_eq!(route(serves), expected, "{what}, {serves:#b} on");
                    };
                    let (ever_on, candidates) = (ALTERNATING.ever_on(&grid, here), ALTERNATING.candidates(&grid, here));
                    check(0, all & ever_on);
                    // Each on/off state: what is nearer, or else all.
                    for on in (0..16).filter(|on| on & !candidates == 0).map(|on| on | ever_on) {
                        check(on, if all & on & nearer != 0 { all & on & nearer } else { all & on });
                    }
                    let comes = heading.is_none_or(|heading| {
                        let before = search.step(here, input_port).unwrap();
                        before != to && ahead(before, heading)
                    });
                    assert!(!comes || all & ever_on != 0, "{what}");
                }
            }
        }
    }
    assert!(left_out > 0);
}

/// Of each packet of a circle: switch, input port, VC, destination.
fn steps(circle: &[Step]) -> Vec<(u32, u8, u8, u32)> {
    circle.iter().map(|step| (step.switch, step.port, step.vc, step.destination)).collect()
}

/// In a torus no turn is needed for a circle, and one virtual channel for each way round a ring leaves it, with all links on.
#[test]
fn west_last_east_last_has_circles_in_a_torus() {
    let config = network("torus-4x4", "alternating-escape");
    let flaw = with_all_on(&config, WestLastEastLast { grid: grid(&config), looks_ahead: false }).flaw;
    let Some(Flaw::Deadlock { circle, .. }) = flaw else { panic!("{flaw:?}") };
    assert_eq!(circle.len(), 4);
    let columns: BTreeSet<u32> = circle.iter().map(|step| step.switch % 4).collect();
    let rows: BTreeSet<u32> = circle.iter().map(|step| step.switch / 4).collect();
    assert_eq!(columns.len().min(rows.len()), 1, "round a ring: {circle:?}");
    // In from the right, for the next on the left.
    assert_eq!(steps(&circle), [(0, 0, 0, 3), (3, 0, 0, 2), (2, 0, 0, 1), (1, 0, 0, 0)]);
    // The look-ahead leaves others.
    let ahead = WestLastEastLast { grid: grid(&config), looks_ahead: true };
    for found in [with_all_on(&config, ahead), in_every_state(&config, &ahead)] {
        assert!(matches!(found.flaw, Some(Flaw::Deadlock { .. })), "{found:?}");
    }
}

/// Optimal-y routing made non-minimal, as section III-B.2 tells it: one virtual channel along x, two along y, of which a packet that has to go west
/// takes the first only. It goes on nearer over what is on, else a hop aside.
#[derive(Clone, Copy, Debug)]
struct OptY {
    grid: Grid,
    /// Back on the cable on which it came where there is no other way.
    turns_back: bool,
}

impl RoutingUnit for OptY {
    fn name(&self) -> &'static str {
        "opt_y"
    }

    fn route(&self, inputs: &RoutingInputs) -> Route {
        let [here, to] = [inputs.position, inputs.destination].map(|address| switch_at(address, &self.grid));
        if here == to {
            return Route { routable: true, deterministic: 1 << 4, deterministic_vcs: 0b111, ..Route::default() };
        }
        let [(x, y), (tx, ty)] = [here, to].map(|switch| self.grid.coordinates(switch));
        let towards = u64::from(tx > x) | u64::from(tx < x) << 1 | u64::from(ty > y) << 2 | u64::from(ty < y) << 3;
        let on = self.grid.cables(here) & inputs.serves;
        let ahead = if inputs.input_port < 4 { on & !(1 << inputs.input_port) } else { on };
        let ports = match (ahead & towards, ahead) {
            (0, 0) if self.turns_back => on,
            (0, aside) => aside,
            (nearer, _) => nearer,
        };
        // Along x on VC 0 alone; along y on both, but for what has to go west.
        let (along_x, along_y) = (ports & 0b0011, ports & 0b1100);
        let y_vcs = if tx < x { 0b01 } else { 0b11 };
        match (along_x, along_y) {
            (0, _) => Route { routable: true, adaptive: along_y, adaptive_vcs: y_vcs, ..Route::default() },
            _ => Route {
                routable: true,
                adaptive: along_x,
                adaptive_vcs: 0b01,
                deterministic: along_y,
                deterministic_vcs: if along_y == 0 { 0 } else { y_vcs },
            },
        }
    }
}

#[test]
fn non_minimal_opt_y_has_dead_ends_or_circles() {
    let config = network("mesh-4x4", "staircase-escape");
    let grid = grid(&config);
    let onward = in_every_state(&config, &OptY { grid, turns_back: false });
    let Some(Flaw::NoWay { at }) = onward.flaw else { panic!("{onward:?}") };
    // Down over a candidate to the edge, where all else is off.
    assert_eq!((at.switch / 4, at.port, at.off), (0, 2, 0b0011), "{at}");
    // It is for (0, 0), and stands at (1, 0). At (1, 1) -x was on as well, as it always is there.
    assert_eq!((at.switch, at.destination), (1, 0));
    let from_above = RoutingInputs { position: 5, input_port: 2, serves: 0b1011, ..RoutingInputs::default() };
    let route = OptY { grid, turns_back: false }.route(&from_above);
    assert_eq!((route.adaptive, route.deterministic), (0b0010, 0b1000));
    let back = in_every_state(&config, &OptY { grid, turns_back: true });
    let Some(Flaw::Deadlock { circle, .. }) = back.flaw else { panic!("{back:?}") };
    // Whoever has turned back stands in the way even where all is on.
    assert_eq!(steps(&circle), [(0, 0, 0, 2), (4, 3, 0, 2), (5, 1, 0, 1), (1, 2, 0, 0)]);
    assert!(circle.iter().all(|step| step.off == 0), "{circle:?}");
}

/// Minimal, with all links on, it is sound: what fails is what the paper adds.
#[test]
fn minimal_opt_y_is_free_of_deadlock() {
    for (name, most) in [("mesh-4x4", 7), ("mesh-8x8", 15)] {
        let config = network(name, "staircase-escape");
        let found = with_all_on(&config, OptY { grid: grid(&config), turns_back: false });
        assert_eq!((found.flaw, found.most_hops), (None, Some(most)), "{name}");
    }
}
