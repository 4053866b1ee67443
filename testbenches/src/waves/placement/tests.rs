use super::*;
use crate::mechanisms::variants;
use crate::network::ring_of;
use crate::test_switches::{self, TestSwitch};
use crate::twins;
use powar_config::mechanism::Chosen;
use powar_config::mechanism::timetable::MECHANISM as TIMETABLE;
use powar_config::presets;
use std::collections::HashMap;

/// Scopes, name, and `lowest bit+:bits` of what is shown of a row.
fn shown(config: &Config, block: &str, role: Role, name: &str, row: usize) -> Vec<String> {
    let layout = twins::golden(config, block).unwrap().layout().clone();
    let mut signals = layout.inputs.iter().chain(&layout.observed);
    let signal = signals.find(|signal| signal.role == role && signal.name == name);
    let signal = signal.unwrap_or_else(|| panic!("{block} has no {role:?} {name}"));
    assert!(row < signal.rows, "{name} has {} rows", signal.rows);
    show(Style::of(block, config).places(signal, row))
}

fn show(places: Vec<WavePlace>) -> Vec<String> {
    let one = |place: WavePlace| {
        let bits = format!("{}+:{}", place.shift, place.width);
        format!("{} {bits}", [place.scope, vec![place.name]].concat().join("."))
    };
    places.into_iter().map(one).collect()
}

/// Ten ports in five groups, four virtual channels, two words a flit.
fn torus() -> Config {
    test_switches::config(TestSwitch::Torus)
}

fn each_port(name: &str) -> Vec<String> {
    (0..10).map(|port| format!("port{port}.{name} {port}+:1")).collect()
}

#[test]
fn the_controllers_signals_belong_to_ports_requesters_and_groups() {
    use Role::{Input, Output, Register};
    let config = torus();
    let shown = |role, name: &str, row| shown(&config, CONTROLLER, role, name, row);
    assert_eq!(shown(Input, "rst", 0), ["rst 0+:1"]);
    for (role, name) in [(Output, "held"), (Register, "power.held_ports.held")] {
        assert_eq!(shown(role, name, 0), each_port("held"));
    }
    assert_eq!(shown(Input, "flit_tail", 0), each_port("flit_tail"));
    assert_eq!(shown(Output, "phase", 1), ["port1.phase 0+:3"]);
    // Seven counters a port: those of errors are not there.
    assert_eq!(shown(Register, "power.counters.prescaler", 13), ["port1.counters.prescaler.flits 0+:8"]);
    assert_eq!(shown(Register, "power.counters.prescaler", 2), ["port0.counters.prescaler.quiet_cycles 0+:8"]);
    assert_eq!(shown(Register, "power.mechanism.fsm.elapsed", 1), ["port1.fsm.elapsed 0+:24"]);
    assert_eq!(shown(Register, "selector.rrp", 2), ["requester2.rrp 0+:10"]);
    assert_eq!(shown(Input, "adaptive", 3), ["requester3.adaptive 0+:10"]);
    let pointer = format!("port1.arbiter.pointer 0+:{}", config.requesters());
    assert_eq!(shown(Register, "arbiter.pointer", 1), [pointer]);
    let group = |name| shown(Register, &format!("power.mechanism.group.{name}"), 4);
    assert_eq!(group("flit_counter.count"), ["group4.flit_count 0+:24"]);
    assert_eq!(group("selectable_ports.selectable"), ["group4.selectable 0+:2"]);
    let policy = ["policy 0+:2", "registers.policy 0+:2"];
    assert_eq!(shown(Register, "power.mechanism.registers.policy", 0), policy);
    assert_eq!(shown(Register, "power.mechanism.registers.pdt", 0), ["registers.pdt 0+:24"]);
    assert_eq!(shown(Register, "power.mechanism.timer.count", 0), ["timer.count 0+:16"]);
    assert_eq!(shown(Register, "power.clear", 0), ["registers.clear 0+:1"]);
    assert_eq!(shown(Output, "read_data", 0), ["registers.read_data 0+:32"]);
    assert_eq!(shown(Input, "write_address", 0), ["registers.write_address 0+:10"]);
}

