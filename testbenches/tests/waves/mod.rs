//! The waves are read back: with `wellen`, which Surfer reads waves with, and line by line for GTKWave's save file.

mod network;
mod switch;

use powar_config::mechanism::powar::Policy;
use powar_config::units::Nanoseconds;
use powar_config::{Config, Layout, Phase, PowarValues, Role, presets};
use powar_golden::twins;
use powar_testbenches::lockstep::Window;
use powar_testbenches::waves::{WaveOptions, WaveWriter, save_window};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use wellen::simple::Waveform;

/// The 16-port switch with times so short that ports sleep and wake every few hundred cycles.
fn sleepy_switch() -> Config {
    let mut config = presets::by_name("fat-tree-8").unwrap();
    let powar = config.powar_mut().unwrap();
    (powar.pdt, powar.t_sleep, powar.t_wake) = (Nanoseconds(160.0), Nanoseconds(288.0), Nanoseconds(416.0));
    (powar.t_quiet, powar.t_refresh) = (Nanoseconds(80.0), Nanoseconds(32.0));
    powar.check_period = Nanoseconds(320.0);
    config.check().unwrap();
    config
}

/// A small generator of random numbers; any would do.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Frames of a run, with the golden model on both sides.
fn record(config: &Config, block: &str, cycles: u64) -> (Layout, Window) {
    let mut twins = twins::blocks(config);
    let (_, golden) = twins.iter_mut().find(|(name, _)| name == block).expect("the block has a golden twin");
    let layout = golden.layout().clone();
    let mut random = Random(1);
    // As many packets as let ports fall asleep between them.
    let values = PowarValues::of(config);
    let gap = 2 * u64::from(values.pdt + values.t_sleep);
    let mut packets = Packets {
        ports: config.ports as u64,
        gap,
        requests: vec![(0, 0); config.requesters()],
        flits_left: vec![0; config.ports],
    };
    let mut window = Window { first_cycle: 0, ..Window::default() };
    let mut observed = vec![0; layout.observed_slots()];
    for cycle in 0..cycles {
        let mut inputs = vec![0; layout.input_slots()];
        if block == "power_controller" {
            packets.drive(&layout, &observed, &mut random, &mut inputs);
        } else {
            let widths = layout.inputs.iter().flat_map(|signal| (0..signal.rows).map(|_| signal.width));
            for (slot, width) in inputs.iter_mut().zip(widths) {
                *slot = random.below(1 << width.min(30)) >> random.below(width as u64);
            }
        }
        inputs[0] = u64::from(cycle < 2);
        golden.cycle(&inputs, &mut observed);
        window.inputs.push(inputs);
        window.golden.push(observed.clone());
        window.dut.push(observed.clone());
    }
    (layout, window)
}

/// Random packets: each requester holds its sets until it is granted a port, the port then sends eight flits.
struct Packets {
    ports: u64,
    /// Cycles between a requester's packets, on average.
    gap: u64,
    requests: Vec<(u64, u64)>,
    flits_left: Vec<u64>,
}

impl Packets {
    fn drive(&mut self, layout: &Layout, last: &[u64], random: &mut Random, inputs: &mut [u64]) {
        let grant = layout.observed(Role::Output, "grant").unwrap();
        let transmit = last[layout.observed(Role::Output, "transmit").unwrap()];
        let slot = |name: &str| layout.input(name).unwrap();
        for (requester, request) in self.requests.iter_mut().enumerate() {
            let granted = last[grant + requester];
            if granted != 0 {
                *request = (0, 0);
                self.flits_left[granted.trailing_zeros() as usize] = 8;
            } else if *request == (0, 0) && random.below(self.gap) == 0 {
                let half = self.ports / 2;
                let up = ((1 << half) - 1) << half;
                *request = if random.below(2) == 0 { (up, 0) } else { (0, 1 << random.below(half)) };
            }
            inputs[slot("adaptive") + requester] = request.0;
            inputs[slot("deterministic") + requester] = request.1;
        }
        for (port, left) in self.flits_left.iter_mut().enumerate() {
            if *left > 0 && transmit >> port & 1 == 1 {
                *left -= 1;
                inputs[slot("flit_valid")] |= 1 << port;
                inputs[slot("flit_tail")] |= u64::from(*left == 0) << port;
            }
        }
    }
}

/// A fresh folder under the target folder; the last run's waves stay there to be looked at.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("waves").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
}

/// A dump that has been read back.
struct Dump {
    waves: Waveform,
    /// Ticks of a cycle.
    cycle: u64,
}

