// `alonso_control_registers`: Alonso's mechanism's registers are those of docs/microarchitecture/mechanisms/alonso.md, and keep to the rules of all such, as `register_file.sv` says them.
//
// Not covered: the values that a reset gives, which are the configuration's.
module alonso_control_registers_properties (
    input wire        clk,
    input wire        rst,
    input wire        write_enable,
    input wire [9:0]  write_address,
    input wire [31:0] write_data,
    input wire [9:0]  read_address,
    input wire [31:0] read_data,
    input wire [1:0]  policy,
    input wire [15:0] check_period,
    input wire [15:0] on_flits,
    input wire [15:0] off_flits,
    input wire [23:0] turn_on,
    input wire [23:0] turn_off,
    input wire        litmus,
    input wire        start
);
    // The map, by byte addresses from 0x40 on: the registers as words, and how many bits each has.
    wire [255:0] words = {31'd0, start, 31'd0, litmus, 8'd0, turn_off, 8'd0, turn_on, 16'd0, off_flits, 16'd0, on_flits, 16'd0, check_period, 30'd0, policy};
    wire [255:0] bits = {32'h1, 32'h1, 32'hffffff, 32'hffffff, 32'hffff, 32'hffff, 32'hffff, 32'h3};
    register_file_properties #(.WORDS(8)) rules (
        .clk           (clk),
        .rst           (rst),
        .write_enable  (write_enable),
        .write_address (write_address),
        .write_data    (write_data),
        .read_address  (read_address),
        .read_data     (read_data),
        .words         (words),
        .bits          (bits)
    );
endmodule
