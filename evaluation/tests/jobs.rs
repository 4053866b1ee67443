//! Jobs over networks of golden switches.

use powar_evaluation::experiment::{File, Plan, RunOptions, run};
use powar_evaluation::network::{JobsOptions, Outcome, Simulation, TraceOptions, Traffic, simulate};
use std::path::{Path, PathBuf};

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/jobs").join(name)
}

fn on(topology: &str, policy: &str, traffic: Traffic) -> Outcome {
    let of = |mechanism: &str| (mechanism.to_owned(), [("pdt".to_owned(), "2us".into())].into_iter().collect());
    let pdt = ["powar", "wake_hints"].map(of).into();
    let simulation = Simulation {
        topology: topology.into(),
        policy: policy.into(),
        mechanism: if policy == "reference" { Default::default() } else { pdt },
        traffic,
        ..Simulation::default()
    };
    simulate(&simulation, &mut |_| {}).unwrap()
}

fn mix(path: PathBuf, seed: u64) -> Traffic {
    Traffic::Jobs(JobsOptions { mix: path, seed, ..JobsOptions::default() })
}

/// All that comes out of a network is the same, ports that sleep and energies too.
#[test]
fn a_job_alone_is_its_program_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.toml");
    let programs = [
        "halo-fft:x=4,y=4,z=2,steps=2,fx=16,fy=16,fz=16,face=1k,flops=50k",
        "graph500:ranks=32,scale=10,searches=1",
        "random-access:ranks=24,log-table=12,updates=300",
    ];
    for skeleton in programs {
        let text = format!("title = 'one'\n[[job]]\nname = 'only'\nskeleton = '{skeleton}'\nreplay.o_send = '100ns'\n");
        std::fs::write(&path, text).unwrap();
        for (topology, policy) in [("2-ary-3-tree", "powar"), ("torus-3x3", "first-on"), ("torus-3x3", "reference")] {
            let replay = powar_traffic::ReplayOptions {
                o_send: powar_config::units::Nanoseconds(100.0),
                ..powar_traffic::ReplayOptions::default()
            };
            let options =
                TraceOptions { skeleton: Some(skeleton.into()), ranks_per_node: 8, replay, ..Default::default() };
            let alone = on(topology, policy, Traffic::Trace(options));
            let mut seen = on(topology, policy, mix(path.clone(), 3));
            let job = seen.jobs.pop().unwrap();
            assert!(seen.jobs.is_empty() && job.start == 0 && job.name == "only" && job.first_node == 0);
            assert!(job.end < seen.cycles && job.end + 2000 > seen.cycles, "{job:?} of {}", seen.cycles);
            assert_eq!(seen, Outcome { replay: None, ..alone }, "{skeleton} on {topology}, {policy}");
        }
    }
}

/// What its ranks tell of beforehand reaches the network in the same cycles, and makes a difference there.
#[test]
fn a_job_alone_tells_of_messages_as_its_program_does() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.toml");
    let skeleton = "halo-fft:x=2,y=2,z=2,steps=3,fx=16,fy=16,fz=16,face=1k,flops=50k";
    let both = |lead: f64| {
        let text =
            format!("title = 'one'\n[[job]]\nname = 'only'\nskeleton = '{skeleton}'\nreplay.lead = '{lead}ns'\n");
        std::fs::write(&path, text).unwrap();
        let replay = powar_traffic::ReplayOptions {
            lead: powar_config::units::Nanoseconds(lead),
            ..powar_traffic::ReplayOptions::default()
        };
        let options = TraceOptions { skeleton: Some(skeleton.into()), ranks_per_node: 1, replay, ..Default::default() };
        let alone = on("2-ary-3-tree", "powar-hints", Traffic::Trace(options));
        let jobs = JobsOptions { mix: path.clone(), tasks_per_node: 1, ..JobsOptions::default() };
        let mut seen = on("2-ary-3-tree", "powar-hints", Traffic::Jobs(jobs));
        seen.jobs.clear();
        assert_eq!(seen, Outcome { replay: None, ..alone }, "{lead} ns");
        seen
    };
    // Words that come before their packets wake more of the ports.
    assert!(both(3_000.0).events["hints_woke"] > both(0.0).events["hints_woke"]);
}

/// The factor of the whole mix and that of a job multiply; kept results of a mix without one keep their keys.
#[test]
fn gaps_of_all_jobs_are_stretched_as_those_of_each() {
    let folder = tempfile::tempdir().unwrap();
    let mix = |name: &str, factor: f64| {
        let path = folder.path().join(name);
        let job = format!("skeleton = 'graph500:ranks=16,scale=8,searches=1'\nreplay.gap_scale = {factor}\n");
        std::fs::write(&path, format!("title = 'one'\n[[job]]\nname = 'only'\n{job}")).unwrap();
        path
    };
    let by = |path: PathBuf, gap_scale: f64| {
        let options = JobsOptions { mix: path, gap_scale, ..JobsOptions::default() };
        on("2-ary-3-tree", "first-on", Traffic::Jobs(options))
    };
    let in_the_mix = by(mix("six.toml", 6.0), 1.0);
    assert_eq!(by(mix("two.toml", 2.0), 3.0), in_the_mix);
    assert_ne!(by(mix("two.toml", 2.0), 1.0), in_the_mix);
    let too_much = JobsOptions { mix: mix("much.toml", 1e4), gap_scale: 1e4, ..JobsOptions::default() };
    let error = format!("{:#}", too_much.open().unwrap_err());
    assert!(error.contains("job `only`") && error.contains("gap_scale is `100000000`"), "{error}");
    let plain = serde_json::to_value(JobsOptions::default()).unwrap();
    assert!(plain.get("gap_scale").is_none(), "{plain}");
}

