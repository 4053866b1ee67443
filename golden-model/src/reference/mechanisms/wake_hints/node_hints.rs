//! `node_hints`: the words of a network interface, one for each packet that comes into it or is announced on its stream.

use super::HintSender;
use crate::inputs;
use crate::lock_step::Block;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::Owner;
use powar_config::signal::{destination, flag, flags};

/// What an interface has on its lane; the public fields are its child and its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeHints {
    /// The next beat is the first of its packet.
    pub opening: bool,
    pub sender: HintSender,
}

inputs! {
    /// What it sees of the stream into the interface in a cycle.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct NodeHintInputs {
        pub tvalid: bool = flag("s_axis_tvalid"),
        pub tready: bool = flag("s_axis_tready"),
        pub tlast: bool = flag("s_axis_tlast"),
        /// Packed address of the packet's destination.
        pub tdest: u16 = destination("s_axis_tdest"),
        /// Of a beat that begins a packet: [`ANNOUNCEMENT`] or [`ANNOUNCED`].
        pub tuser: u8 = flags("s_axis_tuser", Owner::Block, 2),
    }
}

/// The beat is a word for its destination, and no packet.
pub const ANNOUNCEMENT: u8 = 1;
/// There has been a word of the packet.
pub const ANNOUNCED: u8 = 2;

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

    /// The beat on the stream is an announcement.
    pub fn announces(&self, tuser: u8) -> bool {
        self.opening && tuser & ANNOUNCEMENT != 0
    }

    /// The beat that is taken is to have a word.
    fn pushes(&self, inputs: &NodeHintInputs) -> bool {
        let has_word = self.announces(inputs.tuser) || inputs.tuser & ANNOUNCED == 0;
        inputs.tvalid && inputs.tready && self.opening && has_word
    }

    /// The word that a beat is to have finds no room.
    pub(crate) fn drops(&self, inputs: &NodeHintInputs) -> bool {
        self.sender.dropped(self.pushes(inputs), true)
    }

    /// The edge with `rst`.
    pub fn reset(&mut self) {
        *self = NodeHints::new();
    }

    /// The clock edge.
    pub fn clock(&mut self, inputs: &NodeHintInputs) {
        let (accept, announces) = (inputs.tvalid && inputs.tready, self.announces(inputs.tuser));
        self.sender.clock(self.pushes(inputs), inputs.tdest, true);
        if accept && !announces {
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

impl Block for NodeHints {
    type Inputs<'a> = NodeHintInputs;

    fn outputs(&self, seen: &NodeHintInputs, rows: &mut RegisterRows) {
        rows.one(flag("announces"), self.announces(seen.tuser));
        rows.one(flag("hint"), self.hint());
    }

    fn edge(&mut self, rst: bool, seen: &NodeHintInputs) {
        if rst { self.reset() } else { self.clock(seen) }
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
            hints.clock(&NodeHintInputs { tvalid: cycle < beats.len(), tready, tlast, tdest, tuser: 0 });
        }
        assert_eq!(got, [(18, 5), (36, 9)]);
        assert!(hints.is_idle() && hints.opening);
        hints.clock(&NodeHintInputs { tvalid: true, tready: true, tlast: false, tdest: 1, tuser: 0 });
        assert!(!hints.is_idle() && !hints.opening);
        hints.reset();
        assert_eq!(hints, NodeHints::new());
    }

    #[test]
    fn a_packet_that_was_announced_has_no_second_word() {
        let (mut hints, mut receiver, mut got) = (NodeHints::new(), HintReceiver::new(), vec![]);
        // Announced: node 7, whatever `tlast` says. Then packets of two beats for 5, which has a word, and for 7; an announcement inside a packet is none.
        let beats =
            [(7, ANNOUNCEMENT, false), (5, 0, false), (3, ANNOUNCEMENT, true), (7, ANNOUNCED, false), (7, 0, true)];
        for cycle in 0..80 {
            receiver.clock(hints.hint(), true, receiver.waiting);
            if receiver.waiting {
                got.push(receiver.destination);
            }
            let (tdest, tuser, tlast) = beats.get(cycle).copied().unwrap_or_default();
            assert_eq!(hints.announces(tuser), cycle == 0, "cycle {cycle}");
            hints.clock(&NodeHintInputs { tvalid: cycle < beats.len(), tready: true, tlast, tdest, tuser });
        }
        assert_eq!(got, [7, 5]);
        assert!(hints.is_idle() && hints.opening);
    }
}