#[test]
fn everything_of_a_port_of_the_switch_is_in_its_scope() {
    use Role::{Input, Output, Register};
    let config = torus();
    let shown = |role, name, row| shown(&config, SWITCH, role, name, row);
    assert_eq!(shown(Input, "position", 0), ["position 0+:16"]);
    assert_eq!(shown(Input, "in_valid", 0), each_port("link_in.valid"));
    assert_eq!(shown(Input, "in_hint", 0), each_port("link_in.hint"));
    assert_eq!(shown(Input, "in_vc", 2), ["port2.link_in.vc 0+:3"]);
    assert_eq!(shown(Input, "in_flit", 5), ["port2.link_in.flit_1 0+:32"]);
    assert_eq!(shown(Output, "out_flit", 19), ["port9.link_out.flit_1 0+:32"]);
    assert_eq!(shown(Register, "output_port.out_flit", 18), ["port9.link_out.flit_0 0+:32"]);
    assert_eq!(shown(Register, "output_port.out_valid", 1), ["port1.link_out.valid 0+:1"]);
    assert_eq!(shown(Register, "output_port.out_hint", 1), ["port1.link_out.hint 0+:1"]);
    assert_eq!(shown(Register, "input_port.in_credit_vc", 1), ["port1.link_in.credit_vc 0+:3"]);
    assert_eq!(shown(Output, "out_phase", 2), ["port2.link_out.phase 0+:3"]);
    assert_eq!(shown(Output, "held", 0), each_port("held"));
    assert_eq!(shown(Output, "level", 1), ["port1.level 0+:3"]);
    assert_eq!(shown(Register, "power.mechanism.fsm.state", 1), ["port1.fsm.state 0+:2"]);
    // Twelve counters a port.
    assert_eq!(shown(Register, "power.counters.prescaler", 18), ["port1.counters.prescaler.flits 0+:8"]);
    assert_eq!(shown(Register, "power.counters.prescaler", 32), ["port2.counters.prescaler.framing_errors 0+:8"]);
    assert_eq!(shown(Register, "input_port.reading", 2), ["port2.input.reading 0+:4"]);
    assert_eq!(shown(Register, "input_port.vc.head_valid", 5), ["port1.vc1.head_valid 0+:1"]);
    assert_eq!(shown(Register, "input_port.vc.flits.some", 7), ["port1.vc3.flits.some 0+:1"]);
    assert_eq!(shown(Register, "allocator.selector.choice", 8), ["port2.vc0.selector.choice 0+:10"]);
    assert_eq!(shown(Register, "allocator.missed", 8), ["port2.vc0.selector.missed 0+:6"]);
    assert_eq!(shown(Register, "allocator.vc_arbiter.pointer", 1), ["port1.input.vc_arbiter.pointer 0+:4"]);
    assert_eq!(shown(Register, "allocator.port_arbiter.pointer", 1), ["port1.output.port_arbiter.pointer 0+:10"]);
    assert_eq!(shown(Register, "route.adaptive", 5), ["port1.vc1.route.adaptive 0+:10"]);
    assert_eq!(shown(Register, "allocator.wish", 2), ["port2.input.wish 0+:10"]);
    assert_eq!(shown(Register, "allocator.stale", 0), each_port("input.stale"));
    assert_eq!(shown(Register, "input_port.sent", 1), ["port1.input.sent 0+:4"]);
    assert_eq!(shown(Register, "crossbar.source", 1), ["port1.output.crossbar.source 0+:6"]);
    assert_eq!(shown(Register, "crossbar.head", 0), each_port("output.crossbar.head"));
    assert_eq!(shown(Register, "output_port.credit.credits", 1), ["port0.output.credit1.credits 0+:13"]);
    assert_eq!(shown(Register, "output_port.vc_allocator.pointer", 1), ["port1.output.vc_allocator.pointer 0+:4"]);
    assert_eq!(shown(Register, "output_port.phase_early", 4), ["port1.output.phase_early_1 0+:3"]);
    assert_eq!(shown(Register, "output_port.hint_early", 5), ["port1.output.hint_early_2 0+:1"]);
    assert_eq!(shown(Register, "power.read_data", 0), ["registers.read_data 0+:32"]);
    assert_eq!(shown(Register, "bus.s_axi_rdata", 0), ["bus.s_axi_rdata 0+:32"]);
    assert_eq!(shown(Register, "bus.exists", 0), ["bus.exists 0+:1"]);
    assert_eq!(shown(Input, "s_axi_awvalid", 0), ["bus.s_axi_awvalid 0+:1"]);
}

