//! Pins in constraint files.

use crate::Port;
use anyhow::{Result, ensure};
use std::collections::BTreeSet;

/// Names of the pins that a file gives a place to: `clk`, and `led[0]` of a port of several bits.
pub(crate) type Pins = BTreeSet<String>;

/// Of an LPF file, as nextpnr reads it: `LOCATE COMP "led[0]" SITE "B2";`.
pub(crate) fn of_lpf(text: &str) -> Pins {
    let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix("LOCATE COMP"));
    lines.filter_map(|rest| Some(rest.split('"').nth(1)?.to_string())).collect()
}

/// Of an XDC file, as Vivado reads it: `set_property -dict {PACKAGE_PIN E3 ...} [get_ports {led[0]}]`.
pub(crate) fn of_xdc(text: &str) -> Pins {
    let lines = text
        .lines()
        .map(str::trim_start)
        .filter(|line| line.starts_with("set_property") && line.contains("PACKAGE_PIN"));
    let name = |line: &str| {
        let name = line.split_once("get_ports")?.1.trim_end().strip_suffix(']')?;
        Some(name.trim().trim_start_matches('{').trim_end_matches('}').trim().to_string())
    };
    lines.filter_map(name).collect()
}

/// Has every bit of every port a place?
///
/// # Errors
/// Names those that have none.
pub(crate) fn check(ports: &[Port], pins: &Pins, file: &str) -> Result<()> {
    let bits = |port: &Port| match port.width {
        1 => vec![port.name.clone()],
        width => (0..width).map(|bit| format!("{}[{bit}]", port.name)).collect(),
    };
    let missing: Vec<String> = ports
        .iter()
        .flat_map(|port| {
            let absent: Vec<String> = bits(port).into_iter().filter(|bit| !pins.contains(bit)).collect();
            match (absent.len(), port.width) {
                // A port of which no bit is known goes by its own name.
                (absent, width) if absent == width => vec![port.name.clone()],
                _ => absent,
            }
        })
        .collect();
    ensure!(missing.is_empty(), "pin: {} has no place in {file}", missing.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;

    #[test]
    fn constraint_files_are_read() {
        let lpf = "# LOCATE COMP \"no\" SITE \"A1\";\nLOCATE COMP \"clk\" SITE \"G2\";\n  LOCATE COMP \"led[3]\"   SITE \"A2\";\n";
        assert_eq!(of_lpf(lpf).into_iter().collect::<Vec<_>>(), ["clk", "led[3]"]);
        let xdc = "# set_property -dict {PACKAGE_PIN A1} [get_ports no]\nset_property -dict {PACKAGE_PIN E3 IOSTANDARD LVCMOS33} [get_ports clk]\n\
                   set_property -dict {PACKAGE_PIN H5 IOSTANDARD LVCMOS33} [get_ports {led[0]}]\ncreate_clock -period 10.0 [get_ports clk]\n";
        assert_eq!(of_xdc(xdc).into_iter().collect::<Vec<_>>(), ["clk", "led[0]"]);
    }

    #[test]
    fn pins_without_a_place_are_named() {
        let pins: Pins = ["clk", "led[0]", "led[1]"].map(String::from).into();
        let port = |name: &str, width| Port { name: name.into(), direction: Direction::Output, width };
        check(&[port("clk", 1), port("led", 2)], &pins, "b.lpf").unwrap();
        // Tools call the pin of a one-bit port by the port's name, without a number.
        check(&[port("led", 1)], &pins, "b.lpf").unwrap_err();
        let error = check(&[port("led", 3), port("uart", 4)], &pins, "b.lpf").unwrap_err().to_string();
        assert_eq!(error, "pin: led[2], uart has no place in b.lpf");
    }
}
