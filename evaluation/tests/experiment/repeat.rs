//! Points that are simulated once for each of several seeds.

use crate::experiment::support::{SMALL, plan, refusal, run_counted};
use powar_evaluation::experiment::{RunOptions, write};

/// [`SMALL`] without the extra and the lines, for three seeds.
fn repeated() -> String {
    SMALL
        .replace(", seed = 3", "")
        .replace("[baseline]", "[repeat]\nkey = \"traffic.seed\"\nvalues = [3, 4, 5]\n\n[baseline]")
}

#[test]
fn means_and_intervals_are_those_of_the_single_runs() {
    let folder = tempfile::tempdir().unwrap();
    let plan_of_all = plan(&repeated());
    // Two policies at two thresholds, Ideal and the baseline, three times each.
    assert_eq!((plan_of_all.points.len(), plan_of_all.simulations()), (5, 18));
    let (results, runs) = run_counted(&plan_of_all, folder.path(), &RunOptions::default());
    assert_eq!(runs, 18);
    // The same seeds one by one: nothing is new, and of these the numbers are computed again.
    let single = [3, 4, 5].map(|seed| {
        let (single, runs) = run_counted(
            &plan(&SMALL.replace("seed = 3", &format!("seed = {seed}"))),
            folder.path(),
            &RunOptions::default(),
        );
        assert_eq!(runs, 0, "kept under the same keys");
        single
    });
    for name in ["relative.e_net", "relative.latency", "packet_latency.mean", "packets", "wake_ups", "u_port"] {
        for row in 0..5 {
            let [a, b, c] = single.each_ref().map(|single| single.number(row, name).unwrap());
            let mean = (a + b + c) / 3.0;
            // t of two degrees of freedom: 4.302652730.
            let variance = ((a - mean) * (a - mean) + (b - mean) * (b - mean) + (c - mean) * (c - mean)) / 2.0;
            let half_width = 4.302652730 * (variance / 3.0).sqrt();
            let seen = (results.number(row, name).unwrap(), results.half_width(row, name).unwrap());
            assert!((seen.0 - mean).abs() <= 1e-12 * mean.abs(), "{name}: {seen:?} {mean}");
            assert!((seen.1 - half_width).abs() <= 1e-8 * (half_width + mean.abs()), "{name}: {seen:?} {half_width}");
        }
        assert!((0..5).any(|row| results.half_width(row, name).unwrap() > 0.0) || name == "wake_ups", "{name}");
    }
    // A table has both, and so have the files of numbers.
    let table = results.table();
    assert!(table.lines().skip(2).all(|line| line.contains(" ± ")), "{table}");
    let csv = results.csv();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == lines[0].len()));
    let place = lines[0].iter().position(|name| *name == "relative.e_net").unwrap();
    assert_eq!(lines[0][place + 1], "relative.e_net.ci95");
    assert_eq!(lines[1][place + 1].parse().ok(), results.half_width(0, "relative.e_net"));
    let json: Vec<serde_json::Value> = serde_json::from_str(&results.json().unwrap()).unwrap();
    assert_eq!(json[3]["packets.ci95"].as_f64(), results.half_width(3, "packets"));
    assert_eq!((&json[0]["topology"], &json[0]["saturated"]), (&"2-ary-2-tree".into(), &false.into()));
}

#[test]
fn figures_have_whiskers_and_say_of_how_many() {
    let folder = tempfile::tempdir().unwrap();
    let lines = |text: &str| {
        let (results, _) = run_counted(&plan(text), folder.path(), &RunOptions::default());
        write(&results, folder.path()).unwrap();
        let svg = std::fs::read_to_string(folder.path().join("energy.svg")).unwrap();
        (svg.matches("<polyline").count(), svg)
    };
    // Four bars below the end of the axis have a whisker each, black on white.
    let wide = |text: &str| text.replace("max = 40", "max = 200");
    let (without, _) = lines(&wide(SMALL));
    let (with, svg) = lines(&wide(&repeated()));
    assert_eq!(with, without + 2 * 4);
    assert!(svg.contains("Energy &lt;of&gt; bars; means of 3, 95 % confidence</text>"));
    // Bars that are cut off have none.
    assert_eq!(lines(&repeated()).0, lines(SMALL).0);
}

