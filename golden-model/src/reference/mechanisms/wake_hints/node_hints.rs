//! `node_hints`: the words of a network interface, one for each packet that comes into it.

use super::HintSender;
use crate::lock_step::{Frames, Observed, Slots, input, output};
use crate::register_rows::{RegisterRows, Registers};
use powar_config::SignalDecl;
use powar_config::signal::{RST, destination, flag};

/// What an interface has on its lane; the public fields are its child and its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeHints {
    /// The next beat is the first of its packet.
    pub opening: bool,
    pub sender: HintSender,
}

/// What it sees of the stream into the interface in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeHintInputs {
    pub tvalid: bool,
    pub tready: bool,
    pub tlast: bool,
    /// Packed address of the packet's destination.
    pub tdest: u16,
}

impl Default for NodeHints {
    fn default() -> Self {
        NodeHints::new()
    }
}

impl NodeHints {
    /// The state after reset.
    pub fn new() -> Self {
        NodeHints { opening: true, sender: HintSender::new() }
    }

    /// The lane.
    pub fn hint(&self) -> bool {
        self.sender.hint(true)
    }

    /// Nothing is on the lane, and nothing will be before something comes in.
    pub(crate) fn is_idle(&self) -> bool {
        (self.sender.count, self.sender.left) == (0, 0)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = NodeHints::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &NodeHintInputs) {
        let accept = inputs.tvalid && inputs.tready;
        self.sender.clock(accept && self.opening, inputs.tdest, true);
        if accept {
            self.opening = inputs.tlast;
        }
    }
}

impl Registers for NodeHints {
    fn list(&self, rows: &mut RegisterRows) {
        rows.one(flag("opening"), self.opening);
        rows.child("sender", [&self.sender]);
    }
}

impl Frames for NodeHints {
    fn signals(&self) -> Vec<SignalDecl> {
        let mut signals = vec![
            input(RST),
            input(flag("s_axis_tvalid")),
            input(flag("s_axis_tready")),
            input(flag("s_axis_tlast")),
            input(destination("s_axis_tdest")),
            output(flag("hint")),
        ];
        signals.extend(RegisterRows::of(self).declarations());
        signals
    }

    fn cycle(&mut self, inputs: &[u64], observed: &mut Observed) {
        let mut slots = Slots(inputs);
        let rst = slots.bit();
        let (tvalid, tready, tlast) = (slots.bit(), slots.bit(), slots.bit());
        let seen = NodeHintInputs { tvalid, tready, tlast, tdest: slots.one() as u16 };
        observed.put(self.hint());
        RegisterRows::of(self).observe(observed);
        if rst { self.reset() } else { self.clock(&seen) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::HintReceiver;
    use super::*;

    #[test]
    fn every_packet_has_one_word_from_its_first_beat_on() {
        let (mut hints, mut receiver, mut got) = (NodeHints::new(), HintReceiver::new(), vec![]);
        // Packets of three beats for nodes 5 and 9, the second beat of the first not taken at once.
        let beats = [(true, 5, false), (false, 5, false), (true, 5, false), (true, 5, true)];
        let beats = [&beats[..], &[(true, 9, false), (true, 9, false), (true, 9, true)]].concat();
        for cycle in 0..50 {
            receiver.clock(hints.hint(), true, receiver.waiting);
            if receiver.waiting {
                got.push((cycle, receiver.destination));
            }
            let (tready, tdest, tlast) = beats.get(cycle).copied().unwrap_or_default();
            hints.clock(&NodeHintInputs { tvalid: cycle < beats.len(), tready, tlast, tdest });
        }
        assert_eq!(got, [(18, 5), (36, 9)]);
        assert!(hints.is_idle() && hints.opening);
        hints.clock(&NodeHintInputs { tvalid: true, tready: true, tlast: false, tdest: 1 });
        assert!(!hints.is_idle() && !hints.opening);
        hints.reset();
        assert_eq!(hints, NodeHints::new());
    }
}
