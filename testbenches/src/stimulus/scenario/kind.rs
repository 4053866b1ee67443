//! How the inputs of a block are driven, told apart by their names in the microarchitecture pages.

/// How an input is driven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Reset,
    /// A small number, now and then 0 or the largest, kept for a while.
    Duration,
    /// A one-hot round-robin pointer, kept for a while.
    Pointer,
    /// Any value, kept for a while.
    Held,
    /// A set of ports that may be asked for.
    Request,
    /// Fresh in every cycle.
    Event,
    /// 1 about as seldom as held values change: what it clears has time to grow.
    Rare,
    /// Now and then next to something the block has just shown: a random count would never meet a limit of 24 bits.
    Compared,
    /// Fresh in every cycle, uniformly.
    Uniform,
    /// Comes often for a while, then seldom for a while: what it fills runs full, what it empties runs empty.
    Tide,
    /// Comes often for a while, then not at all for a while: what waits for it waits as long as can be.
    Drought,
    /// Most bits are set.
    Usual,
    /// At most one bit is set.
    OneHot,
    /// The number of a virtual channel, mostly of one that exists.
    VcNumber,
    /// The number of an input port, and of a virtual channel: of those that exist.
    InputPort,
    KnownVc,
    /// Code of a phase, mostly of one that there is.
    Phase,
    /// The same of a port that mostly sends.
    LinkPhase,
    /// The same, kept for a while, a row a port; at times all ports are off.
    NeighbourPhase,
    /// Mostly 0.
    Level,
    /// Flits in the buffers of a port.
    Fill,
    /// The address of this switch, and its stage: of those that exist, kept for a while.
    Position,
    Stage,
    /// The address of a destination, mostly of one that exists.
    Destination,
    /// A header, with a length that is mostly allowed; above it the mark of a header entry.
    Header,
    /// Rows of flits: the first word of each is a header.
    Flit,
    /// Byte address / 4 of a word, mostly of one that exists.
    WordAddress,
    /// Of the register bus: mostly an address that exists, mostly all bytes, mostly a small number.
    BusAddress,
    BusStrobes,
    BusData,
}

/// The kind of an input that is no mechanism's own.
pub(super) fn kind(name: &str) -> Kind {
    match name {
        "rst" => Kind::Reset,
        "period" => Kind::Duration,
        "pointer" => Kind::Pointer,
        "adaptive" | "deterministic" | "request" => Kind::Request,
        "check" | "clear" => Kind::Rare,
        "write_data" | "read_data" => Kind::Uniform,
        "push" | "pop" | "arrive" | "read" | "sent" | "returned" | "in_valid" | "out_credit_valid" => Kind::Tide,
        "can_read" | "drop" => Kind::Drought,
        "room" | "can_take" | "adaptive_vcs" | "deterministic_vcs" | "allowed" | "routable" | "grantable"
        | "steady" => Kind::Usual,
        // At most one virtual channel of an input port is accepted in a cycle.
        "accept" | "grant" | "grant_vc" | "select" | "select_vc" | "departing_vc" | "vc" => Kind::OneHot,
        "in_vc" | "out_credit_vc" => Kind::VcNumber,
        "input_port" => Kind::InputPort,
        "input_vc" => Kind::KnownVc,
        "phase" | "neighbour_phase" => Kind::Phase,
        "in_phase" => Kind::LinkPhase,
        "level" => Kind::Level,
        "fill" | "occupancy" => Kind::Fill,
        "position" => Kind::Position,
        "stage" => Kind::Stage,
        "destination" => Kind::Destination,
        "header" | "fetched" => Kind::Header,
        "in_flit" => Kind::Flit,
        "write_address" | "read_address" => Kind::WordAddress,
        "s_axi_awaddr" | "s_axi_araddr" => Kind::BusAddress,
        "s_axi_wstrb" => Kind::BusStrobes,
        "s_axi_wdata" => Kind::BusData,
        _ => Kind::Event,
    }
}
