//! The harness a module is measured in.

use crate::Port;
use crate::identifier::{in_verilog, is_simple};
use crate::ports::PortRoles;
use std::fmt::Write;

/// The registers around a module, so that every path into and out of it begins and ends in a register and the
/// clock rate nextpnr reports is the module's own, whatever the pins do. Two registers in a row on either side let
/// the inner one be placed beside the module. The clock and the reset come straight from their pins: how a reset is
/// distributed over a chip is not the module's business.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Harness {
    /// Five pins whatever the module's ports are: inputs are shifted in, outputs are folded into one bit by a tree of
    /// exclusive ors with a register after each.
    Serial,
    /// A pin for every bit of every port, as arbiters are usually measured; only for modules with few ports.
    Pins,
}

/// The harness's module name.
pub(crate) const TOP: &str = "measuring_harness";
/// The name under which the measured module stands in the harness; its cells' names begin with it.
pub(crate) const INSTANCE: &str = "core";
/// Names of the registers next to the module begin with these, each followed by a port's name.
pub(crate) const LAUNCH: &str = "launch_";
pub(crate) const CAPTURE: &str = "capture_";
/// Wires out of the module; its output registers may go by these names.
pub(crate) const RESULT: &str = "result_";

impl Harness {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Harness::Serial => "serial",
            Harness::Pins => "pins",
        }
    }

    /// The harness around module `top`, as Verilog.
    pub(crate) fn verilog(self, top: &str, ports: &PortRoles) -> String {
        let mut body = Body::default();
        let serial = self == Harness::Serial;
        if serial {
            body.shift_in(ports.input_bits());
        }
        let mut offset = 0;
        for port in &ports.inputs {
            let (name, range) = (local(port), range(port.width));
            body.declaration(format!("reg {range}{LAUNCH}{name};"));
            if serial {
                // Without the enable it would always equal the next place of the shift register, and synthesis would
                // make one register of the two.
                body.clocked(format!("if (load) {LAUNCH}{name} <= shift[{}:{offset}];", offset + port.width - 1));
            } else {
                body.pin(format!("input wire {range}pin_{name}"));
                body.declaration(format!("reg {range}outer_{name};"));
                body.clocked(format!("outer_{name} <= pin_{name};"));
                body.clocked(format!("{LAUNCH}{name} <= outer_{name};"));
            }
            body.connection(&port.name, &format!("{LAUNCH}{name}"));
            offset += port.width;
        }
        let mut captured = Vec::new();
        for port in &ports.outputs {
            let (name, range) = (local(port), range(port.width));
            body.declaration(format!("wire {range}{RESULT}{name};"));
            body.declaration(format!("reg {range}{CAPTURE}{name};"));
            body.clocked(format!("{CAPTURE}{name} <= {RESULT}{name};"));
            if !serial {
                body.pin(format!("output reg {range}pin_{name}"));
                body.clocked(format!("pin_{name} <= {CAPTURE}{name};"));
            }
            body.connection(&port.name, &format!("{RESULT}{name}"));
            captured.push(format!("{CAPTURE}{name}"));
        }
        if serial {
            body.fold(&captured.join(", "), ports.output_bits());
        }
        body.finish(top, ports)
    }
}

/// A port's name as part of a longer one.
fn local(port: &Port) -> String {
    if is_simple(&port.name) {
        return port.name.clone();
    }
    // Each odd character as its code, so that different names stay different.
    port.name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("_{:x}_", c as u32) })
        .collect()
}

fn range(width: usize) -> String {
    if width == 1 { String::new() } else { format!("[{}:0] ", width - 1) }
}

/// The parts of the harness as they come together.
#[derive(Default)]
struct Body {
    pins: Vec<String>,
    declarations: String,
    clocked: String,
    connections: Vec<String>,
}

impl Body {
    fn pin(&mut self, text: String) {
        self.pins.push(text);
    }

    fn declaration(&mut self, text: String) {
        writeln!(self.declarations, "    {text}").expect("writing to a string");
    }

    fn clocked(&mut self, text: String) {
        writeln!(self.clocked, "        {text}").expect("writing to a string");
    }

    fn connection(&mut self, port: &str, signal: &str) {
        self.connections.push(format!(".{}({signal})", in_verilog(port)));
    }

