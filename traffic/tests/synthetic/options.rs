//! What options may be.

use powar_traffic::synthetic::{ClosedLoopOptions, SelfSimilarOptions, Synthetic, SyntheticOptions};

#[test]
fn a_table_in_toml() {
    let text = r#"
        pattern = "hot-spot"
        arrivals = "self-similar"
        load = 0.8
        packet_flits = 16
        seed = 7
        start = 100
        cycles = 1000000
        ramp = [[0, 0.02], [120000, 1.0], [180000, 1.0], [300000, 0.02]]
        long_packets = { flits = 256, share = 0.1 }
        hot_spot = { nodes = [0, 5], share = 0.1 }
        self_similar = { alpha_on = 1.3, mean_on = 200 }
    "#;
    let options: SyntheticOptions = toml::from_str(text).unwrap();
    assert_eq!(options.ramp[1], (120_000, 1.0));
    assert_eq!(options.stop(), 1_000_100);
    assert_eq!(options.self_similar.as_ref().unwrap().alpha_off, SelfSimilarOptions::default().alpha_off);
    Synthetic::new(&options, 64, &[]).unwrap();
    let again: SyntheticOptions = toml::from_str(&toml::to_string(&options).unwrap()).unwrap();
    assert_eq!(again, options);
    let closed: SyntheticOptions =
        toml::from_str("closed_loop = { outstanding = 8, think = 100, active = 0.5 }").unwrap();
    assert_eq!(closed.closed_loop.unwrap().response_flits, 8);
    assert_eq!(toml::from_str::<SyntheticOptions>("").unwrap(), SyntheticOptions::default());
    for text in ["loud = 1", "closed_loop = { speed = 1 }", "hot_spot = { node = 1 }", "self_similar = { alpha = 1.4 }"]
    {
        let error = toml::from_str::<SyntheticOptions>(text).unwrap_err().to_string();
        assert!(error.contains("unknown field"), "{error}");
    }
}