#[test]
fn a_mix_ends_with_its_last_job_and_says_where_each_ran() {
    let mut orders = std::collections::BTreeSet::new();
    for (seed, policy) in [(1, "reference"), (1, "powar"), (2, "first-on"), (3, "alonso-dynamic"), (4, "ideal")] {
        let topology = if seed == 2 { "torus-2x4" } else { "2-ary-3-tree" };
        let traffic = mix(shipped("small.toml"), seed);
        let simulation = Simulation { topology: topology.into(), policy: policy.into(), traffic, ..Default::default() };
        let outcome = simulate(&simulation, &mut |_| {}).unwrap();
        let jobs = &outcome.jobs;
        let mut names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
        orders.insert(names.join(" "));
        names.sort_unstable();
        let all = ["graph500-16#1", "graph500-16#2", "graph500-64", "gromacs-32", "linpack-16", "random-access-16"];
        assert_eq!(names, all);
        let last = jobs.iter().map(|job| job.end).max().unwrap();
        assert!(outcome.cycles > last && outcome.cycles < last + 5000, "{last} of {}", outcome.cycles);
        for job in jobs {
            assert_eq!((job.nodes, job.first_node % 2), (job.tasks / 8, 0), "{job:?}");
            assert!(job.network_bytes > 0 && job.network_bytes < job.bytes);
            // Who starts later starts in the cycle in which another ends.
            assert!(job.start == 0 || jobs.iter().any(|other| other.end == job.start), "{jobs:?}");
            // Nobody else has its nodes at the time; here nodes of a job are neighbours only by luck, so cores are counted.
            let at_once = jobs.iter().filter(|other| (other.start..other.end).contains(&job.start));
            assert!(at_once.map(|other| other.nodes).sum::<u32>() <= 8);
        }
        let u_cpu = outcome.u_cpu.unwrap();
        assert!(u_cpu > 0.0 && u_cpu < 1.0 && outcome.power.e_cluster.is_some() && outcome.replay.is_none());
    }
    assert!(orders.len() >= 3, "{orders:?}");
}

#[test]
fn an_experiment_on_jobs_is_relative_to_its_file_and_kept_by_what_the_mix_says() {
    let folder = tempfile::tempdir().unwrap();
    let text = "title = 'Jobs'\n[simulation]\ntopology = 'star-4'\npolicy = 'reference'\n\
                traffic = { kind = 'jobs', mix = 'mix.toml' }\n[repeat]\nkey = 'traffic.seed'\nvalues = [1, 2, 3]\n";
    let said = "title = 'two'\n[[job]]\nname = 'a'\nskeleton = 'all-reduce:ranks=16,steps=1,parameters=1k'\ncount = 2\n\
                [[job]]\nname = 'b'\nskeleton = 'all-reduce:ranks=24,steps=1,parameters=9k'\n";
    let path = folder.path().join("mix.toml");
    let plan = || Plan::new("jobs".into(), File::parse(text).unwrap(), folder.path());
    let error = format!("{:#}", plan().unwrap_err());
    assert!(error.contains("can't read") && error.contains("mix.toml"), "{error}");
    std::fs::write(&path, said).unwrap();
    let results = folder.path().join("results");
    let run = || {
        let first = std::sync::Mutex::new(None);
        let observe = |status: powar_evaluation::experiment::Status| {
            first.lock().unwrap().get_or_insert(status.all - status.kept);
            Ok(())
        };
        let results = run(&plan().unwrap(), &results, &RunOptions::default(), &observe).unwrap();
        (results, first.into_inner().unwrap().unwrap())
    };
    let (results, missing) = run();
    assert_eq!((missing, results.rows.len(), results.rows[0].outcome.jobs.len()), (3, 1, 3));
    assert!(results.csv().lines().next().unwrap().contains(",cycles,cycles.ci95,warm_up,"));
    // Another comment and title: the same. Another size: another simulation.
    std::fs::write(&path, format!("# once more\n{}", said.replace("'two'", "'three'"))).unwrap();
    assert_eq!(run().1, 0);
    std::fs::write(&path, said.replace("9k", "8k")).unwrap();
    assert_eq!(run().1, 3);
    std::fs::write(&path, said.replace("ranks=24", "ranks=40")).unwrap();
    let error = format!("{:#}", plan().unwrap_err());
    assert!(error.contains("traffic: job `b`: tasks is `40`, expected 1 to 32: 8 on each of 4 nodes"), "{error}");
}

/// Those that stand for the paper's sets are read and opened, whatever they take to run.
#[test]
fn the_shipped_mixes_make_sense() {
    for (name, jobs, tasks) in
        [("small.toml", 6, 64), ("low.toml", 15, 512), ("mid.toml", 15, 512), ("high.toml", 15, 512)]
    {
        let programs = JobsOptions { mix: shipped(name), ..JobsOptions::default() }.open().unwrap();
        assert_eq!(programs.len(), jobs, "{name}");
        assert_eq!(programs.iter().map(|program| program.trace.ranks()).max(), Some(tasks), "{name}");
        if jobs == 15 {
            for size in [128, 256, 512] {
                assert_eq!(programs.iter().filter(|program| program.trace.ranks() == size).count(), 5, "{name}");
            }
        }
    }
}
