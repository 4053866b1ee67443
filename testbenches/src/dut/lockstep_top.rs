//! The Verilog and C++ around a design under test in Verilator.
//!
//! `lockstep_top` gives every row of every port of the design a port of its own. Registers are read where Verilator keeps
//! them (`SlotSource`): a copy of each to a port would cost a tenth of the rate. The design's text stays as it is emitted.
//!
//! For lock-step, inputs go through registers of `lockstep_top`, as they would come from another clocked block. So all logic
//! hangs on the rising edge alone, and one evaluation a cycle does: with inputs that reach the design's logic by themselves
//! Verilator evaluates what hangs on inputs and registers both, which is most, twice. In a loop ([`Driving::Loop`]) that can't be:
//! what the design shows next is asked for before its next inputs are known.
//!
//! A design whose clocks are not called `clk` has an input `NAME_edge` in its golden twin for each clock `NAME_clk`: whether the clock rises
//! with that of the test bench at the end of the cycle. It gets the bench's clock while this is 1, which changes only while that is low.

use super::image::PIECE;
use powar_config::{Layout, Role, SignalDecl};
use std::collections::{BTreeSet, HashMap};
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

/// When a model's clock rises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Driving {
    /// At the beginning of a cycle, into which the inputs come by that very edge. The fastest.
    LockStep,
    /// At the end of a cycle, so that what registers hold in the next one can be seen (`powar_observe`) before it has inputs.
    Loop,
}

/// All that the texts around a design depend on.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Name of the design's module.
    pub design: &'a str,
    /// Its clocks.
    pub clocks: &'a [String],
    /// It holds deliberate faults, which the input [`FAULT`] switches on.
    pub faults: bool,
    /// It counts what runs and what changes, which `powar_coverage` writes to a file.
    pub coverage: bool,
    pub driving: Driving,
    pub layout: &'a Layout,
    pub registers: &'a [RegisterRow],
}

/// Where the shim reads a slot of the frame.
enum SlotSource {
    /// In an output of [`TOP`], `o` and the slot's number.
    Port,
    /// In the register itself, by the name it has in the model's C++ class.
    Member(String),
}

/// The name of the module.
pub const TOP: &str = "lockstep_top";

/// The input of [`TOP`] that switches a deliberate fault on, and its width in bits (see [`crate::hunt`]).
pub const FAULT: (&str, usize) = ("fault", 16);

/// The input of the golden twin that says when a clock rises; `None` for `clk`, which rises in every cycle.
pub fn edge_input(clock: &str) -> Option<String> {
    Some(format!("{}_edge", clock.strip_suffix("_clk")?))
}

/// The pieces of the module's text.
#[derive(Default)]
struct Pieces {
    ports: Vec<String>,
    connections: Vec<String>,
    declarations: String,
    /// What registers take with the rising edge.
    edge: String,
}

/// Verilog of the module around the design.
pub fn verilog(surroundings: &Surroundings) -> String {
    let &Surroundings { design, clocks, faults, layout, registers, .. } = surroundings;
    let places = places(layout, registers);
    let mut pieces = Pieces::default();
    if faults {
        pieces.ports.push(format!("    input wire [{}:0] {}", FAULT.1 - 1, FAULT.0));
    }
    if !clocks.is_empty() {
        pieces.ports.push("    input wire clk".to_string());
    }
    add_clocks(&mut pieces, surroundings);
    add_signals(&mut pieces, surroundings, &places);
    let Pieces { ports, connections, mut declarations, edge } = pieces;
    if !edge.is_empty() {
        declarations += &format!("    always @(posedge clk) begin\n{edge}    end\n");
    }
    let mut text = format!(
        "`default_nettype none\nmodule {TOP} (\n{}\n);\n{declarations}    {design} dut (\n{}\n    );\n",
        ports.join(",\n"),
        connections.join(",\n")
    );
    for (slot, register) in register_slots(layout, registers) {
        if let SlotSource::Member(_) = places[slot] {
            continue;
        }
        let SignalDecl { width, .. } = layout.observed_at(slot).expect("the slot is one of the layout's").0;
        let value = match width - register.width {
            0 => format!("dut.{}", register.path),
            padding => format!("{{{padding}'b0, dut.{}}}", register.path),
        };
        writeln!(text, "    assign o{slot} = {value};").expect("strings take everything");
    }
    text + "endmodule\n`default_nettype wire\n"
}

/// Clocks of the design: the module's own, behind a gate where they do not rise in every cycle.
fn add_clocks(pieces: &mut Pieces, &Surroundings { clocks, driving, layout, .. }: &Surroundings) {
    for clock in clocks {
        let Some(slot) = edge_input(clock).and_then(|edge| layout.input(&edge)) else {
            pieces.connections.push(format!("        .{clock}(clk)"));
            continue;
        };
        // In lock-step the registers that take the inputs change with the rising edge: the gate takes their values with the falling one.
        let gate = match driving {
            Driving::LockStep => {
                let gate = format!("{clock}_gate");
                writeln!(pieces.declarations, "    reg {gate};\n    always @(negedge clk) {gate} <= r{slot};")
                    .expect("strings take everything");
                gate
            }
            Driving::Loop => format!("i{slot}"),
        };
        pieces.connections.push(format!("        .{clock}(clk & {gate})"));
    }
}