/// Each wrong option is named in one line, with its value and what may be.
#[test]
fn bad_options() {
    let closed = |change: fn(&mut ClosedLoopOptions)| {
        let mut closed = ClosedLoopOptions::default();
        change(&mut closed);
        SyntheticOptions { closed_loop: Some(closed), ..Default::default() }
    };
    let bursts = |change: fn(&mut SelfSimilarOptions)| {
        let mut bursts = SelfSimilarOptions::default();
        change(&mut bursts);
        SyntheticOptions { arrivals: "self-similar".into(), self_similar: Some(bursts), ..Default::default() }
    };
    let toml = |text: &str| toml::from_str::<SyntheticOptions>(text).unwrap();
    for (options, says) in [
        (toml("load = 0"), "load is `0`, expected a number above 0 up to 64"),
        (toml("load = nan"), "load is `NaN`"),
        (toml("load = 65"), "load is `65`"),
        (
            toml("arrivals = 'poisson'"),
            "arrivals: `poisson` is unknown; it must be one of bernoulli, periodic, self-similar",
        ),
        (toml("pattern = 'x'"), "pattern: `x` is unknown; it must be one of uniform"),
        (toml("packet_flits = 0"), "packet_flits is `0`, expected 1 to 1048576"),
        (toml("long_packets = { flits = 0, share = 0.1 }"), "long_packets.flits is `0`, expected 1 to"),
        (
            toml("long_packets = { flits = 9, share = -0.1 }"),
            "long_packets.share is `-0.1`, expected a number from 0 to 1",
        ),
        (toml("packet_lengths = [[0, 1.0]]"), "packet_lengths is `0`, expected 1 to"),
        (toml("packet_lengths = [[1, 0.5], [8, 0.4]]"), "packet_lengths has shares with the sum `0.9`, expected 1"),
        (toml("packet_lengths = [[1, 1.5], [8, -0.5]]"), "packet_lengths has a share of `1.5`, expected a number from"),
        (toml("packet_lengths = [[1, nan]]"), "packet_lengths has a share of `NaN`, expected a number from"),
        (
            toml("packet_lengths = [[1, 1.0]]\nlong_packets = { flits = 9, share = 0.1 }"),
            "packet_lengths is given beside long_packets, expected one of them",
        ),
        (toml("incast = { nodes = [1] }"), "incast is given with the pattern `uniform`, expected it with `incast`"),
        (toml("matrix = { file = 'x' }"), "matrix is given with the pattern `uniform`, expected it with `matrix`"),
        (toml("cycles = 0"), "cycles is `0`, expected 1 to"),
        (SyntheticOptions { start: u64::MAX, ..Default::default() }, "start is `18446744073709551615`, expected 0 to"),
        (toml("ramp = [[9, 1], [3, 1]]"), "ramp is `3` in the cycle of point 1, expected 9 to"),
        (toml("hot_spot = { nodes = [1], share = 0.1 }"), "hot_spot is given with the pattern `uniform`"),
        (toml("self_similar = {}"), "self_similar is given with the arrivals `bernoulli`"),
        (toml("closed_loop = {}\nramp = [[0, 1]]"), "ramp is given in a closed loop"),
        (bursts(|b| b.alpha_on = 2.5), "self_similar.alpha_on is `2.5`, expected a number from 1.01 to 1.99"),
        (bursts(|b| b.alpha_off = 1.0), "self_similar.alpha_off is `1`"),
        (bursts(|b| b.mean_on = 0.0), "self_similar.mean_on is `0`, expected 1 to"),
        (
            bursts(|b| b.burst_load = 0.05),
            "self_similar.burst_load is `0.05`, expected a number from 0.1, the load, to 64",
        ),
        (closed(|c| c.outstanding = 0), "closed_loop.outstanding is `0`, expected 1 to"),
        (
            closed(|c| c.outstanding = 1 << 22),
            "closed_loop.outstanding is `4194304`, expected 1 to 2097152 with 8 active nodes",
        ),
        (closed(|c| c.response_flits = 0), "closed_loop.response_flits is `0`"),
        (closed(|c| c.service = 1 << 60), "closed_loop.service is `"),
        (closed(|c| c.think = f64::NAN), "closed_loop.think is `NaN`, expected 0 to"),
        (closed(|c| c.active = 0.0), "closed_loop.active is `0`, expected a number above 0 up to 1"),
        (closed(|c| c.active_nodes = Some(9)), "closed_loop.active_nodes is `9`, expected 1 to 8"),
        (closed(|c| c.requests = Some(0)), "closed_loop.requests is `0`, expected at least 1"),
    ] {
        assert!(options.stop() >= options.start);
        let error = Synthetic::new(&options, 8, &[]).err().unwrap_or_else(|| panic!("no error: {says}")).to_string();
        assert!(error.starts_with(says) && !error.contains('\n'), "{error}, expected {says}");
    }
}

#[test]
fn bad_networks() {
    let error = |nodes, dimensions: &[u32]| {
        Synthetic::new(&SyntheticOptions::default(), nodes, dimensions).err().unwrap().to_string()
    };
    assert!(error(1, &[]).starts_with("nodes is `1`, expected 2 to"));
    assert!(error(64, &[4, 4]).starts_with("dimensions is `[4, 4]`, expected sizes with the product 64"));
    assert!(error(64, &[1 << 31, 1 << 31]).starts_with("dimensions is"));
    let options = SyntheticOptions { load: 2.0, ..Default::default() };
    let links = options.check_links(1).unwrap_err().to_string();
    assert_eq!(links, "load is `2`, expected a number above 0 up to 1, the links of a node");
    options.check_links(4).unwrap();
}

/// The keys of kept results are made of what is serialised: options that are not used don't show in it.
#[test]
fn what_is_not_used_is_not_written() {
    let written = toml::to_string(&SyntheticOptions::default()).unwrap();
    for field in ["incast", "matrix", "packet_lengths", "tasks"] {
        assert!(!written.contains(field), "{field} in {written}");
    }
    let given =
        "pattern = 'matrix'\npacket_lengths = [[1, 0.5], [8, 0.5]]\nmatrix = { file = 'a.csv', of = 'switches' }";
    let options: SyntheticOptions = toml::from_str(given).unwrap();
    assert_eq!(toml::from_str::<SyntheticOptions>(&toml::to_string(&options).unwrap()).unwrap(), options);
}
