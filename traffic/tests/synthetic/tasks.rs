//! Communication tasks: load, burstiness, locality, seeds, and what is refused.

use powar_config::topology::wiring::Wiring;
use powar_config::{Config, Message, Workload};
use powar_traffic::synthetic::{Durations, Surroundings, Synthetic, SyntheticOptions, TasksOptions, hurst};

fn wiring(topology: &str) -> Wiring {
    Wiring::new(&Config::of_network(topology).unwrap()).unwrap()
}

fn options(load: f64, cycles: u64, seed: u64, tasks: TasksOptions) -> SyntheticOptions {
    let pattern = "tasks".into();
    SyntheticOptions {
        pattern,
        load,
        cycles,
        seed,
        packet_flits: 5,
        start: 50,
        tasks: Some(tasks),
        ..Default::default()
    }
}

fn traffic(options: &SyntheticOptions, wiring: &Wiring) -> anyhow::Result<Synthetic> {
    let nodes = wiring.nodes.len() as u32;
    Synthetic::in_network(
        options,
        &Surroundings { nodes, dimensions: &[], cycle_ns: 1.0, wiring: Some(wiring), names: None },
    )
}

/// What is sent, with the cycles.
fn run(options: &SyntheticOptions, wiring: &Wiring) -> Vec<(u64, Message)> {
    let mut traffic = traffic(options, wiring).unwrap();
    let (mut all, mut messages) = (Vec::new(), Vec::new());
    let mut last = options.start;
    while !traffic.is_over() {
        let now = traffic.next_event();
        assert!((last..options.stop()).contains(&now), "cycle {now}");
        last = now + 1;
        traffic.act(now, &mut messages).unwrap();
        // Every event is a packet: what idles is never visited.
        assert!(!messages.is_empty() && traffic.next_event() > now, "cycle {now}");
        all.extend(messages.drain(..).map(|message| (now, message)));
    }
    assert_eq!(traffic.next_event(), u64::MAX);
    assert!(all.iter().zip(0..).all(|((_, message), number)| message.number == number));
    all
}

/// Flits of all nodes in each of so many equal parts of the time.
fn series(sent: &[(u64, Message)], options: &SyntheticOptions, parts: usize) -> Vec<f64> {
    let mut sums = vec![0.0; parts];
    for (cycle, message) in sent {
        sums[((cycle - options.start) * parts as u64 / options.cycles) as usize] += message.flits as f64;
    }
    sums
}

/// Standard deviation over mean.
fn variation(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let square = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
    square.sqrt() / mean
}

/// Over many seeds, from the first cycles on, whatever the number of tasks; likewise in packets of the whole network.
#[test]
fn the_expected_load_is_the_one_asked_for() {
    let torus = wiring("torus-8x8");
    for (concurrent, load, durations) in [
        (10.0, 0.15, Durations::Pareto),
        (25.0, 0.02, Durations::Pareto),
        (100.0, 0.3, Durations::Exponential),
        (100.0, 0.3, Durations::Pareto),
        (0.4, 0.002, Durations::Pareto),
    ] {
        let mut shares = vec![];
        let seeds = 200;
        for seed in 0..seeds {
            let tasks = TasksOptions { concurrent, durations, ..Default::default() };
            let options = options(load, 4_000, seed, tasks);
            shares
                .push(series(&run(&options, &torus), &options, 8).iter().map(|f| f / 500.0 / 64.0).collect::<Vec<_>>());
        }
        for part in [0, 7] {
            let of_part: Vec<f64> = shares.iter().map(|shares| shares[part]).collect();
            let mean = of_part.iter().sum::<f64>() / f64::from(seeds as u32);
            let off = 4.5 * variation(&of_part) * mean / f64::from(seeds as u32).sqrt();
            println!("{concurrent} tasks, load {load}, part {part}: {mean:.5} +- {off:.5}");
            assert!((mean - load).abs() < off, "{concurrent} tasks, load {load}, part {part}: {mean} +- {off}");
            assert!(off < 0.7 * load, "{off}");
        }
    }
    // 1.9 packets a cycle of 5 flits at 64 nodes: 0.1484 flits a node and cycle.
    let packets = TasksOptions { packets_per_cycle: Some(1.9), ..Default::default() };
    let by_packets = run(&options(0.9, 3_000, 2, packets), &torus);
    assert_eq!(by_packets, run(&options(1.9 * 5.0 / 64.0, 3_000, 2, TasksOptions::default()), &torus));
}

