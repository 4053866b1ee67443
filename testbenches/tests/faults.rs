#[test]
fn dump() {
    let a = powar_config::presets::by_name("fat-tree-4").unwrap();
    let mut b = a.clone();
    b.name = "set".into();
    b.deterministic = powar_config::Deterministic::Set;
    b.topology = None;
    b.groups = vec![powar_config::Group{first:0,size:4}, powar_config::Group{first:4,size:4}];
    for (c, n) in [(a, "single"), (b, "set")] {
        c.check().unwrap();
        for block in powar_hdl::blocks::registry::names(&c) {
            let d = powar_testbenches::twins::design(&c, &block).unwrap();
            std::fs::create_dir_all(format!("/tmp/fl/{n}")).unwrap();
            std::fs::write(format!("/tmp/fl/{n}/{block}.v"), d.to_single_file()).unwrap();
        }
    }
}
