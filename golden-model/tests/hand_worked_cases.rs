//! The power controller in cases worked out by hand from `docs/microarchitecture/controller.md` and the pages of its blocks.

use powar_config::{Config, CycleModel, Group, Meaning, Phase, Role, presets, registers};
use powar_golden::fast::controller::{Inputs, Outputs, PowerController};
use powar_golden::power_model::{Asleep, u_port};
use powar_golden::reference::power::mechanism::Write;
use powar_golden::twins;

/// Four ports and requesters, up-ports 2 and 3 a group, durations of a few cycles of 1 ns.
fn small() -> Config {
    let mut config = presets::by_name("fat-tree-2").unwrap();
    config.cycle_ns = 1.0;
    let parameters = config.powar_mut().unwrap();
    parameters.pdt = "5ns".parse().unwrap();
    parameters.t_sleep = "3ns".parse().unwrap();
    parameters.t_wake = "4ns".parse().unwrap();
    parameters.check_period = "100ns".parse().unwrap();
    config.check().unwrap();
    config
}

fn write(register: &str, data: u32) -> Write {
    let address = registers::mechanism_address(small().mechanism(), register) / registers::WORD_BYTES;
    Write { address, data }
}

/// A cycle in which the requesters ask with these P, and nothing else comes in.
fn ask(controller: &mut PowerController, adaptive: [u64; 4]) -> Outputs {
    controller.step(&Inputs { requesting: None, adaptive: &adaptive, deterministic: &[0; 4], ..Inputs::IDLE })
}

fn flits(controller: &mut PowerController, flit_valid: u64, flit_tail: u64) -> Outputs {
    controller.step(&Inputs { flit_valid, flit_tail, ..Inputs::IDLE })
}

fn granted(controller: &PowerController) -> Vec<(u8, u8)> {
    controller.grants().iter().map(|grant| (grant.requester, grant.port)).collect()
}

#[test]
fn the_pipeline_of_an_awake_port() {
    let mut controller = PowerController::new(&small());
    assert_eq!(ask(&mut controller, [0b1000, 0, 0, 0]).given, 0);
    let grant = ask(&mut controller, [0b1000, 0, 0, 0]);
    assert_eq!((grant.given, grant.accepted, grant.held), (0b1000, 0b0001, 0));
    assert_eq!(granted(&controller), [(0, 3)]);
    let held = flits(&mut controller, 0b1000, 0);
    assert_eq!((held.given, held.held, held.transmit), (0, 0b1000, 0b1000));
    let tail = flits(&mut controller, 0b1000, 0b1000);
    assert_eq!((tail.held, tail.transmit), (0b1000, 0b1000));
    assert_eq!(controller.step(&Inputs::IDLE).held, 0);
    assert_eq!(controller.counts(3).flits, 2);
}

#[test]
fn requesters_that_want_one_port_take_turns_and_the_loser_chooses_afresh() {
    let mut controller = PowerController::new(&small());
    ask(&mut controller, [0b0100, 0b1100, 0, 0]);
    ask(&mut controller, [0b0100, 0b1100, 0, 0]);
    assert_eq!(granted(&controller), [(0, 2)], "both chose port 2, and requester 0 is first");
    // In the cycle of the grant requester 1 still saw port 2 free and chose it again: it is refused once.
    assert_eq!(ask(&mut controller, [0, 0b1100, 0, 0]).given, 0);
    ask(&mut controller, [0, 0b1100, 0, 0]);
    assert_eq!(granted(&controller), [(1, 3)]);
    flits(&mut controller, 0b1100, 0b1100);
    ask(&mut controller, [0b0100, 0b0100, 0, 0]);
    ask(&mut controller, [0b0100, 0b0100, 0, 0]);
    assert_eq!(granted(&controller), [(1, 2)], "requester 0 had port 2 last");
}

