use crate::experiment::support::{SMALL, plan, run_counted};
use anyhow::bail;
use powar_evaluation::experiment::{MODEL, Results, RunOptions, Status, run};
use powar_evaluation::network::{Simulation, TraceOptions, Traffic, simulate};
use powar_traffic::synthetic::SyntheticOptions;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const ONE: RunOptions = RunOptions { jobs: Some(1), fresh: false };

fn points(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder.join("points")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Everything but the folder, which the commands that repeat rows name.
fn all(results: &Results, folder: &Path) -> (String, String) {
    let folder = folder.display().to_string();
    (results.csv().replace(&folder, ""), results.json().unwrap().replace(&folder, ""))
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(SMALL);
    let killer = |status: Status| if status.done == 2 { bail!("killed") } else { Ok(()) };
    let error = run(&plan, folder.path(), &ONE, &killer).unwrap_err();
    assert_eq!(error.to_string(), "killed");
    assert_eq!(points(folder.path()).len(), 2);
    let before: Vec<_> =
        points(folder.path()).iter().map(|path| fs::metadata(path).unwrap().modified().unwrap()).collect();

    let (results, run_again) = run_counted(&plan, folder.path(), &ONE);
    assert_eq!(run_again, 4);
    let kept = points(folder.path());
    assert_eq!(kept.len(), 6);
    let untouched = |time| kept.iter().any(|path| fs::metadata(path).unwrap().modified().unwrap() == time);
    assert!(before.into_iter().all(untouched));

    // What was kept reads back to the last digit.
    let elsewhere = tempfile::tempdir().unwrap();
    let (whole, run_at_once) = run_counted(&plan, elsewhere.path(), &RunOptions::default());
    assert_eq!(run_at_once, 6);
    let of_whole = all(&whole, elsewhere.path());
    assert_eq!(all(&results, folder.path()), of_whole);
    let (kept, none) = run_counted(&plan, folder.path(), &ONE);
    assert_eq!((all(&kept, folder.path()), none), (of_whole, 0));
}

/// Results of before there were more quantiles than two, and energy for each bit, are read; what they don't have is empty.
#[test]
fn what_was_kept_without_newer_figures_is_not_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = SMALL.replace("packet_latency.mean", "packet_latency.median");
    let (now, _) = run_counted(&plan(&text), folder.path(), &ONE);
    for path in points(folder.path()) {
        let mut point: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        let outcome = point["outcome"].as_object_mut().unwrap();
        for field in ["payload_bits", "j_per_bit"] {
            assert!(outcome.remove(field).is_some_and(|value| value.as_f64() > Some(0.0)), "{field}");
        }
        for latency in ["packet_latency", "network_latency", "message_latency"] {
            let latency = outcome[latency].as_object_mut().unwrap();
            for quantile in ["p90", "p95", "p999"] {
                assert!(latency.remove(quantile).is_some_and(|value| value.as_u64() > Some(0)), "{quantile}");
            }
            let median = latency.remove("p50").unwrap();
            latency.insert("median".into(), median);
        }
        fs::write(&path, point.to_string()).unwrap();
    }
    let (kept, runs) = run_counted(&plan(&text), folder.path(), &ONE);
    assert_eq!((runs, &kept.columns), (0, &now.columns));
    for column in ["packet_latency.p50", "message_latency.p99", "watts.e_net"] {
        assert_eq!(kept.number(0, column), now.number(0, column), "{column}");
        assert!(kept.number(0, column) > Some(0.0), "{column}");
    }
    for column in ["packet_latency.p90", "packet_latency.p999", "payload_bits", "j_per_bit"] {
        assert_eq!(kept.number(0, column), None, "{column}");
    }
}

#[test]
fn a_result_that_was_cut_or_changed_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(SMALL);
    let (whole, _) = run_counted(&plan, folder.path(), &ONE);
    let files = points(folder.path());
    let text = fs::read_to_string(&files[0]).unwrap();
    fs::write(&files[0], &text[..text.len() / 2]).unwrap();
    fs::write(&files[1], "").unwrap();
    // Another's result under this name.
    fs::copy(&files[3], &files[2]).unwrap();
    let (results, run_again) = run_counted(&plan, folder.path(), &ONE);
    assert_eq!(run_again, 3);
    assert_eq!(all(&results, folder.path()), all(&whole, folder.path()));
    assert_eq!(fs::read_to_string(&files[0]).unwrap(), text);
}

#[test]
fn a_changed_experiment_runs_only_what_is_new() {
    let folder = tempfile::tempdir().unwrap();
    run_counted(&plan(SMALL), folder.path(), &ONE);
    let (_, one_more_threshold) =
        run_counted(&plan(&SMALL.replace("\"1us\"]", "\"1us\", \"2us\"]")), folder.path(), &ONE);
    assert_eq!(one_more_threshold, 2);
    let (_, other_labels) = run_counted(&plan(&SMALL.replace("\"POWAR\"]", "\"Powar\"]")), folder.path(), &ONE);
    assert_eq!(other_labels, 0);
    let (_, other_traffic) = run_counted(&plan(&SMALL.replace("seed = 3", "seed = 4")), folder.path(), &ONE);
    assert_eq!(other_traffic, 6);
    let (_, fresh) = run_counted(&plan(SMALL), folder.path(), &RunOptions { jobs: Some(2), fresh: true });
    assert_eq!(fresh, 6);
}

