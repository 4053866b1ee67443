use crate::experiment::support::{SMALL, plan, refusal, run_counted};
use powar_evaluation::experiment::{Plan, RunOptions};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn what_makes_no_difference_is_simulated_once() {
    let plan = plan(SMALL);
    let label = |text: &str| Some(text.to_string());
    let labels: Vec<_> = plan.points.iter().map(|point| point.labels.clone()).collect();
    assert_eq!(
        labels,
        [
            [label("FirstOn"), label("0")],
            [label("FirstOn"), label("1us")],
            [label("POWAR"), label("0")],
            [label("POWAR"), label("1us")],
            [label("Ideal"), None],
        ]
    );
    // Four of the product, Ideal, and one baseline for all.
    assert_eq!(plan.simulations(), 6);
}

#[test]
fn reference_in_a_sweep_is_its_own_baseline_and_one_row() {
    let plan = plan(&SMALL.replace(r#"values = ["first-on", "powar"]"#, r#"values = ["reference", "powar"]"#));
    assert_eq!(plan.points.len(), 4);
    assert_eq!(plan.points[0].labels, [Some("FirstOn".to_string()), None]);
    assert_eq!(plan.simulations(), 4);
}

#[test]
fn thresholds_count_for_powar_only() {
    let sweep = "[[sweep]]\nname = \"thresholds\"\nkeys = [\"mechanism.powar.t_on\", \"mechanism.powar.t_off\"]\nvalues = [[0.5, 0.25], [0.2, 0.1]]\n";
    let text = SMALL.replacen("[[extra]]", &format!("{sweep}\n[[extra]]"), 1);
    let text = &text[..text.find("[[figure]]").unwrap()];
    let plan = plan(text);
    // FirstOn: 2; POWAR: 2 x 2; Ideal; and the baseline.
    assert_eq!((plan.points.len(), plan.simulations()), (7, 8));
    assert_eq!(plan.points[2].labels[2].as_deref(), Some("0.5/0.25"));
}

/// What is written differently but the same is one simulation; values of other mechanisms, and those that a policy takes no notice of,
/// make no difference.
#[test]
fn the_form_of_a_parameter_makes_no_difference() {
    let same = SMALL.replace(r#"["0", "1us"]"#, r#"["100us", "0.1ms"]"#);
    assert_eq!(plan(&same).simulations(), 4);
    let explicit = same.replace("warm_up = 1000", "warm_up = 1000\nmechanism.powar.t_on = 0.5");
    let keys = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        run_counted(&plan(text), folder.path(), &RunOptions::default());
        let points = std::fs::read_dir(folder.path().join("points")).unwrap();
        points.map(|entry| entry.unwrap().file_name()).collect::<BTreeSet<_>>()
    };
    assert_eq!(keys(&same), keys(&explicit));
}

#[test]
fn traces_are_relative_to_the_file_and_known_by_what_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let trace = concat!(env!("CARGO_MANIFEST_DIR"), "/../testbenches/traces/random-access-64.tar.xz");
    let text = "title = \"Traces\"\n[simulation]\npolicy = \"reference\"\ntraffic = { kind = \"trace\" }\n\
                [[sweep]]\nname = \"traffic.input\"\nvalues = [\"one.tar.xz\", \"two.tar.xz\"]\n";
    let file = folder.path().join("traces.toml");
    std::fs::write(&file, text).unwrap();
    let error = format!("{:#}", Plan::read(&file).unwrap_err());
    assert!(error.starts_with(&file.display().to_string()) && error.contains("can't read"), "{error}");
    std::fs::copy(trace, folder.path().join("one.tar.xz")).unwrap();
    std::fs::copy(trace, folder.path().join("two.tar.xz")).unwrap();
    let plan = Plan::read(&file).unwrap();
    assert_eq!((plan.name.as_str(), plan.points.len(), plan.simulations()), ("traces", 2, 1));
}

/// What is swept would stand where what was measured is looked for, or nowhere.
#[test]
fn a_sweep_hides_no_column_and_makes_a_difference() {
    let text = &SMALL[..SMALL.find("[[figure]]").unwrap()];
    for name in ["saturated", "cycles", "packet_latency.mean", "relative.e_net", "seed", "command"] {
        let seen = refusal(&text.replace("\"PDT\"", &format!("\"{name}\"")));
        assert_eq!(
            seen,
            format!(
                "sweep `{name}`: name: a column of the results is called so (docs/columns.md); give it another one"
            )
        );
    }
    let seeds = text.replace("\"PDT\"", "\"seed\"").replace("mechanism.powar.pdt", "traffic.seed");
    assert_eq!(plan(&seeds.replace("[\"0\", \"1us\"]", "[1, 2]")).points.len(), 6);
    let other = text.replace("mechanism.powar.pdt", "mechanism.alonso.u_on").replace("[\"0\", \"1us\"]", "[0.4, 0.5]");
    let seen = refusal(&other);
    assert_eq!(seen, "sweep `PDT`: makes no difference to any policy of the experiment; leave it out");
}

#[test]
fn mistakes_are_said_in_a_line() {
    let with = |from: &str, to: &str| {
        assert!(SMALL.contains(from), "{from}");
        refusal(&SMALL.replacen(from, to, 1))
    };
    let cases = [
        (with("title = \"Small\"", "titel = \"Small\""), "titel"),
        (with("title = \"Small\"", "title = "), "line 2: "),
        (with("name = \"PDT\"", "nam = \"PDT\""), "sweep[1].nam: unknown field `nam`, expected one of `name`"),
        (with("warm_up = 1000", "warmup = 1000"), "unknown field `warmup`, expected one of `topology`"),
        (with("warm_up = 1000", "warm_up = 20000"), "warm_up: 20000 is out of range 0..=19999"),
        (
            with("[\"0\", \"1us\"]", "[\"0\", \"10 parsecs\"]"),
            "PDT = 10 parsecs: mechanism.powar.pdt: `10 parsecs` is not a duration",
        ),
        (
            with("key = \"mechanism.powar.pdt\"", "key = \"policy\""),
            "sweep `PDT`: key: `policy` is set by sweep `policy` too",
        ),
        (with("name = \"latency\"", "name = \"energy\""), "figure `energy`: there are two of this name"),
        (with("[\"0\", \"1us\"]", "[]"), "sweep `PDT`: values: the list is empty"),
        (with("[\"0\", \"1us\"]", "[\"0\", \"0\"]"), "sweep `PDT`: labels: `0` is there twice"),
        (
            with("warm_up = 1000", "warm_up = 1000\nrouting = \"left\""),
            "routing: `left` is unknown; it must be one of star, fat-tree, least-occupied, mesh, torus",
        ),
        (
            with("warm_up = 1000", "warm_up = 1000\nrouting = \"torus\""),
            "routing: `torus` is not for this fat-tree; it must be one of fat-tree, least-occupied",
        ),
        (with("[\"FirstOn\", \"POWAR\"]", "[\"FirstOn\"]"), "sweep `policy`: labels: 1 for 2 values"),
        (with("\"powar\"]", "\"power\"]"), "policy = POWAR"),
        (
            with("mechanism.powar.pdt", "pdt"),
            "PDT = 0: pdt: is a parameter of a power mechanism; write mechanism.powar.pdt",
        ),
        (
            with("mechanism.powar.pdt", "mechanism.snooze.pdt"),
            "mechanism: kind: `snooze` is unknown; it must be one of",
        ),
        (with("mechanism.powar.pdt", "mechanism.powar.policy"), "mechanism.powar.policy: is set by policy alone"),
        (
            with("mechanism.powar.pdt", "mechanism.powar.dpt"),
            "mechanism.powar.dpt: unknown field `dpt`, expected one of",
        ),
        (with("[\"0\", \"1us\"]", "[\"0\", \"-5us\"]"), "pdt: `-5us` is out of range; a duration is 0 or more"),
        (
            with("[\"0\", \"1us\"]", "[\"0\", \"1s\"]"),
            "mechanism.pdt: 1000ms is 625000000 cycles, out of range 0..=16777215",
        ),
        (with("load = 0.05", "load = 1.5"), "load is `1.5`, expected a number above 0 up to 1"),
        (with("\"2-ary-2-tree\"", "\"2-ary-2-bush\""), "2-ary-2-bush"),
        (with("set = { policy", "set = { vcs = 2, node_link"), "extra `Ideal`: set: node_link, vcs is set by no sweep"),
        (with("[baseline]\npolicy", "[baseline]\npolice"), "PDT = 0: baseline: police: unknown field `police`"),
        (
            with("kind = \"bars\"", "kind = \"pie\""),
            "figure[0].kind: unknown variant `pie`, expected one of `bars`, `lines`, `series`",
        ),
        (
            with("groups = [\"policy\"]", "groups = [\"colour\"]"),
            "figure `energy`: groups: `colour` is no sweep; there are policy, PDT",
        ),
        (with("series = [\"policy\"]", "series = []"), "figure `latency`: sweep `policy` is not shown"),
        (
            with("relative.e_net", "relative.e_gross"),
            "figure `energy`: y: column of the results: `relative.e_gross` is unknown; did you mean `relative.e_links` or `relative.e_net`?",
        ),
        (with("max = 40", "max = 0"), "figure `energy`: max: 0 is out of range, max > 0"),
        (with("name = \"energy\"", "name = \"../energy\""), "name: `../energy` is out of range, letters"),
    ];
    for (seen, expected) in cases {
        assert!(seen.contains(expected), "{seen:?} does not say {expected:?}");
    }
}

/// What is wrong with a field has its name, what was written and what is taken, in words and not in types of Rust.
#[test]
fn wrong_fields_are_said_by_their_names() {
    let with = |from: &str, to: &str| refusal(&SMALL.replacen(from, to, 1));
    for (seen, expected) in [
        (with("load = 0.05", "lode = 0.05"), "traffic: lode: unknown field `lode`"),
        (with("load = 0.05", "load = \"a\""), "traffic: load: invalid type: string \"a\", expected a number"),
        (
            with("load = 0.05", "packet_flits = -1"),
            "traffic: packet_flits: invalid value: integer `-1`, expected a whole number, 0 or more",
        ),
        (
            with("load = 0.05", "hot_spot = { nodes = [0, 0.5] }"),
            "traffic: hot_spot.nodes[1]: invalid type: floating point `0.5`, expected a whole number in 0..=4294967295",
        ),
        (with("\"synthetic\"", "\"synthetc\""), "traffic: kind: unknown variant `synthetc`, expected one of `synth"),
        (with("\"synthetic\"", "\"synthetc\""), "did you mean `synthetic`?"),
        (
            with("warm_up = 1000", "warm_up = -5"),
            "warm_up: `-5`, expected a whole number of cycles, 0 or more, or \"auto\"",
        ),
        (with("warm_up = 1000", "hop = true"), "hop: `true` is not a duration, expected text such as \"2.88us\", or 0"),
        (with("warm_up = 1000", "vcs = \"x\""), "vcs: invalid type: string \"x\", expected a whole number, 0 or more"),
    ] {
        assert!(seen.contains(expected), "{seen:?} does not say {expected:?}");
    }
}

/// What a later sweep sets again would leave the earlier one a column that lies. Within what an earlier one has set, a
/// later one may set something.
#[test]
fn a_sweep_that_sets_what_another_has_set_is_refused() {
    let sweep = |name: &str, key: &str, values: &str| {
        format!("[[sweep]]\nname = \"{name}\"\nkey = \"{key}\"\nlabels = [\"a\", \"b\"]\nvalues = [{values}]\n")
    };
    let seed = |seed: u8| format!("{{ kind = \"synthetic\", cycles = 2000, seed = {seed} }}");
    let of = |name: &str, key: &str| match key {
        "traffic" => sweep(name, key, &[seed(1), seed(2)].join(", ")),
        _ => sweep(name, key, "0.1, 0.2"),
    };
    let network = "[simulation]\ntopology = \"star-4\"\ntraffic = { kind = \"synthetic\", cycles = 2000 }\n";
    let text =
        |first: &str, other: &str| format!("title = \"Two\"\n{network}{}{}", of("one", first), of("other", other));
    for (first, other) in [("traffic.load", "traffic.load"), ("traffic.load", "traffic")] {
        assert_eq!(refusal(&text(first, other)), format!("sweep `other`: key: `{other}` is set by sweep `one` too"));
    }
    assert_eq!(plan(&text("traffic", "traffic.load")).simulations(), 4);
}

#[test]
fn too_many_points_are_refused_before_they_are_made() {
    let values: Vec<String> = (0..400).map(|seed| seed.to_string()).collect();
    let sweep = |name: &str| format!("[[sweep]]\nname = \"{name}\"\nvalues = [{}]\n", values.join(", "));
    let text = format!("title = \"Many\"\n{}{}", sweep("traffic.seed"), sweep("traffic.start"));
    assert!(refusal(&text).contains("more than 100000 combinations"), "{}", refusal(&text));
}

#[test]
fn the_shipped_experiments_and_the_one_in_the_guide_make_sense() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../experiments");
    let mut files: Vec<_> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(files.len() >= 6);
    for file in files {
        let plan = Plan::read(&file).unwrap();
        let in_vain: Vec<String> = plan.warnings().into_iter().filter(|warning| warning.contains(UNHEEDED)).collect();
        assert!(in_vain.is_empty(), "{}: {in_vain:?}", plan.name);
        if plan.name.starts_with("powar-fig") {
            // Four programs: three policies at five thresholds, Ideal, Alonso, and the reference.
            assert_eq!((plan.points.len(), plan.simulations()), (68, 72), "{}", plan.name);
        }
    }
    let guide = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let example = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    // RoundRobin has no thresholds: 3 loads; POWAR: 3 x 2; Ideal: 3.
    assert_eq!(plan(example).points.len(), 12);
}

/// What is said of a value that a file gives to all simulations, and none takes notice of.
const UNHEEDED: &str = " makes no difference to any of the policies";

#[test]
fn what_no_policy_takes_notice_of_is_said() {
    let others =
        "warm_up = 1000\nmechanism.powar.t_on = 0.5\nmechanism.depths = { pdt = \"500ns\", light_power = 0.5 }";
    let warnings: Vec<String> = plan(&SMALL.replace("warm_up = 1000", others)).warnings().into_iter().collect();
    let expected = ["mechanism.depths.light_power: 0.5", "mechanism.depths.pdt: 500ns"];
    assert_eq!(warnings, expected.map(|said| format!("{said}{UNHEEDED}")));
}

#[test]
fn thresholds_from_u_max_on_are_said_once_a_network() {
    let text = SMALL
        .replace("2-ary-2-tree", "torus-4x4-trunk2")
        .replace("warm_up = 1000", "warm_up = 1000\nmechanism.powar.t_on = 0.9");
    let warnings: Vec<String> = plan(&text).warnings().into_iter().collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("t_on: 0.9 is not below U_max = "), "{warnings:?}");
    assert!(plan(SMALL).warnings().is_empty());
}