#[test]
fn a_packet_waits_for_its_port_to_wake() {
    let mut controller = PowerController::new(&small());
    controller.skip(5);
    assert!((0..4).all(|port| controller.phase(port) == Phase::GoingOff));
    controller.skip(3);
    assert!((0..4).all(|port| controller.phase(port) == Phase::Off));
    ask(&mut controller, [0b0001, 0, 0, 0]);
    ask(&mut controller, [0b0001, 0, 0, 0]);
    assert_eq!(granted(&controller), [(0, 0)]);
    for _ in 0..4 {
        assert_eq!(controller.phase(0), Phase::ComingOn);
        assert_eq!(controller.step(&Inputs::IDLE).transmit, 0);
    }
    assert_eq!(controller.step(&Inputs::IDLE).transmit, 0b0001);
    controller.skip(1000);
    assert_eq!(controller.phase(0), Phase::On, "a held port stays awake, flit or not");

    let port = controller.counts(0);
    // On, on the way to sleep, asleep, refreshing, on the way to awake.
    assert_eq!((&port.cycles[1..], port.wake_ups), (&[3, 2, 0, 4][..], 1));
    assert_eq!(port.cycles[0], controller.now() - 3 - 2 - 4);
    let always_asleep = controller.counts(1);
    assert_eq!(always_asleep.cycles[2], controller.now() - 5 - 3);
    assert_eq!(
        u_port(small().mechanism().residency, &always_asleep.cycles, Asleep::without_lane(0.1)).unwrap(),
        8.0 / controller.now() as f64
    );
}

#[test]
fn powar_prefers_the_awake_port_and_round_robin_does_not() {
    for (policy, port) in [("powar", 1), ("first-on", 1), ("round-robin", 0)] {
        let mut config = small();
        config.powar_mut().unwrap().policy = policy.into();
        let mut controller = PowerController::new(&config);
        // A flit in every cycle keeps port 1 awake while port 0 falls asleep.
        for _ in 0..10 {
            flits(&mut controller, 0b0010, 0);
        }
        ask(&mut controller, [0b0011, 0, 0, 0]);
        ask(&mut controller, [0b0011, 0, 0, 0]);
        assert_eq!(granted(&controller), [(0, port)], "{policy}");
    }
}

#[test]
fn reference_never_sleeps_and_a_write_of_it_wakes_all_ports() {
    let mut controller = PowerController::new(&small());
    controller.skip(50);
    controller.step(&Inputs { write: Some(write("policy", 0)), ..Inputs::IDLE });
    // The ports sleep, the new policy forbids it: skipping must not sleep through this.
    assert_eq!(controller.next_event(), controller.now());
    controller.skip(1);
    assert!((0..4).all(|port| controller.phase(port) == Phase::ComingOn));
    controller.skip(4);
    assert!((0..4).all(|port| controller.phase(port) == Phase::On));
    controller.skip(1000);
    assert!((0..4).all(|port| controller.phase(port) == Phase::On));
}

#[test]
fn an_idle_group_comes_down_to_one_port_and_others_stay_selectable() {
    let mut config = small();
    config.powar_mut().unwrap().policy = "powar".into();
    let mut controller = PowerController::new(&config);
    controller.skip(99);
    assert_eq!(controller.next_event(), controller.now(), "the check");
    assert_eq!(controller.step(&Inputs::IDLE).grantable, 0b1111);
    assert_eq!(controller.step(&Inputs::IDLE).grantable, 0b0111);
    // Port 3 may no longer be chosen, though it is all that requester 0 asks for.
    (0..5).for_each(|_| assert_eq!(ask(&mut controller, [0b1000, 0, 0, 0]).given, 0));
}

#[test]
fn words_are_read_when_they_are_done_and_counters_cleared_by_their_word() {
    let mut controller = PowerController::new(&small());
    flits(&mut controller, 0b0100, 0b0100);
    let read = |controller: &mut PowerController, address: u16| {
        let mut inputs = vec![0; controller.layout().input_slots()];
        let mut seen = vec![0; controller.layout().observed_slots()];
        let slot = |role, name: &str| controller.layout().slot(role, name).unwrap();
        let (request, at) = (slot(Role::Input, "read_request"), slot(Role::Input, "read_address"));
        let (done, data) = (slot(Role::Output, "read_done"), slot(Role::Output, "read_data"));
        inputs[request] = 1;
        inputs[at] = u64::from(address / 4);
        // A port has seven counters.
        for _ in 0..10 {
            controller.cycle(&inputs, &mut seen);
            inputs[request] = 0;
            if seen[done] == 1 {
                return seen[data];
            }
        }
        panic!("no answer from {address:#06x}");
    };
    assert_eq!(read(&mut controller, 0x0044), 5, "the power-down threshold");
    assert_eq!(read(&mut controller, 0x1080 + 4 * 6), 1, "the flit of port 2");
    assert_eq!(read(&mut controller, 0x1080 + 4 * 7), 1 << 7 | 2, "its status: asleep by now, and may be given");
    controller.step(&Inputs { write: Some(Write { address: 3, data: 1 }), ..Inputs::IDLE });
    assert_eq!(read(&mut controller, 0x000c), 1);
    assert_eq!(read(&mut controller, 0x1080 + 4 * 6), 0);
    assert_eq!(controller.counts(2).flits, 0);
}

