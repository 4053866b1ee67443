//! Throughput and latency of a whole switch, measured on its links: of any model, since only frames are looked at.
//!
//! Whoever drives the switch numbers its packets in word [`NUMBER`] of the head flits and says in word [`BORN`] when it made them.

use anyhow::{Result, ensure};
use powar_config::{Config, CycleModel, Layout, Role};
use serde::Serialize;
use std::collections::HashMap;

/// Word of a head flit with the packet's number, unique in a run.
pub const NUMBER: usize = 1;
/// Word of a head flit with the cycle, modulo 2^32, in which its source made the packet.
pub const BORN: usize = 3;

/// Takes input and observed frame of a cycle before it is driven: cycle number, the outputs of the cycle before, the inputs to fill in.
pub type Drive<'a> = &'a mut dyn FnMut(u64, &[u64], &mut [u64]);

/// What a switch carried.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measurement {
    /// Cycles measured.
    pub cycles: u64,
    /// Flits a port and cycle that came in, and that went out.
    pub offered: f64,
    pub accepted: f64,
    /// Packets whose head went out.
    pub packets: u64,
    /// Cycles from the head on the input link to the head on the output link: mean, least, most.
    pub mean_latency: f64,
    pub least_latency: u64,
    pub most_latency: u64,
    /// Cycles from the packet's making to its head on the output link, mean: with the wait at its source.
    pub mean_total_latency: f64,
}

/// Watches the links of a switch.
pub struct SwitchMeter {
    ports: usize,
    words: usize,
    in_valid: usize,
    in_head: usize,
    in_flit: usize,
    out_valid: usize,
    out_head: usize,
    out_flit: usize,
    /// Cycle in which each packet in the switch came.
    came: HashMap<u64, u64>,
    cycle: u64,
    /// First cycle that counts.
    from: u64,
    flits_in: u64,
    flits_out: u64,
    packets: u64,
    latency: u64,
    least: u64,
    most: u64,
    total_latency: u64,
}

impl SwitchMeter {
    /// For a switch with this layout, counting from cycle `from` on.
    ///
    /// # Errors
    /// A layout that is not that of a switch; flits too short for [`BORN`].
    pub fn new(config: &Config, layout: &Layout, from: u64) -> Result<Self> {
        let words = config.switch.flit_words();
        ensure!(
            words > BORN,
            "switch.flit_bits: {} is out of range {}..=512 for a measurement",
            32 * words,
            32 * (BORN + 1)
        );
        let input = |name: &str| layout.slot(Role::Input, name);
        let output = |name: &str| layout.slot(Role::Output, name);
        Ok(SwitchMeter {
            ports: config.ports,
            words,
            in_valid: input("in_valid")?,
            in_head: input("in_head")?,
            in_flit: input("in_flit")?,
            out_valid: output("out_valid")?,
            out_head: output("out_head")?,
            out_flit: output("out_flit")?,
            came: HashMap::new(),
            cycle: 0,
            from,
            flits_in: 0,
            flits_out: 0,
            packets: 0,
            latency: 0,
            least: u64::MAX,
            most: 0,
            total_latency: 0,
        })
    }

    /// Takes the next cycle.
    pub fn cycle(&mut self, inputs: &[u64], observed: &[u64]) {
        let counts = self.cycle >= self.from;
        if counts {
            self.flits_in += u64::from(inputs[self.in_valid].count_ones());
            self.flits_out += u64::from(observed[self.out_valid].count_ones());
        }
        for port in ports(inputs[self.in_valid] & inputs[self.in_head], self.ports) {
            self.came.insert(inputs[self.in_flit + port * self.words + NUMBER], self.cycle);
        }
        for port in ports(observed[self.out_valid] & observed[self.out_head], self.ports) {
            let flit = &observed[self.out_flit + port * self.words..][..self.words];
            let Some(came) = self.came.remove(&flit[NUMBER]).filter(|_| counts) else { continue };
            let latency = self.cycle - came;
            self.packets += 1;
            self.latency += latency;
            self.least = self.least.min(latency);
            self.most = self.most.max(latency);
            self.total_latency += u64::from((self.cycle as u32).wrapping_sub(flit[BORN] as u32));
        }
        self.cycle += 1;
    }

