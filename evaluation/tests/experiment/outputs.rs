use crate::experiment::support::{SMALL, plan, refusal, run_counted};
use powar_evaluation::experiment::{Results, RunOptions, check_folder, title_in, write, write_page};
use std::fs;

fn results() -> (tempfile::TempDir, Results) {
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(SMALL), folder.path(), &RunOptions::default());
    (folder, results)
}

/// What a changed experiment no longer has doesn't stay beside its tables as if it were of them, and nothing of others is
/// replaced.
#[test]
fn a_run_replaces_all_that_one_before_has_left() {
    let (folder, results) = results();
    let folder = folder.path();
    let names = |folder: &std::path::Path| {
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        files.filter(|name| name != "points").collect::<std::collections::BTreeSet<_>>()
    };
    write(&results, folder).unwrap();
    write_page(folder).unwrap();
    fs::write(folder.join("mine.svg"), "mine").unwrap();
    let before = names(folder);
    assert!(before.contains("latency.png") && before.contains("latency.svg"), "{before:?}");
    assert_eq!(title_in(folder).as_deref(), Some("Small"));

    let text = SMALL.replace("name = \"latency\"", "name = \"later\"").replace("\"Small\"", "\"Smaller\"");
    let (changed, _) = run_counted(&plan(&text), folder, &RunOptions::default());
    let written = write(&changed, folder).unwrap();
    assert!(written.iter().any(|path| path.ends_with("index.html")), "{written:?}");
    let after = names(folder);
    assert_eq!(before.difference(&after).collect::<Vec<_>>(), ["latency.png", "latency.svg"]);
    assert_eq!(after.difference(&before).collect::<Vec<_>>(), ["later.png", "later.svg"]);
    assert!(fs::read_to_string(folder.join("index.html")).unwrap().contains("Smaller"));
    assert_eq!(title_in(folder).as_deref(), Some("Smaller"));
    check_folder(folder).unwrap();

    let other = tempfile::tempdir().unwrap();
    check_folder(&other.path().join("new")).unwrap();
    fs::write(other.path().join("results.csv"), "mine").unwrap();
    let said = check_folder(other.path()).unwrap_err().to_string();
    assert!(said.ends_with("results.csv was not written by this command; choose another folder, or move it"), "{said}");
}