/// Loads are no samples of one thing: what is written behind their means is no confidence interval.
#[test]
fn means_over_what_is_no_seed_have_deviations() {
    let folder = tempfile::tempdir().unwrap();
    let text = repeated().replace("\"traffic.seed\"", "\"traffic.load\"").replace("[3, 4, 5]", "[0.1, 0.2, 0.4]");
    let (results, _) = run_counted(&plan(&text), folder.path(), &RunOptions::default());
    write(&results, folder.path()).unwrap();
    let csv = results.csv();
    let head = csv.lines().next().unwrap();
    assert!(head.contains(",packets,packets.sd,") && !head.contains(".ci95"), "{head}");
    let single = [0.1, 0.2, 0.4].map(|load| {
        let one = text.replace("[0.1, 0.2, 0.4]", &format!("[{load}, 0.6]"));
        run_counted(&plan(&one), folder.path(), &RunOptions::default()).0.rows[0].outcome.packets as f64
    });
    let mean = single.iter().sum::<f64>() / 3.0;
    let deviation = (single.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 2.0).sqrt();
    assert!((results.half_width(0, "packets").unwrap() - deviation).abs() < 1e-9 * deviation);
    let svg = std::fs::read_to_string(folder.path().join("energy.svg")).unwrap();
    assert!(svg.contains("; means of 3 values of traffic.load, whiskers one standard deviation</text>"), "{svg}");
    let index = std::fs::read_to_string(folder.path().join("index.json")).unwrap();
    assert!(index.contains("\"relative.e_net.sd\""), "{index}");
}

#[test]
fn mistakes_are_said_in_a_line() {
    let with = |from: &str, to: &str| {
        let text = repeated();
        assert!(text.contains(from), "{from}");
        refusal(&text.replacen(from, to, 1))
    };
    let cases = [
        (with("[3, 4, 5]", "[3]"), "repeat: values: 1 of them, at least 2 are needed"),
        (with("[3, 4, 5]", "[3, 4, 3]"), "repeat: values: 3 is there twice"),
        (
            with("[3, 4, 5]", "[3, 4, -5]"),
            "traffic.seed = -5: traffic: seed: invalid value: integer `-5`, expected a whole number, 0 or more",
        ),
        (with("\"traffic.seed\"", "\"traffic.sede\""), "traffic.sede = 3: traffic: sede: unknown field `sede`"),
        (with("key = \"traffic.seed\"", "keys = [\"traffic.seed\"]"), "repeat.keys: unknown field `keys`"),
        (with("key = \"traffic.seed\"", "key = \"policy\""), "repeat: key: `policy` is set by sweep `policy` too"),
        (
            with("[baseline]", "[baseline]\ntraffic.seed = 1"),
            "repeat: key: `traffic.seed` is set by an extra or the baseline",
        ),
    ];
    for (seen, expected) in cases {
        assert!(seen.contains(expected), "{seen:?} does not say {expected:?}");
    }
}

/// Runs that take different times have no common intervals: each has rows and a line of its own.
#[test]
fn every_run_has_a_series() {
    let folder = tempfile::tempdir().unwrap();
    let figure = "[[figure]]\nname = \"time\"\ntitle = \"Time\"\nkind = \"series\"\nx = \"cycle\"\nseries = [\"policy\", \"PDT\"]\n\
                  panels = [{ y = \"u_port\", label = \"Awake\" }]\n";
    let text = format!("{}\n{figure}", repeated().replace("warm_up = 1000", "warm_up = 1000\ninterval = 5000"));
    let (results, _) = run_counted(&plan(&text), folder.path(), &RunOptions::default());
    let csv = results.series_csv().unwrap().unwrap();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next(),
        Some(
            "policy,PDT,traffic.seed,cycle,offered,accepted,latency,links_power,channels_power,u_port,buffer_utilisation,bit_rate"
        )
    );
    let lines: Vec<&str> = lines.collect();
    // Of each of five points three runs; what is measured begins at cycle 1000, and an interval with it.
    assert_eq!(lines.len(), 5 * 3 * 5);
    for (line, start) in lines.iter().zip(["FirstOn,0,3,1000,", "FirstOn,0,3,6000,", "FirstOn,0,3,11000,"]) {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(lines[5].starts_with("FirstOn,0,4,1000,") && lines[5] != lines[0].replacen(",3,", ",4,", 1), "{csv}");
    write(&results, folder.path()).unwrap();
    let svg = std::fs::read_to_string(folder.path().join("time.svg")).unwrap();
    assert!(svg.contains("Time; each of 3 runs</text>"), "{svg}");
}
