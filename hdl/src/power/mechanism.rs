//! What a power mechanism is to the switch: a block with the ports of [`MechanismPorts`], whatever it does inside.
//!
//! To add one: a folder in `mechanisms` with such a block and its [`Entry`], and one line in [`crate::mechanisms::ALL`].

use crate::port_bundle;
use crate::rtl_block::{RtlBlock, any_block};
use powar_config::{Config, Mechanism, Phase, Sees};
use rust_hdl::prelude::*;
use std::ops::{Deref, DerefMut};

port_bundle! {
    /// Ports of a power mechanism (docs/microarchitecture/power.md). Vectors have one element a port of the switch; what the mechanism
    /// does not see has none.
    pub struct MechanismPorts(clocked)
    /// For a switch of `n` ports.
    pub fn new(n: usize, sees: Sees) -> Self {}
    inputs {
        /// Packed address of this switch.
        position[if_seen(sees.place, 1)]: Bits<16>,
        /// Stage of this switch in a tree: 0 is the leaf stage.
        stage[if_seen(sees.place, 1)]: Bits<4>,
        /// The port is held by a packet.
        held[n]: Bit,
        /// The port is given to a packet in this cycle.
        given[n]: Bit,
        /// A flit sets out for the port in this cycle.
        departing[n]: Bit,
        /// A packet in some head register could be given the port, by its destination and the room in the next buffer.
        wanted[if_seen(sees.wanted, n)]: Bit,
        /// A flit comes in at the port.
        arriving[if_seen(sees.buffers, n)]: Bit,
        /// A flit is read from the buffer of the port.
        leaving[if_seen(sees.buffers, n)]: Bit,
        /// Flits in the input buffer of the port.
        fill[if_seen(sees.buffers, n)]: Bits<13>,
        /// Flits in the next buffer and on the way there and back.
        occupancy[if_seen(sees.buffers, n)]: Bits<13>,
        /// Phase of the port at the other end of the link.
        neighbour_phase[if_seen(sees.neighbours, n)]: Bits<3>,
        /// Its hint bit.
        hint_in[if_seen(sees.neighbours, n)]: Bit,
        /// Word of the control ring that comes in from the switch before.
        ring_in[if_seen(sees.ring.is_some(), 1)]: Bits<42>,
        /// The row of the routing table that was asked for last, word 0 lowest.
        lookup_row[sees.routes.row_words()]: Bits<32>,
        /// Write `write_data` to the word at `write_address`, byte address / 4, at the end of this cycle.
        write_enable: Bit,
        write_address: Bits<10>,
        write_data: Bits<32>,
        /// The word to be shown, likewise.
        read_address: Bits<10>,
    }
    outputs {
        /// The word at `read_address`; 0 if it is none of the mechanism's.
        read_data: Bits<32>,
        /// The port may be given to a packet, once it is not held.
        grantable[n]: Bit,
        /// The port is taken before those that are not preferred.
        preferred[n]: Bit,
        /// The port may send in this cycle.
        ready[n]: Bit,
        /// If the port is held, it stays ready for the next four cycles.
        steady[n]: Bit,
        /// Phase of the port: 0 On, 1 GoingOff, 2 Off, 3 ComingOn, 4 Refreshing, 5 Draining.
        phase[n]: Bits<3>,
        /// Rate and voltage of the port.
        level[n]: Bits<3>,
        /// ComingOn begins with the next cycle.
        waking[n]: Bit,
        /// To the other end of the link.
        hint[n]: Bit,
        /// The port is to be counted on.
        serves[n]: Bit,
        /// Word of the control ring to the next switch.
        ring_out[if_seen(sees.ring.is_some(), 1)]: Bits<42>,
        /// The row of this packed address is asked for.
        lookup[if_seen(sees.routes.looks_up(), 1)]: Bit,
        lookup_address[if_seen(sees.routes.looks_up(), 1)]: Bits<16>,
    }
}

/// How many signals there are of a kind of `signals`, of which a mechanism sees all or none.
pub fn if_seen(seen: bool, signals: usize) -> usize {
    if seen { signals } else { 0 }
}

/// The code of a phase.
pub fn phase_code(phase: Phase) -> Bits<3> {
    (phase as usize).to_bits()
}

/// The code of a policy of `mechanism`, `W` bits.
///
/// # Panics
/// It has no policy of this name.
pub fn policy_code<const W: usize>(mechanism: &Mechanism, name: &str) -> Bits<W> {
    mechanism.policies.iter().position(|policy| policy.name == name).expect("a policy of the mechanism").to_bits()
}

/// A block with the ports of a power mechanism.
pub trait PowerMechanism: RtlBlock + Deref<Target = MechanismPorts> + DerefMut {}

impl<M: RtlBlock + Deref<Target = MechanismPorts> + DerefMut> PowerMechanism for M {}

any_block!(dyn PowerMechanism);

/// Builds a block of known sizes.
pub type Builder<'a> = Box<dyn Fn() -> Box<dyn RtlBlock> + 'a>;

/// The RTL of a power mechanism.
pub struct Entry {
    /// What both models share about it; its name is that of the Verilog module.
    pub mechanism: &'static Mechanism,
    /// Builds it for a checked configuration.
    pub build: fn(&Config) -> Box<dyn PowerMechanism>,
    /// The blocks that it alone is made of, by name.
    pub blocks: fn(&Config) -> Vec<(String, Builder<'_>)>,
}