impl Dump {
    fn read(path: &Path) -> Dump {
        Dump { waves: wellen::simple::read(path).unwrap(), cycle: 1600 }
    }

    /// The values of a variable in some cycles: text as it is, bits as a number.
    fn values(&mut self, path: &str, cycles: std::ops::Range<u64>) -> Vec<String> {
        let parts: Vec<&str> = path.split('.').collect();
        let (name, scopes) = parts.split_last().unwrap();
        let hierarchy = self.waves.hierarchy();
        let variable = hierarchy.lookup_var(scopes, *name).unwrap_or_else(|| panic!("{path} is not in the dump"));
        let signal = hierarchy[variable].signal_ref();
        self.waves.load_signals(&[signal]);
        let (times, signal) = (self.waves.time_table(), self.waves.get_signal(signal).unwrap());
        let value = |cycle| {
            let index = times.binary_search(&(cycle * self.cycle)).expect("each cycle has its time");
            let offset = signal.get_offset(index as u32).unwrap_or_else(|| panic!("{path} has no value"));
            match signal.get_value_at(&offset, offset.elements - 1) {
                wellen::SignalValueRef::String(text) => text.to_owned(),
                value => u64::from_str_radix(&value.to_bit_string().unwrap(), 2).unwrap().to_string(),
            }
        };
        cycles.map(value).collect()
    }
}

/// One slot of all frames, as [`Dump::values`] gives it.
fn column(frames: &[Vec<u64>], slot: usize, show: impl Fn(u64) -> String) -> Vec<String> {
    frames.iter().map(|frame| show(frame[slot])).collect()
}

fn number(value: u64) -> String {
    value.to_string()
}

/// A bit of a slot, as text.
fn bit(place: u64) -> impl Fn(u64) -> String {
    move |vector| (vector >> place & 1).to_string()
}

#[test]
fn the_controllers_waves_hold_what_the_frames_held() {
    let (config, cycles) = (sleepy_switch(), 3000);
    let (layout, mut window) = record(&config, "power_controller", cycles);
    // The RTL's side differs a little everywhere, so that the sides can't be taken for one another.
    let count = layout.observed(Role::Register, "power.mechanism.fsm.elapsed").unwrap();
    for frame in &mut window.dut {
        frame[count + 3] ^= 5;
    }
    let folder = folder("controller");
    let waves = save_window(folder.join("run.vcd"), "power_controller", &config, &layout, &window).unwrap();
    let mut dumps = vec![Dump::read(&waves.vcd)];
    // GTKWave's own converter, where it is installed.
    let fst = folder.join("run.fst");
    if std::process::Command::new("vcd2fst").args([&waves.vcd, &fst]).output().is_ok() {
        dumps.push(Dump::read(&fst));
    }
    let output = |name| layout.observed(Role::Output, name).unwrap();
    let register = |name| layout.observed(Role::Register, name).unwrap();
    let phase = |code: u64| Phase::ALL[code as usize].name().to_owned();
    let phases = column(&window.golden, output("phase") + 3, phase);
    for pair in config.mechanism().residency {
        assert!(phases.iter().any(|phase| phase == pair.phase.name()), "port 3 is never {}", pair.phase.name());
    }
    let state = |code: u64| ["Active", "EnteringSleep", "Asleep", "Waking"][code as usize].to_owned();
    // Seven counters a port.
    let counter = |port: usize, place: usize| register("power.counters.prescaler") + 7 * port + place;
    for dump in &mut dumps {
        let mut check = |path: &str, expected: Vec<String>| {
            assert!(dump.values(&format!("power_controller.{path}"), 0..cycles) == expected, "{path}");
        };
        check("cycle", (0..cycles).map(number).collect());
        check("clk", vec!["1".into(); cycles as usize]);
        check("rst", column(&window.inputs, 0, number));
        check("port3.flit_valid", column(&window.inputs, layout.input("flit_valid").unwrap(), bit(3)));
        check("port3.phase_name", phases.clone());
        check("port3.phase_name_golden", phases.clone());
        check("port3.phase", column(&window.dut, output("phase") + 3, number));
        let states = column(&window.golden, register("power.mechanism.fsm.state") + 3, state);
        check("port3.fsm.state_name_golden", states);
        check("port3.fsm.elapsed", column(&window.dut, count + 3, number));
        check("port3.fsm.elapsed_golden", column(&window.golden, count + 3, number));
        check("port3.mismatch", vec!["1".into(); cycles as usize]);
        check("port4.mismatch", vec!["0".into(); cycles as usize]);
        check("mismatch", vec!["1".into(); cycles as usize]);
        check("port12.held", column(&window.dut, output("held"), bit(12)));
        check("port12.held_reg_golden", column(&window.golden, register("power.held_ports.held"), bit(12)));
        check("port12.grantable", column(&window.dut, output("grantable"), bit(12)));
        check("port12.counters.prescaler.active_cycles", column(&window.dut, counter(12, 0), number));
        check("port12.counters.prescaler.flits", column(&window.dut, counter(12, 6), number));
        check("port12.arbiter.pointer", column(&window.dut, register("arbiter.pointer") + 12, number));
        check("requester5.choice", column(&window.dut, register("selector.choice") + 5, number));
        check("requester5.adaptive", column(&window.inputs, layout.input("adaptive").unwrap() + 5, number));
        check(
            "group0.n_selectable",
            column(&window.dut, register("power.mechanism.group.selectable_ports.n_selectable"), number),
        );
        check("registers.t_wake", column(&window.dut, register("power.mechanism.registers.t_wake"), number));
        check("policy_name", vec![Policy::by_name("powar").unwrap().title.to_owned(); cycles as usize]);
    }
}