    /// What has been measured.
    pub fn measurement(&self) -> Measurement {
        let cycles = self.cycle.saturating_sub(self.from);
        let port_cycles = (cycles.max(1) * self.ports as u64) as f64;
        let packets = self.packets.max(1) as f64;
        Measurement {
            cycles,
            offered: self.flits_in as f64 / port_cycles,
            accepted: self.flits_out as f64 / port_cycles,
            packets: self.packets,
            mean_latency: self.latency as f64 / packets,
            least_latency: if self.packets == 0 { 0 } else { self.least },
            most_latency: self.most,
            mean_total_latency: self.total_latency as f64 / packets,
        }
    }
}

fn ports(mask: u64, count: usize) -> impl Iterator<Item = usize> {
    (0..count).filter(move |port| mask >> port & 1 == 1)
}

/// Runs a switch for `warm_up` cycles, then measures it for `cycles`.
///
/// # Errors
/// A layout that is not that of a switch; flits too short for [`BORN`].
pub fn measure(
    config: &Config,
    model: &mut dyn CycleModel,
    drive: Drive,
    warm_up: u64,
    cycles: u64,
) -> Result<Measurement> {
    let layout = model.layout().clone();
    let mut meter = SwitchMeter::new(config, &layout, warm_up)?;
    let mut inputs = vec![0; layout.input_slots()];
    let mut observed = vec![0; layout.observed_slots()];
    for cycle in 0..warm_up + cycles {
        drive(cycle, &observed, &mut inputs);
        model.cycle(&inputs, &mut observed);
        meter.cycle(&inputs, &observed);
    }
    Ok(meter.measurement())
}

#[cfg(test)]
mod tests {
    use super::*;
    use powar_config::{SignalDecl, presets};

    /// Every flit of port 0 comes out on port 1 seven cycles later.
    struct Pipe {
        layout: Layout,
        past: std::collections::VecDeque<Vec<u64>>,
    }

    impl CycleModel for Pipe {
        fn layout(&self) -> &Layout {
            &self.layout
        }

        fn cycle(&mut self, inputs: &[u64], observed: &mut [u64]) {
            observed.fill(0);
            self.past.push_back(inputs.to_vec());
            if self.past.len() > 7 {
                let then = self.past.pop_front().unwrap();
                observed[0] = then[0] << 1;
                observed[1] = then[1] << 1;
                observed[2 + 4..2 + 8].copy_from_slice(&then[2..6]);
            }
        }
    }

    #[test]
    fn a_pipe_has_its_own_latency_and_the_load_it_is_given() {
        let config = presets::by_name("fat-tree-2").unwrap();
        let signal = |role, name: &str, rows, width| SignalDecl::new(role, name, rows, width);
        let layout = Layout::new([
            signal(Role::Input, "in_valid", 1, 4),
            signal(Role::Input, "in_head", 1, 4),
            signal(Role::Input, "in_flit", 16, 32),
            signal(Role::Output, "out_valid", 1, 4),
            signal(Role::Output, "out_head", 1, 4),
            signal(Role::Output, "out_flit", 16, 32),
        ]);
        let mut pipe = Pipe { layout, past: Default::default() };
        // Packets of two flits every four cycles, made three cycles before they come.
        let mut drive = |cycle: u64, _last: &[u64], inputs: &mut [u64]| {
            inputs.fill(0);
            inputs[0] = u64::from(cycle % 4 < 2);
            inputs[1] = u64::from(cycle.is_multiple_of(4));
            inputs[2 + NUMBER] = cycle / 4;
            inputs[2 + BORN] = (cycle as u32).wrapping_sub(3).into();
        };
        let measured = measure(&config, &mut pipe, &mut drive, 100, 400).unwrap();
        assert_eq!((measured.offered, measured.accepted), (0.125, 0.125));
        assert_eq!((measured.mean_latency, measured.least_latency, measured.most_latency), (7.0, 7, 7));
        assert_eq!((measured.packets, measured.mean_total_latency), (100, 10.0));
    }
}
