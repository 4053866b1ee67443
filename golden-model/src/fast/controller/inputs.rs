//! What goes into the power controller in a cycle and what comes out.

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
    /// A write to a control register: address 0..=15 and data (section 3.12).
    pub write: Option<(u8, u32)>,
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
        write: None,
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
    /// The port is held and `Active`: its packet may leave.
    pub transmit: u64,
    /// The port is held by a packet.
    pub busy: u64,
    /// The port's power state is `Active`.
    pub awake: u64,
    /// `Asleep` in a refresh period.
    pub refreshing: u64,
    /// All but `Asleep` and quiet.
    pub full_power: u64,
    /// The port may be chosen (POWAR Algorithms 2 and 3).
    pub selectable: u64,
    /// Last cycle of a check period.
    pub check: bool,
}