/// Inputs, in lock-step by way of registers, and outputs.
fn add_signals(pieces: &mut Pieces, surroundings: &Surroundings, places: &[SlotSource]) {
    let &Surroundings { clocks, driving, layout, .. } = surroundings;
    for (prefix, direction, signals) in [("i", "input", &layout.inputs), ("o", "output", &layout.observed)] {
        let mut slot = 0;
        for signal in signals {
            let slots = slot..slot + signal.rows;
            slot += signal.rows;
            let range = format!("[{}:0]", signal.width - 1);
            let ported = slots.clone().filter(|&slot| prefix == "i" || matches!(places[slot], SlotSource::Port));
            pieces.ports.extend(ported.map(|slot| format!("    {direction} wire {range} {prefix}{slot}")));
            if signal.role == Role::Register {
                continue;
            }
            let registered = !clocks.is_empty() && prefix == "i" && driving == Driving::LockStep;
            if registered {
                for slot in slots.clone() {
                    writeln!(pieces.declarations, "    reg {range} r{slot};").expect("strings take everything");
                    writeln!(pieces.edge, "        r{slot} <= i{slot};").expect("strings take everything");
                }
            }
            if clocks.iter().any(|clock| edge_input(clock).is_some_and(|edge| edge == signal.name)) {
                continue;
            }
            let prefix = if registered { "r" } else { prefix };
            let value = slots.rev().map(|slot| format!("{prefix}{slot}")).collect::<Vec<_>>().join(", ");
            pieces.connections.push(format!("        .{}({{{value}}})", signal.name));
        }
    }
}

/// Verilator's configuration: keeps the registers that the shim reads in the model's class, under their names.
pub fn configuration(surroundings: &Surroundings) -> String {
    let &Surroundings { layout, registers, .. } = surroundings;
    let places = places(layout, registers);
    let read = register_slots(layout, registers).filter(|&(slot, _)| matches!(places[slot], SlotSource::Member(_)));
    let names: BTreeSet<&str> =
        read.map(|(_, register)| register.path.rsplit('.').next().unwrap_or(&register.path)).collect();
    let lines = names.iter().map(|name| format!("public_flat_rd -module \"*\" -var \"{name}\"\n"));
    format!("`verilator_config\n{}", lines.collect::<String>())
}

/// Where each slot of the observed frame is read.
fn places(layout: &Layout, registers: &[RegisterRow]) -> Vec<SlotSource> {
    let mut places: Vec<SlotSource> = (0..layout.observed_slots()).map(|_| SlotSource::Port).collect();
    for (slot, register) in register_slots(layout, registers) {
        if let Some(member) = member(&register.path) {
            places[slot] = SlotSource::Member(member);
        }
    }
    places
}

/// The name in C++ of what stands at `path` in the design, in a model that is one flat class; `None` for a part of
/// a register, and for names that Verilator writes in yet another way.
fn member(path: &str) -> Option<String> {
    let last = path.rsplit('.').next()?;
    let plain = last.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !path.contains("__");
    let known = path.chars().all(|c| c.is_ascii_alphanumeric() || "_.[]".contains(c));
    let encoded = path.replace('.', "__DOT__").replace('[', "__BRA__").replace(']', "__KET__");
    (plain && known).then(|| format!("{TOP}__DOT__dut__DOT__{encoded}"))
}

/// The slot of every register row.
fn register_slots<'a>(layout: &Layout, registers: &'a [RegisterRow]) -> impl Iterator<Item = (usize, &'a RegisterRow)> {
    let first: HashMap<&str, usize> = (registers.iter())
        .filter_map(|register| Some((register.signal.as_str(), layout.observed(Role::Register, &register.signal)?)))
        .collect();
    registers.iter().map(move |register| (first[register.signal.as_str()] + register.row, register))
}