#[test]
fn tables_have_a_row_a_point_and_all_figures() {
    let (_folder, results) = results();
    let csv = results.csv();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 1 + 5);
    let names = &lines[0];
    // Without nodes that compute there is no energy of a cluster, and no column of it.
    assert_eq!(names[..5], ["policy", "PDT", "relative.run_time", "relative.e_net", "relative.worked.e_net"]);
    assert_eq!(names[5..8], ["relative.watts.e_net", "relative.latency", "relative.latency_power"]);
    assert_eq!(names[8..11], ["relative.network_latency", "relative.e_links", "topology"]);
    assert!(results.columns.contains(&"relative.worked.e_cluster".to_owned()));
    for name in ["worked.w_net", "worked.e_net", "link_utilisation.highest"] {
        assert_eq!(names.iter().filter(|one| **one == name).count(), 1, "{name}");
    }
    for name in ["cycles", "packet_latency.p99", "power.e_net", "watts.w_net", "watts.e_net", "u_port", "wake_ups"] {
        assert_eq!(names.iter().filter(|one| **one == name).count(), 1, "{name}");
    }
    assert!(lines.iter().all(|line| line.len() == names.len()));
    // Of a window of the same cycles the run times are the same; without nodes there is no cluster.
    for row in 0..5 {
        assert_eq!(results.number(row, "relative.run_time"), Some(1.0));
        assert_eq!(results.number(row, "relative.e_cluster"), None);
        let outcome = &results.rows[row].outcome;
        assert_eq!(results.number(row, "watts.e_net"), Some(outcome.watts.e_net));
        // The reference draws 1 for the same time.
        for (name, w_net) in [("relative.e_net", outcome.power.w_net), ("relative.worked.e_net", outcome.worked.w_net)]
        {
            let relative = results.number(row, name).unwrap();
            assert!((relative - w_net).abs() < 1e-12, "{name}: {relative}, {w_net}");
        }
        assert_eq!(results.number(row, "relative.worked.e_cluster"), None);
        // 5 W for every port of the reference.
        let watts = outcome.watts.w_net / (5.0 * outcome.ports as f64);
        let relative = results.number(row, "relative.watts.e_net").unwrap();
        assert!((relative - watts).abs() < 1e-12 && watts < 1.0, "{relative}, {watts}");
        // By equation 1 nine tenths are saved of what the worked example saves.
        let (one, worked) = (1.0 - outcome.power.w_net, 1.0 - outcome.worked.w_net);
        assert!((one - 0.9 * worked).abs() < 1e-12, "{outcome:?}");
    }
    // Ideal: a little above what a network draws that always sleeps, 0.35 + 0.65 * 0.1.
    let ideal = results.number(4, "relative.e_net").unwrap();
    assert!(ideal > 0.415 && ideal < 0.5, "{ideal}");
    let json: Vec<serde_json::Value> = serde_json::from_str(&results.json().unwrap()).unwrap();
    assert_eq!(json.len(), 5);
    assert_eq!(json[4]["policy"], "Ideal");
    assert!(json[4]["PDT"].is_null() && json[4].get("relative.e_cluster").is_none());
    assert_eq!(json[2]["relative.e_net"].as_f64(), results.number(2, "relative.e_net"));
    assert_eq!(results.table().lines().count(), 2 + 5);
    assert!(results.table().starts_with(
        "| policy  | PDT | relative.e_net | packet_latency.mean, cycles |\n| ------- | --- | -------------: |"
    ));
}

#[test]
fn what_should_be_known_of_points_stands_behind_the_table() {
    let (folder, mut results) = results();
    results.rows.iter_mut().for_each(|row| row.outcome.notes.clear());
    assert_eq!(results.text(), results.table());
    results.rows[0].outcome.notes.push("nothing was saved".into());
    results.rows[3].outcome.notes.push("nothing was saved".into());
    assert_eq!(results.text(), results.table() + "\nnote, 2 of 5 points: nothing was saved\n");
    write(&results, folder.path()).unwrap();
    assert!(fs::read_to_string(folder.path().join("results.md")).unwrap().contains(&results.text()));
}

#[test]
fn figures_are_written_as_svg_and_png() {
    let (folder, results) = results();
    let files = write(&results, folder.path()).unwrap();
    let names: Vec<_> = files.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "results.csv",
            "results.json",
            "results.md",
            "energy.svg",
            "energy.png",
            "latency.svg",
            "latency.png",
            "index.json"
        ]
    );
    let svg = fs::read_to_string(folder.path().join("energy.svg")).unwrap();
    assert!(
        svg.contains(">Energy &lt;of&gt; bars</text>")
            && svg.contains(">FirstOn</text>")
            && svg.contains(">E_net, %</text>")
            // Once in the axis, below the groups.
            && svg.matches(">policy</text>").count() == 1
    );
    // All bars are above the end of the axis, 40 %, and say how much they are.
    let least = (results.number(0, "relative.e_net").unwrap() * 100.0).round();
    assert!(least > 40.0 && svg.contains(&format!(">{least}</text>")), "{least}");
    let png = fs::read(folder.path().join("latency.png")).unwrap();
    let picture = tiny_skia::Pixmap::decode_png(&png).unwrap();
    assert_eq!(picture.width(), 2000);
    let dark = picture.pixels().iter().filter(|pixel| pixel.red() < 0x40 && pixel.green() < 0x40).count();
    let blue =
        picture.pixels().iter().filter(|pixel| (pixel.red(), pixel.green(), pixel.blue()) == (0, 0x72, 0xb2)).count();
    assert!(dark > 2000 && blue > 1000, "{dark} dark pixels of text and axes, {blue} of the first line");
}

