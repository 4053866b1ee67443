//! The mixes that stand in for the sets of Andújar et al. (FGCS 2023): what their jobs send, beside Table 5.

use powar_traffic::TrafficOptions;
use powar_traffic::jobs::{Cluster, Jobs, Mix};
use powar_traffic::program::run_ideal;
use std::collections::BTreeMap;
use std::path::Path;

/// GB that each application sends on 128, 256 and 512 tasks.
const TABLE_5: [(&str, [f64; 3]); 5] = [
    ("graph500", [69.32, 139.14, 302.08]),
    ("linpack", [10.83, 16.47, 25.98]),
    ("random-access", [6.58, 9.69, 18.36]),
    ("gromacs", [7.09, 9.54, 13.49]),
    ("namd", [20.63, 26.44, 40.03]),
];

fn mix(name: &str) -> Mix {
    Mix::from_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments/jobs").join(name)).unwrap()
}

/// A thousandth of the paper's gigabytes is a megabyte here.
#[test]
fn low_sends_a_thousandth_of_the_papers_job_by_job() {
    let programs = mix("low.toml").open().unwrap();
    let cluster = Cluster { nodes: 64, tasks_per_node: 8, seed: 1 };
    let mut jobs = Jobs::new(programs, cluster, &TrafficOptions::default()).unwrap();
    run_ideal(&mut jobs, 64, |_| 100).unwrap();
    let sent: BTreeMap<String, (f64, f64)> = jobs
        .records()
        .into_iter()
        .map(|job| (job.name, (job.bytes as f64 / 1e6, job.network_bytes as f64 / 1e6)))
        .collect();
    let mut all = 0.0;
    for (name, gigabytes) in TABLE_5 {
        let mut sum = 0.0;
        for (tasks, expected) in [128, 256, 512].into_iter().zip(gigabytes) {
            let (bytes, _) = sent[&format!("{name}-{tasks}")];
            assert!((bytes / expected - 1.0).abs() < 0.02, "{name}-{tasks}: {bytes} MB, expected {expected}");
            sum += bytes;
        }
        println!("{name:<14} {sum:8.2} MB, in the paper {:8.2} GB", gigabytes.iter().sum::<f64>());
        all += sum;
    }
    let network: f64 = sent.values().map(|(_, network)| network).sum();
    println!(
        "all            {all:8.2} MB, in the paper   715.67 GB; {network:.2} MB into the network, in the paper 645"
    );
    assert!((all / 715.67 - 1.0).abs() < 0.01, "{all}");
}

#[test]
fn mid_and_high_are_made_of_the_same_jobs() {
    let low = mix("low.toml").jobs;
    for (name, graphs, without, total) in
        [("mid.toml", 2, &["namd"][..], 1139.11), ("high.toml", 3, &["namd", "gromacs"], 1619.53)]
    {
        let mut seen = mix(name).jobs;
        let mut expected = low.clone();
        expected.retain(|job| !without.iter().any(|without| job.name.starts_with(without)));
        for job in expected.iter_mut().filter(|job| job.name.starts_with("graph500")) {
            job.count = graphs;
        }
        for jobs in [&mut seen, &mut expected] {
            jobs.sort_by(|a, b| a.name.cmp(&b.name));
        }
        assert_eq!(seen, expected, "{name}");
        let sum: f64 = TABLE_5
            .iter()
            .filter(|(name, _)| !without.contains(name))
            .map(|(name, sizes)| sizes.iter().sum::<f64>() * if *name == "graph500" { f64::from(graphs) } else { 1.0 })
            .sum();
        assert!((sum - total).abs() < 0.02, "{name}: the paper's own sum, {sum}");
    }
}