/// C++ with the functions that [`super::verilator`] calls.
pub fn shim(surroundings: &Surroundings) -> String {
    let &Surroundings { clocks, faults, coverage, driving, layout, registers, .. } = surroundings;
    let clocked = !clocks.is_empty();
    let (inputs, observed) = (layout.input_slots(), layout.observed_slots());
    let places = places(layout, registers);
    let read = |slot: usize| match &places[slot] {
        SlotSource::Port => format!("o{slot}"),
        SlotSource::Member(name) => name.clone(),
    };
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>().join("\n    ");
    let common = format!(
        r#"#include "Vmodel.h"
#include "Vmodel___024root.h"
#include "verilated.h"
#include <cstdint>

// The class inside the model: its ports are there themselves, in the model's interface only as references.
using Signals = Vmodel___024root;

static inline void drive(Signals& model, const uint64_t* in) {{
    {drive}
}}

static inline void observe(const Signals& model, uint64_t* out) {{
    {observe}
}}

static inline void low(Vmodel& model) {{ {low} }}

static inline void high(Vmodel& model) {{ {high} }}

struct Dut {{
    VerilatedContext context;
    Vmodel model{{&context, "top"}};
    Dut() {{ low(model); }}
    // A model takes itself off the context of the thread, which is that of whatever was made or run last.
    ~Dut() {{ Verilated::threadContextp(&context); }}
}};

extern "C" {{

void* powar_create() {{ return new Dut; }}

void powar_destroy(void* dut) {{ delete static_cast<Dut*>(dut); }}

{fault}}}
"#,
        drive = lines(inputs, &|slot| format!("model.i{slot} = in[{slot}];")),
        observe = lines(observed, &|slot| format!("out[{slot}] = model.{};", read(slot))),
        low = if clocked { "model.clk = 0; model.eval();" } else { "(void)model;" },
        high = if clocked { "model.clk = 1;" } else { "(void)model;" },
        fault = match faults {
            true =>
                "void powar_fault(void* dut, uint64_t number) { static_cast<Dut*>(dut)->model.fault = number; }\n\n",
            false => "",
        },
    );
    let own = match driving {
        Driving::LockStep => format!(
            r#"
// What processors compare at once. It may lie anywhere, and over anything.
typedef uint64_t Word __attribute__((vector_size(16), aligned(1), may_alias));

// Whether the model's memory differs from an image: pieces of {piece} bytes, with ones in `mask` for the bits to compare.
static inline bool differs(const char* model, const uint32_t* pieces, uint64_t count, const char* mask, const char* image) {{
    Word d = {{}};
    for (uint64_t k = 0; k < count; ++k) {{
        const Word* is = reinterpret_cast<const Word*>(model + pieces[k]);
        const Word* expected = reinterpret_cast<const Word*>(image + {piece} * k);
        const Word* compared = reinterpret_cast<const Word*>(mask + {piece} * k);
        // The next image is in the cache of the golden model's thread, and comes from there while the model runs.
        __builtin_prefetch(image + {piece} * (count + k), 0, 2);
        for (size_t word = 0; word < {piece} / sizeof(Word); ++word) d |= (is[word] ^ expected[word]) & compared[word];
    }}
    return (d[0] | d[1]) != 0;
}}

template <typename T> static inline uint32_t place(const Signals& model, const T& signal, uint8_t& bytes) {{
    static_assert(sizeof(T) <= 8, "a slot has up to 64 bits");
    bytes = sizeof(T);
    return reinterpret_cast<const char*>(&signal) - reinterpret_cast<const char*>(&model);
}}

// Into the cycle of these inputs: they and the registers take their values at the rising edge. All is settled then;
// at the falling edge nothing happens but that the next one can rise.
static inline void advance(Vmodel& model, const uint64_t* in) {{
    low(model);
    drive(*model.rootp, in);
    high(model);
    model.eval();
}}

extern "C" {{

void powar_cycle(void* dut, const uint64_t* in, uint64_t* out) {{
    Vmodel& model = static_cast<Dut*>(dut)->model;
    advance(model, in);
    observe(*model.rootp, out);
}}

// Where each slot stands in the model, and its bytes; returns the bytes of the model.
uint64_t powar_places(const void* dut, uint32_t* at, uint8_t* bytes) {{
    const Signals& model = *static_cast<const Dut*>(dut)->model.rootp;
    {places}
    return sizeof(Signals);
}}

// Runs up to `cycles` cycles; returns how many were equal to their images. The first that is not is observed, too.
uint64_t powar_follow(void* dut, const uint64_t* in, const char* image, const uint32_t* pieces, uint64_t count,
                      const char* mask, uint64_t cycles, uint64_t* out) {{
    Vmodel& model = static_cast<Dut*>(dut)->model;
    for (uint64_t cycle = 0; cycle < cycles; ++cycle) {{
        advance(model, in);
        if (differs(reinterpret_cast<const char*>(model.rootp), pieces, count, mask, image)) {{
            observe(*model.rootp, out);
            return cycle;
        }}
        in += {inputs};
        image += {piece} * count;
    }}
    return cycles;
}}

}}
"#,
            places =
                lines(observed, &|slot| format!("at[{slot}] = place(model, model.{}, bytes[{slot}]);", read(slot))),
            piece = PIECE,
        ),
        Driving::Loop => r#"
extern "C" {

void powar_cycle(void* dut, const uint64_t* in, uint64_t* out) {
    Vmodel& model = static_cast<Dut*>(dut)->model;
    drive(*model.rootp, in);
    model.clk = 0;
    model.eval();
    observe(*model.rootp, out);
    model.clk = 1;
    model.eval();
}

void powar_observe(const void* dut, uint64_t* out) { observe(*static_cast<const Dut*>(dut)->model.rootp, out); }

}
"#
        .to_string(),
    };
    common + &own + if coverage { COVERAGE } else { "" }
}

/// Writes what has been counted since the model was made, in Verilator's form, and whatever it is of.
const COVERAGE: &str = r#"
#include "verilated_cov.h"

extern "C" {

void powar_coverage(void* dut, const char* path) { static_cast<Dut*>(dut)->context.coveragep()->write(path); }

}
"#;
