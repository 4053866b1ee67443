//! Two network interfaces with registers, or a crossing of clocks, on the link between them: how deep the receiver's buffer must be for a flit
//! a cycle.

use crate::network_interface::model::{Kind, Model};
use crate::network_interface::stream::Shape;
use powar_config::{Config, SwitchConfig, presets};
use powar_testbenches::random::Random;
use powar_testbenches::stimulus::CrossingClocks;

/// Cycles of the link beside those of what is on it: one from the sender to that and one from that to the receiver.
const JOINTS: usize = 2;

/// What is on the link.
#[derive(Clone, Copy, Debug)]
pub enum Between {
    /// So many registers.
    Stages(usize),
    /// A crossing, with the periods of the sender's and the receiver's clock; the receiver's is so late.
    Crossing { periods: [u64; 2], late: u64 },
}

impl Between {
    /// The depth that the configuration asks for.
    fn depth(self, packet_flits: usize) -> usize {
        match self {
            Between::Stages(stages) => SwitchConfig::full_rate_depth(packet_flits, stages + JOINTS),
            Between::Crossing { .. } => SwitchConfig::full_rate_depth_over_crossing(packet_flits, JOINTS),
        }
    }

    /// Every flit and every credit takes as long as any can.
    fn takes_longest(self) -> bool {
        matches!(self, Between::Stages(_) | Between::Crossing { periods: [1, 1], .. })
    }
}

/// The depth that the configuration asks for gives a flit a cycle of the slower clock; one flit less does not, if all take longest.
pub fn check(kind: &Kind, between: Between, packet_flits: usize, cycles: u64) {
    let depth = between.depth(packet_flits);
    let enough = gaps(kind, between, packet_flits, depth, cycles);
    assert_eq!(enough, 0, "{between:?}, packets of {packet_flits} flits, {depth} flits of buffer");
    if !between.takes_longest() {
        return;
    }
    let less = gaps(kind, between, packet_flits, depth - 1, cycles);
    // A buffer's flits take at least a cycle more than there are.
    let least = cycles / 2 / (2 * depth as u64);
    assert!(less >= least, "{less} gaps with a flit less than {depth}, {between:?}, packets of {packet_flits} flits");
}

/// Cycles of the slower clock without a flit in the second half of a run.
fn gaps(kind: &Kind, between: Between, packet_flits: usize, depth: usize, cycles: u64) -> u64 {
    let (link, stages, periods, late) = match between {
        Between::Stages(stages) => ("link_stage", stages, [1, 1], 0),
        Between::Crossing { periods, late } => ("link_crossing", 1, periods, late),
    };
    let mut switch = SwitchConfig {
        vcs: 1,
        buffer_flits: depth,
        max_packet_flits: packet_flits,
        flit_bits: 64,
        link_stages: stages,
        ..SwitchConfig::default()
    };
    switch.crossing_entries = switch.crossing_entries_for_any_clocks().expect("a small buffer");
    let config = Config { name: "full-rate".into(), switch, ..presets::by_name("fat-tree-4").expect("a preset") };
    let words = config.switch.flit_words();
    let [mut sender, mut on_link, mut receiver] =
        ["network_interface", link, "network_interface"].map(|block| Model::new(&config, block, kind));
    let packet = Shape { words, most_beats: packet_flits - 1 }.packet(&mut Random::new(1), 0, packet_flits - 1);
    receiver.set("m_axis_tready", 0, &[1]);
    let mut clocks = CrossingClocks::new(periods, late);
    let slower = usize::from(periods[1] > periods[0]);
    let (mut cycle, mut edges) = (0, [true; 2]);
    let (mut beat, mut gaps) = (0, 0);
    while cycle < cycles {
        // What has risen has taken what was there.
        if edges[0] {
            Model::join(&mut sender, 0, &mut on_link, 0, words);
        }
        if edges[1] {
            Model::join(&mut on_link, 0, &mut receiver, 0, words);
        }
        edges = clocks.step();
        let rst = u64::from(cycle < 4 + stages as u64 + JOINTS as u64);
        for (signal, value) in [
            ("rst", rst),
            ("send_rst", rst),
            ("receive_rst", rst),
            ("send_edge", u64::from(edges[0])),
            ("receive_edge", u64::from(edges[1])),
        ] {
            on_link.set_if_there(signal, 0, value);
        }
        on_link.step();
        if edges[0] {
            let (data, keep) = &packet.beats[beat];
            sender.set("rst", 0, &[rst]);
            sender.set("s_axis_tvalid", 0, &[1 - rst]);
            sender.set("s_axis_tdata", 0, data);
            sender.set("s_axis_tkeep", 0, &[*keep]);
            sender.set("s_axis_tlast", 0, &[u64::from(beat + 1 == packet.beats.len())]);
            sender.step();
            if rst == 0 && sender.one("s_axis_tready") == 1 {
                beat = (beat + 1) % packet.beats.len();
            }
        }
        if edges[1] {
            receiver.set("rst", 0, &[rst]);
            receiver.step();
        }
        if edges[slower] {
            let on_its_side = [&sender, &on_link][slower];
            gaps += u64::from(cycle >= cycles / 2 && on_its_side.one("out_valid") == 0);
            cycle += 1;
        }
    }
    let statistics = receiver.get("statistics", 0, 10);
    assert!(statistics[2] > 0 && statistics[7..] == [0; 3], "{statistics:?}");
    gaps
}
