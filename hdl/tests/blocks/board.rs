//! The top of the ULX3S board.

use powar_config::{Config, presets};
use powar_hdl::demonstrator::board::{BAUD, divider, timeout, ulx3s_files};

#[test]
fn numbers_follow_from_the_clock() {
    assert_eq!((divider(25.0, BAUD).unwrap(), timeout(25.0)), (217, 2_500_000));
    assert_eq!((divider(100.0, BAUD).unwrap(), timeout(400.0)), (868, 16_777_215));
    let error = divider(25.0, 12_000_000).unwrap_err().to_string();
    assert_eq!(error, "clock: 25 MHz are 2 cycles a bit at 12000000 bits a second, out of range 4..=65535");
}

#[test]
fn the_top_comes_last_and_has_the_clock_that_the_pll_makes() {
    let config = presets::by_name("demonstrator-4").unwrap();
    let files = ulx3s_files(&config, 30.0).unwrap();
    assert_eq!(files, ulx3s_files(&config, 30.0).unwrap());
    let (name, top) = files.last().unwrap();
    assert_eq!(name, "ulx3s_top.v");
    for part in [".CLKI_DIV(5)", ".CLKFB_DIV(6)", ".CLKOP_DIV(20)", ".divider(16'd260)", "{4'd0, links_on[3:0]}"] {
        assert!(top.contains(part), "{part} is missing in\n{top}");
    }
    let mut names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(ulx3s_files(&presets::by_name("fat-tree-2").unwrap(), 25.0).is_ok());
    let mut mesh = Config::of_network("mesh-3x3").unwrap();
    mesh.route_by(&powar_config::routing::west_last_east_last::ROUTING);
    mesh.switch.vcs = 4;
    let error = ulx3s_files(&mesh, 25.0).unwrap_err().to_string();
    assert!(error.starts_with("routing: "), "{error}");
    assert!(ulx3s_files(&config, 500.0).unwrap_err().to_string().contains("out of range"));
}
