use powar_config::Config;
use powar_config::topology::graph::Names;
use powar_evaluation::network_files::network_files;

#[test]
fn look() {
    for name in [
        "file:../experiments/networks/random-40.edges",
        "file:/tmp/n8.edges",
        "file:/tmp/n200.edges",
        "dragonfly-p2a4h2",
        "4-ary-3-tree",
    ] {
        let mut config = Config::of_network(name).unwrap();
        config.name = name.rsplit('/').next().unwrap().into();
        let files = network_files(&config, &Names::default()).unwrap();
        for (file, text) in files.iter().filter(|(file, _)| file.starts_with("network")) {
            std::fs::create_dir_all(format!("/tmp/look/{}", config.name)).unwrap();
            std::fs::write(format!("/tmp/look/{}/{file}", config.name), text).unwrap();
        }
    }
}