/// Many tasks of Pareto lengths: H = (3 - alpha) / 2 on scales of many of them. Those of exponential lengths have nothing beyond some lengths.
#[test]
fn the_aggregate_is_self_similar() {
    let torus = wiring("torus-8x8");
    for (durations, expected) in [(Durations::Pareto, 0.8), (Durations::Exponential, 0.5)] {
        let duration = "16ns".parse().unwrap();
        // Sources that are hardly ever silent: what is seen is the number of tasks.
        let tasks =
            TasksOptions { duration, durations, sources: 1, burst_load: 0.33, mean_on: 4.0, ..Default::default() };
        let options = SyntheticOptions { packet_flits: 1, ..options(0.5, 1 << 20, 3, tasks) };
        let h = hurst::wavelet(&series(&run(&options, &torus), &options, 1 << 17), 5..=12);
        println!("{durations:?}: H {h:.3}");
        assert!((h - expected).abs() < 0.06, "{durations:?}: {h}, expected {expected}");
    }
}

/// With tasks as the paper has them, 1 us, the aggregate is bursty on all scales, much more than memoryless arrivals of the same load.
#[test]
fn usual_tasks_are_bursty_on_all_scales() {
    let torus = wiring("torus-8x8");
    let options = options(0.1, 1 << 21, 1, TasksOptions { concurrent: 25.0, ..Default::default() });
    let tasks = series(&run(&options, &torus), &options, 1 << 13);
    let h = hurst::wavelet(&tasks, 1..=8);
    println!("H {h:.3}, scales of 512 to 65536 cycles");
    assert!((0.7..1.0).contains(&h), "{h}");
    let plain = SyntheticOptions { pattern: "uniform".into(), tasks: None, ..options.clone() };
    let memoryless = series(&run(&plain, &torus), &plain, 1 << 13);
    assert!(variation(&tasks) > 5.0 * variation(&memoryless));
}

/// The paper's claim (section V-B.2): fewer tasks at the same load vary more, over nodes and over time.
#[test]
fn fewer_tasks_vary_more() {
    let torus = wiring("torus-8x8");
    let (mut of_nodes, mut of_times) = (vec![], vec![]);
    for concurrent in [10.0, 25.0, 50.0, 100.0] {
        // Medians over seeds: a mean over heavy tails is that of the largest.
        let (mut nodes, mut times) = (vec![], vec![]);
        for seed in 0..9 {
            let options = options(0.1, 100_000, seed, TasksOptions { concurrent, ..Default::default() });
            let sent = run(&options, &torus);
            let mut by_node = vec![0.0; 64];
            sent.iter().for_each(|(_, message)| by_node[message.source as usize] += message.flits as f64);
            nodes.push(variation(&by_node));
            times.push(variation(&series(&sent, &options, 100)));
        }
        nodes.sort_by(f64::total_cmp);
        times.sort_by(f64::total_cmp);
        println!("{concurrent} tasks: variation {:.3} over nodes, {:.3} over time", nodes[4], times[4]);
        of_nodes.push(nodes[4]);
        of_times.push(times[4]);
    }
    assert!(of_nodes.is_sorted_by(|few, many| few > many), "{of_nodes:?}");
    assert!(of_times.is_sorted_by(|few, many| few > many), "{of_times:?}");
}

/// The share of packets within the sphere is its probability, and everybody sends to everybody else.
#[test]
fn traffic_stays_within_the_sphere() {
    let torus = wiring("torus-8x8");
    for (locality, radius) in [(0.8, 2), (0.3, 1), (1.0, 3), (0.0, 2)] {
        let tasks = TasksOptions { locality, radius, duration: "50ns".parse().unwrap(), ..Default::default() };
        let options = options(0.3, 200_000, 5, tasks);
        let sent = run(&options, &torus);
        let hops: Vec<Vec<u32>> = (0..64).map(|node| torus.hops_from(node)).collect();
        let is_near = |message: &Message| {
            assert_ne!(message.source, message.destination);
            hops[message.source as usize][message.destination as usize] <= radius + 1
        };
        let share = sent.iter().filter(|(_, message)| is_near(message)).count() as f64 / sent.len() as f64;
        println!("locality {locality}, radius {radius}: {share:.3}");
        assert!((share - locality).abs() < 0.02, "{share}, expected {locality}");
    }
}