#[test]
fn every_slot_of_a_plain_block_is_shown_on_both_sides() {
    let (config, cycles) = (sleepy_switch(), 500);
    for block in ["port_power_fsm", "port_group", "held_ports"] {
        let (layout, mut window) = record(&config, block, cycles);
        window.dut.iter_mut().for_each(|frame| frame[0] ^= 1);
        let path = folder(block).join("run.vcd");
        let waves = save_window(&path, block, &config, &layout, &window).unwrap();
        let mut dump = Dump::read(&waves.vcd);
        let mut check = |path: String, frames: &[Vec<u64>], slot: usize| {
            assert!(dump.values(&path, 0..cycles) == column(frames, slot, number), "{path}");
        };
        for (slot, signal) in layout.inputs.iter().enumerate().skip(1) {
            check(format!("{block}.inputs.{}", signal.name), &window.inputs, slot);
        }
        for (slot, signal) in layout.observed.iter().enumerate() {
            let is_second = signal.role == Role::Register && layout.observed(Role::Output, &signal.name).is_some();
            let name = format!("{}{}", signal.name, if is_second { "_reg" } else { "" });
            check(format!("{block}.rtl.{name}"), &window.dut, slot);
            check(format!("{block}.golden.{name}"), &window.golden, slot);
        }
    }
}

/// The run of `docs/images/waves.png`: the papers' times, but for the power-down threshold.
#[test]
fn the_view_opens_on_ports_that_sleep_and_wake() {
    let mut config = presets::by_name("fat-tree-8").unwrap();
    config.powar_mut().unwrap().pdt = Nanoseconds(2000.0);
    let (layout, window) = record(&config, "power_controller", 15_000);
    let path = folder("picture").join("fat-tree-8.vcd");
    let waves = save_window(path, "power_controller", &config, &layout, &window).unwrap();
    assert_eq!(waves.first_mismatch, None);

    let gtkw = std::fs::read_to_string(&waves.gtkw).unwrap();
    let start = gtkw.lines().find_map(|line| line.strip_prefix("[timestart] ")).unwrap();
    let times = gtkw.lines().find_map(|line| line.strip_prefix('*')).unwrap();
    let zoom: f64 = times.split(' ').next().unwrap().parse().unwrap();
    let from = start.parse::<u64>().unwrap() / 1600;
    // 1000 pixels of waves at 2^-zoom ticks for 200 of them.
    let to = from + (5.0 * (-zoom).exp2() / 1600.0) as u64;
    let mut dump = Dump::read(&waves.vcd);
    let phases = |port: usize| -> BTreeSet<String> {
        dump.values(&format!("power_controller.port{port}.phase_name"), from..to.min(15_000)).into_iter().collect()
    };
    let through_all = (0..16).map(phases).filter(|phases| phases.len() == 4).count();
    assert!(through_all >= 4, "only {through_all} ports go through all phases in cycles {from} to {to}");
}

