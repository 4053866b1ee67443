//! The table of U_max (`config/src/u_max.rs`) is what `experiments/u-max.toml` measures.

use powar_config::u_max::MEASURED;
use powar_evaluation::network::{Simulation, simulate};
use toml::{Table, Value};

/// Networks, and flits that a node offers a cycle.
fn networks(file: &Table) -> Vec<(String, f64)> {
    let values = file["sweep"][0]["values"].as_array().unwrap();
    values.iter().map(|pair| (pair[0].as_str().unwrap().to_string(), pair[1].as_float().unwrap())).collect()
}

#[test]
fn the_table_is_what_the_experiment_measures() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../experiments/u-max.toml");
    let file: Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let networks = networks(&file);
    let names = |list: &[&str]| list.iter().map(|name| name.to_string()).collect::<Vec<_>>();
    let measured: Vec<String> = names(&MEASURED.map(|(name, _)| name));
    assert_eq!(networks.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(), measured);
    // The small ones; the others would take minutes.
    let mut checked = 0;
    for (network, load) in networks {
        if !["4-ary-2-tree", "torus-4x4", "torus-4x4-trunk2"].contains(&network.as_str()) {
            continue;
        }
        let mut table = file["simulation"].as_table().unwrap().clone();
        table.insert("topology".into(), Value::String(network.clone()));
        table["traffic"].as_table_mut().unwrap().insert("load".into(), Value::Float(load));
        let simulation: Simulation = Value::Table(table).try_into().unwrap();
        let seen = simulate(&simulation, &mut |_| {}).unwrap().link_utilisation.mean.unwrap();
        let (_, known) = MEASURED.into_iter().find(|(name, _)| *name == network).unwrap();
        assert_eq!(format!("{seen:.2}"), format!("{known:.2}"), "U_max of {network}");
        checked += 1;
    }
    assert_eq!(checked, 3);
}