/// What a figure says where it has too much or too little to show.
#[test]
fn figures_say_what_they_cannot_show() {
    let long = "a policy with a name that goes on ".repeat(5);
    let figure = "[[figure]]\nname = \"time\"\ntitle = \"Time\"\nkind = \"series\"\nx = \"cycle\"\nseries = [\"policy\", \"PDT\"]\n\
                  panels = [{ y = \"channels_power\", label = \"Power\" }, { y = \"u_port\", label = \"Awake\", max = 1.27 }]\n";
    let text = format!("{SMALL}\n{figure}")
        .replace("2-ary-2-tree", "star-4")
        .replace("warm_up = 1000", "warm_up = 1000\ninterval = 5000")
        .replace("\"POWAR\"]", &format!("\"{}\"]", long.trim()));
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(&text), folder.path(), &RunOptions::default());
    write(&results, folder.path()).unwrap();
    let svg = fs::read_to_string(folder.path().join("time.svg")).unwrap();
    // One switch has no channels to others.
    assert!(svg.contains(">no interval has a value of channels_power</text>"), "{svg}");
    assert!(!svg.contains("no interval has a value of u_port"), "{svg}");
    // The end of the axis has its number, and 1.2 beside it has none.
    assert!(svg.contains(">1.27</text>") && !svg.contains(">1.2</text>"), "{svg}");
    // A name in two lines, at both its values of PDT.
    assert!(!svg.contains(long.trim()) && svg.matches(">a policy with a name that").count() == 2, "{svg}");
}

/// Traffic without programs has no nodes to speak of, whose energy bars and lines could show.
#[test]
fn bars_and_lines_of_a_column_without_values_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let text = SMALL
        .replace("y = \"relative.e_net\"", "y = \"relative.e_cluster\"")
        .replace("y = \"packet_latency.mean\"", "y = \"u_cpu\"");
    let (results, _) = run_counted(&plan(&text), folder.path(), &RunOptions::default());
    write(&results, folder.path()).unwrap();
    for (figure, column) in [("energy", "relative.e_cluster"), ("latency", "u_cpu")] {
        let svg = fs::read_to_string(folder.path().join(format!("{figure}.svg"))).unwrap();
        assert!(svg.contains(&format!(">no point has a value of {column}</text>")), "{svg}");
    }
}

/// Values of others are hollow marks at their places; what has no place is refused.
#[test]
fn published_values_stand_beside_ours() {
    let published =
        "published = [{ y = \"relative.e_net\", at = { policy = \"FirstOn\", PDT = \"1us\" }, value = 30 }]\n";
    let with = |published: &str| SMALL.replacen("bars = \"PDT\"\n", &format!("bars = \"PDT\"\n{published}"), 1);
    let drawn = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let (results, _) = run_counted(&plan(text), folder.path(), &RunOptions::default());
        write(&results, folder.path()).unwrap();
        fs::read_to_string(folder.path().join("energy.svg")).unwrap()
    };
    let (without, one) = (drawn(SMALL), drawn(&with(published)));
    assert!(one.contains(">hollow: as published</text>") && !without.contains("hollow"), "{one}");
    // White inside, beside the background: one in the legend and one at its bar.
    let white = |svg: &str| svg.matches("fill=\"#ffffff\"").count();
    assert_eq!(white(&one), white(&without) + 2);
    for (from, to, said) in [
        ("\"FirstOn\"", "\"Second\"", "published: at: `Second` is no label of `policy`; there are FirstOn, "),
        ("policy = \"FirstOn\", ", "", "published: at: the sweep `policy` is missing"),
        ("policy =", "load = \"1\", policy =", "published: at: `load` is no sweep that the figure shows"),
        ("relative.e_net", "u_port", "published: y: `u_port` is in no panel"),
        ("value = 30", "value = nan", "published: value: NaN is no number"),
    ] {
        let refused = refusal(&with(&published.replace(from, to)));
        assert!(refused.contains(said), "{refused:?} does not say {said:?}");
    }
}

