//! What a virtual channel must have free for the next packet follows the longest packet that there is.

use powar_evaluation::network::{Interfaces, Outcome, Simulation, Traffic, simulate};
use powar_traffic::synthetic::{ClosedLoopOptions, LongPackets, SyntheticOptions};

fn simulation(buffer_flits: usize, max_packet_flits: Option<u16>, topology: &str) -> Simulation {
    let traffic = SyntheticOptions { load: 1.0, packet_flits: 5, cycles: 9_000, ..SyntheticOptions::default() };
    Simulation {
        topology: topology.into(),
        policy: "reference".into(),
        vcs: 1,
        buffer_flits,
        packet_flits: 5,
        max_packet_flits,
        traffic: Traffic::Synthetic(traffic),
        warm_up: 3_000,
        ..Simulation::default()
    }
}

/// Over one link: how many packets of 5 flits are sent in a round trip depends on the longest that there may be. Those that have just set out have not all
/// been counted when the next one looks for room (`docs/microarchitecture/links.md`), so four of them go into 22 flits.
#[test]
fn a_network_is_not_throttled_by_packets_that_it_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pair.edges");
    std::fs::write(&path, "nodes 1\na b\n").unwrap();
    let run = |buffer, longest| -> Outcome {
        simulate(&simulation(buffer, longest, &format!("file:{}", path.display())), &mut |_| ()).unwrap()
    };
    for (buffer, longest, expected) in
        [(22, None, 0.2897), (22, Some(5), 0.2897), (22, Some(16), 0.143), (27, Some(16), 0.215)]
    {
        let accepted = run(buffer, longest).accepted;
        assert!((accepted - expected).abs() < 0.002, "{buffer} {longest:?}: {accepted}");
    }
    assert!(run(27, None).accepted > run(22, None).accepted);
}

#[test]
fn buffers_need_only_hold_the_longest_packet_of_the_run() {
    let longest = |simulation: &Simulation| simulation.network().map(|network| network.config.switch.max_packet_flits);
    assert_eq!(longest(&simulation(16, None, "star-2")).unwrap(), 5);
    assert_eq!(longest(&Simulation { max_packet_flits: Some(9), ..simulation(16, None, "star-2") }).unwrap(), 9);
    let error = |longest_packet| format!("{:#}", longest(&simulation(16, Some(longest_packet), "star-2")).unwrap_err());
    assert!(error(16).starts_with("switch.max_packet_flits: 16 does not fit into a virtual channel of 16 flits"));
    assert_eq!(error(4), "packet_flits: 5 is out of range 1..=4, the switch's max_packet_flits");
    // Packets may be longer than any message is.
    let with = |options: SyntheticOptions| Simulation {
        packet_flits: 40,
        buffer_flits: 1024,
        traffic: Traffic::Synthetic(options),
        ..simulation(16, None, "star-2")
    };
    let usual = || SyntheticOptions { packet_flits: 3, ..SyntheticOptions::default() };
    assert_eq!(longest(&with(usual())).unwrap(), 3);
    let long_packets = Some(LongPackets { flits: 30, share: 0.1 });
    assert_eq!(longest(&with(SyntheticOptions { long_packets, ..usual() })).unwrap(), 30);
    let long_packets = Some(LongPackets { flits: 3000, share: 0.1 });
    assert_eq!(longest(&with(SyntheticOptions { long_packets, ..usual() })).unwrap(), 40);
    let closed_loop = Some(ClosedLoopOptions { response_flits: 9, ..ClosedLoopOptions::default() });
    assert_eq!(longest(&with(SyntheticOptions { closed_loop, ..usual() })).unwrap(), 9);
    let single = with(SyntheticOptions { packet_flits: 1, ..usual() });
    assert_eq!(longest(&single).unwrap(), 1);
    assert_eq!(longest(&Simulation { interfaces: Interfaces::AxiStream, ..single }).unwrap(), 2);
}
