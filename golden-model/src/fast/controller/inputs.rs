//! What goes into the power controller in a cycle and what comes out.

use crate::fast::power::{Around, ShownBuffers, Sideband};
use crate::reference::power::mechanism::Write;
use crate::reference::power::power_manager::Read;

/// The inputs of a cycle; vectors have one bit a port.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a> {
    /// Synchronous reset.
    pub rst: bool,
    /// Candidate set P of each requester.
    pub adaptive: &'a [u64],
    /// Deterministic set D of each requester.
    pub deterministic: &'a [u64],
    /// Which requesters have a packet, bit r being requester r: rows of others are not read. `None`: those with a port
    /// in one of their sets; finding them out costs a look at every row.
    pub requesting: Option<u64>,
    /// A flit leaves on the port.
    pub flit_valid: u64,
    /// That flit is its packet's tail.
    pub flit_tail: u64,
    /// What the mechanism sees of the switch from this cycle on, but for buffers and for `wanted`, which follows from the sets. `None`: as before.
    pub around: Option<&'a Around>,
    /// What it sees of buffers. `None`: they are as full as before, or empty behind a reset, with no flit arriving or leaving.
    pub buffers: Option<&'a ShownBuffers>,
    pub write: Option<Write>,
    pub read: Read,
}

impl Inputs<'static> {
    /// A cycle in which nothing comes in.
    pub const IDLE: Inputs<'static> = Inputs {
        rst: false,
        adaptive: &[],
        deterministic: &[],
        requesting: Some(0),
        flit_valid: 0,
        flit_tail: 0,
        around: None,
        buffers: None,
        write: None,
        read: Read { request: false, address: 0 },
    };
}

/// The outputs of a cycle; vectors have one bit a port unless said otherwise. Who is granted what is
/// [`super::PowerController::grants`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// The port is granted to a requester in this cycle.
    pub given: u64,
    /// Bit r: requester r is granted a port in this cycle.
    pub accepted: u64,
    /// The port is held and ready: its packet may leave.
    pub transmit: u64,
    /// The port is held by a packet.
    pub held: u64,
    /// The port may be given to a packet.
    pub grantable: u64,
    /// The port is taken before others.
    pub preferred: u64,
    /// The port may send.
    pub ready: u64,
    /// Phase and hint of the port, for the other end of its link.
    pub sideband: Sideband,
}
