//! What the check found.

use crate::bits::ones;
use serde::Serialize;
use std::fmt::{Display, Formatter, Result};

/// What the check found of a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub switches: usize,
    pub nodes: usize,
    /// Nodes whose packets were followed, from all others.
    pub destinations: usize,
    /// Virtual channels of input ports that packets may stand in.
    pub channels: usize,
    /// Switches that a packet crosses at most; `None` if it may go in circles, or something is wrong before that is known.
    pub most_hops: Option<u32>,
    /// The first thing that is wrong.
    pub flaw: Option<Flaw>,
}

/// A packet in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    pub switch: u32,
    /// Input port, and its virtual channel.
    pub port: u8,
    pub vc: u8,
    /// The node that the packet is for.
    pub destination: u32,
    /// Output ports of the switch that are off while it waits, as a mask, where on/off states are looked at; else 0.
    #[serde(skip_serializing_if = "is_none")]
    pub off: u64,
}

fn is_none(ports: &u64) -> bool {
    *ports == 0
}

/// What is wrong with a routing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Flaw {
    /// The unit does not know the destination.
    Unroutable { at: Step },
    /// It offers no port and VC at all, under some condition, or only ports that are off.
    NoWay { at: Step },
    /// It offers an output port without a cable.
    OpenPort { at: Step, output: u8 },
    /// It offers the port of another node.
    WrongNode { at: Step, output: u8, node: u32 },
    /// Each packet of the circle waits for room in the channel of the next, the last for that of the first.
    Deadlock { channels: usize, circle: Vec<Step> },
}

/// Most packets of a circle that are named.
const MOST_NAMED: usize = 12;

impl Display for Step {
    fn fmt(&self, f: &mut Formatter) -> Result {
        let Step { switch, port, vc, destination, off } = self;
        write!(f, "the packet to node {destination} in switch {switch}, port {port}, VC {vc}")?;
        match ones(*off).map(|port| port.to_string()).collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => Ok(()),
            ports if off.is_power_of_two() => write!(f, " (output port {ports} off)"),
            ports => write!(f, " (output ports {ports} off)"),
        }
    }
}

impl Display for Flaw {
    fn fmt(&self, f: &mut Formatter) -> Result {
        match self {
            Flaw::Unroutable { at } => write!(f, "{at} has a destination that the routing unit does not know"),
            Flaw::NoWay { at } => write!(f, "{at} may go nowhere"),
            Flaw::OpenPort { at, output } => write!(f, "{at} may go to output port {output}, which has no cable"),
            Flaw::WrongNode { at, output, node } => {
                write!(f, "{at} may go to output port {output}, where node {node} is")
            }
            Flaw::Deadlock { channels, circle } => {
                write!(f, "{channels} virtual channels may be full for ever: ")?;
                for (i, step) in circle.iter().take(MOST_NAMED).enumerate() {
                    let next = circle[(i + 1) % circle.len()];
                    write!(f, "{step} waits for room in switch {}, port {}, VC {}; ", next.switch, next.port, next.vc)?;
                }
                match circle.len() {
                    1 => write!(f, "a circle of 1"),
                    more if more > MOST_NAMED => write!(f, "and so on, a circle of {more}"),
                    all => write!(f, "a circle of {all}"),
                }
            }
        }
    }
}
