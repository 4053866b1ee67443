//! The waves of the whole switch.

use crate::waves::{Dump, bit, column, folder, names_of, number};
use powar_config::{Config, Layout, Phase, Role, presets};
use powar_testbenches::expected_routing::ExpectedRouting;
use powar_testbenches::lockstep::Window;
use powar_testbenches::mechanisms::{Variant, variants};
use powar_testbenches::stimulus::{LinkOptions, LinkTraffic, Stimulus, TrafficKind};
use powar_testbenches::waves::save_window;

const CYCLES: u64 = 1500;

/// Frames of a run on lively traffic, with the golden model on both sides.
fn record(config: &Config, seed: u64) -> (Layout, Window) {
    let mut golden = powar_golden::fast::switch::twin(config).unwrap();
    let layout = golden.layout().clone();
    let mut options = LinkOptions::lively(TrafficKind::Uniform, 0.3, seed);
    // So that ports sleep in a short run.
    options.disturbances.register_write = 30;
    let routing = ExpectedRouting::new(config, 0, 0).unwrap();
    let mut traffic = LinkTraffic::new(config, &routing, &layout, options).unwrap();
    let mut observed = vec![0; layout.observed_slots()];
    let mut window = Window { first_cycle: 0, ..Window::default() };
    for cycle in 0..CYCLES {
        let mut inputs = vec![0; layout.input_slots()];
        traffic.drive(cycle, &observed, &mut inputs);
        golden.cycle(&inputs, &mut observed);
        window.inputs.push(inputs);
        window.golden.push(observed.clone());
        window.dut.push(observed.clone());
    }
    (layout, window)
}

#[test]
fn the_switch_s_waves_hold_what_the_frames_held() {
    let config = presets::by_name("fat-tree-2").unwrap();
    let (vcs, words) = (config.switch.vcs, config.switch.flit_words());
    let (layout, mut window) = record(&config, 4);
    let output = |name| layout.observed(Role::Output, name).unwrap();
    let register = |name| layout.observed(Role::Register, name).unwrap();
    let input = |name| layout.input(name).unwrap();
    // The RTL's side differs a little, so that the sides can't be taken for one another.
    let credits = register("output_port.credit.credits") + 2 * vcs + 1;
    let dropping = register("input_port.vc.dropping") + vcs;
    for frame in &mut window.dut {
        frame[credits] ^= 3;
        frame[dropping] ^= 1;
    }
    let waves = save_window(folder("switch").join("run.vcd"), "powar_switch", &config, &layout, &window).unwrap();
    assert_eq!(waves.first_mismatch, Some(0));
    let mut dump = Dump::read(&waves.vcd);
    let mut check = |path: &str, expected: Vec<String>| {
        assert!(dump.values(&format!("powar_switch.{path}"), 0..CYCLES) == expected, "{path}");
    };
    check("port3.link_in.valid", column(&window.inputs, input("in_valid"), bit(3)));
    check("port3.link_in.flit_2", column(&window.inputs, input("in_flit") + 3 * words + 2, number));
    check("port1.link_in.credit_vc", column(&window.dut, output("in_credit_vc") + 1, number));
    check("port1.link_out.credit_vc", column(&window.inputs, input("out_credit_vc") + 1, number));
    check("port2.link_out.valid", column(&window.dut, output("out_valid"), bit(2)));
    check("port2.link_out.valid_reg", column(&window.dut, register("output_port.out_valid") + 2, number));
    check("port2.link_out.flit_3", column(&window.dut, output("out_flit") + 2 * words + 3, number));
    check("port3.input.reading", column(&window.dut, register("input_port.reading") + 3, number));
    check("port1.vc1.flits.some", column(&window.dut, register("input_port.vc.flits.some") + vcs + 1, bit(0)));
    check("port1.vc1.selector.choice", column(&window.dut, register("allocator.selector.choice") + vcs + 1, number));
    check("port2.output.credit1.credits", column(&window.dut, credits, number));
    check("port2.output.credit1.credits_golden", column(&window.golden, credits, number));
    check("port0.held", column(&window.dut, output("held"), bit(0)));
    check("port1.link_in.hint", column(&window.inputs, input("in_hint"), bit(1)));
    check("port1.link_out.hint", column(&window.dut, output("out_hint"), bit(1)));
    check("registers.pdt", column(&window.dut, register("power.mechanism.registers.pdt"), number));
    check("bus.s_axi_rdata", column(&window.dut, output("s_axi_rdata"), number));
    let counters = register("power.counters.prescaler") + 2 * 12;
    for (index, counter) in [(2, "quiet_cycles"), (6, "flits"), (8, "framing_errors")] {
        check(&format!("port2.counters.prescaler.{counter}"), column(&window.dut, counters + index, number));
    }
    let phase = |code: u64| Phase::ALL[code as usize].name().to_owned();
    for port in 0..config.ports {
        let phases = column(&window.dut, output("phase") + port, phase);
        assert!(phases.iter().any(|phase| phase == "Off"), "port {port} never sleeps");
        check(&format!("port{port}.phase_name"), phases);
        let on_link = column(&window.dut, output("out_phase") + port, phase);
        check(&format!("port{port}.link_out.phase_name"), on_link);
        let differs = if [1, 2].contains(&port) { "1" } else { "0" };
        check(&format!("port{port}.mismatch"), vec![differs.into(); CYCLES as usize]);
    }

    // The states of the virtual channels in words, on both sides.
    let mut seen = std::collections::BTreeSet::new();
    for (side, frames) in [("", &window.dut), ("_golden", &window.golden)] {
        for (port, vc) in (0..config.ports).flat_map(|port| (0..vcs).map(move |vc| (port, vc))) {
            let flag = |frame: &Vec<u64>, name| frame[register(name) + port * vcs + vc] == 1;
            let words = frames.iter().map(|frame| {
                let asks = flag(frame, "input_port.vc.head_valid");
                let own = match (flag(frame, "input_port.vc.holding"), flag(frame, "input_port.vc.dropping")) {
                    (false, _) if asks => return "asks".to_owned(),
                    (false, _) => return "idle".to_owned(),
                    (true, false) => "sends",
                    (true, true) => "drops",
                };
                format!("{own}{}", if asks { "+asks" } else { "" })
            });
            let words: Vec<String> = words.collect();
            seen.extend(words.clone());
            check(&format!("port{port}.vc{vc}.state_name{side}"), words);
        }
    }
    assert!(["idle", "asks", "sends", "sends+asks", "drops"].iter().all(|&state| seen.contains(state)), "{seen:?}");
}