#[test]
fn a_difference_is_marked_and_stands_on_top() {
    let config = sleepy_switch();
    let (layout, mut window) = record(&config, "power_controller", 400);
    window.first_cycle = 10_000;
    let slot = layout.observed(Role::Register, "power.mechanism.fsm.state").unwrap() + 7;
    window.dut[64][slot] ^= 1;
    let path = folder("difference").join("first-difference.vcd");
    let waves = save_window(path, "power_controller", &config, &layout, &window).unwrap();
    assert_eq!(waves.first_mismatch, Some(10_064));

    let mut dump = Dump::read(&waves.vcd);
    for path in ["mismatch", "port7.mismatch"] {
        let values = dump.values(&format!("power_controller.{path}"), 10_000..10_400);
        let wrong: Vec<usize> = (0..400).filter(|&row| values[row] == "1").collect();
        assert_eq!(wrong, [64], "{path}");
    }
    let gtkw = std::fs::read_to_string(&waves.gtkw).unwrap();
    assert!(gtkw.contains("[markername] Afirst mismatch\n"), "{gtkw}");
    let times = gtkw.lines().find(|line| line.starts_with('*')).unwrap();
    // Zoom, cursor, marker A.
    let cursor = (10_064 * 1600).to_string();
    assert_eq!(times.split(' ').skip(1).take(2).collect::<Vec<_>>(), [&cursor, &cursor]);
    let lines: Vec<&str> = gtkw.lines().collect();
    let group = lines.iter().position(|line| *line == "-first difference").unwrap();
    let end = group + 1 + lines[group + 1..].iter().position(|line| *line == "-first difference").unwrap();
    let shown: Vec<&str> = lines[group..end].iter().filter(|line| line.starts_with('+')).copied().collect();
    assert_eq!(
        shown,
        [
            "+{port7 fsm state} power_controller.port7.fsm.state[1:0]",
            "+{port7 fsm state golden} power_controller.port7.fsm.state_golden[1:0]",
            "+{port7 fsm state} power_controller.port7.fsm.state_name",
            "+{port7 fsm state golden} power_controller.port7.fsm.state_name_golden",
        ]
    );
}

/// The variables in and below some scopes, each with its path to the last dot.
fn variables_of<'a>(items: &'a [vcd::ScopeItem], path: &str, found: &mut Vec<(String, &'a vcd::Var)>) {
    for item in items {
        match item {
            vcd::ScopeItem::Scope(scope) => variables_of(&scope.items, &format!("{path}{}.", scope.identifier), found),
            vcd::ScopeItem::Var(variable) => found.push((path.to_owned(), variable)),
            _ => (),
        }
    }
}

/// Names of a dump's variables, as GTKWave writes them.
fn names_of(vcd: &Path) -> BTreeSet<String> {
    let file = std::io::BufReader::new(std::fs::File::open(vcd).unwrap());
    let header = vcd::Parser::new(file).parse_header().unwrap();
    let (mut found, mut names) = (vec![], BTreeSet::new());
    variables_of(&header.items, "", &mut found);
    for (path, variable) in found {
        let range = variable.index.map(|index| index.to_string()).unwrap_or_default();
        assert!(!variable.reference.contains(['[', ']', ' ']), "{}", variable.reference);
        let name = format!("{path}{}{range}", variable.reference);
        assert!(names.insert(name), "{path}{}", variable.reference);
    }
    names
}

#[test]
fn the_viewers_files_name_only_what_is_in_the_dump() {
    let config = sleepy_switch();
    let torus = presets::by_name("torus-28").unwrap();
    for (config, block) in [(&config, "power_controller"), (&torus, "power_controller"), (&config, "selector")] {
        let (layout, window) = record(config, block, 1500);
        let path = folder(&format!("names-{}-{block}", config.name)).join("run.vcd");
        let waves = save_window(path, block, config, &layout, &window).unwrap();
        let names = names_of(&waves.vcd);
        let gtkw = std::fs::read_to_string(&waves.gtkw).unwrap();
        let mut depth = 0;
        let mut shown = 0;
        let mut flags = 0;
        for line in gtkw.lines() {
            if let Some(hexadecimal) = line.strip_prefix('@') {
                flags = u64::from_str_radix(hexadecimal, 16).unwrap();
            } else if line.starts_with('-') {
                depth += if flags & 0x80_0000 != 0 { 1 } else { -1 };
                assert!(depth >= 0 && (flags & 0x180_0000).is_power_of_two(), "{line}");
            } else if let Some(trace) = line.strip_prefix('+') {
                let name = trace.split_once("} ").unwrap().1;
                assert!(names.contains(name), "{name} is not in {block}'s dump");
                shown += 1;
            }
        }
        assert_eq!(depth, 0, "a group is not closed");
        // `policy` is shown in the group of the registers.
        assert!(shown + 8 >= names.len(), "only {shown} of {} variables of {block} are shown", names.len());
        assert!(gtkw.contains("[dumpfile] \"run.vcd\"\n"));
        assert_eq!(gtkw.contains("[markername] Afirst wake-up"), block == "power_controller" && config.ports == 16);

        let plain: BTreeSet<&str> = names.iter().map(|name| name.split('[').next().unwrap()).collect();
        for line in std::fs::read_to_string(&waves.sucl).unwrap().lines() {
            match line.split_once(' ').unwrap_or((line, "")) {
                ("variable_add", name) => assert!(plain.contains(name), "{name}"),
                (command, _) => assert!(["#", "divider_add", "cursor_set", "goto_cursor"].contains(&command), "{line}"),
            }
        }
    }
}