#[test]
fn an_error_of_a_simulation_names_its_point() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(SMALL);
    // A folder where a result should go.
    run_counted(&plan, folder.path(), &ONE);
    let first = points(folder.path()).remove(0);
    fs::remove_file(&first).unwrap();
    fs::create_dir(&first).unwrap();
    let error = run(&plan, folder.path(), &ONE, &|_| Ok(())).unwrap_err();
    assert!(format!("{error:#}").contains(&first.display().to_string()), "{error:#}");
}

/// A power-down threshold.
fn with_pdt(time: &str) -> BTreeMap<String, toml::Table> {
    [("powar".into(), [("pdt".into(), time.into())].into_iter().collect())].into()
}

/// Kept results are of this version of the model: if an outcome is another than before, raise `MODEL` and note the new ones here.
#[test]
fn the_version_of_the_model_stands_for_its_outcomes() {
    let mut seen = vec![];
    for (topology, policy) in [
        ("2-ary-2-tree", "powar"),
        ("2-ary-2-tree", "ideal"),
        ("torus-4x4-trunk2", "powar"),
        ("torus-4x4-trunk2", "first-on"),
    ] {
        let simulation = Simulation {
            topology: topology.into(),
            traffic: Traffic::Synthetic(SyntheticOptions { load: 0.01, ..SyntheticOptions::default() }),
            policy: policy.into(),
            mechanism: with_pdt("1us"),
            ..Simulation::default()
        };
        let outcome = simulate(&simulation, &mut |_| {}).unwrap();
        seen.push((outcome.cycles, outcome.flit_hops, outcome.wake_ups, outcome.packet_latency.max.unwrap()));
    }
    // Switches for short packets.
    let short = SyntheticOptions { load: 0.5, packet_flits: 4, cycles: 10_000, ..SyntheticOptions::default() };
    let simulation = Simulation {
        topology: "2-ary-2-tree".into(),
        traffic: Traffic::Synthetic(short),
        warm_up: 1000,
        ..Simulation::default()
    };
    let outcome = simulate(&simulation, &mut |_| {}).unwrap();
    seen.push((outcome.cycles, outcome.flit_hops, outcome.wake_ups, outcome.packet_latency.max.unwrap()));
    let routing = Some("table".into());
    let simulation = Simulation { topology: "mesh-4x4".into(), routing, ..Simulation::default() };
    let outcome = simulate(&simulation, &mut |_| {}).unwrap();
    seen.push((outcome.cycles, outcome.flit_hops, outcome.wake_ups, outcome.packet_latency.max.unwrap()));
    let input = concat!(env!("CARGO_MANIFEST_DIR"), "/../testbenches/traces/random-access-64.tar.xz").into();
    let traffic = Traffic::Trace(TraceOptions { input, ..TraceOptions::default() });
    let simulation = Simulation { traffic, mechanism: with_pdt("10us"), ..Simulation::default() };
    let outcome = simulate(&simulation, &mut |_| {}).unwrap();
    seen.push((outcome.cycles, outcome.flit_hops, outcome.wake_ups, outcome.packet_latency.max.unwrap()));
    let known = [
        (100000, 10048, 145, 11135),
        (100000, 10048, 0, 129),
        (100000, 53728, 1506, 25375),
        (100000, 53728, 2522, 19791),
        (9000, 47084, 0, 169),
        (100000, 586192, 0, 261),
        (1901411, 1428456, 5165, 13343),
    ];
    assert_eq!((MODEL, seen.as_slice()), (10, known.as_slice()), "(cycles, flit hops, wake-ups, longest latency)");
}

/// A simulation that names no routing is kept under the key that it has always had.
#[test]
fn routing_is_a_key_of_its_own() {
    let simulation = Simulation::default();
    assert!(!serde_json::to_string(&simulation).unwrap().contains("routing"));
    let text = SMALL.replace("warm_up = 1000", "warm_up = 1000\nvcs = 3\nbuffer_flits = 72");
    let swept = text
        .replace("[[extra]]", "[[sweep]]\nname = \"routing\"\nvalues = [\"fat-tree\", \"least-occupied\"]\n[[extra]]");
    let swept = swept.split("[[figure]]").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(swept), folder.path(), &ONE);
    let csv = results.csv();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|column| *column == name).unwrap();
    let latencies = |routing: &str| -> Vec<&str> {
        let of = |row: &&Vec<&str>| row[column("routing")] == routing;
        rows.iter().filter(of).map(|row| row[column("packet_latency.mean")]).collect()
    };
    // Where the next buffers are emptiest packets wait less or elsewhere: another simulation.
    let (plain, least) = (latencies("fat-tree"), latencies("least-occupied"));
    assert!(plain.len() == least.len() && plain != least, "{plain:?} {least:?}");
}
