//! `powar schema`: the schemas beside the documentation are those that are printed, and files and results are as they say.

use crate::{HPL, Scratch};
use jsonschema::Validator;
use serde_json::Value;
use std::path::Path;

const NAMES: [&str; 4] = ["experiment-file", "experiment", "sim", "sim-policies"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The schema as it is printed.
fn schema(name: &str) -> Value {
    serde_json::from_str(&Scratch::new().succeed(&["schema", name])).unwrap()
}

fn validator(name: &str) -> Validator {
    jsonschema::draft202012::new(&schema(name)).unwrap()
}

/// What is wrong with a value, a line each.
fn wrong(validator: &Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

fn of_toml(text: &str) -> Value {
    serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap()
}

#[test]
fn those_beside_the_documentation_are_those_that_are_printed() {
    for name in NAMES {
        let path = root().join(format!("docs/schemas/{name}.schema.json"));
        let printed = Scratch::new().succeed(&["schema", name]);
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == printed, "{}: write it anew: powar schema {name} > {0}", path.display());
    }
}

#[test]
fn every_experiment_of_the_repository_is_as_the_schema_says() {
    let validator = validator("experiment-file");
    let files = std::fs::read_dir(root().join("experiments")).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    assert!(files.len() > 20, "{files:?}");
    for path in files {
        let wrong = wrong(&validator, &of_toml(&std::fs::read_to_string(&path).unwrap()));
        assert!(wrong.is_empty(), "{}: {wrong:#?}", path.display());
    }
}

#[test]
fn an_experiment_with_a_slip_is_not() {
    let validator = validator("experiment-file");
    let good = "title = 'x'\n[simulation]\ntopology = 'k4-n2'\ntraffic = { kind = 'synthetic', load = 0.1 }\n\
                mechanism.powar.pdt = '10us'\n[[sweep]]\nname = 'load'\nvalues = [1]\n";
    assert_eq!(wrong(&validator, &of_toml(good)), Vec::<String>::new());
    for (right, slip) in [
        ("title", "titel"),
        ("topology", "topolgy"),
        ("load = 0.1", "laod = 0.1"),
        ("load = 0.1", "load = 'much'"),
        ("'10us'", "'10 parsec'"),
        ("powar.pdt", "pwar.pdt"),
        ("values = [1]", "value = [1]"),
        ("'synthetic'", "'synthtic'"),
    ] {
        assert!(!wrong(&validator, &of_toml(&good.replacen(right, slip, 1))).is_empty(), "{slip}");
    }
}

#[test]
fn what_is_printed_is_as_the_schemas_say() {
    let scratch = Scratch::new();
    let check = |name: &str, arguments: &[&str]| {
        let printed: Value = serde_json::from_str(&scratch.succeed(arguments)).unwrap();
        let found = wrong(&validator(name), &printed);
        assert!(found.is_empty(), "{arguments:?}: {found:#?}");
        printed
    };
    let tables = ["--links", "--histogram", "--flows", "--series", "--interval", "500", "--oracle", "--json"];
    let small = ["sim", "--topology", "torus-4x4", "--cycles", "3000"];
    let mut printed = check("sim", &[&small[..], &tables].concat());
    check("sim", &["sim", "--input", HPL, "--pdt", "10us", "--json"]);
    check("sim-policies", &[&small[..], &["--policy", "reference,powar,ideal", "--json"]].concat());
    let file = "title = 't'\n[simulation]\ntopology = '2-ary-2-tree'\noracle = [1, 10]\n\
                traffic = { kind = 'synthetic', cycles = 3000 }\n[baseline]\npolicy = 'reference'\n\
                [repeat]\nkey = 'traffic.seed'\nvalues = [1, 2]\n\
                [[sweep]]\nname = 'load'\nkey = 'traffic.load'\nvalues = [0.1, 0.5]\n";
    scratch.write("e.toml", file);
    check("experiment", &["experiment", "e.toml", "--json"]);
    // A schema that lets everything pass would say so too.
    printed["u_port"] = "much".into();
    assert_eq!(wrong(&validator("sim"), &printed).len(), 1);
    printed["u_prot"] = 1.into();
    assert_eq!(wrong(&validator("sim"), &printed).len(), 2);
}
