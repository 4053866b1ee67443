// `e_rapid_control_registers`: E-RAPID's registers are those of docs/microarchitecture/mechanisms/e_rapid.md, and keep to the rules of all such, as `register_file.sv` says them.
// The two counts are others' and are read here: "writes are ignored" of them, for there is nothing to write.
//
// Not covered: the values that a reset gives, which are the configuration's.
module e_rapid_control_registers_properties (
    input wire        clk,
    input wire        rst,
    input wire        write_enable,
    input wire [9:0]  write_address,
    input wire [31:0] write_data,
    input wire [9:0]  read_address,
    input wire [31:0] read_data,
    input wire [1:0]  policy,
    input wire [11:0] window,
    input wire [11:0] b_min,
    input wire [11:0] b_max,
    input wire [11:0] b_con,
    input wire [3:0]  degree,
    input wire [7:0]  dead_time,
    input wire [15:0] ring_errors,
    input wire [15:0] lost_messages
);
    // The map, by byte addresses from 0x40 on: the registers as words, and how many bits each has.
    wire [287:0] words = {16'd0, lost_messages, 16'd0, ring_errors, 24'd0, dead_time, 28'd0, degree, 20'd0, b_con, 20'd0, b_max, 20'd0, b_min, 20'd0, window, 30'd0, policy};
    wire [287:0] bits = {32'hffff, 32'hffff, 32'hff, 32'hf, 32'hfff, 32'hfff, 32'hfff, 32'hfff, 32'h3};
    register_file_properties #(.WORDS(9), .READ_ONLY(2)) rules (
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
