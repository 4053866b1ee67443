//! Packets in the input queues of a switch as the stimulus of its power controller.

use super::Stimulus;
use powar_config::{Layout, Role};
use powar_traffic::{PacketArrival, SwitchQueues};

/// [`SwitchQueues`] as a lock-step stimulus for the power controller.
pub struct SwitchTraffic<I: Iterator<Item = PacketArrival>> {
    queues: SwitchQueues<I>,
    slots: Slots,
    /// Register writes still to come, last one first.
    writes: Vec<RegisterWrite>,
}

/// A write of a word: its byte address / 4, 0..=1023, and data (`docs/microarchitecture/controller.md`).
pub type RegisterWrite = (u16, u32);

/// Where the signals of the power controller lie in its frames.
struct Slots {
    rst: usize,
    adaptive: usize,
    deterministic: usize,
    flit_valid: usize,
    flit_tail: usize,
    grant: usize,
    transmit: usize,
    requesters: usize,
    write_enable: usize,
    write_address: usize,
    write_data: usize,
}

/// Cycles of reset before the traffic starts.
pub const RESET_CYCLES: u64 = 2;

impl<I: Iterator<Item = PacketArrival>> SwitchTraffic<I> {
    /// For a power controller with this layout. The arrivals' cycle 0 is the first after reset; `writes` are made one a
    /// cycle from then on.
    pub fn new(layout: &Layout, arrivals: I, writes: &[RegisterWrite]) -> Self {
        let input = |name: &str| layout.input(name).expect("a signal of the power controller");
        let output = |name: &str| layout.observed(Role::Output, name).expect("a signal of the power controller");
        let requesters = layout.inputs.iter().find(|signal| signal.name == "adaptive").map_or(0, |signal| signal.rows);
        SwitchTraffic {
            queues: SwitchQueues::new(requesters, arrivals),
            slots: Slots {
                rst: input("rst"),
                adaptive: input("adaptive"),
                deterministic: input("deterministic"),
                flit_valid: input("flit_valid"),
                flit_tail: input("flit_tail"),
                grant: output("grant"),
                transmit: output("transmit"),
                requesters,
                write_enable: input("write_enable"),
                write_address: input("write_address"),
                write_data: input("write_data"),
            },
            writes: writes.iter().rev().copied().collect(),
        }
    }
}

impl<I: Iterator<Item = PacketArrival>> Stimulus for SwitchTraffic<I> {
    fn drive(&mut self, cycle: u64, last: &[u64], inputs: &mut [u64]) {
        let Slots { rst, adaptive, deterministic, flit_valid, flit_tail, grant, transmit, requesters, .. } = self.slots;
        inputs.fill(0);
        let Some(now) = cycle.checked_sub(RESET_CYCLES) else {
            inputs[rst] = 1;
            return;
        };
        let presented = self.queues.cycle(now, &last[grant..][..requesters], last[transmit]);
        inputs[adaptive..][..requesters].copy_from_slice(&presented.adaptive);
        inputs[deterministic..][..requesters].copy_from_slice(&presented.deterministic);
        inputs[flit_valid] = presented.flit_valid;
        inputs[flit_tail] = presented.flit_tail;
        if let Some((address, data)) = self.writes.pop() {
            inputs[self.slots.write_enable] = 1;
            inputs[self.slots.write_address] = u64::from(address);
            inputs[self.slots.write_data] = u64::from(data);
        }
        self.queues.departures();
    }
}
