//! The text of the bench.

use super::vectors::{COMPARE, DRIVE, Field, Fields};
use std::fmt::Write;

/// A clock of the design, and the input of the vectors that says whether it rises in a cycle of the bench; `None`: in each.
pub struct ClockPort {
    pub name: String,
    pub edge: Option<String>,
}

/// The module `<top>_tb`.
pub fn verilog(top: &str, fields: &Fields, clocks: &[ClockPort], cycles: u64, about: &str) -> String {
    let is_port = |name: &&str| clocks.iter().all(|clock| clock.edge.as_deref() != Some(name));
    let all = || fields.inputs.iter().chain(&fields.outputs).map(|field| field.signal.name.as_str()).filter(is_port);
    let clock_names = || clocks.iter().map(|clock| clock.name.as_str());
    let widest = all().map(str::len).max().unwrap_or(0);
    let ports: Vec<String> =
        clock_names().chain(all()).map(|name| format!("        .{name:<widest$} ({name})")).collect();
    format!(
        r#"// Self-checking test bench of {top}; Verilog-2005. Written by powar: change nothing by hand.
//
// Drives the design with the inputs in {top}_tb.hex and compares every output with the value expected there, in every cycle from
// the first reset on; the values expected are those of the golden model. At the first cycle that differs it says what differs and
// ends. In the end it prints a line that begins with PASS or with FAIL.
//
// {about}, {cycles} cycles.
// Run it:  sh {top}_tb.sh icarus    or    sh {top}_tb.sh verilator    (by hand: {top}_tb.md)
// Waves:   +vcd writes {top}_tb.vcd.

`default_nettype none

module {top}_tb;
    parameter VECTORS = "{top}_tb.hex";

    localparam CYCLES = {cycles};
    localparam BITS = {bits};
    // First digit of a line.
    localparam [3:0] DRIVE = 4'd{DRIVE};
    localparam [3:0] COMPARE = 4'd{COMPARE};

    reg [BITS-1:0] tb_vectors [0:CYCLES-1];
    // The line of this cycle.
    reg [BITS-1:0] tb_line;
    integer tb_cycle;
    integer tb_compared;
    integer tb_differences;

    wire [3:0] tb_mark = tb_line[{mark} +: 4];

    // Inputs.
{clocks}{inputs}
    // Outputs as they are, and as the golden model shows them.
{outputs}
    {top} dut (
{ports}
    );

    // Compares all outputs and says what differs.
    task tb_compare;
        integer i;
        begin
{compare}        end
    endtask

    initial begin
{low}        tb_line = 0;
        tb_compared = 0;
        tb_differences = 0;
        if ($test$plusargs("vcd")) begin
            $dumpfile("{top}_tb.vcd");
            $dumpvars(0, {top}_tb);
        end
        $readmemh(VECTORS, tb_vectors);
        tb_cycle = 0;
        while (tb_cycle < CYCLES && tb_differences == 0) begin
            // Far from the rising edge, so that no simulator can take one before the other.
            tb_line = tb_vectors[tb_cycle];
            #4;
            if (tb_mark === COMPARE) begin
                tb_compare;
                tb_compared = tb_compared + 1;
            end else if (tb_mark !== DRIVE) begin
                $display("cycle %0d: no vector; is %0s there, and whole?", tb_cycle, VECTORS);
                tb_differences = tb_differences + 1;
            end
{pulse}            tb_cycle = tb_cycle + 1;
        end
        if (tb_differences == 0) begin
            $display("PASS: {top}, every output equal in %0d of %0d cycles", tb_compared, CYCLES);
            $finish;
        end else begin
            $display("FAIL: {top}, cycle %0d", tb_cycle - 1);
            // Verilog-2005 has no exit code: where a simulator has a way to fail, it is taken; else the line above tells.
`ifdef __ICARUS__
            $finish_and_return(1);
`elsif VERILATOR
            $stop;
`else
            $finish;
`endif
        end
    end
endmodule

`default_nettype wire
"#,
        bits = fields.bits,
        mark = fields.mark_low(),
        clocks = clock_names().map(|name| format!("    reg {name};\n")).collect::<String>(),
        low = clock_names().map(|name| format!("        {name} = 1'b0;\n")).collect::<String>(),
        pulse = pulse(clocks),
        inputs = declarations(&fields.inputs, false),
        outputs = declarations(&fields.outputs, true),
        ports = ports.join(",\n"),
        compare = fields.outputs.iter().map(comparison).collect::<String>(),
    )
}

/// The edges of a cycle. Those of several clocks are at one time, so that each half takes of the other what that was before.
fn pulse(clocks: &[ClockPort]) -> String {
    let at = |delay: u32, value: &dyn Fn(&ClockPort) -> String| {
        let [first, others @ ..] = clocks else { return String::new() };
        let set = |clock: &ClockPort| format!("{} = {};\n", clock.name, value(clock));
        let rest: String = others.iter().map(|clock| format!("            {}", set(clock))).collect();
        format!("            #{delay} {}{rest}", set(first))
    };
    at(1, &|clock| clock.edge.clone().unwrap_or("1'b1".into())) + &at(5, &|_| "1'b0".into())
}

/// The wires of the ports: inputs from the line; outputs from the design, and their expected values from the line.
fn declarations(fields: &[Field], outputs: bool) -> String {
    let range = |field: &Field| match field.bits() {
        1 => String::new(),
        bits => format!("[{}:0] ", bits - 1),
    };
    let widest = fields.iter().map(|field| range(field).len()).max().unwrap_or(0);
    let mut text = String::new();
    for field in fields {
        let (name, bits, low) = (&field.signal.name, field.bits(), field.low);
        let range = format!("{:<widest$}", range(field));
        let place = if bits == 1 { format!("tb_line[{low}]") } else { format!("tb_line[{low} +: {bits}]") };
        let put =
            |text: &mut String, line: String| writeln!(text, "    wire {line};").expect("strings take everything");
        if outputs {
            put(&mut text, format!("{range}{name}"));
            put(&mut text, format!("{range}expected_{name} = {place}"));
        } else {
            put(&mut text, format!("{range}{name} = {place}"));
        }
    }
    text
}

/// The comparison of an output: as a whole, and element by element where it differs.
fn comparison(field: &Field) -> String {
    let name = &field.signal.name;
    let (rows, width) = (field.signal.rows, field.signal.width);
    let say = |index: &str, part: &str, indent: &str| {
        let row = if index.is_empty() { "" } else { "[%0d]" };
        format!(
            "{indent}$display(\"cycle %0d: {name}{row} is %h, expected %h\", tb_cycle, {index}{name}{part}, expected_{name}{part});\n"
        )
    };
    let body = if rows == 1 {
        say("", "", "                ")
    } else {
        let part = format!("[i*{width} +: {width}]");
        format!(
            "                for (i = 0; i < {rows}; i = i + 1) begin\n                    if ({name}{part} !== expected_{name}{part})\n{}                end\n",
            say("i, ", &part, "                        ")
        )
    };
    format!(
        "            if ({name} !== expected_{name}) begin\n                tb_differences = tb_differences + 1;\n{body}            end\n"
    )
}