    /// One long shift register that reaches every input.
    fn shift_in(&mut self, bits: usize) {
        if bits == 0 {
            return;
        }
        self.pin("input wire serial_in".into());
        self.pin("input wire load".into());
        self.declaration(format!("reg [{}:0] shift;", bits - 1));
        let next = if bits == 1 { "serial_in".into() } else { format!("{{shift[{}:0], serial_in}}", bits - 2) };
        self.clocked(format!("shift <= {next};"));
    }

    /// Four bits into one a level, which is one look-up table between registers.
    fn fold(&mut self, captured: &str, bits: usize) {
        self.pin("output wire folded".into());
        self.declaration(format!("reg [{}:0] fold_0;", bits - 1));
        self.clocked(format!("fold_0 <= {{{captured}}};"));
        let (mut level, mut width) = (0, bits);
        while width > 1 {
            let next = width.div_ceil(4);
            self.declaration(format!("reg [{}:0] fold_{};", next - 1, level + 1));
            for bit in 0..next {
                let high = (4 * bit + 3).min(width - 1);
                self.clocked(format!("fold_{}[{bit}] <= ^fold_{level}[{high}:{}];", level + 1, 4 * bit));
            }
            (level, width) = (level + 1, next);
        }
        self.declaration(format!("assign folded = fold_{level}[0];"));
    }

    fn finish(mut self, top: &str, ports: &PortRoles) -> String {
        let mut pins = vec!["input wire clk".to_string()];
        if let Some(clock) = &ports.clock {
            self.connection(clock, "clk");
        }
        if let Some(reset) = &ports.reset {
            pins.push("input wire rst".into());
            self.connection(reset, "rst");
        }
        pins.append(&mut self.pins);
        format!(
            "// Registers around module {top}, so that its own clock rate can be measured.\n\
             module {TOP} (\n    {}\n);\n{}    {top} {INSTANCE} (\n        {}\n    );\n    \
             always @(posedge clk) begin\n{}    end\nendmodule\n",
            pins.join(",\n    "),
            self.declarations,
            self.connections.join(",\n        "),
            self.clocked,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Direction;

    fn roles(inputs: &[(&str, usize)], outputs: &[(&str, usize)]) -> PortRoles {
        let ports = |list: &[(&str, usize)], direction| {
            list.iter().map(|&(name, width)| Port { name: name.into(), direction, width }).collect()
        };
        PortRoles {
            clock: Some("clk".into()),
            reset: Some("rst".into()),
            inputs: ports(inputs, Direction::Input),
            outputs: ports(outputs, Direction::Output),
        }
    }

    #[test]
    fn the_serial_harness_reaches_every_bit_once() {
        let text = Harness::Serial.verilog("m", &roles(&[("a", 3), ("b", 1)], &[("q", 5), ("r", 1)]));
        for line in [
            "input wire serial_in",
            "shift <= {shift[2:0], serial_in};",
            "if (load) launch_a <= shift[2:0];",
            "if (load) launch_b <= shift[3:3];",
            "fold_0 <= {capture_q, capture_r};",
            "fold_1[1] <= ^fold_0[5:4];",
            "fold_2[0] <= ^fold_1[1:0];",
            "assign folded = fold_2[0];",
            ".a(launch_a)",
            ".clk(clk)",
            ".rst(rst)",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
    }

    #[test]
    fn a_module_of_one_bit_needs_no_fold_and_no_shift() {
        let text = Harness::Serial.verilog("m", &roles(&[("a", 1)], &[("q", 1)]));
        assert!(text.contains("shift <= serial_in;") && text.contains("assign folded = fold_0[0];"), "{text}");
        let text = Harness::Serial.verilog("m", &roles(&[], &[("q", 1)]));
        assert!(!text.contains("serial_in") && !text.contains("shift"), "{text}");
    }

    #[test]
    fn names_verilog_would_not_take_are_escaped() {
        let text = Harness::Pins.verilog("m", &roles(&[("a[0]", 2)], &[("q", 1)]));
        assert!(text.contains(".\\a[0] (launch_a_5b_0_5d_)"), "{text}");
        assert!(text.contains("input wire [1:0] pin_a_5b_0_5d_"), "{text}");
    }
}