/// A switch whose ports are as many as a time has bits.
#[test]
fn a_register_as_wide_as_there_are_ports_is_no_vector_of_them() {
    let config = Config {
        ports: 24,
        groups: vec![],
        topology: None,
        mechanism: Chosen(TIMETABLE.defaults()),
        ..presets::by_name("star-16").unwrap()
    };
    config.check().unwrap();
    // Alone it has no scope of its own, and the policy is there once.
    assert_eq!(shown(&config, TIMETABLE.name, Role::Register, "policy", 0), ["policy 0+:1"]);
    let shown = |name: &str| shown(&config, CONTROLLER, Role::Register, &format!("power.mechanism.{name}"), 0);
    assert_eq!(shown("count"), ["mechanism.count 0+:24"]);
    assert_eq!(shown("on_time"), ["mechanism.on_time 0+:24"]);
    assert_eq!(shown("on"), ["mechanism.on 0+:1"]);
    assert_eq!(shown("policy"), ["policy 0+:1", "mechanism.policy 0+:1"]);
    let asleep: Vec<String> = (0..24).map(|port| format!("port{port}.asleep {port}+:1")).collect();
    assert_eq!(shown("asleep"), asleep);
}

#[test]
fn other_blocks_are_shown_side_by_side() {
    let config = torus();
    let shown = |block, role, name, row| shown(&config, block, role, name, row);
    assert_eq!(shown("port_group", Role::Input, "flit", 0), ["inputs.flit 0+:2"]);
    assert_eq!(shown("port_group", Role::Output, "selectable", 0), ["rtl.selectable 0+:2"]);
    assert_eq!(
        shown("port_arbiter", Role::Register, "pointer", 0),
        [format!("rtl.pointer 0+:{}", config.requesters())]
    );
}

#[test]
fn a_mechanism_alone_is_shown_as_in_the_controller() {
    let config = torus();
    let shown = |role, name, row| shown(&config, "powar", role, name, row);
    assert_eq!(shown(Role::Register, "group.flit_counter.count", 1), ["group1.flit_count 0+:24"]);
    assert_eq!(shown(Role::Register, "fsm.state", 3), ["port3.fsm.state 0+:2"]);
    assert_eq!(shown(Role::Input, "held", 0), each_port("held"));
}

#[test]
fn wavelengths_are_shown_by_the_board_that_they_lead_to() {
    let config = ring_of("boards-4x2").unwrap();
    let shown = |role, name, row| shown(&config, config.mechanism().name, role, name, row);
    assert_eq!(shown(Role::Input, "ring_in", 0), ["ring.ring_in 0+:42"]);
    assert_eq!(shown(Role::Register, "station.word", 0), ["ring.word 0+:42"]);
    assert_eq!(shown(Role::Register, "controller.holder", 3), ["reconfiguration.holder_3 0+:3"]);
    // Link 6 is wavelength 2 to the board two further.
    assert_eq!(shown(Role::Register, "link.holds", 6), ["group1.link.holds_2 0+:1"]);
    assert_eq!(shown(Role::Register, "queue.waited", 1), ["group1.queue.waited 0+:12"]);
}

#[test]
fn a_signal_whose_owners_are_not_known_is_shown_by_its_name() {
    let places = |signal: &SignalDecl, row| show(Style::of(SWITCH, &torus()).places(signal, row));
    let unsaid = SignalDecl::new(Role::Register, "new.thing", 2, 5);
    assert_eq!(places(&unsaid, 1), ["new.thing_1 0+:5"]);
    // Ten ports, but seven rows.
    let seven = SignalDecl { owner: Owner::Port, rows: 7, own_name: "thing".into(), ..unsaid };
    assert_eq!(places(&seven, 6), ["new.thing_6 0+:5"]);
}

#[test]
fn ports_are_ordered_by_number() {
    let mut scopes = [Some("port10"), Some("port2"), Some("registers"), None, Some("other"), Some("group0")];
    scopes.sort_by_key(|scope| scope_order(*scope));
    assert_eq!(scopes, [None, Some("registers"), Some("group0"), Some("port2"), Some("port10"), Some("other")]);
}

#[test]
fn no_two_signals_are_shown_at_the_same_place() {
    for preset in ["fat-tree-2", "star-16"] {
        for variant in variants(&presets::by_name(preset).unwrap()) {
            for block in [CONTROLLER, SWITCH] {
                let (config, style) = (&variant.config, Style::of(block, &variant.config));
                let layout = twins::golden(config, block).unwrap().layout().clone();
                let mut taken = HashMap::new();
                for signal in layout.inputs.iter().chain(&layout.observed) {
                    for place in (0..signal.rows).flat_map(|row| style.places(signal, row)) {
                        // A register that is an output too has the same name, with an addition.
                        let is_register = signal.role == Role::Register;
                        let other = taken.insert((is_register, place.scope, place.name), &signal.name);
                        assert_eq!(other, None, "{}, {block}: {}", config.name, signal.name);
                    }
                }
            }
        }
    }
}
