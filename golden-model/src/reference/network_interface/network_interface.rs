//! `network_interface`: a node's way into the network and out of it, with its statistics.

use super::injection::{CREDIT_VALID, CREDIT_VC, InjectionInputs};
use super::injection_queues::{QueuesInputs, Refused};
use super::reception::ReceptionInputs;
use super::{Injection, InjectionQueues, Reception};
use crate::inputs;
use crate::lock_step::Block;
use crate::reference::mechanisms::wake_hints::NodeHints;
use crate::reference::mechanisms::wake_hints::node_hints::NodeHintInputs;
use crate::register_rows::{RegisterRows, Registers};
use powar_config::signal::{count, destination, flag, flags};
use powar_config::{Config, Habit, NodeHint, Owner, SignalSpec};

/// Words of the statistics.
pub const STATISTICS: usize = 10;

/// A network interface; the public fields are its children and its registers.
#[derive(Clone, Debug)]
pub struct NetworkInterface {
    pub queues: InjectionQueues,
    pub injection: Injection,
    pub reception: Reception,
    /// Words on the lane, if the mechanism of the switches reads addresses.
    pub hints: Option<NodeHints>,
    /// Packets and flits sent, packets and flits received, packets refused (too long, wrong bytes kept, empty), flits with framing
    /// errors and overflows, credit errors.
    pub statistics: [u32; STATISTICS],
    words: usize,
}

inputs! {
    /// What a network interface sees in a cycle.
    #[derive(Clone, Copy, Debug)]
    pub struct NetworkInterfaceInputs<'a> of block: &NetworkInterface {
        /// Packed address of this node.
        pub address: u16 = destination("address").habit(Habit::Held),
        /// The statistics go back to 0.
        pub clear: bool = flag("clear").habit(Habit::Rare),
        /// The stream of the node; `start` and `read` are of no meaning.
        pub stream: QueuesInputs<'a> = (block.words, 0),
        /// Of a beat that begins a packet: it announces one and is none; the packet has been announced.
        pub tuser: u8 = flags("s_axis_tuser", Owner::Block, 2).only_if(block.hints.is_some()),
        pub link: ReceptionInputs<'a> = block.words,
        pub out_credit_valid: bool = CREDIT_VALID,
        pub out_credit_vc: u8 = CREDIT_VC,
    }
}

impl NetworkInterface {
    /// The interface of a node at this configuration's switch, in its state after reset.
    pub fn new(config: &Config) -> Self {
        NetworkInterface {
            queues: InjectionQueues::new(config),
            injection: Injection::new(config),
            reception: Reception::new(config),
            hints: (config.mechanism().node_hint == NodeHint::Addresses).then(NodeHints::new),
            statistics: [0; STATISTICS],
            words: config.switch.flit_words(),
        }
    }

    /// What its lane sees of a cycle.
    fn hint_inputs(&self, inputs: &NetworkInterfaceInputs) -> NodeHintInputs {
        let QueuesInputs { tvalid, tlast, tdest, .. } = inputs.stream;
        NodeHintInputs { tvalid, tready: self.queues.tready(), tlast, tdest, tuser: inputs.tuser }
    }

    /// A word that goes to the lane at the end of this cycle finds no room there.
    pub(crate) fn drops_hint(&self, inputs: &NetworkInterfaceInputs) -> bool {
        self.hints.as_ref().is_some_and(|hints| hints.drops(&self.hint_inputs(inputs)))
    }

    /// The clock edge; with `rst` only the memories pass it as always.
    pub fn clock(&mut self, rst: bool, inputs: &NetworkInterfaceInputs) {
        let header: Vec<u64> = self.queues.header().map(u64::from).collect();
        let (waiting, flit) = (self.queues.waiting(), self.queues.flit());
        let decision = self.injection.decision(waiting, &header);
        let Refused { long, keep, empty } = self.queues.refused();
        let [packet, received, framing, overflow] = self.reception.events(&inputs.link);
        let events = [
            decision.start != 0,
            decision.busy(),
            packet,
            received,
            long,
            keep,
            empty,
            framing,
            overflow,
            self.injection.credit_error(decision),
        ];
        for (counter, event) in self.statistics.iter_mut().zip(events) {
            *counter = if inputs.clear || rst { 0 } else { counter.wrapping_add(event.into()) };
        }
        let hint = match &self.hints {
            Some(hints) => hints.hint(),
            None => decision.busy() && self.queues.pending(decision.start),
        };
        let announces = self.hints.as_ref().is_some_and(|hints| hints.announces(inputs.tuser));
        let hint_inputs = self.hint_inputs(inputs);
        if let Some(hints) = &mut self.hints {
            if rst { hints.reset() } else { hints.clock(&hint_inputs) }
        }
        let seen = InjectionInputs {
            source: inputs.address,
            waiting,
            header: &header,
            flit: &flit,
            hint,
            out_credit_valid: inputs.out_credit_valid,
            out_credit_vc: inputs.out_credit_vc,
        };
        if rst {
            self.injection.reset()
        } else {
            self.injection.clock(&seen)
        }
        let (tvalid, start, read) = (inputs.stream.tvalid && !announces, decision.start, decision.read);
        self.queues.clock(rst, &QueuesInputs { tvalid, start, read, ..inputs.stream });
        self.reception.clock(rst, &inputs.link);
    }
}

fn statistics() -> SignalSpec {
    count("statistics", 32).rows(Owner::Part("statistics"), STATISTICS)
}

impl Registers for NetworkInterface {
    fn list(&self, rows: &mut RegisterRows) {
        rows.many(statistics(), self.statistics);
        rows.child("queues", [&self.queues]);
        rows.child("injection", [&self.injection]);
        rows.child("reception", [&self.reception]);
        rows.child("hints", &self.hints);
    }
}

impl Block for NetworkInterface {
    type Inputs<'a> = NetworkInterfaceInputs<'a>;

    fn outputs(&self, _: &NetworkInterfaceInputs, rows: &mut RegisterRows) {
        rows.one(flag("s_axis_tready"), self.queues.tready());
        self.reception.show(rows);
        self.injection.show_link(rows);
        rows.many(statistics(), self.statistics);
    }

    fn edge(&mut self, rst: bool, seen: &NetworkInterfaceInputs) {
        self.clock(rst, seen);
    }
}
