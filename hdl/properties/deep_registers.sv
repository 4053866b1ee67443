// `deep_registers`: what software sets of the depths of sleep (docs/microarchitecture/mechanisms/hints_depths.md), behind the registers of Wake hints and before its counters; they keep to
// the rules of all such, as `register_file.sv` says them.
//
// Not covered: the values that a reset gives, which are the configuration's.
module deep_registers_properties (
    input wire        clk,
    input wire        rst,
    input wire        write_enable,
    input wire [9:0]  write_address,
    input wire [31:0] write_data,
    input wire [9:0]  read_address,
    input wire [31:0] read_data,
    input wire [23:0] deep_after,
    input wire [23:0] t_wake_deep
);
    register_file_properties #(.FIRST(10'h1d), .WORDS(2)) rules (
        .clk           (clk),
        .rst           (rst),
        .write_enable  (write_enable),
        .write_address (write_address),
        .write_data    (write_data),
        .read_address  (read_address),
        .read_data     (read_data),
        .words         ({8'd0, t_wake_deep, 8'd0, deep_after}),
        .bits          ({32'hffffff, 32'hffffff})
    );
endmodule
