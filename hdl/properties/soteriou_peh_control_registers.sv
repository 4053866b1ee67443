// `soteriou_peh_control_registers`: Soteriou and Peh's mechanism's registers are those of docs/microarchitecture/mechanisms/soteriou_peh.md, and keep to the rules of all such, as `register_file.sv` says them.
//
// Not covered: the values that a reset gives, which are the configuration's.
module soteriou_peh_control_registers_properties (
    input wire        clk,
    input wire        rst,
    input wire        write_enable,
    input wire [9:0]  write_address,
    input wire [31:0] write_data,
    input wire [9:0]  read_address,
    input wire [31:0] read_data,
    input wire [1:0]  policy,
    input wire [15:0] window,
    input wire [19:0] sleep_load,
    input wire [19:0] sleep_step,
    input wire [19:0] wake_load,
    input wire [19:0] wake_step,
    input wire [23:0] t_trans,
    input wire [15:0] age_limit,
    input wire [22:0] idle_1,
    input wire [22:0] idle_2,
    input wire [22:0] idle_3,
    input wire [22:0] idle_4
);
    // The map, by byte addresses from 0x40 on: the registers as words, and how many bits each has.
    wire [383:0] words = {9'd0, idle_4, 9'd0, idle_3, 9'd0, idle_2, 9'd0, idle_1, 16'd0, age_limit, 8'd0, t_trans, 12'd0, wake_step, 12'd0, wake_load, 12'd0, sleep_step, 12'd0, sleep_load, 16'd0, window, 30'd0, policy};
    wire [383:0] bits = {32'h7fffff, 32'h7fffff, 32'h7fffff, 32'h7fffff, 32'hffff, 32'hffffff, 32'hfffff, 32'hfffff, 32'hfffff, 32'hfffff, 32'hffff, 32'h3};
    register_file_properties #(.WORDS(12)) rules (
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