#[test]
fn every_variable_of_the_switch_is_in_the_view() {
    let presets = ["fat-tree-2", "star-16"].map(|preset| presets::by_name(preset).unwrap());
    for Variant { config, .. } in presets.iter().flat_map(variants) {
        let (layout, window) = record(&config, 4);
        let path = folder(&format!("switch-{}", config.name)).join("run.vcd");
        let waves = save_window(path, "powar_switch", &config, &layout, &window).unwrap();
        let names = names_of(&waves.vcd);
        // Every slot is somewhere, and the golden twin of all that is observed.
        assert!(names.len() > layout.input_slots() + 2 * layout.observed_slots(), "{} variables", names.len());
        let gtkw = std::fs::read_to_string(&waves.gtkw).unwrap();
        let traces = gtkw.lines().filter_map(|line| line.strip_prefix('+'));
        let shown: std::collections::BTreeSet<&str> = traces.map(|trace| trace.split_once("} ").unwrap().1).collect();
        let missing: Vec<&String> = names.iter().filter(|name| !shown.contains(name.as_str())).collect();
        let own = ["cycle", "policy", "mismatch", "policy_golden", "policy_name_golden"];
        for name in missing {
            let name = name.trim_start_matches("powar_switch.").split('[').next().unwrap();
            assert!(own.contains(&name), "{name} is not shown");
        }
        for name in &shown {
            assert!(names.contains(*name), "{name} is not in the dump");
        }
        for group in ["phases", "port0", "other ports", "port0 vc1", "port0 output"] {
            assert!(gtkw.contains(&format!("\n-{group}\n")) || config.ports <= 4 && group == "other ports", "{group}");
        }
    }
}

#[test]
fn links_that_go_off_and_on_with_the_load_are_shown_by_port_and_group() {
    let mut variants = variants(&presets::by_name("fat-tree-4").unwrap()).into_iter();
    let config = variants.find(|variant| variant.config.mechanism().name == "alonso").unwrap().config;
    let (layout, window) = record(&config, 9);
    let waves = save_window(folder("alonso").join("run.vcd"), "powar_switch", &config, &layout, &window).unwrap();
    let mut dump = Dump::read(&waves.vcd);
    let mut check = |path: &str, expected: Vec<String>| {
        assert!(dump.values(&format!("powar_switch.{path}"), 0..CYCLES) == expected, "{path}");
        expected.into_iter().collect::<std::collections::BTreeSet<String>>()
    };
    let register = |name: &str| layout.observed(Role::Register, &format!("power.mechanism.{name}")).unwrap();
    let shown = |name: &str| column(&window.dut, register(name), number);
    for word in config.mechanism().words {
        check(&format!("registers.{}", word.name), shown(&format!("registers.{}", word.name)));
    }
    let title = |code: u64| config.mechanism().policies[code as usize % 3].title.to_owned();
    let policies = check("policy_name", column(&window.dut, register("registers.policy"), title));
    assert!(policies.len() > 1 && policies.contains("AlonsoDynamic"), "{policies:?}");
    let active = check("group0.active", shown("group.active"));
    assert!(active.len() >= 3, "{active:?}");
    for (path, name) in [("group0.flit_count", "group.flit_counter.count"), ("group0.off_limit", "group.off_limit")] {
        check(path, shown(name));
    }
    check("mechanism.down_active", shown("down_active"));
    check("port5.was_on", column(&window.dut, register("was_on"), bit(5)));
    let phase = |code: u64| Phase::ALL[code as usize].name().to_owned();
    let mut phases = std::collections::BTreeSet::new();
    for port in 0..8 {
        let of_port = column(&window.dut, register("fsm.phase") + port, phase);
        phases.extend(check(&format!("port{port}.fsm.phase_name"), of_port));
    }
    assert_eq!(phases.len(), config.mechanism().residency.len(), "{phases:?}");
    // A set of links is readable in binary alone: flag 8 of GTKWave.
    let gtkw = std::fs::read_to_string(&waves.gtkw).unwrap();
    let lines: Vec<&str> = gtkw.lines().collect();
    let at = lines.iter().position(|line| line.contains("group0.active[")).expect("it is in the view");
    let flags = lines[..at].iter().rev().find_map(|line| line.strip_prefix('@')).unwrap();
    assert_eq!(u64::from_str_radix(flags, 16).unwrap() & 0xf, 8, "{flags}");
}