/// A plot for each of what values have in common, with the lines of these values alone.
#[test]
fn values_that_have_something_in_common_share_a_plot() {
    let grouped = SMALL
        .replacen(
            "\n[[sweep]]\nname = \"PDT\"",
            "group = { name = \"kind\", labels = [\"ports\", \"thresholds\"] }\n\n[[sweep]]\nname = \"PDT\"",
            1,
        )
        .replacen("x = \"PDT\"\n", "x = \"PDT\"\ngroups = [\"kind\"]\n", 1);
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(&grouped), folder.path(), &RunOptions::default());
    write(&results, folder.path()).unwrap();
    let svg = fs::read_to_string(folder.path().join("latency.svg")).unwrap();
    let place = |text: &str| svg.find(text).unwrap_or_else(|| panic!("{text}: {svg}"));
    assert!(place(">kind: ports</text>") < place(">kind: thresholds</text>"));
    // A wide line each: in the legend, and in the plot of its kind.
    for colour in ["#0072b2", "#d55e00"] {
        assert_eq!(svg.matches(&format!("stroke=\"{colour}\"")).count(), 2, "{svg}");
    }
    let (with, name) = ("labels = [\"ports\", \"thresholds\"]", "name = \"kind\"");
    for (from, to, said) in [
        (with, "labels = [\"ports\"]", "sweep `policy`: group: labels: 1 for 2 values, there must be as many"),
        (name, "name = \"PDT\"", "group: there are two `PDT`"),
        ("bars = \"PDT\"", "bars = \"kind\"", "bars: `kind` is no sweep; there are policy, PDT"),
    ] {
        let refused = refusal(&grouped.replacen(from, to, 1));
        assert!(refused.contains(said), "{refused:?} does not say {said:?}");
    }
}

