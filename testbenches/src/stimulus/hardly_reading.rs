//! Input ports that can hardly ever read, so that the allocator's packets miss the most chances and are picked all the same: random inputs
//! don't keep an input port from reading for so long.

use super::Stimulus;
use super::scenario::{RandomStimulus, Scenario};
use powar_config::{Config, Layout, Role};

/// Random inputs, but all output ports are ready, and input ports can read and packets are to be dropped only now and then.
pub struct HardlyReading {
    random: RandomStimulus,
    layout: Layout,
    before: Vec<u64>,
    /// Packets picked after they have missed the most chances.
    pub served: u64,
}

impl HardlyReading {
    /// What `missed` stops at.
    pub const MOST: u64 = 63;

    /// For an allocator of this configuration with this layout; `None` for another block.
    pub fn new(config: &Config, layout: &Layout) -> Option<Self> {
        layout.observed(Role::Register, "missed")?;
        // A high density: nearly every packet has a choice, and often one that is not held.
        let scenario = Scenario { reset_every: 0, density: 90, ..Scenario::lively(5) };
        Some(HardlyReading {
            random: scenario.stimulus(config, layout),
            layout: layout.clone(),
            before: vec![],
            served: 0,
        })
    }
}

impl Stimulus for HardlyReading {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        self.random.drive(cycle, last, inputs);
        let mut set = |name: &str, value: u64| {
            let signal = self.layout.inputs.iter().find(|signal| signal.name == name).expect("an input");
            let first = self.layout.input(name).expect("an input");
            inputs[first..first + signal.rows].fill(value & u64::MAX >> (64 - signal.width));
        };
        set("ready", u64::MAX);
        if !cycle.is_multiple_of(97) {
            set("can_read", 0);
        }
        if !cycle.is_multiple_of(501) {
            set("drop", 0);
        }
        let missed = self.layout.observed(Role::Register, "missed").expect("a register of the allocator");
        let rows = self.layout.observed_at(missed).expect("it is there").0.rows;
        let now = &last[missed..missed + rows];
        self.served +=
            self.before.iter().zip(now).filter(|&(&before, &now)| before == HardlyReading::MOST && now == 0).count()
                as u64;
        self.before = now.to_vec();
    }
}
