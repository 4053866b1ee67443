//! Two network interfaces with registers on the link between them: how deep the receiver's buffer must be for a flit a cycle.

use crate::model::{Kind, Model};
use crate::stream::Shape;
use powar_config::{Config, SwitchConfig, presets};
use powar_testbenches::random::Random;

/// Cycles of the link beside those of its registers: one from the sender to them and one from them to the receiver.
const JOINTS: usize = 2;

/// The depth that the configuration asks for gives a flit a cycle, one flit less does not.
pub fn check(kind: &Kind, stages: usize, packet_flits: usize, cycles: u64) {
    let depth = SwitchConfig::full_rate_depth(packet_flits, stages + JOINTS);
    let [enough, less] = [depth, depth - 1].map(|depth| gaps(kind, stages, packet_flits, depth, cycles));
    assert_eq!(enough, 0, "{stages} stages, packets of {packet_flits} flits, {depth} flits of buffer");
    // A buffer's flits take at least a cycle more than there are.
    let least = cycles / 2 / (2 * depth as u64);
    assert!(
        less >= least,
        "{less} gaps with a flit less than {depth}, {stages} stages, packets of {packet_flits} flits"
    );
}

/// Cycles without a flit in the second half of a run.
fn gaps(kind: &Kind, stages: usize, packet_flits: usize, depth: usize, cycles: u64) -> u64 {
    let switch = SwitchConfig {
        vcs: 1,
        buffer_flits: depth,
        max_packet_flits: packet_flits,
        flit_bits: 64,
        link_stages: stages,
        ..SwitchConfig::default()
    };
    let config = Config { name: "full-rate".into(), switch, ..presets::by_name("fat-tree-4").expect("a preset") };
    let words = config.switch.flit_words();
    let [mut sender, mut link, mut receiver] =
        ["network_interface", "link_stage", "network_interface"].map(|block| Model::new(&config, block, kind));
    let packet = Shape { words, most_beats: packet_flits - 1 }.packet(&mut Random::new(1), 0, packet_flits - 1);
    receiver.set("m_axis_tready", 0, &[1]);
    let (mut beat, mut gaps) = (0, 0);
    for cycle in 0..cycles {
        let rst = u64::from(cycle < 1 + stages as u64 + JOINTS as u64);
        Model::join(&mut sender, 0, &mut link, 0, words);
        Model::join(&mut link, 0, &mut receiver, 0, words);
        let (data, keep) = &packet.beats[beat];
        sender.set("s_axis_tvalid", 0, &[1 - rst]);
        sender.set("s_axis_tdata", 0, data);
        sender.set("s_axis_tkeep", 0, &[*keep]);
        sender.set("s_axis_tlast", 0, &[u64::from(beat + 1 == packet.beats.len())]);
        for model in [&mut sender, &mut link, &mut receiver] {
            model.set("rst", 0, &[rst]);
            model.step();
        }
        if rst == 0 && sender.one("s_axis_tready") == 1 {
            beat = (beat + 1) % packet.beats.len();
        }
        gaps += u64::from(cycle >= cycles / 2 && sender.one("out_valid") == 0);
    }
    let statistics = receiver.get("statistics", 0, 10);
    assert!(statistics[2] > 0 && statistics[7..] == [0; 3], "{statistics:?}");
    gaps
}