#[test]
fn axes_are_logarithmic_if_asked() {
    let lines = |scale: &str| {
        format!(
            "{}\n[[figure]]\nname = \"log\"\ntitle = \"Log\"\nkind = \"lines\"\nx = \"PDT\"\nseries = [\"policy\"]\n\
             panels = [{{ y = \"packet_latency.mean\", label = \"Latency\"{scale} }}]\n",
            SMALL
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(&lines(", scale = \"log\"")), folder.path(), &RunOptions::default());
    write(&results, folder.path()).unwrap();
    let svg = fs::read_to_string(folder.path().join("log.svg")).unwrap();
    assert!(!svg.contains("text-anchor=\"end\" fill=\"#1a1a1a\">0</text>"), "no 0 on a logarithmic axis: {svg}");
    for (text, said) in [
        (lines(", scale = \"log\", min = 0"), "min: "),
        (lines(", scale = \"cubic\""), "unknown variant `cubic`, expected `linear` or `log`"),
        (SMALL.replacen("max = 40", "scale = \"log\"", 1), "scale: log is not for kind = \"bars\""),
        (
            SMALL.replacen("kind = \"bars\"", "kind = \"bars\"\nx_scale = \"log\"", 1),
            "x_scale: only for kind = \"lines\" and \"scatter\"",
        ),
    ] {
        let refused = refusal(&text);
        assert!(refused.contains(said), "{refused:?} does not say {said:?}");
    }
}

#[test]
fn a_scatter_shows_every_point_with_its_label() {
    let figure = "[[figure]]\nname = \"scatter\"\ntitle = \"Scatter\"\nkind = \"scatter\"\nx = \"packet_latency.mean\"\nx_label = \"Latency\"\nx_factor = 1e-3\n\
                  series = [\"policy\", \"PDT\"]\npanels = [{ y = \"u_port\", label = \"Awake\" }]\n";
    let text = format!("{SMALL}\n{figure}");
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(&text), folder.path(), &RunOptions::default());
    write(&results, folder.path()).unwrap();
    let svg = fs::read_to_string(folder.path().join("scatter.svg")).unwrap();
    // Two points of each policy and the extra, each policy once more in the legend. Names for which there is no room are left out.
    let count = |label: &str| svg.matches(&format!(">{label}</text>")).count();
    let [first_on, powar, ideal, front] = ["FirstOn", "POWAR", "Ideal", "Pareto front"].map(count);
    assert!((2..=3).contains(&first_on) && (2..=3).contains(&powar) && (ideal, front) == (1, 1), "{svg}");
    // The slowest point alone is beyond an axis that ends before it.
    let mut latencies: Vec<f64> =
        (0..5).map(|row| results.number(row, "packet_latency.mean").unwrap() * 1e-3).collect();
    latencies.sort_by(f64::total_cmp);
    let x_max = format!("x_factor = 1e-3\nx_max = {}", (latencies[3] + latencies[4]) / 2.0);
    let (shorter, _) =
        run_counted(&plan(&text.replacen("x_factor = 1e-3", &x_max, 1)), folder.path(), &RunOptions::default());
    write(&shorter, folder.path()).unwrap();
    let cut = fs::read_to_string(folder.path().join("scatter.svg")).unwrap();
    assert!(!svg.contains("beyond: ") && cut.matches("beyond: ").count() == 1, "{cut}");
    let refused = |from: &str, to: &str, named: &str| {
        let said = refusal(&text.replacen(from, to, 1));
        assert!(said.contains(named), "{said:?} does not say {named:?}");
    };
    let x = "x = \"packet_latency.mean\"";
    refused(
        x,
        "x = \"policy_latency\"",
        "figure `scatter`: x: column of the results: `policy_latency` is unknown; docs/columns.md lists them",
    );
    refused(x, "bars = \"PDT\"", "x: the name of a column of the results is needed");
    refused("x_factor = 1e-3", "x_factor = 0", "x_factor: 0 is out of range, x_factor > 0");
    refused("x_factor = 1e-3", "x_max = 0", "x_max: 0 is out of range, x_max > 0");
    refused("kind = \"bars\"", "kind = \"bars\"\nx_max = 1", "x_max: only for kind = \"scatter\"");
    refused("percent = true", "percent = true, factor = -1", "factor: -1 is out of range, factor > 0");
    refused("series = [\"policy\", \"PDT\"]", "groups = [\"PDT\"]", "series: 0 sweeps, 1 or 2 are needed");
}

#[test]
fn results_do_not_depend_on_the_number_of_jobs() {
    let (one, first) = results();
    let folder = tempfile::tempdir().unwrap();
    let (second, _) = run_counted(&plan(SMALL), folder.path(), &RunOptions { jobs: Some(5), fresh: false });
    // Commands name the folder.
    let of =
        |results: &Results, folder: &tempfile::TempDir| results.csv().replace(&folder.path().display().to_string(), "");
    assert_eq!(of(&first, &one), of(&second, &folder));
}

/// Programs have columns about their replay; a sweep over programs and patterns has them all, in every row.
#[test]
fn a_program_has_the_same_columns_as_a_pattern() {
    let file = "
        title = 'both'
        [simulation]
        topology = '2-ary-2-tree'
        [[sweep]]
        name = 'traffic'
        values = [
            { kind = 'synthetic', cycles = 2000 },
            { kind = 'trace', skeleton = 'halo-fft:x=2,y=2,z=1,steps=1', replay.o_send = '80ns' },
        ]
        labels = ['uniform', 'halo']
        [baseline]
        policy = 'reference'
    ";
    let folder = tempfile::tempdir().unwrap();
    let (results, _) = run_counted(&plan(file), folder.path(), &RunOptions::default());
    let csv = results.csv();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{csv}");
    let column = |name: &str| lines[0].iter().position(|one| *one == name).unwrap();
    assert_eq!([1, 2].map(|row| lines[row][column("replay.o_send")]), ["", "80ns"]);
    for row in 0..2 {
        assert_eq!(results.number(row, "power.w_net"), Some(results.rows[row].outcome.power.w_net));
    }
}