/// One seed, one traffic; what the network does is of no meaning, and another seed is another traffic. Times are those of the clock.
#[test]
fn one_seed_is_one_traffic() {
    let torus = wiring("torus-8x8");
    let usual = options(0.2, 5_000, 7, TasksOptions::default());
    let sent = run(&usual, &torus);
    assert_eq!(sent, run(&usual, &torus));
    assert_ne!(sent, run(&SyntheticOptions { seed: 8, ..usual.clone() }, &torus));
    // Asked late, it has sent the same; deliveries are nothing to it.
    let mut late = traffic(&usual, &torus).unwrap();
    let mut messages = vec![];
    for now in (0..6_000).step_by(170) {
        late.act(now, &mut messages).unwrap();
        messages.iter().for_each(|message| late.delivered(now, message));
    }
    assert!(late.is_over() && late.waits().is_empty());
    assert!(messages.iter().eq(sent.iter().map(|(_, message)| message)));
    // 1 us is 500 cycles of 2 ns: as tasks of 500 ns with cycles of 1 ns.
    let with = |cycle_ns, duration: &str| {
        let tasks = Some(TasksOptions { duration: duration.parse().unwrap(), ..Default::default() });
        let options = SyntheticOptions { tasks, ..usual.clone() };
        let surroundings = Surroundings { nodes: 64, dimensions: &[], cycle_ns, wiring: Some(&torus), names: None };
        let mut traffic = Synthetic::in_network(&options, &surroundings).unwrap();
        let mut messages = vec![];
        traffic.act(u64::MAX - 1, &mut messages).unwrap();
        messages
    };
    assert_eq!(with(2.0, "1us"), with(1.0, "500ns"));
    assert_ne!(with(2.0, "1us"), with(1.0, "1us"));
}

/// A ramp changes the rates within tasks.
#[test]
fn ramps_are_followed() {
    let torus = wiring("torus-8x8");
    let ramp = vec![(10_050, 1.0), (10_050, 0.25)];
    let options = SyntheticOptions { ramp, ..options(0.3, 20_000, 2, TasksOptions::default()) };
    let parts = series(&run(&options, &torus), &options, 2);
    assert!((0.15..0.4).contains(&(parts[1] / parts[0])), "{parts:?}");
}

#[test]
fn bad_options() {
    let torus = wiring("torus-8x8");
    let toml = |text: &str| toml::from_str::<SyntheticOptions>(&format!("packet_flits = 5\n{text}")).unwrap();
    let tasks = |text: &str| toml(&format!("pattern = 'tasks'\ntasks = {{ {text} }}"));
    for (options, says) in [
        (tasks("concurrent = 0"), "tasks.concurrent is `0`, expected a number above 0 up to 1000000"),
        (tasks("concurrent = nan"), "tasks.concurrent is `NaN`"),
        (
            tasks("concurrent = 5"),
            "tasks.concurrent is `5`, expected 6.4 or more: at a load of 0.1 each task would send 1.28 flits",
        ),
        (tasks("duration = '0.5ns'"), "tasks.duration is `0.5ns`, expected 1 to"),
        (tasks("alpha = 2.5"), "tasks.alpha is `2.5`, expected a number from 1.01 to 1.99"),
        (tasks("locality = 1.5"), "tasks.locality is `1.5`, expected a number from 0 to 1"),
        (tasks("sources = 0"), "tasks.sources is `0`, expected 1 to 1024"),
        (tasks("alpha_on = 1"), "tasks.alpha_on is `1`, expected a number from 1.01 to 1.99"),
        (tasks("mean_on = 0"), "tasks.mean_on is `0`, expected 1 to"),
        (tasks("burst_load = 0.001"), "tasks.burst_load is `0.001`, expected a number from 0.008, the load, to 64"),
        (tasks("packets_per_cycle = 0"), "tasks.packets_per_cycle is `0`, expected a number above 0 up to 12.8"),
        (tasks("packets_per_cycle = 13"), "tasks.packets_per_cycle is `13`, expected a number above 0 up to 12.8"),
        (toml("tasks = {}"), "tasks is given with the pattern `uniform`, expected it with `tasks` only"),
        (toml("pattern = 'tasks'\nclosed_loop = {}"), "closed_loop is given with the pattern `tasks`"),
        (toml("pattern = 'tasks'\nself_similar = {}"), "self_similar is given with the arrivals `bernoulli`"),
        (toml("pattern = 'task'"), "pattern: `task` is unknown; did you mean `tasks`? it must be one of uniform"),
    ] {
        let error = traffic(&options, &torus).err().unwrap_or_else(|| panic!("no error: {says}")).to_string();
        assert!(error.starts_with(says) && !error.contains('\n'), "{error}, expected {says}");
    }
    let error = Synthetic::new(&tasks(""), 64, &[]).err().unwrap().to_string();
    assert_eq!(error, "pattern is `tasks`, expected in a network whose links are known");
    assert!(traffic(&toml("pattern = 'x'"), &torus).err().unwrap().to_string().ends_with(", tasks"));
    let unknown = toml::from_str::<SyntheticOptions>("tasks = { task = 1 }").unwrap_err().to_string();
    assert!(unknown.contains("unknown field"), "{unknown}");
}