#[test]
fn reset_in_mid_run_is_like_a_new_controller() {
    let config = small();
    let mut used = PowerController::new(&config);
    for cycle in 0..300u64 {
        ask(&mut used, [0b1111, cycle & 0b1111, 0, 0b0100]);
        flits(&mut used, cycle & 0b1111, cycle >> 2 & 0b1111);
    }
    used.step(&Inputs { write: Some(write("pdt", 77)), ..Inputs::IDLE });
    used.step(&Inputs { rst: true, flit_valid: 0b1111, write: Some(write("pdt", 78)), ..Inputs::IDLE });
    let mut new = PowerController::new(&config);
    let inputs = vec![0; new.layout().input_slots()];
    let (mut expected, mut seen) = (vec![0; new.layout().observed_slots()], vec![0; new.layout().observed_slots()]);
    for _ in 0..150 {
        new.cycle(&inputs, &mut expected);
        used.cycle(&inputs, &mut seen);
        assert_eq!(seen, expected);
    }
}

#[test]
fn every_block_has_a_twin_at_the_sizes_of_the_configuration() {
    let names = |config: &Config| twins::blocks(config).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    let mut config = small();
    assert_eq!(
        names(&config),
        [
            "round_robin_arbiter",
            "preferred_first_arbiter",
            "selector",
            "port_arbiter",
            "check_timer",
            "control_registers",
            "port_power_fsm",
            "threshold_comparator",
            "flit_counter",
            "selectable_ports",
            "port_group",
            "powar",
            "held_ports",
            "port_counters",
            "counter_slots",
            "power_manager",
            "power_controller",
            "vc_queue",
            "virtual_channel",
            "input_port",
            "route_register",
            "vc_arbiter",
            "allocator",
            "crossbar",
            "credit_counter",
            "output_port",
            "link_stage",
            "gray_counter",
            "synchroniser",
            "crossing_sender",
            "crossing_receiver",
            "link_crossing",
            "header_queue",
            "packet_queue",
            "injection_queues",
            "injection",
            "reception",
            "network_interface",
            "fat_tree_routing",
            "register_bus",
            "reset_synchroniser",
            "statistics_reader",
            "uart_receiver",
            "uart_transmitter",
            "uart_bridge",
            "axi_lite_decoder",
            "demonstrator_registers",
            "traffic_generator",
            "traffic_checker",
            "powar_demonstrator",
            "powar_switch",
        ]
    );
    config.topology = None;
    assert!(!names(&config).iter().any(|name| name == "powar_switch" || name.ends_with("routing")));
    config.groups = vec![Group { first: 3, size: 1 }, Group { first: 0, size: 2 }, Group { first: 2, size: 1 }];
    assert!(names(&config).contains(&"port_group_1".to_owned()));
    assert!(names(&config).contains(&"port_group_2".to_owned()));
    config.groups.clear();
    assert!(!names(&config).iter().any(|name| name.starts_with("port_group")));
}

#[test]
fn every_twin_declares_a_reset_first_if_it_is_clocked_and_fills_its_frame() {
    for preset in presets::ALL {
        for (name, mut twin) in twins::blocks(&preset.config()) {
            let layout = twin.layout().clone();
            let clocked = layout.observed.iter().any(|signal| signal.role == Role::Register);
            assert_eq!(layout.inputs[0].meaning == Meaning::Reset, clocked, "{name}");
            let (inputs, mut observed) = (vec![0; layout.input_slots()], vec![u64::MAX - 1; layout.observed_slots()]);
            twin.cycle(&inputs, &mut observed);
            for (slot, &value) in observed.iter().enumerate() {
                let (signal, row) = layout.observed_at(slot).unwrap();
                let fits = signal.width == 64 || value >> signal.width == 0;
                assert!(fits, "{}: {name} {}[{row}] = {value:#x}", preset.name, signal.name);
            }
        }
    }
}
