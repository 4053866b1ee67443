//! A module's ports, as Yosys sees them once parameters are in place.

use crate::netlist::Netlist;
use anyhow::{Result, bail, ensure};
use serde::Serialize;

/// One port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    /// Its name in the source.
    pub name: String,
    /// Which way it goes.
    pub direction: Direction,
    /// Bits.
    pub width: usize,
}

/// Which way a port goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Into the module.
    Input,
    /// Out of it.
    Output,
}

/// The ports by what the harness does with them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortRoles {
    pub(crate) clock: Option<String>,
    pub(crate) reset: Option<String>,
    pub(crate) inputs: Vec<Port>,
    pub(crate) outputs: Vec<Port>,
}

/// The ports of `top` in the order of their declaration.
pub(crate) fn ports_of(netlist: &Netlist, top: &str) -> Result<Vec<Port>> {
    let module = netlist.module(top)?;
    let mut ports = Vec::new();
    for (name, port) in &module.ports {
        let direction = match port.direction.as_str() {
            "input" => Direction::Input,
            "output" => Direction::Output,
            other => bail!("port {name} of {top}: \"{other}\" ports can't be measured; only input and output"),
        };
        ports.push(Port { name: name.clone(), direction, width: port.bits.len() });
    }
    Ok(ports)
}

impl PortRoles {
    pub(crate) fn of(ports: &[Port], clock: &Option<String>, reset: &Option<String>) -> Result<PortRoles> {
        let one_bit_input = |name: &str| {
            ports.iter().any(|port| port.name == name && port.width == 1 && port.direction == Direction::Input)
        };
        let role = |what: &str, chosen: &Option<String>, usual: [&str; 2]| -> Result<Option<String>> {
            match chosen {
                Some(name) => {
                    let inputs: Vec<_> = ports
                        .iter()
                        .filter(|port| port.width == 1 && port.direction == Direction::Input)
                        .map(|port| port.name.as_str())
                        .collect();
                    ensure!(
                        one_bit_input(name),
                        "{what}: \"{name}\" is not a one-bit input; one of {}",
                        inputs.join(", ")
                    );
                    Ok(Some(name.clone()))
                }
                None => Ok(usual.into_iter().find(|name| one_bit_input(name)).map(String::from)),
            }
        };
        let clock = role("clock", clock, ["clk", "clock"])?;
        if clock.is_none() {
            let clocks: Vec<_> =
                ports.iter().map(|port| port.name.as_str()).filter(|name| name.ends_with("_clk")).collect();
            ensure!(clocks.len() < 2, "clock: {} are several; a rate can be measured of one", clocks.join(", "));
        }
        let reset = role("reset", reset, ["rst", "reset"])?;
        ensure!(clock.is_none() || clock != reset, "reset: \"{}\" is the clock already", reset.unwrap_or_default());
        let special = |port: &&Port| Some(&port.name) != clock.as_ref() && Some(&port.name) != reset.as_ref();
        let pick = |direction| {
            ports.iter().filter(special).filter(|port| port.direction == direction).cloned().collect::<Vec<_>>()
        };
        let (inputs, outputs) = (pick(Direction::Input), pick(Direction::Output));
        ensure!(!outputs.is_empty(), "the module has no outputs, so synthesis would leave nothing of it");
        Ok(PortRoles { clock, reset, inputs, outputs })
    }

    pub(crate) fn input_bits(&self) -> usize {
        self.inputs.iter().map(|port| port.width).sum()
    }

    pub(crate) fn output_bits(&self) -> usize {
        self.outputs.iter().map(|port| port.width).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, Target};

    fn port(name: &str, direction: Direction, width: usize) -> Port {
        Port { name: name.into(), direction, width }
    }

    #[test]
    fn clock_and_reset_are_recognised_or_chosen() {
        let ports = [
            port("clk", Direction::Input, 1),
            port("rst", Direction::Input, 1),
            port("a", Direction::Input, 3),
            port("b", Direction::Input, 1),
            port("q", Direction::Output, 2),
        ];
        let mut options = Options::new(Target::named("ecp5-85f").unwrap());
        let roles = PortRoles::of(&ports, &options.clock, &options.reset).unwrap();
        assert_eq!((roles.clock.as_deref(), roles.reset.as_deref()), (Some("clk"), Some("rst")));
        assert_eq!((roles.input_bits(), roles.output_bits()), (4, 2));
        options.clock = Some("b".into());
        assert_eq!(PortRoles::of(&ports, &options.clock, &options.reset).unwrap().input_bits(), 4);
        options.clock = Some("a".into());
        let error = PortRoles::of(&ports, &options.clock, &options.reset).unwrap_err().to_string();
        assert_eq!(error, "clock: \"a\" is not a one-bit input; one of clk, rst, b");
        options.clock = Some("rst".into());
        assert_eq!(
            PortRoles::of(&ports, &options.clock, &options.reset).unwrap_err().to_string(),
            "reset: \"rst\" is the clock already"
        );
    }

    #[test]
    fn a_module_without_outputs_is_refused() {
        let options = Options::new(Target::named("ecp5-85f").unwrap());
        let of_two = ["send_clk", "receive_clk"].map(|name| port(name, Direction::Input, 1));
        let error = PortRoles::of(&of_two, &None, &options.reset).unwrap_err();
        assert_eq!(error.to_string(), "clock: send_clk, receive_clk are several; a rate can be measured of one");
        let error = PortRoles::of(&[port("clk", Direction::Input, 1)], &options.clock, &options.reset).unwrap_err();
        assert!(error.to_string().contains("no outputs"));
    }
}
