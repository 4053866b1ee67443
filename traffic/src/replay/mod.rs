//! Replays MPI programs: when does which node inject which message?
//!
//! What the ranks do, and what they wait for, is in [`program`](crate::program); what carries their messages is another thing:
//!
//! - A network tells when messages have left and come in: [`ProgramReplay`](crate::program::ProgramReplay), the closed loop.
//!   Contention and sleeping links slow the ranks down, and the run time of the program comes out.
//! - An ideal network, in which a message waits for nothing but the link of its own node and has come in
//!   when its last flit has left, plus the hops to the receiver: [`Trace::replay`](crate::Trace::replay),
//!   the open loop. Where the traffic offered to a single switch must not depend on the switch under test.
//!
//! Either way ranks wait for what they receive. Without that they drift apart, and data would be sent on long
//! before it has arrived.

pub(crate) mod ideal;
pub mod message;
pub(crate) mod open_loop;

pub(crate) use open_loop::OpenLoop as Replay;

/// Switches between two different nodes, given as (source, destination).
pub type Hops = Box<dyn Fn(u32, u32) -> u32 + Send>;
