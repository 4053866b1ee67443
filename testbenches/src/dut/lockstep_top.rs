//! The Verilog and C++ around a design under test in Verilator.
//!
//! `lockstep_top` gives every row of every signal a port of its own: ports of the design are cut into rows, registers are
//! reached by their hierarchical names. So the shim needs no knowledge of Verilator's inner names, and the design's text
//! stays as it is emitted.

use powar_config::{Layout, Role, SignalDecl};
use std::collections::HashMap;
use std::fmt::Write;

/// A register row in the design: the hierarchical name below the instance, such as `g_fsm[3].fsm.state_q`.
#[derive(Clone, Debug)]
pub struct RegisterRow {
    /// Signal it belongs to, as in the layout: `fsm.state`.
    pub signal: String,
    pub row: usize,
    pub path: String,
    pub width: usize,
}

/// The name of the module.
pub const TOP: &str = "lockstep_top";

/// The input of [`TOP`] that switches a deliberate fault on, and its width in bits (see [`crate::faults`]).
pub const FAULT: (&str, usize) = ("fault", 8);

/// Verilog of the module around `design`; with an input [`FAULT`] if the design holds `faults`.
pub fn verilog(design: &str, clocked: bool, layout: &Layout, registers: &[RegisterRow], faults: bool) -> String {
    let mut ports = vec![];
    if faults {
        ports.push(format!("    input wire [{}:0] {}", FAULT.1 - 1, FAULT.0));
    }
    let mut connections = vec![];
    if clocked {
        ports.push("    input wire clk".to_string());
        connections.push("        .clk(clk)".to_string());
    }
    for (prefix, direction, signals) in [("i", "input", &layout.inputs), ("o", "output", &layout.observed)] {
        let mut slot = 0;
        for signal in signals {
            let rows: Vec<String> = (slot..slot + signal.rows).map(|row| format!("{prefix}{row}")).collect();
            ports.extend(rows.iter().map(|row| format!("    {direction} wire [{}:0] {row}", signal.width - 1)));
            if signal.role != Role::Register {
                let value = rows.iter().rev().cloned().collect::<Vec<_>>().join(", ");
                connections.push(format!("        .{}({{{value}}})", signal.name));
            }
            slot += signal.rows;
        }
    }
    let mut text = format!(
        "`default_nettype none\nmodule {TOP} (\n{}\n);\n    {design} dut (\n{}\n    );\n",
        ports.join(",\n"),
        connections.join(",\n")
    );
    for (slot, register) in register_slots(layout, registers) {
        let SignalDecl { width, .. } = layout.observed_at(slot).expect("the slot is one of the layout's").0;
        let value = match width - register.width {
            0 => format!("dut.{}", register.path),
            padding => format!("{{{padding}'b0, dut.{}}}", register.path),
        };
        writeln!(text, "    assign o{slot} = {value};").expect("strings take everything");
    }
    text + "endmodule\n`default_nettype wire\n"
}

/// The slot of every register row.
fn register_slots<'a>(layout: &Layout, registers: &'a [RegisterRow]) -> Vec<(usize, &'a RegisterRow)> {
    let first: HashMap<&str, usize> = (registers.iter())
        .filter_map(|register| Some((register.signal.as_str(), layout.observed(Role::Register, &register.signal)?)))
        .collect();
    registers.iter().map(|register| (first[register.signal.as_str()] + register.row, register)).collect()
}

/// C++ with the functions that [`super::verilator`] calls; `powar_fault` among them if the design holds `faults`.
pub fn shim(clocked: bool, layout: &Layout, faults: bool) -> String {
    let fault = match faults {
        true => "\n\nvoid powar_fault(void* dut, uint64_t number) { static_cast<Dut*>(dut)->model.fault = number; }",
        false => "",
    };
    let (inputs, observed) = (layout.input_slots(), layout.observed_slots());
    let clock = |level: u8| if clocked { format!("model.clk = {level};") } else { String::new() };
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>().join("\n    ");
    format!(
        r#"#include "Vmodel.h"
#include "verilated.h"
#include <cstdint>

static inline void drive(Vmodel& model, const uint64_t* in) {{
    {drive}
}}

static inline void observe(const Vmodel& model, uint64_t* out) {{
    {observe}
}}

// 0 if every slot is as expected. Without branches between the slots, so that they are compared at full speed.
static inline uint64_t difference(const Vmodel& model, const uint64_t* expected) {{
    uint64_t d = 0;
    {difference}
    return d;
}}

static inline void settle(Vmodel& model, const uint64_t* in) {{
    drive(model, in);
    {low}
    model.eval();
}}

static inline void edge(Vmodel& model) {{
    {high}
    {edge}
}}

struct Dut {{
    VerilatedContext context;
    Vmodel model{{&context, "top"}};
}};

extern "C" {{

void* powar_create() {{ return new Dut; }}

void powar_destroy(void* dut) {{ delete static_cast<Dut*>(dut); }}{fault}

void powar_cycle(void* dut, const uint64_t* in, uint64_t* out) {{
    Vmodel& model = static_cast<Dut*>(dut)->model;
    settle(model, in);
    observe(model, out);
    edge(model);
}}

void powar_observe(const void* dut, uint64_t* out) {{ observe(static_cast<const Dut*>(dut)->model, out); }}

// Runs up to `cycles` cycles; returns how many were equal. The first that is not is observed and clocked, too.
uint64_t powar_follow(void* dut, const uint64_t* in, const uint64_t* expected, uint64_t cycles, uint64_t* out) {{
    Vmodel& model = static_cast<Dut*>(dut)->model;
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {{
        settle(model, in);
        const bool equal = difference(model, expected) == 0;
        if (!equal) observe(model, out);
        edge(model);
        if (!equal) return cycle;
        in += {inputs};
        expected += {observed};
    }}
    return cycles;
}}

}}
"#,
        drive = lines(inputs, &|slot| format!("model.i{slot} = in[{slot}];")),
        observe = lines(observed, &|slot| format!("out[{slot}] = model.o{slot};")),
        difference = lines(observed, &|slot| format!("d |= expected[{slot}] ^ uint64_t(model.o{slot});")),
        low = clock(0),
        high = clock(1),
        edge = if clocked { "model.eval();" } else { "(void)model;" },
    )
}