#[test]
fn only_changes_are_written_and_always_the_same_bytes() {
    let config = sleepy_switch();
    let (layout, window) = record(&config, "power_controller", 300);
    let folder = folder("changes");
    let bytes = ["a.vcd", "b.vcd"].map(|name| {
        let waves = save_window(folder.join(name), "power_controller", &config, &layout, &window).unwrap();
        std::fs::read(waves.vcd).unwrap()
    });
    assert!(bytes[0] == bytes[1]);

    let still = |name: &str, cycles: u64| {
        let options = WaveOptions { comment: Some("a test $end of nothing".into()), ..WaveOptions::default() };
        let mut writer = WaveWriter::create(folder.join(name), &layout, "power_controller", &config, &options).unwrap();
        for cycle in 0..cycles {
            writer.cycle(cycle, &window.inputs[9], &window.golden[9], &window.dut[9]).unwrap();
        }
        std::fs::read(writer.finish().unwrap().vcd).unwrap().len()
    };
    // Two times, the clock's two edges and the cycle number: some 40 bytes a cycle.
    assert!(still("long.vcd", 1010) - still("short.vcd", 10) < 40 * 1000);

    let options = WaveOptions { golden: false, counters: false, comment: None };
    let mut writer =
        WaveWriter::create(folder.join("small.vcd"), &layout, "power_controller", &config, &options).unwrap();
    writer.cycle(0, &window.inputs[0], &window.golden[0], &window.dut[1]).unwrap();
    let names = names_of(&writer.finish().unwrap().vcd);
    assert!(names.contains("power_controller.port3.held") && names.contains("power_controller.port3.mismatch"));
    assert!(!names.iter().any(|name| name.contains("_golden") || name.contains(".counters.")));
    let of_slots: Vec<_> = names.iter().filter(|name| name.contains(".slots.")).collect();
    assert_eq!(of_slots, ["power_controller.slots.mismatch"]);
}

#[test]
fn what_cannot_be_written_is_one_line_and_leaves_nothing() {
    let config = sleepy_switch();
    let (layout, window) = record(&config, "check_timer", 20);
    let folder = folder("errors");
    let error = |path: &Path| {
        let error = save_window(path, "check_timer", &config, &layout, &window).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains(path.to_str().unwrap()) && !text.contains('\n'), "{text}");
        text
    };
    error(&folder.join("missing/run.vcd"));
    assert!(error(&folder.join("run.txt")).contains(".vcd"));
    std::fs::write(folder.join("file"), "").unwrap();
    error(&folder.join("file/run.vcd"));
    std::fs::remove_file(folder.join("file")).unwrap();
    assert!(names_in(&folder).is_empty(), "{:?}", names_in(&folder));

    let options = WaveOptions::default();
    let path = folder.join("run.vcd");
    let create = || WaveWriter::create(&path, &layout, "check_timer", &config, &options).unwrap();
    let (inputs, observed) = (&window.inputs[0], &window.golden[0]);
    let mut writer = create();
    writer.cycle(5, inputs, observed, observed).unwrap();
    assert!(writer.cycle(5, inputs, observed, observed).unwrap_err().to_string().contains("cycle 5"));
    assert!(writer.cycle(6, inputs, &observed[1..], observed).unwrap_err().to_string().contains("slots"));
    drop(writer);
    assert!(WaveWriter::create(&path, &layout, "two words", &config, &options).is_err());
    assert!(names_in(&folder).is_empty(), "{:?}", names_in(&folder));
}

/// `/dev/full` behaves like a full disk.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_one_line_and_leaves_nothing() {
    let config = sleepy_switch();
    let (layout, window) = record(&config, "check_timer", 20);
    let folder = folder("full");
    let path = folder.join("run.vcd");
    std::os::unix::fs::symlink("/dev/full", &path).unwrap();
    let error = save_window(&path, "check_timer", &config, &layout, &window).unwrap_err();
    let text = format!("{error:#}");
    assert!(text.starts_with("cannot write ") && text.contains("No space left") && !text.contains('\n'), "{text}");
    assert_eq!(names_in(&folder), ["run.vcd"], "only the link itself");
}
